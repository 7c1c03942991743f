/* island.c - see island.h. */
#include "core/island.h"
#include "core/link.h"
#include "core/touched.h"

#include <math.h>

/* --- Lists ---------------------------------------------------------------------------------------------------------------- */

/* Indices of an island's lists: one for each kind of link, then that of its bodies. */
enum { BODIES = LINK_KINDS, LISTS };

/* An island is split once links / LOOSE of its links have ended. */
enum { LOOSE = 4 };

static struct island_list *list_at(struct world *world, uint32_t island, int list)
{
	struct island *at = &world->islands.data[island];
	return list == BODIES ? &at->bodies : &at->links[list];
}

static struct island_member *member_at(struct world *world, int list, uint32_t id)
{
	return list == BODIES ? &world->bodies.data[id].island : &link_at(world, (enum link_kind)list, id)->island;
}

static void member_touch(struct world *world, int list, uint32_t id)
{
	if (list == BODIES)
		record_touch(world, TOUCHED_BODIES, id);
	else
		link_touch(world, (enum link_kind)list, id);
}

static void member_append(struct world *world, uint32_t island, int list, uint32_t id)
{
	struct island_list *to = list_at(world, island, list);
	record_touch(world, TOUCHED_ISLANDS, island);
	member_touch(world, list, id);
	if (to->last != NONE)
		member_touch(world, list, to->last);
	*member_at(world, list, id) = (struct island_member){island, to->last, NONE};
	if (to->last != NONE)
		member_at(world, list, to->last)->next = id;
	else
		to->first = id;
	to->last = id;
	++to->count;
}

static void member_detach(struct world *world, int list, uint32_t id)
{
	struct island_member *member = member_at(world, list, id);
	struct island_list *from = list_at(world, member->id, list);
	record_touch(world, TOUCHED_ISLANDS, member->id);
	member_touch(world, list, id);
	if (member->previous != NONE)
		member_touch(world, list, member->previous);
	if (member->next != NONE)
		member_touch(world, list, member->next);
	if (member->previous != NONE)
		member_at(world, list, member->previous)->next = member->next;
	else
		from->first = member->next;
	if (member->next != NONE)
		member_at(world, list, member->next)->previous = member->previous;
	else
		from->last = member->previous;
	--from->count;
	*member = (struct island_member){NONE, NONE, NONE};
}

static uint32_t island_new(struct world *world, bool awake)
{
	uint32_t id = ids_take(&world->island_ids);
	world->islands.count = world->island_ids.end;
	record_touch(world, TOUCHED_ISLANDS, id);
	world->islands.data[id] = (struct island){
		.bodies.first = NONE,
		.bodies.last = NONE,
		.links = {{NONE, NONE, 0}, {NONE, NONE, 0}},
		.headway = {.least = INFINITY, .most = 1},
		.valid = true,
		.awake = awake,
	};
	return id;
}

static void island_free(struct world *world, uint32_t id)
{
	bits_clear(&world->loosened_islands, id);
	record_touch(world, TOUCHED_ISLANDS, id);
	world->islands.data[id].valid = false;
	ids_give(&world->island_ids, id);
}

/* --- Joining -------------------------------------------------------------------------------------------------------------- */

void island_create(struct world *world, uint32_t body)
{
	member_append(world, island_new(world, world->bodies.data[body].set == SET_AWAKE), BODIES, body);
}

void island_remove_body(struct world *world, uint32_t body)
{
	uint32_t island = world->bodies.data[body].island.id;
	member_detach(world, BODIES, body);
	if (world->islands.data[island].bodies.count == 0)
		island_free(world, island);
}

/* Merges the two islands' progress in separating overlaps; the bodies are merged already. Resets it if the island is larger
 * than both have ever been, but not if a split island becomes whole again: bodies of a jam separate and touch again. */
