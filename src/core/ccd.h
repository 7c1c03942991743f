/* ccd.h - continuous collision of the bodies that went far in a step: which of them need a look at their shapes, and their
 * boxes. */
#pragma once
#include "core/path.h"

/* For the wing's finish, any thread, each body by one: its pose is new, and some point of it may have moved through
 * something. */
void body_went_far(struct world *world, uint32_t body);

/* A shape that moves by less than this part of a slop in a step passes through nothing, however thin it is: it rests. */
#define STIRS 0.01f

/* Whether a body may have passed through something thin in this step: its centre of mass by half the radius `inner` of what
 * fits into it, or any of its points, which are within `outer`. Those of one that is compact may go by three quarters, as they
 * turn: Jolt's LinearCast lets the centre (Rouwe, 2021). [length] */
static inline bool body_fast(
	const struct world *world, const struct body *body, float inner, float outer, float straight, float delta)
{
	if (!world->settings.continuous || body->colliders == NONE || !(delta > STIRS * LINEAR_SLOP * world->settings.length_scale))
		return false;
	bool compact = body->type == BODY_DYNAMIC && outer < 3.0f * inner;
	return straight > 0.5f * inner || delta > (compact ? 0.75f : 0.5f) * inner;
}

/* Takes those back that would have passed through something, and gives all of them boxes that fit. Serial. */
void bodies_sweep(struct world *world);

/* For collide, any thread: the deepest of a contact's new points; how far its bodies may move against each other before it is
 * collided again; and how far the middles of its shapes are from their surfaces at least. A shape that has sunk by this part of
 * that into something that is not dynamic, and as far as that is thick to its middle, is swept however slow it is: what is left
 * is the farthest that it goes in one step without being fast. A shape so thin that more than that may go unseen is swept
 * sooner. */
#define SUNK 0.25f
static inline void contact_sinks(struct world *world, uint32_t id, float separation, float unseen, const float inner[2])
{
	const struct contact *contact = &world->contacts.data[id];
	bool moves[2] = {world->bodies.data[contact->link.bodies[0]].type == BODY_DYNAMIC,
		world->bodies.data[contact->link.bodies[1]].type == BODY_DYNAMIC};
	int mover = moves[0] ? 0 : 1;
	float own = inner[mover], other = inner[!mover], most = min_f(max_f(SUNK * own, other), 0.5f * own + other - unseen);
	if (moves[0] != moves[1] && -separation > most && !world->proxies.data[contact->proxies[!mover]].unbounded)
		bits_set_shared(&world->sunk_contacts, id);
	else
		bits_clear_shared(&world->sunk_contacts, id);
}

/* Who moves by less than this part of a slop, seen from the other one, meets nothing. */
#define STAYS 0.1f

/* How far a body may move, seen from a dynamic one, and pass through nothing [length]: like one that is slow, by half the
 * radius `inner` of what fits into the smaller of both. One that has sunk in is held more closely. */
static inline double free_path(const struct world *world, uint32_t id, double inner)
{
	double least = (double)(STAYS * LINEAR_SLOP * world->settings.length_scale);
	return bits_has(&world->overtaken_bodies, id) ? least : max_d(least, 0.5 * inner);
}

/* The smaller one of two bullets has not found out whether they meet, in a look that they share: the other one has to look,
 * too. Any thread. */
static inline void bullet_ask(struct world *world, uint32_t bullet, uint32_t other)
{
	if (other > bullet && bits_has(&world->fast_bullets, other))
		bits_set_shared(&world->asked_bullets, other);
}

/* Whether a body that was on another one's way has to be asked about once more, after bullets have been moved: not one that has
 * ended its way on that, with which it goes since; and where `again`, only such as have been moved. */
static inline bool bullet_stands_in(const struct world *world, uint32_t other, uint32_t body, bool again)
{
	const struct path_hit *hit =
		bits_has(&world->fast_bullets, other) ? &world->hits.data[world->bodies.data[other].row] : NULL;
	return hit != NULL && hit->moved ? hit->carrier != body : !again;
}

/* Whether the colliders of a swept proxy and of another one collide, by layers, joints and the filter. Any thread, but serial
 * where there is a filter. */
bool sweep_allowed(const struct world *world, uint32_t proxy, uint32_t other);
