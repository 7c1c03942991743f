/* support_query.c - the support points of a shape. See distance.h. */
#include "d3/query/distance.h"

#include <assert.h>
#include <string.h>

/* --- Support points ------------------------------------------------------------------------------------------------------- */

/* Sine of the angle up to which directions count as parallel. */
static const double parallel_sine = 1e-6;

static bool lies_across(struct d3_vec_d n, struct d3_vec_d delta)
{
	double length = d3_length_d(delta);
	return length > 0 && fabs(d3_dot_d(n, delta)) <= parallel_sine * length;
}

static bool is_along(struct d3_vec_d n, struct d3_vec_d axis)
{
	return d3_dot_d(n, axis) > 0 && d3_length_d(d3_cross_d(n, axis)) <= parallel_sine;
}

/* Writes the face's corners, or as many as fit, chosen evenly. */
static int take_corners(const struct d3_vec *points, const uint32_t *corners, uint32_t count, struct d3_vec_d *out)
{
	uint32_t taken = count < D3_SUPPORT_POINTS ? count : D3_SUPPORT_POINTS;
	for (uint32_t i = 0; i < taken; ++i)
		out[i] = d3_widen(points[corners[i * count / taken]]);
	return (int)taken;
}

static uint32_t farthest_point(const struct d3_vec *points, uint32_t count, struct d3_vec_d n)
{
	uint32_t best = 0;
	double far = -INFINITY;
	for (uint32_t i = 0; i < count; ++i) {
		double along = d3_dot_d(d3_widen(points[i]), n);
		if (along > far) {
			far = along;
			best = i;
		}
	}
	return best;
}

/* The other end of an edge that starts at corner i and is perpendicular to n; i itself if there is none. */
static uint32_t edge_across(const struct d3_hull *hull, uint32_t i, struct d3_vec_d n)
{
	uint32_t start = hull->point_edges[i], edge = start;
	do {
		uint32_t twin = hull->edges[edge].twin, other = hull->edges[twin].origin;
		if (lies_across(n, d3_sub_d(d3_widen(hull->points[other]), d3_widen(hull->points[i]))))
			return other;
		edge = hull->edges[twin].next;
	} while (edge != start);
	return i;
}

static int hull_supports(const struct d3_hull *hull, struct d3_vec_d n, struct d3_vec_d *out)
{
	for (uint32_t i = 0; i < hull->face_count; ++i) {
		if (is_along(n, hull->planes[i].normal)) {
			uint32_t corners[D3_HULL_MAX], count = d3_hull_face(hull, i, corners);
			return take_corners(hull->points, corners, count, out);
		}
	}
	uint32_t i = farthest_point(hull->points, hull->point_count, n), k = edge_across(hull, i, n);
	out[0] = d3_widen(hull->points[i]);
	out[1] = d3_widen(hull->points[k]);
	return i == k ? 1 : 2;
}

/* Support points of a point, segment or two-sided triangle. */
static int few_supports(const struct d3_vec *points, uint32_t count, struct d3_vec_d n, struct d3_vec_d *out)
{
	uint32_t i = farthest_point(points, count, n);
	out[0] = d3_widen(points[i]);
	if (count == 3) {
		struct d3_vec_d p = d3_widen(points[0]), q = d3_widen(points[1]), r = d3_widen(points[2]);
		struct d3_vec_d normal = d3_cross_d(d3_sub_d(q, p), d3_sub_d(r, p));
		normal = d3_scale_d(1 / d3_length_d(normal), normal);
		bool front = is_along(n, normal), back = is_along(n, d3_neg_d(normal));
		if (front || back) {
			out[0] = p;
			out[1] = front ? q : r;
			out[2] = front ? r : q;
			return 3;
		}
	}
	for (uint32_t k = 0; k < count; ++k) {
		out[1] = d3_widen(points[k]);
		if (k != i && lies_across(n, d3_sub_d(out[1], out[0])))
			return 2;
	}
	return 1;
}

/* Writes the four points on the x and z axes of a rim at height y, counter-clockwise about +y if upwards, else about -y. */
static int rim_supports(double radius, double y, bool upwards, struct d3_vec_d *out)
{
	double side = upwards ? -radius : radius;
	out[0] = (struct d3_vec_d){radius, y, 0};
	out[1] = (struct d3_vec_d){0, y, side};
	out[2] = (struct d3_vec_d){-radius, y, 0};
	out[3] = (struct d3_vec_d){0, y, -side};
	return 4;
}

