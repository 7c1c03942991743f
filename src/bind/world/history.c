/* history.c - histories of worlds: history:push and history:rewind.
 * The engine's part is core/history.h. Here are the handles: they are found by the generations of their objects, as after a
 * snapshot is restored, see state.c, but in the same tables, so that a tick creates no garbage. While a world has a history, a
 * destroyed object that had a name or data keeps both, and its handle, in ENV_GRAVES: [handle] = kept_until() then. */
#include "bind/world/state.h"
#include "core/history.h"

const struct class class_history = {"history", SHARED_HISTORY, false, 0, NULL};

/* The engine's history dies with its world. */
struct history_object {
	const struct class *class;
	uint32_t slot, slot_generation; /* of its world */
	struct history *history;
};

static struct history_object *check_self(lua_State *L, const char *function, struct world_object **world)
{
	struct history_object *self = object_test(L, 1, &class_history, sizeof *self);
	if (self == NULL)
		raise_self(L, function, "a history");
	*world = slot_find(self->slot, self->slot_generation);
	if (*world == NULL || self->history == NULL)
		raise_error(L, "%s: the history's world is destroyed", function);
	check_unlocked(L, *world, function);
	return self;
}

static int world_new_history(lua_State *L)
{
	struct world_object *object = check_world_change(L, "newHistory");
	static const struct range range_ticks = {1, 1e6, NULL};
	uint32_t ticks = 120;
	const struct option_member options[] = {{"ticks", FIELD_INTEGER, 0, &range_ticks}};
	lua_settop(L, 2);
	fields_read(L, 2, PATH("newHistory", "options"), options, LENGTH(options), &ticks);
	struct history_object *self = object_create(L, sizeof *self, &class_history);
	attached_get(L, 1);
	attached_set(L, 3);
	check_world_again(L, object, "newHistory");
	self->slot = object->slot;
	self->slot_generation = object->slot_generation;
	self->history = history_create(object->world, ticks);
	if (self->history == NULL)
		raise_memory(L, "newHistory");
	object->snapshots = true;
	return 1;
}

/* __gc */
static int history_collect(lua_State *L)
{
	struct history_object *self = object_test(L, 1, &class_history, sizeof *self);
	const struct world_object *object = self ? slot_find(self->slot, self->slot_generation) : NULL;
	if (object != NULL && self->history != NULL && !object->world->locked && !object->queries)
		history_destroy(self->history);
	if (self != NULL && (object == NULL || !object->world->locked))
		self->history = NULL;
	return 0;
}

static int history_tostring(lua_State *L)
{
	lua_pushliteral(L, "history");
	return 1;
}

/* --- Handles -------------------------------------------------------------------------------------------------------------- */

/* Whether the handle's object lives, and is the one that it stands for. */
static bool stands(const struct world *world, int kind, const struct reference *reference)
{
	struct handle handle;
	return kind_handle(world, kind, reference->handle.index, &handle) && handle.generation == reference->handle.generation;
}

/* Before the world goes back: keeps all handles among the ghosts, as some of them will be replaced. May run finalizers. */
static void handles_keep(lua_State *L, int environment, int ghosts)
{
	for (int kind = 0; kind < OBJECT_KINDS; ++kind) {
		lua_rawgeti(L, environment, ENV_BODIES + kind);
		int known = lua_gettop(L);
		for (lua_pushnil(L); lua_next(L, known); lua_pop(L, 1)) {
			lua_pushnumber(L, ((const struct reference *)lua_touserdata(L, -1))->handle.generation);
			lua_pushvalue(L, -2);
			lua_rawset(L, ghosts);
		}
		lua_settop(L, known - 1);
	}
}

/* After the world has gone back: each object gets the handle that stands for it, if there is one; others are of destroyed
 * objects. Sets only keys that exist, or that ghosts_place has made. */
static void handles_match(lua_State *L, const struct world_object *object, int environment, int ghosts)
{
	const struct world *world = object->world;
	for (int kind = 0; kind < OBJECT_KINDS; ++kind) {
		lua_rawgeti(L, environment, ENV_BODIES + kind);
		int known = lua_gettop(L);
		for (lua_pushnil(L); lua_next(L, known); lua_pop(L, 1)) {
			struct reference *reference = lua_touserdata(L, -1);
			reference->destroyed = !stands(world, kind, reference);
		}
		for (uint32_t id = 0; id < kind_end(world, kind); ++id) {
			struct handle handle;
			if (!kind_handle(world, kind, id, &handle))
				continue;
			lua_rawgeti(L, known, (int)id + 1);
			const struct reference *at = lua_touserdata(L, -1);
			lua_pop(L, 1);
			if (at != NULL && at->handle.generation == handle.generation)
				continue;
			lua_pushnumber(L, handle.generation);
			lua_rawget(L, ghosts);
			struct reference *reference = lua_touserdata(L, -1);
			if (reference != NULL && reference->class == kind_class(object, kind) && reference->handle.index == id) {
				reference->destroyed = false;
				lua_rawseti(L, known, (int)id + 1);
			} else {
				lua_pop(L, 1);
			}
		}
		lua_settop(L, known - 1);
	}
}

/* Empties the places of the shapes of colliders that have another one now, or are gone: see get_shape in collider.c. */
static void shapes_match(lua_State *L, const struct world_object *object, int environment)
{
	lua_rawgeti(L, environment, ENV_SHAPES);
	int shapes = lua_gettop(L);
	const struct world *world = object->world;
	for (uint32_t id = 0, end = (uint32_t)lua_rawlen(L, shapes); id < end; ++id) {
		lua_rawgeti(L, shapes, (int)id + 1);
		const void *shape = lua_toboolean(L, -1) ? object->dimension->shape_in(L, -1) : NULL;
		lua_pop(L, 1);
		if (shape == NULL ||
			(id < world->colliders.count && world->colliders.data[id].valid && world->colliders.data[id].shape == shape))
			continue;
		lua_pushboolean(L, 0);
		lua_rawseti(L, shapes, (int)id + 1);
	}
	lua_settop(L, shapes - 1);
}

