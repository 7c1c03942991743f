/* dead.c - see dead.h. */
#include "bind/lua/dead.h"

/* Pushes the key of a collider's or joint's handle in ENV_DEAD: generation and id as one number, below 0 for joints. Without
 * 64-bit integers the key drops the generation's upper bits, so look-ups compare the whole generation. The key then has a
 * fraction, to keep it out of the array part of the table: when LuaJIT (2.1 of 2022) runs out of memory while it moves keys
 * there from the hash part, lua_next over that table never ends. */
static void push_dead_key(lua_State *L, const struct class *class, struct handle handle)
{
	bool joint = class->handles == ENV_JOINTS;
	if (INTEGERS_EXACT) {
		uint64_t key = (uint64_t)handle.generation << 32 | handle.index;
		lua_pushinteger(L, (lua_Integer)(joint ? ~key : key));
	} else {
		double key = (double)(handle.generation & 0xfffff) * 4294967296.0 + (double)handle.index + 0.5;
		lua_pushnumber(L, joint ? -key : key);
	}
}

bool dead_named(const struct class *class)
{
	return class->handles == ENV_COLLIDERS || class->handles == ENV_JOINTS;
}

void table_clear(lua_State *L, int table)
{
	lua_pushvalue(L, -1);
	lua_rawget(L, table);
	bool present = !lua_isnil(L, -1);
	lua_pop(L, 1);
	if (present) {
		lua_pushnil(L);
		lua_rawset(L, table);
	} else {
		lua_pop(L, 1);
	}
}

/* Pops a table of handles, and drops their names, colours and data. */
static void dead_forget(lua_State *L, struct world_object *object, int environment)
{
	int dead = lua_gettop(L);
	for (int key = ENV_DATA; key <= ENV_COLORS; ++key)
		lua_rawgeti(L, environment, key);
	for (lua_pushnil(L); lua_next(L, dead); lua_pop(L, 1)) {
		const struct reference *reference = lua_touserdata(L, -1);
		if (!reference->destroyed)
			continue; /* out of memory interrupted its destruction, or it lives again */
		if (reference->noted && grave_dig(L, object, environment, lua_gettop(L)))
			continue;
		for (int key = ENV_DATA; key <= ENV_COLORS; ++key) {
			lua_pushvalue(L, -1);
			table_clear(L, dead + 1 + key - ENV_DATA);
		}
	}
	lua_settop(L, dead - 1);
}

/* Without steps, ENV_DEAD would grow for ever. Beyond this number, handles that no event refers to are dropped. */
enum { DEAD_MANY = 16384 };

static uint32_t dead_copy(lua_State *L, int from, int to, const struct class *class, struct handle handle)
{
	push_dead_key(L, class, handle);
	lua_rawget(L, from);
	const struct reference *reference = lua_touserdata(L, -1);
	if (reference == NULL) {
		lua_pop(L, 1);
		return 0;
	}
	push_dead_key(L, class, handle);
	lua_insert(L, -2);
	lua_rawset(L, to);
	return 1;
}

/* `size`: of an event, which begins with its two handles [bytes]. */
static uint32_t dead_copy_events(lua_State *L, int from, int to, const void *events, uint32_t count, size_t size)
{
	uint32_t copied = 0;
	for (uint32_t i = 0; i < count; ++i) {
		const struct handle *pair = (const void *)((const char *)events + i * size);
		copied += dead_copy(L, from, to, &class_collider, pair[0]) + dead_copy(L, from, to, &class_collider, pair[1]);
	}
	return copied;
}

/* Copies handles of objects that are about to be destroyed: events will refer to them. */
static uint32_t dead_copy_doomed(lua_State *L, int from, int to)
{
	uint32_t copied = 0;
	for (lua_pushnil(L); lua_next(L, from); lua_pop(L, 1))
		if (!((const struct reference *)lua_touserdata(L, -1))->destroyed) {
			lua_pushvalue(L, -2);
			lua_pushvalue(L, -2);
			lua_rawset(L, to);
			++copied;
		}
	return copied;
}

