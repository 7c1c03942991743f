/* box_overlap.c - see box_overlap.h. */
#include "d3/query/box_overlap.h"

#include "d3/query/gjk.h"

/* box: along the world's axes, relative to the shape's position. */
struct meeting {
	const struct d3_shape *shape;
	struct d3_rot_d q;
	struct box_d box;
};

/* A world axis in the shape's frame. */
static struct d3_vec_d world_axis(const struct d3_rot_d *q, int axis)
{
	if (axis == 0)
		return (struct d3_vec_d){q->x.x, q->y.x, q->z.x};
	if (axis == 1)
		return (struct d3_vec_d){q->x.y, q->y.y, q->z.y};
	return (struct d3_vec_d){q->x.z, q->y.z, q->z.z};
}

/* Tests the box's corner deepest in the half-space: n . corner <= offset. */
static bool half_space_overlaps(const struct meeting *m, struct d3_vec_d normal, double offset)
{
	struct d3_vec_d n = d3_turn_d(&m->q, normal);
	const double *low = m->box.lower, *high = m->box.upper;
	return n.x * (n.x > 0 ? low[0] : high[0]) + n.y * (n.y > 0 ? low[1] : high[1]) + n.z * (n.z > 0 ? low[2] : high[2]) <=
		offset;
}

/* Clips the box to the AABB of the proxy. False: nothing is left. */
static bool cut_box(const struct meeting *m, const struct d3_proxy *proxy, double lower[3], double upper[3])
{
	for (int i = 0; i < 3; ++i) {
		struct d3_vec_d axis = world_axis(&m->q, i), back = d3_neg_d(axis);
		lower[i] = max_d(m->box.lower[i], d3_dot_d(d3_core_support(proxy, back), axis) - proxy->radius);
		upper[i] = min_d(m->box.upper[i], d3_dot_d(d3_core_support(proxy, axis), axis) + proxy->radius);
		if (!(lower[i] <= upper[i]))
			return false;
	}
	return true;
}

/* Tests only the part of the box within the child's AABB: rounded to floats, this part loses no more than the shape did. */
static bool child_overlaps(const struct meeting *m, uint32_t child)
{
	struct d3_proxy own;
	double lower[3], upper[3], middle[3];
	float half[3];
	d3_make_proxy(m->shape, child, &own);
	if (own.type == D3_PROXY_HALF_SPACE)
		return half_space_overlaps(m, own.normal, own.offset);
	if (!cut_box(m, &own, lower, upper))
		return false;
	for (int i = 0; i < 3; ++i) {
		middle[i] = lower[i] + 0.5 * (upper[i] - lower[i]);
		half[i] = (float)(0.5 * (upper[i] - lower[i]));
	}
	/* Coincident corners are merged. */
	struct d3_vec corners[8] = {{half[0], half[1], half[2]}};
	struct d3_proxy rest = {.type = D3_PROXY_POINTS, .points = corners, .count = 1};
	for (int i = 0; i < 3; ++i) {
		uint32_t count = half[i] > 0 ? rest.count : 0;
		for (uint32_t k = 0; k < count; ++k) {
			struct d3_vec p = corners[k];
			corners[rest.count++] = (struct d3_vec){i == 0 ? -p.x : p.x, i == 1 ? -p.y : p.y, i == 2 ? -p.z : p.z};
		}
	}
	struct d3_transform_d box_in_shape = {d3_inv_turn_d(&m->q, (struct d3_vec_d){middle[0], middle[1], middle[2]}),
		{world_axis(&m->q, 0), world_axis(&m->q, 1), world_axis(&m->q, 2)}};
	int iterations;
	return d3_gjk_overlaps(&own, &rest, &box_in_shape, (struct d3_vec_d){0, 0, 0}, &iterations);
}

/* Whether the node's rotated AABB overlaps the box, with slack for rounding. */
static bool node_overlaps(const struct meeting *m, const struct d3_node *node)
{
	struct d3_vec_d middle = {0.5 * node->lower.x + 0.5 * node->upper.x, 0.5 * node->lower.y + 0.5 * node->upper.y,
		0.5 * node->lower.z + 0.5 * node->upper.z};
	struct d3_vec_d half = {0.5 * node->upper.x - 0.5 * node->lower.x, 0.5 * node->upper.y - 0.5 * node->lower.y,
		0.5 * node->upper.z - 0.5 * node->lower.z};
	double slack = 1e-14 * (abs_d(middle.x) + abs_d(middle.y) + abs_d(middle.z) + half.x + half.y + half.z);
	for (int i = 0; i < 3; ++i) {
		struct d3_vec_d axis = world_axis(&m->q, i);
		double at = d3_dot_d(middle, axis);
		double reach = abs_d(axis.x) * half.x + abs_d(axis.y) * half.y + abs_d(axis.z) * half.z + slack;
		if (at + reach < m->box.lower[i] || at - reach > m->box.upper[i])
			return false;
	}
	return true;
}

bool d3_shape_overlaps_box(const struct d3_shape *shape, const struct d3_pose *pose, const struct box_d *box)
{
	const double from[3] = {pose->x, pose->y, pose->z};
	struct meeting m = {.shape = shape, .q = d3_exact_rot(pose->q)};
	for (int i = 0; i < 3; ++i) {
		m.box.lower[i] = box->lower[i] - from[i];
		m.box.upper[i] = box->upper[i] - from[i];
	}
	if (d3_shape_convex(shape))
		return child_overlaps(&m, 0);
	uint32_t stack[D3_NODE_STACK], depth = 0;
	stack[depth++] = 0;
	while (depth > 0) {
		struct d3_node node;
		d3_shape_node(shape, stack[--depth], &node);
		if (!node_overlaps(&m, &node))
			continue;
		for (uint32_t i = node.count; i-- > 0;) {
			if (!node.leaf)
				stack[depth++] = node.first + i;
			else if (child_overlaps(&m, node.first + i))
				return true;
		}
	}
	return false;
}

/* Expands the AABB by more than the rounding errors of transforming bounds and box. */
struct box_d d3_shape_reach(const struct d3_shape *shape, const struct d3_pose *pose)
{
	double bounds[6], slack = 0;
	d3_bounds(shape, pose, bounds);
	const double from[3] = {pose->x, pose->y, pose->z};
	for (int i = 0; i < 3; ++i)
		slack = max_d(slack, 1e-15 * (abs_d(from[i]) + abs_d(bounds[i]) + abs_d(bounds[i + 3])));
	struct box_d reach;
	for (int i = 0; i < 3; ++i) {
		reach.lower[i] = bounds[i] - slack;
		reach.upper[i] = bounds[i + 3] + slack;
	}
	return reach;
}
