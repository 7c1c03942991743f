/* path.h - the paths of swept bodies: how they curve, and the planes in front of which the bodies stay. Any thread. */
#pragma once
#include "base/scalar.h"
#include "core/core.h"

/* Greatest height over a plane on a curved path from height `from` to `to` that is off the straight line by `arc` at most
 * [length]: that of a parabola. */
static inline double bent_peak(double from, double to, double arc)
{
	double rise = to - from;
	return abs_d(rise) < 4.0 * arc ? 0.5 * (from + to) + arc + rise * rise / (16.0 * arc) : max_d(from, to);
}

/* Whether a curved path from height `from` to `to` over a one-sided surface may pass through it from its front. A path from
 * behind to above `core` comes out only. */
static inline bool comes_through(double from, double to, double arc, double core)
{
	return from > -arc || (to <= core && bent_peak(from, to, arc) > max_d(0.0, to));
}

/* A surface that a swept body has hit: the body's displacement along the normal must be at least `ahead`. In 2D the third
 * number is 0. */
struct path_plane {
	double normal[3];
	double ahead; /* [length] */
};

/* The first impact on a body's path. */
struct path_impact {
	float t; /* fraction of the step */
	uint32_t body; /* the obstacle */
	bool deep; /* its core or centroid hits: it had sunk in already */
	struct path_plane plane; /* the surface; `ahead` is relative to the pose at the end of the step */
};

/* Rounding error may leave a displacement short of its planes by this fraction of a slop at most, or of the slack below. */
#define PATH_ROUNDING 1e-6

/* Changes the displacement as little as possible so that it satisfies all planes. False: they leave no room; the displacement
 * is a compromise that misses some of them by more than `slack` [length]. Source: Hildreth, "A quadratic programming
 * procedure", 1957. */
bool path_keep(const struct path_plane *planes, int count, double slack, double delta[3]);

/* The time until which a body may be swept along a chord, at most 1: from time `from` on it is carried at `distance` from the
 * centre of a body that turns by `angle` in the step, until its arc is half a slop higher than its chord. */
float arc_end(float from, double angle, double distance, double slop);

/* New end of the part [from, until] of the step, whose path curves too much: only the fraction `left` of the curve's height is
 * allowed, which grows with the square of the time. */
float part_end(float from, float until, double left);

/* Counts a fraction of the step in which impacts keep a body from moving. Any thread. */
static inline void path_lose(struct world *world, float part)
{
	atomic_fetch_add_explicit(&world->lost, (uint64_t)(LOST_UNIT * (double)part), memory_order_relaxed);
}
