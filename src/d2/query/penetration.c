/* penetration.c - see penetration.h. The result is the boundary point nearest to the origin of the Minkowski difference M, the
 * set of all b - a. M's vertices are differences of support points of A and B along one direction. Its edges are those of B
 * and, reversed, of A, sorted by direction. So its boundary can be walked without building it. If the origin is outside, the
 * walk is short: it starts at the vertex that faces the origin, judged by the middles of A and B, and descends along the edges
 * until the distance grows. It ends at the nearest point, or at an edge that does not face the origin. In that case, where the
 * outlines overlap, and where rounding makes the walk unsure, all edges are examined.
 * Source: de Berg et al., "Computational geometry", 2008, 13.3 (the order of the edges).
 * Pure, any thread. */
#include "d2/query/penetration.h"

#include "d2/shape/outline_lanes.h"
#include "d2/query/minkowski.h"

#include <assert.h>
#include <string.h>

/* Relative tolerance: distances below it are rounding error; the direction is then that of an edge. */
static const double contact_tolerance = 1e-14;
/* Relative tolerance: distances below it are left to the search of all edges, which knows the size of its coordinates. */
static const double unsure_tolerance = 1e-10;
/* Square of the sine of the angle below which two edges are parallel: above the rounding error of a rotation, below that of a
 * pose. */
static const double parallel_square = 1e-26;

struct pair {
	const struct d2_proxy *a, *b;
	const struct d2_transform_d *place; /* of B in A's frame */
	double limit; /* greater distances need not be measured [length] */
	bool deep; /* the outlines seem to overlap: methods for overlaps come first */
	bool rough; /* the depth of an overlap is not needed */
};

static inline struct d2_vec_d point_a(const struct pair *c, uint32_t i)
{
	return d2_widen(c->a->points[i]);
}

static inline struct d2_vec_d point_b(const struct pair *c, uint32_t k)
{
	return d2_transform_point_d(c->place, d2_widen(c->b->points[k]));
}

static inline struct d2_vec_d way_b(const struct pair *c, uint32_t k, uint32_t next)
{
	return d2_turn_d(c->place->q, d2_sub_d(d2_widen(c->b->points[next]), d2_widen(c->b->points[k])));
}

static inline uint32_t after(uint32_t i, uint32_t count)
{
	return i + 1 < count ? i + 1 : 0;
}

static inline uint32_t before(uint32_t i, uint32_t count)
{
	return i > 0 ? i - 1 : count - 1;
}

static inline bool parallel(double cross, struct d2_vec_d e, struct d2_vec_d f)
{
	return cross * cross <= parallel_square * (d2_dot_d(e, e) * d2_dot_d(f, f));
}

/* A vertex of M, and the next one along its boundary. */
struct stride {
	uint32_t i, k; /* of the vertex */
	uint32_t next_i, next_k;
	struct d2_vec_d w, delta;
};

static inline void take_vertex(const struct stride *s, struct d2_core_separation *out)
{
	out->distance = d2_length_d(s->w);
	out->normal = d2_scale_d(1 / out->distance, s->w);
	out->a[0] = out->a[1] = s->i;
	out->b[0] = out->b[1] = s->k;
	out->part = 0;
}

/* The unit normal, from A to B, and the length of a counter-clockwise edge of M. */
static inline double edge_normal(const struct pair *c, const struct stride *s, struct d2_vec_d *normal)
{
	bool of_a = s->k == s->next_k, of_b = s->i == s->next_i;
	const struct d2_edge *edges = of_a ? c->a->edges : of_b ? c->b->edges : NULL;
	if (edges == NULL) {
		double length = d2_length_d(s->delta);
		*normal = d2_scale_d(1 / length, (struct d2_vec_d){-s->delta.y, s->delta.x});
		return length;
	}
	const struct d2_edge *edge = &edges[of_a ? s->i : s->k];
	*normal = of_a ? edge->normal : d2_neg_d(d2_turn_d(c->place->q, edge->normal));
	return edge->length;
}

static inline void take_edge(const struct pair *c, const struct stride *s, struct d2_core_separation *out)
{
	double length = edge_normal(c, s, &out->normal);
	out->distance = d2_dot_d(out->normal, s->w);
	out->a[0] = s->i;
	out->a[1] = s->next_i;
	out->b[0] = s->k;
	out->b[1] = s->next_k;
	out->part = clamp_d(d2_cross_d(out->normal, s->w) / length, 0, 1);
}

/* The same edge, reversed. */
static inline struct stride turned(const struct pair *c, const struct stride *s)
{
	struct d2_vec_d w = d2_sub_d(point_b(c, s->next_k), point_a(c, s->next_i));
	return (struct stride){s->next_i, s->next_k, s->i, s->k, w, d2_neg_d(s->delta)};
}

/* --- Walk along the boundary ---------------------------------------------------------------------------------------------- */

static inline uint32_t farthest(const struct d2_proxy *proxy, struct d2_vec_d d)
{
	uint32_t best = 0;
	double far = proxy->points[0].x * d.x + proxy->points[0].y * d.y;
	for (uint32_t i = 1; i < proxy->count; ++i) {
		double along = proxy->points[i].x * d.x + proxy->points[i].y * d.y;
		best = along > far ? i : best;
		far = max_d(along, far);
	}
	return best;
}

