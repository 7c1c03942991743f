/* history_regions.c - see history_regions.h. */
#include "core/history_regions.h"

#include <string.h>

#define ARRAY_REGION(array)                                                    \
	{                                                                          \
		(unsigned char *)(array)->data, (array)->count * sizeof *(array)->data \
	}

#define SET(member) offsetof(struct world, member)

static const size_t sets[] = {SET(awake_contacts), SET(deep_contacts), SET(plunged_contacts), SET(sunk_contacts),
	SET(asked_contacts), SET(barred_contacts), SET(mixed_contacts), SET(passing_contacts), SET(loaded_bodies),
	SET(teleported_bodies), SET(stirred_bodies), SET(lulled_bodies), SET(roused_bodies), SET(settled_bodies),
	SET(unfinished_drops), SET(dropping_bodies), SET(woken_bodies), SET(slept_bodies), SET(shifted_bodies),
	SET(enlarged_proxies), SET(stale), SET(drifting), SET(ended_joints), SET(watched_joints), SET(loosened_islands),
	SET(sensors), SET(following_contacts)};
_Static_assert(sizeof sets / sizeof *sets == SETS, "each has a number");

struct bits *world_set(struct world *world, uint32_t number)
{
	return (struct bits *)(void *)((unsigned char *)world + sets[number]);
}

struct region set_region(const struct bits *set)
{
	return (struct region){(unsigned char *)(uintptr_t)set->words, set->word_count * sizeof(uint64_t)};
}

