/* lanes.h - vectors of LANES floats, and records transposed into columns: for the *.wide.c files, which are compiled once for
 * each number of lanes. Each lane computes exactly what a single lane would, to the bit.
 * Any thread. */
#pragma once
#include "base/float4.h"

#include <stddef.h>

/* EACH_LANE(f) lists f(0), f(1), ... of all lanes: vectors and arrays initialised by it stay in registers; those filled by a
 * loop would not. */
#if LANES == 1
#define LANE_NAME(name) name##_1
#define EACH_LANE(f) f(0)
#elif LANES == 4
#define LANE_NAME(name) name##_4
#define EACH_LANE(f) f(0), f(1), f(2), f(3)
#elif LANES == 8
#define LANE_NAME(name) name##_8
#define EACH_LANE(f) f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)
#endif
#define NAME(name) LANE_NAME(name) /* expands a macro passed as `name` first */

/* Forces inlining: vectors passed between functions must stay in registers, which compilers do not ensure at -O2. */
#define INLINE static inline __attribute__((always_inline))

/* Before a loop whose count becomes a constant: unrolls it. clang does so by itself. */
#ifdef __clang__
#define UNROLL
#else
#define UNROLL _Pragma("GCC unroll 32")
#endif

typedef float lanes __attribute__((vector_size(4 * LANES)));
typedef int32_t masks __attribute__((vector_size(4 * LANES)));

/* The mask of all lanes. */
INLINE masks every_lane(void)
{
	masks none = {0};
	return ~none;
}

INLINE bool any(masks condition)
{
#if LANES == 8
	return __builtin_ia32_movmskps256((lanes)condition) != 0;
#else
	int32_t some = 0;
	for (int i = 0; i < LANES; ++i)
		some |= condition[i];
	return some != 0;
#endif
}

INLINE lanes splat(float x)
{
	return x - (lanes){0};
}

/* With eight lanes, choose, max_lanes and min_lanes are one AVX instruction each, which compilers do not generate from
 * comparisons. If either number is NaN, or both are zeros, max_lanes and min_lanes return b. */
#if LANES == 8

INLINE lanes choose(masks condition, lanes yes, lanes no)
{
	return __builtin_ia32_blendvps256(no, yes, (lanes)condition);
}

INLINE lanes max_lanes(lanes a, lanes b)
{
	return __builtin_ia32_maxps256(a, b);
}

INLINE lanes min_lanes(lanes a, lanes b)
{
	return __builtin_ia32_minps256(a, b);
}

#else

INLINE lanes choose(masks condition, lanes yes, lanes no)
{
	return (lanes)((condition & (masks)yes) | (~condition & (masks)no));
}

INLINE lanes max_lanes(lanes a, lanes b)
{
	return choose(a > b, a, b);
}

INLINE lanes min_lanes(lanes a, lanes b)
{
	return choose(a < b, a, b);
}

#endif

/* Correctly rounded, as sqrtf is. */
INLINE lanes sqrt_lanes(lanes a)
{
#if LANES == 8
	return __builtin_ia32_sqrtps256(a);
#elif LANES == 4 && defined(__SSE__)
	return __builtin_ia32_sqrtps(a);
#else
	for (int i = 0; i < LANES; ++i)
		a[i] = sqrtf(a[i]);
	return a;
#endif
}

INLINE lanes abs_lanes(lanes a)
{
	return (lanes)((masks)a & INT32_MAX);
}

/* The angle of the point (x, y) for x >= 0, in [-pi/2, pi/2] [rad], with an error below 2e-7; 0 for (0, 0).
 *   atan t = t + t z A(z),  z = t^2 <= 1
 * A is the minimax polynomial (Remez exchange), with an error of 5e-8; the rest is rounding. */
INLINE lanes angle_lanes(lanes y, lanes x)
{
	lanes zero = {0}, far = abs_lanes(y);
	masks steep = far > x;
	lanes below = choose(steep, far, x), t = choose(steep, x, far) / choose(below > zero, below, splat(1.0f)), z = t * t;
	lanes a = 0.02304013144f + z * splat(-0.004355404607f);
	a = -0.3333165903f + z * (0.1996270394f + z * (-0.1397658192f + z * (0.0979423405f + z * (-0.05777358302f + z * a))));
	t += t * (z * a);
	t = choose(steep, splat(1.57079633f) - t, t);
	return choose(y < zero, -t, t);
}

/* The angle of the point (x, y), in [-pi, pi] [rad]. */
INLINE lanes full_angle_lanes(lanes y, lanes x)
{
	lanes zero = {0}, half = splat(3.14159265f), angle = angle_lanes(y, abs_lanes(x));
	return choose(x < zero, choose(y < zero, -half, half) - angle, angle);
}

/* The angles [rad], with as many turns added as bring them next to `near`. */
INLINE lanes angles_near(lanes angle, lanes near)
{
	lanes whole = splat(12582912.0f); /* 1.5 * 2^23: a sum with it has no fraction */
	lanes turns = ((near - angle) * splat(0.159154943f) + whole) - whole;
	return angle + turns * splat(6.28318531f);
}

/* --- Columns -------------------------------------------------------------------------------------------------------------- */

#if LANES == 1

/* Loads LANES records of eight floats: columns[k] gets float k of each record. */
INLINE void columns_load(const void *const rows[LANES], lanes columns[8])
{
	memcpy(columns, rows[0], 8 * sizeof *columns);
}

INLINE void float4_columns_load(const void *const rows[LANES], lanes columns[4])
{
	memcpy(columns, rows[0], 4 * sizeof *columns);
}

