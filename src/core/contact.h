/* contact.h - the life of contacts: from overlapping AABBs, through touching, to separated AABBs.
 * A contact is awake, and updated by each narrow phase (which may keep its manifold, see travel.h), exactly when one of its
 * bodies is dynamic and awake. A sensor's contact is also awake while one is kinematic and awake, and for one step after its
 * creation or contact_collide_once. Each begin event is followed by exactly one end event. Two colliders may have several
 * contacts (chains, meshes): the begin event comes when the first of these touches, the end event when the last one stops.
 * Serial, but for functions that say otherwise. */
#pragma once
#include "core/core.h"
#include "core/link.h"
#include "core/touched.h"

#include <math.h>

/* Reserves capacity for `more` further contacts. False: no memory; no contact has changed. */
bool contacts_reserve(struct world *world, uint32_t more);
/* Creates all contacts of the two proxies; capacity must be reserved. */
void contact_create(struct world *world, uint32_t proxy_a, uint32_t proxy_b);
void contacts_destroy_of_body(struct world *world, uint32_t body, bool wake);
void contacts_destroy_between(struct world *world, uint32_t body_a, uint32_t body_b); /* wakes */
void contacts_destroy_of_collider(struct world *world, uint32_t collider, bool wake);
/* After an edit of the shape of a collider of the body: ends the contacts of removed proxies, and makes those of changed ones
 * be found anew: see edit.h. Wakes the bodies that touched them. */
void contacts_follow_edit(struct world *world, uint32_t body);
/* The material of one side of the contact, where it touches. Any thread. */
struct material contact_material(const struct world *world, uint32_t contact, int side);
/* The material at a proxy; of a mesh or height field, where the contact touches, or the collider's if `contact` is NONE. Any
 * thread. */
struct material proxy_material(const struct world *world, uint32_t proxy, uint32_t contact);
/* A contact between the two colliders: one that touches, if there is any; NONE: there is none. */
uint32_t contact_between(const struct world *world, const uint32_t colliders[2]);
/* Mixes two materials: friction and restitution by the later of their own rules, else by the world's; maximum rolling
 * resistance, sum of tangent speeds. Any thread. */
struct contact_material materials_mix(const struct world *world, const struct material *a, const struct material *b);
void contact_mix(struct world *world, uint32_t contact); /* renews the contact's material; any thread, each contact by one */
/* Updates events, islands and colours by the results of collide, in id order. False: no memory; nothing is changed, and the
 * next step tries again. */
bool contacts_commit(struct world *world);
/* The index of the contact in world->surfaces, which are in the order of contacts, or where it would be. */
uint32_t contact_surface_place(const struct world *world, uint32_t id);

/* Number of sub-steps of the last step with dt > 0. */
static inline float last_substeps(const struct world *world)
{
	return world->last_h > 0.0f ? roundf(world->last_dt / world->last_h) : 0.0f;
}

/* The result of a contact in border_contacts, collided alone. */
static inline void *border_row(const struct world *world, uint32_t contact)
{
	uint64_t before = bits_word(&world->border_contacts, contact / 64) & ((UINT64_C(1) << contact % 64) - 1);
	uint32_t index = world->border_firsts.data[contact / 64] + (uint32_t)__builtin_popcountll(before);
	return world->border_rows + index * world->wing->border_size;
}

/* Whether the user's function decides on the contacts of two colliders: see pre_solve.h. */
static inline bool colliders_ask(const struct world *world, const uint32_t colliders[2])
{
	return world->pre_solve_colliders > 0 &&
		(world->colliders.data[colliders[0]].pre_solve || world->colliders.data[colliders[1]].pre_solve);
}

/* Whether one of two colliders is solid from one side only: see one_way.h. */
static inline bool colliders_one_way(const struct world *world, const uint32_t colliders[2])
{
	return ids_count(&world->one_way_ids) > 0 &&
		(world->colliders.data[colliders[0]].one_way != NONE || world->colliders.data[colliders[1]].one_way != NONE);
}

/* Whether the fat AABBs still overlap. Any thread. */
static inline bool contact_boxes_overlap(const struct world *world, const struct contact *contact)
{
	const struct proxy *a = &world->proxies.data[contact->proxies[0]], *b = &world->proxies.data[contact->proxies[1]];
	if (proxy_unbounded(a))
		return world->wing->proxy_overlaps_box(world, contact->proxies[0], &b->box);
	if (proxy_unbounded(b))
		return world->wing->proxy_overlaps_box(world, contact->proxies[1], &a->box);
	return box_overlaps(&a->box, &b->box);
}

/* Stores the result of collide for a contact. apart: its AABBs no longer overlap. Any thread, each contact by one. */
static inline void contact_found(struct world *world, uint32_t id, bool apart, bool touches)
{
	const struct contact *contact = &world->contacts.data[id];
	uint32_t kept = contact->link.flags & ~(uint32_t)(CONTACT_APART | CONTACT_TOUCHES);
	contact_set_flags(world, id, kept | (apart ? CONTACT_APART : 0) | (touches ? CONTACT_TOUCHES : 0));
	if (apart || touches != ((contact->link.flags & CONTACT_TOUCHING) != 0))
		bits_set_shared(&world->changed_contacts, id);
}

/* Visits the contacts by which the body at the end `key` of a contact may rest on a face that the other body's shape continues:
 * its contacts with the other body and, if that is fixed, with all fixed ones. Returns the key that follows `after` (NONE: the
 * first), at the end of the same body; NONE: no more. Any thread. */
static inline uint32_t support_next(const struct world *world, uint32_t key, uint32_t after)
{
	uint32_t at;
	if (!body_fixed(world, link_other_body(world, LINK_CONTACT, key))) {
		at = after == NONE ? link_run_first(world, LINK_CONTACT, key) : link_run_next(world, LINK_CONTACT, after);
		return at == key ? link_run_next(world, LINK_CONTACT, at) : at;
	}
	at = after == NONE ? world->bodies.data[world->contacts.data[key / 2].link.bodies[key & 1]].links[LINK_CONTACT]
					   : link_next(world, LINK_CONTACT, after);
	while (at != NONE && (at == key || !body_fixed(world, link_other_body(world, LINK_CONTACT, at))))
		at = link_next(world, LINK_CONTACT, at);
	return at;
}
