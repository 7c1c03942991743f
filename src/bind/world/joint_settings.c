/* joint_settings.c - springs, motors and limits of joints as rows of tables. Each row is a group: a flag in the joint's
 * settings, and the numbers that are used while the flag is set. A getter returns the numbers, or nil if the flag is not set; a
 * setter takes the numbers, or nil to clear the flag. */
#include "bind/world/joint.h"

#include <stddef.h>
#include <string.h>

const struct range range_limit = {-1e15, 1e15, NULL};
const struct range range_cone = {0, 3.1, ">= 0"};

struct number {
	const char *name; /* of the setter's argument; NULL: the end */
	const struct range *range; /* NULL: read_target reads it */
	size_t offset; /* of the float in the settings */
	const float *missing; /* its value if the argument is not given; NULL: the argument is required */
	size_t given; /* offset of the flag that it is given; 0: there is none */
};

struct group {
	size_t flag; /* offset in the settings [bytes] */
	bool ordered; /* the first number must not exceed the second */
	struct number numbers[7];
};

static const float none = 0, critical = 1;

#define COORDINATE(name, range, field, missing)                                        \
	{                                                                                  \
		name, range, offsetof(struct joint_settings, coordinates[0].field), missing, 0 \
	}
#define SPHERICAL(name, range, field, missing)                          \
	{                                                                   \
		name, range, offsetof(struct joint_settings, field), missing, 0 \
	}

static const struct group revolute_limits = {offsetof(struct joint_settings, coordinates[0].limited), true,
	{COORDINATE("lowerAngle", &range_limit, lower, NULL), COORDINATE("upperAngle", &range_limit, upper, NULL)}};

static const struct group revolute_spring = {offsetof(struct joint_settings, coordinates[0].spring), false,
	{COORDINATE("hertz", &range_rate, hertz, NULL), COORDINATE("dampingRatio", &range_coefficient, damping_ratio, &critical),
		COORDINATE("targetAngle", &range_limit, target, &none)}};

static const struct group revolute_motor = {offsetof(struct joint_settings, coordinates[0].motor), false,
	{COORDINATE("speed", &range_velocity, motor_speed, NULL), COORDINATE("maxTorque", &range_torque, max_motor, NULL),
		{"target", &range_limit, offsetof(struct joint_settings, coordinates[0].motor_target), &none,
			offsetof(struct joint_settings, coordinates[0].aimed)}}};

static const struct group twist_limits = {offsetof(struct joint_settings, coordinates[0].limited), true,
	{COORDINATE("lowerTwistAngle", &range_limit, lower, NULL), COORDINATE("upperTwistAngle", &range_limit, upper, NULL)}};

static const struct group cone_limit = {
	offsetof(struct joint_settings, cone.limited), false, {SPHERICAL("coneAngle", &range_cone, cone.angle, NULL)}};

static const struct group spherical_spring = {offsetof(struct joint_settings, angular.spring), false,
	{SPHERICAL("hertz", &range_rate, angular.hertz, NULL),
		SPHERICAL("dampingRatio", &range_coefficient, angular.damping_ratio, &critical),
		SPHERICAL("qx", NULL, angular.target[0], NULL), SPHERICAL("qy", NULL, angular.target[1], NULL),
		SPHERICAL("qz", NULL, angular.target[2], NULL), SPHERICAL("qw", NULL, angular.target[3], NULL)}};

static const struct group spherical_motor = {offsetof(struct joint_settings, angular.motor), false,
	{SPHERICAL("wx", &range_velocity, angular.velocity[0], NULL), SPHERICAL("wy", &range_velocity, angular.velocity[1], NULL),
		SPHERICAL("wz", &range_velocity, angular.velocity[2], NULL),
		SPHERICAL("maxTorque", &range_torque, angular.max_motor, NULL)}};

/* [method's number][joint is spherical]; NULL: joints of that type have no such group. */
static const struct group *const groups[][2] = {
	{&revolute_limits, NULL},
	{&revolute_spring, &spherical_spring},
	{&revolute_motor, &spherical_motor},
	{NULL, &cone_limit},
	{NULL, &twist_limits},
};

