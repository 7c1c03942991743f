/* joint.c - joints: made from options, whole or not at all (see create.c for the order), and what they can do. Floor: bind. */
#include "bind/args.h"
#include "core/edge.h"
#include "d2/joint.h"

/* Limits stay within half a turn, with room for what a step may exceed them by before the angle comes round. */
static const struct range range_limit = { -3.1, 3.1, NULL };

static const struct joint *joint_at(const struct world_object *object, uint32_t joint)
{
	return &object->world->joints.data[joint];
}

/* --- Making ------------------------------------------------------------------------------------------------------------ */

/* Stack slots of newRevoluteJoint, from the bottom. */
enum { AT_SELF = 1, AT_OPTIONS, AT_ENVIRONMENT, AT_BODY_A, AT_BODY_B, AT_DATA, AT_JOINT, AT_END };

struct joint_input {
	struct d2_revolute_settings settings;
	struct d2_vec local[2];
	double x, y;
	bool given_x, given_y, given_anchor[2], given_angle, given_lower, given_upper, given_target;
	float reference_angle;
	bool collides;
};

static void option_body(lua_State *L, const struct path *path, int slot)
{
	const struct reference *reference = object_test(L, -1, &class_body, sizeof *reference);
	if (reference == NULL)
		raise_value(L, -1, path, "be a body");
	lua_pushvalue(L, -1);
	lua_replace(L, slot);
}

static void option_anchor(lua_State *L, const struct path *path, struct joint_input *input, int side)
{
	double value[2];
	value_vector(L, lua_gettop(L), *path, &range_local, 2, value);
	input->local[side] = (struct d2_vec){ (float)value[0], (float)value[1] };
	input->given_anchor[side] = true;
}

static void revolute_option(lua_State *L, struct joint_input *input, int option, const struct path *path)
{
	struct d2_revolute_settings *settings = &input->settings;
	switch (option) {
	case REVOLUTE_BODY_A: option_body(L, path, AT_BODY_A); break;
	case REVOLUTE_BODY_B: option_body(L, path, AT_BODY_B); break;
	case REVOLUTE_X:
		input->x = value_number(L, -1, path, &range_position);
		input->given_x = true;
		break;
	case REVOLUTE_Y:
		input->y = value_number(L, -1, path, &range_position);
		input->given_y = true;
		break;
	case REVOLUTE_ANCHOR_A: option_anchor(L, path, input, 0); break;
	case REVOLUTE_ANCHOR_B: option_anchor(L, path, input, 1); break;
	case REVOLUTE_REFERENCE_ANGLE:
		input->reference_angle = (float)value_number(L, -1, path, &range_angle);
		input->given_angle = true;
		break;
	case REVOLUTE_LOWER_ANGLE:
		settings->lower = (float)value_number(L, -1, path, &range_limit);
		input->given_lower = true;
		break;
	case REVOLUTE_UPPER_ANGLE:
		settings->upper = (float)value_number(L, -1, path, &range_limit);
		input->given_upper = true;
		break;
	case REVOLUTE_HERTZ:
		settings->hertz = (float)value_number(L, -1, path, &range_rate);
		settings->spring = true;
		break;
	case REVOLUTE_DAMPING_RATIO:
		settings->damping_ratio = (float)value_number(L, -1, path, &range_coefficient);
		input->given_target = true;
		break;
	case REVOLUTE_TARGET_ANGLE:
		settings->target = (float)value_number(L, -1, path, &range_limit);
		input->given_target = true;
		break;
	case REVOLUTE_MOTOR_SPEED: settings->motor_speed = (float)value_number(L, -1, path, &range_velocity); break;
	case REVOLUTE_MAX_MOTOR_TORQUE:
		settings->max_motor_torque = (float)value_number(L, -1, path, &range_torque);
		settings->motor = true;
		break;
	case REVOLUTE_COLLIDE_CONNECTED: input->collides = value_boolean(L, -1, path); break;
	case REVOLUTE_DATA:
		lua_pushvalue(L, -1);
		lua_replace(L, AT_DATA);
		break;
	}
}

