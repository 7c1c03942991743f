/* minkowski.h - the Minkowski difference and sum of two convex outlines, made explicitly, and what can be read off it in closed
 * form: where a straight way enters and leaves.
 * Cores are meant: the differences of widened outlines are the difference of the cores widened by both radii.
 * Pure, any thread. */
#pragma once
#include "d2/query/gjk.h"

/* Counter-clockwise. Each vertex comes from vertex a of A and vertex b of B. */
struct d2_minkowski {
	uint32_t count; /* 1: a point, 2: a line, there and back */
	double size; /* of the coordinates that went in [length] */
	struct d2_minkowski_vertex {
		struct d2_vec_d w;
		uint8_t a, b;
	} v[2 * D2_HULL_MAX];
};

/* B - A: all differences b - a. Its origin is as far from it as A and B are from each other. Both are points. */
void d2_minkowski_difference(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_minkowski *out);
/* A + B: all sums of a and b. */
void d2_minkowski_sum(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_minkowski *out);

/* Which part of the boundary something lies on. */
struct d2_minkowski_place {
	uint32_t first, second; /* vertices; the same twice: a vertex */
	double part; /* of the way between them */
};

/* From where to where on the line s u from the origin, u a unit vector, the difference widened by radius is met. False:
 * nowhere. normal and place: where it is entered. */
bool d2_minkowski_interval(const struct d2_minkowski *difference, double radius, struct d2_vec_d u, double interval[2],
	struct d2_vec_d *normal, struct d2_minkowski_place *place);
