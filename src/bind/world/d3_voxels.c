/* d3_voxels.c - colliders of voxels: body:newVoxels, and the methods that read and change their cells. */
#define AXES 3
#include "bind/geometry/wing.h"
#include "bind/world/cells.h"
#include "d3/dynamics/voxels.h"

/* --- newVoxels ------------------------------------------------------------------------------------------------------------ */

enum { VOXELS_AT_ONCE = 1 << 28 /* cells in a call of fillCells, at most */ };

static void voxels_option(lua_State *L, int option, const struct path *path, void *context)
{
	struct cells_own *own = context;
	if (option == VOXELS_CELL_SIZE)
		own->cell_size = value_number(L, -1, path, &range_length);
	else
		value_copy(L, lua_gettop(L), AT_NAME);
}

/* Sets the solids of a kind from the shape at the stack index, in the cell's frame; nil: the whole cell. */
static void kind_solid(
	lua_State *L, const struct cells_own *own, int index, const struct path *path, struct d3_voxel_kind *kind)
{
	const struct d3_shape *shape = lua_isnil(L, index) ? NULL : d3_value_shape(L, index, path);
	if (shape && (shape->hull == NULL || shape->radius > 0))
		raise_got(L, path, "be a hull or box without radius", d3_shape_type_name(shape));
	for (uint32_t i = 0; shape && i < shape->count; ++i) {
		const float *p = &shape->points[i].x;
		for (int k = 0; k < 3; ++k) {
			double part = (double)p[k] / own->cell_size;
			if (!(part >= -1e-4 && part <= 1 + 1e-4))
				raise_got(L, path, "be within the cell, from 0 to cellSize",
					lua_pushfstring(L, "a corner at (%f, %f, %f)", (lua_Number)p[0], (lua_Number)p[1], (lua_Number)p[2]));
		}
	}
	if (!d3_voxel_kind_set(kind, shape ? shape->hull : NULL, (float)own->cell_size))
		raise_got(L, path, "have at most 8 corners, and not be as thin as 1/16384 of the cell",
			lua_pushfstring(L, "%d corners", shape ? (int)shape->count : 0));
}

static struct d3_shape *voxels_make(lua_State *L, const struct d3_voxels_input *input, int slot)
{
	struct memory *memory = d3_push_shape(L);
	struct d3_shape *shape = d3_voxels_create(memory, input);
	d3_give_shape(L, shape, "newVoxels");
	value_copy(L, lua_gettop(L), slot);
	lua_pop(L, 1);
	return shape;
}

static void voxels_shapes(
	lua_State *L, const struct world_object *object, void *context, struct collider_input inputs[COLLIDERS_AT_ONCE])
{
	struct cells_own *own = context;
	(void)object;
	if (lua_isnil(L, AT_NAME))
		raise_error(L, "newVoxels: kinds must be given");
	uint32_t kinds = value_list(L, AT_NAME, PATH("newVoxels", "kinds"));
	if (kinds > D3_VOXEL_KINDS)
		raise_error(L, "newVoxels: there must be at most %d kinds, got %d", (int)D3_VOXEL_KINDS, (int)kinds);
	struct d3_voxel_kind *list = userdata_create(L, (kinds + (size_t)1) * sizeof *list);
	for (uint32_t i = 0; i < kinds; ++i) {
		int top = lua_gettop(L);
		struct path path;
		int shape = cells_kind_read(L, own, i, &list[i].common, &path);
		kind_solid(L, own, shape, &path, &list[i]);
		lua_settop(L, top);
	}
	struct d3_voxels_input input = {.cell_size = (float)own->cell_size, .kind_count = kinds, .kinds = list};
	struct d3_shape *shapes[CELL_GROUPS] = {NULL};
	own->groups[CELLS_SOLID] = true; /* the collider of the others' handle */
	for (int i = 0; i < CELL_GROUPS; ++i)
		if (own->groups[i]) {
			input.group = (enum cell_group)i;
			shapes[i] = voxels_make(L, &input, shape_slot(i));
			cells_collider(own, i, shapes[i], inputs);
		}
	d3_voxels_join(shapes);
}

static int new_voxels(lua_State *L)
{
	static const struct collider_source source = {.function = "newVoxels",
		.set = OPTIONS_VOXELS,
		.body_must = "voxels are for static and kinematic bodies, and this one is dynamic",
		.open = cells_open,
		.option = voxels_option,
		.shapes = voxels_shapes};
	struct cells_own own = {.function = "newVoxels", .axes = 3, .cell_size = 1};
	return collider_new(L, &source, &own);
}

/* --- Cells ---------------------------------------------------------------------------------------------------------------- */

