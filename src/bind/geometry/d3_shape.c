/* d3_shape.c - 3D shapes as immutable values. */
#define AXES 3
#include "bind/geometry/materials.h"
#include "bind/geometry/wing.h"

const struct class class_d3_shape = {"shape", SHARED_D3_SHAPE, false, 0, NULL};

static const char *const type_names[D3_SHAPE_TYPES] = {
	[D3_SPHERE] = "sphere",
	[D3_CAPSULE] = "capsule",
	[D3_SEGMENT] = "segment",
	[D3_TRIANGLE] = "triangle",
	[D3_BOX] = "box",
	[D3_HULL] = "hull",
	[D3_CYLINDER] = "cylinder",
	[D3_CONE] = "cone",
	[D3_ELLIPSOID] = "ellipsoid",
	[D3_TAPERED_CAPSULE] = "taperedCapsule",
	[D3_HALF_SPACE] = "halfSpace",
	[D3_MESH] = "mesh",
	[D3_HEIGHT_FIELD] = "heightField",
	[D3_VOXELS] = "voxels",
	[D3_COMPOUND] = "compound",
};

/* Greatest ratios of a shape's sizes. Beyond that of cylinders and cones, the thickness is less than 200 rounding errors of the
 * width; beyond that of ellipsoids, the least radius of curvature, least^2 / greatest, is less than 20 rounding errors of the
 * greatest size. */
enum { D3_FLATTEST_ROUND = 100000, D3_FLATTEST_ELLIPSOID = 1000 };

#define TYPE_NAME(shape) type_names[(shape)->type]
#define HALF_FUNCTION "halfSpace"
#define NORMAL "nx, ny, nz"
#define HALF_CREATE d3_half_space_create

/* Raises when a part of the shape would be out of range once scaled. */
static void check_scaled(lua_State *L, const struct d3_shape *shape, const double *scale)
{
	double bounds[6];
	if (shape->type == D3_HALF_SPACE) {
		for (int i = 0; i < 6; ++i)
			bounds[i] = i < 3 ? -abs_d(shape->offset) : abs_d(shape->offset);
		check_scaled_bounds(L, 3, scale, bounds, false);
		return;
	}
	for (uint32_t i = 0; shape->compound && i < shape->compound->count; ++i)
		check_scaled(L, shape->compound->children[i].shape, scale);
	bool solid = d3_shape_convex(shape) && shape->type != D3_SEGMENT && shape->type != D3_TRIANGLE;
	d3_bounds(shape, &(struct d3_pose){.q = {0, 0, 0, 1}}, bounds);
	check_scaled_bounds(L, 3, scale, bounds, solid);
}

static void check_ratio(lua_State *L, const struct d3_shape *shape)
{
	double least = min_f(shape->half.x, min_f(shape->half.y, shape->half.z));
	double most = max_f(shape->half.x, max_f(shape->half.y, shape->half.z));
	double flattest = shape->type == D3_ELLIPSOID ? D3_FLATTEST_ELLIPSOID : D3_FLATTEST_ROUND;
	if ((shape->type == D3_CYLINDER || shape->type == D3_CONE || shape->type == D3_ELLIPSOID) && most > flattest * least)
		raise_error(L, "scaled: sizes of a %s must stay within a factor of %f, but would be %f and %f", type_names[shape->type],
			(lua_Number)flattest, (lua_Number)least, (lua_Number)most);
}

static void check_copy(lua_State *L, const struct d3_shape *shape)
{
	const struct d3_height_field *field = shape->height_field;
	d3_check_sizes(L, "scaled", shape);
	for (uint32_t i = 0; i < d3_shape_part_count(shape); ++i)
		check_ratio(L, d3_shape_part(shape, i));
	if (field && !(min_d(abs_d(field->cell_width), abs_d(field->cell_depth)) >= range_length.low))
		raise_error(L, "scaled: cells must be at least %f wide and deep, but would be %f and %f", range_length.low,
			(lua_Number)abs_d(field->cell_width), (lua_Number)abs_d(field->cell_depth));
}

#include "bind/geometry/shape_wing.h"

/* --- Creation ------------------------------------------------------------------------------------------------------------- */

bool d3_too_near(struct d3_vec a, struct d3_vec b)
{
	return !((float)d3_length_d(d3_sub_d(d3_widen(b), d3_widen(a))) >= (float)range_length.low);
}

