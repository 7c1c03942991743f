/* d2_body.c - methods of 2D bodies. */
#include "bind/world/dimension.h"

#include <math.h>

static struct world *check_body2(lua_State *L, const char *function, uint32_t *body)
{
	return check_body_of(L, function, &class_body, body)->world;
}

static struct world *check_body2_change(lua_State *L, const char *function, uint32_t *body)
{
	struct world_object *object = check_body_of(L, function, &class_body, body);
	check_unlocked(L, object, function);
	return object->world;
}

/* The wing's record of the body. */
static const struct d2_body *check_row(lua_State *L, const char *function)
{
	uint32_t body;
	const struct world *world = check_body2(L, function, &body);
	return d2_row(world, body);
}

static float angle_of(struct d2_rot q)
{
	return scalar_atan2(q.s, q.c);
}

static int push_two(lua_State *L, double x, double y)
{
	lua_pushnumber(L, x);
	lua_pushnumber(L, y);
	return 2;
}

static struct d2_vec arg_velocity(lua_State *L, const char *function)
{
	float x = arg_float(L, 2, function, "x", &range_velocity), y = arg_float(L, 3, function, "y", &range_velocity);
	return (struct d2_vec){x, y};
}

/* --- Pose ----------------------------------------------------------------------------------------------------------------- */

static int get_position(lua_State *L)
{
	uint32_t body;
	const struct world *world = check_body2(L, "getPosition", &body);
	struct d2_pose pose = d2_body_pose(world, body);
	return push_two(L, pose.x, pose.y);
}

static int set_position(lua_State *L)
{
	uint32_t body;
	struct world *world = check_body2_change(L, "setPosition", &body);
	double x = arg_number(L, 2, "setPosition", "x", &range_position), y = arg_number(L, 3, "setPosition", "y", &range_position);
	d2_body_set_pose(world, body, &(struct d2_pose){x, y, d2_body_pose(world, body).q});
	return 0;
}

static int get_angle(lua_State *L)
{
	uint32_t body;
	const struct world *world = check_body2(L, "getAngle", &body);
	lua_pushnumber(L, angle_of(d2_body_pose(world, body).q));
	return 1;
}

static int set_angle(lua_State *L)
{
	uint32_t body;
	struct world *world = check_body2_change(L, "setAngle", &body);
	double angle = arg_number(L, 2, "setAngle", "angle", &range_angle);
	struct d2_pose pose = d2_body_pose(world, body);
	pose.q = rotation_from(angle);
	d2_body_set_pose(world, body, &pose);
	return 0;
}

int d2_push_transform(lua_State *L, const struct world *world, uint32_t body)
{
	struct d2_pose pose = d2_body_pose(world, body);
	lua_pushnumber(L, pose.x);
	lua_pushnumber(L, pose.y);
	lua_pushnumber(L, angle_of(pose.q));
	return 3;
}

static int get_transform(lua_State *L)
{
	uint32_t body;
	const struct world *world = check_body2(L, "getTransform", &body);
	return d2_push_transform(L, world, body);
}

static int set_transform(lua_State *L)
{
	uint32_t body;
	struct world *world = check_body2_change(L, "setTransform", &body);
	double x = arg_number(L, 2, "setTransform", "x", &range_position);
	double y = arg_number(L, 3, "setTransform", "y", &range_position);
	double angle = arg_number(L, 4, "setTransform", "angle", &range_angle);
	d2_body_set_pose(world, body, &(struct d2_pose){x, y, rotation_from(angle)});
	return 0;
}

/* dt must not be 0: the velocity would be infinite. */
static int move_to(lua_State *L)
{
	static const struct range range_duration = {1e-6, 60, "> 0"};
	uint32_t body;
	struct world *world = check_body2_change(L, "moveTo", &body);
	double x = arg_number(L, 2, "moveTo", "x", &range_position), y = arg_number(L, 3, "moveTo", "y", &range_position);
	double angle = arg_number(L, 4, "moveTo", "angle", &range_angle);
	double dt = arg_number(L, 5, "moveTo", "dt", &range_duration);
	struct d2_pose pose = d2_body_pose(world, body);
	double speed = max_d(fabs(x - pose.x), fabs(y - pose.y)) / dt;
	if (!(speed <= range_velocity.high))
		raise(L, "moveTo: that would take a speed of %f, more than %f", speed, range_velocity.high);
	d2_body_move_to(world, body, &(struct d2_pose){x, y, rotation_from(angle)}, (float)dt);
	return 0;
}

