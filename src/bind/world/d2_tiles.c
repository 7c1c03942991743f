/* d2_tiles.c - colliders of tiles: body:newTiles, and the methods that read and change their cells. */
#define AXES 2
#include "bind/geometry/wing.h"
#include "bind/world/cells.h"
#include "d2/dynamics/tiles.h"

#include <string.h>

/* --- newTiles ------------------------------------------------------------------------------------------------------------- */

struct tiles_own {
	struct cells_own cells;
	uint32_t columns, rows;
	double corner[2];
};

static void tiles_option(lua_State *L, int option, const struct path *path, void *context)
{
	struct tiles_own *own = context;
	switch (option) {
	case TILES_COLUMNS: own->columns = (uint32_t)value_integer(L, -1, path, 1, D2_TILE_SIDE); break;
	case TILES_ROWS: own->rows = (uint32_t)value_integer(L, -1, path, 1, D2_TILE_SIDE); break;
	case TILES_CELL_SIZE: own->cells.cell_size = value_number(L, -1, path, &range_length); break;
	case TILES_X: own->corner[0] = value_number(L, -1, path, &range_local); break;
	case TILES_Y: own->corner[1] = value_number(L, -1, path, &range_local); break;
	case TILES_CELLS: value_copy(L, lua_gettop(L), AT_COLOR); break;
	case TILES_KINDS: value_copy(L, lua_gettop(L), AT_NAME); break;
	}
}

/* Sets the outline of a kind from the shape at the stack index, in the cell's frame; nil: the whole cell. */
static void kind_outline(
	lua_State *L, const struct tiles_own *own, int index, const struct path *path, struct d2_tile_kind *kind)
{
	const struct d2_shape *shape = lua_isnil(L, index) ? NULL : d2_value_shape(L, index, path);
	struct d2_vec points[D2_HULL_MAX];
	uint32_t count = shape ? shape->count : 0;
	if (shape && ((shape->type != D2_POLYGON && shape->type != D2_BOX) || shape->radius > 0))
		raise_got(L, path, "be a polygon or box without radius", d2_shape_type_name(shape));
	for (uint32_t i = 0; i < count; ++i) {
		points[i] = d2_scale((float)(1 / own->cells.cell_size), shape->points[i]);
		if (!(points[i].x >= -1e-4f && points[i].x <= 1 + 1e-4f && points[i].y >= -1e-4f && points[i].y <= 1 + 1e-4f))
			raise_got(L, path, "be within the cell, from 0 to cellSize",
				lua_pushfstring(L, "a corner at (%f, %f)", (lua_Number)shape->points[i].x, (lua_Number)shape->points[i].y));
		points[i].x = clamp_f(points[i].x, 0, 1);
		points[i].y = clamp_f(points[i].y, 0, 1);
	}
	if (d2_tile_kind_set(kind, points, count) != D2_HULL_OK)
		raise_got(L, path, "have at most 8 corners, and not be thinner than 1/16384 of the cell",
			lua_pushfstring(L, "%d corners", (int)count));
}

/* Reads entry i of the list `kinds`. Anchors the names of its kinds in the table at the top of the stack. */
static void kind_read(lua_State *L, struct tiles_own *own, uint32_t i, struct d2_tile_kind *kind)
{
	int top = lua_gettop(L);
	struct path path;
	int shape = cells_kind_read(L, &own->cells, i, &kind->common, &path);
	kind_outline(L, own, shape, &path, kind);
	lua_settop(L, top);
}

static void check_given(lua_State *L, bool given, const char *name)
{
	if (!given)
		raise_error(L, "newTiles: %s must be given", name);
}

/* Reads the list `cells` into a new userdata on top of the stack; NULL: not given. */
static uint16_t *cells_read(lua_State *L, const struct tiles_own *own, uint32_t kinds)
{
	if (lua_isnil(L, AT_COLOR))
		return NULL;
	struct path path = {"newTiles", NULL, 0, "cells", 0};
	size_t cells = (size_t)own->columns * own->rows;
	uint32_t count = value_list(L, AT_COLOR, &path);
	if (count != cells)
		raise_error(L, "newTiles: cells must have columns * rows numbers, %d, got %d", (int)cells, (int)count);
	uint16_t *values = userdata_create(L, cells * sizeof *values);
	for (uint32_t i = 0; i < count; ++i) {
		lua_rawgeti(L, AT_COLOR, (int)i + 1);
		path.element = (int)i + 1;
		values[i] = (uint16_t)value_integer(L, -1, &path, 0, kinds);
		lua_pop(L, 1);
	}
	return values;
}

/* Makes the tiles, and puts them at the slot. */
static struct d2_shape *tiles_make(lua_State *L, const struct d2_tiles_input *input, const uint16_t *values, int slot)
{
	const struct d2_tiles_edit edit = {{0, 0, input->columns - 1, input->rows - 1}, values, 0};
	uint32_t touched;
	struct memory *memory = d2_push_shape(L);
	struct d2_shape *shape = d2_tiles_create(memory, input);
	d2_give_shape(L, shape, "newTiles");
	value_copy(L, lua_gettop(L), slot);
	lua_pop(L, 1);
	if (values && !d2_tiles_reserve(shape, &edit, &touched))
		raise_memory(L, "newTiles");
	if (values)
		d2_tiles_apply(shape, &edit, NULL);
	return shape;
}