static void check_limits(lua_State *L, const char *function, float lower, float upper)
{
	if (lower > upper)
		raise(L, "%s: upperAngle must be >= lowerAngle, got %f < %f", function, (lua_Number)upper, (lua_Number)lower);
}

static void parse_revolute(lua_State *L, struct joint_input *input)
{
	struct options options = { .function = "newRevoluteJoint", .set = OPTIONS_REVOLUTE };
	*input = (struct joint_input){ .settings = { .damping_ratio = 1 } };
	options_begin(L, &options, AT_OPTIONS, "options");
	for (int option; (option = options_next(L, &options)) != 0;) {
		struct path path = options_path(&options);
		revolute_option(L, input, option, &path);
	}
	lua_settop(L, AT_END - 1);
	struct d2_revolute_settings *settings = &input->settings;
	settings->limited = input->given_lower;
	if (input->given_lower != input->given_upper)
		raise(L, "newRevoluteJoint: lowerAngle and upperAngle must be given together");
	check_limits(L, "newRevoluteJoint", settings->lower, settings->upper);
	if (input->given_target && !settings->spring)
		raise(L, "newRevoluteJoint: hertz is missing, but the spring's dampingRatio or targetAngle is given");
	if (settings->motor_speed != 0 && !settings->motor)
		raise(L, "newRevoluteJoint: maxMotorTorque is missing, but motorSpeed is given");
	if (input->given_x != input->given_y)
		raise(L, "newRevoluteJoint: x and y must be given together");
	if (input->given_x ? input->given_anchor[0] || input->given_anchor[1] : !input->given_anchor[0] || !input->given_anchor[1])
		raise(L, "newRevoluteJoint: either x and y, or anchorA and anchorB must be given");
}

/* The live body of this world in the slot. */
static uint32_t check_joined(lua_State *L, const struct world_object *object, int slot, const char *name)
{
	const struct reference *reference = lua_touserdata(L, slot);
	if (reference == NULL)
		raise(L, "newRevoluteJoint: %s is missing", name);
	const struct world_object *owner = reference_find(reference);
	if (owner == NULL)
		raise(L, "newRevoluteJoint: %s is destroyed", name);
	if (owner != object)
		raise(L, "newRevoluteJoint: %s must be a body of this world", name);
	return reference->handle.index;
}

static void local_point(lua_State *L, const struct d2_world *world, uint32_t body, double x, double y, struct d2_vec *out)
{
	struct d2_pose pose = d2_body_pose(world, body);
	struct d2_vec_d local = d2_inv_turn_d(d2_exact_rot(pose.q), (struct d2_vec_d){ x - pose.x, y - pose.y });
	if (!(abs_d(local.x) <= range_local.high && abs_d(local.y) <= range_local.high))
		raise(L, "newRevoluteJoint: x, y must be within %f of both bodies", (lua_Number)range_local.high);
	*out = d2_narrow(local);
}

/* What depends on the bodies, which are checked again: an allocation may have run a finalizer. */
static void revolute_place(lua_State *L, const struct world_object *object, struct joint_input *input, uint32_t bodies[2])
{
	const struct d2_world *world = d2_of(object);
	bodies[0] = check_joined(L, object, AT_BODY_A, "bodyA");
	bodies[1] = check_joined(L, object, AT_BODY_B, "bodyB");
	if (bodies[0] == bodies[1])
		raise(L, "newRevoluteJoint: bodyA and bodyB must be two bodies");
	for (int side = 0; side < 2 && input->given_x; ++side)
		local_point(L, world, bodies[side], input->x, input->y, &input->local[side]);
	if (!input->given_angle)
		input->reference_angle = d2_rot_angle(d2_inv_mul_rot(d2_body(world, bodies[0])->q, d2_body(world, bodies[1])->q));
}

