/* tree.c - the dynamic bounding volume hierarchy.
 * A leaf is inserted at the slot where the sum of the boxes' costs grows least, found by branch and bound on the way down. On
 * the way up each node tries to swap a child with a child of its other child, and makes the swap that shrinks a box most. Swaps
 * also balance the tree: a swap is allowed only if the heights stay within the invariant, and required where they are not. A
 * required swap always exists: an operation changes the height of a subtree by at most one (swaps that would do more are
 * refused), so an excessive difference is at most TREE_BALANCE + 1. Then swapping the taller grandchild with its uncle restores
 * the invariant, and the total height again changes by at most one. This is Foster's generalised AVL tree, except that a
 * hierarchy has no order to keep, so one kind of swap suffices.
 * Sources: Goldsmith, Salmon, "Automatic Creation of Object Hierarchies for Ray Tracing", 1987 (cost); Kopta et al., "Fast,
 * Effective BVH Updates for Animated Scenes", 2012 (rotations); Bittner, Hapala, Havran, "Fast Insertion-Based Optimization of
 * Bounding Volume Hierarchies", 2013 (bound of the descent); Catto, "Dynamic Bounding Volume Hierarchies", GDC 2019; Foster, "A
 * Generalization of AVL Trees", CACM 1973. */
#include "spatial/tree_parts.h"

#include "base/array.h"
#include "base/cache.h"
#include "base/float4.h"
#include "base/check.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* One of this many moves searches the whole tree thoroughly. On 10000 moving boxes of mixed sizes, the cost over that of a
 * fresh tree is 1.4 without thorough moves, 1.2 with one in 16, 1.1 with one in 8 (for 15 to 50 % more time), 1.07 with one in
 * 4. */
#define THOROUGH_MOVES 8

/* Dead ends after which a search takes the best slot found: limits one call to about 10 us where thousands of boxes overlap. */
#define BRANCHES_MAX 128

_Static_assert(sizeof(struct tree_node) == CACHE_LINE, "a node is a cache line");

static inline bool bounds_equal(const struct bounds *a, const struct bounds *b)
{
	int differ = 0;
	for (int i = 0; i < 3; ++i)
		differ |= (a->lower[i] != b->lower[i]) | (a->minus_upper[i] != b->minus_upper[i]);
	return !differ;
}

/* The same as box_cost. */
static inline float bounds_cost(const struct bounds *a)
{
	return -((a->lower[0] + a->minus_upper[0]) + (a->lower[1] + a->minus_upper[1]) + (a->lower[2] + a->minus_upper[2]));
}

/* The costs of two boxes, in the first two lanes. axis: as in a node. Rounds as bounds_cost. */
static inline tree_lanes lanes_cost(const tree_lanes axis[3])
{
	tree_lanes extents[3];
	for (int i = 0; i < 3; ++i)
		extents[i] = axis[i] + __builtin_shufflevector(axis[i], axis[i], 2, 3, 0, 1);
	return -(extents[0] + extents[1] + extents[2]);
}

/* The bounds of a child along one axis, in the place of both children's. */
static inline tree_lanes slot_lanes(const struct tree_node *node, int axis, uint32_t side)
{
	tree_lanes lanes = node->axis[axis];
	return side ? __builtin_shufflevector(lanes, lanes, 1, 1, 3, 3) : __builtin_shufflevector(lanes, lanes, 0, 0, 2, 2);
}

/* Sets the bounds of a slot to those of `child`. Returns whether they change. */
static inline bool slot_fit(struct tree_node *node, uint32_t side, const struct tree_node *child)
{
	int4 differs = {0}, at = side ? (int4){0, -1, 0, -1} : (int4){-1, 0, -1, 0};
	for (int i = 0; i < 3; ++i) {
		tree_lanes fitted = float4_least(slot_lanes(child, i, 0), slot_lanes(child, i, 1));
		tree_lanes before = node->axis[i], now = float4_choose(at, fitted, before);
		differs |= now != before;
		node->axis[i] = now;
	}
	return float4_bits(differs) != 0;
}

static inline uint32_t node_height(const struct tree_node *node)
{
	return 1 + (node->height[0] > node->height[1] ? node->height[0] : node->height[1]);
}

