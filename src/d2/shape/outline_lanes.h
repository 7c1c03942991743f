/* outline_lanes.h - float tests of an outline's corners and edges, four at a time. The caller tests the few that pass again, in
 * double.
 * Pure, any thread. */
#pragma once
#include "base/float4.h"
#include "d2/math.h"

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

/* row[i]: signed distance of p from the line of edge i, positive outside; room for at least four. Returns the greatest of them.
 * *size: the greatest |x| + |y| of the vectors from the corners to p. */
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
