/* body.c - bodies with poses, velocities and masses. See d3.h and, for the functions that the core calls, core/wing.h.
 * Functions that change a body are serial, except d3_row_turned. */
#include "core/body.h"
#include "core/joint.h"
#include "core/link.h"
#include "core/misfit.h"
#include "core/sleep.h"
#include "core/touched.h"
#include "core/world_hash.h"
#include "d3/dynamics/inertia.h"
#include "d3/dynamics/joint.h"
#include "d3/query/sweep.h"
#include "d3/dynamics/wing.h"

float d3_row_turning(const struct d3_body *row, const struct d3_mover *mover, struct d3_vec w)
{
	struct d3_rot frame = d3_quat_rot(d3_mul_quat(row->q, mover->principal));
	float along = d3_dot(w, frame.x), across = d3_length(d3_mul_add(w, -along, frame.x));
	return row->max_extent * min_f(d3_length(w), across + abs_f(along) * (float)row->girth / D3_GIRTH);
}

float d3_row_speed(const struct d3_body *row, const struct d3_mover *mover, struct d3_vec v, struct d3_vec w, float enough)
{
	float speed = d3_length(v), most = max_f(speed, d3_length(w) * row->max_extent);
	return speed > enough || most <= enough ? most : max_f(speed, d3_row_turning(row, mover, w));
}

/* --- Mass ----------------------------------------------------------------------------------------------------------------- */

/* A sum of inertia tensors, in double. */
struct tensor {
	double xx, yy, zz, xy, xz, yz;
};

/* Adds the inertia of a shape whose centre of mass is at d from the common one, by the parallel axis theorem (Huygens,
 * Steiner): I + m (|d|^2 1 - d d^T). */
static void tensor_add(struct tensor *sum, const struct d3_mass *part, struct d3_vec_d d)
{
	double m = part->mass;
	sum->xx += (double)part->xx + m * (d.y * d.y + d.z * d.z);
	sum->yy += (double)part->yy + m * (d.x * d.x + d.z * d.z);
	sum->zz += (double)part->zz + m * (d.x * d.x + d.y * d.y);
	sum->xy += (double)part->xy - m * d.x * d.y;
	sum->xz += (double)part->xz - m * d.x * d.z;
	sum->yz += (double)part->yz - m * d.y * d.z;
}

/* Sets mass, centre of mass and inertia from all shapes; zero for bodies that are not dynamic. */
static void mass_of_shapes(const struct world *world, const struct body *body, struct d3_body *row, struct d3_mover *mover)
{
	double mass = 0.0;
	struct d3_vec_d center = {0.0, 0.0, 0.0};
	struct tensor sum = {0};
	struct d3_mass part;
	uint32_t first = body->type == BODY_DYNAMIC ? body->colliders : NONE;
	for (uint32_t c = first; c != NONE; c = world->colliders.data[c].next) {
		d3_shape_mass(d3_collider_shape(world, c), world->colliders.data[c].density, &part);
		mass += (double)part.mass;
		center = d3_mul_add_d(center, (double)part.mass, d3_widen(part.center));
	}
	if (mass > 0.0)
		center = d3_scale_d(1.0 / mass, center);
	for (uint32_t c = first; c != NONE; c = world->colliders.data[c].next) {
		/* For a single shape `part` still has the result: computing the mass of a hull takes 10 us. */
		if (body->collider_count > 1)
			d3_shape_mass(d3_collider_shape(world, c), world->colliders.data[c].density, &part);
		tensor_add(&sum, &part, d3_sub_d(d3_widen(part.center), center));
	}
	row->mass = (float)mass;
	mover->inertia =
		(struct d3_symmetric){(float)sum.xx, (float)sum.yy, (float)sum.zz, (float)sum.xy, (float)sum.xz, (float)sum.yz};
	row->local_center = d3_narrow(center);
}

/* Upper bound on the distance of the shape's points from the body's axis of least moment, from the shape's AABB along the
 * principal axes [length]; 0 for a half-space. Not for static bodies: the AABB of a mesh takes long. */
