/* joint_kinds.c - the types of joints as tables: see joint.h. */
#include "bind/world/joint.h"
#include "core/gear.h"

#include <math.h>
#include <stddef.h>

const struct range range_limit = {-1e15, 1e15, NULL}, range_threshold = {1e-15, 1e18, "> 0"};
const struct range range_cone = {0, 3.1, ">= 0"}, range_ellipse = {1e-6, 3.1, "> 0"};
static const struct range range_extent = {0, 1e15, ">= 0"}, range_softness = {0, 1e9, ">= 0"};

/* --- Classes of parts ----------------------------------------------------------------------------------------------------- */

static const float zero = 0, critical = 1, present = NAN, no_rotation[4] = {0, 0, 0, 1};

#define COORDINATE(field) offsetof(struct coordinate_settings, field)
#define DRIVE(field) offsetof(struct drive_settings, field)

/* Coordinates. load: the argument for the motor's greatest force or torque; span: the range of the values; rest: the spring's
 * target if none is given; at last, the values for the spring's force. */
#define COORDINATE_CLASS(name, getter, load, span, rest, ...)                                                         \
	static const struct part_class name = {                                                                           \
		.flags = {COORDINATE(limited), COORDINATE(spring), COORDINATE(motor)},                                        \
		.motor_getter = getter,                                                                                       \
		.values = {[KEY_LOWER] = {{NULL}, COORDINATE(lower), span, 1, NULL, 0},                                       \
			[KEY_UPPER] = {{NULL}, COORDINATE(upper), span, 1, NULL, 0},                                              \
			[KEY_HERTZ] = {{"hertz"}, COORDINATE(hertz), &range_rate, 1, NULL, 0},                                    \
			[KEY_DAMPING_RATIO] = {{"dampingRatio"}, COORDINATE(damping_ratio), &range_coefficient, 1, &critical, 0}, \
			[KEY_TARGET] = {{NULL}, COORDINATE(target), span, 1, rest, 0},                                            \
			[KEY_SPEED] = {{"speed"}, COORDINATE(motor_speed), &range_velocity, 1, NULL, 0},                          \
			[KEY_MAX_MOTOR] = {{load}, COORDINATE(max_motor), &range_torque, 1, NULL, 0},                             \
			[KEY_MOTOR_TARGET] = {{"target"}, COORDINATE(motor_target), span, 1, &zero, COORDINATE(aimed)},           \
			__VA_ARGS__},                                                                                             \
	}

/* An angle that counts turns; a translation along an axis; a length, whose spring has a range of forces and rests at the
 * present length unless another is given. */
COORDINATE_CLASS(angle, METHOD_MOTOR_TORQUE, "maxTorque", &range_limit,
	&zero, [KEY_MOST_SPRING] = {{NULL}, COORDINATE(most_spring), &range_torque, 1, &zero, 0});
COORDINATE_CLASS(translation, METHOD_MOTOR_FORCE, "maxForce", &range_limit,
	&zero, [KEY_MOST_SPRING] = {{NULL}, COORDINATE(most_spring), &range_torque, 1, &zero, 0});
COORDINATE_CLASS(length, METHOD_MOTOR_FORCE, "maxForce", &range_extent,
	&present, [KEY_LEAST_SPRING] = {{NULL}, COORDINATE(least_spring), &range_force, 1, &zero, 0},
	[KEY_MOST_SPRING] = {{NULL}, COORDINATE(most_spring), &range_force, 1, &zero, 0});

/* Drives. hertz 0: no spring. n: number of axes; names: of the arguments for the velocity. */
#define DRIVE_CLASS(name, getter, force, n, ...)                                                                     \
	static const struct part_class name = {                                                                          \
		.flags = {[GROUP_SPRING] = DRIVE(spring), [GROUP_MOTOR] = DRIVE(motor)},                                     \
		.motor_getter = getter,                                                                                      \
		.values =                                                                                                    \
			{                                                                                                        \
				[KEY_HERTZ] = {{"hertz"}, DRIVE(hertz), &range_softness, 1, NULL, 0},                                \
				[KEY_DAMPING_RATIO] = {{"dampingRatio"}, DRIVE(damping_ratio), &range_coefficient, 1, &critical, 0}, \
				[KEY_MOST_SPRING] = {{force}, DRIVE(max_spring), &range_torque, 1, &zero, 0},                        \
				[KEY_SPEED] = {{__VA_ARGS__}, DRIVE(velocity), &range_velocity, n, NULL, 0},                         \
				[KEY_MAX_MOTOR] = {{force}, DRIVE(max_motor), &range_torque, 1, NULL, 0},                            \
			},                                                                                                       \
	}