bool d3_too_flat(struct d3_vec a, struct d3_vec b, struct d3_vec c)
{
	struct d3_vec_d ab = d3_sub_d(d3_widen(b), d3_widen(a)), ac = d3_sub_d(d3_widen(c), d3_widen(a)), bc = d3_sub_d(ac, ab);
	double longest = max_d(d3_length_d(ab), max_d(d3_length_d(ac), d3_length_d(bc)));
	return !(longest >= range_length.low && d3_length_d(d3_cross_d(ab, ac)) > 1e-6 * longest * longest);
}

/* Transform of a shape in its body's frame, and the radius of a box. */
struct placement {
	struct d3_vec center;
	int list, axis; /* stack indices of `rotation` and `axis` */
	struct rotation_input turn;
	struct d3_quat rotation;
	float radius;
};

/* How many of the fields in check_placement, from the first on, boxes take (BOX_FIELDS) and other shapes take. */
enum { PLACEMENT_FIELDS = 3 + ROTATION_PARTS, BOX_FIELDS };

static struct placement check_placement(lua_State *L, int index, const char *function, size_t count)
{
	static const struct option_member fields[BOX_FIELDS] = {
		{"x", FIELD_FLOAT, offsetof(struct placement, center.x), &range_local},
		{"y", FIELD_FLOAT, offsetof(struct placement, center.y), &range_local},
		{"z", FIELD_FLOAT, offsetof(struct placement, center.z), &range_local},
		{"rotation", FIELD_VALUE, offsetof(struct placement, list), NULL},
		{"qx", FIELD_NUMBER, offsetof(struct placement, turn.numbers[0]), &range_any},
		{"qy", FIELD_NUMBER, offsetof(struct placement, turn.numbers[1]), &range_any},
		{"qz", FIELD_NUMBER, offsetof(struct placement, turn.numbers[2]), &range_any},
		{"qw", FIELD_NUMBER, offsetof(struct placement, turn.numbers[3]), &range_any},
		{"axis", FIELD_VALUE, offsetof(struct placement, axis), NULL},
		{"angle", FIELD_NUMBER, offsetof(struct placement, turn.angle), &range_angle},
		{"radius", FIELD_FLOAT, offsetof(struct placement, radius), &range_radius},
	};
	lua_settop(L, index);
	lua_pushnil(L);
	lua_pushnil(L);
	struct placement placement = {.list = index + 1, .axis = index + 2};
	uint32_t given = fields_read(L, index, PATH(function, "options"), fields, count, &placement) >> 3;
	placement.turn.given = given & ((1u << ROTATION_PARTS) - 1);
	if (given & 1u << ROTATION_LIST)
		d3_rotation_option(L, placement.list, PATH(function, "rotation"), ROTATION_LIST, &placement.turn);
	if (given & 1u << ROTATION_AXIS)
		d3_rotation_option(L, placement.axis, PATH(function, "axis"), ROTATION_AXIS, &placement.turn);
	placement.rotation = d3_rotation_of(L, function, &placement.turn);
	return placement;
}

static int make_sphere(lua_State *L)
{
	float radius;
	struct d3_vec center = check_ball(L, "sphere", &radius);
	struct memory *memory = d3_push_shape(L);
	return d3_give_shape(L, d3_sphere_create(memory, center, radius), "sphere");
}

static int make_tapered_capsule(lua_State *L)
{
	struct d3_vec a = arg_vector(L, 1, "taperedCapsule", from_names);
	float radius_a = arg_float(L, 4, "taperedCapsule", "radius1", &range_length);
	struct d3_vec b = arg_vector(L, 5, "taperedCapsule", to_names);
	float radius_b = arg_float(L, 8, "taperedCapsule", "radius2", &range_length);
	struct memory *memory = d3_push_shape(L);
	return d3_give_shape(L, d3_tapered_capsule_create(memory, a, radius_a, b, radius_b), "taperedCapsule");
}

static int make_triangle(lua_State *L)
{
	static const char *const third_names[] = {"x3", "y3", "z3"};
	struct d3_vec a = arg_vector(L, 1, "triangle", from_names), b = arg_vector(L, 4, "triangle", to_names);
	struct d3_vec c = arg_vector(L, 7, "triangle", third_names);
	if (d3_too_flat(a, b, c))
		raise_error(L, "triangle: its corners must not lie on a line");
	struct memory *memory = d3_push_shape(L);
	return d3_give_shape(L, d3_triangle_create(memory, a, b, c), "triangle");
}

