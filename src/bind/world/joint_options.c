/* joint_options.c - the options of joints: reading them by the rows and parts of a type, and checks across several. */
#include "bind/geometry/toolbox.h"
#include "bind/world/joint.h"

#include <stddef.h>

/* --- Readers -------------------------------------------------------------------------------------------------------------- */

static void *value_at(struct joint_input *input, size_t offset)
{
	return (char *)input + offset;
}

void joint_read_float(lua_State *L, const struct joint_row *row, const struct path *path, struct joint_input *input)
{
	*(float *)value_at(input, row->place) = (float)value_number(L, -1, path, row->range);
}

void joint_read_boolean(lua_State *L, const struct joint_row *row, const struct path *path, struct joint_input *input)
{
	*(bool *)value_at(input, row->place) = value_boolean(L, -1, path);
}

static void read_number(lua_State *L, const struct joint_row *row, const struct path *path, struct joint_input *input)
{
	*(double *)value_at(input, row->place) = value_number(L, -1, path, row->range);
}

static void read_vector(lua_State *L, const struct joint_row *row, const struct path *path, struct joint_input *input)
{
	value_vector(L, lua_gettop(L), *path, row->range, input->axes_count, value_at(input, row->place));
}

static void read_axis(lua_State *L, const struct joint_row *row, const struct path *path, struct joint_input *input)
{
	*(struct d3_vec_d *)value_at(input, row->place) = value_axis(L, lua_gettop(L), path, input->axes_count);
}

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

static void read_rotation(lua_State *L, const struct joint_row *row, const struct path *path, struct joint_input *input)
{
	*(struct d3_quat *)value_at(input, row->place) = value_rotation(L, path);
}

/* Reads a joint, and anchors its handle at the stack slot of a body. */
static void read_joint(lua_State *L, const struct joint_row *row, const struct path *path, struct joint_input *input)
{
	const struct reference *reference = object_test(L, -1, input->joint_class, sizeof *reference);
	if (reference == NULL)
		raise_value(L, -1, path,
			object_test_any(L, -1, &class_joint, sizeof *reference) ? "be a joint of the same dimension" : "be a joint");
	value_copy(L, -1, (int)row->place);
	input->joints[row->place - JOINT_AT_BODY_A] = reference;
}

/* Reads a body, and anchors its handle at its stack slot. */
static void read_body(lua_State *L, const struct joint_row *row, const struct path *path, struct joint_input *input)
{
	const struct reference *reference = object_test(L, -1, input->body_class, sizeof *reference);
	if (reference == NULL)
		raise_value(L, -1, path,
			object_test_any(L, -1, &class_body, sizeof *reference) ? "be a body of the same dimension" : "be a body");
	value_copy(L, -1, (int)row->place);
	input->bodies[row->place - JOINT_AT_BODY_A] = reference;
}

static void read_name(lua_State *L, const struct joint_row *row, const struct path *path, struct joint_input *input)
{
	(void)input;
	value_name(L, lua_gettop(L), path);
	value_copy(L, -1, (int)row->place);
}

static void read_data(lua_State *L, const struct joint_row *row, const struct path *path, struct joint_input *input)
{
	(void)path;
	(void)input;
	value_copy(L, -1, (int)row->place);
}

enum { PATH_POINTS = 4096 }; /* maximum */

/* Reads a flat list of points, and anchors it at its stack slot. */
static void read_points(lua_State *L, const struct joint_row *row, const struct path *path, struct joint_input *input)
{
	int list = lua_gettop(L);
	uint32_t count = points_count(L, list, path->function, path->name, input->axes_count, 2, PATH_POINTS);
	uint32_t numbers = count * (uint32_t)input->axes_count;
	input->path_points = userdata_create(L, numbers * sizeof *input->path_points);
	points_read(L, list, path->function, path->name, row->range, numbers, input->path_points);
	input->path_count = count;
	lua_replace(L, (int)row->place);
}

static void read_follow(lua_State *L, const struct joint_row *row, const struct path *path, struct joint_input *input)
{
	const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
	(void)row;
	if (strcmp(word, "none") != 0 && strcmp(word, "tangent") != 0)
		raise_value(L, -1, path, "be \"none\" or \"tangent\"");
	input->settings.path.follows = word[0] == 't';
}

static void read_cone(lua_State *L, const struct joint_row *row, const struct path *path, struct joint_input *input)
{
	double angles[2];
	value_vector(L, lua_gettop(L), *path, row->range, 2, angles);
	input->settings.cone = (struct cone_settings){true, {(float)angles[0], (float)angles[1]}};
}

