/* body.c - bodies: poses, velocities and masses. See d2.h; functions that the core calls: core/wing.h.
 * Serial. */
#include "core/body.h"
#include "core/joint.h"
#include "core/link.h"
#include "core/misfit.h"
#include "core/sleep.h"
#include "core/touched.h"
#include "core/world_hash.h"
#include "d2/dynamics/joint.h"
#include "d2/dynamics/wing.h"

/* --- Mass ----------------------------------------------------------------------------------------------------------------- */

/* Sets mass, inertia and centre of mass from a body's shapes. Each inertia is moved to the common centre (Huygens, Steiner): I
 * = sum I_i + m_i |c_i - c|^2. */
static void mass_of_shapes(const struct world *world, const struct body *body, struct d2_body *row, struct d2_mover *mover)
{
	double mass = 0.0, x = 0.0, y = 0.0, inertia = 0.0;
	struct d2_mass part;
	uint32_t first = body->type == BODY_DYNAMIC ? body->colliders : NONE;
	for (uint32_t c = first; c != NONE; c = world->colliders.data[c].next) {
		d2_shape_mass(d2_collider_shape(world, c), world->colliders.data[c].density, &part);
		mass += (double)part.mass;
		x += (double)part.mass * (double)part.center.x;
		y += (double)part.mass * (double)part.center.y;
	}
	if (mass > 0.0) {
		x /= mass;
		y /= mass;
	}
	for (uint32_t c = first; c != NONE; c = world->colliders.data[c].next) {
		/* For a single shape `part` still has the result. */
		if (body->collider_count > 1)
			d2_shape_mass(d2_collider_shape(world, c), world->colliders.data[c].density, &part);
		double dx = (double)part.center.x - x, dy = (double)part.center.y - y;
		inertia += (double)part.inertia + (double)part.mass * (dx * dx + dy * dy);
	}
	row->mass = (float)mass;
	mover->inertia = (float)inertia;
	row->local_center = (struct d2_vec){(float)x, (float)y};
}

static void extents_widen(const struct world *world, uint32_t collider, struct d2_body *row)
{
	float least, most;
	d2_shape_extents(d2_collider_shape(world, collider), row->local_center, &least, &most);
	row->min_extent = min_f(row->min_extent, least);
	row->max_extent = max_f(row->max_extent, most);
	row->unbounded |= d2_shape_unbounded(d2_collider_shape(world, collider));
}

static void extents_update(const struct world *world, const struct body *body, struct d2_body *row)
{
	row->min_extent = 1e18f;
	row->max_extent = 0.0f;
	row->unbounded = false;
	for (uint32_t c = body->colliders; c != NONE; c = world->colliders.data[c].next)
		extents_widen(world, c, row);
}

/* The least inertia of a body with this joint: see LEVER. */
static float lever_inertia(const struct world *world, uint32_t key)
{
	const struct d2_joint *joint = d2_joint(world, key / 2);
	const struct d2_body *row = d2_row(world, joint_bodies(world, key / 2)[key % 2]);
	struct d2_vec r = d2_sub(key % 2 == 0 ? joint->local_a : joint->local_b, row->local_center);
	return LEVER * row->mass * d2_dot(r, r);
}

static bool lever_is_long(const struct world *world, uint32_t key)
{
	const struct d2_mover *mover = d2_mover(world, joint_bodies(world, key / 2)[key % 2]);
	return lever_inertia(world, key) > mover->inertia;
}

/* Sets the inverses that the solver uses, 0 where the body cannot move. */
static void inverses_update(struct world *world, uint32_t id)
{
	const struct body *body = &world->bodies.data[id];
	struct d2_body *row = d2_row(world, id);
	float inertia = d2_mover(world, id)->inertia;
	for (uint32_t key = body->links[LINK_JOINT]; key != NONE && inertia > 0.0f; key = link_next(world, LINK_JOINT, key))
		if (joint_has_levers(world, key / 2))
			inertia = max_f(inertia, lever_inertia(world, key));
	float inv_mass = body->type == BODY_DYNAMIC ? mass_inverse(row->mass) : 0.0f;
	row->inv_mass.x = row->locks & D2_LOCK_X ? 0.0f : inv_mass;
	row->inv_mass.y = row->locks & D2_LOCK_Y ? 0.0f : inv_mass;
	row->inv_inertia = body->type == BODY_DYNAMIC && (row->locks & D2_LOCK_ROTATION) == 0 ? mass_inverse(inertia) : 0.0f;
}

