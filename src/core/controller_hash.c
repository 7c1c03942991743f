/* controller_hash.c - see controller_hash.h. */
#include "core/controller_hash.h"
#include "core/body.h"
#include "core/controller.h"

uint64_t controller_hash(const struct world *world, uint32_t id, uint64_t hash)
{
	const struct controller *controller = controller_at(world, id);
	if (!controller->valid)
		return hash;
	hash = body_hash_word(hash,
		(uint64_t)controller->body << 32 | (uint64_t)controller->state << 2 | (uint64_t)controller->passing << 1 |
			controller->crushed);
	hash = body_hash_vec(body_hash_vec(body_hash_vec(hash, controller->up), controller->from), controller->to);
	hash = body_hash_vec(body_hash_vec(body_hash_vec(hash, controller->carried), controller->shown), controller->push);
	if (controller->state == CONTROLLER_AIR)
		return hash;
	hash = body_hash_word(hash, (uint64_t)controller->ground_body.index << 32 | controller->ground.collider.index);
	hash = body_hash_vec(body_hash_vec(hash, controller->turned_up), controller->anchor_up);
	return body_hash_vec(body_hash_vec(hash, controller->surface), controller->anchor);
}
