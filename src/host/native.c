/* native.c - see native.h.
** Floor: host. Main thread; the signal handler touches only what a handler may. */
#define _XOPEN_SOURCE 700
#include "host/native.h"

#include <dirent.h>
#include <errno.h>
#include <lauxlib.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Signals have no argument of their own: the state to stop stands here while interrupts are caught. */
static lua_State *running;
static volatile sig_atomic_t interrupted;

static int native_clock(lua_State *L)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	lua_pushnumber(L, (lua_Number)now.tv_sec + (lua_Number)now.tv_nsec * 1e-9);
	return 1;
}

static int native_is_terminal(lua_State *L)
{
	lua_pushboolean(L, isatty(STDERR_FILENO));
	return 1;
}

static int native_list(lua_State *L)
{
	const char *path = luaL_checkstring(L, 1);
	lua_newtable(L);
	DIR *folder = opendir(path);
	if (!folder) {
		lua_pushnil(L);
		lua_pushstring(L, strerror(errno));
		return 2;
	}
	struct dirent *entry;
	for (int i = 1; (entry = readdir(folder)); ++i) {
		lua_pushstring(L, entry->d_name);
		lua_rawseti(L, -2, i);
	}
	closedir(folder);
	return 1;
}

static void stop(lua_State *L, lua_Debug *where)
{
	(void)where;
	lua_sethook(L, NULL, 0, 0);
	lua_pushliteral(L, "interrupted");
	lua_error(L);
}

/* Setting a hook is the one thing that Lua allows in a signal handler. The hook runs at the script's next instruction; a step in
** progress is completed. Loops that LuaJIT has compiled look at no hook: they take the second Ctrl-C. */
static void on_interrupt(int number)
{
	signal(number, SIG_DFL);
	interrupted = 1;
	lua_sethook(running, stop, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

static int native_catch_interrupts(lua_State *L)
{
	bool on = lua_toboolean(L, 1);
	if (on)
		running = L;
	signal(SIGINT, on ? on_interrupt : SIG_DFL);
	if (!on)
		lua_sethook(L, NULL, 0, 0);
	return 0;
}

bool native_interrupted(void)
{
	return interrupted;
}

static int native_was_interrupted(lua_State *L)
{
	lua_pushboolean(L, interrupted);
	return 1;
}

void native_push(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{ "clock", native_clock },
		{ "isTerminal", native_is_terminal },
		{ "list", native_list },
		{ "catchInterrupts", native_catch_interrupts },
		{ "interrupted", native_was_interrupted },
		{ NULL, NULL },
	};
	lua_newtable(L);
	for (const luaL_Reg *f = functions; f->name; ++f) {
		lua_pushcfunction(L, f->func);
		lua_setfield(L, -2, f->name);
	}
	lua_pushliteral(L, LUA_RELEASE);
	lua_setfield(L, -2, "release");
}
