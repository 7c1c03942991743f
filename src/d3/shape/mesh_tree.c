/* mesh_tree.c - the tree of AABBs over the children of meshes and compounds. It is built by the surface area heuristic, then
 * packed into blocks of 64 bytes. A block holds up to four sibling nodes; their AABBs are bytes relative to the AABB of all of
 * them, rounded outwards. See shape.h for threads.
 * Source of the packing: Ylitie, Karras, Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs",
 * 2017. */
#include "d3/shape/mesh_tree.h"

#include "base/array.h"
#include "base/sort.h"

#include <assert.h>

enum {
	BINS = 16,
	SORTED_LEAVES = 64, /* up to this number of leaves, items are sorted along each axis instead of binned, for finer splits */
	SORTED_MAX = 4 * SORTED_LEAVES,
	STEEP = 48, /* nodes this many divisions deep or deeper are halved by count: at most 32 more divisions */
};

/* An AABB; lane 3 means nothing. */
struct range3 {
	float4 lower, upper;
};

static const struct range3 nothing = {{INFINITY, INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY, -INFINITY}};

static void include(struct range3 *range, float4 lower, float4 upper)
{
	range->lower = float4_least(lower, range->lower);
	range->upper = float4_most(upper, range->upper);
}

/* The corners of the item's AABB, each with the four bytes after it as lane 3. */
static float4 lower_of(const struct d3_mesh_item *item)
{
	float4 to;
	memcpy(&to, (const char *)item + offsetof(struct d3_mesh_item, lower), sizeof to);
	return to;
}

static float4 upper_of(const struct d3_mesh_item *item)
{
	float4 to;
	memcpy(&to, (const char *)item + offsetof(struct d3_mesh_item, upper), sizeof to);
	return to;
}

static struct range3 range_of(const struct d3_mesh_item *items, uint32_t count)
{
	struct range3 range = nothing;
	for (uint32_t i = 0; i < count; ++i)
		include(&range, lower_of(&items[i]), upper_of(&items[i]));
	return range;
}

/* Half the surface area, which is proportional to the probability that a random line hits the box. */
static double surface(const struct range3 *range)
{
	double x = (double)range->upper[0] - range->lower[0];
	double y = (double)range->upper[1] - range->lower[1];
	double z = (double)range->upper[2] - range->lower[2];
	return x * y + y * z + z * x;
}

/* Twice the centre of the item's AABB. Lane 3 is 0, as numbers there would be slow, subnormal floats. */
static float4 middle(const struct d3_mesh_item *item)
{
	const int4 used = {-1, -1, -1, 0};
	return (float4)((int4)lower_of(item) & used) + (float4)((int4)upper_of(item) & used);
}

struct slicing {
	/* the bin of a middle is (middle - from) scale, rounded down; scale 0: all middles are equal on the axis */
	float4 from, scale;
};

static int4 bins_of(const struct slicing *slicing, float4 at)
{
	return __builtin_convertvector(float4_least((at - slicing->from) * slicing->scale, float4_of(BINS - 1)), int4);
}

struct bin {
	struct range3 range;
	uint32_t count;
};

struct split {
	int axis, bin; /* items in bins up to `bin` become the first part; bin -1: no split found */
	double cost;
};

/* Replaces *best if a split between two bins along the axis is cheaper by the surface area heuristic. */
static void try_axis(const struct bin bins[BINS], int axis, struct split *best)
{
	double costs[BINS];
	struct bin sum = {nothing, 0};
	for (int i = BINS - 1; i > 0; --i) {
		include(&sum.range, bins[i].range.lower, bins[i].range.upper);
		sum.count += bins[i].count;
		costs[i] = sum.count ? sum.count * surface(&sum.range) : 0;
	}
	uint32_t total = sum.count + bins[0].count;
	sum = (struct bin){nothing, 0};
	for (int i = 0; i < BINS - 1; ++i) {
		include(&sum.range, bins[i].range.lower, bins[i].range.upper);
		sum.count += bins[i].count;
		if (sum.count == 0 || sum.count == total)
			continue;
		double cost = sum.count * surface(&sum.range) + costs[i + 1];
		if (best->bin < 0 || cost < best->cost)
			*best = (struct split){axis, i, cost};
	}
}

