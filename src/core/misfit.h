/* misfit.h - what does not fit in a world: dynamic bodies without mass; sizes, gravity and speeds that are out of the range for
 * which the world's tolerances are made. Each of the two is found once in the life of a world.
 * A step only notes what may not fit; world_misfit, which the caller asks after a step with doubts, looks again. Serial, but
 * for speed_doubt. */
#pragma once
#include "core/core.h"

enum misfit_kind {
	MISFIT_MASS, /* an enabled dynamic body has no mass */
	MISFIT_SMALL, /* a dynamic body is smaller than the speculative margin, at which contacts begin */
	MISFIT_LARGE, /* a dynamic body is longer than it would move in MISFIT_CROSSING at the maximum speed */
	MISFIT_GRAVITY, /* a fall reaches the maximum speed within MISFIT_FALL */
	MISFIT_SPEED /* a body has reached the maximum speed, which the user has not set */
};

#define MISFIT_CROSSING 0.2f /* [s] */
#define MISFIT_FALL 2.0f /* [s] */

struct misfit {
	enum misfit_kind kind;
	uint32_t body; /* for the first three kinds */
	float value; /* the size [length], the gravity [length/s^2] or the speed [length/s] */
	float limit; /* that it violates, in the same unit; of MISFIT_MASS 0 */
};

/* Finds the next one, and forgets what it was noted for. False: there is none, or it has been found before. */
bool world_misfit(struct world *world, struct misfit *out);

void gravity_doubt(struct world *world); /* after a change of the gravity or the maximum speed */
/* Notes a dynamic body. Without memory, it is not looked at. */
void body_doubt(struct world *world, uint32_t body);
/* As body_doubt, if the mass or the size does not fit. */
void body_doubt_measures(struct world *world, uint32_t body);

/* Square of the part of the maximum speed from which on a body counts as held back. Velocities are limited in every sub-step,
 * up to rounding errors. */
#define CAPPED_SQUARE 0.999f

/* Notes that a body is held back. Any thread. */
static inline void speed_doubt(struct world *world)
{
	atomic_store_explicit(&world->speed_doubted, true, memory_order_relaxed);
}

/* Whether world_misfit has something to look at. */
static inline bool world_doubted(const struct world *world)
{
	return world->gravity_doubted | (world->doubtful.count > 0) |
		atomic_load_explicit(&world->speed_doubted, memory_order_relaxed);
}