/* Support points of a cylinder, cone or tapered capsule along n, a unit vector in proxy->frame. */
static int round_supports(const struct d3_proxy *proxy, struct d3_vec_d n, struct d3_vec_d *out)
{
	bool tapered = proxy->type == D3_PROXY_TAPERED;
	double h = proxy->half.y, across = sqrt(n.x * n.x + n.z * n.z);
	if (!tapered && across <= parallel_sine && (n.y < 0 || proxy->type == D3_PROXY_CYLINDER))
		return rim_supports(proxy->half.x, n.y > 0 ? h : -h, n.y > 0, out);
	struct d3_vec_d top, base;
	d3_core_line(proxy, n, &top, &base);
	struct d3_vec_d delta = d3_sub_d(top, base);
	bool higher = tapered ? d3_dot_d(n, delta) >= 0 : d3_dot_d(n, top) > d3_dot_d(n, base);
	out[0] = higher ? top : base;
	out[1] = higher ? base : top;
	return lies_across(n, delta) ? 2 : 1;
}

/* Support points of a child along n, a unit vector in the shape's frame. */
static int child_supports(const struct d3_proxy *proxy, struct d3_vec_d n, struct d3_vec_d *out)
{
	int count = 1;
	if (proxy->hull) {
		count = hull_supports(proxy->hull, n, out);
	} else if (proxy->type == D3_PROXY_POINTS) {
		count = few_supports(d3_proxy_points(proxy), proxy->count, n, out);
	} else if (proxy->type == D3_PROXY_ELLIPSOID) {
		out[0] = d3_core_support(proxy, n);
	} else {
		struct d3_vec_d own = d3_inv_turn_d(&proxy->frame.q, n);
		count = round_supports(proxy, own, out);
		for (int i = 0; i < count; ++i)
			out[i] = d3_transform_point_d(&proxy->frame, out[i]);
	}
	for (int i = 0; i < count; ++i)
		out[i] = d3_mul_add_d(out[i], proxy->radius, n);
	return count;
}

static double node_reach(const struct d3_node *node, struct d3_vec_d n)
{
	struct d3_vec_d low = d3_widen(node->lower), high = d3_widen(node->upper);
	return n.x * (n.x > 0 ? high.x : low.x) + n.y * (n.y > 0 ? high.y : low.y) + n.z * (n.z > 0 ? high.z : low.z);
}

/* Makes the proxy of the child with the greatest support along n. Traverses depth first, the greatest bound first. */
static void find_farthest(const struct d3_shape *shape, struct d3_vec_d n, struct d3_proxy *out)
{
	struct {
		uint32_t node;
		double reach;
	} stack[D3_NODE_STACK] = {{0, INFINITY}};
	uint32_t depth = 1, farthest = 0;
	double far = -INFINITY;
	while (depth > 0) {
		struct d3_node node, child;
		if (!(stack[--depth].reach > far))
			continue;
		d3_shape_node(shape, stack[depth].node, &node);
		uint32_t base = depth;
		for (uint32_t i = 0; i < node.count; ++i) {
			if (node.leaf) {
				struct d3_proxy proxy;
				d3_make_proxy(shape, node.first + i, &proxy);
				double reach = d3_dot_d(n, d3_core_support(&proxy, n)) + proxy.radius;
				if (reach > far) {
					far = reach;
					farthest = node.first + i;
				}
				continue;
			}
			d3_shape_node(shape, node.first + i, &child);
			double reach = node_reach(&child, n);
			assert(depth < D3_NODE_STACK);
			uint32_t at = depth++;
			for (; at > base && stack[at - 1].reach > reach; --at)
				stack[at] = stack[at - 1];
			stack[at].node = node.first + i;
			stack[at].reach = reach;
		}
	}
	assert(far > -INFINITY);
	d3_make_proxy(shape, farthest, out);
}

int d3_support_points(
	const struct d3_shape *shape, const struct d3_pose *pose, struct d3_vec_d delta, struct d3_vec_d points[D3_SUPPORT_POINTS])
{
	assert(shape->type != D3_HALF_SPACE);
	double most = max_d(fabs(delta.x), max_d(fabs(delta.y), fabs(delta.z)));
	struct d3_vec_d u = {delta.x / most, delta.y / most, delta.z / most};
	u = d3_scale_d(1 / d3_length_d(u), u);
	struct d3_rot_d q = d3_exact_rot(pose->q);
	struct d3_vec_d n = d3_inv_turn_d(&q, u);
	struct d3_proxy proxy;
	if (d3_shape_convex(shape))
		d3_make_proxy(shape, 0, &proxy);
	else
		find_farthest(shape, n, &proxy);
	int count = child_supports(&proxy, n, points);
	for (int i = 0; i < count; ++i)
		points[i] = d3_pose_point(pose, &q, points[i]);
	return count;
}
