/* shape_cast.c - see shape_cast.h. A moving ball is cast as a ray against the other shape, widened by the ball's radius; two
 * capsules, as a ray against their Minkowski difference. Other pairs use Newton's steps on the distance. */
#include "d3/query/shape_cast_parts.h"

#include <assert.h>

/* --- One pair ------------------------------------------------------------------------------------------------------------- */

enum { CAST_ITERATIONS = 128 }; /* a step halves the error where A grazes B, else it squares the error */

static bool is_half_space(const struct d3_proxy *proxy)
{
	return proxy->type == D3_PROXY_HALF_SPACE;
}

void d3_cast_query(const struct flight *f, double s, struct d3_separation *out, int *iterations)
{
	struct d3_transform_d b_in_a = {d3_mul_add_d(f->b_in_a.p, -s, f->u), f->b_in_a.q};
	if (f->method == D3_CAST_GJK && !is_half_space(f->a) && !is_half_space(f->b))
		d3_gjk(f->a, f->b, &b_in_a, out, NULL, NULL);
	else
		d3_separation_find(f->a, f->b, &b_in_a, out);
	out->point_b = d3_mul_add_d(out->point_b, s, f->u);
	++*iterations;
}

/* The separation along n when A has moved by s: never more than the distance. */
static double separation(const struct flight *f, double s, struct d3_vec_d n)
{
	struct d3_vec_d back = d3_neg_d(d3_inv_turn_d(&f->b_in_a.q, n));
	struct d3_vec_d a = d3_core_support(f->a, n), b = d3_transform_point_d(&f->b_in_a, d3_core_support(f->b, back));
	return d3_dot_d(n, d3_sub_d(d3_mul_add_d(b, -s, f->u), a)) - f->a->radius - f->b->radius;
}

/* As `separation`, faster, but with the coordinates' rounding errors. */
static double separation_about(const struct flight *f, double s, struct d3_vec_d n)
{
	const struct d3_rot_d *q = &f->b_in_a.q;
	struct d3_vec_d back = {-d3_dot_d(q->x, n), -d3_dot_d(q->y, n), -d3_dot_d(q->z, n)};
	double between = d3_dot_d(n, f->b_in_a.p) - s * d3_dot_d(n, f->u);
	return between - d3_core_reach(f->b, &back) - d3_core_reach(f->a, &n) - f->a->radius - f->b->radius;
}

static void make_pair(struct flight *f)
{
	if (f->pair.a.proxy == f->a)
		return;
	d3_make_difference(f->a, f->b, &f->b_in_a, &f->pair);
	f->simplex.count = 0;
}

/* Sets f->simplex to the closest simplex of polytope cores when A has moved by s; starts from the last query's corners. b and w
 * of its vertices are relative to A's position at the start. False: the cores are not clearly apart. */
static bool query_corners(struct flight *f, double s)
{
	if (f->method == D3_CAST_GJK || f->a->type != D3_PROXY_POINTS || f->b->type != D3_PROXY_POINTS)
		return false;
	struct d3_transform_d b_in_a = {d3_mul_add_d(f->b_in_a.p, -s, f->u), f->b_in_a.q};
	if (!d3_corners_nearest(f->a, f->b, &b_in_a, &f->corners, &f->simplex)) {
		f->simplex.count = f->corners.count = 0;
		return false;
	}
	for (int i = 0; i < f->simplex.count; ++i) {
		f->simplex.v[i].b = d3_mul_add_d(f->simplex.v[i].b, s, f->u);
		f->simplex.v[i].w = d3_mul_add_d(f->simplex.v[i].w, s, f->u);
	}
	return true;
}

/* As d3_cast_query, but without the points, and GJK continues from the last simplex. Moving A by s along u moves the origin by
 * s u relative to the Minkowski difference. On round shapes GJK converges slowly and may stop early: its distance is then too
 * great for a step, while the separation along its normal never is. */