static float shape_girth(const struct d3_shape *shape, const struct d3_body *row, const struct d3_mover *mover)
{
	double bounds[6];
	struct d3_quat q = {-mover->principal.x, -mover->principal.y, -mover->principal.z, mover->principal.w};
	struct d3_vec center = d3_rotate(q, row->local_center);
	if (shape->type == D3_HALF_SPACE)
		return 0.0f;
	d3_bounds(shape, &(struct d3_pose){-(double)center.x, -(double)center.y, -(double)center.z, q}, bounds);
	double y = max_d(-bounds[1], bounds[4]), z = max_d(-bounds[2], bounds[5]);
	return (float)sqrt(y * y + z * z);
}

static void extents_widen(const struct world *world, uint32_t collider, struct d3_body *row)
{
	const struct d3_shape *shape = d3_collider_shape(world, collider);
	uint32_t body = world->colliders.data[collider].body;
	bool moves = world->bodies.data[body].type != BODY_STATIC;
	float least, most;
	float known = row->max_extent * (float)row->girth / D3_GIRTH;
	float girth = moves ? max_f(shape_girth(shape, row, d3_mover(world, body)), known) : INFINITY;
	d3_shape_extents(shape, row->local_center, &least, &most);
	row->min_extent = min_f(row->min_extent, least);
	row->max_extent = max_f(row->max_extent, most);
	row->unbounded |= shape->type == D3_HALF_SPACE;
	row->girth = girth < row->max_extent ? (uint16_t)min_f(1.0f + D3_GIRTH * (girth / row->max_extent), D3_GIRTH) : D3_GIRTH;
}

static void extents_update(const struct world *world, const struct body *body, struct d3_body *row)
{
	row->min_extent = 1e18f;
	row->max_extent = 0.0f;
	row->unbounded = false;
	row->girth = 0;
	for (uint32_t c = body->colliders; c != NONE; c = world->colliders.data[c].next)
		extents_widen(world, c, row);
}

/* Principal moments that differ by no more than this, relative to the largest, count as equal: the gyroscopic torque is
 * negligible. */
#define ROUNDNESS 1e-3

/* From the centre of mass of a body to the anchor of its joint, along the principal axes. */
static struct d3_vec lever(const struct world *world, uint32_t key)
{
	const struct d3_joint *joint = d3_joint(world, key / 2);
	uint32_t id = joint_bodies(world, key / 2)[key % 2];
	struct d3_quat frame = d3_mover(world, id)->principal;
	struct d3_vec r = d3_sub(key % 2 == 0 ? joint->point_a : joint->point_b, d3_row(world, id)->local_center);
	return d3_rotate((struct d3_quat){-frame.x, -frame.y, -frame.z, frame.w}, r);
}

static bool lever_is_long(const struct world *world, uint32_t key)
{
	uint32_t id = joint_bodies(world, key / 2)[key % 2];
	struct d3_vec r = lever(world, key);
	return 2.0f * LEVER * d3_row(world, id)->mass * d3_dot(r, r) > d3_mover(world, id)->moments.x;
}

/* Raises the moments to the least ones of a body with joints, see LEVER. They stay ascending. */
static struct d3_vec_d moments_raise(const struct world *world, uint32_t id, struct d3_vec_d m)
{
	double part = (double)LEVER * (double)d3_row(world, id)->mass;
	for (uint32_t key = world->bodies.data[id].links[LINK_JOINT]; key != NONE; key = link_next(world, LINK_JOINT, key)) {
		if (!joint_has_levers(world, key / 2))
			continue;
		struct d3_vec_d r = d3_widen(lever(world, key));
		m.x = max_d(m.x, part * (r.y * r.y + r.z * r.z));
		m.y = max_d(max_d(m.x, m.y), part * (r.x * r.x + r.z * r.z));
		m.z = max_d(max_d(m.y, m.z), part * (r.x * r.x + r.y * r.y));
	}
	return m;
}