static inline uint32_t difference(uint32_t a, uint32_t b)
{
	return a > b ? a - b : b - a;
}

static inline bool unbalanced(const struct tree_node *node)
{
	return difference(node->height[0], node->height[1]) > TREE_BALANCE;
}

void tree_slot_link(struct tree *tree, uint32_t slot, uint32_t reference)
{
	tree_touch(tree->room, reference & ~TREE_LEAF);
	if (slot == TREE_ROOT_SLOT) {
		tree->root = reference;
	} else {
		tree_touch(tree->room, slot >> 1);
		tree->room->nodes[slot >> 1].child[slot & 1] = reference;
	}
	if (reference & TREE_LEAF)
		tree->room->ups[reference & ~TREE_LEAF] = slot;
	else
		tree->room->nodes[reference].up = slot;
}

/* --- Memory --------------------------------------------------------------------------------------------------------------- */

/* Bytes of a leaf, its node, and its entries in the other two arrays; a room has capacity for at least LEAST of them, so that
 * its block is one that starts on a cache line. */
enum { LEAF_SIZE = sizeof(struct tree_node) + 2 * sizeof(uint32_t), LEAST = 16 };

_Static_assert(LEAST *LEAF_SIZE >= MEMORY_ALIGNED_SIZE, "aligned");

void tree_room_init(struct tree_room *room, struct memory *memory)
{
	*room = (struct tree_room){.memory = memory, .free_leaf = TREE_NONE, .free_node = TREE_NONE};
}

void tree_room_free(struct tree_room *room)
{
	memory_free(room->memory, room->nodes, (size_t)room->capacity * LEAF_SIZE);
	bits_free(room->memory, &room->touched);
	tree_room_init(room, room->memory);
}

bool tree_room_reserve(struct tree_room *room, uint32_t leaves)
{
	uint32_t old = room->capacity;
	void *block = room->nodes;
	if (leaves > TREE_LEAVES_MAX || !bits_reserve(room->memory, &room->touched, leaves))
		return false;
	if (leaves <= old)
		return true;
	if (!array_grow(room->memory, &block, &room->capacity, LEAF_SIZE, leaves > LEAST ? leaves : LEAST))
		return false;
	room->nodes = block;
	room->values = (uint32_t *)(room->nodes + room->capacity);
	room->ups = room->values + room->capacity;
	const uint32_t *values = (const uint32_t *)(room->nodes + old); /* these arrays move to the end of the larger block */
	memmove(room->ups, values + old, room->leaf_end * sizeof *values);
	memmove(room->values, values, room->leaf_end * sizeof *values);
	return true;
}

void tree_init(struct tree *tree, struct tree_room *room)
{
	*tree = (struct tree){.room = room, .root = TREE_NONE};
}

uint32_t tree_node_take(struct tree *tree)
{
	struct tree_room *room = tree->room;
	++room->node_count;
	uint32_t node = room->free_node;
	if (node == TREE_NONE)
		return room->node_end++;
	room->free_node = room->nodes[node].up;
	return node;
}

void tree_node_give(struct tree *tree, uint32_t node)
{
	struct tree_room *room = tree->room;
	--room->node_count;
	tree_touch(room, node);
	room->nodes[node].up = room->free_node;
	room->free_node = node;
}

static uint32_t leaf_take(struct tree *tree)
{
	struct tree_room *room = tree->room;
	assert(room->leaf_count < room->capacity);
	++room->leaf_count;
	++tree->leaf_count;
	uint32_t leaf = room->free_leaf;
	if (leaf == TREE_NONE)
		return room->leaf_end++;
	room->free_leaf = room->ups[leaf];
	return leaf;
}

static void leaf_give(struct tree *tree, uint32_t leaf)
{
	struct tree_room *room = tree->room;
	--room->leaf_count;
	--tree->leaf_count;
	tree_touch(room, leaf);
	room->ups[leaf] = room->free_leaf;
	room->free_leaf = leaf;
}

/* --- Rotations ------------------------------------------------------------------------------------------------------------ */