static struct split find_split(const struct d3_mesh_item *items, uint32_t count, const struct slicing *slicing)
{
	struct bin bins[3][BINS];
	struct split best = {0, -1, 0};
	for (int axis = 0; axis < 3; ++axis)
		for (int i = 0; i < BINS; ++i)
			bins[axis][i] = (struct bin){nothing, 0};
	for (uint32_t i = 0; i < count; ++i) {
		int4 at = bins_of(slicing, middle(&items[i]));
		float4 lower = lower_of(&items[i]), upper = upper_of(&items[i]);
		for (int axis = 0; axis < 3; ++axis) {
			struct bin *bin = &bins[axis][at[axis]];
			include(&bin->range, lower, upper);
			++bin->count;
		}
	}
	for (int axis = 0; axis < 3; ++axis)
		if (slicing->scale[axis] > 0)
			try_axis(bins[axis], axis, &best);
	return best;
}

static struct slicing slice(const struct d3_mesh_item *items, uint32_t count)
{
	struct range3 middles = nothing;
	for (uint32_t i = 0; i < count; ++i) {
		float4 at = middle(&items[i]);
		include(&middles, at, at);
	}
	struct slicing slicing = {middles.lower, {0, 0, 0, 0}};
	for (int axis = 0; axis < 3; ++axis) {
		float scale = BINS / (middles.upper[axis] - middles.lower[axis]);
		slicing.scale[axis] = is_finite_f(scale) ? scale : 0;
	}
	return slicing;
}

/* Moves the items of the split's first part to the front and returns their number. */
static uint32_t partition(struct d3_mesh_item *items, uint32_t count, const struct slicing *slicing, const struct split *split)
{
	uint32_t front = 0;
	for (uint32_t i = 0; i < count; ++i) {
		if (bins_of(slicing, middle(&items[i]))[split->axis] > split->bin)
			continue;
		struct d3_mesh_item item = items[i];
		items[i] = items[front];
		items[front++] = item;
	}
	return front;
}

/* --- Few items ------------------------------------------------------------------------------------------------------------ */

/* Items that are divided together: sorted along each axis once, whatever the number of divisions. */
struct group {
	struct d3_mesh_item *items;
	uint32_t count;
	uint8_t orders[3][SORTED_MAX]; /* by axis: indices of items; the same places as in `items` have the same set of items */
};

_Static_assert(SORTED_MAX <= UINT8_MAX + 1, "indices of items are bytes");

static struct group group_of(struct d3_mesh_item *items, uint32_t count)
{
	uint64_t keys[SORTED_MAX], other[SORTED_MAX];
	struct group group = {.items = items, .count = count};
	for (int axis = 0; axis < 3; ++axis) {
		for (uint32_t i = 0; i < count; ++i)
			keys[i] = (uint64_t)sort_key_f(middle(&items[i])[axis]) << 32 | i;
		const uint64_t *sorted = sort_keys(keys, other, count);
		for (uint32_t i = 0; i < count; ++i)
			group.orders[axis][i] = (uint8_t)sorted[i];
	}
	return group;
}

/* Sorted items are cut at multiples of this number only, so that the first part fills its nodes: the capacity of a leaf, of a
 * node of leaves, or of a node of such nodes. At most four times this number are cut. */
static uint32_t unit_of(uint32_t count, uint32_t few)
{
	return count > 16 * few ? 16 * few : count > 4 * few ? 4 * few : few;
}

struct cut {
	int axis;
	uint32_t first; /* number of items on the first side; 0: no cut */
	double cost;
};

/* The number of leaves with at most `few` items each. */
static uint32_t leaves_of(uint32_t count, uint32_t few)
{
	assert(few > 0);
	return (count + few - 1) / few;
}

/* Replaces *best if a cut along the axis is cheaper by the surface area heuristic, which weights each side by its number of
 * leaves. order: of the items, along the axis. */
static void try_cuts(
	const struct d3_mesh_item *items, const uint8_t *order, uint32_t count, uint32_t few, int axis, struct cut *best)
{
	const uint32_t unit = unit_of(count, few);
	struct range3 units[4], behind = nothing, before = nothing;
	double costs[4];
	uint32_t used = 0;
	for (uint32_t i = 0; i < count; ++used) {
		units[used] = nothing;
		for (uint32_t end = i + unit < count ? i + unit : count; i < end; ++i)
			include(&units[used], lower_of(&items[order[i]]), upper_of(&items[order[i]]));
	}
	for (uint32_t i = used - 1; i > 0; --i) {
		include(&behind, units[i].lower, units[i].upper);
		costs[i] = leaves_of(count - i * unit, few) * surface(&behind);
	}
	for (uint32_t i = 1; i < used; ++i) {
		include(&before, units[i - 1].lower, units[i - 1].upper);
		double cost = costs[i] + leaves_of(i * unit, few) * surface(&before);
		if (best->first == 0 || cost < best->cost)
			*best = (struct cut){axis, i * unit, cost};
	}
}

