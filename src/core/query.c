/* query.c - see query.h. */
#include "core/query.h"
#include "base/scalar.h"
#include "core/proxy.h"

#include <string.h>

bool query_box(struct world *world, const struct box *box, tree_visit *visit, void *context)
{
	for (uint32_t i = 0; i < world->unbounded.count; ++i) {
		uint32_t proxy = world->unbounded.data[i];
		if (world->wing->proxy_overlaps_box(world, proxy, box) && !visit(context, proxy))
			return false;
	}
	proxies_settle(world);
	bool more = true;
	for (int home = 0; home < TREES && more; ++home)
		more = tree_query(&world->trees[home], box, visit, context);
	return more;
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
	float (*visit)(void *context, const struct query_hit *hit);
	void *context;
	float max_fraction; /* end of the part of the ray that is still searched */
};

static float raycast_visit(void *context, uint32_t proxy, float max_fraction)
{
	struct raycast *query = context;
	uint32_t collider = query->world->proxies.data[proxy].collider;
	struct query_hit hit;
	if (!filter_admits(query->world, query->filter, collider) ||
		!query->world->wing->proxy_ray(query->world, proxy, query->from, query->translation, max_fraction, &hit) ||
		!filter_accepts(query->filter, collider))
		return max_fraction;
	hit.collider = collider;
	return query->max_fraction = min_f(max_fraction, query->visit(query->context, &hit));
}

void query_raycast(struct world *world, const double from[3], const double to[3], const struct query_filter *filter,
	float (*visit)(void *context, const struct query_hit *hit), void *context)
{
	const double translation[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
	struct raycast query = {world, filter, from, translation, visit, context, 1.0f};
	proxies_settle(world);
	for (uint32_t i = 0; i < world->unbounded.count && query.max_fraction > 0.0f; ++i)
		raycast_visit(&query, world->unbounded.data[i], query.max_fraction);
	for (int home = 0; home < TREES && query.max_fraction > 0.0f; ++home)
		tree_ray(&world->trees[home], from, translation, query.max_fraction, raycast_visit, &query);
}

/* --- Overlaps ------------------------------------------------------------------------------------------------------------- */

enum { RECENT = 64 /* a power of two */ };

struct overlap_query {
	struct world *world;
	const struct query_filter *filter;
	const struct box_d *box; /* NULL: the query is for a child of the shape */
	const void *shape, *pose;
	uint32_t child;
	bool (*visit)(void *context, uint32_t collider);
	void *context;
	/* recent[id % RECENT]: the last collider with that remainder that was passed to `visit`. Skips most repeats, as neighbours
	 * in a tree are often parts of one collider. */
	uint32_t recent[RECENT];
};

static bool overlaps(const struct overlap_query *query, uint32_t proxy)
{
	const struct wing *wing = query->world->wing;
	return query->box ? wing->proxy_in_box(query->world, proxy, query->box)
					  : wing->proxy_overlaps(query->world, proxy, query->shape, query->child, query->pose);
}

static bool overlap_visit(void *context, uint32_t proxy)
{
	struct overlap_query *query = context;
	uint32_t collider = query->world->proxies.data[proxy].collider, *recent = &query->recent[collider % RECENT];
	if (*recent == collider || !filter_admits(query->world, query->filter, collider) || !overlaps(query, proxy) ||
		!filter_accepts(query->filter, collider))
		return true;
	*recent = collider;
	return query->visit(query->context, collider);
}

static void overlap_begin(struct overlap_query *query, struct world *world, const struct query_filter *filter,
	bool (*visit)(void *context, uint32_t collider), void *context)
{
	query->world = world;
	query->filter = filter;
	query->visit = visit;
	query->context = context;
	query->box = NULL;
	query->child = 0;
	memset(query->recent, 0xff, sizeof query->recent); /* NONE */
}

void query_overlap(struct world *world, const void *shape, const void *pose, const struct query_filter *filter,
	bool (*visit)(void *context, uint32_t collider), void *context)
{
	struct overlap_query query;
	overlap_begin(&query, world, filter, visit, context);
	query.shape = shape;
	query.pose = pose;
	uint32_t children = world->wing->shape_children(shape);
	bool more = true;
	for (; query.child < children && more; ++query.child) {
		struct box box;
		world->wing->shape_box(shape, query.child, pose, &box);
		more = query_box(world, &box, overlap_visit, &query);
	}
}

void query_overlap_box(struct world *world, const struct box_d *box, const struct query_filter *filter,
	bool (*visit)(void *context, uint32_t collider), void *context)
{
	struct overlap_query query;
	struct box around = box_around_d(box, 0, world->wing->dimensions);
	overlap_begin(&query, world, filter, visit, context);
	query.box = box;
	query_box(world, &around, overlap_visit, &query);
}
