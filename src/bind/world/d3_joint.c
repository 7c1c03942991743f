/* d3_joint.c - creation of 3D revolute and spherical joints, and methods of 3D joints only. */
#include "bind/world/joint.h"

/* --- Creation ------------------------------------------------------------------------------------------------------------- */

static struct d3_quat value_rotation(lua_State *L, const struct path *path)
{
	double numbers[4], most = 0;
	d3_value_rotation(L, lua_gettop(L), path, numbers);
	for (int i = 0; i < 4; ++i)
		most = max_d(most, abs_d(numbers[i]));
	if (!(most > 1e-300))
		raise_error(L, "%s: the quaternion %s must not be zero", path->function, path->name);
	return quaternion_from(L, path->function, numbers);
}

/* Reads an option that both types of joints have. */
static void frame_option(lua_State *L, struct joint_input *input, int option, const struct path *path)
{
	switch (option) {
	case JOINT_Z:
		input->position[2] = value_number(L, -1, path, &range_position);
		++input->given_position;
		break;
	case JOINT_AXIS:
		input->axis = d3_value_axis(L, lua_gettop(L), path);
		input->given_axis = true;
		break;
	case JOINT_AXIS_A:
	case JOINT_AXIS_B:
		input->axes[option - JOINT_AXIS_A] = d3_value_axis(L, lua_gettop(L), path);
		input->given_axes[option - JOINT_AXIS_A] = true;
		break;
	case JOINT_ROTATION_A:
	case JOINT_ROTATION_B:
		input->rotations[option - JOINT_ROTATION_A] = value_rotation(L, path);
		input->given_rotations[option - JOINT_ROTATION_A] = true;
		break;
	}
}

static void revolute_option(lua_State *L, struct joint_input *input, int option, const struct path *path)
{
	switch (option) {
	case JOINT_TARGET: input->settings.target = (float)value_number(L, -1, path, &range_limit); break;
	case JOINT_MOTOR_SPEED: input->settings.motor_speed = (float)value_number(L, -1, path, &range_velocity); break;
	default: frame_option(L, input, option, path); break;
	}
}

static void spherical_option(lua_State *L, struct joint_input *input, int option, const struct path *path)
{
	double numbers[3];
	switch (option) {
	case JOINT_TARGET: input->target = value_rotation(L, path); break;
	case JOINT_MOTOR_SPEED:
		value_vector(L, lua_gettop(L), *path, &range_velocity, 3, numbers);
		input->motor_velocity = (struct d3_vec){(float)numbers[0], (float)numbers[1], (float)numbers[2]};
		break;
	case JOINT_CONE_ANGLE:
		input->cone = (float)value_number(L, -1, path, &range_cone);
		input->cone_limited = true;
		break;
	default: frame_option(L, input, option, path); break;
	}
}

static void check_frames(lua_State *L, const char *function, const struct joint_input *input)
{
	const bool *axes = input->given_axes, *rotations = input->given_rotations;
	if (axes[0] != axes[1])
		raise_error(L, "%s: axisA and axisB must be given together", function);
	if (rotations[0] != rotations[1])
		raise_error(L, "%s: rotationA and rotationB must be given together", function);
	if (input->given_axis + axes[0] + rotations[0] > 1)
		raise_error(L, "%s: only one of axis, axisA and axisB, and rotationA and rotationB may be given", function);
}

static void revolute_check(lua_State *L, struct joint_input *input)
{
	check_frames(L, "newRevoluteJoint", input);
}

static void spherical_check(lua_State *L, struct joint_input *input)
{
	check_frames(L, "newSphericalJoint", input);
}

static struct d3_quat_d normalized(struct d3_quat_d q)
{
	double scale = 1 / sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
	return (struct d3_quat_d){scale * q.x, scale * q.y, scale * q.z, scale * q.w};
}

/* The shortest rotation from one unit vector to another; if they are opposite, half a turn about `across`, a unit vector
 * perpendicular to both. */
static struct d3_quat_d turn_between(struct d3_vec_d from, struct d3_vec_d to, struct d3_vec_d across)
{
	struct d3_vec_d axis = d3_cross_d(from, to);
	double w = 1 + d3_dot_d(from, to);
	if (!(w > 1e-12))
		return (struct d3_quat_d){across.x, across.y, across.z, 0};
	return normalized((struct d3_quat_d){axis.x, axis.y, axis.z, w});
}

