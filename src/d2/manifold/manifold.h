/* manifold.h - where and along which normal two shapes touch.
 * Invariant: every number in a manifold is finite and its normal is a unit vector, whatever the configuration. The result
 * depends on the arguments only.
 * Pure, any thread. */
#pragma once
#include "d2/shape/shape.h"

struct d2_manifold_point {
	struct d2_vec point; /* in A's frame, midway between the surfaces [length] */
	float separation; /* gap along the normal, negative when they overlap [length] */
	uint32_t id; /* which features meet: the same from step to step, different within a manifold */
};

struct d2_local_manifold {
	struct d2_vec normal; /* from A to B, in A's frame; set when count > 0 */
	int count; /* 0, 1 or 2 */
	bool face; /* the normal is that of a face of one of the shapes */
	bool border; /* it touches where a face ends: another shape may continue that, see d2_collide_seam */
	struct d2_manifold_point points[2];
};

/* Of the deepest point; INFINITY where there is none. */
static inline float d2_manifold_separation(const struct d2_local_manifold *manifold)
{
	float least = INFINITY;
	for (int i = 0; i < manifold->count; ++i)
		least = min_f(least, manifold->points[i].separation);
	return least;
}

/* Collides child_a of a with child_b of b, which stands at b_in_a in the frame of a. Points farther than `speculative` >= 0 are
 * left out. A pair that cannot collide gives count 0. */
void d2_collide(const struct d2_shape *a, uint32_t child_a, const struct d2_shape *b, uint32_t child_b,
	const struct d2_transform *b_in_a, float speculative, struct d2_local_manifold *out);

/* A contact found in B's frame, from B to A, becomes one from A to B in A's. */
void d2_manifold_turn(struct d2_local_manifold *manifold, const struct d2_transform *b_in_a);

/* Solid where normal . p <= offset, normal a unit vector. */
struct d2_plane {
	struct d2_vec normal;
	float offset;
	float depth; /* what is deeper in does not touch it there [length] */
};

/* Shape x may touch the plane, which is a face of something else, in the frame of y. Where y has a face that continues the
 * plane, at most one `step` higher where x is lowest, *out is the contact with that face only, from y to x in y's frame; it has
 * no points where x is not over it, but the normal; ids are those of d2_collide with x or y first. False: y does not continue
 * the plane. */
bool d2_collide_seam(const struct d2_shape *y, uint32_t child, const struct d2_shape *x, const struct d2_transform *x_in_y,
	const struct d2_plane *plane, float step, bool x_is_first, float speculative, struct d2_local_manifold *out);

/* Whether x is nowhere deeper than `depth` below one and the same face of y, at `count` places in y's frame. */
bool d2_stays_above(const struct d2_shape *y, uint32_t child, const struct d2_shape *x, const struct d2_transform *places,
	uint32_t count, float depth);
