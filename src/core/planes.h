/* planes.h - the displacement nearest to a wanted one that stays in front of planes.
 * Pure, any thread. */
#pragma once
#include "base/vec3.h"

#include <stdbool.h>
#include <stdint.h>

enum { MOST_PLANES = 64 };

/* The displacements x with normal . x >= offset; the normal is a unit vector. */
struct half_space {
	struct vec3 normal;
	double offset; /* [length] */
};

/* Finds the point nearest to the target that is in all of up to MOST_PLANES half-spaces, to within `tolerance` > 0 [length].
 * False: there is none, and *out is not set. In 2D all third numbers are 0. */
bool planes_nearest(
	const struct half_space *halves, uint32_t count, int dimensions, struct vec3 target, double tolerance, struct vec3 *out);
