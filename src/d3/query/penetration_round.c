/* penetration_round.c - the signed distance of a round solid (cylinder, cone, tapered capsule, ellipsoid) and a hull of
 * corners, in closed form. For a unit vector n, from the solid to the corners, let
 *   s(n) = least n . x of the hull - greatest n . p of the solid       [length]
 * The signed distance is the greatest s. The n of a maximum is of one of three kinds: opposite to the normal of a face of the
 * hull; perpendicular to an edge of the hull; or the solid's normal at its point closest to a corner. For an edge both the hull
 * and the solid are projected along it: the edge becomes a point, an ellipsoid an ellipse, a cylinder an ellipse swept along a
 * segment, a cone or tapered capsule the hull of an ellipse or circle and a point. Separated sets have only one maximum, so a
 * local one is the result. For overlapping sets a face's maximum is the result if the solid's deepest point is below the face,
 * farther from the face's edges than it is deep. Other overlaps compare the maxima of the face, the hull's edges and corners
 * and the solid's flat ends. Overlaps of more than a fraction of the solid's size are left to EPA.
 * Sources: Eberly, "Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid", 2013; Gregorius, "The Separating
 * Axis Test between Convex Polyhedra", GDC 2013, for the three kinds of maxima. */
#include "d3/query/gjk.h"

/* Faces with more corners are left to GJK, overlaps with hulls of more edges to EPA, which takes no longer there. */
enum { FACE_CORNERS = 32, HULL_EDGES = 32 };

/* Lengths relative to the coordinates, and sines, below this are rounding errors. */
static const double rounding = 1e-10;

/* Core overlaps deeper than this fraction of the solid's lesser half size (x or y) are left to EPA; for a solid with a radius,
 * all core overlaps are. */
static const double deep_tolerance = 0.2;

/* A maximum of s. The closest points of the cores are on_solid and on_solid + distance normal. */
struct maximum {
	double distance;
	struct d3_vec_d normal, on_solid;
};

/* State of the search; all vectors are in solid->frame. */
struct solid_search {
	const struct d3_proxy *solid, *flat; /* flat: the proxy with corners */
	struct d3_transform_d transform; /* of `flat` */
	double scale, deep; /* scale: magnitude of the coordinates; deep: the greatest overlap of the cores handled here */
	struct maximum best;
	bool found;
};

/* --- The face ------------------------------------------------------------------------------------------------------------- */

struct flat_face {
	struct d3_vec_d normal; /* outward */
	bool thin;
	uint32_t count;
	struct d3_vec_d corners[FACE_CORNERS]; /* counter-clockwise from outside */
};

static struct d3_vec_d corner_at(const struct solid_search *search, uint32_t i)
{
	return d3_transform_point_d(&search->transform, d3_widen(d3_proxy_points(search->flat)[i]));
}

/* n . (corner - p), with p the solid's point farthest along n: s(n), if the corner is the lowest along n. *on_solid: p. */
static double separation_along(
	const struct solid_search *search, struct d3_vec_d n, struct d3_vec_d corner, struct d3_vec_d *on_solid)
{
	*on_solid = d3_core_farthest(search->solid, n);
	return d3_dot_d(n, d3_sub_d(corner, *on_solid));
}

/* Chooses the side of a triangle along whose normal s is greater; *out: s and its points there. face->thin: the least overlap
 * may be on the other side. False: the triangle has no area. */
static bool triangle_face(const struct solid_search *search, struct flat_face *face, struct maximum *out)
{
	struct d3_vec_d a = corner_at(search, 0), b = corner_at(search, 1), c = corner_at(search, 2);
	struct d3_vec_d across = d3_cross_d(d3_sub_d(b, a), d3_sub_d(c, a)), other;
	double length = d3_length_d(across);
	if (!(length > 0))
		return false;
	struct d3_vec_d n = d3_scale_d(1 / length, across);
	double along = separation_along(search, n, a, &out->on_solid), back = separation_along(search, d3_neg_d(n), a, &other);
	bool front = back > along;
	out->distance = front ? back : along;
	out->normal = front ? d3_neg_d(n) : n;
	out->on_solid = front ? other : out->on_solid;
	face->normal = d3_neg_d(out->normal);
	face->count = 3;
	face->corners[0] = a;
	face->corners[1] = front ? b : c;
	face->corners[2] = front ? c : b;
	face->thin = out->distance < 0 && min_d(along, back) > 4 * out->distance;
	return true;
}