int world_new_revolute_joint(lua_State *L)
{
	struct world_object *object = check_world_of(L, "newRevoluteJoint", &class_world);
	struct joint_input input;
	uint32_t bodies[2];
	check_unlocked(L, object, "newRevoluteJoint");
	lua_settop(L, AT_OPTIONS);
	lua_settop(L, AT_END - 1);
	luaL_checkstack(L, 40, "newRevoluteJoint");
	attached_get(L, AT_SELF);
	lua_replace(L, AT_ENVIRONMENT);
	parse_revolute(L, &input);
	revolute_place(L, object, &input, bodies);
	reference_create(L, object, &class_joint, AT_ENVIRONMENT);
	lua_replace(L, AT_JOINT);
	check_world_change(L, "newRevoluteJoint");
	slots_reserve(L, object, AT_ENVIRONMENT, 0, 0, 1);
	data_keep(L, AT_ENVIRONMENT, AT_JOINT, AT_DATA);
	check_world_change(L, "newRevoluteJoint");
	slots_reserve(L, object, AT_ENVIRONMENT, 0, 0, 1);
	check_world_change(L, "newRevoluteJoint");
	revolute_place(L, object, &input, bodies);
	uint32_t id = d2_revolute_create(d2_of(object), bodies[0], bodies[1], input.local[0], input.local[1], input.reference_angle,
		input.collides, &input.settings);
	if (id == NONE) {
		value_drop(L, AT_ENVIRONMENT, ENV_DATA, AT_JOINT);
		raise_memory(L, "newRevoluteJoint");
	}
	reference_commit(L, object, AT_ENVIRONMENT, AT_JOINT, id);
	lua_pushvalue(L, AT_JOINT);
	return 1;
}

/* --- Life -------------------------------------------------------------------------------------------------------------- */

static int destroy(lua_State *L)
{
	struct reference *reference;
	struct world_object *object = reference_doom(L, &class_joint, &reference);
	if (object == NULL)
		return 0;
	if (reference->noted) {
		lua_pushvalue(L, 1);
		dead_keep(L, object, 2, reference);
		lua_pop(L, 1);
	}
	if (reference_find(reference) == NULL)
		return 0;
	uint32_t joint = reference->handle.index;
	reference->destroyed = true;
	slots_empty(L, 2, &class_joint, joint);
	joint_destroy(object->world, joint);
	return 0;
}

static int is_valid(lua_State *L)
{
	return reference_is_valid(L, &class_joint);
}

static int get_world(lua_State *L)
{
	return reference_get_world(L, &class_joint);
}

static int get_type(lua_State *L)
{
	uint32_t joint;
	check_reference_of(L, "getType", &class_joint, &joint);
	lua_pushliteral(L, "revolute");
	return 1;
}

static int push_body(lua_State *L, const char *function, int side)
{
	uint32_t joint;
	const struct world_object *object = check_joint(L, function, &joint);
	attached_get(L, 1);
	push_live(L, lua_gettop(L), &class_body, joint_at(object, joint)->edge.bodies[side]);
	return 1;
}

static int get_body_a(lua_State *L)
{
	return push_body(L, "getBodyA", 0);
}

static int get_body_b(lua_State *L)
{
	return push_body(L, "getBodyB", 1);
}

static const struct world_object *check_joint2(lua_State *L, const char *function, uint32_t *joint)
{
	return check_reference_of(L, function, &class_joint, joint);
}

static struct world_object *check_joint2_change(lua_State *L, const char *function, uint32_t *joint)
{
	struct world_object *object = check_reference_of(L, function, &class_joint, joint);
	check_unlocked(L, object, function);
	return object;
}

static int push_anchor(lua_State *L, const char *function, int side)
{
	uint32_t joint;
	double points[2][2];
	const struct world_object *object = check_joint2(L, function, &joint);
	d2_joint_anchors(d2_of(object), joint, points[0], points[1]);
	lua_pushnumber(L, points[side][0]);
	lua_pushnumber(L, points[side][1]);
	return 2;
}

