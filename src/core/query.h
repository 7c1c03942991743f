/* query.h - ray casts and overlaps in a world. Trees find candidates by their AABBs, and the wing tests their shapes. Serial,
 * and between steps. */
#pragma once
#include "core/core.h"

/* Which colliders a query finds. */
struct query_filter {
	uint64_t layers; /* mask */
	bool sensors;
	/* Called for each part of a collider that is hit or overlaps; false: the part is ignored. May be NULL. */
	bool (*accept)(void *context, uint32_t collider);
	void *context;
};

/* Visits each bounded proxy whose fat AABB overlaps `box`, and each unbounded one (half-plane or half-space) whose shape does,
 * until visit returns false. Disabled bodies have no proxies. Returns false if a visit has stopped the query. */
bool query_box(struct world *world, const struct box *box, tree_visit *visit, void *context);

struct query_hit {
	uint32_t collider;
	double p[3]; /* in the world; 0 on an unused axis, as in the normal */
	float normal[3]; /* of the surface, on the side of the ray's origin */
	double fraction; /* of the segment */
};

/* Calls visit for each part of a collider that the segment hits, in no particular order. visit returns the fraction up to which
 * the search goes on: hit->fraction for the closest, 1 for all, 0 to stop. */
void query_raycast(struct world *world, const double from[3], const double to[3], const struct query_filter *filter,
	float (*visit)(void *context, const struct query_hit *hit), void *context);

/* Visits each collider that overlaps the shape at the pose (both of the wing's types), until visit returns false. A collider of
 * several parts may be visited more than once, but rarely is. */
void query_overlap(struct world *world, const void *shape, const void *pose, const struct query_filter *filter,
	bool (*visit)(void *context, uint32_t collider), void *context);
/* The same for an axis-aligned box of the world. */
void query_overlap_box(struct world *world, const struct box_d *box, const struct query_filter *filter,
	bool (*visit)(void *context, uint32_t collider), void *context);
