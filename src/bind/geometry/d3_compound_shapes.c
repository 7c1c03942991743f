/* d3_compound_shapes.c - meshes, height fields and compounds of 3D, as immutable values. */
#include "bind/geometry/materials.h"

#include <stdio.h>
#include <string.h>

/* Features of closest points have 24 bits for a point's number: see d3/query/distance.h. */
enum { POINTS_MAXIMUM = (1 << 24) - 1 };

/* --- Shapes with children ------------------------------------------------------------------------------------------------- */

static void check_triangle(lua_State *L, const char *function, const struct d3_vec corners[3], uint32_t number)
{
	if (d3_too_flat(corners[0], corners[1], corners[2]))
		raise_error(L, "%s: triangle %d has no area", function, (int)number + 1);
}

struct mesh_input {
	bool one_sided;
	double weld;
	int scale, materials, triangle_materials; /* stack indices of a number or list, or of nil */
};

/* Reads the factors of the axes: a number for all, {x, y, z}, or nil for 1. Negative factors mirror. */
static void check_mesh_scale(lua_State *L, int list, double scale[3])
{
	bool each = lua_type(L, list) == LUA_TTABLE;
	for (int i = 0; i < 3; ++i)
		scale[i] = 1;
	if (each && value_list(L, list, PATH("mesh", "scale")) != 3)
		raise_value(L, list, PATH("mesh", "scale"), "be a number or a list {x, y, z}");
	for (int i = 0; i < 3 && !lua_isnil(L, list); ++i) {
		struct path element = {"mesh", NULL, 0, "scale", each ? i + 1 : 0};
		if (each)
			lua_rawgeti(L, list, i + 1);
		else
			lua_pushvalue(L, list);
		scale[i] = value_number(L, -1, &element, &range_signed);
		if (!(abs_d(scale[i]) >= 1e-6))
			raise_value(L, lua_gettop(L), &element, "not be 0");
		lua_pop(L, 1);
	}
}

static void mesh_options(lua_State *L, int index, struct mesh_input *input)
{
	static const struct option_member fields[] = {
		{"oneSided", FIELD_BOOLEAN, offsetof(struct mesh_input, one_sided), NULL},
		{"scale", FIELD_VALUE, offsetof(struct mesh_input, scale), NULL},
		{"weld", FIELD_NUMBER, offsetof(struct mesh_input, weld), &range_length},
		{"materials", FIELD_VALUE, offsetof(struct mesh_input, materials), NULL},
		{"triangleMaterials", FIELD_VALUE, offsetof(struct mesh_input, triangle_materials), NULL},
	};
	*input = (struct mesh_input){.scale = index + 1, .materials = index + 2, .triangle_materials = index + 3};
	lua_settop(L, index + 3);
	fields_read(L, index, PATH("mesh", "options"), fields, LENGTH(fields), input);
}

/* Scales the vertices; raises if one leaves the range of a body's frame. Mirroring reverses the triangles' winding, so the
 * winding is restored. */
static void scale_mesh(lua_State *L, const double scale[3], struct d3_vec *vertices, uint32_t vertex_count, uint32_t *indices,
	uint32_t index_count)
{
	for (uint32_t i = 0; i < vertex_count; ++i) {
		double x = vertices[i].x * scale[0], y = vertices[i].y * scale[1], z = vertices[i].z * scale[2];
		if (max_d(abs_d(x), max_d(abs_d(y), abs_d(z))) > range_local.high)
			raise_error(L, "mesh: vertex %d, scaled, must stay within %f of the origin", (int)i + 1, range_local.high);
		vertices[i] = (struct d3_vec){(float)x, (float)y, (float)z};
	}
	if (!(scale[0] * scale[1] * scale[2] < 0))
		return;
	for (uint32_t i = 0; i < index_count; i += 3) {
		uint32_t second = indices[i + 1];
		indices[i + 1] = indices[i + 2];
		indices[i + 2] = second;
	}
}