/* --- Velocity ------------------------------------------------------------------------------------------------------------- */

static int get_linear_velocity(lua_State *L)
{
	uint32_t body;
	float w;
	const struct world *world = check_body2(L, "getLinearVelocity", &body);
	struct d2_vec v = d2_body_velocity(world, body, &w);
	return push_two(L, v.x, v.y);
}

static int set_linear_velocity(lua_State *L)
{
	uint32_t body;
	float w;
	struct world *world = check_body2(L, "setLinearVelocity", &body);
	struct d2_vec v = arg_velocity(L, "setLinearVelocity");
	d2_body_velocity(world, body, &w);
	d2_body_set_velocity(world, body, v, w);
	return 0;
}

static int get_angular_velocity(lua_State *L)
{
	uint32_t body;
	float w;
	const struct world *world = check_body2(L, "getAngularVelocity", &body);
	d2_body_velocity(world, body, &w);
	lua_pushnumber(L, w);
	return 1;
}

static int set_angular_velocity(lua_State *L)
{
	uint32_t body;
	float before;
	struct world *world = check_body2(L, "setAngularVelocity", &body);
	float w = arg_float(L, 2, "setAngularVelocity", "angularVelocity", &range_velocity);
	struct d2_vec v = d2_body_velocity(world, body, &before);
	d2_body_set_velocity(world, body, v, w);
	return 0;
}

static int get_velocity_at(lua_State *L)
{
	uint32_t body;
	const struct world *world = check_body2(L, "getVelocityAt", &body);
	double x = arg_number(L, 2, "getVelocityAt", "x", &range_position);
	double y = arg_number(L, 3, "getVelocityAt", "y", &range_position);
	struct d2_vec v = d2_body_velocity_at(world, body, (struct d2_vec_d){x, y});
	return push_two(L, v.x, v.y);
}

/* --- Forces --------------------------------------------------------------------------------------------------------------- */

struct push {
	struct d2_vec push; /* force or impulse */
	float turn; /* torque or angular impulse of it */
};

/* Reads a force or impulse and its point of application. Raises if its effect, added to the accumulated `force` and `torque`,
 * is too strong. */
static struct push check_push(lua_State *L, const char *function, const struct world *world, uint32_t body,
	const char *const names[2], struct d2_vec force, float torque)
{
	struct push push = {.turn = 0};
	push.push.x = arg_float(L, 2, function, names[0], &range_force);
	push.push.y = arg_float(L, 3, function, names[1], &range_force);
	const struct d2_body *row = d2_row(world, body);
	check_effect(L, function, (fabs((double)push.push.x) + fabs((double)force.x)) * (double)row->inv_mass.x);
	check_effect(L, function, (fabs((double)push.push.y) + fabs((double)force.y)) * (double)row->inv_mass.y);
	if (!lua_isnoneornil(L, 4) || !lua_isnoneornil(L, 5)) {
		double x = arg_number(L, 4, function, "x", &range_position);
		double y = arg_number(L, 5, function, "y", &range_position);
		double lever = fabs((x - row->x) * (double)push.push.y) + fabs((y - row->y) * (double)push.push.x);
		check_effect(L, function, (lever + fabs((double)torque)) * (double)row->inv_inertia);
		if (!(lever <= 1e30))
			raise(L, "%s: the point x, y is too far away", function);
		push.turn = d2_cross(d2_body_arm(world, body, (struct d2_vec_d){x, y}), push.push);
	}
	return push;
}

static int apply_force(lua_State *L)
{
	static const char *const names[] = {"fx", "fy"};
	uint32_t body;
	struct world *world = check_body2(L, "applyForce", &body);
	const struct d2_body *row = d2_row(world, body);
	struct push push = check_push(L, "applyForce", world, body, names, row->force, row->torque);
	d2_body_apply_force(world, body, push.push, push.turn);
	return 0;
}