DRIVE_CLASS(d2_linear, METHOD_MOTOR_FORCE, "maxForce", 2, "vx", "vy");
DRIVE_CLASS(d3_linear, METHOD_MOTOR_FORCE, "maxForce", 3, "vx", "vy", "vz");
DRIVE_CLASS(d2_angular, METHOD_MOTOR_TORQUE, "maxTorque", 1, "angularVelocity");
DRIVE_CLASS(d3_angular, METHOD_MOTOR_TORQUE, "maxTorque", 3, "wx", "wy", "wz");

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
	.values = {[KEY_LOWER] = {{NULL}, offsetof(struct cone_settings, angles), &range_cone, 1, NULL, 0}},
};

static const struct part_class ratchet = {
	.flags = {[GROUP_RATCHET] = offsetof(struct ratchet_settings, on)},
	.values = {[KEY_TOOTH] = {{NULL}, offsetof(struct ratchet_settings, tooth), &range_limit, 1, NULL, 0},
		[KEY_PHASE] = {{NULL}, offsetof(struct ratchet_settings, phase), &range_limit, 1, &zero, 0}},
};

void *part_settings(const struct joint_part *part, struct joint_settings *settings)
{
	switch (part->place) {
	case PLACE_LINEAR: return &settings->linear;
	case PLACE_ANGULAR: return &settings->angular;
	case PLACE_CONE: return &settings->cone;
	case PLACE_RATCHET: return &settings->ratchet;
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
#define REVOLUTE_ANGLE                                                                                           \
	.parts = {{.class = &angle,                                                                                  \
		.keys = {"lowerAngle", "upperAngle", "hertz", "dampingRatio", "targetAngle", [KEY_SPEED] = "motorSpeed", \
			"maxMotorTorque", "motorTarget"}}},                                                                  \
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

static void spherical_adjust(lua_State *L, const struct joint_kind *kind, struct joint_input *input)
{
	struct cone_settings *settings = &input->settings.cone;
	bool circular = (input->given_keys[2] & 1u << KEY_LOWER) != 0;
	if (circular && settings->limited)
		raise_error(L, "%s: only one of coneAngle and coneAngles may be given", kind->function);
	if (circular)
		settings->angles[1] = settings->angles[0];
}

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
				.keys =
					{[KEY_HERTZ] = "hertz", "dampingRatio", "targetRotation", [KEY_SPEED] = "motorVelocity", "maxMotorTorque"}},
			{.class = &angle, .limits = METHOD_TWIST_LIMITS, .keys = {"lowerTwistAngle", "upperTwistAngle"}},
			{.class = &cone, .place = PLACE_CONE, .limits = METHOD_CONE_LIMIT, .keys = {"coneAngle"}},
		},
	.measures = {{METHOD_TWIST_ANGLE, joint_value, 0}, {METHOD_SWING_ANGLE, swing, 0}},
	.own = &joint_cone_rows,
	.adjust = spherical_adjust,
};

/* A length may have one limit alone. */
static void length_adjust(struct joint_input *input)
{
	const uint32_t lower = 1u << KEY_LOWER, upper = 1u << KEY_UPPER;
	uint32_t *given = &input->given_keys[0];
	if ((*given & (lower | upper)) == lower)
		input->settings.coordinates[0].upper = (float)range_extent.high;
	if ((*given & (lower | upper)) != 0)
		*given |= lower | upper;
}

/* A distance joint may have a length without a spring. Its spring force has a range or none. */
static void distance_adjust(lua_State *L, const struct joint_kind *kind, struct joint_input *input)
{
	struct coordinate_settings *settings = &input->settings.coordinates[0];
	uint32_t *given = &input->given_keys[0];
	const uint32_t hertz = 1u << KEY_HERTZ, forces = 1u << KEY_LEAST_SPRING | 1u << KEY_MOST_SPRING;
	length_adjust(input);
	if ((*given & hertz) == 0)
		*given &= ~(1u << KEY_TARGET);
	if ((*given & forces) != 0 && (*given & forces) != forces)
		raise_error(L, "%s: lowerSpringForce and upperSpringForce must be given together", kind->function);
	if ((*given & forces) != 0 && !(settings->least_spring < settings->most_spring))
		raise_error(L, "%s: upperSpringForce must be > lowerSpringForce, got %f <= %f", kind->function,
			(lua_Number)settings->most_spring, (lua_Number)settings->least_spring);
}