/* Merges vertices within the tolerance [length] of each other. Triangles that are then too flat get three equal corners, so
 * that they are left out of the mesh. Raises if no triangle remains. */
static void weld_mesh(lua_State *L, double tolerance, const struct d3_vec *vertices, uint32_t vertex_count, uint32_t *indices,
	uint32_t index_count)
{
	struct d3_points points = {.narrow = vertices, .count = vertex_count};
	uint32_t kept = 0;
	if (!d3_mesh_weld(&shared_state(L)->memory, &points, tolerance, indices, index_count))
		raise_memory(L, "mesh");
	for (uint32_t i = 0; i < index_count; i += 3) {
		uint32_t *corners = indices + i;
		if (d3_too_flat(vertices[corners[0]], vertices[corners[1]], vertices[corners[2]]))
			corners[1] = corners[2] = corners[0];
		else
			++kept;
	}
	if (kept == 0)
		raise_error(L, "mesh: no triangle has an area, once vertices within weld of each other are one");
}

int d3_make_mesh(lua_State *L)
{
	enum { TRIANGLES_MAXIMUM = 1 << 24 };
	lua_settop(L, 3);
	uint32_t vertex_count = points_count(L, 1, "mesh", "vertices", 3, 3, POINTS_MAXIMUM);
	uint32_t index_count = value_list(L, 2, PATH("mesh", "indices"));
	if (index_count == 0 || index_count % 3 || index_count / 3 > TRIANGLES_MAXIMUM)
		raise_error(L, "mesh: indices must be a flat list of three for each of 1 to %d triangles, got %d",
			(int)TRIANGLES_MAXIMUM, (int)index_count);
	struct mesh_input input;
	double scale[3];
	mesh_options(L, 3, &input);
	check_mesh_scale(L, input.scale, scale);
	struct memory *memory = d3_push_shape(L);
	int top = lua_gettop(L);
	struct d3_vec *vertices = userdata_create(L, vertex_count * sizeof *vertices);
	uint32_t *indices = userdata_create(L, index_count * sizeof *indices);
	struct materials materials;
	points_read_floats(L, 1, "mesh", "vertices", 3 * vertex_count, &vertices->x);
	indices_read(L, 2, "mesh", "indices", vertex_count, index_count, indices);
	materials_read(L, "mesh", 3, input.materials, "triangleMaterials", input.triangle_materials, index_count / 3, &materials);
	scale_mesh(L, scale, vertices, vertex_count, indices, index_count);
	if (input.weld > 0)
		weld_mesh(L, input.weld, vertices, vertex_count, indices, index_count);
	for (uint32_t i = 0; i < index_count && input.weld == 0; i += 3) {
		struct d3_vec corners[3] = {vertices[indices[i]], vertices[indices[i + 1]], vertices[indices[i + 2]]};
		check_triangle(L, "mesh", corners, i / 3);
	}
	struct d3_shape *shape =
		d3_mesh_create(memory, vertices, vertex_count, indices, index_count / 3, input.one_sided, &materials);
	lua_settop(L, top);
	return d3_give_shape(L, shape, "mesh");
}

/* Raises if the field leaves range_local along the axis, or if its cells are smaller than a millionth of the greatest
 * coordinate: the triangles' corners are floats in the body's frame, and cells must be much larger than their rounding
 * error. */
static void check_cells(lua_State *L, const char *name, const char *axis, double from, double cell, uint32_t count)
{
	double reach = max_d(abs_d(from), abs_d(from + cell * (count - 1)));
	if (reach > range_local.high)
		raise_error(L, "heightField: it must stay within %f of the origin along %s", range_local.high, axis);
	if (cell < 1e-6 * reach)
		raise_error(L, "heightField: %s must be at least a millionth of how far out it reaches along %s", name, axis);
}

