/* query.c - see query.h. */
#include "core/query.h"
#include "base/scalar.h"
#include "core/proxy.h"

#include <float.h>

static void query_begin(struct world *world)
{
	if (world->queries++ == 0)
		proxies_settle(world);
}

static void query_end(struct world *world)
{
	if (--world->queries == 0)
		proxies_rehome(world);
}

struct box_query {
	bool (*visit)(void *context, uint32_t proxy);
	void *context;
	bool stopped;
};

static bool box_visit(void *context, uint32_t value)
{
	struct box_query *query = context;
	query->stopped = !query->visit(query->context, value);
	return !query->stopped;
}

void query_box(struct world *world, const struct box *box, bool (*visit)(void *context, uint32_t proxy), void *context)
{
	for (uint32_t i = 0; i < world->unbounded.count; ++i) {
		uint32_t proxy = world->unbounded.data[i];
		if (world->wing->proxy_overlaps_box(world, proxy, box) && !visit(context, proxy))
			return;
	}
	struct box_query query = {visit, context, false};
	query_begin(world);
	for (int i = 0; i < 2 && !query.stopped; ++i)
		tree_query(&world->trees[i], box, box_visit, &query);
	query_end(world);
}

static bool filter_admits(const struct world *world, const struct query_filter *filter, uint32_t id)
{
	const struct collider *collider = &world->colliders.data[id];
	return (filter->layers >> collider->layer & 1) != 0 && (filter->sensors || !collider->sensor);
}

static bool filter_accepts(const struct query_filter *filter, uint32_t collider)
{
	return filter->accept == NULL || filter->accept(filter->context, collider);
}

/* --- Rays ----------------------------------------------------------------------------------------------------------------- */

struct raycast {
	struct world *world;
	const struct query_filter *filter;
	const double *from, *translation;
	struct box box; /* around the ray */
	float (*visit)(void *context, const struct query_hit *hit);
	void *context;
	float max_fraction; /* of the part of the ray that is still of interest */
};

static bool ray_hits(const struct raycast *query, uint32_t proxy, float max_fraction, struct query_hit *hit)
{
	return query->world->wing->proxy_ray(query->world, proxy, query->from, query->translation, max_fraction, hit);
}

/* Whether another part of the same collider is hit before this one, or at the same fraction and is earlier in the list. */
static bool other_part_first(const struct raycast *query, uint32_t proxy_id, double fraction)
{
	const struct world *world = query->world;
	float limit = round_up_f(fraction * (1.0 + (double)FLT_EPSILON)); /* fractions may be rounded down to floats */
	bool earlier = true;
	for (uint32_t p = world->colliders.data[world->proxies.data[proxy_id].collider].proxies; p != NONE;
		 p = world->proxies.data[p].next) {
		struct query_hit other;
		if (p == proxy_id)
			earlier = false;
		else if (box_overlaps(&world->proxies.data[p].box, &query->box) && ray_hits(query, p, limit, &other) &&
			(other.fraction < fraction || (earlier && other.fraction == fraction)))
			return true;
	}
	return false;
}

static float raycast_visit(void *context, uint32_t proxy, float max_fraction)
{
	struct raycast *query = context;
	uint32_t collider = query->world->proxies.data[proxy].collider;
	struct query_hit hit;
	if (!filter_admits(query->world, query->filter, collider) || !ray_hits(query, proxy, max_fraction, &hit) ||
		other_part_first(query, proxy, hit.fraction) || !filter_accepts(query->filter, collider))
		return max_fraction;
	hit.collider = collider;
	return query->max_fraction = min_f(max_fraction, query->visit(query->context, &hit));
}

void query_raycast(struct world *world, const double from[3], const double to[3], const struct query_filter *filter,
	float (*visit)(void *context, const struct query_hit *hit), void *context)
{
	const double translation[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
	struct raycast query = {world, filter, from, translation, {{0}, {0}}, visit, context, 1.0f};
	for (int k = 0; k < world->wing->dimensions; ++k) {
		query.box.lower[k] = round_down_f(min_d(from[k], to[k]));
		query.box.upper[k] = round_up_f(max_d(from[k], to[k]));
	}
	query_begin(world);
	for (uint32_t i = 0; i < world->unbounded.count && query.max_fraction > 0.0f; ++i)
		raycast_visit(&query, world->unbounded.data[i], query.max_fraction);
	for (int i = 0; i < 2 && query.max_fraction > 0.0f; ++i)
		tree_ray(&world->trees[i], from, translation, query.max_fraction, raycast_visit, &query);
	query_end(world);
}

/* --- Overlaps ------------------------------------------------------------------------------------------------------------- */

struct shape_query {
	struct world *world;
	const struct query_filter *filter;
	const void *shape, *pose;
	uint32_t child;
	struct box box; /* around the whole shape */
	bool (*visit)(void *context, uint32_t collider);
	void *context;
	bool stopped;
};

static bool part_overlaps(const struct shape_query *query, uint32_t child, uint32_t proxy_id)
{
	const struct proxy *proxy = &query->world->proxies.data[proxy_id];
	return (proxy->unbounded || box_overlaps(&proxy->box, &query->box)) &&
		query->world->wing->proxy_overlaps(query->world, proxy_id, query->shape, child, query->pose);
}

/* Whether the collider was reported before: for an earlier part of it, or for an earlier part of the query's shape. */
static bool reported_before(const struct shape_query *query, uint32_t proxy_id)
{
	const struct world *world = query->world;
	uint32_t first = world->colliders.data[world->proxies.data[proxy_id].collider].proxies;
	for (uint32_t child = 0; child <= query->child; ++child)
		for (uint32_t p = first; p != NONE && (child < query->child || p != proxy_id); p = world->proxies.data[p].next)
			if (part_overlaps(query, child, p))
				return true;
	return false;
}

static bool overlap_visit(void *context, uint32_t proxy)
{
	struct shape_query *query = context;
	uint32_t collider = query->world->proxies.data[proxy].collider;
	if (!filter_admits(query->world, query->filter, collider) || !part_overlaps(query, query->child, proxy) ||
		reported_before(query, proxy) || !filter_accepts(query->filter, collider))
		return true;
	query->stopped = !query->visit(query->context, collider);
	return !query->stopped;
}

void query_overlap(struct world *world, const void *shape, const void *pose, const struct query_filter *filter,
	bool (*visit)(void *context, uint32_t collider), void *context)
{
	struct shape_query query = {
		.world = world, .filter = filter, .shape = shape, .pose = pose, .visit = visit, .context = context};
	uint32_t children = world->wing->shape_children(shape);
	world->wing->shape_box(shape, 0, pose, &query.box);
	for (uint32_t child = 1; child < children; ++child) {
		struct box box;
		world->wing->shape_box(shape, child, pose, &box);
		query.box = box_union(&query.box, &box);
	}
	for (; query.child < children && !query.stopped; ++query.child) {
		struct box box;
		world->wing->shape_box(shape, query.child, pose, &box);
		query_box(world, &box, overlap_visit, &query);
	}
}
