/* body.h - creating, changing and destroying bodies, without their geometry.
 * Serial. Functions that return bool (or an id) return false (NONE) when out of memory, with nothing changed. */
#pragma once
#include "base/scalar.h"
#include "core/core.h"

/* Creates a body without colliders, awake unless static. Its wing record is zero; the wing's own creation fills it. */
uint32_t body_create(struct world *world, enum body_type type);
void body_destroy(struct world *world, uint32_t body); /* with its colliders, contacts and joints */

bool body_set_type(struct world *world, uint32_t body, enum body_type type);
bool body_set_enabled(struct world *world, uint32_t body, bool enabled);

/* The user has set the pose: refits AABBs, has pairs searched, and wakes touching bodies. */
void body_teleported(struct world *world, uint32_t body);

/* The pose has changed by a rounding error, as when the centre of mass moves within the body: refits fat AABBs that no longer
 * contain their shapes. */
void body_nudged(struct world *world, uint32_t body);

/* Displacement of a kinematic body to a target along an axis [length]; 0 if it is within the rounding error of a position as
 * stored or read. */
static inline double body_displacement_to(double from, double to)
{
	double delta = to - from;
	return abs_d(delta) > 0x1p-51 * (abs_d(from) + abs_d(to)) ? delta : 0.0;
}

/* Smaller rotations to a target pose count as 0: rounding errors of a pose's floats, or of angles read from it [rad]. */
#define BODY_LEAST_TURN 0x1p-22f

/* Expected dt of the next step: that of the last one, or 1/60 s [s]. */
static inline double body_step_time(const struct world *world)
{
	return world->last_dt > 0.0f ? (double)world->last_dt : 1.0 / 60.0;
}

/* The solver state of an awake body. */
static inline void *body_state(const struct world *world, uint32_t body)
{
	return world->states + (world->bodies.data[body].row + 1) * world->wing->state_size;
}