#define LENGTH_PART                                                                                                   \
	.parts = {{.class = &length,                                                                                      \
		.keys = {"minLength", "maxLength", "hertz", "dampingRatio", "length", "lowerSpringForce", "upperSpringForce", \
			"motorSpeed", "maxMotorForce", "motorTarget"}}},                                                          \
	.measures = {{METHOD_LENGTH, joint_value, 0}, {METHOD_SPEED, rate, 0}}, .adjust = distance_adjust

#define PRISMATIC_PART                                                                          \
	.parts = {{.class = &translation,                                                           \
		.keys = {"lowerTranslation", "upperTranslation", "hertz", "dampingRatio",               \
			"targetTranslation", [KEY_SPEED] = "motorSpeed", "maxMotorForce", "motorTarget"}}}, \
	.measures = {{METHOD_TRANSLATION, joint_value, 0}, {METHOD_SPEED, rate, 0}}

#define WELD_PARTS(linear_class, angular_class)                                 \
	.parts = {{.name = "linear",                                                \
				  .class = &linear_class,                                       \
				  .place = PLACE_LINEAR,                                        \
				  .keys = {[KEY_HERTZ] = "linearHertz", "linearDampingRatio"}}, \
		{.name = "angular",                                                     \
			.class = &angular_class,                                            \
			.place = PLACE_ANGULAR,                                             \
			.keys = {[KEY_HERTZ] = "angularHertz", "angularDampingRatio"}}},    \
	.named = true

#define MOTOR_PARTS(linear_class, angular_class)            \
	.parts = {{.name = "linear",                            \
				  .class = &linear_class,                   \
				  .place = PLACE_LINEAR,                    \
				  .keys = {[KEY_HERTZ] = "linearHertz",     \
					  "linearDampingRatio",                 \
					  [KEY_MOST_SPRING] = "maxSpringForce", \
					  "linearVelocity",                     \
					  "maxVelocityForce"}},                 \
		{.name = "angular",                                 \
			.class = &angular_class,                        \
			.place = PLACE_ANGULAR,                         \
			.keys = {[KEY_HERTZ] = "angularHertz",          \
				"angularDampingRatio",                      \
				[KEY_MOST_SPRING] = "maxSpringTorque",      \
				"angularVelocity",                          \
				"maxVelocityTorque"}}},                     \
	.named = true, .unlocked = true

#define FRICTION_PARTS(linear_class, angular_class)                                                                      \
	.parts = {{.name = "linear", .class = &linear_class, .place = PLACE_LINEAR, .keys = {[KEY_MAX_MOTOR] = "maxForce"}}, \
		{.name = "angular", .class = &angular_class, .place = PLACE_ANGULAR, .keys = {[KEY_MAX_MOTOR] = "maxTorque"}}},  \
	.named = true, .unlocked = true

static void mouse_adjust(lua_State *L, const struct joint_kind *kind, struct joint_input *input)
{
	if ((input->given_keys[0] & 1u << KEY_HERTZ) == 0)
		raise_error(L, "%s: hertz is missing", kind->function);
}

#define MOUSE_PART(linear_class)                                                           \
	.parts = {{.class = &linear_class,                                                     \
		.place = PLACE_LINEAR,                                                             \
		.target = true,                                                                    \
		.keys = {[KEY_HERTZ] = "hertz", "dampingRatio", [KEY_MOST_SPRING] = "maxForce"}}}, \
	.own = &joint_mouse_rows, .adjust = mouse_adjust, .unlocked = true

#define SUSPENSION                                             \
	{                                                          \
		.name = "suspension", .class = &translation, .keys = { \
			"lowerSuspension",                                 \
			"upperSuspension",                                 \
			"suspensionHertz",                                 \
			"suspensionDampingRatio"                           \
		}                                                      \
	}
#define SPIN                                                                                                \
	{                                                                                                       \
		.name = "spin", .class = &angle, .place = 1, .keys = { [KEY_SPEED] = "spinSpeed", "maxSpinTorque" } \
	}
#define WHEEL_MEASURES                                                         \
	{METHOD_TRANSLATION, joint_value, 0}, {METHOD_SPIN_ANGLE, joint_value, 1}, \
	{                                                                          \
		METHOD_SPIN_SPEED, rate, 1                                             \
	}

