/* native.c - see native.h.
 * Main thread. The signal handler calls only functions that are allowed in one. */
#define _XOPEN_SOURCE 700
#include "host/native.h"

#include <dirent.h>
#include <errno.h>
#include <lauxlib.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The state to interrupt, since a signal handler has no context argument. Valid while interrupts are caught. */
static lua_State *running;
static volatile sig_atomic_t interrupted;

static int native_clock(lua_State *L)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	lua_pushnumber(L, (lua_Number)now.tv_sec + (lua_Number)now.tv_nsec * 1e-9);
	return 1;
}

/* Returns early at a signal. */
static int native_sleep(lua_State *L)
{
	lua_Number seconds = luaL_checknumber(L, 1);
	if (seconds > 0 && seconds < 1e6) {
		struct timespec rest = {.tv_sec = (time_t)seconds};
		rest.tv_nsec = (long)((seconds - (lua_Number)rest.tv_sec) * 1e9);
		nanosleep(&rest, NULL);
	}
	return 0;
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

static int native_modified(lua_State *L)
{
	struct stat about;
	if (stat(luaL_checkstring(L, 1), &about))
		return 0;
#ifdef _WIN32
	lua_pushnumber(L, (lua_Number)about.st_mtime);
#else
	lua_pushnumber(L, (lua_Number)about.st_mtim.tv_sec + (lua_Number)about.st_mtim.tv_nsec * 1e-9);
#endif
	return 1;
}

static void stop(lua_State *L, lua_Debug *where)
{
	(void)where;
	lua_sethook(L, NULL, 0, 0);
	lua_pushliteral(L, "interrupted");
	lua_error(L);
}

/* Setting a hook is the only call that Lua allows in a signal handler. The hook runs at the script's next instruction; a step
 * in progress is completed. Loops compiled by LuaJIT ignore hooks, and need the second Ctrl-C. */
static void on_interrupt(int number)
{
	(void)number;
	interrupted = 1;
	lua_sethook(running, stop, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

static int native_catch_interrupts(lua_State *L)
{
	bool on = lua_toboolean(L, 1);
	if (on)
		running = L;
#ifdef _WIN32
	signal(SIGINT, on ? on_interrupt : SIG_DFL); /* there reset when it is caught, and a thread of its own runs the handler */
#else
	/* SA_RESTART: a write to a pipe in progress is completed. */
	struct sigaction action = {.sa_handler = on ? on_interrupt : SIG_DFL, .sa_flags = SA_RESTART | SA_RESETHAND};
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
#endif
	if (!on)
		lua_sethook(L, NULL, 0, 0);
	return 0;
}

static int native_catch_broken_pipes(lua_State *L)
{
#ifdef SIGPIPE /* on Windows it is always an error of the write */
	signal(SIGPIPE, lua_toboolean(L, 1) ? SIG_IGN : SIG_DFL);
#else
	(void)L;
#endif
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
		{"clock", native_clock},
		{"sleep", native_sleep},
		{"isTerminal", native_is_terminal},
		{"list", native_list},
		{"modified", native_modified},
		{"catchBrokenPipes", native_catch_broken_pipes},
		{"catchInterrupts", native_catch_interrupts},
		{"interrupted", native_was_interrupted},
		{NULL, NULL},
	};
	lua_newtable(L);
	for (const luaL_Reg *f = functions; f->name; ++f) {
		lua_pushcfunction(L, f->func);
		lua_setfield(L, -2, f->name);
	}
	lua_pushliteral(L, LUA_RELEASE);
	lua_setfield(L, -2, "release");
}

/* The module collide.host.native: of the rock, where Lua itself runs lua/collide/host/program.lua. */
__attribute__((visibility("default"))) int luaopen_collide_host_native(lua_State *L);
int luaopen_collide_host_native(lua_State *L)
{
	native_push(L);
	return 1;
}
