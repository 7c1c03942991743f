/* child_pairs.c - pairs of children of two shapes, found by traversing both trees together: the nearest pair, by branch and
 * bound, and the pairs that may come into contact on a straight path. See distance.h and shape_cast.h. */
#include "d3/query/distance_parts.h"
#include "d3/query/shape_cast.h"

#include <assert.h>
#include <string.h>

/* --- Bounds --------------------------------------------------------------------------------------------------------------- */

static struct bounds node_bounds(const struct d3_node *node)
{
	return d3_bounds_between(d3_widen(node->lower), d3_widen(node->upper));
}

/* AABB of the transformed box. */
static struct bounds turned_bounds(const struct bounds *box, const struct d3_transform_d *transform)
{
	const struct d3_rot_d *q = &transform->q;
	struct d3_vec_d h = box->half;
	return (struct bounds){d3_transform_point_d(transform, box->middle),
		{fabs(q->x.x) * h.x + fabs(q->y.x) * h.y + fabs(q->z.x) * h.z,
			fabs(q->x.y) * h.x + fabs(q->y.y) * h.y + fabs(q->z.y) * h.z,
			fabs(q->x.z) * h.x + fabs(q->y.z) * h.y + fabs(q->z.z) * h.z}};
}

/* Lower bound of the signed distance of any two convex sets in the boxes. For overlapping boxes it is minus the least overlap,
 * as a translation by the least overlap separates the sets. */
static double box_distance(const struct bounds *a, const struct bounds *b)
{
	double x = fabs(b->middle.x - a->middle.x) - a->half.x - b->half.x;
	double y = fabs(b->middle.y - a->middle.y) - a->half.y - b->half.y;
	double z = fabs(b->middle.z - a->middle.z) - a->half.z - b->half.z, most = max_d(x, max_d(y, z));
	if (most <= 0)
		return most;
	x = max_d(x, 0);
	y = max_d(y, 0);
	z = max_d(z, 0);
	return sqrt(x * x + y * y + z * z);
}

static double half_space_distance(struct d3_vec_d normal, double offset, const struct bounds *box)
{
	return d3_dot_d(normal, box->middle) - offset - fabs(normal.x) * box->half.x - fabs(normal.y) * box->half.y -
		fabs(normal.z) * box->half.z;
}

static struct bounds core_bounds(const struct d3_proxy *proxy)
{
	static const struct d3_vec_d x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
	if (proxy->type == D3_PROXY_POINTS)
		return d3_points_bounds(d3_proxy_points(proxy), proxy->count);
	struct d3_vec_d upper = {d3_core_support(proxy, x).x, d3_core_support(proxy, y).y, d3_core_support(proxy, z).z};
	struct d3_vec_d lower = {
		d3_core_support(proxy, d3_neg_d(x)).x, d3_core_support(proxy, d3_neg_d(y)).y, d3_core_support(proxy, d3_neg_d(z)).z};
	return d3_bounds_between(lower, upper);
}

static struct bounds proxy_bounds(const struct d3_proxy *proxy)
{
	struct bounds box = core_bounds(proxy);
	box.half = d3_add_d(box.half, (struct d3_vec_d){proxy->radius, proxy->radius, proxy->radius});
	return box;
}

/* --- Traversal of two trees ----------------------------------------------------------------------------------------------- */

/* A node of either tree and its AABB. */
struct stop {
	struct d3_node node;
	struct bounds box; /* in A's frame */
};

struct walk {
	const struct d3_shape *a, *b;
	const struct d3_transform_d *b_in_a;
	bool flat; /* one of the two shapes is a half-space, which has no AABB */
	struct d3_vec_d normal; /* the half-space's normal, in A's frame */
	double offset;
	bool flat_a;
	double *limit; /* pairs of nodes or children whose boxes are no nearer are skipped; `visit` may lower it [length] */
	visit_pair *visit;
	void *context;
};

static void read_node(const struct walk *walk, bool of_a, uint32_t number, struct stop *out)
{
	d3_shape_node(of_a ? walk->a : walk->b, number, &out->node);
	out->box = node_bounds(&out->node);
	if (!of_a)
		out->box = turned_bounds(&out->box, walk->b_in_a);
}

static double stop_distance(const struct walk *walk, const struct bounds *a, const struct bounds *b)
{
	return walk->flat ? half_space_distance(walk->normal, walk->offset, walk->flat_a ? b : a) : box_distance(a, b);
}

