/* d3_shape.c - 3D shapes as immutable values. */
#include "bind/geometry/d3_shape_parts.h"

#include <string.h>

const struct class class_d3_shape = {"shape", SHARED_D3_SHAPE, 0, 0, NULL};

const char *d3_shape_type_name(const struct d3_shape *shape)
{
	return type_names[shape->type];
}

/* --- Arguments ------------------------------------------------------------------------------------------------------------ */

struct d3_shape_object *d3_shape_push(lua_State *L)
{
	struct shared *shared = shared_state(L);
	shared_collect(L, shared);
	struct d3_shape_object *object = userdata_create(L, sizeof *object);
	*object = (struct d3_shape_object){&class_d3_shape, NULL};
	shared_push(L, SHARED_D3_SHAPE);
	lua_setmetatable(L, -2);
	return object;
}

int d3_shapes_shape_give(lua_State *L, struct d3_shape_object *object, struct d3_shape *shape, const char *function)
{
	if (shape == NULL)
		raise_memory(L, function);
	object->shape = shape;
	return 1;
}

struct d3_shape_object *value_d3_shape(lua_State *L, int index, const struct path *path)
{
	struct d3_shape_object *object = object_test(L, index, &class_d3_shape, sizeof *object);
	if (object && object->shape == NULL)
		raise_value(L, index, path, "not have been collected yet");
	if (object == NULL)
		raise_value(L, index, path, class_test(L, index, &class_shape) ? "be a 3D shape" : "be a shape");
	return object;
}

struct d3_shape_object *check_d3_shape(lua_State *L, int index, const char *function, const char *name)
{
	return value_d3_shape(L, index, PATH(function, name));
}

static struct d3_vec arg_vector(lua_State *L, int index, const char *function, const char *x, const char *y, const char *z)
{
	float vx = arg_float(L, index, function, x, &range_local), vy = arg_float(L, index + 1, function, y, &range_local);
	float vz = arg_float(L, index + 2, function, z, &range_local);
	return (struct d3_vec){vx, vy, vz};
}

bool d3_shapes_too_near(struct d3_vec a, struct d3_vec b)
{
	return !((float)d3_length_d(d3_sub_d(d3_widen(b), d3_widen(a))) >= (float)range_length.low);
}

bool d3_shapes_too_flat(struct d3_vec a, struct d3_vec b, struct d3_vec c)
{
	struct d3_vec_d ab = d3_sub_d(d3_widen(b), d3_widen(a)), ac = d3_sub_d(d3_widen(c), d3_widen(a)), bc = d3_sub_d(ac, ab);
	double longest = max_d(d3_length_d(ab), max_d(d3_length_d(ac), d3_length_d(bc)));
	return !(longest >= range_length.low && d3_length_d(d3_cross_d(ab, ac)) > 1e-6 * longest * longest);
}

/* Transform of a shape in its body's frame, and the radius of a box. */
struct placement {
	struct d3_vec center;
	double quaternion[4];
	struct d3_quat rotation;
	float radius;
};

/* Boxes take all, others all but the radius. */
enum { PLACEMENT_FIELDS = 7, BOX_FIELDS };

static struct placement check_placement(lua_State *L, int index, const char *function, size_t count)
{
	static const struct field fields[BOX_FIELDS] = {
		{"x", FIELD_FLOAT, offsetof(struct placement, center.x), &range_local},
		{"y", FIELD_FLOAT, offsetof(struct placement, center.y), &range_local},
		{"z", FIELD_FLOAT, offsetof(struct placement, center.z), &range_local},
		{"qx", FIELD_NUMBER, offsetof(struct placement, quaternion[0]), &range_any},
		{"qy", FIELD_NUMBER, offsetof(struct placement, quaternion[1]), &range_any},
		{"qz", FIELD_NUMBER, offsetof(struct placement, quaternion[2]), &range_any},
		{"qw", FIELD_NUMBER, offsetof(struct placement, quaternion[3]), &range_any},
		{"radius", FIELD_FLOAT, offsetof(struct placement, radius), &range_radius},
	};
	enum { QUATERNION = 15 << 3 };
	struct placement placement = {.rotation = {0, 0, 0, 1}};
	uint32_t given = fields_read(L, index, PATH(function, "options"), fields, count, &placement) & QUATERNION;
	if (given != 0 && given != QUATERNION)
		raise(L, "%s: qx, qy, qz and qw must be given together", function);
	if (given)
		placement.rotation = quaternion_from(L, function, placement.quaternion);
	return placement;
}

/* --- Convex shapes -------------------------------------------------------------------------------------------------------- */

