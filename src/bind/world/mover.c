/* mover.c - movers, for 2D and 3D: newMover, and the methods of movers.
 * As in create.c: check all options; allocate the handles and table slots, and check the world again; call the engine. newBody
 * creates the body, from a table of the options that are the body's. */
#include "bind/lua/callback.h"
#include "bind/world/dimension.h"
#include "core/obstacle.h"
#include "spatial/axes.h"

#include <stddef.h>

static const struct range range_slope = {0, 1.5707, NULL}, range_skin = {1e-6, 1e7, "> 0"};

/* Stack slots of newMover, from the bottom. */
enum {
	AT_SELF = 1,
	AT_OPTIONS,
	AT_ENVIRONMENT,
	AT_UP,
	AT_DATA,
	AT_SNAP,
	AT_SHAPE,
	AT_LAYER,
	AT_BODY_VALUES, /* the values of body_keys, from here on */
	BODY_VALUES = 10,
	AT_MOVER = AT_BODY_VALUES + BODY_VALUES
};

struct mover_input {
	struct controller_input engine;
	int slots[AT_MOVER];
};

#define NUMBER(name, member, range)                                            \
	{                                                                          \
		name, FIELD_NUMBER, offsetof(struct mover_input, engine.member), range \
	}
#define VALUE(name, slot)                                                                   \
	{                                                                                       \
		name, FIELD_VALUE, offsetof(struct mover_input, slots) + (slot) * sizeof(int), NULL \
	}

/* The options that newBody reads. */
static const char *const body_keys[BODY_VALUES] = {
	"x", "y", "position", "collidesWith", "name", "color", "enabled", "angle", "z", "rotation"};

/* In 2D without the last two, in 3D without the first. */
static const struct option_member option_keys[] = {
	VALUE("angle", AT_BODY_VALUES + 7),
	NUMBER("maxSlopeAngle", slope_angle, &range_slope),
	NUMBER("stepHeight", step_height, &range_radius),
	NUMBER("snapDistance", snap_distance, &range_radius),
	NUMBER("skin", skin, &range_skin),
	NUMBER("mass", mass, &range_mass),
	NUMBER("maxForce", max_force, &range_torque),
	VALUE("shape", AT_SHAPE),
	VALUE("layer", AT_LAYER),
	VALUE("up", AT_UP),
	VALUE("data", AT_DATA),
	VALUE("x", AT_BODY_VALUES),
	VALUE("y", AT_BODY_VALUES + 1),
	VALUE("position", AT_BODY_VALUES + 2),
	VALUE("collidesWith", AT_BODY_VALUES + 3),
	VALUE("name", AT_BODY_VALUES + 4),
	VALUE("color", AT_BODY_VALUES + 5),
	VALUE("enabled", AT_BODY_VALUES + 6),
	VALUE("z", AT_BODY_VALUES + 8),
	VALUE("rotation", AT_BODY_VALUES + 9),
};

enum { KEY_SNAP = 1 << 3, KEYS_2D = 18 };

/* --- Options -------------------------------------------------------------------------------------------------------------- */

/* Checks that a mover may have the shape: a convex one with an end. */
static const void *check_convex(lua_State *L, const struct world_object *object, int index, const struct path *path)
{
	const void *shape = object->dimension->check_shape(L, index, path);
	if (!object->world->wing->obstacles->is_convex(shape))
		raise_value(L, index, path, "be convex and have an end");
	return shape;
}

/* The direction against gravity; none without any. */
static struct vec3 up_default(const struct world *world)
{
	struct vec3 gravity = vec3_widen(world->gravity);
	double length = vec3_length(gravity);
	return length > 0.0 ? vec3_scale(-1.0 / length, gravity) : gravity;
}

static struct vec3 up_normalized(lua_State *L, const char *function, int axes, const double numbers[3])
{
	double unit[3] = {0};
	if (!axes_normalize(axes, numbers, unit))
		raise_error(L, "%s: up must not be zero", function);
	return vec3_of(unit);
}