/* The greatest torque of the steering's spring acts both ways. */
static void wheel_adjust(lua_State *L, const struct joint_kind *kind, struct joint_input *input)
{
	struct coordinate_settings *steering = &input->settings.coordinates[2];
	(void)L;
	(void)kind;
	steering->least_spring = -steering->most_spring;
}

#define BOTH(kind, lua_name, constructor, upper, rows2, parts2, parts3)                                                        \
	static const struct joint_kind d2_##kind##_kind = {                                                                        \
		.type = JOINT_##upper, .name = lua_name, .function = constructor, .options = OPTIONS_##upper, .frame = rows2, parts2}; \
	static const struct joint_kind d3_##kind##_kind = {.type = JOINT_##upper,                                                  \
		.name = lua_name,                                                                                                      \
		.function = constructor,                                                                                               \
		.options = OPTIONS_D3_##upper,                                                                                         \
		.frame = &d3_axis_rows,                                                                                                \
		parts3}

#define LIST(...) __VA_ARGS__

static void universal_adjust(lua_State *L, const struct joint_kind *kind, struct joint_input *input)
{
	if (!input->given_spin_axis)
		raise_error(L, "%s: secondAxis is missing", kind->function);
}

/* A filter joint has no place. */
static void filter_adjust(lua_State *L, const struct joint_kind *kind, struct joint_input *input)
{
	if (input->bodies[0] == NULL)
		raise_error(L, "%s: bodyA is missing", kind->function);
	input->given_anchors[0] = input->given_anchors[1] = true;
}

#define FILTER .adjust = filter_adjust, .unlocked = true

/* Without a place, the joint is at the bodies' origins. */
static void place_adjust(struct joint_input *input)
{
	bool given = input->given_anchors[0] || input->given_anchors[1] || input->given_points[0] || input->given_points[1];
	for (int i = 0; i < input->axes_count; ++i)
		given |= input->given_position[i];
	if (!given)
		input->given_anchors[0] = input->given_anchors[1] = true;
}

static void ratchet_adjust(lua_State *L, const struct joint_kind *kind, struct joint_input *input)
{
	if ((input->given_keys[0] & 1u << KEY_TOOTH) == 0)
		raise_error(L, "%s: toothAngle is missing", kind->function);
	input->settings.ratchet.on = true;
	place_adjust(input);
}

#define RATCHET_PART                                                                                       \
	.parts = {{.class = &ratchet, .place = PLACE_RATCHET, .keys = {[KEY_TOOTH] = "toothAngle", "phase"}}}, \
	.measures = {{METHOD_ANGLE, joint_value, 0}}, .adjust = ratchet_adjust
static void gear_adjust(lua_State *L, const struct joint_kind *kind, struct joint_input *input)
{
	input->given_anchors[0] = input->given_anchors[1] = true;
	joint_check_ratio(L, kind->function, kind->type, input->settings.gear.ratio);
}

static void pulley_adjust(lua_State *L, const struct joint_kind *kind, struct joint_input *input)
{
	for (int side = 0; side < 2; ++side)
		if (!input->given_grounds[side])
			raise_error(L, "%s: %s is missing", kind->function, side == 0 ? "groundA" : "groundB");
	joint_check_ratio(L, kind->function, kind->type, input->settings.gear.ratio);
	length_adjust(input);
}

static double ratio(const struct world *world, uint32_t joint, int coordinate)
{
	(void)coordinate;
	return joint_gear(world, joint)->settings.ratio;
}

/* The id of a gear's joint. */
static double geared(const struct world *world, uint32_t joint, int side)
{
	return joint_gear(world, joint)->settings.joints[side];
}

#define GEAR                                        \
	.own = &joint_gear_rows, .adjust = gear_adjust, \
	.measures = {{METHOD_RATIO, ratio, 0}, {METHOD_JOINT_A, geared, 0}, {METHOD_JOINT_B, geared, 1}}
#define PULLEY                                                                                                             \
	.own = &joint_pulley_rows, .adjust = pulley_adjust, .parts = {{.class = &length, .keys = {"minLength", "maxLength"}}}, \
	.measures = {{METHOD_RATIO, ratio, 0}, {METHOD_LENGTH_A, joint_value, 1}, {METHOD_LENGTH_B, joint_value, 2}}