static void headway_join(struct island *into, const struct island *from)
{
	uint32_t most = into->headway.most > from->headway.most ? into->headway.most : from->headway.most;
	if (into->bodies.count > most)
		into->headway = (struct headway){.least = INFINITY, .most = into->bodies.count};
	else if (from->headway.most > into->headway.most)
		into->headway = from->headway;
}

/* Appends the bodies and links of the island `from` to the lists of `into`, and frees `from`. */
static void island_absorb(struct world *world, uint32_t into_id, uint32_t from_id)
{
	struct island *into = &world->islands.data[into_id], *from = &world->islands.data[from_id];
	for (int list = 0; list < LISTS; ++list)
		for (uint32_t id = list_at(world, from_id, list)->first, next; id != NONE; id = next) {
			next = member_at(world, list, id)->next;
			member_append(world, into_id, list, id);
		}
	into->loosened += from->loosened;
	if (into->loosened > 0)
		bits_set(&world->loosened_islands, into_id);
	headway_join(into, from);
	island_free(world, from_id);
}

void island_link(struct world *world, enum link_kind kind, uint32_t id)
{
	const struct link *link = link_at(world, kind, id);
	uint32_t a = world->bodies.data[link->bodies[0]].island.id, b = world->bodies.data[link->bodies[1]].island.id;
	if (a == NONE || b == NONE)
		return;
	if (a != b) {
		bool swap = world->islands.data[a].bodies.count < world->islands.data[b].bodies.count;
		uint32_t larger = swap ? b : a, smaller = swap ? a : b;
		island_absorb(world, larger, smaller);
		a = larger;
	}
	member_append(world, a, kind, id);
}

void island_unlink(struct world *world, enum link_kind kind, uint32_t id)
{
	const struct link *link = link_at(world, kind, id);
	record_touch(world, TOUCHED_ISLANDS, link->island.id);
	++world->islands.data[link->island.id].loosened;
	bits_set(&world->loosened_islands, link->island.id);
	for (int side = 0; side < 2; ++side)
		bits_set(&world->settled_bodies, link->bodies[side]);
	member_detach(world, kind, id);
}

/* --- Splitting ------------------------------------------------------------------------------------------------------------ */

/* Moves a body or link to island `part`. whole: its old island is being dissolved, and that island's lists need not stay
 * true. */
static void member_move(struct world *world, uint32_t part, int list, uint32_t id, bool whole)
{
	if (!whole)
		member_detach(world, list, id);
	member_append(world, part, list, id);
}

/* Moves the body's links of the kind, and the bodies at their other ends, from island `old` to `part`. */
static void split_along(struct world *world, uint32_t old, uint32_t part, uint32_t body, enum link_kind kind, bool whole)
{
	for (uint32_t key = world->bodies.data[body].links[kind]; key != NONE; key = link_next(world, kind, key)) {
		if (link_at(world, kind, key / 2)->island.id != old)
			continue;
		member_move(world, part, kind, key / 2, whole);
		uint32_t other = link_other_body(world, kind, key);
		if (world->bodies.data[other].island.id == old) {
			member_move(world, part, BODIES, other, whole);
			uint32_t first = world->bodies.data[other].links[kind];
			if (first != NONE)
				cache_prefetch(link_at(world, kind, first / 2), sizeof(struct link));
		}
	}
}

/* Moves the connected component of `start` from island `old` to a new one. Breadth-first: the growing list of the new island is
 * the queue, so no memory is needed. Bodies still in island `old` have not been reached. */
static void split_part(struct world *world, uint32_t old, uint32_t start, bool whole)
{
	uint32_t part = island_new(world, world->islands.data[old].awake);
	world->partition.valid = false; /* it packs islands; else a loaded world would have other blocks, and other last bits */
	world->islands.data[part].headway = world->islands.data[old].headway;
	member_move(world, part, BODIES, start, whole);
	for (uint32_t body = start; body != NONE; body = world->bodies.data[body].island.next)
		for (enum link_kind kind = 0; kind < LINK_KINDS; ++kind)
			split_along(world, old, part, body, kind, whole);
}

