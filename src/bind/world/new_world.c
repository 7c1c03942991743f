/* new_world.c - creates a world from options, in 2D or 3D. */
#include "bind/lua/property.h"
#include "bind/world/dimension.h"

#include <stddef.h>
#include <stdio.h>

struct world_input {
	struct settings settings;
	double gravity[3];
	int workers;
	/* stack indices of values, or of nil */
	int layers, collide, filter, pre_solve, gravity_option, friction_mixing, restitution_mixing, joint_solver, seed_option;
	uint64_t seed;
};

/* --- Options -------------------------------------------------------------------------------------------------------------- */

static const struct range range_scale = {1e-6, 1e6, "> 0"}, range_substeps = {1, MOST_SUBSTEPS, NULL},
						  range_ticks = {1, MOST_TICKS, NULL}, range_workers = {1, 64, NULL};

/* A row of the table below, for an option that is a member of the settings. */
#define SETTING(name, type, member, range)                               \
	{                                                                    \
		name, type, offsetof(struct world_input, settings.member), range \
	}

static const struct option_member world_fields[] = {
	{"gravity", FIELD_VALUE, offsetof(struct world_input, gravity_option), NULL},
	SETTING("substeps", FIELD_INTEGER, substeps, &range_substeps),
	SETTING("timestep", FIELD_NUMBER, timestep, &range_duration),
	SETTING("maxTicks", FIELD_INTEGER, max_ticks, &range_ticks),
	{"layers", FIELD_VALUE, offsetof(struct world_input, layers), NULL},
	{"collide", FIELD_VALUE, offsetof(struct world_input, collide), NULL},
	SETTING("lengthScale", FIELD_FLOAT, length_scale, &range_scale),
	{"workers", FIELD_INTEGER, offsetof(struct world_input, workers), &range_workers},
	SETTING("sleeping", FIELD_BOOLEAN, sleeping_allowed, NULL),
	SETTING("continuous", FIELD_BOOLEAN, continuous, NULL),
	SETTING("bulletsHitBullets", FIELD_BOOLEAN, bullets_hit_bullets, NULL),
	SETTING("contactHertz", FIELD_FLOAT, contact_hertz, &range_rate),
	SETTING("contactDampingRatio", FIELD_FLOAT, contact_damping_ratio, &range_coefficient),
	SETTING("jointHertz", FIELD_FLOAT, joint_hertz, &range_rate),
	SETTING("jointDampingRatio", FIELD_FLOAT, joint_damping_ratio, &range_coefficient),
	{"jointSolver", FIELD_VALUE, offsetof(struct world_input, joint_solver), NULL},
	SETTING("contactSpeed", FIELD_FLOAT, contact_speed, &range_speed),
	SETTING("restitutionThreshold", FIELD_FLOAT, restitution_threshold, &range_speed),
	SETTING("hitSpeed", FIELD_FLOAT, hit_speed, &range_speed),
	SETTING("maximumSpeed", FIELD_FLOAT, maximum_speed, &range_rate),
	SETTING("maximumAngularSpeed", FIELD_FLOAT, maximum_turn_rate, &range_rate),
	{"frictionMixing", FIELD_VALUE, offsetof(struct world_input, friction_mixing), NULL},
	{"restitutionMixing", FIELD_VALUE, offsetof(struct world_input, restitution_mixing), NULL},
	{"filter", FIELD_VALUE, offsetof(struct world_input, filter), NULL},
	{"preSolve", FIELD_VALUE, offsetof(struct world_input, pre_solve), NULL},
	{"seed", FIELD_VALUE, offsetof(struct world_input, seed_option), NULL},
};

/* Reads lengthScale before the other options, since the defaults of lengths and speeds scale with it. */
static float parse_length_scale(lua_State *L, int table)
{
	lua_pushliteral(L, "lengthScale");
	lua_rawget(L, table);
	float scale = 1;
	if (!lua_isnil(L, -1))
		scale = (float)value_number(L, -1, PATH("newWorld", "lengthScale"), &range_scale);
	lua_pop(L, 1);
	return scale;
}

static void option_mixing(lua_State *L, int index, const char *name, enum mixing *mixing)
{
	if (!lua_isnil(L, index))
		*mixing = (enum mixing)value_choice(L, index, PATH("newWorld", name), mixing_choices.names, mixing_choices.must);
}

