/* graph.c - see graph.h. */
#include "core/graph.h"
#include "base/scalar.h"
#include "core/island.h"
#include "core/link.h"
#include "core/travel.h"

/* The search for a contact's colour starts at a pseudo-random one of the first FIRST_COLOURS. The broad phase finds contacts
 * from one side of a pile to the other: with colours in that order, each sub-step would propagate impulses in that direction,
 * and slowly push a tall pyramid over. The search for a joint's colour starts at 0: joints are mostly created from the trunk to
 * the limbs, which is the better direction for impulses. */
enum { FIRST_COLOURS = 4 };

static uint32_t body_solved(const struct world *world, uint32_t body)
{
	return world->bodies.data[body].type == BODY_DYNAMIC ? body : NONE;
}

/* Whether the colour can take a link between a and b: no link of the kind in it has one of these bodies, and there is memory
 * for one more. NONE stands for a non-dynamic body, which is in no colour. */
static bool colour_fits(
	struct world *world, struct colour *colour, enum link_kind kind, uint32_t solver, uint32_t a, uint32_t b)
{
	const struct bits *bodies = &colour->bodies[kind];
	return (a == NONE || !bits_has(bodies, a)) && (b == NONE || !bits_has(bodies, b)) &&
		array_reserve(world->memory, &colour->links[solver], colour->links[solver].count + 1);
}

static uint32_t colour_choose(struct world *world, enum link_kind kind, uint32_t solver, uint32_t id, uint32_t a, uint32_t b)
{
	if (a == NONE || b == NONE)
		for (uint32_t i = MOVING_COLOURS; i < COLOURS; ++i)
			if (colour_fits(world, &world->colours[i], kind, solver, a, b))
				return i;
	uint32_t start = kind == LINK_JOINT ? 0 : scramble(id) % FIRST_COLOURS;
	for (uint32_t i = 0; i < MOVING_COLOURS; ++i) {
		uint32_t colour = i < FIRST_COLOURS ? (start + i) % FIRST_COLOURS : i;
		if (colour_fits(world, &world->colours[colour], kind, solver, a, b))
			return colour;
	}
	return OVERFLOW; /* the overflow has capacity for all links: see contacts_commit, joint_create */
}

/* Gives an uncoloured link a colour, and adds it to that colour's list. Cannot fail. */
static void graph_add(struct world *world, enum link_kind kind, uint32_t id)
{
	struct link *link = link_at(world, kind, id);
	assert(link->colour == NO_COLOUR);
	uint32_t a = body_solved(world, link->bodies[0]), b = body_solved(world, link->bodies[1]);
	uint32_t chosen = colour_choose(world, kind, link->solver, id, a, b);
	struct colour *colour = &world->colours[chosen];
	if (chosen != OVERFLOW) {
		if (a != NONE)
			bits_set(&colour->bodies[kind], a);
		if (b != NONE)
			bits_set(&colour->bodies[kind], b);
	}
	link->colour = (uint8_t)chosen;
	link->colour_index = colour->links[link->solver].count;
	array_push(&colour->links[link->solver], id);
	world->partition.valid = false;
}

static void graph_remove(struct world *world, enum link_kind kind, uint32_t id)
{
	struct link *link = link_at(world, kind, id);
	struct colour *colour = &world->colours[link->colour];
	if (link->colour != OVERFLOW) {
		bits_clear(&colour->bodies[kind], link->bodies[0]);
		bits_clear(&colour->bodies[kind], link->bodies[1]);
	}
	array_swap_remove(&colour->links[link->solver], link->colour_index);
	if (link->colour_index < colour->links[link->solver].count)
		link_at(world, kind, colour->links[link->solver].data[link->colour_index])->colour_index = link->colour_index;
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

void contact_refresh(struct world *world, uint32_t id)
{
	struct contact *contact = &world->contacts.data[id];
	bool stirs = contact_stirs(world, contact);
	if (world->wing->counts_travel)
		travel_forbid(world, id);
	if (stirs && (contact->link.flags & CONTACT_FOLLOWS) == 0)
		bits_set(&world->awake_contacts, id);
	else
		bits_clear(&world->awake_contacts, id);
	bool touches = (contact->link.flags & (CONTACT_TOUCHING | CONTACT_SENSOR)) == CONTACT_TOUCHING;
	graph_update(world, LINK_CONTACT, id, stirs && touches);
}

void joint_refresh(struct world *world, uint32_t id)
{
	const struct link *link = &world->joints.data[id].link;
	const struct body *a = &world->bodies.data[link->bodies[0]], *b = &world->bodies.data[link->bodies[1]];
	bool moves = (a->type == BODY_DYNAMIC && a->set == SET_AWAKE) || (b->type == BODY_DYNAMIC && b->set == SET_AWAKE);
	graph_update(world, LINK_JOINT, id, moves && a->set != SET_DISABLED && b->set != SET_DISABLED);
}
