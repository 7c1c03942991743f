/* shape_cast.c - casts of a shape against a shape, without rotation. See distance.h.
 * Pure, any thread. */
#include "d2/query/distance_parts.h"

/* --- Shape casts ---------------------------------------------------------------------------------------------------------- */

enum { CAST_ITERATIONS = 128 }; /* each halves the error at a grazing contact, and squares it at any other */

/* A cast in the frame that A had at the start. A moves along u, a unit vector. */
struct flight {
	struct d2_proxy a, b;
	/* the pair, if B is a circle and A a rounded hull of points (see ends_in_circle): the distance at the start then has a
	 * closed form, as in d2_distance; else NULL */
	const struct d2_pair *round;
	struct d2_transform_d b_in_a;
	struct d2_vec_d u;
	double length;
	enum d2_cast_method method;
	bool sided, late; /* see d2_cast_children */
	/* the cores seem to overlap; judged as in d2_distance, so that an overlap at the start has its result to the bit */
	bool deep;
};

/* The result of a cast, in the frame that A had at the start. */
struct landing {
	bool hit, left;
	double enter, leave; /* [length] */
	double depth; /* penetration at the start; 0 when apart */
	struct d2_vec_d normal;
	struct d2_vec_d on_a, on_b; /* points of contact; on_a: in A's frame, which has moved */
	int iterations;
};

static void flight_separation(const struct flight *f, double s, struct d2_separation *near)
{
	struct d2_transform_d b_in_a = {d2_mul_add_d(f->b_in_a.p, -s, f->u), f->b_in_a.q};
	d2_separation_find(&f->a, &f->b, &b_in_a, near);
}

/* Advances A to contact, from `from` along u (sign 1) or -u (sign -1), by Newton's method. The distance along the path is
 * convex, and its derivative is -n.u, so steps from before the root stay before it. Each ends where the path crosses the line
 * through the closest point, perpendicular to the normal. False: no contact within `limit`. *s: length of the path; *near: in,
 * the separation at its start; out, at its end.
 * Source: van den Bergen, "Ray casting against general convex objects with application to continuous collision detection",
 * 2004. */
static bool advance(
	const struct flight *f, double from, double sign, double limit, double *s, struct d2_separation *near, int *iterations)
{
	double smaller = min_d(d2_proxy_size(&f->a), d2_proxy_size(&f->b)), size = smaller < INFINITY ? smaller : 0;
	double tolerance = 1e-12 * size + 4e-16 * (abs_d(f->b_in_a.p.x) + abs_d(f->b_in_a.p.y));
	*s = 0;
	for (int i = 0; i < CAST_ITERATIONS; ++i) {
		if (near->distance <= tolerance)
			return true;
		double closing = sign * d2_dot_d(near->normal, f->u), next = *s + near->distance / closing;
		if (!(closing > 0) || !(next <= limit))
			return false;
		if (next == *s)
			return true;
		*s = next;
		flight_separation(f, from + sign * next, near);
		++*iterations;
	}
	return near->distance <= 1e-6 * size;
}

/* The length of the path along u after which A has surely passed B. */
static double flight_end(const struct flight *f)
{
	struct d2_vec_d n = d2_inv_turn_d(f->b_in_a.q, f->u), back = d2_neg_d(f->u);
	double b = d2_dot_d(f->b_in_a.p, f->u) + d2_dot_d(d2_core_support(&f->b, n), n) + f->b.radius;
	return b + d2_dot_d(d2_core_support(&f->a, back), back) + f->a.radius;
}

