/* d3_body.c - methods of 3D bodies. */
#include "bind/world/dimension.h"

#include <math.h>

static const char *const axis_names[] = {"x", "y", "z"};

static struct world *check_body3(lua_State *L, const char *function, uint32_t *body)
{
	return check_body_of(L, function, &class_d3_body, body)->world;
}

static struct world *check_body3_change(lua_State *L, const char *function, uint32_t *body)
{
	struct world_object *object = check_body_of(L, function, &class_d3_body, body);
	check_unlocked(L, object, function);
	return object->world;
}

/* The wing's record of the body. */
static const struct d3_body *check_row(lua_State *L, const char *function)
{
	uint32_t body;
	const struct world *world = check_body3(L, function, &body);
	return d3_row(world, body);
}

static int push_three(lua_State *L, double x, double y, double z)
{
	lua_pushnumber(L, x);
	lua_pushnumber(L, y);
	lua_pushnumber(L, z);
	return 3;
}

static int push_vector(lua_State *L, struct d3_vec v)
{
	return push_three(L, v.x, v.y, v.z);
}

static int push_quaternion(lua_State *L, struct d3_quat q)
{
	push_three(L, q.x, q.y, q.z);
	lua_pushnumber(L, q.w);
	return 4;
}

static struct d3_vec vector_from(const double numbers[3])
{
	return (struct d3_vec){(float)numbers[0], (float)numbers[1], (float)numbers[2]};
}

static struct d3_vec arg_vector(
	lua_State *L, int index, const char *function, const char *const names[3], const struct range *range)
{
	double numbers[3];
	arg_numbers(L, index, function, names, 3, range, numbers);
	return vector_from(numbers);
}

static struct d3_vec_d arg_place(lua_State *L, int index, const char *function)
{
	double numbers[3];
	arg_numbers(L, index, function, axis_names, 3, &range_position, numbers);
	return (struct d3_vec_d){numbers[0], numbers[1], numbers[2]};
}

static struct d3_quat arg_quaternion(lua_State *L, int index, const char *function)
{
	static const char *const names[] = {"qx", "qy", "qz", "qw"};
	double numbers[4];
	arg_numbers(L, index, function, names, 4, &range_any, numbers);
	return quaternion_from(L, function, numbers);
}

/* --- Pose ----------------------------------------------------------------------------------------------------------------- */

static int get_position(lua_State *L)
{
	uint32_t body;
	const struct world *world = check_body3(L, "getPosition", &body);
	struct d3_pose pose = d3_body_pose(world, body);
	return push_three(L, pose.x, pose.y, pose.z);
}

static int set_position(lua_State *L)
{
	uint32_t body;
	struct world *world = check_body3_change(L, "setPosition", &body);
	struct d3_vec_d p = arg_place(L, 2, "setPosition");
	d3_body_set_pose(world, body, &(struct d3_pose){p.x, p.y, p.z, d3_body_pose(world, body).q});
	return 0;
}

static int get_rotation(lua_State *L)
{
	uint32_t body;
	const struct world *world = check_body3(L, "getRotation", &body);
	return push_quaternion(L, d3_body_pose(world, body).q);
}

static int set_rotation(lua_State *L)
{
	uint32_t body;
	struct world *world = check_body3_change(L, "setRotation", &body);
	struct d3_quat q = arg_quaternion(L, 2, "setRotation");
	struct d3_pose pose = d3_body_pose(world, body);
	pose.q = q;
	d3_body_set_pose(world, body, &pose);
	return 0;
}

int d3_push_transform(lua_State *L, const struct world *world, uint32_t body)
{
	struct d3_pose pose = d3_body_pose(world, body);
	return push_three(L, pose.x, pose.y, pose.z) + push_quaternion(L, pose.q);
}

static int get_transform(lua_State *L)
{
	uint32_t body;
	const struct world *world = check_body3(L, "getTransform", &body);
	return d3_push_transform(L, world, body);
}