static int make_sphere(lua_State *L)
{
	float radius = arg_float(L, 1, "sphere", "radius", &range_length);
	struct d3_vec center = {0, 0, 0};
	if (!lua_isnoneornil(L, 2) || !lua_isnoneornil(L, 3) || !lua_isnoneornil(L, 4))
		center = arg_vector(L, 2, "sphere", "x", "y", "z");
	struct d3_shape_object *object = d3_shape_push(L);
	return d3_shapes_shape_give(L, object, d3_sphere_create(&shared_state(L)->memory, center, radius), "sphere");
}

static int make_capsule(lua_State *L)
{
	struct d3_vec a = {0, 0, 0}, b = {0, 0, 0};
	float radius;
	if (lua_gettop(L) <= 2) {
		b.y = check_upright_capsule(L, &radius);
		a.y = -b.y;
	} else {
		a = arg_vector(L, 1, "capsule", "x1", "y1", "z1");
		b = arg_vector(L, 4, "capsule", "x2", "y2", "z2");
		radius = arg_float(L, 7, "capsule", "radius", &range_length);
	}
	struct d3_shape_object *object = d3_shape_push(L);
	return d3_shapes_shape_give(L, object, d3_capsule_create(&shared_state(L)->memory, a, b, radius), "capsule");
}

static int make_tapered_capsule(lua_State *L)
{
	struct d3_vec a = arg_vector(L, 1, "taperedCapsule", "x1", "y1", "z1");
	float radius_a = arg_float(L, 4, "taperedCapsule", "radius1", &range_length);
	struct d3_vec b = arg_vector(L, 5, "taperedCapsule", "x2", "y2", "z2");
	float radius_b = arg_float(L, 8, "taperedCapsule", "radius2", &range_length);
	struct d3_shape_object *object = d3_shape_push(L);
	return d3_shapes_shape_give(
		L, object, d3_tapered_capsule_create(&shared_state(L)->memory, a, radius_a, b, radius_b), "taperedCapsule");
}

static int make_segment(lua_State *L)
{
	struct d3_vec a = arg_vector(L, 1, "segment", "x1", "y1", "z1"), b = arg_vector(L, 4, "segment", "x2", "y2", "z2");
	if (d3_shapes_too_near(a, b))
		raise(L, "segment: its two ends must be at least %f apart", range_length.low);
	struct d3_shape_object *object = d3_shape_push(L);
	return d3_shapes_shape_give(L, object, d3_segment_create(&shared_state(L)->memory, a, b), "segment");
}

static int make_triangle(lua_State *L)
{
	struct d3_vec a = arg_vector(L, 1, "triangle", "x1", "y1", "z1"), b = arg_vector(L, 4, "triangle", "x2", "y2", "z2");
	struct d3_vec c = arg_vector(L, 7, "triangle", "x3", "y3", "z3");
	if (d3_shapes_too_flat(a, b, c))
		raise(L, "triangle: its corners must not lie on a line");
	struct d3_shape_object *object = d3_shape_push(L);
	return d3_shapes_shape_give(L, object, d3_triangle_create(&shared_state(L)->memory, a, b, c), "triangle");
}

static int make_box(lua_State *L)
{
	float width = arg_float(L, 1, "box", "width", &range_length), height = arg_float(L, 2, "box", "height", &range_length);
	float depth = arg_float(L, 3, "box", "depth", &range_length), smaller = min_f(width, min_f(height, depth)) / 2;
	struct placement placement = check_placement(L, 4, "box", BOX_FIELDS);
	if (placement.radius > 0 && !(smaller - placement.radius > smaller * 1e-6f))
		raise(L, "box: radius must be less than half of width, height and depth, got %f", (lua_Number)placement.radius);
	struct d3_shape_object *object = d3_shape_push(L);
	struct d3_shape *shape = d3_box_create(&shared_state(L)->memory, (struct d3_vec){width, height, depth}, placement.center,
		placement.rotation, placement.radius);
	return d3_shapes_shape_give(L, object, shape, "box");
}

/* Arguments of cylinder and cone: radius, height, placement. */
static int make_round(lua_State *L, const char *function,
	struct d3_shape *(*create)(
		struct memory *memory, float radius, float height, struct d3_vec center, struct d3_quat rotation))
{
	float radius = arg_float(L, 1, function, "radius", &range_length);
	float height = arg_float(L, 2, function, "height", &range_length);
	if (max_f(radius, height) > D3_FLATTEST_ROUND * min_f(radius, height))
		raise(L, "%s: radius and height must be within a factor of %d, got %f and %f", function, (int)D3_FLATTEST_ROUND,
			(lua_Number)radius, (lua_Number)height);
	struct placement placement = check_placement(L, 3, function, PLACEMENT_FIELDS);
	struct d3_shape_object *object = d3_shape_push(L);
	return d3_shapes_shape_give(
		L, object, create(&shared_state(L)->memory, radius, height, placement.center, placement.rotation), function);
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
		raise(L, "ellipsoid: rx, ry and rz must be within a factor of %d, got %f, %f and %f", (int)D3_FLATTEST_ELLIPSOID,
			(lua_Number)rx, (lua_Number)ry, (lua_Number)rz);
	struct placement placement = check_placement(L, 4, "ellipsoid", PLACEMENT_FIELDS);
	struct d3_shape_object *object = d3_shape_push(L);
	struct d3_vec half_axes = {rx, ry, rz};
	return d3_shapes_shape_give(
		L, object, d3_ellipsoid_create(&shared_state(L)->memory, half_axes, placement.center, placement.rotation), "ellipsoid");
}

