/* tree.h - a dynamic bounding volume hierarchy that maintains its quality.
 * A binary tree over boxes. A leaf has a user value; an inner node stores the boxes of both its children, so that a
 * query tests both children with three vector comparisons and one cache line.
 * Invariant: the heights of the two children of a node differ by at most TREE_BALANCE. Within that wide limit cost alone shapes
 * the tree; at the limit balance has priority. So the height is logarithmic for any boxes in any order, and a query needs only
 * a fixed stack.
 * Deterministic: the same calls give the same tree, and queries report in the same order.
 * Queries may run on several threads at once, as long as nothing changes the tree. */
#pragma once
#include "base/bits.h"
#include "base/cache.h"
#include "spatial/box.h"

#include <stdbool.h>
#include <stdint.h>

struct memory;

enum {
	/* Large, so that a huge box may be the sibling of a subtree of thousands of leaves, at the root, where it is cheapest. The
	 * price is the height of the worst tree: the least number of leaves of height h obeys N(h) = N(h-1) + N(h-1-TREE_BALANCE),
	 * N = h+1 up to h = TREE_BALANCE + 1. N(158) exceeds TREE_LEAVES_MAX; a usual tree of 10000 leaves has a height near 20. */
	TREE_BALANCE = 16,
	TREE_HEIGHT_MAX = 157,
	TREE_LEAVES_MAX = 1 << 30,
};

#define TREE_NONE UINT32_MAX /* no node: the root of an empty tree */
#define TREE_LEAF 0x80000000u /* marks a reference to a leaf; without it, to an inner node */

typedef float tree_lanes __attribute__((vector_size(16)));

/* An inner node: 64 bytes, one cache line. There is no space for a fourth axis: boxes in a tree have 0 there. */
struct tree_node {
	/* {lower of child 0, lower of child 1, -upper of child 0, -upper of child 1} [length]: then all comparisons have one
	 * direction */
	tree_lanes axis[3];
	uint32_t child[2]; /* references */
	uint32_t up; /* the slot that refers here: parent * 2 + side; TREE_NONE at the root; the next free node when free */
	uint16_t height[2]; /* of the children; a leaf has 0 */
};

/* Storage for the leaves and nodes of trees. Several trees may share one: an item that moves between them needs capacity only
 * once. */
struct tree_room {
	struct tree_node *nodes; /* inner nodes, aligned to cache lines; the arrays of leaves follow in the same block */
	uint32_t *values, *ups; /* of leaves, by leaf id: user values; slots that refer to them, or the next free leaves */
	struct memory *memory;
	uint32_t leaf_count, node_count; /* in use by all trees */
	uint32_t capacity; /* capacity in leaves, and in nodes */
	uint32_t leaf_end, node_end; /* all ids used so far are less, free ones included */
	bool recorded; /* its trees mark in `touched` what they change */
	struct bits touched; /* numbers of nodes and leaves; whoever reads it clears it */
	uint32_t free_leaf, free_node; /* heads of the free lists, or TREE_NONE */
};

struct tree {
	struct tree_room *room;
	uint32_t root; /* a reference, or TREE_NONE */
	struct box only; /* of the only leaf; the boxes of more leaves are in the nodes */
	uint32_t height; /* levels from the root to the deepest leaf: 0 for one leaf or none; at most TREE_HEIGHT_MAX */
	uint32_t leaf_count;
	uint32_t moves; /* number of moves so far, modulo 2^32 */
};

void tree_room_init(struct tree_room *room, struct memory *memory);
void tree_room_free(struct tree_room *room); /* invalidates all trees in it */

/* Reserves capacity for `leaves` leaves in total. The only call that allocates. False: no memory, or more than TREE_LEAVES_MAX;
 * nothing changed. */
bool tree_room_reserve(struct tree_room *room, uint32_t leaves);

/* Makes an empty tree; `room` must outlive it. */
void tree_init(struct tree *tree, struct tree_room *room);

/* Adds a leaf; capacity must have been reserved. Returns its id, valid until it is removed. O(log n). */
uint32_t tree_insert(struct tree *tree, const struct box *box, uint32_t value);
void tree_remove(struct tree *tree, uint32_t leaf);

/* Gives a leaf a new box and reinserts it, so that the cost of the tree stays near that of a fresh one. O(log n). */
void tree_move(struct tree *tree, uint32_t leaf, const struct box *box);

/* For changes of many leaves at once: tree_insert_loose adds a leaf without a box. Before any other use of the tree, tree_build
 * must build it anew from all its leaves, which the caller lists in `entries`; box_of returns the box of a leaf with the user
 * value. */
uint32_t tree_insert_loose(struct tree *tree, uint32_t value);
struct tree_entry {
	float centre[3]; /* doubled; scratch of tree_build */
	uint32_t leaf;
};
void tree_build(struct tree *tree, struct tree_entry *entries, const struct box *(*box_of)(const void *context, uint32_t value),
	const void *context);

