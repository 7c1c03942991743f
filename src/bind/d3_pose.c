/* d3_pose.c - where something stands in space, as an immutable value. Floor: bind. */
#include "bind/args.h"

const struct class class_d3_pose = { "pose" };

struct d3_quat quaternion_from(lua_State *L, const char *function, const double numbers[4])
{
	double most = 0, length = 0;
	for (int i = 0; i < 4; ++i)
		most = max_d(most, abs_d(numbers[i]));
	if (!(most > 1e-300))
		raise(L, "%s: the quaternion qx, qy, qz, qw must not be zero", function);
	for (int i = 0; i < 4; ++i)
		length += numbers[i] / most * (numbers[i] / most);
	length = sqrt(length) * most;
	return (struct d3_quat){ (float)(numbers[0] / length), (float)(numbers[1] / length), (float)(numbers[2] / length),
		(float)(numbers[3] / length) };
}

int make_d3_pose(lua_State *L)
{
	static const char *const names[] = { "qx", "qy", "qz", "qw" };
	double x = arg_number(L, 1, "pose", "x", &range_position), y = arg_number(L, 2, "pose", "y", &range_position);
	double z = arg_number(L, 3, "pose", "z", &range_position), numbers[4] = { 0, 0, 0, 1 };
	bool turned = !(lua_isnoneornil(L, 4) && lua_isnoneornil(L, 5) && lua_isnoneornil(L, 6) && lua_isnoneornil(L, 7));
	for (int i = 0; i < 4 && turned; ++i)
		numbers[i] = arg_number(L, 4 + i, "pose", names[i], &range_any);
	struct d3_quat q = quaternion_from(L, "pose", numbers);
	struct d3_pose_object *object = userdata_create(L, sizeof *object);
	*object = (struct d3_pose_object){ &class_d3_pose, { x, y, z, q } };
	lua_rawgeti(L, UPVALUE_SHARED, SHARED_D3_POSE);
	lua_setmetatable(L, -2);
	return 1;
}

struct d3_pose value_d3_pose(lua_State *L, int index, const struct path *path)
{
	if (lua_isnoneornil(L, index))
		return (struct d3_pose){ 0, 0, 0, { 0, 0, 0, 1 } };
	const struct d3_pose_object *object = object_test(L, index, &class_d3_pose, sizeof *object);
	if (object == NULL)
		raise_value(L, index, path, class_test(L, index, &class_pose) ? "be a pose of space or nil" : "be a pose or nil");
	return object->pose;
}

struct d3_pose check_d3_pose(lua_State *L, int index, const char *function, const char *name)
{
	return value_d3_pose(L, index, PATH(function, name));
}

static const struct d3_pose *check_self(lua_State *L, const char *function)
{
	const struct d3_pose_object *object = object_test(L, 1, &class_d3_pose, sizeof *object);
	char text[VALUE_TEXT];
	if (object == NULL)
		raise(L, "%s: expected a pose of space, got %s; methods are called with ':'", function, value_text(L, 1, text));
	return &object->pose;
}

static int push_position(lua_State *L, const struct d3_pose *pose)
{
	lua_pushnumber(L, pose->x);
	lua_pushnumber(L, pose->y);
	lua_pushnumber(L, pose->z);
	return 3;
}

static int push_rotation(lua_State *L, const struct d3_pose *pose)
{
	lua_pushnumber(L, pose->q.x);
	lua_pushnumber(L, pose->q.y);
	lua_pushnumber(L, pose->q.z);
	lua_pushnumber(L, pose->q.w);
	return 4;
}

static int get_position(lua_State *L)
{
	return push_position(L, check_self(L, "getPosition"));
}

static int get_rotation(lua_State *L)
{
	return push_rotation(L, check_self(L, "getRotation"));
}

static int get_transform(lua_State *L)
{
	const struct d3_pose *pose = check_self(L, "getTransform");
	return push_position(L, pose) + push_rotation(L, pose);
}

static int pose_tostring(lua_State *L)
{
	const struct d3_pose *pose = check_self(L, "tostring");
	const struct d3_quat q = pose->q;
	lua_pushfstring(L, "pose (%f, %f, %f, %f, %f, %f, %f)", pose->x, pose->y, pose->z, (lua_Number)q.x, (lua_Number)q.y, (lua_Number)q.z,
		(lua_Number)q.w);
	return 1;
}

const luaL_Reg d3_pose_methods[] = {
	{ "getPosition", get_position },
	{ "getRotation", get_rotation },
	{ "getTransform", get_transform },
	{ NULL, NULL },
};

const luaL_Reg d3_pose_metamethods[] = {
	{ "__tostring", pose_tostring },
	{ NULL, NULL },
};
