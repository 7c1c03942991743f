/* sweep.h - the motion of a body over a step, and a fast conservative test that two moving bodies stay apart.
 * Pure, any thread. */
#pragma once
#include "d3/query/gjk.h"

/* A motion over a step, t from 0 to 1: the centre of mass moves straight, the body rotates, both at constant rates. */
struct d3_sweep {
	struct d3_vec local_center; /* centre of mass in the body's frame */
	struct d3_vec_d from, to; /* centre of mass in the world at t = 0 and t = 1 [length] */
	struct d3_quat q0; /* rotation at t = 0 */
	struct d3_vec turn; /* rotation from t = 0 to t = 1: about this axis, by its length [rad] */
};

/* The rotation from one orientation to the other, by the smaller angle: its axis, as long as its angle [rad]. */
struct d3_vec d3_turn_between(struct d3_quat from, struct d3_quat to);
/* The quaternion of the rotation about `turn` by its length [rad]. */
struct d3_quat d3_make_quat(struct d3_vec turn);

/* The pose of the body's frame at time t. */
struct d3_pose d3_sweep_pose(const struct d3_sweep *sweep, float t);
/* The sweep of a body at rest at `pose`. */
struct d3_sweep d3_sweep_fixed(const struct d3_pose *pose);

/* The signed distance at these poses [length]; *normal: unit, from a to b, in the world. */
double d3_poses_separation(const struct d3_proxy *a, const struct d3_pose *pose_a, const struct d3_proxy *b,
	const struct d3_pose *pose_b, struct d3_vec_d *normal);

/* --- Passing ------------------------------------------------------------------------------------------------------------- */

/* A body's motion as d3_sweeps_separated needs it: centre of mass from..to, rotation q0..q1, at constant rates. */
struct d3_path {
	struct d3_vec_d from, to; /* [length] */
	struct d3_quat q0, q1;
	struct d3_vec local_center; /* centre of mass in the body's frame */
	double bulge; /* the greatest deviation of the body's points from straight lines [length] */
};

/* The point closest to the origin on the segment from p to p + v. */
struct d3_vec_d d3_path_nearest(struct d3_vec_d p, struct d3_vec_d v);

/* True: the shapes of two bodies stay more than `distance` [length] apart during the step. One axis is tested, the direction
 * between the shapes' middles where these are closest. The shapes are convex, and no half-spaces. */
bool d3_sweeps_separated(const struct d3_shape *a, const struct d3_path *of_a, const struct d3_shape *b,
	const struct d3_path *of_b, double distance);