/* The radius of a ball inside the core, about the origin of solid->frame. */
static double inner_radius(const struct d3_proxy *solid)
{
	struct d3_vec_d h = solid->half;
	switch (solid->type) {
	case D3_PROXY_CYLINDER: return min_d(h.x, h.y);
	case D3_PROXY_CONE: return h.y * min_d(1, h.x / sqrt(h.x * h.x + 4 * h.y * h.y));
	case D3_PROXY_ELLIPSOID: return min_d(h.x, min_d(h.y, h.z)) - solid->radius;
	default: return 0;
	}
}

static void consider_face(const struct solid_search *search, uint32_t i, struct maximum *best, uint32_t *best_face)
{
	const struct d3_hull_plane *plane = &search->flat->hull->planes[i];
	struct d3_vec_d outward = d3_turn_d(&search->transform.q, plane->normal);
	struct d3_vec_d n = d3_neg_d(outward);
	struct d3_vec_d p = d3_core_farthest(search->solid, n);
	double along = d3_dot_d(outward, d3_sub_d(p, search->transform.p)) - plane->offset;
	if (along > best->distance) {
		*best = (struct maximum){along, n, p};
		*best_face = i;
	}
}

/* Finds the face of a hull along whose normal s is greatest. Tests the face that the solid's centre is highest above, then
 * others for which the s of the solid's inner ball, an upper bound, exceeds the best. False: the face has too many corners. */
static bool hull_face(const struct solid_search *search, struct flat_face *face, struct maximum *out)
{
	const struct d3_hull *hull = search->flat->hull;
	struct d3_vec_d zero = {0, 0, 0}, middle = d3_inv_transform_point_d(&search->transform, zero);
	double inner = inner_radius(search->solid), highest = -INFINITY;
	uint32_t first = 0, best = 0;
	for (uint32_t i = 0; i < hull->face_count; ++i) {
		double height = d3_dot_d(hull->planes[i].normal, middle) - hull->planes[i].offset;
		first = height > highest ? i : first;
		highest = max_d(height, highest);
	}
	out->distance = -INFINITY;
	consider_face(search, first, out, &best);
	for (uint32_t i = 0; i < hull->face_count; ++i)
		if (i != first && d3_dot_d(hull->planes[i].normal, middle) - hull->planes[i].offset - inner > out->distance)
			consider_face(search, i, out, &best);
	uint32_t corners[D3_HULL_MAX];
	face->normal = d3_neg_d(out->normal);
	face->thin = false;
	face->count = d3_hull_face(hull, best, corners);
	for (uint32_t i = 0; i < face->count && face->count <= FACE_CORNERS; ++i)
		face->corners[i] = corner_at(search, corners[i]);
	return face->count <= FACE_CORNERS;
}

/* --- In the plane perpendicular to an edge -------------------------------------------------------------------------------- */

/* An edge, on the line from corner `a` along the unit vector e. The plane perpendicular to it has the axes u, along the
 * projection of the solid's axis, and w. */
struct edge_view {
	struct solid_search *search;
	const struct d3_proxy *solid;
	struct d3_vec_d a, e, u, w;
	double length;
	double stretch; /* component of the solid's axis along u; e.y is the one along e */
	double x, y; /* where the line crosses the plane: along u, and along w, >= 0 */
};

/* Keeps the maximum if it is the greatest so far and no corner of the hull is lower along its normal than its point on the
 * hull. */
