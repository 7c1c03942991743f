/* property.c - see property.h. The row is upvalue 2 of its methods. */
#include "bind/lua/property.h"

/* The debug library can take upvalues away. */
static const struct property *upvalue_row(lua_State *L)
{
	if (!lua_islightuserdata(L, lua_upvalueindex(2)))
		raise(L, "collide: a function has lost its upvalue");
	return lua_touserdata(L, lua_upvalueindex(2));
}

static int property_get(lua_State *L)
{
	const struct property *row = upvalue_row(L);
	uint32_t id;
	const struct world_object *object = row->check(L, row->get, &id);
	const void *value = row->type == PROPERTY_COUNT ? NULL : row->at(object, id, row->offset);
	switch (row->type) {
	case PROPERTY_FLOAT: lua_pushnumber(L, *(const float *)value); break;
	case PROPERTY_BOOLEAN: lua_pushboolean(L, *(const bool *)value); break;
	case PROPERTY_INTEGER: lua_pushinteger(L, *(const int *)value); break;
	case PROPERTY_COUNT: lua_pushinteger(L, (lua_Integer)row->count(object)); break;
	}
	return 1;
}

static int property_set(lua_State *L)
{
	const struct property *row = upvalue_row(L);
	if (row->set == NULL)
		raise(L, "collide: a function has lost its upvalue");
	const struct path *path = PATH(row->set, row->argument);
	uint32_t id;
	struct world_object *object = row->check_change(L, row->set, &id);
	void *value = row->at(object, id, row->offset);
	switch (row->type) {
	case PROPERTY_FLOAT: *(float *)value = (float)value_number(L, 2, path, row->range); break;
	case PROPERTY_BOOLEAN: *(bool *)value = value_boolean(L, 2, path); break;
	case PROPERTY_INTEGER:
		*(int *)value = (int)value_integer(L, 2, path, (int64_t)row->range->low, (int64_t)row->range->high);
		break;
	case PROPERTY_COUNT: break;
	}
	if (row->changed)
		row->changed(object, id);
	return 0;
}

static void method_register(lua_State *L, int shared, const struct property *row, lua_CFunction function, const char *name)
{
	lua_pushvalue(L, shared);
	lua_pushlightuserdata(L, (void *)row);
	lua_pushcclosure(L, function, 2);
	lua_setfield(L, -2, name);
}

void properties_register(lua_State *L, int shared, const struct property *properties)
{
	for (const struct property *row = properties; row->get; ++row) {
		method_register(L, shared, row, property_get, row->get);
		if (row->set)
			method_register(L, shared, row, property_set, row->set);
	}
}