static void parse(lua_State *L, const struct world_object *object, struct mover_input *input)
{
	double scale = (double)object->world->settings.length_scale, up[3] = {0};
	int axes = object->dimension->axes;
	*input = (struct mover_input){.engine = {.slope_angle = 0.87, .skin = 0.01 * scale, .mass = 70, .max_force = 100}};
	for (int i = 0; i < AT_MOVER; ++i)
		input->slots[i] = i;
	if (lua_isnil(L, AT_OPTIONS))
		raise_value(L, AT_OPTIONS, PATH("newMover", "options"), "be a table");
	const struct path *path = PATH("newMover", "options");
	uint32_t given = axes == 2 ? fields_read(L, AT_OPTIONS, path, option_keys, KEYS_2D, input)
							   : fields_read(L, AT_OPTIONS, path, option_keys + 1, LENGTH(option_keys) - 1, input) << 1;
	if ((given & KEY_SNAP) == 0)
		input->engine.snap_distance = input->engine.step_height;
	if (lua_isnil(L, AT_SHAPE))
		raise_error(L, "newMover: shape is missing");
	check_convex(L, object, AT_SHAPE, PATH("newMover", "shape"));
	if (!lua_isnil(L, AT_LAYER))
		check_layer(L, AT_LAYER, AT_ENVIRONMENT, object, PATH("newMover", "layer"));
	value_name(L, AT_BODY_VALUES + 4, PATH("newMover", "name"));
	value_color(L, AT_BODY_VALUES + 5, PATH("newMover", "color"));
	input->engine.up = up_default(object->world);
	if (lua_isnil(L, AT_UP))
		return;
	value_vector(L, AT_UP, (struct path){"newMover", NULL, 0, "up", 0}, &range_any, axes, up);
	input->engine.up = up_normalized(L, "newMover", axes, up);
}

/* --- Creation ------------------------------------------------------------------------------------------------------------- */

static void option_copy(lua_State *L, const char *key, int value)
{
	if (lua_isnil(L, value))
		return;
	lua_pushvalue(L, value);
	lua_setfield(L, -2, key);
}

/* Creates the body by newBody, and leaves it on top of the stack. */
static void body_create_for(lua_State *L)
{
	lua_getfield(L, AT_SELF, "newBody");
	lua_pushvalue(L, AT_SELF);
	lua_newtable(L);
	lua_pushliteral(L, "kinematic");
	lua_setfield(L, -2, "type");
	option_copy(L, "shape", AT_SHAPE);
	option_copy(L, "layer", AT_LAYER);
	option_copy(L, "data", AT_DATA);
	for (int i = 0; i < BODY_VALUES; ++i)
		option_copy(L, body_keys[i], AT_BODY_VALUES + i);
	lua_call(L, 2, 1);
}

static void check_again(lua_State *L, const struct world_object *object)
{
	check_world_again(L, object, "newMover");
	reference_reserve(L, object, AT_ENVIRONMENT, AT_MOVER, 0);
}

/* Sets the input's body, on top of the stack, and its collider. Raises if a finalizer has destroyed it. */
static void body_find_again(lua_State *L, const struct world_object *object, struct controller_input *input)
{
	const struct reference *body = lua_touserdata(L, -1);
	check_again(L, object);
	if (reference_find(body) != object || object->world->bodies.data[body->handle.index].collider_count != 1)
		raise_error(L, "newMover: a finalizer has changed the body");
	input->body = body->handle.index;
	input->collider = object->world->bodies.data[input->body].colliders;
}

int mover_new(lua_State *L)
{
	struct world_object *object = check_world_change(L, "newMover");
	struct mover_input input;
	lua_settop(L, AT_OPTIONS);
	luaL_checkstack(L, 60, "newMover");
	attached_get(L, AT_SELF);
	lua_settop(L, AT_MOVER - 1);
	parse(L, object, &input);
	struct reference *reference = reference_create(L, object, object->dimension->mover, AT_ENVIRONMENT);
	check_again(L, object);
	data_keep(L, AT_ENVIRONMENT, AT_MOVER, AT_DATA);
	body_create_for(L);
	body_find_again(L, object, &input.engine);
	uint32_t id = controller_create(object->world, &input.engine);
	if (id == NONE) {
		value_drop(L, AT_ENVIRONMENT, ENV_DATA, AT_MOVER);
		lua_getfield(L, AT_MOVER + 1, "destroy");
		lua_pushvalue(L, AT_MOVER + 1);
		lua_call(L, 1, 0);
		raise_memory(L, "newMover");
	}
	reference_commit(reference, object, id);
	lua_settop(L, AT_MOVER);
	return 1;
}

