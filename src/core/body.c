/* body.c - see body.h. */
#include "core/body.h"
#include "core/collider.h"
#include "core/contact.h"
#include "core/controller.h"
#include "core/field.h"
#include "core/event.h"
#include "core/graph.h"
#include "core/island.h"
#include "core/joint.h"
#include "core/misfit.h"
#include "core/proxy.h"
#include "core/sleep.h"
#include "core/touched.h"
#include "core/travel.h"

#include <string.h>

static bool reserve_movers(struct world *world, uint32_t more)
{
	struct memory *memory = world->memory;
	uint32_t count = ids_count(&world->mover_ids) + more;
	return ids_reserve(memory, &world->mover_ids, count) && array_reserve(memory, &world->burdens, count) &&
		bits_reserve(memory, &world->touched[TOUCHED_MOVERS], count) && bits_reserve(memory, &world->awake_movers, count) &&
		array_grow(memory, (void **)&world->mover_rows, &world->mover_row_capacity, world->wing->mover_size, count);
}

static const struct burden no_burden = {.times = 1.0f, .left = {1.0f, 1.0f, 1.0f}};

static void burden_reset(struct world *world, uint32_t mover)
{
	record_touch(world, TOUCHED_MOVERS, mover);
	world->burdens.data[mover] = no_burden;
	++world->burden_changes;
}

/* Returns a new mover record with its burden; capacity is reserved. */
static uint32_t mover_make(struct world *world)
{
	uint32_t mover = ids_take(&world->mover_ids);
	burden_reset(world, mover);
	memcpy(world->mover_rows + mover * world->wing->mover_size, world->wing->mover_default, world->wing->mover_size);
	return mover;
}

bool body_own_mover(struct world *world, uint32_t id)
{
	if (world->bodies.data[id].mover != 0)
		return true;
	if (!reserve_movers(world, 1))
		return false;
	record_touch(world, TOUCHED_BODIES, id);
	world->bodies.data[id].mover = mover_make(world);
	world->wing->body_stop(world, id);
	return true;
}

/* Makes the records that static bodies share. False: no memory. */
static bool reserve_shared_mover(struct world *world)
{
	if (world->mover_ids.end > 0)
		return true;
	if (!reserve_movers(world, 1))
		return false;
	(void)mover_make(world);
	return true;
}

/* Reserves capacity for `more` bodies, in all arrays and sets indexed by body id. An id that was in use before has it. */
static bool reserve_bodies(struct world *world, uint32_t more)
{
	struct memory *memory = world->memory;
	if (world->body_ids.free.count >= more)
		return true;
	uint32_t end = world->body_ids.end + more - world->body_ids.free.count;
	if (!reserve_shared_mover(world) || !ids_reserve(memory, &world->body_ids, end) ||
		!array_reserve(memory, &world->bodies, end) || !array_reserve(memory, &world->travels, end) ||
		!array_reserve(memory, &world->partition.body_states, end) || !bits_reserve(memory, &world->ahead_bodies, end) ||
		!array_grow(memory, (void **)&world->body_rows, &world->body_row_capacity, world->wing->body_size, end) ||
		!bits_reserve(memory, &world->fast_bodies, end) || !bits_reserve(memory, &world->fast_bullets, end) ||
		!bits_reserve(memory, &world->fast_obstacles, end) || !bits_reserve(memory, &world->overtaken_bodies, end) ||
		!bits_reserve(memory, &world->bouncing_bodies, end) || !bits_reserve(memory, &world->caught_bodies, end) ||
		!bits_reserve(memory, &world->asked_bullets, end) || !bits_reserve(memory, &world->linked_bodies, end) ||
		!bits_reserve(memory, &world->taken_bodies, end) || !bits_reserve(memory, &world->loaded_bodies, end) ||
		!bits_reserve(memory, &world->shifted_bodies, end) || !bits_reserve(memory, &world->stirred_bodies, end) ||
		!bits_reserve(memory, &world->lulled_bodies, end) || !bits_reserve(memory, &world->roused_bodies, end) ||
		!bits_reserve(memory, &world->settled_bodies, end) || !bits_reserve(memory, &world->reached_bodies, end) ||
		!bits_reserve(memory, &world->restless_bodies, end) || !bits_reserve(memory, &world->teleported_bodies, end) ||
		!bits_reserve(memory, &world->woken_bodies, end) || !bits_reserve(memory, &world->slept_bodies, end) ||
		!bits_reserve(memory, &world->events.woke, end) || !bits_reserve(memory, &world->events.slept, end) ||
		!bits_reserve(memory, &world->passing_bodies, end) || !bits_reserve(memory, &world->dropping_bodies, end) ||
		!bits_reserve(memory, &world->unfinished_drops, end) || !bits_reserve(memory, &world->awake_bodies, end) ||
		!bits_reserve(memory, &world->touched[TOUCHED_BODIES], end))
		return false;
	while (world->partition.body_states.count < end)
		array_push(&world->partition.body_states, READ_ONLY);
	return true;
}

