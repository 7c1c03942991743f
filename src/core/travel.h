/* travel.h - how far bodies have moved, and how far a pair may still move before its shapes must be collided again.
 * A body's travel is the sum, over the steps, of the distance moved by its farthest moving point. A contact is skipped until
 * the sum of its bodies' travels has grown by its allowance: testing that reads only its limit and the two travels. Travels are
 * integers, so rounding errors do not accumulate, and may wrap. travel_add and travel_leap: each body by one thread;
 * travel_allow and travel_forbid: each contact by one thread. */
#pragma once
#include "core/core.h"
#include "core/touched.h"

#define TRAVEL_UNITS 0x1p24f /* units per unit of length: 60 nm each if that is 1 m */
#define TRAVEL_MOST 4096.0f /* largest allowance; a body that moves as far in a step ends those of its pairs [length] */

/* Ends the allowances of all pairs of the body. */
static inline void travel_leap(struct world *world, uint32_t body)
{
	world->travels.data[body].sum += (uint64_t)(2.0f * TRAVEL_MOST * TRAVEL_UNITS);
}

/* Adds delta to the body's travel: an upper bound on the distance moved by any of its points [length]. */
static inline void travel_add(struct world *world, uint32_t body, float delta)
{
	if (delta < TRAVEL_MOST)
		world->travels.data[body].sum += (uint64_t)(int64_t)(delta * TRAVEL_UNITS) + 1;
	else
		travel_leap(world, body);
}

static inline uint64_t travel_sum(const struct world *world, const struct travel_limit *limit)
{
	return world->travels.data[limit->bodies[0]].sum + world->travels.data[limit->bodies[1]].sum;
}

static inline void travel_limit_set(struct world *world, uint32_t contact, uint64_t left)
{
	struct travel_limit *limit = &world->travel_limits.data[contact];
	limit->most = travel_sum(world, limit) + left;
	record_touch_shared(world, TOUCHED_LIMITS, contact);
}

/* Sets the contact's allowance: its result holds until points of its bodies have moved by delta relative to each other
 * [length]. */
static inline void travel_allow(struct world *world, uint32_t contact, float delta)
{
	travel_limit_set(world, contact, (uint64_t)(int64_t)((delta < TRAVEL_MOST ? delta : TRAVEL_MOST) * TRAVEL_UNITS));
}

static inline void travel_forbid(struct world *world, uint32_t contact)
{
	travel_limit_set(world, contact, 0);
}

static inline bool travel_left(const struct world *world, uint32_t contact)
{
	const struct travel_limit *limit = &world->travel_limits.data[contact];
	return (int64_t)(limit->most - travel_sum(world, limit)) > 0;
}
