/* rows_joint.wide.c - solving the 3D joints that are lists of rows, LANES at a time: all but revolute and spherical ones. See
 * core/rows_lanes.h. A type is an entry of rows_types and a function that sets its rows, errors and values.
 * Lanes beyond the last joint have no mass and get no impulse.
 * Any thread: see joint_lanes.h.
 *
 * Symbols: r_a, r_b from the centres of mass to the anchors; gap from a's anchor to b's; x, y, z the axes of a's frame; q the
 * rotation from a's frame to b's. An impulse along n acts at one point for both bodies, see arms_meet. */
#include "d3/dynamics/joint_lanes.h"

#define VELOCITY struct lane_velocity
#define ROW_TYPE struct d3_rows
#define LINEAR_AXES 3
#define ANGULAR_AXES 3

/* A row's rate is n (v_b - v_a) + b w_b - a w_a. ia, ib: I_a^-1 a, I_b^-1 b */
struct lane_row {
	struct lane_vec n, a, b, ia, ib;
};

INLINE lanes row_rate(const struct lane_row *row, const struct lane_velocity *a, const struct lane_velocity *b)
{
	return lane_dot(row->n, lane_sub(b->v, a->v)) + (lane_dot(row->b, b->w) - lane_dot(row->a, a->w));
}

INLINE void row_apply(const struct lane_joint *masses, const struct lane_row *row, lanes impulse, struct lane_velocity *a,
	struct lane_velocity *b)
{
	struct lane_vec p = lane_scale(impulse, row->n);
	a->v = lane_sub(a->v, lane_mul(masses->inv_mass_a, p));
	a->w = lane_mul_add(a->w, -impulse, row->ia);
	b->v = lane_add(b->v, lane_mul(masses->inv_mass_b, p));
	b->w = lane_mul_add(b->w, impulse, row->ib);
}

/* The rate of one row for an impulse of 1 along the other. */
INLINE lanes row_response(const struct lane_joint *masses, const struct lane_row *one, const struct lane_row *other)
{
	struct lane_vec m = lane_add(masses->inv_mass_a, masses->inv_mass_b);
	return lane_dot(m, lane_mul(one->n, other->n)) + lane_dot(one->a, other->ia) + lane_dot(one->b, other->ib);
}

/* At least the response of the row to itself, however its bodies are locked. */
INLINE lanes row_freedom(const struct lane_joint *masses, const struct lane_row *row)
{
	struct lane_vec m = lane_add(masses->inv_mass_a, masses->inv_mass_b);
	const struct lane_symmetric *a = &masses->inv_inertia_a, *b = &masses->inv_inertia_b;
	return (m.x + m.y + m.z) * lane_dot(row->n, row->n) + (a->xx + a->yy + a->zz) * lane_dot(row->a, row->a) +
		(b->xx + b->yy + b->zz) * lane_dot(row->b, row->b);
}

INLINE void velocity_choose(masks some, struct lane_velocity *to, const struct lane_velocity *otherwise)
{
	to->v = lane_choose(some, to->v, otherwise->v);
	to->w = lane_choose(some, to->w, otherwise->w);
}

struct record;
enum { LOCKS_MOST = 6, COORDINATES_MOST = 6 };
#include "core/rows_lanes.h"

/* Where the bodies are now. */
struct lane_now {
	struct lane_vec x, y, z; /* axes of a's frame */
	struct lane_quat frame_b, q;
	struct lane_vec arm_a, arm_b; /* from the centres of mass to the point where linear impulses act */
};

struct record {
	struct lane_joint joint; /* its error is the gap */
	struct lane_now now;
	struct lane_quat frames[2]; /* of the joint on both bodies when the step began */
	PARTS
} RECORD_ALIGNED;

/* --- Rows ----------------------------------------------------------------------------------------------------------------- */

/* Sets the arms. along: the part of the gap that the joint does not close. The rest of it, its error, lies on both sides of the
 * point where impulses act: see joint_shares. */
