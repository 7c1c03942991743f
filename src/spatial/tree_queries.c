/* tree_queries.c - queries of a tree: inner nodes, rays and nearest leaves. See tree.h. */
#include "spatial/tree_parts.h"
#include "base/float4.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* --- Inner nodes ---------------------------------------------------------------------------------------------------------- */

struct box tree_node_box(const struct tree *tree, uint32_t node)
{
	struct bounds bounds = node_bounds(&tree->room->nodes[node]);
	return box_of_bounds(&bounds);
}

bool tree_bounds(const struct tree *tree, struct box *box)
{
	if (tree->root == TREE_NONE)
		return false;
	*box = tree->root & TREE_LEAF ? tree->only : tree_node_box(tree, tree->root);
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

/* A ray prepared for tests of a node's two boxes at once, in floats. To make up for rounding, the boxes are widened by WIDER of
 * the origin's distance from 0 and by TINY, and the fractions of their entries reduced by SHRINK. A box that moves is a ray
 * from its centre against boxes widened by its half extents. */
struct ray {
	/* by axis: {-origin, -origin, origin, origin}, less the widening, with the halves exchanged if the translation is negative
	 * [length] */
	float4 shift[3];
	float inverse[3]; /* 1 / |translation|, at most INVERSE_MAX [1/length] */
	/* where the lanes in which the ray enters the boxes begin in a node's axis: 2, the upper sides, if the translation is
	 * negative */
	uint8_t first[3];
};

#define WIDER 0x1p-22
#define TINY 0x1p-56
#define INVERSE_MAX 0x1p58 /* a ray with a smaller translation stays within TINY of its origin */
#define SHRINK (1 - 0x1p-21f)

static struct ray ray_of(const double origin[3], const double half[3], const double translation[3])
{
	struct ray ray;
	for (int i = 0; i < 3; ++i) {
		double wider = half[i] + (abs_d(origin[i]) + half[i]) * WIDER + TINY;
		float minus = (float)(-origin[i] - wider), plus = (float)(origin[i] - wider);
		bool back = translation[i] < 0;
		ray.shift[i] = back ? (float4){plus, plus, minus, minus} : (float4){minus, minus, plus, plus};
		ray.inverse[i] = (float)min_d(1 / abs_d(translation[i]), INVERSE_MAX);
		ray.first[i] = back ? 2 : 0;
	}
	return ray;
}

/* The fractions of the ray at which it is within the boxes of both children: {entry of 0, entry of 1, -exit of 0, -exit of 1}.
 *   t of a side = (side - origin) / translation; inside between the last entry and the first exit of the axes
 * range: the same for the whole ray. */
static inline float4 node_fractions(const struct tree_node *node, const struct ray *ray, float4 range)
{
	typedef double double2 __attribute__((vector_size(16)));
	for (int i = 0; i < 3; ++i) {
		const float *lanes = (const float *)&node->axis[i];
		double halves[2];
		memcpy(&halves[0], lanes + ray->first[i], 8);
		memcpy(&halves[1], lanes + (ray->first[i] ^ 2), 8);
		float4 sides = (float4)(double2){halves[0], halves[1]};
		range = float4_most((sides + ray->shift[i]) * ray->inverse[i], range);
	}
	return range * (float4){SHRINK, SHRINK, 1, 1};
}

/* The children whose boxes the ray touches: bit 0 and bit 1. */
static inline uint32_t fractions_touch(float4 fractions)
{
	return float4_bits(fractions + __builtin_shufflevector(fractions, fractions, 2, 3, 0, 1) <= 0) & 3;
}

static inline void ray_walk(const struct tree *tree, const struct ray *ray, float max_fraction, tree_hit *visit, void *context)
{
	if (tree->root == TREE_NONE)
		return;
	float4 range = {0, 0, -max_fraction, -max_fraction};
	struct {
		float enter;
		uint32_t reference;
	} stack[TREE_HEIGHT_MAX + 2];
	uint32_t count = 0, reference = tree->root;
	if (reference & TREE_LEAF) {
		/* A tree of one leaf has no slot to test, so a temporary node has one. */
		struct tree_node node = {.child = {reference, reference}};
		struct bounds bounds = bounds_of(&tree->only);
		slot_bounds_set(&node, 0, &bounds);
		if (!(fractions_touch(node_fractions(&node, ray, range)) & 1))
			return;
	}
	for (;;) {
		bool found = false;
		if (reference & TREE_LEAF) {
			max_fraction = visit(context, tree->room->values[reference & ~TREE_LEAF], max_fraction);
			if (max_fraction <= 0)
				return;
			range = (float4){0, 0, -max_fraction, -max_fraction};
		} else {
			const struct tree_node *node = &tree->room->nodes[reference];
			tree_children_prefetch(tree->room->nodes, node);
			float4 fractions = node_fractions(node, ray, range);
			uint32_t touched = fractions_touch(fractions);
			/* Of two touched children the far one waits on the stack. Without branches, as the sides are random. */
			uint32_t near = touched == 3 ? fractions[1] < fractions[0] : touched >> 1;
			stack[count].enter = max_f(fractions[0], fractions[1]);
			stack[count].reference = node->child[near ^ 1];
			count += touched == 3;
			reference = node->child[near];
			found = touched != 0;
		}
		while (!found) {
			if (count == 0)
				return;
			--count;
			reference = stack[count].reference;
			found = stack[count].enter <= max_fraction;
		}
	}
}

void tree_ray(const struct tree *tree, const double origin[3], const double translation[3], float max_fraction, tree_hit *visit,
	void *context)
{
	struct ray ray = ray_of(origin, (const double[3]){0}, translation);
	ray_walk(tree, &ray, max_fraction, visit, context);
}

void tree_sweep(const struct tree *tree, const struct box *box, const double translation[3], float max_fraction,
	tree_hit *visit, void *context)
{
	double center[3], half[3];
	for (int i = 0; i < 3; ++i) {
		center[i] = 0.5 * ((double)box->lower[i] + (double)box->upper[i]);
		half[i] = 0.5 * ((double)box->upper[i] - (double)box->lower[i]);
	}
	struct ray ray = ray_of(center, half, translation);
	ray_walk(tree, &ray, max_fraction, visit, context);
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
			tree_children_prefetch(tree->room->nodes, node);
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