static void consider(struct solid_search *search, const struct maximum *m)
{
	if (search->found && m->distance <= search->best.distance)
		return;
	struct d3_vec_d n = m->normal, delta = d3_inv_turn_d(&search->transform.q, d3_neg_d(n));
	double least = d3_dot_d(n, search->transform.p) - d3_core_reach(search->flat, &delta);
	if (!(d3_dot_d(n, m->on_solid) + m->distance - least <= rounding * search->scale))
		return;
	search->best = *m;
	search->found = true;
}

static void try_corner(struct solid_search *search, struct d3_vec_d corner)
{
	struct d3_round_closest closest;
	d3_round_closest_find(search->solid, corner, &closest);
	double distance = closest.distance + search->solid->radius;
	struct maximum m = {distance, closest.normal, d3_mul_add_d(corner, -distance, closest.normal)};
	consider(search, &m);
}

/* Considers a maximum of the edge's line if its point lies on the edge, else the maximum of the nearer corner. */
static void offer(const struct edge_view *view, double distance, struct d3_vec_d normal, struct d3_vec_d on_solid)
{
	struct maximum m = {distance, normal, on_solid};
	double at = d3_dot_d(d3_sub_d(on_solid, view->a), view->e);
	if (at < 0)
		try_corner(view->search, view->a);
	else if (at > view->length)
		try_corner(view->search, d3_mul_add_d(view->a, view->length, view->e));
	else
		consider(view->search, &m);
}

static inline struct d3_vec_d view_normal(const struct edge_view *view, double c, double s)
{
	return d3_add_d(d3_scale_d(c, view->u), d3_scale_d(s, view->w));
}

/* One step of Newton's method from (c, s) towards the direction of the greatest g = c x + s y - sqrt(a^2 c^2 + b^2 s^2).
 * Derivatives are with respect to the angle: g'' = -(g + radius of curvature). *step: the angle of the step [rad], *concave:
 * g'' < 0. */
static void ellipse_step(double a, double b, double x, double y, double c, double s, double *step, bool *concave)
{
	double support = sqrt(a * a * c * c + b * b * s * s), g = c * x + s * y - support;
	double slope = c * y - s * x - (b * b - a * a) * s * c / support, radius = a * a * b * b / (support * support * support);
	*concave = g + radius > 0;
	*step = slope / fabs(g + radius);
}

/* The outward normal (c, s) of an ellipse with half axes a and b > 0 at its point closest to (x, y), x and y >= 0: the
 * direction of the greatest g, which is in the first quadrant. */
static void ellipse_normal(double a, double b, double x, double y, double *c, double *s)
{
	double low_c = 1, low_s = 0, high_c = 0, high_s = 1;
	double from_c = x * b / a, from_s = y * a / b, length = sqrt(from_c * from_c + from_s * from_s);
	*c = length > 0 ? from_c / length : a < b;
	*s = length > 0 ? from_s / length : !(a < b);
	for (int i = 0; i < 64; ++i) {
		double step;
		bool concave;
		ellipse_step(a, b, x, y, *c, *s, &step, &concave);
		if (step > 0) {
			low_c = *c;
			low_s = *s;
		} else {
			high_c = *c;
			high_s = *s;
		}
		double next_c = *c - step * *s, next_s = *s + step * *c;
		if (!concave || !(low_c * next_s - low_s * next_c >= 0 && next_c * high_s - next_s * high_c >= 0)) {
			next_c = low_c + high_c;
			next_s = low_s + high_s;
			step = 1;
		}
		length = 1 / sqrt(next_c * next_c + next_s * next_s);
		*c = next_c * length;
		*s = next_s * length;
		if (fabs(step) < 1e-8)
			return;
	}
}

/* As ellipse_normal for a point with x <= 0, but at the opposite end, c > 0: the normal of a local maximum of g. The search
 * starts from the ellipse's normal at height y. False: there is no such maximum. */