static int apply_torque(lua_State *L)
{
	uint32_t body;
	struct world *world = check_body2(L, "applyTorque", &body);
	float torque = arg_float(L, 2, "applyTorque", "torque", &range_force);
	const struct d2_body *row = d2_row(world, body);
	check_effect(L, "applyTorque", (fabs((double)torque) + fabs((double)row->torque)) * (double)row->inv_inertia);
	d2_body_apply_force(world, body, (struct d2_vec){0, 0}, torque);
	return 0;
}

static int apply_impulse(lua_State *L)
{
	static const char *const names[] = {"ix", "iy"};
	uint32_t body;
	struct world *world = check_body2(L, "applyImpulse", &body);
	struct push push = check_push(L, "applyImpulse", world, body, names, (struct d2_vec){0, 0}, 0);
	d2_body_apply_impulse(world, body, push.push, push.turn);
	return 0;
}

static int apply_angular_impulse(lua_State *L)
{
	uint32_t body;
	struct world *world = check_body2(L, "applyAngularImpulse", &body);
	float impulse = arg_float(L, 2, "applyAngularImpulse", "impulse", &range_force);
	check_effect(L, "applyAngularImpulse", fabs((double)impulse) * (double)d2_row(world, body)->inv_inertia);
	d2_body_apply_impulse(world, body, (struct d2_vec){0, 0}, impulse);
	return 0;
}

/* --- Mass ----------------------------------------------------------------------------------------------------------------- */

static int get_inertia(lua_State *L)
{
	lua_pushnumber(L, check_row(L, "getInertia")->inertia);
	return 1;
}

static int get_center(lua_State *L)
{
	const struct d2_body *row = check_row(L, "getCenter");
	return push_two(L, row->x, row->y);
}

static int get_local_center(lua_State *L)
{
	struct d2_vec center = check_row(L, "getLocalCenter")->local_center;
	return push_two(L, center.x, center.y);
}

static int set_mass_data(lua_State *L)
{
	uint32_t body;
	struct world *world = check_body2_change(L, "setMassData", &body);
	float mass = arg_float(L, 2, "setMassData", "mass", &range_mass);
	float x = arg_float(L, 3, "setMassData", "cx", &range_local), y = arg_float(L, 4, "setMassData", "cy", &range_local);
	float inertia = arg_float(L, 5, "setMassData", "inertia", &range_mass);
	d2_body_set_mass(world, body, &(struct d2_mass){mass, {x, y}, inertia});
	return 0;
}

static int get_locks(lua_State *L)
{
	uint8_t locks = check_row(L, "getLocks")->locks;
	lua_pushboolean(L, locks & D2_LOCK_X);
	lua_pushboolean(L, locks & D2_LOCK_Y);
	lua_pushboolean(L, locks & D2_LOCK_ROTATION);
	return 3;
}

static int set_locks(lua_State *L)
{
	uint32_t body;
	struct world *world = check_body2_change(L, "setLocks", &body);
	bool x = arg_boolean(L, 2, "setLocks", "x"), y = arg_boolean(L, 3, "setLocks", "y");
	bool rotation = arg_boolean(L, 4, "setLocks", "rotation");
	d2_body_set_locks(world, body, (uint8_t)((x ? D2_LOCK_X : 0) | (y ? D2_LOCK_Y : 0) | (rotation ? D2_LOCK_ROTATION : 0)));
	return 0;
}

/* --- Frames --------------------------------------------------------------------------------------------------------------- */

/* Reads a point or vector x, y. Returns the body's pose, and its rotation in doubles. */
static struct d2_pose check_frame(lua_State *L, const char *function, double *x, double *y, double *c, double *s)
{
	uint32_t body;
	const struct world *world = check_body2(L, function, &body);
	*x = arg_number(L, 2, function, "x", &range_position);
	*y = arg_number(L, 3, function, "y", &range_position);
	struct d2_pose pose = d2_body_pose(world, body);
	*c = (double)pose.q.c;
	*s = (double)pose.q.s;
	return pose;
}

