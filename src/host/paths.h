/* paths.h - the program's location, and the search paths of `require` that depend on it.
 * Main thread. */
#pragma once
#include <lua.h>

/* Puts paths relative to the program before Lua's own paths for modules: those of a source tree, and of an installation. Pushes
 * the program's path. `invoked` is argv[0], for systems without /proc. Raises when out of memory. */
void paths_prepare(lua_State *L, const char *invoked);
