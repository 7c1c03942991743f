/* joint_tree.c - see joint_tree.h. */
#include "core/joint_tree.h"
#include "base/sort.h"
#include "core/link.h"

#include <math.h>
#include <string.h>

/* A component with more loops than this fraction of its joints is a mesh, of which a tree is too small a part to help. */
enum { JOINTS_PER_LOOP = 2 };

#define STIFFENED (-1.0f) /* in partition.pulls: the body's inertia is increased */

bool joint_trees_reserve(struct world *world, uint32_t joints)
{
	struct partition *partition = &world->partition;
	struct memory *memory = world->memory;
	if (world->settings.joint_solver != JOINTS_DIRECT)
		return true;
	return array_reserve(memory, &partition->tree_joints, joints) && array_reserve(memory, &partition->tree_ids, joints) &&
		array_reserve(memory, &partition->trees, joints) && array_reserve(memory, &partition->tree_keys, 2 * joints) &&
		array_reserve(memory, &partition->tree_order, joints) &&
		array_reserve(memory, &partition->reached, world->bodies.count) &&
		array_reserve(memory, &partition->pulls, world->bodies.count);
}

/* --- Finding -------------------------------------------------------------------------------------------------------------- */

/* Whether a tree may take the joint, which is in none. Locked axes of a body and locks of its joints that depend on each other
 * would leave pivots of rounding errors: so a weld threw its body at 400 m/s. */
static bool joint_suits(const struct world *world, uint32_t id)
{
	const uint32_t *bodies = joint_bodies(world, id);
	const struct joint *joint = &world->joints.data[id];
	uint8_t type = joint->link.solver;
	if (joint->link.colour == NO_COLOUR || joint->in_tree || !isnan(joint->hertz) || !isnan(joint->damping_ratio))
		return false;
	for (int side = 0; side < 2; ++side)
		if (world->bodies.data[bodies[side]].type == BODY_DYNAMIC && world->wing->body_locked(world, bodies[side]))
			return false;
	const struct joint_parts *parts = world->wing->solvers[type][LANES_1]->parts;
	return parts != NULL && parts->size(type).locks > 0;
}

static void joints_free(struct world *world)
{
	for (int solver = 1; solver < SOLVERS; ++solver)
		for (uint32_t colours = world->used_colours[solver]; colours != 0; colours &= colours - 1) {
			const struct colour *colour = &world->colours[__builtin_ctz(colours)];
			for (uint32_t i = 0; i < colour->links[solver].count; ++i)
				world->joints.data[colour->links[solver].data[i].id].in_tree = false;
		}
}

static uint32_t hanging_body(const struct world *world, uint32_t index)
{
	const struct partition *partition = &world->partition;
	return joint_bodies(world, partition->tree_ids.data[index])[partition->tree_joints.data[index].side];
}

/* Adds the body's joints to the last tree; parent: the body's index in it. Returns the number of joints that close loops. */
static uint32_t joints_add(struct world *world, uint32_t body, uint32_t parent)
{
	struct partition *partition = &world->partition;
	uint32_t loops = 0;
	for (uint32_t key = world->bodies.data[body].links[LINK_JOINT]; key != NONE; key = link_next(world, LINK_JOINT, key)) {
		uint32_t id = key / 2, other = link_other_body(world, LINK_JOINT, key);
		bool fixed = world->bodies.data[other].type != BODY_DYNAMIC;
		if (!joint_suits(world, id))
			continue;
		if (!fixed && partition->reached.data[other]) {
			++loops;
			continue;
		}
		world->joints.data[id].in_tree = true;
		partition->reached.data[other] = !fixed;
		array_push(&partition->tree_ids, id);
		array_push(&partition->tree_joints,
			(struct tree_joint){parent, world->joints.data[id].link.solver, (uint8_t)(~key & 1), fixed});
	}
	return loops;
}

