/* d2_shape.c - 2D shapes as immutable values. */
#define AXES 2
#include "bind/geometry/materials.h"
#include "bind/geometry/wing.h"
#include "d2/query/distance.h"
#include "d2/query/ray_cast.h"
#include "d2/shape/hull.h"

const struct class class_shape = {"shape", SHARED_SHAPE, false, 0, NULL};

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

#define TYPE_NAME(shape) ((shape)->tiles ? "tiles" : type_names[(shape)->type])
#define HALF_FUNCTION "halfPlane"
#define NORMAL "nx, ny"
#define HALF_CREATE d2_half_plane_create

/* Whether the points are closer than range_length.low, so that rounding errors could dominate the direction between them. */
static bool d2_too_near(struct d2_vec a, struct d2_vec b)
{
	return !(d2_length(d2_sub(b, a)) >= (float)range_length.low);
}

/* Raises when a part of the shape would be out of range once scaled. */
static void check_scaled(lua_State *L, const struct d2_shape *shape, const double *scale)
{
	if (shape->type == D2_HALF_PLANE) {
		double offset = abs_d(shape->offset);
		check_scaled_bounds(L, 2, scale, (double[4]){-offset, -offset, offset, offset}, false);
		return;
	}
	for (uint32_t i = 0; i < d2_shape_child_count(shape); ++i) {
		struct box box = d2_shape_box(shape, i, &(struct d2_pose){0, 0, {1, 0}}, 0);
		double bounds[4] = {box.lower[0], box.lower[1], box.upper[0], box.upper[1]};
		check_scaled_bounds(L, 2, scale, bounds, shape->type != D2_SEGMENT && shape->type != D2_CHAIN);
	}
}

static void check_copy(lua_State *L, const struct d2_shape *shape)
{
	d2_check_sizes(L, "scaled", shape);
}

#include "bind/geometry/shape_wing.h"

/* --- Creation ------------------------------------------------------------------------------------------------------------- */

static int make_circle(lua_State *L)
{
	float radius;
	struct d2_vec center = check_ball(L, "circle", &radius);
	struct memory *memory = d2_push_shape(L);
	return d2_give_shape(L, d2_circle_create(memory, center, radius), "circle");
}

struct box_input {
	struct d2_vec center;
	double angle;
	float radius;
};

/* Boxes take all of them, ellipses all but the last. */
static const struct option_member box_fields[] = {
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
		raise_error(L, "box: radius must be less than half of width and height, got %f", (lua_Number)input.radius);
	struct memory *memory = d2_push_shape(L);
	return d2_give_shape(
		L, d2_box_create(memory, width, height, input.center, rotation_from(input.angle), input.radius), "box");
}

static int make_ellipse(lua_State *L)
{
	/* greatest ratio of the radii a and b: beyond it, the least radius of curvature, b^2/a, nears the rounding error of a */
	enum { FLATTEST = 1000 };
	float rx = arg_float(L, 1, "ellipse", "rx", &range_length), ry = arg_float(L, 2, "ellipse", "ry", &range_length);
	struct box_input input = {{0, 0}, 0, 0};
	fields_read(L, 3, PATH("ellipse", "options"), box_fields, LENGTH(box_fields) - 1, &input);
	if (max_f(rx, ry) > FLATTEST * min_f(rx, ry))
		raise_error(
			L, "ellipse: rx and ry must be within a factor of %d, got %f and %f", FLATTEST, (lua_Number)rx, (lua_Number)ry);
	struct memory *memory = d2_push_shape(L);
	return d2_give_shape(L, d2_ellipse_create(memory, rx, ry, input.center, rotation_from(input.angle)), "ellipse");
}

