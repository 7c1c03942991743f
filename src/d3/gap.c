/* gap.c - the distance of two convex sets by what is best for them: closed forms where there are any, else GJK and EPA.
** Sources: Eberly, "Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid", 2013; More, Sorensen, "Computing a trust
** region step", 1983, for how to find the root; Ericson, "Real-Time Collision Detection", 2005, 5.1.9, for segments.
** Floor: d3. Pure, any thread. */
#include "d3/gjk_parts.h"
#include "d3/rods.h"
#include "d3/sat.h"

#include <assert.h>
#include <string.h>

static const double endless = 1e18;
static const struct d3_vec_d up = { 0, 1, 0 };

/* --- Half-spaces ------------------------------------------------------------------------------------------------------- */

void d3_half_space_gap(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	struct d3_gap *out)
{
	struct d3_vec_d n = a->normal;
	struct d3_vec_d deepest = d3_transform_point_d(b_in_a, d3_core_support(b, d3_inv_turn_d(&b_in_a->q, d3_neg_d(n))));
	deepest = d3_mul_add_d(deepest, -b->radius, n);
	out->distance = d3_dot_d(n, deepest) - a->offset;
	out->normal = n;
	out->point_a = d3_mul_add_d(deepest, -out->distance, n);
	out->point_b = deepest;
	out->iterations = 0;
}

/* The same with B the half-space. */
static void gap_to_half_space(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	struct d3_gap *out)
{
	struct d3_vec_d n = d3_turn_d(&b_in_a->q, b->normal);
	struct d3_vec_d deepest = d3_mul_add_d(d3_core_support(a, d3_neg_d(n)), -a->radius, n);
	out->distance = d3_dot_d(n, d3_sub_d(deepest, b_in_a->p)) - b->offset;
	out->normal = d3_neg_d(n);
	out->point_a = deepest;
	out->point_b = d3_mul_add_d(deepest, -out->distance, n);
	out->iterations = 0;
}

/* Two half-spaces miss each other only when they face each other across a gap. */
void d3_half_spaces_gap(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	struct d3_gap *out)
{
	struct d3_vec_d n = a->normal, m = d3_turn_d(&b_in_a->q, b->normal);
	double gap = -(b->offset + d3_dot_d(m, b_in_a->p)) - a->offset;
	bool opposite = d3_dot_d(n, m) < 0 && d3_length_d(d3_cross_d(n, m)) < 1e-6;
	out->distance = opposite ? gap : -endless;
	out->normal = n;
	out->point_a = d3_scale_d(a->offset, n);
	out->point_b = d3_mul_add_d(out->point_a, opposite ? gap : 0, n);
	out->iterations = 0;
}

/* --- A point and a solid of its own frame ------------------------------------------------------------------------------ */

/* The nearest point of a surface, the normal there, and how far outside the point is. */
struct foot {
	double distance;
	struct d3_vec_d normal, point;
};

static struct d3_vec_d around(struct d3_vec_d p, double across, double radial, double y)
{
	return across > 0 ? (struct d3_vec_d){ radial * (p.x / across), y, radial * (p.z / across) } : (struct d3_vec_d){ radial, y, 0 };
}

/* All about an axis: in the half plane of the point, with (across, y). */
static void foot_on_cylinder(const struct d3_proxy *proxy, struct d3_vec_d p, struct foot *out)
{
	double across = sqrt(p.x * p.x + p.z * p.z), r = proxy->half.x, h = proxy->half.y, side = p.y < 0 ? -1 : 1;
	double out_r = across - r, out_y = fabs(p.y) - h;
	if (out_r > 0 && out_y > 0) {
		out->distance = sqrt(out_r * out_r + out_y * out_y);
		out->normal = around(p, across, out_r / out->distance, side * out_y / out->distance);
		out->point = around(p, across, r, side * h);
	} else if (out_y > out_r) {
		out->distance = out_y;
		out->normal = (struct d3_vec_d){ 0, side, 0 };
		out->point = (struct d3_vec_d){ p.x, side * h, p.z };
	} else {
		out->distance = out_r;
		out->normal = around(p, across, 1, 0);
		out->point = around(p, across, r, p.y);
	}
}

