/* copy.c - numbers into lists by code that LuaJIT compiles, which takes a fraction of the time of a call of its API for each.
 * Lua owns the buffer and lends it: a finalizer or debug hook that calls in between gets another. */
#include "bind/lua/args.h"

enum { COPY_LEAST = 64 /* numbers; for fewer the two calls cost more than they save */ };

/* Gives lend(count) -> an array of at least `count` doubles, or nil while the compiler is off, and store(into, array, count).
 * The length of the array is a power of two, as counts vary. */
static const char chunk[] = "local jit, rawset = jit, rawset\n"
							"local new = require('ffi').typeof('double[?]')\n"
							"local kept, length = nil, 0\n"
							"local function lend(count)\n"
							"	if not jit.status() then return nil end\n"
							"	local array = kept\n"
							"	kept = nil\n"
							"	if array and length >= count then return array end\n"
							"	length = 64\n"
							"	while length < count do length = 2 * length end\n"
							"	return new(length)\n"
							"end\n"
							"local function store(into, array, count)\n"
							"	for i = 1, count do rawset(into, i, array[i - 1]) end\n"
							"	kept = array\n"
							"end\n"
							"return lend, store\n";

void copy_register(lua_State *L, int shared)
{
	lua_getglobal(L, "jit");
	if (!lua_istable(L, -1) || luaL_loadbuffer(L, chunk, sizeof chunk - 1, "=collide") != 0 || lua_pcall(L, 0, 2, 0) != 0) {
		lua_pushboolean(L, 0);
		lua_pushboolean(L, 0);
	}
	lua_rawseti(L, shared, SHARED_COPY_STORE);
	lua_rawseti(L, shared, SHARED_COPY_LEND);
	lua_settop(L, shared);
}

double *copy_lend(lua_State *L, int count)
{
	shared_push(L, SHARED_COPY_LEND);
	if (count < COPY_LEAST || !lua_toboolean(L, -1))
		return NULL;
	lua_pushinteger(L, count);
	lua_call(L, 1, 1);
	return (double *)(uintptr_t)lua_topointer(L, -1); /* of an array of the ffi: the address of its first element */
}

void copy_store(lua_State *L, int index, int array, int count)
{
	shared_push(L, SHARED_COPY_STORE);
	lua_pushvalue(L, index);
	lua_pushvalue(L, array);
	lua_pushinteger(L, count);
	lua_call(L, 3, 0);
}
