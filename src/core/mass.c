/* mass.c - see mass.h. */
#include "core/mass.h"

void body_weigh_later(struct world *world, uint32_t id)
{
	struct body *body = &world->bodies.data[id];
	if (body->unweighed)
		return;
	if (!array_reserve(world->memory, &world->unweighed, world->unweighed.count + 1)) {
		world->wing->body_mass(world, id);
		return;
	}
	array_push(&world->unweighed, id);
	body->unweighed = true;
}

/* A body destroyed meanwhile is not marked any more, even if its id is in use again. */
void bodies_weigh(struct world *world)
{
	for (uint32_t i = 0; i < world->unweighed.count; ++i) {
		uint32_t id = world->unweighed.data[i];
		struct body *body = &world->bodies.data[id];
		if (!body->valid || !body->unweighed)
			continue;
		body->unweighed = false;
		world->wing->body_mass(world, id);
	}
	world->unweighed.count = 0;
}
