/* graph.c - see graph.h. */
#include "core/graph.h"
#include "base/scalar.h"
#include "core/link.h"

/* Among so many of the others chance chooses who is asked first. Contacts come in the order in which the sweep finds them, from
 * one side of a pile to the other; were colours dealt out like that, impulses would run that way in each sub-step, and push a
 * tall pyramid over little by little. Joints come as they were made, from the trunk to the limbs, which is the way in which
 * impulses had better run. */
enum { FIRST_COLOURS = 4 };

static uint32_t body_solved(const struct world *world, uint32_t body)
{
	return world->bodies.data[body].type == BODY_DYNAMIC ? body : NONE;
}

/* Whether the colour has neither body; NONE stands for a body that does not count. */
static bool colour_fits(struct world *world, struct colour *colour, enum edge_kind kind, uint32_t rows, uint32_t a, uint32_t b)
{
	const struct bits *bodies = &colour->bodies[kind];
	return (a == NONE || !bits_has(bodies, a)) && (b == NONE || !bits_has(bodies, b)) &&
		array_reserve(world->memory, &colour->edges[rows], colour->edges[rows].count + 1);
}

static uint32_t colour_choose(struct world *world, enum edge_kind kind, uint32_t rows, uint32_t id, uint32_t a, uint32_t b)
{
	if (a == NONE || b == NONE)
		for (uint32_t i = MOVING_COLOURS; i < COLOURS; ++i)
			if (colour_fits(world, &world->colours[i], kind, rows, a, b))
				return i;
	uint32_t start = kind == EDGE_JOINT ? 0 : scramble(id) % FIRST_COLOURS;
	for (uint32_t i = 0; i < MOVING_COLOURS; ++i) {
		uint32_t colour = i < FIRST_COLOURS ? (start + i) % FIRST_COLOURS : i;
		if (colour_fits(world, &world->colours[colour], kind, rows, a, b))
			return colour;
	}
	return OVERFLOW; /* has room for all of them: contacts_commit, joint_create */
}

void graph_add(struct world *world, enum edge_kind kind, uint32_t id)
{
	struct edge *edge = edge_at(world, kind, id);
	assert(edge->colour == NO_COLOUR);
	uint32_t a = body_solved(world, edge->bodies[0]), b = body_solved(world, edge->bodies[1]);
	uint32_t chosen = colour_choose(world, kind, edge->rows, id, a, b);
	struct colour *colour = &world->colours[chosen];
	if (chosen != OVERFLOW) {
		if (a != NONE)
			bits_set(&colour->bodies[kind], a);
		if (b != NONE)
			bits_set(&colour->bodies[kind], b);
	}
	edge->colour = (uint8_t)chosen;
	edge->colour_index = colour->edges[edge->rows].count;
	array_push(&colour->edges[edge->rows], id);
	world->partition.valid = false;
}

void graph_remove(struct world *world, enum edge_kind kind, uint32_t id)
{
	struct edge *edge = edge_at(world, kind, id);
	struct colour *colour = &world->colours[edge->colour];
	if (edge->colour != OVERFLOW) {
		bits_clear(&colour->bodies[kind], edge->bodies[0]);
		bits_clear(&colour->bodies[kind], edge->bodies[1]);
	}
	array_swap_remove(&colour->edges[edge->rows], edge->colour_index);
	if (edge->colour_index < colour->edges[edge->rows].count)
		edge_at(world, kind, colour->edges[edge->rows].data[edge->colour_index])->colour_index = edge->colour_index;
	edge->colour = NO_COLOUR;
	world->partition.valid = false;
}
