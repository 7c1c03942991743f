/* tree_queries.c - queries of a tree: inner nodes, rays and nearest leaves. See tree.h. */
#include "spatial/tree_parts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* --- Inner nodes ---------------------------------------------------------------------------------------------------------- */

struct box tree_node_box(const struct tree *tree, uint32_t node)
{
	struct bounds bounds = node_bounds(&tree->room->nodes[node]);
	struct box box = {{0}, {0}};
	for (int i = 0; i < 3; ++i) {
		box.lower[i] = bounds.lower[i];
		box.upper[i] = -bounds.minus_upper[i];
	}
	return box;
}

bool tree_bounds(const struct tree *tree, struct box *box)
{
	if (tree->root == TREE_NONE)
		return false;
	*box = tree->root & TREE_LEAF ? tree->room->boxes[tree->root & ~TREE_LEAF] : tree_node_box(tree, tree->root);
	return true;
}

void tree_query_nodes(
	const struct tree *tree, const struct box *box, bool (*visit)(void *context, uint32_t node), void *context)
{
	uint32_t stack[TREE_HEIGHT_MAX + 1], count = 0;
	if (!(tree->root & TREE_LEAF))
		stack[count++] = tree->root;
	while (count > 0) {
		uint32_t index = stack[--count];
		struct box own = tree_node_box(tree, index);
		if (!box_overlaps(&own, box))
			continue;
		if (!visit(context, index))
			return;
		for (int side = 1; side >= 0; --side)
			if (!(tree->room->nodes[index].child[side] & TREE_LEAF))
				stack[count++] = tree->room->nodes[index].child[side];
	}
}

double tree_cost(const struct tree *tree)
{
	uint32_t stack[TREE_HEIGHT_MAX + 1], count = 0;
	double sum = 0, whole = 0;
	if (!(tree->root & TREE_LEAF))
		stack[count++] = tree->root;
	while (count > 0) {
		uint32_t index = stack[--count];
		struct box box = tree_node_box(tree, index);
		sum += (double)box_cost(&box);
		if (index == tree->root)
			whole = (double)box_cost(&box);
		for (int side = 1; side >= 0; --side)
			if (!(tree->room->nodes[index].child[side] & TREE_LEAF))
				stack[count++] = tree->room->nodes[index].child[side];
	}
	return whole > 0 ? sum / whole : 0;
}

/* --- Rays ----------------------------------------------------------------------------------------------------------------- */

/* A ray prepared for box tests, in doubles. The boxes are floats, exact as doubles, so the only errors are a few roundings by a
 * factor of 1 +- 2^-53, which SHRINK covers. */
struct ray {
	double origin[3]; /* [length] */
	double inverse[3]; /* 1 / translation [1/length] */
	bool parallel[3]; /* the translation along the axis is negligible */
};

#define SHRINK (1 - 0x1p-48)

/* Products with the inverse of a smaller translation would overflow. A ray that moves less stays within its rounding errors. */
#define TRANSLATION_MIN 1e-290

/* The fraction at which the ray enters the box in a slot; INFINITY if that is above `max` or never.
 *   t of a side = (side - origin) / translation; inside between the last entry and the first exit of the axes */
static inline double slot_enter(const struct tree_node *node, uint32_t side, const struct ray *ray, double max)
{
	double enter = 0, leave = max;
	for (int i = 0; i < 3; ++i) {
		double low = (double)node->axis[i][side] - ray->origin[i];
		double high = -(double)node->axis[i][side + 2] - ray->origin[i];
		if (ray->parallel[i]) {
			if (low > 0 || high < 0)
				return INFINITY;
			continue;
		}
		double a = low * ray->inverse[i], b = high * ray->inverse[i];
		enter = max_d(enter, min_d(a, b));
		leave = min_d(leave, max_d(a, b));
	}
	return enter * SHRINK <= leave ? enter * SHRINK : INFINITY;
}