/* One swap at a node A with children B (on `side`) and O: O is exchanged with child `up` of B.
**        A                A
**      /   \            /   \        gain = cost(B) - cost(O + S)
**     B     O    ->    B     U
**    / \              / \
**   U   S            O   S */
struct swap {
	uint32_t side, up;
};

/* Finds the allowed swap with the greatest gain, which must be positive unless the node is unbalanced. False: there is none.
 * was: the node's height before the current operation. */
static bool swap_find(const struct tree *tree, const struct tree_node *node, uint32_t was, struct swap *best)
{
	bool found = false, demanded = unbalanced(node);
	float best_gain = 0;
	tree_lanes costs = lanes_cost(node->axis);
	for (uint32_t side = 0; side < 2; ++side) {
		if (node->child[side] & TREE_LEAF)
			continue;
		const struct tree_node *b = &tree->room->nodes[node->child[side]];
		tree_lanes joined[3];
		for (int i = 0; i < 3; ++i)
			joined[i] = float4_least(slot_lanes(node, i, side ^ 1), b->axis[i]);
		tree_lanes gains = costs[side] - lanes_cost(joined); /* of the swaps that leave the first and second child of B */
		uint32_t o_height = node->height[side ^ 1];
		for (uint32_t up = 0; up < 2; ++up) {
			float gain = gains[up ^ 1];
			if (!(gain > best_gain) && !(demanded && !found))
				continue;
			uint32_t up_height = b->height[up], stay_height = b->height[up ^ 1];
			uint32_t b_height = 1 + (o_height > stay_height ? o_height : stay_height);
			uint32_t height = 1 + (b_height > up_height ? b_height : up_height);
			if (difference(o_height, stay_height) > TREE_BALANCE || difference(b_height, up_height) > TREE_BALANCE ||
				difference(height, was) > 1)
				continue;
			best_gain = gain;
			*best = (struct swap){side, up};
			found = true;
		}
	}
	assert(found || !demanded);
	return found;
}

static void swap_apply(struct tree *tree, uint32_t index, struct swap swap)
{
	struct tree_node *node = &tree->room->nodes[index];
	uint32_t b_index = node->child[swap.side], side = swap.side ^ 1;
	struct tree_node *b = &tree->room->nodes[b_index];
	uint32_t o = node->child[side];
	uint16_t o_height = node->height[side];
	struct bounds o_bounds = slot_bounds(node, side), up_bounds = slot_bounds(b, swap.up);
	tree_slot_link(tree, index * 2 + side, b->child[swap.up]);
	slot_bounds_set(node, side, &up_bounds);
	node->height[side] = b->height[swap.up];
	tree_slot_link(tree, b_index * 2 + swap.up, o);
	slot_bounds_set(b, swap.up, &o_bounds);
	b->height[swap.up] = o_height;
	struct bounds b_bounds = node_bounds(b);
	slot_bounds_set(node, swap.side, &b_bounds);
	node->height[swap.side] = (uint16_t)node_height(b);
}

/* Restores bounds, heights and balance from an inner node, whose slots have changed, up to the root or to where nothing
 * changes. Only insertions make swaps that merely save cost: after removals these gain less than 1 % of cost for a fifth more
 * time (measured). */
static void climb(struct tree *tree, uint32_t index, bool inserted)
{
	bool changed = true;
	for (;;) {
		struct tree_node *node = &tree->room->nodes[index];
		uint32_t up = node->up;
		struct tree_node *parent = up == TREE_ROOT_SLOT ? NULL : &tree->room->nodes[up >> 1];
		uint32_t was = parent ? parent->height[up & 1] : tree->height;
		struct swap swap = {0};
		if ((inserted || unbalanced(node)) && swap_find(tree, node, was, &swap))
			swap_apply(tree, index, swap);
		else if (!changed)
			return;
		uint32_t height = node_height(node);
		if (!parent) {
			assert(height <= TREE_HEIGHT_MAX);
			tree->height = height;
			return;
		}
		/* A node's swaps depend on its grandchildren, so it is visited even if only these have changed. */
		changed = slot_fit(parent, up & 1, node) || height != was;
		if (changed)
			tree_touch(tree->room, up >> 1);
		parent->height[up & 1] = (uint16_t)height;
		index = up >> 1;
	}
}

/* --- Changes -------------------------------------------------------------------------------------------------------------- */