static int make_box(lua_State *L)
{
	float width = arg_float(L, 1, "box", "width", &range_length), height = arg_float(L, 2, "box", "height", &range_length);
	float depth = arg_float(L, 3, "box", "depth", &range_length), smaller = min_f(width, min_f(height, depth)) / 2;
	struct placement placement = check_placement(L, 4, "box", BOX_FIELDS);
	if (placement.radius > 0 && !(smaller - placement.radius > smaller * 1e-6f))
		raise_error(L, "box: radius must be less than half of width, height and depth, got %f", (lua_Number)placement.radius);
	struct memory *memory = d3_push_shape(L);
	struct d3_shape *shape =
		d3_box_create(memory, (struct d3_vec){width, height, depth}, placement.center, placement.rotation, placement.radius);
	return d3_give_shape(L, shape, "box");
}

/* Creates a cylinder or cone. Reads the arguments: radius, height, placement. */
static int make_round(lua_State *L, const char *function,
	struct d3_shape *(*create)(
		struct memory *memory, float radius, float height, struct d3_vec center, struct d3_quat rotation))
{
	float radius = arg_float(L, 1, function, "radius", &range_length);
	float height = arg_float(L, 2, function, "height", &range_length);
	if (max_f(radius, height) > D3_FLATTEST_ROUND * min_f(radius, height))
		raise_error(L, "%s: radius and height must be within a factor of %d, got %f and %f", function, (int)D3_FLATTEST_ROUND,
			(lua_Number)radius, (lua_Number)height);
	struct placement placement = check_placement(L, 3, function, PLACEMENT_FIELDS);
	struct memory *memory = d3_push_shape(L);
	return d3_give_shape(L, create(memory, radius, height, placement.center, placement.rotation), function);
}

static int make_cylinder(lua_State *L)
{
	return make_round(L, "cylinder", d3_cylinder_create);
}

static int make_cone(lua_State *L)
{
	return make_round(L, "cone", d3_cone_create);
}

static int make_ellipsoid(lua_State *L)
{
	float rx = arg_float(L, 1, "ellipsoid", "rx", &range_length), ry = arg_float(L, 2, "ellipsoid", "ry", &range_length);
	float rz = arg_float(L, 3, "ellipsoid", "rz", &range_length);
	if (max_f(rx, max_f(ry, rz)) > D3_FLATTEST_ELLIPSOID * min_f(rx, min_f(ry, rz)))
		raise_error(L, "ellipsoid: rx, ry and rz must be within a factor of %d, got %f, %f and %f", (int)D3_FLATTEST_ELLIPSOID,
			(lua_Number)rx, (lua_Number)ry, (lua_Number)rz);
	struct placement placement = check_placement(L, 4, "ellipsoid", PLACEMENT_FIELDS);
	struct memory *memory = d3_push_shape(L);
	struct d3_vec half_axes = {rx, ry, rz};
	return d3_give_shape(L, d3_ellipsoid_create(memory, half_axes, placement.center, placement.rotation), "ellipsoid");
}

static int make_hull(lua_State *L)
{
	enum { HULL_POINTS_MAXIMUM = 1 << 16 };
	uint32_t count = points_count(L, 1, "hull", "points", 3, 4, HULL_POINTS_MAXIMUM);
	float radius = lua_isnoneornil(L, 2) ? 0 : arg_float(L, 2, "hull", "radius", &range_radius);
	struct d3_shape *shape = NULL;
	struct memory *memory = d3_push_shape(L);
	struct d3_vec *points = userdata_create(L, count * sizeof *points);
	points_read_floats(L, 1, "hull", "points", 3 * count, &points->x);
	enum d3_hull_result result = d3_hull_create(memory, points, count, radius, &shape);
	lua_pop(L, 1);
	switch (result) {
	case D3_HULL_OK:
	case D3_HULL_OUT_OF_MEMORY: break;
	case D3_HULL_TOO_FEW: raise_error(L, "hull: points must contain at least four different ones");
	case D3_HULL_DEGENERATE: raise_error(L, "hull: points must not lie in a plane");
	case D3_HULL_TOO_MANY:
		raise_error(L, "hull: it must have at most %d corners; points inside of it do not count", (int)D3_HULL_MAX);
	}
	return d3_give_shape(L, shape, "hull");
}