/* Turns the cells whose numbers, from 1, are in the list into holes. */
static void read_holes(lua_State *L, int list, uint32_t cells, struct materials *materials)
{
	if (lua_isnil(L, list))
		return;
	uint32_t count = value_list(L, list, PATH("heightField", "holes")), left = cells;
	if (materials->of == NULL && count > 0) {
		materials->of = userdata_create(L, cells);
		memset(materials->of, 0, cells);
	}
	for (uint32_t i = 0; i < count; ++i) {
		struct path path = {"heightField", NULL, 0, "holes", (int)i + 1};
		lua_rawgeti(L, list, (int)i + 1);
		uint8_t *of = &materials->of[value_integer(L, -1, &path, 1, cells) - 1];
		left -= *of != MATERIALS_HOLE;
		*of = MATERIALS_HOLE;
		lua_pop(L, 1);
	}
	if (left == 0)
		raise_error(L, "heightField: one cell at least must not be a hole");
}

int d3_make_height_field(lua_State *L)
{
	struct heights_input input;
	uint32_t count = heights_parse(L, "heightField", HEIGHT_FIELD_FIELDS, &input);
	if (count > POINTS_MAXIMUM)
		raise_error(L, "heightField: there must be at most %d heights", (int)POINTS_MAXIMUM);
	struct d3_height_field field = {.x = input.x,
		.z = input.z,
		.cell_width = input.cell_width,
		.cell_depth = input.cell_depth,
		.columns = input.columns,
		.rows = input.rows};
	check_cells(L, "cellWidth", "x", field.x, field.cell_width, field.columns);
	check_cells(L, "cellDepth", "z", field.z, field.cell_depth, field.rows);
	struct memory *memory = d3_push_shape(L);
	int top = lua_gettop(L);
	uint32_t cells = (field.columns - 1) * (field.rows - 1);
	field.heights = userdata_create(L, count * sizeof *field.heights);
	points_read_floats(L, input.list, "heightField", "heights", count, field.heights);
	materials_read(L, "heightField", 3, input.materials, "cellMaterials", input.cell_materials, cells, &field.materials);
	read_holes(L, input.holes, cells, &field.materials);
	struct d3_shape *shape = d3_height_field_create(memory, &field, input.one_sided);
	lua_settop(L, top);
	return d3_give_shape(L, shape, "heightField");
}

struct part {
	const struct d3_shape *shape;
	struct d3_pose pose;
	struct material material;
};

/* Reads the material on top of the stack, of an entry of `shapes`. */
static struct material part_material(lua_State *L, int entry, bool known)
{
	char function[48];
	if (lua_type(L, -1) != LUA_TTABLE)
		raise_value(L, lua_gettop(L), &(struct path){"compound", "shapes", entry, "material", 0}, "be a table");
	snprintf(function, sizeof function, "compound: shapes[%d].material", entry);
	return materials_read_one(L, &(struct path){function, NULL, 0, "", 0}, 3, known);
}

/* Reads the entry on top of the stack: a shape, or { shape =, pose =, material = }. known: its material's name is stored
 * already, so that nothing is allocated. */
static struct part check_part(lua_State *L, int entry, bool known)
{
	static const struct option_member fields[] = {{"shape", FIELD_VALUE, 0, NULL}, {"pose", FIELD_VALUE, sizeof(int), NULL},
		{"material", FIELD_VALUE, 2 * sizeof(int), NULL}};
	int top = lua_gettop(L), at[] = {top + 1, top + 2, top + 3}; /* stack indices of shape, pose and material */
	struct path whole = {"compound", "shapes", entry, "", 0}, shape = whole, pose = whole;
	struct material material = {.has = 0};
	lua_settop(L, top + 3);
	if (lua_type(L, top) == LUA_TTABLE) {
		fields_read(L, top, &whole, fields, LENGTH(fields), at);
		shape.name = "shape";
		pose.name = "pose";
		if (lua_isnil(L, at[0]))
			raise_error(L, "compound: shapes[%d].shape must be given", entry);
	} else {
		at[0] = top;
	}
	if (!lua_isnil(L, top + 3))
		material = part_material(L, entry, known);
	const struct d3_shape *found = d3_value_shape(L, at[0], &shape);
	struct part part = {found, d3_value_pose(L, at[1], &pose), material};
	lua_settop(L, top);
	return part;
}