static int get_world_point(lua_State *L)
{
	double x, y, c, s;
	struct d2_pose pose = check_frame(L, "getWorldPoint", &x, &y, &c, &s);
	return push_two(L, pose.x + (c * x - s * y), pose.y + (s * x + c * y));
}

static int get_local_point(lua_State *L)
{
	double x, y, c, s;
	struct d2_pose pose = check_frame(L, "getLocalPoint", &x, &y, &c, &s);
	double dx = x - pose.x, dy = y - pose.y;
	return push_two(L, c * dx + s * dy, c * dy - s * dx);
}

static int get_world_vector(lua_State *L)
{
	double x, y, c, s;
	check_frame(L, "getWorldVector", &x, &y, &c, &s);
	return push_two(L, c * x - s * y, s * x + c * y);
}

static int get_local_vector(lua_State *L)
{
	double x, y, c, s;
	check_frame(L, "getLocalVector", &x, &y, &c, &s);
	return push_two(L, c * x + s * y, c * y - s * x);
}

/* --- Options -------------------------------------------------------------------------------------------------------------- */

static uint8_t option_locks(lua_State *L)
{
	static const uint8_t bits[] = {[LOCKS_X] = D2_LOCK_X, [LOCKS_Y] = D2_LOCK_Y, [LOCKS_ROTATION] = D2_LOCK_ROTATION};
	struct options options = {.function = "newBody: locks", .set = OPTIONS_LOCKS};
	uint8_t locks = 0;
	int top = lua_gettop(L);
	if (!lua_istable(L, top))
		raise_value(L, top, PATH("newBody", "locks"), "be a table {x =, y =, rotation =}");
	options_begin(L, &options, top, "locks");
	for (int option; (option = options_next(L, &options)) != 0;) {
		struct path path = options_path(&options);
		if (value_boolean(L, -1, &path))
			locks |= bits[option];
	}
	lua_settop(L, top);
	return locks;
}

void d2_body_option(lua_State *L, struct body_input *input, int option, const struct path *path)
{
	switch (option) {
	case BODY_ANGLE: input->angle = value_number(L, -1, path, &range_angle); break;
	case BODY_ANGULAR_VELOCITY: input->angular_velocity[0] = value_number(L, -1, path, &range_velocity); break;
	case BODY_INERTIA:
		input->inertia[0] = (float)value_number(L, -1, path, &range_mass);
		input->given_inertia = true;
		break;
	case BODY_LOCKS: input->locks = option_locks(L); break;
	}
}

uint32_t d2_body_make(struct world *world, const struct body_input *input)
{
	struct d2_pose pose = {input->position[0], input->position[1], d2_make_rot(input->angle)};
	return d2_body_create(world, input->type, &pose);
}

/* Values not given stay those of the shapes; the shapes' inertia scales with a given mass. */
static void mass_override(struct world *world, uint32_t body, const struct body_input *input)
{
	const struct d2_body *row = d2_row(world, body);
	if (!input->given_mass && !input->given_inertia && !input->given_center)
		return;
	float mass = input->given_mass ? input->mass : row->mass;
	float scaled = row->mass > 0 ? row->inertia * (mass / row->mass) : 0;
	float inertia = input->given_inertia ? input->inertia[0] : scaled;
	struct d2_vec center =
		input->given_center ? (struct d2_vec){(float)input->center[0], (float)input->center[1]} : row->local_center;
	d2_body_set_mass(world, body, &(struct d2_mass){mass, center, is_finite_f(inertia) ? inertia : 0});
}

void d2_body_apply(struct world *world, uint32_t body, const struct body_input *input)
{
	struct d2_vec v = {(float)input->velocity[0], (float)input->velocity[1]};
	float w = (float)input->angular_velocity[0];
	mass_override(world, body, input);
	if (input->locks)
		d2_body_set_locks(world, body, input->locks);
	if (v.x != 0 || v.y != 0 || w != 0)
		d2_body_set_velocity(world, body, v, w);
}

const luaL_Reg d2_body_methods[] = {
	{"getPosition", get_position},
	{"setPosition", set_position},
	{"getAngle", get_angle},
	{"setAngle", set_angle},
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