/* A search for the slot whose content becomes the sibling of a new leaf L, for the least growth of the sum of costs.
 *   pairing with X below ancestors A:  cost(X + L) + sum over A of (cost(A + L) - cost(A))
 *   pairing below X is at least:       cost(L)     + the same sum with X */
struct search {
	tree_lanes leaf[3]; /* L twice, as both children of a node */
	float leaf_cost, best_cost;
	uint32_t best; /* slot */
	bool found;
};

/* Takes the slot if it is the best so far and its subtree is low enough to be a leaf's sibling. Of equal costs the later,
 * deeper slot is taken, so that equal boxes build a balanced tree. A NaN cost, of infinite boxes, is taken only as the
 * first. */
static inline void candidate_try(struct search *search, uint32_t slot, uint32_t height, float cost)
{
	if (height <= TREE_BALANCE && (!search->found || cost <= search->best_cost)) {
		search->found = true;
		search->best = slot;
		search->best_cost = cost;
	}
}

/* Tries both children of a node as siblings. Returns the side to descend first: the one with the lower bound, or the lower
 * subtree if equal. */
static inline uint32_t children_try(
	struct search *search, const struct tree_node *node, const struct visit *at, struct visit below[2])
{
	tree_lanes joined[3];
	for (int i = 0; i < 3; ++i)
		joined[i] = float4_least(node->axis[i], search->leaf[i]);
	tree_lanes joined_costs = lanes_cost(joined), growths = at->growth + (joined_costs - lanes_cost(node->axis));
	tree_lanes costs = at->growth + joined_costs, bounds = growths + search->leaf_cost;
	for (uint32_t side = 0; side < 2; ++side) {
		candidate_try(search, at->reference * 2 + side, node->height[side], costs[side]);
		below[side] = (struct visit){node->child[side], growths[side], bounds[side]};
	}
	if (below[0].bound == below[1].bound)
		return node->height[1] < node->height[0];
	return below[1].bound < below[0].bound;
}

/* Returns the best slot at or below the inner node `start`. A short search descends once, always to the lower bound; a thorough
 * one returns to skipped nodes whose bounds are below the best cost found. On 10000 boxes of one size, insertions by short
 * searches build a tree of 1.15 times the cost (2D; 1.24 times in 3D) of thorough ones, and of more on mixed sizes. */
static uint32_t sibling_find(const struct tree *tree, uint32_t start, const struct bounds *leaf, bool thorough)
{
	const struct tree_node *node = &tree->room->nodes[start];
	struct bounds bounds = node_bounds(node), joined = bounds_union(&bounds, leaf);
	float cost = bounds_cost(&joined);
	struct search search = {.leaf_cost = bounds_cost(leaf)};
	for (int i = 0; i < 3; ++i)
		search.leaf[i] = (tree_lanes){leaf->lower[i], leaf->lower[i], leaf->minus_upper[i], leaf->minus_upper[i]};
	candidate_try(&search, node->up, node_height(node), cost);
	struct visit stack[TREE_HEIGHT_MAX + 1], at = {start, cost - bounds_cost(&bounds), 0};
	uint32_t count = 0, visited = 0;
	for (;;) {
		struct visit below[2];
		node = &tree->room->nodes[at.reference];
		tree_children_prefetch(tree->room->nodes, node);
		uint32_t first = children_try(&search, node, &at, below);
		if (below[first].reference & TREE_LEAF)
			first ^= 1;
		const struct visit *next = &below[first], *aside = &below[first ^ 1];
		bool aside_matters = !(aside->reference & TREE_LEAF) && (!search.found || aside->bound < search.best_cost);
		if (thorough && aside_matters)
			stack[count++] = *aside;
		if (!(next->reference & TREE_LEAF) && (!search.found || next->bound <= search.best_cost)) {
			at = *next;
			continue;
		}
		assert(search.found);
		if (++visited >= BRANCHES_MAX)
			return search.best;
		do {
			if (count == 0)
				return search.best;
			at = stack[--count];
		} while (!(at.bound < search.best_cost));
	}
}

