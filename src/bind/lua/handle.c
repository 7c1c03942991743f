/* handle.c - finds live objects by their userdata, and userdata by their objects. See bind.h for the invariants. */
#include "bind/lua/args.h"
#include "bind/lua/dead.h"
#include "core/touched.h"

#include <pthread.h>
#include <stdio.h>

const struct class class_world = {"world", SHARED_WORLD, true, 0, &class_d3_world};
const struct class class_body = {"body", SHARED_BODY, true, ENV_BODIES, &class_d3_body};
const struct class class_collider = {"collider", SHARED_COLLIDER, true, ENV_COLLIDERS, &class_d3_collider};
const struct class class_joint = {"joint", SHARED_JOINT, true, ENV_JOINTS, &class_d3_joint};
const struct class class_field = {"field", SHARED_FIELD, true, ENV_FIELDS, &class_d3_field};
const struct class class_mover = {"mover", SHARED_MOVER, true, ENV_MOVERS, &class_d3_mover};
const struct class class_d3_world = {"world", SHARED_D3_WORLD, true, 0, NULL};
const struct class class_d3_body = {"body", SHARED_D3_BODY, true, ENV_BODIES, NULL};
const struct class class_d3_collider = {"collider", SHARED_D3_COLLIDER, true, ENV_COLLIDERS, NULL};
const struct class class_d3_joint = {"joint", SHARED_D3_JOINT, true, ENV_JOINTS, NULL};
const struct class class_d3_field = {"field", SHARED_D3_FIELD, true, ENV_FIELDS, NULL};
const struct class class_d3_mover = {"mover", SHARED_D3_MOVER, true, ENV_MOVERS, NULL};

/* --- Slots ---------------------------------------------------------------------------------------------------------------- */

struct slot world_slots[WORLD_SLOTS];

static pthread_mutex_t slot_lock = PTHREAD_MUTEX_INITIALIZER;
static uint16_t slot_free[WORLD_SLOTS]; /* slots given back */
static uint32_t slot_free_count, slot_end;

bool slot_take(struct world_object *object)
{
	bool found = true;
	uint32_t slot = 0;
	pthread_mutex_lock(&slot_lock);
	if (slot_free_count > 0)
		slot = slot_free[--slot_free_count];
	else if (slot_end < WORLD_SLOTS)
		slot = slot_end++;
	else
		found = false;
	pthread_mutex_unlock(&slot_lock);
	if (!found)
		return false;
	object->slot = slot;
	object->slot_generation = atomic_load_explicit(&world_slots[slot].generation, memory_order_relaxed);
	atomic_store_explicit(&world_slots[slot].object, object, memory_order_relaxed);
	return true;
}

void slot_give(struct world_object *object)
{
	struct slot *slot = &world_slots[object->slot];
	pthread_mutex_lock(&slot_lock);
	atomic_store_explicit(&slot->object, NULL, memory_order_relaxed);
	atomic_store_explicit(&slot->generation, object->slot_generation + 1, memory_order_relaxed);
	/* A slot with exhausted generations stays out of use: an old handle could match a new world. */
	if (object->slot_generation + 1 != UINT32_MAX)
		slot_free[slot_free_count++] = (uint16_t)object->slot;
	pthread_mutex_unlock(&slot_lock);
}

/* --- Checks --------------------------------------------------------------------------------------------------------------- */

/* Raises that the first argument is not of the class. class: the 2D class where both dimensions are allowed. */
static _Noreturn void raise_class(lua_State *L, const char *function, const struct class *class)
{
	char what[32];
	snprintf(what, sizeof what, "a %s%s", class->space ? "" : "3D ", class->name);
	raise_self(L, function, what);
}

