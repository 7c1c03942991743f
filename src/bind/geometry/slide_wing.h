/* slide_wing.h - collide and slide for a shape among shapes: axes_slide_move with shape casts. d2_toolbox.c and d3_toolbox.c
 * include it after toolbox_wing.h.
 * Obstacles whose AABBs are out of the motion's reach are ignored. The others are copied to a list on the C stack, or to a
 * userdata if there are more than FEW.
 * No Lua function that allocates runs during the slide, so no shape of the list can be collected. */
#pragma once
#include "bind/geometry/wing.h"

#include <string.h>

enum { FEW = 64 };

/* The mover or an obstacle. */
struct slide_body {
	const struct WING(shape) * shape;
	struct WING(pose) pose;
	double bounds[2 * AXES]; /* AABB in the world; of the mover: relative to its position */
};

struct slide_scene {
	struct slide_body mover, few[FEW], *obstacles;
	uint32_t count;
	double skin;
};

static const double still[AXES];

/* Whether the mover's AABB, swept from `at` along `motion` and widened by `margin`, overlaps the obstacle's. */
static bool is_near(
	const struct slide_scene *scene, const double *at, const double *motion, double margin, const struct slide_body *obstacle)
{
	for (int i = 0; i < AXES; ++i) {
		double low = at[i] + scene->mover.bounds[i] + min_d(motion[i], 0) - margin;
		double high = at[i] + scene->mover.bounds[AXES + i] + max_d(motion[i], 0) + margin;
		if (low > obstacle->bounds[AXES + i] || high < obstacle->bounds[i])
			return false;
	}
	return true;
}

static struct WING(pose) mover_pose(const struct slide_scene *scene, const double *at)
{
	struct WING(pose) pose = scene->mover.pose;
	memcpy(&pose.x, at, AXES * sizeof *at);
	return pose;
}

/* The scene's axes_slide_cast: finds the first hit. A convex obstacle that the motion leads away from is ignored. A concave one
 * is not, as the motion may lead into another part of it: the slide moves the mover off it, or ends. */
static int scene_cast(void *context, const double *from, const double *motion, double *fraction, double *normal)
{
	const struct slide_scene *scene = context;
	struct WING(pose) pose = mover_pose(scene, from);
	struct WING(vec_d) delta;
	memcpy(&delta, motion, sizeof delta);
	int hit = 0;
	for (uint32_t i = 0; i < scene->count; ++i) {
		const struct slide_body *obstacle = &scene->obstacles[i];
		struct WING(cast_result) result;
		if (!is_near(scene, from, motion, 0, obstacle))
			continue;
		WING(cast)(scene->mover.shape, &pose, delta, obstacle->shape, &obstacle->pose, SLIDE_CAST, &result);
		if (!result.hit || (hit && result.t >= *fraction) ||
			(is_convex(obstacle->shape) && axes_dot(AXES, &result.normal.x, motion) <= 0))
			continue;
		hit = 1;
		*fraction = result.t;
		memcpy(normal, &result.normal, sizeof result.normal);
	}
	return hit;
}

/* The scene's axes_slide_distance: the least distance from the mover to the obstacles whose AABBs are within a skin of its own;
 * INFINITY if there is none. */
static double scene_distance(void *context, const double *at, double *normal)
{
	const struct slide_scene *scene = context;
	struct WING(pose) pose = mover_pose(scene, at);
	double least = INFINITY;
	for (uint32_t i = 0; i < scene->count; ++i) {
		const struct slide_body *obstacle = &scene->obstacles[i];
		struct WING(distance) result;
		if (!is_near(scene, at, still, scene->skin, obstacle))
			continue;
		WING(distance)(scene->mover.shape, &pose, obstacle->shape, &obstacle->pose, &result);
		if (result.distance < least) {
			least = result.distance;
			memcpy(normal, &result.normal, sizeof result.normal);
		}
	}
	return least;
}

