/* minkowski.c - see minkowski.h. The edges of the sum of two convex polygons are the edges of both, sorted by direction. The
 * difference is the sum with one polygon rotated by 180 degrees.
 * Source: de Berg et al., "Computational geometry", 2008, 13.3 (the merge).
 * Pure, any thread. */
#include "d2/query/minkowski.h"

#include <assert.h>

/* Relative tolerance: distances below this fraction of the coordinates' size are rounding error. */
static const double contact_tolerance = 1e-14;
/* Edges at an angle of a smaller sine are parallel. The bound is above the rounding error of doubles and below that of
 * floats. */
static const double parallel_sine = 1e-13;

/* An iteration over the edges of a convex polygon. */
struct walk {
	uint32_t count, at, left; /* left: edges still to go; a single point has none */
	struct d2_vec_d delta; /* of the current edge */
	double square;
	struct d2_vec_d p[D2_HULL_MAX];
};

static inline void walk_face(struct walk *walk)
{
	walk->delta = d2_sub_d(walk->p[walk->at + 1 < walk->count ? walk->at + 1 : 0], walk->p[walk->at]);
	walk->square = d2_dot_d(walk->delta, walk->delta);
}

/* Starts at the lowest point, of equally low ones the leftmost: edge directions then go from 0 to a full turn. Raises *size to
 * the greatest |coordinate| if that is greater. */
static void walk_start(struct walk *walk, double *size)
{
	assert(walk->count > 0);
	walk->at = 0;
	walk->left = walk->count > 1 ? walk->count : 0;
	for (uint32_t i = 0; i < walk->count; ++i) {
		struct d2_vec_d p = walk->p[i], low = walk->p[walk->at];
		*size = max_d(*size, max_d(abs_d(p.x), abs_d(p.y)));
		if (p.y < low.y || (p.y == low.y && p.x < low.x))
			walk->at = i;
	}
	walk_face(walk);
}

static inline void walk_on(struct walk *walk)
{
	walk->at = walk->at + 1 < walk->count ? walk->at + 1 : 0;
	--walk->left;
	walk_face(walk);
}

static bool points_down(struct d2_vec_d e)
{
	return e.y < 0 || (e.y == 0 && e.x < 0);
}

/* Compares the directions of the current edges. -1: A's comes first, 0: they are parallel, 1: B's comes first. */
static inline int compare_edges(const struct walk *a, const struct walk *b)
{
	if (a->left == 0 || b->left == 0)
		return a->left == 0 ? 1 : -1;
	double cross = d2_cross_d(a->delta, b->delta);
	if (cross * cross <= parallel_sine * parallel_sine * (a->square * b->square) && d2_dot_d(a->delta, b->delta) > 0)
		return 0;
	bool down = points_down(a->delta);
	if (down != points_down(b->delta))
		return down ? 1 : -1;
	return cross > 0 ? -1 : 1;
}

static void combine(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, double sign,
	struct d2_minkowski *out)
{
	struct walk walk_a, walk_b;
	walk_a.count = a->count;
	walk_b.count = b->count;
	for (uint32_t i = 0; i < a->count; ++i)
		walk_a.p[i] = d2_scale_d(sign, d2_widen(a->points[i]));
	for (uint32_t i = 0; i < b->count; ++i)
		walk_b.p[i] = d2_transform_point_d(b_in_a, d2_widen(b->points[i]));
	out->count = 0;
	out->size = 0;
	walk_start(&walk_a, &out->size);
	walk_start(&walk_b, &out->size);
	do {
		struct d2_vec_d w = d2_add_d(walk_a.p[walk_a.at], walk_b.p[walk_b.at]);
		out->v[out->count++] = (struct d2_minkowski_vertex){w, (uint8_t)walk_a.at, (uint8_t)walk_b.at};
		if (walk_a.left + walk_b.left == 0)
			break;
		int order = compare_edges(&walk_a, &walk_b);
		if (order <= 0)
			walk_on(&walk_a);
		if (order >= 0)
			walk_on(&walk_b);
	} while (walk_a.left + walk_b.left > 0);
}

