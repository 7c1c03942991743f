/* island.c - see island.h. Floor: core. */
#include "core/island.h"
#include "core/contact.h"
#include "core/awake.h"

/* --- Lists ------------------------------------------------------------------------------------------------------------- */

static void append_body(struct world *world, uint32_t id, uint32_t body_id)
{
	struct island *island = &world->islands.data[id];
	struct body *body = &world->bodies.data[body_id];
	body->island = id;
	body->island_previous = island->last_body;
	body->island_next = NONE;
	if (island->last_body != NONE)
		world->bodies.data[island->last_body].island_next = body_id;
	else
		island->first_body = body_id;
	island->last_body = body_id;
	++island->body_count;
}

static void detach_body(struct world *world, uint32_t body_id)
{
	struct body *body = &world->bodies.data[body_id];
	struct island *island = &world->islands.data[body->island];
	if (body->island_previous != NONE)
		world->bodies.data[body->island_previous].island_next = body->island_next;
	else
		island->first_body = body->island_next;
	if (body->island_next != NONE)
		world->bodies.data[body->island_next].island_previous = body->island_previous;
	else
		island->last_body = body->island_previous;
	--island->body_count;
	body->island = body->island_previous = body->island_next = NONE;
}

static void append_contact(struct world *world, uint32_t id, uint32_t contact_id)
{
	struct island *island = &world->islands.data[id];
	struct contact *contact = &world->contacts.data[contact_id];
	contact->island = id;
	contact->island_previous = island->last_contact;
	contact->island_next = NONE;
	if (island->last_contact != NONE)
		world->contacts.data[island->last_contact].island_next = contact_id;
	else
		island->first_contact = contact_id;
	island->last_contact = contact_id;
	++island->contact_count;
}

static void detach_contact(struct world *world, uint32_t contact_id)
{
	struct contact *contact = &world->contacts.data[contact_id];
	struct island *island = &world->islands.data[contact->island];
	if (contact->island_previous != NONE)
		world->contacts.data[contact->island_previous].island_next = contact->island_next;
	else
		island->first_contact = contact->island_next;
	if (contact->island_next != NONE)
		world->contacts.data[contact->island_next].island_previous = contact->island_previous;
	else
		island->last_contact = contact->island_previous;
	--island->contact_count;
	contact->island = contact->island_previous = contact->island_next = NONE;
}

static uint32_t island_new(struct world *world, bool awake)
{
	uint32_t id = ids_take(&world->island_ids);
	if (id == world->islands.count)
		++world->islands.count;
	world->islands.data[id] = (struct island){
		.first_body = NONE,
		.last_body = NONE,
		.first_contact = NONE,
		.last_contact = NONE,
		.valid = true,
		.awake = awake,
	};
	return id;
}

static void island_free(struct world *world, uint32_t id)
{
	world->islands.data[id].valid = false;
	ids_give(&world->island_ids, id);
}

/* --- Joining ----------------------------------------------------------------------------------------------------------- */

void island_create(struct world *world, uint32_t body)
{
	append_body(world, island_new(world, world->bodies.data[body].set == SET_AWAKE), body);
}

void island_remove_body(struct world *world, uint32_t body)
{
	uint32_t island = world->bodies.data[body].island;
	detach_body(world, body);
	if (world->islands.data[island].body_count == 0)
		island_free(world, island);
}

/* Moves all of the island `from` to the end of `into`. */
static void island_absorb(struct world *world, uint32_t into_id, uint32_t from_id)
{
	struct island *into = &world->islands.data[into_id], *from = &world->islands.data[from_id];
	for (uint32_t body = from->first_body, next; body != NONE; body = next) {
		next = world->bodies.data[body].island_next;
		append_body(world, into_id, body);
	}
	for (uint32_t contact = from->first_contact, next; contact != NONE; contact = next) {
		next = world->contacts.data[contact].island_next;
		append_contact(world, into_id, contact);
	}
	into->loosened += from->loosened;
	island_free(world, from_id);
}

