/* minkowski.h - the explicit Minkowski difference and sum of two convex polygons, and the entry and exit of a line through the
 * difference, in closed form. Only cores are combined: the difference of rounded polygons is that of their cores, widened by
 * both radii.
 * Pure, any thread. */
#pragma once
#include "d2/query/gjk.h"

/* A convex polygon, counter-clockwise. Vertex w comes from vertex a of A and vertex b of B. */
struct d2_minkowski {
	uint32_t count; /* 1: a point, 2: a segment, whose edges run there and back */
	double size; /* greatest |coordinate| of the inputs, in A's frame [length] */
	struct d2_minkowski_vertex {
		struct d2_vec_d w;
		uint8_t a, b;
	} v[2 * D2_HULL_MAX];
};

/* B - A: all differences b - a. Its distance from the origin is that between A and B. Both are D2_PROXY_POINTS. */
void d2_minkowski_difference(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_minkowski *out);
/* A + B: all sums of a and b. */
void d2_minkowski_sum(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_minkowski *out);

/* A location on the boundary. */
struct d2_minkowski_location {
	uint32_t first, second; /* vertices; equal: at a vertex */
	double part; /* fraction of the edge from first to second */
};

/* The point s u is in the widened difference for s from enter to leave [length]. */
struct d2_minkowski_crossing {
	double enter, leave;
	struct d2_vec_d normal; /* unit, outward, at the entry */
	struct d2_minkowski_location location; /* of the entry */
};

/* Intersects the line through the origin along the unit vector u with the difference widened by radius. False: they are
 * disjoint, or the difference is a point and radius 0. */
bool d2_minkowski_interval(
	const struct d2_minkowski *difference, double radius, struct d2_vec_d u, struct d2_minkowski_crossing *out);
