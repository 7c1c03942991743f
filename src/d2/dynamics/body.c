/* body.c - bodies: poses, velocities and masses. See d2.h, and wing.h for the functions that the core calls.
 * Serial. */
#include "core/body.h"
#include "core/mass.h"
#include "core/sleep.h"
#include "d2/dynamics/wing.h"

/* --- Called by the core --------------------------------------------------------------------------------------------------- */

void d2_state_load(struct world *world, uint32_t id)
{
	const struct d2_body *row = d2_row(world, id);
	*d2_state(world, id) = (struct d2_state){.v = row->v, .w = row->w, .dq = {1.0f, 0.0f}};
}

void d2_state_store(struct world *world, uint32_t id)
{
	struct d2_body *row = d2_row(world, id);
	const struct d2_state *state = d2_state(world, id);
	row->v = state->v;
	row->w = state->w;
}

void d2_body_stop(struct world *world, uint32_t id)
{
	struct d2_body *row = d2_row(world, id);
	row->v = row->force = (struct d2_vec){0.0f, 0.0f};
	row->w = row->torque = 0.0f;
	row->x0 = row->x;
	row->y0 = row->y;
	row->q0 = row->q;
	if (world->bodies.data[id].row != NONE)
		d2_state_load(world, id);
}

bool d2_body_moves(const struct world *world, uint32_t id)
{
	const struct d2_state *state = d2_state(world, id);
	return state->v.x != 0.0f || state->v.y != 0.0f || state->w != 0.0f;
}

uint64_t d2_body_hash(const struct world *world, uint32_t id, uint64_t hash)
{
	const struct d2_body *row = d2_row(world, id);
	float w;
	struct d2_vec v = d2_body_velocity(world, id, &w);
	hash = body_hash_word(hash, id);
	hash = body_hash_word(hash, scalar_bits_d(row->x));
	hash = body_hash_word(hash, scalar_bits_d(row->y));
	hash = body_hash_pair(hash, row->q.c, row->q.s);
	hash = body_hash_pair(hash, v.x, v.y);
	return body_hash_pair(hash, w, 0.0f);
}

/* --- Mass ----------------------------------------------------------------------------------------------------------------- */

/* The sum of the shapes' masses. Each inertia is moved to the common centre (Huygens, Steiner): I = sum I_i + m_i |c_i -
 * c|^2. */
static void mass_of_shapes(const struct world *world, const struct body *body, struct d2_body *row)
{
	double mass = 0.0, x = 0.0, y = 0.0, inertia = 0.0;
	struct d2_mass part;
	for (uint32_t c = body->colliders; c != NONE; c = world->colliders.data[c].next) {
		d2_shape_mass(d2_collider_shape(world, c), world->colliders.data[c].material.density, &part);
		mass += (double)part.mass;
		x += (double)part.mass * (double)part.center.x;
		y += (double)part.mass * (double)part.center.y;
	}
	if (mass > 0.0) {
		x /= mass;
		y /= mass;
	}
	for (uint32_t c = body->colliders; c != NONE; c = world->colliders.data[c].next) {
		d2_shape_mass(d2_collider_shape(world, c), world->colliders.data[c].material.density, &part);
		double dx = (double)part.center.x - x, dy = (double)part.center.y - y;
		inertia += (double)part.inertia + (double)part.mass * (dx * dx + dy * dy);
	}
	row->mass = (float)mass;
	row->inertia = (float)inertia;
	row->local_center = (struct d2_vec){(float)x, (float)y};
}

static void extents_widen(const struct world *world, uint32_t collider, struct d2_body *row)
{
	float least, most;
	d2_shape_extents(d2_collider_shape(world, collider), row->local_center, &least, &most);
	row->min_extent = min_f(row->min_extent, least);
	row->max_extent = max_f(row->max_extent, most);
}

static void extents_update(const struct world *world, const struct body *body, struct d2_body *row)
{
	row->min_extent = 1e18f;
	row->max_extent = 0.0f;
	for (uint32_t c = body->colliders; c != NONE; c = world->colliders.data[c].next)
		extents_widen(world, c, row);
}

/* The mass and centre of a non-dynamic body do not depend on its shapes. */
void d2_body_extend(struct world *world, uint32_t id, uint32_t collider)
{
	extents_widen(world, collider, d2_row(world, id));
}

