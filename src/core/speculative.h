/* speculative.h - contacts made before a fast body on joints reaches what it will hit in the step. Any thread, but for writes
 * of the bodies. */
#pragma once
#include "base/scalar.h"
#include "core/core.h"

/* Bodies on joints are not stopped one by one by a sweep, which would open their joints. Their contacts of a step are made
 * before it, if they go farther in it than AHEAD [m, times length_scale]: the solver stops all of them together. Their boxes
 * hold the way, too. */
#define AHEAD (4.0f * LINEAR_SLOP)

/* Whether the body is dynamic, awake and on a joint. */
static inline bool body_hangs(const struct world *world, uint32_t id)
{
	const struct body *body = &world->bodies.data[id];
	return body->links[LINK_JOINT] != NONE && body->type == BODY_DYNAMIC && body->set == SET_AWAKE;
}

/* Whether a body that hangs goes farther than AHEAD in this step, and straight on. */
bool body_goes_ahead(const struct world *world, uint32_t body);

static inline bool body_looks_ahead(const struct world *world, uint32_t id)
{
	return body_hangs(world, id) && body_goes_ahead(world, id);
}

/* Whether one of two bodies looks ahead; of the bodies as the step found them, in collide. */
static inline bool bodies_ahead(const struct world *world, const uint32_t bodies[2])
{
	return bits_has(&world->ahead_bodies, bodies[0]) || bits_has(&world->ahead_bodies, bodies[1]);
}

/* Whether it hangs on something that moves. */
bool body_pulls(const struct world *world, uint32_t body);

/* The number of places, evenly along their way, where two shapes are tried for contacts ahead, eight at most. Where they first
 * overlap, the side that was met is still the nearest: from one place to the next they go by half of `inner`, the sum of both
 * shapes'. */
static inline int body_places_ahead(float delta, float inner)
{
	int count = 1;
	while (count < 8 && delta > 0.5f * inner * (float)count)
		++count;
	return count;
}

/* The way of a body that looks ahead, in this step [length]. False, and `way` untouched, of one that does not. */
bool body_path_ahead(const struct world *world, uint32_t body, float delta[3]);
