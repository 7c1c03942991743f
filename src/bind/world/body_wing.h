/* body_wing.h - methods of bodies that are the same in 2D and 3D. d2_body.c and d3_body.c include it after they have defined
 * the differences: rotations, angular velocities (TURN, of TURNS floats), bounds on the effect of forces, and names. */
#pragma once
#include "base/cache.h"

static struct world *check_here(lua_State *L, const char *function, uint32_t *body)
{
	return check_body_of(L, function, &CLASS(body), body)->world;
}

static struct world *check_here_change(lua_State *L, const char *function, uint32_t *body)
{
	struct world_object *object = check_body_of(L, function, &CLASS(body), body);
	check_unlocked(L, object, function);
	return object->world;
}

/* The wing's record of the body that is the first argument. */
static const struct WING(body) * check_row(lua_State *L, const char *function)
{
	uint32_t body;
	const struct world *world = check_here(L, function, &body);
	return WING(row)(world, body);
}

static inline int push_vec_d(lua_State *L, struct WING(vec_d) p)
{
	for (int i = 0; i < AXES; ++i)
		lua_pushnumber(L, (&p.x)[i]);
	return AXES;
}

static inline int push_floats(lua_State *L, int count, const float *numbers)
{
	for (int i = 0; i < count; ++i)
		lua_pushnumber(L, numbers[i]);
	return count;
}

static int push_turn(lua_State *L, TURN turn)
{
	return push_floats(L, TURNS, (const float *)&turn);
}

static struct WING(vec) vector_from(const double numbers[AXES])
{
	struct WING(vec) v;
	for (int i = 0; i < AXES; ++i)
		(&v.x)[i] = (float)numbers[i];
	return v;
}

static inline struct WING(vec)
	arg_vector(lua_State *L, int index, const char *function, const char *const *names, const struct range *range)
{
	struct WING(vec) v;
	for (int i = 0; i < AXES; ++i)
		(&v.x)[i] = arg_float(L, index + i, function, names[i], range);
	return v;
}

static inline struct WING(vec_d) arg_position(lua_State *L, int index, const char *function)
{
	struct WING(vec_d) p;
	for (int i = 0; i < AXES; ++i)
		(&p.x)[i] = arg_number(L, index + i, function, axis_names[i], &range_position);
	return p;
}

static inline TURN arg_turn(lua_State *L, const char *function, const char *const *names, const struct range *range)
{
	TURN turn;
	for (int i = 0; i < TURNS; ++i)
		((float *)&turn)[i] = arg_float(L, 2 + i, function, names[i], range);
	return turn;
}

static struct WING(vec_d) origin_of(const struct WING(pose) * pose)
{
	return (struct WING(vec_d)){COORDINATES(*pose)};
}

/* --- Pose ----------------------------------------------------------------------------------------------------------------- */

static int get_position(lua_State *L)
{
	uint32_t body;
	const struct world *world = check_here(L, "getPosition", &body);
	struct WING(pose) pose = WING(body_pose)(world, body);
	return push_vec_d(L, origin_of(&pose));
}

static int set_position(lua_State *L)
{
	uint32_t body;
	struct world *world = check_here_change(L, "setPosition", &body);
	struct WING(vec_d) p = arg_position(L, 2, "setPosition");
	WING(body_set_pose)(world, body, &(struct WING(pose)){COORDINATES(p), WING(body_pose)(world, body).q});
	return 0;
}

static int get_rotation(lua_State *L)
{
	uint32_t body;
	const struct world *world = check_here(L, "get" ROTATION_NAME, &body);
	return push_rotation(L, WING(body_pose)(world, body).q);
}

static int set_rotation(lua_State *L)
{
	uint32_t body;
	struct world *world = check_here_change(L, "set" ROTATION_NAME, &body);
	ROTATION q = arg_rotation(L, 2, "set" ROTATION_NAME);
	struct WING(pose) pose = WING(body_pose)(world, body);
	pose.q = q;
	WING(body_set_pose)(world, body, &pose);
	return 0;
}

static int push_pose(lua_State *L, struct WING(pose) pose)
{
	push_vec_d(L, origin_of(&pose));
	return AXES + push_rotation(L, pose.q);
}

int WING(push_transform)(lua_State *L, const struct world *world, uint32_t body)
{
	return push_pose(L, WING(body_pose)(world, body));
}

