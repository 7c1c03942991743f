/* validate.c - see validate.h. */
#include "core/validate.h"
#include "core/proxy.h"
#include "base/check.h"
#include "core/contact.h"
#include "core/filter.h"
#include "core/gear.h"

/* Whether the body has no contacts with the other body of the contact `key` after the run of that contact; true if the other
 * body has fewer contacts. */
static bool run_complete(const struct world *world, uint32_t body, uint32_t key)
{
	uint32_t other = link_other_body(world, LINK_CONTACT, key), next = link_next(world, LINK_CONTACT, key);
	if (link_run_next(world, LINK_CONTACT, key) != NONE || link_fewer(world, LINK_CONTACT, body, other) != body)
		return true;
	while (next != NONE && link_other_body(world, LINK_CONTACT, next) != other)
		next = link_next(world, LINK_CONTACT, next);
	return next == NONE;
}

static const char *validate_body(const struct world *world, uint32_t id)
{
	const struct body *body = &world->bodies.data[id];
	bool awake = body->set == SET_AWAKE;
	CHECK((body->type == BODY_STATIC) == (body->set == SET_STATIC) || body->set == SET_DISABLED);
	CHECK(body->type == BODY_STATIC || body->mover != 0);
	CHECK(awake == (body->row != NONE) && awake == bits_has(&world->awake_bodies, id));
	CHECK(body->mover == 0 || awake == bits_has(&world->awake_movers, body->mover));
	CHECK(!awake || (body->row < world->awake.count && world->awake.data[body->row] == id));
	CHECK((body->island.id != NONE) == (body->type == BODY_DYNAMIC && body->set != SET_DISABLED));
	CHECK(body->island.id == NONE || world->islands.data[body->island.id].awake == awake);
	uint32_t colliders = 0, previous = NONE;
	for (uint32_t c = body->colliders; c != NONE; previous = c, c = world->colliders.data[c].next, ++colliders) {
		const struct collider *collider = &world->colliders.data[c];
		CHECK(collider->valid && collider->body == id && collider->previous == previous);
		CHECK(colliders < body->collider_count);
	}
	CHECK(colliders == body->collider_count);
	for (enum link_kind kind = 0; kind < LINK_KINDS; ++kind) {
		uint32_t links = 0, colours = 0;
		previous = NONE;
		for (uint32_t key = body->links[kind]; key != NONE; previous = key, key = link_next(world, kind, key), ++links) {
			const struct link *link = link_at(world, kind, key / 2);
			CHECK(kind == LINK_CONTACT ? world->contacts.data[key / 2].link.valid : world->joints.data[key / 2].link.valid);
			CHECK(link->bodies[key & 1] == id && link->previous[key & 1] == previous);
			CHECK(links < body->link_counts[kind]);
			if (body->type != BODY_DYNAMIC || link->colour >= COLOURS)
				continue;
			CHECK((colours >> link->colour & 1) == 0); /* no other link of the body has this colour */
			colours |= UINT32_C(1) << link->colour;
		}
		CHECK(links == body->link_counts[kind] && colours == body->taken_colours[kind]);
	}
	CHECK(body->set != SET_DISABLED || body->link_counts[LINK_CONTACT] == 0);
	for (uint32_t key = body->links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key))
		CHECK(run_complete(world, id, key));
	return NULL;
}

/* Checks that the link has a colour exactly when `solved`, and is in an island, that of both bodies, exactly when it `ties`. */
static const char *validate_link(const struct world *world, enum link_kind kind, uint32_t id, bool solved, bool ties)
{
	const struct link *link = link_at(world, kind, id);
	const struct body *a = &world->bodies.data[link->bodies[0]], *b = &world->bodies.data[link->bodies[1]];
	CHECK((link->colour != NO_COLOUR) == solved);
	if (link->colour != NO_COLOUR) {
		const struct colour *colour = &world->colours[link->colour];
		CHECK(link->colour_index < colour->links[link->solver].count &&
			colour->links[link->solver].data[link->colour_index].id == id);
	}
	CHECK(ties == (link->island.id != NONE));
	CHECK(!ties || (a->island.id == link->island.id && b->island.id == link->island.id));
	return NULL;
}