/* --- Lifetime ------------------------------------------------------------------------------------------------------------- */

/* Destroys the body, and with it the mover. */
static int destroy(lua_State *L)
{
	struct reference *reference;
	struct world_object *object = reference_doom(L, &class_mover, &reference);
	if (object == NULL)
		return 0;
	uint32_t body = controller_at(object->world, reference->handle.index)->body;
	environment_open(L);
	if (!push_live(L, object, 2, &class_body, body))
		return 0;
	lua_getfield(L, 3, "destroy");
	lua_pushvalue(L, 3);
	lua_call(L, 1, 0);
	return 0;
}

static struct controller *check_mover(lua_State *L, const char *function)
{
	uint32_t id;
	const struct world_object *object = check_reference(L, function, &id);
	return controller_at(object->world, id);
}

/* Checks a mover that is to be moved: its body is kinematic and enabled. */
static struct world_object *check_move(lua_State *L, const char *function, uint32_t *id)
{
	struct world_object *object = check_reference_change(L, function, id);
	const struct controller *mover = controller_at(object->world, *id);
	const struct body *body = &object->world->bodies.data[mover->body];
	if (body->type != BODY_KINEMATIC)
		raise_error(L, "%s: the mover's body must be kinematic", function);
	if (body->set == SET_DISABLED)
		raise_error(L, "%s: the mover's body is disabled", function);
	if (!object->world->wing->obstacles->is_convex(object->world->colliders.data[mover->collider].shape))
		raise_error(L, "%s: the shape of the mover's collider must be convex and have an end", function);
	return object;
}

/* --- Moving --------------------------------------------------------------------------------------------------------------- */

/* Runs controller_move, or controller_fits if `shape`, with the world's filter. */
static bool mover_run(
	lua_State *L, struct world_object *object, uint32_t id, const void *shape, const double numbers[3], double dt, bool *fits)
{
	struct world *world = object->world;
	struct hook hook;
	bool filtered = object->filtered, done;
	if (filtered) {
		int environment = lua_gettop(L) + 1;
		attached_get(L, 1);
		lua_rawgeti(L, environment, ENV_FILTER);
		hook_begin(L, &hook, object, environment, SHARED_FILTER, environment + 1);
		world->filter = hook_filter;
		world->filter_context = &hook;
	}
	++object->queries;
	done = shape ? controller_fits(world, id, shape, vec3_of(numbers), fits) : controller_move(world, id, vec3_of(numbers), dt);
	--object->queries;
	if (filtered) {
		world->filter = NULL;
		world->filter_context = NULL;
		hook_end(&hook);
		hook_raise(&hook);
	}
	return done;
}

static const char *const axis_names[] = {"x", "y", "z"}, *const delta_names[] = {"dx", "dy", "dz"};

static int push_vec(lua_State *L, const struct world_object *object, struct vec3 a)
{
	return push_numbers(L, object->dimension->axes, &a.x);
}

static int move(lua_State *L)
{
	uint32_t id;
	struct world_object *object = check_move(L, "move", &id);
	int axes = object->dimension->axes;
	double delta[3] = {0};
	arg_numbers(L, 2, "move", delta_names, axes, &range_position, delta);
	double dt = arg_number(L, 2 + axes, "move", "dt", &range_duration);
	if (!mover_run(L, object, id, NULL, delta, dt, NULL))
		raise_memory(L, "move");
	push_vec(L, object, controller_at(object->world, id)->to);
	lua_pushinteger(L, (lua_Integer)controller_at(object->world, id)->contact_count);
	return axes + 1;
}

