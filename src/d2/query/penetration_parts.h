/* penetration_parts.h - internals shared by penetration.c and penetration_cast.c.
 * Pure, any thread. */
#pragma once
#include "d2/query/penetration.h"
#include "base/float4.h"
#include "d2/query/minkowski.h"

#include <assert.h>
#include <string.h>

/* Four vectors, for tests of a polygon's corners and edges in floats. The few that pass are tested again in double. */

struct float4_vectors {
	float4 x, y;
};

/* First index of the group of four that contains i. The last group ends at `count`, so it may overlap the group before it. */
static inline uint32_t float4_start(uint32_t i, uint32_t count)
{
	return count >= 4 && i + 4 > count ? count - 4 : i;
}

/* Loads v[start .. start + 3]; if count < 4, all of v, with the last vector repeated. */
static inline struct float4_vectors float4_load(const struct d2_vec *v, uint32_t start, uint32_t count)
{
	if (count >= 4) {
		float4 low, high;
		memcpy(&low, v + start, sizeof low);
		memcpy(&high, v + start + 2, sizeof high);
		return (struct float4_vectors){
			__builtin_shufflevector(low, high, 0, 2, 4, 6), __builtin_shufflevector(low, high, 1, 3, 5, 7)};
	}
	const struct d2_vec *second = v + (count > 1), *last = v + count - 1;
	return (struct float4_vectors){{v->x, second->x, last->x, last->x}, {v->y, second->y, last->y, last->y}};
}

/* Bit i is set where values[i] >= `enough`; count <= 64. `values` has room for at least four. */
static inline uint64_t float4_bits_from(const float *values, uint32_t count, float enough)
{
	uint64_t bits = 0;
	const float4 least_one = {enough, enough, enough, enough};
	for (uint32_t i = 0; i < count; i += 4) {
		uint32_t start = float4_start(i, count);
		float4 found;
		memcpy(&found, values + start, sizeof found);
		bits |= (uint64_t)float4_bits(found >= least_one) << start;
	}
	return count < 4 ? bits & ((1u << count) - 1) : bits;
}

/* *out: the index of the only value >= `enough`. False: several values are, or none. */
static inline bool float4_only(const float *values, uint32_t count, float enough, uint32_t *out)
{
	uint64_t bits = float4_bits_from(values, count, enough);
	*out = bits != 0 ? (uint32_t)__builtin_ctzll(bits) : 0;
	return bits != 0 && (bits & (bits - 1)) == 0;
}

/* row[i]: signed distance of p from the line of edge i, positive outside; it has room for at least four. Returns the greatest
 * of them. *size: the greatest |x| + |y| of the vectors from the corners to p. */
static inline float float4_outside(
	const struct d2_vec *points, const struct d2_vec *normals, uint32_t count, struct d2_vec p, float *row, float *size)
{
	float4 most = {-INFINITY, -INFINITY, -INFINITY, -INFINITY}, far = {0};
	for (uint32_t i = 0; i < count; i += 4) {
		uint32_t start = float4_start(i, count);
		struct float4_vectors n = float4_load(normals, start, count), v = float4_load(points, start, count);
		float4 x = p.x - v.x, y = p.y - v.y, found = n.x * x + n.y * y;
		most = float4_most(most, found);
		far = float4_most(far, float4_absolute(x) + float4_absolute(y));
		memcpy(row + start, &found, sizeof found);
	}
	*size = float4_greatest(far);
	return float4_greatest(most);
}

/* Relative tolerance: distances below this fraction of the coordinates' size are rounding error; the normal is then an
 * edge's. */
static const double contact_tolerance = 1e-14;

/* Two cores. M is their Minkowski difference, the set of all b - a, see penetration.c. */
struct pair {
	const struct d2_proxy *a, *b;
	const struct d2_transform_d *b_in_a;
	double limit; /* greater distances need not be computed [length] */
	bool deep; /* the polygons seem to overlap: methods for overlaps come first */
	bool rough; /* the depth of an overlap is not needed */
};

/* A vertex w of M and the edge delta to a neighbouring one. i, k: the vertices of A and B that w comes from; next_i, next_k:
 * those of the neighbour. */
struct stride {
	uint32_t i, k;
	uint32_t next_i, next_k;
	struct d2_vec_d w, delta;
};

/* Relative tolerance: exceeds the float rounding errors of two separations together. */
static const double lane_tolerance = 2e-6;

