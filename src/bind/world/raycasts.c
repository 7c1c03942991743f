/* raycasts.c - many rays in one call. */
#include "bind/world/query.h"

/* Reads the numbers of a ray, from element `first` of the list at stack index 2 on. */
static struct query_ray ray_read(lua_State *L, struct path *path, int first, int axes)
{
	struct query_ray ray = {.path = {.shape = NULL}};
	for (int i = 0; i < 2 * axes; ++i) {
		path->element = first + i;
		lua_rawgeti(L, 2, path->element);
		double number = value_number(L, -1, path, &range_position);
		if (i < axes)
			ray.path.from[i] = number;
		else
			ray.path.translation[i - axes] = number - ray.path.from[i - axes];
		lua_pop(L, 1);
	}
	return ray;
}

/* Appends the rays to the world's buffer, and returns their count. Raises on bad numbers, with the buffer's count unchanged. */
static uint32_t rays_read(lua_State *L, struct world_object *object)
{
	struct path path = *PATH("raycasts", "rays");
	int axes = object->dimension->axes, numbers = 2 * axes;
	uint32_t length = value_list(L, 2, &path), start = object->rays.count;
	if (length % (uint32_t)numbers != 0)
		raise_error(L, "raycasts: rays must have %d numbers for each ray, got %d", numbers, (int)length);
	if (length > INT32_MAX / 4)
		raise_error(L, "raycasts: rays is too long");
	uint32_t count = length / (uint32_t)numbers;
	if (!array_reserve(&object->memory, &object->rays, start + count))
		raise_memory(L, "raycasts");
	for (uint32_t i = 0; i < count; ++i)
		object->rays.data[start + i] = ray_read(L, &path, (int)i * numbers + 1, axes);
	object->rays.count = start + count;
	return count;
}

/* Casts the rays singly, as a filter function may append to the buffer and move it. */
static void rays_cast_filtered(struct query *query, uint32_t start, uint32_t count)
{
	struct world_object *object = query->object;
	query_accept(query);
	for (uint32_t i = start; i < start + count && !query->hook.failed; ++i) {
		struct query_ray ray = object->rays.data[i];
		if (!query_cast_closest(object->world, &ray.path, &query->filter, &ray.hit))
			ray.hit.collider = NONE;
		else
			ray.generation = object->world->colliders.data[ray.hit.collider].generation;
		object->rays.data[i] = ray;
	}
}

/* Sets the numbers of the parts that were hit. */
static void rays_count_parts(const struct world_object *object, uint32_t start, uint32_t count)
{
	for (uint32_t i = start; i < start + count; ++i) {
		const struct query_hit *hit = &object->rays.data[i].hit;
		if (hit->collider == NONE)
			continue;
		const char *kind;
		uint64_t part = object->dimension->part(object->world->colliders.data[hit->collider].shape, hit->child, &kind);
		object->rays.data[i].part = kind ? part : 0;
	}
}

int raycasts(lua_State *L)
{
	struct query query;
	query_open(L, &query, "raycasts");
	lua_settop(L, 4);
	if (!lua_isnil(L, 3) && lua_type(L, 3) != LUA_TTABLE)
		raise_value(L, 3, PATH("raycasts", "into"), "be a table or nil");
	query_begin(L, &query, 4, QUERY_TAKES(QUERY_START_INSIDE));
	luaL_checkstack(L, 24, "raycasts");
	query.into = 3;
	struct world_object *object = query.object;
	uint32_t start = object->rays.count, count = rays_read(L, object);
	query_enter(L, &query);
	if (query.filtered)
		rays_cast_filtered(&query, start, count);
	else
		query_raycasts(object->world, object->rays.data + start, count, &query.filter);
	if (query.hook.failed || query.out_of_memory)
		object->rays.count = start;
	else
		rays_count_parts(object, start, count);
	query_leave(L, &query);
	return push_rays(L, &query, start);
}
