/* controller_hash.c - see controller_hash.h. */
#include "core/controller_hash.h"
#include "core/body.h"
#include "core/controller.h"

uint64_t controller_hash(const struct world *world, uint64_t hash)
{
	for (uint32_t id = 0; id < world->controllers.all.count; ++id) {
		const struct controller *controller = controller_at(world, id);
		if (!controller->valid)
			continue;
		hash = body_hash_word(hash, (uint64_t)controller->body << 32 | (uint64_t)controller->state << 1 | controller->crushed);
		hash = body_hash_vec(body_hash_vec(body_hash_vec(hash, controller->up), controller->from), controller->to);
		if (controller->state == CONTROLLER_AIR)
			continue;
		hash = body_hash_word(hash, (uint64_t)controller->ground_body.index << 32 | controller->ground.collider.index);
		hash = body_hash_vec(hash, controller->anchor);
	}
	return hash;
}
