/* graph.c - see graph.h. */
#include "core/graph.h"
#include "base/scalar.h"
#include "core/island.h"
#include "core/link.h"
#include "core/touched.h"
#include "core/travel.h"

/* The search for a contact's colour starts at a pseudo-random one of the first FIRST_COLOURS. The broad phase finds contacts
 * from one side of a pile to the other: with colours in that order, each sub-step would propagate impulses in that direction,
 * and slowly push a tall pyramid over. The search for a joint's colour starts at 0: joints are mostly created from the trunk to
 * the limbs, which is the better direction for impulses. */
enum { FIRST_COLOURS = 4 };

/* The first of these colours in the order start, ..., FIRST_COLOURS - 1, 0, ..., start - 1, FIRST_COLOURS, ... */
static uint32_t colour_first(uint32_t colours, uint32_t start)
{
	uint32_t first = (1 << FIRST_COLOURS) - 1;
	uint32_t turned = (colours & first) >> start | (colours << (FIRST_COLOURS - start) & first);
	return turned != 0 ? (start + (uint32_t)__builtin_ctz(turned)) % FIRST_COLOURS : (uint32_t)__builtin_ctz(colours);
}

/* Chooses a `free` colour for the link in whose list there is memory for one more. `fixed`: one of its bodies is not
 * dynamic. */
static uint32_t colour_choose(struct world *world, enum link_kind kind, uint32_t id, uint32_t free, bool fixed)
{
	uint32_t moving = (UINT32_C(1) << MOVING_COLOURS) - 1, start = kind == LINK_JOINT ? 0 : scramble(id) % FIRST_COLOURS;
	free &= fixed ? (UINT32_C(1) << COLOURS) - 1 : moving;
	while (free != 0) {
		uint32_t chosen = free > moving ? (uint32_t)__builtin_ctz(free & ~moving) : colour_first(free, start);
		struct colour *colour = &world->colours[chosen];
		uint32_t solver = link_at(world, kind, id)->solver;
		if (array_reserve(world->memory, &colour->links[solver], colour->links[solver].count + 1))
			return chosen;
		free &= ~(UINT32_C(1) << chosen);
	}
	return OVERFLOW; /* the overflow has capacity for all links: see contacts_commit, joint_create */
}

/* Gives an uncoloured link a colour, and adds it to that colour's list. Cannot fail. */
static void graph_add(struct world *world, enum link_kind kind, uint32_t id)
{
	struct link *link = link_at(world, kind, id);
	assert(link->colour == NO_COLOUR);
	link_touch(world, kind, id);
	for (int side = 0; side < 2; ++side)
		record_touch(world, TOUCHED_BODIES, link->bodies[side]);
	uint32_t *taken[2];
	bool fixed[2];
	for (int side = 0; side < 2; ++side) {
		taken[side] = &world->bodies.data[link->bodies[side]].taken_colours[kind];
		fixed[side] = link->island.id == NONE && body_fixed(world, link->bodies[side]);
	}
	uint32_t free = link->solver == JOINT_GEAR ? 0 : ~(*taken[0] | *taken[1]); /* gears move other bodies, too */
	uint32_t chosen = colour_choose(world, kind, id, free, fixed[0] || fixed[1]);
	for (int side = 0; side < 2 && chosen != OVERFLOW; ++side)
		*taken[side] |= fixed[side] ? 0 : UINT32_C(1) << chosen;
	struct colour *colour = &world->colours[chosen];
	link->colour = (uint8_t)chosen;
	link->colour_index = colour->links[link->solver].count;
	array_push(&colour->links[link->solver], (struct coloured_link){id, {link->bodies[0], link->bodies[1]}});
	world->used_colours[link->solver] |= UINT32_C(1) << chosen;
	world->partition.valid = false;
}

static void graph_remove(struct world *world, enum link_kind kind, uint32_t id)
{
	struct link *link = link_at(world, kind, id);
	struct colour *colour = &world->colours[link->colour];
	link_touch(world, kind, id);
	for (int side = 0; side < 2; ++side)
		record_touch(world, TOUCHED_BODIES, link->bodies[side]);
	for (int side = 0; side < 2 && link->colour != OVERFLOW; ++side)
		world->bodies.data[link->bodies[side]].taken_colours[kind] &= ~(UINT32_C(1) << link->colour);
	array_swap_remove(&colour->links[link->solver], link->colour_index);
	if (link->colour_index < colour->links[link->solver].count)
		link_touch(world, kind, colour->links[link->solver].data[link->colour_index].id);
	if (link->colour_index < colour->links[link->solver].count)
		link_at(world, kind, colour->links[link->solver].data[link->colour_index].id)->colour_index = link->colour_index;
	if (colour->links[link->solver].count == 0)
		world->used_colours[link->solver] &= ~(UINT32_C(1) << link->colour);
	link->colour = NO_COLOUR;
	world->partition.valid = false;
}