static bool reserve_movable(struct world *world, uint32_t more)
{
	struct memory *memory = world->memory;
	uint32_t count = world->movable_count + more;
	/* One spare island: a split creates the new ones before it frees the old one. */
	return reserve_movers(world, more) && array_reserve(memory, &world->awake, count) &&
		array_reserve(memory, &world->events.moves, count) && array_reserve(memory, &world->fast, 2 * count) &&
		array_reserve(memory, &world->reached, count) && states_reserve(world, count + 1) &&
		array_grow(memory, (void **)&world->step_rows, &world->step_row_capacity, world->wing->step_size, count) &&
		ids_reserve(memory, &world->island_ids, count + 1) && array_reserve(memory, &world->islands, count + 1) &&
		bits_reserve(memory, &world->restless_islands, count + 1) &&
		bits_reserve(memory, &world->loosened_islands, count + 1) &&
		bits_reserve(memory, &world->touched[TOUCHED_ISLANDS], count);
}

/* For a body that is no longer static; capacity is reserved. */
static void movable_add(struct world *world, uint32_t id)
{
	++world->movable_count;
	if (world->bodies.data[id].mover == 0)
		world->bodies.data[id].mover = mover_make(world);
}

/* Of a body that is no longer dynamic. */
static void burden_end(struct world *world, uint32_t id)
{
	burden_reset(world, world->bodies.data[id].mover);
	bits_clear(&world->loaded_bodies, id);
}

/* Puts a body that is in no set into the static set or, if it may move, into the awake set. A dynamic one gets an island of its
 * own. */
static void body_enter(struct world *world, uint32_t id)
{
	struct body *body = &world->bodies.data[id];
	record_touch(world, TOUCHED_BODIES, id);
	world->travels.data[id].rest_time = 0.0f;
	if (body->type == BODY_STATIC) {
		body->set = SET_STATIC;
		return;
	}
	awake_set_add(world, id);
	if (body->type == BODY_DYNAMIC)
		island_create(world, id);
}

/* Removes the body from its set and island. It must have no contacts and no active joints. */
static void body_leave(struct world *world, uint32_t id)
{
	struct body *body = &world->bodies.data[id];
	if (body->island.id != NONE)
		island_remove_body(world, id);
	if (body->row != NONE)
		awake_set_remove(world, id, SET_DISABLED);
	record_touch(world, TOUCHED_BODIES, id);
	body->set = SET_DISABLED;
	bits_clear(&world->lulled_bodies, id);
	bits_clear(&world->roused_bodies, id);
	events_forget_sleep(world, id);
}

/* A disabled body has no island, so the list of disabled bodies uses the island list's members. */
static void disabled_add(struct world *world, uint32_t id)
{
	struct body *body = &world->bodies.data[id];
	body->island.previous = NONE;
	body->island.next = world->disabled;
	record_touch(world, TOUCHED_BODIES, id);
	if (world->disabled != NONE) {
		record_touch(world, TOUCHED_BODIES, world->disabled);
		world->bodies.data[world->disabled].island.previous = id;
	}
	world->disabled = id;
}