static void tiles_shapes(
	lua_State *L, const struct world_object *object, void *context, struct collider_input inputs[COLLIDERS_AT_ONCE])
{
	struct tiles_own *own = context;
	(void)object;
	check_given(L, own->columns > 0, "columns");
	check_given(L, own->rows > 0, "rows");
	check_given(L, !lua_isnil(L, AT_NAME), "kinds");
	if ((uint64_t)own->columns * own->rows > D2_TILE_CELLS)
		raise_error(L, "newTiles: there must be at most %d cells", (int)D2_TILE_CELLS);
	uint32_t kinds = value_list(L, AT_NAME, PATH("newTiles", "kinds"));
	if (kinds > D2_TILE_KINDS)
		raise_error(L, "newTiles: there must be at most %d kinds, got %d", (int)D2_TILE_KINDS, (int)kinds);
	struct d2_tile_kind *list = userdata_create(L, (kinds + (size_t)1) * sizeof *list);
	for (uint32_t i = 0; i < kinds; ++i)
		kind_read(L, own, i, &list[i]);
	const uint16_t *values = cells_read(L, own, kinds);
	struct d2_tiles_input input = {.columns = own->columns,
		.rows = own->rows,
		.cell_size = (float)own->cells.cell_size,
		.corner = {(float)own->corner[0], (float)own->corner[1]},
		.kind_count = kinds,
		.kinds = list};
	struct d2_shape *shapes[CELL_GROUPS] = {NULL};
	own->cells.groups[CELLS_SOLID] = true; /* the collider of the others' handle */
	for (int i = 0; i < CELL_GROUPS; ++i)
		if (own->cells.groups[i]) {
			input.group = (enum cell_group)i;
			shapes[i] = tiles_make(L, &input, values, shape_slot(i));
			cells_collider(&own->cells, i, shapes[i], inputs);
		}
	d2_tiles_join(shapes);
}

static int new_tiles(lua_State *L)
{
	static const struct collider_source source = {.function = "newTiles",
		.set = OPTIONS_TILES,
		.body_must = "tiles are for static and kinematic bodies, and this one is dynamic",
		.open = cells_open,
		.option = tiles_option,
		.shapes = tiles_shapes};
	struct tiles_own own = {.cells = {.function = "newTiles", .axes = 2, .cell_size = 1}};
	return collider_new(L, &source, &own);
}

/* --- Cells ---------------------------------------------------------------------------------------------------------------- */

/* Checks for a collider of tiles. */
static struct world_object *check_tiles(
	lua_State *L, const char *function, bool change, uint32_t *id, const struct d2_shape **shape)
{
	struct world_object *object = check_reference_of(L, function, &class_collider, id);
	if (change)
		check_unlocked(L, object, function);
	*shape = object->world->colliders.data[*id].shape;
	if ((*shape)->tiles == NULL)
		raise_error(L, "%s: the collider must be one of newTiles, and this one is a %s", function, d2_shape_type_name(*shape));
	return object;
}

static uint32_t check_column(lua_State *L, int index, const char *function, const char *name, const struct d2_shape *shape)
{
	return (uint32_t)value_integer(L, index, PATH(function, name), 1, d2_tiles_columns(shape)) - 1;
}

static uint32_t check_row(lua_State *L, int index, const char *function, const char *name, const struct d2_shape *shape)
{
	return (uint32_t)value_integer(L, index, PATH(function, name), 1, d2_tiles_rows(shape)) - 1;
}

/* The words for orientations: mirrored first, then turned counter-clockwise. */
static const char *const flag_names[8] = {
	NULL, "turn90", "turn180", "turn270", "flipX", "flipX turn90", "flipY", "flipX turn270"};

struct turns {
	uint32_t count, mirrored;
};

/* Turns or flips the cell once more. */
static void turns_add(void *orientation, int word)
{
	struct turns *turns = orientation;
	if (word < 3) {
		turns->count += (uint32_t)word + 1;
	} else { /* a mirror image turns the other way; flipY is flipX turned by half */
		turns->count = (word == 4 ? 6 : 4) - turns->count % 4;
		turns->mirrored ^= 1;
	}
}

static uint16_t check_flags(lua_State *L, int index, const char *function)
{
	static const char *const words[] = {"turn90", "turn180", "turn270", "flipX", "flipY"};
	struct turns turns = {0, 0};
	cells_flags(L, index, function, words, LENGTH(words),
		"be words with spaces between them, of \"flipX\", \"flipY\", \"turn90\", \"turn180\" and \"turn270\"", turns_add,
		&turns);
	return (uint16_t)(turns.mirrored << 15 | turns.count % 4 << D2_TILE_TURN_SHIFT);
}

