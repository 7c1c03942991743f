/* shape_wing.h - shapes as immutable values: the part that is the same in 2D and 3D. d2_shape.c and d3_shape.c include it after
 * they have defined the differences: type_names; d?_too_near, unless it is declared; check_scaled and check_copy; the function
 * that creates a half-plane or half-space, its name in Lua, and the names of its normal. */
#pragma once
#include "bind/geometry/wing.h"

struct shape_object {
	const struct class *class;
	struct WING(shape) * shape; /* holds one reference */
};

/* --- Creation ------------------------------------------------------------------------------------------------------------- */

struct memory *WING(push_shape)(lua_State *L)
{
	struct shared *shared = shared_state(L);
	shared_collect(L, shared);
	object_create(L, sizeof(struct shape_object), &CLASS(shape));
	return &shared->memory;
}

int WING(give_shape)(lua_State *L, struct WING(shape) * shape, const char *function)
{
	if (shape == NULL)
		raise_memory(L, function);
	((struct shape_object *)lua_touserdata(L, -1))->shape = shape;
	return 1;
}

static struct WING(vec) arg_vector(lua_State *L, int index, const char *function, const char *const *names)
{
	struct WING(vec) v;
	for (int i = 0; i < AXES; ++i)
		(&v.x)[i] = arg_float(L, index + i, function, names[i], &range_local);
	return v;
}

/* Reads the arguments of circle and sphere: radius, and the center, by default the origin. */
static struct WING(vec) check_ball(lua_State *L, const char *function, float *radius)
{
	*radius = arg_float(L, 1, function, "radius", &range_length);
	for (int i = 0; i < AXES; ++i)
		if (!lua_isnoneornil(L, 2 + i))
			return arg_vector(L, 2, function, point_names);
	return (struct WING(vec)){0};
}

/* capsule(radius, height), upright and centered, with its total height; or capsule(x1, y1, (z1,) x2, y2, (z2,) radius). */
static int make_capsule(lua_State *L)
{
	struct WING(vec) a = {0}, b = {0};
	float radius;
	if (lua_gettop(L) <= 2) {
		radius = arg_float(L, 1, "capsule", "radius", &range_length);
		b.y = arg_float(L, 2, "capsule", "height", &range_length) / 2 - radius;
		a.y = -b.y;
		if (b.y < 0)
			raise_value(L, 2, PATH("capsule", "height"), "be at least twice the radius");
	} else {
		a = arg_vector(L, 1, "capsule", from_names);
		b = arg_vector(L, 1 + AXES, "capsule", to_names);
		radius = arg_float(L, 1 + 2 * AXES, "capsule", "radius", &range_length);
	}
	struct memory *memory = WING(push_shape)(L);
	return WING(give_shape)(L, WING(capsule_create)(memory, a, b, radius), "capsule");
}

static int make_segment(lua_State *L)
{
	struct WING(vec) a = arg_vector(L, 1, "segment", from_names), b = arg_vector(L, 1 + AXES, "segment", to_names);
	if (WING(too_near)(a, b))
		raise_error(L, "segment: its two ends must be at least %f apart", range_length.low);
	struct memory *memory = WING(push_shape)(L);
	return WING(give_shape)(L, WING(segment_create)(memory, a, b), "segment");
}

static int make_half(lua_State *L)
{
	struct WING(vec) normal = arg_vector(L, 1, HALF_FUNCTION, normal_names);
	float offset = arg_float(L, 1 + AXES, HALF_FUNCTION, "offset", &range_local);
	if (WING(too_near)(normal, (struct WING(vec)){0}))
		raise_error(L, HALF_FUNCTION ": the normal " NORMAL " must be at least %f long", range_length.low);
	struct memory *memory = WING(push_shape)(L);
	return WING(give_shape)(L, HALF_CREATE(memory, normal, offset), HALF_FUNCTION);
}

/* --- Arguments ------------------------------------------------------------------------------------------------------------ */