/* Sets the principal axes and moments, and whether the body tumbles and is slender. If all three moments agree to within
 * ROUNDNESS, each becomes their mean. */
static void moments_update(const struct world *world, uint32_t id)
{
	const struct body *body = &world->bodies.data[id];
	struct d3_body *row = d3_row(world, id);
	struct d3_mover *mover = d3_mover(world, id);
	struct d3_principal axes = d3_principal(&mover->inertia);
	struct d3_vec_d m = axes.moments;
	mover->principal = axes.frame;
	if (m.x > 0.0)
		m = moments_raise(world, id, m);
	if (m.z - m.x <= ROUNDNESS * m.z)
		m.x = m.y = m.z = (m.x + m.y + m.z) / 3.0;
	mover->moments = d3_narrow(m);
	row->tumbles = body->type == BODY_DYNAMIC && (row->locks & D3_LOCK_ROTATION) == 0 && mover->moments.x != mover->moments.z &&
		mover->moments.x > 0.0f;
	row->slender = row->tumbles && mover->moments.x / mover->moments.y < D3_SLENDER;
}

void d3_row_turned(struct d3_body *row, const struct d3_mover *mover)
{
	unsigned locked = row->locks / D3_LOCK_ROTATION_X;
	struct d3_quat frame = d3_mul_quat(row->q, mover->principal);
	if (locked != 0) {
		struct d3_symmetric tensor = d3_tensor(frame, mover->moments);
		row->inv_inertia = d3_tensor_inverse(&tensor, ~locked);
	} else {
		row->inv_inertia = d3_tensor(frame,
			(struct d3_vec){mass_inverse(mover->moments.x), mass_inverse(mover->moments.y), mass_inverse(mover->moments.z)});
	}
}

static void inverse_mass_update(const struct body *body, struct d3_body *row)
{
	float inv_mass = body->type == BODY_DYNAMIC ? mass_inverse(row->mass) : 0.0f;
	row->inv_mass.x = row->locks & D3_LOCK_X ? 0.0f : inv_mass;
	row->inv_mass.y = row->locks & D3_LOCK_Y ? 0.0f : inv_mass;
	row->inv_mass.z = row->locks & D3_LOCK_Z ? 0.0f : inv_mass;
}

/* Sets the inverse mass and inertia; 0 along and about locked axes, and for bodies that are not dynamic. */
static void inverses_update(struct world *world, uint32_t id)
{
	const struct body *body = &world->bodies.data[id];
	struct d3_body *row = d3_row(world, id);
	inverse_mass_update(body, row);
	row->inv_inertia = (struct d3_symmetric){0};
	moments_update(world, id);
	if (body->type == BODY_DYNAMIC)
		d3_row_turned(row, d3_mover(world, id));
}

static struct d3_symmetric inertia_of(const struct d3_mass *mass)
{
	return (struct d3_symmetric){mass->xx, mass->yy, mass->zz, mass->xy, mass->xz, mass->yz};
}

/* --- Pose and velocity ---------------------------------------------------------------------------------------------------- */

typedef struct d3_vec spin;

const struct d3_mover d3_mover_default = {.gravity_scale = 1.0f, .principal = {.w = 1.0f}};
static const struct d3_body start = {.min_extent = 1e18f};
static const struct d3_state resting = {.dq = {.w = 1.0f}};

static bool is_zero(struct d3_vec v, struct d3_vec w)
{
	return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f && w.x == 0.0f && w.y == 0.0f && w.z == 0.0f;
}

static struct d3_vec turning(struct d3_vec w, struct d3_vec r)
{
	return d3_cross(w, r);
}

static struct d3_body *resting_velocity(const struct world *world, uint32_t id)
{
	return d3_row(world, id);
}

static void row_hold(struct world *world, uint32_t id)
{
	const struct d3_body *row = d3_row(world, id);
	if (world->bodies.data[id].mover != 0)
		d3_mover(world, id)->start = (struct d3_start){row->x, row->y, row->z, row->q};
}

