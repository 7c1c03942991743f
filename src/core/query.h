/* query.h - spatial queries: candidates by their AABBs; the wing's own queries decide exactly.
 * Serial, and between steps. */
#pragma once
#include "core/core.h"

/* Which colliders a wing's query sees. */
struct query_filter {
	uint64_t layers; /* mask */
	bool sensors;
	/* Called for each candidate that is really hit; may be NULL. */
	bool (*accept)(void *context, uint32_t collider);
	void *context;
};

/* Visits each proxy (of enabled bodies) whose AABB overlaps `box`, unbounded ones included, until visit returns false. */
void query_box(struct world *world, const struct box *box, bool (*visit)(void *context, uint32_t proxy), void *context);

/* Visits each proxy whose AABB the ray from origin to origin + fraction * translation enters, unbounded ones first. visit
 * returns the largest fraction that is still of interest: max_fraction to go on, smaller to clip, 0 to stop. */
void query_ray(struct world *world, const double origin[3], const double translation[3],
	float (*visit)(void *context, uint32_t proxy, float max_fraction), void *context);
