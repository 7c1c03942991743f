/* gjk.c - distance by GJK, penetration depth by EPA in 2D.
 * Both work on the Minkowski difference M, the set of all b - a of points of the two cores. The distance between the cores is
 * that of M from the origin. The cores overlap if M contains the origin; then the point of M's boundary closest to the origin
 * is the shortest translation of A that separates them.
 * Sources: Gilbert, Johnson, Keerthi, "A fast procedure for computing the distance between complex objects", 1988; van den
 * Bergen, "Proximity queries and penetration depth computation on 3D game objects", 2001.
 * Pure, any thread. */
#include "d2/query/gjk.h"

#include <string.h>

enum {
	GJK_ITERATIONS = 64, /* polygons need under 10, ellipses under 20 */
	EPA_POINTS = 96 /* each vertex quarters the error of its edge; ellipses need about 30 */
};

/* Relative tolerances. */
struct tolerances {
	double contact; /* distances below this fraction of M's size count as contact: the direction would be rounding noise */
	double progress; /* GJK stops when no step could shorten the distance by more than this fraction */
	double depth; /* EPA stops when M extends beyond the nearest edge by no more than this fraction of M's size */
};

/* `usual` serves worlds: normals accurate to 1e-6 rad. `exact` serves queries without a world: as accurate as doubles allow. */
static const struct tolerances usual = {1e-10, 1e-12, 1e-9}, exact = {1e-14, 1e-15, 1e-14};
/* Relative tolerance: vertices closer to each other are merged, since the direction of their edge would be rounding noise. */
static const double exact_weld_tolerance = 1e-12;
static const double endless = 1e18;

struct pair {
	const struct d2_proxy *a, *b;
	struct d2_transform_d b_in_a;
	const struct tolerances *tolerances;
	int points; /* maximum number of EPA's vertices */
	double scale; /* greatest |coordinate| of the proxies' points and half axes; 0: tolerances are relative to M's size alone */
	double weld; /* closer vertices are merged [length] */
	bool swept; /* test only whether M, swept and widened by `reach`, contains the origin */
	struct d2_vec_d sweep; /* M's displacement, which is the opposite of A's */
	double reach;
	struct d2_gjk_trace *trace; /* NULL: no trace */
	struct d2_epa_trace *epa_trace;
};

static double scale_of(const struct d2_proxy *proxy)
{
	double scale = proxy->type == D2_PROXY_POINTS ? 0 : max_d(abs_d(proxy->axes.x), abs_d(proxy->axes.y));
	for (uint32_t i = 0; i < proxy->count; ++i)
		scale = max_d(scale, max_d(abs_d(proxy->points[i].x), abs_d(proxy->points[i].y)));
	return scale;
}

static struct pair make_exact_pair(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a)
{
	struct pair pair = {.a = a, .b = b, .b_in_a = *b_in_a, .tolerances = &exact, .points = D2_EPA_STEPS};
	pair.scale = max_d(scale_of(a), scale_of(b));
	pair.weld = exact_weld_tolerance * pair.scale;
	return pair;
}

double d2_proxy_size(const struct d2_proxy *proxy)
{
	struct d2_vec_d lower, upper;
	if (proxy->type == D2_PROXY_HALF_PLANE)
		return INFINITY;
	if (proxy->type == D2_PROXY_ELLIPSE)
		return max_d(proxy->axes.x, proxy->axes.y);
	d2_proxy_bounds(proxy, &lower, &upper);
	return 0.5 * max_d(upper.x - lower.x, upper.y - lower.y) + proxy->radius;
}

/* An ellipse with half axes a, b has the support point (a^2 nx, b^2 ny)/sqrt(a^2 nx^2 + b^2 ny^2) along the unit vector n, in
 * the frame of its axes. Its inner parallel curve at distance r has that point minus r n. The curve is convex if r is at most
 * the ellipse's least radius of curvature. */
struct d2_vec_d d2_core_support(const struct d2_proxy *proxy, struct d2_vec_d d)
{
	if (proxy->type == D2_PROXY_ELLIPSE) {
		double length = d2_length_d(d);
		struct d2_vec_d n = length > 0 ? d2_scale_d(1 / length, d2_inv_turn_d(proxy->rotation, d)) : (struct d2_vec_d){1, 0};
		struct d2_vec_d stretched = {proxy->axes.x * n.x, proxy->axes.y * n.y};
		double inverse = 1 / d2_length_d(stretched);
		struct d2_vec_d p = {proxy->axes.x * stretched.x * inverse - proxy->radius * n.x,
			proxy->axes.y * stretched.y * inverse - proxy->radius * n.y};
		return d2_add_d(d2_widen(proxy->points[0]), d2_turn_d(proxy->rotation, p));
	}
	return d2_widen(proxy->points[d2_proxy_farthest(proxy, d)]);
}