int WING(push_render_transform)(lua_State *L, const struct world *world, uint32_t body)
{
	return push_pose(L, WING(body_render_pose)(world, body));
}

static int get_transform(lua_State *L)
{
	uint32_t body;
	const struct world *world = check_here(L, "getTransform", &body);
	return WING(push_transform)(L, world, body);
}

static int set_transform(lua_State *L)
{
	uint32_t body;
	struct world *world = check_here_change(L, "setTransform", &body);
	struct WING(vec_d) p = arg_position(L, 2, "setTransform");
	ROTATION q = arg_rotation(L, 2 + AXES, "setTransform");
	WING(body_set_pose)(world, body, &(struct WING(pose)){COORDINATES(p), q});
	return 0;
}

static int get_render_position(lua_State *L)
{
	uint32_t body;
	const struct world *world = check_here(L, "getRenderPosition", &body);
	struct WING(pose) pose = WING(body_render_pose)(world, body);
	return push_vec_d(L, origin_of(&pose));
}

static int get_render_rotation(lua_State *L)
{
	uint32_t body;
	const struct world *world = check_here(L, "getRender" ROTATION_NAME, &body);
	return push_rotation(L, WING(body_render_pose)(world, body).q);
}

static int get_render_transform(lua_State *L)
{
	uint32_t body;
	const struct world *world = check_here(L, "getRenderTransform", &body);
	return WING(push_render_transform)(L, world, body);
}

/* Sets the velocity that moves the body to the pose in dt [s]. dt = 0 is refused: the velocity would be infinite. */
static int move_to(lua_State *L)
{
	uint32_t body;
	struct world *world = check_here_change(L, "moveTo", &body);
	struct WING(vec_d) p = arg_position(L, 2, "moveTo");
	ROTATION q = arg_rotation(L, 2 + AXES, "moveTo");
	double dt = arg_number(L, 2 + AXES + ROTATIONS, "moveTo", "dt", &range_duration), distance = 0;
	struct WING(pose) pose = WING(body_pose)(world, body);
	for (int i = 0; i < AXES; ++i)
		distance = max_d(distance, fabs((&p.x)[i] - (&pose.x)[i]));
	if (!(distance / dt <= range_velocity.high))
		raise_error(L, "moveTo: that would take a speed of %f, more than %f", distance / dt, range_velocity.high);
	WING(body_move_to)(world, body, &(struct WING(pose)){COORDINATES(p), q}, (float)dt);
	return 0;
}

/* --- Velocity ------------------------------------------------------------------------------------------------------------- */

static int get_linear_velocity(lua_State *L)
{
	uint32_t body;
	TURN w;
	const struct world *world = check_here(L, "getLinearVelocity", &body);
	struct WING(vec) v = WING(body_velocity)(world, body, &w);
	return push_floats(L, AXES, &v.x);
}

static int set_linear_velocity(lua_State *L)
{
	uint32_t body;
	TURN w;
	struct world *world = check_here(L, "setLinearVelocity", &body);
	struct WING(vec) v = arg_vector(L, 2, "setLinearVelocity", axis_names, &range_velocity);
	WING(body_velocity)(world, body, &w);
	WING(body_set_velocity)(world, body, v, w);
	return 0;
}

static int get_angular_velocity(lua_State *L)
{
	uint32_t body;
	TURN w;
	const struct world *world = check_here(L, "getAngularVelocity", &body);
	WING(body_velocity)(world, body, &w);
	return push_turn(L, w);
}

static int set_angular_velocity(lua_State *L)
{
	uint32_t body;
	TURN before;
	struct world *world = check_here(L, "setAngularVelocity", &body);
	TURN w = arg_turn(L, "setAngularVelocity", angular_velocity_names, &range_velocity);
	struct WING(vec) v = WING(body_velocity)(world, body, &before);
	WING(body_set_velocity)(world, body, v, w);
	return 0;
}

static int get_velocity_at(lua_State *L)
{
	uint32_t body;
	const struct world *world = check_here(L, "getVelocityAt", &body);
	struct WING(vec_d) p = arg_position(L, 2, "getVelocityAt");
	struct WING(vec) v = WING(body_velocity_at)(world, body, p);
	return push_floats(L, AXES, &v.x);
}

/* --- Forces --------------------------------------------------------------------------------------------------------------- */

struct push {
	struct WING(vec) push; /* force or impulse */
	TURN turn; /* its torque or angular impulse about the centre of mass */
};