/* Raises that the object is destroyed. Its name is known only while its world lives. */
static _Noreturn void raise_destroyed(lua_State *L, const char *function, const struct reference *reference)
{
	const char *name = NULL;
	attached_get(L, 1);
	lua_rawgeti(L, -1, ENV_NAMES);
	if (lua_istable(L, -1)) {
		lua_pushvalue(L, 1);
		lua_rawget(L, -2);
		name = lua_tostring(L, -1);
	}
	if (slot_find(reference->slot, reference->slot_generation) == NULL)
		raise_error(L, "%s: %s is destroyed, and so is its world", function, reference->class->name);
	const char *class = reference->class->name, *quote = name ? "\"" : "";
	raise_error(L, "%s: %s is destroyed (it was %s %d%s%s%s%s)", function, class, class, (int)reference->handle.index,
		name ? " " : "", quote, name ? name : "", quote);
}

_Noreturn void raise_locked(lua_State *L, const struct world_object *object, const char *function)
{
	if (object->world->locked)
		raise_error(L, "%s: world is locked (called from inside a step)", function);
	if (object->draw)
		raise_error(L, "%s: world is locked (called from inside a draw)", function);
	raise_error(L, "%s: world is locked (called from inside a query)", function);
}

static _Noreturn void raise_no_world(lua_State *L, const char *function)
{
	raise_error(L, "%s: world is destroyed", function);
}

static struct world_object *check_made(
	lua_State *L, const char *function, const struct class *class, struct world_object *object)
{
	if (object == NULL)
		raise_class(L, function, class);
	if (object->world == NULL)
		raise_no_world(L, function);
	return object_weighed(object);
}

struct world_object *check_world(lua_State *L, const char *function)
{
	return check_made(L, function, &class_world, object_test_any(L, 1, &class_world, sizeof(struct world_object)));
}

struct world_object *check_world_of(lua_State *L, const char *function, const struct class *class)
{
	return check_made(L, function, class, object_test(L, 1, class, sizeof(struct world_object)));
}

void check_world_again(lua_State *L, const struct world_object *object, const char *function)
{
	if (object->world == NULL)
		raise_no_world(L, function);
	check_unlocked(L, object, function);
}

struct world_object *check_world_change(lua_State *L, const char *function)
{
	struct world_object *object = check_world(L, function);
	check_unlocked(L, object, function);
	return object;
}

static bool handle_valid(const struct world *world, const struct class *class, struct handle handle)
{
	switch (class->handles) {
	case ENV_BODIES: return handle_valid_body(world, handle);
	case ENV_JOINTS: return handle_valid_joint(world, handle);
	case ENV_FIELDS: return handle_valid_field(world, handle);
	case ENV_MOVERS: return handle_valid_controller(world, handle);
	default: return handle_valid_collider(world, handle);
	}
}

struct world_object *reference_find(const struct reference *reference)
{
	struct world_object *object = slot_find(reference->slot, reference->slot_generation);
	bool valid = object && !reference->destroyed && handle_valid(object->world, reference->class, reference->handle);
	return valid ? object : NULL;
}

_Noreturn void raise_reference(lua_State *L, const char *function, const struct class *class)
{
	const struct reference *reference = object_test(L, 1, class, sizeof *reference);
	if (reference == NULL)
		raise_class(L, function, class);
	raise_destroyed(L, function, reference);
}

/* A method may change the object: see core/touched.h. */
static void reference_touch(const struct world_object *object, const struct reference *reference)
{
	static const enum touched_kind kinds[] = {
		[ENV_BODIES] = TOUCHED_BODIES, [ENV_COLLIDERS] = TOUCHED_COLLIDERS, [ENV_JOINTS] = TOUCHED_JOINTS};
	if (reference->class->handles <= ENV_JOINTS)
		record_touch(object->world, kinds[reference->class->handles], reference->handle.index);
}

static struct world_object *check_found(
	lua_State *L, const char *function, const struct class *class, const struct reference *reference, uint32_t *id)
{
	struct world_object *object = reference ? reference_find(reference) : NULL;
	if (object == NULL)
		raise_reference(L, function, reference ? reference->class : class);
	*id = reference->handle.index;
	reference_touch(object, reference);
	return object;
}

