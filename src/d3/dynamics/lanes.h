/* lanes.h - shared code of the 3D wing's *.wide.c files: the states and records of LANES bodies, transposed. A record has LANES
 * links side by side; each lane computes the same bits as a build with one lane. */
#pragma once
#include "d3/dynamics/wing.h"
#include "core/lanes.h"

struct lane_vec {
	lanes x, y, z;
};

struct lane_quat {
	lanes x, y, z, w;
};

/* A rotation matrix by its columns: the images of the axes. */
struct lane_rot {
	struct lane_vec x, y, z;
};

struct lane_symmetric {
	lanes xx, yy, zz, xy, xz, yz;
};

/* LANES states, transposed. */
struct lane_state {
	struct lane_vec v, w, turn, dp;
	struct lane_quat dq;
};

/* The first eight of a state's sixteen floats, as contacts and joints gather and scatter them; they change only v and w.
 * lane_pose: the other eight. */
struct lane_velocity {
	struct lane_vec v, w;
	lanes turn_x, turn_y;
};

enum { STATE_POSE = 8 }; /* index of the first number of lane_pose in a state */

struct lane_pose {
	lanes turn_z;
	struct lane_vec dp;
	struct lane_quat dq;
};

/* The principal axes and moments of struct d3_step_row. */
struct lane_axes {
	struct lane_quat frame;
	lanes first, middle, third, none;
};

/* Numbers of a velocity, the first ones of a state, and of a body's inverse mass per axis and inverse inertia. */
enum { DOFS = 6, MASSES = 9 };

/* --- Vectors -------------------------------------------------------------------------------------------------------------- */

