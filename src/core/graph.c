/* graph.c - see graph.h. Floor: core. */
#include "core/graph.h"

/* Colours [MOVING_COLOURS, COLOURS) are first offered to contacts against what does not move. */
enum { MOVING_COLOURS = COLOURS - 4 };

static bool body_solved(const struct world *world, uint32_t body)
{
	return world->bodies.data[body].type == BODY_DYNAMIC;
}

/* Whether the colour has neither body; NONE stands for a body that does not count. */
static bool colour_fits(struct world *world, uint32_t colour, uint32_t a, uint32_t b)
{
	const struct bits *bodies = &world->colours[colour].bodies;
	return (a == NONE || !bits_has(bodies, a)) && (b == NONE || !bits_has(bodies, b)) &&
		   array_reserve(world->memory, &world->colours[colour].contacts, world->colours[colour].contacts.count + 1);
}

static uint32_t colour_choose(struct world *world, uint32_t a, uint32_t b)
{
	if (a == NONE || b == NONE)
		for (uint32_t colour = MOVING_COLOURS; colour < COLOURS; ++colour)
			if (colour_fits(world, colour, a, b))
				return colour;
	for (uint32_t colour = 0; colour < MOVING_COLOURS; ++colour)
		if (colour_fits(world, colour, a, b))
			return colour;
	return OVERFLOW; /* has room for all contacts: contacts_reserve */
}

void graph_add(struct world *world, uint32_t id)
{
	struct contact *contact = &world->contacts.data[id];
	assert(contact->colour == NO_COLOUR);
	uint32_t a = body_solved(world, contact->bodies[0]) ? contact->bodies[0] : NONE;
	uint32_t b = body_solved(world, contact->bodies[1]) ? contact->bodies[1] : NONE;
	uint32_t chosen = colour_choose(world, a, b);
	struct colour *colour = &world->colours[chosen];
	if (chosen != OVERFLOW) {
		if (a != NONE)
			bits_set(&colour->bodies, a);
		if (b != NONE)
			bits_set(&colour->bodies, b);
	}
	contact->colour = (uint8_t)chosen;
	contact->colour_index = colour->contacts.count;
	array_push(&colour->contacts, id);
}

void graph_remove(struct world *world, uint32_t id)
{
	struct contact *contact = &world->contacts.data[id];
	struct colour *colour = &world->colours[contact->colour];
	if (contact->colour != OVERFLOW) {
		bits_clear(&colour->bodies, contact->bodies[0]);
		bits_clear(&colour->bodies, contact->bodies[1]);
	}
	array_swap_remove(&colour->contacts, contact->colour_index);
	if (contact->colour_index < colour->contacts.count)
		world->contacts.data[colour->contacts.data[contact->colour_index]].colour_index = contact->colour_index;
	contact->colour = NO_COLOUR;
}