static int set_transform(lua_State *L)
{
	uint32_t body;
	struct world *world = check_body3_change(L, "setTransform", &body);
	struct d3_vec_d p = arg_place(L, 2, "setTransform");
	struct d3_quat q = arg_quaternion(L, 5, "setTransform");
	d3_body_set_pose(world, body, &(struct d3_pose){p.x, p.y, p.z, q});
	return 0;
}

/* dt must not be 0: the velocity would be infinite. */
static int move_to(lua_State *L)
{
	static const struct range range_duration = {1e-6, 60, "> 0"};
	uint32_t body;
	struct world *world = check_body3_change(L, "moveTo", &body);
	struct d3_vec_d p = arg_place(L, 2, "moveTo");
	struct d3_quat q = arg_quaternion(L, 5, "moveTo");
	double dt = arg_number(L, 9, "moveTo", "dt", &range_duration);
	struct d3_pose pose = d3_body_pose(world, body);
	double speed = max_d(max_d(fabs(p.x - pose.x), fabs(p.y - pose.y)), fabs(p.z - pose.z)) / dt;
	if (!(speed <= range_velocity.high))
		raise(L, "moveTo: that would take a speed of %f, more than %f", speed, range_velocity.high);
	d3_body_move_to(world, body, &(struct d3_pose){p.x, p.y, p.z, q}, (float)dt);
	return 0;
}

/* --- Velocity ------------------------------------------------------------------------------------------------------------- */

static int get_linear_velocity(lua_State *L)
{
	uint32_t body;
	struct d3_vec w;
	const struct world *world = check_body3(L, "getLinearVelocity", &body);
	return push_vector(L, d3_body_velocity(world, body, &w));
}

static int set_linear_velocity(lua_State *L)
{
	uint32_t body;
	struct d3_vec w;
	struct world *world = check_body3(L, "setLinearVelocity", &body);
	struct d3_vec v = arg_vector(L, 2, "setLinearVelocity", axis_names, &range_velocity);
	d3_body_velocity(world, body, &w);
	d3_body_set_velocity(world, body, v, w);
	return 0;
}

static int get_angular_velocity(lua_State *L)
{
	uint32_t body;
	struct d3_vec w;
	const struct world *world = check_body3(L, "getAngularVelocity", &body);
	d3_body_velocity(world, body, &w);
	return push_vector(L, w);
}

static int set_angular_velocity(lua_State *L)
{
	uint32_t body;
	struct d3_vec before;
	struct world *world = check_body3(L, "setAngularVelocity", &body);
	struct d3_vec w = arg_vector(L, 2, "setAngularVelocity", axis_names, &range_velocity);
	struct d3_vec v = d3_body_velocity(world, body, &before);
	d3_body_set_velocity(world, body, v, w);
	return 0;
}

static int get_velocity_at(lua_State *L)
{
	uint32_t body;
	const struct world *world = check_body3(L, "getVelocityAt", &body);
	struct d3_vec_d p = arg_place(L, 2, "getVelocityAt");
	return push_vector(L, d3_body_velocity_at(world, body, p));
}

/* --- Forces --------------------------------------------------------------------------------------------------------------- */

struct push {
	struct d3_vec push; /* force or impulse */
	struct d3_vec turn; /* torque or angular impulse of it */
};

/* |a| of each number, in doubles. */
static struct d3_vec_d size_of(struct d3_vec a)
{
	return (struct d3_vec_d){fabs((double)a.x), fabs((double)a.y), fabs((double)a.z)};
}

static double greatest(struct d3_vec_d a)
{
	return max_d(max_d(a.x, a.y), a.z);
}

