/* narrow_phase.h - the loop over a range of awake contacts, shared by the narrow_phase.wide.c of 2D and 3D. Included after
 * contacts_hold of that file.
 * Any thread, disjoint ranges. */
#include "core/contact.h"
#include "core/link.h"
#include "core/speculative.h"
#include "core/travel.h"

enum { LEAST = (LANES + 1) / 2 }; /* fewer queued contacts are collided one by one */

/* Contacts to be tested together, in LANES lanes, and those of the last such group that must be collided again: their shapes
 * are being prefetched. */
struct queue {
	uint32_t ids[LANES], count;
	uint32_t stale[LANES], stale_count;
	bool jointed; /* there are joints: bodies may look ahead */
};

/* Ring buffer of contacts that are being prefetched before they are tested: the last LINKS_AHEAD of the `count` pushed. */
struct prefetched {
	uint32_t ids[LINKS_AHEAD], count;
};

/* Whether the contact's last result may still hold. It may if the contact touches or its AABBs overlap, it is no sensor's, it
 * has no followers, and it does not depend on other contacts. */
static bool may_hold(const struct world *world, const struct contact *contact)
{
	if (contact->follower != NONE || (contact->link.flags & (CONTACT_SENSOR | CONTACT_FOLLOWS | CONTACT_BORDER)) != 0)
		return false;
	return (contact->link.flags & CONTACT_TOUCHING) != 0 || contact_boxes_overlap(world, contact);
}

/* Keeps the contact's last manifold, which holds until the bodies' relative motion reaches `room` [length].
 * touches: the manifold has points. */
static void contact_keep(struct world *world, uint32_t id, bool touches, float room)
{
	const struct contact *contact = &world->contacts.data[id];
	bool touching = (contact->link.flags & CONTACT_TOUCHING) != 0;
	if (touches == touching)
		travel_allow(world, id, room);
	if (touches || touching)
		contact_found(world, id, !touches && !contact_boxes_overlap(world, contact), touches);
}

/* Prefetches the pointers to the contact's shapes, and the types of its bodies. */
static void colliders_prefetch(const struct world *world, const struct contact *contact)
{
	for (int side = 0; side < 2; ++side) {
		cache_prefetch_line(&world->colliders.data[contact->colliders[side]].shape);
		cache_prefetch_line(&world->proxies.data[contact->proxies[side]].collider);
		cache_prefetch_line(&world->bodies.data[contact->link.bodies[side]]);
	}
}

/* Prefetches the bodies' poses. */
static void bodies_prefetch(const struct world *world, const struct contact *contact)
{
	for (int side = 0; side < 2; ++side)
		WING(body_prefetch)(world, contact->link.bodies[side]);
}

INLINE masks queue_holds(const struct world *world, const uint32_t ids[LANES], masks *touches, lanes *room)
{
#define BODY_A(i) WING(row)(world, world->contacts.data[ids[i]].link.bodies[0])
#define BODY_B(i) WING(row)(world, world->contacts.data[ids[i]].link.bodies[1])
#define ROW(i) WING(contact_row)(world, ids[i])
	const struct lane_rows a = {{EACH_LANE(BODY_A)}}, b = {{EACH_LANE(BODY_B)}}, rows = {{EACH_LANE(ROW)}};
#undef BODY_A
#undef BODY_B
#undef ROW
	return contacts_hold(world, &a, &b, &rows, touches, room);
}

static void stale_renew(struct world *world, struct queue *queue)
{
	for (uint32_t i = 0; i < queue->stale_count; ++i)
		WING(contact_renew)(world, queue->stale[i]);
	queue->stale_count = 0;
}

static void queue_run(struct world *world, struct queue *queue)
{
	uint32_t count = queue->count;
	queue->count = 0;
	stale_renew(world, queue);
	for (uint32_t i = 0; i < count && count < LEAST; ++i)
		WING(contact_collide)(world, queue->ids[i]);
	if (count < LEAST)
		return;
	for (uint32_t i = count; i < LANES; ++i)
		queue->ids[i] = queue->ids[0];
	lanes room;
	masks touches, holds = queue_holds(world, queue->ids, &touches, &room);
	for (uint32_t i = 0; i < count; ++i) {
		uint32_t id = queue->ids[i];
		if (holds[i] && !(queue->jointed && WING(contact_looks_ahead)(world, id))) {
			contact_keep(world, id, touches[i] != 0, room[i]);
		} else {
			colliders_prefetch(world, &world->contacts.data[id]);
			queue->stale[queue->stale_count++] = id;
		}
	}
}

static void contact_test(struct world *world, uint32_t id, struct queue *queue)
{
	if (LANES == 1 || !may_hold(world, &world->contacts.data[id])) {
		WING(contact_collide)(world, id);
		return;
	}
	queue->ids[queue->count++] = id;
	if (queue->count == LANES)
		queue_run(world, queue);
}

/* Starts to prefetch the contact, and tests the one that was pushed LINKS_AHEAD contacts before. */
static void prefetched_push(struct world *world, struct prefetched *prefetched, uint32_t id, struct queue *queue)
{
	uint32_t *oldest = &prefetched->ids[prefetched->count % LINKS_AHEAD];
	if (prefetched->count >= LINKS_AHEAD)
		contact_test(world, *oldest, queue);
	*oldest = id;
	cache_prefetch(&world->contacts.data[id], sizeof(struct contact));
	cache_prefetch(WING(contact_row)(world, id), 2 * CACHE_LINE);
	if (prefetched->count >= LINKS_AHEAD - BODIES_AHEAD)
		bodies_prefetch(
			world, &world->contacts.data[prefetched->ids[(prefetched->count - (LINKS_AHEAD - BODIES_AHEAD)) % LINKS_AHEAD]]);
	++prefetched->count;
}

static void prefetched_finish(struct world *world, const struct prefetched *prefetched, struct queue *queue)
{
	for (uint32_t i = prefetched->count > LINKS_AHEAD ? prefetched->count - LINKS_AHEAD : 0; i < prefetched->count; ++i)
		contact_test(world, prefetched->ids[i % LINKS_AHEAD], queue);
	queue_run(world, queue);
	stale_renew(world, queue);
}

void NAME(WING(contacts_collide))(struct world *world, uint32_t begin, uint32_t end)
{
	struct queue queue = {.jointed = ids_count(&world->joint_ids) > 0};
	struct prefetched prefetched = {.count = 0};
	for (uint32_t word = bits_next_word(&world->awake_contacts, begin, end); word < end;
		 word = bits_next_word(&world->awake_contacts, word + 1, end))
		for (uint64_t left = bits_word(&world->awake_contacts, word); left != 0; left &= left - 1) {
			uint32_t id = 64 * word + (uint32_t)__builtin_ctzll(left);
			bool skipped =
				travel_left(world, id) && !(queue.jointed && bodies_ahead(world, world->travel_limits.data[id].bodies));
			if (!skipped)
				prefetched_push(world, &prefetched, id, &queue);
		}
	prefetched_finish(world, &prefetched, &queue);
}
