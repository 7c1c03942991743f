/* query.c - ray casts, shape casts, overlaps and nearest colliders, of worlds, bodies and colliders, in 2D and 3D. */
#include "bind/world/query.h"

struct hit hit_keep(const struct query *query, const struct query_hit *found)
{
	const struct world *world = query->object->world;
	const struct dimension *dimension = query->object->dimension;
	const struct collider *collider = &world->colliders.data[found->collider];
	struct hit hit = {.collider = {found->collider, collider->generation}, .child = found->child, .fraction = found->fraction};
	for (int i = 0, axes = dimension->axes; i < axes; ++i) {
		hit.point_normal[i] = found->p[i];
		hit.point_normal[axes + i] = (double)found->normal[i];
	}
	hit.part = dimension->part(collider->shape, found->child, &hit.kind);
	return hit;
}

/* --- Results -------------------------------------------------------------------------------------------------------------- */

/* Pushes the collider, unless it was asked itself. Returns the number of results. */
static int push_collider(lua_State *L, struct query *query, struct handle collider)
{
	if (query->filter.scope == SCOPE_COLLIDER)
		return 0;
	push_handle(L, query->object, query->environment, query->object->dimension->collider, collider);
	return 1;
}

/* Pushes the number and the kind of the part that was hit, if the shape has parts. Returns the number of results. */
static int push_part(lua_State *L, const struct hit *hit)
{
	if (hit->kind == NULL)
		return 0;
	lua_pushinteger(L, (lua_Integer)hit->part);
	lua_pushstring(L, hit->kind);
	return 2;
}

static int push_nothing(lua_State *L)
{
	lua_pushnil(L);
	return 1;
}

/* --- Casts ---------------------------------------------------------------------------------------------------------------- */

/* A query for what is hit on a path. */
struct cast {
	struct query query;
	struct query_path path;
	struct posed_shape moved; /* path.shape, if it is a shape's path, and its pose */
	int options; /* stack index of the options */
};

static const char *const plane_names[] = {"x1", "y1", "x2", "y2"}, *const space_names[] = {"x1", "y1", "z1", "x2", "y2", "z2"};

/* Reads two points of the world, from stack index 2 on. */
static void check_points(lua_State *L, const struct query *query, double from[3], double to[3])
{
	int axes = query->object->dimension->axes;
	const char *const *names = axes == 2 ? plane_names : space_names;
	arg_numbers(L, 2, query->function, names, axes, &range_position, from);
	arg_numbers(L, 2 + axes, query->function, names + axes, axes, &range_position, to);
}

static void ray_open(lua_State *L, struct cast *ray, const char *function)
{
	double to[3] = {0};
	ray->path = (struct query_path){.shape = NULL};
	query_open(L, &ray->query, function);
	check_points(L, &ray->query, ray->path.from, to);
	for (int i = 0; i < 3; ++i)
		ray->path.translation[i] = to[i] - ray->path.from[i];
	ray->options = 2 + 2 * ray->query.object->dimension->axes;
}

static void shape_open(lua_State *L, struct cast *cast, const char *function)
{
	static const char *const names[] = {"dx", "dy", "dz"};
	query_open(L, &cast->query, function);
	const struct dimension *dimension = cast->query.object->dimension;
	dimension->check_posed_shape(L, 2, function, &cast->moved);
	cast->path = (struct query_path){.shape = cast->moved.shape, .pose = &cast->moved.pose};
	arg_numbers(L, 4, function, names, dimension->axes, &range_position, cast->path.translation);
	cast->options = 4 + dimension->axes;
}

