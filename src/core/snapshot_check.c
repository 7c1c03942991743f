/* snapshot_check.c - see snapshot_check.h. world_validate checks each list from its head; what is here makes sure that nothing
 * is outside of the lists, and that the numbers by which validation counts are right. */
#include "core/snapshot_check.h"
#include "core/contact.h"
#include "core/gear.h"
#include "core/joint.h"
#include "core/filter.h"
#include "core/link.h"
#include "core/proxy.h"
#include "core/validate.h"

static const char *const faulty = "an object contradicts others";

/* --- Ids ------------------------------------------------------------------------------------------------------------------ */

typedef bool id_used(const struct world *world, uint32_t id);

static bool body_used(const struct world *world, uint32_t id)
{
	return world->bodies.data[id].valid || world->bodies.data[id].mount;
}

static bool collider_used(const struct world *world, uint32_t id)
{
	return world->colliders.data[id].valid;
}

static bool proxy_used(const struct world *world, uint32_t id)
{
	return world->proxies.data[id].collider != NONE;
}

static bool contact_used(const struct world *world, uint32_t id)
{
	return world->contacts.data[id].link.valid;
}

static bool joint_used(const struct world *world, uint32_t id)
{
	return world->joints.data[id].link.valid || world->joints.data[id].named;
}

static bool island_used(const struct world *world, uint32_t id)
{
	return world->islands.data[id].valid;
}

static bool field_used(const struct world *world, uint32_t id)
{
	return world->fields.all.data[id].valid;
}

static bool controller_used(const struct world *world, uint32_t id)
{
	return world->controllers.all.data[id].valid;
}

/* Whether each id is either used or free, once. `seen`: empty, and emptied. */
static bool ids_right(const struct world *world, const struct ids *ids, id_used *used, struct bits *seen)
{
	uint32_t count = 0;
	bool right = true;
	for (uint32_t i = 0; i < ids->free.count; ++i) {
		uint32_t id = ids->free.data[i];
		right = right && !bits_has(seen, id) && !used(world, id);
		bits_set(seen, id);
	}
	for (uint32_t id = 0; id < ids->end; ++id)
		count += used(world, id);
	bits_clear_all(seen);
	return right && count == ids_count(ids);
}

/* The same for ids whose records do not tell: `owner` returns the id that an object uses, or NONE. */
static bool owned_right(const struct world *world, const struct ids *ids, uint32_t objects,
	uint32_t (*owner)(const struct world *, uint32_t), uint32_t shared, struct bits *seen)
{
	uint32_t count = shared;
	bool right = true;
	for (uint32_t i = 0; i < ids->free.count; ++i) {
		right = right && !bits_has(seen, ids->free.data[i]) && (shared == 0 || ids->free.data[i] != 0);
		bits_set(seen, ids->free.data[i]);
	}
	for (uint32_t object = 0; object < objects; ++object) {
		uint32_t id = owner(world, object);
		if (id == NONE)
			continue;
		right = right && !bits_has(seen, id);
		bits_set(seen, id);
		++count;
	}
	bits_clear_all(seen);
	return right && count == ids_count(ids);
}

static uint32_t mover_owned(const struct world *world, uint32_t body)
{
	const struct body *record = &world->bodies.data[body];
	return record->valid && record->mover != 0 ? record->mover : NONE;
}

static uint32_t one_way_owned(const struct world *world, uint32_t collider)
{
	return world->colliders.data[collider].valid ? world->colliders.data[collider].one_way : NONE;
}

static void ids_check(struct archive *archive, struct world *world)
{
	const struct ids *sets[] = {&world->body_ids, &world->collider_ids, &world->proxy_ids, &world->contact_ids,
		&world->joint_ids, &world->island_ids, &world->fields.ids, &world->controllers.ids};
	id_used *const used[] = {
		body_used, collider_used, proxy_used, contact_used, joint_used, island_used, field_used, controller_used};
	enum { KINDS = sizeof sets / sizeof *sets };
	struct bits seen = {0};
	uint32_t most = world->mover_ids.end > world->one_way_ids.end ? world->mover_ids.end : world->one_way_ids.end;
	for (int i = 0; i < KINDS; ++i)
		most = most > sets[i]->end ? most : sets[i]->end;
	if (!bits_reserve(world->memory, &seen, most)) {
		archive->no_memory = true;
		return;
	}
	bool right = owned_right(world, &world->mover_ids, world->bodies.count, mover_owned, world->mover_ids.end > 0, &seen) &&
		owned_right(world, &world->one_way_ids, world->colliders.count, one_way_owned, 0, &seen);
	for (int i = 0; i < KINDS; ++i)
		right = right && ids_right(world, sets[i], used[i], &seen);
	archive_check(archive, right, "an id is used twice, or lost");
	bits_free(world->memory, &seen);
}

