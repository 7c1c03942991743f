/* ccd.h - continuous collision of bodies that moved far in a step: which bodies are swept, and their AABBs meanwhile. */
#pragma once
#include "core/path.h"

/* For bodies_finish; any thread, one thread per body. The body has its new pose, and a point of it may have moved through
 * something. */
void body_went_far(struct world *world, uint32_t body);

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
	if (moves[0] != moves[1] && -separation > most && !proxy_unbounded(&world->proxies.data[contact->proxies[!mover]]))
		bits_set_shared(&world->sunk_contacts, id);
	else
		bits_clear_shared(&world->sunk_contacts, id);
}