static void foot_on_cone(const struct d3_proxy *proxy, struct d3_vec_d p, struct foot *out)
{
	double across = sqrt(p.x * p.x + p.z * p.z), r = proxy->half.x, h = proxy->half.y;
	double slant = sqrt(r * r + 4 * h * h), nr = 2 * h / slant, ny = r / slant;
	double from_side = across * nr + (p.y - h) * ny, from_base = -h - p.y;
	/* Along the side from the rim, 0, to the apex, slant. */
	double along = (r - across) * ny + (p.y + h) * nr;
	bool inside = from_base <= 0 && from_side <= 0;
	if (inside ? from_side > from_base : from_side > 0 && along >= 0 && along <= slant) {
		out->distance = from_side;
		out->normal = around(p, across, nr, ny);
		out->point = around(p, across, across - from_side * nr, p.y - from_side * ny);
		return;
	}
	if (inside || (from_base > 0 && across <= r)) {
		out->distance = from_base;
		out->normal = (struct d3_vec_d){ 0, -1, 0 };
		out->point = (struct d3_vec_d){ p.x, -h, p.z };
		return;
	}
	double at_r = along < 0 ? r : 0, at_y = along < 0 ? -h : h, way_r = across - at_r, way_y = p.y - at_y;
	out->distance = sqrt(way_r * way_r + way_y * way_y);
	out->normal = around(p, across, way_r / out->distance, way_y / out->distance);
	out->point = around(p, across, at_r, at_y);
}

/* The point x of the ellipsoid sum (x_i / h_i)^2 = 1 nearest to p, all p_i >= 0 and h_0 >= h_1 >= h_2, has p - x = t grad, so
** that x_i = h_i^2 p_i / (h_i^2 + t); with s = 1 + t / h_2^2, z_i = p_i / h_i and r_i = (h_i / h_2)^2 the equation for s > 0 is
**   F(s) = sum (r_i z_i / (s + r_i - 1))^2 = 1,
** and 1 / sqrt F is almost a line. Each term is at most 1 at the root, which bounds it from below; all together bound it from above. */
static double ellipsoid_root(const double z[3], const double r[3], const double less[3])
{
	double low = z[2], high = 0;
	for (int i = 0; i < 3; i++) {
		low = max_d(low, r[i] * z[i] - less[i]);
		high += r[i] * r[i] * z[i] * z[i];
	}
	high = max_d(sqrt(high), low);
	double s = low;
	for (int k = 0; k < 200; k++) {
		double f = 0, slope = 0;
		for (int i = 0; i < 3; i++) {
			double below = s + less[i], term = below > 0 ? r[i] * z[i] / below : 0;
			f += term * term;
			slope -= below > 0 ? 2 * term * term / below : 0;
		}
		if (f > 1)
			low = max_d(low, s);
		else
			high = min_d(high, s);
		double next = slope < 0 ? s + 2 * (f - f * sqrt(f)) / slope : 0.5 * (low + high);
		if (!(next > low && next < high))
			next = next == low || next == high ? next : 0.5 * (low + high);
		if (fabs(next - s) <= 1e-16 * s || !(low < high))
			return next;
		s = next;
	}
	return s;
}

static void nearest_of_ellipsoid(const double p[3], const double h[3], double x[3])
{
	double z[3], r[3], less[3], rest = 1;
	for (int i = 0; i < 3; i++) {
		z[i] = p[i] / h[i];
		r[i] = (h[i] / h[2]) * (h[i] / h[2]);
		less[i] = (h[i] - h[2]) / h[2] * ((h[i] + h[2]) / h[2]);
	}
	/* On the plane across the least axis, near the middle, the two nearest points are off the plane, at s = 0. */
	for (int i = 0; i < 2; i++) {
		x[i] = less[i] > 0 ? r[i] * p[i] / less[i] : p[i] > 0 ? endless : 0;
		rest -= (x[i] / h[i]) * (x[i] / h[i]);
	}
	if (z[2] < 1e-150 && rest >= 0) {
		x[2] = h[2] * sqrt(rest);
		return;
	}
	double s = ellipsoid_root(z, r, less);
	for (int i = 0; i < 3; i++)
		x[i] = s + less[i] > 0 ? r[i] * p[i] / (s + less[i]) : h[i];
}

