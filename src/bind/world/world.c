/* world.c - methods of worlds, for 2D and 3D. */
#include "bind/lua/property.h"
#include "bind/world/dimension.h"
#include "core/misfit.h"
#include "core/world_hash.h"

#include <stdio.h>
#include <string.h>

static const char *const mixing_names[] = {"geometric", "average", "minimum", "multiply", "maximum", NULL};

_Static_assert(MIX_GEOMETRIC == 0 && MIX_MAXIMUM == 4, "names of the mixing rules in order");

static const char *const joint_solver_names[] = {"iterative", "direct", NULL};
const struct choices joint_solver_choices = {joint_solver_names, "be \"iterative\" or \"direct\""};

const struct choices mixing_choices = {mixing_names, "be \"geometric\", \"average\", \"minimum\", \"multiply\" or \"maximum\""};

/* --- Lifetime ------------------------------------------------------------------------------------------------------------- */

/* Destroys the world at once, and clears its environment. The world must not be locked. Raises nothing. */
static void world_close(lua_State *L, struct world_object *object, int environment)
{
	static const int tables[] = {ENV_BODIES, ENV_COLLIDERS, ENV_JOINTS, ENV_FIELDS, ENV_MOVERS, ENV_SHAPES, ENV_DATA, ENV_NAMES,
		ENV_COLORS, ENV_WORLD_DATA, ENV_FILTER, ENV_PRE_SOLVE, ENV_CONTACT, ENV_LAYERS, ENV_LAYER_NAMES, ENV_DEAD,
		ENV_DEAD_BEFORE, ENV_GHOSTS, ENV_GRAVES};
	slot_give(object);
	world_destroy(object->world);
	object->world = NULL;
	/* A handle that a script keeps must not keep the world's values alive. */
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

/* __gc. Does nothing during a step, query or draw: a world in use is collected only if a callback called os.exit, which closes
 * the state, and the process ends anyway. */
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
	array_free(&object->memory, &object->rays);
	array_free(&object->memory, &object->excluded);
	array_free(&object->memory, &object->drawn);
	array_free(&object->memory, &object->visitors);
	array_free(&object->memory, &object->bulk);
	array_free(&object->memory, &object->bulk_ids);
	array_free(&object->memory, &object->bulk_handles);
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
		lua_pushfstring(L, "world (%d bodies)", (int)world_body_count(object->world));
	else
		lua_pushstring(L, "destroyed world");
	return 1;
}

/* --- Callbacks -------------------------------------------------------------------------------------------------------- */

static int is_locked(lua_State *L)
{
	const struct world_object *object = check_world(L, "isLocked");
	lua_pushboolean(L, object->world->locked || object->queries);
	return 1;
}

/* Stores the function at stack index 2, or nil, at the key of the environment, which is then at stack index 3. Returns whether
 * there is one. */
static bool function_keep(lua_State *L, const struct path *path, int key)
{
	lua_settop(L, 2);
	if (!lua_isnil(L, 2) && !lua_isfunction(L, 2))
		raise_value(L, 2, path, "be a function or nil");
	attached_get(L, 1);
	lua_pushvalue(L, 2);
	lua_rawseti(L, 3, key);
	return !lua_isnil(L, 2);
}

static int set_filter(lua_State *L)
{
	struct world_object *object = check_world_change(L, "setFilter");
	object->filtered = function_keep(L, PATH("setFilter", "filter"), ENV_FILTER);
	return 0;
}

static int set_pre_solve(lua_State *L)
{
	struct world_object *object = check_world_change(L, "setPreSolve");
	attached_get(L, 1);
	contact_object_create(L, object, lua_gettop(L));
	check_world_again(L, object, "setPreSolve");
	bool before = object->pre_solved;
	object->pre_solved = function_keep(L, PATH("setPreSolve", "preSolve"), ENV_PRE_SOLVE);
	/* The first function wakes nothing: a world that has been loaded goes on as the one that was saved. */
	if (before && object->world->pre_solve_colliders > 0)
		world_wake_all(object->world);
	return 0;
}

/* --- Settings ------------------------------------------------------------------------------------------------------------- */

/* getGravity and setGravity of one dimension reject worlds of the other, since the number of components differs. */
static int get_gravity(lua_State *L)
{
	const struct world_object *object = check_world_of(L, "getGravity", upvalue_address(L, 2));
	for (int i = 0; i < object->dimension->axes; ++i)
		lua_pushnumber(L, object->world->gravity[i]);
	return object->dimension->axes;
}

