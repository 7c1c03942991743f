/* revolute_joint.wide.c - solving revolute joints, LANES at a time; see lanes.h.
 * Lanes beyond the last joint have no mass and get no impulse.
 * Any thread: see joint_lanes.h.
 *
 * Symbols: z the axis of a's current frame, x and y perpendicular to it; S = I_a^-1 + I_b^-1; w = w_b - w_a; twist T and swing
 * (s_x, s_y, 0) the parts of the rotation from a's frame to b's.
 *   angle    the twist, of rate w z: its spring, motor and limits, see coordinate_lanes.h, m = 1 / (z S z)
 *   bend     C = 2 (s_x, s_y), Cdot = (w x, w y), K = (x, y) S (x, y)
 *            lambda' = lambda - K^-1 mass_scale (Cdot + bias_rate C) - impulse_scale lambda
 *   point    see joint_lanes.h
 * All constraints but the point constrain w alone, which an angular impulse L changes by S L: each inertia is applied once.
 * Relaxing leaves out the push.
 * Source: Catto, "Soft Constraints", GDC 2011; "Solver2D", 2024. */
#include "d3/dynamics/joint_lanes.h"
#include "core/coordinate_lanes.h"

struct record {
	struct lane_joint joint;
	/* At the current poses: */
	struct lane_vec axis, x; /* of a's frame */
	lanes bend_x, bend_y; /* C [rad] */
	struct lane_pair bend_mass; /* K^-1 */
	lanes bend_impulse_x, bend_impulse_y;
	lanes angle; /* [rad] */
	struct lane_quat frames[2]; /* of the joint on both bodies when the step began */
	bool acts; /* some lane has a spring, limits or a motor */
	struct lane_coordinate about; /* the angle; set only if `acts` */
} RECORD_ALIGNED;

/* --- Relative rotation ---------------------------------------------------------------------------------------------------- */

/* Sets the swing. The rotation q from a's frame to b's is a twist about z, then a swing: the swing is q T^-1, with T the unit
 * quaternion along (0, 0, q.z, q.w). */
INLINE void bend_set(struct record *record, struct lane_quat q)
{
	lanes length = sqrt_lanes(q.z * q.z + q.w * q.w), two = splat(2.0f);
	lanes inverse = invert_lanes(length), z = inverse * q.z, w = inverse * q.w;
	record->bend_x = two * (q.x * w - q.y * z);
	record->bend_y = two * (q.y * w + q.x * z);
}

INLINE void bend_mass(struct record *record, const struct lane_symmetric *sum, lanes give)
{
	struct lane_vec x = record->x;
	struct lane_vec y = lane_cross(record->axis, x);
	struct lane_vec sx = lane_symmetric_mul(sum, x);
	struct lane_vec sy = lane_symmetric_mul(sum, y);
	record->bend_mass = lane_pair_invert((struct lane_pair){lane_dot(x, sx) + give, lane_dot(x, sy), lane_dot(y, sy) + give});
}

INLINE void frames_set(struct record *record, struct lane_quat a, struct lane_quat b)
{
	struct lane_quat q = lane_mul_quat(lane_conjugate(a), b);
	lanes give;
	struct lane_symmetric sum = turn_response(&record->joint, &give);
	record->axis = frame_axis(a);
	record->x = frame_x(a);
	bend_set(record, q);
	bend_mass(record, &sum, give);
	record->angle = angles_near(twist_of(q), record->angle);
	if (record->acts)
		coordinate_respond(&record->about, lane_dot(record->axis, lane_symmetric_mul(&sum, record->axis)), give);
}

/* The joint's total angular impulse. */
INLINE struct lane_vec turn_impulse(const struct record *record)
{
	struct lane_vec y = lane_cross(record->axis, record->x);
	struct lane_vec bend = lane_mul_add(lane_scale(record->bend_impulse_x, record->x), record->bend_impulse_y, y);
	if (!record->acts)
		return bend;
	return lane_choose(record->about.lanes, lane_mul_add(bend, coordinate_sum(&record->about), record->axis), bend);
}