static void land_by_steps(const struct flight *f, struct landing *out)
{
	struct d2_separation first;
	double s;
	flight_separation(f, 0, &first);
	out->iterations = 1;
	out->depth = -first.distance;
	out->hit = first.distance <= 0;
	out->enter = 0;
	if (!out->hit) {
		out->depth = 0;
		out->hit = advance(f, 0, 1, f->length * (1 + 1e-15), &s, &first, &out->iterations);
		out->enter = min_d(s, f->length);
	}
	out->normal = first.normal;
	out->on_a = first.point_a;
	out->on_b = d2_mul_add_d(first.point_b, out->enter, f->u);
	double speed = d2_dot_d(first.normal, f->u);
	if (!out->hit)
		return;
	if (f->a.type == D2_PROXY_HALF_PLANE) {
		out->left = out->depth >= 0 && out->depth < endless && speed < 0;
		out->leave = out->depth / -speed;
		return;
	}
	double end = flight_end(f);
	struct d2_separation last;
	int iterations = 0;
	flight_separation(f, end, &last);
	out->left = advance(f, end, -1, INFINITY, &s, &last, &iterations);
	out->leave = max_d(end - s, out->enter);
}

/* Sets the contact points from the features of the cores that are in contact. */
static void land_at(const struct flight *f, const uint32_t ia[2], const uint32_t ib[2], double part, struct landing *out)
{
	struct d2_vec_d a = d2_core_point(&f->a, ia, part), b = d2_core_point(&f->b, ib, part);
	out->on_a = d2_mul_add_d(a, f->a.radius, out->normal);
	out->on_b = d2_mul_add_d(d2_transform_point_d(&f->b_in_a, b), -(double)f->b.radius, out->normal);
}

/* Whether the shapes overlap or touch at the start. Then sets *core and the depth: minus the distance, as by d2_distance. */
static bool overlaps_at_start(const struct flight *f, double radius, struct d2_core_separation *core, double *depth)
{
	struct round_separation found;
	enum d2_core_answer answer = f->round ? find_round(f->round, 0, &found) : D2_CORE_UNSURE;
	if (answer == D2_CORE_FOUND) {
		*core = found.core;
		*depth = -found.distance;
		return *depth >= 0;
	}
	if (answer == D2_CORE_BEYOND || !d2_core_separation_within(&f->a, &f->b, &f->b_in_a, radius, f->deep, core))
		return false;
	*depth = -(core->distance - f->a.radius - f->b.radius);
	return *depth >= 0;
}

/* Computes the result if the shapes are surely apart at the start. False: undecided. */
static bool land_from_afar(const struct flight *f, double radius, struct landing *out)
{
	struct d2_core_path delta;
	enum d2_core_answer answer = d2_core_path_find(&f->a, &f->b, &f->b_in_a, f->u, f->length, radius, &delta);
	out->hit = answer == D2_CORE_FOUND;
	if (!out->hit)
		return answer == D2_CORE_BEYOND;
	out->left = true;
	out->enter = min_d(delta.enter, f->length);
	out->leave = max_d(delta.leave, out->enter);
	out->normal = delta.normal;
	land_at(f, delta.a, delta.b, delta.part, out);
	return true;
}

/* Relative tolerance: a separation above this fraction of the coordinates' size proves that the shapes are apart at the
 * start. */
static const double clear_tolerance = 1e-12;

/* Computes the result by land_from_afar or, if that does not decide, from the Minkowski difference: the hit is where the ray
 * from the origin along u enters it, widened by both radii. */