/* The support vertex of M along d, in A's frame; of the swept M if pair->swept. */
static struct d2_vertex support(const struct pair *pair, struct d2_vec_d d)
{
	struct d2_vertex v;
	v.a = d2_core_support(pair->a, d2_neg_d(d));
	v.b = d2_transform_point_d(&pair->b_in_a, d2_core_support(pair->b, d2_inv_turn_d(pair->b_in_a.q, d)));
	if (pair->swept && d2_dot_d(d, pair->sweep) > 0)
		v.b = d2_add_d(v.b, pair->sweep);
	v.w = d2_sub_d(v.b, v.a);
	return v;
}

/* The point of the edge from u to v closest to the origin, as a fraction of the edge. */
static double nearest_part(struct d2_vec_d u, struct d2_vec_d v)
{
	struct d2_vec_d delta = d2_sub_d(v, u);
	double square = d2_dot_d(delta, delta);
	return square > 0 ? clamp_d(-d2_dot_d(u, delta) / square, 0, 1) : 0;
}

static struct d2_vec_d mix(struct d2_vec_d u, struct d2_vec_d v, double part)
{
	return d2_mul_add_d(u, part, d2_sub_d(v, u));
}

/* The point closest to the origin on the line through u and v, computed along the normal so that its direction is exact even
 * near the origin. */
static struct d2_vec_d closest(struct d2_vec_d u, struct d2_vec_d v)
{
	struct d2_vec_d delta = d2_sub_d(v, u);
	double height = d2_cross_d(u, delta) / d2_dot_d(delta, delta);
	return (struct d2_vec_d){height * delta.y, -height * delta.x};
}

/* Sets the simplex to the one or two vertices of the edge u v that carry its point closest to the origin. Returns that point's
 * squared distance from the origin. */
static double take_edge(struct d2_simplex *s, const struct d2_vertex *u, const struct d2_vertex *v)
{
	double part = nearest_part(u->w, v->w);
	struct d2_vertex first = part < 1 ? *u : *v, second = *v;
	s->v[0] = first;
	s->v[1] = second;
	s->count = part > 0 && part < 1 ? 2 : 1;
	s->part = s->count == 2 ? part : 0;
	s->nearest = s->count == 2 ? closest(u->w, v->w) : first.w;
	return d2_dot_d(s->nearest, s->nearest);
}

static bool contains_origin(const struct d2_simplex *s)
{
	double c0 = d2_cross_d(s->v[0].w, s->v[1].w), c1 = d2_cross_d(s->v[1].w, s->v[2].w), c2 = d2_cross_d(s->v[2].w, s->v[0].w);
	return (c0 > 0 && c1 > 0 && c2 > 0) || (c0 < 0 && c1 < 0 && c2 < 0);
}

/* Adds a vertex and reduces the simplex to the feature that carries its point closest to the origin. False: the triangle
 * contains the origin. The edge between the old vertices cannot be that feature: the new vertex is beyond it, on the origin's
 * side. */
static bool grow(struct d2_simplex *s, const struct d2_vertex *fresh)
{
	struct d2_vertex old0 = s->v[0], old1 = s->v[1];
	if (s->count == 1) {
		take_edge(s, &old0, fresh);
		return true;
	}
	s->v[2] = *fresh;
	if (contains_origin(s))
		return false;
	struct d2_simplex other;
	double square0 = take_edge(s, &old0, fresh), square1 = take_edge(&other, &old1, fresh);
	if (square1 < square0)
		*s = other;
	return true;
}

static void trace_step(const struct pair *pair, const struct d2_simplex *s)
{
	if (pair->trace && pair->trace->count <= D2_GJK_STEPS)
		pair->trace->steps[pair->trace->count++] = *s;
}