/* The inverses that the solver uses: 0 where the body cannot move. */
static void inverses_update(const struct body *body, struct d2_body *row)
{
	float inv_mass = body->type == BODY_DYNAMIC ? mass_inverse(row->mass) : 0.0f;
	row->inv_mass.x = row->locks & D2_LOCK_X ? 0.0f : inv_mass;
	row->inv_mass.y = row->locks & D2_LOCK_Y ? 0.0f : inv_mass;
	row->inv_inertia = body->type == BODY_DYNAMIC && (row->locks & D2_LOCK_ROTATION) == 0 ? mass_inverse(row->inertia) : 0.0f;
}

float d2_body_weight(const struct world *world, uint32_t id)
{
	return d2_row(world, id)->mass;
}

void d2_body_burden(struct world *world, uint32_t id, const float left[3], float left_turn)
{
	struct d2_body *row = d2_row(world, id);
	inverses_update(&world->bodies.data[id], row);
	row->inv_mass.x *= left[0];
	row->inv_mass.y *= left[1];
	row->inv_inertia *= left_turn;
}

static void row_place(struct d2_body *row, const struct d2_pose *pose)
{
	struct d2_vec r = d2_rotate(pose->q, row->local_center);
	row->x = row->x0 = pose->x + (double)r.x;
	row->y = row->y0 = pose->y + (double)r.y;
	row->q = row->q0 = pose->q;
}

/* Moves the centre of mass within the body. The pose and the velocities of the body's points do not change. */
static void center_move(struct world *world, uint32_t id, const struct d2_pose *pose, struct d2_vec old_center)
{
	struct d2_body *row = d2_row(world, id);
	row_place(row, pose);
	struct d2_vec moved = d2_rotate(row->q, d2_sub(row->local_center, old_center));
	float w;
	struct d2_vec v = d2_body_velocity(world, id, &w);
	row->v = d2_add(v, d2_cross_sv(w, moved));
	row->w = w;
	if (world->bodies.data[id].row != NONE)
		d2_state_load(world, id);
	body_nudged(world, id);
}

void d2_body_mass(struct world *world, uint32_t id)
{
	const struct body *body = &world->bodies.data[id];
	struct d2_body *row = d2_row(world, id);
	struct d2_pose pose = d2_row_pose(row);
	struct d2_vec old_center = row->local_center;
	if (!body->mass_overridden) {
		row->mass = row->inertia = 0.0f;
		row->local_center = (struct d2_vec){0.0f, 0.0f};
		if (body->type == BODY_DYNAMIC)
			mass_of_shapes(world, body, row);
	}
	extents_update(world, body, row);
	inverses_update(body, row);
	if (row->local_center.x != old_center.x || row->local_center.y != old_center.y)
		center_move(world, id, &pose, old_center);
}

void d2_body_set_mass(struct world *world, uint32_t id, float mass, struct d2_vec local_center, float inertia)
{
	struct d2_body *row = d2_row(world, id);
	struct d2_pose pose = d2_row_pose(row);
	struct d2_vec old_center = row->local_center;
	row->mass = mass;
	row->inertia = inertia;
	row->local_center = local_center;
	world->bodies.data[id].mass_overridden = true;
	extents_update(world, &world->bodies.data[id], row);
	inverses_update(&world->bodies.data[id], row);
	center_move(world, id, &pose, old_center);
	body_wake(world, id);
}

void d2_body_set_locks(struct world *world, uint32_t id, uint8_t locks)
{
	struct d2_body *row = d2_row(world, id);
	row->locks = locks;
	inverses_update(&world->bodies.data[id], row);
	float w;
	struct d2_vec v = d2_body_velocity(world, id, &w);
	d2_body_set_velocity(world, id, v, w);
	body_wake(world, id);
}

/* --- Pose and velocity ---------------------------------------------------------------------------------------------------- */

uint32_t d2_body_create(struct world *world, enum body_type type, double x, double y, double angle)
{
	uint32_t id = body_create(world, type);
	if (id == NONE)
		return NONE;
	struct d2_body *row = d2_row(world, id);
	row_place(row, &(struct d2_pose){x, y, d2_make_rot(angle)});
	row->gravity_scale = 1.0f;
	row->min_extent = 1e18f;
	return id;
}

struct d2_pose d2_body_pose(const struct world *world, uint32_t id)
{
	return d2_row_pose(d2_row(world, id));
}

