/* paths.h - where the program lies, and where `require` looks because of that.
 * Main thread. */
#pragma once
#include <lua.h>

/* Puts the places beside the program before those that Lua knows: the module and lua/ of a source tree, and those of an
 * installation. Pushes the program's path. `invoked` is argv[0], for systems without /proc. Raises when there is no memory. */
void paths_prepare(lua_State *L, const char *invoked);
