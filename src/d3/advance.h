/* advance.h - when two shapes that move and turn first touch, and the swept test by bisection.
** Floor: d3. Pure, any thread. */
#pragma once
#include "d3/measure.h"

enum d3_advance_state {
	D3_ADVANCE_SEPARATED, /* they do not touch; t = 1 */
	D3_ADVANCE_HIT,
	D3_ADVANCE_OVERLAPPING, /* they touch or overlap at the start; t = 0 */
	D3_ADVANCE_FAILED /* the iterations ran out farther apart than the tolerance; the way up to t is free */
};

struct d3_advance_step {
	double t, distance;
	struct d3_vec_d normal; /* from A to B, in the world */
};

enum { D3_ADVANCE_ITERATIONS = 1000 };

struct d3_advance_result {
	enum d3_advance_state state;
	double t;
	struct d3_vec_d normal; /* from A to B; of the last step. Of a miss, perhaps that of balls around both */
	struct d3_vec_d p; /* midway between the nearest points, in the world; of a miss as the normal */
	int iterations;
};

/* Each shape goes straight from the first pose to the second, t from 0 to 1, and turns about the pose's origin, the short way,
** at constant rate about a fixed axis. A hit leaves a gap of at most 1e-6 of the smaller size, and nothing touches before. `steps`, when not
** NULL, has room for D3_ADVANCE_ITERATIONS, and gets those of the couple of children that is hit (of the last one, when none is), from when
** these may meet; step_count their number. */
void d3_advance(const struct d3_shape *a, const struct d3_pose *from_a, const struct d3_pose *to_a, const struct d3_shape *b,
	const struct d3_pose *from_b, const struct d3_pose *to_b, struct d3_advance_result *out, struct d3_advance_step *steps,
	int *step_count);

struct d3_bisection_result {
	bool hit;
	double t; /* the last that is free; 1 when not hit; 0 when they overlap at the start */
	int iterations;
};

/* A moves by `way`, without turning. Halves the interval by the swept test, not by tests of poses, which could jump over B.
** tolerance > 0 [length]. No half-spaces. */
void d3_bisect(const struct d3_shape *a, const struct d3_pose *pose_a, struct d3_vec_d way, const struct d3_shape *b,
	const struct d3_pose *pose_b, double tolerance, struct d3_bisection_result *out);
