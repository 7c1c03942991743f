/* joint_settings.c - methods of joints that not all types have: limits, springs and motors of their parts, and measures.
 * A getter returns a group's numbers, or nil if it is off; a setter takes them, or nil to switch it off. */
#include "bind/world/joint.h"
#include "core/gear.h"

/* --- Which types have a method -------------------------------------------------------------------------------------------- */

static bool part_serves(const struct joint_part *part, enum joint_method method)
{
	switch (method) {
	case METHOD_LIMITS:
	case METHOD_CONE_LIMIT:
	case METHOD_TWIST_LIMITS: return part->keys[KEY_LOWER] != NULL && part->limits == method;
	case METHOD_SPRING: return part->keys[KEY_HERTZ] != NULL;
	case METHOD_MOTOR: return part->keys[KEY_MAX_MOTOR] != NULL;
	case METHOD_RATCHET: return part->keys[KEY_TOOTH] != NULL;
	case METHOD_COORDINATE:
	case METHOD_SPEED: return part->name != NULL && part->place < COORDINATES;
	case METHOD_TARGET: return part->target;
	default: return part->keys[KEY_MAX_MOTOR] != NULL && part->class->motor_getter == method;
	}
}

/* The parts of the type that the method is for. Returns their number. */
static uint32_t parts_find(const struct joint_kind *kind, enum joint_method method, const struct joint_part *parts[JOINT_PARTS])
{
	uint32_t count = 0;
	for (int i = 0; i < JOINT_PARTS && kind->parts[i].class != NULL; ++i)
		if (part_serves(&kind->parts[i], method))
			parts[count++] = &kind->parts[i];
	return count;
}

/* The type's measure for the method, or NULL. */
static const struct joint_measure *measure_find(const struct joint_kind *kind, enum joint_method method)
{
	for (int i = 0; i < JOINT_MEASURES && kind->measures[i].of != NULL; ++i)
		if (kind->measures[i].method == method)
			return &kind->measures[i];
	return NULL;
}

/* Raises the error that the type has no such method, and lists the getters, or the setters, that it has instead. */
_Noreturn static void raise_lacks(lua_State *L, const struct joint_kind *kind, const char *function)
{
	const struct joint_part *parts[JOINT_PARTS];
	const struct method *const lists[] = {joint_settings, d3_joint_settings};
	luaL_Buffer text;
	bool some = false;
	luaL_buffinit(L, &text);
	for (size_t list = 0; list < LENGTH(lists); ++list)
		for (const struct method *m = lists[list]; m->name != NULL; ++m) {
			enum joint_method method = (enum joint_method)m->number;
			if (strncmp(m->name, function, 3) != 0 ||
				(parts_find(kind, method, parts) == 0 && measure_find(kind, method) == NULL))
				continue;
			luaL_addstring(&text, some ? ", " : "; it has ");
			luaL_addstring(&text, m->name);
			some = true;
		}
	luaL_pushresult(&text);
	raise_error(L, "%s: a %s joint has no such method%s", function, kind->name, lua_tostring(L, -1));
}

/* The part that the method is for. *argument: index of the first argument after the part's name, if it must be given. */
static const struct joint_part *check_part(
	lua_State *L, const struct joint_kind *kind, const struct method *method, int *argument)
{
	const struct joint_part *parts[JOINT_PARTS];
	const char *names[JOINT_PARTS], *name;
	uint32_t count = parts_find(kind, (enum joint_method)method->number, parts);
	*argument = 2 + kind->named;
	if (count == 0)
		raise_lacks(L, kind, method->name);
	if (!kind->named)
		return parts[0];
	if (lua_type(L, 2) != LUA_TSTRING)
		raise_value(L, 2, PATH(method->name, "coordinate"), "be the name of a coordinate");
	name = lua_tostring(L, 2);
	for (uint32_t i = 0; i < count; ++i) {
		names[i] = parts[i]->name;
		if (strcmp(names[i], name) == 0)
			return parts[i];
	}
	raise_unknown(L, method->name, NULL, 0, "unknown coordinate", name, names, count);
}

