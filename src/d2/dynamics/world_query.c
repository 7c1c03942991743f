/* world_query.c - rays and overlaps in a world, exact.
 * A collider of several parts is reported once: by the part that is hit first, or by the first that overlaps.
 * Serial, between steps. */
#include "core/query.h"
#include "d2/query/ray_cast.h"
#include "d2/dynamics/wing.h"

static bool filter_admits(const struct world *world, const struct query_filter *filter, uint32_t id)
{
	const struct collider *collider = &world->colliders.data[id];
	return (filter->layers >> collider->layer & 1) != 0 && (filter->sensors || !collider->sensor);
}

static bool filter_accepts(const struct query_filter *filter, uint32_t collider)
{
	return filter->accept == NULL || filter->accept(filter->context, collider);
}

static struct d2_pose collider_pose(const struct world *world, uint32_t collider)
{
	return d2_row_pose(d2_row(world, world->colliders.data[collider].body));
}

/* --- Rays ----------------------------------------------------------------------------------------------------------------- */

struct ray_query {
	struct world *world;
	const struct query_filter *filter;
	double x, y, dx, dy;
	struct box box; /* around the ray */
	float (*visit)(void *context, const struct d2_world_hit *hit);
	void *context;
};

static bool ray_hits(const struct ray_query *query, uint32_t proxy_id, float max_fraction, struct d2_ray_hit *hit)
{
	const struct proxy *proxy = &query->world->proxies.data[proxy_id];
	struct d2_pose pose = collider_pose(query->world, proxy->collider);
	return d2_shape_ray_child(d2_collider_shape(query->world, proxy->collider), proxy->child, &pose, query->x, query->y,
		query->dx, query->dy, max_fraction, hit);
}

/* Whether another part of the same collider is hit before this one is, or at the same place and stands earlier in the list. */
static bool other_part_first(const struct ray_query *query, uint32_t proxy_id, float fraction)
{
	const struct world *world = query->world;
	bool earlier = true;
	for (uint32_t p = world->colliders.data[world->proxies.data[proxy_id].collider].proxies; p != NONE;
		 p = world->proxies.data[p].next) {
		struct d2_ray_hit other;
		if (p == proxy_id)
			earlier = false;
		else if (box_overlaps(&world->proxies.data[p].box, &query->box) && ray_hits(query, p, fraction, &other) &&
			(other.fraction < fraction || earlier))
			return true;
	}
	return false;
}

static float ray_visit(void *context, uint32_t proxy, float max_fraction)
{
	struct ray_query *query = context;
	uint32_t collider = query->world->proxies.data[proxy].collider;
	struct d2_ray_hit hit;
	if (!filter_admits(query->world, query->filter, collider) || !ray_hits(query, proxy, max_fraction, &hit) ||
		other_part_first(query, proxy, hit.fraction) || !filter_accepts(query->filter, collider))
		return max_fraction;
	struct d2_world_hit found = {collider, hit.x, hit.y, hit.normal, hit.fraction};
	return min_f(max_fraction, query->visit(query->context, &found));
}

void d2_raycast(struct d2_world *world, double x1, double y1, double x2, double y2, const struct query_filter *filter,
	float (*visit)(void *context, const struct d2_world_hit *hit), void *context)
{
	const double origin[3] = {x1, y1, 0.0}, translation[3] = {x2 - x1, y2 - y1, 0.0};
	struct ray_query query = {&world->core, filter, x1, y1, x2 - x1, y2 - y1, {{0}, {0}}, visit, context};
	query.box.lower[0] = round_down_f(min_d(x1, x2));
	query.box.lower[1] = round_down_f(min_d(y1, y2));
	query.box.upper[0] = round_up_f(max_d(x1, x2));
	query.box.upper[1] = round_up_f(max_d(y1, y2));
	query_ray(&world->core, origin, translation, ray_visit, &query);
}

/* --- Overlaps ------------------------------------------------------------------------------------------------------------- */

struct overlap_query {
	struct world *world;
	const struct query_filter *filter;
	const struct d2_shape *shape;
	uint32_t child;
	const struct d2_pose *pose;
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
	struct d2_pose pose = collider_pose(query->world, proxy->collider);
	return d2_shapes_overlap(
		query->shape, child, query->pose, d2_collider_shape(query->world, proxy->collider), proxy->child, &pose);
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

void d2_overlap(struct d2_world *world, const struct d2_shape *shape, const struct d2_pose *pose,
	const struct query_filter *filter, bool (*visit)(void *context, uint32_t collider), void *context)
{
	struct overlap_query query = {
		.world = &world->core, .filter = filter, .shape = shape, .pose = pose, .visit = visit, .context = context};
	uint32_t children = d2_shape_child_count(shape);
	query.box = d2_shape_box(shape, 0, pose, 0.0f);
	for (uint32_t child = 1; child < children; ++child) {
		struct box box = d2_shape_box(shape, child, pose, 0.0f);
		query.box = box_union(&query.box, &box);
	}
	for (; query.child < children && !query.stopped; ++query.child) {
		struct box box = d2_shape_box(shape, query.child, pose, 0.0f);
		query_box(&world->core, &box, overlap_visit, &query);
	}
}
