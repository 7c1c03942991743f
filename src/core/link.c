/* link.c - see link.h. */
#include "core/link.h"
#include "core/touched.h"

/* Before the neighbours of the link's end `key` change. */
static void end_touch(struct world *world, enum link_kind kind, uint32_t key, uint32_t previous, uint32_t next)
{
	link_touch(world, kind, key / 2);
	record_touch(world, TOUCHED_BODIES, link_at(world, kind, key / 2)->bodies[key & 1]);
	if (previous != NONE)
		link_touch(world, kind, previous / 2);
	if (next != NONE)
		link_touch(world, kind, next / 2);
}

/* Adds the link to the list of its body at the end `key`, before the entry `next`; NONE: last. */
static void end_link(struct world *world, enum link_kind kind, uint32_t key, uint32_t next)
{
	struct link *link = link_at(world, kind, key / 2);
	struct body *body = &world->bodies.data[link->bodies[key & 1]];
	uint32_t previous = next == NONE ? NONE : link_at(world, kind, next / 2)->previous[next & 1];
	end_touch(world, kind, key, previous, next);
	link->previous[key & 1] = previous;
	link->next[key & 1] = next;
	if (next != NONE)
		link_at(world, kind, next / 2)->previous[next & 1] = key;
	if (previous != NONE)
		link_at(world, kind, previous / 2)->next[previous & 1] = key;
	else
		body->links[kind] = key;
	++body->link_counts[kind];
}

static void end_unlink(struct world *world, enum link_kind kind, uint32_t key)
{
	struct link *link = link_at(world, kind, key / 2);
	struct body *body = &world->bodies.data[link->bodies[key & 1]];
	uint32_t next = link->next[key & 1], previous = link->previous[key & 1];
	end_touch(world, kind, key, previous, next);
	if (next != NONE)
		link_at(world, kind, next / 2)->previous[next & 1] = previous;
	if (previous != NONE)
		link_at(world, kind, previous / 2)->next[previous & 1] = next;
	else
		body->links[kind] = next;
	--body->link_counts[kind];
}

void link_attach(struct world *world, enum link_kind kind, uint32_t id)
{
	for (uint32_t side = 0; side < 2; ++side)
		end_link(world, kind, id * 2 + side, world->bodies.data[link_at(world, kind, id)->bodies[side]].links[kind]);
}

void link_attach_beside(struct world *world, enum link_kind kind, uint32_t id)
{
	const uint32_t *bodies = link_at(world, kind, id)->bodies;
	uint32_t fewer = link_fewer(world, kind, bodies[0], bodies[1]), other = bodies[bodies[0] == fewer];
	uint32_t at = world->bodies.data[fewer].links[kind];
	while (at != NONE && link_other_body(world, kind, at) != other)
		at = link_next(world, kind, at);
	if (at == NONE) {
		link_attach(world, kind, id);
		return;
	}
	uint32_t turned = link_at(world, kind, at / 2)->bodies[0] != bodies[0];
	for (uint32_t side = 0; side < 2; ++side)
		end_link(world, kind, id * 2 + side, (at & ~UINT32_C(1)) | (side ^ turned));
}

void link_detach(struct world *world, enum link_kind kind, uint32_t id)
{
	end_unlink(world, kind, id * 2);
	end_unlink(world, kind, id * 2 + 1);
}
