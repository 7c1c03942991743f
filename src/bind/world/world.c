/* world.c - what worlds of any dimension can do. */
#include "bind/lua/args.h"

#include <stdio.h>
#include <string.h>

static const char *const mixing_names[] = {"geometric", "average", "minimum", "maximum", "multiply", NULL};

_Static_assert(MIX_GEOMETRIC == 0 && MIX_MULTIPLY == 4, "names of the mixing rules in order");

enum mixing check_mixing(lua_State *L, int index, const struct path *path)
{
	return (enum mixing)value_choice(
		L, index, path, mixing_names, "be \"geometric\", \"average\", \"minimum\", \"maximum\" or \"multiply\"");
}

/* --- Life ----------------------------------------------------------------------------------------------------------------- */

/* Frees the engine at once. The world is not locked. Raises nothing. */
static void world_close(lua_State *L, struct world_object *object, int environment)
{
	static const int tables[] = {ENV_BODIES, ENV_COLLIDERS, ENV_JOINTS, ENV_SHAPES, ENV_DATA, ENV_NAMES, ENV_WORLD_DATA,
		ENV_FILTER, ENV_LAYERS, ENV_LAYER_NAMES, ENV_DEAD, ENV_DEAD_BEFORE};
	slot_give(object);
	world_destroy(object->world);
	object->world = NULL;
	/* A handle that is kept must not keep all that the world held. */
	for (size_t i = 0; i < sizeof tables / sizeof *tables; ++i) {
		lua_pushnil(L);
		lua_rawseti(L, environment, tables[i]);
	}
}

static int destroy(lua_State *L)
{
	struct world_object *object = object_test_any(L, 1, &class_world, sizeof *object);
	if (object == NULL)
		check_world(L, "destroy");
	if (object->world == NULL)
		return 0;
	check_unlocked(L, object, "destroy");
	attached_get(L, 1);
	world_close(L, object, lua_gettop(L));
	return 0;
}

/* Not while a step is under way: that is os.exit closing the state inside a hook. The process ends and the memory with it. */
static int collect(lua_State *L)
{
	struct world_object *object = object_test_any(L, 1, &class_world, sizeof *object);
	if (object == NULL || (object->world && (object->world->locked || object->queries)))
		return 0;
	if (object->world) {
		slot_give(object);
		world_destroy(object->world);
		object->world = NULL;
	}
	array_free(&object->memory, &object->hits);
	array_free(&object->memory, &object->drawn);
	bits_free(&object->memory, &object->marked);
	return 0;
}

static int is_valid(lua_State *L)
{
	const struct world_object *object = object_test_any(L, 1, &class_world, sizeof *object);
	if (object == NULL)
		check_world(L, "isValid");
	lua_pushboolean(L, object->world != NULL);
	return 1;
}

static int world_tostring(lua_State *L)
{
	const struct world_object *object = object_test_any(L, 1, &class_world, sizeof *object);
	if (object && object->world)
		lua_pushfstring(L, "world (%d bodies)", (int)ids_count(&object->world->body_ids));
	else
		lua_pushstring(L, "destroyed world");
	return 1;
}

/* --- Stepping ------------------------------------------------------------------------------------------------------------- */

/* A step so short that its inverse squared leaves the floats, and yet not 0, is a slip. */
static float check_time_step(lua_State *L)
{
	double dt = arg_number(L, 2, "step", "dt", &range_time_step);
	if (dt > 0 && dt < 1e-6)
		raise_value(L, 2, PATH("step", "dt"), "be 0 or at least 1e-06");
	return (float)dt;
}

static int step(lua_State *L)
{
	struct world_object *object = check_world_change(L, "step");
	float dt = check_time_step(L);
	struct hook hook;
	lua_settop(L, 2);
	attached_get(L, 1);
	dead_age(L, object, 3);
	check_world_change(L, "step");
	lua_rawgeti(L, 3, ENV_FILTER);
	hook_begin(L, &hook, object, 3, SHARED_FILTER, 4);
	struct world *world = object->world;
	world->filter = object->filtered ? hook_filter : NULL;
	world->filter_context = &hook;
	++object->epoch;
	bool done = world_step(world, dt);
	world->filter = NULL;
	world->filter_context = NULL;
	hook_end(&hook);
	hook_raise(&hook);
	if (!done)
		raise_memory(L, "step");
	return 0;
}

