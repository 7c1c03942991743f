/* tree_archive.c - see tree_archive.h. The nodes are in depth-first order, the parent first. */
#include "spatial/tree_archive.h"
#include "spatial/tree_parts.h"

enum { LEAF_LEAST = 1 + 4 + 6 * 4 /* bytes of a leaf */ };

static void box_pass(struct archive *archive, struct box *box)
{
	pass_range_f32(archive, box->lower, 3, -1e30f, 1e30f);
	pass_range_f32(archive, box->upper, 3, -1e30f, 1e30f);
	for (int k = 0; k < 3; ++k)
		archive_check(archive, box->lower[k] <= box->upper[k], "a box is inside out");
}

/* Slots whose subtrees are still to be passed. The tree is deeper than any valid one if they do not fit. */
struct slots {
	uint32_t all[TREE_HEIGHT_MAX + 2], count;
};

static void slots_push(struct archive *archive, struct slots *slots, uint32_t node)
{
	if (archive->reading && !archive_check(archive, slots->count + 2 <= TREE_HEIGHT_MAX + 2, "a tree is too high"))
		return;
	slots->all[slots->count++] = 2 * node + 1;
	slots->all[slots->count++] = 2 * node;
}

static uint32_t slot_reference(const struct tree *tree, uint32_t slot)
{
	return slot == TREE_ROOT_SLOT ? tree->root : tree->room->nodes[slot >> 1].child[slot & 1];
}

static void leaf_pass(struct archive *archive, struct tree *tree, uint32_t slot, tree_place *place, void *context)
{
	struct tree_room *room = tree->room;
	struct box box = {{0}, {0}};
	uint32_t value = 0;
	if (!archive->reading) {
		uint32_t leaf = slot_reference(tree, slot) & ~TREE_LEAF;
		value = room->values[leaf];
		box = tree_box(tree, leaf);
	}
	pass_u32(archive, &value);
	box_pass(archive, &box);
	if (!archive->reading)
		return;
	uint32_t leaf = room->leaf_end;
	if (!archive_check(
			archive, room->leaf_count < room->capacity && place(context, value, leaf), "a leaf of a tree is of nothing"))
		return;
	++room->leaf_end;
	++room->leaf_count;
	room->values[leaf] = value;
	tree_slot_link(tree, slot, leaf | TREE_LEAF);
	struct bounds bounds = bounds_of(&box);
	if (slot == TREE_ROOT_SLOT) {
		tree->only = box;
		return;
	}
	slot_bounds_set(&room->nodes[slot >> 1], slot & 1, &bounds);
	room->nodes[slot >> 1].height[slot & 1] = 0;
}

/* Sets bounds and heights of the nodes from `first` on, whose children have greater numbers. */
static void nodes_fit(struct tree *tree, uint32_t first)
{
	struct tree_room *room = tree->room;
	for (uint32_t i = room->node_end; i-- > first;)
		for (uint32_t side = 0; side < 2; ++side) {
			uint32_t child = room->nodes[i].child[side];
			if (child & TREE_LEAF)
				continue;
			const struct tree_node *node = &room->nodes[child];
			struct bounds bounds = node_bounds(node);
			slot_bounds_set(&room->nodes[i], side, &bounds);
			room->nodes[i].height[side] =
				(uint16_t)(1 + (node->height[0] > node->height[1] ? node->height[0] : node->height[1]));
		}
	if (tree->root & TREE_LEAF)
		return;
	const struct tree_node *root = &room->nodes[tree->root];
	tree->height = 1u + (root->height[0] > root->height[1] ? root->height[0] : root->height[1]);
}

void tree_pass(struct archive *archive, struct tree *tree, tree_place *place, void *context)
{
	struct tree_room *room = tree->room;
	uint32_t leaves = pass_count(archive, tree->leaf_count, LEAF_LEAST), first = room->node_end, passed = 0;
	pass_u32(archive, &tree->moves);
	if (archive->reading) {
		archive->no_memory |= archive_good(archive) && !tree_room_reserve(room, room->leaf_count + leaves);
		tree->leaf_count = leaves;
	}
	if (!archive_good(archive) || leaves == 0)
		return;
	struct slots slots = {{TREE_ROOT_SLOT}, 1};
	while (slots.count > 0 && archive_good(archive)) {
		uint32_t slot = slots.all[--slots.count];
		bool inner = !archive->reading && !(slot_reference(tree, slot) & TREE_LEAF);
		pass_bool(archive, &inner);
		if (!inner) {
			++passed;
			leaf_pass(archive, tree, slot, place, context);
		} else if (archive->reading) {
			if (!archive_check(archive, room->node_count + 1 < room->capacity, "a tree has too many nodes"))
				return;
			uint32_t node = tree_node_take(tree);
			tree_slot_link(tree, slot, node);
			slots_push(archive, &slots, node);
		} else {
			slots_push(archive, &slots, slot_reference(tree, slot));
		}
	}
	if (archive->reading && archive_check(archive, passed == leaves, "a tree has too few leaves"))
		nodes_fit(tree, first);
}
