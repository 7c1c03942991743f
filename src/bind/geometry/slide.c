/* slide.c - collide and slide for a shape among shapes: axes_slide_move over the wings' shape casts.
 * Obstacles whose bounds are out of the motion's reach are left out. The others are kept in a list on the C stack, or in a
 * userdata if there are more than FEW.
 * No Lua function that allocates runs during the slide, so no shape of the list can be collected. */
#include "spatial/axes.h"
#include "bind/lua/args.h"
#include "d2/query/distance.h"
#include "d3/query/shape_cast.h"

#include <assert.h>
#include <string.h>

enum { FEW = 64 };

struct place {
	const void *shape; /* the wing's shape */
	union {
		struct d2_pose d2;
		struct d3_pose d3;
	} pose;
	double bounds[2][AXES_MAX]; /* AABB in the world; of the mover: relative to its position */
};

/* Differences between the wings. */
struct slide_wing {
	int axes;
	/* reads shape and pose at index, index + 1 */
	void (*read)(lua_State *L, int index, const struct path *shape, const struct path *pose, struct place *out);
	bool (*is_convex)(const struct place *place); /* the mover must be convex and bounded */
	bool (*is_bounded)(const struct place *place);
	/* Casts the mover from `at`. Returns whether it hits, and at which fraction and normal. */
	bool (*cast)(const struct place *mover, const double *at, const double *motion, const struct place *obstacle,
		double *fraction, double *normal);
	double (*measure)(const struct place *mover, const double *at, const struct place *obstacle, double *normal);
	double *(*position)(struct place *place);
};

/* --- 2D ------------------------------------------------------------------------------------------------------------------- */

static struct d2_pose pose_at(const struct place *mover, const double *at)
{
	return (struct d2_pose){at[0], at[1], mover->pose.d2.q};
}

static void plane_read(lua_State *L, int index, const struct path *shape, const struct path *pose, struct place *out)
{
	const struct d2_shape *own = d2_value_shape(L, index, shape);
	out->shape = own;
	out->pose.d2 = d2_value_pose(L, index + 1, pose);
	double bounds[4];
	d2_bounds(own, &out->pose.d2, bounds);
	memcpy(out->bounds[0], bounds, 2 * sizeof *bounds);
	memcpy(out->bounds[1], bounds + 2, 2 * sizeof *bounds);
}

static bool plane_is_convex(const struct place *place)
{
	return ((const struct d2_shape *)place->shape)->type != D2_CHAIN;
}

static bool plane_is_bounded(const struct place *place)
{
	return ((const struct d2_shape *)place->shape)->type != D2_HALF_PLANE;
}

static bool plane_cast(const struct place *mover, const double *at, const double *motion, const struct place *obstacle,
	double *fraction, double *normal)
{
	struct d2_pose pose = pose_at(mover, at);
	struct d2_cast_result result;
	d2_cast(mover->shape, &pose, (struct d2_vec_d){motion[0], motion[1]}, obstacle->shape, &obstacle->pose.d2, D2_CAST_EXACT,
		&result);
	*fraction = result.t;
	memcpy(normal, &result.normal, sizeof result.normal);
	return result.hit;
}

static double plane_measure(const struct place *mover, const double *at, const struct place *obstacle, double *normal)
{
	struct d2_pose pose = pose_at(mover, at);
	struct d2_distance result;
	d2_distance(mover->shape, &pose, obstacle->shape, &obstacle->pose.d2, &result);
	memcpy(normal, &result.normal, sizeof result.normal);
	return result.distance;
}

static double *plane_position(struct place *place)
{
	return &place->pose.d2.x;
}

static const struct slide_wing plane = {
	2, plane_read, plane_is_convex, plane_is_bounded, plane_cast, plane_measure, plane_position};

/* --- 3D ------------------------------------------------------------------------------------------------------------------- */

static struct d3_pose space_pose_at(const struct place *mover, const double *at)
{
	return (struct d3_pose){at[0], at[1], at[2], mover->pose.d3.q};
}

static void space_read(lua_State *L, int index, const struct path *shape, const struct path *pose, struct place *out)
{
	const struct d3_shape *own = d3_value_shape(L, index, shape);
	out->shape = own;
	out->pose.d3 = d3_value_pose(L, index + 1, pose);
	double bounds[6];
	d3_bounds(own, &out->pose.d3, bounds);
	memcpy(out->bounds[0], bounds, sizeof out->bounds[0]);
	memcpy(out->bounds[1], bounds + 3, sizeof out->bounds[1]);
}

