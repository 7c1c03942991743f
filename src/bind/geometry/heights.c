/* heights.c - height maps as immutable values, in 2D and 3D: the heights are stored in the userdata itself. */
#include "bind/geometry/toolbox.h"
#include "d2/query/heights.h"
#include "d3/query/heights.h"

#include <stddef.h>

const struct class class_heightmap = {"heightmap", SHARED_HEIGHTMAP, 0, 0, NULL};

struct heightmap_object {
	const struct class *class;
	int axes;
	uint32_t columns, rows; /* rows: 1 in 2D */
	double x, z, cell_width, cell_depth;
	double heights[];
};

enum { HEIGHTS_MAXIMUM = 1 << 24 };

static void keep_list(lua_State *L, int place)
{
	lua_pushvalue(L, -1);
	lua_replace(L, place);
}

/* The 2D keys come first, so that the option numbers of all sets agree. */
static void read_option(lua_State *L, int option, const struct path *path, struct heights_input *input)
{
	switch (option) {
	case HEIGHTMAP_HEIGHTS: keep_list(L, input->list); break;
	case HEIGHTMAP_CELL_WIDTH: input->cell_width = value_number(L, -1, path, &range_length); break;
	case HEIGHTMAP_X: input->x = value_number(L, -1, path, &range_position); break;
	case HEIGHTMAP_COLUMNS: input->columns = value_integer(L, -1, path, 2, HEIGHTS_MAXIMUM); break;
	case HEIGHTMAP_ROWS: input->rows = value_integer(L, -1, path, 2, HEIGHTS_MAXIMUM); break;
	case HEIGHTMAP_CELL_DEPTH: input->cell_depth = value_number(L, -1, path, &range_length); break;
	case HEIGHTMAP_Z: input->z = value_number(L, -1, path, &range_position); break;
	case HEIGHT_FIELD_ONE_SIDED: input->one_sided = value_boolean(L, -1, path); break;
	case HEIGHT_FIELD_HOLES: keep_list(L, input->holes); break;
	case HEIGHT_FIELD_MATERIALS: keep_list(L, input->materials); break;
	case HEIGHT_FIELD_CELL_MATERIALS: keep_list(L, input->cell_materials); break;
	}
}

static void check_given(lua_State *L, const char *function, bool given, const char *name)
{
	if (!given)
		raise(L, "%s: %s must be given", function, name);
}

/* Fills in and checks the counts; `count`: the length of the list. */
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
	if (count < 2 || count > HEIGHTS_MAXIMUM || input->columns * input->rows != count)
		raise(L,
			axes == 2 ? "%s: there must be columns heights, at least 2 and at most %d, got %d"
					  : "%s: there must be columns * rows heights, at most %d, got %d",
			function, (int)HEIGHTS_MAXIMUM, (int)count);
}

uint32_t heights_parse(lua_State *L, const char *function, enum option_set set, struct heights_input *input)
{
	int axes = set == OPTIONS_HEIGHTMAP_IN_PLANE ? 2 : 3;
	lua_settop(L, 1);
	lua_settop(L, 5);
	*input = (struct heights_input){.list = 2, .holes = 3, .materials = 4, .cell_materials = 5};
	struct options options = {.function = function, .set = set};
	options_begin(L, &options, 1, "options");
	for (int option; (option = options_next(L, &options)) != 0;) {
		struct path path = options_path(&options);
		read_option(L, option, &path, input);
	}
	uint32_t count = value_list(L, input->list, PATH(function, "heights"));
	check_counts(L, function, axes, input, count);
	return count;
}

int make_heightmap(lua_State *L)
{
	struct heights_input input;
	int axes = lua_tointeger(L, lua_upvalueindex(2)) == 2 ? 2 : 3;
	uint32_t count = heights_parse(L, "heightmap", axes == 2 ? OPTIONS_HEIGHTMAP_IN_PLANE : OPTIONS_HEIGHTMAP_IN_SPACE, &input);
	struct heightmap_object *object = userdata_create(L, offsetof(struct heightmap_object, heights) + count * sizeof(double));
	*object = (struct heightmap_object){&class_heightmap, axes, (uint32_t)input.columns, (uint32_t)input.rows, input.x, input.z,
		input.cell_width, input.cell_depth};
	points_read(L, input.list, "heightmap", "heights", &range_local, count, object->heights);
	shared_push(L, SHARED_HEIGHTMAP);
	lua_setmetatable(L, -2);
	return 1;
}

static const struct heightmap_object *check_self(lua_State *L, const char *function)
{
	const struct heightmap_object *object = lua_touserdata(L, 1);
	if (object == NULL || lua_rawlen(L, 1) <= sizeof *object || object->class != &class_heightmap) {
		char text[VALUE_TEXT];
		raise(L, "%s: expected a heightmap, got %s; methods are called with ':'", function, value_text(L, 1, text));
	}
	return object;
}

static int height_at(lua_State *L)
{
	static const char *const surfaces[] = {"bilinear", "triangles", NULL};
	const struct heightmap_object *object = check_self(L, "heightAt");
	double y, normal[3], x = arg_number(L, 2, "heightAt", "x", &range_position);
	bool inside;
	if (object->axes == 2) {
		struct d2_height height = {object->x, object->cell_width, object->columns, object->heights};
		inside = d2_height_at(&height, x, &y, normal);
	} else {
		struct d3_height height = {
			object->x, object->z, object->cell_width, object->cell_depth, object->columns, object->rows, object->heights};
		double z = arg_number(L, 3, "heightAt", "z", &range_position);
		bool triangles = !lua_isnoneornil(L, 4) &&
			value_choice(L, 4, PATH("heightAt", "surface"), surfaces, "be \"bilinear\" or \"triangles\"") == 1;
		inside = d3_height_at(&height, x, z, triangles, &y, normal);
	}
	if (!inside)
		return 0;
	lua_pushnumber(L, y);
	for (int i = 0; i < object->axes; ++i)
		lua_pushnumber(L, normal[i]);
	return 1 + object->axes;
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