static void dead_prune(lua_State *L, struct world_object *object, int environment)
{
	int to = lua_gettop(L) + 1, from = to + 1;
	lua_newtable(L);
	if (object->world == NULL) {
		lua_pop(L, 1);
		return;
	}
	const struct events *events = &object->world->events;
	lua_rawgeti(L, environment, ENV_DEAD);
	object->dead = dead_copy_events(L, from, to, events->ends.all.data, events->ends.all.count, sizeof *events->ends.all.data) +
		dead_copy_events(
			L, from, to, events->overlap_ends.all.data, events->overlap_ends.all.count, sizeof *events->overlap_ends.all.data) +
		dead_copy_events(L, from, to, events->begins.data, events->begins.count, sizeof *events->begins.data) +
		dead_copy_events(L, from, to, events->hits.data, events->hits.count, sizeof *events->hits.data) +
		dead_copy_events(
			L, from, to, events->overlap_begins.data, events->overlap_begins.count, sizeof *events->overlap_begins.data);
	for (uint32_t i = 0; i < events->joints.count; ++i)
		object->dead += dead_copy(L, from, to, &class_joint, events->joints.data[i].joint);
	object->dead += dead_copy_doomed(L, from, to);
	object->dead_limit = object->dead * 2 > DEAD_MANY ? object->dead * 2 : DEAD_MANY;
	/* dead_forget must not drop the names and data of the copied handles. */
	for (lua_pushnil(L); lua_next(L, to); lua_pop(L, 1)) {
		lua_pushvalue(L, -2);
		table_clear(L, from);
	}
	dead_forget(L, object, environment);
	lua_rawseti(L, environment, ENV_DEAD);
}

void dead_keep(lua_State *L, struct world_object *object, int environment, const struct reference *reference)
{
	++object->dead;
	if (object->dead > object->dead_limit && object->dead > DEAD_MANY)
		dead_prune(L, object, environment);
	lua_rawgeti(L, environment, ENV_DEAD);
	if (!lua_istable(L, -1)) {
		lua_pop(L, 1);
		return; /* a finalizer has destroyed the world */
	}
	if (dead_named(reference->class))
		push_dead_key(L, reference->class, reference->handle);
	else
		lua_pushvalue(L, -2);
	lua_pushvalue(L, -3);
	lua_rawset(L, -3);
	lua_pop(L, 1);
}

/* Removes all keys of the table on top of the stack. */
static void table_empty(lua_State *L)
{
	for (lua_pushnil(L); lua_next(L, -2);) {
		lua_pop(L, 1);
		lua_pushvalue(L, -1);
		lua_pushnil(L);
		lua_rawset(L, -4);
	}
}

/* Largest number of handles in a table that is reused, which creates no garbage; a larger table would never shrink. */
enum { DEAD_FEW = 1024 };

void dead_age(lua_State *L, struct world_object *object, int environment)
{
	if (object->dead == 0 && object->dead_before == 0)
		return;
	bool few = object->dead_before <= DEAD_FEW;
	if (few)
		lua_rawgeti(L, environment, ENV_DEAD_BEFORE);
	else
		lua_newtable(L);
	if (object->world == NULL) {
		lua_pop(L, 1);
		return; /* a finalizer has destroyed the world */
	}
	lua_rawgeti(L, environment, ENV_DEAD_BEFORE);
	dead_forget(L, object, environment);
	if (few)
		table_empty(L);
	lua_rawgeti(L, environment, ENV_DEAD);
	lua_rawseti(L, environment, ENV_DEAD_BEFORE);
	lua_rawseti(L, environment, ENV_DEAD);
	object->dead_before = object->dead;
	object->dead = 0;
}

bool push_dead(lua_State *L, int environment, int key, const struct class *class, struct handle handle)
{
	lua_rawgeti(L, environment, key);
	if (lua_istable(L, -1)) {
		push_dead_key(L, class, handle);
		lua_rawget(L, -2);
		const struct reference *reference = lua_touserdata(L, -1);
		if (reference && reference->handle.generation == handle.generation) {
			lua_replace(L, -2);
			return true;
		}
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
	return false;
}