/* Polygons of at most FEW_POINTS points are tested along all edge normals in floats, then along the best in double. If more
 * than FEW_EDGES are equally good to within rounding, the result is unsure. */
enum { FEW_POINTS = 16, FEW_EDGES = 4 };

/* The points of one polygon in the other's frame. */
struct seen {
	struct d2_vec points[FEW_POINTS];
	float reach; /* the greatest |x| plus the greatest |y| */
};

/* Two polygons, each in the other's frame, and their normals, in floats. `b` and normals_a are for A's edges, `a` and normals_b
 * for B's. A polygon of one point has no edges, and its normals are NULL. */
struct views {
	uint32_t edges_a, edges_b; /* numbers of edges */
	struct seen a, b;
	struct d2_vec sides_a[2], sides_b[2]; /* normals of a segment, there and back */
	const struct d2_vec *normals_a, *normals_b;
	float scale; /* size of the coordinates [length] */
	struct d2_rot q; /* of B in A's frame */
};

/* Extends the edge *s of M, made of an edge of one polygon and a vertex of the other, by a parallel edge at that vertex, if
 * there is one. */
void d2_penetration_join_parallel(const struct pair *c, struct stride *s);

static inline bool are_few(const struct pair *c)
{
	return c->a->count <= FEW_POINTS && c->b->count <= FEW_POINTS && c->a->count + c->b->count > 2;
}

static inline struct d2_vec_d point_a(const struct pair *c, uint32_t i)
{
	return d2_widen(c->a->points[i]);
}

static inline struct d2_vec_d point_b(const struct pair *c, uint32_t k)
{
	return d2_transform_point_d(c->b_in_a, d2_widen(c->b->points[k]));
}

static inline struct d2_vec_d path_b(const struct pair *c, uint32_t k, uint32_t next)
{
	return d2_turn_d(c->b_in_a->q, d2_sub_d(d2_widen(c->b->points[next]), d2_widen(c->b->points[k])));
}

static inline uint32_t after(uint32_t i, uint32_t count)
{
	return (i + 1) & -(uint32_t)(i + 1 < count);
}

/* Computes the unit normal, from A to B, of a counter-clockwise edge of M, and returns the edge's length. */
static inline double edge_normal(const struct pair *c, const struct stride *s, struct d2_vec_d *normal)
{
	bool of_a = s->k == s->next_k, of_b = s->i == s->next_i;
	const struct d2_proxy *const proxies[2] = {c->b, c->a};
	const struct d2_edge *edges = proxies[of_a]->edges; /* either is as likely: tables, not branches */
	if ((edges == NULL) | !(of_a | of_b)) {
		double length = d2_length_d(s->delta);
		*normal = d2_scale_d(1 / length, (struct d2_vec_d){-s->delta.y, s->delta.x});
		return length;
	}
	const uint32_t numbers[2] = {s->k, s->i};
	const struct d2_edge *edge = &edges[numbers[of_a]];
	struct d2_vec_d turned = d2_turn_d(c->b_in_a->q, edge->normal);
	const double x[2] = {-turned.x, edge->normal.x}, y[2] = {-turned.y, edge->normal.y};
	*normal = (struct d2_vec_d){x[of_a], y[of_a]};
	return edge->length;
}

/* The same edge, reversed. */
static inline struct stride turned(const struct pair *c, const struct stride *s)
{
	struct d2_vec_d w = d2_sub_d(point_b(c, s->next_k), point_a(c, s->next_i));
	return (struct stride){s->next_i, s->next_k, s->i, s->k, w, d2_neg_d(s->delta)};
}

static inline void see_points(const struct d2_proxy *proxy, struct d2_rot q, struct d2_vec p, struct seen *out)
{
	float4 along = {q.c, q.c, q.c, q.c}, across = {-q.s, q.s, -q.s, q.s}, origin = {p.x, p.y, p.x, p.y}, reach = {0};
	uint32_t i = 0;
	for (; i < proxy->count; i += 2) {
		float4 v = {proxy->points[i].x, proxy->points[i].y, proxy->points[i].x, proxy->points[i].y};
		if (i + 1 < proxy->count)
			memcpy(&v, &proxy->points[i], sizeof v);
		v = along * v + across * __builtin_shufflevector(v, v, 1, 0, 3, 2) + origin;
		reach = float4_most(reach, float4_absolute(v));
		memcpy(&out->points[i], &v, sizeof v);
	}
	reach = float4_most(reach, __builtin_shufflevector(reach, reach, 2, 3, 0, 1));
	out->reach = reach[0] + reach[1];
}

