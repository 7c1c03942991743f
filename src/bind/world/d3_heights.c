/* d3_heights.c - the heights of a collider that has a height field, which its methods read and change. */
#define AXES 3
#include "bind/geometry/wing.h"
#include "bind/world/dimension.h"
#include "d3/dynamics/heights.h"

/* Checks for a collider with a height field. */
static struct world_object *check_field(
	lua_State *L, const char *function, bool change, uint32_t *id, const struct d3_height_field **field)
{
	struct world_object *object = check_reference_of(L, function, &class_d3_collider, id);
	if (change)
		check_unlocked(L, object, function);
	const struct d3_shape *shape = object->world->colliders.data[*id].shape;
	*field = shape->height_field;
	if (*field == NULL)
		raise_error(L, "%s: the collider must have a height field, and this one is a %s", function, d3_shape_type_name(shape));
	return object;
}

static uint32_t check_column(lua_State *L, const char *function, const struct d3_height_field *field)
{
	return (uint32_t)value_integer(L, 2, PATH(function, "column"), 1, field->columns) - 1;
}

static uint32_t check_row(lua_State *L, const char *function, const struct d3_height_field *field)
{
	return (uint32_t)value_integer(L, 3, PATH(function, "row"), 1, field->rows) - 1;
}

static int get_height(lua_State *L)
{
	uint32_t id;
	const struct d3_height_field *field;
	check_field(L, "getHeight", false, &id, &field);
	uint32_t column = check_column(L, "getHeight", field), row = check_row(L, "getHeight", field);
	lua_pushnumber(L, (lua_Number)(field->heights[(size_t)row * field->columns + column] * field->rise));
	return 1;
}

/* Gives the collider a field of its own, if it has none: the shape stays what it is for all who have it. Leaves the stack. */
static void field_own(lua_State *L, const struct world_object *object, uint32_t id)
{
	const struct d3_shape *shape = object->world->colliders.data[id].shape;
	if (shape->height_field->own)
		return;
	struct memory *memory = d3_push_shape(L);
	struct d3_shape *copy = d3_height_field_copy(memory, shape);
	d3_give_shape(L, copy, "setHeights");
	attached_get(L, 1);
	lua_rawgeti(L, -1, ENV_SHAPES);
	d3_collider_own_heights(object->world, id, copy);
	lua_pushvalue(L, -3);
	lua_rawseti(L, -2, (int)id + 1);
	lua_pop(L, 3);
}

static int set_heights(lua_State *L)
{
	uint32_t id;
	const struct d3_height_field *field;
	const struct world_object *object = check_field(L, "setHeights", true, &id, &field);
	struct d3_heights_edit edit = {.column = check_column(L, "setHeights", field), .row = check_row(L, "setHeights", field)};
	edit.columns = (uint32_t)value_integer(L, 4, PATH("setHeights", "columns"), 1, field->columns - edit.column);
	edit.rows = (uint32_t)value_integer(L, 5, PATH("setHeights", "rows"), 1, field->rows - edit.row);
	uint32_t count = value_list(L, 6, PATH("setHeights", "heights")), wanted = edit.columns * edit.rows;
	if (count != wanted)
		raise_error(L, "setHeights: heights must have columns * rows numbers, %d, got %d", (int)wanted, (int)count);
	lua_settop(L, 6);
	float few[64], *heights = count <= LENGTH(few) ? few : userdata_create(L, count * sizeof *heights);
	points_read_floats(L, 6, "setHeights", "heights", count, heights);
	edit.heights = heights;
	field_own(L, object, id);
	d3_collider_edit_heights(object->world, id, &edit);
	return 0;
}

const luaL_Reg d3_heights_methods[] = {
	{"getHeight", get_height},
	{"setHeights", set_heights},
	{NULL, NULL},
};
