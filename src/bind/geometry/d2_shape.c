/* d2_shape.c - 2D shapes as immutable values. */
#include "bind/geometry/toolbox.h"
#include "d2/shape/hull.h"

const struct class class_shape = {"shape", SHARED_SHAPE, 0, 0, NULL};

/* --- Shapes --------------------------------------------------------------------------------------------------------------- */

static const char *const type_names[D2_SHAPE_TYPES] = {
	[D2_CIRCLE] = "circle",
	[D2_CAPSULE] = "capsule",
	[D2_SEGMENT] = "segment",
	[D2_BOX] = "box",
	[D2_POLYGON] = "polygon",
	[D2_ELLIPSE] = "ellipse",
	[D2_CHAIN] = "chain",
	[D2_HALF_PLANE] = "halfPlane",
};

const char *d2_shape_type_name(const struct d2_shape *shape)
{
	return type_names[shape->type];
}

struct shape_object *shape_push(lua_State *L)
{
	struct shared *shared = shared_state(L);
	shared_collect(L, shared);
	struct shape_object *object = userdata_create(L, sizeof *object);
	*object = (struct shape_object){&class_shape, NULL};
	shared_push(L, SHARED_SHAPE);
	lua_setmetatable(L, -2);
	return object;
}

static int shape_give(lua_State *L, struct shape_object *object, struct d2_shape *shape, const char *function)
{
	if (shape == NULL)
		raise_memory(L, function);
	object->shape = shape;
	return 1;
}

static struct d2_vec arg_vector(lua_State *L, int index, const char *function, const char *x, const char *y)
{
	float vx = arg_float(L, index, function, x, &range_local), vy = arg_float(L, index + 1, function, y, &range_local);
	return (struct d2_vec){vx, vy};
}

static int make_circle(lua_State *L)
{
	float radius = arg_float(L, 1, "circle", "radius", &range_length);
	struct d2_vec center = {0, 0};
	if (!lua_isnoneornil(L, 2) || !lua_isnoneornil(L, 3))
		center = arg_vector(L, 2, "circle", "x", "y");
	struct shape_object *object = shape_push(L);
	return shape_give(L, object, d2_circle_create(&shared_state(L)->memory, center, radius), "circle");
}

/* capsule(radius, height): upright, centred. */
static int make_upright_capsule(lua_State *L)
{
	float radius, half = check_upright_capsule(L, &radius);
	struct shape_object *object = shape_push(L);
	struct d2_shape *shape =
		d2_capsule_create(&shared_state(L)->memory, (struct d2_vec){0, -half}, (struct d2_vec){0, half}, radius);
	return shape_give(L, object, shape, "capsule");
}

static int make_capsule(lua_State *L)
{
	if (lua_gettop(L) <= 2)
		return make_upright_capsule(L);
	struct d2_vec a = arg_vector(L, 1, "capsule", "x1", "y1"), b = arg_vector(L, 3, "capsule", "x2", "y2");
	float radius = arg_float(L, 5, "capsule", "radius", &range_length);
	struct shape_object *object = shape_push(L);
	return shape_give(L, object, d2_capsule_create(&shared_state(L)->memory, a, b, radius), "capsule");
}

/* Whether the direction between the points is lost in rounding errors: they are closer than range_length.low. */
static bool too_near(struct d2_vec a, struct d2_vec b)
{
	return !(d2_length(d2_sub(b, a)) >= (float)range_length.low);
}

static int make_segment(lua_State *L)
{
	struct d2_vec a = arg_vector(L, 1, "segment", "x1", "y1"), b = arg_vector(L, 3, "segment", "x2", "y2");
	if (too_near(a, b))
		raise(L, "segment: its two ends must be at least %f apart", range_length.low);
	struct shape_object *object = shape_push(L);
	return shape_give(L, object, d2_segment_create(&shared_state(L)->memory, a, b), "segment");
}

struct box_input {
	struct d2_vec center;
	double angle;
	float radius;
};

/* Only boxes take the last one. */
static const struct field box_fields[] = {
	{"x", FIELD_FLOAT, offsetof(struct box_input, center.x), &range_local},
	{"y", FIELD_FLOAT, offsetof(struct box_input, center.y), &range_local},
	{"angle", FIELD_NUMBER, offsetof(struct box_input, angle), &range_angle},
	{"radius", FIELD_FLOAT, offsetof(struct box_input, radius), &range_radius},
};

static int make_box(lua_State *L)
{
	struct box_input input = {{0, 0}, 0, 0};
	float width = arg_float(L, 1, "box", "width", &range_length), height = arg_float(L, 2, "box", "height", &range_length);
	fields_read(L, 3, PATH("box", "options"), box_fields, LENGTH(box_fields), &input);
	float smaller = min_f(width, height) / 2;
	if (input.radius > 0 && !(smaller - input.radius > smaller * 1e-6f))
		raise(L, "box: radius must be less than half of width and height, got %f", (lua_Number)input.radius);
	struct shape_object *object = shape_push(L);
	struct d2_shape *shape =
		d2_box_create(&shared_state(L)->memory, width, height, input.center, rotation_from(input.angle), input.radius);
	return shape_give(L, object, shape, "box");
}