static void query_by_gjk(struct flight *f, double s, struct d3_separation *out, int *iterations)
{
	int own = 0;
	f->paired = false;
	bool apart = query_corners(f, s);
	if (!apart) {
		make_pair(f);
		apart = d3_difference_nearest(&f->pair, d3_scale_d(s, f->u), &f->simplex, &own, NULL);
		apart = apart && d3_length_d(f->simplex.nearest) > 1e-13 * f->pair.scale;
	}
	double core = d3_length_d(f->simplex.nearest);
	if (!apart) {
		d3_cast_query(f, s, out, iterations);
		return;
	}
	out->normal = d3_scale_d(1 / core, f->simplex.nearest);
	out->distance = core - f->a->radius - f->b->radius;
	if (f->a->type != D3_PROXY_POINTS || f->b->type != D3_PROXY_POINTS) {
		double sure = separation(f, s, out->normal);
		if (sure < out->distance - 1e-9 * out->distance - 0.25 * f->tolerance) {
			d3_cast_query(f, s, out, iterations);
			return;
		}
		out->distance = min_d(out->distance, sure);
	}
	++*iterations;
	f->paired = true;
}

/* Sets the last query's points from f->simplex, if that query left its simplex there (f->paired). */
static void set_points(const struct flight *f, struct d3_separation *near)
{
	struct d3_vec_d on_a, on_b;
	if (!f->paired)
		return;
	d3_simplex_points(&f->simplex, &on_a, &on_b);
	near->point_a = d3_mul_add_d(on_a, f->a->radius, near->normal);
	near->point_b = d3_mul_add_d(on_b, -f->b->radius, near->normal);
}

static void query(struct flight *f, double s, struct d3_separation *out, int *iterations)
{
	if (f->closed)
		d3_cast_query(f, s, out, iterations);
	else
		query_by_gjk(f, s, out, iterations);
}

/* Returns the offset from s to the root [length], 0 if it would exceed 1e6 tolerances. Replaces near->normal by the previous
 * normal, `before`, if the separation along that is greater, or if the last normal points against the motion: near a root it is
 * the direction of a nearly zero vector, and segments have no inside. The separation is a lower bound of the distance,
 * near->distance an upper bound. */
static double settle(const struct flight *f, double s, double sign, struct d3_vec_d before, struct d3_separation *near)
{
	double apart = near->distance;
	if (!is_half_space(f->a) && !is_half_space(f->b)) {
		double other = separation(f, s, before);
		apart = separation(f, s, near->normal);
		if (other > apart || !(sign * d3_dot_d(near->normal, f->u) > 0)) {
			struct d3_vec_d change = d3_sub_d(before, near->normal);
			near->point_a = d3_mul_add_d(near->point_a, f->a->radius, change);
			near->point_b = d3_mul_add_d(near->point_b, -f->b->radius, change);
			near->normal = before;
			apart = other;
		}
		apart = clamp_d(apart, 0, max_d(near->distance, 0));
	}
	double rest = apart / (sign * d3_dot_d(near->normal, f->u));
	return rest <= 1e6 * f->tolerance ? sign * rest : 0;
}

/* Whether the facet is known to be a parallelogram: the Minkowski difference has a fourth corner in the plane of the simplex's
 * three, diagonally opposite `corner`. Known are an edge of A crossed with one of B, and a corner of one against a face of the
 * other, a box along its body's axes. */
static bool is_parallelogram(const struct flight *f, int corner)
{
	const struct d3_corner_simplex *c = &f->corners;
	int i = (corner + 1) % 3, k = (corner + 2) % 3;
	if (c->count != 3)
		return false;
	uint32_t a_i = c->a[corner] ^ c->a[i], a_k = c->a[corner] ^ c->a[k];
	uint32_t b_i = c->b[corner] ^ c->b[i], b_k = c->b[corner] ^ c->b[k];
	if ((a_i | b_k) == 0 || (a_k | b_i) == 0)
		return true;
	bool face_a = (b_i | b_k) == 0 && f->a->straight, face_b = (a_i | a_k) == 0 && f->b->straight;
	uint32_t one = face_a ? a_i : b_i, other = face_a ? a_k : b_k;
	return (face_a || face_b) && (one & (one - 1)) == 0 && (other & (other - 1)) == 0;
}