static float inertia_of(const struct d2_mass *mass)
{
	return mass->inertia;
}

/* --- Pose and velocity ---------------------------------------------------------------------------------------------------- */

typedef float spin;

const struct d2_mover d2_mover_default = {.gravity_scale = 1.0f};
static const struct d2_body start = {.min_extent = 1e18f};
static const struct d2_state resting = {.dq = {1.0f, 0.0f}};

static bool is_zero(struct d2_vec v, float w)
{
	return v.x == 0.0f && v.y == 0.0f && w == 0.0f;
}

static struct d2_vec turning(float w, struct d2_vec r)
{
	return d2_cross_sv(w, r);
}

static struct d2_mover *resting_velocity(const struct world *world, uint32_t id)
{
	return d2_mover(world, id);
}

static void row_hold(struct world *world, uint32_t id)
{
	const struct d2_body *row = d2_row(world, id);
	if (world->bodies.data[id].mover != 0)
		d2_mover(world, id)->start = (struct d2_start){row->x, row->y, row->q};
}

static void row_set_pose(struct world *world, uint32_t id, const struct d2_pose *pose)
{
	struct d2_body *row = d2_row(world, id);
	struct d2_vec r = d2_rotate(pose->q, row->local_center);
	row->x = pose->x + (double)r.x;
	row->y = pose->y + (double)r.y;
	row->q = pose->q;
	row_hold(world, id);
}

/* Whether a step at these velocities changes the pose. */
static bool moves_at(const struct world *world, const struct d2_body *row, struct d2_vec v, float w)
{
	double dt = body_step_time(world);
	return row->x + dt * (double)v.x != row->x || row->y + dt * (double)v.y != row->y || dt * (double)abs_f(w) > 0x1p-52;
}

static void locks_apply(const struct d2_body *row, struct d2_vec *v, float *w)
{
	v->x = row->locks & D2_LOCK_X ? 0.0f : v->x;
	v->y = row->locks & D2_LOCK_Y ? 0.0f : v->y;
	*w = row->locks & D2_LOCK_ROTATION ? 0.0f : *w;
}

#include "core/body_wing.h"

void d2_body_burden(struct world *world, uint32_t id, const float left[3], float left_turn)
{
	struct d2_body *row = d2_row(world, id);
	inverses_update(world, id);
	row->inv_mass.x *= left[0];
	row->inv_mass.y *= left[1];
	row->inv_inertia *= left_turn;
}

void d2_body_stiffen(struct world *world, uint32_t id, float left)
{
	d2_row(world, id)->inv_inertia *= left;
}

void d2_body_numbers(const struct world *world, uint32_t id, struct body_numbers *numbers)
{
	const struct d2_body *row = d2_row(world, id);
	float w;
	struct d2_vec v = d2_body_velocity(world, id, &w);
	const struct d2_mover *mover = d2_mover(world, id);
	*numbers = (struct body_numbers){{row->x, row->y}, {row->q.c, row->q.s}, {v.x, v.y}, {w}, mover->linear_damping,
		mover->angular_damping, mover->gravity_scale};
}

void d2_body_set_pose(struct world *world, uint32_t id, const struct d2_pose *pose)
{
	row_set_pose(world, id, pose);
	if (world->bodies.data[id].row != NONE)
		d2_state(world, id)->dq = resting.dq;
	body_teleported(world, id);
}

struct d2_vec d2_body_arm(const struct world *world, uint32_t id, struct d2_vec_d point)
{
	const struct d2_body *row = d2_row(world, id);
	return (struct d2_vec){(float)(point.x - row->x), (float)(point.y - row->y)};
}

void d2_body_move_to(struct world *world, uint32_t id, const struct d2_pose *pose, float dt)
{
	const struct d2_body *row = d2_row(world, id);
	struct d2_rot q = pose->q;
	float turn = d2_rot_angle(d2_inv_mul_rot(row->q, q));
	if (abs_f(turn) < BODY_LEAST_TURN) {
		turn = 0.0f;
		q = row->q;
	}
	struct d2_vec r = d2_rotate(q, row->local_center);
	struct d2_vec v = {(float)(body_displacement_to(row->x, pose->x + (double)r.x) / (double)dt),
		(float)(body_displacement_to(row->y, pose->y + (double)r.y) / (double)dt)};
	d2_body_set_velocity(world, id, v, turn / dt);
}

