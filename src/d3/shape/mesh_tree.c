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

struct range3 {
	struct d3_vec lower, upper;
};

static const struct range3 nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void include(struct range3 *range, struct d3_vec lower, struct d3_vec upper)
{
	range->lower = d3_min(range->lower, lower);
	range->upper = d3_max(range->upper, upper);
}

/* Half the surface area, which is proportional to the probability that a random line hits the box. */
static double surface(const struct range3 *range)
{
	double x = (double)range->upper.x - range->lower.x;
	double y = (double)range->upper.y - range->lower.y;
	double z = (double)range->upper.z - range->lower.z;
	return x * y + y * z + z * x;
}

/* Twice the centre of the item's AABB. */
static struct d3_vec middle(const struct d3_mesh_item *item)
{
	return d3_add(item->lower, item->upper);
}

struct slicing {
	/* the bin of a middle is (middle - from) scale, rounded down; scale 0: all middles are equal on the axis */
	float from[3], scale[3];
};

static int bin_of(const struct slicing *slicing, struct d3_vec at, int axis)
{
	int bin = (int)((d3_coordinate(at, axis) - slicing->from[axis]) * slicing->scale[axis]);
	return bin < BINS - 1 ? bin : BINS - 1;
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
		struct d3_vec at = middle(&items[i]);
		for (int axis = 0; axis < 3; ++axis) {
			struct bin *bin = &bins[axis][bin_of(slicing, at, axis)];
			include(&bin->range, items[i].lower, items[i].upper);
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
		struct d3_vec at = middle(&items[i]);
		include(&middles, at, at);
	}
	struct slicing slicing;
	for (int axis = 0; axis < 3; ++axis) {
		float scale = BINS / (d3_coordinate(middles.upper, axis) - d3_coordinate(middles.lower, axis));
		slicing.from[axis] = d3_coordinate(middles.lower, axis);
		slicing.scale[axis] = is_finite_f(scale) ? scale : 0;
	}
	return slicing;
}

/* Moves the items of the split's first part to the front and returns their number. */
static uint32_t partition(struct d3_mesh_item *items, uint32_t count, const struct slicing *slicing, const struct split *split)
{
	uint32_t front = 0;
	for (uint32_t i = 0; i < count; ++i) {
		struct d3_mesh_item item = items[i];
		if (bin_of(slicing, middle(&item), split->axis) > split->bin)
			continue;
		items[i] = items[front];
		items[front++] = item;
	}
	return front;
}

/* --- Few items ------------------------------------------------------------------------------------------------------------ */

/* Sorted items are cut at multiples of this number only, so that the first part fills its nodes: the capacity of a leaf, of a
 * node of leaves, or of a node of such nodes. */
static uint32_t unit_of(uint32_t count, uint32_t few)
{
	return count > 16 * few ? 16 * few : count > 4 * few ? 4 * few : few;
}

/* Writes a key for each item, sorted along the axis; the lower half of a key is the item's index. */
static void order_along(const struct d3_mesh_item *items, uint32_t count, int axis, uint64_t keys[SORTED_MAX])
{
	uint64_t other[SORTED_MAX];
	for (uint32_t i = 0; i < count; ++i)
		keys[i] = (uint64_t)sort_key_f(d3_coordinate(middle(&items[i]), axis)) << 32 | i;
	const uint64_t *sorted = sort_keys(keys, other, count);
	if (sorted != keys)
		memcpy(keys, sorted, count * sizeof *keys);
}

struct cut {
	int axis;
	uint32_t first; /* number of items on the first side; 0: no cut */
	double cost;
};

/* The number of leaves with at most `few` items each. */
static uint32_t leaves_of(uint32_t count, uint32_t few)
{
	return (count + few - 1) / few;
}

/* Replaces *best if a cut along the axis is cheaper by the surface area heuristic, which weights each side by its number of
 * leaves. */