void d2_minkowski_difference(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_minkowski *out)
{
	combine(a, b, b_in_a, -1, out);
}

void d2_minkowski_sum(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_minkowski *out)
{
	combine(a, b, b_in_a, 1, out);
}

/* --- Line intersection ---------------------------------------------------------------------------------------------------- */

static uint32_t next_of(const struct d2_minkowski *m, uint32_t i)
{
	return i + 1 < m->count ? i + 1 : 0;
}

static struct d2_vec_d to_next(const struct d2_minkowski *m, uint32_t i)
{
	return d2_sub_d(m->v[next_of(m, i)].w, m->v[i].w);
}

static double part_along(struct d2_vec_d u, struct d2_vec_d delta)
{
	return clamp_d(-d2_dot_d(u, delta) / d2_dot_d(delta, delta), 0, 1);
}

static struct d2_minkowski_location location_on(const struct d2_minkowski *m, uint32_t edge, double part)
{
	uint32_t next = next_of(m, edge);
	return part <= 0 ? (struct d2_minkowski_location){edge, edge, 0}
		: part >= 1  ? (struct d2_minkowski_location){next, next, 0}
					 : (struct d2_minkowski_location){edge, next, part};
}

/* The unit normal to the right of delta. */
static struct d2_vec_d unit_normal(struct d2_vec_d delta, double length)
{
	return (struct d2_vec_d){delta.y / length, -delta.x / length};
}

/* The line s u enters a sharp polygon at the last edge that it crosses inwards, and leaves it at the first that it crosses
 * outwards. False: it misses, as the exit comes before the entry. Heights above the edges' lines and speeds towards them are
 * scaled by the edge lengths; their quotients are compared by cross-multiplication.
 * Source: Cyrus, Beck, "Generalized two- and three-dimensional clipping", 1978. */
static bool cross_outline(const struct d2_minkowski *m, struct d2_vec_d u, struct d2_minkowski_crossing *c)
{
	double slack = contact_tolerance * m->size, enter = 0, enter_speed = 0, leave = 0, leave_speed = 0;
	uint32_t best = 0;
	for (uint32_t i = 0; i < m->count; ++i) {
		struct d2_vec_d delta = to_next(m, i);
		double height = -d2_cross_d(m->v[i].w, delta), speed = -d2_cross_d(u, delta), square = d2_dot_d(delta, delta);
		if (speed * speed <= parallel_sine * parallel_sine * square) {
			if (height > 0 && height * height > slack * slack * square)
				return false;
		} else if (speed > 0) {
			if (enter_speed == 0 || height * enter_speed > enter * speed) {
				enter = height;
				enter_speed = speed;
				best = i;
			}
		} else if (leave_speed == 0 || height * leave_speed < leave * speed) {
			leave = height;
			leave_speed = speed;
		}
	}
	if (leave_speed < 0)
		c->leave = leave / leave_speed;
	if (enter_speed > 0) {
		struct d2_vec_d delta = to_next(m, best);
		c->enter = enter / enter_speed;
		c->normal = unit_normal(delta, d2_length_d(delta));
		c->location = location_on(m, best, part_along(d2_mul_add_d(m->v[best].w, -c->enter, u), delta));
	}
	return c->enter <= c->leave + slack;
}