/* GJK: fills *s with the closest points of separated cores. False: the cores overlap or touch; in a swept test, the widened
 * sets do. A swept test ends as soon as a bound of M's distance from the origin decides: that of the simplex, which is inside
 * M, is an upper bound; that of the last support line is a lower one. Source of the early exit: van den Bergen, "Collision
 * detection in interactive 3D environments", 2003, 4.3. */
static bool find_nearest(const struct pair *pair, struct d2_simplex *s, int *iterations)
{
	struct d2_vec_d start = d2_neg_d(pair->b_in_a.p);
	if (!pair->swept && start.x == 0 && start.y == 0)
		start.x = 1;
	s->v[0] = support(pair, start);
	s->count = 1;
	s->part = 0;
	s->nearest = s->v[0].w;
	double contact = pair->tolerances->contact, size = 0, square = d2_dot_d(s->nearest, s->nearest);
	double reach_square = pair->reach * pair->reach;
	for (*iterations = 1; *iterations < GJK_ITERATIONS; ++*iterations) {
		for (int i = 0; i < s->count; ++i)
			size = max_d(size, d2_dot_d(s->v[i].w, s->v[i].w));
		trace_step(pair, s);
		if (square <= max_d(reach_square, contact * contact * size))
			return false;
		struct d2_vertex fresh = support(pair, d2_neg_d(s->nearest));
		double beyond = d2_dot_d(s->nearest, fresh.w);
		if (pair->swept && beyond > 0 && beyond * beyond > reach_square * square)
			return true;
		if (square - beyond <= pair->tolerances->progress * square)
			return true;
		struct d2_simplex before = *s;
		if (!grow(s, &fresh)) {
			s->count = 3;
			s->nearest = (struct d2_vec_d){0, 0};
			trace_step(pair, s);
			return false;
		}
		double now = d2_dot_d(s->nearest, s->nearest);
		if (now >= square) {
			*s = before;
			return true;
		}
		square = now;
	}
	return true;
}

/* A polygon inside M with its vertices on M's boundary, counter-clockwise. */
struct polytope {
	struct d2_vertex v[D2_EPA_STEPS];
	int count;
};

static bool same_point(const struct pair *pair, const struct d2_vertex *u, const struct d2_vertex *v)
{
	return abs_d(u->w.x - v->w.x) <= pair->weld && abs_d(u->w.y - v->w.y) <= pair->weld;
}

/* Starts with the support points of M along the axes, up to four different ones. If the origin is outside an edge, the edge's
 * distance is negative, so EPA expands it first. */