static int make_ellipse(lua_State *L)
{
	enum { FLATTEST = 1000 }; /* the smallest radius of curvature is b^2/a: beyond, it is lost in rounding errors */
	float rx = arg_float(L, 1, "ellipse", "rx", &range_length), ry = arg_float(L, 2, "ellipse", "ry", &range_length);
	struct box_input input = {{0, 0}, 0, 0};
	fields_read(L, 3, PATH("ellipse", "options"), box_fields, LENGTH(box_fields) - 1, &input);
	if (max_f(rx, ry) > FLATTEST * min_f(rx, ry))
		raise(L, "ellipse: rx and ry must be within a factor of %d, got %f and %f", FLATTEST, (lua_Number)rx, (lua_Number)ry);
	struct shape_object *object = shape_push(L);
	struct d2_shape *shape = d2_ellipse_create(&shared_state(L)->memory, rx, ry, input.center, rotation_from(input.angle));
	return shape_give(L, object, shape, "ellipse");
}

static int make_half_plane(lua_State *L)
{
	struct d2_vec normal = arg_vector(L, 1, "halfPlane", "nx", "ny");
	float offset = arg_float(L, 3, "halfPlane", "offset", &range_local);
	if (too_near(normal, (struct d2_vec){0, 0}))
		raise(L, "halfPlane: the normal nx, ny must be at least %f long", range_length.low);
	struct shape_object *object = shape_push(L);
	return shape_give(L, object, d2_half_plane_create(&shared_state(L)->memory, normal, offset), "halfPlane");
}

static int make_polygon(lua_State *L)
{
	struct d2_vec points[D2_HULL_MAX];
	uint32_t count = points_count(L, 1, "polygon", "points", 2, 3, D2_HULL_MAX);
	float radius = lua_isnoneornil(L, 2) ? 0 : arg_float(L, 2, "polygon", "radius", &range_radius);
	struct shape_object *object = shape_push(L);
	points_read_floats(L, 1, "polygon", "points", 2 * count, &points->x);
	switch (d2_polygon_create(&shared_state(L)->memory, points, count, radius, &object->shape)) {
	case D2_HULL_OK: return 1;
	case D2_HULL_OUT_OF_MEMORY: raise_memory(L, "polygon");
	case D2_HULL_TOO_FEW: raise(L, "polygon: points must contain at least three different ones");
	case D2_HULL_DEGENERATE: raise(L, "polygon: points must not lie on a line");
	}
	return 1;
}

void chain_check(lua_State *L, const char *function, const struct d2_vec *points, uint32_t count, bool loop)
{
	for (uint32_t i = 0; i + !loop < count; ++i)
		if (too_near(points[i], points[(i + 1) % count]))
			raise(L, "%s: neighbours must be at least %f apart, but points %d and %d are not", function, range_length.low,
				(int)i + 1, (int)((i + 1) % count) + 1);
}

static int make_chain(lua_State *L)
{
	enum { CHAIN_MAXIMUM = 1 << 24 };
	static const struct field fields[] = {{"loop", FIELD_BOOLEAN, 0, NULL}};
	bool loop = false;
	fields_read(L, 2, PATH("chain", "options"), fields, LENGTH(fields), &loop);
	uint32_t count = points_count(L, 1, "chain", "points", 2, loop ? 3 : 2, CHAIN_MAXIMUM);
	struct shape_object *object = shape_push(L);
	struct d2_vec *points = userdata_create(L, count * sizeof *points);
	points_read_floats(L, 1, "chain", "points", 2 * count, &points->x);
	chain_check(L, "chain", points, count, loop);
	struct d2_shape *shape = d2_chain_create(&shared_state(L)->memory, points, count, loop);
	lua_pop(L, 1);
	return shape_give(L, object, shape, "chain");
}

struct shape_object *value_shape(lua_State *L, int index, const struct path *path)
{
	struct shape_object *object = object_test(L, index, &class_shape, sizeof *object);
	if (object && object->shape == NULL)
		raise_value(L, index, path, "not have been collected yet");
	if (object == NULL)
		raise_value(L, index, path, class_test(L, index, &class_d3_shape) ? "be a 2D shape" : "be a shape");
	return object;
}

struct shape_object *check_shape(lua_State *L, int index, const char *function, const char *name)
{
	return value_shape(L, index, PATH(function, name));
}

