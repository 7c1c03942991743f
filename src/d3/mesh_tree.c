/* mesh_tree.c - the tree of boxes over the children of meshes and compounds: built by the surface area heuristic, then packed.
** A packed node holds four children, their boxes in bytes of the box around the four, rounded outwards: 64 bytes. Source of the packing: Ylitie, Karras,
** Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs", 2017.
** Floor: d3. See shape.h for threads. */
#include "d3/mesh_tree.h"

#include "base/array.h"

#include <assert.h>

static void give_back(struct memory *memory, void *block, size_t size)
{
	if (block != NULL)
		memory_resize(memory, block, size, 0);
}

enum {
	BINS = 16,
	CHILD_COST = 1, /* to test a child, four at a time, by what it costs to test a node */
	STEEP = 48, /* below this depth nodes are halved by number: 32 levels more at most */
};

struct range3 {
	struct d3_vec lower, upper;
};

static const struct range3 nothing = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };

static void include(struct range3 *range, struct d3_vec lower, struct d3_vec upper)
{
	range->lower = (struct d3_vec){ min_f(range->lower.x, lower.x), min_f(range->lower.y, lower.y), min_f(range->lower.z, lower.z) };
	range->upper = (struct d3_vec){ max_f(range->upper.x, upper.x), max_f(range->upper.y, upper.y), max_f(range->upper.z, upper.z) };
}

/* Half the surface: the chance that a line meets the box. */
static double surface(const struct range3 *range)
{
	double x = (double)range->upper.x - range->lower.x, y = (double)range->upper.y - range->lower.y, z = (double)range->upper.z - range->lower.z;
	return x * y + y * z + z * x;
}

static float part(struct d3_vec p, int axis)
{
	return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

/* Twice the middle of the item's box. */
static struct d3_vec middle(const struct d3_mesh_item *item)
{
	return (struct d3_vec){ item->lower.x + item->upper.x, item->lower.y + item->upper.y, item->lower.z + item->upper.z };
}

struct slicing {
	float from[3], scale[3]; /* the bin of a middle is (middle - from) scale; scale 0: no extent */
};

static int bin_of(const struct slicing *slicing, struct d3_vec at, int axis)
{
	int bin = (int)((part(at, axis) - slicing->from[axis]) * slicing->scale[axis]);
	return bin < BINS - 1 ? bin : BINS - 1;
}

struct bin {
	struct range3 range;
	uint32_t count;
};

struct split {
	int axis, bin; /* what is in bins up to this one goes first; bin -1: no split */
	double cost;
};

/* The cheapest place between two bins along the axis, by the surface area heuristic. */
static void try_axis(const struct bin bins[BINS], int axis, struct split *best)
{
	double costs[BINS];
	struct bin sum = { nothing, 0 };
	for (int i = BINS - 1; i > 0; i--) {
		include(&sum.range, bins[i].range.lower, bins[i].range.upper);
		sum.count += bins[i].count;
		costs[i] = sum.count ? sum.count * surface(&sum.range) : 0;
	}
	uint32_t total = sum.count + bins[0].count;
	sum = (struct bin){ nothing, 0 };
	for (int i = 0; i < BINS - 1; i++) {
		include(&sum.range, bins[i].range.lower, bins[i].range.upper);
		sum.count += bins[i].count;
		if (sum.count == 0 || sum.count == total)
			continue;
		double cost = sum.count * surface(&sum.range) + costs[i + 1];
		if (best->bin < 0 || cost < best->cost)
			*best = (struct split){ axis, i, cost };
	}
}

static struct split find_split(const struct d3_mesh_item *items, uint32_t count, const struct slicing *slicing)
{
	struct bin bins[3][BINS];
	struct split best = { 0, -1, 0 };
	for (int axis = 0; axis < 3; axis++)
		for (int i = 0; i < BINS; i++)
			bins[axis][i] = (struct bin){ nothing, 0 };
	for (uint32_t i = 0; i < count; i++) {
		struct d3_vec at = middle(&items[i]);
		for (int axis = 0; axis < 3; axis++) {
			struct bin *bin = &bins[axis][bin_of(slicing, at, axis)];
			include(&bin->range, items[i].lower, items[i].upper);
			bin->count++;
		}
	}
	for (int axis = 0; axis < 3; axis++)
		if (slicing->scale[axis] > 0)
			try_axis(bins[axis], axis, &best);
	return best;
}

static struct slicing slice(const struct d3_mesh_item *items, uint32_t count, struct range3 *range)
{
	struct range3 middles = nothing;
	*range = nothing;
	for (uint32_t i = 0; i < count; i++) {
		struct d3_vec at = middle(&items[i]);
		include(range, items[i].lower, items[i].upper);
		include(&middles, at, at);
	}
	struct slicing slicing;
	for (int axis = 0; axis < 3; axis++) {
		float scale = BINS / (part(middles.upper, axis) - part(middles.lower, axis));
		slicing.from[axis] = part(middles.lower, axis);
		slicing.scale[axis] = is_finite_f(scale) ? scale : 0;
	}
	return slicing;
}

/* Those of the first bins to the front; their number. */
static uint32_t partition(struct d3_mesh_item *items, uint32_t count, const struct slicing *slicing, const struct split *split)
{
	uint32_t front = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct d3_mesh_item item = items[i];
		if (bin_of(slicing, middle(&item), split->axis) > split->bin)
			continue;
		items[i] = items[front];
		items[front++] = item;
	}
	return front;
}

