/* narrow_phase.c - see contact.h. */
#include "core/contact.h"
#include "core/body.h"
#include "core/graph.h"
#include "core/island.h"
#include "core/travel.h"

#include <math.h>
#include <string.h>

bool contacts_reserve(struct world *world, uint32_t more)
{
	struct memory *memory = world->memory;
	uint32_t end = world->contact_ids.end + more;
	return ids_reserve(memory, &world->contact_ids, end) && array_reserve(memory, &world->contacts, end) &&
		(!world->wing->counts_travel || array_reserve(memory, &world->travel_limits, end)) &&
		array_grow(memory, (void **)&world->manifolds, &world->manifold_capacity, world->wing->manifold_size, end) &&
		pairset_reserve(memory, &world->pairs, world->pairs.count + more) &&
		bits_reserve(memory, &world->awake_contacts, end) && bits_reserve(memory, &world->changed_contacts, end) &&
		bits_reserve(memory, &world->hit_contacts, end) && bits_reserve(memory, &world->border_contacts, end) &&
		bits_reserve(memory, &world->deep_contacts, end) && bits_reserve(memory, &world->plunged_contacts, end) &&
		bits_reserve(memory, &world->parted_contacts, end) && bits_reserve(memory, &world->sunk_contacts, end);
}

/* --- Events --------------------------------------------------------------------------------------------------------------- */

/* Those delivered after the last step go. */
static void ends_begin(struct end_events *ends)
{
	if (ends->delivered > 0)
		memmove(ends->all.data, ends->all.data + ends->delivered, (ends->all.count - ends->delivered) * sizeof *ends->all.data);
	ends->delivered = ends->all.count -= ends->delivered;
}

void events_begin(struct world *world)
{
	struct events *events = &world->events;
	array_empty(world->memory, &events->begins);
	array_empty(world->memory, &events->overlap_begins);
	array_empty(world->memory, &events->hits);
	events->moves.count = 0;
	ends_begin(&events->ends);
	ends_begin(&events->overlap_ends);
}

/* The colliders as events name them: a sensor comes first. */
static void event_colliders(const struct world *world, const struct contact *contact, struct handle *a, struct handle *b)
{
	bool swap = (contact->edge.flags & CONTACT_SENSOR) && world->colliders.data[contact->colliders[1]].sensor;
	*a = collider_handle(world, contact->colliders[swap]);
	*b = collider_handle(world, contact->colliders[!swap]);
}

static bool collider_in_parts(const struct world *world, uint32_t collider)
{
	uint32_t first = world->colliders.data[collider].proxies;
	return first != NONE && world->proxies.data[first].next != NONE;
}

static bool same_colliders(const struct contact *a, const struct contact *b)
{
	return (a->colliders[0] == b->colliders[0] && a->colliders[1] == b->colliders[1]) ||
		(a->colliders[0] == b->colliders[1] && a->colliders[1] == b->colliders[0]);
}

/* From the key of a body's contact on, the first contact of the same two colliders but for this one; NONE: no more. */
static uint32_t other_part_from(const struct world *world, uint32_t id, uint32_t key)
{
	const struct contact *contacts = world->contacts.data;
	while (key != NONE && (key / 2 == id || !same_colliders(&contacts[key / 2], &contacts[id])))
		key = edge_next(world, EDGE_CONTACT, key);
	return key;
}

/* The first of them, by the body that has fewer. */
static uint32_t other_part_first(const struct world *world, uint32_t id)
{
	const struct contact *contact = &world->contacts.data[id];
	bool alone = contact->follower == NONE && (contact->edge.flags & CONTACT_FOLLOWS) == 0;
	if (alone && !collider_in_parts(world, contact->colliders[0]) && !collider_in_parts(world, contact->colliders[1]))
		return NONE;
	const struct body *bodies = world->bodies.data;
	uint32_t side =
		bodies[contact->edge.bodies[1]].edge_counts[EDGE_CONTACT] < bodies[contact->edge.bodies[0]].edge_counts[EDGE_CONTACT];
	return other_part_from(world, id, bodies[contact->edge.bodies[side]].edges[EDGE_CONTACT]);
}

static uint32_t other_part_next(const struct world *world, uint32_t id, uint32_t key)
{
	return other_part_from(world, id, edge_next(world, EDGE_CONTACT, key));
}

