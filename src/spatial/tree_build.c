/* tree_build.c - builds a tree anew from all of its leaves: splits each set in the middle of the longest axis of its centres'
 * AABB.
 * Source: Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies", 2007 (split by centres). */
#include "spatial/tree_parts.h"
#include "base/float4.h"

static void nodes_give_all(struct tree *tree)
{
	uint32_t stack[TREE_HEIGHT_MAX + 1], depth = 0;
	if (tree->root != TREE_NONE && !(tree->root & TREE_LEAF))
		stack[depth++] = tree->root;
	while (depth > 0) {
		uint32_t index = stack[--depth];
		const struct tree_node *node = &tree->room->nodes[index];
		for (int side = 0; side < 2; ++side)
			if (!(node->child[side] & TREE_LEAF))
				stack[depth++] = node->child[side];
		tree_node_give(tree, index);
	}
	tree->root = TREE_NONE;
	tree->height = 0;
}

static float4 centre_of(const struct tree_entry *entry)
{
	float4 centre;
	memcpy(&centre, entry, sizeof centre);
	return centre;
}

/* The height of a balanced tree of `count` leaves. */
static uint32_t least_height(uint32_t count)
{
	return count < 2 ? 0 : 32 - (uint32_t)__builtin_clz(count - 1);
}

/* Levels by which a subtree may exceed a balanced one. Siblings differ by at most four in their least heights, as each gets at
 * least an eighth of the leaves; so the tree's invariant holds. */
enum { EXCESS = TREE_BALANCE - 4 };

/* Moves the entries whose centres are below the middle of the longest axis to the front. Returns their number, or half of all
 * if one side would get less than an eighth, or if the larger side could not be built lower than `height`. */
static uint32_t entries_split(struct tree_entry *entries, uint32_t count, uint32_t height)
{
	float4 lower = centre_of(entries), upper = lower;
	for (uint32_t i = 1; i < count; ++i) {
		lower = float4_least(lower, centre_of(entries + i));
		upper = float4_most(upper, centre_of(entries + i));
	}
	float4 spread = upper - lower, middle = 0.5f * lower + 0.5f * upper;
	int along = spread[1] > spread[0] ? 1 : 0;
	along = spread[2] > spread[along] ? 2 : along;
	float limit = middle[along];
	uint32_t low = 0;
	for (uint32_t i = 0; i < count; ++i) {
		bool below = entries[i].centre[along] < limit;
		float4 here = centre_of(entries + i), other = centre_of(entries + low);
		memcpy(entries + low, &here, sizeof here);
		memcpy(entries + i, &other, sizeof other);
		low += below;
	}
	uint32_t fewer = low < count - low ? low : count - low;
	return fewer == 0 || fewer < count / 8 || least_height(count - fewer) >= height ? count / 2 : low;
}

/* The boxes of leaves, by user value. */
struct boxes {
	const struct box *(*box_of)(const void *context, uint32_t value);
	const void *context;
};

static const struct box *leaf_box(const struct tree *tree, const struct boxes *boxes, uint32_t leaf)
{
	return boxes->box_of(boxes->context, tree->room->values[leaf]);
}

/* Builds the subtree of the entries below the slot, no higher than `*height`. Returns its bounds, and its height. */
static struct bounds subtree_build(
	struct tree *tree, const struct boxes *boxes, struct tree_entry *entries, uint32_t count, uint32_t slot, uint32_t *height)
{
	uint32_t limit = least_height(count) + EXCESS;
	limit = limit < *height ? limit : *height;
	if (count == 1) {
		tree_slot_link(tree, slot, entries[0].leaf | TREE_LEAF);
		*height = 0;
		return bounds_of(leaf_box(tree, boxes, entries[0].leaf));
	}
	uint32_t index = tree_node_take(tree), low = entries_split(entries, count, limit), heights[2] = {limit - 1, limit - 1};
	tree_slot_link(tree, slot, index);
	struct bounds sides[2] = {subtree_build(tree, boxes, entries, low, 2 * index, &heights[0]),
		subtree_build(tree, boxes, entries + low, count - low, 2 * index + 1, &heights[1])};
	struct tree_node *node = &tree->room->nodes[index];
	for (uint32_t side = 0; side < 2; ++side) {
		slot_bounds_set(node, side, &sides[side]);
		node->height[side] = (uint16_t)heights[side];
	}
	*height = 1 + (heights[0] > heights[1] ? heights[0] : heights[1]);
	return bounds_union(&sides[0], &sides[1]);
}

void tree_build(struct tree *tree, struct tree_entry *entries, const struct box *(*box_of)(const void *context, uint32_t value),
	const void *context)
{
	const struct boxes boxes = {box_of, context};
	uint32_t count = tree->leaf_count;
	nodes_give_all(tree);
	for (uint32_t i = 0; i < count; ++i)
		for (int k = 0; k < 3; ++k) {
			const struct box *box = leaf_box(tree, &boxes, entries[i].leaf);
			entries[i].centre[k] = box->lower[k] + box->upper[k];
		}
	tree->height = count > 0 ? TREE_HEIGHT_MAX : 0;
	if (count == 0)
		return;
	struct bounds bounds = subtree_build(tree, &boxes, entries, count, TREE_ROOT_SLOT, &tree->height);
	tree->only = box_of_bounds(&bounds);
}