static inline struct d2_vec_d middle(const struct d2_proxy *proxy)
{
	struct d2_vec p = proxy->points[0], q = proxy->points[proxy->count / 2];
	return (struct d2_vec_d){0.5 * ((double)p.x + q.x), 0.5 * ((double)p.y + q.y)};
}

/* The edge of M at the vertex, to the left or to the right: the first in direction of A's and B's next edges, or both, if they
 * are parallel. False: they are opposite, so the order is undecided. */
static inline bool find_edge(const struct pair *c, bool left, struct stride *s)
{
	uint32_t na = c->a->count, nb = c->b->count;
	uint32_t i = left ? after(s->i, na) : before(s->i, na), k = left ? after(s->k, nb) : before(s->k, nb);
	struct d2_vec_d a = d2_sub_d(point_a(c, s->i), point_a(c, i)), b = way_b(c, s->k, k);
	double cross = d2_cross_d(a, b);
	bool both = na > 1 && nb > 1 && parallel(cross, a, b), of_a = nb == 1 || (na > 1 && (left ? cross > 0 : cross < 0));
	s->next_i = both || of_a ? i : s->i;
	s->next_k = both || !of_a ? k : s->k;
	s->delta = both ? d2_add_d(a, b) : of_a ? a : b;
	return !both || d2_dot_d(a, b) > 0;
}

/* Descends from the vertex as far as possible. *moved: whether it descended at all. *on_edge: the nearest point is on the last
 * edge. False: undecided. */
static inline bool walk_down(const struct pair *c, bool left, struct stride *s, bool *on_edge, bool *moved)
{
	for (uint32_t steps = c->a->count + c->b->count; steps > 0; --steps) {
		if (!find_edge(c, left, s))
			return false;
		double down = -d2_dot_d(s->w, s->delta), square = d2_dot_d(s->delta, s->delta);
		*on_edge = false;
		/* At a nearest vertex the origin is outside the edge's line. */
		if (!(down > 0))
			return left ? d2_cross_d(s->w, s->delta) <= 0 : d2_cross_d(s->w, s->delta) >= 0;
		*moved = true;
		*on_edge = down < square;
		if (*on_edge)
			return true;
		s->i = s->next_i;
		s->k = s->next_k;
		s->w = d2_sub_d(point_b(c, s->k), point_a(c, s->i));
	}
	return false;
}

/* The nearest point, where the origin is outside M. Starts at the support vertex against the vector between the middles. */
static enum d2_core_separation_answer find_outside(const struct pair *c, struct d2_core_separation *out)
{
	struct d2_vec_d d = d2_sub_d(d2_transform_point_d(c->place, middle(c->b)), middle(c->a));
	struct stride s = {.i = farthest(c->a, d), .k = farthest(c->b, d2_neg_d(d2_inv_turn_d(c->place->q, d)))};
	struct d2_vec_d a = point_a(c, s.i), b = point_b(c, s.k);
	s.w = d2_sub_d(b, a);
	double size = abs_d(a.x) + abs_d(a.y) + abs_d(b.x) + abs_d(b.y) + abs_d(c->place->p.x) + abs_d(c->place->p.y);
	double separation = d2_dot_d(s.w, d) - unsure_tolerance * size * (abs_d(d.x) + abs_d(d.y));
	if (!(separation > 0))
		return D2_CORE_SEPARATION_UNSURE;
	if (separation * separation > c->limit * c->limit * d2_dot_d(d, d))
		return D2_CORE_SEPARATION_BEYOND;
	bool left = true, moved = false, on_edge, sure = walk_down(c, left, &s, &on_edge, &moved);
	if (sure && !moved) {
		left = false;
		sure = walk_down(c, left, &s, &on_edge, &moved);
	}
	if (!sure)
		return D2_CORE_SEPARATION_UNSURE;
	if (on_edge) {
		if (!left)
			s = turned(c, &s);
		take_edge(c, &s, out);
	} else {
		take_vertex(&s, out);
	}
	return out->distance > unsure_tolerance * size ? D2_CORE_SEPARATION_FOUND : D2_CORE_SEPARATION_UNSURE;
}

/* --- Previous closest features -------------------------------------------------------------------------------------------- */

/* Whether point i alone is a convex outline's support point along -n, by more than rounding: it is, if its neighbours are
 * farther along n. */
static inline bool is_deepest(const struct d2_proxy *proxy, uint32_t i, struct d2_vec_d n)
{
	uint32_t ends[2] = {before(i, proxy->count), after(i, proxy->count)};
	for (int k = 0; proxy->count > 1 && k < 2; ++k) {
		struct d2_vec_d delta = d2_sub_d(d2_widen(proxy->points[ends[k]]), d2_widen(proxy->points[i]));
		double up = d2_dot_d(delta, n);
		if (!(up > 0 && up * up > parallel_square * d2_dot_d(delta, delta)))
			return false;
	}
	return true;
}

