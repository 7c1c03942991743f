/* d3_body.c - the 3D part of the methods of bodies: quaternions, inertia tensors, and the options of newBody. */
#define AXES 3
#include "bind/geometry/wing.h"
#include "bind/world/dimension.h"

#include <math.h>

#define COORDINATES(v) (v).x, (v).y, (v).z
#define POINT "x, y, z"
#define ROTATION struct d3_quat
#define ROTATION_NAME "Rotation"
#define TURN struct d3_vec
#define TURN_SIZE struct d3_vec_d /* |TURN| component by component, in doubles */
#define INERTIA xx /* the first of six */
#define LOCK_OPTIONS OPTIONS_D3_LOCKS
#define LOCKS_MUST "be a table {x =, y =, z =, rotationX =, rotationY =, rotationZ =}"

enum { ROTATIONS = 4, TURNS = 3, INERTIAS = 6 };

static const char *const axis_names[] = {"x", "y", "z"}, *const *const angular_velocity_names = axis_names;
static const char *const torque_names[] = {"tx", "ty", "tz"}, *const angular_impulse_names[] = {"ix", "iy", "iz"};
static const char *const lock_names[] = {"x", "y", "z", "rotationX", "rotationY", "rotationZ"};

/* --- Rotations ------------------------------------------------------------------------------------------------------------ */

static struct d3_quat arg_rotation(lua_State *L, int index, const char *function)
{
	static const char *const names[] = {"qx", "qy", "qz", "qw"};
	double numbers[4];
	arg_numbers(L, index, function, names, 4, &range_any, numbers);
	return quaternion_from(L, function, numbers);
}

static int push_rotation(lua_State *L, struct d3_quat q)
{
	lua_pushnumber(L, q.x);
	lua_pushnumber(L, q.y);
	lua_pushnumber(L, q.z);
	lua_pushnumber(L, q.w);
	return 4;
}

static void read_rotation(struct d3_quat q, double *out)
{
	out[0] = q.x;
	out[1] = q.y;
	out[2] = q.z;
	out[3] = q.w;
}

/* The rotation of a row; false: the quaternion is zero. */
static bool row_rotation(const double *row, struct d3_quat *q)
{
	return quaternion_read(row, q);
}

static struct d3_vec_d rotated(struct d3_quat q, struct d3_vec_d v)
{
	struct d3_rot_d rotation = d3_exact_rot(q);
	return d3_turn_d(&rotation, v);
}

static struct d3_vec_d unrotated(struct d3_quat q, struct d3_vec_d v)
{
	struct d3_rot_d rotation = d3_exact_rot(q);
	return d3_inv_turn_d(&rotation, v);
}

/* --- Torques -------------------------------------------------------------------------------------------------------------- */

static struct d3_vec_d size_of(struct d3_vec a)
{
	return (struct d3_vec_d){fabs((double)a.x), fabs((double)a.y), fabs((double)a.z)};
}

static double greatest(struct d3_vec_d a)
{
	return max_d(max_d(a.x, a.y), a.z);
}

/* Upper bounds on the torques about the three axes by a force at the end of the arm. */
static struct d3_vec_d turn_of(struct d3_vec_d arm, struct d3_vec force)
{
	double x = fabs(arm.x), y = fabs(arm.y), z = fabs(arm.z);
	struct d3_vec_d size = size_of(force);
	return (struct d3_vec_d){y * size.z + z * size.y, z * size.x + x * size.z, x * size.y + y * size.x};
}

/* Upper bound on the angular effect, see check_effect, of torques or angular impulses of these sizes about the axes plus those
 * of `more`. */
static double turn_effect(const struct d3_body *row, struct d3_vec_d size, struct d3_vec more)
{
	const struct d3_symmetric *i = &row->inv_inertia;
	struct d3_vec_d x = size_of((struct d3_vec){i->xx, i->xy, i->xz}), y = size_of((struct d3_vec){i->xy, i->yy, i->yz});
	struct d3_vec_d z = size_of((struct d3_vec){i->xz, i->yz, i->zz});
	size = d3_add_d(size, size_of(more));
	return greatest((struct d3_vec_d){d3_dot_d(x, size), d3_dot_d(y, size), d3_dot_d(z, size)});
}

/* --- Inertia -------------------------------------------------------------------------------------------------------------- */

enum { XX, YY, ZZ, XY, XZ, YZ };

/* Sylvester's criterion, with a margin: the second and third leading minor must exceed `share` of their upper bound, the
 * product of their diagonal elements. */
