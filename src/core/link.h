/* link.h - the lists of contacts and joints of each body. A link is in the lists of both its bodies; a key, id * 2 + side,
 * names its entry in one of these. Reading: any thread, while no list is changed. Changes: serial. */
#pragma once
#include "base/cache.h"
#include "core/core.h"

/* Prefetch distances [links]: of the records of contacts or joints, and of their bodies. The bodies' is shorter, since
 * narrow_phase.h reads their ids from a prefetched record. The addresses of a colour's links are in no order that hardware
 * could predict. */
enum { LINKS_AHEAD = 16, BODIES_AHEAD = 8 };

static inline struct link *link_at(const struct world *world, enum link_kind kind, uint32_t id)
{
	return kind == LINK_CONTACT ? &world->contacts.data[id].link : &world->joints.data[id].link;
}

/* `key` is an entry in a body's list. link_other_body: the other body of that link. link_next: the next key in the list, or
 * NONE. link_fewer: that of two bodies which has fewer links. Their common links are in the same order in both lists; their
 * common contacts follow one another there, as a run. */
static inline uint32_t link_other_body(const struct world *world, enum link_kind kind, uint32_t key)
{
	return link_at(world, kind, key / 2)->bodies[~key & 1];
}

static inline uint32_t link_next(const struct world *world, enum link_kind kind, uint32_t key)
{
	return link_at(world, kind, key / 2)->next[key & 1];
}

static inline uint32_t link_fewer(const struct world *world, enum link_kind kind, uint32_t body_a, uint32_t body_b)
{
	const struct body *bodies = world->bodies.data;
	return bodies[body_a].link_counts[kind] <= bodies[body_b].link_counts[kind] ? body_a : body_b;
}

/* The first and the next active joint in a body's list, as keys, or NONE. */
static inline uint32_t joints_skip_idle(const struct world *world, uint32_t key)
{
	while (world->idle_joints > 0 && key != NONE && !joint_active(world, key / 2))
		key = link_next(world, LINK_JOINT, key);
	return key;
}

static inline uint32_t joints_first(const struct world *world, uint32_t body)
{
	return joints_skip_idle(world, world->bodies.data[body].links[LINK_JOINT]);
}

static inline uint32_t joints_next(const struct world *world, uint32_t key)
{
	return joints_skip_idle(world, link_next(world, LINK_JOINT, key));
}

/* Whether the body has an active joint. */
static inline bool body_jointed(const struct world *world, uint32_t body)
{
	return joints_first(world, body) != NONE;
}

/* Number of the body's active joints. */
static inline uint32_t body_joint_count(const struct world *world, uint32_t body)
{
	if (world->idle_joints == 0)
		return world->bodies.data[body].link_counts[LINK_JOINT];
	uint32_t count = 0;
	for (uint32_t key = joints_first(world, body); key != NONE; key = joints_next(world, key))
		++count;
	return count;
}

/* A link of these bodies, in no list, island or colour. */
static inline struct link link_make(uint32_t body_a, uint32_t body_b, uint8_t solver)
{
	return (struct link){
		.bodies = {body_a, body_b},
		.next = {NONE, NONE},
		.previous = {NONE, NONE},
		.island = {NONE, NONE, NONE},
		.colour = NO_COLOUR,
		.solver = solver,
		.valid = true,
	};
}

/* Distance at which a loop over a set of contacts prefetches [ids]: of contacts with ids in a row, many are in such a set. */
enum { CONTACTS_AHEAD = 8 };

/* Prefetches the records of the contact's bodies, colliders and proxies, if it exists. Any thread. */
static inline void contact_sides_prefetch(const struct world *world, uint32_t id)
{
	if (id >= world->contacts.count)
		return;
	const struct contact *contact = &world->contacts.data[id];
	for (int side = 0; side < 2; ++side) {
		cache_prefetch(body_row(world, contact->link.bodies[side]), CACHE_LINE);
		cache_prefetch(&world->colliders.data[contact->colliders[side]], CACHE_LINE);
		cache_prefetch(&world->proxies.data[contact->proxies[side]], CACHE_LINE);
	}
}

/* The first entry of a body's list in the run of links with the same other body that has `key` in it. */
static inline uint32_t link_run_first(const struct world *world, enum link_kind kind, uint32_t key)
{
	uint32_t other = link_other_body(world, kind, key);
	for (uint32_t before = key; before != NONE && link_other_body(world, kind, before) == other;
		 before = link_at(world, kind, key / 2)->previous[key & 1])
		key = before;
	return key;
}

/* The entry after `key` in its run; NONE: it is the last. */
static inline uint32_t link_run_next(const struct world *world, enum link_kind kind, uint32_t key)
{
	uint32_t next = link_next(world, kind, key);
	bool runs_on = next != NONE && link_other_body(world, kind, next) == link_other_body(world, kind, key);
	return runs_on ? next : NONE;
}

/* link_attach adds the link to the lists of both bodies, as their first; link_attach_beside puts it before the first link of
 * the same two bodies, if there is any. link_detach removes it. */
void link_attach_beside(struct world *world, enum link_kind kind, uint32_t id);
void link_attach(struct world *world, enum link_kind kind, uint32_t id);
void link_detach(struct world *world, enum link_kind kind, uint32_t id);