const struct WING(shape) * WING(value_shape)(lua_State *L, int index, const struct path *path)
{
	const struct shape_object *object = object_test(L, index, &CLASS(shape), sizeof *object);
	if (object && object->shape == NULL)
		raise_value(L, index, path, "not have been collected yet");
	if (object == NULL)
		raise_value(L, index, path, class_test(L, index, &OTHER_CLASS(shape)) ? "be a " DIMENSION " shape" : "be a shape");
	return object->shape;
}

const struct WING(shape) * WING(check_shape)(lua_State *L, int index, const char *function, const char *name)
{
	return WING(value_shape)(L, index, PATH(function, name));
}

void WING(check_reach)(lua_State *L, const char *function, const struct WING(shape) * shape, const struct WING(pose) * pose)
{
	double bounds[2 * AXES], most = 0;
	WING(bounds)(shape, pose, bounds);
	for (int i = 0; i < 2 * AXES; ++i)
		most = max_d(most, abs_d(bounds[i]));
	if (shape->type == HALF_TYPE) {
		most = abs_d(shape->offset);
		for (int i = 0; i < AXES; ++i)
			most += abs_d((&pose->x)[i]);
	}
	if (most > range_local.high)
		raise_error(L, "%s: the shape must stay within %f of the origin", function, (lua_Number)range_local.high);
}

static const struct WING(shape) * check_self(lua_State *L, const char *function)
{
	const struct shape_object *object = object_test(L, 1, &CLASS(shape), sizeof *object);
	if (object && object->shape == NULL)
		raise_error(L, "%s: shape is destroyed: it has been collected", function);
	if (object == NULL)
		raise_self(L, function, A_SELF "shape");
	return object->shape;
}

/* --- Methods -------------------------------------------------------------------------------------------------------------- */

const char *WING(shape_type_name)(const struct WING(shape) * shape)
{
	return TYPE_NAME(shape);
}

static int get_type(lua_State *L)
{
	lua_pushstring(L, type_names[check_self(L, "getType")->type]);
	return 1;
}

static int get_mass(lua_State *L)
{
	return WING(push_shape_mass)(L, check_self(L, "getMass"), "getMass");
}

static int get_box(lua_State *L)
{
	const struct WING(shape) *shape = check_self(L, "getBox");
	struct WING(pose) pose = WING(check_pose)(L, 2, "getBox", "pose");
	return WING(push_shape_box)(L, shape, &pose);
}

static int scaled(lua_State *L)
{
	const struct WING(shape) *shape = check_self(L, "scaled");
	struct WING(shape) *copy = NULL;
	double scale[AXES];
	check_scale(L, AXES, scale);
	check_scaled(L, shape, scale);
	struct memory *memory = WING(push_shape)(L);
	struct WING(vec_d) factors;
	memcpy(&factors, scale, sizeof factors);
	enum WING(scaled_result) result = WING(shape_scaled)(memory, shape, factors, &copy);
	if (result != CONSTANT(SCALED_OK))
		raise_scaled(L, AXES, (int)result, type_names[shape->type], scale);
	WING(give_shape)(L, copy, "scaled");
	check_copy(L, copy);
	return 1;
}

static int get_byte_count(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)WING(shape_bytes)(check_self(L, "getByteCount")));
	return 1;
}

static int shape_collect(lua_State *L)
{
	struct shape_object *object = object_test(L, 1, &CLASS(shape), sizeof *object);
	if (object && object->shape) {
		WING(shape_release)(object->shape);
		object->shape = NULL;
	}
	return 0;
}

static int shape_tostring(lua_State *L)
{
	lua_pushfstring(L, "shape (%s)", type_names[check_self(L, "tostring")->type]);
	return 1;
}

const luaL_Reg WING(shape_metamethods)[] = {
	{"__gc", shape_collect},
	{"__tostring", shape_tostring},
	{NULL, NULL},
};
