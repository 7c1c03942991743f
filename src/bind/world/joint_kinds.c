/* joint_kinds.c - the types of joints as tables: see joint.h. */
#include "bind/world/joint.h"

#include <stddef.h>

const struct range range_limit = {-1e15, 1e15, NULL};
static const struct range range_cone = {0, 3.1, ">= 0"};

/* --- Classes of parts ----------------------------------------------------------------------------------------------------- */

static const float zero = 0, critical = 1, no_rotation[4] = {0, 0, 0, 1};

#define COORDINATE(field) offsetof(struct coordinate_settings, field)
#define DRIVE(field) offsetof(struct drive_settings, field)

/* An angle that counts turns. */
static const struct part_class angle = {
	.flags = {COORDINATE(limited), COORDINATE(spring), COORDINATE(motor)},
	.motor_getter = METHOD_MOTOR_TORQUE,
	.values =
		{
			[KEY_LOWER] = {{NULL}, COORDINATE(lower), &range_limit, 1, NULL, 0},
			[KEY_UPPER] = {{NULL}, COORDINATE(upper), &range_limit, 1, NULL, 0},
			[KEY_HERTZ] = {{"hertz"}, COORDINATE(hertz), &range_rate, 1, NULL, 0},
			[KEY_DAMPING_RATIO] = {{"dampingRatio"}, COORDINATE(damping_ratio), &range_coefficient, 1, &critical, 0},
			[KEY_TARGET] = {{NULL}, COORDINATE(target), &range_limit, 1, &zero, 0},
			[KEY_SPEED] = {{"speed"}, COORDINATE(motor_speed), &range_velocity, 1, NULL, 0},
			[KEY_MAX_MOTOR] = {{"maxTorque"}, COORDINATE(max_motor), &range_torque, 1, NULL, 0},
			[KEY_MOTOR_TARGET] = {{"target"}, COORDINATE(motor_target), &range_limit, 1, &zero, COORDINATE(aimed)},
		},
};

/* A rotation in 3D. */
static const struct part_class rotation = {
	.flags = {[GROUP_SPRING] = DRIVE(spring), [GROUP_MOTOR] = DRIVE(motor)},
	.motor_getter = METHOD_MOTOR_TORQUE,
	.values =
		{
			[KEY_HERTZ] = {{"hertz"}, DRIVE(hertz), &range_rate, 1, NULL, 0},
			[KEY_DAMPING_RATIO] = {{"dampingRatio"}, DRIVE(damping_ratio), &range_coefficient, 1, &critical, 0},
			[KEY_TARGET] = {{"qx", "qy", "qz", "qw"}, DRIVE(target), &range_any, 4, no_rotation, 0},
			[KEY_SPEED] = {{"wx", "wy", "wz"}, DRIVE(velocity), &range_velocity, 3, NULL, 0},
			[KEY_MAX_MOTOR] = {{"maxTorque"}, DRIVE(max_motor), &range_torque, 1, NULL, 0},
		},
};

static const struct part_class cone = {
	.flags = {[GROUP_LIMITS] = offsetof(struct cone_settings, limited)},
	.values = {[KEY_LOWER] = {{NULL}, offsetof(struct cone_settings, angle), &range_cone, 1, NULL, 0}},
};

void *part_settings(const struct joint_part *part, struct joint_settings *settings)
{
	switch (part->place) {
	case PLACE_LINEAR: return &settings->linear;
	case PLACE_ANGULAR: return &settings->angular;
	case PLACE_CONE: return &settings->cone;
	default: return &settings->coordinates[part->place];
	}
}

/* --- Types ---------------------------------------------------------------------------------------------------------------- */

static double rate(const struct world *world, uint32_t joint, int coordinate)
{
	return (double)joint_rate(world, joint, coordinate);
}

static double swing(const struct world *world, uint32_t joint, int coordinate)
{
	(void)coordinate;
	return (double)d3_joint_swing(world, joint);
}

/* A coordinate's parts and measures of revolute joints, in 2D and 3D. */
#define REVOLUTE_ANGLE                                                                                               \
	.parts = {{.class = &angle,                                                                                      \
		.keys = {"lowerAngle", "upperAngle", "hertz", "dampingRatio", "targetAngle", "motorSpeed", "maxMotorTorque", \
			"motorTarget"}}},                                                                                        \
	.measures = {{METHOD_ANGLE, joint_value, 0}, {METHOD_SPEED, rate, 0}}

static const struct joint_kind d2_revolute_kind = {
	.type = JOINT_REVOLUTE,
	.name = "revolute",
	.function = "newRevoluteJoint",
	.options = OPTIONS_REVOLUTE,
	.frame = &d2_angle_rows,
	REVOLUTE_ANGLE,
};

static const struct joint_kind d3_revolute_kind = {
	.type = JOINT_REVOLUTE,
	.name = "revolute",
	.function = "newRevoluteJoint",
	.options = OPTIONS_D3_REVOLUTE,
	.frame = &d3_axis_rows,
	REVOLUTE_ANGLE,
};

static const struct joint_kind spherical_kind = {
	.type = JOINT_SPHERICAL,
	.name = "spherical",
	.function = "newSphericalJoint",
	.options = OPTIONS_SPHERICAL,
	.frame = &d3_axis_rows,
	.parts =
		{
			{.class = &rotation,
				.place = PLACE_ANGULAR,
				.keys = {[KEY_HERTZ] = "hertz", "dampingRatio", "targetRotation", "motorVelocity", "maxMotorTorque"}},
			{.class = &angle, .limits = METHOD_TWIST_LIMITS, .keys = {"lowerTwistAngle", "upperTwistAngle"}},
			{.class = &cone, .place = PLACE_CONE, .limits = METHOD_CONE_LIMIT, .keys = {"coneAngle"}},
		},
	.measures = {{METHOD_TWIST_ANGLE, joint_value, 0}, {METHOD_SWING_ANGLE, swing, 0}},
};

const struct joint_kind *const d2_joint_kinds[JOINT_TYPES] = {[JOINT_REVOLUTE] = &d2_revolute_kind};
const struct joint_kind *const d3_joint_kinds[JOINT_TYPES] = {
	[JOINT_REVOLUTE] = &d3_revolute_kind, [JOINT_SPHERICAL] = &spherical_kind};

const struct method d2_joint_constructors[] = {
	{"newRevoluteJoint", joint_new, JOINT_REVOLUTE},
	{NULL, NULL, 0},
};

const struct method d3_joint_constructors[] = {
	{"newRevoluteJoint", joint_new, JOINT_REVOLUTE},
	{"newSphericalJoint", joint_new, JOINT_SPHERICAL},
	{NULL, NULL, 0},
};