static inline bool has_feature(const struct d2_proxy *proxy, const uint32_t ends[2])
{
	return ends[0] < proxy->count && (ends[1] == ends[0] || (proxy->edges && ends[1] == after(ends[0], proxy->count)));
}

/* The features are closest if neither outline reaches past the line through its own feature, perpendicular to the normal. */
bool d2_core_separation_again(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_core_separation *out)
{
	struct pair c = {.a = a, .b = b, .place = b_in_a};
	bool of_a = out->a[0] != out->a[1], of_b = out->b[0] != out->b[1];
	if (!has_feature(a, out->a) || !has_feature(b, out->b) || (of_a && of_b))
		return false;
	struct stride s = {.i = out->a[0], .next_i = out->a[1], .k = out->b[0], .next_k = out->b[1]};
	struct d2_vec_d pa = point_a(&c, s.i), pb = point_b(&c, s.k);
	s.w = d2_sub_d(pb, pa);
	if (of_a || of_b)
		take_edge(&c, &s, out);
	else
		take_vertex(&s, out);
	double size = abs_d(pa.x) + abs_d(pa.y) + abs_d(pb.x) + abs_d(pb.y) + abs_d(b_in_a->p.x) + abs_d(b_in_a->p.y);
	if (!(out->distance > unsure_tolerance * size) || ((of_a || of_b) && !(out->part > 0 && out->part < 1)))
		return false;
	return (of_a || is_deepest(a, s.i, d2_neg_d(out->normal))) &&
		(of_b || is_deepest(b, s.k, d2_inv_turn_d(b_in_a->q, out->normal)));
}

/* --- All edges ------------------------------------------------------------------------------------------------------------ */

/* The edge of M that the origin is farthest outside of. */
struct search {
	struct stride best;
	double outside, square; /* distance times the edge's length; the length squared. 0: none yet */
	uint32_t count; /* of edges with a length */
};

/* The heights h/l are compared as h |h|/l^2, which takes neither root nor division. */
static void search_edge(struct search *s, const struct stride *edge)
{
	double outside = -d2_cross_d(edge->w, edge->delta), square = d2_dot_d(edge->delta, edge->delta);
	if (!(square > 0))
		return;
	++s->count;
	if (s->square == 0 || outside * abs_d(outside) * s->square > s->outside * abs_d(s->outside) * square) {
		s->best = *edge;
		s->outside = outside;
		s->square = square;
	}
}

/* Outside a convex outline, the edge that the origin is farthest outside of carries the nearest point. Beyond its end, its
 * normal and that of the next edge enclose the direction to the corner, since the next edge's line is no farther. hollow: a
 * segment, which has no inside. */
static inline void finish(
	const struct pair *c, const struct stride *best, bool hollow, double contact, struct d2_core_separation *out)
{
	take_edge(c, best, out);
	if (out->part > 0 && out->part < 1)
		return;
	struct stride end = out->part >= 1 ? turned(c, best) : *best;
	/* Near contact, a vertex that is as far as the edge's line, to within rounding, may lie beyond the end by rounding only.
	 * Its direction is then arbitrary, and the edge's normal separates as far. */
	double length = d2_length_d(end.w), near_by = 1e4 * contact, rounding = 0.1 * contact;
	if ((hollow || out->distance > 0) && length > contact && (length > near_by || length - out->distance > rounding)) {
		take_vertex(&end, out);
		return;
	}
	out->a[0] = out->a[1] = end.i;
	out->b[0] = out->b[1] = end.k;
	out->part = 0;
}

/* By the explicit difference and all its edges. */
static void find_anywhere(const struct pair *c, struct d2_core_separation *out)
{
	struct d2_minkowski m;
	d2_minkowski_difference(c->a, c->b, c->place, &m);
	struct search s = {.best.w = m.v[0].w};
	for (uint32_t i = 0; i < m.count; ++i) {
		const struct d2_minkowski_vertex *v = &m.v[i], *next = &m.v[after(i, m.count)];
		struct stride edge = {v->a, v->b, next->a, next->b, v->w, d2_sub_d(next->w, v->w)};
		search_edge(&s, &edge);
	}
	if (s.square > 0)
		finish(c, &s.best, s.count <= 2, contact_tolerance * m.size, out);
	else if (d2_length_d(s.best.w) > contact_tolerance * m.size)
		take_vertex(&s.best, out);
	else /* M is a point: any normal will do, here up. */
		*out = (struct d2_core_separation){.normal = {0, 1}};
}

/* --- Point against outline ------------------------------------------------------------------------------------------------ */

/* Distances below the result, which is far above the coordinates' rounding error, are unsure. */
static double unsure(struct d2_vec_d a, struct d2_vec_d b)
{
	return unsure_tolerance * (abs_d(a.x) + abs_d(a.y) + abs_d(b.x) + abs_d(b.y));
}

/* The separation of b from A's edge from point i to point k. */
static enum d2_core_separation_answer take_point_edge(const struct pair *c, struct d2_vec_d p, struct d2_vec_d q, uint32_t i,
	uint32_t k, struct d2_vec_d b, struct d2_core_separation *out)
{
	struct stride s = {i, 0, k, 0, d2_sub_d(b, p), d2_sub_d(p, q)};
	take_edge(c, &s, out);
	return abs_d(out->distance) > unsure(p, b) ? D2_CORE_SEPARATION_FOUND : D2_CORE_SEPARATION_UNSURE;
}