/* How many of the items go to the first of two nodes; 0: a leaf. */
static uint32_t divide(struct d3_mesh_item *items, uint32_t count, uint32_t depth, struct range3 *range)
{
	struct slicing slicing = slice(items, count, range);
	if (count <= 2)
		return 0;
	if (depth >= STEEP)
		return count <= D3_LEAF_MAX ? 0 : count / 2;
	struct split split = find_split(items, count, &slicing);
	double whole = surface(range);
	if (count <= D3_LEAF_MAX && (split.bin < 0 || whole + CHILD_COST * split.cost >= CHILD_COST * count * whole))
		return 0;
	return split.bin < 0 ? count / 2 : partition(items, count, &slicing, &split);
}

struct task {
	uint32_t node, begin, count, depth;
};

/* Halves the items, and each half again where it is no leaf. Returns the number of parts; 0: all of it is a leaf. */
static uint32_t quarter(struct d3_mesh_item *items, const struct task *task, struct range3 *range, struct task parts[4])
{
	uint32_t front = divide(items + task->begin, task->count, task->depth, range), made = 0;
	for (int half = 0; half < 2 && front > 0; half++) {
		struct range3 within;
		uint32_t begin = half ? task->begin + front : task->begin, number = half ? task->count - front : front;
		uint32_t first = divide(items + begin, number, task->depth + 1, &within);
		if (first > 0)
			parts[made++] = (struct task){ .begin = begin, .count = first, .depth = task->depth + 2 };
		parts[made++] = (struct task){ .begin = begin + first, .count = number - first, .depth = task->depth + (first > 0 ? 2 : 1) };
	}
	return made;
}

/* A node before it is packed. */
struct draft {
	struct range3 ranges[4];
	uint32_t links[4];
};

static uint32_t inner_link(uint32_t first, uint32_t count)
{
	return first << 4 | (count + D3_LEAF_MAX - 1);
}

/* The least step of which 255 reach from the origin to the end. */
static float step_to(float origin, float end)
{
	float step = (end - origin) / 255;
	while (!(origin + 255 * step >= end))
		step = nextafterf(step, INFINITY);
	return step;
}

/* The greatest side that is no higher than the bound, or the least one that is no lower. */
static uint8_t side_at(float origin, float step, float bound, bool upper)
{
	float at = step > 0 ? (bound - origin) / step : 0;
	int side = at < 255 ? (int)at : 255;
	while (side > 0 && origin + (float)side * step > bound)
		side--;
	while (upper && side < 255 && origin + (float)side * step < bound)
		side++;
	return (uint8_t)side;
}

