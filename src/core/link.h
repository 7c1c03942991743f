/* link.h - the lists of what ties bodies together: contacts and joints, each in a list of both of its bodies.
 * A key names an end of an edge: id * 2 + side.
 * Serial. */
#pragma once
#include "core/core.h"

/* How many contacts or joints ahead of the one at hand their rows are called for; bodies, which only these name, are for half
 * as many. Those of a colour lie in memory with gaps that no processor foresees. */
enum { EDGES_AHEAD = 16, BODIES_AHEAD = 8 };

static inline struct edge *edge_at(const struct world *world, enum edge_kind kind, uint32_t id)
{
	return kind == EDGE_CONTACT ? &world->contacts.data[id].edge : &world->joints.data[id].edge;
}

/* The body at the other end of the edge `key` of a body's list, and the next edge. */
static inline uint32_t edge_other_body(const struct world *world, enum edge_kind kind, uint32_t key)
{
	return edge_at(world, kind, key / 2)->bodies[~key & 1];
}

static inline uint32_t edge_next(const struct world *world, enum edge_kind kind, uint32_t key)
{
	return edge_at(world, kind, key / 2)->next[key & 1];
}

/* An edge of these bodies, in no list, island and colour. */
static inline struct edge edge_make(uint32_t body_a, uint32_t body_b, uint8_t rows)
{
	return (struct edge){
		.bodies = {body_a, body_b},
		.next = {NONE, NONE},
		.previous = {NONE, NONE},
		.island = NONE,
		.island_previous = NONE,
		.island_next = NONE,
		.colour = NO_COLOUR,
		.rows = rows,
		.valid = true,
	};
}

/* Into the lists of both bodies, and out of them. */
void edge_link(struct world *world, enum edge_kind kind, uint32_t id);
void edge_unlink(struct world *world, enum edge_kind kind, uint32_t id);
