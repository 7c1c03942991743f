/* tree_parts.h - internals shared by tree.c, tree_build.c and tree_queries.c. See tree.h for threads. */
#pragma once
#include "spatial/tree.h"
#include "base/memory.h"
#include "base/scalar.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define TREE_ROOT_SLOT TREE_NONE /* the slot of the root reference */

/* Marks the node and the leaf of the number. */
static inline void tree_touch(struct tree_room *room, uint32_t number)
{
	if (room->recorded)
		bits_set(&room->touched, number);
}

/* Makes `slot` refer to `reference`, and `reference` back to `slot`. */
void tree_slot_link(struct tree *tree, uint32_t slot, uint32_t reference);

/* Takes a free inner node, which no slot refers to yet. The room has storage for as many nodes as leaves, so one is free. */
uint32_t tree_node_take(struct tree *tree);
void tree_node_give(struct tree *tree, uint32_t node);

/* An AABB by its lower sides and its negated upper sides, so that a union takes only minima. */
struct bounds {
	float lower[3], minus_upper[3];
};

/* An inner node that a search for a leaf's slot has yet to visit. growth: how much the leaf would add to the costs of the node
 * and its ancestors; bound: lower bound on the cost of a slot below the node. */
struct visit {
	uint32_t reference;
	float growth, bound;
};

static inline struct bounds bounds_of(const struct box *box)
{
	return (struct bounds){
		{box->lower[0], box->lower[1], box->lower[2]},
		{-box->upper[0], -box->upper[1], -box->upper[2]},
	};
}

static inline struct box box_of_bounds(const struct bounds *bounds)
{
	struct box box = {{0}, {0}};
	for (int i = 0; i < 3; ++i) {
		box.lower[i] = bounds->lower[i];
		box.upper[i] = -bounds->minus_upper[i];
	}
	return box;
}

static inline struct bounds bounds_union(const struct bounds *a, const struct bounds *b)
{
	struct bounds u;
	for (int i = 0; i < 3; ++i) {
		u.lower[i] = min_f(a->lower[i], b->lower[i]);
		u.minus_upper[i] = min_f(a->minus_upper[i], b->minus_upper[i]);
	}
	return u;
}

static inline struct bounds slot_bounds(const struct tree_node *node, uint32_t side)
{
	return (struct bounds){
		{node->axis[0][side], node->axis[1][side], node->axis[2][side]},
		{node->axis[0][side + 2], node->axis[1][side + 2], node->axis[2][side + 2]},
	};
}

static inline void slot_bounds_set(struct tree_node *node, uint32_t side, const struct bounds *bounds)
{
	for (int i = 0; i < 3; ++i) {
		node->axis[i][side] = bounds->lower[i];
		node->axis[i][side + 2] = bounds->minus_upper[i];
	}
}

static inline struct bounds node_bounds(const struct tree_node *node)
{
	struct bounds a = slot_bounds(node, 0), b = slot_bounds(node, 1);
	return bounds_union(&a, &b);
}
