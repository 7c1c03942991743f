/* motion_wing.h - the functions of motion that are the same in both wings. Each wing's motion.c defines row_path, includes this
 * file, and then defines kinematic_row, step_row_prepare and chord_of. */
#include "core/ccd.h"
#include "core/depenetration.h"
#include "core/proxy.h"
#include "core/sleep.h"

#include <string.h>

static const struct WING(step_row) kinematic_row;
/* Prepares the step record of a dynamic body. A burden increases the body's inertia, but not its weight. */
static void step_row_prepare(
	const struct world *world, uint32_t body, const struct burden *burden, struct WING(step_row) * row);
/* Upper bound on how far the last step's rotation moved a point of the body [length]. */
static float chord_of(const struct WING(body) * row, const struct WING(start) * start);

static struct WING(state) * awake_states(const struct world *world)
{
	return (struct WING(state) *)world->states + 1;
}

/* Damping's factor on the velocity in a sub-step: `damping` is the coefficient times h. Undamped bodies, which most are, need
 * no division. */
static float kept(float damping)
{
	return damping > 0.0f ? 1.0f / (1.0f + damping) : 1.0f;
}

/* Velocity gained in h along an axis; 0 where the inverse mass is 0, as on a locked axis. */
static float fall(float inv_mass, float gravity, float force, float h)
{
	return inv_mass > 0.0f ? h * (gravity + inv_mass * force) : 0.0f;
}

/* Prefetch distances of bodies_finish [bodies]. */
enum { RECORDS_AHEAD = 24, COLLIDERS_AHEAD = 16, PROXIES_AHEAD = 8 };

/* Prefetches what bodies_finish will read of the bodies after the awake body i < end: of those that leave their AABBs, by their
 * velocities, also colliders and proxies. */
static void finish_prefetch(const struct world *world, uint32_t i, uint32_t end)
{
	const uint32_t *awake = world->awake.data;
	const struct WING(state) *states = awake_states(world);
	if (i + RECORDS_AHEAD < end) {
		cache_prefetch_line(&world->bodies.data[awake[i + RECORDS_AHEAD]]);
		WING(body_prefetch)(world, awake[i + RECORDS_AHEAD]);
	}
	if (i + COLLIDERS_AHEAD < end)
		body_boxes_prefetch(
			world, awake[i + COLLIDERS_AHEAD], world->step.dt * WING(length)(states[i + COLLIDERS_AHEAD].v), false);
	if (i + PROXIES_AHEAD < end)
		body_boxes_prefetch(world, awake[i + PROXIES_AHEAD], world->step.dt * WING(length)(states[i + PROXIES_AHEAD].v), true);
}

static void forces_clear(struct world *world, uint32_t id, struct WING(mover) * mover)
{
	static const struct WING(mover) none;
	if (memcmp(&mover->force, &none.force, sizeof none.force) == 0 &&
		memcmp(&mover->torque, &none.torque, sizeof none.torque) == 0)
		return;
	mover->force = none.force;
	mover->torque = none.torque;
	record_touch_shared(world, TOUCHED_BODIES, id);
}

void WING(bodies_prepare)(struct world *world, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		uint32_t id = world->awake.data[i];
		struct WING(mover) *mover = WING(mover)(world, id);
		struct WING(step_row) *row = &WING(step_rows)(world)[i];
		if (world->bodies.data[id].type == BODY_DYNAMIC)
			step_row_prepare(world, id, world->step.burdened ? burden_of(world, id) : world->burdens.data, row);
		else
			*row = kinematic_row;
		memset(&awake_states(world)[i].turn, 0, sizeof awake_states(world)->turn);
		forces_clear(world, id, mover);
	}
}

float WING(bodies_moved)(const struct world *world, uint32_t a, uint32_t b)
{
	const struct WING(body) *row_a = WING(row)(world, a), *row_b = WING(row)(world, b);
	const struct WING(start) start_a = WING(start)(world, a), start_b = WING(start)(world, b);
	struct WING(vec) path = WING(sub)(row_path(row_b, &start_b), row_path(row_a, &start_a));
	return WING(length)(path) + chord_of(row_a, &start_a) + chord_of(row_b, &start_b);
}
