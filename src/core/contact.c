/* contact.c - see contact.h. */
#include "core/contact.h"
#include "base/cache.h"
#include "core/event.h"
#include "core/filter.h"
#include "core/graph.h"
#include "core/island.h"
#include "core/sleep.h"
#include "core/touched.h"
#include "core/travel.h"

#include <math.h>
#include <string.h>

bool contacts_reserve(struct world *world, uint32_t more)
{
	struct memory *memory = world->memory;
	uint32_t end = world->contact_ids.end + more;
	return ids_reserve(memory, &world->contact_ids, end) && array_reserve(memory, &world->contacts, end) &&
		array_reserve(memory, &world->travel_limits, end) &&
		array_grow(memory, (void **)&world->manifolds, &world->manifold_capacity, world->wing->manifold_size, end) &&
		pairset_reserve(memory, &world->pairs, world->pairs.count + more) &&
		bits_reserve(memory, &world->awake_contacts, end) && bits_reserve(memory, &world->following_contacts, end) &&
		bits_reserve(memory, &world->changed_contacts, end) && bits_reserve(memory, &world->hit_contacts, end) &&
		bits_reserve(memory, &world->border_contacts, end) && bits_reserve(memory, &world->deep_contacts, end) &&
		bits_reserve(memory, &world->plunged_contacts, end) && bits_reserve(memory, &world->parted_contacts, end) &&
		bits_reserve(memory, &world->sunk_contacts, end) && bits_reserve(memory, &world->asked_contacts, end) &&
		bits_reserve(memory, &world->barred_contacts, end) && bits_reserve(memory, &world->mixed_contacts, end) &&
		bits_reserve(memory, &world->touched[TOUCHED_CONTACTS], end) &&
		bits_reserve(memory, &world->touched[TOUCHED_LIMITS], end) &&
		bits_reserve(memory, &world->touched[TOUCHED_MANIFOLDS], end) && bits_reserve(memory, &world->passing_contacts, end);
}

/* --- Life ----------------------------------------------------------------------------------------------------------------- */

static float mix(enum mixing rule, float a, float b)
{
	switch (rule) {
	case MIX_AVERAGE: return 0.5f * (a + b);
	case MIX_MINIMUM: return a < b ? a : b;
	case MIX_MAXIMUM: return a > b ? a : b;
	case MIX_MULTIPLY: return a * b;
	default: return sqrtf(a * b);
	}
}

/* The rule for two materials: the later of their own; the world's when neither has one. */
static enum mixing mixing_of(uint8_t a, uint8_t b, enum mixing otherwise)
{
	uint8_t later = a > b ? a : b;
	return later > 0 ? (enum mixing)(later - 1) : otherwise;
}

struct material proxy_material(const struct world *world, uint32_t proxy, uint32_t contact)
{
	const struct collider *collider = &world->colliders.data[world->proxies.data[proxy].collider];
	struct material material = collider->material;
	const struct material *own = collider->part_materials ? world->wing->proxy_material(world, proxy, contact) : NULL;
	if (own != NULL)
		materials_override(&material, own);
	return material;
}

struct material contact_material(const struct world *world, uint32_t id, int side)
{
	return proxy_material(world, world->contacts.data[id].proxies[side], id);
}

struct contact_material materials_mix(const struct world *world, const struct material *a, const struct material *b)
{
	return (struct contact_material){
		.friction =
			mix(mixing_of(a->friction_mixing, b->friction_mixing, world->settings.friction_mixing), a->friction, b->friction),
		.restitution = mix(mixing_of(a->restitution_mixing, b->restitution_mixing, world->settings.restitution_mixing),
			a->restitution, b->restitution),
		.rolling_resistance = mix(MIX_MAXIMUM, a->rolling_resistance, b->rolling_resistance),
		.tangent_speed = a->tangent_speed + b->tangent_speed,
	};
}

void contact_mix(struct world *world, uint32_t id)
{
	record_touch_shared(world, TOUCHED_CONTACTS, id);
	const struct material a = contact_material(world, id, 0), b = contact_material(world, id, 1);
	*(struct contact_material *)manifold_row(world, id) = materials_mix(world, &a, &b);
}

