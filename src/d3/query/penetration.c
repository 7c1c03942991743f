/* penetration.c - the signed distance of two convex sets, in closed form where there is one, else by GJK and EPA.
 * Sources: Eberly, "Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid", 2013; More, Sorensen, "Computing a
 * trust region step", 1983, for root finding; Ericson, "Real-Time Collision Detection", 2005, 5.1.9, for segments. */
#include "d3/query/capsules.h"
#include "d3/query/penetration_parts.h"

static const double endless = 1e18;

static const struct d3_vec_d up = {0, 1, 0};

/* --- Half-spaces ---------------------------------------------------------------------------------------------------------- */

/* Separation of a half-space and any other proxy, in either order. */
static void half_space_separation(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out)
{
	bool first = a->type == D3_PROXY_HALF_SPACE;
	struct d3_vec_d n = first ? a->normal : d3_turn_d(&b_in_a->q, b->normal), back = d3_neg_d(n);
	struct d3_vec_d deepest =
		first ? d3_transform_point_d(b_in_a, d3_core_support(b, d3_inv_turn_d(&b_in_a->q, back))) : d3_core_support(a, back);
	deepest = d3_mul_add_d(deepest, first ? -b->radius : -a->radius, n);
	double height = first ? d3_dot_d(n, deepest) - a->offset : d3_dot_d(n, d3_sub_d(deepest, b_in_a->p)) - b->offset;
	struct d3_vec_d on_plane = d3_mul_add_d(deepest, -height, n);
	*out = (struct d3_separation){height, first ? n : back, first ? on_plane : deepest, first ? deepest : on_plane, 0};
}

/* Separation of two half-spaces. Unless their normals are opposite, to within 1e-6 rad, they overlap without limit: the
 * distance is -1e18. */
static void half_spaces_separation(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out)
{
	struct d3_vec_d n = a->normal, m = d3_turn_d(&b_in_a->q, b->normal);
	double height = -(b->offset + d3_dot_d(m, b_in_a->p)) - a->offset;
	bool opposite = d3_dot_d(n, m) < 0 && d3_length_d(d3_cross_d(n, m)) < 1e-6;
	struct d3_vec_d on_a = d3_scale_d(a->offset, n), on_b = d3_mul_add_d(on_a, opposite ? height : 0, n);
	*out = (struct d3_separation){opposite ? height : -endless, n, on_a, on_b, 0};
}

/* --- A point and a solid, in the solid's axes ----------------------------------------------------------------------------- */

static struct d3_vec_d around(struct d3_vec_d p, double across, double radial, double y)
{
	return across > 0 ? (struct d3_vec_d){radial * (p.x / across), y, radial * (p.z / across)}
					  : (struct d3_vec_d){radial, y, 0};
}

/* The closest point on a cylinder, cone or tapered capsule is found in the half-plane of the axis and p, with coordinates
 * (across, y). */
static void closest_on_cylinder(const struct d3_proxy *proxy, struct d3_vec_d p, struct d3_round_closest *out)
{
	double across = sqrt(p.x * p.x + p.z * p.z), r = proxy->half.x, h = proxy->half.y, side = p.y < 0 ? -1 : 1;
	double out_r = across - r, out_y = fabs(p.y) - h;
	if (out_r > 0 && out_y > 0) {
		double distance = sqrt(out_r * out_r + out_y * out_y);
		struct d3_vec_d normal = around(p, across, out_r / distance, side * out_y / distance);
		*out = (struct d3_round_closest){distance, normal, around(p, across, r, side * h)};
	} else if (out_y > out_r) {
		*out = (struct d3_round_closest){out_y, {0, side, 0}, {p.x, side * h, p.z}};
	} else {
		*out = (struct d3_round_closest){out_r, around(p, across, 1, 0), around(p, across, r, p.y)};
	}
}