double d2_body_kinetic_energy(const struct world *world, uint32_t id)
{
	const struct d2_body *row = d2_row(world, id);
	float w;
	struct d2_vec v = d2_body_velocity(world, id, &w);
	return 0.5 *
		((double)row->mass * ((double)v.x * (double)v.x + (double)v.y * (double)v.y) +
			(double)d2_mover(world, id)->inertia * (double)w * (double)w);
}

/* --- Forces and impulses -------------------------------------------------------------------------------------------------- */

void d2_body_apply_force(struct world *world, uint32_t id, struct d2_vec force, float torque)
{
	struct d2_mover *mover = d2_mover(world, id);
	if (!body_pushed(world, id))
		return;
	record_touch(world, TOUCHED_BODIES, id);
	mover->force = d2_add(mover->force, force);
	mover->torque += torque;
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

void d2_body_kick(struct world *world, uint32_t id, struct vec3 impulse, struct vec3 angular_impulse)
{
	d2_body_apply_impulse(world, id, (struct d2_vec){(float)impulse.x, (float)impulse.y}, (float)angular_impulse.z);
}

void d2_body_press(struct world *world, uint32_t id, struct vec3 force, struct vec3 torque)
{
	d2_body_apply_force(world, id, (struct d2_vec){(float)force.x, (float)force.y}, (float)torque.z);
}

void d2_body_pressed(const struct world *world, uint32_t id, struct vec3 *force, struct vec3 *torque)
{
	const struct d2_mover *mover = d2_mover(world, id);
	*force = (struct vec3){(double)mover->force.x, (double)mover->force.y, 0.0};
	*torque = (struct vec3){0.0, 0.0, (double)mover->torque};
}

/* --- Fields --------------------------------------------------------------------------------------------------------------- */

struct frame3 d2_body_frame(const struct world *world, uint32_t id)
{
	const struct d2_body *row = d2_row(world, id);
	struct d2_rot_d q = d2_exact_rot(row->q);
	double x = row->x, y = row->y;
	if (world->bodies.data[id].row != NONE) {
		const struct d2_state *state = d2_state(world, id);
		q = d2_mul_rot_d(d2_exact_rot(state->dq), q);
		x += (double)state->dp.x;
		y += (double)state->dp.y;
	}
	double cx = row->local_center.x, cy = row->local_center.y;
	return (struct frame3){
		{x - (q.c * cx - q.s * cy), y - (q.s * cx + q.c * cy), 0.0}, {{q.c, q.s, 0.0}, {-q.s, q.c, 0.0}, {0.0, 0.0, 1.0}}};
}

/* The change of the velocities is linear in the step record: v' = (v + add) scale. A drag rate c with the velocity u of what
 * drags makes it (v + add + h c u) / (1/scale + h c). */
void d2_step_push(struct world *world, uint32_t i, const void *base, const struct field_push *push)
{
	uint32_t id = world->awake.data[i];
	const struct d2_body *body = d2_row(world, id);
	const struct d2_mover *mover = d2_mover(world, id);
	const struct burden *burden = world->step.burdened ? burden_of(world, id) : world->burdens.data;
	struct d2_step_row *row = &d2_step_rows(world)[i];
	float h = world->step.h, *add = &row->add.x, *scale = &row->scale.x;
	const float *inv_mass = &body->inv_mass.x;
	const double gravity[] = {push->gravity.x, push->gravity.y}, other[] = {push->acceleration.x, push->acceleration.y};
	const double force[] = {push->force.x + push->carried.x, push->force.y + push->carried.y};
	memcpy(row, base, offsetof(struct d2_step_row, v));
	for (int k = 0; k < 2; ++k) {
		if (!(inv_mass[k] > 0.0f))
			continue;
		float pulled = mover->gravity_scale * ((float)gravity[k] - (push->weightless ? world->gravity[k] : 0.0f));
		add[k] += h * (burden->left[k] * (pulled + (float)other[k]) + inv_mass[k] * (float)force[k]);
		scale[k] /= 1.0f + h * inv_mass[k] * (float)push->drag * scale[k];
	}
	float hold = (float)push->turn_hold + body->inv_inertia * (float)push->turn_stiffness;
	row->add_w += h * (body->inv_inertia * (float)push->torque.z + hold * d2_state(world, id)->w);
	row->scale_w /= 1.0f + h * (hold + (float)push->turn_drag) * row->scale_w;
}
