/* main.c - the host: creates a Lua state, sets the paths for modules, and runs the driver in lua/collide/host.lua. Invariant:
 * every call that can raise is in `drive`, under lua_pcall. The state is closed on every exit, so that finalizers run and leaks
 * show.
 * Main thread. */
#include "host/native.h"
#include "host/paths.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

/* The name by which the program was called: build/host, but collide once installed. */
static const char *name_of(char **arguments)
{
	const char *path = arguments[0] && *arguments[0] ? arguments[0] : "host", *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

/* (argc, argv) -> exit code */
static int drive(lua_State *L)
{
	int count = (int)lua_tointeger(L, 1);
	char **arguments = lua_touserdata(L, 2);
	luaL_openlibs(L);
	paths_prepare(L, arguments[0]);
	lua_getglobal(L, "require");
	lua_pushliteral(L, "collide.host");
	lua_call(L, 1, 1);
	lua_pushvalue(L, -2); /* the program's path */
	lua_pushstring(L, name_of(arguments));
	native_push(L);
	lua_createtable(L, count, 0);
	for (int i = 1; i < count; ++i) {
		lua_pushstring(L, arguments[i]);
		lua_rawseti(L, -2, i);
	}
	lua_call(L, 4, 1);
	return 1;
}

/* On Windows: the output has the same bytes as elsewhere, without carriage returns, and the program's path is written as
 * elsewhere, with slashes and without .exe. */
static void windows_prepare(char *path)
{
#ifdef _WIN32
	_setmode(_fileno(stdout), _O_BINARY);
	_setmode(_fileno(stderr), _O_BINARY);
	for (char *at = path; at && *at; ++at) {
		if (*at == '\\')
			*at = '/';
		else if (_stricmp(at, ".exe") == 0)
			*at = 0;
	}
#else
	(void)path;
#endif
}

int main(int argc, char **argv)
{
	windows_prepare(argv[0]);
	lua_State *L = luaL_newstate();
	if (!L) {
		fprintf(stderr, "%s: not enough memory\n", name_of(argv));
		return EXIT_FAILURE;
	}
	lua_pushcfunction(L, drive);
	lua_pushinteger(L, argc);
	lua_pushlightuserdata(L, argv);
	int code = EXIT_FAILURE;
	if (lua_pcall(L, 2, 1, 0) == 0) {
		code = (int)lua_tointeger(L, -1);
	} else {
		const char *message = lua_tostring(L, -1);
		fprintf(stderr, "%s: %s\n", name_of(argv), message ? message : "(error without a message)");
		if (native_interrupted())
			code = 130;
	}
	lua_close(L);
	return code;
}