struct box tree_box(const struct tree *tree, uint32_t leaf);

/* The quality of the tree: the sum of the costs of all inner nodes' boxes over that of the root's; see box_cost. At least 1, or
 * 0 if there are no inner nodes or the root's box has no extent. O(n). */
double tree_cost(const struct tree *tree);

/* The first invariant that does not hold; NULL: all do. O(n). */
const char *tree_validate(const struct tree *tree);

/* Prefetches both children of a node, before it is known which of them a query visits. In place of a leaf it prefetches some
 * other node, which costs less than to tell them apart. */
static inline void tree_children_prefetch(const struct tree_node *nodes, const struct tree_node *node)
{
	for (int side = 0; side < 2; ++side)
		cache_prefetch(&nodes[node->child[side] & ~TREE_LEAF], sizeof *node);
}

/* Called for each leaf that a query finds, with its user value; false stops the query. */
typedef bool tree_visit(void *context, uint32_t value);

/* Visits every leaf whose box overlaps `box`. False: a visit has stopped the query. In the header, so that a known visit
 * function is inlined into the loop. */
static inline bool tree_query(const struct tree *tree, const struct box *box, tree_visit *visit, void *context)
{
	const struct tree_node *nodes = tree->room->nodes;
	const uint32_t *values = tree->room->values;
	if (tree->root == TREE_NONE)
		return true;
	if (tree->root & TREE_LEAF) {
		uint32_t leaf = tree->root & ~TREE_LEAF;
		return !box_overlaps(&tree->only, box) || visit(context, values[leaf]);
	}
	_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "child 0 is in the low half of `both`");
	/* Two boxes overlap when lower <= the other's upper and -upper <= the other's -lower. */
	tree_lanes limit[3];
	for (int i = 0; i < 3; ++i)
		limit[i] = (tree_lanes){box->upper[i], box->upper[i], -box->lower[i], -box->lower[i]};
	typedef uint64_t halves __attribute__((vector_size(16)));
	uint32_t stack[TREE_HEIGHT_MAX + 1], count = 0, reference = tree->root;
	for (;;) {
		const struct tree_node *node = &nodes[reference];
		tree_children_prefetch(nodes, node);
		halves inside = (halves)((node->axis[0] <= limit[0]) & (node->axis[1] <= limit[1]) & (node->axis[2] <= limit[2]));
		uint64_t both = inside[0] & inside[1];
		reference = TREE_NONE;
		for (int side = 1; side >= 0; --side) {
			bool overlaps = side ? both >> 32 != 0 : (uint32_t)both != 0;
			if (!overlaps)
				continue;
			uint32_t child = node->child[side];
			if (child & TREE_LEAF) {
				if (!visit(context, values[child & ~TREE_LEAF]))
					return false;
			} else {
				if (reference != TREE_NONE)
					stack[count++] = reference;
				reference = child;
			}
		}
		if (reference == TREE_NONE) {
			if (count == 0)
				return true;
			reference = stack[--count];
		}
	}
}

/* The smallest box around all leaves; false if there are none. O(1). */
bool tree_bounds(const struct tree *tree, struct box *box);

/* For viewing the tree itself: visits each inner node whose box overlaps `box`, parents before children, until visit returns
 * false. A node's number is valid until the next change of the tree. */
void tree_query_nodes(
	const struct tree *tree, const struct box *box, bool (*visit)(void *context, uint32_t node), void *context);
struct box tree_node_box(const struct tree *tree, uint32_t node);

/* Called for each leaf that a ray may hit, roughly front to back. Returns the maximum fraction for the rest of the query:
 * unchanged to go on, less after a hit, 0 or less to stop. */
typedef float tree_hit(void *context, uint32_t value, float max_fraction);

/* Visits the leaves whose boxes the segment origin + t translation, 0 <= t <= max_fraction, touches. Rounding never makes it
 * miss one, but boxes a rounding error away may be visited. */
void tree_ray(const struct tree *tree, const double origin[3], const double translation[3], float max_fraction, tree_hit *visit,
	void *context);

/* The same for a box that moves by the translation: visits the leaves whose boxes it touches on its path. */
void tree_sweep(const struct tree *tree, const struct box *box, const double translation[3], float max_fraction,
	tree_hit *visit, void *context);

/* Called for each leaf whose box is within the search distance of a point, and for a tree's only leaf at any distance. square:
 * the square of the search distance [length^2]. Returns the square for the rest of the query: unchanged, or less. */
typedef double tree_near(void *context, uint32_t value, double square);

/* Visits leaves near a point, roughly nearest first, and none whose box is farther than the last returned distance, except a
 * tree's only leaf. */
void tree_nearest(const struct tree *tree, const double point[3], double square, tree_near *visit, void *context);