static void row_set_pose(struct world *world, uint32_t id, const struct d3_pose *pose)
{
	struct d3_body *row = d3_row(world, id);
	struct d3_vec r = d3_rotate(pose->q, row->local_center);
	row->x = pose->x + (double)r.x;
	row->y = pose->y + (double)r.y;
	row->z = pose->z + (double)r.z;
	row->q = pose->q;
	row_hold(world, id);
}

/* Whether a step at these velocities changes the pose despite rounding. */
static bool moves_at(const struct world *world, const struct d3_body *row, struct d3_vec v, struct d3_vec w)
{
	double dt = body_step_time(world), turn = max_d(max_d(abs_d(w.x), abs_d(w.y)), abs_d(w.z));
	return row->x + dt * (double)v.x != row->x || row->y + dt * (double)v.y != row->y || row->z + dt * (double)v.z != row->z ||
		dt * turn > 0x1p-52;
}

static struct d3_vec unlocked(struct d3_vec a, unsigned locks)
{
	return (struct d3_vec){locks & 1u ? 0.0f : a.x, locks & 2u ? 0.0f : a.y, locks & 4u ? 0.0f : a.z};
}

static void locks_apply(const struct d3_body *row, struct d3_vec *v, struct d3_vec *w)
{
	*v = unlocked(*v, row->locks);
	*w = unlocked(*w, row->locks / D3_LOCK_ROTATION_X);
}

#include "core/body_wing.h"

void d3_body_burden(struct world *world, uint32_t id, const float left[3], float left_turn)
{
	struct d3_body *row = d3_row(world, id);
	inverse_mass_update(&world->bodies.data[id], row);
	d3_row_turned(row, d3_mover(world, id));
	if (left_turn == 1.0f)
		return;
	const struct d3_symmetric *i = &row->inv_inertia;
	row->inv_mass = (struct d3_vec){left[0] * row->inv_mass.x, left[1] * row->inv_mass.y, left[2] * row->inv_mass.z};
	row->inv_inertia = (struct d3_symmetric){.xx = left_turn * i->xx,
		.yy = left_turn * i->yy,
		.zz = left_turn * i->zz,
		.xy = left_turn * i->xy,
		.xz = left_turn * i->xz,
		.yz = left_turn * i->yz};
}

void d3_body_stiffen(struct world *world, uint32_t id, float left)
{
	struct d3_symmetric *i = &d3_row(world, id)->inv_inertia;
	*i = (struct d3_symmetric){left * i->xx, left * i->yy, left * i->zz, left * i->xy, left * i->xz, left * i->yz};
}

void d3_body_numbers(const struct world *world, uint32_t id, struct body_numbers *numbers)
{
	const struct d3_body *row = d3_row(world, id);
	struct d3_vec w, v = d3_body_velocity(world, id, &w);
	const struct d3_mover *mover = d3_mover(world, id);
	*numbers = (struct body_numbers){{row->x, row->y, row->z}, {row->q.x, row->q.y, row->q.z, row->q.w}, {v.x, v.y, v.z},
		{w.x, w.y, w.z}, mover->linear_damping, mover->angular_damping, mover->gravity_scale};
}

void d3_body_set_pose(struct world *world, uint32_t id, const struct d3_pose *pose)
{
	row_set_pose(world, id, pose);
	if (world->bodies.data[id].row != NONE)
		d3_state(world, id)->dq = resting.dq;
	if (world->bodies.data[id].type == BODY_DYNAMIC)
		d3_row_turned(d3_row(world, id), d3_mover(world, id));
	body_teleported(world, id);
}

struct d3_vec d3_body_arm(const struct world *world, uint32_t id, struct d3_vec_d point)
{
	const struct d3_body *row = d3_row(world, id);
	return (struct d3_vec){(float)(point.x - row->x), (float)(point.y - row->y), (float)(point.z - row->z)};
}

