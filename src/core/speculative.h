/* speculative.h - contacts ahead: contacts of a fast body on joints with the obstacle that it will hit in the step, made before
 * it is within the speculative margin. Any thread, but not while bodies are written. */
#pragma once
#include "base/scalar.h"
#include "core/link.h"

/* A sweep that stops bodies on joints one by one would open their joints. So if such a body moves farther in a step than AHEAD
 * [m, times length_scale], its contacts of that step are made when the step begins, and the solver stops all bodies together.
 * Its AABBs cover the path, too. */
#define AHEAD SPECULATIVE

/* Whether the body is dynamic, awake and on a joint. */
static inline bool body_hangs(const struct world *world, uint32_t id)
{
	const struct body *body = &world->bodies.data[id];
	return body_jointed(world, id) && body->type == BODY_DYNAMIC && body->set == SET_AWAKE;
}

/* Whether the body will move farther than AHEAD in this step at its present velocity. */
static inline bool body_strides(const struct world *world, uint32_t id)
{
	float v[3], least = AHEAD * world->settings.length_scale;
	body_linear_velocity(world, id, v);
	return dot(v, v) * (world->step.dt * world->step.dt) > least * least;
}

/* Whether the joints of a body that strides let it move nearly straight. */
bool body_goes_straight(const struct world *world, uint32_t body);

static inline bool body_looks_ahead(const struct world *world, uint32_t id)
{
	return body_hangs(world, id) && body_strides(world, id) && body_goes_straight(world, id);
}

/* Whether one of two bodies looked ahead when the narrow phase began. */
static inline bool bodies_ahead(const struct world *world, const uint32_t bodies[2])
{
	return bits_has(&world->ahead_bodies, bodies[0]) || bits_has(&world->ahead_bodies, bodies[1]);
}

/* Displacement of the contact's second body relative to the first in this step, at their present velocities, in the world
 * [length]. */
void contact_path_ahead(const struct world *world, const struct contact *contact, float delta[3]);
/* Whether the contact's bodies move by more than AHEAD relative to each other in this step, and their bounce is not left to a
 * sweep. */
bool contact_goes_ahead(const struct world *world, const struct contact *contact);

/* Whether one of the contact's bodies looks ahead, and contact_goes_ahead. */
static inline bool contact_looks_ahead(const struct world *world, const struct contact *contact)
{
	return bodies_ahead(world, contact->link.bodies) && contact_goes_ahead(world, contact);
}

/* Two shapes are tested for a contact ahead at evenly spaced positions along their relative displacement, of length `delta`.
 * Returns the number of positions: so many that they are at most half of `inner` apart, but no more than eight. `inner`: the
 * sum of both shapes' inner radii. Then at the first overlap the side that was hit is still the nearest one. */
static inline int positions_ahead(float delta, float inner)
{
	int count = 1;
	while (count < 8 && delta > 0.5f * inner * (float)count)
		++count;
	return count;
}

/* Sets `delta` to the displacement in this step of a body that looks ahead [length]. False, and `delta` untouched, for one that
 * does not. */
bool body_path_ahead(const struct world *world, uint32_t body, float delta[3]);