INLINE void arms_meet(struct record *record, struct lane_vec along)
{
	struct lane_joint *joint = &record->joint;
	struct lane_vec error = lane_sub(joint->error, along);
	record->now.arm_a = lane_mul_add(lane_add(joint->ra, along), joint->share_a, error);
	record->now.arm_b = lane_mul_add(joint->rb, -joint->share_b, error);
}

INLINE struct lane_row row_make(const struct lane_joint *joint, struct lane_vec n, struct lane_vec a, struct lane_vec b)
{
	return (struct lane_row){
		n, a, b, lane_symmetric_mul(&joint->inv_inertia_a, a), lane_symmetric_mul(&joint->inv_inertia_b, b)};
}

/* A row along n, a unit vector. */
INLINE struct lane_row row_along(const struct record *record, struct lane_vec n)
{
	return row_make(&record->joint, n, lane_cross(record->now.arm_a, n), lane_cross(record->now.arm_b, n));
}

/* A row of the relative angular velocity along an axis of any length. */
INLINE struct lane_row row_about(const struct record *record, struct lane_vec axis)
{
	return row_make(&record->joint, (struct lane_vec){{0}, {0}, {0}}, axis, axis);
}

/* Sets the axes and coordinates of the rotation vector of q, in a's frame. Its rate is J w, with the inverse of the left
 * Jacobian, J = 1 - [v]/2 + c [v]^2, c = (1 - |v|/2 cot(|v|/2)) / v^2. Source: Sola, Deray, Atchuthan, "A micro Lie theory
 * for state estimation in robotics", 2018. */
INLINE void rotation_axes(const struct record *record, struct lane_vec axes[3], lanes coordinates[3])
{
	const struct lane_now *now = &record->now;
	lanes zero = {0}, one = splat(1.0f), half = splat(0.5f);
	struct lane_vec v = rotation_vector(now->q);
	lanes square = lane_dot(v, v), sine = sqrt_lanes(now->q.x * now->q.x + now->q.y * now->q.y + now->q.z * now->q.z);
	masks large = square > splat(1e-4f);
	lanes cotangent = abs_lanes(now->q.w) / choose(large, sine, one);
	lanes c = choose(large, (one - half * sqrt_lanes(square) * cotangent) / choose(large, square, one), splat(1.0f / 12.0f));
	const struct lane_vec units[3] = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
	for (int i = 0; i < 3; ++i) {
		struct lane_vec across = lane_cross(units[i], v);
		struct lane_vec axis = lane_mul_add(lane_mul_add(units[i], -half, across), c, lane_cross(across, v));
		axes[i] = lane_mul_add(lane_mul_add(lane_scale(axis.x, now->x), axis.y, now->y), axis.z, now->z);
	}
	coordinates[0] = v.x;
	coordinates[1] = v.y;
	coordinates[2] = v.z;
}

/* Sets three rows for the rotation vector of q, and its coordinates. */
INLINE void rows_rotation(const struct record *record, struct lane_row rows[3], lanes coordinates[3])
{
	struct lane_vec axes[3];
	rotation_axes(record, axes, coordinates);
	for (int i = 0; i < 3; ++i)
		rows[i] = row_about(record, axes[i]);
}

/* Where all rotations but that about axis k are locked, replaces the axes and coordinates of the rotation vector: the twist
 * about that axis counts turns, and the two others are those of rows_bend. */
INLINE void hinge_axes(const struct record *record, int k, struct lane_vec axes[3], lanes coordinates[3])
{
	const struct lane_now *now = &record->now;
	int i = (k + 1) % 3, j = (k + 2) % 3;
	masks hinge = record->locked[3 + i] & record->locked[3 + j] & ~record->locked[3 + k];
	if (!any(hinge))
		return;
	const struct lane_vec own[3] = {now->x, now->y, now->z};
	const lanes part[3] = {now->q.x, now->q.y, now->q.z}, two = splat(2.0f);
	lanes inverse = invert_lanes(sqrt_lanes(part[k] * part[k] + now->q.w * now->q.w)), z = inverse * part[k],
		  w = inverse * now->q.w;
	lanes twist = twist_of((struct lane_quat){part[i], part[j], part[k], now->q.w});
	coordinates[k] = choose(hinge, angles_near(twist, record->values[3 + k]), coordinates[k]);
	coordinates[i] = choose(hinge, two * (part[i] * w - part[j] * z), coordinates[i]);
	coordinates[j] = choose(hinge, two * (part[j] * w + part[i] * z), coordinates[j]);
	for (int axis = 0; axis < 3; ++axis)
		axes[axis] = lane_choose(hinge, own[axis], axes[axis]);
}