static void foot_on_ellipsoid(const struct d3_proxy *proxy, struct d3_vec_d point, struct foot *out)
{
	double given[3] = { point.x, point.y, point.z }, half[3] = { proxy->half.x, proxy->half.y, proxy->half.z };
	int order[3] = { 0, 1, 2 };
	for (int i = 0; i < 2; i++)
		for (int k = 0; k < 2 - i; k++)
			if (half[order[k]] < half[order[k + 1]]) {
				int other = order[k];
				order[k] = order[k + 1];
				order[k + 1] = other;
			}
	double p[3], h[3], x[3], foot[3], normal[3], length = 0, distance = 0;
	for (int i = 0; i < 3; i++) {
		p[i] = fabs(given[order[i]]);
		h[i] = half[order[i]];
	}
	nearest_of_ellipsoid(p, h, x);
	for (int i = 0; i < 3; i++) {
		normal[i] = x[i] / h[i] * (h[2] / h[i]);
		length += normal[i] * normal[i];
	}
	for (int i = 0; i < 3; i++) {
		normal[i] /= sqrt(length);
		distance += (p[i] - x[i]) * normal[i];
	}
	for (int i = 0; i < 3; i++) {
		bool back = given[order[i]] < 0;
		foot[order[i]] = back ? -x[i] : x[i];
		normal[i] = back ? -normal[i] : normal[i];
	}
	double turned[3];
	for (int i = 0; i < 3; i++)
		turned[order[i]] = normal[i];
	*out = (struct foot){ distance, { turned[0], turned[1], turned[2] }, { foot[0], foot[1], foot[2] } };
}

/* A core that is a point, or an ellipsoid that is a ball. */
static bool is_ball(const struct d3_proxy *proxy, struct d3_vec_d *center)
{
	if (proxy->type == D3_PROXY_POINTS && proxy->count == 1) {
		*center = d3_widen(d3_proxy_points(proxy)[0]);
		return true;
	}
	*center = proxy->frame.p;
	return proxy->type == D3_PROXY_ELLIPSOID && proxy->half.x == proxy->half.y && proxy->half.y == proxy->half.z;
}

static double ball_radius(const struct d3_proxy *proxy)
{
	return proxy->type == D3_PROXY_ELLIPSOID ? proxy->half.x : proxy->radius;
}

/* The solid's surface and the point, which are in the solid's frame. False: there is no closed form. */
static bool find_foot(const struct d3_proxy *solid, struct d3_vec_d p, struct foot *out)
{
	struct d3_vec_d local = d3_inv_transform_point_d(&solid->frame, p);
	if (solid->type == D3_PROXY_CYLINDER)
		foot_on_cylinder(solid, local, out);
	else if (solid->type == D3_PROXY_CONE)
		foot_on_cone(solid, local, out);
	else if (solid->type == D3_PROXY_ELLIPSOID)
		foot_on_ellipsoid(solid, local, out);
	else
		return false;
	out->normal = d3_turn_d(&solid->frame.q, out->normal);
	out->point = d3_transform_point_d(&solid->frame, out->point);
	return true;
}

static bool solid_gap(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_gap *out)
{
	struct d3_vec_d center;
	struct foot foot;
	out->iterations = 0;
	if (is_ball(b, &center)) {
		if (!find_foot(a, d3_transform_point_d(b_in_a, center), &foot))
			return false;
		out->normal = foot.normal;
		out->distance = foot.distance - ball_radius(b);
		out->point_a = foot.point;
	} else {
		if (!is_ball(a, &center) || !find_foot(b, d3_inv_transform_point_d(b_in_a, center), &foot))
			return false;
		out->normal = d3_neg_d(d3_turn_d(&b_in_a->q, foot.normal));
		out->distance = foot.distance - ball_radius(a);
		out->point_a = d3_mul_add_d(center, ball_radius(a), out->normal);
	}
	out->point_b = d3_mul_add_d(out->point_a, out->distance, out->normal);
	return true;
}