static void try_cuts(
	const struct d3_mesh_item *items, const uint64_t *keys, uint32_t count, uint32_t few, int axis, struct cut *best)
{
	uint32_t unit = unit_of(count, few);
	double costs[SORTED_MAX];
	struct range3 range = nothing;
	for (uint32_t i = count - 1; i > 0; --i) {
		const struct d3_mesh_item *item = &items[(uint32_t)keys[i]];
		include(&range, item->lower, item->upper);
		if (i % unit == 0)
			costs[i / unit] = leaves_of(count - i, few) * surface(&range);
	}
	range = nothing;
	for (uint32_t i = 1; i < count; ++i) {
		const struct d3_mesh_item *item = &items[(uint32_t)keys[i - 1]];
		include(&range, item->lower, item->upper);
		if (i % unit != 0)
			continue;
		double cost = costs[i / unit] + leaves_of(i, few) * surface(&range);
		if (best->first == 0 || cost < best->cost)
			*best = (struct cut){axis, i, cost};
	}
}

/* Divides few < count <= SORTED_MAX items into two parts by the cheapest cut, sorts them along its axis and returns the size of
 * the first part. */
static uint32_t cut_few(struct d3_mesh_item *items, uint32_t count, uint32_t few)
{
	uint64_t keys[3][SORTED_MAX];
	struct d3_mesh_item sorted[SORTED_MAX];
	struct cut best = {0, 0, 0};
	for (int axis = 0; axis < 3; ++axis) {
		order_along(items, count, axis, keys[axis]);
		try_cuts(items, keys[axis], count, few, axis, &best);
	}
	for (uint32_t i = 0; i < count; ++i)
		sorted[i] = items[(uint32_t)keys[best.axis][i]];
	memcpy(items, sorted, count * sizeof *items);
	return best.first;
}

/* --- The builder ---------------------------------------------------------------------------------------------------------- */

/* Divides count > few items into two parts, by sorting, by bins or simply in half, and returns the size of the first. */
static uint32_t divide(struct d3_mesh_item *items, uint32_t count, uint32_t few, uint32_t depth)
{
	if (count <= SORTED_LEAVES * few)
		return cut_few(items, count, few);
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
static uint32_t quarter(struct d3_mesh_item *items, const struct task *task, uint32_t few, struct task parts[4])
{
	uint32_t full = task->count > SORTED_LEAVES * few ? few : unit_of(task->count, few), made = 0;
	if (task->count <= few)
		return 0;
	uint32_t front = divide(items + task->begin, task->count, few, task->depth);
	for (int half = 0; half < 2; ++half) {
		uint32_t begin = half ? task->begin + front : task->begin, number = half ? task->count - front : front;
		uint32_t first = number > full ? divide(items + begin, number, few, task->depth + 1) : 0;
		if (first > 0)
			parts[made++] = (struct task){.begin = begin, .count = first, .depth = task->depth + 2};
		parts[made++] =
			(struct task){.begin = begin + first, .count = number - first, .depth = task->depth + (first > 0 ? 2 : 1)};
	}
	return made;
}

static struct range3 range_of(const struct d3_mesh_item *items, uint32_t count)
{
	struct range3 range = nothing;
	for (uint32_t i = 0; i < count; ++i)
		include(&range, items[i].lower, items[i].upper);
	return range;
}

/* A block of four nodes before it is packed. */
struct draft {
	struct range3 ranges[4];
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
		least = min_f(least, d3_coordinate(draft->ranges[lane].lower, axis));
		most = max_f(most, d3_coordinate(draft->ranges[lane].upper, axis));
	}
	out->origin[axis] = least;
	out->step[axis] = step_to(least, most);
	for (int lane = 0; lane < 4; ++lane) {
		const struct range3 *range = &draft->ranges[draft->links[lane] != 0 ? lane : 0];
		out->sides[axis][lane] = side_at(least, out->step[axis], d3_coordinate(range->lower, axis), false);
		out->sides[axis][4 + lane] = side_at(least, out->step[axis], d3_coordinate(range->upper, axis), true);
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
	uint32_t pending = 1;
	*used = 1;
	if (!array_grow(memory, (void **)made, capacity, sizeof **made, *used))
		return false;
	(*made)[0] = (struct draft){.links = {0}};
	while (pending > 0) {
		struct task task = stack[--pending];
		uint32_t first = 4 * *used;
		struct draft *draft = &(*made)[task.node / 4];
		uint32_t part_count = quarter(items, &task, few, parts);
		draft->ranges[task.node % 4] = range_of(items + task.begin, task.count);
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
	out->count = (uint8_t)d3_link_count(link);
	out->leaf = d3_link_is_leaf(link);
}
