/* native.h - what the driver in lua/collide/host.lua cannot get from Lua's own libraries: a clock, a terminal, Ctrl-C, folders.
** Floor: host. Main thread. */
#pragma once
#include <lua.h>
#include <stdbool.h>

/* Pushes a table of functions:
**   clock()              time that never goes back [s]
**   isTerminal()         whether stderr is one
**   list(path)           the names in a folder, unsorted; nil and a message when it is none
**   catchInterrupts(on)  from here on Ctrl-C raises "interrupted" in the script; the second one ends the process. Turned off it
**                        ends the process at once, as usual
**   interrupted()        whether there was one
** and `release`, the name of the Lua that the host was built for. Raises when there is no memory. */
void native_push(lua_State *L);

bool native_interrupted(void);