/* Sets two rows that keep b's z axis on a's, and their errors. The rotation q is a twist about z, then a swing: the swing is
 * q T^-1, with T the unit quaternion along (0, 0, q.z, q.w). */
INLINE void rows_bend(const struct record *record, struct lane_row rows[2], lanes errors[2])
{
	const struct lane_quat q = record->now.q;
	lanes inverse = invert_lanes(sqrt_lanes(q.z * q.z + q.w * q.w)), z = inverse * q.z, w = inverse * q.w, two = splat(2.0f);
	rows[0] = row_about(record, record->now.x);
	rows[1] = row_about(record, record->now.y);
	errors[0] = two * (q.x * w - q.y * z);
	errors[1] = two * (q.y * w + q.x * z);
}

/* Sets rows for the rotation vector of the swing s, in a's frame, and its coordinates, at any angle. They are about the axes s
 * x and s y, so that impulses along them do not change b's spin about its z axis. The third row does nothing. */
INLINE void rows_swing(const struct record *record, struct lane_row rows[3], lanes coordinates[3])
{
	const struct lane_now *now = &record->now;
	const struct lane_quat q = now->q;
	lanes zero = {0}, one = splat(1.0f), two = splat(2.0f), length = sqrt_lanes(q.z * q.z + q.w * q.w);
	masks some = length > splat(1e-6f); /* else half a turn */
	lanes scale = one / choose(some, length, one), z = choose(some, scale * q.z, zero), w = choose(some, scale * q.w, one);
	const struct lane_quat s = {q.x * w - q.y * z, q.y * w + q.x * z, zero, length};
	struct lane_vec v = rotation_vector(s), x = {one - two * s.y * s.y, two * s.x * s.y, -(two * s.w * s.y)};
	struct lane_vec y = {two * s.x * s.y, one - two * s.x * s.x, two * s.w * s.x};
	rows[0] = row_about(record, lane_mul_add(lane_mul_add(lane_scale(x.x, now->x), x.y, now->y), x.z, now->z));
	rows[1] = row_about(record, lane_mul_add(lane_mul_add(lane_scale(y.x, now->x), y.y, now->y), y.z, now->z));
	rows[2] = row_about(record, (struct lane_vec){zero, zero, zero});
	coordinates[0] = v.x;
	coordinates[1] = v.y;
	coordinates[2] = zero;
}

/* Sets the row that keeps b's x axis, u, perpendicular to z, and its error; the rows of two angles, the spin about u and the
 * steering of u about z, and their values. */
INLINE void rows_cross(
	const struct record *record, struct lane_row *lock, lanes *error, struct lane_row angles[2], lanes values[2])
{
	const struct lane_now *now = &record->now;
	lanes zero = {0}, half = splat(0.5f);
	struct lane_vec u = frame_x(now->frame_b);
	lanes steering = full_angle_lanes(lane_dot(u, now->y), lane_dot(u, now->x));
	*lock = row_about(record, lane_cross(u, now->z));
	*error = lane_dot(u, now->z);
	/* q without the steering, by the unit quaternion about z of minus that angle, is the spin. */
	lanes away = lane_dot(u, now->x), length = sqrt_lanes(away * away + lane_dot(u, now->y) * lane_dot(u, now->y));
	lanes cosine = away * invert_lanes(length), c = sqrt_lanes(max_lanes(half + half * cosine, zero));
	lanes s = sqrt_lanes(max_lanes(half - half * cosine, zero));
	s = choose(steering < zero, s, -s);
	const struct lane_quat q = now->q;
	lanes qx = c * q.x - s * q.y, qw = c * q.w - s * q.z;
	masks negative = qw < zero;
	lanes spin = splat(2.0f) * angle_lanes(choose(negative, -qx, qx), abs_lanes(qw));
	angles[0] = row_about(record, u);
	values[0] = angles_near(spin, values[0]);
	angles[1] = row_about(record, now->z);
	values[1] = angles_near(steering, values[1]);
}

