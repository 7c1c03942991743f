/* fitted_box.h - a box of small volume around points.
 * Pure, any thread. */
#pragma once
#include "d3/math.h"

#include <stdbool.h>
#include <stdint.h>

struct memory;

struct d3_fitted_box {
	struct d3_vec_d size; /* along the pose's axes [length] */
	struct d3_pose pose; /* of its centre; of the rotations that describe the box, the smallest */
};

/* A box of small volume that contains one or more points. It is exact for boxes and tetrahedra, up to the rounding of the
 * pose's rotation to floats, and seldom a few percent above the least volume. Among flat boxes, it has the least area. Takes
 * O(n log n). False: no memory. */
bool d3_fit_box(struct memory *memory, const struct d3_vec_d *points, uint32_t count, struct d3_fitted_box *out);
