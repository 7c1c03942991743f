/* joint_lanes.h - common parts of the 3D joints, LANES at a time: the point that holds both bodies together, and the frames.
 * Poses change only between a solve and the relax that follows: data computed in relax also serves the next warm start and
 * solve.
 * Any thread: the joints of a colour share no body that they write to.
 *
 * Symbols: r_a, r_b from the centres of mass to the common point, turned with the bodies; d from centre a to centre b when the
 * step began; dp displacement since; I the inertias at the current rotations: with those of the step's start, a body that is
 * not round gains energy when it swings fast through a large angle.
 *   point    C = d + dp_b + r_b - dp_a - r_a, lambda' = lambda - K^-1 mass_scale (Cdot + bias_rate C) - impulse_scale lambda,
 *            K = J M^-1 J^T = 1/m_a + 1/m_b - [r_a] I_a^-1 [r_a] - [r_b] I_b^-1 [r_b], 3 x 3, [r] v = r x v
 * The impulse acts at a point between both anchors, see arms_extend. |bias_rate C| is at most JOINT_SPEED. A large impulse
 * raises the inertia used: see inertia_left. Relaxing leaves out the push: bias 0, mass_scale 1, impulse_scale 0.
 * Source: Catto, "Soft Constraints", GDC 2011; "Solver2D", 2024. */
#pragma once
#include "d3/dynamics/joint.h"
#include "d3/dynamics/lanes.h"
#include "core/lock_lanes.h"

/* The first member of all joint records. Data that each sub-step needs comes first. */
struct lane_joint {
	uint32_t a[LANES], b[LANES]; /* state indices, with READ_ONLY */
	struct lane_vec inv_mass_a;
	struct lane_symmetric inv_inertia_a;
	struct lane_vec inv_mass_b;
	struct lane_symmetric inv_inertia_b;
	/* arms from the centres of mass to the point where the impulse acts, between both anchors: see arms_extend [length] */
	struct lane_vec ra, rb;
	struct lane_vec error; /* C [length] */
	struct lane_symmetric mass; /* K^-1 [mass] */
	struct lane_vec impulse;
	lanes give; /* GIVE if a body has locks, or neither body can move along some axis; else 0 */
	lanes share_a, share_b; /* fractions of C from either anchor to the point where the impulse acts: see joint_shares */
	lanes speed; /* maximum of |bias_rate C| [length/s] */
	bool tumbles; /* some lane has a tumbling body */
	/* When the step began: */
	struct lane_vec start_a, start_b; /* r_a, r_b [length] */
	struct lane_vec between; /* d [length] */
	masks tumbles_a, tumbles_b; /* lanes whose a, or b, tumbles; from here on set only if `tumbles` */
	struct lane_symmetric start_inertia_a, start_inertia_b; /* inverse inertias */
	struct lane_soft soft; /* see softs_load */
};

/* Size of the leading part of struct lane_joint: all that solve and relax need of it if no body tumbles. Both prefetch that of
 * the next record by hand, as hardware prefetchers stop at the end of a page. */
#define JOINT_HOT offsetof(struct lane_joint, tumbles_a)

/* The first cache line of struct d3_joint, except turn_impulse, which the solver does not read. */
struct lane_joint_row {
	struct lane_vec point_a;
	lanes acts;
	struct lane_vec point_b;
	lanes none_point;
	struct lane_vec impulse;
	lanes none_impulse;
};

_Static_assert(sizeof(struct d3_joint) == 96 && offsetof(struct d3_joint, impulse) == 32 &&
		offsetof(struct d3_joint, qa) == 64 && offsetof(struct d3_revolute, angle.settings) == 128 &&
		offsetof(struct d3_spherical, twist.value) == 128 && sizeof(union d3_joint_row) == 9 * CACHE_LINE,
	"groups of four numbers, and whole cache lines");

/* --- Matrices ------------------------------------------------------------------------------------------------------------- */

INLINE struct lane_symmetric lane_symmetric_add(const struct lane_symmetric *a, const struct lane_symmetric *b)
{
	return (struct lane_symmetric){a->xx + b->xx, a->yy + b->yy, a->zz + b->zz, a->xy + b->xy, a->xz + b->xz, a->yz + b->yz};
}