/* --- Points and segments ----------------------------------------------------------------------------------------------- */

static bool is_rod(const struct d3_proxy *proxy, struct d3_rod *out)
{
	out->way = (struct d3_vec_d){ 0, 0, 0 };
	out->square = 0;
	if (is_ball(proxy, &out->p)) {
		out->radius = ball_radius(proxy);
		return true;
	}
	if (proxy->type != D3_PROXY_POINTS || proxy->count != 2)
		return false;
	const struct d3_vec *points = d3_proxy_points(proxy);
	out->p = d3_widen(points[0]);
	out->way = d3_sub_d(d3_widen(points[1]), out->p);
	out->square = d3_dot_d(out->way, out->way);
	out->radius = proxy->radius;
	return true;
}

struct rods {
	struct d3_rod a, b;
	double s, t, square; /* the nearest points are a.p + s a.way and b.p + t b.way */
	struct d3_vec_d between;
};

static void keep_nearer(struct rods *rods, double s, double t)
{
	const struct d3_rod *a = &rods->a, *b = &rods->b;
	struct d3_vec_d between = d3_sub_d(d3_mul_add_d(b->p, t, b->way), d3_mul_add_d(a->p, s, a->way));
	/* What rounding has left of the ways in a short distance would turn it. */
	if (s > 0 && s < 1)
		between = d3_mul_add_d(between, -d3_dot_d(between, a->way) / d3_dot_d(a->way, a->way), a->way);
	if (t > 0 && t < 1)
		between = d3_mul_add_d(between, -d3_dot_d(between, b->way) / d3_dot_d(b->way, b->way), b->way);
	double square = d3_dot_d(between, between);
	if (!(square < rods->square))
		return;
	rods->s = s;
	rods->t = t;
	rods->square = square;
	rods->between = between;
}

static double part_along(const struct d3_rod *rod, struct d3_vec_d p)
{
	double square = d3_dot_d(rod->way, rod->way);
	return square > 0 ? clamp_d(d3_dot_d(d3_sub_d(p, rod->p), rod->way) / square, 0, 1) : 0;
}

/* The nearest points are ends, or stand across from each other where both are inside: then the normal is across both, even where they cross.
** Ways that are parallel to within rounding have their nearest points at ends too. */
static void rod_gap(struct rods *rods, struct d3_gap *out)
{
	const struct d3_rod *a = &rods->a, *b = &rods->b;
	rods->square = INFINITY;
	for (int i = 0; i < 2; i++) {
		keep_nearer(rods, i, part_along(b, d3_mul_add_d(a->p, i, a->way)));
		keep_nearer(rods, part_along(a, d3_mul_add_d(b->p, i, b->way)), i);
	}
	struct d3_vec_d n = d3_cross_d(a->way, b->way), from = d3_sub_d(b->p, a->p);
	double nn = d3_dot_d(n, n), aa = d3_dot_d(a->way, a->way), bb = d3_dot_d(b->way, b->way);
	bool skew = nn > 1e-28 * aa * bb, across = false;
	double ends = rods->square;
	if (skew) {
		double s = d3_dot_d(d3_cross_d(from, b->way), n) / nn, t = d3_dot_d(d3_cross_d(from, a->way), n) / nn;
		across = s >= 0 && s <= 1 && t >= 0 && t <= 1;
		if (across)
			keep_nearer(rods, s, t);
		across = across && rods->square < ends;
	}
	double scale = max_d(d3_length_d(from), sqrt(max_d(aa, bb))), distance = sqrt(rods->square);
	if (across || (skew && distance <= 1e-14 * scale)) {
		n = d3_scale_d(1 / sqrt(nn), n);
		double along = d3_dot_d(n, from);
		out->normal = along < 0 ? d3_neg_d(n) : n;
		distance = across ? fabs(along) : distance;
	} else if (distance > 1e-14 * scale) {
		out->normal = d3_scale_d(1 / distance, rods->between);
	} else {
		struct d3_vec_d way = aa > bb ? a->way : b->way;
		out->normal = max_d(aa, bb) > 0 ? d3_across(d3_scale_d(1 / sqrt(max_d(aa, bb)), way)) : up;
	}
	out->distance = distance - a->radius - b->radius;
	out->point_a = d3_mul_add_d(d3_mul_add_d(a->p, rods->s, a->way), a->radius, out->normal);
	out->point_b = d3_mul_add_d(out->point_a, out->distance, out->normal);
	out->iterations = 0;
}

