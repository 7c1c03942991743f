/* property.c - see property.h. The row is upvalue 3 of its methods. */
#include "bind/lua/property.h"

void property_push_choice(lua_State *L, const struct choices *choices, uint8_t number)
{
	if (number > 0)
		lua_pushstring(L, choices->names[number - 1]);
	else
		lua_pushnil(L);
}

uint8_t property_choice(lua_State *L, int index, const struct path *path, const struct choices *choices)
{
	return (uint8_t)(1 + value_choice(L, index, path, choices->names, choices->must));
}

static int property_get(lua_State *L)
{
	const struct property *row = upvalue_address(L, 3);
	uint32_t id;
	const struct world_object *object = row->check(L, row->get, &id);
	const void *value = row->at(object, id, row->offset);
	switch (row->type) {
	case PROPERTY_FLOAT: lua_pushnumber(L, *(const float *)value); break;
	case PROPERTY_DOUBLE: lua_pushnumber(L, *(const double *)value); break;
	case PROPERTY_BOOLEAN: lua_pushboolean(L, *(const bool *)value); break;
	case PROPERTY_INTEGER: lua_pushinteger(L, *(const int *)value); break;
	case PROPERTY_CHOICE: lua_pushstring(L, row->choices->names[*(const int *)value]); break;
	case PROPERTY_CHOICE_OR_NIL: property_push_choice(L, row->choices, *(const uint8_t *)value); break;
	case PROPERTY_UINT32: lua_pushinteger(L, *(const uint32_t *)value); break;
	case PROPERTY_UINT64: lua_pushinteger(L, (lua_Integer) * (const uint64_t *)value); break;
	case PROPERTY_IDS: lua_pushinteger(L, ids_count(value)); break;
	}
	return 1;
}

static int property_set(lua_State *L)
{
	const struct property *row = upvalue_address(L, 3);
	if (row->set == NULL)
		raise_error(L, "collide: a function has lost its upvalue");
	const struct path *path = PATH(row->set, row->argument);
	uint32_t id;
	struct world_object *object = row->check(L, row->set, &id);
	check_unlocked(L, object, row->set);
	if (row->reserve && !row->reserve(object, id))
		raise_memory(L, row->set);
	void *value = row->at(object, id, row->offset);
	switch (row->type) {
	case PROPERTY_FLOAT: *(float *)value = (float)value_number(L, 2, path, row->range); break;
	case PROPERTY_BOOLEAN: *(bool *)value = value_boolean(L, 2, path); break;
	case PROPERTY_INTEGER:
		*(int *)value = (int)value_integer(L, 2, path, (int64_t)row->range->low, (int64_t)row->range->high);
		break;
	case PROPERTY_CHOICE: *(int *)value = value_choice(L, 2, path, row->choices->names, row->choices->must); break;
	case PROPERTY_CHOICE_OR_NIL: *(uint8_t *)value = lua_isnil(L, 2) ? 0 : property_choice(L, 2, path, row->choices); break;
	case PROPERTY_DOUBLE:
	case PROPERTY_UINT32:
	case PROPERTY_UINT64:
	case PROPERTY_IDS: break;
	}
	if (row->changed)
		row->changed(object, id);
	return 0;
}

void properties_register(lua_State *L, int shared, const struct class *class, const struct property *properties)
{
	for (const struct property *row = properties; row->get; ++row) {
		if (row->only && row->only != class)
			continue;
		method_register(L, shared, class, row, property_get, row->get);
		if (row->set)
			method_register(L, shared, class, row, property_set, row->set);
	}
}
