/* d2_pose.c - a 2D transform as an immutable value. */
#define AXES 2
#include "bind/geometry/wing.h"

const struct class class_pose = {"pose", SHARED_POSE, false, 0, NULL};

static const struct d2_pose identity = {0, 0, {1, 0}};

struct d2_rot rotation_from(double angle)
{
	struct cos_sin cs = scalar_cos_sin(angle);
	return (struct d2_rot){cs.cosine, cs.sine};
}

enum { number_count = 3 };
static const char list_must[] = "be a list {x, y} or {x, y, angle}";

static struct d2_pose pose_from(lua_State *L, const char *function, const double *numbers, bool turned)
{
	(void)L;
	(void)function;
	return (struct d2_pose){numbers[0], numbers[1], turned ? rotation_from(numbers[2]) : identity.q};
}

#include "bind/geometry/pose_wing.h"

int d2_make_pose(lua_State *L)
{
	double x = arg_number(L, 1, "pose", "x", &range_position), y = arg_number(L, 2, "pose", "y", &range_position);
	double angle = lua_isnoneornil(L, 3) ? 0 : arg_number(L, 3, "pose", "angle", &range_angle);
	return d2_push_pose(L, (struct d2_pose){x, y, rotation_from(angle)});
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
	push_numbers(L, 2, &pose->x);
	lua_pushnumber(L, scalar_atan2(pose->q.s, pose->q.c));
	return 3;
}

static int pose_tostring(lua_State *L)
{
	const struct d2_pose *pose = check_self(L, "tostring");
	lua_pushfstring(L, "pose (%f, %f, %f)", pose->x, pose->y, (lua_Number)scalar_atan2(pose->q.s, pose->q.c));
	return 1;
}

const luaL_Reg d2_pose_methods[] = {
	{"getPosition", get_position},
	{"getAngle", get_angle},
	{"getTransform", get_transform},
	{"interpolate", interpolate},
	{NULL, NULL},
};

const luaL_Reg d2_pose_metamethods[] = {
	{"__tostring", pose_tostring},
	{NULL, NULL},
};
