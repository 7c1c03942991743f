/* four.h - four floats at a time, on every processor the same to the bit.
** Floor: base. Pure, any thread. */
#pragma once
#include "base/scalar.h"

typedef float four __attribute__((vector_size(16)));
typedef int32_t four_masks __attribute__((vector_size(16)));

static inline four four_choose(four_masks condition, four yes, four no)
{
	return (four)((condition & (four_masks)yes) | (~condition & (four_masks)no));
}

/* Compilers do not see by themselves that it is one instruction. */
static inline four four_least(four a, four b)
{
#ifdef __SSE__
	return __builtin_ia32_minps(a, b);
#else
	return four_choose(a < b, a, b);
#endif
}

static inline four four_most(four a, four b)
{
#ifdef __SSE__
	return __builtin_ia32_maxps(a, b);
#else
	return four_choose(a > b, a, b);
#endif
}

static inline four four_absolute(four a)
{
	return (four)((four_masks)a & INT32_MAX);
}

static inline float four_greatest(four a)
{
	a = four_most(a, __builtin_shufflevector(a, a, 2, 3, 0, 1));
	return max_f(a[0], a[1]);
}

/* A bit for each lane. */
static inline uint32_t four_bits(four_masks a)
{
#ifdef __SSE__
	return (uint32_t)__builtin_ia32_movmskps((four)a);
#else
	return (a[0] & 1u) | (a[1] & 2u) | (a[2] & 4u) | (a[3] & 8u);
#endif
}