static void check_part_type(lua_State *L, int entry, const struct part *part)
{
	enum d3_shape_type type = part->shape->type;
	if (type == D3_HALF_SPACE || type == D3_MESH || type == D3_HEIGHT_FIELD)
		raise_error(L, "compound: shapes[%d] must be convex with an end, or a compound, not of type %s", entry,
			d3_shape_type_name(part->shape));
	d3_check_reach(L, "compound", part->shape, &part->pose);
}

/* The list is read twice. The second time nothing is allocated, so no finalizer can remove a shape from it before the compound
 * has a reference to it. */
int d3_make_compound(lua_State *L)
{
	enum { PARTS_MAXIMUM = 1 << 16, CHILDREN_MAXIMUM = 1 << 20 };
	uint32_t count = value_list(L, 1, PATH("compound", "shapes"));
	if (count < 1 || count > PARTS_MAXIMUM)
		raise_error(L, "compound: there must be 1 to %d shapes, got %d", (int)PARTS_MAXIMUM, (int)count);
	lua_settop(L, 1);
	luaL_checkstack(L, 16, "compound");
	struct memory *memory = d3_push_shape(L);
	const struct d3_shape **shapes = userdata_create(L, count * sizeof *shapes);
	struct d3_pose *poses = userdata_create(L, count * sizeof *poses);
	struct material *materials = userdata_create(L, count * sizeof *materials);
	struct d3_shape *shape = NULL;
	uint64_t children = 0, points = 0;
	for (uint32_t i = 0; i < count; ++i) {
		lua_rawgeti(L, 1, (int)i + 1);
		check_part(L, (int)i + 1, false);
		lua_pop(L, 1);
	}
	for (uint32_t i = 0; i < count; ++i) {
		lua_rawgeti(L, 1, (int)i + 1);
		struct part part = check_part(L, (int)i + 1, true);
		check_part_type(L, (int)i + 1, &part);
		lua_pop(L, 1);
		shapes[i] = part.shape;
		poses[i] = part.pose;
		materials[i] = part.material;
		children += d3_shape_child_count(part.shape);
		points += d3_shape_point_count(part.shape);
	}
	if (children > CHILDREN_MAXIMUM || points > POINTS_MAXIMUM)
		raise_error(
			L, "compound: there must be at most %d shapes with %d points in all", (int)CHILDREN_MAXIMUM, (int)POINTS_MAXIMUM);
	enum d3_hull_result result = d3_compound_create(memory, shapes, poses, materials, count, &shape);
	if (result != D3_HULL_OK && result != D3_HULL_OUT_OF_MEMORY)
		raise_error(L, "compound: a shape is so far out that its points lie in a plane");
	lua_settop(L, 2);
	d3_give_shape(L, shape, "compound");
	d3_check_sizes(L, "compound", shape);
	return 1;
}

static void check_core(lua_State *L, const char *function, const struct d3_shape *shape)
{
	if (shape->type == D3_SEGMENT && d3_too_near(shape->points[0], shape->points[1]))
		raise_error(L, "%s: the ends of a segment must be at least %f apart, but are not", function, range_length.low);
	if (shape->type == D3_TRIANGLE)
		check_triangle(L, function, shape->points, 0);
}

void d3_check_sizes(lua_State *L, const char *function, const struct d3_shape *shape)
{
	for (uint32_t i = 0; i < d3_shape_part_count(shape); ++i)
		check_core(L, function, d3_shape_part(shape, i));
	for (uint32_t i = 0; shape->type == D3_MESH && i < d3_shape_child_count(shape); ++i) {
		struct d3_vec corners[3];
		d3_shape_triangle(shape, i, corners);
		check_triangle(L, function, corners, d3_shape_child_number(shape, i));
	}
}
