/* native.h - what the driver in lua/collide/host.lua cannot get from Lua's own libraries: a clock, a terminal, Ctrl-C, folders,
 * files' times, broken pipes.
 * Main thread. */
#pragma once
#include <lua.h>
#include <stdbool.h>

/* Pushes a table of functions:
 *   clock()              time that never goes back [s]
 *   sleep(seconds)       does nothing for that long, or until a signal comes
 *   isTerminal()         whether stderr is one
 *   list(path)           the names in a folder, unsorted; nil and a message when it is none
 *   modified(path)       when a file was changed last, since 1970 [s]; nil when it is not there
 *   catchBrokenPipes(on) from here on, writing to a program that has ended is an error of the write, not the end of the process
 *   catchInterrupts(on)  from here on Ctrl-C raises "interrupted" in the script; the second one ends the process. Turned off it
 *                        ends the process at once, as usual
 *   interrupted()        whether there was one
 * and `release`, the name of the Lua that the host was built for. Raises when there is no memory. */
void native_push(lua_State *L);

bool native_interrupted(void);