/* Inverse of a positive semi-definite matrix, by its factors L D L^T. Directions in which locks allow no motion get 0. */
INLINE struct lane_symmetric lane_symmetric_invert(const struct lane_symmetric *k)
{
	lanes dx = pivot_invert(k->xx, k->xx), yx = k->xy * dx, zx = k->xz * dx;
	lanes dy = pivot_invert(k->yy - yx * k->xy, k->yy), rest = k->yz - zx * k->xy, zy = rest * dy;
	lanes dz = pivot_invert(k->zz - zx * k->xz - zy * rest, k->zz);
	/* L^-1: 1; -yx, 1; yx zy - zx, -zy, 1 */
	lanes lzx = yx * zy - zx, z_zx = dz * lzx, z_zy = dz * zy;
	return (struct lane_symmetric){
		.xx = dx + yx * yx * dy + lzx * z_zx,
		.yy = dy + zy * z_zy,
		.zz = dz,
		.xy = -(yx * dy) - zy * z_zx,
		.xz = z_zx,
		.yz = -z_zy,
	};
}

/* Adds `by` to the diagonal of k, except to zeros: along these axes no motion is allowed. */
INLINE struct lane_symmetric lane_symmetric_raise(const struct lane_symmetric *k, lanes by)
{
	lanes zero = {0};
	return (struct lane_symmetric){
		k->xx + choose(k->xx > zero, by, zero),
		k->yy + choose(k->yy > zero, by, zero),
		k->zz + choose(k->zz > zero, by, zero),
		k->xy,
		k->xz,
		k->yz,
	};
}

/* k -= [r] i [r] */
INLINE void arm_add(struct lane_symmetric *k, struct lane_vec r, const struct lane_symmetric *i)
{
	/* i (r x e) for each axis e */
	lanes xy = r.z * i->yy - r.y * i->yz, xz = r.z * i->yz - r.y * i->zz;
	lanes yx = r.x * i->xz - r.z * i->xx, yy = r.x * i->yz - r.z * i->xy, yz = r.x * i->zz - r.z * i->xz;
	lanes zx = r.y * i->xx - r.x * i->xy, zy = r.y * i->xy - r.x * i->yy, zz = r.y * i->xz - r.x * i->yz;
	k->xx += r.z * xy - r.y * xz;
	k->xy += r.z * yy - r.y * yz;
	k->xz += r.z * zy - r.y * zz;
	k->yy += r.x * yz - r.z * yx;
	k->yz += r.x * zz - r.z * zx;
	k->zz += r.y * zx - r.x * zy;
}

INLINE struct lane_symmetric lane_symmetric_choose(
	masks condition, const struct lane_symmetric *yes, const struct lane_symmetric *no)
{
	return (struct lane_symmetric){
		choose(condition, yes->xx, no->xx),
		choose(condition, yes->yy, no->yy),
		choose(condition, yes->zz, no->zz),
		choose(condition, yes->xy, no->xy),
		choose(condition, yes->xz, no->xz),
		choose(condition, yes->yz, no->yz),
	};
}

/* R m R^T, R the rotation q */
INLINE struct lane_symmetric lane_symmetric_turn(struct lane_quat q, const struct lane_symmetric *m)
{
	struct lane_rot r = lane_quat_rot(q);
	struct lane_vec x = {r.x.x, r.y.x, r.z.x}, y = {r.x.y, r.y.y, r.z.y}, z = {r.x.z, r.y.z, r.z.z};
	struct lane_vec mx = lane_symmetric_mul(m, x), my = lane_symmetric_mul(m, y), mz = lane_symmetric_mul(m, z);
	return (struct lane_symmetric){
		lane_dot(x, mx), lane_dot(y, my), lane_dot(z, mz), lane_dot(x, my), lane_dot(x, mz), lane_dot(y, mz)};
}

/* --- The bodies ----------------------------------------------------------------------------------------------------------- */

/* The z axis of a frame; frame_x: the x axis. */
INLINE struct lane_vec frame_axis(struct lane_quat q)
{
	lanes one = splat(1.0f), two = splat(2.0f);
	return (struct lane_vec){two * (q.x * q.z + q.w * q.y), two * (q.y * q.z - q.w * q.x), one - two * (q.x * q.x + q.y * q.y)};
}

INLINE struct lane_vec frame_x(struct lane_quat q)
{
	lanes one = splat(1.0f), two = splat(2.0f);
	return (struct lane_vec){one - two * (q.y * q.y + q.z * q.z), two * (q.x * q.y + q.w * q.z), two * (q.x * q.z - q.w * q.y)};
}

/* The twist about z of a rotation [rad]. */
INLINE lanes twist_of(struct lane_quat q)
{
	masks negative = q.w < (lanes){0};
	return splat(2.0f) * angle_lanes(choose(negative, -q.z, q.z), abs_lanes(q.w));
}

/* Lower bound on 1 + z_a z_b, to keep u short above 154 degrees: at a swing of half a turn the axes are opposite and the twist
 * is undefined. */
