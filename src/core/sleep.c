/* sleep.c - see sleep.h. */
#include "core/sleep.h"
#include "base/cache.h"
#include "core/depenetration.h"
#include "core/event.h"
#include "core/graph.h"
#include "core/island.h"
#include "core/link.h"
#include "core/proxy.h"
#include "core/touched.h"

#include <string.h>

bool states_reserve(struct world *world, uint32_t count)
{
	size_t size = world->wing->state_size;
	return count <= UINT32_MAX / size &&
		array_grow(world->memory, (void **)&world->states, &world->state_capacity, size, count);
}

void awake_set_add(struct world *world, uint32_t id)
{
	struct body *body = &world->bodies.data[id];
	assert(body->row == NONE);
	record_touch(world, TOUCHED_BODIES, id);
	body->set = SET_AWAKE;
	body->row = world->awake.count;
	array_push(&world->awake, id);
	bits_set(&world->awake_bodies, id);
	bits_set(&world->awake_movers, body->mover);
	world->partition.valid = false;
	world->wing->state_load(world, id);
	/* if it wakes within a step, nothing has accelerated it in this step */
	memset(world->step_rows + body->row * world->wing->step_size, 0, world->wing->step_size);
}

void awake_set_remove(struct world *world, uint32_t id, enum body_set to)
{
	struct body *body = &world->bodies.data[id];
	size_t size = world->wing->state_size;
	uint32_t row = body->row, last = world->awake.count - 1;
	record_touch(world, TOUCHED_BODIES, id);
	record_touch(world, TOUCHED_BODIES, world->awake.data[last]);
	world->wing->state_store(world, id);
	if (row != last) {
		world->awake.data[row] = world->awake.data[last];
		world->bodies.data[world->awake.data[row]].row = row;
		memcpy(world->states + (row + 1) * size, world->states + (last + 1) * size, size);
	}
	world->awake.count = last;
	bits_clear(&world->awake_bodies, id);
	bits_clear(&world->awake_movers, body->mover);
	world->partition.valid = false;
	body->row = NONE;
	body->set = to;
}

void awake_sets_find(struct world *world)
{
	bits_clear_all(&world->awake_bodies);
	bits_clear_all(&world->awake_movers);
	for (uint32_t row = 0; row < world->awake.count; ++row) {
		uint32_t id = world->awake.data[row];
		bits_set(&world->awake_bodies, id);
		bits_set(&world->awake_movers, world->bodies.data[id].mover);
	}
}

/* After the body has gone to sleep or woken: updates its links. Its proxies change trees later. */
static void body_moved_set(struct world *world, uint32_t body)
{
	bool awake = world->bodies.data[body].set == SET_AWAKE;
	bits_set(awake ? &world->roused_bodies : &world->lulled_bodies, body);
	bits_clear(awake ? &world->lulled_bodies : &world->roused_bodies, body);
	event_slept(world, body, !awake);
	body_refresh_links(world, body);
}

/* Prefetches the first contact of the awake body `row`, if there is one. */
static void contact_prefetch(const struct world *world, uint32_t row)
{
	if (row >= world->awake.count)
		return;
	uint32_t key = world->bodies.data[world->awake.data[row]].links[LINK_CONTACT];
	if (key != NONE)
		cache_prefetch(&world->contacts.data[key / 2], sizeof(struct contact));
}

static void island_wake(struct world *world, uint32_t id)
{
	struct island *island = &world->islands.data[id];
	uint32_t first = world->awake.count;
	record_touch(world, TOUCHED_ISLANDS, id);
	island->awake = true;
	for (uint32_t body = island->bodies.first; body != NONE; body = world->bodies.data[body].island.next) {
		world->travels.data[body].rest_time = 0.0f;
		awake_set_add(world, body);
	}
	for (uint32_t row = first; row < world->awake.count; ++row) {
		contact_prefetch(world, row + BODIES_AHEAD);
		body_moved_set(world, world->awake.data[row]);
	}
}

static void island_sleep(struct world *world, uint32_t id)
{
	struct island *island = &world->islands.data[id];
	record_touch(world, TOUCHED_ISLANDS, id);
	island->awake = false;
	for (uint32_t body = island->bodies.first; body != NONE; body = world->bodies.data[body].island.next) {
		awake_set_remove(world, body, SET_ASLEEP);
		world->wing->body_stop(world, body);
	}
	for (uint32_t body = island->bodies.first; body != NONE; body = world->bodies.data[body].island.next)
		body_moved_set(world, body);
}