enum { LIMITS, SPRING, MOTOR, CONE_LIMIT, TWIST_LIMITS };

/* Reads the settings of the joint that is the first argument. *group: the method's group for the joint's type; raises if that
 * type has none. */
static struct joint_settings check_group(
	lua_State *L, const struct method *method, struct world_object **object, uint32_t *joint, const struct group **group)
{
	*object = (method->number == LIMITS ? check_reference : check_own)(L, method->name, joint);
	bool spherical = joint_is_spherical(*object, *joint);
	*group = groups[method->number][spherical];
	if (*group == NULL)
		joint_raise_type(L, method->name, spherical);
	struct joint_settings settings;
	joint_get((*object)->world, *joint, &settings);
	return settings;
}

static float *number_at(struct joint_settings *settings, const struct number *number)
{
	return (void *)((char *)settings + number->offset);
}

static bool *flag_at(struct joint_settings *settings, size_t offset)
{
	return (bool *)settings + offset;
}

static int group_get(lua_State *L)
{
	struct world_object *object;
	uint32_t joint;
	const struct group *group;
	struct joint_settings settings = check_group(L, upvalue_address(L, 3), &object, &joint, &group);
	int count = 0;
	if (!*flag_at(&settings, group->flag)) {
		lua_pushnil(L);
		return 1;
	}
	for (const struct number *number = group->numbers; number->name; ++number)
		if (number->given == 0 || *flag_at(&settings, number->given)) {
			lua_pushnumber(L, *number_at(&settings, number));
			++count;
		}
	return count;
}

static void read_target(lua_State *L, struct drive_settings *settings)
{
	static const char *const names[] = {"qx", "qy", "qz", "qw"};
	double numbers[4] = {0, 0, 0, 1};
	if (!(lua_isnoneornil(L, 4) && lua_isnoneornil(L, 5) && lua_isnoneornil(L, 6) && lua_isnoneornil(L, 7)))
		arg_numbers(L, 4, "setSpring", names, 4, &range_any, numbers);
	struct d3_quat q = quaternion_from(L, "setSpring", numbers);
	memcpy(settings->target, &q, sizeof q);
}

static void read_numbers(lua_State *L, const char *function, const struct group *group, struct joint_settings *settings)
{
	for (int i = 0; group->numbers[i].name; ++i) {
		const struct number *number = &group->numbers[i];
		if (number->given)
			*flag_at(settings, number->given) = !lua_isnoneornil(L, 2 + i);
		if (number->missing && lua_isnoneornil(L, 2 + i))
			*number_at(settings, number) = *number->missing;
		else if (number->range)
			*number_at(settings, number) = arg_float(L, 2 + i, function, number->name, number->range);
	}
	if (group == &spherical_spring)
		read_target(L, &settings->angular);
	if (group->ordered)
		joint_check_limits(L, function, group->numbers[0].name, group->numbers[1].name,
			(double)*number_at(settings, &group->numbers[0]), (double)*number_at(settings, &group->numbers[1]));
}

static int group_set(lua_State *L)
{
	const struct method *method = upvalue_address(L, 3);
	struct world_object *object;
	uint32_t joint;
	const struct group *group;
	struct joint_settings settings = check_group(L, method, &object, &joint, &group);
	check_unlocked(L, object, method->name);
	bool *flag = flag_at(&settings, group->flag);
	*flag = !lua_isnoneornil(L, 2);
	if (*flag)
		read_numbers(L, method->name, group, &settings);
	joint_set(object->world, joint, &settings);
	return 0;
}

const struct method joint_settings[] = {
	{"getLimits", group_get, LIMITS},
	{"setLimits", group_set, LIMITS},
	{"getSpring", group_get, SPRING},
	{"setSpring", group_set, SPRING},
	{"getMotor", group_get, MOTOR},
	{"setMotor", group_set, MOTOR},
	{NULL, NULL, 0},
};

const struct method d3_joint_settings[] = {
	{"getConeLimit", group_get, CONE_LIMIT},
	{"setConeLimit", group_set, CONE_LIMIT},
	{"getTwistLimits", group_get, TWIST_LIMITS},
	{"setTwistLimits", group_set, TWIST_LIMITS},
	{NULL, NULL, 0},
};
