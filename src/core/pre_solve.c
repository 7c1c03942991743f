/* pre_solve.c - see pre_solve.h. */
#include "core/pre_solve.h"
#include "core/collider.h"
#include "core/contact.h"
#include "core/one_way.h"
#include "core/path.h"
#include "core/sleep.h"
#include "core/touched.h"
#include "core/travel.h"

#include <string.h>

/* --- Who asks ------------------------------------------------------------------------------------------------------------- */

/* Lists those of the collider's contacts that are to be decided on, and wakes its body and those that touch it. */
static void contacts_ask_again(struct world *world, uint32_t id)
{
	uint32_t body = world->colliders.data[id].body;
	for (uint32_t key = world->bodies.data[body].links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key)) {
		const struct contact *contact = &world->contacts.data[key / 2];
		if (contact->colliders[key & 1] != id || (contact->link.flags & CONTACT_SENSOR))
			continue;
		if (colliders_ask(world, contact->colliders) || colliders_one_way(world, contact->colliders))
			bits_set(&world->asked_contacts, key / 2);
		else
			bits_clear(&world->asked_contacts, key / 2);
	}
	body_wake(world, body);
	body_wake_touching(world, body);
}

void collider_set_pre_solve(struct world *world, uint32_t id, bool asks)
{
	struct collider *collider = &world->colliders.data[id];
	if (collider->pre_solve == asks)
		return;
	collider->pre_solve = asks;
	world->pre_solve_colliders += asks ? 1 : UINT32_MAX;
	contacts_ask_again(world, id);
}

bool collider_set_one_way(struct world *world, uint32_t id, const float *normal)
{
	struct collider *collider = &world->colliders.data[id];
	if (normal && !one_way_reserve(world))
		return false;
	if (collider->one_way != NONE)
		ids_give(&world->one_way_ids, collider->one_way);
	collider->one_way = normal ? one_way_make(world, normal) : NONE;
	contacts_ask_again(world, id);
	return true;
}

void verdicts_clear(struct world *world)
{
	for (uint32_t i = 0; i < world->verdicts.count; ++i)
		world->verdict_firsts.data[world->verdicts.data[i].body] = NONE;
	world->verdicts.count = 0;
}

void pre_solve_forget(struct world *world)
{
	if (!world->pre_solved)
		return;
	world->pre_solved = false;
	for (uint32_t id = bits_next(&world->mixed_contacts, 0); id != NONE; id = bits_next(&world->mixed_contacts, id + 1))
		contact_mix(world, id);
	bits_clear_all(&world->mixed_contacts);
	bits_clear_all(&world->barred_contacts);
	world->surfaces.count = 0;
	verdicts_clear(world);
}

/* --- Contacts with points ------------------------------------------------------------------------------------------------- */

/* Velocity of a body's point [length/s]. `arm`: from the centre of mass to the point. */
static struct vec3 velocity_at(const struct world *world, uint32_t body, struct vec3 arm)
{
	struct vec3 w, v = body_velocity(world, body, &w);
	return vec3_add(v, vec3_cross(w, arm));
}

static float approach_speed(const struct world *world, const uint32_t bodies[2], const struct contact_view *view)
{
	double speed = -INFINITY;
	for (int i = 0; i < view->count; ++i) {
		struct vec3 a = velocity_at(world, bodies[0], vec3_sub(view->points[i], view->centers[0]));
		struct vec3 b = velocity_at(world, bodies[1], vec3_sub(view->points[i], view->centers[1]));
		speed = max_d(speed, vec3_dot(vec3_sub(a, b), view->normal));
	}
	return (float)speed;
}

static bool contact_awake(const struct world *world, const struct contact *contact)
{
	for (int side = 0; side < 2; ++side) {
		const struct body *body = &world->bodies.data[contact->link.bodies[side]];
		if (body->type == BODY_DYNAMIC && body->set == SET_AWAKE)
			return true;
	}
	return false;
}

/* A contact that is disabled is collided again in the next step, which finds whether it touches. */
static void contact_bar(struct world *world, uint32_t id)
{
	contact_found(world, id, false, false);
	bits_set(&world->barred_contacts, id);
	travel_forbid(world, id);
}

static void decision_take(struct world *world, uint32_t id, const struct pre_solve *decision)
{
	if (decision->enabled)
		contact_found(world, id, false, true);
	else
		contact_bar(world, id);
	if (!decision->mixed)
		return;
	record_touch(world, TOUCHED_MANIFOLDS, id);
	*(struct contact_material *)manifold_row(world, id) = decision->material;
	bits_set(&world->mixed_contacts, id);
	if (decision->moves) {
		struct contact_surface surface = {.contact = id};
		memcpy(surface.velocity, decision->surface, sizeof surface.velocity);
		array_push(&world->surfaces, surface);
	}
}

