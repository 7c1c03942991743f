/* d2_pose.c - a 2D transform as an immutable value. */
#include "bind/lua/args.h"

const struct class class_pose = {"pose", SHARED_POSE, 0, 0, NULL};

struct d2_rot rotation_from(double angle)
{
	struct cos_sin cs = scalar_cos_sin(angle);
	return (struct d2_rot){cs.cosine, cs.sine};
}

static int pose_push(lua_State *L, struct d2_pose pose)
{
	struct pose_object *object = userdata_create(L, sizeof *object);
	*object = (struct pose_object){&class_pose, pose};
	shared_push(L, SHARED_POSE);
	lua_setmetatable(L, -2);
	return 1;
}

int make_pose(lua_State *L)
{
	double x = arg_number(L, 1, "pose", "x", &range_position), y = arg_number(L, 2, "pose", "y", &range_position);
	double angle = lua_isnoneornil(L, 3) ? 0 : arg_number(L, 3, "pose", "angle", &range_angle);
	return pose_push(L, (struct d2_pose){x, y, rotation_from(angle)});
}

struct d2_pose value_pose(lua_State *L, int index, const struct path *path)
{
	if (lua_isnoneornil(L, index))
		return (struct d2_pose){0, 0, {1, 0}};
	const struct pose_object *object = object_test(L, index, &class_pose, sizeof *object);
	if (object == NULL)
		raise_value(L, index, path, class_test(L, index, &class_d3_pose) ? "be a 2D pose or nil" : "be a pose or nil");
	return object->pose;
}

struct d2_pose check_pose(lua_State *L, int index, const char *function, const char *name)
{
	return value_pose(L, index, PATH(function, name));
}

static const struct d2_pose *check_self(lua_State *L, const char *function)
{
	const struct pose_object *object = object_test(L, 1, &class_pose, sizeof *object);
	char text[VALUE_TEXT];
	if (object == NULL)
		raise(L, "%s: expected a pose, got %s; methods are called with ':'", function, value_text(L, 1, text));
	return &object->pose;
}

static int get_position(lua_State *L)
{
	const struct d2_pose *pose = check_self(L, "getPosition");
	lua_pushnumber(L, pose->x);
	lua_pushnumber(L, pose->y);
	return 2;
}

static int get_angle(lua_State *L)
{
	const struct d2_pose *pose = check_self(L, "getAngle");
	lua_pushnumber(L, scalar_atan2(pose->q.s, pose->q.c));
	return 1;
}

static int get_transform(lua_State *L)
{
	const struct d2_pose *pose = check_self(L, "getTransform");
	lua_pushnumber(L, pose->x);
	lua_pushnumber(L, pose->y);
	lua_pushnumber(L, scalar_atan2(pose->q.s, pose->q.c));
	return 3;
}

static int interpolate(lua_State *L)
{
	static const struct range range_share = {0, 1, NULL};
	struct d2_pose from = *check_self(L, "interpolate");
	if (lua_isnoneornil(L, 2))
		raise_value(L, 2, PATH("interpolate", "to"), "be a pose");
	struct d2_pose to = check_pose(L, 2, "interpolate", "to");
	double t = arg_number(L, 3, "interpolate", "t", &range_share);
	struct d2_rot turn = d2_inv_mul_rot(from.q, to.q);
	struct d2_pose at = {from.x + t * (to.x - from.x), from.y + t * (to.y - from.y),
		d2_normalize_rot(d2_mul_rot(from.q, d2_make_rot(t * scalar_atan2_d(turn.s, turn.c))))};
	return pose_push(L, t == 1 ? to : t == 0 ? from : at);
}

static int pose_tostring(lua_State *L)
{
	const struct d2_pose *pose = check_self(L, "tostring");
	lua_pushfstring(L, "pose (%f, %f, %f)", pose->x, pose->y, (lua_Number)scalar_atan2(pose->q.s, pose->q.c));
	return 1;
}

const luaL_Reg pose_methods[] = {
	{"getPosition", get_position},
	{"getAngle", get_angle},
	{"getTransform", get_transform},
	{"interpolate", interpolate},
	{NULL, NULL},
};

const luaL_Reg pose_metamethods[] = {
	{"__tostring", pose_tostring},
	{NULL, NULL},
};
