/* quickhull.h - the convex hull of points as a closed surface of triangles, with no tolerance in its topology: every question
 * of side is answered exactly (predicates.h), so that the surface is that of a convex polyhedron whatever the input, and
 * nothing can loop.
 * Source: Barber, Dobkin, Huhdanpaa, "The Quickhull Algorithm for Convex Hulls", 1996.
 * Pure, any thread. */
#pragma once
#include "base/memory.h"
#include "d3/math.h"

#include <stdbool.h>
#include <stdint.h>

#define D3_QUICKHULL_NONE UINT32_MAX

/* An edge of a triangle: 4 times the triangle's number + 0, 1 or 2, from that of its corners to the next. */
typedef uint32_t d3_quickhull_edge;

struct d3_quickhull_face {
	uint32_t corner[3]; /* counter-clockwise from outside */
	d3_quickhull_edge twin[3]; /* the same edge of the triangle beyond */
	struct d3_vec_d normal; /* outward, not a unit vector: twice the triangle's area */
	double unsure; /* below this size, the sign of normal . (p - corner) may be wrong */
	double scale; /* 1/|normal|; 0 where that is lost */
	uint32_t first; /* of the points outside that wait at this triangle, or NONE */
	uint32_t farthest; /* of them; while the surface is cut open: where in the outline of the hole to begin */
	double distance; /* of the farthest, times |normal| */
	uint32_t mark; /* of a visit: see `visit` */
	uint32_t before, after; /* in the queue of those that have points to take in; its own number twice: in none */
	uint32_t region; /* NONE while the face lives: to be given by who asks; in a free one the next free one */
	bool live;
};

struct d3_quickhull {
	struct memory *memory;
	uint32_t count; /* of points */
	struct d3_vec_d *points; /* scaled, see below */
	uint32_t *next; /* of each point: the next one that waits at the same triangle */
	double factor; /* from coordinates given to those kept: a power of two, so that they are at most 1 */
	struct d3_vec_d size; /* of the points' box, as kept */
	double tolerance; /* points outside by no more are left outside; as kept */
	/* What the hull is: a solid, or the points (indices) that span it: first and last of a line, three of a plane. */
	int dimension; /* 3, 2, 1, or 0: all points are the same */
	uint32_t span[4];
	struct d3_quickhull_face *faces;
	uint32_t face_count, face_capacity, free_face, live_count; /* face_count: with the free ones */
	uint32_t queue_first, queue_last;
	uint32_t visit;
	struct d3_quickhull_step *steps;
	d3_quickhull_edge *horizon;
	uint32_t *visible;
	uint32_t step_capacity, horizon_capacity, visible_capacity, horizon_count, visible_count;
};

/* Points to take: from one of the two lists; `index`, where not NULL, says which of them, else all. */
struct d3_quickhull_input {
	const struct d3_vec *narrow;
	const struct d3_vec_d *wide;
	const uint32_t *index;
	uint32_t count; /* >= 1 */
};

/* Builds the surface, if the points are not in a plane. tolerance [length]: 0, or how far points may be left outside of every
 * face. False: no memory. To be freed in either case. */
bool d3_quickhull_build(
	struct d3_quickhull *hull, struct memory *memory, const struct d3_quickhull_input *input, double tolerance);
void d3_quickhull_free(struct d3_quickhull *hull);

/* Where every live triangle has got a region: one half of a region's outline after another. */
static inline const struct d3_quickhull_face *d3_quickhull_owner(const struct d3_quickhull *hull, d3_quickhull_edge edge)
{
	return &hull->faces[edge >> 2];
}

static inline d3_quickhull_edge d3_quickhull_twin(const struct d3_quickhull *hull, d3_quickhull_edge edge)
{
	return hull->faces[edge >> 2].twin[edge & 3];
}

static inline uint32_t d3_quickhull_origin(const struct d3_quickhull *hull, d3_quickhull_edge edge)
{
	return hull->faces[edge >> 2].corner[edge & 3];
}

/* The next one around the triangle. */
static inline d3_quickhull_edge d3_quickhull_next(d3_quickhull_edge edge)
{
	return (edge & 3) == 2 ? edge - 2 : edge + 1;
}

static inline bool d3_quickhull_outline(const struct d3_quickhull *hull, d3_quickhull_edge edge)
{
	return d3_quickhull_owner(hull, edge)->region != d3_quickhull_owner(hull, d3_quickhull_twin(hull, edge))->region;
}

/* The next one along the outline of the edge's region. */
static inline d3_quickhull_edge d3_quickhull_follow(const struct d3_quickhull *hull, d3_quickhull_edge edge)
{
	edge = d3_quickhull_next(edge);
	while (!d3_quickhull_outline(hull, edge))
		edge = d3_quickhull_next(d3_quickhull_twin(hull, edge));
	return edge;
}

/* Gives all triangles of one plane, exactly, one region. False: no memory. */
bool d3_quickhull_mark_planes(struct d3_quickhull *hull);
/* Whether at least three regions meet at the edge's origin. */
bool d3_quickhull_is_corner(const struct d3_quickhull *hull, d3_quickhull_edge edge);