struct world_object *check_reference_of(lua_State *L, const char *function, const struct class *class, uint32_t *id)
{
	return check_found(L, function, class, object_test(L, 1, class, sizeof(struct reference)), id);
}

struct world_object *check_own(lua_State *L, const char *function, uint32_t *id)
{
	const struct class *class = upvalue_address(L, 2);
	struct world_object *object = check_reference_of(L, function, class, id);
	return class->handles == ENV_BODIES ? object_weighed(object) : object;
}

/* The 2D class of the kind of object that the method was registered for. */
static const struct class *own_kind(lua_State *L)
{
	static const struct class *const kinds[] = {[ENV_BODIES] = &class_body,
		[ENV_COLLIDERS] = &class_collider,
		[ENV_JOINTS] = &class_joint,
		[ENV_FIELDS] = &class_field,
		[ENV_MOVERS] = &class_mover};
	return kinds[((const struct class *)upvalue_address(L, 2))->handles];
}

struct world_object *check_reference(lua_State *L, const char *function, uint32_t *id)
{
	const struct class *class = own_kind(L);
	return check_found(L, function, class, object_test_any(L, 1, class, sizeof(struct reference)), id);
}

struct world_object *check_reference_change(lua_State *L, const char *function, uint32_t *id)
{
	struct world_object *object = check_reference(L, function, id);
	check_unlocked(L, object, function);
	return object;
}

struct world_object *check_body(lua_State *L, const char *function, uint32_t *body)
{
	return object_weighed(check_reference(L, function, body));
}

struct world_object *check_body_change(lua_State *L, const char *function, uint32_t *body)
{
	return object_weighed(check_reference_change(L, function, body));
}

int reference_is_valid(lua_State *L)
{
	const struct class *class = own_kind(L);
	const struct reference *reference = object_test_any(L, 1, class, sizeof *reference);
	if (reference == NULL)
		raise_class(L, "isValid", class);
	lua_pushboolean(L, reference_find(reference) != NULL);
	return 1;
}

struct world_object *reference_doom(lua_State *L, const struct class *class, struct reference **reference)
{
	*reference = object_test_any(L, 1, class, sizeof **reference);
	if (*reference == NULL)
		raise_class(L, "destroy", class);
	struct world_object *object = reference_find(*reference);
	if (object == NULL)
		return NULL;
	check_unlocked(L, object, "destroy");
	return object;
}

void environment_open(lua_State *L)
{
	lua_settop(L, 1);
	attached_get(L, 1);
}

int reference_get_world(lua_State *L)
{
	uint32_t id;
	check_reference(L, "getWorld", &id);
	attached_get(L, 1);
	lua_rawgeti(L, -1, ENV_WORLD);
	return 1;
}

/* --- Creating and retiring ------------------------------------------------------------------------------------------------ */

struct reference *reference_create(lua_State *L, struct world_object *object, const struct class *class, int environment)
{
	struct reference *reference = userdata_create(L, sizeof *reference);
	*reference = (struct reference){.class = class,
		.slot = object->slot,
		.slot_generation = object->slot_generation,
		.handle = {NONE, 0},
		.destroyed = true};
	shared_push(L, class->metatable);
	lua_setmetatable(L, -2);
	lua_pushvalue(L, environment);
	attached_set(L, -2);
	object->colliders_made |= class->handles == ENV_COLLIDERS;
	return reference;
}

/* The handle of the object that has the id, alive or not. */
static struct handle handle_of(const struct world *world, const struct class *class, uint32_t id)
{
	switch (class->handles) {
	case ENV_BODIES: return (struct handle){id, world->bodies.data[id].generation};
	case ENV_JOINTS: return (struct handle){id, world->joints.data[id].generation};
	case ENV_FIELDS: return (struct handle){id, field_at(world, id)->generation};
	case ENV_MOVERS: return (struct handle){id, controller_at(world, id)->generation};
	default: return (struct handle){id, world->colliders.data[id].generation};
	}
}

