/* joint.c - joints: creation from options, completely or not at all (see create.c for the order), and methods for 2D and 3D.
 * Methods for one dimension only are in d2_joint.c and d3_joint.c. */
#include "bind/world/joint.h"
#include "core/link.h"

static const struct joint *joint_at(const struct world_object *object, uint32_t joint)
{
	return &object->world->joints.data[joint];
}

/* --- Creation ------------------------------------------------------------------------------------------------------------- */

/* Stack slots of the functions that create joints, from the bottom. */
enum { AT_SELF = 1, AT_OPTIONS, AT_ENVIRONMENT, AT_BODY_A, AT_BODY_B, AT_DATA, AT_JOINT, AT_END };

/* Reads the body, and anchors its handle at stack slot `slot`. */
static const struct reference *option_body(lua_State *L, const struct joint_kind *kind, const struct path *path, int slot)
{
	const struct reference *reference = object_test(L, -1, kind->dimension->body, sizeof *reference);
	if (reference == NULL)
		raise_value(L, -1, path,
			object_test_any(L, -1, &class_body, sizeof *reference) ? "be a body of the same dimension" : "be a body");
	value_copy(L, -1, slot);
	return reference;
}

static void option_anchor(
	lua_State *L, const struct joint_kind *kind, struct joint_input *input, int option, const struct path *path)
{
	if (option == JOINT_X || option == JOINT_Y) {
		input->position[option - JOINT_X] = value_number(L, -1, path, &range_position);
		++input->given_position;
		return;
	}
	value_vector(L, lua_gettop(L), *path, &range_local, kind->dimension->axes, input->anchors[option - JOINT_ANCHOR_A]);
	input->given_anchor[option - JOINT_ANCHOR_A] = true;
}

static void joint_option(
	lua_State *L, const struct joint_kind *kind, struct joint_input *input, int option, const struct path *path)
{
	struct coordinate_settings *settings = &input->settings;
	switch (option) {
	case JOINT_BODY_A: input->bodies[0] = option_body(L, kind, path, AT_BODY_A); break;
	case JOINT_BODY_B: input->bodies[1] = option_body(L, kind, path, AT_BODY_B); break;
	case JOINT_X:
	case JOINT_Y:
	case JOINT_ANCHOR_A:
	case JOINT_ANCHOR_B: option_anchor(L, kind, input, option, path); break;
	case JOINT_LOWER:
		settings->lower = (float)value_number(L, -1, path, &range_limit);
		input->given_lower = true;
		break;
	case JOINT_UPPER:
		settings->upper = (float)value_number(L, -1, path, &range_limit);
		input->given_upper = true;
		break;
	case JOINT_HERTZ:
		settings->hertz = (float)value_number(L, -1, path, &range_rate);
		settings->spring = true;
		break;
	case JOINT_DAMPING_RATIO:
		settings->damping_ratio = (float)value_number(L, -1, path, &range_coefficient);
		input->given_target = true;
		break;
	case JOINT_TARGET:
		input->given_target = true;
		kind->option(L, input, option, path);
		break;
	case JOINT_MAX_MOTOR_TORQUE:
		settings->max_motor = (float)value_number(L, -1, path, &range_torque);
		settings->motor = true;
		break;
	case JOINT_COLLIDE_CONNECTED: input->collides = value_boolean(L, -1, path); break;
	case JOINT_DATA: value_copy(L, -1, AT_DATA); break;
	default: kind->option(L, input, option, path); break;
	}
}

void joint_check_limits(lua_State *L, const char *function, const char *lower, const char *upper, double low, double high)
{
	if (low > high)
		raise_error(L, "%s: %s must be >= %s, got %f < %f", function, upper, lower, (lua_Number)high, (lua_Number)low);
}

static const char *position_names(const struct joint_kind *kind)
{
	return kind->dimension->axes == 2 ? "x and y" : "x, y and z";
}

static void check_options(lua_State *L, const struct joint_kind *kind, struct joint_input *input)
{
	struct coordinate_settings *settings = &input->settings;
	const struct d3_vec *v = &input->motor_velocity;
	settings->limited = input->given_lower;
	if (input->given_lower != input->given_upper)
		raise_error(L, "%s: %s and %s must be given together", kind->function, kind->lower, kind->upper);
	joint_check_limits(L, kind->function, kind->lower, kind->upper, (double)settings->lower, (double)settings->upper);
	if (input->given_target && !settings->spring)
		raise_error(L, "%s: hertz is missing, but the spring's dampingRatio or %s is given", kind->function, kind->target);
	if ((settings->motor_speed != 0 || v->x != 0 || v->y != 0 || v->z != 0) && !settings->motor)
		raise_error(L, "%s: maxMotorTorque is missing, but %s is given", kind->function, kind->motor);
	if (input->given_position != 0 && input->given_position != kind->dimension->axes)
		raise_error(L, "%s: %s must be given together", kind->function, position_names(kind));
	const bool *anchors = input->given_anchor;
	if (input->given_position ? anchors[0] || anchors[1] : !anchors[0] || !anchors[1])
		raise_error(L, "%s: either %s, or anchorA and anchorB must be given", kind->function, position_names(kind));
	if (kind->check)
		kind->check(L, input);
}