static bool ellipse_end_normal(double a, double b, double x, double y, double *c, double *s)
{
	double rest = b * b - y * y;
	if (!(rest > 0))
		return false;
	double from_c = b * sqrt(rest), from_s = y * a, length = sqrt(from_c * from_c + from_s * from_s), step = 1;
	*c = from_c / length;
	*s = from_s / length;
	for (int i = 0; i < 16 && fabs(step) >= 1e-8; ++i) {
		bool concave;
		ellipse_step(a, b, x, y, *c, *s, &step, &concave);
		double next_c = *c - step * *s, next_s = *s + step * *c;
		if (!concave || !(next_c > 0 && next_s >= 0))
			return false;
		length = 1 / sqrt(next_c * next_c + next_s * next_s);
		*c = next_c * length;
		*s = next_s * length;
	}
	return fabs(step) < 1e-8;
}

/* Considers the maximum at the rim of the end disc whose centre is y = along on the axis and that faces `side` (1: +y, -1: -y).
 * x: position of the edge's line along u, measured from the disc's centre towards `side`. end: only normals towards that side
 * count. Projected along an edge perpendicular to the axis, the disc is a line. */
static void try_rim(const struct edge_view *view, double along, double side, double x, bool end)
{
	double r = view->solid->half.x, a = r * fabs(view->e.y), y = view->y, c, s;
	struct d3_vec_d middle = {0, along, 0};
	if (a > rounding * r) {
		if (x > 0 || !end)
			ellipse_normal(a, r, fabs(x), y, &c, &s);
		else if (!ellipse_end_normal(a, r, x, y, &c, &s))
			return;
		c = x > 0 || end ? c : -c;
		struct d3_vec_d n = view_normal(view, side * c, s);
		double across = sqrt(n.x * n.x + n.z * n.z), part = across > 0 ? r / across : 0;
		offer(view, c * x + s * y - sqrt(a * a * c * c + r * r * s * s), n, (struct d3_vec_d){part * n.x, along, part * n.z});
		return;
	}
	if (y < r) {
		/* Projected along the axis, the edge's line crosses the disc in a chord; the disc's normal separates. The witness is a
		 * point of the chord, below the edge if possible. */
		double chord = sqrt(r * r - y * y), start = d3_dot_d(view->a, view->e);
		double at = clamp_d(clamp_d(0, start, start + view->length), -chord, chord);
		if (end)
			offer(view, x, view_normal(view, side, 0), d3_mul_add_d(d3_mul_add_d(middle, y, view->w), at, view->e));
		return;
	}
	double beyond = y - r, length = sqrt(x * x + beyond * beyond);
	if (length > 0)
		offer(view, length, view_normal(view, side * x / length, beyond / length), d3_mul_add_d(middle, r, view->w));
}

/* Considers the side's generator at w and, if the edge passes near the axis, the one at -w; then the rims. */
static void try_cylinder(const struct edge_view *view)
{
	double r = view->solid->half.x, h = view->solid->half.y, side = view->x < 0 ? -1 : 1;
	double flat = h * view->stretch, beyond = side * view->x - flat, deep = view->search->deep;
	if (beyond <= 0) {
		struct d3_vec_d on_axis = {0, view->x / view->stretch, 0};
		offer(view, view->y - r, view->w, d3_mul_add_d(on_axis, r, view->w));
		if (view->y + r <= deep)
			offer(view, -view->y - r, d3_neg_d(view->w), d3_mul_add_d(on_axis, -r, view->w));
	}
	if (beyond > 0 || view->y < r)
		try_rim(view, side * h, side, beyond, true);
	if (beyond <= 0 && view->y < r && flat + side * view->x <= 2 * deep)
		try_rim(view, -side * h, -side, -side * view->x - flat, true);
}

/* Considers the cone's generator with the normal (c, s) in the plane. The witness is at the fraction along / whole of it, from
 * apex to base. */