static void pack_axis(const struct draft *draft, int axis, struct d3_node_four *out)
{
	float least = INFINITY, most = -INFINITY;
	for (int lane = 0; lane < 4 && draft->links[lane] != 0; lane++) {
		least = min_f(least, part(draft->ranges[lane].lower, axis));
		most = max_f(most, part(draft->ranges[lane].upper, axis));
	}
	out->origin[axis] = least;
	out->step[axis] = step_to(least, most);
	for (int lane = 0; lane < 4; lane++) {
		const struct range3 *range = &draft->ranges[draft->links[lane] != 0 ? lane : 0];
		out->sides[axis][lane] = side_at(least, out->step[axis], part(range->lower, axis), false);
		out->sides[axis][4 + lane] = side_at(least, out->step[axis], part(range->upper, axis), true);
	}
}

static void pack(const struct draft *drafts, uint32_t count, struct d3_node_four *out)
{
	for (uint32_t i = 0; i < count; i++) {
		for (int axis = 0; axis < 3; axis++)
			pack_axis(&drafts[i], axis, &out[i]);
		memcpy(out[i].links, drafts[i].links, sizeof out[i].links);
	}
}

/* *made: one block of *capacity drafts, of which *used are made. False: no memory. */
static bool draw_up(struct memory *memory, struct d3_mesh_item *items, uint32_t count, struct draft **made, uint32_t *capacity, uint32_t *used)
{
	struct task stack[D3_NODE_STACK] = { { 0, 0, count, 0 } }, parts[4];
	uint32_t pending = 1;
	*used = 1;
	if (!array_grow(memory, (void **)made, capacity, sizeof **made, *used))
		return false;
	(*made)[0] = (struct draft){ .links = { 0 } };
	while (pending > 0) {
		struct task task = stack[--pending];
		uint32_t first = 4 * *used;
		struct draft *draft = &(*made)[task.node / 4];
		uint32_t part_count = quarter(items, &task, &draft->ranges[task.node % 4], parts);
		draft->links[task.node % 4] = part_count == 0 ? task.begin << 4 | task.count : inner_link(first, part_count);
		if (part_count == 0)
			continue;
		if (!array_grow(memory, (void **)made, capacity, sizeof **made, ++*used))
			return false;
		(*made)[*used - 1] = (struct draft){ .links = { 0 } };
		assert(pending + part_count <= D3_NODE_STACK);
		/* Depth first, the last one first: as a walk with a stack that pushes all goes through memory. */
		for (uint32_t i = 0; i < part_count; i++) {
			parts[i].node = first + i;
			stack[pending++] = parts[i];
		}
	}
	return true;
}

bool d3_mesh_tree_build(struct memory *memory, struct d3_mesh_item *items, uint32_t count, struct d3_node_four **nodes, uint32_t *node_count)
{
	struct draft *made = NULL;
	uint32_t capacity = 0;
	*nodes = NULL;
	if (draw_up(memory, items, count, &made, &capacity, node_count))
		*nodes = memory_resize(memory, NULL, 0, *node_count * sizeof **nodes);
	if (*nodes != NULL)
		pack(made, *node_count, *nodes);
	give_back(memory, made, capacity * sizeof *made);
	return *nodes != NULL;
}

void d3_stored_node(const struct d3_node_four *nodes, uint32_t node, struct d3_node *out)
{
	const struct d3_node_four *at = &nodes[node / 4];
	uint32_t k = node % 4, link = at->links[k];
	out->lower = (struct d3_vec){ d3_node_four_side(at, 0, k), d3_node_four_side(at, 1, k), d3_node_four_side(at, 2, k) };
	out->upper = (struct d3_vec){ d3_node_four_side(at, 0, 4 + k), d3_node_four_side(at, 1, 4 + k), d3_node_four_side(at, 2, 4 + k) };
	out->first = link >> 4;
	out->count = (uint8_t)d3_link_count(link);
	out->leaf = d3_link_is_leaf(link);
}