/* The points place the path. Neighbours among them must differ. */
static void path_adjust(lua_State *L, const struct joint_kind *kind, struct joint_input *input)
{
	uint32_t axes = (uint32_t)input->axes_count, least = input->path_loop ? 3 : 2;
	if (input->path_points == NULL)
		raise_error(L, "%s: points is missing", kind->function);
	if (input->path_count < least)
		raise_error(L, "%s: points must hold at least %d points, got %d", kind->function, (int)least, (int)input->path_count);
	for (uint32_t i = 0; i < input->path_count; ++i) {
		uint32_t next = (i + 1) % input->path_count;
		if ((next > 0 || input->path_loop) &&
			memcmp(input->path_points + i * axes, input->path_points + next * axes, axes * sizeof(double)) == 0)
			raise_error(L, "%s: points must differ from their neighbours, points %d and %d are the same", kind->function,
				(int)i + 1, (int)next + 1);
	}
	memcpy(input->anchors[0], input->path_points, axes * sizeof(double));
	input->given_anchors[0] = input->given_anchors[1] = true;
	input->given_rotations[0] = input->given_rotations[1] = true;
	input->rotations[0] = input->rotations[1] = (struct d3_quat){0, 0, 0, 1};
}

#define PATH_PART                                                                                                         \
	.parts = {{.class = &translation,                                                                                     \
		.keys = {"lowerDistance", "upperDistance", "hertz", "dampingRatio", "targetDistance", [KEY_SPEED] = "motorSpeed", \
			"maxMotorForce", "motorTarget"}}},                                                                            \
	.measures = {{METHOD_DISTANCE, joint_value, 0}, {METHOD_SPEED, rate, 0}}, .own = &joint_path_rows, .adjust = path_adjust

/* A type that has no place, or finds it itself. */
#define FRAMELESS(d, kind, lua_name, constructor, upper, set, ...) \
	static const struct joint_kind d##_##kind##_kind = {           \
		.type = JOINT_##upper, .name = lua_name, .function = constructor, .options = set, __VA_ARGS__}
FRAMELESS(d2, path, "path", "newPathJoint", PATH, OPTIONS_PATH, PATH_PART);
FRAMELESS(d3, path, "path", "newPathJoint", PATH, OPTIONS_D3_PATH, PATH_PART);
FRAMELESS(d2, filter, "filter", "newFilterJoint", FILTER, OPTIONS_FILTER, FILTER);
FRAMELESS(d3, filter, "filter", "newFilterJoint", FILTER, OPTIONS_D3_FILTER, FILTER);
FRAMELESS(d2, gear, "gear", "newGearJoint", GEAR, OPTIONS_GEAR, GEAR);
FRAMELESS(d3, gear, "gear", "newGearJoint", GEAR, OPTIONS_D3_GEAR, GEAR);

BOTH(distance, "distance", "newDistanceJoint", DISTANCE, &d2_angle_rows, LIST(LENGTH_PART), LIST(LENGTH_PART));
BOTH(prismatic, "prismatic", "newPrismaticJoint", PRISMATIC, &d2_axis_rows, LIST(PRISMATIC_PART), LIST(PRISMATIC_PART));
BOTH(weld, "weld", "newWeldJoint", WELD, &d2_angle_rows, LIST(WELD_PARTS(d2_linear, d2_angular)),
	LIST(WELD_PARTS(d3_linear, d3_angular)));
BOTH(motor, "motor", "newMotorJoint", MOTOR, &d2_angle_rows, LIST(MOTOR_PARTS(d2_linear, d2_angular)),
	LIST(MOTOR_PARTS(d3_linear, d3_angular)));
BOTH(mouse, "mouse", "newMouseJoint", MOUSE, &d2_angle_rows, LIST(MOUSE_PART(d2_linear)), LIST(MOUSE_PART(d3_linear)));
BOTH(friction, "friction", "newFrictionJoint", FRICTION, &d2_angle_rows, LIST(FRICTION_PARTS(d2_linear, d2_angular)),
	LIST(FRICTION_PARTS(d3_linear, d3_angular)));