/* The largest acceleration along an axis by the force on the centre of mass, together with the accumulated one. */
static double force_effect(const struct WING(body) * row, struct WING(vec) force, struct WING(vec) before)
{
	double effect = 0;
	for (int i = 0; i < AXES; ++i) {
		double strength = fabs((double)(&force.x)[i]) + fabs((double)(&before.x)[i]);
		effect = max_d(effect, strength * (double)(&row->inv_mass.x)[i]);
	}
	return effect;
}

/* Reads a force or impulse and its point of application, by default the centre of mass. Raises if its effect and that of the
 * accumulated `force` and `torque` together are too strong, see check_effect. */
static struct push check_push(lua_State *L, const char *function, const struct world *world, uint32_t body,
	const char *const *names, struct WING(vec) force, TURN torque)
{
	struct push push = {.push = arg_vector(L, 2, function, names, &range_force)};
	const struct WING(body) *row = WING(row)(world, body);
	bool centered = true;
	for (int i = 0; i < AXES; ++i)
		centered = centered && lua_isnoneornil(L, 2 + AXES + i);
	check_effect(L, function, force_effect(row, push.push, force));
	if (!centered) {
		struct WING(vec_d) at = arg_position(L, 2 + AXES, function);
		TURN_SIZE lever = turn_of(WING(sub_d)(at, (struct WING(vec_d)){COORDINATES(*row)}), push.push);
		check_effect(L, function, turn_effect(row, lever, torque));
		if (!(greatest(lever) <= 1e30))
			raise_error(L, "%s: the point " POINT " is too far away", function);
		push.turn = WING(cross)(WING(body_arm)(world, body, at), push.push);
	}
	return push;
}

static int apply_force(lua_State *L)
{
	static const char *const names[] = {"fx", "fy", "fz"};
	uint32_t body;
	struct world *world = check_here(L, "applyForce", &body);
	const struct WING(mover) *mover = WING(mover)(world, body);
	struct push push = check_push(L, "applyForce", world, body, names, mover->force, mover->torque);
	WING(body_apply_force)(world, body, push.push, push.turn);
	return 0;
}

static int apply_torque(lua_State *L)
{
	uint32_t body;
	struct world *world = check_here(L, "applyTorque", &body);
	TURN torque = arg_turn(L, "applyTorque", torque_names, &range_force);
	check_effect(L, "applyTorque", turn_effect(WING(row)(world, body), size_of(torque), WING(mover)(world, body)->torque));
	WING(body_apply_force)(world, body, (struct WING(vec)){0}, torque);
	return 0;
}

static int apply_impulse(lua_State *L)
{
	static const char *const names[] = {"ix", "iy", "iz"};
	uint32_t body;
	struct world *world = check_here(L, "applyImpulse", &body);
	struct push push = check_push(L, "applyImpulse", world, body, names, (struct WING(vec)){0}, (TURN){0});
	WING(body_apply_impulse)(world, body, push.push, push.turn);
	return 0;
}

static int apply_angular_impulse(lua_State *L)
{
	uint32_t body;
	struct world *world = check_here(L, "applyAngularImpulse", &body);
	TURN impulse = arg_turn(L, "applyAngularImpulse", angular_impulse_names, &range_force);
	check_effect(L, "applyAngularImpulse", turn_effect(WING(row)(world, body), size_of(impulse), (TURN){0}));
	WING(body_apply_impulse)(world, body, (struct WING(vec)){0}, impulse);
	return 0;
}

/* --- Rows of flat lists --------------------------------------------------------------------------------------------------- */

enum { ROWS_AHEAD = 16 }; /* prefetch distance [bodies] */

static void transforms_read(const struct world *world, const uint32_t *bodies, uint32_t count, double *rows)
{
	for (uint32_t i = 0; i < count; ++i, rows += AXES + ROTATIONS) {
		if (i + ROWS_AHEAD < count)
			cache_prefetch_line(WING(row)(world, bodies[i + ROWS_AHEAD]));
		struct WING(pose) pose = WING(body_pose)(world, bodies[i]);
		for (int k = 0; k < AXES; ++k)
			rows[k] = (&pose.x)[k];
		read_rotation(pose.q, rows + AXES);
	}
}