/* Upper bound on the change of angular velocity by torques or angular impulses of these sizes about the axes. */
static double turn_effect(const struct d3_body *row, struct d3_vec_d size)
{
	const struct d3_symmetric *i = &row->inv_inertia;
	struct d3_vec_d x = size_of((struct d3_vec){i->xx, i->xy, i->xz}), y = size_of((struct d3_vec){i->xy, i->yy, i->yz});
	struct d3_vec_d z = size_of((struct d3_vec){i->xz, i->yz, i->zz});
	return greatest((struct d3_vec_d){d3_dot_d(x, size), d3_dot_d(y, size), d3_dot_d(z, size)});
}

/* Reads a force or impulse and its point of application. Raises if its effect, added to the accumulated `force` and `torque`,
 * is too strong. */
static struct push check_push(lua_State *L, const char *function, const struct world *world, uint32_t body,
	const char *const names[3], struct d3_vec force, struct d3_vec torque)
{
	struct push push = {.push = arg_vector(L, 2, function, names, &range_force)};
	const struct d3_body *row = d3_row(world, body);
	struct d3_vec_d size = size_of(push.push), all = d3_add_d(size, size_of(force)), inverse = d3_widen(row->inv_mass);
	check_effect(L, function, greatest((struct d3_vec_d){all.x * inverse.x, all.y * inverse.y, all.z * inverse.z}));
	if (!lua_isnoneornil(L, 5) || !lua_isnoneornil(L, 6) || !lua_isnoneornil(L, 7)) {
		struct d3_vec_d at = arg_place(L, 5, function);
		double x = fabs(at.x - row->x), y = fabs(at.y - row->y), z = fabs(at.z - row->z);
		struct d3_vec_d lever = {y * size.z + z * size.y, z * size.x + x * size.z, x * size.y + y * size.x};
		check_effect(L, function, turn_effect(row, d3_add_d(lever, size_of(torque))));
		if (!(greatest(lever) <= 1e30))
			raise(L, "%s: the point x, y, z is too far away", function);
		push.turn = d3_cross(d3_body_arm(world, body, at), push.push);
	}
	return push;
}

static int apply_force(lua_State *L)
{
	static const char *const names[] = {"fx", "fy", "fz"};
	uint32_t body;
	struct world *world = check_body3(L, "applyForce", &body);
	const struct d3_body *row = d3_row(world, body);
	struct push push = check_push(L, "applyForce", world, body, names, row->force, row->torque);
	d3_body_apply_force(world, body, push.push, push.turn);
	return 0;
}

static int apply_torque(lua_State *L)
{
	static const char *const names[] = {"tx", "ty", "tz"};
	uint32_t body;
	struct world *world = check_body3(L, "applyTorque", &body);
	struct d3_vec torque = arg_vector(L, 2, "applyTorque", names, &range_force);
	const struct d3_body *row = d3_row(world, body);
	check_effect(L, "applyTorque", turn_effect(row, d3_add_d(size_of(torque), size_of(row->torque))));
	d3_body_apply_force(world, body, (struct d3_vec){0, 0, 0}, torque);
	return 0;
}

static int apply_impulse(lua_State *L)
{
	static const char *const names[] = {"ix", "iy", "iz"};
	static const struct d3_vec none = {0, 0, 0};
	uint32_t body;
	struct world *world = check_body3(L, "applyImpulse", &body);
	struct push push = check_push(L, "applyImpulse", world, body, names, none, none);
	d3_body_apply_impulse(world, body, push.push, push.turn);
	return 0;
}

static int apply_angular_impulse(lua_State *L)
{
	static const char *const names[] = {"ix", "iy", "iz"};
	uint32_t body;
	struct world *world = check_body3(L, "applyAngularImpulse", &body);
	struct d3_vec impulse = arg_vector(L, 2, "applyAngularImpulse", names, &range_force);
	check_effect(L, "applyAngularImpulse", turn_effect(d3_row(world, body), size_of(impulse)));
	d3_body_apply_impulse(world, body, (struct d3_vec){0, 0, 0}, impulse);
	return 0;
}

/* --- Mass ----------------------------------------------------------------------------------------------------------------- */