/* Whether the point with these barycentric coordinates is on the simplex's facet. */
static bool is_on_facet(const struct flight *f, const double parts[3])
{
	static const double little = 1e-12;
	int least = parts[0] < parts[1] ? 0 : 1;
	least = parts[2] < parts[least] ? 2 : least;
	if (parts[least] > little)
		return true;
	double one = parts[(least + 1) % 3], other = parts[(least + 2) % 3];
	return min_d(one, other) > little && max_d(one, other) < 1 - little && is_parallelogram(f, least);
}

/* Whether A hits on the facet of a simplex with three vertices; sets *near and *s. gone: A's displacement so far. After the
 * further displacement `rest` the origin reaches the facet's plane, moved out by the radii. If it is then on the facet, this is
 * the contact: the Minkowski difference has no point beyond the plane. */
static bool hits_facet(const struct flight *f, double gone, double closing, double rest, struct d3_separation *near, double *s)
{
	const struct d3_simplex *simplex = &f->simplex;
	if (!f->paired || simplex->count != 3)
		return false;
	double at = gone + rest;
	struct d3_vec_d n = near->normal, q = d3_mul_add_d(d3_scale_d(at, f->u), f->a->radius + f->b->radius, n), p[3];
	for (int i = 0; i < 3; ++i)
		p[i] = d3_sub_d(simplex->v[i].w, q);
	double w[3] = {
		d3_dot_d(n, d3_cross_d(p[1], p[2])), d3_dot_d(n, d3_cross_d(p[2], p[0])), d3_dot_d(n, d3_cross_d(p[0], p[1]))};
	double sum = w[0] + w[1] + w[2], parts[3] = {w[0] / sum, w[1] / sum, w[2] / sum};
	if (!(closing != 0 && fabs(sum) > 0 && is_on_facet(f, parts)))
		return false;
	near->point_a = d3_scale_d(f->a->radius, n);
	near->point_b = d3_scale_d(-f->b->radius, n);
	for (int i = 0; i < 3; ++i) {
		near->point_a = d3_mul_add_d(near->point_a, parts[i], simplex->v[i].a);
		near->point_b = d3_mul_add_d(near->point_b, parts[i], simplex->v[i].b);
	}
	near->distance = 0;
	*s = at;
	return true;
}

/* Whether A hits on a simplex that is an edge or a corner; sets *near and *s. Casts the origin, from A's displacement `at` on,
 * against the capsule or ball around the simplex. The hit is the contact if the plane there separates the shapes. */
static bool hits_edge(const struct flight *f, double at, double sign, double limit, struct d3_separation *near, double *s)
{
	const struct d3_simplex *simplex = &f->simplex;
	double radius = f->a->radius + f->b->radius;
	if (!f->paired || simplex->count > 2 || !(radius > 0) || f->a->type != D3_PROXY_POINTS || f->b->type != D3_PROXY_POINTS)
		return false;
	struct d3_vec_d p = simplex->v[0].w, delta = d3_sub_d(simplex->v[simplex->count - 1].w, p);
	struct d3_ray ray = {.o = d3_scale_d(at, f->u), .u = d3_scale_d(sign, f->u), .reach = limit};
	d3_ray_capsule(&ray, p, d3_add_d(p, delta), radius);
	if (!ray.hit)
		return false;
	double then = at + sign * ray.reach;
	struct d3_vec_d n = d3_neg_d(ray.normal), closest = d3_mul_add_d(d3_scale_d(then, f->u), radius, n);
	if (!(separation_about(f, then, n) >= -0.1 * f->tolerance))
		return false;
	double square = d3_dot_d(delta, delta);
	double part = square > 0 ? clamp_d(d3_dot_d(d3_sub_d(closest, p), delta) / square, 0, 1) : 0;
	const struct d3_vertex *from = &simplex->v[0], *to = &simplex->v[simplex->count - 1];
	near->distance = 0;
	near->normal = n;
	near->point_a = d3_mul_add_d(d3_mul_add_d(from->a, part, d3_sub_d(to->a, from->a)), f->a->radius, n);
	near->point_b = d3_mul_add_d(d3_mul_add_d(from->b, part, d3_sub_d(to->b, from->b)), -f->b->radius, n);
	*s = then;
	return true;
}