static void closest_on_cone(const struct d3_proxy *proxy, struct d3_vec_d p, struct d3_round_closest *out)
{
	double across = sqrt(p.x * p.x + p.z * p.z), r = proxy->half.x, h = proxy->half.y;
	double slant = sqrt(r * r + 4 * h * h), nr = 2 * h / slant, ny = r / slant;
	double from_side = across * nr + (p.y - h) * ny, from_base = -h - p.y;
	/* Position of p along the side: 0 at the rim, slant at the apex. */
	double along = (r - across) * ny + (p.y + h) * nr;
	bool inside = from_base <= 0 && from_side <= 0;
	if (inside ? from_side > from_base : from_side > 0 && along >= 0 && along <= slant) {
		struct d3_vec_d point = around(p, across, across - from_side * nr, p.y - from_side * ny);
		*out = (struct d3_round_closest){from_side, around(p, across, nr, ny), point};
		return;
	}
	if (inside || (from_base > 0 && across <= r)) {
		*out = (struct d3_round_closest){from_base, {0, -1, 0}, {p.x, -h, p.z}};
		return;
	}
	double at_r = along < 0 ? r : 0, at_y = along < 0 ? -h : h, along_r = across - at_r, along_y = p.y - at_y;
	double distance = sqrt(along_r * along_r + along_y * along_y);
	struct d3_vec_d normal = around(p, across, along_r / distance, along_y / distance);
	*out = (struct d3_round_closest){distance, normal, around(p, across, at_r, at_y)};
}

/* In the half-plane of the axis and p the side's normal has the components c across the axis and s along it. The core is a
 * union of balls on the axis: at the distance t from the base's centre the radius is less than the base's by s t. The ball
 * nearest to p is where the side's normal through p crosses the axis, or at an end of the axis if that is beyond it. */
static void closest_on_tapered(const struct d3_proxy *proxy, struct d3_vec_d p, struct d3_round_closest *out)
{
	double across = sqrt(p.x * p.x + p.z * p.z), h = proxy->half.y, y = p.y + h;
	double s = proxy->half.x / (2 * h), c = sqrt((1 - s) * (1 + s));
	double t = y * c - across * s; /* the t above, times c */
	if (t > 0 && t < 2 * h * c) {
		out->distance = c * across + s * y - proxy->half.x;
		out->normal = around(p, across, c, s);
	} else {
		double beyond = t > 0 ? y - 2 * h : y, length = sqrt(across * across + beyond * beyond);
		out->distance = length - (t > 0 ? 0 : proxy->half.x);
		out->normal =
			length > 0 ? around(p, across, across / length, beyond / length) : (struct d3_vec_d){0, t > 0 ? 1 : -1, 0};
	}
	out->point = d3_mul_add_d(p, proxy->radius - out->distance, out->normal);
	out->distance -= proxy->radius;
}

/* Returns the s > 0 that gives the point x of the ellipsoid sum (x_i / h_i)^2 = 1 closest to p, for p_i >= 0 and h_0 >= h_1 >=
 * h_2. There p - x is parallel to the gradient: p_i - x_i = t x_i / h_i^2, so x_i = h_i^2 p_i / (h_i^2 + t). With s = 1 + t /
 * h_2^2, z_i = p_i / h_i, r_i = (h_i / h_2)^2 and less_i = r_i - 1, s solves
 *   F(s) = sum (r_i z_i / (s + r_i - 1))^2 = 1.
 * 1 / sqrt F is almost linear, and Newton's method is applied to it. Each term of F is at most 1 at the root, which gives a
 * lower bound of s; s <= sqrt(sum (r_i z_i)^2), as r_i >= 1. */