/* Whether the shape at stack index 2 fits at the position. */
static bool shape_fits(lua_State *L, struct world_object *object, uint32_t id, const char *function, const double position[3])
{
	bool fits = false;
	const void *shape = check_convex(L, object, 2, PATH(function, "shape"));
	if (!mover_run(L, object, id, shape, position, 0.0, &fits))
		raise_memory(L, function);
	return fits;
}

static int fits(lua_State *L)
{
	uint32_t id;
	struct world_object *object = check_move(L, "fits", &id);
	struct vec3 at = controller_position(object->world, id);
	double position[3] = {at.x, at.y, at.z};
	if (!lua_isnoneornil(L, 3))
		arg_numbers(L, 3, "fits", axis_names, object->dimension->axes, &range_position, position);
	lua_pushboolean(L, shape_fits(L, object, id, "fits", position));
	return 1;
}

static int set_shape(lua_State *L)
{
	uint32_t id;
	struct world_object *object = check_move(L, "setShape", &id);
	struct vec3 at = controller_position(object->world, id);
	const double position[3] = {at.x, at.y, at.z};
	lua_settop(L, 2);
	bool fitted = shape_fits(L, object, id, "setShape", position);
	if (fitted) {
		uint32_t collider = controller_at(object->world, id)->collider;
		if (!collider_set_shape(object->world, collider, object->dimension->check_shape(L, 2, PATH("setShape", "shape"))))
			raise_memory(L, "setShape");
		attached_get(L, 1);
		lua_rawgeti(L, -1, ENV_SHAPES);
		lua_pushvalue(L, 2);
		lua_rawseti(L, -2, (int)collider + 1);
	}
	lua_pushboolean(L, fitted);
	return 1;
}

/* --- State ---------------------------------------------------------------------------------------------------------------- */

/* Pushes the result of the body's method, called with the arguments after the mover. */
static int body_call(lua_State *L, const char *method)
{
	uint32_t id;
	struct world_object *object = check_reference(L, method, &id);
	int count = lua_gettop(L);
	luaL_checkstack(L, 8, method);
	attached_get(L, 1);
	push_live(L, object, count + 1, &class_body, controller_at(object->world, id)->body);
	lua_replace(L, 1);
	lua_settop(L, count);
	lua_getfield(L, 1, method);
	lua_insert(L, 1);
	lua_call(L, count, LUA_MULTRET);
	return lua_gettop(L);
}

static int get_body(lua_State *L)
{
	uint32_t id;
	struct world_object *object = check_reference(L, "getBody", &id);
	attached_get(L, 1);
	push_live(L, object, lua_gettop(L), &class_body, controller_at(object->world, id)->body);
	return 1;
}

static int get_position(lua_State *L)
{
	uint32_t id;
	const struct world_object *object = check_reference(L, "getPosition", &id);
	return push_vec(L, object, controller_position(object->world, id));
}

static int set_position(lua_State *L)
{
	return body_call(L, "setPosition");
}

static int drop_through(lua_State *L)
{
	return body_call(L, "dropThrough");
}

static int is_enabled(lua_State *L)
{
	return body_call(L, "isEnabled");
}

static int set_enabled(lua_State *L)
{
	return body_call(L, "setEnabled");
}

static int get_velocity(lua_State *L)
{
	uint32_t id;
	const struct world_object *object = check_reference(L, "getVelocity", &id);
	return push_vec(L, object, controller_at(object->world, id)->velocity);
}

static int get_up(lua_State *L)
{
	uint32_t id;
	const struct world_object *object = check_reference(L, "getUp", &id);
	return push_vec(L, object, controller_at(object->world, id)->up);
}

static int set_up(lua_State *L)
{
	uint32_t id;
	struct world_object *object = check_reference_change(L, "setUp", &id);
	double up[3] = {0};
	int axes = object->dimension->axes;
	arg_numbers(L, 2, "setUp", axis_names, axes, &range_any, up);
	controller_set_up(object->world, id, up_normalized(L, "setUp", axes, up));
	return 0;
}

static int get_ground_state(lua_State *L)
{
	static const char *const names[] = {[CONTROLLER_GROUND] = "ground", [CONTROLLER_STEEP] = "steep", [CONTROLLER_AIR] = "air"};
	lua_pushstring(L, names[check_mover(L, "getGroundState")->state]);
	return 1;
}