INLINE struct lane_vec lane_add(struct lane_vec a, struct lane_vec b)
{
	return (struct lane_vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

INLINE struct lane_vec lane_sub(struct lane_vec a, struct lane_vec b)
{
	return (struct lane_vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

INLINE struct lane_vec lane_without_negligible(struct lane_vec v, float negligible)
{
	return (struct lane_vec){
		without_negligible(v.x, negligible), without_negligible(v.y, negligible), without_negligible(v.z, negligible)};
}

INLINE struct lane_vec lane_scale(lanes s, struct lane_vec a)
{
	return (struct lane_vec){s * a.x, s * a.y, s * a.z};
}

/* a + s b */
INLINE struct lane_vec lane_mul_add(struct lane_vec a, lanes s, struct lane_vec b)
{
	return (struct lane_vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

INLINE lanes lane_dot(struct lane_vec a, struct lane_vec b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

INLINE lanes lane_length(struct lane_vec a)
{
	return sqrt_lanes(lane_dot(a, a));
}

INLINE struct lane_vec lane_cross(struct lane_vec a, struct lane_vec b)
{
	return (struct lane_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

INLINE struct lane_vec lane_choose(masks condition, struct lane_vec yes, struct lane_vec no)
{
	return (struct lane_vec){choose(condition, yes.x, no.x), choose(condition, yes.y, no.y), choose(condition, yes.z, no.z)};
}

INLINE struct lane_quat lane_choose_quat(masks condition, struct lane_quat yes, struct lane_quat no)
{
	return (struct lane_quat){choose(condition, yes.x, no.x), choose(condition, yes.y, no.y), choose(condition, yes.z, no.z),
		choose(condition, yes.w, no.w)};
}

/* The componentwise product. */
INLINE struct lane_vec lane_mul(struct lane_vec a, struct lane_vec b)
{
	return (struct lane_vec){a.x * b.x, a.y * b.y, a.z * b.z};
}

INLINE struct lane_vec lane_symmetric_mul(const struct lane_symmetric *m, struct lane_vec a)
{
	return (struct lane_vec){m->xx * a.x + m->xy * a.y + m->xz * a.z, m->xy * a.x + m->yy * a.y + m->yz * a.z,
		m->xz * a.x + m->yz * a.y + m->zz * a.z};
}

/* a + 2 u x (u x a + w a), u the vector part of q. */
INLINE struct lane_vec lane_rotate(struct lane_quat q, struct lane_vec a)
{
	struct lane_vec u = {q.x, q.y, q.z}, t = lane_mul_add(lane_cross(u, a), q.w, a);
	return lane_mul_add(a, splat(2.0f), lane_cross(u, t));
}

INLINE struct lane_quat lane_conjugate(struct lane_quat q)
{
	return (struct lane_quat){-q.x, -q.y, -q.z, q.w};
}

INLINE struct lane_vec lane_inv_rotate(struct lane_quat q, struct lane_vec a)
{
	return lane_rotate(lane_conjugate(q), a);
}

/* The rotation b followed by a. */
INLINE struct lane_quat lane_mul_quat(struct lane_quat a, struct lane_quat b)
{
	return (struct lane_quat){
		a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
		a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
		a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
		a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
	};
}

/* Normalizes a quaternion whose length is 1 to within rounding, by 1/|q| = 1 + (1 - |q|^2)/2, as a correction added to q. As a
 * factor, 1/|q| would be rounded more coarsely than the error, and above 1 more coarsely than below. Rotations by quaternions
 * that are too long by 1e-7 change velocities, and these errors add up. */
INLINE struct lane_quat lane_normalize_quat(struct lane_quat q)
{
	lanes more = splat(0.5f) - splat(0.5f) * (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
	return (struct lane_quat){q.x + more * q.x, q.y + more * q.y, q.z + more * q.z, q.w + more * q.w};
}

/* The rotation matrix of a unit quaternion. */
INLINE struct lane_rot lane_quat_rot(struct lane_quat q)
{
	lanes one = splat(1.0f), two = splat(2.0f);
	lanes xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
	lanes wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
	return (struct lane_rot){
		{one - two * (yy + zz), two * (xy + wz), two * (xz - wy)},
		{two * (xy - wz), one - two * (xx + zz), two * (yz + wx)},
		{two * (xz + wy), two * (yz - wx), one - two * (xx + yy)},
	};
}

INLINE struct lane_vec lane_turn(const struct lane_rot *q, struct lane_vec a)
{
	return (struct lane_vec){q->x.x * a.x + q->y.x * a.y + q->z.x * a.z, q->x.y * a.x + q->y.y * a.y + q->z.y * a.z,
		q->x.z * a.x + q->y.z * a.y + q->z.z * a.z};
}

/* The part of dq that swings a slender body's longest axis, without the rotation about that axis. Where the axis swings by
 * nearly half a turn it is dq; for other bodies, the identity. */
INLINE struct lane_quat lane_swing(struct lane_axes axes, struct lane_quat dq)
{
	lanes one = splat(1.0f), zero = {0};
	struct lane_vec from = lane_rotate(axes.frame, (struct lane_vec){one, zero, zero});
	struct lane_vec to = lane_rotate(dq, from);
	struct lane_vec cross = lane_cross(from, to);
	lanes more = one + lane_dot(from, to);
	masks slender = (axes.middle > zero) & (axes.first < splat(D3_SLENDER)), far = more < splat(1e-3f);
	more = choose(far, one, more);
	lanes scale = one / sqrt_lanes(more + more);
	struct lane_quat swing = {scale * cross.x, scale * cross.y, scale * cross.z, scale * more};
	return lane_choose_quat(slender, lane_choose_quat(far, dq, swing), (struct lane_quat){zero, zero, zero, one});
}

/* Rotates a by the swing; by the identity, a stays the same to the bit. */
INLINE struct lane_vec lane_swung(struct lane_quat swing, struct lane_vec a)
{
	return lane_choose(swing.w < splat(1.0f), lane_rotate(swing, a), a);
}

/* --- Gather and scatter --------------------------------------------------------------------------------------------------- */

INLINE struct lane_velocity gather(const struct world *world, const uint32_t *index)
{
	struct lane_velocity velocity;
	columns_load(state_rows(world, index, 0).at, (lanes *)&velocity);
	return velocity;
}

INLINE struct lane_state gather_all(const struct world *world, const uint32_t *index)
{
	const struct lane_rows rows = state_rows(world, index, 0);
	struct lane_state state;
	columns_load(rows.at, (lanes *)&state);
	columns_load_at(rows.at, STATE_POSE * sizeof(float), (lanes *)&state + STATE_POSE);
	return state;
}

INLINE void scatter(struct world *world, const uint32_t *index, const struct lane_velocity *velocity)
{
	states_scatter(world->states, sizeof(struct d3_state), index, (const lanes *)velocity, true);
}

/* --- Bodies --------------------------------------------------------------------------------------------------------------- */

/* Records of LANES bodies, in the order of struct d3_body. */
struct lane_body {
	struct lane_quat q;
	struct lane_vec center; /* of mass, in the bodies' frames */
	struct lane_vec inv_mass; /* per axis [1/mass] */
	struct lane_symmetric inv_inertia; /* in the world [1/(mass length^2)] */
};

_Static_assert(offsetof(struct d3_body, q) == 24 && offsetof(struct d3_body, inv_inertia) == 64 &&
		sizeof(struct d3_body) == 128 && sizeof(struct d3_mover) == 128 && sizeof(struct d3_state) == 64,
	"sixteen numbers");

/* Loads the bodies of `count` links, and the vector from a's centre of mass to b's. Lanes without a link get zeros. */
INLINE void links_load(const struct world *world, const struct batch_link *links, uint32_t count, uint32_t states_a[LANES],
	uint32_t states_b[LANES], struct lane_body *a, struct lane_body *b, struct lane_vec *between)
{
	static const struct d3_body no_body;
	const struct lane_rows rows_a = body_rows(world, sizeof no_body, links, count, &no_body, 0, states_a);
	const struct lane_rows rows_b = body_rows(world, sizeof no_body, links, count, &no_body, 1, states_b);
	columns_load_at(rows_a.at, offsetof(struct d3_body, q), (lanes *)a);
	columns_load_at(rows_a.at, offsetof(struct d3_body, q) + 32, (lanes *)a + 8);
	columns_load_at(rows_b.at, offsetof(struct d3_body, q), (lanes *)b);
	columns_load_at(rows_b.at, offsetof(struct d3_body, q) + 32, (lanes *)b + 8);
	differences(rows_a.at, rows_b.at, 0, &between->x, &between->y);
	differences(rows_a.at, rows_b.at, 1, &between->y, &between->z);
}
