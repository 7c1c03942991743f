/* d3_rotation.c - 3D rotations as people know them: by an axis and an angle, by a direction to look along, by three angles. In
 * options of tables, and as functions that return the quaternion. All are computed in doubles by the engine's own sine. */
#include "base/trigonometry.h"
#include "bind/geometry/toolbox.h"
#include "d3/math.h"

#include <stddef.h>
#include <string.h>

/* The rotation by the angle about a unit vector. */
static struct d3_quat_d quaternion_about(struct d3_vec_d axis, double angle)
{
	double cosine = trigonometry_cos(0.5 * angle), sine = trigonometry_sin(0.5 * angle);
	return (struct d3_quat_d){sine * axis.x, sine * axis.y, sine * axis.z, cosine};
}

/* The vector, scaled to length 1. False: it is zero. */
static bool normalize(const double v[3], struct d3_vec_d *out)
{
	double most = max_d(abs_d(v[0]), max_d(abs_d(v[1]), abs_d(v[2])));
	if (!(most > 0))
		return false;
	struct d3_vec_d scaled = {v[0] / most, v[1] / most, v[2] / most};
	*out = d3_scale_d(1 / d3_length_d(scaled), scaled);
	return true;
}

/* --- Options -------------------------------------------------------------------------------------------------------------- */

struct d3_vec_d value_axis(lua_State *L, int index, const struct path *path, int axes)
{
	struct d3_vec_d axis;
	double numbers[3] = {0};
	value_vector(L, index, *path, &range_any, axes, numbers);
	if (!normalize(numbers, &axis))
		raise_error(L, "%s: %s must not be zero", path->function, path->name);
	return axis;
}

/* Adding 0 turns -0 into 0. */
static void store(struct d3_quat_d q, double numbers[4])
{
	const double parts[4] = {q.x + 0.0, q.y + 0.0, q.z + 0.0, q.w + 0.0};
	memcpy(numbers, parts, sizeof parts);
}

struct axis_angle {
	int axis; /* stack index of the list */
	double angle;
};

/* Whether the value at `index` is a table with one of these keys. */
static bool has_axis_or_angle(lua_State *L, int index)
{
	if (lua_type(L, index) != LUA_TTABLE)
		return false;
	lua_pushliteral(L, "axis");
	lua_rawget(L, index);
	lua_pushliteral(L, "angle");
	lua_rawget(L, index);
	bool found = !(lua_isnil(L, -1) && lua_isnil(L, -2));
	lua_pop(L, 2);
	return found;
}

void d3_value_rotation(lua_State *L, int index, const struct path *path, double numbers[4])
{
	static const struct option_member fields[] = {{"axis", FIELD_VALUE, offsetof(struct axis_angle, axis), NULL},
		{"angle", FIELD_NUMBER, offsetof(struct axis_angle, angle), &range_angle}};
	luaL_checkstack(L, 16, path->function);
	if (!has_axis_or_angle(L, index)) {
		value_vector(L, index, *path, &range_any, 4, numbers);
		return;
	}
	lua_pushnil(L);
	struct axis_angle turn = {.axis = lua_gettop(L)};
	if (fields_read(L, index, path, fields, LENGTH(fields), &turn) != 3)
		raise_error(L, "%s: axis and angle must be given together in %s", path->function, path->name);
	store(quaternion_about(value_axis(L, turn.axis, PATH(path->function, "axis"), 3), turn.angle), numbers);
	lua_pop(L, 1);
}

void d3_rotation_option(lua_State *L, int index, const struct path *path, enum rotation_part part, struct rotation_input *input)
{
	switch (part) {
	case ROTATION_LIST: d3_value_rotation(L, index, path, input->numbers); break;
	case ROTATION_AXIS: input->axis = value_axis(L, index, path, 3); break;
	case ROTATION_ANGLE: input->angle = value_number(L, index, path, &range_angle); break;
	default: input->numbers[part - ROTATION_QX] = value_number(L, index, path, &range_any); break;
	}
	input->given |= 1u << part;
}