/* --- Prepare and store ---------------------------------------------------------------------------------------------------- */

#define VALUE_AT offsetof(struct d3_revolute, angle.value)

static void record_prepare(const struct world *world, struct record *record, const struct batch_link *links, uint32_t count)
{
	static const struct d3_revolute no_joint;
	const struct lane_rows joints = link_rows(world->joint_rows, sizeof(union d3_joint_row), links, count, &no_joint);
	struct lane_body a, b;
	lanes bend[4];
	joints_prefetch(world, links, count, true);
	joint_prepare(world, &record->joint, links, count, &joints, &a, &b);
	point_prepare(&record->joint);
	frames_prepare(&joints, &a, &b, record->frames);
	group_load(joints.at, offsetof(struct d3_revolute, bend_impulse), bend);
	record->bend_impulse_x = bend[0];
	record->bend_impulse_y = bend[1];
	record->angle = numbers_load(&joints, VALUE_AT);
	record->acts = coordinate_prepare(world, &record->about, links, &joints, VALUE_AT);
	frames_set(record, record->frames[0], record->frames[1]);
}

static void record_store(struct world *world, const struct record *record, const struct batch_link *joints, uint32_t count)
{
	joint_store(world, &record->joint, turn_impulse(record), joints, count);
	lanes none = {0};
	impulses_store(world, offsetof(struct d3_revolute, bend_impulse), joints, count, record->bend_impulse_x,
		record->bend_impulse_y, none, none);
	static const struct lane_coordinate still;
	const struct lane_coordinate *about = record->acts ? &record->about : &still;
	impulses_store(world, VALUE_AT, joints, count, record->angle, about->impulse.spring, about->impulse.motor,
		about->impulse.lower - about->impulse.upper);
}

/* --- Solve, all lanes at once --------------------------------------------------------------------------------------------- */

static void NAME(warm_start)(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		struct lane_velocity a = gather(world, record->joint.a), b = gather(world, record->joint.b);
		record->joint.impulse = lane_without_negligible(record->joint.impulse, NEGLIGIBLE_IMPULSE);
		point_apply(&record->joint, &a, &b, record->joint.impulse);
		turn_apply(&record->joint, &a, &b, turn_impulse(record));
		scatter(world, record->joint.a, &a);
		scatter(world, record->joint.b, &b);
	}
}

/* Solves the angle, which changes w, and returns the change of its impulse. */
INLINE struct lane_vec angle_solve(
	const struct world *world, struct record *record, struct lane_vec *w, const struct lane_soft *soft)
{
	struct lane_symmetric sum = lane_symmetric_add(&record->joint.inv_inertia_a, &record->joint.inv_inertia_b);
	lanes change = coordinate_solve(&record->about, record->angle, lane_dot(*w, record->axis), soft, splat(world->step.inv_h));
	struct lane_vec impulse = lane_scale(change, record->axis);
	impulse = lane_choose(record->about.lanes, impulse, (struct lane_vec){{0}, {0}, {0}});
	*w = lane_choose(record->about.lanes, lane_add(*w, lane_symmetric_mul(&sum, impulse)), *w);
	return impulse;
}

INLINE void turn_solve(const struct world *world, struct record *record, struct lane_velocity *a, struct lane_velocity *b,
	const struct lane_soft *soft)
{
	struct lane_vec w = lane_sub(b->w, a->w), y = lane_cross(record->axis, record->x), impulse = {{0}, {0}, {0}};
	if (record->acts)
		impulse = angle_solve(world, record, &w, soft);
	lanes cx = lane_dot(w, record->x), cy = lane_dot(w, y);
	if (soft != NULL) {
		lanes x_rate = soft->bias_rate * record->bend_x, y_rate = soft->bias_rate * record->bend_y;
		lanes scale = shortening(x_rate * x_rate + y_rate * y_rate, splat(JOINT_SPEED));
		cx = soft->mass_scale * (cx + scale * x_rate);
		cy = soft->mass_scale * (cy + scale * y_rate);
	}
	const struct lane_pair *mass = &record->bend_mass;
	lanes px = -(mass->xx * cx + mass->xy * cy), py = -(mass->xy * cx + mass->yy * cy);
	if (soft != NULL) {
		px -= soft->impulse_scale * record->bend_impulse_x;
		py -= soft->impulse_scale * record->bend_impulse_y;
	}
	record->bend_impulse_x += px;
	record->bend_impulse_y += py;
	struct lane_vec bend = lane_mul_add(lane_scale(px, record->x), py, y);
	turn_apply(&record->joint, a, b, record->acts ? lane_choose(record->about.lanes, lane_add(impulse, bend), bend) : bend);
}

