/* pose_wing.h - poses as immutable values: the part that is the same in 2D and 3D. d2_pose.c and d3_pose.c include it after
 * `identity`, `number_count`, `list_must` and `pose_from`. */
#pragma once
#include "bind/geometry/wing.h"

struct pose_object {
	const struct class *class;
	struct WING(pose) pose;
};

int WING(push_pose)(lua_State *L, struct WING(pose) pose)
{
	struct pose_object *object = object_create(L, sizeof *object, &CLASS(pose));
	object->pose = pose;
	return 1;
}

/* A list of the arguments of `pose`, with or without the rotation: scripts can fill one anew for each call, without garbage. */
static struct WING(pose) list_pose(lua_State *L, int index, const struct path *path)
{
	double numbers[number_count];
	size_t length = lua_rawlen(L, index);
	if (length != AXES && length != number_count)
		raise_value(L, index, path, list_must);
	value_vector(L, index, *path, &range_position, (int)length, numbers);
	return pose_from(L, path->function, numbers, length == number_count);
}

struct WING(pose) WING(value_pose)(lua_State *L, int index, const struct path *path)
{
	if (lua_isnoneornil(L, index))
		return identity;
	const struct pose_object *object = object_test(L, index, &CLASS(pose), sizeof *object);
	if (object == NULL && lua_type(L, index) == LUA_TTABLE)
		return list_pose(L, index, path);
	if (object == NULL)
		raise_value(
			L, index, path, class_test(L, index, &OTHER_CLASS(pose)) ? "be a " DIMENSION " pose or nil" : "be a pose or nil");
	return object->pose;
}

struct WING(pose) WING(check_pose)(lua_State *L, int index, const char *function, const char *name)
{
	return WING(value_pose)(L, index, PATH(function, name));
}

static const struct WING(pose) * check_self(lua_State *L, const char *function)
{
	const struct pose_object *object = object_test(L, 1, &CLASS(pose), sizeof *object);
	if (object == NULL)
		raise_self(L, function, A_SELF "pose");
	return &object->pose;
}

static int get_position(lua_State *L)
{
	return push_numbers(L, AXES, &check_self(L, "getPosition")->x);
}

static int interpolate(lua_State *L)
{
	static const struct range range_share = {0, 1, NULL};
	struct WING(pose) from = *check_self(L, "interpolate");
	if (lua_isnoneornil(L, 2))
		raise_value(L, 2, PATH("interpolate", "to"), "be a pose");
	struct WING(pose) to = WING(check_pose)(L, 2, "interpolate", "to");
	double t = arg_number(L, 3, "interpolate", "t", &range_share);
	struct WING(pose) at = {.q = WING(rotation_between)(from.q, to.q, t)};
	for (int i = 0; i < AXES; ++i)
		(&at.x)[i] = (&from.x)[i] + t * ((&to.x)[i] - (&from.x)[i]);
	return WING(push_pose)(L, t == 1 ? to : t == 0 ? from : at);
}
