/* query.h - ray casts, shape casts, overlaps and nearest colliders, of a world, a body or a collider. Trees find candidates by
 * their AABBs, and the wing tests their shapes. Serial, and between steps. */
#pragma once
#include "core/core.h"

enum query_scope { SCOPE_WORLD, SCOPE_BODY, SCOPE_COLLIDER };

/* Which colliders a query finds. */
struct query_filter {
	/* Where it searches: in the world, or among the colliders of a body or one collider, with this id. Layers and sensors do
	 * not matter to a single collider. */
	enum query_scope scope;
	uint32_t id;
	uint64_t layers; /* mask */
	bool sensors;
	bool late; /* a cast ignores parts that contain the ray's start, or overlap the shape at the start */
	/* Sorted keys, see query_key, of bodies and colliders that are not found. The array's address may change in `accept`. */
	uint32_t *const *excluded;
	uint32_t excluded_start, excluded_count;
	/* Called for each part of a collider that is hit or overlaps; false: the part is ignored. May be NULL. */
	bool (*accept)(void *context, uint32_t collider);
	void *context;
};

/* The key of an excluded body or collider. */
static inline uint32_t query_key(bool collider, uint32_t id)
{
	return 2 * id + collider;
}

/* Whether the filter, its function included, finds the collider. Not for filters with a scope. */
bool query_admits(const struct world *world, const struct query_filter *filter, uint32_t collider);

/* Visits each bounded proxy whose fat AABB overlaps `box`, and each unbounded one (half-plane or half-space) whose shape does,
 * until visit returns false. Disabled bodies have no proxies. Returns false if a visit has stopped the query. */
bool query_box(struct world *world, const struct box *box, tree_visit *visit, void *context);

struct query_hit {
	uint32_t collider;
	uint32_t child; /* of its shape: of a mesh or height field a triangle */
	double p[3]; /* in the world; 0 on an unused axis, as in the normal */
	float normal[3]; /* of the surface, on the side of the ray's origin or of the shape */
	double fraction; /* of the path; of a nearest collider its distance [length] */
};

/* The straight path of a point or of a shape that does not rotate. */
struct query_path {
	double from[3], translation[3]; /* from: for points only [length] */
	const void *shape, *pose; /* of the wing's types; NULL: a point */
};

/* Whether hit a comes before hit b: the one at the smaller fraction; of equal ones the one with the lower id, so that the
 * tree's shape does not matter. */
bool query_hit_before(const struct query_hit *a, const struct query_hit *b);

/* Calls visit for each part of a collider that is hit on the path, in no particular order. visit returns the fraction up to
 * which the search goes on: hit->fraction for the closest, 1 for all, 0 to stop. */
void query_cast(struct world *world, const struct query_path *path, const struct query_filter *filter,
	float (*visit)(void *context, const struct query_hit *hit), void *context);
/* Finds the closest hit by query_hit_before. False: there is none. */
bool query_cast_closest(
	struct world *world, const struct query_path *path, const struct query_filter *filter, struct query_hit *hit);

/* A ray of query_raycasts, and the closest hit. */
struct query_ray {
	struct query_path path;
	struct query_hit hit; /* collider NONE: there is none */
	uint32_t generation; /* of the collider */
	uint64_t part; /* number of the part that was hit, for scripts; 0: the shape has none */
};

/* query_cast_closest for many rays, on all workers. The filter has no function. */
void query_raycasts(struct world *world, struct query_ray *rays, uint32_t count, const struct query_filter *filter);

/* Finds the collider with the least signed distance from the point, if that is at most `most`; of several that with the lowest
 * id. */
bool query_nearest(
	struct world *world, const double point[3], double most, const struct query_filter *filter, struct query_hit *hit);

/* Visits each collider that overlaps the shape at the pose (both of the wing's types), until visit returns false. A collider of
 * several parts may be visited more than once, but rarely is. */
void query_overlap(struct world *world, const void *shape, const void *pose, const struct query_filter *filter,
	bool (*visit)(void *context, uint32_t collider), void *context);
/* The same for an axis-aligned box of the world. Not among the colliders of a body. */
void query_overlap_box(struct world *world, const struct box_d *box, const struct query_filter *filter,
	bool (*visit)(void *context, uint32_t collider), void *context);
/* The same for a point: visits the colliders that have it inside or on their surface. */
void query_overlap_point(struct world *world, const double point[3], const struct query_filter *filter,
	bool (*visit)(void *context, uint32_t collider), void *context);
