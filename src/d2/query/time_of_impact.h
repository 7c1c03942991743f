/* time_of_impact.h - when two shapes that move and turn first touch, and the swept test by bisection.
 * Pure, any thread. */
#pragma once
#include "d2/query/sweep.h"

enum d2_impact_state {
	D2_IMPACT_SEPARATED, /* they do not come as near as the target; t is the greatest asked for */
	D2_IMPACT_HIT, /* at t the gap is within the tolerance of the target, and was above it before */
	D2_IMPACT_OVERLAPPING, /* they are as near, touch or overlap at the start; t = 0 */
	/* the iterations ran out farther apart than the tolerance, for which no example is known; the way up to t is free */
	D2_IMPACT_FAILED
};

struct d2_impact_step {
	double t, distance;
	struct d2_vec_d normal; /* from A to B, in the world */
};

enum { D2_IMPACT_ITERATIONS = 1000 };

struct d2_impact_result {
	enum d2_impact_state state;
	double t;
	struct d2_vec_d normal; /* from A to B; of the last step. Of a miss, perhaps that of circles around both */
	double x, y; /* midway between the nearest points, in the world; of a miss as the normal */
	int iterations;
};

/* How a body moves over a step, about its rotation centre. */
struct d2_motion {
	struct d2_vec_d center; /* in the body's frame */
	struct d2_vec_d p, v; /* from where A's rotation centre starts to where this one does; and how it moves */
	struct d2_rot_d q, end; /* at both ends */
	double angle; /* turned by t = 1 [rad] */
};

/* The motion of two bodies over a step, each about its centre of mass. */
struct d2_motions {
	struct d2_motion a, b;
};
void d2_make_motions(const struct d2_sweep *sweep_a, const struct d2_sweep *sweep_b, struct d2_motions *out);

/* When two convex sets of these bodies first come as near as target + tolerance, within max_t <= 1: target >= 0 and tolerance >
 * 0 [length]. Nothing is nearer than the target before. A pair that starts within two tolerances of it may slide along or
 * leave: it is hit when it has come nearer by one, or, where the target is 0, by half of the gap. (x, y) is relative to where
 * A's rotation centre starts. */
void d2_time_of_impact(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_motions *motions, double target,
	double tolerance, double max_t, struct d2_impact_result *out);

/* Each shape goes straight from the first pose to the second, t from 0 to 1, and turns about the pose's origin, the short way,
 * at constant rate. A hit leaves a gap of at most 1e-6 of the smaller size, or of what t can tell apart, and nothing touches
 * before. Two half-planes that face each other across a gap and turn differently meet at t = 0, endlessly far out. `steps`,
 * when not NULL, has room for D2_IMPACT_ITERATIONS, and gets those of the couple of children that is hit (of the last one, when
 * none is); step_count their number. */
void d2_shapes_time_of_impact(const struct d2_shape *a, const struct d2_pose *from_a, const struct d2_pose *to_a,
	const struct d2_shape *b, const struct d2_pose *from_b, const struct d2_pose *to_b, struct d2_impact_result *out,
	struct d2_impact_step *steps, int *step_count);

struct d2_bisection_result {
	bool hit;
	double t; /* the last that is free; 1 when not hit; 0 when they overlap at the start */
	int iterations;
};

/* A moves by `way`, without turning. Halves the interval by the swept test, not by tests of poses, which could jump over B.
 * tolerance > 0 [length]. No half-planes. */
void d2_bisect(const struct d2_shape *a, const struct d2_pose *pose_a, struct d2_vec_d delta, const struct d2_shape *b,
	const struct d2_pose *pose_b, double tolerance, struct d2_bisection_result *out);
