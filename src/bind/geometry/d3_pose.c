/* d3_pose.c - a 3D transform as an immutable value. */
#include "bind/lua/args.h"

const struct class class_d3_pose = {"pose", SHARED_D3_POSE, 0, 0, NULL};

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
	return (struct d3_quat){
		(float)(numbers[0] / length), (float)(numbers[1] / length), (float)(numbers[2] / length), (float)(numbers[3] / length)};
}

static int pose_push(lua_State *L, struct d3_pose pose)
{
	struct d3_pose_object *object = userdata_create(L, sizeof *object);
	*object = (struct d3_pose_object){&class_d3_pose, pose};
	shared_push(L, SHARED_D3_POSE);
	lua_setmetatable(L, -2);
	return 1;
}

int make_d3_pose(lua_State *L)
{
	static const char *const names[] = {"qx", "qy", "qz", "qw"};
	double x = arg_number(L, 1, "pose", "x", &range_position), y = arg_number(L, 2, "pose", "y", &range_position);
	double z = arg_number(L, 3, "pose", "z", &range_position), numbers[4] = {0, 0, 0, 1};
	bool turned = !(lua_isnoneornil(L, 4) && lua_isnoneornil(L, 5) && lua_isnoneornil(L, 6) && lua_isnoneornil(L, 7));
	for (int i = 0; i < 4 && turned; ++i)
		numbers[i] = arg_number(L, 4 + i, "pose", names[i], &range_any);
	struct d3_quat q = quaternion_from(L, "pose", numbers);
	return pose_push(L, (struct d3_pose){x, y, z, q});
}

struct d3_pose value_d3_pose(lua_State *L, int index, const struct path *path)
{
	if (lua_isnoneornil(L, index))
		return (struct d3_pose){0, 0, 0, {0, 0, 0, 1}};
	const struct d3_pose_object *object = object_test(L, index, &class_d3_pose, sizeof *object);
	if (object == NULL)
		raise_value(L, index, path, class_test(L, index, &class_pose) ? "be a 3D pose or nil" : "be a pose or nil");
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
		raise(L, "%s: expected a 3D pose, got %s; methods are called with ':'", function, value_text(L, 1, text));
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

/* Slerp along the shorter arc. Source: Shoemake, "Animating Rotation with Quaternion Curves", 1985. */
static struct d3_quat quaternion_between(struct d3_quat from, struct d3_quat to, double t)
{
	struct d3_quat_d a = d3_exact_quat(from), b = d3_exact_quat(to);
	struct d3_quat_d turn = d3_mul_quat_d((struct d3_quat_d){-a.x, -a.y, -a.z, a.w}, b);
	double sign = turn.w < 0 ? -1 : 1, sine = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
	if (!(sine > 0))
		return from;
	struct cos_sin_d part = scalar_cos_sin_d(t * scalar_atan2_d(sine, sign * turn.w));
	double share = sign * part.sine / sine;
	struct d3_quat_d q = d3_mul_quat_d(a, (struct d3_quat_d){share * turn.x, share * turn.y, share * turn.z, part.cosine});
	return (struct d3_quat){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
}

static int interpolate(lua_State *L)
{
	static const struct range range_share = {0, 1, NULL};
	struct d3_pose from = *check_self(L, "interpolate");
	if (lua_isnoneornil(L, 2))
		raise_value(L, 2, PATH("interpolate", "to"), "be a pose");
	struct d3_pose to = check_d3_pose(L, 2, "interpolate", "to");
	double t = arg_number(L, 3, "interpolate", "t", &range_share);
	struct d3_pose at = {from.x + t * (to.x - from.x), from.y + t * (to.y - from.y), from.z + t * (to.z - from.z),
		quaternion_between(from.q, to.q, t)};
	return pose_push(L, t == 1 ? to : t == 0 ? from : at);
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