static void offer_mantle(const struct edge_view *view, double c, double s, double along, double whole, double height)
{
	double r = view->solid->half.x, h = view->solid->half.y;
	struct d3_vec_d n = view_normal(view, c, s);
	double across = sqrt(n.x * n.x + n.z * n.z), part = along / whole, radius = part * r / across;
	offer(view, height, n, (struct d3_vec_d){radius * n.x, h - 2 * h * part, radius * n.z});
}

/* Considers the tangents from the projected apex to the base's ellipse: the one with the normal (c, s) and, if the edge passes
 * near the axis, the one on the other side. Then considers the apex or the rim. */
static void try_cone(const struct edge_view *view)
{
	double r = view->solid->half.x, h = view->solid->half.y, a = r * fabs(view->e.y), high = 2 * h * view->stretch;
	double x = view->x - h * view->stretch, from_base = -view->x - h * view->stretch, y = view->y;
	if (!(high > a)) {
		try_rim(view, -h, -1, from_base, false);
		return;
	}
	double c = r, s = sqrt((high - a) * (high + a)), length = 1 / sqrt(c * c + s * s);
	c *= length;
	s *= length;
	double along = c * y - s * x, back = -c * y - s * x, height = c * x + s * y;
	double whole = s * (high - a * a / high) + c * r * r * s / (high * c);
	if (back >= 0 && back <= whole && c * x - s * y >= -view->search->deep)
		offer_mantle(view, c, -s, back, whole, c * x - s * y);
	if (along < 0) {
		double distance = sqrt(x * x + y * y);
		offer(view, distance, view_normal(view, x / distance, y / distance), (struct d3_vec_d){0, h, 0});
		return;
	}
	if (along <= whole)
		offer_mantle(view, c, s, along, whole, height);
	if (along > whole || height < 0)
		try_rim(view, -h, -1, from_base, along <= whole);
}

/* Considers the maximum of an edge at a tapered capsule, as closest_on_tapered in penetration.c. The projected core is shorter,
 * but as wide. */
static void try_tapered(const struct edge_view *view)
{
	double r = view->solid->half.x, h = view->solid->half.y, high = 2 * h * view->stretch;
	double x = view->x + h * view->stretch, y = view->y;
	double taper = high > r ? r / high : 1, c = sqrt((1 - taper) * (1 + taper)), t = x * c - y * taper;
	if (taper < 1 && t > 0 && t < high * c) {
		double part = t / (high * c), radius = r * (1 - part);
		struct d3_vec_d n = view_normal(view, taper, c), on_axis = {0, (2 * part - 1) * h, 0};
		offer(view, c * y + taper * x - r, n, d3_mul_add_d(on_axis, radius, n));
		return;
	}
	bool tip = taper < 1 && t > 0;
	double beyond = tip ? x - high : x, radius = tip ? 0 : r, length = sqrt(beyond * beyond + y * y);
	if (!(length > 0))
		return;
	struct d3_vec_d n = view_normal(view, beyond / length, y / length), middle = {0, tip ? h : -h, 0};
	offer(view, length - radius, n, d3_mul_add_d(middle, radius, n));
}

/* Considers the maximum of an edge parallel to the solid's axis. */
static void try_along_axis(const struct edge_view *view)
{
	const struct d3_proxy *solid = view->solid;
	double across = sqrt(view->a.x * view->a.x + view->a.z * view->a.z), r = solid->half.x, h = solid->half.y, from = view->a.y;
	if (!(across > 0))
		return;
	struct d3_vec_d n = {view->a.x / across, 0, view->a.z / across};
	double to = from + view->e.y * view->length, y = clamp_d(clamp_d(0, min_d(from, to), max_d(from, to)), -h, h);
	struct d3_vec_d on_axis = {0, solid->type == D3_PROXY_CYLINDER ? y : -h, 0};
	offer(view, across - r, n, d3_mul_add_d(on_axis, r, n));
}

/* Considers the maximum of an edge at an ellipsoid. Projected along the edge it is an ellipse: the squares of its half axes are
 * the eigenvalues of diag(h.x^2, h.y^2, h.z^2) restricted to the plane. The core is offset inwards by the radius, and so has
 * the same normals. */