void tree_ray(const struct tree *tree, const double origin[3], const double translation[3], float max_fraction, tree_hit *visit,
	void *context)
{
	if (tree->root == TREE_NONE)
		return;
	struct ray ray;
	for (int i = 0; i < 3; ++i) {
		ray.origin[i] = origin[i];
		ray.parallel[i] = abs_d(translation[i]) < TRANSLATION_MIN;
		ray.inverse[i] = ray.parallel[i] ? 0 : 1 / translation[i];
	}
	struct {
		double enter;
		uint32_t reference;
	} stack[TREE_HEIGHT_MAX + 1];
	uint32_t count = 0, reference = tree->root;
	if (reference & TREE_LEAF) {
		/* A tree of one leaf has no slot to test, so a temporary node has one. */
		struct tree_node node = {.child = {reference, reference}};
		struct bounds bounds = bounds_of(&tree->room->boxes[reference & ~TREE_LEAF]);
		slot_bounds_set(&node, 0, &bounds);
		if (slot_enter(&node, 0, &ray, max_fraction) == INFINITY)
			return;
	}
	for (;;) {
		if (reference & TREE_LEAF) {
			max_fraction = visit(context, tree->room->values[reference & ~TREE_LEAF], max_fraction);
			if (max_fraction <= 0)
				return;
			reference = TREE_NONE;
		} else {
			const struct tree_node *node = &tree->room->nodes[reference];
			double enter[2] = {slot_enter(node, 0, &ray, max_fraction), slot_enter(node, 1, &ray, max_fraction)};
			uint32_t near = enter[1] < enter[0];
			reference = enter[near] < INFINITY ? node->child[near] : TREE_NONE;
			if (enter[near ^ 1] < INFINITY) {
				stack[count].enter = enter[near ^ 1];
				stack[count++].reference = node->child[near ^ 1];
			}
		}
		while (reference == TREE_NONE) {
			if (count == 0)
				return;
			--count;
			if (stack[count].enter <= max_fraction)
				reference = stack[count].reference;
		}
	}
}

/* --- Nearest -------------------------------------------------------------------------------------------------------------- */

/* The squared distance to the box in a slot. It is never greater than that to the exact box that was rounded outwards: rounding
 * is monotonic. */
static inline double slot_square(const struct tree_node *node, uint32_t side, const double point[3])
{
	double square = 0;
	for (int i = 0; i < 3; ++i) {
		double out = max_d((double)node->axis[i][side] - point[i], point[i] + (double)node->axis[i][side + 2]);
		out = max_d(out, 0);
		square += out * out;
	}
	return square;
}

/* Descends depth first, to the nearer child first. The other is stacked with its distance, by which most are dropped unvisited.
 * A priority queue (best first) would visit the fewest nodes, but needs unbounded memory.
 * Source: Roussopoulos, Kelley, Vincent, "Nearest Neighbor Queries", 1995. */
void tree_nearest(const struct tree *tree, const double point[3], double square, tree_near *visit, void *context)
{
	if (tree->root == TREE_NONE)
		return;
	struct {
		double square;
		uint32_t reference;
	} stack[TREE_HEIGHT_MAX + 1];
	uint32_t count = 0, reference = tree->root;
	for (;;) {
		if (reference & TREE_LEAF) {
			square = visit(context, tree->room->values[reference & ~TREE_LEAF], square);
			reference = TREE_NONE;
		} else {
			const struct tree_node *node = &tree->room->nodes[reference];
			double squares[2] = {slot_square(node, 0, point), slot_square(node, 1, point)};
			uint32_t near = squares[1] < squares[0];
			if (squares[near ^ 1] <= square) {
				stack[count].square = squares[near ^ 1];
				stack[count++].reference = node->child[near ^ 1];
			}
			reference = squares[near] <= square ? node->child[near] : TREE_NONE;
		}
		while (reference == TREE_NONE) {
			if (count == 0)
				return;
			--count;
			if (stack[count].square <= square)
				reference = stack[count].reference;
		}
	}
}