/* Whether the same two colliders touch elsewhere: then this contact neither begins nor ends anything. */
static bool other_parts_touch(const struct world *world, uint32_t id)
{
	for (uint32_t key = other_part_first(world, id); key != NONE; key = other_part_next(world, id, key))
		if (world->contacts.data[key / 2].edge.flags & CONTACT_TOUCHING)
			return true;
	return false;
}

static void report_begin(struct world *world, uint32_t id)
{
	if (other_parts_touch(world, id))
		return;
	const struct contact *contact = &world->contacts.data[id];
	struct contact_event event = {.speed = 0.0f};
	event_colliders(world, contact, &event.a, &event.b);
	world->wing->contact_place(world, id, event.place, &event.speed);
	if (contact->edge.flags & CONTACT_SENSOR)
		array_push(&world->events.overlap_begins, event);
	else
		array_push(&world->events.begins, event);
}

static void report_end(struct world *world, uint32_t id)
{
	if (other_parts_touch(world, id))
		return;
	const struct contact *contact = &world->contacts.data[id];
	struct end_events *ends = contact->edge.flags & CONTACT_SENSOR ? &world->events.overlap_ends : &world->events.ends;
	struct end_event event;
	event_colliders(world, contact, &event.a, &event.b);
	array_push(&ends->all, event);
	if (world->locked)
		ends->delivered = ends->all.count;
}

/* Whether the same two colliders hit each other elsewhere, faster: an impact is told once. */
static bool other_parts_hit(const struct world *world, uint32_t id, float speed)
{
	for (uint32_t key = other_part_first(world, id); key != NONE; key = other_part_next(world, id, key)) {
		double place[PLACE_NUMBERS];
		float other = -1.0f;
		if (bits_has(&world->hit_contacts, key / 2))
			world->wing->contact_place(world, key / 2, place, &other);
		if (other > speed || (other == speed && key / 2 < id))
			return true;
	}
	return false;
}

bool contacts_report_hits(struct world *world)
{
	struct events *events = &world->events;
	if (!array_reserve(world->memory, &events->hits, bits_count(&world->hit_contacts)))
		return false;
	for (uint32_t id = bits_next(&world->hit_contacts, 0); id != NONE; id = bits_next(&world->hit_contacts, id + 1)) {
		struct contact_event event;
		event_colliders(world, &world->contacts.data[id], &event.a, &event.b);
		world->wing->contact_place(world, id, event.place, &event.speed);
		if (!other_parts_hit(world, id, event.speed))
			array_push(&events->hits, event);
	}
	return true;
}

/* --- Waking --------------------------------------------------------------------------------------------------------------- */

static bool contact_stirs(const struct world *world, const struct contact *contact)
{
	const struct body *a = &world->bodies.data[contact->edge.bodies[0]], *b = &world->bodies.data[contact->edge.bodies[1]];
	bool sensor = (contact->edge.flags & CONTACT_SENSOR) != 0;
	return (contact->edge.flags & CONTACT_LOOK) || (a->set == SET_AWAKE && (sensor || a->type == BODY_DYNAMIC)) ||
		(b->set == SET_AWAKE && (sensor || b->type == BODY_DYNAMIC));
}