/* Sets two locks, their errors, and coordinate 0 of a joint that slides along z. */
INLINE void rows_slide(struct record *record, struct lane_row locks[2], lanes errors[2])
{
	const struct lane_now *now = &record->now;
	struct lane_vec gap = record->joint.error;
	lanes translation = lane_dot(gap, now->z);
	arms_meet(record, lane_scale(translation, now->z));
	locks[0] = row_along(record, now->x);
	locks[1] = row_along(record, now->y);
	errors[0] = lane_dot(gap, now->x);
	errors[1] = lane_dot(gap, now->y);
	record->axes[0] = row_along(record, now->z);
	record->values[0] = translation;
}

/* Sets three locks of a joint that holds both anchors together, and their errors. */
INLINE void rows_point(struct record *record, struct lane_row locks[3], lanes errors[3])
{
	const struct lane_vec axes[3] = {record->now.x, record->now.y, record->now.z};
	arms_meet(record, (struct lane_vec){{0}, {0}, {0}});
	for (int i = 0; i < 3; ++i) {
		locks[i] = row_along(record, axes[i]);
		errors[i] = lane_dot(record->joint.error, axes[i]);
	}
}

INLINE void drive_rows_set(struct record *record)
{
	const struct lane_vec axes[3] = {record->now.x, record->now.y, record->now.z};
	for (int i = 0; i < 3 && record->drives; ++i) {
		record->drive_rows[i] = row_along(record, axes[i]);
		record->drive_errors[i] = lane_dot(record->joint.error, axes[i]);
	}
	if (record->turns && record->type->swings)
		rows_swing(record, record->drive_rows + 3, record->drive_errors + 3);
	else if (record->turns)
		rows_rotation(record, record->drive_rows + 3, record->drive_errors + 3);
}

INLINE void frames_set(struct record *record, struct lane_quat a, struct lane_quat b)
{
	struct lane_rot axes = lane_quat_rot(a);
	record->now.x = axes.x;
	record->now.y = axes.y;
	record->now.z = axes.z;
	record->now.frame_b = b;
	record->now.q = lane_mul_quat(lane_conjugate(a), b);
}

INLINE void rows_move(struct record *record, const struct lane_state *a, const struct lane_state *b)
{
	arms_move(&record->joint, a, b);
	frames_set(record, lane_mul_quat(a->dq, record->frames[0]), lane_mul_quat(b->dq, record->frames[1]));
}

struct lane_reaction {
	struct lane_vec force, torque;
};

/* Adds an impulse along the row to the force and the torque on b, the torque without that of the force at the anchor. */
INLINE void reaction_add(const struct record *record, const struct lane_row *row, lanes impulse, struct lane_reaction *reaction)
{
	struct lane_vec turn = lane_sub(row->b, lane_cross(record->now.arm_b, row->n));
	reaction->force = lane_mul_add(reaction->force, impulse, row->n);
	reaction->torque = lane_mul_add(reaction->torque, impulse, turn);
}

INLINE void row_unroll(const struct lane_row *row, lanes rows[2][DOFS])
{
	const struct lane_vec n = row->n, a = row->a, b = row->b;
	const lanes of_a[DOFS] = {-n.x, -n.y, -n.z, -a.x, -a.y, -a.z}, of_b[DOFS] = {n.x, n.y, n.z, b.x, b.y, b.z};
	memcpy(rows[0], of_a, sizeof of_a);
	memcpy(rows[1], of_b, sizeof of_b);
}