/* Adds the tree from the body on, breadth first, so that parents come before their children. */
static void tree_grow(struct world *world, uint32_t root)
{
	struct partition *partition = &world->partition;
	uint32_t first = partition->tree_joints.count, loops = 0, hash = 0;
	partition->reached.data[root] = true;
	for (uint32_t body = 0; body <= partition->tree_joints.count - first; ++body)
		if (body == 0 || !partition->tree_joints.data[first + body - 1].fixed)
			loops += joints_add(world, body == 0 ? root : hanging_body(world, first + body - 1), body);
	uint32_t count = partition->tree_joints.count - first;
	if (count == 0)
		return;
	if (loops / 2 * JOINTS_PER_LOOP > count) { /* both ends count a loop */
		for (uint32_t i = first; i < first + count; ++i)
			world->joints.data[partition->tree_ids.data[i]].in_tree = false;
		partition->tree_joints.count = partition->tree_ids.count = first;
		return;
	}
	for (uint32_t i = first; i < first + count; ++i) {
		const struct tree_joint *joint = &partition->tree_joints.data[i];
		hash = scramble(hash ^ joint->parent << 8 ^ (uint32_t)joint->type << 2 ^ (uint32_t)joint->side << 1 ^ joint->fixed);
	}
	array_push(&partition->trees, (struct joint_tree){.root = root, .first = first, .count = count, .shape = hash});
}

void joint_trees_find(struct world *world)
{
	struct partition *partition = &world->partition;
	partition->trees.count = partition->tree_joints.count = partition->tree_ids.count = 0;
	if (world->settings.joint_solver != JOINTS_DIRECT || partition->reached.data == NULL)
		return;
	joints_free(world);
	memset(partition->reached.data, 0, world->bodies.count * sizeof *partition->reached.data);
	for (uint32_t row = 0; row < world->awake.count; ++row) {
		uint32_t id = world->awake.data[row];
		const struct body *body = &world->bodies.data[id];
		if (body->type == BODY_DYNAMIC && !partition->reached.data[id] && body->links[LINK_JOINT] != NONE)
			tree_grow(world, id);
	}
}

/* --- Batches -------------------------------------------------------------------------------------------------------------- */

void joint_trees_sort(struct world *world)
{
	struct partition *partition = &world->partition;
	uint32_t count = partition->trees.count;
	if (count == 0)
		return;
	uint64_t *keys = partition->tree_keys.data, *other = keys + count;
	for (uint32_t i = 0; i < count; ++i)
		keys[i] = (uint64_t)partition->trees.data[i].shape << 32 | i;
	uint64_t *sorted = sort_keys(keys, other, count);
	for (uint32_t i = 0; i < count; ++i)
		sorted[i] = (uint64_t)partition->trees.data[(uint32_t)sorted[i]].block << 32 | (uint32_t)sorted[i];
	sorted = sort_keys(sorted, sorted == keys ? other : keys, count);
	for (uint32_t i = 0; i < count; ++i)
		partition->tree_order.data[i] = (uint32_t)sorted[i];
}

static bool same_shape(const struct partition *partition, const struct joint_tree *a, const struct joint_tree *b)
{
	const struct tree_joint *joints = partition->tree_joints.data, *one = joints + a->first, *other = joints + b->first;
	if (a->shape != b->shape || a->count != b->count || a->block != b->block)
		return false;
	for (uint32_t i = 0; i < a->count; ++i)
		if (one[i].parent != other[i].parent || one[i].type != other[i].type || one[i].side != other[i].side ||
			one[i].fixed != other[i].fixed)
			return false;
	return true;
}