#define LEAST_OPENING 0.1f

/* u, for which w u is the rate of the twist: see spherical_joint.wide.c. */
INLINE struct lane_vec twist_axis(struct lane_vec za, struct lane_vec zb)
{
	lanes one = splat(1.0f);
	return lane_scale(one / max_lanes(one + lane_dot(za, zb), splat(LEAST_OPENING)), lane_add(za, zb));
}

/* The rotation vector of a unit quaternion, of the shorter rotation. */
INLINE struct lane_vec rotation_vector(struct lane_quat q)
{
	struct lane_vec v = {q.x, q.y, q.z};
	lanes zero = {0}, two = splat(2.0f), length = sqrt_lanes(lane_dot(v, v));
	masks some = length > splat(1e-6f);
	lanes scale = choose(some, two * angle_lanes(length, abs_lanes(q.w)) / choose(some, length, splat(1.0f)), two);
	return lane_scale(choose(q.w < zero, -scale, scale), v);
}

/* Applies an angular impulse to b, and its opposite to a. */
INLINE void turn_apply(
	const struct lane_joint *joint, struct lane_velocity *a, struct lane_velocity *b, struct lane_vec impulse)
{
	a->w = lane_sub(a->w, lane_symmetric_mul(&joint->inv_inertia_a, impulse));
	b->w = lane_add(b->w, lane_symmetric_mul(&joint->inv_inertia_b, impulse));
}

INLINE void point_apply(
	const struct lane_joint *joint, struct lane_velocity *a, struct lane_velocity *b, struct lane_vec impulse)
{
	a->v = lane_sub(a->v, lane_mul(joint->inv_mass_a, impulse));
	a->w = lane_sub(a->w, lane_symmetric_mul(&joint->inv_inertia_a, lane_cross(joint->ra, impulse)));
	b->v = lane_add(b->v, lane_mul(joint->inv_mass_b, impulse));
	b->w = lane_add(b->w, lane_symmetric_mul(&joint->inv_inertia_b, lane_cross(joint->rb, impulse)));
}

/* --- The point ------------------------------------------------------------------------------------------------------------ */

INLINE void point_mass(struct lane_joint *joint)
{
	struct lane_vec m = lane_add(joint->inv_mass_a, joint->inv_mass_b);
	struct lane_symmetric k = {m.x, m.y, m.z, {0}, {0}, {0}};
	arm_add(&k, joint->ra, &joint->inv_inertia_a);
	arm_add(&k, joint->rb, &joint->inv_inertia_b);
	k = lane_symmetric_raise(&k, joint->give * (k.xx + k.yy + k.zz));
	joint->mass = lane_symmetric_invert(&k);
}

/* Returns S, the response of the relative angular velocity to angular impulses. *give: to be added to its diagonal, see
 * GIVE. */
INLINE struct lane_symmetric turn_response(const struct lane_joint *joint, lanes *give)
{
	struct lane_symmetric sum = lane_symmetric_add(&joint->inv_inertia_a, &joint->inv_inertia_b);
	*give = joint->give * (sum.xx + sum.yy + sum.zz);
	return sum;
}

INLINE void inertias_turn(struct lane_joint *joint, struct lane_quat a, struct lane_quat b)
{
	struct lane_symmetric turned_a = lane_symmetric_turn(a, &joint->start_inertia_a);
	struct lane_symmetric turned_b = lane_symmetric_turn(b, &joint->start_inertia_b);
	joint->inv_inertia_a = lane_symmetric_choose(joint->tumbles_a, &turned_a, &joint->start_inertia_a);
	joint->inv_inertia_b = lane_symmetric_choose(joint->tumbles_b, &turned_b, &joint->start_inertia_b);
}

/* Extends the arms from the anchors to one point between them. With the impulses at the two anchors, a chain that spins freely
 * at 10 rad/s loses two fifths of its angular momentum in 5 s at 30 Hz. */
INLINE void arms_extend(struct lane_joint *joint)
{
	joint->ra = lane_mul_add(joint->ra, joint->share_a, joint->error);
	joint->rb = lane_mul_add(joint->rb, -joint->share_b, joint->error);
}

/* Updates the arms, up to the anchors, the inertias, and the vector from anchor to anchor. */
INLINE void arms_move(struct lane_joint *joint, const struct lane_state *a, const struct lane_state *b)
{
	if (joint->tumbles)
		inertias_turn(joint, a->dq, b->dq);
	joint->ra = lane_rotate(a->dq, joint->start_a);
	joint->rb = lane_rotate(b->dq, joint->start_b);
	joint->error = lane_add(lane_add(joint->between, lane_sub(b->dp, a->dp)), lane_sub(joint->rb, joint->ra));
}