void island_split(struct world *world, uint32_t island)
{
	assert(world->reached.count == 0);
	for (uint32_t id = world->islands.data[island].bodies.first; id != NONE; id = world->bodies.data[id].island.next)
		array_push(&world->reached, id);
	for (uint32_t i = 0; i < world->reached.count; ++i)
		if (world->bodies.data[world->reached.data[i]].island.id == island)
			split_part(world, island, world->reached.data[i], true);
	world->reached.count = 0;
	island_free(world, island);
}

/* --- Parts at rest -------------------------------------------------------------------------------------------------------- */

static void body_reach(struct world *world, uint32_t body)
{
	if (bits_has(&world->reached_bodies, body))
		return;
	bits_set(&world->reached_bodies, body);
	array_push(&world->reached, body);
}

/* Marks and queues the bodies linked to `body` in its island, for a breadth-first search. False: one of them has not rested for
 * REST_TIME, or is known to be connected to one that has not. */
static bool neighbours_reach(struct world *world, uint32_t body)
{
	const struct body *bodies = world->bodies.data;
	for (enum link_kind kind = 0; kind < LINK_KINDS; ++kind)
		for (uint32_t key = bodies[body].links[kind]; key != NONE; key = link_next(world, kind, key)) {
			uint32_t other = link_other_body(world, kind, key);
			if (link_at(world, kind, key / 2)->island.id == NONE)
				continue;
			if (world->travels.data[other].rest_time < REST_TIME || bits_has(&world->restless_bodies, other))
				return false;
			body_reach(world, other);
		}
	return true;
}

/* Moves the connected component of `start` to an island of its own, if all its bodies have rested long enough to sleep. */
static void settled_part(struct world *world, uint32_t start)
{
	uint32_t first = world->reached.count;
	body_reach(world, start);
	for (uint32_t i = first; i < world->reached.count; ++i)
		if (!neighbours_reach(world, world->reached.data[i])) {
			for (uint32_t k = first; k < world->reached.count; ++k)
				bits_set(&world->restless_bodies, world->reached.data[k]);
			return;
		}
	uint32_t island = world->bodies.data[start].island.id;
	split_part(world, island, start, false);
	if (world->islands.data[island].bodies.count == 0)
		island_free(world, island);
}

/* Whether it is time to split a loosened island: enough of its links have ended since the last split to make the cost of a
 * split per ended link a constant. Smaller islands need less time to solve, see partition.h. */
static bool is_loose(const struct island *island)
{
	uint32_t links = island->links[LINK_CONTACT].count + island->links[LINK_JOINT].count;
	return island->loosened >= links / LOOSE;
}

void islands_part(struct world *world)
{
	const struct bits *settled = &world->settled_bodies;
	for (uint32_t id = bits_next(settled, 0); id != NONE; id = bits_next(settled, id + 1)) {
		const struct body *body = &world->bodies.data[id];
		if (body->set != SET_AWAKE || body->island.id == NONE || world->travels.data[id].rest_time < REST_TIME ||
			bits_has(&world->reached_bodies, id))
			continue;
		if (world->islands.data[body->island.id].loosened > 0)
			settled_part(world, id);
	}
	for (uint32_t i = 0; i < world->reached.count; ++i) {
		bits_clear(&world->reached_bodies, world->reached.data[i]);
		bits_clear(&world->restless_bodies, world->reached.data[i]);
	}
	world->reached.count = 0;
	bits_clear_all(&world->settled_bodies);
	const struct bits *loosened = &world->loosened_islands;
	for (uint32_t id = bits_next(loosened, 0); id != NONE; id = bits_next(loosened, id + 1))
		if (world->islands.data[id].awake && is_loose(&world->islands.data[id]))
			island_split(world, id);
}
