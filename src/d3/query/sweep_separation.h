/* sweep_separation.h - a quick test of whether two bodies pass each other in a step without contact, as most nearby bodies do.
 * Pure, any thread. */
#pragma once
#include "d3/query/gjk.h"

/* The straight path of a body at constant rates: centre of mass from..to, rotation q0..q1. */
struct d3_path {
	struct d3_vec_d from, to; /* [length] */
	struct d3_quat q0, q1;
	struct d3_vec local_center; /* centre of mass in the body's frame */
	double bulge; /* the greatest deviation of the body's points from straight lines [length] */
};

/* The point closest to the origin on the segment from p to p + v. */
struct d3_vec_d d3_path_nearest(struct d3_vec_d p, struct d3_vec_d v);

/* Whether the shapes of two bodies stay more than `distance` apart during the step, tested along the direction between the
 * shapes' middles where these are closest. False: unknown. For convex shapes, no half-spaces. */
bool d3_sweeps_separated(const struct d3_shape *a, const struct d3_path *of_a, const struct d3_shape *b,
	const struct d3_path *of_b, double distance);
