/* minkowski.h - explicit Minkowski difference and sum of two convex cores with corners: the hull of all differences or sums.
 * For rounded shapes, expand the result by the sum of both radii.
 * Any thread, each with its own memory. */
#pragma once
#include "d3/query/gjk.h"

/* Distinct vertices, and triangles over them, counter-clockwise from outside; no triangles if all vertices are coplanar. */
struct d3_minkowski {
	uint32_t vertex_count, triangle_count;
	struct d3_vec_d *vertices;
	uint32_t *triangles; /* 3 indices into vertices for each */
};

/* Computes B - A, all differences b - a of points of the cores, in A's frame; d3_minkowski_sum: all sums a + b. Both proxies
 * must be D3_PROXY_POINTS. False: no memory. */
bool d3_minkowski_difference(struct memory *memory, const struct d3_proxy *a, const struct d3_proxy *b,
	const struct d3_transform_d *b_in_a, struct d3_minkowski *out);
bool d3_minkowski_sum(struct memory *memory, const struct d3_proxy *a, const struct d3_proxy *b,
	const struct d3_transform_d *b_in_a, struct d3_minkowski *out);
void d3_minkowski_free(struct memory *memory, struct d3_minkowski *minkowski);
