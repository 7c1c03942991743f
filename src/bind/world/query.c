/* query.c - ray casts and overlaps, in 2D and 3D. A filter function of the script runs protected: see callback.c. Hits are
 * gathered in the world's own buffer while the engine runs, and converted to Lua values afterwards. */
#include "bind/world/dimension.h"
#include "core/query.h"

#include <float.h>
#include <stdlib.h>

struct query {
	const char *function;
	struct world_object *object;
	int into, environment; /* stack indices */
	struct query_filter filter;
	struct hook hook;
	uint32_t start; /* index of the query's first hit in the world's buffer, which nested queries of filter functions share */
	bool filtered, found, out_of_memory;
	struct hit hit;
};

/* --- Options -------------------------------------------------------------------------------------------------------------- */

static uint64_t option_layers(lua_State *L, const struct query *query, struct path path)
{
	uint64_t layers = 0;
	int list = lua_gettop(L);
	uint32_t count = value_list(L, list, &path);
	for (uint32_t i = 0; i < count; ++i) {
		path.element = (int)i + 1;
		lua_rawgeti(L, list, (int)i + 1);
		layers |= UINT64_C(1) << check_layer(L, -1, query->environment, query->object, &path);
		lua_pop(L, 1);
	}
	return layers;
}

/* Reads the options at stack index `index`. The stack index after the query's environment takes the filter function, or nil. */
static void options_read(lua_State *L, struct query *query, int index)
{
	int accept = query->environment + 1;
	struct options options = {.path = {query->function, NULL, 0, "options", 0}, .set = OPTIONS_QUERY};
	luaL_checkstack(L, 40, query->function);
	lua_pushnil(L);
	options_begin(L, query->object->shared, &options, index);
	for (int option; (option = options_next(L, &options)) != 0;) {
		switch (option) {
		case QUERY_LAYERS: query->filter.layers = option_layers(L, query, options.path); break;
		case QUERY_SENSORS: query->filter.sensors = value_boolean(L, -1, &options.path); break;
		case QUERY_FILTER:
			if (!lua_isfunction(L, -1))
				raise_value(L, -1, &options.path, "be a function");
			lua_pushvalue(L, -1);
			lua_replace(L, accept);
			break;
		}
	}
	lua_settop(L, accept);
	query->filtered = !lua_isnil(L, accept);
}

/* Reads the options at stack index `index`, or nil. The argument after them is the list to fill, if the query returns one. */
static void query_begin(lua_State *L, struct query *query, struct world_object *object, const char *function, int index)
{
	lua_settop(L, index + 1);
	*query = (struct query){
		.function = function, .object = object, .into = index + 1, .environment = index + 2, .filter = {.layers = UINT64_MAX}};
	attached_get(L, 1);
	if (!lua_isnil(L, index))
		options_read(L, query, index);
}

/* --- Hits: no visit function raises, as the engine is running ------------------------------------------------------------- */

static void query_enter(lua_State *L, struct query *query)
{
	if (query->filtered)
		hook_begin(L, &query->hook, query->object, query->environment, SHARED_ACCEPT, query->environment + 1);
	query->start = query->object->hits.count;
	++query->object->queries;
}

/* Called when the engine has finished. If the filter function raised an error or memory ran out, removes the query's hits and
 * raises that error. Else the hits stay in the buffer. */
static void query_leave(lua_State *L, struct query *query)
{
	--query->object->queries;
	if (query->filtered)
		hook_end(&query->hook);
	if (query->hook.failed || query->out_of_memory)
		query->object->hits.count = query->start;
	hook_raise(&query->hook);
	if (query->out_of_memory)
		raise_memory(L, query->function);
}

static bool hit_add(struct query *query, const struct hit *hit)
{
	struct world_object *object = query->object;
	if (!array_reserve(&object->memory, &object->hits, object->hits.count + 1)) {
		query->out_of_memory = true;
		return false;
	}
	array_push(&object->hits, *hit);
	return true;
}

