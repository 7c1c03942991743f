/* one_way.c - see one_way.h. */
#include "core/one_way.h"
#include "core/contact.h"
#include "core/link.h"
#include "core/path.h"
#include "core/sleep.h"

enum {
	ENTRY_SLOPS = 2, /* least overlap of what is halfway through */
	LEVEL_SLOPS = 4 /* greatest distance of surfaces that are level */
};
#define ENTRY_COSINE 0.5 /* of the greatest angle between the normals of a new contact and of the collider */
#define DROP_TIME 0.5f /* longest time for which a drop goes on while the body gets no deeper [s] */
#define DROP_PROGRESS 0.01f /* least part of a slop by which it gets deeper */

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
	struct drop drop = {body, world->bodies.data[body].generation, ticks, DROP_TIME, -INFINITY};
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

void drop_continue(struct world *world, uint32_t body, float overlap)
{
	struct drop *drop = drop_of(world, body);
	bits_set(&world->unfinished_drops, body);
	if (drop == NULL || overlap < drop->depth + DROP_PROGRESS * LINEAR_SLOP * world->settings.length_scale)
		return;
	drop->depth = overlap;
	drop->time = DROP_TIME;
}

/* --- Decisions ------------------------------------------------------------------------------------------------------------ */

/* Direction of a one-way collider's normal in the world. */
static struct vec3 normal_of(const struct world *world, const struct collider *collider)
{
	struct frame3 frame = world->wing->body_frame(world, collider->body);
	return frame3_out(&frame, vec3_widen(world->one_way_normals.data[collider->one_way].normal));
}

static float entry_of(const struct world *world)
{
	return (float)ENTRY_SLOPS * LINEAR_SLOP * world->settings.length_scale;
}

static float overlap_of(const struct contact_view *view)
{
	float overlap = -INFINITY;
	for (int i = 0; i < view->count; ++i)
		overlap = max_f(overlap, -view->separations[i]);
	return overlap;
}

/* Upper bound on the overlap of shapes that have met in the last step [length]. The rotation of round shapes adds none. */
static float meeting_overlap(const struct world *world, const struct contact *contact, const struct contact_view *view)
{
	double approach = 0.0, spin[2] = {0.0, 0.0};
	for (int side = 0; side < 2; ++side) {
		struct vec3 w, v = body_velocity(world, contact->link.bodies[side], &w);
		approach += (side == 0 ? 1.0 : -1.0) * vec3_dot(v, view->normal);
		for (int i = 0; i < view->count && view->round[side] == 0.0f; ++i)
			spin[side] = max_d(spin[side], vec3_length(w) * vec3_length(vec3_sub(view->points[i], view->centers[side])));
	}
	return (float)max_d(0.0, approach + spin[0] + spin[1]) * world->last_dt;
}

/* Height along `up` of the contact's surface on a side. */
static double surface_height(const struct contact_view *view, int side, struct vec3 up)
{
	double shift = (side == 0 ? -0.5 : 0.5) * (double)view->separations[0];
	return vec3_dot(up, vec3_mul_add(view->points[0], shift, view->normal));
}

/* Contacts of a body with one-way colliders, beside one of its contacts. */
struct beside {
	bool touches; /* one, or one of the same two colliders, touched in the last step */
	bool passes; /* the body is halfway through one */
};

static bool same_colliders(const uint32_t a[2], const uint32_t b[2])
{
	return (a[0] == b[0] && a[1] == b[1]) || (a[0] == b[1] && a[1] == b[0]);
}

/* Looks for contacts of the body, beside its contact `own`, whose one-way surfaces are level, along `up`, with the height. */
static struct beside beside_find(const struct world *world, uint32_t body, uint32_t own, struct vec3 up, double height)
{
	struct beside found = {false, false};
	double level = LEVEL_SLOPS * (double)(LINEAR_SLOP * world->settings.length_scale);
	for (uint32_t key = world->bodies.data[body].links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key)) {
		uint32_t id = key / 2;
		const struct contact *other = &world->contacts.data[id];
		int side = !(key & 1);
		bool passes = bits_has(&world->passing_contacts, id), touches = (other->link.flags & CONTACT_TOUCHING) != 0;
		if (id == own || world->colliders.data[other->colliders[side]].one_way == NONE || !(passes || touches))
			continue;
		found.touches |= touches && same_colliders(other->colliders, world->contacts.data[own].colliders);
		struct contact_view view;
		world->wing->contact_view(world, id, true, &view);
		if (view.count == 0 || abs_d(surface_height(&view, side, up) - height) > level)
			continue;
		found.touches |= touches;
		found.passes |= passes;
	}
	return found;
}

