/* meeting.h - the first collider that a body meets on a straight way, for moves with responses. Serial, and between steps.
 * Two boxes along the axes meet by the rules of bump.lua (Garcia Cota, 2015): those that overlap at the start come first, by
 * the size of the overlap; a box that only touches, or passes a corner, meets nothing. All other shapes follow the same rules.
 */
#pragma once
#include "core/core.h"

/* Coordinates that differ by less are equal [length]. */
#define MEETING_DELTA 1e-10

struct meeting {
	uint32_t own, other; /* colliders: the body's, and the other; NONE: there is none */
	bool overlaps; /* at the start */
	/* fraction of the way at the touch; if they overlap, minus the area or volume of the overlap of their AABBs */
	double fraction;
	double distance; /* square of the distance of their AABBs' middles; it orders meetings of one fraction [length^2] */
	/* Where the body's origin is at the touch. Of shapes that overlap it is outside: back on the way or, without one, by the
	 * least displacement along an axis or normal [length] */
	struct vec3 touch;
	struct vec3 normal; /* unit, towards the body; 0: of a way that does not leave the overlap */
};

/* Finds the first meeting of the body, with its origin moving from `from` to `to`, with a collider that `admits`. The body's
 * colliders that are no sensors must be convex and bounded. False: no memory. */
bool meeting_find(struct world *world, uint32_t body, struct vec3 from, struct vec3 to,
	bool (*admits)(void *context, uint32_t own, uint32_t other), void *context, struct meeting *first);