/* Finds the root of the distance d(s) from s = from on. d is convex along a straight path, and d' = -n.u: Newton's steps from
 * before the root stay before it. A step ends half the tolerance short of the plane through the closest point, perpendicular to
 * the normal: separated shapes are faster to query and have a normal. *near: the separation at s = from, on return at the root.
 * sign: the direction along u. before: a direction that separates the shapes at s = from. False: no root within limit.
 * Source: van den Bergen, "Ray casting against general convex objects with application to continuous collision detection",
 * 2004. */
static bool advance(struct flight *f, double from, double sign, double limit, struct d3_vec_d before, double *s,
	struct d3_separation *near, int *iterations)
{
	double gone = 0;
	bool close = near->distance <= f->tolerance;
	for (int i = 0; i < CAST_ITERATIONS && !(close && i > 0); ++i) {
		double closing = sign * d3_dot_d(near->normal, f->u), rest = near->distance / closing;
		double next = gone + (near->distance - 0.5 * f->tolerance) / closing;
		if (!(closing > 0) || !(next <= limit))
			return false;
		if (close || next == gone)
			break;
		f->known = gone + rest <= limit &&
			(hits_facet(f, from + sign * gone, closing, sign * rest, near, s) ||
				hits_edge(f, from + sign * gone, sign, limit - gone, near, s));
		if (f->known)
			return true;
		gone = next;
		before = near->normal;
		query(f, from + sign * gone, near, iterations);
		close = near->distance <= f->tolerance;
	}
	*s = from + sign * gone;
	set_points(f, near);
	*s += settle(f, *s, sign, before, near);
	return near->distance <= 1e3 * f->tolerance;
}

double d3_cast_flight_end(const struct flight *f)
{
	struct d3_vec_d n = d3_inv_turn_d(&f->b_in_a.q, f->u), back = d3_neg_d(f->u);
	double b = d3_dot_d(f->b_in_a.p, f->u) + d3_core_reach(f->b, &n) + f->b->radius;
	return b + d3_core_reach(f->a, &back) + f->a->radius + 1e6 * f->tolerance;
}

/* Queries the separation at the start by query_by_gjk, so that later queries continue from its simplex. If the shapes are
 * close, queries it again by d3_cast_query, which is exact. */
static void query_start(struct flight *f, struct d3_separation *out, int *iterations)
{
	if (!f->closed) {
		query_by_gjk(f, 0, out, iterations);
		if (out->distance > max_d(f->tolerance, 1e-9 * f->scale))
			return;
	}
	f->paired = false;
	d3_cast_query(f, 0, out, iterations);
}

/* Result of find_outlook, by the separation along `toward`. OUT_OF_REACH: the shapes stay separated on the whole path. FREE:
 * they are separated up to *s, along *normal. UNKNOWN: they may overlap at the start. */
enum outlook { OUT_OF_REACH, FREE, UNKNOWN };

static enum outlook find_outlook(const struct flight *f, double limit, double *s, struct d3_vec_d *normal)
{
	double length = d3_length_d(f->toward);
	if (!(length > 0))
		return UNKNOWN;
	struct d3_vec_d n = d3_scale_d(1 / length, f->toward);
	double apart = separation_about(f, 0, n) - f->tolerance, closing = d3_dot_d(n, f->u);
	if (!(apart > 1e-9 * f->size))
		return UNKNOWN;
	if (!(closing > 0) || apart > limit * closing)
		return OUT_OF_REACH;
	*s = apart / closing;
	*normal = n;
	return FREE;
}

/* Finds contact points that are opposite each other along the final normal. Where flat features touch, the last step's points
 * belong to a normal that had not yet converged. */
static void find_points(const struct flight *f, double s, struct d3_separation *near)
{
	struct d3_transform_d b_in_a = {d3_mul_add_d(f->b_in_a.p, -s, f->u), f->b_in_a.q};
	struct d3_vec_d on_a, on_b;
	double radius_a = f->a->radius, radius_b = f->b->radius;
	struct d3_difference pair;
	d3_make_difference(f->a, f->b, &b_in_a, &pair);
	d3_difference_witness(&pair, radius_a + radius_b, near->normal, &on_a, &on_b);
	near->point_a = d3_mul_add_d(on_a, radius_a, near->normal);
	near->point_b = d3_mul_add_d(d3_mul_add_d(on_b, -radius_b, near->normal), s, f->u);
}