static int is_grounded(lua_State *L)
{
	lua_pushboolean(L, check_mover(L, "isGrounded")->state == CONTROLLER_GROUND);
	return 1;
}

static int is_crushed(lua_State *L)
{
	lua_pushboolean(L, check_mover(L, "isCrushed")->crushed);
	return 1;
}

static int get_ground(lua_State *L)
{
	uint32_t id;
	struct world_object *object = check_reference(L, "getGround", &id);
	const struct controller *mover = controller_at(object->world, id);
	struct controller_contact ground = mover->ground;
	if (mover->state == CONTROLLER_AIR || !handle_valid_collider(object->world, ground.collider)) {
		lua_pushnil(L);
		return 1;
	}
	struct vec3 velocity = controller_ground_velocity(object->world, id);
	lua_settop(L, 1);
	attached_get(L, 1);
	push_handle(L, object, 2, object->dimension->collider, ground.collider);
	push_vec(L, object, ground.point);
	push_vec(L, object, ground.normal);
	return 1 + 2 * object->dimension->axes + push_vec(L, object, velocity);
}

/* --- Settings ------------------------------------------------------------------------------------------------------------- */

static const struct setting {
	const char *argument;
	size_t offset; /* of a double */
	const struct range *range;
} settings[] = {
	{"angle", offsetof(struct controller, slope_angle), &range_slope},
	{"height", offsetof(struct controller, step_height), &range_radius},
	{"distance", offsetof(struct controller, snap_distance), &range_radius},
	{"skin", offsetof(struct controller, skin), &range_skin},
	{"mass", offsetof(struct controller, mass), &range_mass},
	{"force", offsetof(struct controller, max_force), &range_torque},
};

static double *setting_at(struct controller *mover, const struct setting *setting)
{
	return (double *)((char *)mover + setting->offset);
}

static int get_setting(lua_State *L)
{
	const struct method *method = upvalue_address(L, 3);
	lua_pushnumber(L, *setting_at(check_mover(L, method->name), &settings[method->number]));
	return 1;
}

static int set_setting(lua_State *L)
{
	uint32_t id;
	const struct method *method = upvalue_address(L, 3);
	const struct setting *setting = &settings[method->number];
	struct world_object *object = check_reference_change(L, method->name, &id);
	*setting_at(controller_at(object->world, id), setting) = arg_number(L, 2, method->name, setting->argument, setting->range);
	controller_set_slope(object->world, id, controller_at(object->world, id)->slope_angle);
	return 0;
}

const struct method mover_getters[] = {
	{"getMaxSlopeAngle", get_setting, 0},
	{"setMaxSlopeAngle", set_setting, 0},
	{"getStepHeight", get_setting, 1},
	{"setStepHeight", set_setting, 1},
	{"getSnapDistance", get_setting, 2},
	{"setSnapDistance", set_setting, 2},
	{"getSkin", get_setting, 3},
	{"setSkin", set_setting, 3},
	{"getMass", get_setting, 4},
	{"setMass", set_setting, 4},
	{"getMaxForce", get_setting, 5},
	{"setMaxForce", set_setting, 5},
	{NULL, NULL, 0},
};

const luaL_Reg mover_methods[] = {
	{"destroy", destroy},
	{"isValid", reference_is_valid},
	{"getWorld", reference_get_world},
	{"getName", reference_get_name},
	{"setName", reference_set_name},
	{"isEnabled", is_enabled},
	{"setEnabled", set_enabled},
	{"getBody", get_body},
	{"move", move},
	{"dropThrough", drop_through},
	{"fits", fits},
	{"setShape", set_shape},
	{"getPosition", get_position},
	{"setPosition", set_position},
	{"getVelocity", get_velocity},
	{"getUp", get_up},
	{"setUp", set_up},
	{"getGroundState", get_ground_state},
	{"isGrounded", is_grounded},
	{"getGround", get_ground},
	{"isCrushed", is_crushed},
	{NULL, NULL},
};