static void disabled_remove(struct world *world, uint32_t id)
{
	struct body *body = &world->bodies.data[id];
	record_touch(world, TOUCHED_BODIES, id);
	if (body->island.previous != NONE)
		record_touch(world, TOUCHED_BODIES, body->island.previous);
	if (body->island.next != NONE)
		record_touch(world, TOUCHED_BODIES, body->island.next);
	if (body->island.previous != NONE)
		world->bodies.data[body->island.previous].island.next = body->island.next;
	else
		world->disabled = body->island.next;
	if (body->island.next != NONE)
		world->bodies.data[body->island.next].island.previous = body->island.previous;
	body->island.previous = body->island.next = NONE;
}

bool bodies_reserve(struct world *world, enum body_type type, uint32_t more)
{
	return reserve_bodies(world, more) && (type == BODY_STATIC || reserve_movable(world, more));
}

uint32_t body_create(struct world *world, enum body_type type)
{
	assert(!world->locked);
	if (!bodies_reserve(world, type, 1))
		return NONE;
	uint32_t id = ids_take(&world->body_ids);
	world->bodies.count = world->body_ids.end;
	world->travels.data[id] = (struct body_travel){0};
	world->bodies.data[id] = (struct body){
		.generation = ++world->serial,
		.type = type,
		.set = SET_DISABLED,
		.row = NONE,
		.colliders = NONE,
		.links = {NONE, NONE},
		.island = {NONE, NONE, NONE},
		.sleep_threshold = 0.05f * world->settings.length_scale,
		.valid = true,
		.sleeping_allowed = true,
	};
	memset(body_row(world, id), 0, world->wing->body_size);
	if (type != BODY_STATIC)
		movable_add(world, id);
	body_enter(world, id);
	if (type == BODY_DYNAMIC)
		body_doubt(world, id);
	return id;
}

void body_destroy(struct world *world, uint32_t id)
{
	assert(!world->locked);
	struct body *body = &world->bodies.data[id];
	contacts_destroy_of_body(world, id, true);
	joints_destroy_of_body(world, id);
	fields_destroy_of_body(world, id);
	controllers_destroy_of_body(world, id);
	if (body->colliders != NONE)
		body_wake(world, id);
	while (body->colliders != NONE)
		collider_drop(world, body->colliders);
	if (body->set == SET_DISABLED)
		disabled_remove(world, id);
	else
		body_leave(world, id);
	if (body->type == BODY_DYNAMIC)
		burden_end(world, id);
	world->movable_count -= body->type != BODY_STATIC;
	if (body->mover != 0) {
		record_touch(world, TOUCHED_MOVERS, body->mover);
		ids_give(&world->mover_ids, body->mover);
	}
	body->valid = false;
	++world->ended;
	ids_give(&world->body_ids, id);
}

static uint32_t proxies_needed(const struct world *world, uint32_t body)
{
	uint32_t count = 0;
	for (uint32_t c = world->bodies.data[body].colliders; c != NONE; c = world->colliders.data[c].next)
		count += collider_proxies_needed(world, c);
	return count;
}

/* Destroys the body's contacts and removes it from its island, its set and the broad phase; its joints remain but are
 * inactive. */
static void body_detach(struct world *world, uint32_t id)
{
	contacts_destroy_of_body(world, id, true);
	joints_detach(world, id);
	for (uint32_t c = world->bodies.data[id].colliders; c != NONE; c = world->colliders.data[c].next)
		collider_remove_proxies(world, c);
	body_leave(world, id);
}

/* Undoes body_detach: adds the body to a set and the broad phase, and activates its joints; the next step finds its contacts.
 * Cannot fail: capacity was reserved. */
static void body_attach(struct world *world, uint32_t id)
{
	body_enter(world, id);
	for (uint32_t c = world->bodies.data[id].colliders; c != NONE; c = world->colliders.data[c].next)
		collider_add_proxies(world, c);
	joints_attach(world, id);
}