/* --- Rows ----------------------------------------------------------------------------------------------------------------- */

#define INPUT(field) offsetof(struct joint_input, field)

static const struct joint_row body_rows[] = {
	{"bodyA", read_body, JOINT_AT_BODY_A, NULL, 0},
	{"bodyB", read_body, JOINT_AT_BODY_B, NULL, 0},
};

static const struct joint_row place_rows[] = {
	{"x", read_number, INPUT(position[0]), &range_position, INPUT(given_position[0])},
	{"y", read_number, INPUT(position[1]), &range_position, INPUT(given_position[1])},
	{"anchorA", read_vector, INPUT(anchors[0]), &range_local, INPUT(given_anchors[0])},
	{"anchorB", read_vector, INPUT(anchors[1]), &range_local, INPUT(given_anchors[1])},
	{"pointA", read_vector, INPUT(points[0]), &range_position, INPUT(given_points[0])},
	{"pointB", read_vector, INPUT(points[1]), &range_position, INPUT(given_points[1])},
};

static const struct joint_row common_rows[] = {
	{"collideConnected", joint_read_boolean, INPUT(collides), NULL, 0},
	{"enabled", joint_read_boolean, INPUT(enabled), NULL, 0},
	{"forceThreshold", joint_read_float, INPUT(thresholds[0]), &range_threshold, 0},
	{"torqueThreshold", joint_read_float, INPUT(thresholds[1]), &range_threshold, 0},
	{"breakable", joint_read_boolean, INPUT(breakable), NULL, 0},
	{"name", read_name, JOINT_AT_NAME, NULL, 0},
	{"data", read_data, JOINT_AT_DATA, NULL, 0},
};

#define ANGLE_ROW                                                                                        \
	{                                                                                                    \
		"referenceAngle", joint_read_float, INPUT(reference_angle), &range_angle, INPUT(given_reference) \
	}
#define AXIS_ROWS                                                         \
	{"axis", read_axis, INPUT(axis), NULL, INPUT(given_axis)},            \
		{"axisA", read_axis, INPUT(axes[0]), NULL, INPUT(given_axes[0])}, \
	{                                                                     \
		"axisB", read_axis, INPUT(axes[1]), NULL, INPUT(given_axes[1])    \
	}

static const struct joint_row angle_rows[] = {ANGLE_ROW};
static const struct joint_row axis_rows[] = {ANGLE_ROW, AXIS_ROWS};
static const struct joint_row space_rows[] = {
	{"z", read_number, INPUT(position[2]), &range_position, INPUT(given_position[2])},
	{"rotationA", read_rotation, INPUT(rotations[0]), NULL, INPUT(given_rotations[0])},
	{"rotationB", read_rotation, INPUT(rotations[1]), NULL, INPUT(given_rotations[1])},
	AXIS_ROWS,
};

static const struct joint_row spin_rows[] = {{"spinAxis", read_axis, INPUT(spin_axis), NULL, INPUT(given_spin_axis)}};
static const struct joint_row second_axis_rows[] = {{"secondAxis", read_axis, INPUT(spin_axis), NULL, INPUT(given_spin_axis)}};
static const struct joint_row mouse_rows[] = {{"body", read_body, JOINT_AT_BODY_B, NULL, 0}};

static const struct joint_row path_rows[] = {
	{"points", read_points, JOINT_AT_POINTS, &range_position, 0},
	{"loop", joint_read_boolean, INPUT(path_loop), NULL, 0},
	{"follow", read_follow, 0, NULL, 0},
	{"anchorB", read_vector, INPUT(anchors[1]), &range_local, INPUT(given_anchors[1])},
};

static const struct joint_row cone_rows[] = {{"coneAngles", read_cone, 0, &range_ellipse, 0}};

static const struct joint_row gear_rows[] = {
	{"jointA", read_joint, JOINT_AT_BODY_A, NULL, 0},
	{"jointB", read_joint, JOINT_AT_BODY_B, NULL, 0},
	{"ratio", read_number, INPUT(settings.gear.ratio), &range_velocity, 0},
};

static const struct joint_row pulley_rows[] = {
	{"groundA", read_vector, INPUT(settings.gear.grounds[0]), &range_position, INPUT(given_grounds[0])},
	{"groundB", read_vector, INPUT(settings.gear.grounds[1]), &range_position, INPUT(given_grounds[1])},
	{"ratio", read_number, INPUT(settings.gear.ratio), &range_velocity, 0},
};

