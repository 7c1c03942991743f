/* node.h - a node of the tree of boxes over the segments of a chain or of tiles. */
#pragma once
#include "d2/shape/shape.h"

/* An axis-aligned box in some frame. */
struct d2_bounds {
	struct d2_vec_d middle, half;
};

/* A leaf holds `count` children (segments) of the shape from `first` on; an inner node's child nodes have the numbers first ..
 * first + count - 1. */
struct d2_node {
	struct d2_bounds box; /* in the shape's frame, around the rounded shape; infinite for a half-plane */
	uint32_t first, count; /* of tiles, the leaf's children are not numbered in sequence: see d2_leaf_next */
	bool leaf;
};