void d3_body_move_to(struct world *world, uint32_t id, const struct d3_pose *pose, float dt)
{
	const struct d3_body *row = d3_row(world, id);
	struct d3_quat q = pose->q;
	struct d3_vec turn = d3_turn_between(row->q, q);
	if (d3_dot(turn, turn) < BODY_LEAST_TURN * BODY_LEAST_TURN) {
		turn = resting.w;
		q = row->q;
	}
	struct d3_vec r = d3_rotate(q, row->local_center);
	struct d3_vec v = {(float)(body_displacement_to(row->x, pose->x + (double)r.x) / (double)dt),
		(float)(body_displacement_to(row->y, pose->y + (double)r.y) / (double)dt),
		(float)(body_displacement_to(row->z, pose->z + (double)r.z) / (double)dt)};
	d3_body_set_velocity(world, id, v, d3_scale(1.0f / dt, turn));
}

/* The body's rotation, also within a step. */
static struct d3_rot_d current_rotation(const struct world *world, uint32_t id)
{
	struct d3_quat_d turned = d3_exact_quat(d3_row(world, id)->q);
	if (world->bodies.data[id].row != NONE)
		turned = d3_mul_quat_d(d3_exact_quat(d3_state(world, id)->dq), turned);
	return d3_quat_rot_d(turned);
}

/* Returns the angular momentum I w; *local_w: w. Both in the body's frame, which has the rotation q. */
static struct d3_vec_d local_momentum(
	const struct world *world, uint32_t id, const struct d3_rot_d *q, struct d3_vec w, struct d3_vec_d *local_w)
{
	const struct d3_symmetric *m = &d3_mover(world, id)->inertia;
	struct d3_vec_d l = *local_w = d3_inv_turn_d(q, d3_widen(w));
	return (struct d3_vec_d){
		(double)m->xx * l.x + (double)m->xy * l.y + (double)m->xz * l.z,
		(double)m->xy * l.x + (double)m->yy * l.y + (double)m->yz * l.z,
		(double)m->xz * l.x + (double)m->yz * l.y + (double)m->zz * l.z,
	};
}

double d3_body_kinetic_energy(const struct world *world, uint32_t id)
{
	const struct d3_body *row = d3_row(world, id);
	struct d3_vec w;
	struct d3_vec_d v = d3_widen(d3_body_velocity(world, id, &w)), local_w, momentum;
	struct d3_rot_d q = current_rotation(world, id);
	momentum = local_momentum(world, id, &q, w, &local_w);
	return 0.5 * ((double)row->mass * d3_dot_d(v, v) + d3_dot_d(local_w, momentum));
}

struct d3_vec d3_body_angular_momentum(const struct world *world, uint32_t id)
{
	struct d3_rot_d q = current_rotation(world, id);
	struct d3_vec w;
	struct d3_vec_d local_w;
	d3_body_velocity(world, id, &w);
	return d3_narrow(d3_turn_d(&q, local_momentum(world, id, &q, w, &local_w)));
}

/* --- Forces and impulses -------------------------------------------------------------------------------------------------- */

void d3_body_apply_force(struct world *world, uint32_t id, struct d3_vec force, struct d3_vec torque)
{
	struct d3_mover *mover = d3_mover(world, id);
	if (!body_pushed(world, id))
		return;
	record_touch(world, TOUCHED_BODIES, id);
	mover->force = d3_add(mover->force, force);
	mover->torque = d3_add(mover->torque, torque);
}

void d3_body_apply_impulse(struct world *world, uint32_t id, struct d3_vec impulse, struct d3_vec angular_impulse)
{
	const struct d3_body *row = d3_row(world, id);
	if (!body_pushed(world, id))
		return;
	struct d3_state *state = d3_state(world, id);
	state->v.x += row->inv_mass.x * impulse.x;
	state->v.y += row->inv_mass.y * impulse.y;
	state->v.z += row->inv_mass.z * impulse.z;
	state->w = d3_add(state->w, d3_symmetric_mul(&row->inv_inertia, angular_impulse));
}

