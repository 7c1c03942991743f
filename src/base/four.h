/* four.h - four floats at a time, on every processor the same to the bit.
 * Pure, any thread. */
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

static inline four four_read(const float from[4])
{
	four to;
	memcpy(&to, from, sizeof to);
	return to;
}

/* Eight bytes as floats. Interleaving with zeros is one instruction each time, which compilers do not make of a plain
 * conversion. */
static inline void four_read_bytes(const uint8_t from[8], four *first, four *second)
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
	*first = __builtin_convertvector((four_masks)__builtin_shufflevector(h, none, 0, 8, 1, 9, 2, 10, 3, 11), four);
	*second = __builtin_convertvector((four_masks)__builtin_shufflevector(h, none, 4, 12, 5, 13, 6, 14, 7, 15), four);
#else
	*first = (four){b[0], b[1], b[2], b[3]};
	*second = (four){b[4], b[5], b[6], b[7]};
#endif
}

static inline four four_of(float x)
{
	return (four){x, x, x, x};
}

/* The greatest of a row that comes four at a time, and the first place where it is. */
struct four_best {
	four most;
	four_masks place;
};

static const struct four_best four_best_none = {{-INFINITY, -INFINITY, -INFINITY, -INFINITY}, {0, 0, 0, 0}};

static inline void four_best_add(struct four_best *best, four values, int32_t at)
{
	four_masks here = {at, at + 1, at + 2, at + 3}, better = values > best->most;
	best->most = four_most(values, best->most);
	best->place = (here & better) | (best->place & ~better);
}

static inline uint32_t four_best_place(const struct four_best *best, float *most)
{
	float value = best->most[0];
	int32_t place = best->place[0];
	for (int i = 1; i < 4; ++i) {
		bool further = best->most[i] > value || (best->most[i] == value && best->place[i] < place);
		value = further ? best->most[i] : value;
		place = further ? best->place[i] : place;
	}
	*most = value;
	return (uint32_t)place;
}