/* Updates the point constraint, after joint_prepare or arms_move. */
INLINE void point_prepare(struct lane_joint *joint)
{
	arms_extend(joint);
	point_mass(joint);
}

/* Updates the record for the bodies' current poses. mass: for point_solve, too. */
INLINE void point_move(struct lane_joint *joint, const struct lane_state *a, const struct lane_state *b, bool mass)
{
	arms_move(joint, a, b);
	arms_extend(joint);
	if (mass)
		point_mass(joint);
}

_Static_assert(offsetof(struct lane_joint, inv_mass_b) - offsetof(struct lane_joint, inv_mass_a) == sizeof(lanes[MASSES]) &&
		offsetof(struct lane_joint, ra) - offsetof(struct lane_joint, inv_mass_b) == sizeof(lanes[MASSES]),
	"masses in the order of lane_tie");

INLINE void tie_masses(const struct lane_joint *joint, struct lane_tie *tie)
{
	tie->masses[0] = (const lanes *)&joint->inv_mass_a;
	tie->masses[1] = (const lanes *)&joint->inv_mass_b;
}

/* The errors of the point's three locks, along the axes of the world. */
INLINE void point_errors(const struct lane_joint *joint, struct lane_tie *tie)
{
	tie->locks[0].error = joint->error.x;
	tie->locks[1].error = joint->error.y;
	tie->locks[2].error = joint->error.z;
}

/* Fills these locks. */
INLINE void point_locks(struct lane_joint *joint, struct lane_tie *tie)
{
	const lanes one = splat(1.0f), zero = {0};
	const struct lane_vec axes[3] = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
	tie_masses(joint, tie);
	for (int i = 0; i < 3; ++i) {
		const struct lane_vec n = axes[i], a = lane_cross(joint->ra, n), b = lane_cross(joint->rb, n);
		const lanes of_a[DOFS] = {-n.x, -n.y, -n.z, -a.x, -a.y, -a.z}, of_b[DOFS] = {n.x, n.y, n.z, b.x, b.y, b.z};
		struct lane_lock *lock = &tie->locks[i];
		memcpy(lock->rows[0], of_a, sizeof of_a);
		memcpy(lock->rows[1], of_b, sizeof of_b);
		lock->speed = joint->speed;
		lock->used = every_lane();
		lock->impulse = (lanes *)&joint->impulse + i;
	}
}

INLINE void point_solve(
	struct lane_joint *joint, struct lane_velocity *a, struct lane_velocity *b, const struct lane_soft *soft)
{
	struct lane_vec c = lane_sub(lane_add(b->v, lane_cross(b->w, joint->rb)), lane_add(a->v, lane_cross(a->w, joint->ra)));
	if (soft != NULL) {
		struct lane_vec pull = lane_scale(soft->bias_rate, joint->error);
		c = lane_scale(soft->mass_scale, lane_mul_add(c, shortening(lane_dot(pull, pull), joint->speed), pull));
	}
	struct lane_vec change = lane_scale(splat(-1.0f), lane_symmetric_mul(&joint->mass, c));
	if (soft != NULL)
		change = lane_mul_add(change, -soft->impulse_scale, joint->impulse);
	joint->impulse = lane_add(joint->impulse, change);
	point_apply(joint, a, b, change);
}

/* --- Prepare and store ---------------------------------------------------------------------------------------------------- */

/* Returns the inverse inertia i, reduced by inertia_left for h |impulse| = `pull`, with the mean inverse inertia of the axes
 * perpendicular to the arm, (tr I^-1 - r I^-1 r / r^2) / 2. */
INLINE struct lane_symmetric inertia_pulled(const struct lane_symmetric *i, struct lane_vec r, lanes pull)
{
	lanes square = lane_dot(r, r);
	lanes zero = {0};
	lanes across = square * (i->xx + i->yy + i->zz) - lane_dot(r, lane_symmetric_mul(i, r));
	masks some = square > zero;
	lanes left = inertia_left(choose(some, splat(0.5f) * pull * across / choose(some, sqrt_lanes(square), splat(1.0f)), zero));
	return (struct lane_symmetric){left * i->xx, left * i->yy, left * i->zz, left * i->xy, left * i->xz, left * i->yz};
}

/* Prepares the bodies, the arms, up to the anchors, and the vector from anchor to anchor. Lanes without a joint get zero
 * inverse masses, arms and impulses. */