static enum d2_core_separation_answer take_point_vertex(
	const struct pair *c, struct d2_vec_d p, uint32_t i, struct d2_vec_d b, struct d2_core_separation *out)
{
	struct stride s = {.i = i, .w = d2_sub_d(b, p)};
	double enough = c->limit + unsure(p, b);
	if (d2_dot_d(s.w, s.w) > enough * enough)
		return D2_CORE_SEPARATION_BEYOND;
	take_vertex(&s, out);
	return out->distance > unsure(p, b) ? D2_CORE_SEPARATION_FOUND : D2_CORE_SEPARATION_UNSURE;
}

static enum d2_core_separation_answer point_and_line(const struct pair *c, struct d2_vec_d b, struct d2_core_separation *out)
{
	struct d2_vec_d p = point_a(c, 0), q = point_a(c, 1), e = d2_sub_d(q, p), w = d2_sub_d(b, p);
	double along = d2_dot_d(w, e), square = d2_dot_d(e, e);
	if (along <= 0)
		return take_point_vertex(c, p, 0, b, out);
	if (along >= square)
		return take_point_vertex(c, q, 1, b, out);
	double side = d2_cross_d(w, e), enough = c->limit + unsure(p, b);
	if (side * side > enough * enough * square)
		return D2_CORE_SEPARATION_BEYOND;
	return side > 0 ? take_point_edge(c, p, q, 0, 1, b, out) : take_point_edge(c, q, p, 1, 0, b, out);
}

/* --- Segment against segment ---------------------------------------------------------------------------------------------- */

/* Square of the sine of the angle below which two segments count as parallel: UNSURE. */
static const double along_square = 1e-16;

/* Unless they cross, an end of one is closest.
 * Source: Ericson, "Real-time collision detection", 2005, 5.1.9. */
static enum d2_core_separation_answer lines(const struct pair *c, struct d2_core_separation *out)
{
	struct d2_vec_d p = point_a(c, 0), q = point_a(c, 1), u = point_b(c, 0), v = point_b(c, 1);
	struct d2_vec_d e = d2_sub_d(q, p), f = d2_sub_d(v, u), w = d2_sub_d(u, p);
	double ee = d2_dot_d(e, e), ff = d2_dot_d(f, f), cross = d2_cross_d(e, f), ew = d2_dot_d(e, w), fw = d2_dot_d(f, w);
	if (!(cross * cross > along_square * (ee * ff)))
		return D2_CORE_SEPARATION_UNSURE;
	/* Fractions along both. */
	double s = clamp_d(d2_cross_d(w, f) / cross, 0, 1), t = (s * d2_dot_d(e, f) - fw) / ff;
	bool end_of_b = !(t > 0 && t < 1);
	if (end_of_b) {
		t = clamp_d(t, 0, 1);
		s = (ew + t * d2_dot_d(e, f)) / ee;
	}
	bool end_of_a = !(s > 0 && s < 1);
	if (!end_of_a && !end_of_b)
		return D2_CORE_SEPARATION_UNSURE;
	uint32_t i = s > 0 ? 1 : 0, k = t > 0 ? 1 : 0;
	struct d2_vec_d a = i ? q : p, b = k ? v : u;
	if (end_of_a && end_of_b) {
		struct stride vertex = {.i = i, .k = k, .w = d2_sub_d(b, a)};
		take_vertex(&vertex, out);
	} else if (end_of_b) {
		w = d2_sub_d(b, p);
		bool left = d2_cross_d(w, e) > 0;
		struct stride edge = {left ? 0 : 1, k, left ? 1 : 0, k, left ? w : d2_sub_d(b, q), left ? d2_neg_d(e) : e};
		take_edge(c, &edge, out);
	} else {
		w = d2_sub_d(u, a);
		bool left = d2_cross_d(w, f) < 0;
		struct stride edge = {i, left ? 0 : 1, i, left ? 1 : 0, left ? w : d2_sub_d(v, a), left ? f : d2_neg_d(f)};
		take_edge(c, &edge, out);
	}
	double doubt = unsure(a, b) + unsure_tolerance * (abs_d(c->place->p.x) + abs_d(c->place->p.y));
	return out->distance > c->limit + doubt ? D2_CORE_SEPARATION_BEYOND
		: out->distance > doubt             ? D2_CORE_SEPARATION_FOUND
											: D2_CORE_SEPARATION_UNSURE;
}

/* Relative tolerance: above the float rounding error of two separations together. */
static const double lane_tolerance = 2e-6;

