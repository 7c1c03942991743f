/* time_of_impact.h - the time of impact of two shapes that move and rotate; and that of a shape that only translates, by
 * bisection with swept overlap tests.
 * Pure, any thread. */
#pragma once
#include "spatial/axes.h"
#include "d2/query/sweep.h"

/* The separation found by one iteration. */
struct d2_impact_step {
	double t, distance;
	struct d2_vec_d normal; /* from A to B, in the world */
};

enum { D2_IMPACT_ITERATIONS = 1000 };

struct d2_impact_result {
	enum axes_impact state;
	double t;
	struct d2_vec_d normal; /* unit, from A to B, in the world, at the last step; for a miss perhaps that of bounding circles */
	double x, y; /* midway between the closest points, in the world; for a miss perhaps between the circles */
	int iterations;
};

/* The motion of a body over a step, about its rotation centre. */
struct d2_motion {
	struct d2_vec_d center; /* in the body's frame */
	/* rotation centre at the start, from A's rotation centre at the start; its displacement over the step */
	struct d2_vec_d p, v;
	struct d2_rot_d q, end; /* rotation at start and end */
	double angle; /* rotation by t = 1 [rad] */
};

/* The motion of two bodies over a step, each about its centre of mass. */
struct d2_motions {
	struct d2_motion a, b;
};
void d2_make_motions(const struct d2_sweep *sweep_a, const struct d2_sweep *sweep_b, struct d2_motions *out);

/* Finds when the distance of two convex sets on these bodies first comes down to the target. At a hit, at t <= max_t <= 1, the
 * distance is at most target + tolerance. Before, it is at least the target. target >= 0, tolerance > 0 [length]. Sets at most
 * the target apart at the start are OVERLAPPING. Sets less than two tolerances beyond the target at the start may slide or
 * separate: they are hit only once their distance has shrunk by one tolerance or, with target 0, by half. (x, y) is relative to
 * A's rotation centre at the start. */
void d2_time_of_impact(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_motions *motions, double target,
	double tolerance, double max_t, struct d2_impact_result *out);

/* Finds when two shapes first touch. Each moves straight from the first pose to the second, t from 0 to 1, and rotates about
 * the pose's origin, by the smaller angle, at constant rate. At a hit the distance is at most 1e-6 of the smaller child's half
 * extent, or the least that t can resolve. The shapes do not touch before. Two half-planes that face each other at a distance
 * and rotate differently touch at t = 0, infinitely far out. `steps`, when not NULL, has room for D2_IMPACT_ITERATIONS. It
 * receives the steps of the pair of children that is hit (of the last one, when none is); step_count their number. */
void d2_shapes_time_of_impact(const struct d2_shape *a, const struct d2_pose *from_a, const struct d2_pose *to_a,
	const struct d2_shape *b, const struct d2_pose *from_b, const struct d2_pose *to_b, struct d2_impact_result *out,
	struct d2_impact_step *steps, int *step_count);

/* Finds by bisection when A, moving by `delta` without rotation, first touches B at rest. Each iteration tests A swept from its
 * start up to a time: tests of single poses could jump over B. tolerance > 0 [length], see axes_bisect. No half-planes. */
void d2_bisect(const struct d2_shape *a, const struct d2_pose *pose_a, struct d2_vec_d delta, const struct d2_shape *b,
	const struct d2_pose *pose_b, double tolerance, struct axes_bisection *out);
