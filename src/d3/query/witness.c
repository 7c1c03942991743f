/* witness.c - the witness points of a known normal and distance. A descent converges first in the depth, then in the direction
 * and last in the points: beside a tiny core they may still be anywhere on a face of a large one. A core's set of points
 * farthest along the normal is flat: a point, a segment, a disc or a face. GJK finds the closest points of two such sets, moved
 * apart along the normal, and these are opposite each other. */
#include "d3/query/gjk.h"

/* Points below the farthest one by at most this fraction of the core's size count as farthest. */
static const double flat_tolerance = 1e-7;

/* Makes a segment, or a point, as a cylinder of radius 0. from and to: in the frame of core->transform. */
static void make_line(
	const struct d3_core *core, struct d3_vec_d from, struct d3_vec_d to, struct d3_core *out, struct d3_proxy *proxy)
{
	struct d3_vec_d delta = d3_turn_d(&core->transform.q, d3_sub_d(to, from));
	double length = d3_length_d(delta);
	proxy->half = (struct d3_vec_d){0, 0.5 * length, 0};
	out->transform.p = d3_transform_point_d(&core->transform, d3_scale_d(0.5, d3_add_d(from, to)));
	if (!(length > 0))
		return;
	out->transform.q.y = d3_scale_d(1 / length, delta);
	out->transform.q.x = d3_across_d(out->transform.q.y);
	out->transform.q.z = d3_cross_d(out->transform.q.x, out->transform.q.y);
}

/* Makes the set of points of a cylinder, cone or tapered capsule farthest along n, a unit vector in the core's axes. */
static void make_round_tip(
	const struct d3_core *core, struct d3_vec_d n, double flat, struct d3_core *out, struct d3_proxy *proxy)
{
	enum d3_proxy_type type = core->proxy->type;
	double r = core->proxy->half.x, h = core->proxy->half.y, across = sqrt(n.x * n.x + n.z * n.z);
	if (type != D3_PROXY_TAPERED && r * across <= flat && (n.y < 0 || type == D3_PROXY_CYLINDER)) {
		proxy->half = (struct d3_vec_d){r, 0, r};
		out->transform.p = d3_transform_point_d(&core->transform, (struct d3_vec_d){0, n.y > 0 ? h : -h, 0});
		return;
	}
	struct d3_vec_d top, base;
	d3_core_line(core->proxy, n, &top, &base);
	double higher = d3_dot_d(n, d3_sub_d(top, base));
	make_line(core, higher > flat ? top : base, higher < -flat ? base : top, out, proxy);
}

/* Makes the set of the core's points farthest along d, a unit vector in A's frame. `points`: room for its corners. */
static void make_tip(const struct d3_core *core, struct d3_vec_d d, struct d3_vec points[D3_HULL_MAX], struct d3_core *out,
	struct d3_proxy *proxy)
{
	const struct d3_proxy *whole = core->proxy;
	const struct d3_vec *corners = d3_proxy_points(whole);
	struct d3_vec_d n = d3_inv_turn_d(&core->transform.q, d);
	double flat = flat_tolerance * d3_proxy_size(whole), far = -INFINITY;
	*out = *core;
	out->proxy = proxy;
	*proxy = (struct d3_proxy){.type = D3_PROXY_CYLINDER};
	if (whole->type == D3_PROXY_ELLIPSOID) {
		struct d3_vec_d tip = d3_inv_transform_point_d(&whole->frame, d3_core_support(whole, d3_turn_d(&whole->frame.q, n)));
		make_line(core, tip, tip, out, proxy);
		return;
	}
	if (whole->type != D3_PROXY_POINTS) {
		make_round_tip(core, n, flat, out, proxy);
		return;
	}
	proxy->type = D3_PROXY_POINTS;
	proxy->points = points;
	for (uint32_t i = 0; i < whole->count; ++i)
		far = max_d(far, d3_dot_d(n, d3_widen(corners[i])));
	for (uint32_t i = 0; i < whole->count; ++i)
		if (d3_dot_d(n, d3_widen(corners[i])) >= far - flat)
			points[proxy->count++] = corners[i];
}

void d3_difference_witness(
	const struct d3_difference *difference, double distance, struct d3_vec_d normal, struct d3_vec_d *a, struct d3_vec_d *b)
{
	struct d3_vec points_a[D3_HULL_MAX], points_b[D3_HULL_MAX];
	struct d3_proxy tip_a, tip_b;
	struct d3_difference tips = *difference;
	struct d3_simplex s = {.count = 0};
	int iterations = 0;
	double size_a = d3_proxy_size(difference->a.proxy), size_b = d3_proxy_size(difference->b.proxy);
	make_tip(&difference->a, normal, points_a, &tips.a, &tip_a);
	make_tip(&difference->b, d3_neg_d(normal), points_b, &tips.b, &tip_b);
	d3_difference_nearest(&tips, d3_scale_d(distance - min_d(size_a, size_b), normal), &s, &iterations, NULL);
	d3_simplex_points(&s, a, b);
	/* The smaller core's point is kept: the remaining error is a smaller fraction of the larger core's size. */
	if (size_a < size_b)
		*b = d3_mul_add_d(*a, distance, normal);
	else
		*a = d3_mul_add_d(*b, -distance, normal);
}