/* Reads the options into *input. Leaves layers, collide, filter and preSolve, or nil for each, on the stack. */
static void parse_world(lua_State *L, int table, const struct dimension *dimension, struct world_input *input)
{
	int top = lua_gettop(L);
	float scale = lua_istable(L, table) ? parse_length_scale(L, table) : 1;
	*input = (struct world_input){settings_default(scale), {0, -10, 0}, 1, top + 1, top + 2, top + 3, top + 4, top + 5, top + 6,
		top + 7, top + 8, top + 9, 0};
	lua_settop(L, top + 9);
	fields_read(L, table, PATH("newWorld", "options"), world_fields, LENGTH(world_fields), input);
	if (!lua_isnil(L, input->gravity_option))
		value_vector(L, input->gravity_option, (struct path){"newWorld", NULL, 0, "gravity", 0}, &range_velocity,
			dimension->axes, input->gravity);
	option_mixing(L, input->friction_mixing, "frictionMixing", &input->settings.friction_mixing);
	option_mixing(L, input->restitution_mixing, "restitutionMixing", &input->settings.restitution_mixing);
	if (!lua_isnil(L, input->joint_solver))
		input->settings.joint_solver = (enum joint_solver)value_choice(
			L, input->joint_solver, PATH("newWorld", "jointSolver"), joint_solver_choices.names, joint_solver_choices.must);
	if (!lua_isnil(L, input->seed_option))
		input->seed = value_seed(L, input->seed_option, PATH("newWorld", "seed"));
	if (!lua_isnil(L, input->filter) && !lua_isfunction(L, input->filter))
		raise_value(L, input->filter, PATH("newWorld", "filter"), "be a function");
	if (!lua_isnil(L, input->pre_solve) && !lua_isfunction(L, input->pre_solve))
		raise_value(L, input->pre_solve, PATH("newWorld", "preSolve"), "be a function");
	lua_settop(L, top + 4);
}

/* --- Layers --------------------------------------------------------------------------------------------------------------- */

static void layer_add(lua_State *L, int environment, struct world_object *object, int name)
{
	lua_rawgeti(L, environment, ENV_LAYERS);
	lua_pushvalue(L, name);
	lua_pushinteger(L, (lua_Integer)object->layer_count + 1);
	lua_rawset(L, -3);
	lua_rawgeti(L, environment, ENV_LAYER_NAMES);
	lua_pushvalue(L, name);
	lua_rawseti(L, -2, (int)object->layer_count + 1);
	lua_pop(L, 2);
	++object->layer_count;
}

static void layers_read(lua_State *L, int environment, struct world_object *object, int layers)
{
	struct path path = {"newWorld", NULL, 0, "layers", 0};
	if (lua_isnil(L, layers)) {
		lua_pushliteral(L, "default");
		layer_add(L, environment, object, lua_gettop(L));
		lua_pop(L, 1);
		return;
	}
	uint32_t count = value_list(L, layers, &path);
	if (count < 1 || count > LAYERS)
		raise_error(L, "newWorld: layers must have 1 to %d names, got %d", LAYERS, (int)count);
	for (uint32_t i = 0; i < count; ++i) {
		path.element = (int)i + 1;
		lua_rawgeti(L, layers, (int)i + 1);
		int name = lua_gettop(L);
		if (lua_type(L, name) != LUA_TSTRING)
			raise_value(L, name, &path, "be a string");
		lua_rawgeti(L, environment, ENV_LAYERS);
		lua_pushvalue(L, name);
		lua_rawget(L, -2);
		if (!lua_isnil(L, -1))
			raise_value(L, name, &path, "be a name of its own");
		layer_add(L, environment, object, name);
		lua_settop(L, name - 1);
	}
}

/* Which layers collide. A layer that `collide` does not name collides with all. */
struct layer_matrix {
	uint64_t named; /* layers named in `collide`, as a key or in a list */
	uint64_t collides[LAYERS];
};

static void layer_row_read(lua_State *L, int environment, const struct world_object *object, struct layer_matrix *matrix)
{
	struct path path = {"newWorld", NULL, 0, "collide", 0};
	int key = lua_gettop(L) - 1, list = key + 1;
	uint32_t a = check_layer(L, key, environment, object, &path);
	matrix->named |= UINT64_C(1) << a;
	char name[64];
	snprintf(name, sizeof name, "collide.%s", lua_tostring(L, key));
	path.name = name;
	uint64_t layers = check_layers(L, list, environment, object, &path);
	matrix->named |= layers;
	matrix->collides[a] |= layers;
	for (uint32_t b = 0; b < LAYERS; ++b)
		matrix->collides[b] |= (layers >> b & 1) << a;
}