/* For each of four edges from `first` on, the separation of the other polygon, `seen`: the least signed distance of its points
 * from the edge's line. */
static inline float4 separate_four(const struct d2_vec *points, struct float4_vectors n, uint32_t first, uint32_t count,
	const struct seen *seen, uint32_t seen_count)
{
	struct float4_vectors p = float4_load(points, first, count);
	float4 found = n.x * seen->points[0].x + n.y * seen->points[0].y;
	for (uint32_t m = 1; m < seen_count; ++m)
		found = float4_least(found, n.x * seen->points[m].x + n.y * seen->points[m].y);
	return found - (n.x * p.x + n.y * p.y);
}

static inline const struct d2_vec *find_normals(const struct d2_proxy *proxy, struct d2_vec sides[2])
{
	if (proxy->normals)
		return proxy->normals;
	sides[0] = d2_normalize(d2_right_perp(d2_sub(proxy->points[1], proxy->points[0])));
	sides[1] = d2_neg(sides[0]);
	return sides;
}

/* The greatest |x| + |y| of the points, in the proxy's own frame. */
static inline float own_reach(const struct d2_proxy *proxy)
{
	float reach = 0;
	for (uint32_t i = 0; i < proxy->count; ++i)
		reach = max_f(reach, abs_f(proxy->points[i].x) + abs_f(proxy->points[i].y));
	return reach;
}

static inline void make_views(const struct pair *c, struct views *v)
{
	struct d2_rot q = {(float)c->b_in_a->q.c, (float)c->b_in_a->q.s}, back = {q.c, -q.s};
	struct d2_vec p = d2_narrow(c->b_in_a->p);
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
	/* If only one polygon was transformed, the own coordinates of the other one count, too. */
	if (v->edges_a == 0 || v->edges_b == 0)
		v->scale += own_reach(v->edges_a == 0 ? c->b : c->a);
}

/* Finds the point in `seen` that is deepest along -n. False: another is as deep to within `slack`. */
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

/* Computes the edge of M made of A's edge i and B's support point against its normal. i >= FEW_POINTS: of B's edge i -
 * FEW_POINTS and A's support point. */
static inline void make_stride(const struct pair *c, const struct views *v, uint32_t i, struct stride *out)
{
	bool of_a = i < FEW_POINTS; /* either is as likely: tables, not branches */
	const struct d2_proxy *const proxies[2] = {c->b, c->a}, *own = proxies[of_a];
	const struct d2_vec *const both_normals[2] = {v->normals_b, v->normals_a};
	const struct seen *const views[2] = {&v->a, &v->b};
	uint32_t at = i & (FEW_POINTS - 1), next = after(at, own->count), ends[2] = {at, next}, other;
	assert(of_a ? v->edges_a > 0 : v->edges_b > 0);
	bool sure =
		find_deepest(views[of_a], proxies[!of_a]->count, both_normals[of_a][at], (float)lane_tolerance * v->scale, &other);
	struct d2_vec_d straight = d2_sub_d(d2_widen(own->points[ends[!of_a]]), d2_widen(own->points[ends[of_a]]));
	struct d2_vec_d turned = d2_turn_d(c->b_in_a->q, straight);
	const double x[2] = {turned.x, straight.x}, y[2] = {turned.y, straight.y};
	struct d2_vec_d delta = {x[of_a], y[of_a]}, n = {delta.y, -delta.x};
	if (!sure)
		other = of_a ? d2_proxy_farthest(c->b, d2_inv_turn_d(c->b_in_a->q, n)) : d2_proxy_farthest(c->a, d2_neg_d(n));
	const uint32_t starts[2] = {other, at}, stops[2] = {other, next};
	out->i = starts[of_a];
	out->k = starts[!of_a];
	out->next_i = stops[of_a];
	out->next_k = stops[!of_a];
	out->w = d2_sub_d(point_b(c, out->k), point_a(c, out->i));
	out->delta = delta;
}

static inline uint32_t edges_of_both(const struct views *v, const float *values, float enough)
{
	return (uint32_t)(float4_bits_from(values, v->edges_a, enough) |
		float4_bits_from(values + FEW_POINTS, v->edges_b, enough) << FEW_POINTS);
}