/* Links a leaf at or below the node `start`. */
static void leaf_link(struct tree *tree, uint32_t leaf, const struct box *box, uint32_t start, bool thorough)
{
	if (start == TREE_NONE) {
		tree_slot_link(tree, TREE_ROOT_SLOT, leaf | TREE_LEAF);
		tree->only = *box;
		return;
	}
	struct bounds bounds = bounds_of(box), sibling_bounds;
	uint32_t slot = start & TREE_LEAF ? TREE_ROOT_SLOT : sibling_find(tree, start, &bounds, thorough);
	uint32_t sibling, sibling_height;
	if (slot == TREE_ROOT_SLOT) {
		sibling = tree->root;
		sibling_height = tree->height;
		sibling_bounds = sibling & TREE_LEAF ? bounds_of(&tree->only) : node_bounds(&tree->room->nodes[sibling]);
	} else {
		const struct tree_node *parent = &tree->room->nodes[slot >> 1];
		sibling = parent->child[slot & 1];
		sibling_height = parent->height[slot & 1];
		sibling_bounds = slot_bounds(parent, slot & 1);
	}
	uint32_t index = tree_node_take(tree);
	struct tree_node *node = &tree->room->nodes[index];
	tree_slot_link(tree, slot, index);
	tree_slot_link(tree, index * 2, sibling);
	tree_slot_link(tree, index * 2 + 1, leaf | TREE_LEAF);
	slot_bounds_set(node, 0, &sibling_bounds);
	slot_bounds_set(node, 1, &bounds);
	node->height[0] = (uint16_t)sibling_height;
	node->height[1] = 0;
	climb(tree, index, true);
}

/* Unlinks a leaf from its slot: its sibling replaces its parent. */
static void leaf_unlink(struct tree *tree, uint32_t leaf)
{
	uint32_t slot = tree->room->ups[leaf];
	if (slot == TREE_ROOT_SLOT) {
		tree->root = TREE_NONE;
		return;
	}
	const struct tree_node *node = &tree->room->nodes[slot >> 1];
	uint32_t side = (slot & 1) ^ 1, up = node->up;
	struct bounds bounds = slot_bounds(node, side);
	uint16_t height = node->height[side];
	tree_slot_link(tree, up, node->child[side]);
	tree_node_give(tree, slot >> 1);
	if (up == TREE_ROOT_SLOT) {
		tree->height = height;
		tree->only = box_of_bounds(&bounds);
		return;
	}
	struct tree_node *parent = &tree->room->nodes[up >> 1];
	slot_bounds_set(parent, up & 1, &bounds);
	parent->height[up & 1] = height;
	climb(tree, up >> 1, false);
}

uint32_t tree_insert_loose(struct tree *tree, uint32_t value)
{
	uint32_t leaf = leaf_take(tree);
	tree_touch(tree->room, leaf);
	tree->room->values[leaf] = value;
	return leaf;
}

uint32_t tree_insert(struct tree *tree, const struct box *box, uint32_t value)
{
	assert(box->lower[3] == 0 && box->upper[3] == 0);
	uint32_t leaf = tree_insert_loose(tree, value);
	leaf_link(tree, leaf, box, tree->root, true);
	return leaf;
}

struct box tree_box(const struct tree *tree, uint32_t leaf)
{
	uint32_t slot = tree->room->ups[leaf];
	if (slot == TREE_ROOT_SLOT)
		return tree->only;
	struct bounds bounds = slot_bounds(&tree->room->nodes[slot >> 1], slot & 1);
	return box_of_bounds(&bounds);
}

void tree_remove(struct tree *tree, uint32_t leaf)
{
	assert(leaf < tree->room->leaf_end);
	leaf_unlink(tree, leaf);
	leaf_give(tree, leaf);
}

/* The lowest proper ancestor of the leaf's parent whose box contains `bounds`, or TREE_NONE. Unlinking the leaf frees only the
 * parent. */
static uint32_t container_find(const struct tree *tree, uint32_t slot, const struct bounds *bounds)
{
	for (uint32_t up = tree->room->nodes[slot >> 1].up; up != TREE_ROOT_SLOT; up = tree->room->nodes[up >> 1].up) {
		struct bounds around = node_bounds(&tree->room->nodes[up >> 1]), joined = bounds_union(&around, bounds);
		if (bounds_equal(&around, &joined))
			return up >> 1;
	}
	return TREE_NONE;
}