static int make_half_space(lua_State *L)
{
	struct d3_vec normal = arg_vector(L, 1, "halfSpace", "nx", "ny", "nz");
	float offset = arg_float(L, 4, "halfSpace", "offset", &range_local);
	if (d3_shapes_too_near(normal, (struct d3_vec){0, 0, 0}))
		raise(L, "halfSpace: the normal nx, ny, nz must be at least %f long", range_length.low);
	struct d3_shape_object *object = d3_shape_push(L);
	return d3_shapes_shape_give(L, object, d3_half_space_create(&shared_state(L)->memory, normal, offset), "halfSpace");
}

static int make_hull(lua_State *L)
{
	enum { HULL_POINTS_MAXIMUM = 1 << 16 };
	uint32_t count = points_count(L, 1, "hull", "points", 3, 4, HULL_POINTS_MAXIMUM);
	float radius = lua_isnoneornil(L, 2) ? 0 : arg_float(L, 2, "hull", "radius", &range_radius);
	struct d3_shape_object *object = d3_shape_push(L);
	struct d3_vec *points = userdata_create(L, count * sizeof *points);
	points_read_floats(L, 1, "hull", "points", 3 * count, &points->x);
	enum d3_hull_result result = d3_hull_create(&shared_state(L)->memory, points, count, radius, &object->shape);
	lua_pop(L, 1);
	switch (result) {
	case D3_HULL_OK: return 1;
	case D3_HULL_OUT_OF_MEMORY: raise_memory(L, "hull");
	case D3_HULL_TOO_FEW: raise(L, "hull: points must contain at least four different ones");
	case D3_HULL_DEGENERATE: raise(L, "hull: points must not lie in a plane");
	case D3_HULL_TOO_MANY:
		raise(L, "hull: it must have at most %d corners; points inside of it do not count", (int)D3_HULL_MAX);
	}
	return 1;
}

/* --- Methods -------------------------------------------------------------------------------------------------------------- */

static const struct d3_shape *check_self(lua_State *L, const char *function)
{
	const struct d3_shape_object *object = object_test(L, 1, &class_d3_shape, sizeof *object);
	char text[VALUE_TEXT];
	if (object && object->shape == NULL)
		raise(L, "%s: shape is destroyed: it has been collected", function);
	if (object == NULL)
		raise(L, "%s: expected a 3D shape, got %s; methods are called with ':'", function, value_text(L, 1, text));
	return object->shape;
}

static int get_type(lua_State *L)
{
	lua_pushstring(L, type_names[check_self(L, "getType")->type]);
	return 1;
}

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

/* Writes vector i, from 0, of the flat list on top of the stack. */
static void list_set(lua_State *L, uint32_t i, struct d3_vec_d v)
{
	const double numbers[] = {v.x, v.y, v.z};
	for (int k = 0; k < 3; ++k) {
		lua_pushnumber(L, numbers[k]);
		lua_rawseti(L, -2, (int)i * 3 + k + 1);
	}
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
	for (uint32_t i = 0; i < count; ++i)
		list_set(L, i, shape->type == D3_TAPERED_CAPSULE ? ends[i] : d3_widen(d3_shape_point(shape, i)));
	return 1;
}

static int get_faces(lua_State *L)
{
	const struct d3_shape *shape = check_self(L, "getFaces");
	uint32_t points[D3_HULL_MAX], faces = d3_shape_face_count(shape);
	lua_createtable(L, (int)faces, 0);
	for (uint32_t face = 0; face < faces; ++face) {
		uint32_t count = d3_shape_face(shape, face, points);
		lua_createtable(L, (int)count, 0);
		for (uint32_t i = 0; i < count; ++i) {
			lua_pushinteger(L, (lua_Integer)points[i] + 1);
			lua_rawseti(L, -2, (int)i + 1);
		}
		lua_rawseti(L, -2, (int)face + 1);
	}
	return 1;
}

/* The face's normal; computed from three corners if the shape has no planes, as its faces are triangles then. */
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
	for (uint32_t face = 0; face < faces; ++face)
		list_set(L, face, face_normal(shape, face));
	return 1;
}