BOTH(wheel, "wheel", "newWheelJoint", WHEEL, &d2_axis_rows,
	LIST(.named = true, .parts = {SUSPENSION, SPIN}, .measures = {WHEEL_MEASURES}),
	LIST(.named = true, .own = &joint_spin_rows, .adjust = wheel_adjust,
		.parts = {SUSPENSION, SPIN,
			{.name = "steering",
				.class = &angle,
				.place = 2,
				.keys = {"lowerSteeringAngle", "upperSteeringAngle", "steeringHertz", "steeringDampingRatio",
					"targetSteeringAngle", [KEY_MOST_SPRING] = "maxSteeringTorque"}}},
		.measures = {WHEEL_MEASURES, {METHOD_STEERING_ANGLE, joint_value, 2}}));
BOTH(pulley, "pulley", "newPulleyJoint", PULLEY, &d2_angle_rows, LIST(PULLEY), LIST(PULLEY));
BOTH(ratchet, "ratchet", "newRatchetJoint", RATCHET, &d2_angle_rows, LIST(RATCHET_PART), LIST(RATCHET_PART));

static const struct joint_kind cylindrical_kind = {
	.type = JOINT_CYLINDRICAL,
	.name = "cylindrical",
	.function = "newCylindricalJoint",
	.options = OPTIONS_CYLINDRICAL,
	.named = true,
	.frame = &d3_axis_rows,
	.parts =
		{
			{.name = "translation",
				.class = &translation,
				.keys = {"lowerTranslation", "upperTranslation", "translationHertz", "translationDampingRatio",
					"targetTranslation", [KEY_SPEED] = "translationSpeed", "maxTranslationForce", "translationMotorTarget"}},
			{.name = "angle",
				.class = &angle,
				.place = 1,
				.keys = {"lowerAngle", "upperAngle", "angleHertz", "angleDampingRatio",
					"targetAngle", [KEY_SPEED] = "angleSpeed", "maxAngleTorque", "angleMotorTarget"}},
		},
	.measures = {{METHOD_TRANSLATION, joint_value, 0}, {METHOD_ANGLE, joint_value, 1}, {METHOD_SPEED, rate, 0}},
};

static void parallel_adjust(lua_State *L, const struct joint_kind *kind, struct joint_input *input)
{
	if ((input->given_keys[0] & 1u << KEY_HERTZ) == 0)
		raise_error(L, "%s: hertz is missing", kind->function);
	place_adjust(input);
}

static const struct joint_kind parallel_kind = {
	.type = JOINT_PARALLEL,
	.name = "parallel",
	.function = "newParallelJoint",
	.options = OPTIONS_PARALLEL,
	.unlocked = true,
	.frame = &d3_axis_rows,
	.adjust = parallel_adjust,
	.parts = {{.class = &d3_angular,
		.place = PLACE_ANGULAR,
		.keys = {[KEY_HERTZ] = "hertz", "dampingRatio", [KEY_MOST_SPRING] = "maxTorque"}}},
	.measures = {{METHOD_SWING_ANGLE, swing, 0}},
};

/* The second axis is b's, and its angle coordinate 0: see rows_joint.wide.c. */
static const struct joint_kind universal_kind = {
	.type = JOINT_UNIVERSAL,
	.name = "universal",
	.function = "newUniversalJoint",
	.options = OPTIONS_UNIVERSAL,
	.named = true,
	.frame = &d3_axis_rows,
	.own = &joint_second_axis_rows,
	.adjust = universal_adjust,
	.parts =
		{
			{.name = "first",
				.class = &angle,
				.place = 1,
				.keys = {"lowerFirstAngle", "upperFirstAngle", "firstHertz", "firstDampingRatio",
					"targetFirstAngle", [KEY_SPEED] = "firstSpeed", "maxFirstTorque", "firstMotorTarget"}},
			{.name = "second",
				.class = &angle,
				.keys = {"lowerSecondAngle", "upperSecondAngle", "secondHertz", "secondDampingRatio",
					"targetSecondAngle", [KEY_SPEED] = "secondSpeed", "maxSecondTorque", "secondMotorTarget"}},
		},
	.measures = {{METHOD_FIRST_ANGLE, joint_value, 1}, {METHOD_SECOND_ANGLE, joint_value, 0}},
};

/* Axes that are not given are locked. */
static void six_dof_adjust(lua_State *L, const struct joint_kind *kind, struct joint_input *input)
{
	(void)L;
	(void)kind;
	for (int i = 0; i < JOINT_PARTS; ++i)
		if ((input->unlocked & 1u << i) == 0)
			input->settings.coordinates[i].limited = true;
}