static int get_anchor_a(lua_State *L)
{
	return push_anchor(L, "getAnchorA", 0);
}

static int get_anchor_b(lua_State *L)
{
	return push_anchor(L, "getAnchorB", 1);
}

static int get_reaction_force(lua_State *L)
{
	uint32_t joint;
	float torque;
	const struct world_object *object = check_joint2(L, "getReactionForce", &joint);
	struct d2_vec force = d2_joint_force(d2_of(object), joint, &torque);
	lua_pushnumber(L, force.x);
	lua_pushnumber(L, force.y);
	return 2;
}

static int get_reaction_torque(lua_State *L)
{
	uint32_t joint;
	float torque;
	const struct world_object *object = check_joint2(L, "getReactionTorque", &joint);
	d2_joint_force(d2_of(object), joint, &torque);
	lua_pushnumber(L, torque);
	return 1;
}

static int is_collide_connected(lua_State *L)
{
	uint32_t joint;
	const struct world_object *object = check_joint(L, "isCollideConnected", &joint);
	lua_pushboolean(L, joint_at(object, joint)->collides);
	return 1;
}

static int set_collide_connected(lua_State *L)
{
	uint32_t joint;
	struct world_object *object = check_joint_change(L, "setCollideConnected", &joint);
	joint_set_collides(object->world, joint, arg_boolean(L, 2, "setCollideConnected", "collide"));
	return 0;
}

/* --- Revolute ---------------------------------------------------------------------------------------------------------- */

static int get_angle(lua_State *L)
{
	uint32_t joint;
	const struct world_object *object = check_joint2(L, "getAngle", &joint);
	lua_pushnumber(L, d2_joint_angle(d2_of(object), joint));
	return 1;
}

static int get_speed(lua_State *L)
{
	uint32_t joint;
	const struct world_object *object = check_joint2(L, "getSpeed", &joint);
	lua_pushnumber(L, d2_joint_speed(d2_of(object), joint));
	return 1;
}

static int push_given(lua_State *L, bool given, int count, const float *numbers)
{
	if (!given) {
		lua_pushnil(L);
		return 1;
	}
	for (int i = 0; i < count; ++i)
		lua_pushnumber(L, numbers[i]);
	return count;
}

static const struct d2_revolute_settings *check_settings(lua_State *L, const char *function)
{
	uint32_t joint;
	const struct world_object *object = check_joint2(L, function, &joint);
	return &d2_revolute(object->world, joint)->settings;
}

static int get_limits(lua_State *L)
{
	const struct d2_revolute_settings *settings = check_settings(L, "getLimits");
	return push_given(L, settings->limited, 2, (float[]){ settings->lower, settings->upper });
}

static int set_limits(lua_State *L)
{
	uint32_t joint;
	struct world_object *object = check_joint2_change(L, "setLimits", &joint);
	struct d2_revolute_settings settings = d2_revolute(object->world, joint)->settings;
	settings.limited = !lua_isnoneornil(L, 2);
	if (settings.limited) {
		settings.lower = arg_float(L, 2, "setLimits", "lowerAngle", &range_limit);
		settings.upper = arg_float(L, 3, "setLimits", "upperAngle", &range_limit);
		check_limits(L, "setLimits", settings.lower, settings.upper);
	}
	d2_revolute_set(d2_of(object), joint, &settings);
	return 0;
}

static int get_spring(lua_State *L)
{
	const struct d2_revolute_settings *settings = check_settings(L, "getSpring");
	return push_given(L, settings->spring, 3, (float[]){ settings->hertz, settings->damping_ratio, settings->target });
}