/* --- The depth of small hulls ------------------------------------------------------------------------------------------ */

/* As many couples of edges take SAT no longer than EPA. */
enum { EDGE_COUPLES = 200 };

/* Corners that are nearer to the deepest one than this part of the coordinates are as deep; faces that are flat to the second are flat. */
static const double deep_part = 1e-9, flat_part = 1e-14;

/* Where faces were merged, the plane is not quite that of any three corners, and what is deepest is not quite along its normal. */
static bool has_flat_faces(const struct d3_hull *hull, double tolerance)
{
	bool flat = true;
	if (hull->edge_count == 3 * hull->face_count)
		return true;
	for (uint32_t i = 0; i < hull->edge_count; i++) {
		const struct d3_hull_plane *plane = &hull->planes[hull->edges[i].face];
		flat &= d3_dot_d(plane->normal, d3_widen(hull->points[hull->edges[i].origin])) - plane->offset >= -tolerance;
	}
	return flat;
}

/* The one corner that is farthest along d, UINT32_MAX where there are more. */
static uint32_t only_farthest(const struct d3_proxy *proxy, struct d3_vec_d d, double tolerance)
{
	const struct d3_vec *points = d3_proxy_points(proxy);
	double far = -INFINITY, second = -INFINITY;
	uint32_t best = 0;
	for (uint32_t i = 0; i < proxy->count; i++) {
		double along = points[i].x * d.x + points[i].y * d.y + points[i].z * d.z;
		second = max_d(second, min_d(along, far));
		best = along > far ? i : best;
		far = max_d(along, far);
	}
	return far - second > tolerance ? best : UINT32_MAX;
}

struct deepest {
	const struct d3_proxy *a, *b;
	const struct d3_transform_d *place; /* of B */
	const struct d3_sat_axis *axis;
	double distance, tolerance; /* distance: of the cores */
	struct d3_vec_d normal, on_a; /* on_a: A's deepest point */
};

static struct d3_vec_d edge_point(const struct d3_hull *hull, uint32_t edge)
{
	return d3_widen(hull->points[hull->edges[edge].origin]);
}

/* The lines of both edges are nearest where the edges cross. */
static bool find_crossing(struct deepest *d)
{
	struct d3_vec_d p = edge_point(d->a->hull, d->axis->index), u = d3_sub_d(edge_point(d->a->hull, d->axis->index ^ 1), p);
	struct d3_vec_d q = d3_transform_point_d(d->place, edge_point(d->b->hull, d->axis->other));
	struct d3_vec_d v = d3_sub_d(d3_transform_point_d(d->place, edge_point(d->b->hull, d->axis->other ^ 1)), q), from = d3_sub_d(q, p);
	struct d3_vec_d n = d3_cross_d(u, v);
	double nn = d3_dot_d(n, n), s = d3_dot_d(d3_cross_d(from, v), n), t = d3_dot_d(d3_cross_d(from, u), n);
	if (!(nn > 1e-4 * d3_dot_d(u, u) * d3_dot_d(v, v)) || !(s >= 0 && s <= nn && t >= 0 && t <= nn))
		return false;
	d->on_a = d3_mul_add_d(p, s / nn, u);
	return true;
}

static bool find_deepest(struct deepest *d)
{
	if (d->axis->owner == D3_SAT_EDGES)
		return find_crossing(d);
	if (d->axis->owner == D3_SAT_FACE_A) {
		uint32_t k = only_farthest(d->b, d3_neg_d(d3_inv_turn_d(&d->place->q, d->normal)), d->tolerance);
		if (k == UINT32_MAX)
			return false;
		d->on_a = d3_mul_add_d(d3_transform_point_d(d->place, d3_widen(d3_proxy_points(d->b)[k])), -d->distance, d->normal);
		return true;
	}
	uint32_t i = d->axis->owner == D3_SAT_FACE_B ? only_farthest(d->a, d->normal, d->tolerance) : UINT32_MAX;
	if (i != UINT32_MAX)
		d->on_a = d3_widen(d3_proxy_points(d->a)[i]);
	return i != UINT32_MAX;
}