/* The edge that b is farthest outside of, found in floats. UNSURE: another edge is equally good. */
static enum d2_core_separation_answer point_and_polygon(const struct pair *c, struct d2_vec_d b, struct d2_core_separation *out)
{
	float separations[D2_HULL_MAX], size;
	uint32_t best;
	double most = float4_outside(c->a->points, c->a->normals, c->a->count, d2_narrow(b), separations, &size);
	double slack = lane_tolerance * (size + abs_d(b.x) + abs_d(b.y));
	if (most - slack > c->limit)
		return D2_CORE_SEPARATION_BEYOND;
	if (!float4_only(separations, c->a->count, (float)(most - slack), &best))
		return D2_CORE_SEPARATION_UNSURE;
	uint32_t next = after(best, c->a->count);
	struct d2_vec_d p = point_a(c, best), q = point_a(c, next), e = d2_sub_d(q, p);
	double along = d2_dot_d(d2_sub_d(b, p), e), square = d2_dot_d(e, e);
	/* Beyond an end, the corner is closest if b is surely outside. */
	if (!(along > 0 && along < square))
		return most > slack ? (along > 0 ? take_point_vertex(c, q, next, b, out) : take_point_vertex(c, p, best, b, out))
							: D2_CORE_SEPARATION_UNSURE;
	return take_point_edge(c, p, q, best, next, b, out);
}

/* --- Four edges at a time ------------------------------------------------------------------------------------------------- */

/* For outlines of few points, the separations along all edge normals are found in floats. That leaves one edge or few for an
 * exact test. */
enum { FEW_POINTS = 16, FEW_EDGES = 4 };

/* Points of one outline in the other's frame. */
struct seen {
	struct d2_vec points[FEW_POINTS];
	float reach; /* the greatest |x| plus the greatest |y| */
};

static inline void see_points(const struct d2_proxy *proxy, struct d2_rot q, struct d2_vec p, struct seen *out)
{
	float4 along = {q.c, q.c, q.c, q.c}, across = {-q.s, q.s, -q.s, q.s}, place = {p.x, p.y, p.x, p.y}, reach = {0};
	uint32_t i = 0;
	for (; i < proxy->count; i += 2) {
		float4 v = {proxy->points[i].x, proxy->points[i].y, proxy->points[i].x, proxy->points[i].y};
		if (i + 1 < proxy->count)
			memcpy(&v, &proxy->points[i], sizeof v);
		v = along * v + across * __builtin_shufflevector(v, v, 1, 0, 3, 2) + place;
		reach = float4_most(reach, float4_absolute(v));
		memcpy(&out->points[i], &v, sizeof v);
	}
	out->reach = max_f(reach[0], reach[2]) + max_f(reach[1], reach[3]);
}

/* For each of four edges from `first` on, the least separation of any of the points. */
static inline float4 separate_four(const struct d2_vec *points, struct float4_vectors n, uint32_t first, uint32_t count,
	const struct seen *seen, uint32_t seen_count)
{
	struct float4_vectors p = float4_load(points, first, count);
	float4 found = n.x * seen->points[0].x + n.y * seen->points[0].y;
	for (uint32_t m = 1; m < seen_count; ++m)
		found = float4_least(found, n.x * seen->points[m].x + n.y * seen->points[m].y);
	return found - (n.x * p.x + n.y * p.y);
}

/* Two outlines, each in the other's frame. */
struct views {
	uint32_t edges_a, edges_b;
	struct seen a, b;
	struct d2_vec sides_a[2], sides_b[2]; /* normals of a segment, there and back */
	const struct d2_vec *normals_a, *normals_b;
	float scale; /* of the coordinates */
	struct d2_rot q;
};

static inline const struct d2_vec *find_normals(const struct d2_proxy *proxy, struct d2_vec sides[2])
{
	if (proxy->normals)
		return proxy->normals;
	sides[0] = d2_normalize(d2_right_perp(d2_sub(proxy->points[1], proxy->points[0])));
	sides[1] = d2_neg(sides[0]);
	return sides;
}

/* The greatest |x| + |y| in the outline's own frame. */
static float own_reach(const struct d2_proxy *proxy)
{
	float reach = 0;
	for (uint32_t i = 0; i < proxy->count; ++i)
		reach = max_f(reach, abs_f(proxy->points[i].x) + abs_f(proxy->points[i].y));
	return reach;
}

static inline void look(const struct pair *c, struct views *v)
{
	struct d2_rot q = {(float)c->place->q.c, (float)c->place->q.s}, back = {q.c, -q.s};
	struct d2_vec p = d2_narrow(c->place->p);
	v->q = q;
	v->normals_a = v->normals_b = NULL;
	v->edges_a = c->a->count > 1 ? c->a->count : 0;
	v->edges_b = c->b->count > 1 ? c->b->count : 0;
	v->scale = abs_f(p.x) + abs_f(p.y);
	if (v->edges_a > 0) {
		v->normals_a = find_normals(c->a, v->sides_a);
		see_points(c->b, q, p, &v->b);
		v->scale += v->b.reach;
	}
	if (v->edges_b > 0) {
		v->normals_b = find_normals(c->b, v->sides_b);
		see_points(c->a, back, d2_neg(d2_rotate(back, p)), &v->a);
		v->scale += v->a.reach;
	}
	/* If only one of them was transformed, the other one's own coordinates count, too. */
	if (v->edges_a == 0 || v->edges_b == 0)
		v->scale += own_reach(v->edges_a == 0 ? c->b : c->a);
}

