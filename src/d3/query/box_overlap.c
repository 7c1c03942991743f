/* box_overlap.c - see box_overlap.h. */
#include "d3/query/box_overlap.h"

#include "d3/query/gjk.h"
#include "d3/query/ray_cast.h"

/* A shape and an AABB of the world. `box`: that AABB relative to the shape's position, along the world's axes. */
struct box_query {
	const struct d3_shape *shape;
	struct d3_rot_d world; /* the world's axes in the shape's frame */
	struct box_d box;
};

/* Whether the box's corner deepest in the half-space is in it: n . corner <= offset. */
static bool half_space_overlaps(const struct box_query *query, struct d3_vec_d normal, double offset)
{
	struct d3_vec_d n = d3_inv_turn_d(&query->world, normal);
	const double *low = query->box.lower, *high = query->box.upper;
	return n.x * (n.x > 0 ? low[0] : high[0]) + n.y * (n.y > 0 ? low[1] : high[1]) + n.z * (n.z > 0 ? low[2] : high[2]) <=
		offset;
}

/* Writes the intersection of the box and the proxy's AABB along the world's axes. False: it is empty, so the two do not
 * overlap. */
static bool cut_box(const struct box_query *query, const struct d3_proxy *proxy, double lower[3], double upper[3])
{
	const struct d3_vec_d axes[3] = {query->world.x, query->world.y, query->world.z};
	for (int i = 0; i < 3; ++i) {
		struct d3_vec_d axis = axes[i], back = d3_neg_d(axis);
		lower[i] = max_d(query->box.lower[i], d3_dot_d(d3_core_support(proxy, back), axis) - proxy->radius);
		upper[i] = min_d(query->box.upper[i], d3_dot_d(d3_core_support(proxy, axis), axis) + proxy->radius);
		if (!(lower[i] <= upper[i]))
			return false;
	}
	return true;
}

/* Whether the child overlaps the box. GJK tests the child against the intersection that cut_box writes, which is no larger than
 * the child: rounding its half sizes to floats has an error relative to the child's size, like that of the child's own
 * coordinates. */
static bool child_overlaps(const struct box_query *query, uint32_t child)
{
	struct d3_proxy own;
	double lower[3], upper[3], middle[3];
	float half[3];
	d3_make_proxy(query->shape, child, &own);
	if (own.type == D3_PROXY_HALF_SPACE)
		return half_space_overlaps(query, own.normal, own.offset);
	if (!cut_box(query, &own, lower, upper))
		return false;
	for (int i = 0; i < 3; ++i) {
		middle[i] = lower[i] + 0.5 * (upper[i] - lower[i]);
		half[i] = (float)(0.5 * (upper[i] - lower[i]));
	}
	/* Mirrors the corners along each axis whose half size is not 0. */
	struct d3_vec corners[8] = {{half[0], half[1], half[2]}};
	struct d3_proxy rest = {.type = D3_PROXY_POINTS, .points = corners, .count = 1};
	for (int i = 0; i < 3; ++i) {
		uint32_t count = half[i] > 0 ? rest.count : 0;
		for (uint32_t k = 0; k < count; ++k) {
			struct d3_vec p = corners[k];
			corners[rest.count++] = (struct d3_vec){i == 0 ? -p.x : p.x, i == 1 ? -p.y : p.y, i == 2 ? -p.z : p.z};
		}
	}
	struct d3_vec_d center = {middle[0], middle[1], middle[2]};
	struct d3_transform_d box_in_shape = {d3_turn_d(&query->world, center), query->world};
	int iterations;
	return d3_gjk_overlaps(&own, &rest, &box_in_shape, (struct d3_vec_d){0, 0, 0}, &iterations);
}

/* Whether a ball about the centroid of a convex shape, within the shape in spite of rounding, overlaps the box: true of most
 * shapes that do. */
static bool ball_overlaps(const struct box_query *query)
{
	const struct d3_vec_d axes[3] = {query->world.x, query->world.y, query->world.z};
	double radius = (double)query->shape->inner - 1e-6 * query->shape->extent, square = 0;
	for (int i = 0; i < 3; ++i) {
		double at = d3_dot_d(d3_widen(query->shape->centroid), axes[i]);
		double out = max_d(max_d(query->box.lower[i] - at, at - query->box.upper[i]), 0);
		square += out * out;
	}
	return radius > 0 && square < radius * radius;
}

/* Whether the node's AABB, in the shape's frame, may overlap the box. False: one of the world's axes surely separates the
 * two. */
static bool node_overlaps(const struct box_query *query, const struct d3_node *node)
{
	struct d3_vec_d middle = {0.5 * node->lower.x + 0.5 * node->upper.x, 0.5 * node->lower.y + 0.5 * node->upper.y,
		0.5 * node->lower.z + 0.5 * node->upper.z};
	struct d3_vec_d half = {0.5 * node->upper.x - 0.5 * node->lower.x, 0.5 * node->upper.y - 0.5 * node->lower.y,
		0.5 * node->upper.z - 0.5 * node->lower.z};
	double slack = 1e-14 * (abs_d(middle.x) + abs_d(middle.y) + abs_d(middle.z) + half.x + half.y + half.z);
	const struct d3_vec_d axes[3] = {query->world.x, query->world.y, query->world.z};
	for (int i = 0; i < 3; ++i) {
		struct d3_vec_d axis = axes[i];
		double at = d3_dot_d(middle, axis);
		double reach = abs_d(axis.x) * half.x + abs_d(axis.y) * half.y + abs_d(axis.z) * half.z + slack;
		if (at + reach < query->box.lower[i] || at - reach > query->box.upper[i])
			return false;
	}
	return true;
}

bool d3_shape_overlaps_box(const struct d3_shape *shape, const struct d3_pose *pose, const struct box_d *box)
{
	const double from[3] = {pose->x, pose->y, pose->z};
	struct d3_rot_d q = d3_exact_rot(pose->q);
	struct box_query query = {.shape = shape, .world = d3_inv_rot_d(&q)};
	for (int i = 0; i < 3; ++i) {
		query.box.lower[i] = box->lower[i] - from[i];
		query.box.upper[i] = box->upper[i] - from[i];
	}
	struct d3_vec_d middle = {0.5 * box->lower[0] + 0.5 * box->upper[0], 0.5 * box->lower[1] + 0.5 * box->upper[1],
		0.5 * box->lower[2] + 0.5 * box->upper[2]};
	if (shape->voxels && d3_shape_contains(shape, pose, middle))
		return true;
	if (d3_shape_convex(shape))
		return ball_overlaps(&query) || child_overlaps(&query, 0);
	uint32_t stack[D3_NODE_STACK], depth = 0;
	stack[depth++] = 0;
	while (depth > 0) {
		struct d3_node node;
		d3_shape_node(shape, stack[--depth], &node);
		if (!node_overlaps(&query, &node))
			continue;
		for (uint32_t i = node.count; i-- > 0;) {
			if (!node.leaf)
				stack[depth++] = node.first + i;
			else if (child_overlaps(&query, node.first + i))
				return true;
		}
	}
	return false;
}

/* Returns the AABB of d3_bounds, expanded by more than two rounding errors: that of d3_bounds, and that of
 * d3_shape_overlaps_box where it subtracts the shape's position from the box. */
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
