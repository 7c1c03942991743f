/* sweep_separation.h - a quick look at whether two bodies pass each other in a step: most that come near do.
 * Pure, any thread. */
#pragma once
#include "d2/query/gjk.h"

/* How a body goes, straight and at constant rates: where its centre of mass is at both ends, and how it stands there. */
struct d2_path {
	struct d2_vec_d from, to; /* [length] */
	struct d2_rot q0, q1;
	struct d2_vec local_center; /* in the body's frame */
	double bulge; /* how far its points are from straight ways at most [length] */
};

/* Of the way from p to p + v the point that is nearest to the origin. */
struct d2_vec_d d2_path_nearest(struct d2_vec_d p, struct d2_vec_d v);

/* Whether shapes of two bodies are more than `gap` apart all the time, along the direction between their middles where these
 * are nearest. False: not known. Convex ones, no half-planes. */
bool d2_sweeps_separated(
	const struct d2_shape *a, const struct d2_path *of_a, const struct d2_shape *b, const struct d2_path *of_b, double gap);