static struct hit hit_keep(const struct query *query, const struct query_hit *found)
{
	const struct world *world = query->object->world;
	struct hit hit = {
		.collider = {found->collider, world->colliders.data[found->collider].generation}, .fraction = found->fraction};
	for (int i = 0, axes = query->object->dimension->axes; i < axes; ++i) {
		hit.point_normal[i] = found->p[i];
		hit.point_normal[axes + i] = (double)found->normal[i];
	}
	return hit;
}

/* Orders hits by collider id, then by fraction, then by point and normal, so that the order is the same on every machine. */
static int compare_colliders(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;
	if (x->collider.index != y->collider.index)
		return x->collider.index < y->collider.index ? -1 : 1;
	if (x->fraction != y->fraction)
		return x->fraction < y->fraction ? -1 : 1;
	int i = 0;
	while (i < 5 && x->point_normal[i] == y->point_normal[i])
		++i;
	return (x->point_normal[i] > y->point_normal[i]) - (x->point_normal[i] < y->point_normal[i]);
}

enum { FEW_HITS = 12 };

/* By insertion if there are few, which is faster than qsort. */
static inline void hits_sort(struct world_object *object, uint32_t start, int (*compare)(const void *, const void *))
{
	uint32_t count = object->hits.count - start;
	if (count < 2)
		return;
	struct hit *hits = object->hits.data + start;
	if (count > FEW_HITS) {
		qsort(hits, count, sizeof *hits, compare);
		return;
	}
	for (uint32_t i = 1; i < count; ++i) {
		struct hit hit = hits[i];
		uint32_t k = i;
		for (; k > 0 && compare(&hits[k - 1], &hit) > 0; --k)
			hits[k] = hits[k - 1];
		hits[k] = hit;
	}
}

/* Keeps the nearest hit of each collider that the filter function accepts, in the order of the colliders' ids. Nested queries
 * of that function append to the buffer, and remove their hits. */
static void hits_merge(struct query *query)
{
	struct world_object *object = query->object;
	uint32_t start = query->start, end = object->hits.count, last = NONE;
	hits_sort(object, start, compare_colliders);
	uint32_t kept = start;
	for (uint32_t i = start; i < end && !query->hook.failed && !query->out_of_memory; ++i) {
		struct hit hit = object->hits.data[i];
		if (hit.collider.index == last)
			continue;
		last = hit.collider.index;
		if (!query->filtered || hook_accept(&query->hook, last))
			object->hits.data[kept++] = hit;
	}
	object->hits.count = kept;
}

/* Keeps the closest hit; of hits at the same fraction that of the collider with the lowest id, so that the tree's shape does
 * not matter. The search therefore goes on even after a hit at fraction 0. */
static float visit_closest(void *context, const struct query_hit *hit)
{
	struct query *query = context;
	if (query->hook.failed)
		return 0;
	if (!query->found || hit->fraction < query->hit.fraction ||
		(hit->fraction == query->hit.fraction && hit->collider < query->hit.collider.index))
		query->hit = hit_keep(query, hit);
	query->found = true;
	return max_f(round_up_f(query->hit.fraction), FLT_MIN);
}

static float visit_all(void *context, const struct query_hit *found)
{
	struct hit hit = hit_keep(context, found);
	return hit_add(context, &hit) ? 1 : 0;
}

static float visit_any(void *context, const struct query_hit *hit)
{
	struct query *query = context;
	(void)hit;
	query->found = true;
	return 0;
}

static bool visit_overlap(void *context, uint32_t collider)
{
	struct query *query = context;
	struct hit found = {.collider = {collider, query->object->world->colliders.data[collider].generation}};
	return hit_add(query, &found);
}

/* --- Lists ---------------------------------------------------------------------------------------------------------------- */

/* Sets a field of the table on top of the stack to the value that follows it, without metamethods. */
static void set_field(lua_State *L, const char *key)
{
	lua_pushstring(L, key);
	lua_insert(L, -2);
	lua_rawset(L, -3);
}

