/* query.c - see query.h. */
#include "core/query.h"
#include "core/proxy.h"

struct box_query {
	bool (*visit)(void *context, uint32_t proxy);
	void *context;
	bool stopped;
};

static bool box_visit(void *context, uint32_t leaf, uint32_t value)
{
	(void)leaf;
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
	proxies_settle(world);
	for (int i = 0; i < 2 && !query.stopped; ++i)
		tree_query(&world->trees[i], box, box_visit, &query);
}

struct ray_query {
	float (*visit)(void *context, uint32_t proxy, float max_fraction);
	void *context;
	float max_fraction;
};

static float ray_visit(void *context, uint32_t value, float max_fraction)
{
	struct ray_query *query = context;
	query->max_fraction = query->visit(query->context, value, max_fraction);
	return query->max_fraction;
}

void query_ray(struct world *world, const double origin[3], const double translation[3],
	float (*visit)(void *context, uint32_t proxy, float max_fraction), void *context)
{
	struct ray_query query = {visit, context, 1.0f};
	proxies_settle(world);
	for (uint32_t i = 0; i < world->unbounded.count && query.max_fraction > 0.0f; ++i)
		ray_visit(&query, world->unbounded.data[i], query.max_fraction);
	for (int i = 0; i < 2 && query.max_fraction > 0.0f; ++i)
		tree_ray(&world->trees[i], origin, translation, query.max_fraction, ray_visit, &query);
}