static int make_polygon(lua_State *L)
{
	struct d2_vec points[D2_HULL_MAX];
	uint32_t count = points_count(L, 1, "polygon", "points", 2, 3, D2_HULL_MAX);
	float radius = lua_isnoneornil(L, 2) ? 0 : arg_float(L, 2, "polygon", "radius", &range_radius);
	struct d2_shape *shape = NULL;
	struct memory *memory = d2_push_shape(L);
	points_read_floats(L, 1, "polygon", "points", 2 * count, &points->x);
	switch (d2_polygon_create(memory, points, count, radius, &shape)) {
	case D2_HULL_OK:
	case D2_HULL_OUT_OF_MEMORY: break;
	case D2_HULL_TOO_FEW: raise_error(L, "polygon: points must contain at least three different ones");
	case D2_HULL_DEGENERATE: raise_error(L, "polygon: points must not lie on a line");
	}
	return d2_give_shape(L, shape, "polygon");
}

/* Raises when adjacent points, including the first and last of a loop, are too close. */
static void check_points(lua_State *L, const char *function, const struct d2_vec *points, uint32_t count, bool loop)
{
	for (uint32_t i = 0; i + !loop < count; ++i)
		if (d2_too_near(points[i], points[(i + 1) % count]))
			raise_error(L, "%s: neighbours must be at least %f apart, but points %d and %d are not", function, range_length.low,
				(int)i + 1, (int)((i + 1) % count) + 1);
}

void d2_check_sizes(lua_State *L, const char *function, const struct d2_shape *shape)
{
	if (shape->type == D2_SEGMENT || shape->type == D2_CHAIN)
		check_points(L, function, shape->points, shape->count, shape->loop);
}

struct chain_input {
	bool loop, one_sided;
	int materials, segment_materials, ghosts[2]; /* stack indices */
};

/* Reads the ghosts, the points before the chain's first and after its last one. */
static void read_ghosts(
	lua_State *L, const struct chain_input *input, const struct d2_vec *points, uint32_t count, struct d2_vec ghosts[2])
{
	static const char *const names[2] = {"previousPoint", "nextPoint"};
	for (int end = 0; end < 2; ++end) {
		double numbers[2];
		if (lua_isnil(L, input->ghosts[end]))
			continue;
		if (input->loop || !input->one_sided)
			raise_error(L, "chain: %s is for open one-sided chains", names[end]);
		value_vector(L, input->ghosts[end], (struct path){"chain", NULL, 0, names[end], 0}, &range_local, 2, numbers);
		ghosts[end] = (struct d2_vec){(float)numbers[0], (float)numbers[1]};
		if (d2_too_near(ghosts[end], points[end == 0 ? 0 : count - 1]))
			raise_error(L, "chain: %s must be at least %f from the chain's %s point", names[end], range_length.low,
				end == 0 ? "first" : "last");
	}
}

static int make_chain(lua_State *L)
{
	enum { CHAIN_MAXIMUM = 1 << 24 };
	static const struct option_member fields[] = {{"loop", FIELD_BOOLEAN, offsetof(struct chain_input, loop), NULL},
		{"oneSided", FIELD_BOOLEAN, offsetof(struct chain_input, one_sided), NULL},
		{"materials", FIELD_VALUE, offsetof(struct chain_input, materials), NULL},
		{"segmentMaterials", FIELD_VALUE, offsetof(struct chain_input, segment_materials), NULL},
		{"previousPoint", FIELD_VALUE, offsetof(struct chain_input, ghosts[0]), NULL},
		{"nextPoint", FIELD_VALUE, offsetof(struct chain_input, ghosts[1]), NULL}};
	struct chain_input input = {false, true, 3, 4, {5, 6}};
	struct materials materials;
	struct d2_vec ghosts[2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};
	lua_settop(L, 6);
	fields_read(L, 2, PATH("chain", "options"), fields, LENGTH(fields), &input);
	uint32_t count = points_count(L, 1, "chain", "points", 2, input.loop ? 3 : 2, CHAIN_MAXIMUM);
	struct memory *memory = d2_push_shape(L);
	int top = lua_gettop(L);
	struct d2_vec *points = userdata_create(L, count * sizeof *points);
	points_read_floats(L, 1, "chain", "points", 2 * count, &points->x);
	check_points(L, "chain", points, count, input.loop);
	read_ghosts(L, &input, points, count, ghosts);
	materials_read(
		L, "chain", 2, input.materials, "segmentMaterials", input.segment_materials, count - !input.loop, &materials);
	struct d2_shape *shape = d2_chain_create(memory, points, count, input.loop, input.one_sided, &materials);
	for (int end = 0; end < 2 && shape; ++end)
		if (!lua_isnil(L, input.ghosts[end]))
			d2_chain_set_ghost(shape, end, ghosts[end]);
	lua_settop(L, top);
	return d2_give_shape(L, shape, "chain");
}