void island_link(struct world *world, uint32_t contact_id)
{
	const struct contact *contact = &world->contacts.data[contact_id];
	uint32_t a = world->bodies.data[contact->bodies[0]].island, b = world->bodies.data[contact->bodies[1]].island;
	if (a == NONE || b == NONE)
		return;
	if (a != b) {
		bool swap = world->islands.data[a].body_count < world->islands.data[b].body_count;
		uint32_t larger = swap ? b : a, smaller = swap ? a : b;
		island_absorb(world, larger, smaller);
		a = larger;
	}
	append_contact(world, a, contact_id);
}

void island_unlink(struct world *world, uint32_t contact)
{
	++world->islands.data[world->contacts.data[contact].island].loosened;
	detach_contact(world, contact);
}

/* --- Splitting --------------------------------------------------------------------------------------------------------- */

/* Moves what hangs together with `start` from the island `old` to a new one. Breadth-first: the growing list of the new island is
** the queue, so no memory is needed; what still carries the old id has not been reached. */
static void split_part(struct world *world, uint32_t old, uint32_t start)
{
	uint32_t part = island_new(world, world->islands.data[old].awake);
	detach_body(world, start);
	append_body(world, part, start);
	for (uint32_t body = start; body != NONE; body = world->bodies.data[body].island_next) {
		for (uint32_t key = world->bodies.data[body].contacts; key != NONE; key = edge_next(world, key)) {
			if (world->contacts.data[key / 2].island != old)
				continue;
			detach_contact(world, key / 2);
			append_contact(world, part, key / 2);
			uint32_t other = edge_other_body(world, key);
			if (world->bodies.data[other].island == old) {
				detach_body(world, other);
				append_body(world, part, other);
			}
		}
	}
}

void island_split(struct world *world, uint32_t island)
{
	while (world->islands.data[island].first_body != NONE)
		split_part(world, island, world->islands.data[island].first_body);
	island_free(world, island);
}

/* --- Sleeping ---------------------------------------------------------------------------------------------------------- */

static void refresh_contacts(struct world *world, uint32_t body)
{
	for (uint32_t key = world->bodies.data[body].contacts; key != NONE; key = edge_next(world, key))
		contact_refresh(world, key / 2);
}

void island_wake(struct world *world, uint32_t id)
{
	struct island *island = &world->islands.data[id];
	if (island->awake)
		return;
	island->awake = true;
	for (uint32_t body = island->first_body; body != NONE; body = world->bodies.data[body].island_next) {
		world->bodies.data[body].rest_time = 0.0f;
		awake_add(world, body);
	}
	for (uint32_t body = island->first_body; body != NONE; body = world->bodies.data[body].island_next)
		refresh_contacts(world, body);
}

void island_sleep(struct world *world, uint32_t id)
{
	struct island *island = &world->islands.data[id];
	island->awake = false;
	for (uint32_t body = island->first_body; body != NONE; body = world->bodies.data[body].island_next) {
		awake_remove(world, body, SET_ASLEEP);
		world->wing->body_stop(world, body);
	}
	for (uint32_t body = island->first_body; body != NONE; body = world->bodies.data[body].island_next)
		refresh_contacts(world, body);
}

void islands_sleep(struct world *world)
{
	uint32_t sleepiest = NONE;
	float longest = REST_TIME;
	for (uint32_t i = 0; i < world->events.moves.count; ++i) {
		const struct body *body = &world->bodies.data[world->events.moves.data[i].body.index];
		if (body->set != SET_AWAKE || body->island == NONE)
			continue;
		if (!bits_has(&world->restless_islands, body->island)) {
			if (world->islands.data[body->island].loosened > 0)
				island_split(world, body->island);
			island_sleep(world, body->island);
		} else if (world->islands.data[body->island].loosened > 0 && body->rest_time >= longest) {
			longest = body->rest_time;
			sleepiest = body->island;
		}
	}
	if (sleepiest != NONE)
		island_split(world, sleepiest);
	for (uint32_t i = 0; i < world->events.moves.count; ++i) {
		struct move_event *move = &world->events.moves.data[i];
		move->fell_asleep = world->bodies.data[move->body.index].set == SET_ASLEEP;
	}
}