static void parse_options(
	lua_State *L, const struct joint_kind *kind, const struct world_object *object, struct joint_input *input)
{
	struct options options = {.path = {kind->function, NULL, 0, "options", 0}, .set = kind->options};
	*input = (struct joint_input){.settings = {.damping_ratio = 1}, .target = {0, 0, 0, 1}};
	options_begin(L, object->shared, &options, AT_OPTIONS);
	for (int option; (option = options_next(L, &options)) != 0;)
		joint_option(L, kind, input, option, &options.path);
	check_options(L, kind, input);
}

/* The body's id; raises unless it is a live body of this world. */
static uint32_t check_joined(lua_State *L, const struct joint_kind *kind, const struct world_object *object,
	const struct reference *reference, const char *name)
{
	if (reference == NULL)
		raise_error(L, "%s: %s is missing", kind->function, name);
	const struct world_object *owner = body_find(reference);
	if (owner == NULL)
		raise_error(L, "%s: %s is destroyed", kind->function, name);
	if (owner != object)
		raise_error(L, "%s: %s must be a body of this world", kind->function, name);
	return reference->handle.index;
}

void joint_check_reach(lua_State *L, const struct joint_kind *kind, const double *local)
{
	for (int i = 0; i < kind->dimension->axes; ++i)
		if (!(abs_d(local[i]) <= range_local.high))
			raise_error(L, "%s: %s must be within %f of both bodies", kind->function, position_names(kind),
				(lua_Number)range_local.high);
}

static void check_bodies(lua_State *L, const struct joint_kind *kind, const struct world_object *object,
	const struct joint_input *input, uint32_t bodies[2])
{
	bodies[0] = input->bodies[0] ? check_joined(L, kind, object, input->bodies[0], "bodyA") : NONE;
	bodies[1] = check_joined(L, kind, object, input->bodies[1], "bodyB");
	if (bodies[0] == bodies[1])
		raise_error(L, "%s: bodyA and bodyB must be two bodies", kind->function);
}

/* Allocates the joint's handle, keeps its data, and then checks again what finalizers may have changed. */
static struct reference *handle_create(lua_State *L, const struct joint_kind *kind, struct world_object *object,
	const struct joint_input *input, uint32_t bodies[2])
{
	struct reference *reference = reference_create(L, object, kind->dimension->joint, AT_ENVIRONMENT);
	check_world_again(L, object, kind->function);
	check_bodies(L, kind, object, input, bodies);
	reference_reserve(L, object, AT_ENVIRONMENT, AT_JOINT, 0);
	if (lua_isnil(L, AT_DATA))
		return reference;
	data_keep(L, AT_ENVIRONMENT, AT_JOINT, AT_DATA);
	check_world_again(L, object, kind->function);
	check_bodies(L, kind, object, input, bodies);
	reference_reserve(L, object, AT_ENVIRONMENT, AT_JOINT, 0);
	return reference;
}

/* Creates the joint, and its mount if it holds body B to the world. NONE: no memory, nothing changed. */
static uint32_t create(
	const struct joint_kind *kind, struct world *world, const struct joint_input *input, const uint32_t bodies[2])
{
	if (bodies[0] != NONE)
		return kind->create(world, input, bodies);
	const uint32_t mounted[2] = {kind->dimension->mount_create(world, input->position), bodies[1]};
	uint32_t id = mounted[0] == NONE ? NONE : kind->create(world, input, mounted);
	if (id == NONE && mounted[0] != NONE)
		mount_destroy(world, mounted[0]);
	return id;
}

_Static_assert(AT_ENVIRONMENT == AT_OPTIONS + 1, "the environment is pushed after the arguments");

int joint_make(lua_State *L, const struct joint_kind *kind)
{
	struct world_object *object = check_world_of(L, kind->function, kind->dimension->world);
	struct joint_input input;
	uint32_t bodies[2];
	check_unlocked(L, object, kind->function);
	lua_settop(L, AT_OPTIONS);
	luaL_checkstack(L, 40, kind->function);
	attached_get(L, AT_SELF);
	lua_settop(L, AT_JOINT - 1);
	parse_options(L, kind, object, &input);
	check_bodies(L, kind, object, &input, bodies);
	if (bodies[0] == NONE && !input.given_position) {
		memcpy(input.position, input.anchors[0], sizeof input.position);
		memset(input.anchors[0], 0, sizeof input.anchors[0]);
	}
	kind->set_frames(L, kind, object->world, &input, bodies);
	struct reference *reference = handle_create(L, kind, object, &input, bodies);
	uint32_t id = create(kind, object->world, &input, bodies);
	if (id == NONE) {
		value_drop(L, AT_ENVIRONMENT, ENV_DATA, AT_JOINT);
		raise_memory(L, kind->function);
	}
	reference_commit(reference, object, id);
	return 1; /* AT_JOINT is the top of the stack */
}

/* --- Lifetime ------------------------------------------------------------------------------------------------------------- */

