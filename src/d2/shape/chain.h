/* chain.h - a tree of boxes over the segments of a chain, and the traversal of the trees of two shapes.
 * Invariant: a node's box contains all of its segments. The segments of a node are adjacent. Nodes are numbered as in a heap,
 * so the tree stores no references: a node's number and the number of segments give its children and its segments. Pure but for
 * d2_chain_plant, any thread. */
#pragma once
#include "d2/shape/node.h"

/* Number of nodes of the tree over a chain of `segments` segments. */
uint32_t d2_chain_node_count(uint32_t segments);
/* Builds the tree, in chain->boxes, of a chain whose points are set. */
void d2_chain_plant(struct d2_shape *chain);

/* Writes a node of the shape's tree. Node 0 is the root; for shapes other than chains it is a leaf. */
void d2_shape_node(const struct d2_shape *shape, uint32_t node, struct d2_node *out);
/* The child after `child` in a leaf. */
uint32_t d2_leaf_next(const struct d2_shape *shape, uint32_t child);

/* The segment before or after one of a chain; NONE: it is the first or last of an open chain. */
uint32_t d2_chain_before(const struct d2_shape *chain, uint32_t child);
uint32_t d2_chain_after(const struct d2_shape *chain, uint32_t child);

/* Upper bound of |x| + |y| over the shape, in its frame; |offset| for a half-plane. */
double d2_box_reach(const struct d2_shape *shape);

/* The axis-aligned bounds of the transformed box. */
struct d2_bounds d2_bounds_turned(const struct d2_bounds *box, const struct d2_transform_d *transform);

/* Casts box A along u against box B; `slack` is added to the sums of their half sizes [length]. Returns the fraction of u at
 * the hit, which may exceed 1; 0: they overlap at the start; INFINITY: no hit. */
double d2_bounds_overlap(const struct d2_bounds *a, const struct d2_bounds *b, struct d2_vec_d u, double slack);

/* Branch and bound over the pairs of children of two shapes. bound: a lower bound, less its rounding error, of the value (a
 * distance or a time) that visit will find for any children of the two nodes. Pairs with a bound above *limit are skipped;
 * visit may lower *limit. Of an opened node's two children, the one with the lower bound is searched first. */
struct d2_pair_walk {
	const struct d2_shape *a, *b;
	double (*bound)(void *context, const struct d2_node *a, const struct d2_node *b);
	void (*visit)(void *context, uint32_t child_a, uint32_t child_b);
	void *context;
	const double *limit;
};

void d2_pair_walk(const struct d2_pair_walk *walk);
