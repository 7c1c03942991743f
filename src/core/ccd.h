/* ccd.h - continuous collision of bodies that moved far in a step: which bodies are swept, and their AABBs meanwhile. */
#pragma once
#include "core/path.h"

/* For bodies_finish; any thread, one thread per body. The body has its new pose, and a point of it may have moved through
 * something. */
void body_went_far(struct world *world, uint32_t body);

/* A body whose points all move by less than this fraction of a slop in a step is not swept, however thin it is. */
#define STIRS 0.01f

/* Whether the body moved far enough to pass through something thin: its centre of mass (`straight`) by more than half of
 * `inner`, the radius of the largest ball inside, or any of its points (`delta`) by more than half of `inner`. Points of a
 * compact dynamic body (`outer` < 3 `inner`) may move by three quarters, since they turn: Jolt's LinearCast allows that to the
 * centre (Rouwe, 2021). [length] */
static inline bool body_fast(
	const struct world *world, const struct body *body, float inner, float outer, float straight, float delta)
{
	if (!world->settings.continuous || body->colliders == NONE || !(delta > STIRS * LINEAR_SLOP * world->settings.length_scale))
		return false;
	bool compact = body->type == BODY_DYNAMIC && outer < 3.0f * inner;
	return straight > 0.5f * inner || delta > (compact ? 0.75f : 0.5f) * inner;
}

/* Takes back the bodies that would have passed through something, and refits the AABBs of all that were swept. Serial. */
void bodies_sweep(struct world *world);

/* For collide, any thread: marks the contact of a dynamic shape that has sunk into a static or kinematic one: its body is swept
 * however slow it is. `separation`: of the deepest new point. `unseen`: how far the bodies may move against each other before
 * they are collided again. `inner`: least distance of each shape's centroid from its surface. Sunk means deeper than SUNK times
 * the dynamic shape's `inner` and than the other's `inner`: the rest of its own is as far as it moves in a step without being
 * fast. The limit is lower for a shape so thin that it may move by more than the rest unseen. */
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

/* A relative displacement below this fraction of a slop hits nothing. */
#define STAYS 0.1f

/* How far a body may move relative to a dynamic one without passing through it [length]: by half of `inner`, the radius of the
 * ball inside the smaller of both, like a slow body. For an overtaken or sunk body by STAYS slops. */
static inline double free_path(const struct world *world, uint32_t id, double inner)
{
	double least = (double)(STAYS * LINEAR_SLOP * world->settings.length_scale);
	return bits_has(&world->overtaken_bodies, id) ? least : max_d(least, 0.5 * inner);
}

/* Of two bullets the one with the smaller id tests the pair for both. If its test does not decide whether they hit, this marks
 * the other one, which then tests the pair, too. Any thread. */
static inline void bullet_ask(struct world *world, uint32_t bullet, uint32_t other)
{
	if (other > bullet && bits_has(&world->fast_bullets, other))
		bits_set_shared(&world->asked_bullets, other);
}

/* Whether bullet `body` must be tested against `other` once more after bullets have been moved: against a moved bullet unless
 * `body` carried it to its end; against any other body unless `again` (only moved bullets are tested). */
static inline bool bullet_stands_in(const struct world *world, uint32_t other, uint32_t body, bool again)
{
	const struct path_hit *hit =
		bits_has(&world->fast_bullets, other) ? &world->hits.data[world->bodies.data[other].row] : NULL;
	return hit != NULL && hit->moved ? hit->carrier != body : !again;
}

/* Whether the colliders of a swept proxy and of another one collide, by layers, joints and the filter. Any thread, but serial
 * where there is a filter. */
bool sweep_allowed(const struct world *world, uint32_t proxy, uint32_t other);