static const struct joint_row lock_rows[] = {
	{"jointHertz", joint_read_float, INPUT(softness[0]), &range_rate, 0},
	{"jointDampingRatio", joint_read_float, INPUT(softness[1]), &range_coefficient, 0},
};

static const struct joint_rows bodies = {body_rows, LENGTH(body_rows)};
static const struct joint_rows places = {place_rows, LENGTH(place_rows)};
static const struct joint_rows common = {common_rows, LENGTH(common_rows)};
static const struct joint_rows locks = {lock_rows, LENGTH(lock_rows)};
const struct joint_rows d2_angle_rows = {angle_rows, LENGTH(angle_rows)};
const struct joint_rows d2_axis_rows = {axis_rows, LENGTH(axis_rows)};
const struct joint_rows d3_axis_rows = {space_rows, LENGTH(space_rows)};
const struct joint_rows joint_spin_rows = {spin_rows, LENGTH(spin_rows)};
const struct joint_rows joint_second_axis_rows = {second_axis_rows, LENGTH(second_axis_rows)};
const struct joint_rows joint_mouse_rows = {mouse_rows, LENGTH(mouse_rows)};
const struct joint_rows joint_gear_rows = {gear_rows, LENGTH(gear_rows)};
const struct joint_rows joint_pulley_rows = {pulley_rows, LENGTH(pulley_rows)};
const struct joint_rows joint_path_rows = {path_rows, LENGTH(path_rows)};
const struct joint_rows joint_cone_rows = {cone_rows, LENGTH(cone_rows)};

/* The row of the option at index *i; NULL: it is a key of a part, and *i its index among these. */
static const struct joint_row *row_find(const struct joint_kind *kind, uint32_t *i)
{
	const struct joint_rows *const lists[] = {kind->type == JOINT_GEAR || kind->type == JOINT_MOUSE ? NULL : &bodies,
		kind->frame == NULL ? NULL : &places, &common, kind->unlocked ? NULL : &locks, kind->frame, kind->own};
	for (size_t list = 0; list < LENGTH(lists); ++list) {
		if (lists[list] == NULL)
			continue;
		if (*i < lists[list]->count)
			return &lists[list]->rows[*i];
		*i -= lists[list]->count;
	}
	return NULL;
}

/* The row of option i of setFrames, of any type in both dimensions; NULL: there are no more. */
static const struct joint_row *frame_row(uint32_t i)
{
	static const struct joint_rows turned = {space_rows, 3};
	const struct joint_rows *const lists[] = {&places, &d2_axis_rows, &turned, &joint_spin_rows, &joint_second_axis_rows};
	for (size_t list = 0; list < LENGTH(lists); i -= lists[list++]->count)
		if (i < lists[list]->count)
			return &lists[list]->rows[i];
	return NULL;
}

/* Whether the constructor of such joints takes this option. */
static bool frame_takes(const struct joint_kind *kind, const struct joint_row *row)
{
	const struct joint_rows *const lists[] = {&places, kind->frame, kind->own};
	for (size_t list = 0; list < LENGTH(lists); ++list)
		for (uint32_t i = 0; lists[list] != NULL && i < lists[list]->count; ++i)
			if (strcmp(lists[list]->rows[i].name, row->name) == 0)
				return true;
	return false;
}

/* joint_option_name for the tables of the freedom of a six-DOF joint. */
static bool freedom_name(enum option_set set, uint32_t i, const char **name)
{
	const struct joint_part *parts = d3_joint_kinds[JOINT_SIX_DOF]->parts;
	if (i >= (set == OPTIONS_FREEDOM ? (uint32_t)JOINT_PARTS : (uint32_t)PART_KEYS))
		return false;
	*name = set == OPTIONS_FREEDOM ? parts[i].name : parts[set == OPTIONS_FREE_SLIDE ? 0 : 3].keys[i];
	return true;
}

