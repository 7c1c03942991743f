/* paths.c - see paths.h. The system says which file the program is; argv[0] serves only where it does not. So the program also
 * works if it is called by a symbolic link, or from any working directory.
 * Main thread. */
#define _XOPEN_SOURCE 700
#include "host/paths.h"

#include <lauxlib.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <unistd.h>
#endif

#if LUA_VERSION_NUM == 501
#define VERSION "5.1"
#else
#define VERSION LUA_VERSION_MAJOR "." LUA_VERSION_MINOR
#endif

/* "!" is the program's folder, "^" the one above it. The program is build/host in a source tree, bin/host in an
 * installation. On Windows it may also have all files beside it. */
#ifdef _WIN32
#define BESIDE "!/lua/?.lua;!/lua/?/init.lua;"
static const char modules[] = "!/?.dll;^/lib/lua/" VERSION "/?.dll;";
#else
#define BESIDE
static const char modules[] = "!/?.so;^/lib/lua/" VERSION "/?.so;";
#endif
static const char scripts[] = BESIDE "^/lua/?.lua;^/lua/?/init.lua;"
									 "^/share/lua/" VERSION "/?.lua;^/share/lua/" VERSION "/?/init.lua;";

#ifdef _WIN32
static void push_program(lua_State *L, const char *invoked)
{
	char path[MAX_PATH];
	DWORD length = GetModuleFileNameA(NULL, path, sizeof path);
	luaL_gsub(L, length > 0 && length < sizeof path ? path : invoked, "\\", "/");
}
#else
static void push_program(lua_State *L, const char *invoked)
{
	char path[PATH_MAX], *resolved;
	ssize_t length = readlink("/proc/self/exe", path, sizeof path);
	if (length > 0 && (size_t)length < sizeof path)
		lua_pushlstring(L, path, (size_t)length);
	else if ((resolved = realpath(invoked, path)))
		lua_pushstring(L, resolved);
	else
		lua_pushstring(L, invoked);
}
#endif

/* Pushes the folder of the path on top of the stack; "/." instead of "/", for the slash that follows. */
static void push_folder(lua_State *L)
{
	const char *path = lua_tostring(L, -1), *slash = strrchr(path, '/');
	if (!slash)
		lua_pushliteral(L, ".");
	else if (slash == path)
		lua_pushliteral(L, "/.");
	else
		lua_pushlstring(L, path, (size_t)(slash - path));
}

static void prepend(lua_State *L, const char *field, const char *templates, const char *folder, const char *above)
{
	lua_getglobal(L, "package");
	luaL_gsub(L, templates, "!", folder);
	luaL_gsub(L, lua_tostring(L, -1), "^", above);
	lua_remove(L, -2);
	lua_getfield(L, -2, field);
	lua_concat(L, 2);
	lua_setfield(L, -2, field);
	lua_pop(L, 1);
}

void paths_prepare(lua_State *L, const char *invoked)
{
	push_program(L, invoked);
	push_folder(L);
	push_folder(L);
	prepend(L, "cpath", modules, lua_tostring(L, -2), lua_tostring(L, -1));
	prepend(L, "path", scripts, lua_tostring(L, -2), lua_tostring(L, -1));
	lua_pop(L, 2);
}
