/* materials.c - surface materials of single triangles or cells. */
#include "bind/geometry/toolbox.h"

#include <string.h>

/* Reads the velocity at stack index `list`. */
static void read_velocity(lua_State *L, int list, struct path path, struct d3_vec *out)
{
	float numbers[3];
	if (value_list(L, list, &path) != 3)
		raise_value(L, list, &path, "be a list {x, y, z}");
	for (int i = 0; i < 3; ++i) {
		lua_rawgeti(L, list, i + 1);
		path.element = i + 1;
		numbers[i] = (float)value_number(L, -1, &path, &range_velocity);
		lua_pop(L, 1);
	}
	*out = (struct d3_vec){numbers[0], numbers[1], numbers[2]};
}

struct material_input {
	struct d3_material material;
	int velocity; /* stack index */
};

static void read_material(lua_State *L, const char *function, int entry, struct d3_material *out)
{
	/* In the order of the bits D3_HAS_*. */
	static const struct field fields[] = {
		{"friction", FIELD_FLOAT, offsetof(struct material_input, material.friction), &range_coefficient},
		{"restitution", FIELD_FLOAT, offsetof(struct material_input, material.restitution), &range_coefficient},
		{"rollingResistance", FIELD_FLOAT, offsetof(struct material_input, material.rolling_resistance), &range_coefficient},
		{"tangentVelocity", FIELD_VALUE, offsetof(struct material_input, velocity), NULL},
	};
	int top = lua_gettop(L);
	struct path path = {function, "materials", entry, "", 0};
	struct material_input input = {.velocity = top + 1};
	if (lua_isnil(L, top))
		raise_value(L, top, &path, "be a table");
	lua_pushnil(L);
	input.material.has = (uint8_t)fields_read(L, top, &path, fields, LENGTH(fields), &input);
	path.name = "tangentVelocity";
	if (input.material.has & D3_HAS_TANGENT_VELOCITY)
		read_velocity(L, input.velocity, path, &input.material.tangent_velocity);
	lua_settop(L, top);
	*out = input.material;
}

void materials_read(
	lua_State *L, const char *function, int list, const char *name, int of, uint32_t count, struct d3_materials *out)
{
	*out = (struct d3_materials){0};
	if (lua_isnil(L, list) != lua_isnil(L, of))
		raise_error(L, "%s: materials and %s must be given together", function, name);
	if (lua_isnil(L, list))
		return;
	out->count = value_list(L, list, PATH(function, "materials"));
	uint32_t numbers = value_list(L, of, PATH(function, name));
	if (out->count > D3_MATERIALS_MAXIMUM)
		raise_error(L, "%s: there must be at most %d materials, got %d", function, (int)D3_MATERIALS_MAXIMUM, (int)out->count);
	if (numbers != count)
		raise_error(L, "%s: %s must have a number for each, %d, got %d", function, name, (int)count, (int)numbers);
	out->list = userdata_create(L, (out->count + (size_t)1) * sizeof *out->list);
	out->of = userdata_create(L, count);
	for (uint32_t i = 0; i < out->count; ++i) {
		lua_rawgeti(L, list, (int)i + 1);
		read_material(L, function, (int)i + 1, &out->list[i]);
		lua_pop(L, 1);
	}
	for (uint32_t i = 0; i < count; ++i) {
		struct path path = {function, NULL, 0, name, (int)i + 1};
		lua_rawgeti(L, of, (int)i + 1);
		out->of[i] = (uint8_t)value_integer(L, -1, &path, 0, out->count);
		lua_pop(L, 1);
	}
}
