/* class.c - metatables: methods, and the field `data` that takes any value.
 * A table as __index cannot return `data` of the object indexed. A C function can, but costs about 20 ns more per method call.
 * So there are two metatables: that of objects whose data is nil has the table as __index, in which `data` is nil, too; that of
 * objects with data has the function. */
#include "bind/lua/property.h"
#include "bind/lua/words.h"

#include <string.h>

#define UPVALUE_METHODS lua_upvalueindex(2)

static bool is_data(lua_State *L, int index)
{
	return lua_type(L, index) == LUA_TSTRING && strcmp(lua_tostring(L, index), "data") == 0;
}

/* The first argument, as a body, collider, joint, field or mover. Raises for other values: the debug library can call a
 * metamethod with anything. */
static struct reference *check_any_reference(lua_State *L)
{
	struct reference *reference = object_test_any(L, 1, &class_body, sizeof *reference);
	if (reference == NULL)
		reference = object_test_any(L, 1, &class_collider, sizeof *reference);
	if (reference == NULL)
		reference = object_test_any(L, 1, &class_joint, sizeof *reference);
	if (reference == NULL)
		reference = object_test_any(L, 1, &class_field, sizeof *reference);
	if (reference == NULL)
		reference = object_test_any(L, 1, &class_mover, sizeof *reference);
	if (reference == NULL)
		raise_error(L, "expected a body, a collider, a joint, a field or a mover");
	return reference;
}

/* Pushes the object's data; nil if the object is destroyed and its data were dropped. */
static void push_data(lua_State *L)
{
	bool world = object_test_any(L, 1, &class_world, sizeof(struct world_object)) != NULL;
	if (!world)
		check_any_reference(L);
	attached_get(L, 1);
	if (world) {
		lua_rawgeti(L, -1, ENV_WORLD_DATA);
		return;
	}
	lua_rawgeti(L, -1, ENV_DATA);
	if (!lua_istable(L, -1)) {
		lua_pushnil(L);
		return;
	}
	lua_pushvalue(L, 1);
	lua_rawget(L, -2);
}

static int object_index(lua_State *L)
{
	if (!lua_istable(L, UPVALUE_METHODS))
		raise_error(L, "collide: a function has lost its upvalue");
	lua_pushvalue(L, 2);
	lua_rawget(L, UPVALUE_METHODS);
	if (!lua_isnil(L, -1))
		return 1;
	if (!is_data(L, 2))
		raise_missing(L, upvalue_address(L, 3), 2);
	push_data(L);
	return 1;
}

static int reference_newindex(lua_State *L)
{
	struct reference *reference = check_any_reference(L);
	if (!is_data(L, 2))
		raise_assigned(L, reference->class, 2);
	if (reference_find(reference) == NULL)
		raise_error(L, "data: %s is destroyed", reference->class->name);
	attached_get(L, 1);
	lua_rawgeti(L, -1, ENV_DATA);
	int data = lua_gettop(L);
	lua_pushvalue(L, 1);
	if (lua_isnil(L, 3)) {
		table_clear(L, data);
	} else {
		reference_note(reference);
		lua_pushvalue(L, 3);
		lua_rawset(L, data);
	}
	class_set_data(L, 1, reference->class, !lua_isnil(L, 3));
	return 0;
}

static int world_newindex(lua_State *L)
{
	const struct world_object *any = object_test_any(L, 1, &class_world, sizeof *any);
	if (!is_data(L, 2))
		raise_assigned(L, any ? any->class : &class_world, 2);
	const struct world_object *object = check_world(L, "data");
	attached_get(L, 1);
	lua_pushvalue(L, 3);
	lua_rawseti(L, -2, ENV_WORLD_DATA);
	class_set_data(L, 1, object->class, !lua_isnil(L, 3));
	return 0;
}

/* __newindex of shapes, poses and other immutable objects. */
static int value_newindex(lua_State *L)
{
	char self[VALUE_TEXT], text[VALUE_TEXT];
	raise_error(L, "%s never changes: it has no field %s to assign", value_text(L, 1, self), value_text(L, 2, text));
}

static int index_newindex(lua_State *L)
{
	raise_assigned(L, &class_index, 2);
}

void functions_register(lua_State *L, int shared, const luaL_Reg *functions)
{
	for (; functions->name; ++functions) {
		lua_pushvalue(L, shared);
		lua_pushcclosure(L, functions->func, 1);
		lua_setfield(L, -2, functions->name);
	}
}

