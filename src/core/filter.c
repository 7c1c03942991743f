/* filter.c - see filter.h. */
#include "core/filter.h"
#include "core/link.h"

uint32_t filter_joint(const struct world *world, uint32_t body_a, uint32_t body_b)
{
	uint32_t fewer = link_fewer(world, LINK_JOINT, body_a, body_b), other = fewer == body_a ? body_b : body_a;
	for (uint32_t key = world->bodies.data[fewer].links[LINK_JOINT]; key != NONE; key = link_next(world, LINK_JOINT, key))
		if (link_other_body(world, LINK_JOINT, key) == other && !world->joints.data[key / 2].collides)
			return key / 2;
	return NONE;
}

/* A collider with layers of its own collides with those, whatever the world says; of two such colliders each must list the
 * other's layer. Else the world's layers decide. */
static bool layers_allow(const struct world *world, const struct collider *a, const struct collider *b)
{
	if (!a->has_own_layers && !b->has_own_layers)
		return (world->layer_masks[a->layer] >> b->layer & 1) != 0;
	return (!a->has_own_layers || (a->own_layers >> b->layer & 1) != 0) &&
		(!b->has_own_layers || (b->own_layers >> a->layer & 1) != 0);
}

/* Judges two colliders of different bodies, whatever their types are. */
static enum filter_verdict pair_judge(const struct world *world, const struct collider *a, const struct collider *b)
{
	if (a->group == b->group && a->group != 0) {
		if (a->group < 0)
			return FILTER_GROUP;
	} else if (!layers_allow(world, a, b)) {
		return FILTER_LAYERS;
	}
	return filter_joint(world, a->body, b->body) != NONE ? FILTER_JOINT : FILTER_ALLOWS;
}

enum filter_verdict filter_judge(const struct world *world, const struct collider *a, const struct collider *b)
{
	const struct body *body_a = &world->bodies.data[a->body], *body_b = &world->bodies.data[b->body];
	if (a->body == b->body)
		return FILTER_BODY;
	enum body_type least = a->sensor || b->sensor ? BODY_KINEMATIC : BODY_DYNAMIC;
	if (body_a->type < least && body_b->type < least)
		return FILTER_TYPES;
	return pair_judge(world, a, b);
}

bool filter_meets(const struct world *world, const struct collider *a, const struct collider *b)
{
	return pair_judge(world, a, b) == FILTER_ALLOWS;
}

uint32_t pair_contacts(const struct world *world, uint32_t proxy_a, uint32_t proxy_b)
{
	const struct collider *a = &world->colliders.data[world->proxies.data[proxy_a].collider];
	const struct collider *b = &world->colliders.data[world->proxies.data[proxy_b].collider];
	return world->wing->pair_contacts == NULL || a->sensor || b->sensor ? 1 : world->wing->pair_contacts(a->shape, b->shape);
}