INLINE void frames_move(struct record *record, const struct lane_state *a, const struct lane_state *b, bool mass)
{
	point_move(&record->joint, a, b, mass);
	frames_set(record, lane_mul_quat(a->dq, record->frames[0]), lane_mul_quat(b->dq, record->frames[1]));
}

INLINE void solve_all(struct world *world, void *records, uint32_t begin, uint32_t end, bool push)
{
	struct lane_soft soft = common_soft(world);
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		cache_prefetch(record + 1, JOINT_HOT);
		if (push && world->soft_joints > 0)
			soft = record->joint.soft;
		if (!push) {
			struct lane_state moved_a = gather_all(world, record->joint.a), moved_b = gather_all(world, record->joint.b);
			frames_move(record, &moved_a, &moved_b, true);
		}
		struct lane_velocity a = gather(world, record->joint.a), b = gather(world, record->joint.b);
		turn_solve(world, record, &a, &b, push ? &soft : NULL);
		point_solve(&record->joint, &a, &b, push ? &soft : NULL);
		scatter(world, record->joint.a, &a);
		scatter(world, record->joint.b, &b);
	}
}

/* --- Parts of trees ------------------------------------------------------------------------------------------------------- */

static struct part_size parts_size(uint8_t joint)
{
	(void)joint;
	return (struct part_size){sizeof(struct record), 5, true};
}

static void parts_move(struct world *world, struct lane_tie *tie, const struct lane_state *a, const struct lane_state *b)
{
	struct record *record = tie->record;
	(void)world;
	frames_move(record, a, b, false);
	point_errors(&record->joint, tie);
	tie->locks[3].error = record->bend_x;
	tie->locks[4].error = record->bend_y;
}

static void parts_solve(struct world *world, void *joint, void *state_a, void *state_b, bool push)
{
	struct record *record = joint;
	struct lane_soft soft = common_soft(world);
	struct lane_velocity *a = state_a, *b = state_b;
	struct lane_vec wa = a->w, wb = b->w, w = lane_sub(wb, wa);
	if (!record->acts)
		return;
	turn_apply(&record->joint, a, b, angle_solve(world, record, &w, push ? &soft : NULL));
	a->w = lane_choose(record->about.lanes, a->w, wa);
	b->w = lane_choose(record->about.lanes, b->w, wb);
}

static void parts_locks(struct world *world, struct lane_tie *tie)
{
	struct record *record = tie->record;
	const struct lane_vec axes[2] = {record->x, lane_cross(record->axis, record->x)};
	(void)world;
	point_locks(&record->joint, tie);
	for (int i = 0; i < 2; ++i) {
		const lanes zero = {0}, of_a[DOFS] = {zero, zero, zero, -axes[i].x, -axes[i].y, -axes[i].z};
		const lanes of_b[DOFS] = {zero, zero, zero, axes[i].x, axes[i].y, axes[i].z};
		struct lane_lock *lock = &tie->locks[3 + i];
		memcpy(lock->rows[0], of_a, sizeof of_a);
		memcpy(lock->rows[1], of_b, sizeof of_b);
		lock->speed = splat(JOINT_SPEED);
		lock->used = every_lane();
		lock->impulse = i == 0 ? &record->bend_impulse_x : &record->bend_impulse_y;
	}
}

static const struct joint_parts parts = {parts_size, parts_move, parts_locks, parts_solve};

#include "core/solver_entry.h"

const struct link_solver NAME(d3_revolute_solver) = {SOLVER_ENTRIES, .parts = &parts};