static int get_inertia(lua_State *L)
{
	const struct d3_symmetric *inertia = &check_row(L, "getInertia")->inertia;
	push_three(L, inertia->xx, inertia->yy, inertia->zz);
	push_three(L, inertia->xy, inertia->xz, inertia->yz);
	return 6;
}

static int get_angular_momentum(lua_State *L)
{
	uint32_t body;
	const struct world *world = check_body3(L, "getAngularMomentum", &body);
	return push_vector(L, d3_body_angular_momentum(world, body));
}

static int get_center(lua_State *L)
{
	const struct d3_body *row = check_row(L, "getCenter");
	return push_three(L, row->x, row->y, row->z);
}

static int get_local_center(lua_State *L)
{
	return push_vector(L, check_row(L, "getLocalCenter")->local_center);
}

enum { XX, YY, ZZ, XY, XZ, YZ };

/* Sylvester's criterion, with each leading minor above `share` of its upper bound. */
static bool positive_definite(const double i[6], double share)
{
	double minor = i[XX] * i[YY] - i[XY] * i[XY];
	double determinant = i[ZZ] * minor - i[YZ] * (i[XX] * i[YZ] - i[XY] * i[XZ]) + i[XZ] * (i[XY] * i[YZ] - i[YY] * i[XZ]);
	return i[XX] > 0 && i[YY] > 0 && i[ZZ] > 0 && minor > share * i[XX] * i[YY] && determinant > share * i[XX] * i[YY] * i[ZZ];
}

/* Whether some mass distribution has this tensor: the second moments (sum m x^2, sum m x y and so on), half the trace minus the
 * tensor, must be positive definite. Those of a plate are singular, hence `half` is slightly more than half the trace. If true,
 * no moment of inertia exceeds the sum of the two others. */
static bool inertia_possible(const double i[6])
{
	double half = 0.500024 * (i[XX] + i[YY] + i[ZZ]);
	return positive_definite((const double[6]){half - i[XX], half - i[YY], half - i[ZZ], -i[XY], -i[XZ], -i[YZ]}, 0);
}

/* Accepts six zeros, or a tensor of inertia whose inverse stays within floats. */
static void check_inertia(lua_State *L, const char *function, const double inertia[6], float out[6])
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
		raise(
			L, "%s: inertia must %s, got %f, %f, %f, %f, %f, %f", function, lacking, i[XX], i[YY], i[ZZ], i[XY], i[XZ], i[YZ]);
}

static const struct range range_inertia = {-1e25, 1e25, NULL};

static int set_mass_data(lua_State *L)
{
	static const char *const center_names[] = {"cx", "cy", "cz"};
	static const char *const inertia_names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
	uint32_t body;
	double numbers[6];
	float inertia[6];
	struct world *world = check_body3_change(L, "setMassData", &body);
	float mass = arg_float(L, 2, "setMassData", "mass", &range_mass);
	struct d3_vec center = arg_vector(L, 3, "setMassData", center_names, &range_local);
	arg_numbers(L, 6, "setMassData", inertia_names, 6, &range_inertia, numbers);
	check_inertia(L, "setMassData", numbers, inertia);
	const float *i = inertia;
	d3_body_set_mass(world, body, &(struct d3_mass){mass, center, i[0], i[1], i[2], i[3], i[4], i[5]});
	return 0;
}

enum { LOCKS = 6 };

static int get_locks(lua_State *L)
{
	uint8_t locks = check_row(L, "getLocks")->locks;
	for (int i = 0; i < LOCKS; ++i)
		lua_pushboolean(L, locks >> i & 1);
	return LOCKS;
}

static int set_locks(lua_State *L)
{
	static const char *const names[LOCKS] = {"x", "y", "z", "rotationX", "rotationY", "rotationZ"};
	uint32_t body;
	uint8_t locks = 0;
	struct world *world = check_body3_change(L, "setLocks", &body);
	for (int i = 0; i < LOCKS; ++i)
		locks |= (uint8_t)(arg_boolean(L, 2 + i, "setLocks", names[i]) << i);
	d3_body_set_locks(world, body, locks);
	return 0;
}

