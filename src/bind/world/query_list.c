/* query_list.c - lists of hits. Hits are gathered in the world's own buffer while the engine runs, and converted to Lua values
 * afterwards. */
#include "bind/world/query.h"

#include <stdlib.h>

/* --- The buffer: no function raises, as the engine is running ------------------------------------------------------------- */

bool hit_add(struct query *query, const struct query_hit *found)
{
	struct world_object *object = query->object;
	if (!array_reserve(&object->memory, &object->hits, object->hits.count + 1)) {
		query->out_of_memory = true;
		return false;
	}
	array_push(&object->hits, hit_keep(query, found));
	return true;
}

/* Orders hits by collider id, then by fraction, then by child, so that the order is the same on every machine. */
static int compare_colliders(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;
	if (x->collider.index != y->collider.index)
		return x->collider.index < y->collider.index ? -1 : 1;
	if (x->fraction != y->fraction)
		return x->fraction < y->fraction ? -1 : 1;
	return (x->child > y->child) - (x->child < y->child);
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

void hits_merge(struct query *query)
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

/* --- Lists ---------------------------------------------------------------------------------------------------------------- */

/* Sets a field of the table on top of the stack to the value that follows it, without metamethods. */
static void set_field(lua_State *L, const char *key)
{
	lua_pushstring(L, key);
	lua_insert(L, -2);
	lua_rawset(L, -3);
}

/* Removes a field of the table on top of the stack, if it has it. */
static void clear_field(lua_State *L, const char *key)
{
	lua_pushstring(L, key);
	lua_rawget(L, -2);
	bool found = !lua_isnil(L, -1);
	lua_pop(L, 1);
	if (!found)
		return;
	lua_pushnil(L);
	set_field(L, key);
}

/* A query's hits, to be listed in Lua. */
struct listing {
	struct world_object *object;
	bool tables; /* each hit becomes a table, else only its collider */
	const char *measure; /* name of the field for hit.fraction */
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
		lua_createtable(L, 0, count + (hit.kind ? 4 : 2));
	}
	push_handle_of(L, listing->object, colliders, hit.collider);
	set_field(L, "collider");
	for (int k = 0; k < count; ++k) {
		lua_pushnumber(L, hit.point_normal[k]);
		set_field(L, (count == 4 ? plane : space)[k]);
	}
	lua_pushnumber(L, hit.fraction);
	set_field(L, listing->measure);
	if (hit.kind != NULL) {
		lua_pushinteger(L, (lua_Integer)hit.part);
		set_field(L, "part");
		lua_pushstring(L, hit.kind);
		set_field(L, "kind");
	} else {
		clear_field(L, "part");
		clear_field(L, "kind");
	}
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

/* Pushes the numbers of a ray's row after the collider, and returns their count. */
static int push_ray(lua_State *L, const struct query_ray *ray, int axes)
{
	bool hit = ray->hit.collider != NONE;
	for (int i = 0; i < axes; ++i)
		lua_pushnumber(L, hit ? ray->hit.p[i] : ray->path.from[i] + ray->path.translation[i]);
	for (int i = 0; i < axes; ++i)
		lua_pushnumber(L, hit ? (double)ray->hit.normal[i] : 0.0);
	lua_pushnumber(L, hit ? ray->hit.fraction : 1.0);
	if (hit && ray->part > 0)
		lua_pushinteger(L, (lua_Integer)ray->part);
	else
		lua_pushboolean(L, 0);
	return 2 * axes + 2;
}

/* list_fill for rays: the rows of all rays, one after the other. */
static void rays_fill(lua_State *L, const struct listing *listing)
{
	struct world_object *object = listing->object;
	int axes = object->dimension->axes, row = 2 * axes + 3, length = (int)listing->count * row;
	int before = list_open(L, listing->into, length);
	struct handle_source colliders = handles_open(L, object, listing->environment, object->dimension->collider);
	for (uint32_t i = 0; i < listing->count; ++i) {
		struct query_ray ray = object->rays.data[listing->start + i];
		int at = (int)i * row + 1;
		if (ray.hit.collider == NONE)
			lua_pushboolean(L, 0);
		else
			push_handle_of(L, object, &colliders, (struct handle){ray.hit.collider, ray.generation});
		for (int k = push_ray(L, &ray, axes); k >= 0; --k)
			lua_rawseti(L, listing->into, at + k);
	}
	list_cut(L, listing->into, length, before);
}

enum { LIST_COLLIDERS, LIST_HITS, LIST_RAYS, LIST_PLANES };

static const char *measure_of(int of)
{
	return of == LIST_PLANES ? "distance" : "fraction";
}

/* Returns a list of the hits or rays in the world's buffer. Called with the world, its environment, one of the constants above,
 * the index of the first hit or ray, and the list to fill or nil. Runs under lua_pcall, so that the caller can remove them in
 * any case. */
int list_build(lua_State *L)
{
	int of = (int)lua_tonumber(L, 3);
	struct listing listing = {lua_touserdata(L, 1), of == LIST_HITS || of == LIST_PLANES, measure_of(of), 2, 5,
		(uint32_t)lua_tonumber(L, 4), 0, NULL};
	listing.count = (of == LIST_RAYS ? listing.object->rays.count : listing.object->hits.count) - listing.start;
	(of == LIST_RAYS ? rays_fill : list_fill)(L, &listing);
	return 1;
}

/* Calls list_build. Returns whether it failed, with the list or the error on top of the stack. */
static bool list_call(lua_State *L, struct query *query, int of, uint32_t start)
{
	shared_push(L, SHARED_LIST);
	lua_pushvalue(L, 1);
	lua_pushvalue(L, query->environment);
	lua_pushinteger(L, of);
	lua_pushnumber(L, start);
	lua_pushvalue(L, query->into);
	return lua_pcall(L, 5, 1, 0) != 0;
}

/* Orders hits by fraction, then by collider id. */
static int compare_hits(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;
	if (x->fraction != y->fraction)
		return x->fraction < y->fraction ? -1 : 1;
	return (x->collider.index > y->collider.index) - (x->collider.index < y->collider.index);
}

/* Moves the query's hits to a list of the kind `of`. */
static int push_hits(lua_State *L, struct query *query, int of)
{
	struct world_object *object = query->object;
	struct hit few[FEW_HITS];
	bool tables = of != LIST_COLLIDERS;
	uint32_t count = object->hits.count - query->start;
	if (tables)
		hits_sort(object, query->start, compare_hits);
	if (count > query->limit) {
		count = query->limit;
		object->hits.count = query->start + count;
	}
	if (count <= FEW_HITS) {
		if (count > 0)
			memcpy(few, object->hits.data + query->start, count * sizeof *few);
		object->hits.count = query->start;
		list_fill(L, &(struct listing){object, tables, measure_of(of), query->environment, query->into, 0, count, few});
		return 1;
	}
	bool failed = list_call(L, query, of, query->start);
	object->hits.count = query->start;
	if (failed)
		lua_error(L);
	return 1;
}

int push_list(lua_State *L, struct query *query, bool tables)
{
	return push_hits(L, query, tables ? LIST_HITS : LIST_COLLIDERS);
}

int push_planes(lua_State *L, struct query *query)
{
	return push_hits(L, query, LIST_PLANES);
}

int push_rays(lua_State *L, struct query *query, uint32_t start)
{
	bool failed = list_call(L, query, LIST_RAYS, start);
	query->object->rays.count = start;
	if (failed)
		lua_error(L);
	return 1;
}
