/* float4.h - vectors of four floats, with the same results to the bit on every processor.
 * Pure, any thread. */
#pragma once
#include "base/scalar.h"

typedef float float4 __attribute__((vector_size(16)));
typedef int32_t int4 __attribute__((vector_size(16)));

static inline float4 float4_choose(int4 condition, float4 yes, float4 no)
{
	return (float4)((condition & (int4)yes) | (~condition & (int4)no));
}

/* float4_least and float4_most are one SSE instruction each, which compilers do not generate from comparisons. If either number
 * is NaN, or both are zeros, they return b. */
static inline float4 float4_least(float4 a, float4 b)
{
#ifdef __SSE__
	return __builtin_ia32_minps(a, b);
#else
	return float4_choose(a < b, a, b);
#endif
}

static inline float4 float4_most(float4 a, float4 b)
{
#ifdef __SSE__
	return __builtin_ia32_maxps(a, b);
#else
	return float4_choose(a > b, a, b);
#endif
}

static inline float4 float4_absolute(float4 a)
{
	return (float4)((int4)a & INT32_MAX);
}

static inline float float4_greatest(float4 a)
{
	a = float4_most(a, __builtin_shufflevector(a, a, 2, 3, 0, 1));
	return float4_most(a, __builtin_shufflevector(a, a, 1, 0, 3, 2))[0];
}

/* Bit i of the result: whether lane i of the comparison `a` is true. */
static inline uint32_t float4_bits(int4 a)
{
#ifdef __SSE__
	return (uint32_t)__builtin_ia32_movmskps((float4)a);
#else
	return (a[0] & 1u) | (a[1] & 2u) | (a[2] & 4u) | (a[3] & 8u);
#endif
}

static inline float4 float4_read(const float from[4])
{
	float4 to;
	memcpy(&to, from, sizeof to);
	return to;
}

static inline void float4_write(float to[4], float4 from)
{
	memcpy(to, &from, sizeof from);
}

static inline float4 float4_roots(float4 a)
{
#ifdef __SSE__
	return __builtin_ia32_sqrtps(a);
#else
	return (float4){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])};
#endif
}

/* The mask (bit i for lane i) of the lanes in use when `left` > 0 elements of a sequence remain. */
static inline uint32_t float4_lanes(uint32_t left)
{
	return left < 4 ? (1u << left) - 1 : 15;
}

/* Transposes a 4 x 4 matrix. */
static inline void float4_transpose(float4 rows[4])
{
	float4 a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5), b = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
	float4 c = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7), d = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
	rows[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
	rows[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
	rows[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
	rows[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

/* Converts eight bytes to floats, by interleaving with zeros, which compilers do not generate from a plain conversion. */
static inline void float4_read_bytes(const uint8_t from[8], float4 *first, float4 *second)
{
	typedef uint8_t bytes __attribute__((vector_size(16)));
	typedef uint16_t halves __attribute__((vector_size(16)));
	typedef uint64_t words __attribute__((vector_size(16)));
	uint64_t word;
	memcpy(&word, from, sizeof word);
	bytes b = (bytes)(words){word, 0};
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	const bytes zeros = {0};
	const halves none = {0};
	halves h = (halves)__builtin_shufflevector(b, zeros, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
	*first = __builtin_convertvector((int4)__builtin_shufflevector(h, none, 0, 8, 1, 9, 2, 10, 3, 11), float4);
	*second = __builtin_convertvector((int4)__builtin_shufflevector(h, none, 4, 12, 5, 13, 6, 14, 7, 15), float4);
#else
	*first = (float4){b[0], b[1], b[2], b[3]};
	*second = (float4){b[4], b[5], b[6], b[7]};
#endif
}

static inline float4 float4_of(float x)
{
	return (float4){x, x, x, x};
}

/* The running maximum of a sequence whose values are added four at a time, and the first index at which it occurs: one of each
 * per lane, until float4_best_index combines the lanes. */
struct float4_best {
	float4 most;
	int4 index;
};

static const struct float4_best float4_best_none = {{-INFINITY, -INFINITY, -INFINITY, -INFINITY}, {0, 0, 0, 0}};

static inline void float4_best_add(struct float4_best *best, float4 values, int32_t at)
{
	int4 here = {at, at + 1, at + 2, at + 3}, better = values > best->most;
	best->most = float4_most(values, best->most);
	best->index = (here & better) | (best->index & ~better);
}

static inline uint32_t float4_best_index(const struct float4_best *best, float *most)
{
	float4 a = best->most, greatest = float4_most(a, __builtin_shufflevector(a, a, 2, 3, 0, 1));
	greatest = float4_most(greatest, __builtin_shufflevector(greatest, greatest, 1, 0, 3, 2));
	uint32_t bits = float4_bits(a == greatest), lane = (uint32_t)__builtin_ctz(bits);
	for (bits &= bits - 1; bits != 0; bits &= bits - 1)
		if (best->index[__builtin_ctz(bits)] < best->index[lane])
			lane = (uint32_t)__builtin_ctz(bits);
	*most = a[lane];
	return (uint32_t)best->index[lane];
}
