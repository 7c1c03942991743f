/* body.h - the life of bodies, without their geometry.
 * Serial. Functions that return bool (or an id) return false (NONE) when memory ran out, and nothing has changed. */
#pragma once
#include "base/scalar.h"
#include "core/core.h"

/* A body without colliders, awake unless static. Its wing row is zero; the wing's own creation fills it. Returns its id. */
uint32_t body_create(struct world *world, enum body_type type);
void body_destroy(struct world *world, uint32_t body); /* with its colliders and contacts */

bool body_set_type(struct world *world, uint32_t body, enum body_type type);
bool body_set_enabled(struct world *world, uint32_t body, bool enabled);

/* The pose has been set from outside: new boxes, new pairs, and what it touched wakes up. */
void body_teleported(struct world *world, uint32_t body);

/* The pose has changed by a rounding error, as when the centre of mass moves within the body: boxes that its shapes have left
 * become new ones. */
void body_nudged(struct world *world, uint32_t body);

/* How a kinematic body is sent somewhere in a step: the way there, or 0 where that is but rounding of where it is, or was read
 * [length]. */
static inline double body_displacement_to(double from, double to)
{
	double delta = to - from;
	return abs_d(delta) > 0x1p-51 * (abs_d(from) + abs_d(to)) ? delta : 0.0;
}

/* Smaller turns are rounding of a pose's floats, and of angles that are read from it [rad]. */
#define BODY_LEAST_TURN 0x1p-22f

/* How long a step is expected to be: as the last one was [s]. */
static inline double body_step_time(const struct world *world)
{
	return world->last_dt > 0.0f ? (double)world->last_dt : 1.0 / 60.0;
}

/* The state row of a body that is awake. */
static inline void *body_state(const struct world *world, uint32_t body)
{
	return world->states + (world->bodies.data[body].row + 1) * world->wing->state_size;
}