bool body_set_type(struct world *world, uint32_t id, enum body_type type)
{
	assert(!world->locked);
	struct body *body = &world->bodies.data[id];
	if (body->type == type)
		return true;
	bool enabled = body->set != SET_DISABLED, movable = type != BODY_STATIC, was_movable = body->type != BODY_STATIC;
	if ((movable && !was_movable && !reserve_movable(world, 1)) ||
		(enabled && !proxies_reserve(world, proxies_needed(world, id))))
		return false;
	if (enabled) {
		body_wake(world, id);
		body_detach(world, id);
	}
	record_touch(world, TOUCHED_BODIES, id);
	if (body->type == BODY_DYNAMIC)
		burden_end(world, id);
	body->type = type;
	if (movable && !was_movable)
		movable_add(world, id);
	if (was_movable && !movable)
		--world->movable_count; /* it keeps its mover record, with properties such as its damping */
	if (movable != was_movable)
		world->wing->body_stop(world, id);
	world->wing->body_mass(world, id);
	if (enabled)
		body_attach(world, id);
	gears_follow(world, id);
	return true;
}

bool body_set_enabled(struct world *world, uint32_t id, bool enabled)
{
	assert(!world->locked);
	struct body *body = &world->bodies.data[id];
	if (enabled == (body->set != SET_DISABLED))
		return true;
	if (enabled) {
		if (!proxies_reserve(world, proxies_needed(world, id)))
			return false;
		disabled_remove(world, id);
		body_attach(world, id);
		body_doubt_measures(world, id);
		fields_wake_of_body(world, id);
	} else {
		fields_wake_of_body(world, id);
		body_detach(world, id);
		disabled_add(world, id);
	}
	return true;
}

bool body_velocity_changes(struct world *world, uint32_t id, bool moves)
{
	if (moves)
		body_wake(world, id);
	if (moves && world->bodies.data[id].type == BODY_KINEMATIC)
		body_wake_touching(world, id);
	return world->bodies.data[id].set != SET_ASLEEP;
}

bool body_pushed(struct world *world, uint32_t id)
{
	const struct body *body = &world->bodies.data[id];
	if (body->type != BODY_DYNAMIC || body->set == SET_DISABLED)
		return false;
	body_wake(world, id);
	return true;
}

void body_teleported(struct world *world, uint32_t id)
{
	assert(!world->locked);
	bool awake = world->bodies.data[id].set == SET_AWAKE && world->bodies.data[id].type == BODY_DYNAMIC;
	record_touch(world, TOUCHED_BODIES, id);
	travel_leap(world, id);
	body_wake(world, id);
	if (awake) { /* so are those that it touches: contacts_commit finds the ones that it leaves, with fewer cache misses */
		bits_set(&world->teleported_bodies, id);
		body_wake_joined(world, id);
	} else {
		body_wake_touching(world, id);
		sensors_collide_once(world, id);
	}
	for (uint32_t c = world->bodies.data[id].colliders; c != NONE; c = world->colliders.data[c].next)
		collider_update_proxies(world, c);
}

void body_nudged(struct world *world, uint32_t id)
{
	for (uint32_t c = world->bodies.data[id].colliders; c != NONE; c = world->colliders.data[c].next)
		for (uint32_t p = world->colliders.data[c].proxies; p != NONE; p = world->proxies.data[p].next) {
			struct box box;
			world->wing->proxy_box(world, p, &box);
			if (!proxy_unbounded(&world->proxies.data[p]) && !box_contains(&world->proxies.data[p].box, &box)) {
				collider_update_proxies(world, c);
				break;
			}
		}
}

void body_reset_mass(struct world *world, uint32_t id)
{
	record_touch(world, TOUCHED_BODIES, id);
	world->bodies.data[id].mass_overridden = false;
	world->wing->body_mass(world, id);
	body_wake(world, id);
}
