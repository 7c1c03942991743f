/* minkowski.h - the Minkowski difference and sum of two convex cores with corners, made explicitly: the hull of all differences
 * or sums. Cores are meant: the differences of widened shapes are the difference of the cores widened by both radii.
 * Any thread, each with its own memory. */
#pragma once
#include "d3/query/gjk.h"

/* Vertices without repetition, and triangles over them, counter-clockwise from outside; no triangles where all lie in a
 * plane. */
struct d3_minkowski {
	uint32_t vertex_count, triangle_count;
	struct d3_vec_d *vertices;
	uint32_t *triangles; /* 3 indices into vertices for each */
};

/* B - A: all differences b - a (sum: a + b), in A's frame. Both are points. False: no memory. */
bool d3_minkowski_difference(struct memory *memory, const struct d3_proxy *a, const struct d3_proxy *b,
	const struct d3_transform_d *b_in_a, struct d3_minkowski *out);
bool d3_minkowski_sum(struct memory *memory, const struct d3_proxy *a, const struct d3_proxy *b,
	const struct d3_transform_d *b_in_a, struct d3_minkowski *out);
void d3_minkowski_free(struct memory *memory, struct d3_minkowski *minkowski);