static bool positive_definite(const double i[6], double share)
{
	double minor = i[XX] * i[YY] - i[XY] * i[XY];
	double determinant = i[ZZ] * minor - i[YZ] * (i[XX] * i[YZ] - i[XY] * i[XZ]) + i[XZ] * (i[XY] * i[YZ] - i[YY] * i[XZ]);
	return i[XX] > 0 && i[YY] > 0 && i[ZZ] > 0 && minor > share * i[XX] * i[YY] && determinant > share * i[XX] * i[YY] * i[ZZ];
}

/* Whether some mass distribution has this tensor: the second moments (sum m x^2, sum m x y and so on), half the trace minus the
 * tensor, must be positive definite. Those of a plate are singular, hence `half` is slightly more than half the trace. If true,
 * no moment of inertia exceeds 1.0001 times the sum of the two others. */
static bool inertia_possible(const double i[6])
{
	double half = 0.500024 * (i[XX] + i[YY] + i[ZZ]);
	return positive_definite((const double[6]){half - i[XX], half - i[YY], half - i[ZZ], -i[XY], -i[XZ], -i[YZ]}, 0);
}

/* Raises unless the six numbers are all zero, or the inertia tensor of some mass distribution with an inverse within floats.
 * Copies them to `out`. */
static void check_inertia(lua_State *L, const char *function, const double inertia[6], float *out)
{
	const double least = 1e-15, *i = inertia;
	bool none = true;
	for (int k = 0; k < 6; ++k) {
		out[k] = (float)i[k];
		none = none && i[k] == 0;
	}
	if (none)
		return;
	const char *lacking = NULL;
	if (!(i[XX] >= least && i[YY] >= least && i[ZZ] >= least && positive_definite(i, 1e-6)))
		lacking = "be positive definite or all zero";
	else if (!inertia_possible(i))
		lacking = "be that of some mass, with no moment above the sum of the two others";
	if (lacking != NULL)
		raise_error(
			L, "%s: inertia must %s, got %f, %f, %f, %f, %f, %f", function, lacking, i[XX], i[YY], i[ZZ], i[XY], i[XZ], i[YZ]);
}

static const struct range range_inertia = {-1e25, 1e25, NULL};

static void arg_inertia(lua_State *L, int index, const char *function, float *out)
{
	static const char *const names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
	double numbers[6];
	arg_numbers(L, index, function, names, 6, &range_inertia, numbers);
	check_inertia(L, function, numbers, out);
}

#include "bind/world/body_wing.h"

static int get_angular_momentum(lua_State *L)
{
	uint32_t body;
	const struct world *world = check_here(L, "getAngularMomentum", &body);
	struct d3_vec momentum = d3_body_angular_momentum(world, body);
	return push_floats(L, 3, &momentum.x);
}

const luaL_Reg d3_spin_methods[] = {
	{"getAngularMomentum", get_angular_momentum},
	{NULL, NULL},
};

_Static_assert(BODY_AXIS_ANGLE - BODY_ROTATION + 1 == ROTATION_PARTS, "the parts of a rotation, in their order");

/* --- Options -------------------------------------------------------------------------------------------------------------- */

void d3_body_option(lua_State *L, struct body_input *input, int option, const struct path *path)
{
	double inertia[6];
	switch (option) {
	case BODY_ROTATION:
	case BODY_QX:
	case BODY_QY:
	case BODY_QZ:
	case BODY_QW:
	case BODY_AXIS:
	case BODY_AXIS_ANGLE:
		d3_rotation_option(L, lua_gettop(L), path, (enum rotation_part)(option - BODY_ROTATION), &input->turn);
		break;
	case BODY_ANGULAR_VELOCITY: value_vector(L, lua_gettop(L), *path, &range_velocity, 3, input->angular_velocity); break;
	case BODY_INERTIA:
		value_vector(L, lua_gettop(L), *path, &range_inertia, 6, inertia);
		check_inertia(L, path->function, inertia, input->inertia);
		input->given_inertia = true;
		break;
	case BODY_LOCKS: input->locks = option_locks(L, path); break;
	}
}

void d3_body_check(lua_State *L, struct body_input *input)
{
	input->rotation = d3_rotation_of(L, input->function, &input->turn);
}

uint32_t d3_body_make(struct world *world, const struct body_input *input)
{
	const double *p = input->position;
	struct d3_pose pose = {p[0], p[1], p[2], input->rotation};
	return d3_body_create(world, input->type, &pose);
}