static int set_spring(lua_State *L)
{
	uint32_t joint;
	struct world_object *object = check_joint2_change(L, "setSpring", &joint);
	struct d2_revolute_settings settings = d2_revolute(object->world, joint)->settings;
	settings.spring = !lua_isnoneornil(L, 2);
	if (settings.spring) {
		settings.hertz = arg_float(L, 2, "setSpring", "hertz", &range_rate);
		settings.damping_ratio = lua_isnoneornil(L, 3) ? 1 : arg_float(L, 3, "setSpring", "dampingRatio", &range_coefficient);
		settings.target = lua_isnoneornil(L, 4) ? 0 : arg_float(L, 4, "setSpring", "targetAngle", &range_limit);
	}
	d2_revolute_set(d2_of(object), joint, &settings);
	return 0;
}

static int get_motor(lua_State *L)
{
	const struct d2_revolute_settings *settings = check_settings(L, "getMotor");
	return push_given(L, settings->motor, 2, (float[]){ settings->motor_speed, settings->max_motor_torque });
}

static int set_motor(lua_State *L)
{
	uint32_t joint;
	struct world_object *object = check_joint2_change(L, "setMotor", &joint);
	struct d2_revolute_settings settings = d2_revolute(object->world, joint)->settings;
	settings.motor = !lua_isnoneornil(L, 2);
	if (settings.motor) {
		settings.motor_speed = arg_float(L, 2, "setMotor", "speed", &range_velocity);
		settings.max_motor_torque = arg_float(L, 3, "setMotor", "maxTorque", &range_torque);
	}
	d2_revolute_set(d2_of(object), joint, &settings);
	return 0;
}

const luaL_Reg joint_methods[] = {
	{ "destroy", destroy },
	{ "isValid", is_valid },
	{ "getWorld", get_world },
	{ "getBodyA", get_body_a },
	{ "getBodyB", get_body_b },
	{ "isCollideConnected", is_collide_connected },
	{ "setCollideConnected", set_collide_connected },
	{ NULL, NULL },
};

const luaL_Reg d2_joint_methods[] = {
	{ "getType", get_type },
	{ "getAnchorA", get_anchor_a },
	{ "getAnchorB", get_anchor_b },
	{ "getReactionForce", get_reaction_force },
	{ "getReactionTorque", get_reaction_torque },
	{ "getAngle", get_angle },
	{ "getSpeed", get_speed },
	{ "getLimits", get_limits },
	{ "setLimits", set_limits },
	{ "getSpring", get_spring },
	{ "setSpring", set_spring },
	{ "getMotor", get_motor },
	{ "setMotor", set_motor },
	{ NULL, NULL },
};

/* --- Lists ------------------------------------------------------------------------------------------------------------- */

int world_get_joints(lua_State *L)
{
	struct world_object *object = check_world(L, "getJoints");
	attached_get(L, 1);
	int environment = lua_gettop(L), count = 0;
	lua_createtable(L, (int)ids_count(&object->world->joint_ids), 0);
	/* The bound is read anew each time: making room in the list may run a finalizer that makes or destroys joints. */
	for (uint32_t i = 0; object->world && i < object->world->joints.count; ++i)
		if (joint_at(object, i)->edge.valid) {
			push_live(L, environment, &class_joint, i);
			if (lua_touserdata(L, -1))
				lua_rawseti(L, environment + 1, ++count);
			else
				lua_pop(L, 1);
		}
	return 1;
}

/* The body's list begins with the youngest. */
int body_get_joints(lua_State *L)
{
	uint32_t body, room;
	const struct world_object *object = check_body(L, "getJoints", &body);
	lua_settop(L, 1);
	attached_get(L, 1);
	do { /* a finalizer may make or destroy joints */
		lua_settop(L, 2);
		room = object->world->bodies.data[body].edge_counts[EDGE_JOINT];
		lua_createtable(L, (int)room, 0);
		object = check_body(L, "getJoints", &body);
	} while (room != object->world->bodies.data[body].edge_counts[EDGE_JOINT]);
	for (uint32_t key = object->world->bodies.data[body].edges[EDGE_JOINT]; key != NONE; key = edge_next(object->world, EDGE_JOINT, key)) {
		push_live(L, 2, &class_joint, key / 2);
		lua_rawseti(L, 3, (int)room--);
	}
	return 1;
}
