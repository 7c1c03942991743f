/* event.c - see event.h. */
#include "core/event.h"
#include "core/link.h"
#include "core/path.h"

#include <string.h>

/* Removes the events delivered after the last step unless `keep`, and delivers those raised since. */
static void ends_begin(struct end_events *ends, bool keep)
{
	uint32_t told = keep ? 0 : ends->delivered;
	if (told > 0)
		memmove(ends->all.data, ends->all.data + told, (ends->all.count - told) * sizeof *ends->all.data);
	ends->delivered = ends->all.count -= told;
}

void events_begin(struct world *world, bool keep)
{
	struct events *events = &world->events;
	ends_begin(&events->ends, keep);
	ends_begin(&events->overlap_ends, keep);
	events->moves_begin = events->moves.count = keep ? events->moves.count : 0;
	if (keep)
		return;
	array_empty(world->memory, &events->begins);
	array_empty(world->memory, &events->overlap_begins);
	array_empty(world->memory, &events->hits);
	bits_clear_all(&events->woke);
	bits_clear_all(&events->slept);
}

/* The colliders in the order of events: a sensor comes first. */
static void event_colliders(const struct world *world, const struct contact *contact, struct handle *a, struct handle *b)
{
	bool swap = (contact->link.flags & CONTACT_SENSOR) && world->colliders.data[contact->colliders[1]].sensor;
	*a = collider_handle(world, contact->colliders[swap]);
	*b = collider_handle(world, contact->colliders[!swap]);
}

double point_mobility(const struct world *world, uint32_t body, struct vec3 arm, struct vec3 axis)
{
	float inv_mass[3];
	body_inverse_mass(world, body, inv_mass);
	struct mat3 inv_inertia = world->wing->sweep->inverse_inertia(world, body);
	return (double)inv_mass[0] * axis.x * axis.x + (double)inv_mass[1] * axis.y * axis.y +
		(double)inv_mass[2] * axis.z * axis.z + turn_mobility(&inv_inertia, arm, axis);
}

float hit_energy(double mobility, double speed)
{
	return mobility > 0.0 ? (float)(0.5 * speed * speed / mobility) : 0.0f;
}

/* Energy of the approach of the contact's bodies at the event's point. */
static float contact_energy(const struct world *world, const uint32_t bodies[2], const struct contact_event *event)
{
	int dimensions = world->wing->dimensions;
	struct vec3 point = vec3_of(event->point_normal), normal = vec3_of(event->point_normal + dimensions);
	if (dimensions == 2)
		point.z = normal.z = 0.0;
	double mobility = 0.0;
	for (int side = 0; side < 2; ++side)
		mobility += point_mobility(world, bodies[side], vec3_sub(point, body_center(world, bodies[side])), normal);
	return hit_energy(mobility, (double)event->speed);
}