/* --- Frames --------------------------------------------------------------------------------------------------------------- */

/* Reads a point or vector x, y, z. Returns the body's pose, and its rotation in doubles. */
static struct d3_pose check_frame(lua_State *L, const char *function, struct d3_vec_d *p, struct d3_rot_d *rotation)
{
	uint32_t body;
	const struct world *world = check_body3(L, function, &body);
	*p = arg_place(L, 2, function);
	struct d3_pose pose = d3_body_pose(world, body);
	*rotation = d3_exact_rot(pose.q);
	return pose;
}

static int push_exact(lua_State *L, struct d3_vec_d v)
{
	return push_three(L, v.x, v.y, v.z);
}

static int get_world_point(lua_State *L)
{
	struct d3_vec_d p;
	struct d3_rot_d rotation;
	struct d3_pose pose = check_frame(L, "getWorldPoint", &p, &rotation);
	return push_exact(L, d3_add_d((struct d3_vec_d){pose.x, pose.y, pose.z}, d3_turn_d(&rotation, p)));
}

static int get_local_point(lua_State *L)
{
	struct d3_vec_d p;
	struct d3_rot_d rotation;
	struct d3_pose pose = check_frame(L, "getLocalPoint", &p, &rotation);
	return push_exact(L, d3_inv_turn_d(&rotation, d3_sub_d(p, (struct d3_vec_d){pose.x, pose.y, pose.z})));
}

static int get_world_vector(lua_State *L)
{
	struct d3_vec_d p;
	struct d3_rot_d rotation;
	check_frame(L, "getWorldVector", &p, &rotation);
	return push_exact(L, d3_turn_d(&rotation, p));
}

static int get_local_vector(lua_State *L)
{
	struct d3_vec_d p;
	struct d3_rot_d rotation;
	check_frame(L, "getLocalVector", &p, &rotation);
	return push_exact(L, d3_inv_turn_d(&rotation, p));
}

/* --- Options -------------------------------------------------------------------------------------------------------------- */

static uint8_t option_locks(lua_State *L)
{
	struct options options = {.function = "newBody: locks", .set = OPTIONS_D3_LOCKS};
	uint8_t locks = 0;
	int top = lua_gettop(L);
	if (!lua_istable(L, top))
		raise_value(L, top, PATH("newBody", "locks"), "be a table {x =, y =, z =, rotationX =, rotationY =, rotationZ =}");
	options_begin(L, &options, top, "locks");
	for (int option; (option = options_next(L, &options)) != 0;) {
		struct path path = options_path(&options);
		if (value_boolean(L, -1, &path))
			locks |= (uint8_t)(1 << (option - 1));
	}
	lua_settop(L, top);
	return locks;
}

void d3_body_option(lua_State *L, struct body_input *input, int option, const struct path *path)
{
	double inertia[6];
	switch (option) {
	case BODY_ROTATION:
		value_vector(L, lua_gettop(L), *path, &range_any, 4, input->rotation);
		input->given_rotation = true;
		break;
	case BODY_QX:
	case BODY_QY:
	case BODY_QZ:
	case BODY_QW:
		input->rotation[option - BODY_QX] = value_number(L, -1, path, &range_any);
		++input->given_quaternion;
		break;
	case BODY_ANGULAR_VELOCITY: value_vector(L, lua_gettop(L), *path, &range_velocity, 3, input->angular_velocity); break;
	case BODY_INERTIA:
		value_vector(L, lua_gettop(L), *path, &range_inertia, 6, inertia);
		check_inertia(L, "newBody", inertia, input->inertia);
		input->given_inertia = true;
		break;
	case BODY_LOCKS: input->locks = option_locks(L); break;
	}
	if (input->given_rotation && input->given_quaternion)
		raise(L, "newBody: rotation and qx, qy, qz, qw must not both be given");
}