void regions_find(struct world *world, struct region_list *list)
{
	const struct wing *wing = world->wing;
	struct fields *fields = &world->fields;
	const struct tree_room *rooms[] = {&world->leaves, &fields->room};
	const struct region arrays[] = {
		ARRAY_REGION(&world->bodies),
		{world->body_rows, world->bodies.count * wing->body_size},
		ARRAY_REGION(&world->colliders),
		ARRAY_REGION(&world->proxies),
		ARRAY_REGION(&world->contacts),
		{world->manifolds, world->contacts.count * wing->manifold_size},
		{(unsigned char *)world->travel_limits.data, world->contacts.count * sizeof *world->travel_limits.data},
		{(unsigned char *)world->travels.data, world->bodies.count * sizeof *world->travels.data},
		{(unsigned char *)world->burdens.data, world->mover_ids.end * sizeof *world->burdens.data},
		{world->mover_rows, world->mover_ids.end * wing->mover_size},
		{world->states == NULL ? NULL : world->states + wing->state_size, world->awake.count * wing->state_size},
		ARRAY_REGION(&world->awake),
		ARRAY_REGION(&world->joints),
		{world->joint_rows, world->joints.count * wing->joint_size},
		ARRAY_REGION(&world->islands),
		ARRAY_REGION(&world->moved_proxies),
		ARRAY_REGION(&world->moved_statics),
		ARRAY_REGION(&world->unbounded),
		ARRAY_REGION(&world->surfaces),
		ARRAY_REGION(&world->drops),
		{(unsigned char *)world->one_way_normals.data, world->one_way_ids.end * sizeof *world->one_way_normals.data},
		ARRAY_REGION(&world->depenetration.shifts),
		ARRAY_REGION(&world->events.joints),
		ARRAY_REGION(&fields->all),
		ARRAY_REGION(&world->controllers.all),
		ARRAY_REGION(&world->body_ids.free),
		ARRAY_REGION(&world->mover_ids.free),
		ARRAY_REGION(&world->collider_ids.free),
		ARRAY_REGION(&world->proxy_ids.free),
		ARRAY_REGION(&world->contact_ids.free),
		ARRAY_REGION(&world->joint_ids.free),
		ARRAY_REGION(&world->island_ids.free),
		ARRAY_REGION(&world->one_way_ids.free),
		ARRAY_REGION(&fields->ids.free),
		ARRAY_REGION(&world->controllers.ids.free),
		{(unsigned char *)rooms[0]->nodes, rooms[0]->node_end * sizeof *rooms[0]->nodes},
		{(unsigned char *)rooms[0]->values, rooms[0]->leaf_end * sizeof *rooms[0]->values},
		{(unsigned char *)rooms[0]->ups, rooms[0]->leaf_end * sizeof *rooms[0]->ups},
		{(unsigned char *)rooms[1]->nodes, rooms[1]->node_end * sizeof *rooms[1]->nodes},
		{(unsigned char *)rooms[1]->values, rooms[1]->leaf_end * sizeof *rooms[1]->values},
		{(unsigned char *)rooms[1]->ups, rooms[1]->leaf_end * sizeof *rooms[1]->ups},
	};
	_Static_assert(sizeof arrays / sizeof *arrays <= ARRAYS, "room for all");
	for (uint32_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
		region_add(list, i, arrays[i]);
	for (uint32_t solver = 0; solver < SOLVERS; ++solver)
		for (uint32_t colours = world->used_colours[solver]; colours != 0; colours &= colours - 1) {
			uint32_t colour = (uint32_t)__builtin_ctz(colours);
			region_add(
				list, ARRAYS + colour * SOLVERS + solver, (struct region)ARRAY_REGION(&world->colours[colour].links[solver]));
		}
}

static const uint8_t scans[] = {SCAN_MARKED_BODIES, TOUCHED_BODIES, TOUCHED_COLLIDERS, TOUCHED_PROXIES, TOUCHED_CONTACTS,
	TOUCHED_MANIFOLDS, TOUCHED_LIMITS, TOUCHED_BODIES, TOUCHED_MOVERS, TOUCHED_MOVERS, SCAN_ALL, SCAN_ALL, TOUCHED_JOINTS,
	TOUCHED_JOINTS, TOUCHED_ISLANDS};

uint32_t region_scan(uint32_t region)
{
	if (region >= REGION_NODES && region < REGION_NODES + 2 * ROOM_REGIONS)
		return region < REGION_NODES + ROOM_REGIONS ? SCAN_TREES : SCAN_FIELD_TREE;
	return region < sizeof scans ? scans[region] : SCAN_ALL;
}

size_t record_size(const struct world *world, uint32_t region)
{
	const struct wing *wing = world->wing;
	static const size_t sizes[] = {sizeof *world->bodies.data, 0, sizeof *world->colliders.data, sizeof *world->proxies.data,
		sizeof *world->contacts.data, 0, sizeof *world->travel_limits.data, sizeof *world->travels.data,
		sizeof *world->burdens.data, 0, 0, 0, sizeof *world->joints.data, 0, sizeof *world->islands.data};
	switch (region) {
	case REGION_BODY_ROWS: return wing->body_size;
	case REGION_MANIFOLDS: return wing->manifold_size;
	case REGION_MOVER_ROWS: return wing->mover_size;
	case REGION_JOINT_ROWS: return wing->joint_size;
	}
	if (region >= REGION_NODES)
		return (region - REGION_NODES) % ROOM_REGIONS == 0 ? sizeof *world->leaves.nodes : sizeof *world->leaves.ups;
	return sizes[region];
}

struct stepped stepped_bytes(const struct world *world, uint32_t region)
{
	const struct wing *wing = world->wing;
	switch (region) {
	case REGION_BODY_ROWS: return wing->body_stepped;
	case REGION_MANIFOLDS: return wing->manifold_stepped;
	case REGION_MOVER_ROWS: return wing->mover_stepped;
	case REGION_STATES: return wing->state_stepped;
	default: return (struct stepped){0};
	}
}

/* The members of struct world that change, besides its arrays and sets. */
#define SPAN(member)                                                              \
	{                                                                             \
		offsetof(struct world, member), sizeof(((const struct world *)0)->member) \
	}
#define IDS_SPANS(ids) SPAN(ids.end), SPAN(ids.free.count)
#define ROOM_SPANS(room)                                                                                          \
	SPAN(room.leaf_count), SPAN(room.node_count), SPAN(room.leaf_end), SPAN(room.node_end), SPAN(room.free_leaf), \
		SPAN(room.free_node)
#define TREE_SPANS(tree) SPAN(tree.root), SPAN(tree.only), SPAN(tree.height), SPAN(tree.leaf_count), SPAN(tree.moves)

static const struct span {
	size_t at, size;
} spans[] = {
	SPAN(touching_count),
	SPAN(overlap_count),
	SPAN(settings),
	SPAN(step),
	SPAN(last_dt),
	SPAN(last_h),
	SPAN(mean_h),
	SPAN(gravity),
	SPAN(pre_solve_colliders),
	SPAN(pre_solved),
	SPAN(layer_masks),
	SPAN(random),
	SPAN(tick),
	SPAN(time),
	SPAN(rest),
	SPAN(alpha),
	SPAN(any_once),
	IDS_SPANS(body_ids),
	IDS_SPANS(mover_ids),
	IDS_SPANS(collider_ids),
	IDS_SPANS(proxy_ids),
	IDS_SPANS(contact_ids),
	IDS_SPANS(joint_ids),
	IDS_SPANS(island_ids),
	IDS_SPANS(one_way_ids),
	IDS_SPANS(fields.ids),
	IDS_SPANS(controllers.ids),
	SPAN(mount_count),
	SPAN(soft_joints),
	SPAN(idle_joints),
	SPAN(bodies.count),
	SPAN(colliders.count),
	SPAN(proxies.count),
	SPAN(contacts.count),
	SPAN(joints.count),
	SPAN(islands.count),
	SPAN(awake.count),
	SPAN(moved_proxies.count),
	SPAN(moved_statics.count),
	SPAN(unbounded.count),
	SPAN(surfaces.count),
	SPAN(drops.count),
	SPAN(depenetration.shifts.count),
	SPAN(events.joints.count),
	SPAN(events.joints_begin),
	SPAN(fields.all.count),
	SPAN(fields.ranks.count),
	SPAN(fields.attached),
	SPAN(controllers.all.count),
	SPAN(burden_search),
	SPAN(movable_count),
	SPAN(disabled),
	SPAN(sensor_count),
	TREE_SPANS(trees[0]),
	TREE_SPANS(trees[1]),
	TREE_SPANS(trees[2]),
	TREE_SPANS(fields.tree),
	ROOM_SPANS(leaves),
	ROOM_SPANS(fields.room),
};
_Static_assert(TREES == 3, "all trees are listed");

/* As memcpy: most sizes are these, which it then copies by one instruction. */
static void span_copy(unsigned char *to, const unsigned char *from, size_t size)
{
	if (size == sizeof(uint32_t))
		memcpy(to, from, sizeof(uint32_t));
	else if (size == sizeof(uint64_t))
		memcpy(to, from, sizeof(uint64_t));
	else
		memcpy(to, from, size);
}

void scalars_copy(struct scalars *to, const struct world *world)
{
	unsigned char *at = to->members;
	for (size_t i = 0; i < sizeof spans / sizeof *spans; at += spans[i++].size) {
		assert(at + spans[i].size <= to->members + sizeof to->members);
		span_copy(at, (const unsigned char *)world + spans[i].at, spans[i].size);
	}
	for (int solver = 0; solver < SOLVERS; ++solver) {
		uint32_t changed = world->used_colours[solver] | to->used_colours[solver];
		for (; changed != 0; changed &= changed - 1) {
			int colour = __builtin_ctz(changed);
			to->colours[colour][solver] = world->colours[colour].links[solver].count;
		}
		to->used_colours[solver] = world->used_colours[solver];
	}
}

void scalars_restore(struct world *world, const struct scalars *from)
{
	const unsigned char *at = from->members;
	for (size_t i = 0; i < sizeof spans / sizeof *spans; at += spans[i++].size)
		span_copy((unsigned char *)world + spans[i].at, at, spans[i].size);
	for (int i = 0; i <= COLOURS; ++i)
		for (int solver = 0; solver < SOLVERS; ++solver)
			world->colours[i].links[solver].count = from->colours[i][solver];
	memcpy(world->used_colours, from->used_colours, sizeof world->used_colours);
}
