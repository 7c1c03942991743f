/* compat.h - one source for Lua 5.4 and for the 5.1 API (LuaJIT): names and behaviour that differ.
 * Each of our userdata has one table attached to it (5.4: its first user value; 5.1: its environment). It must be a table: 5.1
 * accepts nothing else. */
#pragma once
#include <lauxlib.h>
#include <lua.h>

#if LUA_VERSION_NUM >= 503

/* Leaves the value at `from` in place. */
static inline void value_copy(lua_State *L, int from, int to)
{
	lua_copy(L, from, to);
}

#else

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

/* Pushes the table attached to the userdata. Checked, as the debug library can replace it. */
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

/* Whether a garbage collection may be run: not after a script has stopped the collector. 5.1 cannot tell. */
static inline int collector_runs(lua_State *L)
{
#ifdef LUA_GCISRUNNING
	return lua_gc(L, LUA_GCISRUNNING, 0);
#else
	(void)L;
	return 1;
#endif
}