static int destroy(lua_State *L)
{
	struct reference *reference;
	struct world_object *object = reference_doom(L, &class_joint, &reference);
	if (object == NULL)
		return 0;
	if (reference->noted) {
		environment_open(L);
		lua_pushvalue(L, 1);
		dead_keep(L, object, 2, reference);
		if (reference_find(reference) == NULL)
			return 0;
	}
	reference->destroyed = true;
	joint_destroy(object->world, reference->handle.index);
	return 0;
}

static int get_body(lua_State *L)
{
	const struct method *side = upvalue_address(L, 3);
	uint32_t joint;
	struct world_object *object = check_reference(L, side->name, &joint);
	attached_get(L, 1);
	push_live(L, object, lua_gettop(L), &class_body, joint_at(object, joint)->link.bodies[side->number]);
	return 1;
}

static int get_anchor(lua_State *L)
{
	const struct method *side = upvalue_address(L, 3);
	uint32_t joint;
	double points[2][3];
	const struct world_object *object = check_own(L, side->name, &joint);
	object->dimension->joint_anchors(object->world, joint, points);
	return push_numbers(L, object->dimension->axes, points[side->number]);
}

static bool in_space(const struct world_object *object)
{
	return object->dimension->axes == 3;
}

enum { FORCE, TORQUE };

static int get_reaction(lua_State *L)
{
	const struct method *reaction = upvalue_address(L, 3);
	uint32_t joint;
	struct vec3 reactions[2];
	const struct world_object *object = check_own(L, reaction->name, &joint);
	object->dimension->joint_reactions(object->world, joint, reactions);
	int count = reaction->number == TORQUE && !in_space(object) ? 1 : object->dimension->axes;
	return push_numbers(L, count, &reactions[reaction->number].x);
}

const struct method joint_getters[] = {
	{"getBodyA", get_body, 0},
	{"getBodyB", get_body, 1},
	{"getAnchorA", get_anchor, 0},
	{"getAnchorB", get_anchor, 1},
	{"getReactionForce", get_reaction, FORCE},
	{"getReactionTorque", get_reaction, TORQUE},
	{NULL, NULL, 0},
};

static int is_collide_connected(lua_State *L)
{
	uint32_t joint;
	const struct world_object *object = check_reference(L, "isCollideConnected", &joint);
	lua_pushboolean(L, joint_at(object, joint)->collides);
	return 1;
}

static int set_collide_connected(lua_State *L)
{
	uint32_t joint;
	struct world_object *object = check_reference_change(L, "setCollideConnected", &joint);
	joint_set_collides(object->world, joint, arg_boolean(L, 2, "setCollideConnected", "collide"));
	return 0;
}

/* --- Type ----------------------------------------------------------------------------------------------------------------- */

_Noreturn void joint_raise_type(lua_State *L, const char *function, bool spherical)
{
	raise_error(L,
		spherical ? "%s: expected a revolute joint, got a spherical one" : "%s: expected a spherical joint, got a revolute one",
		function);
}

static int get_type(lua_State *L)
{
	uint32_t joint;
	const struct world_object *object = check_own(L, "getType", &joint);
	lua_pushstring(L, joint_is_spherical(object, joint) ? "spherical" : "revolute");
	return 1;
}

static const struct world_object *check_revolute(lua_State *L, const char *function, uint32_t *joint)
{
	const struct world_object *object = check_reference(L, function, joint);
	if (joint_is_spherical(object, *joint))
		joint_raise_type(L, function, true);
	return object;
}

static int get_angle(lua_State *L)
{
	uint32_t joint;
	const struct world_object *object = check_revolute(L, "getAngle", &joint);
	lua_pushnumber(L, joint_value(object->world, joint, 0));
	return 1;
}

static int get_speed(lua_State *L)
{
	uint32_t joint;
	const struct world_object *object = check_revolute(L, "getSpeed", &joint);
	lua_pushnumber(L, joint_rate(object->world, joint, 0));
	return 1;
}

const luaL_Reg joint_methods[] = {
	{"destroy", destroy},
	{"isValid", reference_is_valid},
	{"getWorld", reference_get_world},
	{"getType", get_type},
	{"isCollideConnected", is_collide_connected},
	{"setCollideConnected", set_collide_connected},
	{"getAngle", get_angle},
	{"getSpeed", get_speed},
	{NULL, NULL},
};

/* --- Lists ---------------------------------------------------------------------------------------------------------------- */

/* From the oldest to the newest: the body's list starts with the newest. */
static uint32_t gather_joints(const struct world *world, uint32_t body, struct handle *handles)
{
	uint32_t count = world->bodies.data[body].link_counts[LINK_JOINT], i = count;
	for (uint32_t key = world->bodies.data[body].links[LINK_JOINT]; handles && key != NONE;
		 key = link_next(world, LINK_JOINT, key))
		handles[--i] = (struct handle){key / 2, world->joints.data[key / 2].generation};
	return count;
}

int body_get_joints(lua_State *L)
{
	return body_list(L, "getJoints", &class_joint, gather_joints);
}