static const char *transform_check(const struct world *world, uint32_t body, const double *row)
{
	ROTATION q;
	(void)world, (void)body;
	return row_rotation(row + AXES, &q) ? NULL : "the quaternion must not be zero";
}

static void transform_write(struct world *world, uint32_t body, const double *row)
{
	struct WING(pose) pose;
	for (int k = 0; k < AXES; ++k)
		(&pose.x)[k] = row[k];
	row_rotation(row + AXES, &pose.q);
	WING(body_set_pose)(world, body, &pose);
}

static void velocities_read(const struct world *world, const uint32_t *bodies, uint32_t count, double *rows)
{
	for (uint32_t i = 0; i < count; ++i, rows += AXES + TURNS) {
		TURN w;
		struct WING(vec) v = WING(body_velocity)(world, bodies[i], &w);
		for (int k = 0; k < AXES; ++k)
			rows[k] = (&v.x)[k];
		for (int k = 0; k < TURNS; ++k)
			rows[AXES + k] = ((const float *)&w)[k];
	}
}

static void velocity_write(struct world *world, uint32_t body, const double *row)
{
	TURN w;
	for (int k = 0; k < TURNS; ++k)
		((float *)&w)[k] = (float)row[AXES + k];
	WING(body_set_velocity)(world, body, vector_from(row), w);
}

static const char *force_check(const struct world *world, uint32_t body, const double *row)
{
	double effect = force_effect(WING(row)(world, body), vector_from(row), WING(mover)(world, body)->force);
	return effect <= EFFECT_MOST ? NULL : "too strong for so light a body";
}

static void force_write(struct world *world, uint32_t body, const double *row)
{
	WING(body_apply_force)(world, body, vector_from(row), (TURN){0});
}

const struct rows WING(flat_rows)[ROWS_KINDS] = {
	[ROWS_TRANSFORMS] = {AXES + ROTATIONS, &range_position, AXES == 2 ? &range_angle : &range_any, transforms_read,
		transform_check, transform_write},
	[ROWS_VELOCITIES] = {AXES + TURNS, &range_velocity, &range_velocity, velocities_read, NULL, velocity_write},
	[ROWS_FORCES] = {AXES, &range_force, NULL, NULL, force_check, force_write},
};

/* --- Mass ----------------------------------------------------------------------------------------------------------------- */

static int get_inertia(lua_State *L)
{
	uint32_t body;
	const struct world *world = check_here(L, "getInertia", &body);
	return push_floats(L, INERTIAS, (const float *)&WING(mover)(world, body)->inertia);
}

static int get_center(lua_State *L)
{
	const struct WING(body) *row = check_row(L, "getCenter");
	return push_vec_d(L, (struct WING(vec_d)){COORDINATES(*row)});
}

static int get_local_center(lua_State *L)
{
	return push_floats(L, AXES, &check_row(L, "getLocalCenter")->local_center.x);
}

/* Address of the moment of inertia, or of the six numbers of the tensor. */
static float *inertia_of(struct WING(mass) * data)
{
	return (void *)((char *)data + offsetof(struct WING(mass), INERTIA));
}

static int set_mass_data(lua_State *L)
{
	static const char *const names[] = {"cx", "cy", "cz"};
	uint32_t body;
	struct world *world = check_here_change(L, "setMassData", &body);
	struct WING(mass) data = {.mass = arg_float(L, 2, "setMassData", "mass", &range_mass)};
	data.center = arg_vector(L, 3, "setMassData", names, &range_local);
	arg_inertia(L, 3 + AXES, "setMassData", inertia_of(&data));
	if (!body_own_mover(world, body))
		raise_memory(L, "setMassData");
	WING(body_set_mass)(world, body, &data);
	return 0;
}

/* Sets the mass, centre and inertia given to newBody. Those not given stay those of the shapes, but a given mass scales the
 * shapes' inertia. An inertia beyond the range of floats becomes 0. */
static void mass_override(struct world *world, uint32_t body, const struct body_input *input)
{
	const struct WING(body) *row = WING(row)(world, body);
	if (!input->given_mass && !input->given_inertia && !input->given_center)
		return;
	struct WING(mass) data = {.mass = input->given_mass ? input->mass : row->mass};
	float scale = row->mass > 0 ? data.mass / row->mass : 0, *inertia = inertia_of(&data);
	bool finite = true;
	data.center = input->given_center ? vector_from(input->center) : row->local_center;
	for (int i = 0; i < INERTIAS; ++i) {
		inertia[i] = input->given_inertia ? input->inertia[i] : scale * ((const float *)&WING(mover)(world, body)->inertia)[i];
		finite = finite && is_finite_f(inertia[i]);
	}
	for (int i = 0; i < INERTIAS && !finite; ++i)
		inertia[i] = 0;
	WING(body_set_mass)(world, body, &data);
}

