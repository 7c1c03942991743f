/* island.c - see island.h. */
#include "core/island.h"
#include "core/link.h"

#include <math.h>

/* --- Lists ---------------------------------------------------------------------------------------------------------------- */

/* Indices of an island's lists: one for each kind of link, then that of its bodies. */
enum { BODIES = LINK_KINDS, LISTS };

static struct island_list *list_at(struct world *world, uint32_t island, int list)
{
	struct island *at = &world->islands.data[island];
	return list == BODIES ? &at->bodies : &at->links[list];
}

static struct island_member *member_at(struct world *world, int list, uint32_t id)
{
	return list == BODIES ? &world->bodies.data[id].island : &link_at(world, (enum link_kind)list, id)->island;
}

static void member_append(struct world *world, uint32_t island, int list, uint32_t id)
{
	struct island_list *to = list_at(world, island, list);
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
	++world->islands.data[link_at(world, kind, id)->island.id].loosened;
	member_detach(world, kind, id);
}

/* --- Splitting ------------------------------------------------------------------------------------------------------------ */

/* Moves the body's links of the kind, and the bodies at their other ends, from island `old` to `part`. */
static void split_along(struct world *world, uint32_t old, uint32_t part, uint32_t body, enum link_kind kind)
{
	for (uint32_t key = world->bodies.data[body].links[kind]; key != NONE; key = link_next(world, kind, key)) {
		if (link_at(world, kind, key / 2)->island.id != old)
			continue;
		member_detach(world, kind, key / 2);
		member_append(world, part, kind, key / 2);
		uint32_t other = link_other_body(world, kind, key);
		if (world->bodies.data[other].island.id == old) {
			member_detach(world, BODIES, other);
			member_append(world, part, BODIES, other);
		}
	}
}

/* Moves the connected component of `start` from island `old` to a new one. Breadth-first: the growing list of the new island is
 * the queue, so no memory is needed. Bodies still in island `old` have not been reached. */
static void split_part(struct world *world, uint32_t old, uint32_t start)
{
	uint32_t part = island_new(world, world->islands.data[old].awake);
	world->islands.data[part].headway = world->islands.data[old].headway;
	member_detach(world, BODIES, start);
	member_append(world, part, BODIES, start);
	for (uint32_t body = start; body != NONE; body = world->bodies.data[body].island.next)
		for (enum link_kind kind = 0; kind < LINK_KINDS; ++kind)
			split_along(world, old, part, body, kind);
}

void island_split(struct world *world, uint32_t island)
{
	while (world->islands.data[island].bodies.first != NONE)
		split_part(world, island, world->islands.data[island].bodies.first);
	island_free(world, island);
}