static bool space_is_convex(const struct place *place)
{
	return d3_shape_convex(place->shape);
}

static bool space_is_bounded(const struct place *place)
{
	return ((const struct d3_shape *)place->shape)->type != D3_HALF_SPACE;
}

static bool space_cast(const struct place *mover, const double *at, const double *motion, const struct place *obstacle,
	double *fraction, double *normal)
{
	struct d3_pose pose = space_pose_at(mover, at);
	struct d3_cast_result result;
	struct d3_vec_d delta = {motion[0], motion[1], motion[2]};
	d3_cast(mover->shape, &pose, delta, obstacle->shape, &obstacle->pose.d3, D3_CAST_ENTRY, &result);
	*fraction = result.t;
	memcpy(normal, &result.normal, sizeof result.normal);
	return result.hit;
}

static double space_measure(const struct place *mover, const double *at, const struct place *obstacle, double *normal)
{
	struct d3_pose pose = space_pose_at(mover, at);
	struct d3_distance result;
	d3_distance(mover->shape, &pose, obstacle->shape, &obstacle->pose.d3, &result);
	memcpy(normal, &result.normal, sizeof result.normal);
	return result.distance;
}

static double *space_position(struct place *place)
{
	return &place->pose.d3.x;
}

static const struct slide_wing space = {
	3, space_read, space_is_convex, space_is_bounded, space_cast, space_measure, space_position};

/* --- Both ----------------------------------------------------------------------------------------------------------------- */

struct slide_scene {
	const struct slide_wing *wing;
	struct place mover;
	struct place few[FEW], *obstacles;
	uint32_t count;
	double skin;
};

/* Whether the mover, swept from `at` along `motion` and widened by `margin`, may overlap the obstacle. */
static bool is_near(
	const struct slide_scene *scene, const double *at, const double *motion, double margin, const struct place *obstacle)
{
	int axes = scene->wing->axes;
	assert(axes <= AXES_MAX);
	for (int i = 0; i < axes; ++i) {
		double low = at[i] + scene->mover.bounds[0][i] + min_d(motion[i], 0) - margin;
		double high = at[i] + scene->mover.bounds[1][i] + max_d(motion[i], 0) + margin;
		if (low > obstacle->bounds[1][i] || high < obstacle->bounds[0][i])
			return false;
	}
	return true;
}

/* The first hit. A convex obstacle that the motion leads away from is ignored. A concave one is not, as another part of it may
 * be ahead: the slide moves the mover off it, or ends. */
static int scene_cast(void *context, const double *from, const double *motion, double *fraction, double *normal)
{
	const struct slide_scene *scene = context;
	int axes = scene->wing->axes, hit = 0;
	for (uint32_t i = 0; i < scene->count; ++i) {
		const struct place *obstacle = &scene->obstacles[i];
		double at = 1, n[AXES_MAX] = {0};
		if (!is_near(scene, from, motion, 0, obstacle) || !scene->wing->cast(&scene->mover, from, motion, obstacle, &at, n))
			continue;
		bool leaves = axes_dot(axes, n, motion) <= 0;
		if ((leaves && scene->wing->is_convex(obstacle)) || (hit && at >= *fraction))
			continue;
		hit = 1;
		*fraction = at;
		memcpy(normal, n, (size_t)axes * sizeof *n);
	}
	return hit;
}

/* The least distance from the mover to the obstacles near it; INFINITY: none is within a skin. */
static double scene_distance(void *context, const double *at, double *normal)
{
	static const double still[AXES_MAX] = {0};
	const struct slide_scene *scene = context;
	double least = INFINITY;
	for (uint32_t i = 0; i < scene->count; ++i) {
		double n[AXES_MAX] = {0};
		if (!is_near(scene, at, still, scene->skin, &scene->obstacles[i]))
			continue;
		double distance = scene->wing->measure(&scene->mover, at, &scene->obstacles[i], n);
		if (distance < least) {
			least = distance;
			memcpy(normal, n, sizeof n);
		}
	}
	return least;
}

/* The keys are at the two stack indices after the list: pushing a string may collect garbage, and a finalizer could change the
 * list. */