static double ellipsoid_root(const double z[3], const double r[3], const double less[3])
{
	double low = z[2], high = 0;
	for (int i = 0; i < 3; ++i) {
		low = max_d(low, r[i] * z[i] - less[i]);
		high += r[i] * r[i] * z[i] * z[i];
	}
	high = max_d(sqrt(high), low);
	double s = low;
	for (int k = 0; k < 200; ++k) {
		double f = 0, slope = 0;
		for (int i = 0; i < 3; ++i) {
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
	for (int i = 0; i < 3; ++i) {
		z[i] = p[i] / h[i];
		r[i] = (h[i] / h[2]) * (h[i] / h[2]);
		less[i] = (h[i] - h[2]) / h[2] * ((h[i] + h[2]) / h[2]);
	}
	/* For p near the centre, in the plane perpendicular to the shortest axis, s = 0 and there are two closest points, off the
	 * plane. */
	for (int i = 0; i < 2; ++i) {
		x[i] = less[i] > 0 ? r[i] * p[i] / less[i] : p[i] > 0 ? endless : 0;
		rest -= (x[i] / h[i]) * (x[i] / h[i]);
	}
	if (z[2] < 1e-150 && rest >= 0) {
		x[2] = h[2] * sqrt(rest);
		return;
	}
	double s = ellipsoid_root(z, r, less);
	for (int i = 0; i < 3; ++i)
		x[i] = s + less[i] > 0 ? r[i] * p[i] / (s + less[i]) : h[i];
}

static void closest_on_ellipsoid(const struct d3_proxy *proxy, struct d3_vec_d point, struct d3_round_closest *out)
{
	double given[3] = {point.x, point.y, point.z}, half[3] = {proxy->half.x, proxy->half.y, proxy->half.z};
	int order[3] = {0, 1, 2};
	for (int i = 0; i < 2; ++i)
		for (int k = 0; k < 2 - i; ++k)
			if (half[order[k]] < half[order[k + 1]]) {
				int other = order[k];
				order[k] = order[k + 1];
				order[k + 1] = other;
			}
	double p[3], h[3], x[3], on[3], normal[3], outward[3], length = 0, distance = 0;
	for (int i = 0; i < 3; ++i) {
		p[i] = fabs(given[order[i]]);
		h[i] = half[order[i]];
	}
	nearest_of_ellipsoid(p, h, x);
	for (int i = 0; i < 3; ++i) {
		normal[i] = x[i] / h[i] * (h[2] / h[i]);
		length += normal[i] * normal[i];
	}
	for (int i = 0; i < 3; ++i) {
		normal[i] /= sqrt(length);
		distance += (p[i] - x[i]) * normal[i];
	}
	for (int i = 0; i < 3; ++i) {
		double side = given[order[i]] < 0 ? -1 : 1;
		on[order[i]] = side * x[i];
		outward[order[i]] = side * normal[i];
	}
	*out = (struct d3_round_closest){distance, {outward[0], outward[1], outward[2]}, {on[0], on[1], on[2]}};
}

/* Whether the proxy is a ball: its core is a point, or it is an ellipsoid with equal half axes. *center: its centre. */
static bool is_ball(const struct d3_proxy *proxy, struct d3_vec_d *center)
{
	if (d3_proxy_is_ball(proxy)) {
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

bool d3_round_closest_find(const struct d3_proxy *solid, struct d3_vec_d p, struct d3_round_closest *out)
{
	if (solid->type == D3_PROXY_CYLINDER)
		closest_on_cylinder(solid, p, out);
	else if (solid->type == D3_PROXY_CONE)
		closest_on_cone(solid, p, out);
	else if (solid->type == D3_PROXY_ELLIPSOID)
		closest_on_ellipsoid(solid, p, out);
	else if (solid->type == D3_PROXY_TAPERED)
		closest_on_tapered(solid, p, out);
	else
		return false;
	return true;
}

/* As d3_round_closest_find, but with p and *out in the frame of the solid's body. False: no closed form. */
static bool find_closest(const struct d3_proxy *solid, struct d3_vec_d p, struct d3_round_closest *out)
{
	if (!d3_round_closest_find(solid, d3_inv_transform_point_d(&solid->frame, p), out))
		return false;
	out->normal = d3_turn_d(&solid->frame.q, out->normal);
	out->point = d3_transform_point_d(&solid->frame, out->point);
	return true;
}

static bool ball_separation(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out)
{
	struct d3_vec_d center;
	struct d3_round_closest closest;
	out->iterations = 0;
	if (is_ball(b, &center)) {
		if (!find_closest(a, d3_transform_point_d(b_in_a, center), &closest))
			return false;
		out->normal = closest.normal;
		out->distance = closest.distance - ball_radius(b);
		out->point_a = closest.point;
	} else {
		if (!is_ball(a, &center) || !find_closest(b, d3_inv_transform_point_d(b_in_a, center), &closest))
			return false;
		out->normal = d3_neg_d(d3_turn_d(&b_in_a->q, closest.normal));
		out->distance = closest.distance - ball_radius(a);
		out->point_a = d3_mul_add_d(center, ball_radius(a), out->normal);
	}
	out->point_b = d3_mul_add_d(out->point_a, out->distance, out->normal);
	return true;
}

/* --- Points and segments -------------------------------------------------------------------------------------------------- */

static bool is_capsule(const struct d3_proxy *proxy, struct d3_capsule_core *out)
{
	struct d3_vec_d center;
	if (is_ball(proxy, &center)) {
		*out = (struct d3_capsule_core){.p = center, .radius = ball_radius(proxy)};
		return true;
	}
	if (proxy->type != D3_PROXY_POINTS || proxy->count != 2)
		return false;
	*out = d3_capsule_core_make(d3_proxy_points(proxy), 2, proxy->radius);
	return true;
}

struct capsules {
	struct d3_capsule_core a, b;
	double s, t, square; /* the closest points are a.p + s a.delta and b.p + t b.delta */
	struct d3_vec_d between;
};

static void keep_nearer(struct capsules *capsules, double s, double t)
{
	const struct d3_capsule_core *a = &capsules->a, *b = &capsules->b;
	struct d3_vec_d between = d3_sub_d(d3_mul_add_d(b->p, t, b->delta), d3_mul_add_d(a->p, s, a->delta));
	/* Rounding errors along the segments would tilt a short `between`. */
	if (s > 0 && s < 1)
		between = d3_mul_add_d(between, -d3_dot_d(between, a->delta) / d3_dot_d(a->delta, a->delta), a->delta);
	if (t > 0 && t < 1)
		between = d3_mul_add_d(between, -d3_dot_d(between, b->delta) / d3_dot_d(b->delta, b->delta), b->delta);
	double square = d3_dot_d(between, between);
	if (!(square < capsules->square))
		return;
	capsules->s = s;
	capsules->t = t;
	capsules->square = square;
	capsules->between = between;
}

static double part_along(const struct d3_capsule_core *capsule, struct d3_vec_d p)
{
	double square = d3_dot_d(capsule->delta, capsule->delta);
	return square > 0 ? clamp_d(d3_dot_d(d3_sub_d(p, capsule->p), capsule->delta) / square, 0, 1) : 0;
}

/* Separation of any two capsules. The closest points are either an end of one segment and the point of the other closest to it,
 * or inner points of both: then the normal is perpendicular to both segments, even where these cross. Segments parallel to
 * within rounding are closest at ends, too. */
static void capsule_separation(struct capsules *capsules, struct d3_separation *out)
{
	const struct d3_capsule_core *a = &capsules->a, *b = &capsules->b;
	capsules->square = INFINITY;
	for (int i = 0; i < 2; ++i) {
		keep_nearer(capsules, i, part_along(b, d3_mul_add_d(a->p, i, a->delta)));
		keep_nearer(capsules, part_along(a, d3_mul_add_d(b->p, i, b->delta)), i);
	}
	struct d3_vec_d n = d3_cross_d(a->delta, b->delta), from = d3_sub_d(b->p, a->p);
	double nn = d3_dot_d(n, n), aa = d3_dot_d(a->delta, a->delta), bb = d3_dot_d(b->delta, b->delta);
	bool skew = nn > 1e-28 * aa * bb, across = false;
	double ends = capsules->square;
	if (skew) {
		double s = d3_dot_d(d3_cross_d(from, b->delta), n) / nn, t = d3_dot_d(d3_cross_d(from, a->delta), n) / nn;
		across = s >= 0 && s <= 1 && t >= 0 && t <= 1;
		if (across)
			keep_nearer(capsules, s, t);
		across = across && capsules->square < ends;
	}
	double scale = max_d(d3_length_d(from), sqrt(max_d(aa, bb))), distance = sqrt(capsules->square);
	if (across || (skew && distance <= 1e-14 * scale)) {
		n = d3_scale_d(1 / sqrt(nn), n);
		double along = d3_dot_d(n, from);
		out->normal = along < 0 ? d3_neg_d(n) : n;
		distance = across ? fabs(along) : distance;
	} else if (distance > 1e-14 * scale) {
		out->normal = d3_scale_d(1 / distance, capsules->between);
	} else {
		struct d3_vec_d delta = aa > bb ? a->delta : b->delta;
		out->normal = max_d(aa, bb) > 0 ? d3_across_d(d3_scale_d(1 / sqrt(max_d(aa, bb)), delta)) : up;
	}
	out->distance = distance - a->radius - b->radius;
	out->point_a = d3_mul_add_d(d3_mul_add_d(a->p, capsules->s, a->delta), a->radius, out->normal);
	out->point_b = d3_mul_add_d(out->point_a, out->distance, out->normal);
	out->iterations = 0;
}

/* --- Any two proxies ------------------------------------------------------------------------------------------------------ */

bool d3_capsule_triangle_separation(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out)
{
	struct d3_capsule_core core;
	struct d3_vec_d corners[3];
	if (b->type != D3_PROXY_POINTS || b->count != 3 || b->radius > 0 || !is_capsule(a, &core))
		return false;
	for (int i = 0; i < 3; ++i)
		corners[i] = d3_transform_point_d(b_in_a, d3_widen(d3_proxy_points(b)[i]));
	return d3_capsule_triangle_apart(&core, corners, out);
}

static bool any_capsule_separation(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out)
{
	struct capsules capsules;
	if (!is_capsule(a, &capsules.a) || !is_capsule(b, &capsules.b))
		return false;
	capsules.b.p = d3_transform_point_d(b_in_a, capsules.b.p);
	capsules.b.delta = d3_turn_d(&b_in_a->q, capsules.b.delta);
	if (!d3_capsules_apart(&capsules.a, &capsules.b, &capsules.s, &capsules.t, out))
		capsule_separation(&capsules, out);
	return true;
}

/* Separation of a round solid and a polytope in closed form. If `enough` is INFINITY, hulls with corners off their face's plane
 * are left to GJK. The narrow phase passes a finite `enough`: there the error of such hulls, 1e-7 of the size, is
 * negligible. */
static bool round_separation(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	double enough, struct d3_separation *out)
{
	if (enough == INFINITY &&
		!(d3_penetration_has_flat_faces(a, flat_tolerance * a->reach) &&
			d3_penetration_has_flat_faces(b, flat_tolerance * b->reach)))
		return false;
	return d3_round_separation(a, b, b_in_a, enough, out);
}

void d3_separation_and_corners(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	double enough, struct d3_corner_simplex *simplex, struct d3_separation *out)
{
	if (a->type == D3_PROXY_POINTS && b->type == D3_PROXY_POINTS && a->count + b->count > 4) {
		if (((a->straight && d3_proxy_is_ball(b)) || (b->straight && d3_proxy_is_ball(a))) &&
			d3_penetration_by_closest_point(a, b, b_in_a, false, out)) {
			simplex->count = 0;
			return;
		}
		if (simplex->count == D3_CORES_OVERLAP && d3_penetration_still_overlap(a, b, b_in_a, out))
			return;
		if (simplex->count == 0 && d3_penetration_boxes_overlap(a, b, b_in_a, out)) {
			simplex->count = D3_CORES_OVERLAP;
			return;
		}
		enum d3_verdict verdict = d3_corners_follow(a, b, b_in_a, simplex, out);
		if (verdict == D3_APART)
			return;
		simplex->count = verdict == D3_NEAR ? D3_CORES_OVERLAP : 0;
		if (verdict == D3_NEAR && !d3_penetration_overlap_of_hulls(a, b, b_in_a, out))
			d3_epa(a, b, b_in_a, out, NULL);
		else if (verdict == D3_UNSURE)
			d3_gjk(a, b, b_in_a, out, NULL, NULL);
		return;
	}
	simplex->count = 0;
	if (a->type == D3_PROXY_HALF_SPACE && b->type == D3_PROXY_HALF_SPACE)
		half_spaces_separation(a, b, b_in_a, out);
	else if (a->type == D3_PROXY_HALF_SPACE || b->type == D3_PROXY_HALF_SPACE)
		half_space_separation(a, b, b_in_a, out);
	else if (!any_capsule_separation(a, b, b_in_a, out) && !ball_separation(a, b, b_in_a, out) &&
		!d3_tapered_separation(a, b, b_in_a, out) && !round_separation(a, b, b_in_a, enough, out))
		d3_gjk(a, b, b_in_a, out, NULL, NULL);
}

void d3_separation_find(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out)
{
	struct d3_corner_simplex simplex;
	simplex.count = 0;
	d3_separation_and_corners(a, b, b_in_a, INFINITY, &simplex, out);
}
