/* depenetration_parts.h - internals shared by depenetration.c, depenetration_escape.c and depenetration_move.c.
 * Serial. */
#pragma once
#include "core/depenetration.h"
#include "base/scalar.h"
#include "base/sort.h"
#include "core/link.h"

#include <string.h>

enum {
	SWEEPS = 8, /* passes over the overlaps, alternately forward and back */
	OVERLAPS_AHEAD = 8, /* prefetch distance */
	SOURCES = 16, /* maximum contacts of a pair whose normals are tried as escape directions */
	PARTS = 64, /* maximum convex parts of a body; with more no escape direction is searched */
};

/* The convex parts of two bodies: their extents along three directions, from the first body's centre of mass [length]. */
struct parts {
	uint32_t proxies[2][PARTS], counts[2];
	float low[2][PARTS][3], high[2][PARTS][3];
};

/* The contacts of two bodies, and the shortest escape found so far. */
struct pair {
	const struct world *world;
	uint32_t bodies[2]; /* the first is moved, and the second unless it is a wall */
	struct overlap *overlaps;
	uint32_t count;
	bool against; /* an escape direction may go against a contact's normal: through the other body */
	struct overlap delta; /* normal: the escape direction of the second body; separation: minus the displacement needed */
};

void depenetration_cross(const float a[3], const float b[3], float out[3]);

/* Scales the vector to unit length. False: it is too short to have a direction. */
bool depenetration_normalize(float a[3]);

bool depenetration_is_touching(const struct world *world, float separation);

/* Whether the two bodies' centres of mass are within a slop of each other, so that no direction between them can be relied on.
 * If so, `delta` is a unit escape direction made from their ids. */
bool depenetration_coincident(const struct world *world, const uint32_t bodies[2], float delta[3]);

/* Sets pair->delta to the shortest escape found; its separation stays -INFINITY without one. A body that moved into a wall by
 * itself, as a ball jammed between two thin walls, does not escape through the wall. */
void depenetration_pair_search(struct pair *pair);

/* Measures the overlap at the poses after the bodies' motion in this step. */
void depenetration_measure(const struct world *world, struct overlap *overlap);
/* Prefetches what measuring the overlaps a few places after `overlap` reads; `left` are left, with this one. */
void depenetration_prefetch(const struct world *world, const struct overlap *overlap, uint32_t left);
