/* time_of_impact_parts.h - internals shared by time_of_impact.c and time_of_impact_shapes.c.
 * Pure, any thread. */
#pragma once
#include "d2/query/time_of_impact.h"
#include "d2/shape/chain.h"
#include "d2/query/penetration.h"
#include "d2/query/gjk.h"
#include "d2/query/distance.h"

/* A core relative to its rotation centre or, if the body does not rotate, to its middle, which makes reach less. */
struct turning {
	const struct d2_proxy *proxy;
	struct d2_vec_d center; /* in the proxy's frame */
	double reach; /* upper bound of the distance of the core's points from the centre; 0 for a half-plane */
	uint32_t count; /* of arms; 0: an ellipse */
	struct d2_vec_d arms[D2_HULL_MAX]; /* from the centre to the core's points; half-plane: to a point of its line */
};

struct course {
	struct turning a, b;
	struct d2_motion motion_a, motion_b;
	double target, tolerance; /* distance to keep, and its tolerance [length] */
	struct d2_impact_step *steps; /* NULL: no trace */
	int step_count;
};

/* Sets *motion to that between two poses; positions are relative to `origin`, where A starts. */
void d2_impact_set_motion(
	struct d2_motion *motion, const struct d2_pose *origin, const struct d2_pose *from, const struct d2_pose *to);

struct d2_rot_d d2_impact_motion_rot(const struct d2_motion *motion, double t);

/* Sets the members other than turning->proxy, which is given. */
void d2_impact_set_turning(struct turning *turning, const struct d2_motion *motion);

/* Computes the time of impact up to max_t. May lower course->target; see d2_time_of_impact. */
void d2_impact_advance(struct course *course, double max_t, struct d2_impact_result *out);
