/* lanes.h - what the *.wide.c files of the 2D wing share: vectors of LANES floats, and the states of LANES bodies, transposed.
** A record holds the edges of LANES lanes side by side; each lane computes exactly what one lane alone would, to the bit.
** Floor: d2. */
#pragma once
#include "base/cache.h"
#include "core/edge.h"
#include "d2/wing.h"

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if LANES == 1
#define NAME(name) name##_1
#elif LANES == 4
#define NAME(name) name##_4
#elif LANES == 8
#define NAME(name) name##_8
#endif

/* Vectors handed from function to function must stay in registers: compilers do not see that by themselves at -O2. */
#define INLINE static inline __attribute__((always_inline))

typedef float lanes __attribute__((vector_size(4 * LANES)));
typedef int32_t masks __attribute__((vector_size(4 * LANES)));

/* A body that an edge reads and must not write: it does not move by impulses, and other threads read it, too. */
#define READ_ONLY 0x80000000u

/* LANES states, transposed. */
struct lane_state {
	lanes vx, vy, w, turn, dx, dy, c, s;
};

INLINE lanes splat(float x)
{
	return x - (lanes){0};
}

/* Compilers do not see that these are one instruction each. Of NaN, and of zeros of both signs, all give b. */
#if defined(__x86_64__) && LANES == 8

INLINE lanes choose(masks condition, lanes yes, lanes no)
{
	return (lanes)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)condition);
}

INLINE lanes max_lanes(lanes a, lanes b)
{
	return (lanes)_mm256_max_ps((__m256)a, (__m256)b);
}

INLINE lanes min_lanes(lanes a, lanes b)
{
	return (lanes)_mm256_min_ps((__m256)a, (__m256)b);
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

/* --- Gather and scatter ------------------------------------------------------------------------------------------------ */

INLINE const struct d2_state *state_at(const struct world *world, uint32_t index)
{
	return (const struct d2_state *)world->states + (index & ~READ_ONLY);
}

#if LANES == 1

INLINE struct lane_state gather(const struct world *world, const uint32_t *index)
{
	const struct d2_state *state = state_at(world, index[0]);
	return (struct lane_state){{state->v.x}, {state->v.y}, {state->w}, {state->turn}, {state->dp.x}, {state->dp.y}, {state->dq.c}, {state->dq.s}};
}

INLINE void scatter(struct world *world, const uint32_t *index, const struct lane_state *state)
{
	if (index[0] & READ_ONLY)
		return;
	struct d2_state *to = (struct d2_state *)world->states + index[0];
	to->v.x = state->vx[0];
	to->v.y = state->vy[0];
	to->w = state->w[0];
}

#else

typedef float four __attribute__((vector_size(16)));

struct four_rows {
	four row[4];
};

INLINE struct four_rows transpose(struct four_rows m)
{
	four low01 = __builtin_shufflevector(m.row[0], m.row[1], 0, 4, 1, 5), high01 = __builtin_shufflevector(m.row[0], m.row[1], 2, 6, 3, 7);
	four low23 = __builtin_shufflevector(m.row[2], m.row[3], 0, 4, 1, 5), high23 = __builtin_shufflevector(m.row[2], m.row[3], 2, 6, 3, 7);
	return (struct four_rows){{
		__builtin_shufflevector(low01, low23, 0, 1, 4, 5),
		__builtin_shufflevector(low01, low23, 2, 3, 6, 7),
		__builtin_shufflevector(high01, high23, 0, 1, 4, 5),
		__builtin_shufflevector(high01, high23, 2, 3, 6, 7),
	}};
}

/* The velocity or (half 1) the displacement of four states, one quantity a row. */
INLINE struct four_rows gather_four(const struct world *world, const uint32_t *index, int half)
{
	struct four_rows m;
	for (int i = 0; i < 4; ++i)
		memcpy(&m.row[i], (const float *)state_at(world, index[i]) + 4 * half, sizeof m.row[i]);
	return transpose(m);
}

INLINE void scatter_four(struct world *world, const uint32_t *index, four vx, four vy, four w, four turn)
{
	struct four_rows m = transpose((struct four_rows){{vx, vy, w, turn}});
	for (int i = 0; i < 4; ++i)
		if ((index[i] & READ_ONLY) == 0)
			memcpy((struct d2_state *)world->states + index[i], &m.row[i], sizeof m.row[i]);
}

#if LANES == 4

INLINE struct lane_state gather(const struct world *world, const uint32_t *index)
{
	struct four_rows v = gather_four(world, index, 0), d = gather_four(world, index, 1);
	return (struct lane_state){v.row[0], v.row[1], v.row[2], v.row[3], d.row[0], d.row[1], d.row[2], d.row[3]};
}

INLINE void scatter(struct world *world, const uint32_t *index, const struct lane_state *state)
{
	scatter_four(world, index, state->vx, state->vy, state->w, state->turn);
}

#elif LANES == 8

INLINE lanes join(four low, four high)
{
	return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

INLINE struct lane_state gather(const struct world *world, const uint32_t *index)
{
	struct four_rows v0 = gather_four(world, index, 0), v1 = gather_four(world, index + 4, 0);
	struct four_rows d0 = gather_four(world, index, 1), d1 = gather_four(world, index + 4, 1);
	return (struct lane_state){join(v0.row[0], v1.row[0]), join(v0.row[1], v1.row[1]), join(v0.row[2], v1.row[2]),
		join(v0.row[3], v1.row[3]), join(d0.row[0], d1.row[0]), join(d0.row[1], d1.row[1]), join(d0.row[2], d1.row[2]), join(d0.row[3], d1.row[3])};
}

#define LOW(x) __builtin_shufflevector(x, x, 0, 1, 2, 3)
#define HIGH(x) __builtin_shufflevector(x, x, 4, 5, 6, 7)

INLINE void scatter(struct world *world, const uint32_t *index, const struct lane_state *state)
{
	scatter_four(world, index, LOW(state->vx), LOW(state->vy), LOW(state->w), LOW(state->turn));
	scatter_four(world, index + 4, HIGH(state->vx), HIGH(state->vy), HIGH(state->w), HIGH(state->turn));
}

#endif
#endif

/* --- Bodies, lane by lane ---------------------------------------------------------------------------------------------- */

struct lane_mass {
	lanes x, y, turn; /* inverse mass per axis [1/mass], inverse inertia [1/(mass length^2)] */
};

INLINE uint32_t body_index(const struct world *world, uint32_t id)
{
	const struct body *body = &world->bodies.data[id];
	if (body->row == NONE)
		return READ_ONLY;
	return (body->row + 1) | (body->type == BODY_DYNAMIC ? 0 : READ_ONLY);
}

INLINE void mass_prepare(struct lane_mass *mass, int lane, const struct d2_body *row)
{
	mass->x[lane] = row->inv_mass.x;
	mass->y[lane] = row->inv_mass.y;
	mass->turn[lane] = row->inv_inertia;
}

INLINE float invert(float k)
{
	return k > 0.0f ? 1.0f / k : 0.0f;
}