static int set_gravity(lua_State *L)
{
	static const char *const names[] = {"x", "y", "z"};
	double gravity[3] = {0};
	const struct world_object *object = check_world_of(L, "setGravity", upvalue_address(L, 2));
	check_unlocked(L, object, "setGravity");
	arg_numbers(L, 2, "setGravity", names, object->dimension->axes, &range_velocity, gravity);
	world_set_gravity(object->world, (float[]){(float)gravity[0], (float)gravity[1], (float)gravity[2]});
	return 0;
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

static void set_time(lua_State *L, const char *key, uint64_t nanoseconds)
{
	lua_pushstring(L, key);
	lua_pushnumber(L, (double)nanoseconds * 1e-6);
	lua_rawset(L, 2);
}

/* Fills in the table at stack index 2, if given: assigning to keys that it already has creates no garbage. */
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

static int get_byte_count(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)check_world(L, "getByteCount")->memory.bytes);
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
		raise_error(L, "validate: broken invariant: %s", broken);
	lua_pushboolean(L, 1);
	return 1;
}

/* Pushes a list of all bodies, joints, fields or movers of the world. */
static int push_all(lua_State *L, const char *function, const struct class *class)
{
	struct world_object *object = check_world(L, function);
	const struct world *world = object->world;
	const struct ids *ids = class == &class_body ? &world->body_ids
		: class == &class_joint                  ? &world->joint_ids
		: class == &class_field                  ? &world->fields.ids
												 : &world->controllers.ids;
	int count = 0;
	attached_get(L, 1);
	int environment = lua_gettop(L);
	lua_createtable(L, (int)ids_count(ids), 0);
	/* Reads the bound anew each time: a new handle or a longer list may run a finalizer that creates or destroys objects. */
	for (uint32_t i = 0; object->world && i < ids->end; ++i) {
		if (push_live(L, object, environment, class, i))
			lua_rawseti(L, environment + 1, ++count);
		else
			lua_pop(L, 1);
	}
	return 1;
}

static int get_body_count(lua_State *L)
{
	lua_pushinteger(L, world_body_count(check_world(L, "getBodyCount")->world));
	return 1;
}

static int get_joint_count(lua_State *L)
{
	lua_pushinteger(L, world_joint_count(check_world(L, "getJointCount")->world));
	return 1;
}

static int get_bodies(lua_State *L)
{
	return push_all(L, "getBodies", &class_body);
}

static int get_joints(lua_State *L)
{
	return push_all(L, "getJoints", &class_joint);
}

static int get_fields(lua_State *L)
{
	return push_all(L, "getFields", &class_field);
}

static int get_movers(lua_State *L)
{
	return push_all(L, "getMovers", &class_mover);
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
		names[i] = lua_tostring(L, -1); /* kept alive by the table */
		lua_pop(L, 1);
	}
	if (where.element)
		snprintf(text, sizeof text, "%s[%d]: unknown layer", where.name, where.element);
	else
		snprintf(text, sizeof text, "%s: unknown layer", where.name);
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

