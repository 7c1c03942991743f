/* link.h - the lists of what ties bodies together: contacts and joints, each in a list of both of its bodies.
 * A key names an end of an link: id * 2 + side.
 * Serial. */
#pragma once
#include "core/core.h"

/* How many contacts or joints ahead of the one at hand their rows are called for; bodies, which only these name, are for half
 * as many. Those of a colour lie in memory with gaps that no processor foresees. */
enum { LINKS_AHEAD = 16, BODIES_AHEAD = 8 };

static inline struct link *link_at(const struct world *world, enum link_kind kind, uint32_t id)
{
	return kind == LINK_CONTACT ? &world->contacts.data[id].link : &world->joints.data[id].link;
}

/* The body at the other end of the link `key` of a body's list, and the next link. */
static inline uint32_t link_other_body(const struct world *world, enum link_kind kind, uint32_t key)
{
	return link_at(world, kind, key / 2)->bodies[~key & 1];
}

static inline uint32_t link_next(const struct world *world, enum link_kind kind, uint32_t key)
{
	return link_at(world, kind, key / 2)->next[key & 1];
}

/* An link of these bodies, in no list, island and colour. */
static inline struct link link_make(uint32_t body_a, uint32_t body_b, uint8_t solver)
{
	return (struct link){
		.bodies = {body_a, body_b},
		.next = {NONE, NONE},
		.previous = {NONE, NONE},
		.island = NONE,
		.island_previous = NONE,
		.island_next = NONE,
		.colour = NO_COLOUR,
		.solver = solver,
		.valid = true,
	};
}

/* Into the lists of both bodies, and out of them. */
void link_attach(struct world *world, enum link_kind kind, uint32_t id);
void link_detach(struct world *world, enum link_kind kind, uint32_t id);