/* Visits each pair of a child of leaf a and a child of leaf b that may be nearer than the limit. */
static void visit_leaves(const struct walk *walk, const struct stop *a, const struct stop *b)
{
	for (uint32_t i = 0; i < a->node.count; ++i) {
		struct d3_proxy first;
		d3_make_proxy(walk->a, a->node.first + i, &first);
		struct bounds box_a = walk->flat_a ? a->box : proxy_bounds(&first);
		if (a->node.count > 1 && !(stop_distance(walk, &box_a, &b->box) < *walk->limit))
			continue;
		for (uint32_t k = 0; k < b->node.count; ++k) {
			struct d3_proxy second;
			d3_make_proxy(walk->b, b->node.first + k, &second);
			if (b->node.count > 1) {
				struct bounds box = proxy_bounds(&second), box_b = turned_bounds(&box, walk->b_in_a);
				if (!(stop_distance(walk, &box_a, &box_b) < *walk->limit))
					continue;
			}
			walk->visit(walk->context, &first, a->node.first + i, &second, b->node.first + k);
		}
	}
}

struct waiting {
	uint32_t a, b; /* numbers of nodes */
	double distance;
};

/* Traverses both trees depth first. Of a pair of nodes it opens the larger inner one, and continues with the nearest child. A
 * node that is also in the previous pair is not read again. */
static void walk_couples(const struct walk *walk)
{
	struct waiting stack[D3_NODE_STACK] = {{0, 0, -INFINITY}}, last = {0, 0, 0};
	struct stop a, b;
	uint32_t depth = 1;
	read_node(walk, true, 0, &a);
	read_node(walk, false, 0, &b);
	while (depth > 0) {
		struct waiting top = stack[--depth];
		if (!(top.distance < *walk->limit))
			continue;
		if (top.a != last.a)
			read_node(walk, true, top.a, &a);
		if (top.b != last.b)
			read_node(walk, false, top.b, &b);
		last = top;
		if (a.node.leaf && b.node.leaf) {
			visit_leaves(walk, &a, &b);
			continue;
		}
		bool open_a = !a.node.leaf && (b.node.leaf || d3_bounds_extent(&a.box) >= d3_bounds_extent(&b.box));
		const struct d3_node *opened = open_a ? &a.node : &b.node;
		uint32_t base = depth;
		for (uint32_t i = 0; i < opened->count; ++i) {
			struct stop child;
			read_node(walk, open_a, opened->first + i, &child);
			struct waiting next = {open_a ? opened->first + i : top.a, open_a ? top.b : opened->first + i,
				open_a ? stop_distance(walk, &child.box, &b.box) : stop_distance(walk, &a.box, &child.box)};
			if (!(next.distance < *walk->limit))
				continue;
			assert(depth < D3_NODE_STACK);
			uint32_t at = depth++;
			for (; at > base && stack[at - 1].distance < next.distance; --at)
				stack[at] = stack[at - 1];
			stack[at] = next;
		}
	}
}

void d3_distance_walk_shapes(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform_d *b_in_a,
	double *limit, visit_pair *visit, void *context)
{
	struct walk walk = {.a = a, .b = b, .b_in_a = b_in_a, .limit = limit, .visit = visit, .context = context};
	walk.flat_a = a->type == D3_HALF_SPACE;
	walk.flat = walk.flat_a || b->type == D3_HALF_SPACE;
	if (walk.flat) {
		walk.normal = walk.flat_a ? a->normal : d3_turn_d(&b_in_a->q, b->normal);
		walk.offset = walk.flat_a ? a->offset : b->offset + d3_dot_d(walk.normal, b_in_a->p);
	}
	walk_couples(&walk);
}

/* --- The nearest pair ----------------------------------------------------------------------------------------------------- */

struct nearest {
	struct d3_finding *found;
	double limit;
};

static void keep_nearest(void *context, const struct d3_proxy *a, uint32_t child_a, const struct d3_proxy *b, uint32_t child_b)
{
	struct nearest *nearest = context;
	struct d3_separation separation;
	d3_separation_find(a, b, &nearest->found->b_in_a, &separation);
	if (!(separation.distance < nearest->limit))
		return;
	nearest->limit = separation.distance;
	nearest->found->child_a = child_a;
	nearest->found->child_b = child_b;
	nearest->found->a = *a;
	nearest->found->b = *b;
	nearest->found->separation = separation;
}

void d3_find_nearest(const struct d3_pair *pair, struct d3_finding *out)
{
	out->b_in_a = d3_pair_relative(pair->pose_a, pair->pose_b);
	struct nearest nearest = {out, INFINITY};
	out->child_a = UINT32_MAX;
	d3_distance_walk_shapes(pair->a, pair->b, &out->b_in_a, &nearest.limit, keep_nearest, &nearest);
	assert(out->child_a != UINT32_MAX); /* every shape has a child, and every distance is finite */
}

/* --- Pairs along a path --------------------------------------------------------------------------------------------------- */

struct sweep_walk {
	const struct d3_shape *a, *b;
	const struct d3_transform_d *b_in_a;
	struct d3_vec_d delta;
	double margin, *limit; /* margin: boxes no farther apart than this count as in contact [length] */
	void (*visit)(void *context, uint32_t child_a, uint32_t child_b);
	void *context;
};