static bool is_within(const struct d3_hull *hull, struct d3_vec_d p, double tolerance)
{
	bool within = true;
	for (uint32_t i = 0; i < hull->face_count; i++)
		within &= d3_dot_d(hull->planes[i].normal, p) - hull->planes[i].offset <= tolerance;
	return within;
}

/* Cores that overlap, by their separating axes. False: EPA must tell. */
static bool small_hulls_gap(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_gap *out)
{
	if (!a->hull || !b->hull || (a->hull->edge_count / 2) * (b->hull->edge_count / 2) > EDGE_COUPLES)
		return false;
	struct d3_vec_d p = d3_widen(a->hull->points[0]), q = d3_widen(b->hull->points[0]), r = b_in_a->p;
	double scale = fabs(p.x) + fabs(p.y) + fabs(p.z) + fabs(q.x) + fabs(q.y) + fabs(q.z) + fabs(r.x) + fabs(r.y) + fabs(r.z);
	if (!has_flat_faces(a->hull, flat_part * scale) || !has_flat_faces(b->hull, flat_part * scale))
		return false;
	struct d3_sat_result sat;
	d3_sat(a, b, b_in_a, NULL, &sat);
	struct deepest d = { a, b, b_in_a, &sat.axis, sat.separation + (a->radius + b->radius), deep_part * scale, sat.normal, { 0, 0, 0 } };
	if (!(d.distance < -deep_part * scale) || !find_deepest(&d))
		return false;
	struct d3_vec_d on_b = d3_inv_transform_point_d(b_in_a, d3_mul_add_d(d.on_a, d.distance, d.normal));
	if (!is_within(a->hull, d.on_a, d.tolerance) || !is_within(b->hull, on_b, d.tolerance))
		return false;
	out->distance = sat.separation;
	out->normal = d.normal;
	out->point_a = d3_mul_add_d(d.on_a, a->radius, d.normal);
	out->point_b = d3_mul_add_d(out->point_a, out->distance, out->normal);
	out->iterations = 0;
	return true;
}

/* --- All --------------------------------------------------------------------------------------------------------------- */

static void any_half_space_gap(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_gap *out)
{
	if (a->type == b->type)
		d3_half_spaces_gap(a, b, b_in_a, out);
	else if (a->type == D3_PROXY_HALF_SPACE)
		d3_half_space_gap(a, b, b_in_a, out);
	else
		gap_to_half_space(a, b, b_in_a, out);
}

static bool any_rod_gap(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_gap *out)
{
	struct rods rods;
	if (!is_rod(a, &rods.a) || !is_rod(b, &rods.b))
		return false;
	rods.b.p = d3_transform_point_d(b_in_a, rods.b.p);
	rods.b.way = d3_turn_d(&b_in_a->q, rods.b.way);
	if (!d3_rods_apart(&rods.a, &rods.b, &rods.s, &rods.t, out))
		rod_gap(&rods, out);
	return true;
}

void d3_gap_and_carrier(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_carrier *carrier,
	struct d3_gap *out)
{
	if (a->type == D3_PROXY_POINTS && b->type == D3_PROXY_POINTS && a->count + b->count > 4) {
		enum d3_verdict verdict = d3_corners_measure(a, b, b_in_a, carrier, out);
		if (verdict == D3_NEAR && !small_hulls_gap(a, b, b_in_a, out))
			d3_epa(a, b, b_in_a, out, NULL);
		else if (verdict == D3_UNSURE)
			d3_gjk(a, b, b_in_a, out, NULL, NULL);
		return;
	}
	carrier->count = 0;
	if (a->type == D3_PROXY_HALF_SPACE || b->type == D3_PROXY_HALF_SPACE)
		any_half_space_gap(a, b, b_in_a, out);
	else if (!any_rod_gap(a, b, b_in_a, out) && !solid_gap(a, b, b_in_a, out))
		d3_gjk(a, b, b_in_a, out, NULL, NULL);
}

