/* step.c - steps of worlds: one at a time, or as many as fit into the time that has passed; the time of a world.
 * Between the steps of an advance, and after the last, script code may run: onTick, finalizers, a warning. Each of them may
 * change or destroy the world, but not step it. */
#include "bind/lua/callback.h"
#include "bind/world/dimension.h"
#include "core/misfit.h"
#include "core/ticks.h"

/* --- One step ------------------------------------------------------------------------------------------------------------- */

bool world_step_hooked(lua_State *L, struct world_object *object, double dt, bool keep)
{
	struct world *world = object->world;
	struct hook hook;
	if (!object->filtered && !object->pre_solved)
		return world_step(world, dt, keep);
	int environment = lua_gettop(L) + 1;
	attached_get(L, 1);
	lua_rawgeti(L, environment, ENV_FILTER);
	hook_begin(L, &hook, object, environment, SHARED_FILTER, environment + 1);
	world->filter = object->filtered ? hook_filter : NULL;
	world->pre_solve = object->pre_solved ? hook_pre_solve : NULL;
	world->filter_context = world->pre_solve_context = &hook;
	bool done = world_step(world, dt, keep);
	world->filter = NULL;
	world->pre_solve = NULL;
	world->filter_context = world->pre_solve_context = NULL;
	hook_end(&hook);
	hook_raise(&hook);
	return done;
}

/* Called when a step begins, for joints that broke in the last step: marks their handles destroyed, and drops their names and
 * data. Cannot fail. */
static void broken_forget(lua_State *L, const struct world_object *object, int environment)
{
	const struct events *events = &object->world->events;
	for (uint32_t i = 0; i < events->joints.count; ++i) {
		if (!events->joints.data[i].broken)
			continue;
		struct reference *reference = push_made(L, environment, &class_joint, events->joints.data[i].joint);
		if (reference)
			reference->destroyed = true;
		for (int key = ENV_DATA; reference && reference->noted && key <= ENV_COLORS; ++key)
			value_drop(L, environment, key, lua_gettop(L));
		lua_pop(L, 1);
	}
}

/* Called before a step that keeps the events of earlier ones: keeps the handles of joints that broke in the last step, whose
 * ids may now be used again. */
static void broken_keep(lua_State *L, struct world_object *object, int environment)
{
	for (uint32_t i = object->world->events.joints_begin; object->world && i < object->world->events.joints.count; ++i) {
		struct joint_event event = object->world->events.joints.data[i];
		if (!event.broken)
			continue;
		struct reference *reference = push_made(L, environment, &class_joint, event.joint);
		if (reference) {
			dead_keep(L, object, environment, reference);
			reference->destroyed = true;
		}
		lua_pop(L, 1);
	}
}

/* Lets go of the last step's events and of what was destroyed before it, or, if the next step keeps its events, of nothing. */
static void events_pass(lua_State *L, struct world_object *object, bool keep)
{
	if (object->dead == 0 && object->dead_before == 0 && object->world->events.joints.count == 0)
		return;
	int top = lua_gettop(L), environment = top + 1;
	attached_get(L, 1);
	if (!keep)
		dead_age(L, object, environment);
	if (object->world && keep)
		broken_keep(L, object, environment);
	else if (object->world)
		broken_forget(L, object, environment);
	lua_settop(L, top);
}

/* Makes a step of the world at stack index 1, whose events follow those of the last if `keep`. */
static void step_make(lua_State *L, struct world_object *object, const char *function, double dt, bool keep)
{
	events_pass(L, object, keep);
	check_world_again(L, object, function);
	++object->epoch;
	object->told = true;
	if (!world_step_hooked(L, object, dt, keep))
		raise_memory(L, function);
	bool doubted = !object->stepped || dt >= (double)LONG_STEP || world_doubted(object->world);
	object->stepped = true;
	if (doubted)
		misfits_tell(L, (float)dt);
}

static struct world_object *check_step(lua_State *L, const char *function)
{
	struct world_object *object = check_world_change(L, function);
	if (object->in_tick)
		raise_error(L, "%s: called from inside the onTick of world:advance", function);
	return object;
}

static int step(lua_State *L)
{
	struct world_object *object = check_step(L, "step");
	double dt = arg_number(L, 2, "step", "dt", &range_time_step);
	lua_settop(L, 1);
	object->world->alpha = 1;
	step_make(L, object, "step", dt, false);
	return 0;
}

/* --- Time that passes ----------------------------------------------------------------------------------------------------- */

/* Calls the function at stack index 3 with the world and the number of the step to come. */
static void tick_call(lua_State *L, struct world_object *object)
{
	shared_push(L, SHARED_TRACEBACK);
	lua_pushvalue(L, 3);
	lua_pushvalue(L, 1);
	lua_pushinteger(L, (lua_Integer)object->world->tick + 1);
	object->in_tick = true;
	int failed = lua_pcall(L, 2, 0, -4);
	object->in_tick = false;
	if (failed)
		lua_error(L);
	lua_settop(L, 3);
	check_world_again(L, object, "advance");
}

/* Counts the ticks first, so that an error in the middle leaves only a rest below a tick. */
static int advance(lua_State *L)
{
	static const struct range range_passed = {0, 1e9, ">= 0"};
	struct world_object *object = check_step(L, "advance");
	double dt = arg_number(L, 2, "advance", "dt", &range_passed);
	lua_settop(L, 3);
	if (!lua_isnil(L, 3) && !lua_isfunction(L, 3))
		raise_value(L, 3, PATH("advance", "onTick"), "be a function or nil");
	luaL_checkstack(L, 20, "advance");
	double timestep = object->world->settings.timestep;
	int ticks = ticks_take(object->world, dt);
	double alpha = object->world->alpha;
	++object->epoch;
	object->told = false;
	for (int i = 0; i < ticks; ++i) {
		check_world_again(L, object, "advance");
		if (!lua_isnil(L, 3))
			tick_call(L, object);
		step_make(L, object, "advance", timestep, i > 0);
		lua_settop(L, 3);
	}
	lua_pushinteger(L, ticks);
	lua_pushnumber(L, alpha);
	return 2;
}

static int set_timestep(lua_State *L)
{
	struct world_object *object = check_world_change(L, "setTimestep");
	ticks_set_timestep(object->world, arg_number(L, 2, "setTimestep", "timestep", &range_duration));
	return 0;
}

const luaL_Reg step_methods[] = {
	{"step", step},
	{"advance", advance},
	{"setTimestep", set_timestep},
	{NULL, NULL},
};