/* --- Methods -------------------------------------------------------------------------------------------------------------- */

/* An ellipsoid's `radius` is internal to its geometry. */
static int get_radius(lua_State *L)
{
	const struct d3_shape *shape = check_self(L, "getRadius");
	switch (shape->type) {
	case D3_ELLIPSOID: lua_pushnumber(L, 0); break;
	case D3_CYLINDER:
	case D3_CONE: lua_pushnumber(L, shape->half.x); break;
	case D3_TAPERED_CAPSULE:
		lua_pushnumber(L, (double)shape->radius + shape->half.x);
		lua_pushnumber(L, shape->radius);
		return 2;
	default: lua_pushnumber(L, shape->radius);
	}
	return 1;
}

static int get_points(lua_State *L)
{
	const struct d3_shape *shape = check_self(L, "getPoints");
	uint32_t count = shape->type == D3_TAPERED_CAPSULE ? 2 : d3_shape_point_count(shape);
	struct d3_vec_d ends[2];
	double radii[2];
	if (shape->type == D3_TAPERED_CAPSULE)
		d3_tapered_ends(shape, ends, radii);
	lua_createtable(L, (int)count * 3, 0);
	for (uint32_t i = 0; i < count; ++i) {
		struct d3_vec_d point = shape->type == D3_TAPERED_CAPSULE ? ends[i] : d3_widen(d3_shape_point(shape, i));
		list_set(L, 3, i, &point.x);
	}
	return 1;
}

static int get_faces(lua_State *L)
{
	const struct d3_shape *shape = check_self(L, "getFaces");
	uint32_t points[D3_HULL_MAX], faces = d3_shape_face_count(shape);
	lua_createtable(L, (int)faces, 0);
	for (uint32_t face = 0; face < faces; ++face) {
		indices_push(L, d3_shape_face(shape, face, points), points);
		lua_rawseti(L, -2, (int)face + 1);
	}
	return 1;
}

/* The unit normal of a face, in the shape's frame. A shape that is no hull has triangles as faces: their normals are computed
 * from the corners, and are 0 for a triangle that was left out of the mesh or is in a hole. */
static struct d3_vec_d face_normal(const struct d3_shape *shape, uint32_t face)
{
	uint32_t points[D3_HULL_MAX];
	if (shape->hull)
		return shape->hull->planes[face].normal;
	if (d3_shape_face(shape, face, points) == 0)
		return (struct d3_vec_d){0, 0, 0};
	struct d3_vec_d a = d3_widen(d3_shape_point(shape, points[0]));
	struct d3_vec_d ab = d3_sub_d(d3_widen(d3_shape_point(shape, points[1])), a);
	struct d3_vec_d ac = d3_sub_d(d3_widen(d3_shape_point(shape, points[2])), a);
	struct d3_vec_d n = d3_cross_d(ab, ac);
	return d3_scale_d(1 / d3_length_d(n), n);
}

static int get_normals(lua_State *L)
{
	const struct d3_shape *shape = check_self(L, "getNormals");
	uint32_t faces = d3_shape_face_count(shape);
	lua_createtable(L, (int)faces * 3, 0);
	for (uint32_t face = 0; face < faces; ++face) {
		struct d3_vec_d normal = face_normal(shape, face);
		list_set(L, 3, face, &normal.x);
	}
	return 1;
}

/* Finds the child for the triangle whose number is argument 2. False: the triangle was left out of the mesh, or is in a
 * hole. */
static bool check_face(lua_State *L, const struct d3_shape *shape, const char *function, uint32_t *child)
{
	if (shape->type != D3_MESH && shape->type != D3_HEIGHT_FIELD)
		raise_error(L, "%s: the shape must be a mesh or a height field, got one of type %s", function, type_names[shape->type]);
	uint32_t face = (uint32_t)value_integer(L, 2, PATH(function, "face"), 1, d3_shape_face_count(shape)) - 1;
	return d3_shape_face_child(shape, face, child);
}