/* Adds the link to the graph if it is to be `solved`, else removes it. */
static void graph_update(struct world *world, enum link_kind kind, uint32_t id, bool solved)
{
	bool in_graph = link_at(world, kind, id)->colour != NO_COLOUR;
	if (solved && !in_graph)
		graph_add(world, kind, id);
	else if (!solved && in_graph)
		graph_remove(world, kind, id);
}

void link_untie(struct world *world, enum link_kind kind, uint32_t id)
{
	if (link_at(world, kind, id)->island.id != NONE)
		island_unlink(world, kind, id);
	graph_update(world, kind, id, false);
}

/* --- Waking and sleeping bodies ------------------------------------------------------------------------------------------- */

static bool contact_stirs(const struct world *world, const struct contact *contact)
{
	const struct body *a = &world->bodies.data[contact->link.bodies[0]], *b = &world->bodies.data[contact->link.bodies[1]];
	bool sensor = (contact->link.flags & CONTACT_SENSOR) != 0;
	return (contact->link.flags & CONTACT_ONCE) || (a->set == SET_AWAKE && (sensor || a->type == BODY_DYNAMIC)) ||
		(b->set == SET_AWAKE && (sensor || b->type == BODY_DYNAMIC));
}

/* As contact_refresh, but leaves the travel allowance. A contact in an island needs no look at its bodies. */
static void contact_update(struct world *world, uint32_t id)
{
	struct contact *contact = &world->contacts.data[id];
	uint32_t island = contact->link.island.id;
	record_touch(world, TOUCHED_CONTACTS, id);
	bool stirs = island != NONE ? world->islands.data[island].awake : contact_stirs(world, contact);
	if (stirs && (contact->link.flags & CONTACT_FOLLOWS) == 0)
		bits_set(&world->awake_contacts, id);
	else
		bits_clear(&world->awake_contacts, id);
	bool touches = (contact->link.flags & (CONTACT_TOUCHING | CONTACT_SENSOR)) == CONTACT_TOUCHING;
	graph_update(world, LINK_CONTACT, id, stirs && touches);
}

void contact_refresh(struct world *world, uint32_t id)
{
	travel_forbid(world, id);
	contact_update(world, id);
}

void contact_collide_once(struct world *world, uint32_t id)
{
	record_touch(world, TOUCHED_CONTACTS, id);
	world->contacts.data[id].link.flags |= CONTACT_ONCE;
	world->any_once = true;
	contact_refresh(world, id);
}

void sensors_collide_once(struct world *world, uint32_t body)
{
	for (uint32_t key = world->bodies.data[body].links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key))
		if (world->contacts.data[key / 2].link.flags & CONTACT_SENSOR)
			contact_collide_once(world, key / 2);
}

void joint_refresh(struct world *world, uint32_t id)
{
	const struct link *link = &world->joints.data[id].link;
	const struct body *a = &world->bodies.data[link->bodies[0]], *b = &world->bodies.data[link->bodies[1]];
	bool moves = (a->type == BODY_DYNAMIC && a->set == SET_AWAKE) || (b->type == BODY_DYNAMIC && b->set == SET_AWAKE);
	graph_update(world, LINK_JOINT, id, moves && joint_active(world, id) && a->set != SET_DISABLED && b->set != SET_DISABLED);
}

/* Links in an island are updated from their first body only: both its bodies sleep or wake together. */
void body_refresh_links(struct world *world, uint32_t body)
{
	record_touch(world, TOUCHED_BODIES, body);
	travel_leap(world, body);
	for (uint32_t key = world->bodies.data[body].links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key))
		if ((key & 1) == 0 || world->contacts.data[key / 2].link.island.id == NONE)
			contact_update(world, key / 2);
	for (uint32_t key = world->bodies.data[body].links[LINK_JOINT]; key != NONE; key = link_next(world, LINK_JOINT, key))
		if ((key & 1) == 0 || world->joints.data[key / 2].link.island.id == NONE)
			joint_refresh(world, key / 2);
}
