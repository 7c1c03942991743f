/* surface_distance.h - a triangle surface with queries for the distance of a point from it, and for the greatest distance of a
 * triangle's points. It has a tree of AABBs over the triangles, in the order of a space-filling curve. For a closed surface the
 * distance is signed, by the normal of the nearest feature: an edge has the sum of its faces' normals, a corner the same sum
 * weighted by angle.
 * Source: Baerentzen and Aanaes, "Signed Distance Computation Using the Angle Weighted Pseudonormal", 2005.
 * Threads: creating and freeing as for all memory; queries from any thread. */
#pragma once
#include "d3/shape/shape.h"

#include <stdbool.h>
#include <stdint.h>

enum { D3_SURFACE_NONE = UINT32_MAX };

enum d3_surface_result {
	D3_SURFACE_OK,
	D3_SURFACE_OUT_OF_MEMORY,
	D3_SURFACE_FLAT, /* triangle where[0] has no area */
	D3_SURFACE_OPEN, /* the edge of vertices where[0] and where[1] belongs only to triangle where[2] */
	D3_SURFACE_CROWDED, /* the edge belongs to more than two triangles */
	D3_SURFACE_TWISTED, /* the edge's two triangles, one of which is where[2], traverse it in the same direction */
	D3_SURFACE_EMPTY, /* the surface encloses no volume */
	D3_SURFACE_INVERTED /* the surface encloses a negative volume: its triangles are clockwise from outside */
};

struct d3_surface_node {
	struct d3_vec_d lower, upper;
	/* first triangle in `order`, and number of triangles; count 0: the children are the next node and node `first` */
	uint32_t first, count;
};

struct d3_surface {
	struct memory *memory;
	uint32_t vertex_count, triangle_count, node_count;
	const struct d3_vec_d *vertices; /* the caller's, which must outlive the surface */
	const uint32_t *indices; /* `welded`, or the caller's, which must outlive the surface; 3 for each triangle */
	uint32_t *welded; /* indices after welding, or NULL */
	uint32_t *twins; /* by half edge 3 t + i, from corner i of triangle t to the next: its opposite, or D3_SURFACE_NONE */
	struct d3_vec_d *normals; /* unit normal of each triangle */
	struct d3_vec_d *corner_normals; /* 3 for each triangle; NULL unless the surface is closed */
	uint32_t *order;
	struct d3_surface_node *nodes;
	double size; /* longest side of the AABB [length] */
};

enum {
	/* Refuses a surface that is open, not consistently oriented, inside out or without volume. Without this option, edges of
	 * one or of more than two triangles, or of two with opposite orientations, merely have no twins. */
	D3_SURFACE_CLOSED = 1,
	D3_SURFACE_WELD = 2, /* gives vertices at the same position the index of the first of them */
};

/* Creates a surface of finite vertices; indices are < vertex_count. where: the defect, see enum d3_surface_result. Only
 * D3_SURFACE_OK leaves something to free. */
enum d3_surface_result d3_surface_create(struct memory *memory, const struct d3_vec_d *vertices, uint32_t vertex_count,
	const uint32_t *indices, uint32_t triangle_count, int options, struct d3_surface *out, uint32_t where[3]);
void d3_surface_free(struct d3_surface *surface);

/* The point of a surface or triangle that is nearest to another point. */
struct d3_surface_point {
	double square; /* squared distance of the two points [length^2] */
	struct d3_vec_d at;
	uint32_t triangle;
	int feature; /* 0 inside, 1..3 on the edge from corner feature - 1 to the next one, 4..6 at corner feature - 4 */
};

struct d3_surface_point d3_surface_nearest(const struct d3_surface *surface, struct d3_vec_d p);
/* The point of a triangle that is nearest to p; its `triangle` is 0. */
struct d3_surface_point d3_surface_triangle_nearest(const struct d3_vec_d corners[3], struct d3_vec_d p);
/* The signed distance of p from the surface, negative inside. The surface must be closed. */
double d3_surface_distance(const struct d3_surface *surface, struct d3_vec_d p);

/* Cuts a triangle at the middles of its sides: writes the triangles at its corners, then the one in the middle. */
void d3_surface_quarter(const struct d3_vec_d corners[3], struct d3_vec_d parts[4][3]);

struct d3_deviation {
	double lower, upper; /* bounds of the greatest distance over all points queried [length] */
	struct d3_vec_d at; /* a point whose distance is `lower` */
	uint32_t budget; /* further subdivisions allowed; when it is used up, `upper` is the bound so far */
};

/* Raises the bounds in *deviation as far as this triangle's points require: the greatest distance of all points queried from
 * the surface lies between the bounds. With `centre`, the surface is closed, only points outside it count, and all queried
 * triangles belong to a convex surface around `centre`. With NULL all points count. False: lower > goal; or upper > goal when
 * the budget or the depth of subdivision was used up. Unless these were, upper - lower is at most `precision`.
 *
 * `upper` holds for every point, not only for samples. The distance to a convex set is a convex function, so no point of a
 * triangle is farther from one triangle of the surface than its farthest corner is. Nor is any farther from the surface than
 * the centroid's distance plus the triangle's radius about the centroid. And if the triangle, shrunk towards `centre` by a
 * length b, hits no triangle of the surface and lies inside, no point of it was farther out than b. The least of the three
 * bounds counts; if it is too large, the triangle is cut in four. */
bool d3_surface_deviation(const struct d3_surface *surface, const struct d3_vec_d corners[3], const struct d3_vec_d *centre,
	double goal, double precision, struct d3_deviation *deviation);