static int get_face_material(lua_State *L)
{
	const struct d3_shape *shape = check_self(L, "getFaceMaterial");
	uint32_t child;
	if (!check_face(L, shape, "getFaceMaterial", &child))
		return 0;
	const struct material *material = d3_shape_material(shape, child);
	if (material == NULL) {
		lua_pushinteger(L, 0);
		return 1;
	}
	lua_pushinteger(L, material - (shape->mesh ? shape->mesh->materials.list : shape->height_field->materials.list) + 1);
	return 1 + materials_push(L, 3, material);
}

static int get_part_material(lua_State *L)
{
	const struct d3_shape *shape = check_self(L, "getPartMaterial");
	if (shape->type != D3_COMPOUND)
		raise_error(L, "getPartMaterial: the shape must be a compound, got one of type %s", type_names[shape->type]);
	const struct d3_compound *compound = shape->compound;
	uint32_t part = (uint32_t)value_integer(L, 2, PATH("getPartMaterial", "part"), 1, compound->count) - 1;
	return materials_push(L, 3, &compound->children[compound->child_indices[part]].material);
}

static int get_face_edges(lua_State *L)
{
	static const char *const names[] = {"flat", "concave", "convex", "boundary"};
	const struct d3_shape *shape = check_self(L, "getFaceEdges");
	struct d3_mesh_triangle triangle;
	uint32_t child;
	if (!check_face(L, shape, "getFaceEdges", &child))
		return 0;
	bool back = !lua_isnoneornil(L, 3) && arg_boolean(L, 3, "getFaceEdges", "back");
	d3_shape_neighborhood(shape, child, &triangle);
	for (int k = 0; k < 3; ++k)
		lua_pushstring(L, names[d3_triangle_edge(&triangle, k, back)]);
	for (int k = 0; k < 3; ++k) {
		uint32_t neighbor = triangle.neighbors[k];
		if (neighbor == D3_NO_TRIANGLE)
			lua_pushnil(L);
		else
			lua_pushinteger(L, (lua_Integer)d3_shape_child_number(shape, neighbor) + 1);
	}
	return 6;
}

static int is_one_sided(lua_State *L)
{
	lua_pushboolean(L, check_self(L, "isOneSided")->one_sided);
	return 1;
}

int d3_push_shape_mass(lua_State *L, const struct d3_shape *shape, const char *function)
{
	double density = arg_number(L, 2, function, "density", &range_density);
	struct d3_mass mass;
	d3_shape_mass(shape, (float)density, &mass);
	const float numbers[] = {
		mass.mass, mass.center.x, mass.center.y, mass.center.z, mass.xx, mass.yy, mass.zz, mass.xy, mass.xz, mass.yz};
	enum { COUNT = LENGTH(numbers) };
	for (int i = 0; i < COUNT; ++i)
		if (!is_finite_f(numbers[i]))
			raise_value(
				L, 2, PATH(function, "density"), "be less, for a shape of this size: its inertia is beyond the largest float");
	for (int i = 0; i < COUNT; ++i)
		lua_pushnumber(L, numbers[i]);
	return COUNT;
}

int d3_push_shape_box(lua_State *L, const struct d3_shape *shape, const struct d3_pose *pose)
{
	double bounds[6];
	d3_bounds(shape, pose, bounds);
	return push_numbers(L, 6, bounds);
}

const luaL_Reg d3_shape_functions[] = {
	{"sphere", make_sphere},
	{"capsule", make_capsule},
	{"taperedCapsule", make_tapered_capsule},
	{"segment", make_segment},
	{"triangle", make_triangle},
	{"box", make_box},
	{"cylinder", make_cylinder},
	{"cone", make_cone},
	{"ellipsoid", make_ellipsoid},
	{"halfSpace", make_half},
	{"hull", make_hull},
	{"mesh", d3_make_mesh},
	{"heightField", d3_make_height_field},
	{"compound", d3_make_compound},
	{"pose", d3_make_pose},
	{NULL, NULL},
};

const luaL_Reg d3_shape_methods[] = {
	{"getType", get_type},
	{"getRadius", get_radius},
	{"getPoints", get_points},
	{"getFaces", get_faces},
	{"getNormals", get_normals},
	{"getFaceMaterial", get_face_material},
	{"getPartMaterial", get_part_material},
	{"getFaceEdges", get_face_edges},
	{"isOneSided", is_one_sided},
	{"getMass", get_mass},
	{"getBox", get_box},
	{"scaled", scaled},
	{"getByteCount", get_byte_count},
	{NULL, NULL},
};