/* --- Graves --------------------------------------------------------------------------------------------------------------- */

/* The first tick of all histories; no tick: UINT64_MAX. */
static uint64_t first_tick(const struct world *world)
{
	uint64_t least = UINT64_MAX, first, last;
	for (const struct history *history = world->histories; history != NULL; history = history_next(history))
		if (history_range(history, &first, &last) && first < least)
			least = first;
	return least;
}

void graves_prune(lua_State *L, struct world_object *object, int environment)
{
	if (object->graves == 0)
		return;
	int top = lua_gettop(L);
	uint64_t first = first_tick(object->world);
	object->graves = 0;
	lua_rawgeti(L, environment, ENV_GRAVES);
	for (int key = ENV_DATA; key <= ENV_COLORS; ++key)
		lua_rawgeti(L, environment, key);
	for (lua_pushnil(L); lua_next(L, top + 1);) {
		bool old = (uint64_t)lua_tonumber(L, -1) < first, here = !((const struct reference *)lua_touserdata(L, -2))->destroyed;
		lua_pop(L, 1);
		object->graves += !old && !here;
		if (!old && !here)
			continue;
		for (int key = ENV_DATA; old && !here && key <= ENV_COLORS; ++key) {
			lua_pushvalue(L, -1);
			table_clear(L, top + 2 + key - ENV_DATA);
		}
		lua_pushvalue(L, -1);
		lua_pushnil(L);
		lua_rawset(L, top + 1);
	}
	lua_settop(L, top);
}

bool grave_dig(lua_State *L, struct world_object *object, int environment, int handle)
{
	if (object->world == NULL || object->world->histories == NULL)
		return false;
	int top = lua_gettop(L);
	lua_rawgeti(L, environment, ENV_GRAVES);
	lua_pushvalue(L, handle);
	lua_pushnumber(L, (lua_Number)kept_until(object->world));
	lua_rawset(L, top + 1);
	++object->graves;
	lua_settop(L, top);
	return true;
}

/* --- Methods -------------------------------------------------------------------------------------------------------------- */

static int history_push_tick(lua_State *L)
{
	struct world_object *object;
	struct history_object *self = check_self(L, "push", &object);
	lua_settop(L, 1);
	object_weighed(object);
	if (!history_push(self->history))
		raise_memory(L, "push");
	attached_get(L, 1);
	graves_prune(L, object, 2);
	lua_pushnumber(L, (lua_Number)object->world->tick);
	return 1;
}

static int history_rewind_to(lua_State *L)
{
	struct world_object *object;
	struct history_object *self = check_self(L, "rewind", &object);
	uint64_t first, last;
	int64_t tick = value_integer(L, 2, PATH("rewind", "tick"), 0, INT64_C(9007199254740991));
	if (!history_range(self->history, &first, &last))
		raise_error(L, "rewind: the history is empty");
	if (!history_has(self->history, (uint64_t)tick))
		raise_error(L, "rewind: the history has no tick %d; it has %d to %d", (int)tick, (int)first, (int)last);
	lua_settop(L, 1);
	attached_get(L, 1);
	lua_rawgeti(L, 2, ENV_GHOSTS);
	bool differ = history_lives_differ(self->history, (uint64_t)tick);
	if (differ)
		handles_keep(L, 2, 3);
	(void)check_self(L, "rewind", &object);
	if (!history_has(self->history, (uint64_t)tick))
		raise_error(L, "rewind: a finalizer has changed the history");
	if (!history_rewind(self->history, (uint64_t)tick))
		raise_memory(L, "rewind");
	object->told = false;
	object->shown.cursor = NULL;
	++object->epoch;
	if (differ) {
		handles_match(L, object, 2, 3);
		shapes_match(L, object, 2);
		graves_prune(L, object, 2);
	}
	return 0;
}

static int history_get_range(lua_State *L)
{
	struct world_object *object;
	const struct history_object *self = check_self(L, "getRange", &object);
	uint64_t first, last;
	if (!history_range(self->history, &first, &last))
		return 0;
	lua_pushnumber(L, (lua_Number)first);
	lua_pushnumber(L, (lua_Number)last);
	return 2;
}

static int history_get_byte_count(lua_State *L)
{
	struct world_object *object;
	const struct history_object *self = check_self(L, "getByteCount", &object);
	lua_pushnumber(L, (lua_Number)history_bytes(self->history));
	return 1;
}

static int history_forget(lua_State *L)
{
	struct world_object *object;
	const struct history_object *self = check_self(L, "clear", &object);
	history_clear(self->history);
	lua_settop(L, 1);
	attached_get(L, 1);
	graves_prune(L, object, 2);
	return 0;
}

const luaL_Reg history_functions[] = {
	{"newHistory", world_new_history},
	{NULL, NULL},
};

const luaL_Reg history_methods[] = {
	{"push", history_push_tick},
	{"rewind", history_rewind_to},
	{"getRange", history_get_range},
	{"getByteCount", history_get_byte_count},
	{"clear", history_forget},
	{NULL, NULL},
};

const luaL_Reg history_metamethods[] = {
	{"__gc", history_collect},
	{"__tostring", history_tostring},
	{NULL, NULL},
};
