/* support_points.h - support points of point sets, four at a time: the inner loops of support.c, gjk.c and gjk_hulls.c.
 * Pure, any thread. */
#pragma once
#include "base/float4.h"
#include "d3/shape/support.h"

static inline uint32_t farthest_of_box(const struct d3_vec_d *d)
{
	return (uint32_t)(d->x > 0) | (uint32_t)(d->y > 0) << 1 | (uint32_t)(d->z > 0) << 2;
}

typedef double two __attribute__((vector_size(16)));
typedef int64_t two_masks __attribute__((vector_size(16)));

/* d . p of four points. */
static inline float4 along_four(const struct d3_hull_lanes *lanes, float4 x, float4 y, float4 z)
{
	return float4_read(lanes->x) * x + float4_read(lanes->y) * y + float4_read(lanes->z) * z;
}

static inline two greater(two a, two b)
{
	two_masks more = a > b;
	return (two)((more & (two_masks)a) | (~more & (two_masks)b));
}

static inline two low_half(float4 v)
{
	return __builtin_convertvector(__builtin_shufflevector(v, v, 0, 1), two);
}

static inline two high_half(float4 v)
{
	return __builtin_convertvector(__builtin_shufflevector(v, v, 2, 3), two);
}

/* The greatest d . p over the proxy's points, in doubles. */
static inline double greatest_along(const struct d3_proxy *proxy, const struct d3_vec *points, const struct d3_vec_d *d)
{
	double x = d->x, y = d->y, z = d->z;
	if (!proxy->hull) {
		double far = points[0].x * x + points[0].y * y + points[0].z * z;
		for (uint32_t i = 1; i < proxy->count; ++i)
			far = max_d(far, points[i].x * x + points[i].y * y + points[i].z * z);
		return far;
	}
	two xs = {x, x}, ys = {y, y}, zs = {z, z}, low = {-INFINITY, -INFINITY}, high = low;
	for (uint32_t i = 0; 4 * i < proxy->count; ++i) {
		const struct d3_hull_lanes *lanes = &proxy->hull->lanes[i];
		float4 px = float4_read(lanes->x), py = float4_read(lanes->y), pz = float4_read(lanes->z);
		low = greater(low_half(px) * xs + low_half(py) * ys + low_half(pz) * zs, low);
		high = greater(high_half(px) * xs + high_half(py) * ys + high_half(pz) * zs, high);
	}
	low = greater(low, high);
	return max_d(low[0], low[1]);
}

/* Index of the farthest point along d. Branchless, as branches would be mispredicted. */
static inline uint32_t farthest_of_few(const struct d3_vec *points, uint32_t count, const struct d3_vec_d *d)
{
	uint32_t best = 0;
	double far = points[0].x * d->x + points[0].y * d->y + points[0].z * d->z;
	for (uint32_t i = 1; i < count; ++i) {
		double along = points[i].x * d->x + points[i].y * d->y + points[i].z * d->z;
		best = along > far ? i : best;
		far = max_d(along, far);
	}
	return best;
}

/* d . p of all corners p of a hull, in floats. */
struct alongs {
	float4 of[D3_HULL_MAX / 4]; /* one per lane group of the hull */
};

/* The corners from `first` on, at most 64, whose d . p is at least `least`: bit i is that of corner first + i. Repeated corners
 * that fill the lanes are left out. */
static inline uint64_t corners_along(const struct alongs *alongs, uint32_t count, uint32_t first, float least)
{
	uint32_t left = count - first, lanes = left > 60 ? 16 : (left + 3) / 4;
	const float4 *from = &alongs->of[first / 4];
	float4 limit = {least, least, least, least};
	uint64_t bits = 0;
	for (uint32_t i = 0; i < lanes; ++i)
		bits |= (uint64_t)float4_bits(from[i] >= limit) << 4 * i;
	return left < 64 ? bits & ((1ull << left) - 1) : bits;
}

/* Fills `alongs`, and returns the index of the farthest corner by its floats. */
static inline uint32_t farthest_roughly(const struct d3_hull *hull, const struct d3_vec_d *d, struct alongs *alongs)
{
	float x = (float)d->x, y = (float)d->y, z = (float)d->z;
	uint32_t count = hull->point_count;
	float4 xs = {x, x, x, x}, ys = {y, y, y, y}, zs = {z, z, z, z}, far = along_four(hull->lanes, xs, ys, zs);
	alongs->of[0] = far;
	for (uint32_t i = 1; 4 * i < count; ++i) {
		float4 along = along_four(&hull->lanes[i], xs, ys, zs);
		alongs->of[i] = along;
		far = float4_most(far, along);
	}
	far = float4_most(far, __builtin_shufflevector(far, far, 2, 3, 0, 1));
	far = float4_most(far, __builtin_shufflevector(far, far, 1, 0, 3, 2));
	for (uint32_t first = 0; first < count; first += 64) {
		uint64_t bits = corners_along(alongs, count, first, far[0]);
		if (bits != 0)
			return first + (uint32_t)__builtin_ctzll(bits);
	}
	return 0;
}

/* Bound on the error of d . p in floats, relative to |d| |p|: five roundings, of d, of the products, of two sums, and of the
 * value that it is compared with. */
static const double float_tolerance = 5 * 0x1p-24;

/* From this number of corners on, a first pass in floats is faster. */
enum { MANY_CORNERS = 16 };

/* Index of the farthest corner by doubles, the first of equal ones. Only corners that floats cannot exclude are tested. doubt:
 * bound on the error of comparisons of d . p in floats. */
static inline uint32_t farthest_of_many(const struct d3_proxy *proxy, const struct d3_vec_d *d, double doubt)
{
	const struct d3_hull *hull = proxy->hull;
	struct alongs alongs;
	struct d3_vec_d p = d3_widen(hull->points[farthest_roughly(hull, d, &alongs)]);
	float least = (float)(d3_dot_d(p, *d) - doubt);
	uint32_t best = 0;
	double far = -INFINITY;
	for (uint32_t first = 0; first < hull->point_count; first += 64) {
		for (uint64_t bits = corners_along(&alongs, hull->point_count, first, least); bits != 0; bits &= bits - 1) {
			uint32_t i = first + (uint32_t)__builtin_ctzll(bits);
			double along = d3_dot_d(d3_widen(hull->points[i]), *d);
			best = along > far ? i : best;
			far = max_d(along, far);
		}
	}
	return best;
}

static inline uint32_t farthest_of_points(const struct d3_proxy *proxy, struct d3_vec_d d)
{
	if (proxy->straight)
		return farthest_of_box(&d);
	if (proxy->hull && proxy->count >= MANY_CORNERS) {
		double doubt = 4 * float_tolerance * proxy->reach * (fabs(d.x) + fabs(d.y) + fabs(d.z));
		if (doubt > 1e-30 && doubt < 1e30)
			return farthest_of_many(proxy, &d, doubt);
	}
	return farthest_of_few(d3_proxy_points(proxy), proxy->count, &d);
}
