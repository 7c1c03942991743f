/* cells.c - see cells.h. */
#include "bind/world/cells.h"

#include <string.h>

void cells_open(lua_State *L, void *own)
{
	const struct cells_own *cells = own;
	value_copy(L, AT_OPTIONS, AT_MORE);
	if (lua_isnil(L, AT_MORE))
		raise_value(L, AT_MORE, PATH(cells->function, "options"), "be a table");
}

struct kind_input {
	bool sensor;
	int name, shape, material, one_way; /* stack indices */
};

static bool normals_equal(const float a[3], const float b[3])
{
	return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Reads the normal of a one-way kind, and sets the group of those that have it. */
static void kind_one_way(lua_State *L, struct cells_own *own, int index, const struct path *path, struct cell_kind *kind)
{
	double given[3] = {0, 0, 0};
	float normal[3];
	value_vector(L, index, *path, &range_local, own->axes, given);
	one_way_normal(L, path, given, normal);
	if (kind->group == CELLS_SENSORS)
		raise_got(L, path, "not be given for a sensor", "one");
	int i = 0;
	while (i < CELL_NORMALS && own->groups[CELLS_ONE_WAY + i] && !normals_equal(normal, own->one_way[i]))
		++i;
	if (i == CELL_NORMALS)
		raise_got(L, path, "be one of at most 6 that kinds of a map have", "a seventh");
	kind->group = (uint8_t)(CELLS_ONE_WAY + i);
	memcpy(own->one_way[i], normal, sizeof normal);
}

int cells_kind_read(lua_State *L, struct cells_own *own, uint32_t i, struct cell_kind *kind, struct path *path)
{
	static const struct option_member fields[] = {{"name", FIELD_VALUE, offsetof(struct kind_input, name), NULL},
		{"shape", FIELD_VALUE, offsetof(struct kind_input, shape), NULL},
		{"material", FIELD_VALUE, offsetof(struct kind_input, material), NULL},
		{"sensor", FIELD_BOOLEAN, offsetof(struct kind_input, sensor), NULL},
		{"oneWay", FIELD_VALUE, offsetof(struct kind_input, one_way), NULL}};
	int top = lua_gettop(L);
	struct kind_input input = {false, top + 1, top + 2, top + 3, top + 4};
	char function[48];
	*path = (struct path){own->function, "kinds", (int)i + 1, "", 0};
	luaL_checkstack(L, 24, own->function);
	lua_settop(L, top + 4);
	lua_rawgeti(L, AT_NAME, (int)i + 1);
	if (lua_type(L, top + 5) != LUA_TTABLE)
		raise_value(L, top + 5, path, "be a table");
	fields_read(L, top + 5, path, fields, LENGTH(fields), &input);
	*kind = (struct cell_kind){.group = input.sensor ? CELLS_SENSORS : CELLS_SOLID};
	path->name = "name";
	value_name(L, input.name, path);
	if (!lua_isnil(L, input.name))
		kind->name = materials_name(L, input.name, path, false);
	path->name = "oneWay";
	if (!lua_isnil(L, input.one_way))
		kind_one_way(L, own, input.one_way, path, kind);
	own->groups[kind->group] = true;
	path->name = "material";
	if (!lua_isnil(L, input.material)) {
		lua_settop(L, input.material);
		if (lua_type(L, -1) != LUA_TTABLE)
			raise_value(L, input.material, path, "be a table");
		snprintf(function, sizeof function, "%s: kinds[%d].material", own->function, (int)i + 1);
		kind->material = materials_read_one(L, &(struct path){function, NULL, 0, "", 0}, own->axes, false);
	}
	lua_settop(L, input.shape);
	path->name = "shape";
	return input.shape;
}

void cells_collider(const struct cells_own *own, int group, const void *shape, struct collider_input inputs[COLLIDERS_AT_ONCE])
{
	struct collider_input *input = &inputs[group];
	*input = inputs[0];
	input->shape = shape;
	input->options.sensor |= group == CELLS_SENSORS;
	if (group < CELLS_ONE_WAY)
		return;
	input->options.one_way = true;
	memcpy(input->options.normal, own->one_way[group - CELLS_ONE_WAY], sizeof input->options.normal);
}

/* The number of the word; -1: none. */
static int word_find(const char *const *words, int count, const char *word, size_t length)
{
	for (int i = 0; i < count; ++i)
		if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0)
			return i;
	return -1;
}

void cells_flags(lua_State *L, int index, const char *function, const char *const *words, int count, const char *must,
	void (*turn)(void *orientation, int word), void *orientation)
{
	if (lua_isnoneornil(L, index))
		return;
	const char *text = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "?";
	while (*text) {
		size_t length = strcspn(text, " ");
		int word = word_find(words, count, text, length);
		if (word < 0)
			raise_value(L, index, PATH(function, "flags"), must);
		turn(orientation, word);
		text += length + strspn(text + length, " ");
	}
}
