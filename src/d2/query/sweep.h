/* sweep.h - the motion of a body over a step.
 * Pure, any thread. */
#pragma once
#include "d2/query/gjk.h"

/* A motion over a step, t from 0 to 1: the centre of mass moves straight at constant speed, the body rotates at constant
 * rate. */
struct d2_sweep {
	struct d2_vec local_center; /* centre of mass in the body's frame */
	double x0, y0, x1, y1; /* centre of mass in the world at t = 0 and t = 1 [length] */
	struct d2_rot q0; /* rotation at t = 0 */
	float angle; /* rotation by t = 1 [rad] */
};

struct d2_pose d2_sweep_pose(const struct d2_sweep *sweep, float t);
/* The sweep of a body that stays at `pose`. */
struct d2_sweep d2_sweep_fixed(const struct d2_pose *pose);
