/* one_way.c - see one_way.h. */
#include "core/one_way.h"
#include "core/contact.h"
#include "core/link.h"
#include "core/sleep.h"

enum { ENTRY_SLOPS = 2 }; /* least overlap of what is halfway through */
#define ENTRY_COSINE 0.5 /* of the greatest angle between the normals of a new contact and of the collider */
#define DROP_TIME 0.25f /* longest time for which a drop goes on until the body is halfway through [s] */

/* --- Drops ---------------------------------------------------------------------------------------------------------------- */

static struct drop *drop_of(const struct world *world, uint32_t body)
{
	for (uint32_t i = 0; i < world->drops.count; ++i)
		if (world->drops.data[i].body == body)
			return &world->drops.data[i];
	return NULL;
}

bool body_drop_through(struct world *world, uint32_t body, uint32_t ticks)
{
	struct drop drop = {body, world->bodies.data[body].generation, ticks, DROP_TIME};
	struct drop *before = drop_of(world, body);
	if (!array_reserve(world->memory, &world->drops, world->drops.count + 1))
		return false;
	body_wake(world, body);
	bits_set(&world->dropping_bodies, body);
	if (before)
		*before = drop;
	else
		array_push(&world->drops, drop);
	return true;
}

void one_way_begin(struct world *world, float dt)
{
	for (uint32_t i = world->drops.count; i-- > 0;) {
		struct drop *drop = &world->drops.data[i];
		uint32_t body = drop->body;
		bool here = bits_has(&world->unfinished_drops, body);
		bits_clear(&world->unfinished_drops, body);
		if (world->bodies.data[body].generation == drop->generation) {
			if (drop->ticks > 0) {
				--drop->ticks;
				continue;
			}
			drop->time -= dt;
			if (here && drop->time > 0.0f)
				continue;
		}
		bits_clear(&world->dropping_bodies, body);
		array_swap_remove(&world->drops, i);
	}
}

/* --- Decisions ------------------------------------------------------------------------------------------------------------ */

/* Whether a contact of the same two colliders, as with another segment of a chain, touched in the last step. */
static bool touches_beside(const struct world *world, const struct contact *contact)
{
	uint32_t body = link_fewer(world, LINK_CONTACT, contact->link.bodies[0], contact->link.bodies[1]);
	for (uint32_t key = world->bodies.data[body].links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key)) {
		const struct contact *other = &world->contacts.data[key / 2];
		int turned = other->colliders[0] != contact->colliders[0];
		if ((other->link.flags & CONTACT_TOUCHING) && other->colliders[turned] == contact->colliders[0] &&
			other->colliders[!turned] == contact->colliders[1])
			return true;
	}
	return false;
}

/* Cosine of the angle between a one-way collider's normal and `normal`. */
static double cosine_to(const struct world *world, const struct collider *collider, struct vec3 normal)
{
	struct frame3 frame = world->wing->body_frame(world, collider->body);
	return vec3_dot(normal, frame3_out(&frame, vec3_widen(world->one_way_normals.data[collider->one_way].normal)));
}

/* Whether the contact passes the one-way collider on this side, whose surface has the normal. `overlap`: of the shapes, without
 * what they may have overlapped in the last step, when they met. */
static bool side_passes(const struct world *world, const struct contact *contact, int side, struct vec3 normal, float overlap)
{
	const struct collider *collider = &world->colliders.data[contact->colliders[side]];
	double cosine = cosine_to(world, collider, normal);
	if (contact->link.flags & CONTACT_TOUCHING)
		return cosine <= 0.0;
	return cosine < ENTRY_COSINE || (overlap > 0.0f && !touches_beside(world, contact));
}

/* Whether the body on a side drops through the collider on the other. */
static bool drops(struct world *world, const struct contact *contact, int side, float overlap)
{
	uint32_t body = contact->link.bodies[side];
	if (world->drops.count == 0 || !bits_has(&world->dropping_bodies, body))
		return false;
	if (overlap <= 0.0f)
		bits_set(&world->unfinished_drops, body);
	return true;
}

bool one_way_passes(struct world *world, uint32_t id, const struct contact_view *view, float speed)
{
	const struct contact *contact = &world->contacts.data[id];
	float overlap = -INFINITY, entry = (float)ENTRY_SLOPS * LINEAR_SLOP * world->settings.length_scale;
	for (int i = 0; i < view->count; ++i)
		overlap = max_f(overlap, -view->separations[i] - entry);
	bool inside = bits_has(&world->passing_contacts, id), passes = false;
	for (int side = 0; side < 2 && !passes; ++side)
		if (world->colliders.data[contact->colliders[side]].one_way != NONE)
			passes = drops(world, contact, !side, overlap) ||
				side_passes(world, contact, side, vec3_scale(side == 0 ? 1.0 : -1.0, view->normal),
					inside ? overlap : overlap - max_f(0.0f, speed) * world->last_dt);
	if (passes && overlap > 0.0f)
		bits_set(&world->passing_contacts, id);
	else
		bits_clear(&world->passing_contacts, id);
	return passes;
}

bool one_way_lets_pass(const struct world *world, const uint32_t colliders[2], struct vec3 normal)
{
	for (int side = 0; side < 2; ++side) {
		const struct collider *collider = &world->colliders.data[colliders[side]];
		uint32_t other = world->colliders.data[colliders[!side]].body;
		if (collider->one_way == NONE)
			continue;
		if ((world->drops.count > 0 && bits_has(&world->dropping_bodies, other)) ||
			cosine_to(world, collider, vec3_scale(side == 0 ? 1.0 : -1.0, normal)) < ENTRY_COSINE)
			return true;
	}
	return false;
}
