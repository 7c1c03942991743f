/* hull.h - the convex hull of 3D points, with its faces.
 * Source: Barber, Dobkin, Huhdanpaa, "The Quickhull Algorithm for Convex Hulls", 1996.
 * Pure, any thread. */
#pragma once
#include "base/array.h"
#include "d3/math.h"

#include <stdint.h>

enum { D3_HULL_MAX = 256, D3_HULL_EDGES = 6 * D3_HULL_MAX }; /* maximum numbers of corners and half edges of a shape */

enum d3_hull_result {
	D3_HULL_OK,
	D3_HULL_OUT_OF_MEMORY,
	D3_HULL_TOO_FEW, /* fewer than four points are left when points closer than 1e-5 of the extent are merged */
	D3_HULL_DEGENERATE, /* coplanar, or so nearly that the normals would be noise */
	D3_HULL_TOO_MANY /* more than D3_HULL_MAX corners */
};

/* A half edge: an edge as the boundary of one face, counter-clockwise as seen from outside. */
struct d3_hull_edge {
	uint16_t next; /* next half edge around the face */
	uint16_t twin; /* the same edge in the adjacent face */
	uint16_t origin; /* start corner */
	uint16_t face;
};

struct d3_hull_plane {
	struct d3_vec_d normal; /* unit, outward */
	double offset; /* the greatest normal . p over all points of the hull [length] */
};

/* Four corners, one per SIMD lane. */
struct d3_hull_lanes {
	float x[4], y[4], z[4];
};

/* Four planes, one per SIMD lane. */
struct d3_hull_plane_lanes {
	float x[4], y[4], z[4], offset[4];
};

/* A closed convex surface. Coplanar triangles are merged: a box has six faces. */
struct d3_hull {
	uint32_t point_count, face_count, edge_count; /* edge_count: half edges, two for each edge */
	bool of_faces; /* made by d3_hull_of_faces from its faces, not from its points */
	struct d3_vec *points;
	struct d3_hull_lanes *lanes; /* the points again; the last one is repeated to fill the lanes */
	struct d3_hull_plane *planes; /* of the faces */
	struct d3_hull_plane_lanes *plane_lanes; /* the planes again, as floats; the last one is repeated to fill the lanes */
	uint16_t *face_edges; /* one half edge of each face */
	uint16_t *point_edges; /* one half edge that starts from each point */
	struct d3_hull_edge *edges; /* 2 k and 2 k + 1 are twins */
};

/* Writes the face's corners, counter-clockwise from outside, and returns their number. */
static inline uint32_t d3_hull_face(const struct d3_hull *hull, uint32_t face, uint32_t corners[D3_HULL_MAX])
{
	uint32_t count = 0, first = hull->face_edges[face], edge = first;
	do {
		corners[count++] = hull->edges[edge].origin;
		edge = hull->edges[edge].next;
	} while (edge != first);
	return count;
}

/* AABB of the corners rotated by q about the origin. Its error is a few float roundings of the farthest corner's distance from
 * the origin. */
void d3_hull_box(const struct d3_hull *hull, const struct d3_rot *q, struct d3_vec *lower, struct d3_vec *upper);

/* Computes the hull of count >= 1 finite points in any order; duplicates and points on faces and edges are allowed. The hull is
 * one allocation, freed by d3_hull_free. Let the extent be the longest side of the points' AABB, and the tolerance 1e-6 of it,
 * or 1.2e-7 of the largest coordinate (float precision) if that is more. Points closer than 1e-5 of the extent are merged,
 * corners that stand out less than the tolerance are dropped, and faces that are coplanar within it are merged. A hull thinner
 * than 1e-5 of its extent is degenerate. The corners are a subset of the points given, in the order given; the subset does not
 * depend on that order. The hull of a hull's points is the same hull, to the bit. Only D3_HULL_OK sets *out. */
enum d3_hull_result d3_hull_compute(struct memory *memory, const struct d3_vec *points, uint32_t count, struct d3_hull **out);

/* A convex polyhedron. */
struct d3_faces {
	const struct d3_vec *points;
	uint32_t point_count, face_count;
	const uint16_t *ends; /* one past the last corner of each face in `corners` */
	const uint16_t *corners; /* indices of points, face by face, counter-clockwise from outside */
};

/* Makes the hull of a polyhedron: like d3_hull_compute of its points, but for the order of edges and faces, and faster. Keeps
 * the given faces where no corners have to be dropped, and no faces merged; else computes it of the points. The hull of the
 * faces of a hull that has `of_faces` is the same hull, to the bit. */
enum d3_hull_result d3_hull_of_faces(struct memory *memory, const struct d3_faces *faces, struct d3_hull **out);
void d3_hull_free(struct memory *memory, struct d3_hull *hull);
size_t d3_hull_bytes(const struct d3_hull *hull);

/* A hull: its corners, as indices into the points given, and its triangles, three indices into `corners` each,
 * counter-clockwise from outside. */
struct d3_hull_lists {
	ARRAY(uint32_t) corners, triangles;
};

/* Computes the exact hull of 1 to 2^24 finite points, without the tolerances above; but coordinates below 2^-247 of the largest
 * count as 0. If all points are coplanar, there are no triangles, and the corners are those of their convex polygon,
 * counter-clockwise about some normal; two if they are collinear, one if they coincide. *out must be zeroed, or hold an earlier
 * result, whose memory is used again. False: no memory. */
bool d3_hull_corners(struct memory *memory, const struct d3_vec_d *points, uint32_t count, struct d3_hull_lists *out);
void d3_hull_lists_free(struct memory *memory, struct d3_hull_lists *lists);

/* Makes the hull of a box. Point i is at the upper end of axis k of the frame if bit k of i is set, else at the lower one.
 * Order of the faces: -x, +x, -y, +y, -z, +z. NULL: no memory. */
struct d3_hull *d3_hull_of_box(struct memory *memory, const struct d3_transform_d *frame, struct d3_vec half);