static uint32_t contact_new(struct world *world, uint32_t proxy_a, uint32_t proxy_b, uint8_t flags)
{
	uint32_t id = ids_take(&world->contact_ids);
	world->contacts.count = world->contact_ids.end;
	struct contact *contact = &world->contacts.data[id];
	const struct collider *a = &world->colliders.data[world->proxies.data[proxy_a].collider];
	const struct collider *b = &world->colliders.data[world->proxies.data[proxy_b].collider];
	*contact = (struct contact){
		.link = link_make(a->body, b->body, 0),
		.proxies = {proxy_a, proxy_b},
		.colliders = {world->proxies.data[proxy_a].collider, world->proxies.data[proxy_b].collider},
		.follower = NONE,
	};
	contact->link.flags = flags;
	world->travel_limits.data[id] = (struct travel_limit){.bodies = {a->body, b->body}};
	if (a->sensor || b->sensor)
		contact->link.flags |= CONTACT_SENSOR;
	if (contact_has_others(world, id))
		link_attach_beside(world, LINK_CONTACT, id);
	else
		link_attach(world, LINK_CONTACT, id);
	memset(manifold_row(world, id), 0, world->wing->manifold_size);
	contact_mix(world, id);
	if ((contact->link.flags & CONTACT_SENSOR) == 0 &&
		(colliders_ask(world, contact->colliders) || colliders_one_way(world, contact->colliders)))
		bits_set(&world->asked_contacts, id);
	if (contact->link.flags & CONTACT_SENSOR)
		contact_collide_once(world, id);
	else
		contact_refresh(world, id);
	return id;
}

void contact_create(struct world *world, uint32_t proxy_a, uint32_t proxy_b)
{
	uint32_t last = contact_new(world, proxy_a, proxy_b, 0);
	pairset_add(&world->pairs, proxy_a, proxy_b);
	for (uint32_t more = pair_contacts(world, proxy_a, proxy_b) - 1; more > 0; --more) {
		uint32_t id = contact_new(world, proxy_a, proxy_b, CONTACT_FOLLOWS);
		world->contacts.data[last].follower = id;
		bits_set(&world->following_contacts, id);
		last = id;
	}
}

/* The contact no longer touches: reports its end event, and removes it from the island and the graph. */
static void contact_stop_touching(struct world *world, uint32_t id)
{
	struct contact *contact = &world->contacts.data[id];
	event_end(world, id);
	record_touch(world, TOUCHED_CONTACTS, id);
	contact->link.flags &= (uint8_t) ~(CONTACT_TOUCHING | CONTACT_SETTLED);
	--world->touching_count;
	world->overlap_count -= (contact->link.flags & CONTACT_SENSOR) != 0;
	link_untie(world, LINK_CONTACT, id);
}

/* Wakes both bodies if they touch, unless one collider is a sensor. */
static void contact_wake(struct world *world, uint32_t id)
{
	const struct link *link = &world->contacts.data[id].link;
	if ((link->flags & (CONTACT_TOUCHING | CONTACT_SENSOR)) == CONTACT_TOUCHING) {
		body_wake(world, link->bodies[0]);
		body_wake(world, link->bodies[1]);
	}
}

uint32_t contact_between(const struct world *world, const uint32_t colliders[2])
{
	uint32_t found = NONE, body = world->colliders.data[colliders[0]].body;
	for (uint32_t key = world->bodies.data[body].links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key)) {
		const struct contact *contact = &world->contacts.data[key / 2];
		uint32_t side = key & 1;
		if (contact->colliders[side] != colliders[0] || contact->colliders[!side] != colliders[1])
			continue;
		found = key / 2;
		if (contact->link.flags & CONTACT_TOUCHING)
			break;
	}
	return found;
}

