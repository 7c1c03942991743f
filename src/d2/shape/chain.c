/* chain.c - see chain.h.
 * The tree is numbered as a heap, with one leaf per block of segments: nodes 0 .. 2 L - 2, the children of n are 2 n + 1 and 2
 * n + 2, and the L leaves come last. From left to right the leaves of the deepest level come before those of the level above
 * it. Blocks are assigned to leaves in that order, so that the segments below any node are neighbours. */
#include "d2/shape/chain.h"
#include "base/ids.h"
#include "d2/shape/tiles.h"

#include <assert.h>

enum {
	BLOCK = 4, /* segments per leaf: the boxes then take half as much memory as the points and normals */
	STACK = 64 /* enough for two trees of 2^24 segments, 23 levels each: each step down leaves one pair on the stack */
};

static uint32_t leaf_count(uint32_t segments)
{
	return (segments + BLOCK - 1) / BLOCK;
}

uint32_t d2_chain_node_count(uint32_t segments)
{
	return 2 * leaf_count(segments) - 1;
}

/* The index of a leaf's block along the chain. */
static uint32_t block_of(uint32_t node, uint32_t leaves)
{
	uint32_t deepest = 1; /* the first node of the deepest level, counted from 1 */
	while (deepest < leaves)
		deepest *= 2;
	return node + 1 >= deepest ? node + 1 - deepest : node + 1 - deepest + leaves;
}

static struct d2_vec lesser(struct d2_vec a, struct d2_vec b)
{
	return (struct d2_vec){min_f(a.x, b.x), min_f(a.y, b.y)};
}

static struct d2_vec greater(struct d2_vec a, struct d2_vec b)
{
	return (struct d2_vec){max_f(a.x, b.x), max_f(a.y, b.y)};
}

static void set_block(const struct d2_shape *chain, uint32_t first, uint32_t count, struct d2_vec *lower, struct d2_vec *upper)
{
	*lower = *upper = chain->points[first];
	for (uint32_t i = first + 1; i <= first + count; ++i) {
		*lower = lesser(*lower, chain->points[i]);
		*upper = greater(*upper, chain->points[i]);
	}
}

static uint32_t block_size(uint32_t first, uint32_t segments)
{
	return segments - first < BLOCK ? segments - first : BLOCK;
}

void d2_chain_plant(struct d2_shape *chain)
{
	uint32_t segments = d2_shape_child_count(chain), leaves = leaf_count(segments);
	struct d2_vec *boxes = chain->data + (chain->boxes - chain->data);
	for (uint32_t node = 2 * leaves - 1; node-- > 0;) {
		struct d2_vec *lower = &boxes[2 * (size_t)node], *upper = lower + 1;
		if (node + 1 >= leaves) {
			uint32_t first = BLOCK * block_of(node, leaves);
			set_block(chain, first, block_size(first, segments), lower, upper);
		} else {
			const struct d2_vec *left = &boxes[2 * (2 * (size_t)node + 1)], *right = left + 2;
			*lower = lesser(left[0], right[0]);
			*upper = greater(left[1], right[1]);
		}
	}
}

/* --- Nodes ---------------------------------------------------------------------------------------------------------------- */

static struct d2_bounds bounds_between(struct d2_vec low, struct d2_vec high, double radius)
{
	struct d2_vec_d lower = d2_widen(low), upper = d2_widen(high);
	return (struct d2_bounds){
		d2_scale_d(0.5, d2_add_d(lower, upper)), {0.5 * (upper.x - lower.x) + radius, 0.5 * (upper.y - lower.y) + radius}};
}

static void convex_node(const struct d2_shape *shape, struct d2_node *out)
{
	struct d2_vec low, high;
	*out = (struct d2_node){.count = 1, .leaf = true};
	if (shape->type == D2_HALF_PLANE) {
		out->box.half = (struct d2_vec_d){INFINITY, INFINITY};
		return;
	}
	/* An ellipse's only point is its centre, so its box is widened by the longer half axis. */
	set_block(shape, 0, shape->count - 1, &low, &high);
	out->box = bounds_between(low, high, shape->type == D2_ELLIPSE ? max_f(shape->axes.x, shape->axes.y) : shape->radius);
}

void d2_shape_node(const struct d2_shape *shape, uint32_t node, struct d2_node *out)
{
	if (shape->type != D2_CHAIN) {
		assert(node == 0);
		convex_node(shape, out);
		return;
	}
	if (shape->tiles) {
		d2_tiles_node(shape, node, out);
		return;
	}
	uint32_t segments = d2_shape_child_count(shape), leaves = leaf_count(segments);
	const struct d2_vec *box = &shape->boxes[2 * (size_t)node];
	assert(node < 2 * leaves - 1);
	out->box = bounds_between(box[0], box[1], 0);
	out->leaf = node + 1 >= leaves;
	out->first = out->leaf ? BLOCK * block_of(node, leaves) : 2 * node + 1;
	out->count = out->leaf ? block_size(out->first, segments) : 2;
}

/* Writes a leaf node that holds one child of the shape. */
static void d2_child_node(const struct d2_shape *shape, uint32_t child, struct d2_node *out)
{
	if (shape->type != D2_CHAIN) {
		convex_node(shape, out);
		return;
	}
	const struct d2_vec *points = d2_segment(shape, child);
	struct d2_vec low = points[0], high = points[0];
	for (uint32_t i = 1; i < d2_segment_points(shape); ++i) {
		low = lesser(low, points[i]);
		high = greater(high, points[i]);
	}
	*out = (struct d2_node){bounds_between(low, high, 0), child, 1, true};
}

