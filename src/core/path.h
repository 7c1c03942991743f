/* path.h - the paths of swept bodies: how they bend, and the planes that they keep to. Any thread. */
#pragma once
#include "base/scalar.h"
#include "core/core.h"

/* The greatest height over a plane on a bent way, which is off the straight one between two heights by `arc` at most [length]:
 * that of the parabola over them. */
static inline double bent_peak(double from, double to, double arc)
{
	double rise = to - from;
	return abs_d(rise) < 4.0 * arc ? 0.5 * (from + to) + arc + rise * rise / (16.0 * arc) : max_d(from, to);
}

/* Whether who begins a bent way at a height over a one-sided surface, and ends it at another one, may go through it from its
 * front. */
static inline bool comes_through(double from, double to, double arc, double core)
{
	return from > -arc || (to <= core && bent_peak(from, to, arc) > max_d(0.0, to));
}

/* A surface that a swept body has met: its way must lead by at least `ahead` along the normal. In the plane the third number is
 * 0. */
struct path_plane {
	double normal[3];
	double ahead; /* [length] */
};

/* The first impact of a body on its way. */
struct path_impact {
	float t; /* fraction of the step */
	uint32_t body; /* the obstacle */
	bool deep; /* the core of the body, or its middle: it had sunk in already */
	struct path_plane plane; /* in front of which it stays, ahead of where the step has brought it */
};

/* Rounding may bring a way behind a plane that it keeps to: by this part of a slop at most, or of the slack below. */
#define PATH_ROUNDING 1e-6

/* Changes the way as little as possible so that it keeps to all planes. False, and the way is between them, where they leave no
 * room: some of them want more than `slack` [length]. Source: Hildreth, "A quadratic programming procedure", 1957. */
bool path_keep(const struct path_plane *planes, int count, double slack, double delta[3]);

/* When a body, carried along since then at a distance from the middle of what turns by so much in the whole step, has gone so
 * far that its arc is half a slop higher than its chord, which is what it is swept along. At most 1. */
float arc_end(float from, double angle, double distance, double slop);

/* When a part of the step has to end in which a way is bent too much: `left` is the part of its bend that may remain. A bend
 * grows with the square of the time. */
float part_end(float from, float until, double left);

/* Counts a part of the step in which a body does not move, since impacts have held it up. Any thread. */
static inline void path_lose(struct world *world, float part)
{
	atomic_fetch_add_explicit(&world->lost, (uint64_t)(LOST_UNIT * (double)part), memory_order_relaxed);
}