struct d3_quat d3_rotation_of(lua_State *L, const char *function, struct rotation_input *input)
{
	enum { LIST = 1 << ROTATION_LIST, NUMBERS = 15 << ROTATION_QX, AXIS_ANGLE = 3 << ROTATION_AXIS };
	uint32_t given = input->given;
	if (((given & LIST) != 0) + ((given & NUMBERS) != 0) + ((given & AXIS_ANGLE) != 0) > 1)
		raise_error(L, "%s: only one of rotation, of qx, qy, qz, qw, and of axis with angle may be given", function);
	if ((given & NUMBERS) != 0 && (given & NUMBERS) != NUMBERS)
		raise_error(L, "%s: qx, qy, qz and qw must be given together", function);
	if ((given & AXIS_ANGLE) != 0 && (given & AXIS_ANGLE) != AXIS_ANGLE)
		raise_error(L, "%s: axis and angle must be given together", function);
	if (given == 0)
		return (struct d3_quat){0, 0, 0, 1};
	if (given & AXIS_ANGLE)
		store(quaternion_about(input->axis, input->angle), input->numbers);
	return quaternion_from(L, function, input->numbers);
}

/* --- Functions ------------------------------------------------------------------------------------------------------------ */

static int push_quaternion(lua_State *L, struct d3_quat_d q)
{
	double numbers[4];
	store(q, numbers);
	return push_numbers(L, 4, numbers);
}

/* Reads a direction of any length but 0; `what` names it. */
static struct d3_vec_d check_direction_of(
	lua_State *L, int index, const char *function, const char *const *names, const char *what)
{
	struct d3_vec_d direction;
	double numbers[3];
	arg_numbers(L, index, function, names, 3, &range_any, numbers);
	if (!normalize(numbers, &direction))
		raise_error(L, "%s: %s must not be zero", function, what);
	return direction;
}

static int rotation(lua_State *L)
{
	static const char *const names[] = {"ax", "ay", "az"};
	struct d3_vec_d axis = check_direction_of(L, 1, "rotation", names, "the axis ax, ay, az");
	return push_quaternion(L, quaternion_about(axis, arg_number(L, 4, "rotation", "angle", &range_angle)));
}

/* The angles turn about y last: heading, then pitch, then roll, as seen from within. */
static int euler(lua_State *L)
{
	static const char *const names[] = {"x", "y", "z"};
	double angles[3];
	arg_numbers(L, 1, "euler", names, 3, &range_angle, angles);
	struct d3_quat_d x = quaternion_about((struct d3_vec_d){1, 0, 0}, angles[0]);
	struct d3_quat_d y = quaternion_about((struct d3_vec_d){0, 1, 0}, angles[1]);
	struct d3_quat_d z = quaternion_about((struct d3_vec_d){0, 0, 1}, angles[2]);
	return push_quaternion(L, d3_mul_quat_d(y, d3_mul_quat_d(x, z)));
}

/* The x axis of a frame whose z axis is `forward`, perpendicular to `up`. If both are parallel: nearest to the world's x, or to
 * its z where forward is along x. */
static struct d3_vec_d across(struct d3_vec_d forward, struct d3_vec_d up)
{
	struct d3_vec_d x = d3_cross_d(up, forward);
	double length = d3_length_d(x);
	if (length > 1e-9)
		x = d3_scale_d(1 / length, x); /* perpendicular to `forward` up to a rounding error by this factor */
	else
		x = abs_d(forward.x) > 0.9 ? (struct d3_vec_d){0, 0, 1} : (struct d3_vec_d){1, 0, 0};
	x = d3_mul_add_d(x, -d3_dot_d(x, forward), forward);
	return d3_scale_d(1 / d3_length_d(x), x);
}

static int look_rotation(lua_State *L)
{
	static const char *const forward_names[] = {"fx", "fy", "fz"}, *const up_names[] = {"ux", "uy", "uz"};
	struct d3_vec_d z = check_direction_of(L, 1, "lookRotation", forward_names, "the direction fx, fy, fz"), up = {0, 1, 0};
	if (!(lua_isnoneornil(L, 4) && lua_isnoneornil(L, 5) && lua_isnoneornil(L, 6)))
		up = check_direction_of(L, 4, "lookRotation", up_names, "the direction ux, uy, uz");
	struct d3_vec_d x = across(z, up);
	return push_quaternion(L, d3_rot_quat_d(&(struct d3_rot_d){x, d3_cross_d(z, x), z}));
}

const luaL_Reg d3_rotation_functions[] = {
	{"rotation", rotation},
	{"lookRotation", look_rotation},
	{"euler", euler},
	{NULL, NULL},
};
