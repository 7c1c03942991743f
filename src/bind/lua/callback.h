/* callback.h - functions of the script that the engine calls during a step or query. */
#pragma once
#include "bind/lua/bind.h"

/* The callback of a step or query under way: a function of the script that the engine may call. Its stack slots are reserved in
 * advance, so that no Lua function that may raise runs while engine functions are on the C stack: only lua_pushvalue, lua_pcall
 * and lua_replace. */
struct hook {
	lua_State *L;
	struct world_object *object;
	struct hook *outer;
	int base; /* stack index of the first reserved slot */
	bool failed; /* the function has raised an error, which is in its stack slot; it is not called any more */
	bool result;
	uint32_t a, b; /* the colliders to pass */
};

/* Reserves and fills the stack slots, and makes the hook the world's innermost. function: the stack index of the script's
 * function; 0: none. trampoline: SHARED_FILTER or SHARED_ACCEPT. */
void hook_begin(lua_State *L, struct hook *hook, struct world_object *object, int environment, int trampoline, int function);
/* Makes the outer hook the world's innermost again: the function of this one is not called any more. Raises nothing. */
void hook_end(struct hook *hook);
/* Raises the error that the script's function has raised, if any. */
void hook_raise(struct hook *hook);
/* The callbacks passed to the engine; the context is the hook. */
bool hook_filter(void *context, uint32_t collider_a, uint32_t collider_b);
bool hook_accept(void *context, uint32_t collider);
void hook_pre_solve(void *context, struct pre_solve *contact); /* calls the world's function in ENV_PRE_SOLVE */

int filter_trampoline(lua_State *L);
int accept_trampoline(lua_State *L);
int pre_solve_trampoline(lua_State *L);
int traceback_handler(lua_State *L);

/* Steps the world, at stack index 1, with the script's filter and preSolve, and raises their errors. False: no memory. */
bool world_step_hooked(lua_State *L, struct world_object *object, double dt, bool keep);