bool joint_option_name(enum option_set set, uint32_t i, const char **name)
{
	const struct joint_kind *kind = NULL;
	if (set == OPTIONS_FRAMES) {
		const struct joint_row *row = frame_row(i);
		*name = row != NULL ? row->name : NULL;
		return row != NULL;
	}
	if (set >= OPTIONS_FREEDOM)
		return freedom_name(set, i, name);
	for (int type = 0; type < JOINT_TYPES; ++type) {
		const struct joint_kind *const kinds[] = {d2_joint_kinds[type], d3_joint_kinds[type]};
		for (int space = 0; space < 2; ++space)
			if (kinds[space] != NULL && kinds[space]->options == set)
				kind = kinds[space];
	}
	const struct joint_row *row = row_find(kind, &i);
	if (row == NULL &&
		(kind->own == &joint_freedom_rows || i >= JOINT_PARTS * PART_KEYS || kind->parts[i / PART_KEYS].class == NULL))
		return false;
	*name = row != NULL ? row->name : kind->parts[i / PART_KEYS].keys[i % PART_KEYS];
	return true;
}

/* --- Keys of parts -------------------------------------------------------------------------------------------------------- */

static void key_read(
	lua_State *L, const struct joint_part *part, enum part_key key, const struct path *path, struct joint_settings *settings)
{
	const struct part_value *value = &part->class->values[key];
	float *out = part_floats(part_settings(part, settings), value);
	double numbers[3];
	struct d3_quat q;
	switch (value->count) {
	case 1: *out = (float)value_number(L, -1, path, value->range); break;
	case 4:
		q = value_rotation(L, path);
		memcpy(out, &q, sizeof q);
		break;
	default:
		value_vector(L, lua_gettop(L), *path, value->range, value->count, numbers);
		for (int i = 0; i < value->count; ++i)
			out[i] = (float)numbers[i];
	}
}

static bool is_zero(const float *numbers, int count)
{
	for (int i = 0; i < count; ++i)
		if (numbers[i] != 0)
			return false;
	return true;
}

void joint_check_part(lua_State *L, const char *function, const struct joint_part *part, void *settings)
{
	const struct part_value *values = part->class->values;
	if (part->keys[KEY_TOOTH] != NULL && is_zero(part_floats(settings, &values[KEY_TOOTH]), 1))
		raise_error(L, "%s: %s must not be 0", function, part->keys[KEY_TOOTH]);
	if (part->keys[KEY_UPPER] == NULL)
		return;
	double lower = (double)*part_floats(settings, &values[KEY_LOWER]);
	double upper = (double)*part_floats(settings, &values[KEY_UPPER]);
	if (lower > upper)
		raise_error(L, "%s: %s must be >= %s, got %f < %f", function, part->keys[KEY_UPPER], part->keys[KEY_LOWER],
			(lua_Number)upper, (lua_Number)lower);
}

enum {
	GIVEN_LOWER = 1 << KEY_LOWER,
	GIVEN_UPPER = 1 << KEY_UPPER,
	GIVEN_HERTZ = 1 << KEY_HERTZ,
	GIVEN_SPEED = 1 << KEY_SPEED,
	GIVEN_MAX_MOTOR = 1 << KEY_MAX_MOTOR,
	GIVEN_MOTOR_TARGET = 1 << KEY_MOTOR_TARGET
};

static void check_motor(lua_State *L, const char *function, const struct joint_part *part, uint32_t given, void *settings)
{
	const struct part_value *speed = &part->class->values[KEY_SPEED];
	const char *const *keys = part->keys;
	if (keys[KEY_MAX_MOTOR] == NULL)
		return;
	bool moves = !is_zero(part_floats(settings, speed), speed->count);
	if ((given & GIVEN_MAX_MOTOR) == 0 && (moves || (given & GIVEN_MOTOR_TARGET) != 0))
		raise_error(
			L, "%s: %s is missing, but %s is given", function, keys[KEY_MAX_MOTOR], keys[moves ? KEY_SPEED : KEY_MOTOR_TARGET]);
	if ((given & GIVEN_MOTOR_TARGET) != 0 && (given & GIVEN_SPEED) == 0)
		raise_error(L, "%s: %s is missing, but %s is given", function, keys[KEY_SPEED], keys[KEY_MOTOR_TARGET]);
}

