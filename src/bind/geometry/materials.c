/* materials.c - surface materials of colliders and of parts of shapes, and their names. A material has the name's number; the
 * names of a Lua state are in its table SHARED_MATERIALS, which has each name under its number, and each number under its
 * name. */
#include "bind/geometry/materials.h"

/* --- Names ---------------------------------------------------------------------------------------------------------------- */

uint16_t materials_name(lua_State *L, int index, const struct path *path, bool known)
{
	int top = lua_gettop(L);
	if (lua_type(L, index) != LUA_TSTRING)
		raise_value(L, index, path, "be a string");
	value_name(L, index, path);
	shared_push(L, SHARED_MATERIALS);
	lua_pushvalue(L, index);
	lua_rawget(L, top + 1);
	int number = (int)lua_tointeger(L, -1);
	if (number == 0) {
		if (known)
			raise_error(L, "%s: the options were changed by a finalizer", path->function);
		number = (int)lua_rawlen(L, top + 1) + 1;
		if (number > UINT16_MAX)
			raise_error(L, "%s: there must be at most %d names of materials", path->function, (int)UINT16_MAX);
		lua_pushvalue(L, index);
		lua_rawseti(L, top + 1, number);
		lua_pushvalue(L, index);
		lua_pushinteger(L, number);
		lua_rawset(L, top + 1);
	}
	lua_settop(L, top);
	return (uint16_t)number;
}

void materials_push_name(lua_State *L, uint16_t name)
{
	shared_push(L, SHARED_MATERIALS);
	lua_rawgeti(L, -1, name);
	lua_remove(L, -2);
}

/* --- Reading -------------------------------------------------------------------------------------------------------------- */

void materials_set_velocity(struct material *material, const double velocity[3])
{
	struct d3_vec v = {(float)velocity[0], (float)velocity[1], (float)velocity[2]};
	material->tangent_speed = d3_length(v);
	material->tangent_velocity[0] = v.x;
	material->tangent_velocity[1] = v.y;
	material->tangent_velocity[2] = v.z;
}

void materials_tangent(lua_State *L, const struct path *path, int axes, struct material *material)
{
	double velocity[3];
	if (axes == 2) {
		material->tangent_speed = (float)value_number(L, -1, path, &range_velocity);
		return;
	}
	value_vector(L, lua_gettop(L), *path, &range_velocity, 3, velocity);
	materials_set_velocity(material, velocity);
}

/* Members after the material: stack indices. */
struct material_input {
	struct material material;
	int tangent, name, friction_mixing, restitution_mixing;
};

#define MATERIAL_FIELDS(tangent_name)                                                                                \
	{                                                                                                                \
		{"friction", FIELD_FLOAT, offsetof(struct material_input, material.friction), &range_coefficient},           \
			{"restitution", FIELD_FLOAT, offsetof(struct material_input, material.restitution), &range_coefficient}, \
			{"rollingResistance", FIELD_FLOAT, offsetof(struct material_input, material.rolling_resistance),         \
				&range_coefficient},                                                                                 \
			{tangent_name, FIELD_VALUE, offsetof(struct material_input, tangent), NULL},                             \
			{"name", FIELD_VALUE, offsetof(struct material_input, name), NULL},                                      \
			{"frictionMixing", FIELD_VALUE, offsetof(struct material_input, friction_mixing), NULL},                 \
			{"restitutionMixing", FIELD_VALUE, offsetof(struct material_input, restitution_mixing), NULL},           \
	}

/* In the order of the bits MATERIAL_*; 2D, 3D. */
static const struct option_member material_fields[2][7] = {MATERIAL_FIELDS("tangentSpeed"), MATERIAL_FIELDS("tangentVelocity")};

struct material materials_read_one(lua_State *L, const struct path *table, int axes, bool known)
{
	int top = lua_gettop(L);
	struct path path = *table;
	struct material_input input = {
		.tangent = top + 1, .name = top + 2, .friction_mixing = top + 3, .restitution_mixing = top + 4};
	struct material *material = &input.material;
	if (lua_isnil(L, top))
		raise_value(L, top, &path, "be a table");
	luaL_checkstack(L, 16, path.function);
	lua_settop(L, top + 4);
	const struct option_member *fields = material_fields[axes - 2];
	material->has = (uint8_t)fields_read(L, top, &path, fields, LENGTH(material_fields[0]), &input);
	if (material->has & MATERIAL_RESTITUTION_MIXING) {
		path.name = "restitutionMixing";
		material->restitution_mixing = property_choice(L, input.restitution_mixing, &path, &mixing_choices);
	}
	if (material->has & MATERIAL_FRICTION_MIXING) {
		path.name = "frictionMixing";
		material->friction_mixing = property_choice(L, input.friction_mixing, &path, &mixing_choices);
	}
	if (material->has & MATERIAL_NAME) {
		path.name = "name";
		material->name = materials_name(L, input.name, &path, known);
	}
	if (material->has & MATERIAL_TANGENT) {
		path.name = axes == 2 ? "tangentSpeed" : "tangentVelocity";
		lua_settop(L, input.tangent);
		materials_tangent(L, &path, axes, material);
	}
	lua_settop(L, top);
	return *material;
}

void materials_read(
	lua_State *L, const char *function, int axes, int list, const char *name, int of, uint32_t count, struct materials *out)
{
	*out = (struct materials){0};
	if (lua_isnil(L, list) != lua_isnil(L, of))
		raise_error(L, "%s: materials and %s must be given together", function, name);
	if (lua_isnil(L, list))
		return;
	out->count = value_list(L, list, PATH(function, "materials"));
	uint32_t numbers = value_list(L, of, PATH(function, name));
	if (out->count > MATERIALS_MAXIMUM)
		raise_error(L, "%s: there must be at most %d materials, got %d", function, (int)MATERIALS_MAXIMUM, (int)out->count);
	if (numbers != count)
		raise_error(L, "%s: %s must have a number for each, %d, got %d", function, name, (int)count, (int)numbers);
	out->list = userdata_create(L, (out->count + (size_t)1) * sizeof *out->list);
	out->of = userdata_create(L, count);
	for (uint32_t i = 0; i < out->count; ++i) {
		lua_rawgeti(L, list, (int)i + 1);
		out->list[i] = materials_read_one(L, &(struct path){function, "materials", (int)i + 1, "", 0}, axes, false);
		lua_pop(L, 1);
	}
	for (uint32_t i = 0; i < count; ++i) {
		struct path path = {function, NULL, 0, name, (int)i + 1};
		lua_rawgeti(L, of, (int)i + 1);
		out->of[i] = (uint8_t)value_integer(L, -1, &path, 0, out->count);
		lua_pop(L, 1);
	}
}

/* --- Results -------------------------------------------------------------------------------------------------------------- */

int materials_push(lua_State *L, int axes, const struct material *material)
{
	const float numbers[] = {material->friction, material->restitution, material->rolling_resistance};
	for (int i = 0; i < 3; ++i)
		if (material->has & 1 << i)
			lua_pushnumber(L, numbers[i]);
		else
			lua_pushnil(L);
	for (int i = 0; i < (axes == 2 ? 1 : 3); ++i)
		if (material->has & MATERIAL_TANGENT)
			lua_pushnumber(L, axes == 2 ? material->tangent_speed : material->tangent_velocity[i]);
		else
			lua_pushnil(L);
	materials_push_name(L, material->name);
	property_push_choice(L, &mixing_choices, material->friction_mixing);
	property_push_choice(L, &mixing_choices, material->restitution_mixing);
	return axes == 2 ? 7 : 9;
}