static const struct ids *ids_of(const struct world *world, const struct class *class)
{
	switch (class->handles) {
	case ENV_BODIES: return &world->body_ids;
	case ENV_JOINTS: return &world->joint_ids;
	case ENV_FIELDS: return &world->fields.ids;
	case ENV_MOVERS: return &world->controllers.ids;
	default: return &world->collider_ids;
	}
}

/* Keeps the handle of a destroyed object that is in the table of handles on top of the stack, before another one takes its
 * place there. */
static void ghost_keep(lua_State *L, const struct world_object *object, int environment, uint32_t id)
{
	if (!object->snapshots)
		return;
	int table = lua_gettop(L);
	lua_rawgeti(L, table, (int)id + 1);
	const struct reference *reference = lua_touserdata(L, -1);
	if (reference != NULL && element_push(L, environment, ENV_GHOSTS) == LUA_TTABLE) {
		lua_pushnumber(L, reference->handle.generation);
		lua_pushvalue(L, -3);
		lua_rawset(L, -3);
	}
	lua_settop(L, table);
}

void shapes_empty(lua_State *L, const struct world_object *object, int environment, uint32_t first)
{
	lua_rawgeti(L, environment, ENV_SHAPES);
	for (uint32_t c = first; c != NONE; c = object->world->colliders.data[c].next) {
		lua_pushboolean(L, 0);
		lua_rawseti(L, -2, (int)c + 1);
	}
	lua_pop(L, 1);
}

void reference_reserve(lua_State *L, const struct world_object *object, int environment, int handle, uint32_t ahead)
{
	const struct class *class = ((const struct reference *)lua_touserdata(L, handle))->class;
	uint32_t id = ids_ahead(ids_of(object->world, class), ahead);
	lua_rawgeti(L, environment, class->handles);
	ghost_keep(L, object, environment, id);
	lua_pushvalue(L, handle);
	lua_rawseti(L, -2, (int)id + 1);
	lua_pop(L, 1);
}

void reference_commit(struct reference *reference, const struct world_object *object, uint32_t id)
{
	reference->handle = handle_of(object->world, reference->class, id);
	reference->destroyed = false;
}

void shapes_reserve(lua_State *L, struct world_object *object, int environment, uint32_t count)
{
	for (uint32_t end = object->world->collider_ids.end + count; object->shape_slots < end; ++object->shape_slots) {
		lua_rawgeti(L, environment, ENV_SHAPES);
		lua_pushboolean(L, 0);
		lua_rawseti(L, -2, (int)object->shape_slots + 1);
		lua_pop(L, 1);
	}
}

/* As push_made, with the table of handles at stack index `handles`, but pushes nothing if there is no userdata. */
static struct reference *push_listed(lua_State *L, int handles, struct handle handle)
{
	lua_rawgeti(L, handles, (int)handle.index + 1);
	struct reference *reference = lua_touserdata(L, -1);
	/* The table keeps the handle of a destroyed object until its id is in use again, or the handle is collected. */
	if (reference && !reference->destroyed && reference->handle.generation == handle.generation)
		return reference;
	lua_pop(L, 1);
	return NULL;
}

struct reference *push_made(lua_State *L, int environment, const struct class *class, struct handle handle)
{
	if (element_push(L, environment, class->handles) != LUA_TTABLE)
		return NULL; /* nil: a finalizer has destroyed the world */
	struct reference *reference = push_listed(L, lua_gettop(L), handle);
	if (reference == NULL)
		lua_pushnil(L);
	lua_replace(L, -2);
	return reference;
}

void reference_retire(lua_State *L, const struct world_object *object, int environment, const struct class *class, uint32_t id)
{
	struct reference *reference = push_made(L, environment, class, handle_of(object->world, class, id));
	if (reference)
		reference->destroyed = true;
	lua_pop(L, 1);
}

