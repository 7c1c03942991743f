/* collide.h - the end of a collide.wide.c that is the same in both dimensions: the loop over a range of awake contacts. Included where row_prefetch,
** places_prefetch, contacts_hold, contact_looks_ahead, contact_collide and contact_renew of that file are known.
** Floor: core. Any thread, disjoint ranges. */
#include "core/body.h"
#include "core/contact.h"
#include "core/travel.h"

enum { LEAST = (LANES + 1) / 2 }; /* contacts for which lanes are worth it */

/* Contacts that wait to be as many as there are lanes. */
struct queue {
	uint32_t ids[LANES], count;
};

/* Contacts that have to be looked at, whose rows are on their way from memory. */
struct asked {
	uint32_t ids[64], count;
};

/* Contacts whose boxes meet, and that no others decide on. */
static bool may_hold(const struct world *world, const struct contact *contact)
{
	if (contact->follower != NONE || (contact->edge.flags & (CONTACT_SENSOR | CONTACT_FOLLOWS | CONTACT_BORDER)) != 0)
		return false;
	return (contact->edge.flags & CONTACT_TOUCHING) != 0 || contact_boxes_meet(world, contact);
}

/* It is as it was, and remains so until its bodies have moved by `room` against each other. */
static void contact_keep(struct world *world, uint32_t id, bool touches, float room)
{
	const struct contact *contact = &world->contacts.data[id];
	bool touching = (contact->edge.flags & CONTACT_TOUCHING) != 0;
	if (touches == touching)
		travel_allow(world, id, room);
	if (touches || touching)
		contact_found(world, id, !touches && !contact_boxes_meet(world, contact), touches);
}

/* Where the contact's shapes are to be found. */
static void colliders_prefetch(const struct world *world, const struct contact *contact)
{
	for (int side = 0; side < 2; ++side) {
		__builtin_prefetch(&world->colliders.data[contact->colliders[side]].shape);
		__builtin_prefetch(&world->proxies.data[contact->proxies[side]].collider);
	}
}

static void queue_run(struct world *world, struct queue *queue)
{
	uint32_t count = queue->count;
	queue->count = 0;
	for (uint32_t i = 0; i < count && count < LEAST; ++i)
		contact_collide(world, queue->ids[i]);
	if (count < LEAST)
		return;
	for (uint32_t i = count; i < LANES; ++i)
		queue->ids[i] = queue->ids[0];
	lanes room;
	masks touches, holds = contacts_hold(world, queue->ids, &touches, &room);
	for (uint32_t i = 0; i < count; ++i) {
		if (holds[i] && contact_looks_ahead(world, queue->ids[i]))
			holds[i] = 0;
		if (!holds[i])
			colliders_prefetch(world, &world->contacts.data[queue->ids[i]]);
	}
	for (uint32_t i = 0; i < count; ++i)
		if (holds[i])
			contact_keep(world, queue->ids[i], touches[i] != 0, room[i]);
		else
			contact_renew(world, queue->ids[i]);
}

static void asked_run(struct world *world, struct asked *asked, struct queue *queue)
{
	for (uint32_t i = 0; i < asked->count; ++i) {
		uint32_t id = asked->ids[i];
		if (i + BODIES_AHEAD < asked->count)
			places_prefetch(world, &world->contacts.data[asked->ids[i + BODIES_AHEAD]]);
		if (LANES == 1 || !may_hold(world, &world->contacts.data[id])) {
			contact_collide(world, id);
			continue;
		}
		queue->ids[queue->count++] = id;
		if (queue->count == LANES)
			queue_run(world, queue);
	}
	asked->count = 0;
}

static void NAME(contacts_collide)(struct world *world, uint32_t begin, uint32_t end)
{
	const struct bits *awake = &world->awake_contacts;
	struct queue queue = {.count = 0};
	struct asked asked = {.count = 0};
	for (uint32_t id = bits_next_before(awake, 64 * begin, end); id != NONE; id = bits_next_before(awake, id + 1, end)) {
		if (travel_left(world, id) && !bodies_ahead(world, world->travel_limits.data[id].bodies))
			continue;
		cache_prefetch(&world->contacts.data[id], sizeof(struct contact));
		row_prefetch(world, id);
		asked.ids[asked.count++] = id;
		if (asked.count == sizeof asked.ids / sizeof *asked.ids)
			asked_run(world, &asked, &queue);
	}
	asked_run(world, &asked, &queue);
	queue_run(world, &queue);
}