/* Lists the links of trees side by side: those of LANES trees, joint by joint. */
static void batch_push(struct world *world, enum lane_choice lanes, uint32_t next, uint32_t count, uint32_t *first)
{
	struct partition *partition = &world->partition;
	const struct link_solver *solver = world->wing->tree_solvers[lanes];
	const uint32_t *order = partition->tree_order.data + next, *states = partition->body_states.data;
	const struct joint_tree *shape = &partition->trees.data[order[0]];
	const struct tree_joint *joints = partition->tree_joints.data + shape->first;
	array_push(&partition->batches,
		(struct batch){
			.solver = solver,
			.first = *first,
			.count = count,
			.grain = 1,
			.tree = shape->first,
			.joints = shape->count,
			.record_size = solver->tree_size(world->wing, joints, shape->count),
		});
	for (uint32_t group = 0; group < count; group += solver->lanes)
		for (uint32_t k = 0; k < shape->count; ++k)
			for (uint32_t i = group; i < group + solver->lanes && i < count; ++i) {
				uint32_t id = partition->tree_ids.data[partition->trees.data[order[i]].first + k];
				const uint32_t *bodies = joint_bodies(world, id);
				partition->links.data[(*first)++] =
					(struct batch_link){id, {bodies[0], bodies[1]}, {states[bodies[0]], states[bodies[1]]}};
			}
}

uint32_t joint_trees_batch(struct world *world, uint32_t block, uint32_t next, uint32_t *first)
{
	const struct partition *partition = &world->partition;
	const struct joint_tree *trees = partition->trees.data;
	const uint32_t *order = partition->tree_order.data;
	while (next < partition->trees.count && trees[order[next]].block == block) {
		uint32_t end = next + 1, lanes = world->wing->tree_solvers[world->lanes]->lanes;
		while (end < partition->trees.count && same_shape(partition, &trees[order[next]], &trees[order[end]]))
			++end;
		uint32_t alone = (end - next) % lanes == 1 ? 1 : 0; /* one tree in many lanes would take longer */
		if (end - next > alone)
			batch_push(world, world->lanes, next, end - next - alone, first);
		if (alone == 1)
			batch_push(world, LANES_1, end - 1, 1, first);
		next = end;
	}
	return next;
}

/* --- Inertia -------------------------------------------------------------------------------------------------------------- */

/* Of each joint side by side: the bodies of the trees, of which one with several joints comes several times. */
static uint32_t tree_body(const struct world *world, uint32_t index)
{
	return joint_bodies(world, world->partition.tree_ids.data[index / 2])[index % 2];
}

/* Sums the joints' pulls on each body, or bounds on them. Returns the greatest sum. */
static float pulls_sum(struct world *world, bool exact)
{
	const struct partition *partition = &world->partition;
	float *pulls = partition->pulls.data, most = 0.0f;
	for (uint32_t i = 0; i < 2 * partition->tree_joints.count; ++i)
		pulls[tree_body(world, i)] = 0.0f;
	for (uint32_t i = 0; i < partition->tree_joints.count; ++i) {
		float both[2];
		world->wing->joint_pulls(world, partition->tree_ids.data[i], exact, both);
		for (uint32_t side = 0; side < 2; ++side) {
			float *pull = &pulls[tree_body(world, 2 * i + side)];
			*pull += world->step.h * both[side];
			most = fmaxf(most, *pull);
		}
	}
	return most;
}

void joint_trees_stiffen(struct world *world)
{
	struct partition *partition = &world->partition;
	float *pulls = partition->pulls.data;
	if (partition->trees.count == 0)
		return;
	/* Few bodies are pulled hard: the bounds, which take less time, show that usually. */
	if (pulls_sum(world, false) <= 1.0f || pulls_sum(world, true) <= 1.0f)
		return;
	for (uint32_t i = 0; i < 2 * partition->tree_joints.count; ++i) {
		uint32_t body = tree_body(world, i);
		if (pulls[body] <= 1.0f)
			continue;
		world->wing->body_stiffen(world, body, 1.0f / pulls[body]);
		pulls[body] = STIFFENED;
	}
}

void joint_trees_ease(struct world *world)
{
	static const float whole[3] = {1.0f, 1.0f, 1.0f};
	const struct partition *partition = &world->partition;
	for (uint32_t i = 0; i < 2 * partition->tree_joints.count; ++i) {
		uint32_t body = tree_body(world, i);
		if (partition->pulls.data[body] != STIFFENED)
			continue;
		world->wing->body_burden(world, body, whole, 1.0f);
		partition->pulls.data[body] = 0.0f;
	}
}
