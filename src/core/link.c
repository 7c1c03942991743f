/* link.c - see link.h. */
#include "core/link.h"

static void end_link(struct world *world, enum link_kind kind, uint32_t key)
{
	struct link *link = link_at(world, kind, key / 2);
	struct body *body = &world->bodies.data[link->bodies[key & 1]];
	uint32_t head = body->links[kind];
	link->previous[key & 1] = NONE;
	link->next[key & 1] = head;
	if (head != NONE)
		link_at(world, kind, head / 2)->previous[head & 1] = key;
	body->links[kind] = key;
	++body->link_counts[kind];
}

static void end_unlink(struct world *world, enum link_kind kind, uint32_t key)
{
	struct link *link = link_at(world, kind, key / 2);
	struct body *body = &world->bodies.data[link->bodies[key & 1]];
	uint32_t next = link->next[key & 1], previous = link->previous[key & 1];
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
	end_link(world, kind, id * 2);
	end_link(world, kind, id * 2 + 1);
}

void link_detach(struct world *world, enum link_kind kind, uint32_t id)
{
	end_unlink(world, kind, id * 2);
	end_unlink(world, kind, id * 2 + 1);
}