/* Checks the keys of a part, and switches on the limits, the spring and the motor that were given. */
static void part_check(
	lua_State *L, const char *function, const struct joint_part *part, uint32_t given, struct joint_settings *settings)
{
	const char *const *keys = part->keys;
	void *at = part_settings(part, settings);
	bool lower = (given & GIVEN_LOWER) != 0, upper = (given & GIVEN_UPPER) != 0;
	if (keys[KEY_UPPER] != NULL && lower != upper)
		raise_error(L, "%s: %s and %s must be given together", function, keys[KEY_LOWER], keys[KEY_UPPER]);
	joint_check_part(L, function, part, at);
	for (int key = KEY_DAMPING_RATIO; key < KEY_SPEED && (given & GIVEN_HERTZ) == 0; ++key)
		if ((given & 1u << key) != 0)
			raise_error(L, "%s: %s is missing, but the spring's %s is given", function, keys[KEY_HERTZ], keys[key]);
	check_motor(L, function, part, given, at);
	if (lower)
		*part_flag(part, at, GROUP_LIMITS) = true;
	if ((given & GIVEN_HERTZ) != 0)
		*part_flag(part, at, GROUP_SPRING) = *part_floats(at, &part->class->values[KEY_HERTZ]) > 0;
	if ((given & GIVEN_MAX_MOTOR) != 0)
		*part_flag(part, at, GROUP_MOTOR) = true;
	if ((given & GIVEN_MOTOR_TARGET) != 0)
		*(bool *)((char *)at + part->class->values[KEY_MOTOR_TARGET].given) = true;
}

/* Sets the values of the keys that may be missing. */
static void part_begin(const struct joint_part *part, struct joint_settings *settings)
{
	for (int key = 0; key < PART_KEYS; ++key) {
		const struct part_value *value = &part->class->values[key];
		if (part->keys[key] != NULL && value->missing != NULL)
			memcpy(part_floats(part_settings(part, settings), value), value->missing, (size_t)value->count * sizeof(float));
	}
}

void joint_check_ratio(lua_State *L, const char *function, enum joint_type type, double ratio)
{
	if (abs_d(ratio) < 1e-9 || (type == JOINT_PULLEY && ratio < 0))
		raise_error(
			L, "%s: ratio must be %s, got %f", function, type == JOINT_PULLEY ? "> 0" : "other than 0", (lua_Number)ratio);
}

/* Reads whether an axis of a six-DOF joint is free or locked, or its table of keys. */
static void read_axis_freedom(lua_State *L, int axis, const struct path *path, struct joint_input *input)
{
	const struct joint_part *part = &d3_joint_kinds[JOINT_SIX_DOF]->parts[axis];
	int top = lua_gettop(L);
	const char *text = lua_type(L, top) == LUA_TSTRING ? lua_tostring(L, top) : "";
	if (strcmp(text, "locked") == 0)
		return;
	input->unlocked |= 1u << axis;
	if (strcmp(text, "free") == 0)
		return;
	if (!lua_istable(L, top))
		raise_value(L, top, path, "be \"free\", \"locked\" or a table");
	struct options options = {
		.path = {lua_pushfstring(L, "%s: %s", path->function, part->name), NULL, 0, part->name, 0},
		.set = axis < 3 ? OPTIONS_FREE_SLIDE : OPTIONS_FREE_TURN,
	};
	options_begin(L, shared_state(L), &options, top);
	for (int option; (option = options_next(L, &options)) != 0;) {
		key_read(L, part, (enum part_key)(option - 1), &options.path, &input->settings);
		input->given_keys[axis] |= 1u << (option - 1);
	}
	part_check(L, options.path.function, part, input->given_keys[axis], &input->settings);
	lua_settop(L, top);
}

static void read_freedom(lua_State *L, const struct joint_row *row, const struct path *path, struct joint_input *input)
{
	struct options options = {.path = *path, .set = OPTIONS_FREEDOM};
	int top = lua_gettop(L);
	(void)row;
	options_begin(L, shared_state(L), &options, top);
	for (int option; (option = options_next(L, &options)) != 0;)
		read_axis_freedom(L, option - 1, &options.path, input);
	lua_settop(L, top);
}

static const struct joint_row freedom_rows[] = {{"freedom", read_freedom, 0, NULL, 0}};
const struct joint_rows joint_freedom_rows = {freedom_rows, LENGTH(freedom_rows)};

/* --- Checks across options ------------------------------------------------------------------------------------------------ */

const char *joint_position_names(int axes)
{
	return axes == 2 ? "x and y" : "x, y and z";
}

void joint_check_reach(
	lua_State *L, const struct joint_kind *kind, const struct joint_input *input, int side, int axes, const double *local)
{
	static const char *const points[] = {"pointA", "pointB"};
	for (int i = 0; i < axes; ++i)
		if (!(abs_d(local[i]) <= range_local.high))
			raise_error(L, "%s: %s must be within %f of %s", kind->function,
				input->given_points[0] ? points[side] : joint_position_names(axes), (lua_Number)range_local.high,
				input->given_points[0] ? "its body" : "both bodies");
}