void d3_body_check(lua_State *L, struct body_input *input)
{
	struct d3_quat q = {0, 0, 0, 1};
	if (input->given_quaternion != 0 && input->given_quaternion != 4)
		raise(L, "newBody: qx, qy, qz and qw must be given together");
	if (input->given_rotation || input->given_quaternion)
		q = quaternion_from(L, "newBody", input->rotation);
	const double unit[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
	for (int i = 0; i < 4; ++i)
		input->rotation[i] = unit[i];
}

uint32_t d3_body_make(struct world *world, const struct body_input *input)
{
	const double *p = input->position, *q = input->rotation;
	struct d3_pose pose = {p[0], p[1], p[2], {(float)q[0], (float)q[1], (float)q[2], (float)q[3]}};
	return d3_body_create(world, input->type, &pose);
}

/* Values not given stay those of the shapes; the shapes' inertia scales with a given mass. */
static void mass_override(struct world *world, uint32_t body, const struct body_input *input)
{
	const struct d3_body *row = d3_row(world, body);
	if (!input->given_mass && !input->given_inertia && !input->given_center)
		return;
	const struct d3_symmetric *of_shapes = &row->inertia;
	float mass = input->given_mass ? input->mass : row->mass, scale = row->mass > 0 ? mass / row->mass : 0;
	float inertia[6] = {of_shapes->xx, of_shapes->yy, of_shapes->zz, of_shapes->xy, of_shapes->xz, of_shapes->yz};
	bool finite = true;
	for (int i = 0; i < 6; ++i) {
		inertia[i] = input->given_inertia ? input->inertia[i] : scale * inertia[i];
		finite = finite && is_finite_f(inertia[i]);
	}
	for (int i = 0; i < 6 && !finite; ++i)
		inertia[i] = 0;
	struct d3_vec center = input->given_center ? vector_from(input->center) : row->local_center;
	const float *i = inertia;
	d3_body_set_mass(world, body, &(struct d3_mass){mass, center, i[0], i[1], i[2], i[3], i[4], i[5]});
}

void d3_body_apply(struct world *world, uint32_t body, const struct body_input *input)
{
	struct d3_vec v = vector_from(input->velocity), w = vector_from(input->angular_velocity);
	mass_override(world, body, input);
	if (input->locks)
		d3_body_set_locks(world, body, input->locks);
	if (v.x != 0 || v.y != 0 || v.z != 0 || w.x != 0 || w.y != 0 || w.z != 0)
		d3_body_set_velocity(world, body, v, w);
}

const luaL_Reg d3_body_methods[] = {
	{"getPosition", get_position},
	{"setPosition", set_position},
	{"getRotation", get_rotation},
	{"setRotation", set_rotation},
	{"getTransform", get_transform},
	{"setTransform", set_transform},
	{"moveTo", move_to},
	{"getLinearVelocity", get_linear_velocity},
	{"setLinearVelocity", set_linear_velocity},
	{"getAngularVelocity", get_angular_velocity},
	{"setAngularVelocity", set_angular_velocity},
	{"getVelocityAt", get_velocity_at},
	{"applyForce", apply_force},
	{"applyTorque", apply_torque},
	{"applyImpulse", apply_impulse},
	{"applyAngularImpulse", apply_angular_impulse},
	{"getInertia", get_inertia},
	{"getAngularMomentum", get_angular_momentum},
	{"getCenter", get_center},
	{"getLocalCenter", get_local_center},
	{"setMassData", set_mass_data},
	{"getLocks", get_locks},
	{"setLocks", set_locks},
	{"getWorldPoint", get_world_point},
	{"getLocalPoint", get_local_point},
	{"getWorldVector", get_world_vector},
	{"getLocalVector", get_local_vector},
	{NULL, NULL},
};