static struct d3_quat in_body(struct d3_quat body, struct d3_quat_d frame)
{
	struct d3_quat_d q = d3_exact_quat(body);
	q = d3_mul_quat_d((struct d3_quat_d){-q.x, -q.y, -q.z, q.w}, frame);
	return (struct d3_quat){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
}

/* Sets the rotations of the joint's frames: their z axes are the joint's axes, and the twist between them is 0 at the bodies'
 * current poses. */
static void set_axes(struct joint_input *input, const struct d3_pose poses[2])
{
	static const struct d3_vec_d x = {1, 0, 0}, z = {0, 0, 1};
	struct d3_vec_d axes[2];
	for (int side = 0; side < 2; ++side) {
		struct d3_rot_d q = d3_exact_rot(poses[side].q);
		axes[side] = input->given_axes[0] ? d3_turn_d(&q, input->axes[side]) : input->given_axis ? input->axis : z;
	}
	struct d3_quat_d a = turn_between(z, axes[0], x);
	struct d3_rot_d rotation = d3_quat_rot_d(a);
	struct d3_quat_d b = d3_mul_quat_d(turn_between(axes[0], axes[1], rotation.x), a);
	input->frames[0].q = in_body(poses[0].q, a);
	input->frames[1].q = in_body(poses[1].q, b);
}

static struct d3_vec local_anchor(
	lua_State *L, const struct joint_kind *kind, const struct joint_input *input, const struct d3_pose *pose)
{
	struct d3_vec_d delta = {input->position[0] - pose->x, input->position[1] - pose->y, input->position[2] - pose->z};
	struct d3_rot_d q = d3_exact_rot(pose->q);
	struct d3_vec_d local = d3_inv_turn_d(&q, delta);
	joint_check_reach(L, kind, (const double[]){local.x, local.y, local.z});
	return d3_narrow(local);
}

static void set_frames(
	lua_State *L, const struct joint_kind *kind, const struct world *world, struct joint_input *input, const uint32_t bodies[2])
{
	struct d3_pose poses[2];
	for (int side = 0; side < 2; ++side) {
		const double *anchor = input->anchors[side];
		poses[side] = bodies[side] == NONE ? d3_mount_pose(input->position) : d3_body_pose(world, bodies[side]);
		input->frames[side].point = input->given_position
			? local_anchor(L, kind, input, &poses[side])
			: (struct d3_vec){(float)anchor[0], (float)anchor[1], (float)anchor[2]};
		input->frames[side].q = input->rotations[side];
	}
	if (!input->given_rotations[0])
		set_axes(input, poses);
}

static uint32_t revolute_create(struct world *world, const struct joint_input *input, const uint32_t bodies[2])
{
	const struct joint_settings settings = {.coordinates = {input->settings}};
	return d3_joint_create(world, JOINT_REVOLUTE, bodies[0], bodies[1], input->frames, input->collides, &settings);
}

static uint32_t spherical_create(struct world *world, const struct joint_input *input, const uint32_t bodies[2])
{
	const struct coordinate_settings *given = &input->settings;
	const struct d3_vec v = input->motor_velocity;
	const struct d3_quat q = input->target;
	const struct joint_settings settings = {
		.coordinates = {{.limited = given->limited, .lower = given->lower, .upper = given->upper}},
		.angular = {.spring = given->spring,
			.motor = given->motor,
			.hertz = given->hertz,
			.damping_ratio = given->damping_ratio,
			.target = {q.x, q.y, q.z, q.w},
			.velocity = {v.x, v.y, v.z},
			.max_motor = given->max_motor},
		.cone = {.limited = input->cone_limited, .angle = input->cone},
	};
	return d3_joint_create(world, JOINT_SPHERICAL, bodies[0], bodies[1], input->frames, input->collides, &settings);
}

static const struct joint_kind revolute = {
	.function = "newRevoluteJoint",
	.dimension = &d3_dimension,
	.options = OPTIONS_D3_REVOLUTE,
	.lower = "lowerAngle",
	.upper = "upperAngle",
	.target = "targetAngle",
	.motor = "motorSpeed",
	.option = revolute_option,
	.check = revolute_check,
	.set_frames = set_frames,
	.create = revolute_create,
};

static const struct joint_kind spherical = {
	.function = "newSphericalJoint",
	.dimension = &d3_dimension,
	.options = OPTIONS_SPHERICAL,
	.lower = "lowerTwistAngle",
	.upper = "upperTwistAngle",
	.target = "targetRotation",
	.motor = "motorVelocity",
	.option = spherical_option,
	.check = spherical_check,
	.set_frames = set_frames,
	.create = spherical_create,
};

int d3_new_revolute_joint(lua_State *L)
{
	return joint_make(L, &revolute);
}

int d3_new_spherical_joint(lua_State *L)
{
	return joint_make(L, &spherical);
}

/* --- Methods -------------------------------------------------------------------------------------------------------------- */

static int push_vector(lua_State *L, struct d3_vec v)
{
	lua_pushnumber(L, v.x);
	lua_pushnumber(L, v.y);
	lua_pushnumber(L, v.z);
	return 3;
}

static int get_axis(lua_State *L)
{
	const struct method *side = upvalue_address(L, 3);
	uint32_t joint;
	struct d3_vec axes[2];
	const struct world *world = check_own(L, side->name, &joint)->world;
	d3_joint_axes(world, joint, axes);
	return push_vector(L, axes[side->number]);
}

const struct method d3_joint_getters[] = {
	{"getAxisA", get_axis, 0},
	{"getAxisB", get_axis, 1},
	{NULL, NULL, 0},
};

static int get_rotation(lua_State *L)
{
	uint32_t joint;
	const struct world *world = check_own(L, "getRotation", &joint)->world;
	struct d3_quat q = d3_joint_rotation(world, joint);
	push_vector(L, (struct d3_vec){q.x, q.y, q.z});
	lua_pushnumber(L, q.w);
	return 4;
}

static const struct world *check_spherical(lua_State *L, const char *function, uint32_t *joint)
{
	const struct world_object *object = check_own(L, function, joint);
	if (!joint_is_spherical(object, *joint))
		joint_raise_type(L, function, false);
	return object->world;
}

static int get_twist_angle(lua_State *L)
{
	uint32_t joint;
	const struct world *world = check_spherical(L, "getTwistAngle", &joint);
	lua_pushnumber(L, joint_value(world, joint, 0));
	return 1;
}

static int get_swing_angle(lua_State *L)
{
	uint32_t joint;
	const struct world *world = check_spherical(L, "getSwingAngle", &joint);
	lua_pushnumber(L, d3_joint_swing(world, joint));
	return 1;
}

const luaL_Reg d3_joint_methods[] = {
	{"getRotation", get_rotation},
	{"getTwistAngle", get_twist_angle},
	{"getSwingAngle", get_swing_angle},
	{NULL, NULL},
};