/* Checks for a collider of voxels. */
static struct world_object *check_voxels(
	lua_State *L, const char *function, bool change, uint32_t *id, const struct d3_shape **shape)
{
	struct world_object *object = check_reference_of(L, function, &class_d3_collider, id);
	if (change)
		check_unlocked(L, object, function);
	*shape = object->world->colliders.data[*id].shape;
	if ((*shape)->voxels == NULL)
		raise_error(L, "%s: the collider must be one of newVoxels, and this one is a %s", function, d3_shape_type_name(*shape));
	return object;
}

/* Reads a cell from three arguments. */
static struct d3_voxel check_cell(lua_State *L, int index, const char *function, const char *const names[3])
{
	int32_t at[3];
	for (int k = 0; k < 3; ++k)
		at[k] = (int32_t)value_integer(L, index + k, PATH(function, names[k]), -D3_VOXEL_MOST, D3_VOXEL_MOST - 1);
	return (struct d3_voxel){at[0], at[1], at[2]};
}

static const char *const cell_names[3] = {"i", "j", "k"};

/* The words for orientations, see voxels.h. */
static const char *const flag_names[D3_VOXEL_TURNS] = {NULL, "flipX", "flipY", "turnZ180", "flipZ", "turnY180", "turnX180",
	"turnY180 flipY", "flipY turnX270", "turnY180 turnX90", "turnX90", "flipX turnX90", "turnX270", "flipX turnX270",
	"flipY turnX90", "turnY180 turnX270", "flipX turnZ270", "turnZ90", "turnZ270", "flipX turnZ90", "turnY180 turnZ270",
	"flipZ turnZ90", "flipZ turnZ270", "turnY180 turnZ90", "turnY270 turnZ270", "turnY90 flipZ turnZ90",
	"turnY90 flipZ turnZ270", "turnY270 turnZ90", "turnY90 flipX turnZ270", "turnY90 turnZ90", "turnY90 turnZ270",
	"turnY90 flipX turnZ90", "turnY90 turnX90", "turnY90 flipX turnX90", "turnY90 flipY turnX270", "turnY270 turnX90",
	"turnY90 flipY turnX90", "turnY270 turnX270", "turnY90 turnX270", "turnY90 flipX turnX270", "turnY90 flipZ", "turnY270",
	"turnY90 turnX180", "turnY270 flipY", "turnY90", "turnY90 flipX", "turnY90 flipY", "turnY90 turnZ180"};

/* A turn or a flip of the cell as it is. */
static void orientation_turn(void *orientation, int word)
{
	uint32_t *now = orientation;
	uint8_t rows[3][2]; /* of each axis: the axis that it was, and whether it is mirrored */
	for (uint32_t a = 0; a < 3; ++a) {
		rows[a][0] = d3_voxel_permutations[*now / 8][a];
		rows[a][1] = *now >> a & 1;
	}
	if (word >= 9)
		rows[word - 9][1] ^= 1;
	for (int turns = word < 9 ? word % 3 + 1 : 0; turns > 0; --turns) {
		uint8_t *from = rows[(word / 3 + 1) % 3], *to = rows[(word / 3 + 2) % 3];
		uint8_t axis = from[0], mirrored = from[1];
		from[0] = to[0];
		from[1] = to[1] ^ 1;
		to[0] = axis;
		to[1] = mirrored;
	}
	for (uint32_t p = 0; p < 6; ++p)
		if (memcmp(d3_voxel_permutations[p], (const uint8_t[3]){rows[0][0], rows[1][0], rows[2][0]}, 3) == 0)
			*now = 8 * p + (uint32_t)(rows[0][1] | rows[1][1] << 1 | rows[2][1] << 2);
}

static uint16_t check_flags(lua_State *L, int index, const char *function)
{
	static const char *const words[] = {"turnX90", "turnX180", "turnX270", "turnY90", "turnY180", "turnY270", "turnZ90",
		"turnZ180", "turnZ270", "flipX", "flipY", "flipZ"};
	uint32_t orientation = 0;
	cells_flags(L, index, function, words, LENGTH(words),
		"be words with spaces between them, of \"flipX\", \"turnX90\", \"turnX180\" and \"turnX270\", and those for y and z",
		orientation_turn, &orientation);
	return (uint16_t)(orientation << D3_VOXEL_TURN_SHIFT);
}

static int push_cell(lua_State *L, const struct d3_shape *shape, struct d3_voxel cell)
{
	uint16_t value = d3_voxels_value(shape, cell);
	lua_pushinteger(L, d3_voxel_kind(value));
	lua_pushstring(L, flag_names[value >> D3_VOXEL_TURN_SHIFT]);
	materials_push_name(L, d3_voxels_kind_name(shape, d3_voxel_kind(value)));
	return 3;
}

