/* chain.h - the segments of a chain under a tree of boxes, and the walk through the trees of two shapes.
 * Invariant: a node's box is around all of its segments. Their order is the chain's own, so that a node has a run of
 * neighbours, which are near each other, and the tree needs neither sorting nor references: nodes are numbered as in a heap,
 * and two numbers tell all about one.
 * Pure but for d2_chain_plant, any thread. */
#pragma once
#include "d2/shape/shape.h"

/* A box along the axes of some frame. */
struct d2_bounds {
	struct d2_vec_d middle, half;
};

/* A leaf's children are first .. first + count - 1; an inner node's nodes likewise. */
struct d2_node {
	struct d2_bounds box; /* in the shape's frame, widened by its radius; infinite for a half-plane */
	uint32_t first, count;
	bool leaf;
};

/* How many boxes the tree of that many segments has. */
uint32_t d2_chain_node_count(uint32_t segments);
/* Fills the boxes of a chain whose points are known. */
void d2_chain_plant(struct d2_shape *chain);

/* Node 0 is the root; what is no chain has one leaf. */
void d2_shape_node(const struct d2_shape *shape, uint32_t node, struct d2_node *out);

/* At least the greatest |x| + |y| of the shape; of a half-plane its offset. */
double d2_box_reach(const struct d2_shape *shape);

/* Around a box of something that stands at `place`. */
struct d2_bounds d2_bounds_turned(const struct d2_bounds *box, const struct d2_transform_d *place);

/* How far A goes along u until it meets B, both widened by slack together, in the units of u; 0 where they overlap at the
 * start, INFINITY where they never meet. */
double d2_bounds_overlap(const struct d2_bounds *a, const struct d2_bounds *b, struct d2_vec_d u, double slack);

/* The walk goes through the couples of children of two shapes, and leaves out those that do not count any more. bound: at most
 * what visit will find for any children of the two nodes, be it a distance or a time; what rounding may do to it is taken off.
 * Couples whose bound is above *limit are left out; visit may lower that. The least bound goes first. */
struct d2_pair_walk {
	const struct d2_shape *a, *b;
	double (*bound)(void *context, const struct d2_node *a, const struct d2_node *b);
	void (*visit)(void *context, uint32_t child_a, uint32_t child_b);
	void *context;
	const double *limit;
};

void d2_pair_walk(const struct d2_pair_walk *walk);