/* Moves the items of the cut's first side to the front, in their order along its axis, and the others behind them. from: of the
 * group, the first of `count` items. */
static void apply_cut(struct group *group, uint32_t from, uint32_t count, const struct cut *cut)
{
	struct d3_mesh_item moved[SORTED_MAX];
	uint8_t places[SORTED_MAX], rest[SORTED_MAX]; /* new index of each item; those of the second side */
	uint8_t *order = group->orders[cut->axis] + from;
	for (uint32_t i = 0; i < count; ++i) {
		moved[i] = group->items[order[i]];
		places[order[i]] = (uint8_t)(from + i);
		order[i] = (uint8_t)(from + i);
	}
	memcpy(group->items + from, moved, count * sizeof *moved);
	for (int axis = 0; axis < 3; ++axis) {
		uint32_t first = 0, second = 0;
		uint8_t *other = group->orders[axis] + from;
		for (uint32_t i = 0; i < count && axis != cut->axis; ++i) {
			uint8_t place = places[other[i]];
			other[first] = rest[second] = place;
			first += place < from + cut->first;
			second += place >= from + cut->first;
		}
		memcpy(other + first, rest, second);
	}
}

/* Divides few < count <= SORTED_MAX items into two parts by the cheapest cut, and returns the size of the first. group: has
 * these items, or is replaced by them. */
static uint32_t cut_few(struct group *group, struct d3_mesh_item *items, uint32_t count, uint32_t few)
{
	if (group->count == 0 || items < group->items || items >= group->items + group->count)
		*group = group_of(items, count);
	uint32_t from = (uint32_t)(items - group->items);
	struct cut best = {0, 0, 0};
	for (int axis = 0; axis < 3; ++axis)
		try_cuts(group->items, group->orders[axis] + from, count, few, axis, &best);
	apply_cut(group, from, count, &best);
	return best.first;
}

/* --- The builder ---------------------------------------------------------------------------------------------------------- */

/* Divides count > few items into two parts, by sorting, by bins or simply in half, and returns the size of the first. */
static uint32_t divide(struct group *group, struct d3_mesh_item *items, uint32_t count, uint32_t few, uint32_t depth)
{
	if (count <= SORTED_LEAVES * few)
		return cut_few(group, items, count, few);
	if (depth >= STEEP)
		return count / 2;
	struct slicing slicing = slice(items, count);
	struct split split = find_split(items, count, &slicing);
	return split.bin < 0 ? count / 2 : partition(items, count, &slicing, &split);
}

struct task {
	uint32_t node, begin, count, depth;
};

/* Divides the task's items in two parts, and each part again if it has more items than a leaf can hold or, where items are
 * sorted, than one unit (see unit_of). Returns the number of parts, 2 to 4; 0: the items are one leaf. */
static uint32_t quarter(
	struct group *group, struct d3_mesh_item *items, const struct task *task, uint32_t few, struct task parts[4])
{
	uint32_t full = task->count > SORTED_LEAVES * few ? few : unit_of(task->count, few), made = 0;
	if (task->count <= few)
		return 0;
	uint32_t front = divide(group, items + task->begin, task->count, few, task->depth);
	for (int half = 0; half < 2; ++half) {
		uint32_t begin = half ? task->begin + front : task->begin, number = half ? task->count - front : front;
		uint32_t first = number > full ? divide(group, items + begin, number, few, task->depth + 1) : 0;
		if (first > 0)
			parts[made++] = (struct task){.begin = begin, .count = first, .depth = task->depth + 2};
		parts[made++] =
			(struct task){.begin = begin + first, .count = number - first, .depth = task->depth + (first > 0 ? 2 : 1)};
	}
	return made;
}

/* A block of four nodes before it is packed. */
struct draft {
	struct d3_vec lower[4], upper[4];
	uint32_t links[4];
};

static uint32_t inner_link(uint32_t first, uint32_t count)
{
	return first << 4 | (count + D3_LEAF_MAX - 1);
}

/* A step for which origin + 255 step reaches the end in floats: the least one, to within rounding. */
static float step_to(float origin, float end)
{
	float step = (end - origin) / 255;
	while (!(origin + 255 * step >= end))
		step = nextafterf(step, INFINITY);
	return step;
}

/* Quantises a side of an AABB: the result is at or below the bound, or for `upper` at or above it, and the closest such byte to
 * within rounding. */