static void land_by_steps(struct flight *f, struct landing *out)
{
	double start = 0, limit = f->length * (1 + 1e-15);
	struct d3_vec_d before;
	enum outlook outlook = find_outlook(f, limit, &start, &before);
	if (outlook == OUT_OF_REACH)
		return;
	if (outlook == FREE) {
		out->near.normal = before;
		query(f, start, &out->near, &out->iterations);
	} else {
		query_start(f, &out->near, &out->iterations);
		before = out->near.normal;
		out->hit = out->near.distance <= 0;
		out->depth = max_d(-out->near.distance, 0);
	}
	if (!out->hit) {
		out->hit = advance(f, start, 1, limit - start, before, &out->enter, &out->near, &out->iterations);
		out->enter = clamp_d(out->enter, 0, f->length);
		if (out->hit && !f->closed && !f->known)
			find_points(f, out->enter, &out->near);
	}
	if (!out->hit || f->method != D3_CAST_EXACT)
		return;
	if (is_half_space(f->a) || is_half_space(f->b)) {
		double speed = d3_dot_d(out->near.normal, f->u);
		out->left = speed < 0;
		out->leave = out->left ? out->depth / -speed : 0;
		return;
	}
	double end = d3_cast_flight_end(f), s = end;
	struct d3_separation last = out->near;
	int iterations = 0;
	query(f, end, &last, &iterations);
	/* If A only grazes B, the search backwards may miss: the first contact is then the last. */
	out->left = true;
	out->leave = advance(f, end, -1, INFINITY, last.normal, &s, &last, &iterations) ? max_d(s, out->enter) : out->enter;
}

/* --- Any two shapes ------------------------------------------------------------------------------------------------------- */

static bool is_capsule(const struct d3_proxy *proxy)
{
	return proxy->type == D3_PROXY_POINTS && proxy->count <= 2;
}

/* True only for pairs that d3_separation_find never leaves to an iterative search. */
bool d3_separation_closed(const struct d3_proxy *a, const struct d3_proxy *b)
{
	if (is_half_space(a) || is_half_space(b) || (is_capsule(a) && is_capsule(b)))
		return true;
	return (d3_proxy_is_ball(a) && b->type != D3_PROXY_POINTS) || (d3_proxy_is_ball(b) && a->type != D3_PROXY_POINTS);
}

static void land(struct flight *f, struct landing *out)
{
	const struct d3_vec_d *p = &f->b_in_a.p;
	f->scale = f->size + abs_d(p->x) + abs_d(p->y) + abs_d(p->z);
	f->tolerance = 1e-11 * min_d(f->size, 1e18) + 4e-16 * (abs_d(p->x) + abs_d(p->y) + abs_d(p->z));
	f->closed = is_half_space(f->a) || is_half_space(f->b) || (f->method != D3_CAST_GJK && d3_separation_closed(f->a, f->b));
	out->hit = out->left = false;
	out->enter = out->leave = out->depth = 0;
	out->iterations = 0;
	bool points = f->a->type == D3_PROXY_POINTS && f->b->type == D3_PROXY_POINTS;
	if (f->method != D3_CAST_GJK && points && (d3_proxy_is_ball(f->a) || d3_proxy_is_ball(f->b))) {
		d3_cast_land_by_ray(f, out);
		return;
	}
	if (f->method != D3_CAST_GJK && is_capsule(f->a) && is_capsule(f->b) && d3_cast_land_by_patch(f, out))
		return;
	f->simplex.count = 0;
	f->corners.count = 0;
	f->paired = f->known = false;
	f->pair.a.proxy = NULL;
	land_by_steps(f, out);
}

static bool lands_before(const struct landing *a, const struct landing *b)
{
	return a->enter != b->enter ? a->enter < b->enter : a->depth > b->depth;
}