static const struct d2_shape *check_self(lua_State *L, const char *function)
{
	struct shape_object *object = object_test(L, 1, &class_shape, sizeof *object);
	char text[VALUE_TEXT];
	if (object && object->shape == NULL)
		raise(L, "%s: shape is destroyed: it has been collected", function);
	if (object == NULL)
		raise(L, "%s: expected a shape, got %s; methods are called with ':'", function, value_text(L, 1, text));
	return object->shape;
}

static int get_type(lua_State *L)
{
	lua_pushstring(L, type_names[check_self(L, "getType")->type]);
	return 1;
}

/* An ellipse's `radius` is internal to its geometry. */
static int get_radius(lua_State *L)
{
	const struct d2_shape *shape = check_self(L, "getRadius");
	lua_pushnumber(L, shape->type == D2_ELLIPSE ? 0 : shape->radius);
	return 1;
}

static int get_points(lua_State *L)
{
	const struct d2_shape *shape = check_self(L, "getPoints");
	lua_createtable(L, (int)shape->count * 2, 0);
	for (uint32_t i = 0; i < shape->count; ++i) {
		lua_pushnumber(L, shape->points[i].x);
		lua_rawseti(L, -2, (int)i * 2 + 1);
		lua_pushnumber(L, shape->points[i].y);
		lua_rawseti(L, -2, (int)i * 2 + 2);
	}
	return 1;
}

static int get_normals(lua_State *L)
{
	const struct d2_shape *shape = check_self(L, "getNormals");
	bool outline = shape->type != D2_ELLIPSE && shape->count > 1;
	uint32_t count = !outline ? 0 : shape->type == D2_CHAIN ? d2_shape_child_count(shape) : shape->count;
	lua_createtable(L, (int)count * 2, 0);
	for (uint32_t i = 0; i < count; ++i) {
		lua_pushnumber(L, shape->normals[i].x);
		lua_rawseti(L, -2, (int)i * 2 + 1);
		lua_pushnumber(L, shape->normals[i].y);
		lua_rawseti(L, -2, (int)i * 2 + 2);
	}
	return 1;
}

int push_shape_mass(lua_State *L, const struct d2_shape *shape, const char *function)
{
	double density = arg_number(L, 2, function, "density", &range_density);
	struct d2_mass mass;
	d2_shape_mass(shape, (float)density, &mass);
	lua_pushnumber(L, mass.mass);
	lua_pushnumber(L, mass.center.x);
	lua_pushnumber(L, mass.center.y);
	lua_pushnumber(L, mass.inertia);
	return 4;
}

static int get_mass(lua_State *L)
{
	return push_shape_mass(L, check_self(L, "getMass"), "getMass");
}

int push_shape_box(lua_State *L, const struct d2_shape *shape, const struct d2_pose *pose)
{
	struct box box = d2_shape_box(shape, 0, pose, 0);
	for (uint32_t child = 1; child < d2_shape_child_count(shape); ++child) {
		struct box next = d2_shape_box(shape, child, pose, 0);
		box = box_union(&box, &next);
	}
	lua_pushnumber(L, box.lower[0]);
	lua_pushnumber(L, box.lower[1]);
	lua_pushnumber(L, box.upper[0]);
	lua_pushnumber(L, box.upper[1]);
	return 4;
}

static int get_box(lua_State *L)
{
	const struct d2_shape *shape = check_self(L, "getBox");
	struct d2_pose pose = check_pose(L, 2, "getBox", "pose");
	return push_shape_box(L, shape, &pose);
}

static int scaled(lua_State *L)
{
	return push_shape_scaled(L, check_self(L, "scaled"));
}

static int get_byte_count(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)d2_shape_bytes(check_self(L, "getByteCount")));
	return 1;
}

static int shape_collect(lua_State *L)
{
	struct shape_object *object = object_test(L, 1, &class_shape, sizeof *object);
	if (object && object->shape) {
		d2_shape_release(object->shape);
		object->shape = NULL;
	}
	return 0;
}

static int shape_tostring(lua_State *L)
{
	lua_pushfstring(L, "shape (%s)", type_names[check_self(L, "tostring")->type]);
	return 1;
}

const luaL_Reg shape_functions[] = {
	{"circle", make_circle},
	{"capsule", make_capsule},
	{"segment", make_segment},
	{"box", make_box},
	{"polygon", make_polygon},
	{"chain", make_chain},
	{"ellipse", make_ellipse},
	{"halfPlane", make_half_plane},
	{"pose", make_pose},
	{NULL, NULL},
};

const luaL_Reg shape_methods[] = {
	{"getType", get_type},
	{"getRadius", get_radius},
	{"getPoints", get_points},
	{"getNormals", get_normals},
	{"getMass", get_mass},
	{"getBox", get_box},
	{"scaled", scaled},
	{"getByteCount", get_byte_count},
	{NULL, NULL},
};

const luaL_Reg shape_metamethods[] = {
	{"__gc", shape_collect},
	{"__tostring", shape_tostring},
	{NULL, NULL},
};
