/* mass.h - deferred computation of masses. Serial. */
#pragma once
#include "base/scalar.h"
#include "core/core.h"

/* The inverse of a mass or inertia; 0 where a body cannot be moved, or the inverse overflows. */
static inline float mass_inverse(float mass)
{
	float inverted = mass > 0.0f ? 1.0f / mass : 0.0f;
	return is_finite_f(inverted) ? inverted : 0.0f;
}

/* A dynamic body has got a collider: its mass and extents are computed by bodies_weigh, so that many colliders cost one
 * pass. */
void body_weigh_later(struct world *world, uint32_t id);
/* Call before a step, and before anything that depends on masses, centres of mass or velocities is read or set: see bind.h. */
void bodies_weigh(struct world *world);