struct cast {
	const struct d3_pair *pair;
	struct d3_proxy a, b;
	struct flight flight;
	struct landing best;
	double length, limit; /* limit: greatest t still searched */
	uint32_t child_a, child_b; /* of `best` */
	int iterations;
	bool convex; /* both shapes are convex, with one child each */
};

static void visit_pair(void *context, uint32_t child_a, uint32_t child_b)
{
	struct cast *cast = context;
	struct landing landing;
	if (d3_children_left(cast->pair->a, child_a, cast->pair->b, child_b, &cast->flight.b_in_a, cast->flight.u))
		return;
	d3_make_proxy(cast->pair->a, child_a, &cast->a);
	d3_make_proxy(cast->pair->b, child_b, &cast->b);
	cast->flight.size = min_d(d3_proxy_size(&cast->a), d3_proxy_size(&cast->b));
	cast->flight.length = cast->best.hit ? cast->best.enter : cast->length;
	land(&cast->flight, &landing);
	cast->iterations += landing.iterations;
	if (!landing.hit || (cast->flight.method == D3_CAST_LATE && landing.enter == 0))
		return;
	bool first = child_a != cast->child_a ? child_a < cast->child_a : child_b < cast->child_b;
	if (cast->best.hit && !lands_before(&landing, &cast->best) && (lands_before(&cast->best, &landing) || !first))
		return;
	cast->best = landing;
	cast->child_a = child_a;
	cast->child_b = child_b;
	cast->limit = cast->length > 0 ? min_d(landing.enter / cast->length, 1) : 0;
}

/* Casts a pair of convex shapes, which have one child each. */
static void cast_convex(struct cast *cast)
{
	d3_make_proxy(cast->pair->a, 0, &cast->a);
	d3_make_proxy(cast->pair->b, 0, &cast->b);
	cast->flight.length = cast->length;
	land(&cast->flight, &cast->best);
	cast->best.hit &= cast->flight.method != D3_CAST_LATE || cast->best.enter > 0;
	cast->iterations = cast->best.iterations;
}

/* Whether the balls around the shapes, about their origins, surely miss each other on the path. */
static bool is_out_of_reach(const struct d3_shape *a, const struct d3_pose *pose_a, struct d3_vec_d delta,
	const struct d3_shape *b, const struct d3_pose *pose_b)
{
	struct d3_vec_d from = {pose_a->x - pose_b->x, pose_a->y - pose_b->y, pose_a->z - pose_b->z};
	return d3_ball_missed(from, delta, a->extent + b->extent);
}

static struct d3_vec_d middle_in_world(const struct d3_shape *shape, const struct d3_pose *pose)
{
	struct d3_vec_d c = shape->middle;
	if (c.x == 0 && c.y == 0 && c.z == 0)
		return c;
	struct d3_rot_d q = d3_exact_rot(pose->q);
	return d3_turn_d(&q, c);
}

/* Casts two spheres separated at the start: a ray from the moving centre against a ball of both radii. False: the spheres may
 * overlap. */
static bool cast_sphere(const struct d3_shape *a, const struct d3_pose *pose_a, struct d3_vec_d delta, const struct d3_shape *b,
	const struct d3_pose *pose_b, bool tells_leave, struct d3_cast_result *out)
{
	struct d3_vec_d at_a = middle_in_world(a, pose_a), at_b = middle_in_world(b, pose_b);
	struct d3_vec_d m = {pose_a->x - pose_b->x + (at_a.x - at_b.x), pose_a->y - pose_b->y + (at_a.y - at_b.y),
		pose_a->z - pose_b->z + (at_a.z - at_b.z)};
	double radius = (double)a->radius + b->radius, length = d3_path_length(delta);
	if (!(d3_dot_d(m, m) > radius * radius * (1 + 1e-9)))
		return false;
	*out = (struct d3_cast_result){.t = 1, .iterations = 1};
	if (d3_ball_missed(m, delta, radius) || !(length > 0))
		return true;
	struct d3_vec_d u = {delta.x / length, delta.y / length, delta.z / length}, cross = d3_cross_d(m, u);
	double under = radius * radius - d3_dot_d(cross, cross);
	if (!(under >= 0))
		return true;
	double along = -d3_dot_d(m, u), half = sqrt(under), s = along - half;
	if (!(s >= 0 && s <= length * (1 + 1e-15)))
		return true;
	out->hit = true;
	out->t = min_d(s / length, 1);
	out->left = tells_leave;
	out->leave = tells_leave ? min_d((along + half) / length, 1e300) : 0;
	out->normal = d3_scale_d(-1 / radius, d3_mul_add_d(m, s, u));
	struct d3_vec_d p = d3_mul_add_d(at_b, -(double)b->radius, out->normal);
	out->p = (struct d3_vec_d){pose_b->x + p.x, pose_b->y + p.y, pose_b->z + p.z};
	return true;
}

