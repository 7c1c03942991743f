/* native.h - functions that the driver in lua/collide/host.lua needs beyond Lua's own libraries: clock, terminal, Ctrl-C,
 * folders, file times, broken pipes.
 * Main thread. */
#pragma once
#include <lua.h>
#include <stdbool.h>

/* Pushes a table of functions:
 *   clock()              monotonic time [s]
 *   sleep(seconds)       sleeps that long, or until a signal comes
 *   isTerminal()         whether stderr is a terminal
 *   list(path)           the names in a folder, unsorted; nil and a message if it cannot be opened
 *   modified(path)       time of a file's last change, since 1970 [s]; nothing if it does not exist
 *   catchBrokenPipes(on) on: writing to a program that has ended is an error of the write, instead of the end of the process
 *   catchInterrupts(on)  on: Ctrl-C raises "interrupted" in the script, and a second one ends the process. Off: Ctrl-C ends the
 *                        process at once, as usual
 *   interrupted()        whether there was a Ctrl-C
 * and `release`, the name of the Lua that the host was built for. Raises when out of memory. */
void native_push(lua_State *L);

bool native_interrupted(void);