static void land_exactly(const struct flight *f, struct landing *out)
{
	struct d2_core_separation core;
	double radius = (double)f->a.radius + f->b.radius;
	out->iterations = 0;
	out->depth = 0;
	out->enter = 0;
	if (land_from_afar(f, radius, out))
		return;
	struct d2_minkowski m;
	struct d2_minkowski_crossing crossing;
	d2_minkowski_difference(&f->a, &f->b, &f->b_in_a, &m);
	out->left = d2_minkowski_interval(&m, radius, f->u, &crossing);
	out->leave = out->left ? max_d(crossing.leave, 0) : 0;
	/* The whole difference is beyond its tangent at the entry, so the shapes are at least as far apart as the tangent is from
	 * the origin. At a grazed circle the normal errs by the root of the rounding error. */
	double slant = out->left ? -d2_dot_d(crossing.normal, f->u) : 0, clear = clear_tolerance * (m.size + radius);
	bool apart = crossing.enter * slant > clear && (!(radius > 0) || radius * slant * slant > clear);
	out->hit = !apart && overlaps_at_start(f, radius, &core, &out->depth);
	if (out->hit) {
		out->normal = core.normal;
		land_at(f, core.a, core.b, core.part, out);
		return;
	}
	out->depth = 0;
	if (f->length > 0 && out->left && crossing.leave >= 0 && crossing.enter <= f->length * (1 + 1e-15)) {
		out->hit = true;
		out->enter = clamp_d(crossing.enter, 0, f->length);
		out->normal = d2_neg_d(crossing.normal);
		const struct d2_minkowski_vertex *first = &m.v[crossing.location.first], *second = &m.v[crossing.location.second];
		land_at(f, (uint32_t[]){first->a, second->a}, (uint32_t[]){first->b, second->b}, crossing.location.part, out);
	}
}

static bool lands_before(const struct landing *a, const struct landing *b)
{
	return a->enter != b->enter ? a->enter < b->enter : a->depth > b->depth;
}

double d2_distance_path_length(struct d2_vec_d delta)
{
	double most = max_d(abs_d(delta.x), abs_d(delta.y));
	if (!(most > 1e-150))
		return 0;
	return most * d2_length_d((struct d2_vec_d){delta.x / most, delta.y / most});
}

/* Fills *out for a hit. enter and leave are lengths; the normal is from the first shape to the second of the ordered pair. */
static void report(const struct d2_pair *pair, double length, double enter, bool left, double leave, struct d2_vec_d normal,
	struct d2_vec_d p, struct d2_cast_result *out)
{
	out->hit = true;
	out->t = length > 0 ? min_d(enter / length, 1) : 0;
	out->left = left && length > 0;
	out->leave = out->left ? min_d(leave / length, 1e300) : 0;
	out->normal = pair->swapped ? d2_neg_d(normal) : normal;
	out->x = p.x;
	out->y = p.y;
}

/* The point of contact on the caller's B, once the first shape of the pair, whose second one is a circle, has moved by `enter`
 * along `to`. When swapped, it is computed on the caller's A, which has moved the other way. */
static struct d2_vec_d landing_point(
	const struct d2_pair *pair, const struct round_separation *found, double enter, struct d2_vec_d to)
{
	struct d2_vec_d p = round_point(pair, found, pair->b->radius + (pair->swapped ? found->distance : 0));
	return pair->swapped ? d2_mul_add_d(p, -enter, to) : p;
}

/* Casts a circle against a circle: with m from A's centre to B's and r the sum of the radii, they touch at s = m.u -+ sqrt(r^2
 * - (m x u)^2). False: undecided. */
static bool cast_circles(const struct d2_pair *pair, struct d2_vec_d u, double length, struct d2_cast_result *out)
{
	struct round_separation found;
	if (find_round(pair, INFINITY, &found) != D2_CORE_FOUND)
		return false;
	double radius = (double)pair->a->radius + pair->b->radius;
	struct d2_vec_d to = pair->swapped ? d2_neg_d(u) : u, m = d2_scale_d(found.distance + radius, found.normal);
	double across = d2_cross_d(m, to), under = (radius - across) * (radius + across), along = d2_dot_d(m, to);
	double half = under >= 0 ? sqrt(under) : 0, enter = 0;
	bool overlaps = found.distance <= 0, hits = under >= 0 && along + half >= 0 && along - half <= length * (1 + 1e-15);
	*out = (struct d2_cast_result){.t = 1};
	if (!overlaps && !hits)
		return true;
	if (!overlaps) {
		enter = clamp_d(along - half, 0, length);
		found.normal = d2_scale_d(1 / radius, d2_mul_add_d(m, -enter, to));
		found.distance = 0;
	}
	report(pair, length, enter, under >= 0, max_d(along + half, 0), found.normal, landing_point(pair, &found, enter, to), out);
	return true;
}