static int is_locked(lua_State *L)
{
	const struct world_object *object = check_world(L, "isLocked");
	lua_pushboolean(L, object->world->locked || object->queries);
	return 1;
}

static int set_filter(lua_State *L)
{
	struct world_object *object = check_world_change(L, "setFilter");
	lua_settop(L, 2);
	if (!lua_isnil(L, 2) && !lua_isfunction(L, 2))
		raise_value(L, 2, PATH("setFilter", "filter"), "be a function or nil");
	object->filtered = !lua_isnil(L, 2);
	attached_get(L, 1);
	lua_pushvalue(L, 2);
	lua_rawseti(L, 3, ENV_FILTER);
	return 0;
}

/* --- Settings ------------------------------------------------------------------------------------------------------------- */

static int get_substeps(lua_State *L)
{
	lua_pushinteger(L, check_world(L, "getSubsteps")->world->settings.substeps);
	return 1;
}

static int set_substeps(lua_State *L)
{
	struct world_object *object = check_world_change(L, "setSubsteps");
	object->world->settings.substeps = (int)value_integer(L, 2, PATH("setSubsteps", "substeps"), 1, MOST_SUBSTEPS);
	return 0;
}

static int is_sleeping_allowed(lua_State *L)
{
	lua_pushboolean(L, check_world(L, "isSleepingAllowed")->world->settings.sleeping_allowed);
	return 1;
}

static int set_sleeping_allowed(lua_State *L)
{
	struct world_object *object = check_world_change(L, "setSleepingAllowed");
	bool allowed = arg_boolean(L, 2, "setSleepingAllowed", "allowed");
	object->world->settings.sleeping_allowed = allowed;
	if (!allowed)
		world_wake_all(object->world);
	return 0;
}

static int is_continuous(lua_State *L)
{
	lua_pushboolean(L, check_world(L, "isContinuous")->world->settings.continuous);
	return 1;
}

static int set_continuous(lua_State *L)
{
	struct world_object *object = check_world_change(L, "setContinuous");
	object->world->settings.continuous = arg_boolean(L, 2, "setContinuous", "continuous");
	return 0;
}

static int get_contact_hertz(lua_State *L)
{
	lua_pushnumber(L, check_world(L, "getContactHertz")->world->settings.contact_hertz);
	return 1;
}

static int get_contact_damping_ratio(lua_State *L)
{
	lua_pushnumber(L, check_world(L, "getContactDampingRatio")->world->settings.contact_damping_ratio);
	return 1;
}

static int get_contact_speed(lua_State *L)
{
	lua_pushnumber(L, check_world(L, "getContactSpeed")->world->settings.contact_speed);
	return 1;
}

static int set_contact_softness(lua_State *L)
{
	struct world_object *object = check_world_change(L, "setContactSoftness");
	float hertz = arg_float(L, 2, "setContactSoftness", "hertz", &range_rate);
	float damping_ratio = arg_float(L, 3, "setContactSoftness", "dampingRatio", &range_coefficient);
	float speed = arg_float(L, 4, "setContactSoftness", "speed", &range_speed);
	object->world->settings.contact_hertz = hertz;
	object->world->settings.contact_damping_ratio = damping_ratio;
	object->world->settings.contact_speed = speed;
	return 0;
}

static int get_restitution_threshold(lua_State *L)
{
	lua_pushnumber(L, check_world(L, "getRestitutionThreshold")->world->settings.restitution_threshold);
	return 1;
}

static int set_restitution_threshold(lua_State *L)
{
	struct world_object *object = check_world_change(L, "setRestitutionThreshold");
	object->world->settings.restitution_threshold = arg_float(L, 2, "setRestitutionThreshold", "speed", &range_speed);
	return 0;
}