/* Finds the closest hit, and returns it as a row. */
static int cast_closest(lua_State *L, struct cast *cast)
{
	struct query *query = &cast->query;
	struct query_hit found;
	query_begin(L, query, cast->options, QUERY_TAKES(QUERY_START_INSIDE));
	query_enter(L, query);
	query_accept(query);
	query->found = query_cast_closest(query->object->world, &cast->path, &query->filter, &found);
	query_leave(L, query);
	if (!query->found)
		return push_nothing(L);
	struct hit hit = hit_keep(query, &found);
	int count = push_collider(L, query, hit.collider);
	count += push_numbers(L, 2 * query->object->dimension->axes, hit.point_normal);
	lua_pushnumber(L, hit.fraction);
	return count + 1 + push_part(L, &hit);
}

static float visit_all(void *context, const struct query_hit *found)
{
	return hit_add(context, found) ? 1 : 0;
}

/* Returns a list of all hits. */
static int cast_all(lua_State *L, struct cast *cast)
{
	struct query *query = &cast->query;
	check_into(L, cast->options + 1, query->function);
	query_begin(L, query, cast->options, QUERY_TAKES(QUERY_START_INSIDE) | QUERY_TAKES(QUERY_LIMIT));
	query_enter(L, query);
	query_cast(query->object->world, &cast->path, &query->filter, visit_all, query);
	hits_merge(query);
	query_leave(L, query);
	return push_list(L, query, true);
}

static float visit_any(void *context, const struct query_hit *hit)
{
	struct query *query = context;
	(void)hit;
	query->found = true;
	return 0;
}

/* Returns whether there is any hit. */
static int cast_any(lua_State *L, struct cast *cast)
{
	struct query *query = &cast->query;
	query_begin(L, query, cast->options, QUERY_TAKES(QUERY_START_INSIDE));
	query_enter(L, query);
	query_accept(query);
	query_cast(query->object->world, &cast->path, &query->filter, visit_any, query);
	query_leave(L, query);
	lua_pushboolean(L, query->found);
	return 1;
}

/* The result of a cast, by the number of its method. */
enum { CAST_CLOSEST, CAST_ALL, CAST_ANY };

static int cast_run(lua_State *L, struct cast *cast, const struct method *method)
{
	return (method->number == CAST_CLOSEST ? cast_closest : method->number == CAST_ALL ? cast_all : cast_any)(L, cast);
}

static int cast_ray(lua_State *L)
{
	const struct method *method = upvalue_address(L, 3);
	struct cast ray;
	ray_open(L, &ray, method->name);
	return cast_run(L, &ray, method);
}

static int cast_shape(lua_State *L)
{
	const struct method *method = upvalue_address(L, 3);
	struct cast cast;
	shape_open(L, &cast, method->name);
	return cast_run(L, &cast, method);
}

/* --- Points --------------------------------------------------------------------------------------------------------------- */

/* Reads a point of the world, from stack index 2 on. */
static void check_point(lua_State *L, const struct query *query, double point[3])
{
	static const char *const names[] = {"x", "y", "z"};
	arg_numbers(L, 2, query->function, names, query->object->dimension->axes, &range_position, point);
}

/* Returns the row of the nearest collider. */
static int nearest_of(lua_State *L, const char *function)
{
	struct query query;
	struct query_hit found;
	double point[3] = {0};
	query_open(L, &query, function);
	int axes = query.object->dimension->axes;
	check_point(L, &query, point);
	query_begin(L, &query, 2 + axes, QUERY_TAKES(QUERY_MAX_DISTANCE));
	query_enter(L, &query);
	query_accept(&query);
	query.found = query_nearest(query.object->world, point, query.most, &query.filter, &found);
	query_leave(L, &query);
	if (!query.found)
		return push_nothing(L);
	struct hit hit = hit_keep(&query, &found);
	int count = push_collider(L, &query, hit.collider);
	push_numbers(L, axes, hit.point_normal);
	lua_pushnumber(L, hit.fraction);
	push_numbers(L, axes, hit.point_normal + axes);
	return count + 2 * axes + 1 + push_part(L, &hit);
}

static int nearest(lua_State *L)
{
	return nearest_of(L, "nearest");
}

static int closest_point(lua_State *L)
{
	return nearest_of(L, "closestPoint");
}