/* Where a path, p - s v, crosses the boundary of a rounded outline. */
struct crossing {
	double s; /* [length] */
	uint32_t edge; /* whose line is crossed */
	bool found;
	bool at_corner; /* and then a circle instead, around the corner from which `from` goes to p */
	struct d2_vec_d from;
};

/* Moves a crossing of an edge's line, moved out by the radius, to the circle around the edge's end if it is beyond that. sign:
 * 1 inwards, -1 outwards. False: the path misses the circle. */
static bool cross_end(
	const struct d2_shape *a, struct d2_vec_d p, struct d2_vec_d v, double radius, double sign, struct crossing *c)
{
	const struct d2_edge *edge = &a->edges[c->edge];
	c->from = d2_sub_d(p, d2_widen(a->points[c->edge]));
	double along = d2_cross_d(edge->normal, d2_mul_add_d(c->from, -c->s, v));
	c->at_corner = along < 0 || along > edge->length;
	if (!c->at_corner)
		return true;
	if (along > 0)
		c->from = d2_sub_d(p, d2_widen(a->points[c->edge + 1]));
	double across = d2_cross_d(c->from, v), under = (radius - across) * (radius + across);
	c->s = d2_dot_d(c->from, v) - sign * sqrt(max_d(under, 0));
	return under >= 0;
}

/* Finds the last edge line that the path crosses inwards, and the first one outwards. *missed: it starts outside some line that
 * it does not reach. False: p may be in the outline widened by the radius. */
static bool cross_lines(const struct d2_shape *a, struct d2_vec_d p, struct d2_vec_d v, double radius, double length,
	struct crossing *first, struct crossing *last, bool *missed)
{
	bool apart = false;
	for (uint32_t i = 0; i < a->count; ++i) {
		struct d2_vec_d n = a->edges[i].normal, corner = d2_widen(a->points[i]), from = d2_sub_d(p, corner);
		double height = d2_dot_d(n, from) - radius, speed = d2_dot_d(n, v), s = height / speed;
		double clear = clear_tolerance * (abs_d(p.x) + abs_d(p.y) + abs_d(from.x) + abs_d(from.y) + radius),
			   enough = radius + clear;
		apart |= height > clear;
		*missed |= height - clear > max_d(speed, 0) * length;
		if (a->count == 2) /* beyond an end of a segment */
			apart |= d2_cross_d(n, from) < 0 && d2_dot_d(from, from) > enough * enough;
		if (speed > 0 && (!first->found || s > first->s))
			*first = (struct crossing){.s = s, .edge = i, .found = true};
		if (speed < 0 && (!last->found || s < last->s))
			*last = (struct crossing){.s = s, .edge = i, .found = true};
	}
	return apart;
}

/* Casts a capsule, segment, box or polygon against a circle: the circle's centre against the outline, widened by both radii.
 * False: undecided.
 * Source: Cyrus, Beck, "Generalized two- and three-dimensional clipping", 1978. */
static bool cast_circle(const struct d2_pair *pair, struct d2_vec_d u, double length, struct d2_cast_result *out)
{
	const struct d2_shape *a = pair->a;
	struct round_separation found = {.center = center_of(pair->b, pair->pose_b)};
	struct d2_vec_d between = {pair->pose_b->x - pair->pose_a->x, pair->pose_b->y - pair->pose_a->y};
	struct d2_rot_d q = d2_exact_rot(pair->pose_a->q);
	struct d2_vec_d to = pair->swapped ? d2_neg_d(u) : u, v = d2_inv_turn_d(q, to);
	struct d2_vec_d p = d2_inv_turn_d(q, d2_add_d(between, found.center));
	double radius = (double)a->radius + pair->b->radius;
	struct crossing first = {.found = false}, last = {.found = false};
	bool missed = false;
	if (!cross_lines(a, p, v, radius, length, &first, &last, &missed) || (!missed && !(first.found && last.found)))
		return false;
	*out = (struct d2_cast_result){.t = 1};
	if (missed || !cross_end(a, p, v, radius, 1, &first))
		return true;
	if (!cross_end(a, p, v, radius, -1, &last) || !(last.s - first.s > clear_tolerance * (length + radius)))
		return false;
	if (last.s < 0 || first.s > length * (1 + 1e-15))
		return true;
	if (first.s < 0)
		return false;
	double enter = min_d(first.s, length);
	found.normal =
		first.at_corner ? d2_scale_d(1 / radius, d2_mul_add_d(first.from, -first.s, v)) : a->edges[first.edge].normal;
	found.normal = d2_turn_d(q, found.normal);
	report(pair, length, enter, true, max_d(last.s, enter), found.normal, landing_point(pair, &found, enter, to), out);
	return true;
}