static lua_CFunction newindex_of(const struct class *class)
{
	if (class == &class_index)
		return index_newindex;
	if (!class->has_data)
		return value_newindex;
	return class->handles ? reference_newindex : world_newindex;
}

/* Stores a new metatable in the shared table, at `key`. Pops its __index value from the stack. */
static void metatable_create(lua_State *L, int shared, int key, const struct class *class, const luaL_Reg *metamethods)
{
	lua_newtable(L);
	functions_register(L, shared, metamethods);
	lua_insert(L, -2);
	lua_setfield(L, -2, "__index");
	lua_pushvalue(L, shared);
	lua_pushcclosure(L, newindex_of(class), 1);
	lua_setfield(L, -2, "__newindex");
	lua_pushstring(L, class->name);
	lua_setfield(L, -2, "__name");
	lua_pushboolean(L, 0);
	lua_setfield(L, -2, "__metatable");
	lua_rawseti(L, shared, key);
}

void method_register(
	lua_State *L, int shared, const struct class *class, const void *row, lua_CFunction function, const char *name)
{
	lua_pushvalue(L, shared);
	lua_pushlightuserdata(L, (void *)class);
	if (row)
		lua_pushlightuserdata(L, (void *)row);
	lua_pushcclosure(L, function, row ? 3 : 2);
	lua_setfield(L, -2, name);
}

void class_create(lua_State *L, int shared, const struct class *class, const struct class_content *content)
{
	lua_newtable(L);
	for (const luaL_Reg *const *list = content->functions; *list; ++list)
		for (const luaL_Reg *f = *list; f->name; ++f)
			method_register(L, shared, class, NULL, f->func, f->name);
	for (const struct method *const *list = content->methods; *list; ++list)
		for (const struct method *m = *list; m->name; ++m)
			method_register(L, shared, class, m, m->function, m->name);
	if (content->properties)
		properties_register(L, shared, class, content->properties);
	words_guard(L, shared, class);
	if (class->has_data) {
		lua_pushvalue(L, shared);
		lua_pushvalue(L, -2);
		lua_pushlightuserdata(L, (void *)class);
		lua_pushcclosure(L, object_index, 3);
		metatable_create(L, shared, class->metatable + SHARED_DATA, class, content->metamethods);
	}
	metatable_create(L, shared, class->metatable, class, content->metamethods);
}

void class_set_data(lua_State *L, int index, const struct class *class, bool data)
{
	shared_push(L, data ? class->metatable + SHARED_DATA : class->metatable);
	lua_setmetatable(L, index);
}

/* --- Bodies, colliders, joints, fields --------------------------------------------------------------------------------------
 */

static int reference_tostring(lua_State *L)
{
	const struct reference *reference = check_any_reference(L);
	if (reference_find(reference) == NULL) {
		lua_pushfstring(L, "destroyed %s", reference->class->name);
		return 1;
	}
	lua_pushfstring(L, "%s %d", reference->class->name, (int)reference->handle.index);
	attached_get(L, 1);
	lua_rawgeti(L, -1, ENV_NAMES);
	lua_pushvalue(L, 1);
	lua_rawget(L, -2);
	if (lua_isstring(L, -1))
		lua_pushfstring(L, "%s \"%s\"", lua_tostring(L, -4), lua_tostring(L, -1));
	else
		lua_settop(L, -4);
	return 1;
}

int reference_get_text(lua_State *L, int key)
{
	attached_get(L, 1);
	lua_rawgeti(L, -1, key);
	lua_pushvalue(L, 1);
	lua_rawget(L, -2);
	return 1;
}

int reference_set_text(lua_State *L, int key)
{
	lua_settop(L, 2);
	reference_note(lua_touserdata(L, 1));
	attached_get(L, 1);
	lua_rawgeti(L, 3, key);
	lua_pushvalue(L, 1);
	if (lua_isnil(L, 2)) {
		table_clear(L, 4);
	} else {
		lua_pushvalue(L, 2);
		lua_rawset(L, 4);
	}
	return 0;
}

int reference_get_name(lua_State *L)
{
	check_reference(L, "getName", &(uint32_t){0});
	return reference_get_text(L, ENV_NAMES);
}

int reference_set_name(lua_State *L)
{
	check_reference(L, "setName", &(uint32_t){0});
	value_name(L, 2, PATH("setName", "name"));
	return reference_set_text(L, ENV_NAMES);
}

const luaL_Reg reference_metamethods[] = {
	{"__tostring", reference_tostring},
	{NULL, NULL},
};
