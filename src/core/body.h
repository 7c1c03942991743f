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

/* Wakes the whole island of a sleeping body, and sets the rest time of an awake one to 0. Nothing on static or disabled
 * ones. */
void body_wake(struct world *world, uint32_t body);
/* Puts the whole island to sleep at once. */
void body_sleep(struct world *world, uint32_t body);
/* Wakes whatever touches the body. */
void body_wake_touching(struct world *world, uint32_t body);

/* The pose has been set from outside: new boxes, new pairs, and what it touched wakes up. */
void body_teleported(struct world *world, uint32_t body);

/* The pose has changed by a rounding error, as when the centre of mass moves within the body: boxes that its shapes have left
 * become new ones. */
void body_nudged(struct world *world, uint32_t body);

/* For the wing's finish, any thread, each body by one. It is about to move: boxes that hold the way of the step before fit
 * again. */
void body_end_way(struct world *world, uint32_t body);
/* The body moved with this speed [length/s]: counts its rest. A kinematic one rests where it does not move at all. */
void body_rested(struct world *world, uint32_t body, float speed);
/* Its pose is new, no point of it has moved by more than `way` >= 0: boxes that its shapes have left become new ones, and are
 * marked. */
void body_update_boxes(struct world *world, uint32_t body, float way);
/* At the beginning of a step: boxes of bodies that look ahead hold the way that goes with a velocity from outside. */
void bodies_look_ahead(struct world *world);
/* It went far: its boxes cover the whole way, so that what is swept finds it wherever it was. */
void body_cover_way(struct world *world, uint32_t body);
/* It has been swept, and stands where it stands: its boxes fit again. */
void body_fit_boxes(struct world *world, uint32_t body);

/* Bodies on joints are not stopped one by one by a sweep, which would open their joints. Their contacts of a step are made
 * before it, if they go farther in it than AHEAD [m, times length_scale]: the solver stops all of them together. Their boxes
 * hold the way, too. */
#define AHEAD (4.0f * LINEAR_SLOP)

/* Whether the body is dynamic, awake and on a joint. */
static inline bool body_hangs(const struct world *world, uint32_t id)
{
	const struct body *body = &world->bodies.data[id];
	return body->edges[EDGE_JOINT] != NONE && body->type == BODY_DYNAMIC && body->set == SET_AWAKE;
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
static inline int body_places_ahead(float way, float inner)
{
	int count = 1;
	while (count < 8 && way > 0.5f * inner * (float)count)
		++count;
	return count;
}

/* The way of a body that looks ahead, in this step [length]. False, and `way` untouched, of one that does not. */
bool body_way_ahead(const struct world *world, uint32_t body, float way[3]);

/* How a kinematic body is sent somewhere in a step: the way there, or 0 where that is but rounding of where it is, or was read
 * [length]. */
static inline double body_way_to(double from, double to)
{
	double way = to - from;
	return abs_d(way) > 0x1p-51 * (abs_d(from) + abs_d(to)) ? way : 0.0;
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

/* A dynamic body has got a collider: its mass and extents are made when bodies are weighed, so that many colliders cost one
 * look at all of them. */
void body_weigh_later(struct world *world, uint32_t id);
/* Before a step, and before anything that depends on masses, centres of mass or velocities is read or set: see handle.c. */
void bodies_weigh(struct world *world);
