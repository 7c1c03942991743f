/* callback.c - functions of the script that the engine calls in the middle of a step or a query.
 * An error must not jump over the engine's stack frames, which would leave the world locked. Out of memory is such an error,
 * and nearly every Lua function can raise it (on LuaJIT even lua_pushlightuserdata, and any allocation can raise a finalizer's
 * error). So between hook_begin and hook_end only lua_pushvalue, lua_pcall and lua_replace run unprotected, on stack slots
 * reserved before; all else runs in a trampoline under lua_pcall. After the first error, no more functions are called: the
 * engine finishes, and then hook_raise raises that error again.
 * The Lua state is the one that called the step, which may be a coroutine's; a yield is an error like any other. */
#include "bind/lua/callback.h"
#include "bind/lua/args.h"
#include "core/pre_solve.h"

#include <string.h>

enum {
	SLOT_TRAMPOLINE,
	SLOT_WORLD,
	SLOT_FUNCTION,
	SLOT_ENVIRONMENT,
	SLOT_HANDLER,
	SLOT_ERROR,
	SLOT_PRE_TRAMPOLINE, /* of preSolve */
	SLOT_PRE_FUNCTION,
	HOOK_SLOTS
};

void hook_begin(lua_State *L, struct hook *hook, struct world_object *object, int environment, int trampoline, int function)
{
	luaL_checkstack(L, HOOK_SLOTS + 8, "hook");
	*hook = (struct hook){.L = L, .object = object, .outer = object->hook, .base = lua_gettop(L) + 1};
	shared_push(L, trampoline);
	lua_rawgeti(L, environment, ENV_WORLD);
	if (function)
		lua_pushvalue(L, function);
	else
		lua_pushnil(L);
	lua_pushvalue(L, environment);
	shared_push(L, SHARED_TRACEBACK);
	lua_pushnil(L);
	shared_push(L, SHARED_PRE_SOLVE);
	lua_rawgeti(L, environment, ENV_PRE_SOLVE);
	object->hook = hook;
}

void hook_end(struct hook *hook)
{
	hook->object->hook = hook->outer;
}

void hook_raise(struct hook *hook)
{
	if (!hook->failed)
		return;
	lua_pushvalue(hook->L, hook->base + SLOT_ERROR);
	lua_error(hook->L);
}

/* Calls the function in one of the slots, unless a function of the hook has failed. */
static void hook_run(struct hook *hook, int trampoline, int function)
{
	lua_State *L = hook->L;
	if (hook->failed)
		return;
	lua_pushvalue(L, hook->base + trampoline);
	lua_pushvalue(L, hook->base + SLOT_WORLD);
	lua_pushvalue(L, hook->base + function);
	lua_pushvalue(L, hook->base + SLOT_ENVIRONMENT);
	if (lua_pcall(L, 3, 0, hook->base + SLOT_HANDLER) != 0) {
		hook->failed = true;
		lua_replace(L, hook->base + SLOT_ERROR);
	}
}

static bool hook_call(struct hook *hook, uint32_t a, uint32_t b)
{
	hook->a = a;
	hook->b = b;
	hook->result = true;
	hook_run(hook, SLOT_TRAMPOLINE, SLOT_FUNCTION);
	return hook->result;
}

void hook_pre_solve(void *context, struct pre_solve *contact)
{
	struct hook *hook = context;
	const struct pre_solve before = *contact;
	hook->object->contact = contact;
	hook_run(hook, SLOT_PRE_TRAMPOLINE, SLOT_PRE_FUNCTION);
	hook->object->contact = NULL;
	if (hook->failed)
		*contact = before;
}

bool hook_filter(void *context, uint32_t collider_a, uint32_t collider_b)
{
	return hook_call(context, collider_a, collider_b);
}

bool hook_accept(void *context, uint32_t collider)
{
	return hook_call(context, collider, NONE);
}

/* Calls the script's function with the handles of one or two colliders, and stores its result in the hook. Arguments: the
 * world, the function and the environment. Finds the hook through the world: passing its address would need a light userdata,
 * for which LuaJIT may allocate. */
static int trampoline(lua_State *L, int colliders)
{
	struct world_object *object = object_test_any(L, 1, &class_world, sizeof *object);
	if (object == NULL || object->hook == NULL)
		return 0;
	struct hook *hook = object->hook;
	lua_pushvalue(L, 2);
	push_live(L, object, 3, &class_collider, hook->a);
	if (colliders == 2)
		push_live(L, object, 3, &class_collider, hook->b);
	lua_call(L, colliders, 1);
	hook->result = lua_toboolean(L, -1);
	return 0;
}

/* Calls the script's function with the world's contact object. Arguments: as above. */
int pre_solve_trampoline(lua_State *L)
{
	lua_settop(L, 3);
	lua_pushvalue(L, 2);
	lua_rawgeti(L, 3, ENV_CONTACT);
	lua_call(L, 1, 0);
	return 0;
}

int filter_trampoline(lua_State *L)
{
	return trampoline(L, 2);
}

int accept_trampoline(lua_State *L)
{
	return trampoline(L, 1);
}

#if LUA_VERSION_NUM >= 502 || defined(LUAJIT_VERSION) || defined(LUA_LJDIR)

static void push_traceback(lua_State *L, const char *message)
{
	luaL_traceback(L, L, message, 1);
}

#else

static void push_traceback(lua_State *L, const char *message)
{
	lua_getfield(L, LUA_GLOBALSINDEX, "debug");
	if (lua_istable(L, -1)) {
		lua_getfield(L, -1, "traceback");
		lua_pushstring(L, message);
		lua_pushinteger(L, 2);
		if (lua_isfunction(L, -3) && lua_pcall(L, 2, 1, 0) == 0)
			return;
	}
	lua_pushstring(L, message);
}

#endif

/* The message handler: appends a traceback. Errors that are not strings pass unchanged, and so do errors that have a traceback:
 * that of the innermost callback shows the whole stack. */
int traceback_handler(lua_State *L)
{
	if (lua_type(L, 1) == LUA_TSTRING && strstr(lua_tostring(L, 1), "\nstack traceback:") == NULL)
		push_traceback(L, lua_tostring(L, 1));
	return 1;
}