/* The triangle whose number is argument 2. False: it was left out, or is in a hole. */
static bool check_face(lua_State *L, const struct d3_shape *shape, const char *function, uint32_t *child)
{
	if (shape->type != D3_MESH && shape->type != D3_HEIGHT_FIELD)
		raise(L, "%s: the shape must be a mesh or a height field, got one of type %s", function, type_names[shape->type]);
	uint32_t face = (uint32_t)value_integer(L, 2, PATH(function, "face"), 1, d3_shape_face_count(shape)) - 1;
	return d3_shape_face_child(shape, face, child);
}

static int get_face_material(lua_State *L)
{
	const struct d3_shape *shape = check_self(L, "getFaceMaterial");
	uint32_t child;
	if (!check_face(L, shape, "getFaceMaterial", &child))
		return 0;
	const struct d3_material *material = d3_shape_material(shape, child);
	if (material == NULL) {
		lua_pushinteger(L, 0);
		return 1;
	}
	lua_pushinteger(L, material - (shape->mesh ? shape->mesh->materials.list : shape->height_field->materials.list) + 1);
	const float numbers[] = {material->friction, material->restitution, material->rolling_resistance};
	for (int i = 0; i < 3; ++i) {
		lua_pushnumber(L, numbers[i]);
		if (!(material->has & 1 << i)) {
			lua_pop(L, 1);
			lua_pushnil(L);
		}
	}
	if (!(material->has & D3_HAS_TANGENT_VELOCITY))
		return 4;
	lua_pushnumber(L, material->tangent_velocity.x);
	lua_pushnumber(L, material->tangent_velocity.y);
	lua_pushnumber(L, material->tangent_velocity.z);
	return 7;
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

int push_d3_shape_mass(lua_State *L, const struct d3_shape *shape, const char *function)
{
	double density = arg_number(L, 2, function, "density", &range_density);
	struct d3_mass mass;
	d3_shape_mass(shape, (float)density, &mass);
	const float numbers[] = {
		mass.mass, mass.center.x, mass.center.y, mass.center.z, mass.xx, mass.yy, mass.zz, mass.xy, mass.xz, mass.yz};
	enum { COUNT = sizeof numbers / sizeof *numbers };
	for (int i = 0; i < COUNT; ++i)
		if (!is_finite_f(numbers[i]))
			raise_value(
				L, 2, PATH(function, "density"), "be less, for a shape of this size: its inertia is beyond the largest float");
	for (int i = 0; i < COUNT; ++i)
		lua_pushnumber(L, numbers[i]);
	return COUNT;
}

static int get_mass(lua_State *L)
{
	return push_d3_shape_mass(L, check_self(L, "getMass"), "getMass");
}

int push_d3_shape_box(lua_State *L, const struct d3_shape *shape, const struct d3_pose *pose)
{
	double bounds[6];
	d3_bounds(shape, pose, bounds);
	for (int i = 0; i < 6; ++i)
		lua_pushnumber(L, bounds[i]);
	return 6;
}

static int get_box(lua_State *L)
{
	const struct d3_shape *shape = check_self(L, "getBox");
	struct d3_pose pose = check_d3_pose(L, 2, "getBox", "pose");
	return push_d3_shape_box(L, shape, &pose);
}

int d3_shapes_scaled(lua_State *L)
{
	return push_d3_shape_scaled(L, check_self(L, "scaled"));
}

static int get_byte_count(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)d3_shape_bytes(check_self(L, "getByteCount")));
	return 1;
}

static int shape_collect(lua_State *L)
{
	struct d3_shape_object *object = object_test(L, 1, &class_d3_shape, sizeof *object);
	if (object && object->shape) {
		d3_shape_release(object->shape);
		object->shape = NULL;
	}
	return 0;
}

static int shape_tostring(lua_State *L)
{
	lua_pushfstring(L, "shape (%s)", type_names[check_self(L, "tostring")->type]);
	return 1;
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
	{"halfSpace", make_half_space},
	{"hull", make_hull},
	{"mesh", d3_shapes_make_mesh},
	{"heightField", d3_shapes_make_height_field},
	{"compound", d3_shapes_make_compound},
	{"pose", make_d3_pose},
	{NULL, NULL},
};

const luaL_Reg d3_shape_methods[] = {
	{"getType", get_type},
	{"getRadius", get_radius},
	{"getPoints", get_points},
	{"getFaces", get_faces},
	{"getNormals", get_normals},
	{"getFaceMaterial", get_face_material},
	{"getFaceEdges", get_face_edges},
	{"isOneSided", is_one_sided},
	{"getMass", get_mass},
	{"getBox", get_box},
	{"scaled", d3_shapes_scaled},
	{"getByteCount", get_byte_count},
	{NULL, NULL},
};

const luaL_Reg d3_shape_metamethods[] = {
	{"__gc", shape_collect},
	{"__tostring", shape_tostring},
	{NULL, NULL},
};