/* --- Overlaps ------------------------------------------------------------------------------------------------------------- */

static bool visit_overlap(void *context, uint32_t collider)
{
	return hit_add(context, &(struct query_hit){.collider = collider});
}

/* Reads the options of a query that returns a list of colliders, and begins it. */
static void overlap_begin(lua_State *L, struct query *query, int options)
{
	check_into(L, options + 1, query->function);
	query_begin(L, query, options, QUERY_TAKES(QUERY_LIMIT));
	query_enter(L, query);
}

static int overlap_end(lua_State *L, struct query *query)
{
	hits_merge(query);
	query_leave(L, query);
	return push_list(L, query, false);
}

static int overlap_box(lua_State *L)
{
	struct query query;
	struct box_d box;
	double a[3] = {0}, b[3] = {0};
	query_open(L, &query, "overlapBox");
	check_points(L, &query, a, b);
	for (int i = 0; i < 3; ++i) {
		box.lower[i] = min_d(a[i], b[i]);
		box.upper[i] = max_d(a[i], b[i]);
	}
	overlap_begin(L, &query, 2 + 2 * query.object->dimension->axes);
	query_overlap_box(query.object->world, &box, &query.filter, visit_overlap, &query);
	return overlap_end(L, &query);
}

static int overlap_shape(lua_State *L)
{
	struct query query;
	struct posed_shape shape;
	query_open(L, &query, "overlapShape");
	query.object->dimension->check_posed_shape(L, 2, "overlapShape", &shape);
	overlap_begin(L, &query, 4);
	query_overlap(query.object->world, shape.shape, &shape.pose, &query.filter, visit_overlap, &query);
	return overlap_end(L, &query);
}

static int overlap_point(lua_State *L)
{
	struct query query;
	double point[3] = {0};
	query_open(L, &query, "overlapPoint");
	check_point(L, &query, point);
	overlap_begin(L, &query, 2 + query.object->dimension->axes);
	query_overlap_point(query.object->world, point, &query.filter, visit_overlap, &query);
	return overlap_end(L, &query);
}

static bool overlap_found(void *context, uint32_t collider)
{
	struct query *query = context;
	(void)collider;
	query->found = true;
	return false;
}

/* Of one collider: returns whether it overlaps. */
static int overlaps_shape(lua_State *L)
{
	struct query query;
	struct posed_shape shape;
	query_open(L, &query, "overlapShape");
	query.object->dimension->check_posed_shape(L, 2, "overlapShape", &shape);
	query_overlap(query.object->world, shape.shape, &shape.pose, &query.filter, overlap_found, &query);
	lua_pushboolean(L, query.found);
	return 1;
}

const struct method cast_methods[] = {
	{"raycast", cast_ray, CAST_CLOSEST},
	{"raycastAll", cast_ray, CAST_ALL},
	{"raycastAny", cast_ray, CAST_ANY},
	{"shapecast", cast_shape, CAST_CLOSEST},
	{"shapecastAll", cast_shape, CAST_ALL},
	{"shapecastAny", cast_shape, CAST_ANY},
	{NULL, NULL, 0},
};

/* Those of bodies and colliders. */
const struct method own_cast_methods[] = {
	{"raycast", cast_ray, CAST_CLOSEST},
	{"shapecast", cast_shape, CAST_CLOSEST},
	{NULL, NULL, 0},
};

const luaL_Reg query_methods[] = {
	{"raycasts", raycasts},
	{"nearest", nearest},
	{"overlapBox", overlap_box},
	{"overlapShape", overlap_shape},
	{"overlapPoint", overlap_point},
	{NULL, NULL},
};

const luaL_Reg body_query_methods[] = {
	{"overlapShape", overlap_shape},
	{"closestPoint", closest_point},
	{NULL, NULL},
};

const luaL_Reg collider_query_methods[] = {
	{"overlapShape", overlaps_shape},
	{"closestPoint", closest_point},
	{NULL, NULL},
};