/* --- Methods -------------------------------------------------------------------------------------------------------------- */

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
	for (uint32_t i = 0; i < shape->count; ++i)
		list_set(L, 2, i, (double[2]){shape->points[i].x, shape->points[i].y});
	return 1;
}

static int get_normals(lua_State *L)
{
	const struct d2_shape *shape = check_self(L, "getNormals");
	bool outline = shape->type != D2_ELLIPSE && shape->count > 1;
	uint32_t count = !outline ? 0 : shape->type == D2_CHAIN ? d2_shape_child_count(shape) : shape->count;
	lua_createtable(L, (int)count * 2, 0);
	for (uint32_t i = 0; i < count; ++i)
		list_set(L, 2, i, (double[2]){shape->normals[i].x, shape->normals[i].y});
	return 1;
}

static int is_one_sided(lua_State *L)
{
	lua_pushboolean(L, check_self(L, "isOneSided")->one_sided);
	return 1;
}

static int get_segment_material(lua_State *L)
{
	const struct d2_shape *shape = check_self(L, "getSegmentMaterial");
	if (shape->type != D2_CHAIN)
		raise_error(L, "getSegmentMaterial: the shape must be a chain, got one of type %s", type_names[shape->type]);
	uint32_t segment = (uint32_t)value_integer(L, 2, PATH("getSegmentMaterial", "segment"), 1, d2_shape_child_count(shape)) - 1;
	const struct material *material = d2_shape_material(shape, segment);
	lua_pushinteger(L, material ? material - shape->materials.list + 1 : 0);
	return 1 + (material ? materials_push(L, 2, material) : 0);
}

int d2_push_shape_mass(lua_State *L, const struct d2_shape *shape, const char *function)
{
	double density = arg_number(L, 2, function, "density", &range_density);
	struct d2_mass mass;
	d2_shape_mass(shape, (float)density, &mass);
	return push_numbers(L, 4, (double[4]){mass.mass, mass.center.x, mass.center.y, mass.inertia});
}

int d2_push_shape_box(lua_State *L, const struct d2_shape *shape, const struct d2_pose *pose)
{
	struct box_d box = d2_shape_reach(shape, pose);
	return push_numbers(L, 4, (double[4]){box.lower[0], box.lower[1], box.upper[0], box.upper[1]});
}

const luaL_Reg d2_shape_functions[] = {
	{"circle", make_circle},
	{"capsule", make_capsule},
	{"segment", make_segment},
	{"box", make_box},
	{"polygon", make_polygon},
	{"chain", make_chain},
	{"ellipse", make_ellipse},
	{"halfPlane", make_half},
	{"pose", d2_make_pose},
	{NULL, NULL},
};

const luaL_Reg d2_shape_methods[] = {
	{"getType", get_type},
	{"getRadius", get_radius},
	{"getPoints", get_points},
	{"getNormals", get_normals},
	{"getMass", get_mass},
	{"getBox", get_box},
	{"isOneSided", is_one_sided},
	{"getSegmentMaterial", get_segment_material},
	{"scaled", scaled},
	{"getByteCount", get_byte_count},
	{NULL, NULL},
};