uint32_t contact_surface_place(const struct world *world, uint32_t id)
{
	uint32_t low = 0, high = world->surfaces.count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (world->surfaces.data[middle].contact < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void surface_drop(struct world *world, uint32_t id)
{
	uint32_t i = contact_surface_place(world, id);
	if (i == world->surfaces.count || world->surfaces.data[i].contact != id)
		return;
	struct contact_surface *at = &world->surfaces.data[i];
	memmove(at, at + 1, (--world->surfaces.count - i) * sizeof *at);
}

/* Forgets the decision on the contact: see pre_solve.h. */
static void decision_clear(struct world *world, uint32_t id)
{
	if (world->pre_solve_colliders == 0 && ids_count(&world->one_way_ids) == 0 && !world->pre_solved)
		return;
	if (bits_has(&world->mixed_contacts, id))
		surface_drop(world, id);
	bits_clear(&world->asked_contacts, id);
	bits_clear(&world->barred_contacts, id);
	bits_clear(&world->mixed_contacts, id);
	bits_clear(&world->passing_contacts, id);
}

/* Destroys the contact. `wake`: contact_wake first. */
static void contact_destroy(struct world *world, uint32_t id, bool wake)
{
	struct contact *contact = &world->contacts.data[id];
	if (wake)
		contact_wake(world, id);
	if (contact->link.flags & CONTACT_TOUCHING)
		contact_stop_touching(world, id);
	bits_clear(&world->awake_contacts, id);
	bits_clear(&world->following_contacts, id);
	link_detach(world, LINK_CONTACT, id);
	if ((contact->link.flags & CONTACT_FOLLOWS) == 0)
		pairset_remove(&world->pairs, contact->proxies[0], contact->proxies[1]);
	bits_clear(&world->changed_contacts, id);
	bits_clear(&world->hit_contacts, id);
	bits_clear(&world->deep_contacts, id);
	bits_clear(&world->plunged_contacts, id);
	bits_clear(&world->sunk_contacts, id);
	decision_clear(world, id);
	record_touch(world, TOUCHED_CONTACTS, id);
	contact->link.valid = false;
	ids_give(&world->contact_ids, id);
}

/* Prefetches what a contact's begin or end reads and changes at its end `key`, but for its neighbours in lists. */
static void end_prefetch(const struct world *world, uint32_t key)
{
	const struct contact *contact = &world->contacts.data[key / 2];
	uint32_t side = key & 1, body = contact->link.bodies[side];
	cache_prefetch_line(&world->bodies.data[body]);
	cache_prefetch_line(&world->colliders.data[contact->colliders[side]].proxies);
	cache_prefetch_line(&world->proxies.data[contact->proxies[side]].next);
}

/* Prefetches the contact's neighbours in the list of the body at its end `key`. */
static void neighbours_prefetch(const struct world *world, uint32_t key)
{
	const struct link *link = &world->contacts.data[key / 2].link;
	const uint32_t neighbours[] = {link->next[key & 1], link->previous[key & 1]};
	for (int i = 0; i < 2; ++i)
		if (neighbours[i] != NONE)
			cache_prefetch_line(&world->contacts.data[neighbours[i] / 2].link.next);
}

/* Prefetches the contact's neighbours in its island, and the colour's last contact, which will take its place there. */
static void ties_prefetch(const struct world *world, uint32_t id)
{
	const struct contact *contacts = world->contacts.data;
	const struct link *link = &contacts[id].link;
	const uint32_t neighbours[] = {link->island.next, link->island.previous};
	for (int i = 0; i < 2; ++i)
		if (neighbours[i] != NONE)
			cache_prefetch_line(&contacts[neighbours[i]].link.island);
	if (link->colour != NO_COLOUR) {
		const struct colour *colour = &world->colours[link->colour];
		cache_prefetch_line(&contacts[colour->links[0].data[colour->links[0].count - 1].id].link.colour_index);
	}
}

/* Prefetches what contact_destroy reads and changes, but for the body at the end `key`. */
static void destroyed_prefetch(const struct world *world, uint32_t key)
{
	const struct contact *contact = &world->contacts.data[key / 2];
	end_prefetch(world, key ^ 1);
	neighbours_prefetch(world, key ^ 1);
	ties_prefetch(world, key / 2);
	pairset_prefetch(&world->pairs, contact->proxies[0], contact->proxies[1]);
}

void contacts_destroy_of_body(struct world *world, uint32_t body, bool wake)
{
	for (uint32_t key = world->bodies.data[body].links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key))
		destroyed_prefetch(world, key);
	while (world->bodies.data[body].links[LINK_CONTACT] != NONE)
		contact_destroy(world, world->bodies.data[body].links[LINK_CONTACT] / 2, wake);
}

void contacts_destroy_between(struct world *world, uint32_t body_a, uint32_t body_b)
{
	for (uint32_t key = world->bodies.data[body_a].links[LINK_CONTACT], next; key != NONE; key = next) {
		next = link_next(world, LINK_CONTACT, key);
		if (link_other_body(world, LINK_CONTACT, key) == body_b)
			contact_destroy(world, key / 2, true);
	}
}

void contacts_destroy_of_collider(struct world *world, uint32_t collider, bool wake)
{
	uint32_t body = world->colliders.data[collider].body;
	for (uint32_t key = world->bodies.data[body].links[LINK_CONTACT], next; key != NONE; key = next) {
		next = link_next(world, LINK_CONTACT, key);
		if (world->contacts.data[key / 2].colliders[key & 1] == collider)
			contact_destroy(world, key / 2, wake);
	}
}

void contacts_follow_edit(struct world *world, uint32_t body)
{
	for (uint32_t key = world->bodies.data[body].links[LINK_CONTACT], next; key != NONE; key = next) {
		uint32_t id = key / 2, proxy = world->contacts.data[id].proxies[key & 1];
		next = link_next(world, LINK_CONTACT, key);
		if (world->proxies.data[proxy].edit == EDIT_REMOVED) {
			contact_destroy(world, id, true);
		} else if (world->proxies.data[proxy].edit == EDIT_CHANGED) {
			contact_wake(world, id);
			record_touch(world, TOUCHED_CONTACTS, id);
			travel_forbid(world, id);
			world->wing->contact_forget(world, id);
		}
	}
}

static void contact_begin(struct world *world, uint32_t id)
{
	struct contact *contact = &world->contacts.data[id];
	record_touch(world, TOUCHED_CONTACTS, id);
	event_begin(world, id);
	/* A sleeping dynamic body wakes. An awake one keeps its rest time, or flickering contacts would keep a pile awake for
	 * ever. */
	for (int side = 0; side < 2 && (contact->link.flags & CONTACT_SENSOR) == 0; ++side) {
		const struct body *body = &world->bodies.data[contact->link.bodies[side]];
		if (body->set == SET_ASLEEP && body->type == BODY_DYNAMIC)
			body_wake(world, contact->link.bodies[side]);
	}
	contact->link.flags |= CONTACT_TOUCHING;
	++world->touching_count;
	if (contact->link.flags & CONTACT_SENSOR)
		++world->overlap_count;
	else
		island_link(world, LINK_CONTACT, id);
	contact_refresh(world, id);
}

static void once_end(struct world *world)
{
	const struct bits *awake = &world->awake_contacts;
	world->any_once = false;
	for (uint32_t id = bits_next(awake, 0); id != NONE; id = bits_next(awake, id + 1))
		if (world->contacts.data[id].link.flags & CONTACT_ONCE) {
			record_touch(world, TOUCHED_CONTACTS, id);
			world->contacts.data[id].link.flags &= (uint8_t)~CONTACT_ONCE;
			contact_refresh(world, id);
		}
}

static bool contact_begins(const struct world *world, uint32_t id)
{
	return (world->contacts.data[id].link.flags & (CONTACT_TOUCHES | CONTACT_TOUCHING)) == CONTACT_TOUCHES;
}

/* Reserves capacity for the beginning contacts: their events, their later ends, and the graph, where in the worst case all are
 * in the overflow. */
static bool begins_reserve(struct world *world)
{
	struct memory *memory = world->memory;
	struct events *events = &world->events;
	uint32_t begins[2] = {0, 0}; /* of contacts, of sensor contacts */
	for (uint32_t id = bits_next(&world->changed_contacts, 0); id != NONE; id = bits_next(&world->changed_contacts, id + 1))
		if (contact_begins(world, id))
			++begins[(world->contacts.data[id].link.flags & CONTACT_SENSOR) != 0];
	uint32_t touching = world->touching_count - world->overlap_count + begins[0], overlaps = world->overlap_count + begins[1];
	return array_reserve(memory, &events->begins, events->begins.count + begins[0]) &&
		array_reserve(memory, &events->overlap_begins, events->overlap_begins.count + 2 * begins[1]) &&
		array_reserve(memory, &events->ends.all, events->ends.all.count + touching) &&
		array_reserve(memory, &events->overlap_ends.all, events->overlap_ends.all.count + 2 * overlaps) &&
		array_reserve(memory, &world->colours[OVERFLOW].links[0], touching);
}

/* The contact's bodies are apart, or no longer touch. A body that a teleported one has left begins to move, at first slower
 * than bodies that rest. */
static void contact_end(struct world *world, uint32_t id)
{
	const struct link *link = &world->contacts.data[id].link;
	if (bits_has(&world->teleported_bodies, link->bodies[0]) || bits_has(&world->teleported_bodies, link->bodies[1]))
		contact_wake(world, id);
	if (link->flags & CONTACT_APART)
		contact_destroy(world, id, false);
	else
		contact_stop_touching(world, id);
}

/* Prefetches what contacts_commit reads and changes beside a changed contact. */
static void changed_prefetch(const struct world *world, uint32_t id)
{
	const struct contact *contact = &world->contacts.data[id];
	end_prefetch(world, 2 * id);
	end_prefetch(world, 2 * id + 1);
	if (contact_begins(world, id)) {
		cache_prefetch(manifold_row(world, id), world->wing->manifold_size);
		for (int side = 0; side < 2; ++side)
			cache_prefetch(body_row(world, contact->link.bodies[side]), CACHE_LINE);
		return;
	}
	ties_prefetch(world, id);
	if (contact->link.flags & CONTACT_APART) {
		neighbours_prefetch(world, 2 * id);
		neighbours_prefetch(world, 2 * id + 1);
		pairset_prefetch(&world->pairs, contact->proxies[0], contact->proxies[1]);
	}
}

/* The changed contact after `id`, prefetched; NONE: none. */
static uint32_t changed_next(const struct world *world, uint32_t id)
{
	uint32_t next = id == NONE ? NONE : bits_next(&world->changed_contacts, id + 1);
	if (next != NONE)
		changed_prefetch(world, next);
	return next;
}

/* Prefetches the first CONTACTS_AHEAD changed contacts, and returns the last of them. */
static uint32_t changed_ahead(const struct world *world)
{
	uint32_t id = bits_next(&world->changed_contacts, 0);
	for (int i = 0; i < CONTACTS_AHEAD && id != NONE; ++i)
		id = changed_next(world, id);
	return id;
}

/* Begins are processed before ends, so that a body that rolls from one segment of a chain to the next causes no end event. */
bool contacts_commit(struct world *world)
{
	const struct bits *changed = &world->changed_contacts;
	if (!begins_reserve(world)) {
		bits_clear_all(&world->changed_contacts); /* collide in the next step finds those again that are still awake */
		return false;
	}
	uint32_t ahead = changed_ahead(world);
	for (uint32_t id = bits_next(changed, 0); id != NONE; id = bits_next(changed, id + 1), ahead = changed_next(world, ahead))
		if (contact_begins(world, id))
			contact_begin(world, id);
	ahead = changed_ahead(world);
	for (uint32_t id = bits_next(changed, 0); id != NONE; id = bits_next(changed, id + 1), ahead = changed_next(world, ahead)) {
		uint8_t flags = world->contacts.data[id].link.flags;
		if ((flags & CONTACT_APART) || (flags & (CONTACT_TOUCHES | CONTACT_TOUCHING)) == CONTACT_TOUCHING)
			contact_end(world, id);
	}
	bits_clear_all(&world->changed_contacts);
	bits_clear_all(&world->teleported_bodies);
	if (world->any_once)
		once_end(world);
	return true;
}