static int get_hit_speed(lua_State *L)
{
	lua_pushnumber(L, check_world(L, "getHitSpeed")->world->settings.hit_speed);
	return 1;
}

static int set_hit_speed(lua_State *L)
{
	struct world_object *object = check_world_change(L, "setHitSpeed");
	object->world->settings.hit_speed = arg_float(L, 2, "setHitSpeed", "speed", &range_speed);
	return 0;
}

static int get_maximum_speed(lua_State *L)
{
	lua_pushnumber(L, check_world(L, "getMaximumSpeed")->world->settings.maximum_speed);
	return 1;
}

static int set_maximum_speed(lua_State *L)
{
	struct world_object *object = check_world_change(L, "setMaximumSpeed");
	object->world->settings.maximum_speed = arg_float(L, 2, "setMaximumSpeed", "speed", &range_rate);
	return 0;
}

static int get_maximum_angular_speed(lua_State *L)
{
	lua_pushnumber(L, check_world(L, "getMaximumAngularSpeed")->world->settings.maximum_turn_rate);
	return 1;
}

static int set_maximum_angular_speed(lua_State *L)
{
	struct world_object *object = check_world_change(L, "setMaximumAngularSpeed");
	object->world->settings.maximum_turn_rate = arg_float(L, 2, "setMaximumAngularSpeed", "speed", &range_rate);
	return 0;
}

/* The mixed values stand in the contacts: each collider's material is set anew to have them mixed again. */
static void contacts_mix(struct world *world)
{
	for (uint32_t i = 0; i < world->colliders.count; ++i)
		if (world->colliders.data[i].valid) {
			struct material material = world->colliders.data[i].material;
			collider_set_material(world, i, &material);
		}
}

static int get_friction_mixing(lua_State *L)
{
	lua_pushstring(L, mixing_names[check_world(L, "getFrictionMixing")->world->settings.friction_mixing]);
	return 1;
}

static int set_friction_mixing(lua_State *L)
{
	struct world_object *object = check_world_change(L, "setFrictionMixing");
	object->world->settings.friction_mixing = check_mixing(L, 2, PATH("setFrictionMixing", "mixing"));
	contacts_mix(object->world);
	return 0;
}

static int get_restitution_mixing(lua_State *L)
{
	lua_pushstring(L, mixing_names[check_world(L, "getRestitutionMixing")->world->settings.restitution_mixing]);
	return 1;
}

static int set_restitution_mixing(lua_State *L)
{
	struct world_object *object = check_world_change(L, "setRestitutionMixing");
	object->world->settings.restitution_mixing = check_mixing(L, 2, PATH("setRestitutionMixing", "mixing"));
	contacts_mix(object->world);
	return 0;
}

static int get_workers(lua_State *L)
{
	lua_pushinteger(L, world_get_workers(check_world(L, "getWorkers")->world));
	return 1;
}

static int set_workers(lua_State *L)
{
	struct world_object *object = check_world_change(L, "setWorkers");
	int workers = (int)value_integer(L, 2, PATH("setWorkers", "workers"), 1, 64);
	if (!world_set_workers(object->world, workers))
		raise_memory(L, "setWorkers");
	return 0;
}

/* --- Counts --------------------------------------------------------------------------------------------------------------- */

static int get_body_count(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)ids_count(&check_world(L, "getBodyCount")->world->body_ids));
	return 1;
}

static int get_awake_count(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)check_world(L, "getAwakeCount")->world->awake.count);
	return 1;
}

static int get_collider_count(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)ids_count(&check_world(L, "getColliderCount")->world->collider_ids));
	return 1;
}

static int get_joint_count(lua_State *L)
{
	lua_pushinteger(L, ids_count(&check_world(L, "getJointCount")->world->joint_ids));
	return 1;
}

static int get_contact_count(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)ids_count(&check_world(L, "getContactCount")->world->contact_ids));
	return 1;
}

static int get_touching_count(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)check_world(L, "getTouchingCount")->world->touching_count);
	return 1;
}

