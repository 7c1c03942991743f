/* time_of_impact.h - the time of impact of two shapes that move and rotate, and the swept test by bisection.
 * Pure, any thread. */
#pragma once
#include "spatial/axes.h"
#include "d3/query/sweep.h"

struct d3_impact_step {
	double t, distance;
	struct d3_vec_d normal; /* from A to B, in the world */
};

enum { D3_IMPACT_ITERATIONS = 1000 };

struct d3_impact_result {
	enum axes_impact state;
	double t;
	struct d3_vec_d normal; /* from A to B, at the last step; of a miss, perhaps that of bounding balls */
	struct d3_vec_d p; /* midway between the closest points, in the world; of a miss, perhaps that of bounding balls */
	int iterations;
};

/* A rotation by `angle` about the axis, a unit vector, at a constant rate. */
struct d3_turning {
	struct d3_vec_d axis, w; /* w = angle * axis [rad/step] */
	double angle; /* 0..pi [rad] */
};

/* The relative motion of two bodies, in A's frame at the start, which moves with A's centre but does not rotate. */
struct d3_motion {
	struct d3_rot_d frame; /* of A at the start, in the world */
	struct d3_vec_d center_a, center_b; /* the rotation centres, in their bodies' frames */
	struct d3_vec_d p, v; /* from A's rotation centre to B's at the start, and its change over the step */
	struct d3_vec_d own; /* displacement of A's rotation centre */
	double far; /* the greatest length of p + v t */
	struct d3_turning a, b;
	struct d3_quat_d start; /* B's rotation in A's frame at the start */
	struct d3_transform_d first; /* B's transform in A's frame at the start */
};

/* The motion of two bodies over a step, each about its centre of mass. */
void d3_make_motion(const struct d3_sweep *sweep_a, const struct d3_sweep *sweep_b, struct d3_motion *out);

/* Finds a time up to max_t <= 1 at which the distance of two convex sets of these bodies has shrunk to at most target +
 * tolerance; target >= 0, tolerance > 0 [length]. Until then it is never less than the target. Exceptions: sets that start at
 * most the target apart are OVERLAPPING. Sets that start less than two tolerances beyond the target are hit only once their
 * distance is one tolerance less than at the start; with target 0, once it is half of that at the start. So they may slide
 * along each other or separate. `normal` and `p` are in A's frame at the start, `p` relative to A's rotation centre there. */
void d3_time_of_impact(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_motion *motion, double target,
	double tolerance, double max_t, struct d3_impact_result *out);

/* Finds the time of impact of two shapes. Each moves straight from the first pose to the second, t from 0 to 1, and rotates
 * about the pose's origin, by the smaller angle, at constant rate about a fixed axis. At a hit the separation is at most 1e-6
 * of the smaller size, without contact before. `steps`, when not NULL, has room for D3_IMPACT_ITERATIONS. It receives the steps
 * of the pair of children that is hit (else of the last pair), from the time at which that pair may come into contact.
 * *step_count: number of steps. */
void d3_shapes_time_of_impact(const struct d3_shape *a, const struct d3_pose *from_a, const struct d3_pose *to_a,
	const struct d3_shape *b, const struct d3_pose *from_b, const struct d3_pose *to_b, struct d3_impact_result *out,
	struct d3_impact_step *steps, int *step_count);

/* Finds by bisection the time at which A, moving by delta in the world without rotation, hits B. Each test sweeps A from the
 * start to a time t: a test at one pose could tunnel through B. tolerance > 0 [length]. Takes no half-spaces. */
void d3_bisect(const struct d3_shape *a, const struct d3_pose *pose_a, struct d3_vec_d delta, const struct d3_shape *b,
	const struct d3_pose *pose_b, double tolerance, struct axes_bisection *out);
