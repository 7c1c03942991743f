/* slide.h - how fast the surfaces of touching colliders slide and roll on each other, for sounds and dust. Serial, after a
 * step: velocities are the present ones, points and impulses those of the last step. */
#pragma once
#include "core/core.h"

/* Two colliders that slide or roll on each other: means over their contact points, weighted by normal impulse. */
struct slide {
	uint32_t colliders[2];
	struct vec3 point, normal; /* normal: from the first to the second [length] */
	double slip; /* speed of one surface along the other, relative to surfaces that move by their material [length/s] */
	/* the lesser of the speeds of the contact point along both surfaces: 0 if one of them only slides on the other [length/s]
	 */
	double roll;
	double force; /* of friction, in the last sub-step [mass length/s^2] */
};

/* Finds the next pair of colliders that slide or roll faster than 1 cm/s (times length_scale), by contact id from `from` on.
 * Returns its contact id; NONE: no more. */
uint32_t slide_next(const struct world *world, uint32_t from, struct slide *slide);