/* A search for the pair of children that is hit first. Of pairs that overlap at the start the deepest counts; of equal ones the
 * first by child_a, then by child_b. */
struct casting {
	const struct d2_pair *pair;
	struct flight *flight;
	struct landing best;
	uint32_t child_a, child_b; /* of `best` */
	double slack, limit; /* slack: for rounding errors; limit: hits at a greater path length do not count [length] */
	int iterations;
};

/* Sets the flight's proxies, of two children of the pair, and casts them. */
static void land(struct flight *f, const struct d2_pair *pair, uint32_t child_a, uint32_t child_b, struct landing *out)
{
	if (d2_pair_has_chain(pair) || !d2_proxy_set_points(&f->a, pair->a) || !d2_proxy_set_points(&f->b, pair->b)) {
		f->a = d2_make_proxy(pair->a, child_a);
		f->b = d2_make_proxy(pair->b, child_b);
	}
	bool exact = f->method == D2_CAST_EXACT && f->a.type == D2_PROXY_POINTS && f->b.type == D2_PROXY_POINTS;
	(exact ? land_exactly : land_by_steps)(f, out);
}

/* Whether a one-sided segment of the pair cannot be hit: the other shape moves along it or away from its front. */
static bool pair_left(const struct flight *f, const struct d2_pair *pair, uint32_t child_a, uint32_t child_b)
{
	if (!f->sided || f->length == 0)
		return false;
	return (pair->a->one_sided && d2_dot_d(d2_widen(pair->a->normals[child_a]), f->u) <= 0) ||
		(pair->b->one_sided && d2_dot_d(d2_turn_d(f->b_in_a.q, d2_widen(pair->b->normals[child_b])), f->u) >= 0);
}

static void cast_pair(void *context, uint32_t child_a, uint32_t child_b)
{
	struct casting *casting = context;
	struct landing landing;
	if (pair_left(casting->flight, casting->pair, child_a, child_b))
		return;
	land(casting->flight, casting->pair, child_a, child_b, &landing);
	casting->iterations += landing.iterations;
	if (!landing.hit || (casting->flight->late && landing.enter == 0))
		return;
	const struct landing *best = &casting->best;
	bool first = child_a != casting->child_a ? child_a < casting->child_a : child_b < casting->child_b;
	if (best->hit && !lands_before(&landing, best) && (lands_before(best, &landing) || !first))
		return;
	casting->best = landing;
	casting->child_a = child_a;
	casting->child_b = child_b;
	casting->limit = landing.enter;
}

static double landing_bound(void *context, const struct d2_node *a, const struct d2_node *b)
{
	const struct casting *casting = context;
	if (casting->pair->a->type == D2_HALF_PLANE)
		return 0;
	struct d2_bounds box = d2_bounds_turned(&b->box, &casting->flight->b_in_a);
	return d2_bounds_overlap(&a->box, &box, casting->flight->u, casting->slack) - casting->slack;
}