/* --- Limits, springs, motors and ratchets
 * ------------------------------------------------------------------------------------------- */

/* The first key of each group, and the end. */
static const int group_keys[PART_GROUPS + 1] = {KEY_LOWER, KEY_HERTZ, KEY_SPEED, KEY_TOOTH, PART_KEYS};

static enum part_group group_of(const struct method *method)
{
	switch (method->number) {
	case METHOD_SPRING: return GROUP_SPRING;
	case METHOD_MOTOR: return GROUP_MOTOR;
	case METHOD_RATCHET: return GROUP_RATCHET;
	default: return GROUP_LIMITS;
	}
}

static bool *given_at(void *settings, const struct part_value *value)
{
	return (bool *)((char *)settings + value->given);
}

static int group_get(lua_State *L)
{
	const struct method *method = upvalue_address(L, 3);
	uint32_t joint;
	const struct world_object *object = check_reference(L, method->name, &joint);
	int argument, count = 0;
	const struct joint_part *part = check_part(L, joint_kind(object, joint), method, &argument);
	enum part_group group = group_of(method);
	struct joint_settings settings;
	joint_get(object->world, joint, &settings);
	void *at = part_settings(part, &settings);
	if (!*part_flag(part, at, group)) {
		lua_pushnil(L);
		return 1;
	}
	for (int key = group_keys[group]; key < group_keys[group + 1]; ++key) {
		const struct part_value *value = &part->class->values[key];
		if (part->keys[key] == NULL || (value->given != 0 && !*given_at(at, value)))
			continue;
		for (int i = 0; i < value->count; ++i)
			lua_pushnumber(L, part_floats(at, value)[i]);
		count += value->count;
	}
	return count;
}

static bool all_nil(lua_State *L, int index, int count)
{
	for (int i = 0; i < count; ++i)
		if (!lua_isnoneornil(L, index + i))
			return false;
	return true;
}

/* Reads the value of a key from the arguments from `index` on. */
static void value_read(
	lua_State *L, const char *function, const struct joint_part *part, enum part_key key, int index, void *settings)
{
	const struct part_value *value = &part->class->values[key];
	float *out = part_floats(settings, value);
	bool missing = value->missing != NULL && all_nil(L, index, value->count);
	double numbers[4];
	if (value->given != 0)
		*given_at(settings, value) = !missing;
	if (missing) {
		memcpy(out, value->missing, (size_t)value->count * sizeof *out);
		return;
	}
	arg_numbers(
		L, index, function, value->arguments[0] ? value->arguments : &part->keys[key], value->count, value->range, numbers);
	for (int i = 0; i < value->count; ++i)
		out[i] = (float)numbers[i];
	if (value->count == 4) {
		struct d3_quat q = quaternion_from(L, function, numbers);
		memcpy(out, &q, sizeof q);
	}
}

/* Lets a spring without a target rest at the present value, as in a new joint: see part_value.missing. */
static void target_rest(const struct world_object *object, uint32_t joint, const struct joint_part *part, void *settings)
{
	float *target = part_floats(settings, &part->class->values[KEY_TARGET]);
	if (part->place < COORDINATES && isnan(*target))
		*target = (float)joint_value(object->world, joint, part->place);
}

static int group_set(lua_State *L)
{
	const struct method *method = upvalue_address(L, 3);
	uint32_t joint;
	struct world_object *object = check_reference_change(L, method->name, &joint);
	int argument;
	const struct joint_part *part = check_part(L, joint_kind(object, joint), method, &argument);
	enum part_group group = group_of(method);
	struct joint_settings settings;
	joint_get(object->world, joint, &settings);
	void *at = part_settings(part, &settings);
	bool on = !lua_isnoneornil(L, argument);
	*part_flag(part, at, group) = on;
	for (int key = group_keys[group]; on && key < group_keys[group + 1]; ++key)
		if (part->keys[key] != NULL) {
			value_read(L, method->name, part, (enum part_key)key, argument, at);
			argument += part->class->values[key].count;
		}
	if (on)
		joint_check_part(L, method->name, part, at);
	if (on && group == GROUP_SPRING)
		target_rest(object, joint, part, at);
	joint_set(object->world, joint, &settings);
	return 0;
}