void d3_body_kick(struct world *world, uint32_t id, struct vec3 impulse, struct vec3 angular_impulse)
{
	d3_body_apply_impulse(world, id, (struct d3_vec){(float)impulse.x, (float)impulse.y, (float)impulse.z},
		(struct d3_vec){(float)angular_impulse.x, (float)angular_impulse.y, (float)angular_impulse.z});
}

void d3_body_press(struct world *world, uint32_t id, struct vec3 force, struct vec3 torque)
{
	d3_body_apply_force(world, id, (struct d3_vec){(float)force.x, (float)force.y, (float)force.z},
		(struct d3_vec){(float)torque.x, (float)torque.y, (float)torque.z});
}

void d3_body_pressed(const struct world *world, uint32_t id, struct vec3 *force, struct vec3 *torque)
{
	const struct d3_mover *mover = d3_mover(world, id);
	*force = (struct vec3){(double)mover->force.x, (double)mover->force.y, (double)mover->force.z};
	*torque = (struct vec3){(double)mover->torque.x, (double)mover->torque.y, (double)mover->torque.z};
}

/* --- Fields --------------------------------------------------------------------------------------------------------------- */

static struct vec3 core_vec(struct d3_vec_d a)
{
	return (struct vec3){a.x, a.y, a.z};
}

struct frame3 d3_body_frame(const struct world *world, uint32_t id)
{
	const struct d3_body *row = d3_row(world, id);
	struct d3_rot_d q = current_rotation(world, id);
	struct d3_vec_d center = {row->x, row->y, row->z};
	if (world->bodies.data[id].row != NONE)
		center = d3_add_d(center, d3_widen(d3_state(world, id)->dp));
	struct d3_vec_d origin = d3_sub_d(center, d3_turn_d(&q, d3_widen(row->local_center)));
	return (struct frame3){core_vec(origin), {core_vec(q.x), core_vec(q.y), core_vec(q.z)}};
}

/* As d2_step_push. A tumbling body's record has the angular impulse instead of the change of the angular velocity. */
void d3_step_push(struct world *world, uint32_t i, const void *base, const struct field_push *push)
{
	uint32_t id = world->awake.data[i];
	const struct d3_body *body = d3_row(world, id);
	const struct d3_mover *mover = d3_mover(world, id);
	const struct burden *burden = world->step.burdened ? burden_of(world, id) : world->burdens.data;
	struct d3_step_row *row = &d3_step_rows(world)[i];
	float h = world->step.h, *add = &row->add.x, *scale = &row->scale.x, *scale_w = &row->scale_w.x;
	const float *inv_mass = &body->inv_mass.x;
	const double *gravity = &push->gravity.x, *other = &push->acceleration.x, *force = &push->force.x;
	memcpy(row, base, offsetof(struct d3_step_row, v));
	for (int k = 0; k < 3; ++k) {
		if (!(inv_mass[k] > 0.0f))
			continue;
		float pulled = mover->gravity_scale * ((float)gravity[k] - (push->weightless ? world->gravity[k] : 0.0f));
		add[k] += h * (burden->left[k] * (pulled + (float)other[k]) + inv_mass[k] * (float)(force[k] + (&push->carried.x)[k]));
		scale[k] /= 1.0f + h * inv_mass[k] * (float)push->drag * scale[k];
	}
	const struct d3_symmetric *inverse = &body->inv_inertia;
	float trace = inverse->xx + inverse->yy + inverse->zz;
	float hold = (float)push->turn_hold + trace * (float)push->turn_stiffness;
	struct d3_vec twist = {(float)push->torque.x, (float)push->torque.y, (float)push->torque.z};
	struct d3_vec w = d3_state(world, id)->w;
	if (body->tumbles)
		twist = d3_mul_add(twist, hold, d3_body_angular_momentum(world, id));
	else
		twist = d3_mul_add(d3_symmetric_mul(inverse, twist), hold, w);
	row->add_w = d3_mul_add(row->add_w, h, twist);
	for (int k = 0; k < 3; ++k)
		scale_w[k] /= 1.0f + h * (hold + (float)push->turn_drag) * scale_w[k];
}