static int get_island_count(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)world_island_count(check_world(L, "getIslandCount")->world));
	return 1;
}

static int get_tick(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)check_world(L, "getTick")->world->tick);
	return 1;
}

static int get_byte_count(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)check_world(L, "getByteCount")->memory.bytes);
	return 1;
}

static void set_time(lua_State *L, const char *key, uint64_t nanoseconds)
{
	lua_pushstring(L, key);
	lua_pushnumber(L, (double)nanoseconds * 1e-6);
	lua_rawset(L, 2);
}

/* Keys that the table has already make no garbage. */
static int get_profile(lua_State *L)
{
	static const char *const names[PHASES] = {"pairs", "collide", "contacts", "solve", "finish", "sweep"};
	const struct world_object *object = check_world(L, "getProfile");
	uint64_t profile[PHASES], step = 0;
	lua_settop(L, 2);
	memcpy(profile, object->world->profile, sizeof profile);
	if (lua_isnil(L, 2)) {
		lua_createtable(L, 0, PHASES + 2);
		lua_replace(L, 2);
	} else if (!lua_istable(L, 2)) {
		raise_value(L, 2, PATH("getProfile", "into"), "be a table or nil");
	}
	for (int i = 0; i < PHASES; ++i) {
		set_time(L, names[i], profile[i]);
		step += profile[i];
	}
	set_time(L, "step", step);
	set_time(L, "lost", (uint64_t)((double)object->world->lost / LOST_UNIT * (double)object->world->last_dt * 1e9));
	return 1;
}

static int hash(lua_State *L)
{
	char text[17];
	snprintf(text, sizeof text, "%016llx", (unsigned long long)world_hash(check_world(L, "hash")->world));
	lua_pushstring(L, text);
	return 1;
}

static int validate(lua_State *L)
{
	struct world_object *object = check_world(L, "validate");
	check_unlocked(L, object, "validate");
	const char *broken = world_validate(object->world);
	if (broken)
		raise(L, "validate: broken invariant: %s", broken);
	lua_pushboolean(L, 1);
	return 1;
}

static int get_bodies(lua_State *L)
{
	struct world_object *object = check_world(L, "getBodies");
	attached_get(L, 1);
	int environment = lua_gettop(L);
	lua_createtable(L, (int)ids_count(&object->world->body_ids), 0);
	int count = 0;
	/* The bound is read anew each time: making room in the list may run a finalizer that makes or destroys bodies. */
	for (uint32_t i = 0; object->world && i < object->world->bodies.count; ++i)
		if (object->world->bodies.data[i].valid) {
			push_live(L, environment, &class_body, i);
			if (lua_touserdata(L, -1))
				lua_rawseti(L, environment + 1, ++count);
			else
				lua_pop(L, 1);
		}
	return 1;
}

/* --- Layers --------------------------------------------------------------------------------------------------------------- */

void push_layer(lua_State *L, int environment, uint32_t layer)
{
	lua_rawgeti(L, environment, ENV_LAYER_NAMES);
	lua_rawgeti(L, -1, (int)layer + 1);
}

static _Noreturn void raise_layer(
	lua_State *L, int index, int environment, const struct world_object *object, const struct path *path)
{
	const char *names[LAYERS];
	struct path where = *path;
	char text[200];
	const char *name = lua_tostring(L, index);
	lua_rawgeti(L, environment, ENV_LAYER_NAMES);
	int table = lua_gettop(L);
	for (uint32_t i = 0; i < object->layer_count; ++i) {
		lua_rawgeti(L, table, (int)i + 1);
		names[i] = lua_tostring(L, -1); /* stays in the table */
		lua_pop(L, 1);
	}
	if (where.element)
		snprintf(text, sizeof text, "%s[%d] is an unknown layer", where.name, where.element);
	else
		snprintf(text, sizeof text, "%s is an unknown layer", where.name);
	raise_unknown(L, where.function, where.list, where.entry, text, name, names, object->layer_count);
}