void reference_note(struct reference *reference)
{
	struct world_object *object = slot_find(reference->slot, reference->slot_generation);
	reference->noted = true;
	if (object && reference->class->handles == ENV_COLLIDERS)
		object->colliders_noted = true;
}

void value_keep(lua_State *L, int environment, int key, int handle, int value)
{
	if (lua_isnil(L, value))
		return;
	reference_note(lua_touserdata(L, handle));
	lua_rawgeti(L, environment, key);
	lua_pushvalue(L, handle);
	lua_pushvalue(L, value);
	lua_rawset(L, -3);
	lua_pop(L, 1);
}

void data_keep(lua_State *L, int environment, int handle, int value)
{
	if (lua_isnil(L, value))
		return;
	value_keep(L, environment, ENV_DATA, handle, value);
	class_set_data(L, handle, ((const struct reference *)lua_touserdata(L, handle))->class, true);
}

void value_drop(lua_State *L, int environment, int key, int handle)
{
	lua_rawgeti(L, environment, key);
	int table = lua_gettop(L);
	lua_pushvalue(L, handle);
	table_clear(L, table);
	lua_settop(L, table - 1);
}

/* --- Handles on demand ---------------------------------------------------------------------------------------------------- */

/* Pushes the userdata of the handle if there is one; else pushes nothing and returns false. */
static bool push_known(
	lua_State *L, const struct world_object *object, const struct handle_source *source, struct handle handle)
{
	return (source->handles != 0 && push_listed(L, source->handles, handle)) ||
		(dead_named(source->class) &&
			((object->dead && push_dead(L, source->environment, ENV_DEAD, source->class, handle)) ||
				(object->dead_before && push_dead(L, source->environment, ENV_DEAD_BEFORE, source->class, handle))));
}

struct handle_source handles_open(lua_State *L, const struct world_object *object, int environment, const struct class *class)
{
	bool space = object->class == &class_d3_world && class->space;
	struct handle_source source = {.class = space ? class->space : class, .environment = environment};
	lua_rawgeti(L, environment, class->handles);
	if (lua_istable(L, -1))
		source.handles = lua_gettop(L);
	return source;
}

void push_handle_of(lua_State *L, struct world_object *object, const struct handle_source *source, struct handle handle)
{
	if (push_known(L, object, source, handle))
		return;
	uint32_t made = object->handles_made;
	struct reference *reference = reference_create(L, object, source->class, source->environment);
	if (object->handles_made != made && push_known(L, object, source, handle)) {
		lua_remove(L, -2); /* a finalizer has asked for the same handle */
		return;
	}
	++object->handles_made;
	reference->handle = handle;
	reference->destroyed = object->world == NULL || !handle_valid(object->world, source->class, handle);
	bool joint = object->world && source->class->handles == ENV_JOINTS;
	if (!reference->destroyed || (joint && joint_held(object->world, handle.index))) {
		lua_pushvalue(L, source->handles);
		ghost_keep(L, object, source->environment, handle.index);
		lua_pop(L, 1);
		lua_pushvalue(L, -1);
		lua_rawseti(L, source->handles, (int)handle.index + 1);
	} else if (dead_named(source->class)) {
		dead_keep(L, object, source->environment, reference); /* the next event that refers to it gets the same */
	}
}

void push_handle(lua_State *L, struct world_object *object, int environment, const struct class *class, struct handle handle)
{
	struct handle_source source = handles_open(L, object, environment, class);
	push_handle_of(L, object, &source, handle);
	lua_replace(L, -2);
}

bool push_live(lua_State *L, struct world_object *object, int environment, const struct class *class, uint32_t id)
{
	const struct world *world = object->world;
	struct handle handle = {id, 0};
	if (world && id < ids_of(world, class)->end)
		handle = handle_of(world, class, id);
	if (world && handle_valid(world, class, handle))
		push_handle(L, object, environment, class, handle);
	else
		lua_pushnil(L);
	return !lua_isnil(L, -1);
}