/* Intersects the line s u with a segment: it crosses at a point or, if parallel, runs along the segment from end to end. */
static bool cross_line(const struct d2_minkowski *m, struct d2_vec_d u, struct d2_minkowski_crossing *c)
{
	struct d2_vec_d first = m->v[0].w, delta = to_next(m, 0);
	double length = d2_length_d(delta), slack = contact_tolerance * m->size, speed = d2_cross_d(delta, u) / length;
	double height = -d2_cross_d(first, delta) / length;
	if (abs_d(speed) < parallel_sine) {
		if (abs_d(height) > slack)
			return false;
		double s1 = d2_dot_d(first, u), s2 = d2_dot_d(m->v[1].w, u);
		uint32_t end = s1 <= s2 ? 0 : 1;
		*c = (struct d2_minkowski_crossing){min_d(s1, s2), max_d(s1, s2), d2_neg_d(u), {end, end, 0}};
		return true;
	}
	double s = height / speed, along = -d2_dot_d(d2_mul_add_d(first, -s, u), delta) / length;
	if (along < -slack || along > length + slack)
		return false;
	struct d2_vec_d n = unit_normal(delta, length);
	*c = (struct d2_minkowski_crossing){s, s, d2_dot_d(n, u) < 0 ? n : d2_neg_d(n), location_on(m, 0, along / length)};
	return true;
}

/* A radius widens the polygon by a disc at each vertex and a strip outside each edge. The line enters the set where it first
 * enters one of these, and leaves it where it last leaves one. For a vertex m:
 *   s = m.u -+ sqrt(r^2 - (m x u)^2) */
static bool cross_rounded(const struct d2_minkowski *m, double radius, struct d2_vec_d u, struct d2_minkowski_crossing *c)
{
	double enter = INFINITY, leave = -INFINITY, next_across = d2_cross_d(m->v[0].w, u);
	uint32_t best = 0;
	double best_part = -1; /* fraction of the edge; -1: the vertex */
	for (uint32_t i = 0; i < m->count; ++i) {
		struct d2_vec_d w = m->v[i].w;
		double across = next_across, under = (radius - across) * (radius + across);
		next_across = d2_cross_d(m->v[next_of(m, i)].w, u);
		if (under >= 0) {
			double along = d2_dot_d(w, u), half = sqrt(under);
			if (along - half < enter) {
				enter = along - half;
				best = i;
				best_part = -1;
			}
			leave = max_d(leave, along + half);
		}
		/* The edge is farther from the line than the radius. */
		if (min_d(across, next_across) > radius || max_d(across, next_across) < -radius)
			continue;
		struct d2_vec_d delta = to_next(m, i);
		double length = d2_length_d(delta);
		if (!(length > 0))
			continue;
		struct d2_vec_d n = unit_normal(delta, length);
		double height = -d2_cross_d(w, delta) / length - radius, speed = -d2_dot_d(n, u);
		if (abs_d(speed) < parallel_sine)
			continue;
		double s = height / speed, part = d2_dot_d(d2_mul_add_d(d2_scale_d(s, u), -1, w), delta) / (length * length);
		if (!(part >= 0 && part <= 1))
			continue;
		if (speed > 0 && s < enter) {
			enter = s;
			best = i;
			best_part = part;
		}
		if (speed < 0)
			leave = max_d(leave, s);
	}
	if (!(enter <= leave))
		return false;
	struct d2_vec_d w = m->v[best].w, delta = to_next(m, best);
	if (best_part < 0)
		*c = (struct d2_minkowski_crossing){
			enter, leave, d2_scale_d(1 / radius, d2_sub_d(d2_scale_d(enter, u), w)), {best, best, 0}};
	else
		*c = (struct d2_minkowski_crossing){
			enter, leave, unit_normal(delta, d2_length_d(delta)), {best, next_of(m, best), best_part}};
	return true;
}

bool d2_minkowski_interval(const struct d2_minkowski *m, double radius, struct d2_vec_d u, struct d2_minkowski_crossing *out)
{
	out->enter = -INFINITY;
	out->leave = INFINITY;
	bool hit = radius > 0 ? cross_rounded(m, radius, u, out)
		: m->count > 2    ? cross_outline(m, u, out)
						  : m->count == 2 && cross_line(m, u, out);
	out->leave = max_d(out->leave, out->enter);
	return hit;
}
