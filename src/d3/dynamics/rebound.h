/* rebound.h - a swept body that bounces off an obstacle at once.
 * Any thread, for another body each. */
#pragma once
#include "core/impact.h"
#include "d3/manifold/manifold.h"
#include "d3/query/sweep.h"
#include "d3/dynamics/wing.h"

/* The velocity of an obstacle, whose centre of mass is there, at a point. */
struct d3_vec_d d3_obstacle_velocity(
	const struct world *world, uint32_t obstacle, struct d3_vec_d center, struct d3_vec_d point);

/* Where a body touches an obstacle, which goes its way, at that time of the step: points within `margin`, in the obstacle's
 * frame; of several contacts with a surface that whose normal, in the world, is most like this one. */
void d3_rebound_touch(const struct world *world, const uint32_t proxies[2], const struct d3_sweep *obstacle, float time,
	float margin, struct d3_vec_d normal, struct d3_local_manifold *out);

/* Whether the body bounces where it stands, where the sweep has met the obstacle with that normal. Not where a surface moves by
 * itself or its triangles have materials of their own, nor a body that keeps a coordinate. */
bool d3_rebound_find(const struct world *world, const uint32_t proxies[2], const struct d3_sweep *obstacle, float time,
	struct d3_vec_d normal, struct rebound *out);

/* Gives the body its new velocities. Returns its way in the rest of the step, with its free fall, and how it turns in it. */
struct d3_vec_d d3_rebound(struct world *world, struct rebound *rebound, struct d3_vec *turn);