static uint8_t side_at(float origin, float step, float bound, bool upper)
{
	float at = step > 0 ? (bound - origin) / step : 0;
	int side = at < 255 ? (int)at : 255;
	while (side > 0 && origin + (float)side * step > bound)
		--side;
	while (upper && side < 255 && origin + (float)side * step < bound)
		++side;
	return (uint8_t)side;
}

static void pack_axis(const struct draft *draft, int axis, struct d3_node4 *out)
{
	float least = INFINITY, most = -INFINITY;
	for (int lane = 0; lane < 4 && draft->links[lane] != 0; ++lane) {
		least = min_f(least, d3_coordinate(draft->lower[lane], axis));
		most = max_f(most, d3_coordinate(draft->upper[lane], axis));
	}
	out->origin[axis] = least;
	out->step[axis] = step_to(least, most);
	for (int lane = 0; lane < 4; ++lane) {
		int used = draft->links[lane] != 0 ? lane : 0;
		out->sides[axis][lane] = side_at(least, out->step[axis], d3_coordinate(draft->lower[used], axis), false);
		out->sides[axis][4 + lane] = side_at(least, out->step[axis], d3_coordinate(draft->upper[used], axis), true);
	}
}

static void pack(const struct draft *drafts, uint32_t count, struct d3_node4 *out)
{
	for (uint32_t i = 0; i < count; ++i) {
		for (int axis = 0; axis < 3; ++axis)
			pack_axis(&drafts[i], axis, &out[i]);
		memcpy(out[i].links, drafts[i].links, sizeof out[i].links);
	}
}

/* Builds the unpacked blocks. *made: an allocation of *capacity drafts, of which *used are filled. False: no memory. */
static bool draw_up(struct memory *memory, struct d3_mesh_item *items, uint32_t count, uint32_t few, struct draft **made,
	uint32_t *capacity, uint32_t *used)
{
	struct task stack[D3_NODE_STACK] = {{0, 0, count, 0}}, parts[4];
	struct group group = {.count = 0};
	uint32_t pending = 1;
	*used = 1;
	if (!array_grow(memory, (void **)made, capacity, sizeof **made, *used))
		return false;
	(*made)[0] = (struct draft){.links = {0}};
	while (pending > 0) {
		struct task task = stack[--pending];
		uint32_t first = 4 * *used;
		struct draft *draft = &(*made)[task.node / 4];
		struct range3 range = range_of(items + task.begin, task.count);
		uint32_t part_count = quarter(&group, items, &task, few, parts);
		draft->lower[task.node % 4] = (struct d3_vec){range.lower[0], range.lower[1], range.lower[2]};
		draft->upper[task.node % 4] = (struct d3_vec){range.upper[0], range.upper[1], range.upper[2]};
		draft->links[task.node % 4] = part_count == 0 ? task.begin << 4 | task.count : inner_link(first, part_count);
		if (part_count == 0)
			continue;
		if (!array_grow(memory, (void **)made, capacity, sizeof **made, ++*used))
			return false;
		(*made)[*used - 1] = (struct draft){.links = {0}};
		assert(pending + part_count <= D3_NODE_STACK);
		/* Blocks are stored depth first, last child first: as visited by a traversal that pushes all children on a stack. */
		for (uint32_t i = 0; i < part_count; ++i) {
			parts[i].node = first + i;
			stack[pending++] = parts[i];
		}
	}
	return true;
}

bool d3_mesh_tree_build(struct memory *memory, struct d3_mesh_item *items, uint32_t count, uint32_t few,
	struct d3_node4 **nodes, uint32_t *node_count)
{
	struct draft *made = NULL;
	uint32_t capacity = 0;
	*nodes = NULL;
	if (draw_up(memory, items, count, few, &made, &capacity, node_count))
		*nodes = memory_resize(memory, NULL, 0, *node_count * sizeof **nodes);
	if (*nodes != NULL)
		pack(made, *node_count, *nodes);
	memory_free(memory, made, capacity * sizeof *made);
	return *nodes != NULL;
}

void d3_stored_node(const struct d3_node4 *nodes, uint32_t node, struct d3_node *out)
{
	const struct d3_node4 *at = &nodes[node / 4];
	uint32_t k = node % 4, link = at->links[k];
	out->lower = (struct d3_vec){d3_node_four_side(at, 0, k), d3_node_four_side(at, 1, k), d3_node_four_side(at, 2, k)};
	out->upper =
		(struct d3_vec){d3_node_four_side(at, 0, 4 + k), d3_node_four_side(at, 1, 4 + k), d3_node_four_side(at, 2, 4 + k)};
	out->first = link >> 4;
	out->count = (uint16_t)d3_link_count(link);
	out->leaf = d3_link_is_leaf(link);
}