static const char *validate_joint(const struct world *world, uint32_t id)
{
	const struct joint *joint = &world->joints.data[id];
	const struct body *a = &world->bodies.data[joint->link.bodies[0]], *b = &world->bodies.data[joint->link.bodies[1]];
	CHECK((a->valid || a->mount) && b->valid && a != b && joint->link.solver > 0 && joint->link.solver < SOLVERS);
	CHECK(gear_valid(world, id));
	bool active = joint_active(world, id), enabled = active && a->set != SET_DISABLED && b->set != SET_DISABLED;
	bool moves = (a->set == SET_AWAKE && a->type == BODY_DYNAMIC) || (b->set == SET_AWAKE && b->type == BODY_DYNAMIC);
	bool watched = joint->thresholds[0] < INFINITY || joint->thresholds[1] < INFINITY;
	CHECK(watched == bits_has(&world->watched_joints, id) && (watched || !joint->breakable));
	CHECK(world->soft_joints > 0 || (isnan(joint->hertz) && isnan(joint->damping_ratio)));
	return validate_link(world, LINK_JOINT, id, enabled && moves, active && a->island.id != NONE && b->island.id != NONE);
}

static const char *validate_disabled(const struct world *world, uint32_t expected)
{
	uint32_t count = 0, previous = NONE;
	for (uint32_t id = world->disabled; id != NONE; previous = id, id = world->bodies.data[id].island.next) {
		const struct body *body = &world->bodies.data[id];
		CHECK(body->valid && body->set == SET_DISABLED && body->island.previous == previous);
		CHECK(++count <= expected);
	}
	CHECK(count == expected);
	return NULL;
}

static const char *validate_collider(const struct world *world, uint32_t id)
{
	const struct collider *collider = &world->colliders.data[id];
	const struct body *body = &world->bodies.data[collider->body];
	bool enabled = body->set != SET_DISABLED;
	CHECK(body->valid);
	CHECK(enabled ? collider->proxies != NONE || world->wing->shape_children(collider->shape) == 0 : collider->proxies == NONE);
	uint32_t count = 0;
	for (uint32_t p = collider->proxies; p != NONE; p = world->proxies.data[p].next, ++count) {
		const struct proxy *proxy = &world->proxies.data[p];
		bool unbounded = proxy_unbounded(proxy), drifting = proxy->home == HOME_DRIFTING;
		CHECK(proxy->collider == id && proxy->child < world->wing->shape_children(collider->shape) && proxy->edit == EDIT_NONE);
		CHECK(proxy->next == NONE || world->proxies.data[proxy->next].previous == p);
		CHECK(proxy->leaf == NONE ? unbounded || bits_has(&world->stale, p) : !unbounded);
		CHECK(bits_has(&world->drifting, p) == drifting && (drifting || !bits_has(&world->stale, p)));
		if (!unbounded) {
			const struct tree *tree = &world->trees[proxy->home];
			bool displaced = bits_has(body->set == SET_AWAKE ? &world->roused_bodies : &world->lulled_bodies, collider->body);
			CHECK(body->type == BODY_DYNAMIC ? displaced || drifting == (body->set == SET_AWAKE) : !drifting);
			CHECK((proxy->home == HOME_STATIC) == (body->type == BODY_STATIC));
			CHECK(proxy->leaf == NONE || tree->room->values[proxy->leaf] == p);
			if (!bits_has(&world->stale, p)) {
				struct box box = tree_box(tree, proxy->leaf);
				CHECK(box_equal(&box, &proxy->box));
			}
		}
		CHECK(proxy->home == HOME_STATIC || proxy->moved_index == NONE ||
			(proxy->moved_index < world->moved_proxies.count && world->moved_proxies.data[proxy->moved_index] == p));
		CHECK(proxy_has_moved(world, p) || proxy->searched.lower[0] > proxy->searched.upper[0] ||
			box_equal(&proxy->searched, &proxy->box));
		struct box box;
		world->wing->proxy_box(world, p, &box);
		CHECK(unbounded || box_contains(&proxy->box, &box));
	}
	CHECK(!enabled || count == world->wing->shape_children(collider->shape));
	CHECK(world->wing->shape_valid(collider->shape));
	return NULL;
}

