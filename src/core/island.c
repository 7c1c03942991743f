/* island.c - see island.h. */
#include "core/island.h"
#include "core/link.h"

#include <math.h>

/* --- Lists ---------------------------------------------------------------------------------------------------------------- */

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

static void append_link(struct world *world, uint32_t id, enum link_kind kind, uint32_t link_id)
{
	struct link_list *list = &world->islands.data[id].links[kind];
	struct link *link = link_at(world, kind, link_id);
	link->island = id;
	link->island_previous = list->last;
	link->island_next = NONE;
	if (list->last != NONE)
		link_at(world, kind, list->last)->island_next = link_id;
	else
		list->first = link_id;
	list->last = link_id;
	++list->count;
}

static void detach_link(struct world *world, enum link_kind kind, uint32_t link_id)
{
	struct link *link = link_at(world, kind, link_id);
	struct link_list *list = &world->islands.data[link->island].links[kind];
	if (link->island_previous != NONE)
		link_at(world, kind, link->island_previous)->island_next = link->island_next;
	else
		list->first = link->island_next;
	if (link->island_next != NONE)
		link_at(world, kind, link->island_next)->island_previous = link->island_previous;
	else
		list->last = link->island_previous;
	--list->count;
	link->island = link->island_previous = link->island_next = NONE;
}

static uint32_t island_new(struct world *world, bool awake)
{
	uint32_t id = ids_take(&world->island_ids);
	if (id == world->islands.count)
		++world->islands.count;
	world->islands.data[id] = (struct island){
		.first_body = NONE,
		.last_body = NONE,
		.links = {{NONE, NONE, 0}, {NONE, NONE, 0}},
		.headway = {.least = INFINITY, .most = 1},
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

/* --- Joining -------------------------------------------------------------------------------------------------------------- */

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

/* Merges the progress of separating overlaps. It starts afresh if the island is larger than either has ever been, but not if a
 * split island becomes whole again: bodies of a jam separate and touch again. */
static void headway_join(struct island *into, const struct island *from)
{
	uint32_t most = into->headway.most > from->headway.most ? into->headway.most : from->headway.most;
	if (into->body_count > most)
		into->headway = (struct headway){.least = INFINITY, .most = into->body_count};
	else if (from->headway.most > into->headway.most)
		into->headway = from->headway;
}

/* Moves all of the island `from` to the end of `into`. */
static void island_absorb(struct world *world, uint32_t into_id, uint32_t from_id)
{
	struct island *into = &world->islands.data[into_id], *from = &world->islands.data[from_id];
	for (uint32_t body = from->first_body, next; body != NONE; body = next) {
		next = world->bodies.data[body].island_next;
		append_body(world, into_id, body);
	}
	for (enum link_kind kind = 0; kind < LINK_KINDS; ++kind)
		for (uint32_t link = from->links[kind].first, next; link != NONE; link = next) {
			next = link_at(world, kind, link)->island_next;
			append_link(world, into_id, kind, link);
		}
	into->loosened += from->loosened;
	headway_join(into, from);
	island_free(world, from_id);
}

void island_link(struct world *world, enum link_kind kind, uint32_t id)
{
	const struct link *link = link_at(world, kind, id);
	uint32_t a = world->bodies.data[link->bodies[0]].island, b = world->bodies.data[link->bodies[1]].island;
	if (a == NONE || b == NONE)
		return;
	if (a != b) {
		bool swap = world->islands.data[a].body_count < world->islands.data[b].body_count;
		uint32_t larger = swap ? b : a, smaller = swap ? a : b;
		island_absorb(world, larger, smaller);
		a = larger;
	}
	append_link(world, a, kind, id);
}

void island_unlink(struct world *world, enum link_kind kind, uint32_t id)
{
	++world->islands.data[link_at(world, kind, id)->island].loosened;
	detach_link(world, kind, id);
}

/* --- Splitting ------------------------------------------------------------------------------------------------------------ */

/* Moves the body's links of the kind, and the bodies at their other ends, from island `old` to `part`. */
static void split_along(struct world *world, uint32_t old, uint32_t part, uint32_t body, enum link_kind kind)
{
	for (uint32_t key = world->bodies.data[body].links[kind]; key != NONE; key = link_next(world, kind, key)) {
		if (link_at(world, kind, key / 2)->island != old)
			continue;
		detach_link(world, kind, key / 2);
		append_link(world, part, kind, key / 2);
		uint32_t other = link_other_body(world, kind, key);
		if (world->bodies.data[other].island == old) {
			detach_body(world, other);
			append_body(world, part, other);
		}
	}
}

/* Moves the connected component of `start` from island `old` to a new one. Breadth-first: the growing list of the new island is
 * the queue, so no memory is needed. Bodies still in island `old` have not been reached. */
static void split_part(struct world *world, uint32_t old, uint32_t start)
{
	uint32_t part = island_new(world, world->islands.data[old].awake);
	world->islands.data[part].headway = world->islands.data[old].headway;
	detach_body(world, start);
	append_body(world, part, start);
	for (uint32_t body = start; body != NONE; body = world->bodies.data[body].island_next)
		for (enum link_kind kind = 0; kind < LINK_KINDS; ++kind)
			split_along(world, old, part, body, kind);
}

void island_split(struct world *world, uint32_t island)
{
	while (world->islands.data[island].first_body != NONE)
		split_part(world, island, world->islands.data[island].first_body);
	island_free(world, island);
}