/* --- Objects -------------------------------------------------------------------------------------------------------------- */

static void colliders_check(struct archive *archive, struct world *world)
{
	uint32_t listed = 0, used = 0, unbounded = 0, leaves = 0;
	for (uint32_t id = 0; id < world->bodies.count; ++id)
		listed += world->bodies.data[id].valid ? world->bodies.data[id].collider_count : 0;
	for (uint32_t id = 0; id < world->colliders.count; ++id) {
		const struct collider *collider = &world->colliders.data[id];
		used += collider->valid;
		if (!collider->valid)
			continue;
		const struct body *body = &world->bodies.data[collider->body];
		archive_check(
			archive, body->valid && (body->type != BODY_DYNAMIC || !world->wing->shape_editable(collider->shape)), faulty);
	}
	for (uint32_t id = 0; id < world->proxies.count; ++id) {
		const struct proxy *proxy = &world->proxies.data[id];
		if (proxy->collider == NONE)
			continue;
		unbounded += proxy_unbounded(proxy);
		leaves += proxy->leaf != NONE;
		archive_check(archive,
			proxy->child < world->wing->shape_children(world->colliders.data[proxy->collider].shape) &&
				proxy_unbounded(proxy) == world->wing->shape_unbounded(world->colliders.data[proxy->collider].shape),
			faulty);
	}
	for (uint32_t i = 0; i < world->unbounded.count; ++i) {
		const struct proxy *proxy = &world->proxies.data[world->unbounded.data[i]];
		archive_check(archive,
			proxy->collider != NONE && proxy_unbounded(proxy) &&
				(i == 0 || world->unbounded.data[i] != world->unbounded.data[i - 1]),
			faulty);
	}
	archive_check(archive, listed == used && unbounded == world->unbounded.count && leaves == world->leaves.leaf_count, faulty);
}

/* Adds the pairs of contacts, and counts. */
static void contacts_complete(struct archive *archive, struct world *world)
{
	uint32_t used = 0, followed = 0, listed = 0;
	for (uint32_t id = 0; id < world->bodies.count; ++id)
		listed += body_used(world, id) ? world->bodies.data[id].link_counts[LINK_CONTACT] : 0;
	for (uint32_t id = 0; id < world->contacts.count && archive_good(archive); ++id) {
		const struct contact *contact = &world->contacts.data[id];
		if (!contact->link.valid)
			continue;
		const struct body *a = &world->bodies.data[contact->link.bodies[0]], *b = &world->bodies.data[contact->link.bodies[1]];
		bool sensor = (contact->link.flags & CONTACT_SENSOR) != 0, touching = (contact->link.flags & CONTACT_TOUCHING) != 0;
		bool sensors =
			world->colliders.data[contact->colliders[0]].sensor || world->colliders.data[contact->colliders[1]].sensor;
		bool able = a->valid && b->valid && a->set != SET_DISABLED && b->set != SET_DISABLED && sensor == sensors;
		archive_check(archive, able && (sensor || a->type == BODY_DYNAMIC || b->type == BODY_DYNAMIC), faulty);
		++used;
		world->touching_count += touching;
		world->overlap_count += touching && sensor;
		if (contact->link.flags & CONTACT_FOLLOWS) {
			bits_set(&world->following_contacts, id);
			continue;
		}
		uint32_t proxies[2] = {contact->proxies[0], contact->proxies[1]}, length = 1;
		if (!archive_check(archive, proxies[0] != proxies[1] && !pairset_has(&world->pairs, proxies[0], proxies[1]), faulty))
			return;
		pairset_add(&world->pairs, proxies[0], proxies[1]);
		for (uint32_t next = contact->follower; next != NONE && archive_good(archive);
			 next = world->contacts.data[next].follower)
			archive_check(archive,
				world->contacts.data[next].link.valid && (world->contacts.data[next].link.flags & CONTACT_FOLLOWS) &&
					++length <= world->contacts.count,
				faulty);
		followed += length;
		archive_check(archive, length == pair_contacts(world, proxies[0], proxies[1]), faulty);
	}
	archive_check(archive, followed == used && listed == 2 * used, faulty);
}