/* A query's hits, to be listed in Lua. */
struct listing {
	struct world_object *object;
	bool tables; /* each hit becomes a table, else only its collider */
	int environment, into; /* stack indices; into: a list to fill, or nil for a new one */
	uint32_t start, count; /* in the world's buffer, unless they are copied to `few` */
	const struct hit *few;
};

/* Pushes the table at position i of the list, or else a new one, with the hit as its fields. */
static void push_hit(lua_State *L, const struct listing *listing, const struct handle_source *colliders, struct hit hit, int i)
{
	static const char *const plane[] = {"x", "y", "nx", "ny"}, *const space[] = {"x", "y", "z", "nx", "ny", "nz"};
	int count = 2 * listing->object->dimension->axes;
	lua_rawgeti(L, listing->into, i);
	if (!lua_istable(L, -1)) {
		lua_pop(L, 1);
		lua_createtable(L, 0, count + 2);
	}
	push_handle_of(L, listing->object, colliders, hit.collider);
	set_field(L, "collider");
	for (int k = 0; k < count; ++k) {
		lua_pushnumber(L, hit.point_normal[k]);
		set_field(L, (count == 4 ? plane : space)[k]);
	}
	lua_pushnumber(L, hit.fraction);
	set_field(L, "fraction");
}

/* Leaves the list on top of the stack. Finalizers that run meanwhile may append to the world's buffer. */
static void list_fill(lua_State *L, const struct listing *listing)
{
	struct world_object *object = listing->object;
	int before = list_open(L, listing->into, (int)listing->count);
	struct handle_source colliders = handles_open(L, object, listing->environment, object->dimension->collider);
	for (uint32_t i = 0; i < listing->count; ++i) {
		struct hit hit = listing->few ? listing->few[i] : object->hits.data[listing->start + i];
		if (listing->tables)
			push_hit(L, listing, &colliders, hit, (int)i + 1);
		else
			push_handle_of(L, object, &colliders, hit.collider);
		lua_rawseti(L, listing->into, (int)i + 1);
	}
	list_cut(L, listing->into, (int)listing->count, before);
}

/* Returns a list of the hits in the world's buffer. Called with the world, its environment, whether each hit becomes a table,
 * the index of the first hit, and the list to fill or nil. Runs under lua_pcall, so that the caller can remove the hits in any
 * case. */
int list_build(lua_State *L)
{
	struct listing listing = {lua_touserdata(L, 1), lua_toboolean(L, 3), 2, 5, (uint32_t)lua_tonumber(L, 4), 0, NULL};
	listing.count = listing.object->hits.count - listing.start;
	list_fill(L, &listing);
	return 1;
}

/* Orders hits by fraction, then by collider id. */
static int compare_hits(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;
	if (x->fraction != y->fraction)
		return x->fraction < y->fraction ? -1 : 1;
	return (x->collider.index > y->collider.index) - (x->collider.index < y->collider.index);
}

static int push_list(lua_State *L, struct query *query, bool tables)
{
	struct world_object *object = query->object;
	struct hit few[FEW_HITS];
	uint32_t count = object->hits.count - query->start;
	if (tables)
		hits_sort(object, query->start, compare_hits);
	if (count <= FEW_HITS) {
		if (count > 0)
			memcpy(few, object->hits.data + query->start, count * sizeof *few);
		object->hits.count = query->start;
		list_fill(L, &(struct listing){object, tables, query->environment, query->into, 0, count, few});
		return 1;
	}
	shared_push(L, SHARED_LIST);
	lua_pushvalue(L, 1);
	lua_pushvalue(L, query->environment);
	lua_pushboolean(L, tables);
	lua_pushnumber(L, query->start);
	lua_pushvalue(L, query->into);
	int failed = lua_pcall(L, 5, 1, 0);
	object->hits.count = query->start;
	if (failed)
		lua_error(L);
	return 1;
}

/* --- Rays ----------------------------------------------------------------------------------------------------------------- */

