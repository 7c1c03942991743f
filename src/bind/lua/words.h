/* words.h - errors for names that an object or a module does not have. */
#pragma once
#include "bind/lua/args.h"

/* The tables `collide`, `collide.d2` and `collide.d3`, as classes without a metatable. */
extern const struct class module_collide, module_d2, module_d3;

/* Gives the table on top of the stack, of the class's methods or of the module, a metatable that raises for names that the
 * table does not have: raise_missing. `data` of objects that can have data remains nil. */
void words_guard(lua_State *L, int shared, const struct class *class);

/* Raise that the class has no name `key` (a stack index) to read or to assign to, with the word to use instead. Need the shared
 * table as upvalue 1. */
_Noreturn void raise_missing(lua_State *L, const struct class *class, int key);
_Noreturn void raise_assigned(lua_State *L, const struct class *class, int key);
