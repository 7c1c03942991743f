/* quickhull.h - the convex hull of points as a closed surface of triangles. Every side test is exact (predicates.h), so that
 * the surface is that of a convex polyhedron for any input, and the algorithm always terminates.
 * Source: Barber, Dobkin, Huhdanpaa, "The Quickhull Algorithm for Convex Hulls", 1996.
 * Pure, any thread. */
#pragma once
#include "base/array.h"
#include "d3/math.h"

#include <stdbool.h>
#include <stdint.h>

#define D3_QUICKHULL_NONE UINT32_MAX

/* A half edge: 4 times its triangle's number + k, from corner k to the next one, k = 0, 1 or 2. */
typedef uint32_t d3_quickhull_edge;

struct d3_quickhull_face {
	uint32_t corner[3]; /* counter-clockwise from outside */
	d3_quickhull_edge twin[3]; /* by edge: the same edge in the adjacent triangle */
	struct d3_vec_d normal; /* outward; its length is twice the triangle's area */
	double unsure; /* if |normal . (p - corner)| is at most this, its sign may be wrong by rounding */
	double scale; /* 1/|normal|; 0 if that is not finite */
	uint32_t first; /* first point of the triangle's outside set, or NONE */
	/* farthest point of the outside set; of a triangle to be removed: where in `horizon` hand_over starts its search */
	uint32_t farthest;
	double distance; /* distance of the farthest point from the plane, times |normal| */
	uint32_t mark; /* set by the last search that met the triangle: see find_horizon; once the hull is built, for its user */
	/* previous and next triangle in the queue of those with points to add; both the triangle's own number: not queued */
	uint32_t before, after;
	uint32_t region; /* of a live triangle: NONE until the user of the hull sets it; of a free one: the next free triangle */
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
	uint32_t *next; /* of each point: the next one in the same outside set; once the hull is built, for its user */
	double factor; /* stored coordinates / coordinates given: a power of two that makes stored ones at most 1 */
	struct d3_vec_d size; /* sides of the points' AABB, scaled */
	double tolerance; /* points outside of the surface by no more than this are not added; scaled */
	/* The hull's dimension, and the indices of dimension + 1 points that span it. */
	int dimension; /* 3: solid; 2: coplanar; 1: collinear; 0: all points coincide */
	uint32_t span[4];
	ARRAY(struct d3_quickhull_face) faces; /* all triangles, including free ones */
	uint32_t free_face, live_count;
	uint32_t queue_first, queue_last;
	uint32_t visit;
	ARRAY(struct d3_quickhull_step) steps;
	ARRAY(d3_quickhull_edge) horizon;
	ARRAY(uint32_t) visible;
};

/* Builds the hull of at least one point; it has triangles only if the points are not coplanar. Points may remain outside of the
 * surface by up to `tolerance` [length]. False: no memory. The hull must be freed in either case. */
bool d3_quickhull_build(struct d3_quickhull *hull, struct memory *memory, const struct d3_points *points, double tolerance);
void d3_quickhull_free(struct d3_quickhull *hull);

/* Traversal of the surface. d3_quickhull_outline tells whether two regions meet at the edge; it and d3_quickhull_follow require
 * that every live triangle has a region. */
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

/* The next edge along the boundary of the edge's region; the edge is on it. */
static inline d3_quickhull_edge d3_quickhull_follow(const struct d3_quickhull *hull, d3_quickhull_edge edge)
{
	edge = d3_quickhull_next(edge);
	while (!d3_quickhull_outline(hull, edge))
		edge = d3_quickhull_next(d3_quickhull_twin(hull, edge));
	return edge;
}

/* Whether the triangles on both sides of an edge belong to one region. */
typedef bool d3_quickhull_joins(const struct d3_quickhull *hull, d3_quickhull_edge edge, const void *context);
/* Gives the region `seed` to triangle `seed`, and to those without a region that can be reached from it through edges for which
 * `joins` is true. False: no memory. */
bool d3_quickhull_spread(struct d3_quickhull *hull, uint32_t seed, d3_quickhull_joins *joins, const void *context);
/* Sets all regions: connected triangles that are exactly coplanar get the same one. False: no memory. */
bool d3_quickhull_mark_planes(struct d3_quickhull *hull);
/* Whether at least three regions meet at the edge's origin. */
bool d3_quickhull_is_corner(const struct d3_quickhull *hull, d3_quickhull_edge edge);