struct ray {
	struct world_object *object;
	double from[3], to[3];
	int options; /* stack index of the options */
};

static struct ray check_ray(lua_State *L, const char *function)
{
	static const char *const plane[] = {"x1", "y1", "x2", "y2"}, *const space[] = {"x1", "y1", "z1", "x2", "y2", "z2"};
	struct ray ray = {.object = check_world(L, function)};
	int axes = ray.object->dimension->axes;
	const char *const *names = axes == 2 ? plane : space;
	ray.options = 2 + 2 * axes;
	arg_numbers(L, 2, function, names, axes, &range_position, ray.from);
	arg_numbers(L, 2 + axes, function, names + axes, axes, &range_position, ray.to);
	return ray;
}

/* Casts the ray with the filter function, for the closest or any hit. */
static void ray_run(
	lua_State *L, struct query *query, const char *function, float (*visit)(void *context, const struct query_hit *hit))
{
	struct ray ray = check_ray(L, function);
	query_begin(L, query, ray.object, function, ray.options);
	query_enter(L, query);
	if (query->filtered) {
		query->filter.accept = hook_accept;
		query->filter.context = &query->hook;
	}
	query_raycast(query->object->world, ray.from, ray.to, &query->filter, visit, query);
	query_leave(L, query);
}

static int raycast(lua_State *L)
{
	struct query query;
	ray_run(L, &query, "raycast", visit_closest);
	if (!query.found) {
		lua_pushnil(L);
		return 1;
	}
	push_handle(L, query.object, query.environment, query.object->dimension->collider, query.hit.collider);
	int count = push_numbers(L, 2 * query.object->dimension->axes, query.hit.point_normal);
	lua_pushnumber(L, query.hit.fraction);
	return 2 + count;
}

static int raycast_all(lua_State *L)
{
	struct query query;
	struct ray ray = check_ray(L, "raycastAll");
	check_into(L, ray.options + 1, "raycastAll");
	query_begin(L, &query, ray.object, "raycastAll", ray.options);
	query_enter(L, &query);
	query_raycast(query.object->world, ray.from, ray.to, &query.filter, visit_all, &query);
	hits_merge(&query);
	query_leave(L, &query);
	return push_list(L, &query, true);
}

static int raycast_any(lua_State *L)
{
	struct query query;
	ray_run(L, &query, "raycastAny", visit_any);
	lua_pushboolean(L, query.found);
	return 1;
}

/* --- Overlaps ------------------------------------------------------------------------------------------------------------- */

static int overlap_box(lua_State *L)
{
	struct query query;
	struct ray corners = check_ray(L, "overlapBox");
	check_into(L, corners.options + 1, "overlapBox");
	struct box_d box;
	for (int i = 0; i < 3; ++i) {
		box.lower[i] = min_d(corners.from[i], corners.to[i]);
		box.upper[i] = max_d(corners.from[i], corners.to[i]);
	}
	query_begin(L, &query, corners.object, "overlapBox", corners.options);
	query_enter(L, &query);
	query_overlap_box(query.object->world, &box, &query.filter, visit_overlap, &query);
	hits_merge(&query);
	query_leave(L, &query);
	return push_list(L, &query, false);
}

static int overlap_shape(lua_State *L)
{
	struct query query;
	struct posed_shape shape;
	struct world_object *object = check_world(L, "overlapShape");
	object->dimension->check_posed_shape(L, 2, "overlapShape", &shape);
	check_into(L, 5, "overlapShape");
	query_begin(L, &query, object, "overlapShape", 4);
	query_enter(L, &query);
	query_overlap(query.object->world, shape.shape, &shape.pose, &query.filter, visit_overlap, &query);
	hits_merge(&query);
	query_leave(L, &query);
	return push_list(L, &query, false);
}

const luaL_Reg query_methods[] = {
	{"raycast", raycast},
	{"raycastAll", raycast_all},
	{"raycastAny", raycast_any},
	{"overlapBox", overlap_box},
	{"overlapShape", overlap_shape},
	{NULL, NULL},
};
