/* filter.h - which colliders may collide, by body types, sensors, groups, layers and joints, and how many contacts a pair has.
 * Does not call the user's filter. Any thread. */
#pragma once
#include "core/core.h"

/* Why two colliders may not collide: one body, types of which none moves, their group, their layers, a joint. */
enum filter_verdict { FILTER_ALLOWS, FILTER_BODY, FILTER_TYPES, FILTER_GROUP, FILTER_LAYERS, FILTER_JOINT };
enum filter_verdict filter_judge(const struct world *world, const struct collider *a, const struct collider *b);
/* Whether two colliders may collide, unless the user's filter refuses. */
static inline bool filter_allows(const struct world *world, const struct collider *a, const struct collider *b)
{
	return filter_judge(world, a, b) == FILTER_ALLOWS;
}

/* Whether two colliders of different bodies may collide by their group, layers and joints, whatever their types are. */
bool filter_meets(const struct world *world, const struct collider *a, const struct collider *b);

/* A joint between the two bodies that forbids them to collide, or NONE. */
uint32_t filter_joint(const struct world *world, uint32_t body_a, uint32_t body_b);
/* Number of contacts that two proxies get, all computed together: see wing.pair_contacts. 1 with a sensor. */
uint32_t pair_contacts(const struct world *world, uint32_t proxy_a, uint32_t proxy_b);

/* Whether the contact's two bodies may have other contacts with each other: false only if each has one proxy, and these get one
 * contact. */
static inline bool contact_has_others(const struct world *world, uint32_t id)
{
	const struct contact *contact = &world->contacts.data[id];
	for (int side = 0; side < 2; ++side) {
		const struct collider *collider = &world->colliders.data[contact->colliders[side]];
		if (collider->previous != NONE || collider->next != NONE || collider->proxies != contact->proxies[side] ||
			world->proxies.data[collider->proxies].next != NONE)
			return true;
	}
	return pair_contacts(world, contact->proxies[0], contact->proxies[1]) > 1;
}
