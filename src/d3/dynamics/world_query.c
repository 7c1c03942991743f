/* world_query.c - rays and overlaps in a world, exact.
 * A collider of several parts is reported once: by the part that is hit first, or by the first that overlaps.
 * Serial, between steps. */
#include "core/query.h"
#include "d3/query/ray_cast.h"
#include "d3/query/distance.h"
#include "d3/dynamics/wing.h"

static bool filter_admits(const struct world *world, const struct query_filter *filter, uint32_t id)
{
	const struct collider *collider = &world->colliders.data[id];
	return (filter->layers >> collider->layer & 1) != 0 && (filter->sensors || !collider->sensor);
}

static bool filter_accepts(const struct query_filter *filter, uint32_t collider)
{
	return filter->accept == NULL || filter->accept(filter->context, collider);
}

static struct d3_pose collider_pose(const struct world *world, uint32_t collider)
{
	return d3_row_pose(d3_row(world, world->colliders.data[collider].body));
}

/* --- Rays ----------------------------------------------------------------------------------------------------------------- */

struct ray_query {
	struct world *world;
	const struct query_filter *filter;
	struct d3_vec_d origin, delta;
	struct box box; /* around the ray */
	float (*visit)(void *context, const struct d3_world_hit *hit);
	void *context;
};

static bool ray_hits(const struct ray_query *query, uint32_t proxy_id, float max_fraction, struct d3_ray_hit_d *hit)
{
	struct d3_pose pose = collider_pose(query->world, query->world->proxies.data[proxy_id].collider);
	return d3_shape_ray_d(d3_proxy_part(query->world, proxy_id), &pose, query->origin, query->delta, hit) &&
		hit->fraction <= (double)max_fraction;
}

/* Whether another part of the same collider is hit before this one is, or at the same place and stands earlier in the list. */
static bool other_part_first(const struct ray_query *query, uint32_t proxy_id, double fraction)
{
	const struct world *world = query->world;
	bool earlier = true;
	for (uint32_t p = world->colliders.data[world->proxies.data[proxy_id].collider].proxies; p != NONE;
		 p = world->proxies.data[p].next) {
		struct d3_ray_hit_d other;
		if (p == proxy_id)
			earlier = false;
		else if (box_overlaps(&world->proxies.data[p].box, &query->box) && ray_hits(query, p, (float)fraction, &other) &&
			(other.fraction < fraction || earlier))
			return true;
	}
	return false;
}

static float ray_visit(void *context, uint32_t proxy, float max_fraction)
{
	struct ray_query *query = context;
	uint32_t collider = query->world->proxies.data[proxy].collider;
	struct d3_ray_hit_d hit;
	if (!filter_admits(query->world, query->filter, collider) || !ray_hits(query, proxy, max_fraction, &hit) ||
		other_part_first(query, proxy, hit.fraction) || !filter_accepts(query->filter, collider))
		return max_fraction;
	struct d3_world_hit found = {collider, hit.p.x, hit.p.y, hit.p.z, d3_narrow(hit.normal), (float)hit.fraction};
	return min_f(max_fraction, query->visit(query->context, &found));
}

void d3_raycast(struct d3_world *world, double x1, double y1, double z1, double x2, double y2, double z2,
	const struct query_filter *filter, float (*visit)(void *context, const struct d3_world_hit *hit), void *context)
{
	const double from[3] = {x1, y1, z1}, to[3] = {x2, y2, z2}, delta[3] = {x2 - x1, y2 - y1, z2 - z1};
	struct ray_query query = {&world->core, filter, {x1, y1, z1}, {delta[0], delta[1], delta[2]}, {{0}, {0}}, visit, context};
	for (int k = 0; k < 3; ++k) {
		query.box.lower[k] = round_down_f(min_d(from[k], to[k]));
		query.box.upper[k] = round_up_f(max_d(from[k], to[k]));
	}
	query_ray(&world->core, from, delta, ray_visit, &query);
}

/* --- Overlaps ------------------------------------------------------------------------------------------------------------- */

struct overlap_query {
	struct world *world;
	const struct query_filter *filter;
	const struct d3_shape *shape;
	uint32_t child;
	const struct d3_pose *pose;
	struct box box; /* around the whole shape */
	bool (*visit)(void *context, uint32_t collider);
	void *context;
	bool stopped;
};

static bool part_overlaps(const struct overlap_query *query, uint32_t child, uint32_t proxy_id)
{
	const struct proxy *proxy = &query->world->proxies.data[proxy_id];
	if (!proxy->unbounded && !box_overlaps(&proxy->box, &query->box))
		return false;
	struct d3_pose pose = collider_pose(query->world, proxy->collider);
	return d3_overlaps(d3_shape_part(query->shape, child), query->pose, d3_proxy_part(query->world, proxy_id), &pose);
}

/* Whether the collider was reported before: for an earlier part of it, or for an earlier part of the query's own shape. */
static bool reported_before(const struct overlap_query *query, uint32_t proxy_id)
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
	struct overlap_query *query = context;
	uint32_t collider = query->world->proxies.data[proxy].collider;
	if (!filter_admits(query->world, query->filter, collider) || !part_overlaps(query, query->child, proxy) ||
		reported_before(query, proxy) || !filter_accepts(query->filter, collider))
		return true;
	query->stopped = !query->visit(query->context, collider);
	return !query->stopped;
}

void d3_overlap(struct d3_world *world, const struct d3_shape *shape, const struct d3_pose *pose,
	const struct query_filter *filter, bool (*visit)(void *context, uint32_t collider), void *context)
{
	struct overlap_query query = {
		.world = &world->core, .filter = filter, .shape = shape, .pose = pose, .visit = visit, .context = context};
	uint32_t children = d3_shape_part_count(shape);
	query.box = d3_shape_box(d3_shape_part(shape, 0), pose, 0.0f);
	for (uint32_t child = 1; child < children; ++child) {
		struct box box = d3_shape_box(d3_shape_part(shape, child), pose, 0.0f);
		query.box = box_union(&query.box, &box);
	}
	for (; query.child < children && !query.stopped; ++query.child) {
		struct box box = d3_shape_box(d3_shape_part(shape, query.child), pose, 0.0f);
		query_box(&world->core, &box, overlap_visit, &query);
	}
}