void d2_body_set_pose(struct world *world, uint32_t id, double x, double y, struct d2_rot q)
{
	struct d2_body *row = d2_row(world, id);
	row_place(row, &(struct d2_pose){x, y, q});
	if (world->bodies.data[id].row != NONE)
		d2_state(world, id)->dq = (struct d2_rot){1.0f, 0.0f};
	body_teleported(world, id);
}

struct d2_vec d2_body_velocity(const struct world *world, uint32_t id, float *w)
{
	if (world->bodies.data[id].row == NONE) {
		const struct d2_body *row = d2_row(world, id);
		*w = row->w;
		return row->v;
	}
	const struct d2_state *state = d2_state(world, id);
	*w = state->w;
	return state->v;
}

/* Whether a step at these velocities changes the pose. */
static bool moves_at(const struct world *world, const struct d2_body *row, struct d2_vec v, float w)
{
	double dt = body_step_time(world);
	return row->x + dt * (double)v.x != row->x || row->y + dt * (double)v.y != row->y || dt * (double)abs_f(w) > 0x1p-52;
}

void d2_body_set_velocity(struct world *world, uint32_t id, struct d2_vec v, float w)
{
	struct body *body = &world->bodies.data[id];
	struct d2_body *row = d2_row(world, id);
	if (body->type == BODY_STATIC)
		return;
	if (body->type == BODY_KINEMATIC && !moves_at(world, row, v, w)) {
		v = (struct d2_vec){0.0f, 0.0f};
		w = 0.0f;
	}
	bool moves = v.x != 0.0f || v.y != 0.0f || w != 0.0f;
	if (body->type == BODY_DYNAMIC) {
		v.x = row->locks & D2_LOCK_X ? 0.0f : v.x;
		v.y = row->locks & D2_LOCK_Y ? 0.0f : v.y;
		w = row->locks & D2_LOCK_ROTATION ? 0.0f : w;
	}
	if (!body_velocity_changes(world, id, moves))
		return;
	row->v = v;
	row->w = w;
	if (body->row != NONE) {
		d2_state(world, id)->v = v;
		d2_state(world, id)->w = w;
	}
}

struct d2_vec d2_body_arm(const struct world *world, uint32_t id, double x, double y)
{
	const struct d2_body *row = d2_row(world, id);
	return (struct d2_vec){(float)(x - row->x), (float)(y - row->y)};
}

struct d2_vec d2_body_velocity_at(const struct world *world, uint32_t id, double x, double y)
{
	float w;
	struct d2_vec v = d2_body_velocity(world, id, &w);
	return d2_add(v, d2_cross_sv(w, d2_body_arm(world, id, x, y)));
}

void d2_body_move_to(struct world *world, uint32_t id, double x, double y, struct d2_rot q, float dt)
{
	const struct d2_body *row = d2_row(world, id);
	float turn = d2_rot_angle(d2_inv_mul_rot(row->q, q));
	if (abs_f(turn) < BODY_LEAST_TURN) {
		turn = 0.0f;
		q = row->q;
	}
	struct d2_vec r = d2_rotate(q, row->local_center);
	struct d2_vec v = {(float)(body_displacement_to(row->x, x + (double)r.x) / (double)dt),
		(float)(body_displacement_to(row->y, y + (double)r.y) / (double)dt)};
	d2_body_set_velocity(world, id, v, turn / dt);
}

double d2_body_kinetic_energy(const struct world *world, uint32_t id)
{
	const struct d2_body *row = d2_row(world, id);
	float w;
	struct d2_vec v = d2_body_velocity(world, id, &w);
	return 0.5 *
		((double)row->mass * ((double)v.x * (double)v.x + (double)v.y * (double)v.y) +
			(double)row->inertia * (double)w * (double)w);
}

void d2_body_apply_force(struct world *world, uint32_t id, struct d2_vec force, float torque)
{
	struct d2_body *row = d2_row(world, id);
	if (!body_pushed(world, id))
		return;
	row->force = d2_add(row->force, force);
	row->torque += torque;
}

void d2_body_apply_impulse(struct world *world, uint32_t id, struct d2_vec impulse, float angular_impulse)
{
	const struct d2_body *row = d2_row(world, id);
	if (!body_pushed(world, id))
		return;
	struct d2_state *state = d2_state(world, id);
	state->v.x += row->inv_mass.x * impulse.x;
	state->v.y += row->inv_mass.y * impulse.y;
	state->w += row->inv_inertia * angular_impulse;
}
