/* planes.c - the parts of a mover for scripts that build their own: world:contactPlanes and solvePlanes, for 2D and 3D. */
#include "bind/world/query.h"
#include "core/obstacle.h"
#include "core/planes.h"
#include "spatial/axes.h"

/* --- Planes of a world ---------------------------------------------------------------------------------------------------- */

static bool admits(void *context, uint32_t collider)
{
	const struct query *query = context;
	return query_admits(query->object->world, &query->filter, collider);
}

/* Adds the obstacles that the search has kept to the world's buffer. */
static void planes_add(struct query *query, const struct obstacle_search *search)
{
	const struct controllers *controllers = &query->object->world->controllers;
	for (uint32_t i = 0; i < controllers->obstacles.count; ++i) {
		const struct obstacle *obstacle = &controllers->obstacles.data[i];
		struct query_hit hit = {.collider = obstacle->collider, .child = obstacle->child, .fraction = obstacle->distance};
		struct vec3 point = vec3_add(search->origin, obstacle->point);
		for (int k = 0; k < 3; ++k) {
			hit.p[k] = (&point.x)[k];
			hit.normal[k] = (float)(&obstacle->normal.x)[k];
		}
		if (!hit_add(query, &hit))
			return;
	}
}

int world_contact_planes(lua_State *L)
{
	struct query query;
	struct posed_shape posed;
	query_open(L, &query, "contactPlanes");
	const struct dimension *dimension = query.object->dimension;
	struct world *world = query.object->world;
	dimension->check_posed_shape(L, 2, "contactPlanes", &posed);
	if (!world->wing->obstacles->is_convex(posed.shape))
		raise_value(L, 2, PATH("contactPlanes", "shape"), "be convex and have an end");
	check_into(L, 5, "contactPlanes");
	query_begin(L, &query, 4, QUERY_TAKES(QUERY_LIMIT) | QUERY_TAKES(QUERY_MAX_DISTANCE));
	double most = query.most < (double)INFINITY ? query.most : (double)speculative_margin(world);
	struct obstacle_search search = {
		.world = world, .collider = NONE, .shape = posed.shape, .margin = most, .admits = admits, .context = &query};
	memcpy(&search.pose, &posed.pose, sizeof posed.pose);
	query_enter(L, &query);
	query_accept(&query);
	obstacles_begin(&search);
	if (obstacles_find(&search)) {
		obstacles_touched(&search, most);
		planes_add(&query, &search);
	} else {
		query.out_of_memory = true;
	}
	query_leave(L, &query);
	return push_planes(L, &query);
}

/* --- The nearest displacement --------------------------------------------------------------------------------------------- */

static const struct range range_separation = {-1e15, 1e15, NULL};

/* Reads the plane on top of the stack. */
static struct half_space plane_read(lua_State *L, int axes, struct path path)
{
	static const char *const names[] = {"nx", "ny", "nz"};
	double normal[3] = {0}, unit[3] = {0};
	int plane = lua_gettop(L);
	struct path whole = path;
	if (lua_type(L, plane) != LUA_TTABLE)
		raise_value(L, plane, &whole, "be a table");
	path = (struct path){path.function, "planes", path.element, NULL, 0};
	for (int i = 0; i <= axes; ++i) {
		path.name = i < axes ? names[i] : "distance";
		lua_pushstring(L, path.name);
		lua_rawget(L, plane);
		if (i < axes)
			normal[i] = value_number(L, -1, &path, &range_any);
	}
	double distance = value_number(L, -1, &path, &range_separation);
	if (!axes_normalize(axes, normal, unit))
		raise_error(L, "%s: planes[%d]: the normal must not be zero", path.function, path.entry);
	lua_settop(L, plane - 1);
	return (struct half_space){vec3_of(unit), -distance};
}

static int solve_planes(lua_State *L, int axes)
{
	static const char *const names[] = {"dx", "dy", "dz"};
	struct half_space halves[MOST_PLANES];
	double delta[3] = {0};
	struct vec3 out = {0.0, 0.0, 0.0};
	arg_numbers(L, 1, "solvePlanes", names, axes, &range_position, delta);
	lua_settop(L, axes + 1);
	struct path path = {"solvePlanes", NULL, 0, "planes", 0};
	uint32_t count = value_list(L, axes + 1, &path);
	double most = vec3_length(vec3_of(delta));
	if (count > MOST_PLANES)
		raise_error(L, "solvePlanes: planes must have at most %d entries, got %d", MOST_PLANES, (int)count);
	luaL_checkstack(L, 8, "solvePlanes");
	for (uint32_t i = 0; i < count; ++i) {
		path.element = (int)i + 1;
		lua_rawgeti(L, axes + 1, path.element);
		halves[i] = plane_read(L, axes, path);
		most = max_d(most, abs_d(halves[i].offset));
	}
	bool solved = planes_nearest(halves, count, axes, vec3_of(delta), 1e-12 * most, &out);
	if (!solved)
		out = (struct vec3){0.0, 0.0, 0.0};
	push_numbers(L, axes, &out.x);
	lua_pushboolean(L, solved);
	return axes + 1;
}

static int d2_solve_planes(lua_State *L)
{
	return solve_planes(L, 2);
}

static int d3_solve_planes(lua_State *L)
{
	return solve_planes(L, 3);
}

const luaL_Reg d2_plane_functions[] = {
	{"solvePlanes", d2_solve_planes},
	{NULL, NULL},
};

const luaL_Reg d3_plane_functions[] = {
	{"solvePlanes", d3_solve_planes},
	{NULL, NULL},
};