/* Reads the shape at stack index `index`, and its pose after it. */
static void read_body(lua_State *L, int index, const struct path *shape, const struct path *pose, struct slide_body *out)
{
	out->shape = WING(value_shape)(L, index, shape);
	out->pose = WING(value_pose)(L, index + 1, pose);
	WING(bounds)(out->shape, &out->pose, out->bounds);
}

/* Reads an entry of the list: a shape, or { shape =, pose = }. These two keys are at the stack indices after the list: pushing
 * a string may collect garbage, and a finalizer could change the list. */
static void read_obstacle(lua_State *L, int list, int entry, struct slide_body *out)
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
	read_body(L, plain ? top + 1 : top + 2, &shape, &pose, out);
	lua_settop(L, top);
}

/* Copies up to `room` obstacles whose AABBs are within `reach` of the mover's. Returns the number of all such obstacles.
 * Allocates nothing. */
static uint32_t gather_into(
	lua_State *L, struct slide_scene *scene, int list, uint32_t total, double reach, struct slide_body *out, uint32_t room)
{
	uint32_t count = 0;
	for (uint32_t i = 1; i <= total; ++i) {
		struct slide_body obstacle;
		read_obstacle(L, list, (int)i, &obstacle);
		if (is_near(scene, &scene->mover.pose.x, still, reach, &obstacle) && count++ < room)
			out[count - 1] = obstacle;
	}
	return count;
}

/* Sets the scene's obstacles by gather_into. Pushes a userdata for them if there are more than FEW. */
static void gather(lua_State *L, struct slide_scene *scene, int list, uint32_t total, double reach)
{
	scene->obstacles = scene->few;
	scene->count = gather_into(L, scene, list, total, reach, scene->few, FEW);
	if (scene->count <= FEW)
		return;
	uint32_t room = total; /* a finalizer that runs here may change the list */
	struct slide_body *many = userdata_create(L, room * sizeof *many);
	total = value_list(L, list, PATH("slideShape", "obstacles"));
	scene->obstacles = many;
	uint32_t found = gather_into(L, scene, list, total, reach, many, room);
	scene->count = found < room ? found : room;
}

static void read_mover(lua_State *L, struct slide_body *mover)
{
	read_body(L, 1, PATH("slideShape", "shape"), PATH("slideShape", "pose"), mover);
	if (!is_convex(mover->shape) || mover->shape->type == HALF_TYPE)
		raise_value(L, 1, PATH("slideShape", "shape"), "be convex and have an end");
	for (int i = 0; i < AXES; ++i) {
		mover->bounds[i] -= (&mover->pose.x)[i];
		mover->bounds[AXES + i] -= (&mover->pose.x)[i];
	}
}

static int slide_shape(lua_State *L)
{
	enum { LIST = 3 + AXES };
	struct slide_scene scene;
	struct axes_slide result;
	double motion[AXES_MAX] = {0}, normal[AXES_MAX] = {0};
	lua_settop(L, LIST + 1);
	luaL_checkstack(L, 16, "slideShape");
	read_mover(L, &scene.mover);
	arg_numbers(L, 3, "slideShape", delta_names, AXES, &range_position, motion);
	uint32_t total = value_list(L, LIST, PATH("slideShape", "obstacles"));
	struct slide_options options = check_slide_options(L, LIST + 1, "slideShape");
	scene.skin = options.skin;
	lua_settop(L, LIST);
	lua_pushliteral(L, "shape");
	lua_pushliteral(L, "pose");
	memcpy(result.position, &scene.mover.pose.x, AXES * sizeof *result.position);
	gather(L, &scene, LIST, total, axes_length(AXES, motion) + 16 * scene.skin);
	if (scene_distance(&scene, result.position, normal) < 0.5 * scene.skin) {
		gather(L, &scene, LIST, total, INFINITY);
		axes_slide_free(AXES, result.position, scene.skin, scene_distance, &scene);
	}
	axes_slide_move(AXES, &result, motion, scene.skin, options.iterations, scene_cast, &scene);
	return push_slide(L, AXES, &result);
}