/* Whether the contact would pass the one-way collider on this side if there were no others. */
static bool passes_alone(const struct world *world, uint32_t id, int side, const struct contact_view *view, struct vec3 up)
{
	const struct contact *contact = &world->contacts.data[id];
	double cosine = (side == 0 ? 1.0 : -1.0) * vec3_dot(view->normal, up);
	if (contact->link.flags & CONTACT_TOUCHING)
		return cosine <= 0.0;
	float most = bits_has(&world->passing_contacts, id) ? 0.0f : meeting_overlap(world, contact, view);
	return cosine < ENTRY_COSINE || overlap_of(view) > entry_of(world) + most;
}

/* Whether the body on a side drops through the collider on the other, which it overlaps by so much. */
static bool drops(struct world *world, const struct contact *contact, int side, float overlap)
{
	uint32_t body = contact->link.bodies[side];
	if (world->drops.count == 0 || !bits_has(&world->dropping_bodies, body))
		return false;
	if (!(overlap > entry_of(world)))
		drop_continue(world, body, overlap);
	return true;
}

static void passing_set(struct world *world, uint32_t id, bool passing)
{
	if (passing)
		bits_set(&world->passing_contacts, id);
	else
		bits_clear(&world->passing_contacts, id);
}

void one_way_look(struct world *world, uint32_t id, const struct contact_view *view)
{
	const struct contact *contact = &world->contacts.data[id];
	bool halfway = overlap_of(view) > entry_of(world), passes = false;
	for (int side = 0; side < 2 && !passes; ++side) {
		const struct collider *collider = &world->colliders.data[contact->colliders[side]];
		passes = collider->one_way != NONE &&
			(drops(world, contact, !side, overlap_of(view)) || passes_alone(world, id, side, view, normal_of(world, collider)));
	}
	passing_set(world, id, halfway && passes);
}

bool one_way_passes(struct world *world, uint32_t id, const struct contact_view *view)
{
	const struct contact *contact = &world->contacts.data[id];
	bool halfway = overlap_of(view) > entry_of(world), passes = false;
	for (int side = 0; side < 2 && !passes; ++side) {
		const struct collider *collider = &world->colliders.data[contact->colliders[side]];
		if (collider->one_way == NONE)
			continue;
		struct vec3 up = normal_of(world, collider);
		passes = drops(world, contact, !side, overlap_of(view));
		if (passes || (contact->link.flags & CONTACT_TOUCHING)) {
			passes |= passes_alone(world, id, side, view, up);
			continue;
		}
		struct beside beside = beside_find(world, contact->link.bodies[!side], id, up, surface_height(view, side, up));
		double cosine = (side == 0 ? 1.0 : -1.0) * vec3_dot(view->normal, up);
		if (beside.touches)
			passes = cosine < ENTRY_COSINE;
		else
			passes = beside.passes || passes_alone(world, id, side, view, up);
	}
	passing_set(world, id, halfway && passes);
	return passes;
}

/* Whether the body is halfway through one of the same colliders, or through another one-way collider whose surface is above
 * the point, along `up`, but the point not below the body. */
static bool halfway_beside(const struct world *world, uint32_t body, const uint32_t colliders[2], struct vec3 up, double height)
{
	double level = LEVEL_SLOPS * (double)(LINEAR_SLOP * world->settings.length_scale);
	for (uint32_t key = world->bodies.data[body].links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key)) {
		const struct contact *other = &world->contacts.data[key / 2];
		struct contact_view view;
		if (!bits_has(&world->passing_contacts, key / 2))
			continue;
		if (same_colliders(other->colliders, colliders))
			return true;
		world->wing->contact_view(world, key / 2, true, &view);
		double surface = view.count > 0 ? surface_height(&view, !(key & 1), up) : -INFINITY;
		if (height < surface + level && height > surface - (double)overlap_of(&view) + level)
			return true;
	}
	return false;
}

static double cosine_to(const struct world *world, const struct collider *collider, struct vec3 normal)
{
	return vec3_dot(normal, normal_of(world, collider));
}

bool one_way_sweep_passes(const struct world *world, const uint32_t colliders[2], struct vec3 point, struct vec3 normal)
{
	if (one_way_lets_pass(world, colliders, normal))
		return true;
	for (int side = 0; side < 2; ++side) {
		const struct collider *collider = &world->colliders.data[colliders[side]];
		if (collider->one_way == NONE)
			continue;
		struct vec3 up = normal_of(world, collider);
		if (halfway_beside(world, world->colliders.data[colliders[!side]].body, colliders, up, vec3_dot(up, point)))
			return true;
	}
	return false;
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
