/* rebound.h - a swept body that bounces off an obstacle at once.
 * Any thread, for another body each. */
#pragma once
#include "core/impact.h"
#include "d2/manifold/manifold.h"
#include "d2/query/sweep.h"
#include "d2/dynamics/wing.h"

/* The velocity of an obstacle, whose centre of mass is there, at a point. */
struct d2_vec_d d2_obstacle_velocity(
	const struct world *world, uint32_t obstacle, struct d2_vec_d center, struct d2_vec_d point);

/* Where a body touches an obstacle, which goes its way, at that time of the step: points within `margin`, in the obstacle's
 * frame. */
void d2_rebound_touch(const struct world *world, const uint32_t proxies[2], const struct d2_sweep *obstacle, float time,
	float margin, struct d2_local_manifold *out);

/* Whether the body bounces where it stands, where the sweep has met the obstacle with that normal. Not where a surface moves by
 * itself, nor a body that keeps a coordinate. */
bool d2_rebound_find(const struct world *world, const uint32_t proxies[2], const struct d2_sweep *obstacle, float time,
	struct d2_vec_d normal, struct rebound *out);

/* Gives the body its new velocities. Returns its way in the rest of the step, with its free fall, and how it turns in it. */
struct d2_vec_d d2_rebound(struct world *world, struct rebound *rebound, float *turn);
