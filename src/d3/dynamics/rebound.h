/* rebound.h - bounces of a swept body off an obstacle within the step.
 * Any thread, one per body. */
#pragma once
#include "core/impact.h"
#include "d3/manifold/manifold.h"
#include "d3/query/sweep.h"
#include "d3/dynamics/wing.h"

/* Velocity of an obstacle at a point; `center`: the obstacle's centre of mass. */
struct d3_vec_d d3_obstacle_velocity(
	const struct world *world, uint32_t obstacle, struct d3_vec_d center, struct d3_vec_d point);

/* The contact of a body at its current pose with an obstacle at `time` of its sweep: points within `margin`, in the obstacle's
 * frame. If the obstacle is a mesh or height field, the contact whose normal is closest to `normal` (in the world). */
void d3_rebound_touch(const struct world *world, const uint32_t proxies[2], const struct d3_sweep *obstacle, float time,
	float margin, struct d3_vec_d normal, struct d3_local_manifold *out);

/* Whether the body, at its current pose, bounces off the obstacle that its sweep hit along `normal`. It does not if a surface
 * has a tangent speed, if triangles have materials of their own, or if the body is locked along an axis. */
bool d3_rebound_find(const struct world *world, const uint32_t proxies[2], const struct d3_sweep *obstacle, float time,
	struct d3_vec_d normal, struct rebound *out);

/* Sets the body's velocities after the bounce. Returns its displacement in the rest of the step, with free fall; *turn: its
 * rotation. */
struct d3_vec_d d3_rebound(struct world *world, struct rebound *rebound, struct d3_vec *turn);