void islands_sleep(struct world *world)
{
	uint32_t awake = world->awake.count;
	for (uint32_t i = world->events.moves_begin; world->settings.sleeping_allowed && i < world->events.moves.count; ++i) {
		uint32_t id = world->events.moves.data[i].body.index;
		const struct body *body = &world->bodies.data[id];
		if (body->type == BODY_KINEMATIC && world->travels.data[id].rest_time >= REST_TIME) { /* it is in no island */
			awake_set_remove(world, id, SET_ASLEEP);
			body_moved_set(world, id);
		}
		if (body->set != SET_AWAKE || body->island.id == NONE)
			continue;
		if (!bits_has(&world->restless_islands, body->island.id)) {
			if (world->islands.data[body->island.id].loosened > 0)
				island_split(world, body->island.id);
			if (!depenetration_wants(world, body->island.id))
				island_sleep(world, body->island.id);
		}
	}
	islands_part(world);
	for (uint32_t i = world->events.moves_begin; world->awake.count < awake && i < world->events.moves.count; ++i) {
		struct move_event *move = &world->events.moves.data[i];
		move->fell_asleep = world->bodies.data[move->body.index].set == SET_ASLEEP;
	}
}

void body_wake(struct world *world, uint32_t id)
{
	struct body *body = &world->bodies.data[id];
	record_touch(world, TOUCHED_BODIES, id);
	world->travels.data[id].rest_time = 0.0f;
	bits_set(&world->stirred_bodies, id);
	if (body->set != SET_ASLEEP)
		return;
	if (body->type == BODY_KINEMATIC) {
		awake_set_add(world, id);
		body_moved_set(world, id);
	} else {
		island_wake(world, body->island.id);
	}
}

void body_sleep(struct world *world, uint32_t id)
{
	struct body *body = &world->bodies.data[id];
	if (body->set != SET_AWAKE || body->type != BODY_DYNAMIC)
		return;
	if (world->islands.data[body->island.id].loosened > 0)
		island_split(world, body->island.id);
	uint32_t first = world->islands.data[body->island.id].bodies.first;
	for (uint32_t other = first; other != NONE; other = world->bodies.data[other].island.next)
		if (bits_has(&world->teleported_bodies, other)) /* it may have left sensors */
			sensors_collide_once(world, other);
	island_sleep(world, body->island.id);
}

void body_wake_joined(struct world *world, uint32_t id)
{
	for (uint32_t key = joints_first(world, id); key != NONE; key = joints_next(world, key))
		body_wake(world, link_other_body(world, LINK_JOINT, key));
}

void body_wake_touching(struct world *world, uint32_t id)
{
	for (uint32_t key = world->bodies.data[id].links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key))
		if ((world->contacts.data[key / 2].link.flags & (CONTACT_TOUCHING | CONTACT_SENSOR)) == CONTACT_TOUCHING)
			body_wake(world, link_other_body(world, LINK_CONTACT, key));
	body_wake_joined(world, id);
}

/* A body in a fluid has to be slower to count as at rest: drag may slow down the turn to its stable attitude as much. */
#define AFLOAT_REST 0.1f

static bool body_afloat(const struct world *world, uint32_t id)
{
	return world->fields.active && world->fields.reaches.data[world->bodies.data[id].row].afloat;
}

void body_rested(struct world *world, uint32_t id, float speed)
{
	const struct body *body = &world->bodies.data[id];
	float *rest_time = &world->travels.data[id].rest_time, before = *rest_time;
	float threshold = body_afloat(world, id) ? AFLOAT_REST * body->sleep_threshold : body->sleep_threshold;
	bool still = body->type == BODY_KINEMATIC ? !world->wing->body_moves(world, id) : speed <= threshold;
	bool rests = world->settings.sleeping_allowed && body->sleeping_allowed && still;
	*rest_time = rests ? before + world->step.dt : 0.0f;
	if (body->island.id == NONE)
		return;
	if (*rest_time < REST_TIME)
		bits_set_shared(&world->restless_islands, body->island.id);
	else if (before < REST_TIME)
		bits_set_shared(&world->settled_bodies, id);
}