/* The name of the material where the contact touches, on one side. */
static uint16_t material_name(const struct world *world, uint32_t id, int side)
{
	const struct contact *contact = &world->contacts.data[id];
	const struct collider *collider = &world->colliders.data[contact->colliders[side]];
	const struct material *own =
		collider->part_materials ? world->wing->proxy_material(world, contact->proxies[side], id) : NULL;
	return own != NULL && (own->has & MATERIAL_NAME) ? own->name : collider->material.name;
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

/* Key of the first other contact between the colliders of contact `id`, in its run of a body's list from `key` on; NONE:
 * none. */
static uint32_t other_part_from(const struct world *world, uint32_t id, uint32_t key)
{
	const struct contact *contacts = world->contacts.data;
	while (key != NONE && (key / 2 == id || !same_colliders(&contacts[key / 2], &contacts[id])))
		key = link_run_next(world, LINK_CONTACT, key);
	return key;
}

uint32_t other_part_first(const struct world *world, uint32_t id)
{
	const struct contact *contact = &world->contacts.data[id];
	bool alone = contact->follower == NONE && (contact->link.flags & CONTACT_FOLLOWS) == 0;
	if (alone && !collider_in_parts(world, contact->colliders[0]) && !collider_in_parts(world, contact->colliders[1]))
		return NONE;
	return other_part_from(world, id, link_run_first(world, LINK_CONTACT, id * 2));
}

uint32_t other_part_next(const struct world *world, uint32_t id, uint32_t key)
{
	return other_part_from(world, id, link_run_next(world, LINK_CONTACT, key));
}

/* Whether the contact's two colliders touch by another contact: then this one causes no begin or end event. */
static bool other_parts_touch(const struct world *world, uint32_t id)
{
	for (uint32_t key = other_part_first(world, id); key != NONE; key = other_part_next(world, id, key))
		if (world->contacts.data[key / 2].link.flags & CONTACT_TOUCHING)
			return true;
	return false;
}

bool contact_leads(const struct world *world, uint32_t id)
{
	for (uint32_t key = other_part_first(world, id); key != NONE; key = other_part_next(world, id, key))
		if (key / 2 < id && (world->contacts.data[key / 2].link.flags & CONTACT_TOUCHING))
			return false;
	return true;
}

static bool handle_of_sensor(const struct world *world, struct handle handle)
{
	return world->colliders.data[handle.index].sensor;
}

/* Reports the begin of an overlap to the sensor a, and to b if it is a sensor, too. */
static void overlap_begins(struct world *world, struct contact_event event)
{
	array_push(&world->events.overlap_begins, event);
	if (!handle_of_sensor(world, event.b))
		return;
	struct handle a = event.a;
	event.a = event.b;
	event.b = a;
	array_push(&world->events.overlap_begins, event);
}

static void overlap_ends(struct world *world, struct end_event event)
{
	array_push(&world->events.overlap_ends.all, event);
	if (handle_of_sensor(world, event.b))
		array_push(&world->events.overlap_ends.all, (struct end_event){event.b, event.a});
}

/* Delivers the ends that have been raised within a step with that step's events. */
static void ends_deliver(const struct world *world, struct end_events *ends)
{
	if (world->locked)
		ends->delivered = ends->all.count;
}

void event_begin(struct world *world, uint32_t id)
{
	if (other_parts_touch(world, id))
		return;
	const struct contact *contact = &world->contacts.data[id];
	struct contact_event event = {.speed = 0.0f};
	event_colliders(world, contact, &event.a, &event.b);
	world->wing->contact_point_normal(world, id, event.point_normal, &event.speed);
	if (contact->link.flags & CONTACT_SENSOR)
		overlap_begins(world, event);
	else
		array_push(&world->events.begins, event);
}

void event_end(struct world *world, uint32_t id)
{
	if (other_parts_touch(world, id))
		return;
	const struct contact *contact = &world->contacts.data[id];
	struct events *events = &world->events;
	struct end_event event;
	event_colliders(world, contact, &event.a, &event.b);
	if (contact->link.flags & CONTACT_SENSOR) {
		overlap_ends(world, event);
		ends_deliver(world, &events->overlap_ends);
	} else {
		array_push(&events->ends.all, event);
		ends_deliver(world, &events->ends);
	}
}

bool event_passage(struct world *world, uint32_t a, uint32_t b)
{
	struct events *events = &world->events;
	struct contact_event event = {.a = collider_handle(world, a), .b = collider_handle(world, b)};
	if (!handle_of_sensor(world, event.a)) {
		struct handle sensor = event.b;
		event.b = event.a;
		event.a = sensor;
	}
	if (!array_reserve(world->memory, &events->overlap_begins, events->overlap_begins.count + 2) ||
		!array_reserve(
			world->memory, &events->overlap_ends.all, events->overlap_ends.all.count + 2 * (world->overlap_count + 1)))
		return false;
	overlap_begins(world, event);
	overlap_ends(world, (struct end_event){event.a, event.b});
	ends_deliver(world, &events->overlap_ends);
	return true;
}

/* Adds the body to `now`, or removes it from `undone`. */
static void sleep_note(struct bits *now, struct bits *undone, uint32_t body)
{
	if (bits_has(undone, body))
		bits_clear(undone, body);
	else
		bits_set(now, body);
}

void event_slept(struct world *world, uint32_t body, bool slept)
{
	struct bits *asleep = &world->slept_bodies, *awake = &world->woken_bodies;
	sleep_note(slept ? asleep : awake, slept ? awake : asleep, body);
}

void events_report_sleep(struct world *world)
{
	struct events *events = &world->events;
	struct bits *woken = &world->woken_bodies, *slept = &world->slept_bodies;
	for (uint32_t id = bits_next(woken, 0); id != NONE; id = bits_next(woken, id + 1))
		sleep_note(&events->woke, &events->slept, id);
	for (uint32_t id = bits_next(slept, 0); id != NONE; id = bits_next(slept, id + 1))
		sleep_note(&events->slept, &events->woke, id);
	bits_clear_all(woken);
	bits_clear_all(slept);
}

void events_forget_sleep(struct world *world, uint32_t body)
{
	struct bits *sets[] = {&world->events.woke, &world->events.slept, &world->woken_bodies, &world->slept_bodies};
	for (int i = 0; i < 4; ++i)
		bits_clear(sets[i], body);
}

/* Whether the contact's two colliders hit each other faster by another contact, or as fast by one with a smaller id. */
static bool other_parts_hit(const struct world *world, uint32_t id, float speed)
{
	for (uint32_t key = other_part_first(world, id); key != NONE; key = other_part_next(world, id, key)) {
		double point_normal[POINT_NORMAL_SIZE];
		float other = -1.0f;
		if (bits_has(&world->hit_contacts, key / 2))
			world->wing->contact_point_normal(world, key / 2, point_normal, &other);
		if (other > speed || (other == speed && key / 2 < id))
			return true;
	}
	return false;
}

bool events_report_hits(struct world *world)
{
	struct events *events = &world->events;
	if (!array_reserve(world->memory, &events->hits, events->hits.count + bits_count(&world->hit_contacts)))
		return false;
	for (uint32_t id = bits_next(&world->hit_contacts, 0); id != NONE; id = bits_next(&world->hit_contacts, id + 1)) {
		struct contact_event event;
		contact_sides_prefetch(world, id + CONTACTS_AHEAD);
		event_colliders(world, &world->contacts.data[id], &event.a, &event.b);
		world->wing->contact_point_normal(world, id, event.point_normal, &event.speed);
		if (other_parts_hit(world, id, event.speed))
			continue;
		event.energy = contact_energy(world, world->contacts.data[id].link.bodies, &event);
		for (int side = 0; side < 2; ++side)
			event.materials[side] = material_name(world, id, side);
		array_push(&events->hits, event);
	}
	return true;
}