#include "core/joint_entry.h"

/* --- The types ------------------------------------------------------------------------------------------------------------ */

/* Distance. Anchors at one point are pushed apart along x.
 *   coordinate   the length of the gap
 *   lock         length = the spring's target, if there is neither a spring nor limits: a rod */
static void distance_rows(struct record *record)
{
	struct lane_vec gap = record->joint.error;
	lanes length = lane_length(gap);
	masks some = length > splat(LEAST_LENGTH);
	lanes scale = splat(1.0f) / choose(some, length, splat(1.0f));
	arms_meet(record, gap);
	record->locks[0] = record->axes[0] = row_along(record, lane_choose(some, lane_scale(scale, gap), record->now.x));
	record->values[0] = length;
	record->errors[0] = length - record->target;
}

/* Prismatic.
 *   locks        gap x = 0, gap y = 0, the rotation vector of q = 0
 *   coordinate   the translation gap z */
static void prismatic_rows(struct record *record)
{
	rows_slide(record, record->locks, record->errors);
	rows_rotation(record, record->locks + 2, record->errors + 2);
}

/* Weld.
 *   locks   gap = 0 and the rotation vector of q = 0, unless softened: then a spring of the drives pulls there */
static void weld_locked(struct record *record, const struct lane_rows *joints)
{
	for (int lane = 0; lane < LANES; ++lane) {
		const struct d3_rows *joint = joints->at[lane];
		for (int i = 0; i < 6; ++i)
			record->locked[i][lane] = -(int32_t)!joint->drives[i / 3].settings.spring;
	}
}

static void weld_rows(struct record *record)
{
	rows_point(record, record->locks, record->errors);
	rows_rotation(record, record->locks + 3, record->errors + 3);
}

/* Wheel. The x axis of b's frame is the wheel's.
 *   locks         gap x = 0, gap y = 0, b's x axis perpendicular to z; without steering, no turn about z
 *   coordinates   the suspension gap z; the spin about b's x axis; the steering, of b's x axis about z */
static void wheel_locked(struct record *record, const struct lane_rows *joints)
{
	for (int i = 0; i < LANES; ++i)
		record->locked[3][i] = -(int32_t)!coordinate_acts(&((const struct d3_rows *)joints->at[i])->coordinates[2].settings);
}

static void wheel_rows(struct record *record)
{
	rows_slide(record, record->locks, record->errors);
	rows_cross(record, &record->locks[2], &record->errors[2], record->axes + 1, record->values + 1);
	record->locks[3] = record->axes[2];
	record->errors[3] = record->values[2];
}

/* Motor, mouse, friction and parallel: drives only. */
static void motor_rows(struct record *record)
{
	arms_meet(record, (struct lane_vec){{0}, {0}, {0}});
}

/* Cylindrical.
 *   locks         gap x = 0, gap y = 0, b's z axis on a's
 *   coordinates   the translation gap z; the angle, which is the twist about z */
static void cylindrical_rows(struct record *record)
{
	rows_slide(record, record->locks, record->errors);
	rows_bend(record, record->locks + 2, record->errors + 2);
	record->axes[1] = row_about(record, record->now.z);
	record->values[1] = angles_near(twist_of(record->now.q), record->values[1]);
}

/* Universal. The x axis of b's frame is its second axis.
 *   locks         gap = 0, b's x axis perpendicular to z
 *   coordinates   the angles about b's x axis and about z */
static void universal_rows(struct record *record)
{
	rows_point(record, record->locks, record->errors);
	rows_cross(record, &record->locks[3], &record->errors[3], record->axes, record->values);
}

/* Ratchet.
 *   coordinate   the twist about z, limited at the last tooth that it has reached */
static void ratchet_rows(struct record *record)
{
	arms_meet(record, (struct lane_vec){{0}, {0}, {0}});
	record->axes[0] = row_about(record, twist_axis(record->now.z, frame_axis(record->now.frame_b)));
	record->values[0] = angles_near(twist_of(record->now.q), record->values[0]);
}