static int push_cell(lua_State *L, const struct d2_shape *shape, uint32_t i, uint32_t j)
{
	uint16_t value = d2_tiles_value(shape, i, j);
	lua_pushinteger(L, d2_tile_kind(value));
	if (flag_names[value >> D2_TILE_TURN_SHIFT])
		lua_pushstring(L, flag_names[value >> D2_TILE_TURN_SHIFT]);
	else
		lua_pushnil(L);
	materials_push_name(L, d2_tiles_kind_name(shape, d2_tile_kind(value)));
	return 3;
}

static int edit_run(lua_State *L, const char *function, int kind, struct d2_cells cells, uint32_t id,
	const struct world_object *object, const struct d2_shape *shape)
{
	uint32_t most = d2_tiles_kind_count(shape);
	uint16_t value = (uint16_t)value_integer(L, kind, PATH(function, "kind"), 0, most);
	uint16_t flags = check_flags(L, kind + 1, function);
	const struct d2_tiles_edit edit = {cells, NULL, (uint16_t)(value > 0 ? value | flags : 0)};
	if (!d2_collider_edit_tiles(object->world, id, &edit))
		raise_memory(L, function);
	return 0;
}

static int set_cell(lua_State *L)
{
	uint32_t id;
	const struct d2_shape *shape;
	const struct world_object *object = check_tiles(L, "setCell", true, &id, &shape);
	uint32_t i = check_column(L, 2, "setCell", "i", shape), j = check_row(L, 3, "setCell", "j", shape);
	return edit_run(L, "setCell", 4, (struct d2_cells){i, j, i, j}, id, object, shape);
}

static int fill_cells(lua_State *L)
{
	uint32_t id;
	const struct d2_shape *shape;
	const struct world_object *object = check_tiles(L, "fillCells", true, &id, &shape);
	uint32_t i1 = check_column(L, 2, "fillCells", "i1", shape), j1 = check_row(L, 3, "fillCells", "j1", shape);
	uint32_t i2 = check_column(L, 4, "fillCells", "i2", shape), j2 = check_row(L, 5, "fillCells", "j2", shape);
	if (i2 < i1 || j2 < j1)
		raise_error(L, "fillCells: i2 and j2 must be at least i1 and j1, got %d, %d and %d, %d", (int)i2 + 1, (int)j2 + 1,
			(int)i1 + 1, (int)j1 + 1);
	return edit_run(L, "fillCells", 6, (struct d2_cells){i1, j1, i2, j2}, id, object, shape);
}

static int get_cell(lua_State *L)
{
	uint32_t id;
	const struct d2_shape *shape;
	check_tiles(L, "getCell", false, &id, &shape);
	uint32_t i = check_column(L, 2, "getCell", "i", shape), j = check_row(L, 3, "getCell", "j", shape);
	return push_cell(L, shape, i, j);
}

/* Returns column, row, and what getCell returns. */
static int push_place(lua_State *L, const struct d2_shape *shape, uint32_t i, uint32_t j)
{
	lua_pushinteger(L, (lua_Integer)i + 1);
	lua_pushinteger(L, (lua_Integer)j + 1);
	return 2 + push_cell(L, shape, i, j);
}

static int cell_at(lua_State *L)
{
	uint32_t id, i, j;
	const struct d2_shape *shape;
	const struct world_object *object = check_tiles(L, "cellAt", false, &id, &shape);
	static const char *const names[] = {"x", "y"};
	struct d2_vec_d point = check_vector(L, 2, "cellAt", names);
	struct d2_pose pose = d2_body_pose(object->world, object->world->colliders.data[id].body);
	struct d2_vec_d local = d2_inv_rotate_d(pose.q, (struct d2_vec_d){point.x - pose.x, point.y - pose.y});
	return d2_tiles_cell_at(shape, local, &i, &j) ? push_place(L, shape, i, j) : 0;
}

static int cell_of(lua_State *L)
{
	uint32_t id;
	const struct d2_shape *shape;
	check_tiles(L, "cellOf", false, &id, &shape);
	uint32_t columns = d2_tiles_columns(shape), rows = d2_tiles_rows(shape);
	uint32_t part = (uint32_t)value_integer(L, 2, PATH("cellOf", "part"), 1, (int64_t)columns * rows) - 1;
	return push_place(L, shape, part % columns, part / columns);
}

static int get_byte_count(lua_State *L)
{
	uint32_t id;
	const struct d2_shape *shape;
	check_tiles(L, "getByteCount", false, &id, &shape);
	lua_pushinteger(L, (lua_Integer)d2_shape_bytes(shape));
	return 1;
}

const luaL_Reg d2_tiles_body_methods[] = {
	{"newTiles", new_tiles},
	{NULL, NULL},
};

const luaL_Reg d2_tiles_methods[] = {
	{"setCell", set_cell},
	{"getCell", get_cell},
	{"fillCells", fill_cells},
	{"cellAt", cell_at},
	{"cellOf", cell_of},
	{"getByteCount", get_byte_count},
	{NULL, NULL},
};