static void try_ellipsoid(const struct edge_view *view)
{
	struct d3_vec_d h = view->solid->half, u = d3_across_d(view->e), w = d3_cross_d(view->e, u);
	struct d3_vec_d of_u = {h.x * u.x, h.y * u.y, h.z * u.z}, of_w = {h.x * w.x, h.y * w.y, h.z * w.z};
	double uu = d3_dot_d(of_u, of_u), ww = d3_dot_d(of_w, of_w), uw = d3_dot_d(of_u, of_w);
	double middle = 0.5 * (uu + ww), half = 0.5 * (uu - ww), root = sqrt(half * half + uw * uw);
	double along_u = half > 0 ? half + root : uw, along_w = half > 0 ? uw : root - half;
	double length = sqrt(along_u * along_u + along_w * along_w);
	double k = length > 0 ? along_u / length : 1, l = length > 0 ? along_w / length : 0, c, s;
	struct d3_vec_d first = d3_add_d(d3_scale_d(k, u), d3_scale_d(l, w)), second = d3_cross_d(view->e, first);
	double x = d3_dot_d(view->a, first), y = d3_dot_d(view->a, second);
	ellipse_normal(sqrt(middle + root), sqrt(max_d(middle - root, 0)), fabs(x), fabs(y), &c, &s);
	struct d3_vec_d n = d3_add_d(d3_scale_d(x < 0 ? -c : c, first), d3_scale_d(y < 0 ? -s : s, second));
	struct d3_vec_d p = d3_core_farthest(view->solid, n);
	offer(view, d3_dot_d(n, d3_sub_d(view->a, p)), n, p);
}

/* Considers the maxima of an edge. */
static void try_edge(struct solid_search *search, struct d3_vec_d from, struct d3_vec_d to)
{
	struct d3_vec_d delta = d3_sub_d(to, from);
	double length = d3_length_d(delta);
	if (!(length > 0))
		return;
	struct edge_view view = {
		.search = search, .solid = search->solid, .a = from, .e = d3_scale_d(1 / length, delta), .length = length};
	view.stretch = sqrt(view.e.x * view.e.x + view.e.z * view.e.z);
	if (view.solid->type == D3_PROXY_ELLIPSOID) {
		try_ellipsoid(&view);
	} else if (!(view.stretch > rounding)) {
		try_along_axis(&view);
	} else {
		double part = 1 / view.stretch;
		view.u = (struct d3_vec_d){-view.e.y * part * view.e.x, view.stretch, -view.e.y * part * view.e.z};
		view.w = (struct d3_vec_d){-part * view.e.z, 0, part * view.e.x};
		view.x = d3_dot_d(view.a, view.u);
		view.y = d3_dot_d(view.a, view.w);
		view.w = view.y < 0 ? d3_neg_d(view.w) : view.w;
		view.y = fabs(view.y);
		if (view.solid->type == D3_PROXY_CYLINDER)
			try_cylinder(&view);
		else if (view.solid->type == D3_PROXY_CONE)
			try_cone(&view);
		else
			try_tapered(&view);
	}
}

/* --- All features --------------------------------------------------------------------------------------------------------- */

/* Considers the flat ends of a cylinder or cone: the hull's corner deepest along an end's normal gives its s. */
static void try_ends(struct solid_search *search)
{
	enum d3_proxy_type type = search->solid->type;
	for (int end = type == D3_PROXY_CYLINDER ? 1 : -1; end >= -1 && (type == D3_PROXY_CYLINDER || type == D3_PROXY_CONE);
		 end -= 2) {
		struct d3_vec_d n = {0, end, 0}, delta = d3_inv_turn_d(&search->transform.q, d3_neg_d(n));
		struct d3_vec_d corner = d3_transform_point_d(&search->transform, d3_core_support(search->flat, delta));
		double distance = end * corner.y - search->solid->half.y, r = search->solid->half.x;
		struct maximum m = {distance, n, d3_mul_add_d(corner, -distance, n)};
		if (corner.x * corner.x + corner.z * corner.z <= r * r)
			consider(search, &m);
	}
}