static const struct world_object *check_cone(
	lua_State *L, const struct method *method, uint32_t *joint, struct joint_settings *settings)
{
	const struct world_object *object = check_reference(L, method->name, joint);
	int argument;
	check_part(L, joint_kind(object, *joint), method, &argument);
	joint_get(object->world, *joint, settings);
	return object;
}

static int get_cone(lua_State *L)
{
	uint32_t joint;
	struct joint_settings settings;
	check_cone(L, upvalue_address(L, 3), &joint, &settings);
	const float *angles = settings.cone.angles;
	if (!settings.cone.limited) {
		lua_pushnil(L);
		return 1;
	}
	lua_pushnumber(L, angles[0]);
	if (angles[0] == angles[1])
		return 1;
	lua_pushnumber(L, angles[1]);
	return 2;
}

static int set_cone(lua_State *L)
{
	static const char *const names[] = {"coneAngle", "secondConeAngle"};
	const struct method *method = upvalue_address(L, 3);
	uint32_t joint;
	struct joint_settings settings;
	const struct world_object *object = check_cone(L, method, &joint, &settings);
	check_unlocked(L, object, method->name);
	int count = lua_isnoneornil(L, 3) ? !lua_isnoneornil(L, 2) : 2;
	double angles[2];
	arg_numbers(L, 2, method->name, names, count, count == 1 ? &range_cone : &range_ellipse, angles);
	settings.cone = (struct cone_settings){.limited = count > 0};
	for (int i = 0; i < 2 && count > 0; ++i)
		settings.cone.angles[i] = (float)angles[i < count ? i : 0];
	joint_set(object->world, joint, &settings);
	return 0;
}

/* The force or torque of a part's motor. */
static int get_motor_load(lua_State *L)
{
	const struct method *method = upvalue_address(L, 3);
	uint32_t joint;
	const struct world_object *object = check_reference(L, method->name, &joint);
	int argument;
	const struct joint_part *part = check_part(L, joint_kind(object, joint), method, &argument);
	float motor[3];
	int count = 1;
	if (part->place < COORDINATES) {
		motor[0] = joint_motor(object->world, joint, part->place);
	} else {
		joint_drive_motor(object->world, joint, part->place == PLACE_ANGULAR, motor);
		count = part->class->values[KEY_SPEED].count;
	}
	for (int i = 0; i < count; ++i)
		lua_pushnumber(L, motor[i]);
	return count;
}

/* --- Softness ------------------------------------------------------------------------------------------------------------- */

/* The softness that the method gets or sets. */
static const struct world_object *check_softness(lua_State *L, const struct method *method, uint32_t *joint, float softness[2])
{
	const struct world_object *object = check_reference(L, method->name, joint);
	if (joint_kind(object, *joint)->unlocked)
		raise_lacks(L, joint_kind(object, *joint), method->name);
	softness[0] = object->world->joints.data[*joint].hertz;
	softness[1] = object->world->joints.data[*joint].damping_ratio;
	return object;
}

static int get_softness(lua_State *L)
{
	const struct method *method = upvalue_address(L, 3);
	uint32_t joint;
	float softness[2];
	check_softness(L, method, &joint, softness);
	float value = softness[method->number == METHOD_JOINT_DAMPING_RATIO];
	if (isnan(value))
		lua_pushnil(L);
	else
		lua_pushnumber(L, value);
	return 1;
}