/* Views an awake contact. False: it has no points, or is asleep. */
static bool contact_see(const struct world *world, uint32_t id, struct contact_view *view)
{
	const struct contact *contact = &world->contacts.data[id];
	if ((contact->link.flags & CONTACT_APART) || !contact_awake(world, contact))
		return false;
	world->wing->contact_view(world, id, true, view);
	return view->count > 0;
}

/* Finds the contacts that are halfway through one-way colliders, on which decisions about others depend. */
static void contact_look(struct world *world, uint32_t id)
{
	struct contact_view view;
	if (!colliders_one_way(world, world->contacts.data[id].colliders))
		return;
	if (contact_see(world, id, &view))
		one_way_look(world, id, &view);
	else
		bits_clear(&world->passing_contacts, id);
}

static void contact_decide(struct world *world, uint32_t id)
{
	const struct contact *contact = &world->contacts.data[id];
	struct contact_view view;
	if (!contact_see(world, id, &view))
		return;
	if (colliders_one_way(world, contact->colliders)) {
		if (one_way_passes(world, id, &view)) {
			contact_bar(world, id);
			return;
		}
		contact_found(world, id, false, true);
	}
	if (world->pre_solve == NULL || !colliders_ask(world, contact->colliders))
		return;
	struct pre_solve seen = {
		.colliders = {contact->colliders[0], contact->colliders[1]},
		.count = view.count,
		.normal = view.normal,
		.speed = approach_speed(world, contact->link.bodies, &view),
		.enabled = true,
		.material = *(const struct contact_material *)manifold_row(world, id),
	};
	memcpy(seen.points, view.points, sizeof seen.points);
	world->pre_solve(world->pre_solve_context, &seen);
	decision_take(world, id, &seen);
}

bool pre_solve_contacts(struct world *world)
{
	const struct bits *asked = &world->asked_contacts;
	if (pre_solve_asks(world) && !array_reserve(world->memory, &world->surfaces, bits_count(asked))) {
		bits_clear_all(&world->changed_contacts); /* as in contacts_commit */
		return false;
	}
	world->pre_solved = true;
	for (uint32_t id = bits_next(asked, 0); id != NONE && ids_count(&world->one_way_ids) > 0; id = bits_next(asked, id + 1))
		contact_look(world, id);
	for (uint32_t id = bits_next(asked, 0); id != NONE; id = bits_next(asked, id + 1))
		contact_decide(world, id);
	return true;
}

const float *pre_solve_surface(const struct world *world, uint32_t id)
{
	uint32_t i = contact_surface_place(world, id);
	return i < world->surfaces.count && world->surfaces.data[i].contact == id ? world->surfaces.data[i].velocity : NULL;
}

/* --- Sweeps --------------------------------------------------------------------------------------------------------------- */

/* Key of the first contact of the two proxies from `key` on, in its run of a body's list. */
static uint32_t contact_from(const struct world *world, uint32_t key, const uint32_t proxies[2])
{
	for (; key != NONE; key = link_next(world, LINK_CONTACT, key)) {
		const uint32_t *own = world->contacts.data[key / 2].proxies;
		if ((own[0] == proxies[0] && own[1] == proxies[1]) || (own[0] == proxies[1] && own[1] == proxies[0]))
			return key;
	}
	return NONE;
}

static uint32_t contact_first(const struct world *world, const uint32_t proxies[2])
{
	uint32_t body = link_fewer(world, LINK_CONTACT, proxy_body(world, proxies[0]), proxy_body(world, proxies[1]));
	return contact_from(world, world->bodies.data[body].links[LINK_CONTACT], proxies);
}

static uint32_t contact_next(const struct world *world, uint32_t key, const uint32_t proxies[2])
{
	return contact_from(world, link_next(world, LINK_CONTACT, key), proxies);
}

static void colliders_of(const struct world *world, const uint32_t proxies[2], uint32_t colliders[2])
{
	for (int side = 0; side < 2; ++side)
		colliders[side] = world->proxies.data[proxies[side]].collider;
}

/* The decision on a pair in this step's sweeps; NULL: none. */
static const struct verdict *verdict_find(const struct world *world, const uint32_t proxies[2])
{
	uint32_t body = proxy_body(world, proxies[0]);
	uint32_t i = body < world->verdict_firsts.count ? world->verdict_firsts.data[body] : NONE;
	while (i != NONE && (world->verdicts.data[i].proxies[0] != proxies[0] || world->verdicts.data[i].proxies[1] != proxies[1]))
		i = world->verdicts.data[i].next;
	return i == NONE ? NULL : &world->verdicts.data[i];
}

/* Decisions on the contacts of a pair. Of several, as with a mesh, one that is enabled stops the body. */
enum contact_decision { UNASKED, ENABLED, BARRED };