static int edit_run(lua_State *L, const char *function, int kind, struct d3_voxel_box cells, uint32_t id,
	const struct world_object *object, const struct d3_shape *shape)
{
	uint16_t value = (uint16_t)value_integer(L, kind, PATH(function, "kind"), 0, d3_voxels_kind_count(shape));
	uint16_t flags = check_flags(L, kind + 1, function);
	const struct d3_voxels_edit edit = {cells, (uint16_t)(value > 0 ? value | flags : 0)};
	if (!d3_collider_edit_voxels(object->world, id, &edit))
		raise_memory(L, function);
	return 0;
}

static int set_cell(lua_State *L)
{
	uint32_t id;
	const struct d3_shape *shape;
	const struct world_object *object = check_voxels(L, "setCell", true, &id, &shape);
	struct d3_voxel cell = check_cell(L, 2, "setCell", cell_names);
	return edit_run(L, "setCell", 5, (struct d3_voxel_box){cell, cell}, id, object, shape);
}

static int fill_cells(lua_State *L)
{
	static const char *const low_names[3] = {"i1", "j1", "k1"}, *const high_names[3] = {"i2", "j2", "k2"};
	uint32_t id;
	const struct d3_shape *shape;
	const struct world_object *object = check_voxels(L, "fillCells", true, &id, &shape);
	struct d3_voxel low = check_cell(L, 2, "fillCells", low_names), high = check_cell(L, 5, "fillCells", high_names);
	if (high.i < low.i || high.j < low.j || high.k < low.k)
		raise_error(L, "fillCells: i2, j2 and k2 must be at least i1, j1 and k1, got %d, %d, %d and %d, %d, %d", (int)high.i,
			(int)high.j, (int)high.k, (int)low.i, (int)low.j, (int)low.k);
	double count = ((double)high.i - low.i + 1) * ((double)high.j - low.j + 1) * ((double)high.k - low.k + 1);
	if (count > VOXELS_AT_ONCE)
		raise_error(L, "fillCells: there must be at most %d cells, got %f", (int)VOXELS_AT_ONCE, (lua_Number)count);
	return edit_run(L, "fillCells", 8, (struct d3_voxel_box){low, high}, id, object, shape);
}

static int get_cell(lua_State *L)
{
	uint32_t id;
	const struct d3_shape *shape;
	check_voxels(L, "getCell", false, &id, &shape);
	return push_cell(L, shape, check_cell(L, 2, "getCell", cell_names));
}

/* Returns i, j, k, and what getCell returns. */
static int push_place(lua_State *L, const struct d3_shape *shape, struct d3_voxel cell)
{
	lua_pushinteger(L, cell.i);
	lua_pushinteger(L, cell.j);
	lua_pushinteger(L, cell.k);
	return 3 + push_cell(L, shape, cell);
}

static int cell_at(lua_State *L)
{
	static const char *const names[] = {"x", "y", "z"};
	uint32_t id;
	struct d3_voxel cell;
	const struct d3_shape *shape;
	const struct world_object *object = check_voxels(L, "cellAt", false, &id, &shape);
	struct d3_vec_d point = check_vector(L, 2, "cellAt", names);
	struct d3_pose pose = d3_body_pose(object->world, object->world->colliders.data[id].body);
	struct d3_rot_d q = d3_exact_rot(pose.q);
	struct d3_vec_d local = d3_inv_turn_d(&q, (struct d3_vec_d){point.x - pose.x, point.y - pose.y, point.z - pose.z});
	return d3_voxels_cell_at(shape, local, &cell) ? push_place(L, shape, cell) : 0;
}

static int cell_of(lua_State *L)
{
	uint32_t id;
	const struct d3_shape *shape;
	check_voxels(L, "cellOf", false, &id, &shape);
	int64_t part = value_integer(L, 2, PATH("cellOf", "part"), 1, (int64_t)1 << 51);
	return push_place(L, shape, d3_voxel_numbered((uint64_t)part - 1));
}

static int get_byte_count(lua_State *L)
{
	uint32_t id;
	const struct d3_shape *shape;
	check_voxels(L, "getByteCount", false, &id, &shape);
	lua_pushinteger(L, (lua_Integer)d3_shape_bytes(shape));
	return 1;
}

const luaL_Reg d3_voxels_body_methods[] = {
	{"newVoxels", new_voxels},
	{NULL, NULL},
};

const luaL_Reg d3_voxels_methods[] = {
	{"setCell", set_cell},
	{"getCell", get_cell},
	{"fillCells", fill_cells},
	{"cellAt", cell_at},
	{"cellOf", cell_of},
	{"getByteCount", get_byte_count},
	{NULL, NULL},
};
