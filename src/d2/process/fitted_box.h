/* fitted_box.h - the box of least area around points.
 * Pure, any thread. */
#pragma once
#include "d2/math.h"

#include <stdint.h>

struct d2_fitted_box {
	struct d2_vec_d size; /* along the pose's axes [length] */
	struct d2_pose pose; /* of its centre; turned by at most 45 degrees */
};

/* The box of least area that contains one or more points; so far as the pose's rotation, which is rounded to floats, allows.
 * Sorts `points` and drops inner ones. corners: room for count + 1. */
struct d2_fitted_box d2_fit_box(struct d2_vec_d *points, uint32_t count, struct d2_vec_d *corners);