/* Every move reinserts the leaf. Refitting the ancestors' boxes, with rotations, would be twice as fast but ruins the tree: 2.5
 * times the cost after 200 steps of a gas of 10000 boxes. Most moves search only below an ancestor that contains the new box,
 * which is enough if some search the whole tree. */
void tree_move(struct tree *tree, uint32_t leaf, const struct box *box)
{
	assert(leaf < tree->room->leaf_end && box->lower[3] == 0 && box->upper[3] == 0);
	uint32_t slot = tree->room->ups[leaf];
	if (slot == TREE_ROOT_SLOT) {
		tree->only = *box;
		return;
	}
	bool thorough = ++tree->moves % THOROUGH_MOVES == 0;
	struct bounds bounds = bounds_of(box);
	uint32_t start = thorough ? TREE_NONE : container_find(tree, slot, &bounds);
	leaf_unlink(tree, leaf);
	leaf_link(tree, leaf, box, start == TREE_NONE ? tree->root : start, thorough);
}

/* --- Checks --------------------------------------------------------------------------------------------------------------- */

static const char *validate_slot(const struct tree *tree, uint32_t index, uint32_t side)
{
	const struct tree_room *room = tree->room;
	const struct tree_node *node = &room->nodes[index];
	uint32_t child = node->child[side], slot = index * 2 + side;
	if (child & TREE_LEAF) {
		child &= ~TREE_LEAF;
		CHECK(child < room->leaf_end && room->ups[child] == slot && node->height[side] == 0);
		return NULL;
	}
	CHECK(child < room->node_end && room->nodes[child].up == slot);
	CHECK(node->height[side] == node_height(&room->nodes[child]));
	struct bounds here = slot_bounds(node, side), there = node_bounds(&room->nodes[child]);
	CHECK(bounds_equal(&here, &there));
	return NULL;
}

static const char *validate_nodes(const struct tree *tree)
{
	uint32_t stack[TREE_HEIGHT_MAX + 1], depth = 0, leaves = 0, nodes = 0;
	stack[depth++] = tree->root;
	while (depth > 0) {
		uint32_t index = stack[--depth];
		const struct tree_node *node = &tree->room->nodes[index];
		CHECK(++nodes < tree->leaf_count && !unbalanced(node));
		for (uint32_t side = 0; side < 2; ++side) {
			const char *why = validate_slot(tree, index, side);
			if (why)
				return why;
			leaves += (node->child[side] & TREE_LEAF) != 0;
			CHECK((node->child[side] & TREE_LEAF) || depth <= TREE_HEIGHT_MAX);
			if (!(node->child[side] & TREE_LEAF))
				stack[depth++] = node->child[side];
		}
	}
	CHECK(leaves == tree->leaf_count);
	return NULL;
}

static const char *validate_free(const struct tree_room *room)
{
	uint32_t leaves = room->leaf_count, nodes = room->node_count;
	for (uint32_t i = room->free_leaf; i != TREE_NONE; i = room->ups[i])
		CHECK(i < room->leaf_end && ++leaves <= room->leaf_end);
	for (uint32_t i = room->free_node; i != TREE_NONE; i = room->nodes[i].up)
		CHECK(i < room->node_end && ++nodes <= room->node_end);
	CHECK(leaves == room->leaf_end && nodes == room->node_end);
	return NULL;
}

const char *tree_validate(const struct tree *tree)
{
	const char *why = NULL;
	CHECK((tree->leaf_count == 0) == (tree->root == TREE_NONE));
	if (tree->leaf_count == 1) {
		CHECK(tree->root & TREE_LEAF);
		CHECK(tree->height == 0 && tree->room->ups[tree->root & ~TREE_LEAF] == TREE_ROOT_SLOT);
	} else if (tree->leaf_count > 1) {
		CHECK(!(tree->root & TREE_LEAF));
		CHECK(
			tree->room->nodes[tree->root].up == TREE_ROOT_SLOT && tree->height == node_height(&tree->room->nodes[tree->root]));
		why = validate_nodes(tree);
	}
	return why ? why : validate_free(tree->room);
}