void contact_refresh(struct world *world, uint32_t id)
{
	struct contact *contact = &world->contacts.data[id];
	bool stirs = contact_stirs(world, contact);
	if (world->wing->counts_travel)
		travel_forbid(world, id);
	if (stirs && (contact->edge.flags & CONTACT_FOLLOWS) == 0)
		bits_set(&world->awake_contacts, id);
	else
		bits_clear(&world->awake_contacts, id);
	bool solved = stirs && (contact->edge.flags & (CONTACT_TOUCHING | CONTACT_SENSOR)) == CONTACT_TOUCHING;
	if (solved && contact->edge.colour == NO_COLOUR)
		graph_add(world, EDGE_CONTACT, id);
	else if (!solved && contact->edge.colour != NO_COLOUR)
		graph_remove(world, EDGE_CONTACT, id);
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

struct material contact_material(const struct world *world, uint32_t id, int side)
{
	struct material material = world->colliders.data[world->contacts.data[id].colliders[side]].material;
	if (world->wing->contact_material != NULL)
		world->wing->contact_material(world, id, side, &material);
	return material;
}

struct contact_material materials_mix(const struct world *world, const struct material *a, const struct material *b)
{
	return (struct contact_material){
		.friction = mix(world->settings.friction_mixing, a->friction, b->friction),
		.restitution = mix(world->settings.restitution_mixing, a->restitution, b->restitution),
		.rolling_resistance = mix(MIX_MAXIMUM, a->rolling_resistance, b->rolling_resistance),
		.tangent_speed = a->tangent_speed + b->tangent_speed,
	};
}

void contact_mix(struct world *world, uint32_t id)
{
	const struct material a = contact_material(world, id, 0), b = contact_material(world, id, 1);
	*(struct contact_material *)manifold_row(world, id) = materials_mix(world, &a, &b);
}

uint32_t pair_contacts(const struct world *world, uint32_t proxy_a, uint32_t proxy_b)
{
	const struct collider *a = &world->colliders.data[world->proxies.data[proxy_a].collider];
	const struct collider *b = &world->colliders.data[world->proxies.data[proxy_b].collider];
	return world->wing->pair_contacts == NULL || a->sensor || b->sensor ? 1 : world->wing->pair_contacts(a->shape, b->shape);
}

static uint32_t contact_new(struct world *world, uint32_t proxy_a, uint32_t proxy_b, uint8_t flags)
{
	uint32_t id = ids_take(&world->contact_ids);
	if (id == world->contacts.count)
		++world->contacts.count;
	struct contact *contact = &world->contacts.data[id];
	const struct collider *a = &world->colliders.data[world->proxies.data[proxy_a].collider];
	const struct collider *b = &world->colliders.data[world->proxies.data[proxy_b].collider];
	*contact = (struct contact){
		.edge = edge_make(a->body, b->body, 0),
		.proxies = {proxy_a, proxy_b},
		.colliders = {world->proxies.data[proxy_a].collider, world->proxies.data[proxy_b].collider},
		.follower = NONE,
	};
	contact->edge.flags = flags;
	if (world->wing->counts_travel)
		world->travel_limits.data[id] = (struct travel_limit){.bodies = {a->body, b->body}};
	if (a->sensor || b->sensor)
		contact->edge.flags |= CONTACT_SENSOR;
	edge_link(world, EDGE_CONTACT, id);
	memset(manifold_row(world, id), 0, world->wing->manifold_size);
	contact_mix(world, id);
	if (contact->edge.flags & CONTACT_SENSOR)
		contact_look(world, id);
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
		last = id;
	}
}

/* It touches no more: out of the events, the island and the graph. */
static void contact_part(struct world *world, uint32_t id)
{
	struct contact *contact = &world->contacts.data[id];
	report_end(world, id);
	contact->edge.flags &= (uint8_t) ~(CONTACT_TOUCHING | CONTACT_SETTLED);
	--world->touching_count;
	world->overlap_count -= (contact->edge.flags & CONTACT_SENSOR) != 0;
	if (contact->edge.island != NONE)
		island_unlink(world, EDGE_CONTACT, id);
	if (contact->edge.colour != NO_COLOUR)
		graph_remove(world, EDGE_CONTACT, id);
}

void contact_destroy(struct world *world, uint32_t id, bool wake)
{
	struct contact *contact = &world->contacts.data[id];
	bool held = (contact->edge.flags & (CONTACT_TOUCHING | CONTACT_SENSOR)) == CONTACT_TOUCHING;
	if (wake && held) {
		body_wake(world, contact->edge.bodies[0]);
		body_wake(world, contact->edge.bodies[1]);
	}
	if (contact->edge.flags & CONTACT_TOUCHING)
		contact_part(world, id);
	bits_clear(&world->awake_contacts, id);
	edge_unlink(world, EDGE_CONTACT, id);
	if ((contact->edge.flags & CONTACT_FOLLOWS) == 0)
		pairset_remove(&world->pairs, contact->proxies[0], contact->proxies[1]);
	bits_clear(&world->changed_contacts, id);
	bits_clear(&world->hit_contacts, id);
	bits_clear(&world->deep_contacts, id);
	bits_clear(&world->plunged_contacts, id);
	bits_clear(&world->sunk_contacts, id);
	contact->edge.valid = false;
	ids_give(&world->contact_ids, id);
}

void contacts_destroy_of_body(struct world *world, uint32_t body, bool wake)
{
	while (world->bodies.data[body].edges[EDGE_CONTACT] != NONE)
		contact_destroy(world, world->bodies.data[body].edges[EDGE_CONTACT] / 2, wake);
}

void contacts_destroy_between(struct world *world, uint32_t body_a, uint32_t body_b)
{
	for (uint32_t key = world->bodies.data[body_a].edges[EDGE_CONTACT], next; key != NONE; key = next) {
		next = edge_next(world, EDGE_CONTACT, key);
		if (edge_other_body(world, EDGE_CONTACT, key) == body_b)
			contact_destroy(world, key / 2, true);
	}
}