/* land for chains: the first landing of all children. Returns the child of the caller's B. */
static uint32_t land_first(struct flight *f, const struct d2_pair *pair, struct landing *out)
{
	struct casting casting = {.pair = pair, .flight = f, .limit = f->length * (1 + 1e-12)};
	casting.slack = bound_tolerance *
		(d2_box_reach(pair->a) + d2_box_reach(pair->b) + abs_d(f->b_in_a.p.x) + abs_d(f->b_in_a.p.y) + f->length);
	struct d2_pair_walk walk = {pair->a, pair->b, landing_bound, cast_pair, &casting, &casting.limit};
	d2_pair_walk(&walk);
	*out = casting.best;
	out->iterations = casting.iterations;
	return pair->swapped ? casting.child_a : casting.child_b;
}

/* Casts child_a of A against child_b of B, or all against all, by the method and rules of the flight. */
static void cast_children(const struct d2_shape *a, uint32_t child_a, const struct d2_pose *pose_a, struct d2_vec_d delta,
	const struct d2_shape *b, uint32_t child_b, const struct d2_pose *pose_b, struct flight *f, struct d2_cast_result *out)
{
	struct d2_pair pair = d2_pair_order(a, pose_a, b, pose_b);
	double length = d2_distance_path_length(delta);
	struct d2_vec_d u = length > 0 ? (struct d2_vec_d){delta.x / length, delta.y / length} : (struct d2_vec_d){1, 0};
	*out = (struct d2_cast_result){.t = 1};
	if (f->method == D2_CAST_EXACT && surely_missed(a, pose_a, u, length, b, pose_b))
		return;
	bool round = ends_in_circle(&pair);
	bool circles = round && d2_type_measured(pair.a) == D2_CIRCLE;
	if (round && f->method == D2_CAST_EXACT && (circles ? cast_circles : cast_circle)(&pair, u, length, out))
		return;
	struct d2_rot_d q = d2_exact_rot(pair.pose_a->q);
	struct landing best;
	f->round = round ? &pair : NULL;
	f->b_in_a = d2_relative_transform(pair.pose_a, q, pair.pose_b);
	f->u = d2_inv_turn_d(q, pair.swapped ? d2_neg_d(u) : u);
	f->length = length;
	f->deep = !d2_pair_has_chain(&pair) && seem_to_overlap(&pair, &f->b_in_a);
	out->child = child_b == D2_ALL ? 0 : child_b;
	if (d2_pair_has_chain(&pair) && child_b == D2_ALL) {
		out->child = land_first(f, &pair, &best);
	} else {
		uint32_t first = child_a == D2_ALL ? 0 : child_a;
		struct casting casting = {.pair = &pair, .flight = f};
		cast_pair(&casting, pair.swapped ? out->child : first, pair.swapped ? first : out->child);
		best = casting.best;
		best.iterations = casting.iterations;
	}
	out->iterations = best.iterations;
	if (!best.hit)
		return;
	bool left = best.left && d2_shape_child_count(a) == 1 && d2_shape_child_count(b) == 1;
	report(&pair, length, best.enter, left, best.leave, d2_turn_d(q, best.normal),
		d2_pose_point(pair.pose_a, q, pair.swapped ? best.on_a : best.on_b), out);
}

void d2_cast(const struct d2_shape *a, const struct d2_pose *pose_a, struct d2_vec_d delta, const struct d2_shape *b,
	const struct d2_pose *pose_b, enum d2_cast_method method, struct d2_cast_result *out)
{
	struct flight f = {.method = method};
	cast_children(a, D2_ALL, pose_a, delta, b, D2_ALL, pose_b, &f, out);
}

void d2_cast_children(const struct d2_shape *a, uint32_t child_a, const struct d2_pose *pose_a, struct d2_vec_d delta,
	const struct d2_shape *b, uint32_t child_b, const struct d2_pose *pose_b, bool late, struct d2_cast_result *out)
{
	struct flight f = {.method = D2_CAST_EXACT, .sided = true, .late = late};
	cast_children(a, child_a, pose_a, delta, b, child_b, pose_b, &f, out);
	if (late && out->hit && out->t == 0)
		*out = (struct d2_cast_result){.t = 1};
}