/* The separations along all of the proxy's edges. Returns the greatest per lane, with `most`. */
static inline float4 separate(const struct d2_proxy *proxy, const struct d2_vec *normals, uint32_t edges,
	const struct seen *seen, uint32_t seen_count, float4 most, float *out)
{
	for (uint32_t i = 0; i < edges; i += 4) {
		uint32_t start = float4_start(i, edges);
		float4 found = separate_four(proxy->points, float4_load(normals, start, edges), start, edges, seen, seen_count);
		most = float4_most(most, found);
		memcpy(out + start, &found, sizeof found);
	}
	return most;
}

/* Separations along A's edges, and from index FEW_POINTS on along B's. Returns the greatest. */
static inline float separate_all(const struct pair *c, const struct views *v, float separations[2 * FEW_POINTS])
{
	float4 most = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
	most = separate(c->a, v->normals_a, v->edges_a, &v->b, c->b->count, most, separations);
	most = separate(c->b, v->normals_b, v->edges_b, &v->a, c->a->count, most, separations + FEW_POINTS);
	return float4_greatest(most);
}

/* The transformed point that is least along n. False: another one is equally far. */
static inline bool find_deepest(const struct seen *seen, uint32_t count, struct d2_vec n, float slack, uint32_t *out)
{
	float under[FEW_POINTS];
	float4 most = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
	for (uint32_t i = 0; i < count; i += 4) {
		uint32_t start = float4_start(i, count);
		struct float4_vectors p = float4_load(seen->points, start, count);
		float4 found = -(n.x * p.x + n.y * p.y);
		most = float4_most(most, found);
		memcpy(under + start, &found, sizeof found);
	}
	return float4_only(under, count, float4_greatest(most) - slack, out);
}

/* The edge of M from A's edge i, with B's support point against its normal. i >= FEW_POINTS: likewise from B's edge i -
 * FEW_POINTS. */
static inline void make_stride(const struct pair *c, const struct views *v, uint32_t i, struct stride *out)
{
	bool of_a = i < FEW_POINTS;
	uint32_t at = of_a ? i : i - FEW_POINTS, next = after(at, of_a ? c->a->count : c->b->count), other;
	assert(of_a ? v->edges_a > 0 : v->edges_b > 0);
	struct d2_vec rough = of_a ? v->normals_a[at] : v->normals_b[at];
	bool sure =
		find_deepest(of_a ? &v->b : &v->a, of_a ? c->b->count : c->a->count, rough, (float)lane_tolerance * v->scale, &other);
	struct d2_vec_d delta = of_a ? d2_sub_d(point_a(c, at), point_a(c, next)) : way_b(c, at, next), n = {delta.y, -delta.x};
	if (!sure)
		other = of_a ? farthest(c->b, d2_inv_turn_d(c->place->q, n)) : farthest(c->a, d2_neg_d(n));
	out->i = of_a ? at : other;
	out->k = of_a ? other : at;
	out->next_i = of_a ? next : other;
	out->next_k = of_a ? other : next;
	out->w = d2_sub_d(point_b(c, out->k), point_a(c, out->i));
	out->delta = delta;
}

/* If the other outline has a parallel edge at the vertex, both form one edge of M. */
static void join_parallel(const struct pair *c, struct stride *s)
{
	bool of_a = s->i != s->next_i;
	uint32_t count = of_a ? c->b->count : c->a->count, at = of_a ? s->k : s->i, ends[2] = {before(at, count), after(at, count)};
	for (int end = 0; count > 1 && end < 2; ++end) {
		struct d2_vec_d p = of_a ? point_b(c, at) : d2_neg_d(point_a(c, at));
		struct d2_vec_d q = of_a ? point_b(c, ends[end]) : d2_neg_d(point_a(c, ends[end]));
		struct d2_vec_d delta = end == 0 ? d2_sub_d(p, q) : d2_sub_d(q, p);
		if (!parallel(d2_cross_d(delta, s->delta), delta, s->delta) || !(d2_dot_d(delta, s->delta) > 0))
			continue;
		*(of_a ? (end == 0 ? &s->k : &s->next_k) : (end == 0 ? &s->i : &s->next_i)) = ends[end];
		s->w = d2_sub_d(point_b(c, s->k), point_a(c, s->i));
		s->delta = d2_add_d(s->delta, delta);
		return;
	}
}

static inline uint32_t edges_of_both(const struct views *v, const float *values, float enough)
{
	return (uint32_t)(float4_bits_from(values, v->edges_a, enough) |
		float4_bits_from(values + FEW_POINTS, v->edges_b, enough) << FEW_POINTS);
}

/* The best of the candidate edges. False: there are too many, or none. */
static bool choose_stride(const struct pair *c, const struct views *v, uint32_t bits, struct stride *out)
{
	struct search s = {.count = 0};
	for (; bits != 0; bits &= bits - 1) {
		struct stride edge;
		make_stride(c, v, (uint32_t)__builtin_ctz(bits), &edge);
		search_edge(&s, &edge);
	}
	if (s.count == 0 || s.count > FEW_EDGES)
		return false;
	/* A parallel edge is equally far outside. */
	if (s.count > 1)
		join_parallel(c, &s.best);
	*out = s.best;
	return true;
}

