/* mesh_tree.h - static tree of AABBs over the children of a shape. See shape.h for threads. */
#pragma once
#include "base/float4.h"
#include "d3/shape/shape.h"

/* A block of up to four nodes, the children of one node, which are tested together. Node n is lane n % 4 of block n / 4. The
 * root is lane 0 of block 0, whose other lanes are unused. Lower and upper sides of an AABB are at origin + byte step. Unused
 * lanes follow the used ones, repeat the AABB of lane 0 and have the link 0. */
struct d3_node4 {
	float origin[3], step[3]; /* by axis, in the shape's frame [length] */
	uint8_t sides[3][8]; /* bytes, by axis: the lower sides of the four lanes, then their upper sides */
	/* first << 4 | tag. tag 1..12: a leaf of `tag` children from child `first` on; 13..15: an inner node of tag - 11 nodes from
	 * node `first` on */
	uint32_t links[4];
};

enum { D3_LEAF_MAX = 12 };

_Static_assert(sizeof(struct d3_node4) == 64, "a cache line");

struct d3_mesh_item {
	struct d3_vec lower, upper;
	uint32_t number;
};

/* Sorts the items (1 to 2^28 - 1) into the order of the leaves and builds the tree over them: *nodes, an allocation of exactly
 * *node_count blocks. A leaf has up to `few` (1 to 4) items. The tree's depth is at most 41. False: no memory. */
bool d3_mesh_tree_build(struct memory *memory, struct d3_mesh_item *items, uint32_t count, uint32_t few,
	struct d3_node4 **nodes, uint32_t *node_count);
/* Unpacks a node. */
void d3_stored_node(const struct d3_node4 *nodes, uint32_t node, struct d3_node *out);

static inline bool d3_link_is_leaf(uint32_t link)
{
	return (link & 15) <= D3_LEAF_MAX;
}

/* Number of the shape's children in a leaf, or of an inner node's child nodes. */
static inline uint32_t d3_link_count(uint32_t link)
{
	return d3_link_is_leaf(link) ? link & 15 : (link & 15) - D3_LEAF_MAX + 1;
}

/* AABBs of the four lanes. */
static inline void d3_node_four_read(const struct d3_node4 *node, float4 lower[3], float4 upper[3])
{
	for (int axis = 0; axis < 3; ++axis) {
		float4 low, high;
		float4_read_bytes(node->sides[axis], &low, &high);
		lower[axis] = node->origin[axis] + low * node->step[axis];
		upper[axis] = node->origin[axis] + high * node->step[axis];
	}
}

static inline float d3_node_four_side(const struct d3_node4 *node, int axis, uint32_t side)
{
	return node->origin[axis] + (float)node->sides[axis][side] * node->step[axis];
}
