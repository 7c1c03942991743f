/* manifold.h - where and along which normal two shapes touch.
** Invariant: every number in a manifold is finite and its normal is a unit vector, whatever the configuration. The result
** depends on the arguments only.
** Floor: d2. Pure, any thread. */
#pragma once
#include "d2/shape.h"

struct d2_manifold_point {
	struct d2_vec point; /* in A's frame, midway between the surfaces [length] */
	float separation; /* gap along the normal, negative when they overlap [length] */
	uint32_t id; /* which features meet: the same from step to step, different within a manifold */
};

struct d2_local_manifold {
	struct d2_vec normal; /* from A to B, in A's frame; set when count > 0 */
	int count; /* 0, 1 or 2 */
	struct d2_manifold_point points[2];
};

/* Collides child_a of a with child_b of b, which stands at b_in_a in the frame of a. Points farther than `speculative` >= 0 are
** left out. A pair that cannot collide gives count 0. */
void d2_collide(const struct d2_shape *a, uint32_t child_a, const struct d2_shape *b, uint32_t child_b,
	const struct d2_transform *b_in_a, float speculative, struct d2_local_manifold *out);