static void polytope_start(const struct pair *pair, struct polytope *hull)
{
	static const struct d2_vec_d directions[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
	hull->count = 0;
	for (int i = 0; i < 4; ++i) {
		struct d2_vertex v = support(pair, directions[i]);
		if (hull->count == 0 || (!same_point(pair, &v, &hull->v[hull->count - 1]) && !same_point(pair, &v, &hull->v[0])))
			hull->v[hull->count++] = v;
	}
}

/* The edge with the least signed distance from the origin (positive if the origin is inside), and its outward normal. -1: there
 * is no edge. */
static int nearest_edge(const struct polytope *hull, struct d2_vec_d *normal, double *distance)
{
	int best = -1;
	for (int i = 0; hull->count > 1 && i < hull->count; ++i) {
		struct d2_vec_d u = hull->v[i].w, delta = d2_sub_d(hull->v[i + 1 < hull->count ? i + 1 : 0].w, u);
		double length = d2_length_d(delta);
		if (!(length > 0))
			continue;
		struct d2_vec_d n = {delta.y / length, -delta.x / length};
		double d = d2_dot_d(n, u);
		if (best < 0 || d < *distance) {
			best = i;
			*normal = n;
			*distance = d;
		}
	}
	return best;
}

static void insert_after(struct polytope *hull, int i, const struct d2_vertex *v)
{
	for (int k = hull->count++; k > i + 1; --k)
		hull->v[k] = hull->v[k - 1];
	hull->v[i + 1] = *v;
}

static double size_of(const struct polytope *hull)
{
	double size = 0;
	for (int i = 0; i < hull->count; ++i)
		size = max_d(size, max_d(abs_d(hull->v[i].w.x), abs_d(hull->v[i].w.y)));
	return size;
}

/* Of the edges whose lines are at most distance + tolerance from the origin, returns the one with the point closest to it. EPA
 * may split an edge of M into collinear pieces, so this need not be `nearest`. With weld 0: `nearest`. */
static int piece_with_closest(
	const struct pair *pair, const struct polytope *hull, int nearest, double distance, double tolerance)
{
	int best = nearest;
	double least = INFINITY;
	for (int i = 0; pair->weld > 0 && i < hull->count; ++i) {
		struct d2_vec_d u = hull->v[i].w, v = hull->v[i + 1 < hull->count ? i + 1 : 0].w, delta = d2_sub_d(v, u);
		if (!(d2_cross_d(u, delta) <= (distance + tolerance) * d2_length_d(delta)))
			continue;
		struct d2_vec_d p = mix(u, v, nearest_part(u, v));
		if (d2_dot_d(p, p) < least) {
			least = d2_dot_d(p, p);
			best = i;
		}
	}
	return best;
}

/* EPA for overlapping cores: expands the polygon's edge nearest to the origin until M does not extend beyond that edge. Each
 * iteration but the last adds a vertex, up to pair->points. *out: the separation of the cores; out->iterations is added to, not
 * reset. */
static void find_depth(const struct pair *pair, struct d2_separation *out)
{
	struct polytope hull;
	polytope_start(pair, &hull);
	double tolerance = pair->tolerances->depth * max_d(size_of(&hull), pair->scale);
	if (pair->epa_trace) {
		pair->epa_trace->start_count = hull.count;
		memcpy(pair->epa_trace->start, hull.v, (size_t)hull.count * sizeof *hull.v);
	}
	for (;;) {
		struct d2_vec_d outward = {0, -1};
		double distance = 0;
		int i = nearest_edge(&hull, &outward, &distance);
		if (i < 0) { /* M is a point, as for concentric circles: any normal will do, say up */
			*out = (struct d2_separation){0, {0, 1}, hull.v[0].a, hull.v[0].b, out->iterations};
			return;
		}
		struct d2_vertex *u = &hull.v[i], *v = &hull.v[i + 1 < hull.count ? i + 1 : 0];
		struct d2_vertex fresh = support(pair, outward);
		++out->iterations;
		double beyond = d2_dot_d(outward, fresh.w) - distance;
		if (beyond <= tolerance || hull.count == pair->points || same_point(pair, &fresh, u) || same_point(pair, &fresh, v)) {
			i = piece_with_closest(pair, &hull, i, distance, tolerance);
			u = &hull.v[i];
			v = &hull.v[i + 1 < hull.count ? i + 1 : 0];
			double part = nearest_part(u->w, v->w);
			*out = (struct d2_separation){
				-distance, d2_neg_d(outward), mix(u->a, v->a, part), mix(u->b, v->b, part), out->iterations};
			return;
		}
		insert_after(&hull, i, &fresh);
		if (pair->epa_trace) {
			pair->epa_trace->steps[pair->epa_trace->count].after = i;
			pair->epa_trace->steps[pair->epa_trace->count++].fresh = fresh;
		}
	}
}

/* Converts *out from the separation of the cores to that of the rounded sets. */
static void widen(const struct pair *pair, struct d2_separation *out)
{
	double ra = pair->a->radius, rb = pair->b->radius;
	out->distance = out->distance - ra - rb;
	out->point_a = d2_mul_add_d(out->point_a, ra, out->normal);
	out->point_b = d2_mul_add_d(out->point_b, -rb, out->normal);
}

/* The separation of two half-planes. They overlap by `endless` unless their normals are opposite to within 1e-6 rad. */
static void half_planes_separation(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_separation *out)
{
	struct d2_vec_d n = d2_widen(a->axes), m = d2_turn_d(b_in_a->q, d2_widen(b->axes));
	double separation = -(b->offset + d2_dot_d(m, b_in_a->p)) - a->offset;
	bool opposite = d2_dot_d(n, m) < 0 && abs_d(d2_cross_d(n, m)) < 1e-6;
	struct d2_vec_d p = d2_scale_d(a->offset, n);
	*out = (struct d2_separation){opposite ? separation : -endless, n, p, d2_mul_add_d(p, opposite ? separation : 0, n), 0};
}

/* The separation of the half-plane A, n . p <= offset, from B. B's deepest point is its support point along -n. */
static void half_plane_separation(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_separation *out)
{
	if (b->type == D2_PROXY_HALF_PLANE) {
		half_planes_separation(a, b, b_in_a, out);
		return;
	}
	struct d2_vec_d n = d2_widen(a->axes);
	struct d2_vec_d deepest = d2_transform_point_d(b_in_a, d2_core_support(b, d2_inv_turn_d(b_in_a->q, d2_neg_d(n))));
	deepest = d2_mul_add_d(deepest, -b->radius, n);
	double distance = d2_dot_d(n, deepest) - a->offset;
	*out = (struct d2_separation){distance, n, d2_mul_add_d(deepest, -distance, n), deepest, 0};
}

/* Finds the separation by GJK, or by EPA if the cores overlap. False: they overlap. */
static bool find_separation(const struct pair *pair, struct d2_simplex *s, struct d2_separation *out)
{
	bool apart = find_nearest(pair, s, &out->iterations);
	if (apart) {
		out->distance = d2_length_d(s->nearest);
		out->normal = d2_scale_d(1 / out->distance, s->nearest);
		out->point_a = s->count == 2 ? mix(s->v[0].a, s->v[1].a, s->part) : s->v[0].a;
		out->point_b = s->count == 2 ? mix(s->v[0].b, s->v[1].b, s->part) : s->v[0].b;
	} else {
		find_depth(pair, out);
	}
	widen(pair, out);
	return apart;
}

/* --- For worlds ----------------------------------------------------------------------------------------------------------- */

/* Converts *out from the result for (B, A), in B's frame, to that for (A, B), in A's. */
static void turn_round(struct d2_gjk_result *out, const struct d2_transform *b_in_a)
{
	struct d2_vec point = d2_transform_point(*b_in_a, out->point_b);
	out->point_b = d2_transform_point(*b_in_a, out->point_a);
	out->point_a = point;
	out->normal = d2_neg(d2_rotate(b_in_a->q, out->normal));
}

static struct d2_transform_d widen_transform(struct d2_transform t)
{
	return (struct d2_transform_d){d2_widen(t.p), d2_widen_rot(t.q)};
}

void d2_gjk_distance(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform *b_in_a, struct d2_gjk_result *out)
{
	struct d2_separation found;
	bool turned = b->type == D2_PROXY_HALF_PLANE && a->type != D2_PROXY_HALF_PLANE;
	if (turned || a->type == D2_PROXY_HALF_PLANE) {
		struct d2_transform_d other = widen_transform(turned ? d2_inv_transform(*b_in_a) : *b_in_a);
		half_plane_separation(turned ? b : a, turned ? a : b, &other, &found);
	} else {
		struct pair pair = {.a = a, .b = b, .b_in_a = widen_transform(*b_in_a), .tolerances = &usual, .points = EPA_POINTS};
		struct d2_simplex s;
		find_separation(&pair, &s, &found);
	}
	*out = (struct d2_gjk_result){
		(float)found.distance, d2_narrow(found.normal), d2_narrow(found.point_a), d2_narrow(found.point_b)};
	if (turned)
		turn_round(out, b_in_a);
}

/* --- Without a world ------------------------------------------------------------------------------------------------------ */

bool d2_gjk(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_separation *out,
	struct d2_simplex *simplex, struct d2_gjk_trace *trace)
{
	struct pair pair = make_exact_pair(a, b, b_in_a);
	struct d2_simplex own;
	pair.trace = trace;
	bool apart = find_separation(&pair, simplex ? simplex : &own, out);
	out->point_b = d2_mul_add_d(out->point_a, out->distance, out->normal);
	return apart;
}

void d2_separation_find(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_separation *out)
{
	if (a->type == D2_PROXY_HALF_PLANE)
		half_plane_separation(a, b, b_in_a, out);
	else
		d2_gjk(a, b, b_in_a, out, NULL, NULL);
}

void d2_epa(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_separation *out,
	struct d2_epa_trace *trace)
{
	struct pair pair = make_exact_pair(a, b, b_in_a);
	pair.epa_trace = trace;
	if (trace)
		trace->count = 0;
	out->iterations = 0;
	find_depth(&pair, out);
	widen(&pair, out);
	out->point_b = d2_mul_add_d(out->point_a, out->distance, out->normal);
}

bool d2_gjk_overlaps(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a,
	struct d2_vec_d sweep, int *iterations)
{
	struct pair pair = make_exact_pair(a, b, b_in_a);
	struct d2_simplex s;
	pair.swept = true;
	pair.sweep = d2_neg_d(sweep);
	pair.reach = (double)a->radius + b->radius;
	return !find_nearest(&pair, &s, iterations);
}