uint32_t d2_leaf_next(const struct d2_shape *shape, uint32_t child)
{
	return shape->tiles ? d2_tiles_next(shape, child) : child + 1;
}

uint32_t d2_chain_before(const struct d2_shape *chain, uint32_t child)
{
	if (chain->tiles)
		return d2_tiles_before(chain, child);
	return child > 0 ? child - 1 : chain->loop ? chain->count - 1 : NONE;
}

uint32_t d2_chain_after(const struct d2_shape *chain, uint32_t child)
{
	if (chain->tiles)
		return d2_tiles_after(chain, child);
	return child + 1 < d2_shape_child_count(chain) ? child + 1 : chain->loop ? 0 : NONE;
}

struct d2_bounds d2_bounds_turned(const struct d2_bounds *box, const struct d2_transform_d *transform)
{
	double c = abs_d(transform->q.c), s = abs_d(transform->q.s);
	struct d2_vec_d h = box->half;
	return (struct d2_bounds){d2_transform_point_d(transform, box->middle), {c * h.x + s * h.y, s * h.x + c * h.y}};
}

double d2_box_reach(const struct d2_shape *shape)
{
	struct d2_node root;
	if (shape->type == D2_HALF_PLANE)
		return abs_d(shape->offset);
	d2_shape_node(shape, 0, &root);
	return abs_d(root.box.middle.x) + abs_d(root.box.middle.y) + root.box.half.x + root.box.half.y;
}

/* Casts a point from A's centre along u against a box around B's centre, whose half sizes are the sums of A's and B's. */
double d2_bounds_overlap(const struct d2_bounds *a, const struct d2_bounds *b, struct d2_vec_d u, double slack)
{
	double enter = 0, leave = INFINITY, w[2] = {b->middle.x - a->middle.x, b->middle.y - a->middle.y}, delta[2] = {u.x, u.y};
	const double half[2] = {a->half.x + b->half.x + slack, a->half.y + b->half.y + slack};
	for (int i = 0; i < 2; ++i) {
		if (delta[i] == 0) {
			if (abs_d(w[i]) > half[i])
				return INFINITY;
			continue;
		}
		double s = (w[i] - half[i]) / delta[i], t = (w[i] + half[i]) / delta[i];
		enter = max_d(enter, min_d(s, t));
		leave = min_d(leave, max_d(s, t));
	}
	return enter > leave ? INFINITY : enter;
}

/* --- The walk ------------------------------------------------------------------------------------------------------------- */

/* Visits the pairs of children of two leaves, except those with a bound above *limit. */
static void visit_leaves(const struct d2_pair_walk *walk, const struct d2_node *a, const struct d2_node *b)
{
	struct d2_node first, second;
	bool alone = a->count == 1 && b->count == 1;
	for (uint32_t i = 0, child_a = a->first; i < a->count; ++i, child_a = d2_leaf_next(walk->a, child_a)) {
		d2_child_node(walk->a, child_a, &first);
		if (!alone && walk->bound(walk->context, &first, b) > *walk->limit)
			continue;
		for (uint32_t k = 0, child_b = b->first; k < b->count; ++k, child_b = d2_leaf_next(walk->b, child_b)) {
			d2_child_node(walk->b, child_b, &second);
			if (b->count == 1 || !(walk->bound(walk->context, &first, &second) > *walk->limit))
				walk->visit(walk->context, child_a, child_b);
		}
	}
}

static double extent_of(const struct d2_node *node)
{
	return node->box.half.x + node->box.half.y;
}

struct waiting {
	uint32_t a, b; /* nodes */
	double bound;
};

/* Searches depth-first. Of a pair of nodes, opens the one with the larger box, unless that is a leaf. */
void d2_pair_walk(const struct d2_pair_walk *walk)
{
	struct waiting stack[STACK] = {{0, 0, -INFINITY}};
	uint32_t depth = 1;
	while (depth > 0) {
		struct waiting top = stack[--depth];
		if (top.bound > *walk->limit)
			continue;
		struct d2_node a, b;
		d2_shape_node(walk->a, top.a, &a);
		d2_shape_node(walk->b, top.b, &b);
		if (a.leaf && b.leaf) {
			visit_leaves(walk, &a, &b);
			continue;
		}
		bool open_a = !a.leaf && (b.leaf || extent_of(&a) >= extent_of(&b));
		const struct d2_node *opened = open_a ? &a : &b;
		for (uint32_t i = 0, base = depth; i < opened->count; ++i) {
			uint32_t number = opened->first + i;
			struct d2_node child;
			d2_shape_node(open_a ? walk->a : walk->b, number, &child);
			struct waiting next = {open_a ? number : top.a, open_a ? top.b : number,
				open_a ? walk->bound(walk->context, &child, &b) : walk->bound(walk->context, &a, &child)};
			if (next.bound > *walk->limit)
				continue;
			assert(depth < STACK);
			bool first = depth > base && stack[depth - 1].bound < next.bound;
			stack[depth] = first ? stack[depth - 1] : next;
			if (first)
				stack[depth - 1] = next;
			++depth;
		}
	}
}