static int set_softness(lua_State *L)
{
	const struct method *method = upvalue_address(L, 3);
	bool ratio = method->number == METHOD_JOINT_DAMPING_RATIO;
	uint32_t joint;
	float softness[2], value = NAN;
	const struct world_object *object = check_softness(L, method, &joint, softness);
	check_unlocked(L, object, method->name);
	if (!lua_isnoneornil(L, 2))
		value = arg_float(L, 2, method->name, ratio ? "dampingRatio" : "hertz", ratio ? &range_coefficient : &range_rate);
	softness[ratio] = value;
	joint_set_soft(object->world, joint, softness[0], softness[1]);
	return 0;
}

/* --- Mouse joints --------------------------------------------------------------------------------------------------------- */

/* Raises unless the joint is a mouse joint. *anchor: of the mount, from which the target is an offset. */
static const struct world_object *check_mouse(
	lua_State *L, const char *function, uint32_t *joint, struct joint_settings *settings, double anchor[2][3])
{
	const struct world_object *object = check_reference(L, function, joint);
	const struct joint_part *parts[JOINT_PARTS];
	if (parts_find(joint_kind(object, *joint), METHOD_TARGET, parts) == 0)
		raise_lacks(L, joint_kind(object, *joint), function);
	joint_get(object->world, *joint, settings);
	object->dimension->joint_anchors(object->world, *joint, anchor);
	return object;
}

static int set_target(lua_State *L)
{
	static const char *const names[] = {"x", "y", "z"};
	uint32_t joint;
	struct joint_settings settings;
	double anchor[2][3], target[3];
	const struct world_object *object = check_mouse(L, "setTarget", &joint, &settings, anchor);
	check_unlocked(L, object, "setTarget");
	arg_numbers(L, 2, "setTarget", names, object->dimension->axes, &range_position, target);
	for (int i = 0; i < object->dimension->axes; ++i)
		settings.linear.target[i] = (float)(target[i] - anchor[0][i]);
	joint_set(object->world, joint, &settings);
	return 0;
}

static int get_target(lua_State *L)
{
	uint32_t joint;
	struct joint_settings settings;
	double anchor[2][3];
	const struct world_object *object = check_mouse(L, "getTarget", &joint, &settings, anchor);
	for (int i = 0; i < object->dimension->axes; ++i)
		lua_pushnumber(L, anchor[0][i] + (double)settings.linear.target[i]);
	return object->dimension->axes;
}

/* --- Measures ------------------------------------------------------------------------------------------------------------- */

static int get_measure(lua_State *L)
{
	const struct method *method = upvalue_address(L, 3);
	uint32_t joint;
	const struct world_object *object = check_reference(L, method->name, &joint);
	const struct joint_kind *kind = joint_kind(object, joint);
	const struct joint_measure *measure = measure_find(kind, (enum joint_method)method->number);
	if (measure == NULL)
		raise_lacks(L, kind, method->name);
	lua_pushnumber(L, measure->of(object->world, joint, measure->coordinate));
	return 1;
}

static int set_ratio(lua_State *L)
{
	uint32_t joint;
	struct world_object *object = check_reference_change(L, "setRatio", &joint);
	const struct joint_kind *kind = joint_kind(object, joint);
	double ratio = arg_number(L, 2, "setRatio", "ratio", &range_velocity);
	if (measure_find(kind, METHOD_RATIO) == NULL)
		raise_lacks(L, kind, "setRatio");
	joint_check_ratio(L, "setRatio", kind->type, ratio);
	gear_set_ratio(object->world, joint, ratio);
	return 0;
}

static int get_geared(lua_State *L)
{
	const struct method *method = upvalue_address(L, 3);
	uint32_t joint;
	struct world_object *object = check_reference(L, method->name, &joint);
	const struct joint_measure *measure = measure_find(joint_kind(object, joint), (enum joint_method)method->number);
	if (measure == NULL)
		raise_lacks(L, joint_kind(object, joint), method->name);
	attached_get(L, 1);
	push_live(L, object, lua_gettop(L), &class_joint, (uint32_t)measure->of(object->world, joint, measure->coordinate));
	return 1;
}