static const char *validate_contact(const struct world *world, uint32_t id)
{
	const struct contact *contact = &world->contacts.data[id];
	const struct body *a = &world->bodies.data[contact->link.bodies[0]], *b = &world->bodies.data[contact->link.bodies[1]];
	bool touching = (contact->link.flags & CONTACT_TOUCHING) != 0, sensor = (contact->link.flags & CONTACT_SENSOR) != 0;
	bool dynamic_awake = (a->set == SET_AWAKE && a->type == BODY_DYNAMIC) || (b->set == SET_AWAKE && b->type == BODY_DYNAMIC);
	bool any_awake = a->set == SET_AWAKE || b->set == SET_AWAKE;
	bool awake = (contact->link.flags & CONTACT_ONCE) || (sensor ? any_awake : dynamic_awake);
	for (int side = 0; side < 2; ++side)
		CHECK(world->proxies.data[contact->proxies[side]].collider == contact->colliders[side] &&
			world->colliders.data[contact->colliders[side]].body == contact->link.bodies[side]);
	CHECK(pairset_has(&world->pairs, contact->proxies[0], contact->proxies[1]));
	if (contact->follower != NONE) {
		const struct contact *follower = &world->contacts.data[contact->follower];
		CHECK(follower->link.valid && (follower->link.flags & CONTACT_FOLLOWS));
		CHECK(follower->proxies[0] == contact->proxies[0] && follower->proxies[1] == contact->proxies[1]);
	}
	CHECK((awake && (contact->link.flags & CONTACT_FOLLOWS) == 0) == bits_has(&world->awake_contacts, id));
	CHECK(filter_joint(world, contact->link.bodies[0], contact->link.bodies[1]) == NONE);
	bool ties = touching && !sensor && a->island.id != NONE && b->island.id != NONE;
	return validate_link(world, LINK_CONTACT, id, touching && awake && !sensor, ties);
}

static const char *validate_island(const struct world *world, uint32_t id)
{
	const struct island *island = &world->islands.data[id];
	uint32_t bodies = 0, all = 0, previous = NONE;
	for (uint32_t body = island->bodies.first; body != NONE; previous = body, body = world->bodies.data[body].island.next) {
		CHECK(world->bodies.data[body].island.id == id && world->bodies.data[body].island.previous == previous);
		CHECK(++bodies <= island->bodies.count);
	}
	CHECK(bodies == island->bodies.count && bodies > 0 && previous == island->bodies.last);
	for (enum link_kind kind = 0; kind < LINK_KINDS; ++kind) {
		const struct island_list *list = &island->links[kind];
		uint32_t links = 0;
		previous = NONE;
		for (uint32_t e = list->first; e != NONE; previous = e, e = link_at(world, kind, e)->island.next) {
			CHECK(link_at(world, kind, e)->island.id == id && link_at(world, kind, e)->island.previous == previous);
			CHECK(++links <= list->count);
		}
		CHECK(links == list->count && previous == list->last);
		all += links;
	}
	CHECK(all + island->loosened + 1 >= bodies); /* else the island cannot be connected */
	CHECK(bits_has(&world->loosened_islands, id) == (island->loosened > 0));
	return NULL;
}

/* Checks that the colour's lists hold links of this colour only, each once, and that the world knows which are not empty. */
static const char *validate_colour(const struct world *world, int colour)
{
	for (int solver = 0; solver < SOLVERS; ++solver) {
		uint32_t count = world->colours[colour].links[solver].count;
		CHECK((world->used_colours[solver] >> colour & 1) == (count > 0));
		for (uint32_t i = 0; i < count; ++i) {
			struct coloured_link at = world->colours[colour].links[solver].data[i];
			const struct link *link = link_at(world, solver == 0 ? LINK_CONTACT : LINK_JOINT, at.id);
			CHECK(link->valid && link->solver == solver && link->colour == colour && link->colour_index == i);
			CHECK(link->bodies[0] == at.bodies[0] && link->bodies[1] == at.bodies[1]);
		}
	}
	return NULL;
}