/* Casts an ordered pair, of which the caller's A moves by delta: pair.b if they are swapped. */
static void cast_pair(struct d3_pair pair, struct d3_vec_d delta, enum d3_cast_method method, struct d3_cast_result *out)
{
	struct d3_rot_d q = d3_exact_rot(pair.pose_a->q);
	double length = d3_path_length(delta);
	struct d3_vec_d u = {1, 0, 0};
	if (length > 0)
		u = (struct d3_vec_d){delta.x / length, delta.y / length, delta.z / length};
	u = d3_inv_turn_d(&q, pair.swapped ? d3_neg_d(u) : u);
	struct cast cast;
	cast.pair = &pair;
	cast.length = length;
	cast.limit = 1;
	cast.child_a = cast.child_b = 0;
	cast.iterations = 0;
	cast.best.hit = false;
	cast.flight.b_in_a = d3_relative_transform(pair.pose_a, &q, pair.pose_b);
	cast.flight.u = u;
	cast.flight.method = method;
	cast.flight.a = &cast.a;
	cast.flight.b = &cast.b;
	cast.flight.toward = (struct d3_vec_d){0, 0, 0};
	cast.flight.size = min_d(pair.a->reach, pair.b->reach);
	cast.convex = d3_shape_convex(pair.a) && d3_shape_convex(pair.b);
	if (method != D3_CAST_GJK && pair.a->reach < INFINITY && pair.b->reach < INFINITY) {
		struct d3_vec_d toward = d3_sub_d(d3_transform_point_d(&cast.flight.b_in_a, pair.b->middle), pair.a->middle);
		if (d3_ball_missed(d3_neg_d(toward), d3_scale_d(length, u), pair.a->reach + pair.b->reach))
			return;
		cast.flight.toward = toward;
	}
	if (cast.convex)
		cast_convex(&cast);
	else
		d3_pair_sweep(pair.a, pair.b, &cast.flight.b_in_a, d3_scale_d(length, u), 0, &cast.limit, visit_pair, &cast);
	out->iterations = cast.iterations;
	const struct landing *best = &cast.best;
	if (!best->hit)
		return;
	struct d3_vec_d normal = d3_turn_d(&q, best->near.normal);
	out->hit = true;
	out->child = pair.swapped ? cast.child_a : cast.child_b;
	out->t = length > 0 ? min_d(best->enter / length, 1) : 0;
	out->left = best->left && length > 0 && cast.convex;
	out->leave = out->left ? min_d(best->leave / length, 1e300) : 0;
	out->normal = pair.swapped ? d3_neg_d(normal) : normal;
	out->p = d3_pose_point(pair.pose_a, &q, pair.swapped ? best->near.point_a : best->near.point_b);
}

void d3_cast(const struct d3_shape *a, const struct d3_pose *pose_a, struct d3_vec_d delta, const struct d3_shape *b,
	const struct d3_pose *pose_b, enum d3_cast_method method, struct d3_cast_result *out)
{
	bool plain = method == D3_CAST_GJK;
	*out = (struct d3_cast_result){.t = 1};
	if (!plain && is_out_of_reach(a, pose_a, delta, b, pose_b))
		return;
	if (!plain && a->type == D3_SPHERE && b->type == D3_SPHERE &&
		cast_sphere(a, pose_a, delta, b, pose_b, method == D3_CAST_EXACT, out))
		return;
	cast_pair(d3_pair_order(a, pose_a, b, pose_b), delta, method, out);
}