/* Narrows the interval to the t with value + rate t >= 0. */
static void keep_positive(double value, double rate, double interval[2])
{
	if (rate > 0)
		interval[0] = max_d(interval[0], -value / rate);
	else if (rate < 0)
		interval[1] = min_d(interval[1], -value / rate);
	else if (value < 0)
		interval[1] = -INFINITY;
}

/* The first t at which A's box, moved by t delta, comes within the margin of B's along all axes; INFINITY: none up to the
 * limit. */
static double entry_time(const struct sweep_walk *walk, const struct bounds *a, const struct bounds *b)
{
	struct d3_vec_d low_a = d3_sub_d(a->middle, a->half), high_a = d3_add_d(a->middle, a->half);
	struct d3_vec_d low_b = d3_sub_d(b->middle, b->half), high_b = d3_add_d(b->middle, b->half);
	const double rates[3] = {walk->delta.x, walk->delta.y, walk->delta.z};
	const double ends[3][4] = {
		{low_a.x, high_a.x, low_b.x, high_b.x}, {low_a.y, high_a.y, low_b.y, high_b.y}, {low_a.z, high_a.z, low_b.z, high_b.z}};
	double interval[2] = {0, *walk->limit};
	for (int i = 0; i < 3; ++i) {
		const double *e = ends[i];
		double rounding = 0x1p-47 * (abs_d(e[0]) + abs_d(e[1]) + abs_d(e[2]) + abs_d(e[3]));
		keep_positive(walk->margin - (e[2] - e[1] - rounding), rates[i], interval);
		keep_positive(e[3] - e[0] + rounding + walk->margin, -rates[i], interval);
	}
	return interval[0] <= interval[1] ? interval[0] : INFINITY;
}

/* The AABB of the child if it is a triangle of a surface; else the AABB of its leaf. */
static struct bounds child_bounds(const struct d3_shape *shape, const struct d3_node *node, uint32_t child)
{
	if (!d3_shape_surface(shape))
		return node_bounds(node);
	struct d3_vec p[3];
	d3_shape_triangle(shape, child, p);
	return d3_points_bounds(p, 3);
}

static void sweep_leaves(const struct sweep_walk *walk, const struct d3_node *a, const struct d3_node *b)
{
	for (uint32_t k = b->first; k < b->first + b->count; ++k) {
		struct bounds own = child_bounds(walk->b, b, k), box_b = turned_bounds(&own, walk->b_in_a);
		for (uint32_t i = a->first; i < a->first + a->count; ++i) {
			struct bounds box_a = child_bounds(walk->a, a, i);
			if ((a->count == 1 && b->count == 1) || entry_time(walk, &box_a, &box_b) <= *walk->limit)
				walk->visit(walk->context, i, k);
		}
	}
}

struct pair_waiting {
	struct d3_node a, b;
	double entry;
};

void d3_pair_sweep(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform_d *b_in_a,
	struct d3_vec_d delta, double margin, double *limit, void (*visit)(void *context, uint32_t child_a, uint32_t child_b),
	void *context)
{
	if (d3_shape_convex(a) && d3_shape_convex(b)) {
		visit(context, 0, 0);
		return;
	}
	struct sweep_walk walk = {a, b, b_in_a, delta, margin, limit, visit, context};
	struct pair_waiting stack[2 * D3_NODE_STACK];
	uint32_t count = 1;
	d3_shape_node(a, 0, &stack[0].a);
	d3_shape_node(b, 0, &stack[0].b);
	stack[0].entry = 0;
	while (count > 0) {
		struct pair_waiting top = stack[--count];
		if (!(top.entry <= *limit))
			continue;
		if (top.a.leaf && top.b.leaf) {
			sweep_leaves(&walk, &top.a, &top.b);
			continue;
		}
		struct bounds box_a = node_bounds(&top.a), own = node_bounds(&top.b), box_b = turned_bounds(&own, b_in_a);
		bool open_a = !top.a.leaf && (top.b.leaf || d3_bounds_extent(&box_a) >= d3_bounds_extent(&own));
		const struct d3_node *open = open_a ? &top.a : &top.b;
		uint32_t bottom = count;
		for (uint32_t i = 0; i < open->count; ++i) {
			struct d3_node child;
			d3_shape_node(open_a ? a : b, open->first + i, &child);
			struct bounds box = node_bounds(&child);
			box = open_a ? box : turned_bounds(&box, b_in_a);
			double entry = entry_time(&walk, open_a ? &box : &box_a, open_a ? &box_b : &box);
			if (!(entry <= *limit) || child.count == 0)
				continue;
			assert(count < 2 * D3_NODE_STACK);
			uint32_t at = count++;
			for (; at > bottom && stack[at - 1].entry < entry; --at)
				stack[at] = stack[at - 1];
			stack[at] = (struct pair_waiting){open_a ? child : top.a, open_a ? top.b : child, entry};
		}
	}
}
