/* d3_pose.c - a 3D transform as an immutable value. */
#define AXES 3
#include "bind/geometry/wing.h"

const struct class class_d3_pose = {"pose", SHARED_D3_POSE, false, 0, NULL};

static const struct d3_pose identity = {0, 0, 0, {0, 0, 0, 1}};

bool quaternion_read(const double numbers[4], struct d3_quat *q)
{
	double most = 0, length = 0;
	for (int i = 0; i < 4; ++i)
		most = max_d(most, abs_d(numbers[i]));
	if (!(most > 1e-300))
		return false;
	for (int i = 0; i < 4; ++i)
		length += numbers[i] / most * (numbers[i] / most);
	length = sqrt(length) * most;
	*q = (struct d3_quat){
		(float)(numbers[0] / length), (float)(numbers[1] / length), (float)(numbers[2] / length), (float)(numbers[3] / length)};
	return true;
}

struct d3_quat quaternion_from(lua_State *L, const char *function, const double numbers[4])
{
	struct d3_quat q;
	if (!quaternion_read(numbers, &q))
		raise_error(L, "%s: the quaternion qx, qy, qz, qw must not be zero", function);
	return q;
}

enum { number_count = 7 };
static const char list_must[] = "be a list {x, y, z} or {x, y, z, qx, qy, qz, qw}";

static struct d3_pose pose_from(lua_State *L, const char *function, const double *numbers, bool turned)
{
	return (struct d3_pose){
		numbers[0], numbers[1], numbers[2], turned ? quaternion_from(L, function, numbers + 3) : identity.q};
}

#include "bind/geometry/pose_wing.h"

int d3_make_pose(lua_State *L)
{
	static const char *const names[] = {"x", "y", "z", "qx", "qy", "qz", "qw"};
	double numbers[7];
	bool turned = !(lua_isnoneornil(L, 4) && lua_isnoneornil(L, 5) && lua_isnoneornil(L, 6) && lua_isnoneornil(L, 7));
	for (int i = 0; i < (turned ? 7 : 3); ++i)
		numbers[i] = arg_number(L, 1 + i, "pose", names[i], i < 3 ? &range_position : &range_any);
	return d3_push_pose(L, pose_from(L, "pose", numbers, turned));
}

static int push_rotation(lua_State *L, const struct d3_pose *pose)
{
	return push_numbers(L, 4, (double[4]){pose->q.x, pose->q.y, pose->q.z, pose->q.w});
}

static int get_rotation(lua_State *L)
{
	return push_rotation(L, check_self(L, "getRotation"));
}

static int get_transform(lua_State *L)
{
	const struct d3_pose *pose = check_self(L, "getTransform");
	push_numbers(L, 3, &pose->x);
	return 3 + push_rotation(L, pose);
}

static int pose_tostring(lua_State *L)
{
	const struct d3_pose *pose = check_self(L, "tostring");
	const struct d3_quat q = pose->q;
	lua_pushfstring(L, "pose (%f, %f, %f, %f, %f, %f, %f)", pose->x, pose->y, pose->z, (lua_Number)q.x, (lua_Number)q.y,
		(lua_Number)q.z, (lua_Number)q.w);
	return 1;
}

const luaL_Reg d3_pose_methods[] = {
	{"getPosition", get_position},
	{"getRotation", get_rotation},
	{"getTransform", get_transform},
	{"interpolate", interpolate},
	{NULL, NULL},
};

const luaL_Reg d3_pose_metamethods[] = {
	{"__tostring", pose_tostring},
	{NULL, NULL},
};