static enum contact_decision contacts_decision(const struct world *world, const uint32_t proxies[2])
{
	enum contact_decision decision = UNASKED;
	for (uint32_t key = contact_first(world, proxies); key != NONE; key = contact_next(world, key, proxies)) {
		if (bits_has(&world->barred_contacts, key / 2))
			decision = BARRED;
		else if (world->contacts.data[key / 2].link.flags & CONTACT_TOUCHES)
			return ENABLED;
	}
	return decision;
}

bool pre_solve_bars(const struct world *world, const uint32_t proxies[2])
{
	uint32_t colliders[2];
	colliders_of(world, proxies, colliders);
	if (!colliders_ask(world, colliders) && !colliders_one_way(world, colliders))
		return false;
	enum contact_decision decision = contacts_decision(world, proxies);
	if (decision != UNASKED)
		return decision == BARRED;
	const struct verdict *verdict = verdict_find(world, proxies);
	return verdict != NULL && !verdict->enabled;
}

/* Reserves memory for one more decision. */
static bool verdicts_reserve(struct world *world)
{
	uint32_t before = world->verdict_firsts.count;
	if (!array_reserve(world->memory, &world->verdicts, world->verdicts.count + 1) ||
		!array_reserve(world->memory, &world->verdict_firsts, world->bodies.count))
		return false;
	for (uint32_t body = before; body < world->bodies.count; ++body)
		world->verdict_firsts.data[body] = NONE;
	world->verdict_firsts.count = world->bodies.count > before ? world->bodies.count : before;
	return true;
}

static void verdict_keep(struct world *world, const uint32_t proxies[2], const struct pre_solve *decision)
{
	uint32_t body = proxy_body(world, proxies[0]);
	struct verdict verdict = {.proxies = {proxies[0], proxies[1]},
		.body = body,
		.enabled = decision->enabled,
		.mixed = decision->mixed,
		.material = decision->material};
	if (!verdicts_reserve(world)) {
		world->events_lost = true;
		return;
	}
	verdict.next = world->verdict_firsts.data[body];
	world->verdict_firsts.data[body] = world->verdicts.count;
	array_push(&world->verdicts, verdict);
}

/* The colliders are in the order of a contact: that of the proxy with the smaller id first. */
static struct pre_solve swept_view(const struct world *world, const uint32_t proxies[2], struct vec3 point, struct vec3 normal)
{
	int first = proxies[1] < proxies[0];
	uint32_t body = proxy_body(world, proxies[0]), other = proxy_body(world, proxies[1]);
	struct pre_solve seen = {.count = 1, .points = {point}, .enabled = true};
	struct material materials[2];
	for (int side = 0; side < 2; ++side) {
		seen.colliders[side] = world->proxies.data[proxies[side ^ first]].collider;
		materials[side] = proxy_material(world, proxies[side ^ first], NONE);
	}
	seen.material = materials_mix(world, &materials[0], &materials[1]);
	seen.normal = vec3_scale(first == 0 ? -1.0 : 1.0, normal);
	struct vec3 own = velocity_at(world, body, vec3_sub(point, body_center(world, body)));
	struct vec3 others = velocity_at(world, other, vec3_sub(point, body_center(world, other)));
	seen.speed = (float)vec3_dot(vec3_sub(others, own), normal);
	return seen;
}

bool pre_solve_stops(struct world *world, const uint32_t proxies[2], struct vec3 point, struct vec3 normal)
{
	uint32_t colliders[2];
	colliders_of(world, proxies, colliders);
	bool asks = pre_solve_asks(world) && colliders_ask(world, colliders), one_way = colliders_one_way(world, colliders);
	if (!asks && !one_way)
		return true;
	enum contact_decision decision = contacts_decision(world, proxies);
	if (decision != UNASKED)
		return decision == ENABLED;
	if (one_way && one_way_sweep_passes(world, colliders, point, vec3_scale(-1.0, normal)))
		return false;
	if (!asks)
		return true;
	const struct verdict *verdict = verdict_find(world, proxies);
	if (verdict != NULL)
		return verdict->enabled;
	struct pre_solve seen = swept_view(world, proxies, point, normal);
	world->pre_solve(world->pre_solve_context, &seen);
	verdict_keep(world, proxies, &seen);
	return seen.enabled;
}

const struct contact_material *pre_solve_material(const struct world *world, const uint32_t proxies[2])
{
	for (uint32_t key = contact_first(world, proxies); key != NONE; key = contact_next(world, key, proxies))
		if (bits_has(&world->mixed_contacts, key / 2))
			return manifold_row(world, key / 2);
	const struct verdict *verdict = verdict_find(world, proxies);
	return verdict != NULL && verdict->mixed ? &verdict->material : NULL;
}
