/* quickhull.h - the convex hull of points as a closed surface of triangles, without a tolerance in its topology: every side
 * test is exact (predicates.h), so that the surface is that of a convex polyhedron for any input, and the algorithm always
 * terminates.
 * Source: Barber, Dobkin, Huhdanpaa, "The Quickhull Algorithm for Convex Hulls", 1996.
 * Pure, any thread. */
#pragma once
#include "base/array.h"
#include "d3/math.h"

#include <stdbool.h>
#include <stdint.h>

#define D3_QUICKHULL_NONE UINT32_MAX

/* An edge of a triangle: 4 times the triangle's number + k, from corner k to the next one, k = 0, 1 or 2. */
typedef uint32_t d3_quickhull_edge;

struct d3_quickhull_face {
	uint32_t corner[3]; /* counter-clockwise from outside */
	d3_quickhull_edge twin[3]; /* the same edge of the adjacent triangle */
	struct d3_vec_d normal; /* outward; its length is twice the triangle's area */
	double unsure; /* up to this magnitude, the sign of normal . (p - corner) may be wrong */
	double scale; /* 1/|normal|; 0 if that is not finite */
	uint32_t first; /* first point of the triangle's outside set, or NONE */
	uint32_t farthest; /* farthest point of the outside set; of a triangle to be removed: start index in `horizon` */
	double distance; /* distance of the farthest point from the plane, times |normal| */
	uint32_t mark; /* mark of the last search: see find_horizon */
	/* links of the queue of triangles with points to add; the triangle's own number in both: not queued */
	uint32_t before, after;
	uint32_t region; /* live: NONE, to be set by the user; free: the next free triangle */
	bool live;
};

/* Stack entry of the horizon search: a visible triangle's next edge, and how many are left to cross. */
struct d3_quickhull_step {
	d3_quickhull_edge edge;
	uint32_t left;
};

struct d3_quickhull {
	struct memory *memory;
	uint32_t count; /* number of points */
	struct d3_vec_d *points; /* scaled by `factor` */
	uint32_t *next; /* of each point: the next one in the same outside set */
	double factor; /* stored coordinates / coordinates given: a power of two that makes stored ones at most 1 */
	struct d3_vec_d size; /* sides of the points' AABB, scaled */
	double tolerance; /* points outside of the surface by no more than this are not added; scaled */
	/* The hull's dimension, and points (indices) that span it: the two ends of a line, three points of a plane, four of a
	 * solid. */
	int dimension; /* 3, 2, 1, or 0: all points are the same */
	uint32_t span[4];
	ARRAY(struct d3_quickhull_face) faces; /* all triangles, including free ones */
	uint32_t free_face, live_count;
	uint32_t queue_first, queue_last;
	uint32_t visit;
	ARRAY(struct d3_quickhull_step) steps;
	ARRAY(d3_quickhull_edge) horizon;
	ARRAY(uint32_t) visible;
};

/* Builds the hull of at least one point. It has triangles only if the points are not coplanar. Points may remain outside of it
 * by up to `tolerance` [length]. False: no memory. The hull must be freed in either case. */
bool d3_quickhull_build(struct d3_quickhull *hull, struct memory *memory, const struct d3_points *points, double tolerance);
void d3_quickhull_free(struct d3_quickhull *hull);

/* Traversal of the surface. d3_quickhull_outline and d3_quickhull_follow require that every live triangle has a region. */
static inline const struct d3_quickhull_face *d3_quickhull_owner(const struct d3_quickhull *hull, d3_quickhull_edge edge)
{
	return &hull->faces.data[edge >> 2];
}

/* Whether the number is that of an edge of a live triangle. A loop over all edges runs to 4 faces.count. */
static inline bool d3_quickhull_is_edge(const struct d3_quickhull *hull, uint32_t number)
{
	return (number & 3) < 3 && d3_quickhull_owner(hull, number)->live;
}

static inline d3_quickhull_edge d3_quickhull_twin(const struct d3_quickhull *hull, d3_quickhull_edge edge)
{
	return hull->faces.data[edge >> 2].twin[edge & 3];
}

static inline uint32_t d3_quickhull_origin(const struct d3_quickhull *hull, d3_quickhull_edge edge)
{
	return hull->faces.data[edge >> 2].corner[edge & 3];
}

/* The next edge around the triangle. */
static inline d3_quickhull_edge d3_quickhull_next(d3_quickhull_edge edge)
{
	return (edge & 3) == 2 ? edge - 2 : edge + 1;
}

static inline bool d3_quickhull_outline(const struct d3_quickhull *hull, d3_quickhull_edge edge)
{
	return d3_quickhull_owner(hull, edge)->region != d3_quickhull_owner(hull, d3_quickhull_twin(hull, edge))->region;
}

/* The next edge along the boundary of the edge's region. */
static inline d3_quickhull_edge d3_quickhull_follow(const struct d3_quickhull *hull, d3_quickhull_edge edge)
{
	edge = d3_quickhull_next(edge);
	while (!d3_quickhull_outline(hull, edge))
		edge = d3_quickhull_next(d3_quickhull_twin(hull, edge));
	return edge;
}

/* Whether the triangles on both sides of an edge belong to one region. */
typedef bool d3_quickhull_joins(const struct d3_quickhull *hull, d3_quickhull_edge edge, const void *context);
/* Gives the region `seed` to triangle `seed`, and to those without a region that are connected with it through edges that join
 * them. False: no memory. */
bool d3_quickhull_spread(struct d3_quickhull *hull, uint32_t seed, d3_quickhull_joins *joins, const void *context);
/* Gives exactly coplanar connected triangles the same region. False: no memory. */
bool d3_quickhull_mark_planes(struct d3_quickhull *hull);
/* Whether at least three regions meet at the edge's origin. */
bool d3_quickhull_is_corner(const struct d3_quickhull *hull, d3_quickhull_edge edge);