void WING(body_apply)(struct world *world, uint32_t body, const struct body_input *input)
{
	TURN w;
	bool moves = false;
	mass_override(world, body, input);
	if (input->locks)
		WING(body_set_locks)(world, body, input->locks);
	for (int i = 0; i < TURNS; ++i)
		((float *)&w)[i] = (float)input->angular_velocity[i];
	for (int i = 0; i < 3; ++i)
		moves = moves || (float)input->velocity[i] != 0 || (float)input->angular_velocity[i] != 0;
	if (moves)
		WING(body_set_velocity)(world, body, vector_from(input->velocity), w);
}

/* --- Locks ---------------------------------------------------------------------------------------------------------------- */

enum { LOCKS = sizeof lock_names / sizeof *lock_names }; /* bit i of the locks stands for lock_names[i] */

static int get_locks(lua_State *L)
{
	uint8_t locks = check_row(L, "getLocks")->locks;
	for (int i = 0; i < LOCKS; ++i)
		lua_pushboolean(L, locks >> i & 1);
	return LOCKS;
}

static int set_locks(lua_State *L)
{
	uint32_t body;
	uint8_t locks = 0;
	struct world *world = check_here_change(L, "setLocks", &body);
	for (int i = 0; i < LOCKS; ++i)
		locks |= (uint8_t)(arg_boolean(L, 2 + i, "setLocks", lock_names[i]) << i);
	WING(body_set_locks)(world, body, locks);
	return 0;
}

static uint8_t option_locks(lua_State *L, const struct path *path)
{
	char function[32];
	struct options options = {.path = {function, NULL, 0, "locks", 0}, .set = LOCK_OPTIONS};
	uint8_t locks = 0;
	int top = lua_gettop(L);
	if (!lua_istable(L, top))
		raise_value(L, top, path, LOCKS_MUST);
	snprintf(function, sizeof function, "%s: locks", path->function);
	options_begin(L, shared_state(L), &options, top);
	for (int option; (option = options_next(L, &options)) != 0;)
		locks |= (uint8_t)(value_boolean(L, -1, &options.path) << (option - 1));
	lua_settop(L, top);
	return locks;
}

/* --- Frames --------------------------------------------------------------------------------------------------------------- */

/* Reads a point or vector, and returns the body's pose. */
static struct WING(pose) check_frame(lua_State *L, const char *function, struct WING(vec_d) * p)
{
	uint32_t body;
	const struct world *world = check_here(L, function, &body);
	*p = arg_position(L, 2, function);
	return WING(body_pose)(world, body);
}

static int get_world_point(lua_State *L)
{
	struct WING(vec_d) p;
	struct WING(pose) pose = check_frame(L, "getWorldPoint", &p);
	return push_vec_d(L, WING(add_d)(origin_of(&pose), rotated(pose.q, p)));
}

static int get_local_point(lua_State *L)
{
	struct WING(vec_d) p;
	struct WING(pose) pose = check_frame(L, "getLocalPoint", &p);
	return push_vec_d(L, unrotated(pose.q, WING(sub_d)(p, origin_of(&pose))));
}

static int get_world_vector(lua_State *L)
{
	struct WING(vec_d) p;
	struct WING(pose) pose = check_frame(L, "getWorldVector", &p);
	return push_vec_d(L, rotated(pose.q, p));
}

static int get_local_vector(lua_State *L)
{
	struct WING(vec_d) p;
	struct WING(pose) pose = check_frame(L, "getLocalVector", &p);
	return push_vec_d(L, unrotated(pose.q, p));
}

const luaL_Reg WING(body_methods)[] = {
	{"getPosition", get_position},
	{"setPosition", set_position},
	{"get" ROTATION_NAME, get_rotation},
	{"set" ROTATION_NAME, set_rotation},
	{"getTransform", get_transform},
	{"setTransform", set_transform},
	{"getRenderPosition", get_render_position},
	{"getRender" ROTATION_NAME, get_render_rotation},
	{"getRenderTransform", get_render_transform},
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