/* Six-DOF.
 *   coordinates   the gap along x, y and z; the rotation vector of q, or the twist about the only axis that is not locked
 *   locks         each coordinate whose limits are equal; it has no spring, motor or limits then */
static void six_dof_locked(struct record *record, const struct lane_rows *joints)
{
	for (int i = 0; i < COORDINATES; ++i) {
		struct lane_coordinate *c = &record->coordinates[i];
		record->acts[i] = false;
		for (int lane = 0; lane < LANES; ++lane) {
			const struct coordinate_settings *settings = &((const struct d3_rows *)joints->at[lane])->coordinates[i].settings;
			bool locked = coordinate_locked(settings);
			record->locked[i][lane] = -(int32_t)locked;
			record->acts[i] |= coordinate_acts(settings) && !locked;
			if (locked) {
				c->lanes[lane] = c->limited[lane] = 0;
				c->impulse.spring[lane] = c->impulse.motor[lane] = c->impulse.lower[lane] = c->impulse.upper[lane] = 0.0f;
			}
		}
	}
}

static void six_dof_rows(struct record *record)
{
	const struct lane_vec axes[3] = {record->now.x, record->now.y, record->now.z};
	struct lane_vec along = {{0}, {0}, {0}}, turns[3];
	lanes held[COORDINATES], angles[3], zero = {0};
	for (int i = 0; i < COORDINATES; ++i)
		held[i] = choose(record->locked[i], record->coordinates[i].lower, zero);
	for (int i = 0; i < 3; ++i) {
		record->values[i] = lane_dot(record->joint.error, axes[i]);
		along = lane_mul_add(along, choose(record->locked[i], held[i], record->values[i]), axes[i]);
	}
	arms_meet(record, along);
	rotation_axes(record, turns, angles);
	for (int k = 0; k < 3; ++k)
		hinge_axes(record, k, turns, angles);
	for (int i = 0; i < 3; ++i) {
		record->values[3 + i] = angles[i];
		record->axes[i] = row_along(record, axes[i]);
		record->axes[3 + i] = row_about(record, turns[i]);
	}
	for (int i = 0; i < COORDINATES; ++i) {
		record->locks[i] = record->axes[i];
		record->errors[i] = record->values[i] - held[i];
	}
}

INLINE struct lane_vec in_world(const struct lane_now *now, const lanes v[3])
{
	return lane_mul_add(lane_mul_add(lane_scale(v[0], now->x), v[1], now->y), v[2], now->z);
}

/* Path.
 *   locks        the gap across the curve = 0; following it, b's frame is the curve's
 *   coordinate   the arc length */
static void path_rows(struct record *record)
{
	const struct lane_now *now = &record->now;
	struct lane_vec gap = record->joint.error;
	const lanes local[3] = {lane_dot(gap, now->x), lane_dot(gap, now->y), lane_dot(gap, now->z)};
	struct lane_place at;
	curves_place(record->curves, local, &record->values[0], &at);
	struct lane_vec along = in_world(now, at.p), t = in_world(now, at.t), n = in_world(now, at.n), side = lane_cross(t, n);
	struct lane_vec error = lane_sub(gap, along), turn = in_world(now, at.turn);
	arms_meet(record, along);
	record->locks[0] = row_along(record, n);
	record->locks[1] = row_along(record, side);
	record->errors[0] = lane_dot(error, n);
	record->errors[1] = lane_dot(error, side);
	const struct lane_row *axis = &record->axes[0];
	record->axes[0] = row_along(record, t);
	/* the rotation of b's frame from the curve's, and its rate: that of the curve is `turn` times the arc length's */
	struct lane_vec bx = frame_x(now->frame_b), bz = frame_axis(now->frame_b), by = lane_cross(bz, bx);
	struct lane_vec off = lane_add(lane_add(lane_cross(t, bx), lane_cross(n, by)), lane_cross(side, bz));
	const struct lane_vec axes[3] = {t, n, side};
	for (int i = 0; i < 3; ++i) {
		lanes k = -lane_dot(axes[i], turn);
		record->locks[2 + i] =
			row_make(&record->joint, lane_scale(k, t), lane_mul_add(axes[i], k, axis->a), lane_mul_add(axes[i], k, axis->b));
		record->errors[2 + i] = splat(0.5f) * lane_dot(axes[i], off);
	}
}