/* Whether both were given; raises if only one was. */
static bool check_both(lua_State *L, const char *function, const bool given[2], const char *names)
{
	if (given[0] != given[1])
		raise_error(L, "%s: %s must be given together", function, names);
	return given[0];
}

/* optional: no anchors need be given. */
static void check_anchors(lua_State *L, const char *function, const struct joint_input *input, int axes, bool optional)
{
	const char *names = joint_position_names(axes);
	int position = 0;
	for (int i = 0; i < axes; ++i)
		position += input->given_position[i];
	if (position != 0 && position != axes)
		raise_error(L, "%s: %s must be given together", function, names);
	bool points = check_both(L, function, input->given_points, "pointA and pointB");
	int anchors = input->given_anchors[0] + input->given_anchors[1];
	int ways = (position != 0) + points + (anchors != 0);
	if (ways > 1 || (ways == 0 && !optional) || anchors == 1)
		raise_error(L, "%s: either %s, anchorA and anchorB, or pointA and pointB must be given", function, names);
}

static void check_axes(lua_State *L, const char *function, const struct joint_input *input)
{
	bool axes = check_both(L, function, input->given_axes, "axisA and axisB");
	bool rotations = check_both(L, function, input->given_rotations, "rotationA and rotationB");
	if (input->given_axis + axes + rotations > 1)
		raise_error(L, "%s: only one of axis, axisA and axisB, and rotationA and rotationB may be given", function);
	if (input->given_reference && axes)
		raise_error(L, "%s: referenceAngle must not be given with axisA and axisB", function);
}

void joint_parse(lua_State *L, const struct joint_kind *kind, const struct world_object *object, struct joint_input *input)
{
	struct options options = {.path = {kind->function, NULL, 0, "options", 0}, .set = kind->options};
	const struct dimension *dimension = object->dimension;
	*input = (struct joint_input){.enabled = true,
		.collides = kind->type == JOINT_PULLEY,
		.thresholds = {INFINITY, INFINITY},
		.softness = {NAN, NAN},
		.axes_count = dimension->axes,
		.body_class = dimension->body,
		.joint_class = dimension->joint,
		.settings.gear.ratio = 1};
	for (const struct joint_part *part = kind->parts; part < kind->parts + JOINT_PARTS && part->class != NULL; ++part)
		part_begin(part, &input->settings);
	options_begin(L, object->shared, &options, JOINT_AT_OPTIONS);
	for (int option; (option = options_next(L, &options)) != 0;) {
		uint32_t i = (uint32_t)option - 1;
		const struct joint_row *row = row_find(kind, &i);
		if (row == NULL) {
			key_read(L, &kind->parts[i / PART_KEYS], i % PART_KEYS, &options.path, &input->settings);
			input->given_keys[i / PART_KEYS] |= 1u << i % PART_KEYS;
			continue;
		}
		row->read(L, row, &options.path, input);
		if (row->given != 0)
			*(bool *)value_at(input, row->given) = true;
	}
	if (kind->adjust != NULL)
		kind->adjust(L, kind, input);
	for (int i = 0; i < JOINT_PARTS && kind->parts[i].class != NULL; ++i)
		part_check(L, kind->function, &kind->parts[i], input->given_keys[i], &input->settings);
	check_anchors(L, kind->function, input, dimension->axes, false);
	check_axes(L, kind->function, input);
}

void joint_parse_frames(
	lua_State *L, const struct joint_kind *kind, const struct world_object *object, struct joint_input *input)
{
	struct options options = {.path = {kind->function, NULL, 0, "options", 0}, .set = OPTIONS_FRAMES};
	*input = (struct joint_input){.axes_count = object->dimension->axes};
	options_begin(L, object->shared, &options, JOINT_AT_OPTIONS);
	for (int option; (option = options_next(L, &options)) != 0;) {
		const struct joint_row *row = frame_row((uint32_t)option - 1);
		if (!frame_takes(kind, row))
			raise_error(L, "%s: a %s joint's frames have no %s", kind->function, kind->name, row->name);
		row->read(L, row, &options.path, input);
		*(bool *)value_at(input, row->given) = true;
	}
	check_anchors(L, kind->function, input, input->axes_count, true);
	check_axes(L, kind->function, input);
}