#define FREE_AXIS(lua_name, kind, number, most)                      \
	{                                                                \
		.name = lua_name, .class = &kind, .place = number, .keys = { \
			"lower",                                                 \
			"upper",                                                 \
			"hertz",                                                 \
			"dampingRatio",                                          \
			"target",                                                \
			[KEY_SPEED] = "motorSpeed",                              \
			most,                                                    \
			"motorTarget"                                            \
		}                                                            \
	}

static const struct joint_kind six_dof_kind = {
	.type = JOINT_SIX_DOF,
	.name = "sixDof",
	.function = "newSixDofJoint",
	.options = OPTIONS_SIX_DOF,
	.named = true,
	.frame = &d3_axis_rows,
	.own = &joint_freedom_rows,
	.adjust = six_dof_adjust,
	.parts = {FREE_AXIS("x", translation, 0, "maxMotorForce"), FREE_AXIS("y", translation, 1, "maxMotorForce"),
		FREE_AXIS("z", translation, 2, "maxMotorForce"), FREE_AXIS("rotationX", angle, 3, "maxMotorTorque"),
		FREE_AXIS("rotationY", angle, 4, "maxMotorTorque"), FREE_AXIS("rotationZ", angle, 5, "maxMotorTorque")},
};

#define KINDS_OF_BOTH(d)                                                                                           \
	[JOINT_DISTANCE] = &d##_distance_kind, [JOINT_PRISMATIC] = &d##_prismatic_kind, [JOINT_WELD] = &d##_weld_kind, \
	[JOINT_WHEEL] = &d##_wheel_kind, [JOINT_MOTOR] = &d##_motor_kind, [JOINT_MOUSE] = &d##_mouse_kind,             \
	[JOINT_FRICTION] = &d##_friction_kind, [JOINT_FILTER] = &d##_filter_kind, [JOINT_RATCHET] = &d##_ratchet_kind, \
	[JOINT_GEAR] = &d##_gear_kind, [JOINT_PULLEY] = &d##_pulley_kind, [JOINT_PATH] = &d##_path_kind

#define CONSTRUCTORS_OF_BOTH                                                                          \
	{"newRevoluteJoint", joint_new, JOINT_REVOLUTE}, {"newDistanceJoint", joint_new, JOINT_DISTANCE}, \
		{"newPrismaticJoint", joint_new, JOINT_PRISMATIC}, {"newWeldJoint", joint_new, JOINT_WELD},   \
		{"newWheelJoint", joint_new, JOINT_WHEEL}, {"newMotorJoint", joint_new, JOINT_MOTOR},         \
		{"newMouseJoint", joint_new, JOINT_MOUSE}, {"newFrictionJoint", joint_new, JOINT_FRICTION},   \
		{"newFilterJoint", joint_new, JOINT_FILTER}, {"newRatchetJoint", joint_new, JOINT_RATCHET},   \
		{"newGearJoint", joint_new, JOINT_GEAR}, {"newPathJoint", joint_new, JOINT_PATH},             \
	{                                                                                                 \
		"newPulleyJoint", joint_new, JOINT_PULLEY                                                     \
	}

const struct joint_kind *const d2_joint_kinds[JOINT_TYPES] = {[JOINT_REVOLUTE] = &d2_revolute_kind, KINDS_OF_BOTH(d2)};
const struct joint_kind *const d3_joint_kinds[JOINT_TYPES] = {[JOINT_REVOLUTE] = &d3_revolute_kind,
	[JOINT_SPHERICAL] = &spherical_kind,
	[JOINT_CYLINDRICAL] = &cylindrical_kind,
	[JOINT_UNIVERSAL] = &universal_kind,
	[JOINT_PARALLEL] = &parallel_kind,
	[JOINT_SIX_DOF] = &six_dof_kind,
	KINDS_OF_BOTH(d3)};

const struct method d2_joint_constructors[] = {
	CONSTRUCTORS_OF_BOTH,
	{NULL, NULL, 0},
};

const struct method d3_joint_constructors[] = {
	CONSTRUCTORS_OF_BOTH,
	{"newSphericalJoint", joint_new, JOINT_SPHERICAL},
	{"newCylindricalJoint", joint_new, JOINT_CYLINDRICAL},
	{"newUniversalJoint", joint_new, JOINT_UNIVERSAL},
	{"newParallelJoint", joint_new, JOINT_PARALLEL},
	{"newSixDofJoint", joint_new, JOINT_SIX_DOF},
	{NULL, NULL, 0},
};
