/* sweep.h - the motion of a body over a step, and a quick test whether shapes of two bodies stay apart during it.
 * Pure, any thread. */
#pragma once
#include "d2/query/gjk.h"

/* A motion over a step, t from 0 to 1: the centre of mass moves straight, the body rotates, both at constant rates. */
struct d2_sweep {
	struct d2_vec local_center; /* centre of mass in the body's frame */
	double x0, y0, x1, y1; /* centre of mass in the world at t = 0 and t = 1 [length] */
	struct d2_rot q0; /* rotation at t = 0 */
	float angle; /* rotation by t = 1 [rad] */
};

struct d2_pose d2_sweep_pose(const struct d2_sweep *sweep, float t);
/* The sweep of a body that stays at `pose`. */
struct d2_sweep d2_sweep_fixed(const struct d2_pose *pose);

/* --- Quick test of separation -------------------------------------------------------------------------------------------- */

/* A sweep in the form that d2_sweeps_separated takes. */
struct d2_path {
	struct d2_vec_d from, to; /* centre of mass in the world at t = 0 and t = 1 [length] */
	struct d2_rot q0, q1; /* rotation at t = 0 and t = 1 */
	struct d2_vec local_center; /* centre of mass in the body's frame */
	double bulge; /* upper bound of the distance of the body's points from the chords of their paths [length] */
};

/* The point closest to the origin on the segment from p to p + v. */
struct d2_vec_d d2_path_nearest(struct d2_vec_d p, struct d2_vec_d v);

/* A quick test. True: the shapes stay more than `distance` apart over the step. False: unknown. The axis is the direction
 * between their centroids where these pass closest. Convex shapes, no half-planes. */
bool d2_sweeps_separated(const struct d2_shape *a, const struct d2_path *of_a, const struct d2_shape *b,
	const struct d2_path *of_b, double distance);