void contacts_destroy_of_collider(struct world *world, uint32_t collider, bool wake)
{
	uint32_t body = world->colliders.data[collider].body;
	for (uint32_t key = world->bodies.data[body].edges[EDGE_CONTACT], next; key != NONE; key = next) {
		next = edge_next(world, EDGE_CONTACT, key);
		if (world->contacts.data[key / 2].colliders[key & 1] == collider)
			contact_destroy(world, key / 2, wake);
	}
}

static void contact_begin(struct world *world, uint32_t id)
{
	struct contact *contact = &world->contacts.data[id];
	report_begin(world, id);
	/* A sleeper wakes, unless nothing moves it; one that is awake keeps its rest time, or contacts that flicker would keep a
	 * pile awake for ever. */
	for (int side = 0; side < 2 && (contact->edge.flags & CONTACT_SENSOR) == 0; ++side) {
		const struct body *body = &world->bodies.data[contact->edge.bodies[side]];
		if (body->set == SET_ASLEEP && body->type == BODY_DYNAMIC)
			body_wake(world, contact->edge.bodies[side]);
	}
	contact->edge.flags |= CONTACT_TOUCHING;
	++world->touching_count;
	if (contact->edge.flags & CONTACT_SENSOR)
		++world->overlap_count;
	else
		island_link(world, EDGE_CONTACT, id);
	contact_refresh(world, id);
}

void contact_look(struct world *world, uint32_t id)
{
	world->contacts.data[id].edge.flags |= CONTACT_LOOK;
	world->looks = true;
	contact_refresh(world, id);
}

static void looks_end(struct world *world)
{
	const struct bits *awake = &world->awake_contacts;
	world->looks = false;
	for (uint32_t id = bits_next(awake, 0); id != NONE; id = bits_next(awake, id + 1))
		if (world->contacts.data[id].edge.flags & CONTACT_LOOK) {
			world->contacts.data[id].edge.flags &= (uint8_t)~CONTACT_LOOK;
			contact_refresh(world, id);
		}
}

static bool contact_begins(const struct world *world, uint32_t id)
{
	return (world->contacts.data[id].edge.flags & (CONTACT_TOUCHES | CONTACT_TOUCHING)) == CONTACT_TOUCHES;
}

/* Room for what begins: its events, its end whenever that comes, and its place in the graph, where in the worst case all are in
 * the overflow. */
static bool begins_reserve(struct world *world)
{
	struct memory *memory = world->memory;
	struct events *events = &world->events;
	uint32_t begins[2] = {0, 0}; /* of contacts, of sensors' */
	for (uint32_t id = bits_next(&world->changed_contacts, 0); id != NONE; id = bits_next(&world->changed_contacts, id + 1))
		if (contact_begins(world, id))
			++begins[(world->contacts.data[id].edge.flags & CONTACT_SENSOR) != 0];
	uint32_t touching = world->touching_count - world->overlap_count + begins[0], overlaps = world->overlap_count + begins[1];
	return array_reserve(memory, &events->begins, begins[0]) && array_reserve(memory, &events->overlap_begins, begins[1]) &&
		array_reserve(memory, &events->ends.all, events->ends.all.count + touching) &&
		array_reserve(memory, &events->overlap_ends.all, events->overlap_ends.all.count + overlaps) &&
		array_reserve(memory, &world->colours[OVERFLOW].edges[0], touching);
}

/* Begins go before ends, so that what rolls from one part of a chain to the next does not end in between. */
bool contacts_commit(struct world *world)
{
	const struct bits *changed = &world->changed_contacts;
	if (!begins_reserve(world)) {
		bits_clear_all(&world->changed_contacts); /* whoever is still awake in the next step is found again */
		return false;
	}
	for (uint32_t id = bits_next(changed, 0); id != NONE; id = bits_next(changed, id + 1))
		if (contact_begins(world, id))
			contact_begin(world, id);
	for (uint32_t id = bits_next(changed, 0); id != NONE; id = bits_next(changed, id + 1)) {
		uint8_t flags = world->contacts.data[id].edge.flags;
		if (flags & CONTACT_APART)
			contact_destroy(world, id, false);
		else if ((flags & (CONTACT_TOUCHES | CONTACT_TOUCHING)) == CONTACT_TOUCHING)
			contact_part(world, id);
	}
	bits_clear_all(&world->changed_contacts);
	if (world->looks)
		looks_end(world);
	return true;
}