const char *world_validate(const struct world *world)
{
	const char *why = NULL;
	uint32_t bodies = 0, colliders = 0, sensors = 0, one_ways = 0, contacts = 0, followers = 0, joints = 0, idle = 0,
			 islands = 0;
	uint32_t touching = 0, overlaps = 0, movable = 0, movers = 0, awake = 0, disabled = 0, mounts = 0;
	CHECK(!world->locked);
	for (uint32_t id = 0; id < world->bodies.count; ++id) {
		const struct body *body = &world->bodies.data[id];
		mounts += body->mount;
		CHECK(!body->mount || (!body->valid && body->set == SET_STATIC && body->link_counts[LINK_JOINT] >= 1));
		CHECK(!body->mount || (body->colliders == NONE && body->mover == 0));
		if (!body->valid)
			continue;
		++bodies;
		movable += body->type != BODY_STATIC;
		movers += body->mover != 0;
		awake += body->set == SET_AWAKE;
		disabled += body->set == SET_DISABLED;
		if ((why = validate_body(world, id)) != NULL)
			return why;
	}
	CHECK(ids_count(&world->mover_ids) == (world->mover_ids.end == 0 ? 0 : movers + 1));
	if ((why = validate_disabled(world, disabled)) != NULL)
		return why;
	for (uint32_t id = 0; id < world->colliders.count; ++id) {
		colliders += world->colliders.data[id].valid;
		sensors += bits_has(&world->sensors, id);
		one_ways += world->colliders.data[id].one_way != NONE && world->colliders.data[id].valid;
		CHECK(bits_has(&world->sensors, id) == (world->colliders.data[id].valid && world->colliders.data[id].sensor));
		if (world->colliders.data[id].valid && (why = validate_collider(world, id)) != NULL)
			return why;
	}
	for (uint32_t id = 0; id < world->contacts.count; ++id) {
		const struct contact *contact = &world->contacts.data[id];
		contacts += contact->link.valid;
		followers += contact->link.valid && (contact->link.flags & CONTACT_FOLLOWS);
		touching += contact->link.valid && (contact->link.flags & CONTACT_TOUCHING);
		overlaps += contact->link.valid && (contact->link.flags & CONTACT_TOUCHING) && (contact->link.flags & CONTACT_SENSOR);
		if (contact->link.valid && (why = validate_contact(world, id)) != NULL)
			return why;
	}
	for (uint32_t id = 0; id < world->joints.count; ++id) {
		joints += world->joints.data[id].link.valid;
		idle += world->joints.data[id].link.valid && !joint_active(world, id);
		if (world->joints.data[id].link.valid && (why = validate_joint(world, id)) != NULL)
			return why;
	}
	for (uint32_t id = 0; id < world->islands.count; ++id) {
		islands += world->islands.data[id].valid;
		if (world->islands.data[id].valid && (why = validate_island(world, id)) != NULL)
			return why;
	}
	for (int i = 0; i <= COLOURS; ++i)
		if ((why = validate_colour(world, i)) != NULL)
			return why;
	CHECK(bodies == world_body_count(world) && mounts == world->mount_count);
	CHECK(colliders == ids_count(&world->collider_ids) && sensors == world->sensor_count);
	CHECK(one_ways == ids_count(&world->one_way_ids));
	CHECK(contacts == ids_count(&world->contact_ids) && islands == ids_count(&world->island_ids));
	CHECK(joints == world_joint_count(world) && idle == world->idle_joints);
	CHECK(contacts - followers == world->pairs.count && touching == world->touching_count && overlaps == world->overlap_count);
	CHECK(world->events.joints.capacity >= bits_count(&world->watched_joints));
	const struct end_events *ends = &world->events.ends, *overlap_ends = &world->events.overlap_ends;
	CHECK(ends->all.capacity - ends->all.count >= touching - overlaps &&
		overlap_ends->all.capacity - overlap_ends->all.count >= 2 * overlaps);
	CHECK(movable == world->movable_count && awake == world->awake.count);
	uint32_t leaves = 0;
	for (int home = 0; home < TREES && why == NULL; ++home) {
		leaves += world->trees[home].leaf_count;
		why = tree_validate(&world->trees[home]);
	}
	CHECK(why != NULL || leaves == world->leaves.leaf_count);
	return why;
}