uint32_t check_layer(lua_State *L, int index, int environment, const struct world_object *object, const struct path *path)
{
	if (lua_type(L, index) != LUA_TSTRING)
		raise_value(L, index, path, "be the name of a layer");
	if (index < 0)
		index = lua_gettop(L) + index + 1;
	lua_rawgeti(L, environment, ENV_LAYERS);
	lua_pushvalue(L, index);
	lua_rawget(L, -2);
	int layer = (int)lua_tointeger(L, -1);
	lua_pop(L, 2);
	if (layer == 0)
		raise_layer(L, index, environment, object, path);
	return (uint32_t)layer - 1;
}

static int layers_meet(lua_State *L)
{
	struct world_object *object = check_world(L, "layersMeet");
	attached_get(L, 1);
	int environment = lua_gettop(L);
	uint32_t a = check_layer(L, 2, environment, object, PATH("layersMeet", "a"));
	uint32_t b = check_layer(L, 3, environment, object, PATH("layersMeet", "b"));
	lua_pushboolean(L, world_layers_meet(object->world, a, b));
	return 1;
}

static int set_layers_meet(lua_State *L)
{
	struct world_object *object = check_world_change(L, "setLayersMeet");
	bool meet = arg_boolean(L, 4, "setLayersMeet", "meet");
	attached_get(L, 1);
	int environment = lua_gettop(L);
	uint32_t a = check_layer(L, 2, environment, object, PATH("setLayersMeet", "a"));
	uint32_t b = check_layer(L, 3, environment, object, PATH("setLayersMeet", "b"));
	world_set_layers_meet(object->world, a, b, meet);
	return 0;
}

const luaL_Reg world_methods[] = {
	{"destroy", destroy},
	{"isValid", is_valid},
	{"step", step},
	{"isLocked", is_locked},
	{"setFilter", set_filter},
	{"newBody", world_new_body},
	{"getSubsteps", get_substeps},
	{"setSubsteps", set_substeps},
	{"isSleepingAllowed", is_sleeping_allowed},
	{"setSleepingAllowed", set_sleeping_allowed},
	{"isContinuous", is_continuous},
	{"setContinuous", set_continuous},
	{"getContactHertz", get_contact_hertz},
	{"getContactDampingRatio", get_contact_damping_ratio},
	{"getContactSpeed", get_contact_speed},
	{"setContactSoftness", set_contact_softness},
	{"getRestitutionThreshold", get_restitution_threshold},
	{"setRestitutionThreshold", set_restitution_threshold},
	{"getHitSpeed", get_hit_speed},
	{"setHitSpeed", set_hit_speed},
	{"getMaximumSpeed", get_maximum_speed},
	{"setMaximumSpeed", set_maximum_speed},
	{"getMaximumAngularSpeed", get_maximum_angular_speed},
	{"setMaximumAngularSpeed", set_maximum_angular_speed},
	{"getFrictionMixing", get_friction_mixing},
	{"setFrictionMixing", set_friction_mixing},
	{"getRestitutionMixing", get_restitution_mixing},
	{"setRestitutionMixing", set_restitution_mixing},
	{"getWorkers", get_workers},
	{"setWorkers", set_workers},
	{"getBodyCount", get_body_count},
	{"getAwakeCount", get_awake_count},
	{"getColliderCount", get_collider_count},
	{"getJointCount", get_joint_count},
	{"getContactCount", get_contact_count},
	{"getTouchingCount", get_touching_count},
	{"getIslandCount", get_island_count},
	{"getTick", get_tick},
	{"getByteCount", get_byte_count},
	{"getProfile", get_profile},
	{"hash", hash},
	{"validate", validate},
	{"getBodies", get_bodies},
	{"getJoints", world_get_joints},
	{"layersMeet", layers_meet},
	{"setLayersMeet", set_layers_meet},
	{NULL, NULL},
};

const luaL_Reg world_metamethods[] = {
	{"__gc", collect},
	{"__close", destroy},
	{"__tostring", world_tostring},
	{NULL, NULL},
};
