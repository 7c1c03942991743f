/* paths.c - see paths.h. The program's file is looked up in /proc/self/exe; argv[0] serves only where that is missing. So the
 * program also works if it is called by a symbolic link, or from any working directory.
 * Main thread. */
#define _XOPEN_SOURCE 700
#include "host/paths.h"

#include <lauxlib.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if LUA_VERSION_NUM == 501
#define VERSION "5.1"
#else
#define VERSION LUA_VERSION_MAJOR "." LUA_VERSION_MINOR
#endif

/* "!" is the program's folder, "^" the one above it. The program is build/host in a source tree, bin/host in an
 * installation. */
static const char modules[] = "!/?.so;^/lib/lua/" VERSION "/?.so;";
static const char scripts[] = "^/lua/?.lua;^/lua/?/init.lua;"
							  "^/share/lua/" VERSION "/?.lua;^/share/lua/" VERSION "/?/init.lua;";

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