static void layer_matrix_read(
	lua_State *L, int environment, const struct world_object *object, int collide, struct layer_matrix *matrix)
{
	*matrix = (struct layer_matrix){0};
	if (lua_isnil(L, collide))
		return;
	if (!lua_istable(L, collide))
		raise_value(L, collide, PATH("newWorld", "collide"), "be a table of lists of layers");
	for (lua_pushnil(L); lua_next(L, collide); lua_pop(L, 1))
		layer_row_read(L, environment, object, matrix);
}

static void layer_matrix_apply(struct world *world, uint32_t layer_count, const struct layer_matrix *matrix)
{
	for (uint32_t a = 0; a < layer_count; ++a)
		for (uint32_t b = a; b < layer_count; ++b) {
			uint64_t both = UINT64_C(1) << a | UINT64_C(1) << b;
			bool decided = (matrix->named & both) == both;
			world_set_layers_meet(world, a, b, !decided || (matrix->collides[a] >> b & 1));
		}
}

/* --- Creation ------------------------------------------------------------------------------------------------------------- */

struct world_object *world_object_push(lua_State *L, const struct dimension *dimension)
{
	static const int tables[] = {ENV_BODIES, ENV_COLLIDERS, ENV_JOINTS, ENV_FIELDS, ENV_MOVERS, ENV_SHAPES, ENV_DATA, ENV_NAMES,
		ENV_COLORS, ENV_LAYERS, ENV_LAYER_NAMES, ENV_DEAD, ENV_DEAD_BEFORE, ENV_CURSORS, ENV_GHOSTS, ENV_GRAVES};
	struct shared *shared = shared_state(L);
	lua_createtable(L, ENV_END, 0);
	int environment = lua_gettop(L);
	for (size_t i = 0; i < sizeof tables / sizeof *tables; ++i) {
		lua_newtable(L);
		if (tables[i] <= ENV_MOVERS || tables[i] == ENV_GHOSTS) {
			shared_push(L, SHARED_WEAK);
			lua_setmetatable(L, -2);
		}
		lua_rawseti(L, environment, tables[i]);
	}
	struct world_object *object = userdata_create(L, sizeof *object);
	*object = (struct world_object){.class = dimension->world, .dimension = dimension, .shared = shared};
	shared_memory(shared, &object->memory);
	shared_push(L, dimension->world->metatable);
	lua_setmetatable(L, -2);
	lua_pushvalue(L, environment);
	attached_set(L, -2);
	lua_pushvalue(L, -1);
	lua_rawseti(L, environment, ENV_WORLD);
	return object;
}

void world_slot_take(lua_State *L, struct world_object *object, const char *function)
{
	if (slot_take(object))
		return;
	lua_gc(L, LUA_GCCOLLECT, 0);
	if (!slot_take(object))
		raise_error(L, "%s: there are %d worlds already; destroy some", function, WORLD_SLOTS);
}

int world_new(lua_State *L, const struct dimension *dimension)
{
	struct world_input input;
	struct layer_matrix matrix;
	lua_settop(L, 1);
	parse_world(L, 1, dimension, &input);
	shared_collect(L, shared_state(L));
	struct world_object *object = world_object_push(L, dimension);
	int self = lua_gettop(L), environment = self - 1;
	layers_read(L, environment, object, input.layers);
	layer_matrix_read(L, environment, object, input.collide, &matrix);
	lua_pushvalue(L, input.filter);
	object->filtered = !lua_isnil(L, -1);
	lua_rawseti(L, environment, ENV_FILTER);
	lua_pushvalue(L, input.pre_solve);
	object->pre_solved = !lua_isnil(L, -1);
	lua_rawseti(L, environment, ENV_PRE_SOLVE);
	world_slot_take(L, object, "newWorld");
	if (object->pre_solved)
		contact_object_create(L, object, environment);
	const float gravity[3] = {(float)input.gravity[0], (float)input.gravity[1], (float)input.gravity[2]};
	object->world = world_create(&object->memory, dimension->wing, &input.settings, gravity, input.workers);
	if (object->world == NULL) {
		slot_give(object);
		raise_memory(L, "newWorld");
	}
	object->world->random = random_make(input.seed);
	layer_matrix_apply(object->world, object->layer_count, &matrix);
	lua_pushvalue(L, self);
	return 1;
}