/* Considers the face's normal if the solid's deepest point projects into the face. Then considers each edge that the projection
 * is beyond, or closer to than the overlap is deep. True: the result is final, as the sets are separated, or as no edge is that
 * close and the face is not thin. */
static bool try_face(struct solid_search *search, const struct flat_face *face, const struct maximum *m)
{
	struct d3_vec_d x = d3_mul_add_d(m->on_solid, m->distance, m->normal);
	double near = m->distance < 0 ? m->distance : 0;
	bool over = true, beside[FACE_CORNERS], inside = !face->thin;
	for (uint32_t k = 0; k < face->count; ++k) {
		struct d3_vec_d from = face->corners[k], delta = d3_sub_d(face->corners[k + 1 < face->count ? k + 1 : 0], from);
		double beyond = d3_dot_d(d3_cross_d(delta, face->normal), d3_sub_d(x, from)), square = d3_dot_d(delta, delta);
		beside[k] = beyond > 0 || beyond * beyond < near * near * square;
		over = over && !(beyond > 0);
		inside = inside && !beside[k];
	}
	if (over)
		consider(search, m);
	if (search->found && (inside || search->best.distance >= 0))
		return true;
	for (uint32_t k = 0; k < face->count; ++k) {
		if (beside[k])
			try_edge(search, face->corners[k], face->corners[k + 1 < face->count ? k + 1 : 0]);
		if (search->found && search->best.distance >= 0)
			return true;
	}
	return false;
}

/* Considers the maximum of a corner at the side of a cylinder or cone. A corner inside may be nearer to a flat end, which
 * try_corner finds, although the result is at the side. */
static void try_side(struct solid_search *search, struct d3_vec_d corner)
{
	enum d3_proxy_type type = search->solid->type;
	double r = search->solid->half.x, h = search->solid->half.y, across = sqrt(corner.x * corner.x + corner.z * corner.z);
	if ((type != D3_PROXY_CYLINDER && type != D3_PROXY_CONE) || !(across > 0))
		return;
	double slant = type == D3_PROXY_CONE ? sqrt(r * r + 4 * h * h) : 0;
	double c = slant > 0 ? 2 * h / slant : 1, s = slant > 0 ? r / slant : 0;
	double distance = c * across + s * corner.y - (slant > 0 ? s * h : r);
	struct d3_vec_d n = {c * corner.x / across, s, c * corner.z / across}, p = d3_mul_add_d(corner, -distance, n);
	struct maximum m = {distance, n, p};
	if (fabs(p.y) <= h)
		consider(search, &m);
}

/* Whether an edge (or a corner, if from = to) may have a greater maximum: only if its distance from the solid's bounding ball
 * is at most the overlap found. */
static bool may_be_greater(const struct solid_search *search, struct d3_vec_d from, struct d3_vec_d to)
{
	if (!search->found)
		return true;
	struct d3_vec_d delta = d3_sub_d(to, from), h = search->solid->half;
	double square = d3_dot_d(delta, delta), part = square > 0 ? clamp_d(-d3_dot_d(from, delta) / square, 0, 1) : 0;
	struct d3_vec_d x = d3_mul_add_d(from, part, delta);
	double reach = d3_length_d(h) - min_d(search->best.distance, 0);
	return d3_dot_d(x, x) <= reach * reach;
}

static void try_edge_near(struct solid_search *search, struct d3_vec_d from, struct d3_vec_d to)
{
	if (may_be_greater(search, from, to))
		try_edge(search, from, to);
}