/* UNSURE: too many edges are equally good, or the distance is hardly above rounding error. */
static enum d2_core_separation_answer find_by_lanes(const struct pair *c, struct d2_core_separation *out)
{
	struct views v;
	struct stride best;
	float separations[2 * FEW_POINTS];
	look(c, &v);
	float most = separate_all(c, &v, separations), slack = (float)lane_tolerance * v.scale, enough = most - slack;
	if (enough > c->limit)
		return D2_CORE_SEPARATION_BEYOND;
	if (c->rough && most + slack < 0) {
		out->distance = most;
		return D2_CORE_SEPARATION_FOUND;
	}
	uint32_t bits = edges_of_both(&v, separations, enough);
	bool single = bits != 0 && (bits & (bits - 1)) == 0;
	if (single)
		make_stride(c, &v, (uint32_t)__builtin_ctz(bits), &best);
	if (single ? !(d2_dot_d(best.delta, best.delta) > 0) : !choose_stride(c, &v, bits, &best))
		return D2_CORE_SEPARATION_UNSURE;
	finish(c, &best, v.edges_a + v.edges_b <= 2, contact_tolerance * v.scale, out);
	return abs_d(out->distance) > unsure_tolerance * v.scale ? D2_CORE_SEPARATION_FOUND : D2_CORE_SEPARATION_UNSURE;
}

static bool are_few(const struct pair *c)
{
	return c->a->count <= FEW_POINTS && c->b->count <= FEW_POINTS && c->a->count + c->b->count > 2;
}

/* --- Straight cast -------------------------------------------------------------------------------------------------------- */

/* The point s u, from the origin, enters M widened by a radius r at the last edge line that it crosses inwards, and leaves M at
 * the first that it crosses outwards; each line is moved out by r. With an edge's separation h and the speed v at which the
 * point approaches its line, the crossing is at s = (h - r)/v. In floats its error is that of h plus s times that of v, both
 * over v. Edges that qualify within that error are tested exactly.
 * Source: Cyrus, Beck, "Generalized two- and three-dimensional clipping", 1978. */
struct crossings {
	/* upper bounds: of s where crossed inwards, of -s where outwards */
	float enter_most[2 * FEW_POINTS], leave_most[2 * FEW_POINTS];
	float4 enter, leave; /* lower bounds of the greatest s inwards, and of the greatest -s outwards */
	float4 outside; /* the greatest separation */
	int4 missed; /* some edge's line is not reached */
	int4 unsure; /* the path is nearly parallel to some edge, and near it */
};

/* Below this speed, s is too inaccurate. */
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
		/* A nearly parallel edge is unsure, unless the path is so deep inside that it leaves far off. */
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
	double length; /* s, at the edge's line */
	uint32_t count; /* of edges tested */
};

/* sign: 1: the last edge crossed inwards; -1: the first one crossed outwards. */
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
		join_parallel(c, &out->edge);
}

/* Where the line is crossed, as a fraction of the edge. */
static double part_of(const struct exact_crossing *crossing, struct d2_vec_d u)
{
	const struct stride *e = &crossing->edge;
	return (crossing->length * d2_dot_d(u, e->delta) - d2_dot_d(e->w, e->delta)) / d2_dot_d(e->delta, e->delta);
}

/* Beyond an end of its edge, a line moved out is not part of the boundary. A circle around the corner is, which the path
 * crosses or misses. sign: as for cross_exactly. False: it misses. */
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
	bool corner, double part, struct d2_core_way *out)
{
	const struct stride *e = &crossing->edge;
	bool end = !corner && part >= 1, start = corner || part <= 0;
	out->enter = crossing->length;
	out->a[0] = end ? e->next_i : e->i;
	out->b[0] = end ? e->next_k : e->k;
	out->a[1] = start ? e->i : e->next_i;
	out->b[1] = start ? e->k : e->next_k;
	out->part = start || end ? 0 : part;
	if (corner)
		out->normal = d2_scale_d(1 / radius, d2_mul_add_d(e->w, -crossing->length, u));
	else
		edge_normal(c, e, &out->normal);
}

/* The bits select the candidate edges. The two are apart at the start: an exit before it means no hit. */
static enum d2_core_separation_answer cross_boundary(const struct pair *c, const struct views *v, struct d2_vec_d u,
	double length, double radius, uint32_t inwards, uint32_t outwards, struct d2_core_way *out)
{
	struct exact_crossing first, last;
	cross_exactly(c, v, u, radius, inwards, 1, &first);
	cross_exactly(c, v, u, radius, outwards, -1, &last);
	if (first.count == 0 || last.count == 0 || first.count > FEW_EDGES || last.count > FEW_EDGES)
		return D2_CORE_SEPARATION_UNSURE;
	double part = part_of(&first, u);
	bool corner = radius > 0 && !(part >= 0 && part <= 1);
	if (corner && !cross_corner(c, &first, u, radius, part, 1))
		return D2_CORE_SEPARATION_BEYOND;
	if (radius > 0) {
		double end = part_of(&last, u);
		if (!(end >= 0 && end <= 1) && !cross_corner(c, &last, u, radius, end, -1))
			return D2_CORE_SEPARATION_UNSURE;
	}
	/* Grazing: entry and exit have different rounding errors. */
	if (!(last.length - first.length > contact_tolerance * length))
		return D2_CORE_SEPARATION_UNSURE;
	if (last.length < 0 || first.length > length * (1 + 1e-15))
		return D2_CORE_SEPARATION_BEYOND;
	if (first.length < 0)
		return D2_CORE_SEPARATION_UNSURE;
	take_crossing(c, &first, u, radius, corner, part, out);
	out->leave = last.length;
	return D2_CORE_SEPARATION_FOUND;
}