INLINE void float4_columns_store(void *const rows[LANES], const lanes columns[4])
{
	if (rows[0] != NULL)
		memcpy(rows[0], columns, 4 * sizeof *columns);
}

INLINE void differences(const void *const from[LANES], const void *const to[LANES], int at, lanes *x, lanes *y)
{
	const double *a = (const double *)from[0] + at, *b = (const double *)to[0] + at;
	*x = splat((float)(b[0] - a[0]));
	*y = splat((float)(b[1] - a[1]));
}

#else

/* With eight lanes, SHUFFLE shuffles each half in the same way. B: the number of the second operand's first lane. */
#if LANES == 4
#define SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#define B 4
#elif LANES == 8
#define SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l, (i) + 4, (j) + 4, (k) + 4, (l) + 4)
#define B 8
#endif

/* Loads four floats of record i, from its float `at` on; with eight lanes, then the same four of record i + 4. */
INLINE lanes rows_load(const void *const rows[LANES], int i, int at)
{
#if LANES == 4
	return float4_read((const float *)rows[i] + at);
#else
	float4 low = float4_read((const float *)rows[i] + at), high = float4_read((const float *)rows[i + 4] + at);
	return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}

INLINE void row_store(void *row, float4 numbers)
{
	if (row != NULL)
		float4_write(row, numbers);
}

INLINE void transpose(lanes r0, lanes r1, lanes r2, lanes r3, lanes to[4])
{
	lanes low01 = SHUFFLE(r0, r1, 0, B, 1, B + 1), high01 = SHUFFLE(r0, r1, 2, B + 2, 3, B + 3);
	lanes low23 = SHUFFLE(r2, r3, 0, B, 1, B + 1), high23 = SHUFFLE(r2, r3, 2, B + 2, 3, B + 3);
	to[0] = SHUFFLE(low01, low23, 0, 1, B, B + 1);
	to[1] = SHUFFLE(low01, low23, 2, 3, B + 2, B + 3);
	to[2] = SHUFFLE(high01, high23, 0, 1, B, B + 1);
	to[3] = SHUFFLE(high01, high23, 2, 3, B + 2, B + 3);
}

INLINE void float4_columns_load(const void *const rows[LANES], lanes columns[4])
{
	transpose(rows_load(rows, 0, 0), rows_load(rows, 1, 0), rows_load(rows, 2, 0), rows_load(rows, 3, 0), columns);
}

/* Loads LANES records of eight floats: columns[k] gets float k of each record. */
INLINE void columns_load(const void *const rows[LANES], lanes columns[8])
{
	float4_columns_load(rows, columns);
	transpose(rows_load(rows, 0, 4), rows_load(rows, 1, 4), rows_load(rows, 2, 4), rows_load(rows, 3, 4), columns + 4);
}

INLINE void rows_store(void *const rows[LANES], int i, lanes numbers)
{
#if LANES == 4
	row_store(rows[i], numbers);
#else
	row_store(rows[i], __builtin_shufflevector(numbers, numbers, 0, 1, 2, 3));
	row_store(rows[i + 4], __builtin_shufflevector(numbers, numbers, 4, 5, 6, 7));
#endif
}

/* Stores four columns as the first four floats of each record that is not NULL. */
INLINE void float4_columns_store(void *const rows[LANES], const lanes columns[4])
{
	lanes quarters[4];
	transpose(columns[0], columns[1], columns[2], columns[3], quarters);
	rows_store(rows, 0, quarters[0]);
	rows_store(rows, 1, quarters[1]);
	rows_store(rows, 2, quarters[2]);
	rows_store(rows, 3, quarters[3]);
}

INLINE float4 two_differences(const void *const from[2], const void *const to[2], int at)
{
	typedef double two_doubles __attribute__((vector_size(16)));
	typedef double float4_doubles __attribute__((vector_size(32)));
	two_doubles a0, b0, a1, b1;
	memcpy(&a0, (const double *)from[0] + at, sizeof a0);
	memcpy(&b0, (const double *)to[0] + at, sizeof b0);
	memcpy(&a1, (const double *)from[1] + at, sizeof a1);
	memcpy(&b1, (const double *)to[1] + at, sizeof b1);
	a0 = b0 - a0;
	a1 = b1 - a1;
	float4_doubles both = __builtin_shufflevector(a0, a1, 0, 1, 2, 3);
	return __builtin_convertvector(both, float4);
}

/* Computes the differences to[i] - from[i] of LANES pairs of records of doubles, rounded to floats: *x from double `at` of each
 * record, *y from the double after it. */
INLINE void differences(const void *const from[LANES], const void *const to[LANES], int at, lanes *x, lanes *y)
{
	lanes first, second;
	for (int i = 0; i < LANES; i += 4) {
		float4 d01 = two_differences(from + i, to + i, at), d23 = two_differences(from + i + 2, to + i + 2, at);
		memcpy((float *)&first + i, &d01, sizeof d01);
		memcpy((float *)&second + i, &d23, sizeof d23);
	}
	*x = SHUFFLE(first, second, 0, 2, B, B + 2);
	*y = SHUFFLE(first, second, 1, 3, B + 1, B + 3);
}

#undef SHUFFLE
#undef B

#endif

/* As columns_load, for records that begin `offset` bytes into the rows. */
INLINE void columns_load_at(const void *const rows[LANES], size_t offset, lanes columns[8])
{
#define AT(i) (const char *)rows[i] + offset
	const void *const at[LANES] = {EACH_LANE(AT)};
#undef AT
	columns_load(at, columns);
}