INLINE void joint_prepare(const struct world *world, struct lane_joint *joint, const struct batch_link *links, uint32_t count,
	const struct lane_rows *rows, struct lane_body *a, struct lane_body *b)
{
	struct lane_joint_row row;
	links_load(world, links, count, joint->a, joint->b, a, b, &joint->between);
	columns_load(rows->at, (lanes *)&row);
	group_load(rows->at, offsetof(struct d3_joint, impulse), (lanes *)&row + 8);
	softs_load(world, links, count, &joint->soft);
	joint->inv_mass_a = a->inv_mass;
	joint->inv_mass_b = b->inv_mass;
	joint->impulse = row.impulse;
	joint->speed = splat(JOINT_SPEED * world->settings.length_scale);
	joint->ra = joint->start_a = lane_rotate(a->q, lane_sub(row.point_a, a->center));
	joint->rb = joint->start_b = lane_rotate(b->q, lane_sub(row.point_b, b->center));
	joint->error = lane_add(joint->between, lane_sub(joint->rb, joint->ra));
	lanes pull = splat(world->step.h) * sqrt_lanes(lane_dot(joint->impulse, joint->impulse));
	joint->inv_inertia_a = inertia_pulled(&a->inv_inertia, joint->ra, pull);
	joint->inv_inertia_b = inertia_pulled(&b->inv_inertia, joint->rb, pull);
	masks tumbles_a = {0}, tumbles_b = {0}, locked = {0};
	for (uint32_t i = 0; i < LANES && i < count; ++i) {
		const struct d3_body *row_a = d3_row(world, links[i].bodies[0]), *row_b = d3_row(world, links[i].bodies[1]);
		tumbles_a[i] = -(int32_t)row_a->tumbles;
		tumbles_b[i] = -(int32_t)row_b->tumbles;
		locked[i] = -(int32_t)((row_a->locks | row_b->locks) != 0);
	}
	struct lane_vec m = lane_add(a->inv_mass, b->inv_mass);
	joint_shares(a->inv_mass.x + a->inv_mass.y + a->inv_mass.z, b->inv_mass.x + b->inv_mass.y + b->inv_mass.z,
		a->inv_inertia.xx + a->inv_inertia.yy + a->inv_inertia.zz, b->inv_inertia.xx + b->inv_inertia.yy + b->inv_inertia.zz,
		lane_dot(joint->error, joint->error), &joint->share_a, &joint->share_b);
	joint->give = choose(locked | (min_lanes(m.x, min_lanes(m.y, m.z)) <= (lanes){0}), splat(GIVE), (lanes){0});
	joint->tumbles = any(tumbles_a | tumbles_b);
	if (joint->tumbles) {
		joint->tumbles_a = tumbles_a;
		joint->tumbles_b = tumbles_b;
		joint->start_inertia_a = joint->inv_inertia_a;
		joint->start_inertia_b = joint->inv_inertia_b;
	}
}

/* The joint's frames on both bodies, in the world. */
INLINE void frames_prepare(
	const struct lane_rows *rows, const struct lane_body *a, const struct lane_body *b, struct lane_quat frames[2])
{
	struct lane_quat own[2];
	columns_load_at(rows->at, offsetof(struct d3_joint, qa), (lanes *)own);
	frames[0] = lane_mul_quat(a->q, own[0]);
	frames[1] = lane_mul_quat(b->q, own[1]);
}

/* Prefetches the first cache line of a joint that is prepared LINKS_AHEAD later; joints_prefetch prefetches the other lines. */
static void row_prefetch(const struct world *world, uint32_t id)
{
	cache_prefetch(d3_joint(world, id), CACHE_LINE);
}

static void impulses_prefetch(const struct world *world, uint32_t id)
{
	row_prefetch(world, id);
}

INLINE void joints_prefetch(const struct world *world, const struct batch_link *links, uint32_t count, bool always)
{
	for (uint32_t i = LANES; i < 2 * LANES && i < count; ++i) {
		const struct d3_joint *joint = d3_joint(world, links[i].id);
		if (always || joint->acts)
			cache_prefetch((const char *)joint + CACHE_LINE, 3 * CACHE_LINE);
	}
}

INLINE void joint_store(
	struct world *world, const struct lane_joint *joint, struct lane_vec turn, const struct batch_link *links, uint32_t count)
{
	const struct lane_vec p = joint->impulse;
	lanes none = {0};
	impulses_store(world, offsetof(struct d3_joint, impulse), links, count, p.x, p.y, p.z, none);
	impulses_store(world, offsetof(struct d3_joint, turn_impulse), links, count, turn.x, turn.y, turn.z, none);
}