enum d2_core_separation_answer d2_core_way_find(const struct d2_proxy *a, const struct d2_proxy *b,
	const struct d2_transform_d *b_in_a, struct d2_vec_d u, double length, double radius, struct d2_core_way *out)
{
	struct pair c = {.a = a, .b = b, .place = b_in_a};
	struct views v;
	/* For two segments the explicit difference is as fast. */
	if (!are_few(&c) || (a->count < 3 && b->count < 3))
		return D2_CORE_SEPARATION_UNSURE;
	look(&c, &v);
	const float4 infinite = {INFINITY, INFINITY, INFINITY, INFINITY};
	struct crossings all;
	all.enter = all.leave = all.outside = -infinite;
	all.missed = all.unsure = (int4){0};
	struct tour tour = {(float)radius, (float)lane_tolerance * (v.scale + (float)radius), (float)length};
	struct d2_vec delta = d2_narrow(u), back = d2_neg(d2_inv_rotate(v.q, delta));
	cross_edges(a, v.normals_a, v.edges_a, &v.b, b->count, delta, &tour, 0, &all);
	cross_edges(b, v.normals_b, v.edges_b, &v.a, a->count, back, &tour, FEW_POINTS, &all);
	if (!(float4_greatest(all.outside) > tour.slack))
		return D2_CORE_SEPARATION_UNSURE;
	if (float4_bits(all.missed) != 0)
		return D2_CORE_SEPARATION_BEYOND;
	float enter = float4_greatest(all.enter), leave = float4_greatest(all.leave);
	if (float4_bits(all.unsure) != 0 || !(enter > -INFINITY && leave > -INFINITY))
		return D2_CORE_SEPARATION_UNSURE;
	if (enter > -leave)
		return D2_CORE_SEPARATION_BEYOND;
	return cross_boundary(
		&c, &v, u, length, radius, edges_of_both(&v, all.enter_most, enter), edges_of_both(&v, all.leave_most, leave), out);
}

/* --- Choice of method ----------------------------------------------------------------------------------------------------- */

static inline enum d2_core_separation_answer find_of_point(
	const struct pair *c, struct d2_vec_d b, struct d2_core_separation *out)
{
	uint32_t count = c->a->count;
	return count == 1 ? take_point_vertex(c, point_a(c, 0), 0, b, out)
		: count == 2  ? point_and_line(c, b, out)
					  : point_and_polygon(c, b, out);
}

enum d2_core_separation_answer d2_core_separation_of_point(
	const struct d2_proxy *a, struct d2_vec_d b, double limit, struct d2_core_separation *out)
{
	struct pair c = {.a = a, .limit = limit};
	return find_of_point(&c, b, out);
}

static enum d2_core_separation_answer find_at_once(const struct pair *c, struct d2_core_separation *out)
{
	bool single = c->b->count == 1, few = are_few(c);
	if (single) {
		enum d2_core_separation_answer answer = find_of_point(c, point_b(c, 0), out);
		if (answer != D2_CORE_SEPARATION_UNSURE || c->a->count <= 2)
			return answer;
	}
	if (c->a->count == 2 && c->b->count == 2) {
		enum d2_core_separation_answer answer = lines(c, out);
		if (answer != D2_CORE_SEPARATION_UNSURE)
			return answer;
	}
	enum d2_core_separation_answer answer = few && c->deep ? D2_CORE_SEPARATION_UNSURE : find_outside(c, out);
	return answer == D2_CORE_SEPARATION_UNSURE && few ? find_by_lanes(c, out) : answer;
}

bool d2_core_separation_within(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a,
	double limit, bool deep, struct d2_core_separation *out)
{
	struct pair c = {a, b, b_in_a, limit, deep, false};
	enum d2_core_separation_answer answer = find_at_once(&c, out);
	if (answer == D2_CORE_SEPARATION_UNSURE)
		find_anywhere(&c, out);
	return answer != D2_CORE_SEPARATION_BEYOND;
}

bool d2_core_separation_overlaps(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, bool deep)
{
	struct d2_core_separation core;
	struct pair c = {a, b, b_in_a, (double)a->radius + b->radius, deep, true};
	enum d2_core_separation_answer answer = find_at_once(&c, &core);
	if (answer == D2_CORE_SEPARATION_UNSURE)
		find_anywhere(&c, &core);
	return answer != D2_CORE_SEPARATION_BEYOND && core.distance - a->radius - b->radius <= 0;
}

void d2_core_separation_find(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_core_separation *out)
{
	d2_core_separation_within(a, b, b_in_a, INFINITY, false, out);
}
