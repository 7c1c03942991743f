/* d2_body.c - the 2D part of the methods of bodies: angles, moments of inertia, and the options of newBody. */
#define AXES 2
#include "bind/geometry/wing.h"
#include "bind/world/dimension.h"

#include <math.h>

#define COORDINATES(v) (v).x, (v).y
#define POINT "x, y"
#define ROTATION struct d2_rot
#define ROTATION_NAME "Angle"
#define TURN float
#define TURN_SIZE double /* |TURN|, in doubles */
#define INERTIA inertia
#define LOCK_OPTIONS OPTIONS_LOCKS
#define LOCKS_MUST "be a table {x =, y =, rotation =}"

enum { ROTATIONS = 1, TURNS = 1, INERTIAS = 1 };

static const char *const axis_names[] = {"x", "y"}, *const angular_velocity_names[] = {"angularVelocity"};
static const char *const torque_names[] = {"torque"}, *const angular_impulse_names[] = {"impulse"};
static const char *const lock_names[] = {"x", "y", "rotation"};

/* --- Rotations ------------------------------------------------------------------------------------------------------------ */

static struct d2_rot arg_rotation(lua_State *L, int index, const char *function)
{
	return rotation_from(arg_number(L, index, function, "angle", &range_angle));
}

static int push_rotation(lua_State *L, struct d2_rot q)
{
	lua_pushnumber(L, scalar_atan2(q.s, q.c));
	return 1;
}

static void read_rotation(struct d2_rot q, double *out)
{
	*out = scalar_atan2(q.s, q.c);
}

/* The rotation of a row, which has one. */
static bool row_rotation(const double *row, struct d2_rot *q)
{
	*q = rotation_from(*row);
	return true;
}

static struct d2_vec_d rotated(struct d2_rot q, struct d2_vec_d v)
{
	return d2_rotate_d(q, v);
}

static struct d2_vec_d unrotated(struct d2_rot q, struct d2_vec_d v)
{
	return d2_inv_rotate_d(q, v);
}

/* --- Torques -------------------------------------------------------------------------------------------------------------- */

static double size_of(float turn)
{
	return fabs((double)turn);
}

static double greatest(double size)
{
	return size;
}

/* Upper bound on the torque of a force at the end of the arm. */
static double turn_of(struct d2_vec_d arm, struct d2_vec force)
{
	return fabs(arm.x * (double)force.y) + fabs(arm.y * (double)force.x);
}

/* Upper bound on the angular effect, see check_effect, of a torque or angular impulse of this size plus that of `more`. */
static double turn_effect(const struct d2_body *row, double size, float more)
{
	return (size + size_of(more)) * (double)row->inv_inertia;
}

static void arg_inertia(lua_State *L, int index, const char *function, float *out)
{
	*out = arg_float(L, index, function, "inertia", &range_mass);
}

#include "bind/world/body_wing.h"

/* --- Options -------------------------------------------------------------------------------------------------------------- */

void d2_body_option(lua_State *L, struct body_input *input, int option, const struct path *path)
{
	switch (option) {
	case BODY_ANGLE: input->angle = value_number(L, -1, path, &range_angle); break;
	case BODY_ANGULAR_VELOCITY: input->angular_velocity[0] = value_number(L, -1, path, &range_velocity); break;
	case BODY_INERTIA:
		input->inertia[0] = (float)value_number(L, -1, path, &range_mass);
		input->given_inertia = true;
		break;
	case BODY_LOCKS: input->locks = option_locks(L, path); break;
	}
}

/* Nothing to check. */
void d2_body_check(lua_State *L, struct body_input *input)
{
	(void)L, (void)input;
}

uint32_t d2_body_make(struct world *world, const struct body_input *input)
{
	struct d2_pose pose = {input->position[0], input->position[1], d2_make_rot(input->angle)};
	return d2_body_create(world, input->type, &pose);
}
