/* query.c - see query.h. */
#include "core/query.h"
#include "base/scalar.h"
#include "core/proxy.h"

#include <float.h>
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

/* --- Filters -------------------------------------------------------------------------------------------------------------- */

static bool excludes(const struct query_filter *filter, uint32_t key)
{
	const uint32_t *keys = *filter->excluded + filter->excluded_start;
	uint32_t low = 0, high = filter->excluded_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (keys[middle] == key)
			return true;
		if (keys[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

static inline bool filter_admits(const struct world *world, const struct query_filter *filter, uint32_t id)
{
	const struct collider *collider = &world->colliders.data[id];
	if (filter->scope == SCOPE_COLLIDER)
		return true;
	if ((filter->layers >> collider->layer & 1) == 0 || (!filter->sensors && collider->sensor))
		return false;
	return filter->excluded_count == 0 ||
		(!excludes(filter, query_key(true, id)) && !excludes(filter, query_key(false, collider->body)));
}

static bool filter_accepts(const struct query_filter *filter, uint32_t collider)
{
	return filter->accept == NULL || filter->accept(filter->context, collider);
}

bool query_admits(const struct world *world, const struct query_filter *filter, uint32_t collider)
{
	return filter_admits(world, filter, collider) && filter_accepts(filter, collider);
}

/* Visits the colliders of the filter's body, or its collider, until visit returns false. Tiles and voxels without faces are
 * left out. */
static void scope_visit(const struct world *world, const struct query_filter *filter,
	bool (*visit)(void *context, struct query_part part), void *context)
{
	bool body = filter->scope == SCOPE_BODY;
	uint32_t id = body ? world->bodies.data[filter->id].colliders : filter->id;
	while (id != NONE &&
		(world->wing->shape_children(world->colliders.data[id].shape) == 0 || visit(context, (struct query_part){id, NONE})))
		id = body ? world->colliders.data[id].next : NONE;
}

static struct query_part proxy_part(const struct world *world, uint32_t proxy)
{
	return (struct query_part){world->proxies.data[proxy].collider, world->proxies.data[proxy].child};
}

/* --- Casts ---------------------------------------------------------------------------------------------------------------- */

struct cast {
	struct world *world;
	const struct query_path *path;
	const struct query_filter *filter;
	float (*visit)(void *context, const struct query_hit *hit);
	void *context;
	uint32_t child; /* of the path's shape */
	float max_fraction; /* end of the part of the path that is still searched */
};

static inline bool ray_hits(const struct cast *cast, struct query_part part, float max_fraction, struct query_hit *hit)
{
	const struct wing *wing = cast->world->wing;
	return wing->part_ray(cast->world, part, cast->path->from, cast->path->translation, max_fraction, hit) &&
		!(cast->filter->late && hit->fraction == 0.0 && wing->part_contains(cast->world, part, cast->path->from));
}

static inline float part_visit(struct cast *cast, struct query_part part, float max_fraction)
{
	struct world *world = cast->world;
	const struct query_path *path = cast->path;
	struct query_hit hit;
	if (!filter_admits(world, cast->filter, part.collider) ||
		!(path->shape ? world->wing->part_cast(world, part, path, cast->child, cast->filter->late, max_fraction, &hit)
					  : ray_hits(cast, part, max_fraction, &hit)) ||
		!filter_accepts(cast->filter, part.collider))
		return max_fraction;
	hit.collider = part.collider;
	return cast->max_fraction = min_f(max_fraction, cast->visit(cast->context, &hit));
}

static float proxy_visit(void *context, uint32_t proxy, float max_fraction)
{
	struct cast *cast = context;
	return part_visit(cast, proxy_part(cast->world, proxy), max_fraction);
}

static bool scope_cast(void *context, struct query_part part)
{
	struct cast *cast = context;
	return part_visit(cast, part, cast->max_fraction) > 0.0f;
}

/* Casts the point, or a child of the shape, against the world's proxies. */
static void world_cast(struct cast *cast)
{
	struct world *world = cast->world;
	const struct query_path *path = cast->path;
	struct box box;
	if (path->shape)
		world->wing->shape_box(path->shape, cast->child, path->pose, &box);
	for (uint32_t i = 0; i < world->unbounded.count && cast->max_fraction > 0.0f; ++i)
		proxy_visit(cast, world->unbounded.data[i], cast->max_fraction);
	for (int home = 0; home < TREES && cast->max_fraction > 0.0f; ++home)
		if (path->shape)
			tree_sweep(&world->trees[home], &box, path->translation, cast->max_fraction, proxy_visit, cast);
		else
			tree_ray(&world->trees[home], path->from, path->translation, cast->max_fraction, proxy_visit, cast);
}

/* query_cast when the trees are up to date. Any thread. */
static inline void settled_cast(struct world *world, const struct query_path *path, const struct query_filter *filter,
	float (*visit)(void *context, const struct query_hit *hit), void *context)
{
	struct cast cast = {world, path, filter, visit, context, NONE, 1.0f};
	if (filter->scope != SCOPE_WORLD) {
		scope_visit(world, filter, scope_cast, &cast);
		return;
	}
	uint32_t children = path->shape ? world->wing->shape_children(path->shape) : 1;
	for (cast.child = 0; cast.child < children && cast.max_fraction > 0.0f; ++cast.child)
		world_cast(&cast);
}

void query_cast(struct world *world, const struct query_path *path, const struct query_filter *filter,
	float (*visit)(void *context, const struct query_hit *hit), void *context)
{
	proxies_settle(world);
	settled_cast(world, path, filter, visit, context);
}

bool query_hit_before(const struct query_hit *a, const struct query_hit *b)
{
	if (a->fraction != b->fraction)
		return a->fraction < b->fraction;
	return a->collider != b->collider ? a->collider < b->collider : a->child < b->child;
}

struct closest {
	struct query_hit *hit;
	bool found;
};

/* The search goes on even after a hit at fraction 0, as a part with a lower id may be hit there, too. */
static float closest_visit(void *context, const struct query_hit *hit)
{
	struct closest *closest = context;
	if (!closest->found || query_hit_before(hit, closest->hit))
		*closest->hit = *hit;
	closest->found = true;
	return max_f(round_up_f(closest->hit->fraction), FLT_MIN);
}

bool query_cast_closest(
	struct world *world, const struct query_path *path, const struct query_filter *filter, struct query_hit *hit)
{
	struct closest closest = {hit, false};
	query_cast(world, path, filter, closest_visit, &closest);
	return closest.found;
}

struct raycasts {
	struct world *world;
	struct query_ray *rays;
	const struct query_filter *filter;
};

static void raycasts_run(void *context, uint32_t begin, uint32_t end, int worker)
{
	const struct raycasts *task = context;
	(void)worker;
	for (uint32_t i = begin; i < end; ++i) {
		struct query_ray *ray = &task->rays[i];
		struct closest closest = {&ray->hit, false};
		settled_cast(task->world, &ray->path, task->filter, closest_visit, &closest);
		if (closest.found)
			ray->generation = task->world->colliders.data[ray->hit.collider].generation;
		else
			ray->hit.collider = NONE;
	}
}

void query_raycasts(struct world *world, struct query_ray *rays, uint32_t count, const struct query_filter *filter)
{
	enum { RAY_GRAIN = 64 };
	struct raycasts task = {world, rays, filter};
	proxies_settle(world);
	jobs_for(world->locked ? NULL : world->jobs, count, RAY_GRAIN, raycasts_run, &task);
}

/* --- Nearest -------------------------------------------------------------------------------------------------------------- */

struct nearest {
	struct world *world;
	const struct query_filter *filter;
	const double *point;
	double most; /* greatest signed distance that counts [length] */
	struct query_hit *hit;
	bool found;
};

static bool nearest_part(void *context, struct query_part part)
{
	struct nearest *nearest = context;
	struct query_hit hit;
	if (!filter_admits(nearest->world, nearest->filter, part.collider))
		return true;
	hit.fraction = nearest->world->wing->part_nearest(nearest->world, part, nearest->point, &hit);
	hit.collider = part.collider;
	if (!(hit.fraction <= nearest->most) || (nearest->found && !query_hit_before(&hit, nearest->hit)) ||
		!filter_accepts(nearest->filter, part.collider))
		return true;
	*nearest->hit = hit;
	nearest->most = hit.fraction;
	nearest->found = true;
	return true;
}

/* The square of the distance up to which boxes are searched: more than rounding errors above that of the closest collider. */
static double search_square(const struct nearest *nearest)
{
	double most = max_d(nearest->most, 0.0);
	return most * most * (1.0 + 1e-12);
}

static double nearest_proxy(void *context, uint32_t proxy, double square)
{
	struct nearest *nearest = context;
	(void)square;
	nearest_part(nearest, proxy_part(nearest->world, proxy));
	return search_square(nearest);
}

bool query_nearest(
	struct world *world, const double point[3], double most, const struct query_filter *filter, struct query_hit *hit)
{
	struct nearest nearest = {world, filter, point, most, hit, false};
	if (filter->scope != SCOPE_WORLD) {
		scope_visit(world, filter, nearest_part, &nearest);
		return nearest.found;
	}
	proxies_settle(world);
	for (uint32_t i = 0; i < world->unbounded.count; ++i)
		nearest_part(&nearest, proxy_part(world, world->unbounded.data[i]));
	for (int home = 0; home < TREES; ++home)
		tree_nearest(&world->trees[home], point, search_square(&nearest), nearest_proxy, &nearest);
	return nearest.found;
}

/* --- Overlaps ------------------------------------------------------------------------------------------------------------- */

enum { RECENT = 64 /* a power of two */ };

struct overlap_query {
	struct world *world;
	const struct query_filter *filter;
	/* what is overlapped: a box, a point, or else a child of the shape */
	const struct box_d *box;
	const double *point;
	const void *shape, *pose;
	uint32_t child;
	bool (*visit)(void *context, uint32_t collider);
	void *context;
	/* recent[id % RECENT]: the last collider with that remainder that was passed to `visit`. Skips most repeats, as neighbours
	 * in a tree are often parts of one collider. */
	uint32_t recent[RECENT];
};

static bool overlaps(const struct overlap_query *query, struct query_part part)
{
	const struct wing *wing = query->world->wing;
	if (query->box)
		return wing->part_in_box(query->world, part, query->box);
	return query->point ? wing->part_contains(query->world, part, query->point)
						: wing->part_overlaps(query->world, part, query->shape, query->child, query->pose);
}

static bool overlap_part(void *context, struct query_part part)
{
	struct overlap_query *query = context;
	uint32_t *recent = &query->recent[part.collider % RECENT];
	if (*recent == part.collider || !filter_admits(query->world, query->filter, part.collider) || !overlaps(query, part) ||
		!filter_accepts(query->filter, part.collider))
		return true;
	*recent = part.collider;
	return query->visit(query->context, part.collider);
}

static bool overlap_visit(void *context, uint32_t proxy)
{
	struct overlap_query *query = context;
	return overlap_part(query, proxy_part(query->world, proxy));
}

static void overlap_begin(struct overlap_query *query, struct world *world, const struct query_filter *filter,
	bool (*visit)(void *context, uint32_t collider), void *context)
{
	query->world = world;
	query->filter = filter;
	query->visit = visit;
	query->context = context;
	query->box = NULL;
	query->point = NULL;
	query->child = NONE;
	memset(query->recent, 0xff, sizeof query->recent); /* NONE */
}

void query_overlap(struct world *world, const void *shape, const void *pose, const struct query_filter *filter,
	bool (*visit)(void *context, uint32_t collider), void *context)
{
	struct overlap_query query;
	overlap_begin(&query, world, filter, visit, context);
	query.shape = shape;
	query.pose = pose;
	if (filter->scope != SCOPE_WORLD) {
		scope_visit(world, filter, overlap_part, &query);
		return;
	}
	uint32_t children = world->wing->shape_children(shape);
	bool more = true;
	for (query.child = 0; query.child < children && more; ++query.child) {
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

void query_overlap_point(struct world *world, const double point[3], const struct query_filter *filter,
	bool (*visit)(void *context, uint32_t collider), void *context)
{
	struct overlap_query query;
	struct box_d box = {{point[0], point[1], point[2]}, {point[0], point[1], point[2]}};
	struct box around = box_around_d(&box, 0, world->wing->dimensions);
	overlap_begin(&query, world, filter, visit, context);
	query.point = point;
	query_box(world, &around, overlap_visit, &query);
}
