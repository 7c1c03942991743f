/* penetration_cast.c - casts of convex polygons without rotation: see d2_core_path_find.
 * Pure, any thread. */
#include "d2/query/penetration_parts.h"

#include <string.h>

/* --- Straight cast -------------------------------------------------------------------------------------------------------- */

/* The point s u, from the origin, enters M widened by a radius r at the last edge line that it crosses inwards, and leaves M at
 * the first that it crosses outwards; each line is moved out by r. Beyond an edge's end a circle replaces its line, see
 * cross_corner. With an edge's separation h and the speed v at which the point approaches its line, the crossing is at (h -
 * r)/v. In floats the error of this s is that of h plus s times that of v, both over v. Edges that qualify within that error
 * are tested exactly.
 * Source: Cyrus, Beck, "Generalized two- and three-dimensional clipping", 1978. */
struct crossings {
	/* by edge, upper bounds: of s if it is crossed inwards, of -s if outwards; else -infinity */
	float enter_most[2 * FEW_POINTS], leave_most[2 * FEW_POINTS];
	float4 enter, leave; /* by lane, lower bounds: of the greatest s inwards, and of the greatest -s outwards */
	float4 outside; /* by lane, the greatest separation, less the radius */
	int4 missed; /* the path starts outside some edge's line and does not reach it within the length */
	int4 unsure; /* the path is nearly parallel to some edge, and near it */
};

/* Below this speed (u . n, u being a unit vector), s is too inaccurate. */
static const float least_speed = 1e-3f;

/* Error of a speed: the direction is rounded to floats. */
static const float speed_error = 1e-6f;

struct tour {
	float radius, slack, length;
};

static inline void cross_edges(const struct d2_proxy *proxy, const struct d2_vec *normals, uint32_t edges,
	const struct seen *seen, uint32_t seen_count, struct d2_vec u, const struct tour *tour, uint32_t at, struct crossings *out)
{
	const float4 zero = {0}, infinite = {INFINITY, INFINITY, INFINITY, INFINITY};
	for (uint32_t i = 0; i < edges; i += 4) {
		uint32_t start = float4_start(i, edges);
		struct float4_vectors n = float4_load(normals, start, edges);
		float4 height = separate_four(proxy->points, n, start, edges, seen, seen_count) - tour->radius;
		float4 speed = n.x * u.x + n.y * u.y, fast = float4_absolute(speed);
		float4 s = height / speed, error = (tour->slack + speed_error * float4_absolute(s)) / fast;
		int4 in = speed > zero + least_speed, past = speed < zero - least_speed;
		out->outside = float4_most(out->outside, height);
		out->missed |= height - tour->slack > (float4_most(speed, zero) + speed_error) * tour->length;
		/* A nearly parallel edge is unsure, unless the path starts so far inside its line that it cannot reach it. */
		out->unsure |= (fast <= zero + least_speed) & (height > zero - (tour->slack + 4 * least_speed * tour->length));
		out->enter = float4_most(out->enter, float4_choose(in, s - error, -infinite));
		out->leave = float4_most(out->leave, float4_choose(past, -s - error, -infinite));
		float4 enter = float4_choose(in, s + error, -infinite), leave = float4_choose(past, error - s, -infinite);
		memcpy(&out->enter_most[at + start], &enter, sizeof enter);
		memcpy(&out->leave_most[at + start], &leave, sizeof leave);
	}
}

struct exact_crossing {
	struct stride edge;
	double length; /* s, at the edge's line or, after cross_corner, at the corner's circle */
	uint32_t count; /* of edges tested */
};

/* Finds in double, among the edges in `bits`, the last one crossed inwards (sign 1) or the first one crossed outwards (sign
 * -1). */
static void cross_exactly(const struct pair *c, const struct views *v, struct d2_vec_d u, double radius, uint32_t bits,
	double sign, struct exact_crossing *out)
{
	out->count = 0;
	out->length = 0;
	for (; bits != 0; bits &= bits - 1) {
		struct stride edge;
		struct d2_vec_d n;
		make_stride(c, v, (uint32_t)__builtin_ctz(bits), &edge);
		edge_normal(c, &edge, &n);
		double height = d2_dot_d(n, edge.w) - radius, speed = d2_dot_d(n, u);
		if (!(sign * speed > 0))
			continue;
		double s = height / speed;
		if (out->count++ == 0 || sign * (s - out->length) > 0) {
			out->edge = edge;
			out->length = s;
		}
	}
	/* A parallel edge is crossed there, too. */
	if (out->count > 1)
		d2_penetration_join_parallel(c, &out->edge);
}

/* The fraction of the edge at which the path crosses the edge's line; below 0 or above 1: beyond the edge's ends. */
static double part_of(const struct exact_crossing *crossing, struct d2_vec_d u)
{
	const struct stride *e = &crossing->edge;
	return (crossing->length * d2_dot_d(u, e->delta) - d2_dot_d(e->w, e->delta)) / d2_dot_d(e->delta, e->delta);
}