/* A coordinate of a joint that has several, or its rate. */
static int get_named(lua_State *L)
{
	const struct method *method = upvalue_address(L, 3);
	uint32_t joint;
	const struct world_object *object = check_reference(L, method->name, &joint);
	const struct joint_kind *kind = joint_kind(object, joint);
	if (measure_find(kind, (enum joint_method)method->number) != NULL && (!kind->named || lua_isnoneornil(L, 2)))
		return get_measure(L);
	int argument, place = check_part(L, kind, method, &argument)->place;
	bool rate = method->number == METHOD_SPEED;
	lua_pushnumber(L, rate ? (lua_Number)joint_rate(object->world, joint, place) : joint_value(object->world, joint, place));
	return 1;
}

const struct method joint_settings[] = {
	{"getAngle", get_measure, METHOD_ANGLE},
	{"getSpeed", get_named, METHOD_SPEED},
	{"getCoordinate", get_named, METHOD_COORDINATE},
	{"getLimits", group_get, METHOD_LIMITS},
	{"setLimits", group_set, METHOD_LIMITS},
	{"getSpring", group_get, METHOD_SPRING},
	{"setSpring", group_set, METHOD_SPRING},
	{"getMotor", group_get, METHOD_MOTOR},
	{"setMotor", group_set, METHOD_MOTOR},
	{"getRatchet", group_get, METHOD_RATCHET},
	{"setRatchet", group_set, METHOD_RATCHET},
	{"getMotorForce", get_motor_load, METHOD_MOTOR_FORCE},
	{"getMotorTorque", get_motor_load, METHOD_MOTOR_TORQUE},
	{"getLength", get_measure, METHOD_LENGTH},
	{"getTranslation", get_measure, METHOD_TRANSLATION},
	{"getDistance", get_measure, METHOD_DISTANCE},
	{"getSpinAngle", get_measure, METHOD_SPIN_ANGLE},
	{"getSpinSpeed", get_measure, METHOD_SPIN_SPEED},
	{"getTarget", get_target, METHOD_TARGET},
	{"setTarget", set_target, METHOD_TARGET},
	{"getRatio", get_measure, METHOD_RATIO},
	{"setRatio", set_ratio, METHOD_RATIO},
	{"getJointA", get_geared, METHOD_JOINT_A},
	{"getJointB", get_geared, METHOD_JOINT_B},
	{"getLengthA", get_measure, METHOD_LENGTH_A},
	{"getLengthB", get_measure, METHOD_LENGTH_B},
	{"getJointHertz", get_softness, METHOD_JOINT_HERTZ},
	{"setJointHertz", set_softness, METHOD_JOINT_HERTZ},
	{"getJointDampingRatio", get_softness, METHOD_JOINT_DAMPING_RATIO},
	{"setJointDampingRatio", set_softness, METHOD_JOINT_DAMPING_RATIO},
	{NULL, NULL, 0},
};

const struct method d3_joint_settings[] = {
	{"getTwistAngle", get_measure, METHOD_TWIST_ANGLE},
	{"getSwingAngle", get_measure, METHOD_SWING_ANGLE},
	{"getSteeringAngle", get_measure, METHOD_STEERING_ANGLE},
	{"getFirstAngle", get_measure, METHOD_FIRST_ANGLE},
	{"getSecondAngle", get_measure, METHOD_SECOND_ANGLE},
	{"getConeLimit", get_cone, METHOD_CONE_LIMIT},
	{"setConeLimit", set_cone, METHOD_CONE_LIMIT},
	{"getTwistLimits", group_get, METHOD_TWIST_LIMITS},
	{"setTwistLimits", group_set, METHOD_TWIST_LIMITS},
	{NULL, NULL, 0},
};
