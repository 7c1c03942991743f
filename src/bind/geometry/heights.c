/* heights.c - height maps as immutable values, in 2D and 3D: the heights are stored in the userdata itself. */
#include "bind/geometry/toolbox.h"
#include "spatial/heights.h"

#include <stddef.h>

const struct class class_heightmap = {"heightmap", SHARED_HEIGHTMAP, false, 0, NULL};

struct heightmap_object {
	const struct class *class;
	int axes;
	uint32_t columns, rows; /* rows: 1 in 2D */
	double x, z, cell_width, cell_depth;
	double heights[];
};

enum { HEIGHTS_MAXIMUM = 1 << 24 };

static const struct range range_side = {2, HEIGHTS_MAXIMUM, NULL};

/* The options of 2D height maps come first, then those added by 3D height maps, then those added by height fields. */
static const struct option_member heights_fields[HEIGHT_FIELD_FIELDS] = {
	{"heights", FIELD_VALUE, offsetof(struct heights_input, list), NULL},
	{"cellWidth", FIELD_NUMBER, offsetof(struct heights_input, cell_width), &range_length},
	{"x", FIELD_NUMBER, offsetof(struct heights_input, x), &range_position},
	{"columns", FIELD_INTEGER, offsetof(struct heights_input, columns), &range_side},
	{"rows", FIELD_INTEGER, offsetof(struct heights_input, rows), &range_side},
	{"cellDepth", FIELD_NUMBER, offsetof(struct heights_input, cell_depth), &range_length},
	{"z", FIELD_NUMBER, offsetof(struct heights_input, z), &range_position},
	{"oneSided", FIELD_BOOLEAN, offsetof(struct heights_input, one_sided), NULL},
	{"holes", FIELD_VALUE, offsetof(struct heights_input, holes), NULL},
	{"materials", FIELD_VALUE, offsetof(struct heights_input, materials), NULL},
	{"cellMaterials", FIELD_VALUE, offsetof(struct heights_input, cell_materials), NULL},
};

static void check_given(lua_State *L, const char *function, bool given, const char *name)
{
	if (!given)
		raise_error(L, "%s: %s must be given", function, name);
}

/* Sets and checks columns and rows. count: the length of the list of heights. */
static void check_counts(lua_State *L, const char *function, int axes, struct heights_input *input, uint32_t count)
{
	check_given(L, function, input->cell_width > 0, "cellWidth");
	if (axes == 2) {
		input->columns = input->columns ? input->columns : count;
		input->rows = 1;
	} else {
		check_given(L, function, input->cell_depth > 0, "cellDepth");
		check_given(L, function, input->columns > 0, "columns");
		check_given(L, function, input->rows > 0, "rows");
	}
	if (count < 2 || count > HEIGHTS_MAXIMUM || (uint64_t)input->columns * input->rows != count)
		raise_error(L,
			axes == 2 ? "%s: there must be columns heights, at least 2 and at most %d, got %d"
					  : "%s: there must be columns * rows heights, at most %d, got %d",
			function, (int)HEIGHTS_MAXIMUM, (int)count);
}

uint32_t heights_parse(lua_State *L, const char *function, size_t fields, struct heights_input *input)
{
	lua_settop(L, 1);
	if (lua_isnil(L, 1))
		raise_value(L, 1, PATH(function, "options"), "be a table");
	lua_settop(L, 5);
	*input = (struct heights_input){.list = 2, .holes = 3, .materials = 4, .cell_materials = 5};
	fields_read(L, 1, PATH(function, "options"), heights_fields, fields, input);
	uint32_t count = value_list(L, input->list, PATH(function, "heights"));
	check_counts(L, function, fields == D2_HEIGHTMAP_FIELDS ? 2 : 3, input, count);
	return count;
}

int make_heightmap(lua_State *L)
{
	struct heights_input input;
	int axes = lua_tointeger(L, lua_upvalueindex(2)) == 2 ? 2 : 3;
	uint32_t count = heights_parse(L, "heightmap", axes == 2 ? D2_HEIGHTMAP_FIELDS : D3_HEIGHTMAP_FIELDS, &input);
	struct heightmap_object *object =
		object_create(L, offsetof(struct heightmap_object, heights) + count * sizeof(double), &class_heightmap);
	*object = (struct heightmap_object){
		&class_heightmap, axes, input.columns, input.rows, input.x, input.z, input.cell_width, input.cell_depth};
	points_read(L, input.list, "heightmap", "heights", &range_local, count, object->heights);
	return 1;
}

static const struct heightmap_object *check_self(lua_State *L, const char *function)
{
	const struct heightmap_object *object = lua_touserdata(L, 1);
	if (object == NULL || lua_rawlen(L, 1) <= sizeof *object || object->class != &class_heightmap)
		raise_self(L, function, "a heightmap");
	return object;
}

static int height_at(lua_State *L)
{
	static const char *const surfaces[] = {"bilinear", "triangles", NULL};
	const struct heightmap_object *object = check_self(L, "heightAt");
	double y, normal[3], x = arg_number(L, 2, "heightAt", "x", &range_position);
	struct heights field = {
		object->x, object->z, object->cell_width, object->cell_depth, object->columns, object->rows, object->heights};
	bool inside;
	if (object->axes == 2) {
		inside = heights_at_2d(&field, x, &y, normal);
	} else {
		double z = arg_number(L, 3, "heightAt", "z", &range_position);
		bool triangles = !lua_isnoneornil(L, 4) &&
			value_choice(L, 4, PATH("heightAt", "surface"), surfaces, "be \"bilinear\" or \"triangles\"") == 1;
		inside = heights_at_3d(&field, x, z, triangles, &y, normal);
	}
	if (!inside)
		return 0;
	lua_pushnumber(L, y);
	return 1 + push_numbers(L, object->axes, normal);
}

static int heightmap_tostring(lua_State *L)
{
	const struct heightmap_object *object = check_self(L, "tostring");
	if (object->axes == 2)
		lua_pushfstring(L, "heightmap (%d)", (int)object->columns);
	else
		lua_pushfstring(L, "heightmap (%d x %d)", (int)object->columns, (int)object->rows);
	return 1;
}

const luaL_Reg heightmap_methods[] = {
	{"heightAt", height_at},
	{NULL, NULL},
};

const luaL_Reg heightmap_metamethods[] = {
	{"__tostring", heightmap_tostring},
	{NULL, NULL},
};
