/* compat.h - functions by which one source serves Lua 5.2 to 5.4 and the 5.1 API (LuaJIT).
 * A userdata of this module can have one table attached to it: its environment in 5.1, which must be a table, else its first
 * user value. */
#pragma once
#include <lauxlib.h>
#include <lua.h>

#if LUA_VERSION_NUM >= 503

/* Pushes table[key] of the table at `index`, without metamethods, and returns its type. */
static inline int element_push(lua_State *L, int index, int key)
{
	return lua_rawgeti(L, index, key);
}

/* Copies the value at stack index `from` to the slot `to`, an absolute index. */
static inline void value_copy(lua_State *L, int from, int to)
{
	lua_copy(L, from, to);
}

#else

static inline int element_push(lua_State *L, int index, int key)
{
	lua_rawgeti(L, index, key);
	return lua_type(L, -1);
}

static inline void value_copy(lua_State *L, int from, int to)
{
	lua_pushvalue(L, from);
	lua_replace(L, to);
}

#endif

#if LUA_VERSION_NUM >= 504

static inline void *userdata_create(lua_State *L, size_t size)
{
	return lua_newuserdatauv(L, size, 1);
}

static inline void attached_push(lua_State *L, int index)
{
	lua_getiuservalue(L, index, 1);
}

static inline void attached_set(lua_State *L, int index)
{
	lua_setiuservalue(L, index, 1);
}

#else

static inline void *userdata_create(lua_State *L, size_t size)
{
	return lua_newuserdata(L, size);
}

#if LUA_VERSION_NUM >= 502

static inline void attached_push(lua_State *L, int index)
{
	lua_getuservalue(L, index);
}

static inline void attached_set(lua_State *L, int index)
{
	lua_setuservalue(L, index);
}

#else

#define lua_rawlen lua_objlen

static inline void attached_push(lua_State *L, int index)
{
	lua_getfenv(L, index);
}

static inline void attached_set(lua_State *L, int index)
{
	lua_setfenv(L, index);
}

#endif
#endif

/* Pushes the table attached to the userdata. Raises if there is none, as the debug library can replace it. */
static inline void attached_get(lua_State *L, int index)
{
	attached_push(L, index);
	if (!lua_istable(L, -1))
		luaL_error(L, "collide: an object has lost its user value");
}

/* Lua's integers have 64 bits since 5.3; before, whole numbers are exact up to 2^53. */
#if LUA_VERSION_NUM >= 503
enum { INTEGERS_EXACT = 1 };
#else
enum { INTEGERS_EXACT = 0 };
#endif

/* Whether the garbage collector runs: a script can stop it. Always true where Lua cannot tell (5.1). */
static inline int collector_runs(lua_State *L)
{
#ifdef LUA_GCISRUNNING
	return lua_gc(L, LUA_GCISRUNNING, 0);
#else
	(void)L;
	return 1;
#endif
}