/* Considers the maxima of all edges, corners and flat ends. False: the hull has too many edges. */
static bool try_all(struct solid_search *search)
{
	const struct d3_hull *hull = search->flat->hull;
	if (hull && hull->edge_count > 2 * HULL_EDGES)
		return false;
	for (uint32_t i = 0; hull && i < hull->edge_count; i += 2)
		try_edge_near(search, corner_at(search, hull->edges[i].origin), corner_at(search, hull->edges[i + 1].origin));
	for (uint32_t i = 0; i < search->flat->count; ++i) {
		struct d3_vec_d corner = corner_at(search, i);
		if (hull == NULL && (i > 0 || search->flat->count > 2)) /* a segment has one edge */
			try_edge_near(search, corner_at(search, i > 0 ? i - 1 : 2), corner);
		if (may_be_greater(search, corner, corner)) {
			try_corner(search, corner);
			try_side(search, corner);
		}
	}
	try_ends(search);
	return true;
}

/* Converts the corners' transform from the frame of the solid's shape to solid->frame. */
static struct d3_transform_d transform_in_solid(const struct d3_proxy *solid, const struct d3_transform_d *flat_in_other)
{
	return (struct d3_transform_d){
		d3_inv_transform_point_d(&solid->frame, flat_in_other->p), d3_inv_mul_rot_d(&solid->frame.q, &flat_in_other->q)};
}

static bool is_round(const struct d3_proxy *proxy)
{
	return proxy->type != D3_PROXY_POINTS && proxy->type != D3_PROXY_HALF_SPACE;
}

static void start_search(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct solid_search *search)
{
	bool first = is_round(a);
	search->solid = first ? a : b;
	search->flat = first ? b : a;
	if (first) {
		search->transform = transform_in_solid(a, b_in_a);
	} else {
		struct d3_vec_d zero = {0, 0, 0};
		struct d3_transform_d back = {d3_inv_transform_point_d(b_in_a, zero), d3_inv_rot_d(&b_in_a->q)};
		search->transform = transform_in_solid(b, &back);
	}
	struct d3_vec_d half = search->solid->half, p = search->transform.p;
	search->scale = half.x + half.y + half.z + fabs(p.x) + fabs(p.y) + fabs(p.z) + search->flat->reach;
	search->deep = search->solid->radius > 0 ? 0 : deep_tolerance * min_d(half.x, half.y);
	search->found = false;
}

bool d3_round_separation(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, double enough,
	struct d3_separation *out)
{
	struct solid_search search;
	struct flat_face face;
	struct maximum of_face;
	if (is_round(a) == is_round(b) || (is_round(a) ? b : a)->type != D3_PROXY_POINTS)
		return false;
	double least = -INFINITY;
	start_search(a, b, b_in_a, &search);
	if (search.flat->count == 2) {
		try_edge(&search, corner_at(&search, 0), corner_at(&search, 1));
		if (!(search.found && search.best.distance >= 0))
			try_all(&search);
	} else {
		if (search.flat->hull ? !hull_face(&search, &face, &of_face)
							  : search.flat->count != 3 || !triangle_face(&search, &face, &of_face))
			return false;
		least = of_face.distance;
		if (of_face.distance - a->radius - b->radius > enough) {
			search.best = of_face;
			search.found = true;
		} else if (!try_face(&search, &face, &of_face) && !try_all(&search)) {
			return false;
		}
	}
	/* The separation along the face's normal is a lower bound of the result. */
	if (!search.found || !(search.best.distance >= -search.deep) || search.best.distance < least - rounding * search.scale)
		return false;
	bool first = search.solid == a;
	struct d3_vec_d n = d3_turn_d(&search.solid->frame.q, search.best.normal);
	struct d3_vec_d p = d3_transform_point_d(&search.solid->frame, search.best.on_solid);
	if (!first) {
		n = d3_neg_d(d3_turn_d(&b_in_a->q, n));
		p = d3_mul_add_d(d3_transform_point_d(b_in_a, p), -search.best.distance, n);
	}
	d3_separation_set(a, b, p, search.best.distance, n, out);
	return true;
}
