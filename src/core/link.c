/* link.c - see link.h. */
#include "core/link.h"

static void end_link(struct world *world, enum edge_kind kind, uint32_t key)
{
	struct edge *edge = edge_at(world, kind, key / 2);
	struct body *body = &world->bodies.data[edge->bodies[key & 1]];
	uint32_t head = body->edges[kind];
	edge->previous[key & 1] = NONE;
	edge->next[key & 1] = head;
	if (head != NONE)
		edge_at(world, kind, head / 2)->previous[head & 1] = key;
	body->edges[kind] = key;
	++body->edge_counts[kind];
}

static void end_unlink(struct world *world, enum edge_kind kind, uint32_t key)
{
	struct edge *edge = edge_at(world, kind, key / 2);
	struct body *body = &world->bodies.data[edge->bodies[key & 1]];
	uint32_t next = edge->next[key & 1], previous = edge->previous[key & 1];
	if (next != NONE)
		edge_at(world, kind, next / 2)->previous[next & 1] = previous;
	if (previous != NONE)
		edge_at(world, kind, previous / 2)->next[previous & 1] = next;
	else
		body->edges[kind] = next;
	--body->edge_counts[kind];
}

void edge_link(struct world *world, enum edge_kind kind, uint32_t id)
{
	end_link(world, kind, id * 2);
	end_link(world, kind, id * 2 + 1);
}

void edge_unlink(struct world *world, enum edge_kind kind, uint32_t id)
{
	end_unlink(world, kind, id * 2);
	end_unlink(world, kind, id * 2 + 1);
}