static void joints_complete(struct archive *archive, struct world *world)
{
	uint32_t used = 0, listed = 0, gears = 0, counted = 0;
	for (uint32_t id = 0; id < world->bodies.count; ++id)
		listed += body_used(world, id) ? world->bodies.data[id].link_counts[LINK_JOINT] : 0;
	for (uint32_t id = 0; id < world->joints.count && archive_good(archive); ++id) {
		const struct joint *joint = &world->joints.data[id];
		if (!joint->link.valid)
			continue;
		++used;
		world->soft_joints += !isnan(joint->hertz) || !isnan(joint->damping_ratio);
		world->idle_joints += !joint_active(world, id);
		gears += 2 * (joint->link.solver == JOINT_GEAR);
		counted += joint->gears;
		archive_check(archive, body_used(world, joint->link.bodies[0]) && body_used(world, joint->link.bodies[1]), faulty);
		archive_check(archive, joint->link.solver == JOINT_FILTER || world->wing->solvers[joint->link.solver][LANES_1] != NULL,
			"a joint is of a type that this dimension has not");
		if (!array_reserve(world->memory, &world->colours[OVERFLOW].links[joint->link.solver], world->joint_ids.end))
			archive->no_memory = true;
		for (int side = 0; side < 2 && joint->link.solver == JOINT_GEAR; ++side) {
			uint32_t on = joint_gear(world, id)->settings.joints[side];
			archive_check(archive,
				world->joints.data[on].link.valid && world->joints.data[on].gears > 0 &&
					gear_coordinate((enum joint_type)world->joints.data[on].link.solver) >= 0,
				faulty);
		}
	}
	archive_check(archive, listed == 2 * used && gears == counted, faulty);
}

static void islands_check(struct archive *archive, struct world *world)
{
	uint32_t bodies[2] = {0, 0}, links[LINK_KINDS][2] = {{0, 0}, {0, 0}};
	for (uint32_t id = 0; id < world->islands.count; ++id) {
		const struct island *island = &world->islands.data[id];
		if (!island->valid)
			continue;
		bodies[0] += island->bodies.count;
		for (int kind = 0; kind < LINK_KINDS; ++kind)
			links[kind][0] += island->links[kind].count;
	}
	for (uint32_t id = 0; id < world->bodies.count; ++id) {
		const struct body *body = &world->bodies.data[id];
		bool member = body->valid && body->set != SET_DISABLED && body->island.id != NONE;
		bodies[1] += member;
		archive_check(archive, !member || world->islands.data[body->island.id].valid, faulty);
		archive_check(archive, body->valid || body->island.id == NONE, faulty);
	}
	for (uint32_t id = 0; id < world->contacts.count; ++id)
		links[LINK_CONTACT][1] += contact_used(world, id) && world->contacts.data[id].link.island.id != NONE;
	for (uint32_t id = 0; id < world->joints.count; ++id)
		links[LINK_JOINT][1] += world->joints.data[id].link.valid && world->joints.data[id].link.island.id != NONE;
	archive_check(archive, bodies[0] == bodies[1] && links[0][0] == links[0][1] && links[1][0] == links[1][1], faulty);
}

static bool members_used(const struct world *world, const struct bits *set, id_used *used)
{
	for (uint32_t id = bits_next(set, 0); id != NONE; id = bits_next(set, id + 1))
		if (!used(world, id))
			return false;
	return true;
}