/* Intersects the path with the circle that bounds the set around the corner at an end of the edge, beyond which the path
 * crosses the edge's line (part < 0 or > 1). sign: as for cross_exactly. False: the path misses the circle. */
static bool cross_corner(
	const struct pair *c, struct exact_crossing *crossing, struct d2_vec_d u, double radius, double part, double sign)
{
	if (part > 1)
		crossing->edge = turned(c, &crossing->edge);
	struct d2_vec_d m = crossing->edge.w;
	double across = d2_cross_d(m, u), under = (radius - across) * (radius + across);
	if (!(under >= 0))
		return false;
	crossing->length = d2_dot_d(m, u) - sign * sqrt(under);
	return true;
}

static void take_crossing(const struct pair *c, const struct exact_crossing *crossing, struct d2_vec_d u, double radius,
	bool corner, double part, struct d2_core_path *out)
{
	const struct stride *e = &crossing->edge;
	bool end = !corner && part >= 1, start = corner || part <= 0;
	*out = (struct d2_core_path){.enter = crossing->length,
		.a = {end ? e->next_i : e->i, start ? e->i : e->next_i},
		.b = {end ? e->next_k : e->k, start ? e->k : e->next_k},
		.part = start || end ? 0 : part};
	if (corner)
		out->normal = d2_scale_d(1 / radius, d2_mul_add_d(e->w, -crossing->length, u));
	else
		edge_normal(c, e, &out->normal);
}

/* Computes the result from the candidate edges in the bits `inwards` and `outwards`. A and B are apart at the start, so an exit
 * at s < 0 means no hit. */
static enum d2_core_answer cross_boundary(const struct pair *c, const struct views *v, struct d2_vec_d u, double length,
	double radius, uint32_t inwards, uint32_t outwards, struct d2_core_path *out)
{
	struct exact_crossing first, last;
	cross_exactly(c, v, u, radius, inwards, 1, &first);
	cross_exactly(c, v, u, radius, outwards, -1, &last);
	if (first.count == 0 || last.count == 0 || first.count > FEW_EDGES || last.count > FEW_EDGES)
		return D2_CORE_UNSURE;
	double part = part_of(&first, u);
	bool corner = radius > 0 && !(part >= 0 && part <= 1);
	if (corner && !cross_corner(c, &first, u, radius, part, 1))
		return D2_CORE_BEYOND;
	if (radius > 0) {
		double end = part_of(&last, u);
		if (!(end >= 0 && end <= 1) && !cross_corner(c, &last, u, radius, end, -1))
			return D2_CORE_UNSURE;
	}
	/* Grazing: entry and exit have different rounding errors. */
	if (!(last.length - first.length > contact_tolerance * length))
		return D2_CORE_UNSURE;
	if (last.length < 0 || first.length > length * (1 + 1e-15))
		return D2_CORE_BEYOND;
	if (first.length < 0)
		return D2_CORE_UNSURE;
	take_crossing(c, &first, u, radius, corner, part, out);
	out->leave = last.length;
	return D2_CORE_FOUND;
}

enum d2_core_answer d2_core_path_find(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a,
	struct d2_vec_d u, double length, double radius, struct d2_core_path *out)
{
	struct pair c = {.a = a, .b = b, .b_in_a = b_in_a};
	struct views v;
	/* For two segments the explicit difference is as fast. */
	if (!are_few(&c) || (a->count < 3 && b->count < 3))
		return D2_CORE_UNSURE;
	make_views(&c, &v);
	const float4 infinite = {INFINITY, INFINITY, INFINITY, INFINITY};
	struct crossings all;
	all.enter = all.leave = all.outside = -infinite;
	all.missed = all.unsure = (int4){0};
	struct tour tour = {(float)radius, (float)lane_tolerance * (v.scale + (float)radius), (float)length};
	struct d2_vec delta = d2_narrow(u), back = d2_neg(d2_inv_rotate(v.q, delta));
	cross_edges(a, v.normals_a, v.edges_a, &v.b, b->count, delta, &tour, 0, &all);
	cross_edges(b, v.normals_b, v.edges_b, &v.a, a->count, back, &tour, FEW_POINTS, &all);
	if (!(float4_greatest(all.outside) > tour.slack))
		return D2_CORE_UNSURE;
	if (float4_bits(all.missed) != 0)
		return D2_CORE_BEYOND;
	float enter = float4_greatest(all.enter), leave = float4_greatest(all.leave);
	if (float4_bits(all.unsure) != 0 || !(enter > -INFINITY && leave > -INFINITY))
		return D2_CORE_UNSURE;
	if (enter > -leave)
		return D2_CORE_BEYOND;
	return cross_boundary(
		&c, &v, u, length, radius, edges_of_both(&v, all.enter_most, enter), edges_of_both(&v, all.leave_most, leave), out);
}