static void read_obstacle(lua_State *L, const struct slide_wing *wing, int list, int entry, struct place *out)
{
	struct path whole = {"slideShape", "obstacles", entry, "", 0}, shape = whole, pose = whole;
	int top = lua_gettop(L);
	lua_rawgeti(L, list, entry);
	bool plain = lua_type(L, -1) != LUA_TTABLE;
	if (plain) {
		lua_pushnil(L);
	} else {
		shape.name = "shape";
		pose.name = "pose";
		lua_pushvalue(L, list + 1);
		lua_rawget(L, top + 1);
		lua_pushvalue(L, list + 2);
		lua_rawget(L, top + 1);
	}
	wing->read(L, plain ? top + 1 : top + 2, &shape, &pose, out);
	lua_settop(L, top);
}

/* Keeps up to `room` obstacles that the mover, displaced by at most `reach`, may overlap. Returns the number of all such
 * obstacles. Allocates nothing. */
static uint32_t gather_into(
	lua_State *L, struct slide_scene *scene, int list, uint32_t total, double reach, struct place *out, uint32_t room)
{
	static const double still[AXES_MAX] = {0};
	const double *at = scene->wing->position(&scene->mover);
	uint32_t count = 0;
	for (uint32_t i = 1; i <= total; ++i) {
		struct place place;
		read_obstacle(L, scene->wing, list, (int)i, &place);
		if (is_near(scene, at, still, reach, &place) && count++ < room)
			out[count - 1] = place;
	}
	return count;
}

/* Pushes a userdata if there are more than FEW. */
static void gather(lua_State *L, struct slide_scene *scene, int list, uint32_t total, double reach)
{
	scene->obstacles = scene->few;
	scene->count = gather_into(L, scene, list, total, reach, scene->few, FEW);
	if (scene->count <= FEW)
		return;
	struct place *many = userdata_create(L, total * sizeof *many);
	total = value_list(L, list, PATH("slideShape", "obstacles"));
	scene->obstacles = many;
	scene->count = gather_into(L, scene, list, total, reach, many, total);
}

static void read_mover(lua_State *L, struct slide_scene *scene)
{
	struct place *mover = &scene->mover;
	scene->wing->read(L, 1, PATH("slideShape", "shape"), PATH("slideShape", "pose"), mover);
	if (!scene->wing->is_convex(mover) || !scene->wing->is_bounded(mover))
		raise_value(L, 1, PATH("slideShape", "shape"), "be convex and have an end");
	for (int i = 0; i < scene->wing->axes; ++i) {
		mover->bounds[0][i] -= scene->wing->position(mover)[i];
		mover->bounds[1][i] -= scene->wing->position(mover)[i];
	}
}

static int slide_shape(lua_State *L, const struct slide_wing *wing)
{
	static const char *const names[] = {"dx", "dy", "dz"};
	int axes = wing->axes, list = 3 + axes;
	struct slide_scene scene;
	struct axes_slide result;
	double motion[AXES_MAX] = {0};
	scene.wing = wing;
	lua_settop(L, list + 1);
	luaL_checkstack(L, 16, "slideShape");
	read_mover(L, &scene);
	for (int i = 0; i < axes; ++i)
		motion[i] = arg_number(L, 3 + i, "slideShape", names[i], &range_position);
	uint32_t total = value_list(L, list, PATH("slideShape", "obstacles"));
	struct slide_options options = check_slide_options(L, list + 1, "slideShape");
	scene.skin = options.skin;
	lua_settop(L, list);
	lua_pushliteral(L, "shape");
	lua_pushliteral(L, "pose");
	memcpy(result.position, wing->position(&scene.mover), (size_t)axes * sizeof *result.position);
	gather(L, &scene, list, total, axes_length(axes, motion) + 16 * scene.skin);
	double normal[AXES_MAX] = {0};
	if (scene_distance(&scene, result.position, normal) < 0.5 * scene.skin) {
		gather(L, &scene, list, total, INFINITY);
		axes_slide_free(axes, result.position, scene.skin, scene_distance, &scene);
	}
	axes_slide_move(axes, &result, motion, scene.skin, options.iterations, scene_cast, &scene);
	for (int i = 0; i < axes; ++i)
		lua_pushnumber(L, result.position[i]);
	lua_pushinteger(L, (lua_Integer)result.iterations);
	lua_pushinteger(L, (lua_Integer)result.planes);
	return axes + 2;
}

static int slide_in_plane(lua_State *L)
{
	return slide_shape(L, &plane);
}

static int slide_in_space(lua_State *L)
{
	return slide_shape(L, &space);
}

const luaL_Reg d2_slide_functions[] = {{"slideShape", slide_in_plane}, {NULL, NULL}};
const luaL_Reg d3_slide_functions[] = {{"slideShape", slide_in_space}, {NULL, NULL}};