void d3_gap_find(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_gap *out)
{
	struct d3_carrier carrier;
	carrier.count = 0;
	d3_gap_and_carrier(a, b, b_in_a, &carrier, out);
}

double d3_proxy_reach(const struct d3_proxy *proxy)
{
	if (proxy->type == D3_PROXY_HALF_SPACE)
		return 0;
	double far = 0;
	if (proxy->type == D3_PROXY_POINTS) {
		const struct d3_vec *points = d3_proxy_points(proxy);
		for (uint32_t i = 0; i < proxy->count; i++)
			far = max_d(far, d3_length_d(d3_widen(points[i])));
		return far + proxy->radius;
	}
	/* The middle, seen along the axes: what is round about y reaches farthest on the far side of the axis. */
	struct d3_vec_d middle = d3_inv_turn_d(&proxy->frame.q, proxy->frame.p), h = proxy->half;
	double across = sqrt(middle.x * middle.x + middle.z * middle.z), high = fabs(middle.y) + h.y, wide = across + h.x;
	if (proxy->type == D3_PROXY_CYLINDER)
		return sqrt(wide * wide + high * high);
	if (proxy->type == D3_PROXY_CONE)
		return sqrt(max_d(across * across + (middle.y + h.y) * (middle.y + h.y), wide * wide + (middle.y - h.y) * (middle.y - h.y)));
	return d3_length_d(middle) + max_d(h.x, max_d(h.y, h.z));
}

typedef float four __attribute__((vector_size(16)));
typedef int32_t four_masks __attribute__((vector_size(16)));

static inline four lesser(four a, four b)
{
	four_masks less = a < b;
	return (four)((less & (four_masks)a) | (~less & (four_masks)b));
}

/* The longest side of the box around the points. Four points are twelve numbers, in which the same coordinate comes every third time. */
static double greatest_extent(const struct d3_vec *points, uint32_t count)
{
	float low[3][4], high[3][4];
	if (count < 4) {
		for (int i = 0; i < 3; i++)
			for (int k = 0; k < 4; k++)
				low[i][k] = high[i][k] = ((const float *)points)[(4 * i + k) % 3];
		for (uint32_t i = 1; i < count; i++) {
			for (int k = 0; k < 3; k++) {
				low[0][k] = min_f(low[0][k], ((const float *)&points[i])[k]);
				high[0][k] = max_f(high[0][k], ((const float *)&points[i])[k]);
			}
		}
	} else {
		four least[3], most[3]; /* of the negative numbers */
		for (uint32_t i = 0; i < count; i += 4) {
			const struct d3_vec *from = points + (i + 4 <= count ? i : count - 4);
			for (int k = 0; k < 3; k++) {
				four v;
				memcpy(&v, (const float *)from + 4 * k, sizeof v);
				least[k] = i > 0 ? lesser(least[k], v) : v;
				most[k] = i > 0 ? lesser(most[k], -v) : -v;
			}
		}
		for (int k = 0; k < 3; k++) {
			most[k] = -most[k];
			memcpy(low[k], &least[k], sizeof low[k]);
			memcpy(high[k], &most[k], sizeof high[k]);
		}
	}
	double extent = 0;
	for (int k = 0; k < 3; k++) {
		float least_k = low[0][k], most_k = high[0][k];
		for (int i = k; i < 12; i += 3) {
			least_k = min_f(least_k, low[i / 4][i % 4]);
			most_k = max_f(most_k, high[i / 4][i % 4]);
		}
		extent = max_d(extent, (double)most_k - least_k);
	}
	return extent;
}

double d3_proxy_size(const struct d3_proxy *proxy)
{
	if (proxy->type == D3_PROXY_HALF_SPACE)
		return INFINITY;
	if (proxy->type != D3_PROXY_POINTS)
		return max_d(proxy->half.x, max_d(proxy->half.y, proxy->half.z));
	const struct d3_vec *points = d3_proxy_points(proxy);
	return 0.5 * greatest_extent(points, proxy->count) + proxy->radius;
}
