/* awake_set.c - see awake_set.h. */
#include "core/awake_set.h"

#include <string.h>

void awake_set_add(struct world *world, uint32_t id)
{
	struct body *body = &world->bodies.data[id];
	assert(body->row == NONE);
	body->set = SET_AWAKE;
	body->row = world->awake.count;
	array_push(&world->awake, id);
	world->partition.valid = false;
	world->wing->state_load(world, id);
}

void awake_set_remove(struct world *world, uint32_t id, enum body_set to)
{
	struct body *body = &world->bodies.data[id];
	size_t size = world->wing->state_size;
	uint32_t row = body->row, last = world->awake.count - 1;
	world->wing->state_store(world, id);
	if (row != last) {
		world->awake.data[row] = world->awake.data[last];
		world->bodies.data[world->awake.data[row]].row = row;
		memcpy(world->states + (row + 1) * size, world->states + (last + 1) * size, size);
	}
	world->awake.count = last;
	world->partition.valid = false;
	body->row = NONE;
	body->set = to;
}
