/* compare.c - which body of two worlds differs, for worlds that should be equal: by hashes of single bodies, to be exchanged,
 * or by the two worlds themselves. */
#include "bind/world/dimension.h"
#include "core/world_hash.h"

/* Lists id and hash of each body. Of a hash the upper 53 bits, a whole number that is exact in every Lua. */
int world_body_hashes(lua_State *L)
{
	struct world_object *object = check_world(L, "bodyHashes");
	lua_settop(L, 2);
	check_into(L, 2, "bodyHashes");
	int before = list_open(L, 2, 2 * (int)world_body_count(object->world)), length = 0;
	/* Reads the world anew each time: a list that grows may run a finalizer, which may destroy it. */
	for (uint32_t id = 0; object->world && id < object->world->bodies.count; ++id) {
		if (!object->world->bodies.data[id].valid)
			continue;
		uint64_t hash = world_hash_body(object->world, id) >> 11;
		lua_pushinteger(L, id);
		lua_rawseti(L, 2, ++length);
		lua_pushinteger(L, (lua_Integer)hash);
		lua_rawseti(L, 2, ++length);
	}
	list_cut(L, 2, length, before);
	return 1;
}

static struct world_object *check_compared(lua_State *L, int index, const char *name)
{
	struct world_object *object = object_test_any(L, index, &class_world, sizeof *object);
	if (object == NULL)
		raise_value(L, index, PATH("compare", name), "be a world");
	if (object->world == NULL)
		raise_error(L, "compare: %s is destroyed", name);
	bodies_weigh(object->world);
	return object;
}

/* Pushes the value of a difference in one of the worlds. */
static void value_push(lua_State *L, const struct difference *difference, int world)
{
	const char *word = difference->words[world];
	if (difference->count == 1) {
		lua_pushnumber(L, difference->numbers[world][0]);
	} else if (difference->count > 1) {
		lua_createtable(L, difference->count, 0);
		for (int i = 0; i < difference->count; ++i) {
			lua_pushnumber(L, difference->numbers[world][i]);
			lua_rawseti(L, -2, i + 1);
		}
	} else if (word && (strcmp(word, "true") == 0 || strcmp(word, "false") == 0)) {
		lua_pushboolean(L, word[0] == 't');
	} else {
		lua_pushstring(L, word); /* nil for NULL */
	}
}

static int compare(lua_State *L)
{
	struct difference difference;
	struct world_object *a = check_compared(L, 1, "a"), *b = check_compared(L, 2, "b");
	if (a->dimension != b->dimension)
		raise_error(L, "compare: one world is 2D, the other 3D");
	lua_settop(L, 2);
	if (!worlds_differ(a->world, b->world, &difference)) {
		lua_pushnil(L);
		return 1;
	}
	/* Found before anything is allocated: that may run a finalizer, which may destroy the worlds. */
	struct world_object *owner = a;
	struct handle body = {difference.body, 0};
	if (difference.body != NONE) {
		if (difference.body >= a->world->bodies.count || !a->world->bodies.data[difference.body].valid)
			owner = b;
		body.generation = owner->world->bodies.data[difference.body].generation;
	}
	lua_createtable(L, 0, 4);
	if (difference.body != NONE) {
		attached_get(L, owner == a ? 1 : 2);
		push_handle(L, owner, 4, &class_body, body);
		lua_setfield(L, 3, "body");
		lua_settop(L, 3);
	}
	lua_pushstring(L, difference.field);
	lua_setfield(L, 3, "field");
	value_push(L, &difference, 0);
	lua_setfield(L, 3, "a");
	value_push(L, &difference, 1);
	lua_setfield(L, 3, "b");
	return 1;
}

const luaL_Reg compare_functions[] = {
	{"compare", compare},
	{NULL, NULL},
};