static void sets_check(struct archive *archive, struct world *world)
{
	const struct bits *contacts[] = {&world->awake_contacts, &world->deep_contacts, &world->plunged_contacts,
		&world->sunk_contacts, &world->asked_contacts, &world->barred_contacts, &world->mixed_contacts,
		&world->passing_contacts};
	/* others may have destroyed bodies as members */
	const struct bits *bodies[] = {
		&world->loaded_bodies, &world->lulled_bodies, &world->roused_bodies, &world->woken_bodies, &world->slept_bodies};
	for (size_t i = 0; i < sizeof contacts / sizeof *contacts; ++i)
		archive_check(archive, members_used(world, contacts[i], contact_used), faulty);
	for (size_t i = 0; i < sizeof bodies / sizeof *bodies; ++i)
		archive_check(archive, members_used(world, bodies[i], body_used), faulty);
	archive_check(archive, members_used(world, &world->enlarged_proxies, proxy_used), faulty);
	archive_check(archive, members_used(world, &world->stale, proxy_used), faulty);
	archive_check(archive, members_used(world, &world->loosened_islands, island_used), faulty);
	for (uint32_t id = bits_next(&world->loaded_bodies, 0); id != NONE; id = bits_next(&world->loaded_bodies, id + 1))
		archive_check(archive, world->bodies.data[id].type == BODY_DYNAMIC && world->bodies.data[id].mover != 0, faulty);
	for (uint32_t i = 0; i < world->surfaces.count; ++i)
		archive_check(archive,
			bits_has(&world->mixed_contacts, world->surfaces.data[i].contact) &&
				(i == 0 || world->surfaces.data[i - 1].contact < world->surfaces.data[i].contact),
			faulty);
}

static void controllers_check(struct archive *archive, struct world *world)
{
	uint32_t used = 0, controlled = 0;
	for (uint32_t id = 0; id < world->controllers.all.count; ++id) {
		const struct controller *controller = &world->controllers.all.data[id];
		if (!controller->valid)
			continue;
		++used;
		const struct body *body = &world->bodies.data[controller->body];
		const struct collider *collider = &world->colliders.data[controller->collider];
		archive_check(
			archive, body->valid && body->controlled && collider->valid && collider->body == controller->body, faulty);
		archive_check(archive,
			controller->state == CONTROLLER_AIR ||
				(controller->ground_body.index < world->bodies.count &&
					controller->ground.collider.index < world->colliders.count),
			faulty);
	}
	for (uint32_t id = 0; id < world->bodies.count; ++id)
		controlled += world->bodies.data[id].valid && world->bodies.data[id].controlled;
	archive_check(archive, used == controlled, faulty);
}

static void fields_check(struct archive *archive, struct world *world)
{
	const struct fields *fields = &world->fields;
	for (uint32_t id = 0; id < fields->all.count; ++id) {
		const struct field *field = &fields->all.data[id];
		archive_check(archive, !field->valid || field->leaf == NONE || (field->enabled && field->shape != NULL), faulty);
	}
	archive_check(archive, tree_validate(&fields->tree) == NULL, faulty);
}

/* --- All of it ------------------------------------------------------------------------------------------------------------ */

/* Reserves what later steps rely on: see events.h. */
static bool events_room(struct world *world)
{
	struct memory *memory = world->memory;
	uint32_t touching = world->touching_count - world->overlap_count;
	return array_reserve(memory, &world->events.ends.all, touching) &&
		array_reserve(memory, &world->events.overlap_ends.all, 2 * world->overlap_count) &&
		array_reserve(memory, &world->colours[OVERFLOW].links[0], touching) && joint_events_reserve(world);
}

void world_complete(struct archive *archive, struct world *world)
{
	ids_check(archive, world);
	if (archive_good(archive))
		colliders_check(archive, world);
	if (archive_good(archive))
		contacts_complete(archive, world);
	if (archive_good(archive))
		joints_complete(archive, world);
	if (archive_good(archive)) {
		islands_check(archive, world);
		sets_check(archive, world);
		controllers_check(archive, world);
		fields_check(archive, world);
	}
	if (!archive_good(archive))
		return;
	archive->no_memory = !events_room(world);
	if (!archive->no_memory)
		archive_check(archive, world_validate(world) == NULL, faulty);
}