uint64_t check_layers(lua_State *L, int index, int environment, const struct world_object *object, const struct path *path)
{
	uint64_t layers = 0;
	struct path element = *path;
	uint32_t count = value_list(L, index, path);
	for (uint32_t i = 0; i < count; ++i) {
		element.element = (int)i + 1;
		lua_rawgeti(L, index, (int)i + 1);
		layers |= UINT64_C(1) << check_layer(L, -1, environment, object, &element);
		lua_pop(L, 1);
	}
	return layers;
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

/* --- Properties ----------------------------------------------------------------------------------------------------------- */

static struct world_object *check_row(lua_State *L, const char *function, uint32_t *id)
{
	*id = 0;
	return check_world(L, function);
}

static void *member_at(const struct world_object *object, uint32_t id, size_t offset)
{
	(void)id;
	return (char *)object->world + offset;
}

static void sleeping_changed(struct world_object *object, uint32_t id)
{
	(void)id;
	if (!object->world->settings.sleeping_allowed)
		world_wake_all(object->world);
}

/* Contacts store the mixed values. Setting each collider's material again mixes them anew. */
static void mixing_changed(struct world_object *object, uint32_t id)
{
	struct world *world = object->world;
	(void)id;
	for (uint32_t i = 0; i < world->colliders.count; ++i)
		if (world->colliders.data[i].valid) {
			struct material material = world->colliders.data[i].material;
			collider_set_material(world, i, &material);
		}
}

static void joint_solver_changed(struct world_object *object, uint32_t id)
{
	(void)id;
	object->world->partition.valid = false;
}

static const struct range range_substeps = {1, MOST_SUBSTEPS, NULL}, range_ticks = {1, MOST_TICKS, NULL};

#define FIELD(name, value, field) \
	.get = name, .type = value, .check = check_row, .at = member_at, .offset = offsetof(struct world, field)

const struct property world_properties[] = {
	{FIELD("getSubsteps", PROPERTY_INTEGER, settings.substeps), PROPERTY_SET("setSubsteps", "substeps"),
		.range = &range_substeps},
	{FIELD("isSleepingAllowed", PROPERTY_BOOLEAN, settings.sleeping_allowed), PROPERTY_SET("setSleepingAllowed", "allowed"),
		.changed = sleeping_changed},
	{FIELD("isContinuous", PROPERTY_BOOLEAN, settings.continuous), PROPERTY_SET("setContinuous", "continuous")},
	{FIELD("isBulletsHitBullets", PROPERTY_BOOLEAN, settings.bullets_hit_bullets), PROPERTY_SET("setBulletsHitBullets", "hit")},
	{FIELD("getContactHertz", PROPERTY_FLOAT, settings.contact_hertz)},
	{FIELD("getContactDampingRatio", PROPERTY_FLOAT, settings.contact_damping_ratio)},
	{FIELD("getContactSpeed", PROPERTY_FLOAT, settings.contact_speed)},
	{FIELD("getJointHertz", PROPERTY_FLOAT, settings.joint_hertz), PROPERTY_SET("setJointHertz", "hertz"),
		.range = &range_rate},
	{FIELD("getJointDampingRatio", PROPERTY_FLOAT, settings.joint_damping_ratio),
		PROPERTY_SET("setJointDampingRatio", "dampingRatio"), .range = &range_coefficient},
	{FIELD("getJointSolver", PROPERTY_CHOICE, settings.joint_solver), PROPERTY_SET("setJointSolver", "solver"),
		.choices = &joint_solver_choices, .changed = joint_solver_changed},
	{FIELD("getRestitutionThreshold", PROPERTY_FLOAT, settings.restitution_threshold),
		PROPERTY_SET("setRestitutionThreshold", "speed"), .range = &range_speed},
	{FIELD("getHitSpeed", PROPERTY_FLOAT, settings.hit_speed), PROPERTY_SET("setHitSpeed", "speed"), .range = &range_speed},
	{FIELD("getMaximumSpeed", PROPERTY_FLOAT, settings.maximum_speed), PROPERTY_SET("setMaximumSpeed", "speed"),
		.range = &range_rate},
	{FIELD("getMaximumAngularSpeed", PROPERTY_FLOAT, settings.maximum_turn_rate),
		PROPERTY_SET("setMaximumAngularSpeed", "speed"), .range = &range_rate},
	{FIELD("getFrictionMixing", PROPERTY_CHOICE, settings.friction_mixing), PROPERTY_SET("setFrictionMixing", "mixing"),
		.choices = &mixing_choices, .changed = mixing_changed},
	{FIELD("getRestitutionMixing", PROPERTY_CHOICE, settings.restitution_mixing),
		PROPERTY_SET("setRestitutionMixing", "mixing"), .choices = &mixing_choices, .changed = mixing_changed},
	{FIELD("getAwakeCount", PROPERTY_UINT32, awake.count)},
	{FIELD("getColliderCount", PROPERTY_IDS, collider_ids)},
	{FIELD("getContactCount", PROPERTY_IDS, contact_ids)},
	{FIELD("getTouchingCount", PROPERTY_UINT32, touching_count)},
	{FIELD("getIslandCount", PROPERTY_IDS, island_ids)},
	{FIELD("getTick", PROPERTY_UINT64, tick)},
	{FIELD("getTime", PROPERTY_DOUBLE, time.high)},
	{FIELD("getAlpha", PROPERTY_DOUBLE, alpha)},
	{FIELD("getTimestep", PROPERTY_DOUBLE, settings.timestep)},
	{FIELD("getMaxTicks", PROPERTY_INTEGER, settings.max_ticks), PROPERTY_SET("setMaxTicks", "ticks"), .range = &range_ticks},
	{.get = NULL},
};

const luaL_Reg world_methods[] = {
	{"destroy", destroy},
	{"isValid", is_valid},
	{"isLocked", is_locked},
	{"setFilter", set_filter},
	{"setPreSolve", set_pre_solve},
	{"newBody", world_new_body},
	{"newBodies", world_new_bodies},
	{"getGravity", get_gravity},
	{"setGravity", set_gravity},
	{"setContactSoftness", set_contact_softness},
	{"getWorkers", get_workers},
	{"setWorkers", set_workers},
	{"getProfile", get_profile},
	{"getByteCount", get_byte_count},
	{"hash", hash},
	{"bodyHashes", world_body_hashes},
	{"validate", validate},
	{"getBodyCount", get_body_count},
	{"getBodies", get_bodies},
	{"getJoints", get_joints},
	{"getFields", get_fields},
	{"getMovers", get_movers},
	{"newField", field_new},
	{"newMover", mover_new},
	{"contactPlanes", world_contact_planes},
	{"explode", world_explode},
	{"predict", world_predict},
	{"random", world_random},
	{"getJointCount", get_joint_count},
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
