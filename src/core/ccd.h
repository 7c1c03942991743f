/* ccd.h - continuous collision of bodies that moved far in a step: which bodies are swept, and their AABBs during the sweep. */
#pragma once
#include "core/path.h"

/* Marks a body for continuous collision, since one of its points may have passed through an obstacle on the way to the new
 * pose. Called by bodies_finish, on any thread, each body by one, and serially by bodies_sweep. */
void body_went_far(struct world *world, uint32_t body);

/* Whether the body may have passed through a thin obstacle: whether `straight` or `delta` is more than half of `inner`.
 * `straight`: displacement of its centre of mass; `delta`: upper bound on that of its points; `inner`, `outer`: as in struct
 * body_line [length]. For a compact dynamic body (`outer` < 3 `inner`) the limit on `delta` is three quarters of `inner`, as
 * Jolt's LinearCast has for the centre (Rouwe, 2021). False if `delta` is at most STIRS slops, without colliders, and without
 * continuous collision. */
static inline bool body_fast(
	const struct world *world, const struct body *body, float inner, float outer, float straight, float delta)
{
	if (!world->settings.continuous || body->colliders == NONE || !(delta > STIRS * LINEAR_SLOP * world->settings.length_scale))
		return false;
	bool compact = body->type == BODY_DYNAMIC && outer < 3.0f * inner;
	return straight > 0.5f * inner || delta > (compact ? 0.75f : 0.5f) * inner;
}

/* Whether bodies_sweep has work. */
bool bodies_to_sweep(const struct world *world);

/* Sweeps all marked bodies: takes back those that would have passed through an obstacle, and refits their AABBs. Serial. */
void bodies_sweep(struct world *world);

/* Marks the contact of a dynamic shape that has sunk into a bounded static or kinematic one; the dynamic shape's body is then
 * swept, however slow it is. Unmarks other contacts. The shape has sunk in if it is deeper than
 *   min(max(SUNK own, other), own / 2 + other - unseen)
 * `own`: `inner` of the dynamic shape; `other`: that of the other shape. A body that is not fast moves by up to own / 2 in a
 * step. `separation`: of the deepest new point; `unseen`: how far the bodies may move relative to each other before they are
 * collided again; `inner`: least distance of each shape's centroid from its surface [length]. Called by collide, on any
 * thread. */
#define SUNK 0.25f
static inline void contact_sinks(struct world *world, uint32_t id, float separation, float unseen, const float inner[2])
{
	/* Most contacts are not even as deep as both limits: then the bodies, two cache lines, are not read. */
	float least = min_f(inner[0], inner[1]);
	if (-separation <= min_f(least, 1.5f * least - unseen)) {
		bits_clear_shared(&world->sunk_contacts, id);
		return;
	}
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
