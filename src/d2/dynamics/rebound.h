/* rebound.h - the bounce of a swept body off an obstacle, within the step.
 * Any thread, each for a different body. */
#pragma once
#include "core/impact.h"
#include "d2/manifold/manifold.h"
#include "d2/query/sweep.h"
#include "d2/dynamics/wing.h"

/* The obstacle's velocity at a point when its centre of mass is at `center`; 0 if it is not awake. */
struct d2_vec_d d2_obstacle_velocity(
	const struct world *world, uint32_t obstacle, struct d2_vec_d center, struct d2_vec_d point);

/* The manifold of a body at its current pose with a moving obstacle at its pose at `time`: points within `margin`, in the
 * obstacle's frame. proxies[0] is the body's. */
void d2_rebound_touch(const struct world *world, const uint32_t proxies[2], const struct d2_sweep *obstacle, float time,
	float margin, struct d2_local_manifold *out);

/* Whether the body bounces at its current pose, where the sweep hit the obstacle with this normal. False on a surface with a
 * tangent speed, and for a body with a locked axis. */
bool d2_rebound_find(const struct world *world, const uint32_t proxies[2], const struct d2_sweep *obstacle, float time,
	struct d2_vec_d normal, struct rebound *out);

/* Gives the body its velocities after the bounce. Returns its displacement in the rest of the step, in free fall; *turn: its
 * rotation in that time. */
struct d2_vec_d d2_rebound(struct world *world, struct rebound *rebound, float *turn);