static const struct rows_type rows_types[JOINT_TYPES] = {
	[JOINT_DISTANCE] =
		{.locks = 1, .linear_locks = 1, .coordinates = 1, .rows_set = distance_rows, .locked_set = distance_locked},
	[JOINT_PRISMATIC] = {.locks = 5, .linear_locks = 2, .coordinates = 1, .rows_set = prismatic_rows},
	[JOINT_WELD] = {.locks = 6, .linear_locks = 3, .drives = true, .rows_set = weld_rows, .locked_set = weld_locked},
	[JOINT_WHEEL] = {.locks = 4, .linear_locks = 2, .coordinates = 3, .rows_set = wheel_rows, .locked_set = wheel_locked},
	[JOINT_MOTOR] = {.drives = true, .rows_set = motor_rows},
	[JOINT_MOUSE] = {.drives = true, .rows_set = motor_rows},
	[JOINT_FRICTION] = {.drives = true, .rows_set = motor_rows},
	[JOINT_PARALLEL] = {.drives = true, .swings = true, .rows_set = motor_rows},
	[JOINT_PATH] = {.locks = 5, .linear_locks = 2, .coordinates = 1, .rows_set = path_rows, .locked_set = path_locked},
	[JOINT_RATCHET] = {.coordinates = 1, .ratchet = true, .rows_set = ratchet_rows},
	[JOINT_CYLINDRICAL] = {.locks = 4, .linear_locks = 2, .coordinates = 2, .rows_set = cylindrical_rows},
	[JOINT_UNIVERSAL] = {.locks = 4, .linear_locks = 3, .coordinates = 2, .rows_set = universal_rows},
	[JOINT_SIX_DOF] = {.locks = 6, .linear_locks = 3, .coordinates = 6, .rows_set = six_dof_rows, .locked_set = six_dof_locked},
};

/* --- Prepare and store ---------------------------------------------------------------------------------------------------- */

static void record_prepare(const struct world *world, struct record *record, const struct batch_link *links, uint32_t count)
{
	static const struct d3_rows no_joint;
	const struct lane_rows joints = link_rows(world->joint_rows, sizeof(union d3_joint_row), links, count, &no_joint);
	struct lane_body a, b;
	lanes locks[8];
	joints_prefetch(world, links, count, true);
	joint_prepare(world, &record->joint, links, count, &joints, &a, &b);
	frames_prepare(&joints, &a, &b, record->frames);
	columns_load_at(joints.at, offsetof(struct d3_rows, lock_impulses), locks);
	parts_prepare(world, record, links, &joints, locks);
	frames_set(record, record->frames[0], record->frames[1]);
	rows_update(record, true);
}

static void record_store(struct world *world, const struct record *record, const struct batch_link *joints, uint32_t count)
{
	struct lane_reaction reaction = parts_store(world, record, joints, count);
	const struct lane_vec force = reaction.force, torque = reaction.torque;
	lanes locks[8] = {{0}}, none = {0};
	for (int i = 0; i < record->type->locks; ++i)
		locks[i] = record->impulses[i];
	impulses_store(world, offsetof(struct d3_joint, impulse), joints, count, force.x, force.y, force.z, none);
	impulses_store(world, offsetof(struct d3_joint, turn_impulse), joints, count, torque.x, torque.y, torque.z, none);
	for (int i = 0; i < record->type->locks; i += 4)
		impulses_store(world, offsetof(struct d3_rows, lock_impulses) + (size_t)i * sizeof(float), joints, count, locks[i],
			locks[i + 1], locks[i + 2], locks[i + 3]);
}

#include "core/solver_entry.h"

const struct link_solver NAME(d3_rows_solver) = {SOLVER_ENTRIES, .parts = &parts};
