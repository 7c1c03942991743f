/* revolute_joint.wide.c - solving revolute joints, LANES at a time; see lanes.h.
 * Lanes beyond the last joint have no mass and get no impulse. A lane without spring, limits or motor has zero mass, or zero
 * torque, for them.
 * Any thread: see joint_lanes.h.
 *
 * Symbols: z the axis of a's current frame, x and y perpendicular to it; S = I_a^-1 + I_b^-1; w = w_b - w_a; twist T and swing
 * (s_x, s_y, 0) the parts of the rotation from a's frame to b's; angle = twist, m = 1 / (z S z), h sub-step [s].
 *   spring   lambda' = lambda - m mass_scale (w z + bias_rate (angle - target)) - impulse_scale lambda
 *   motor    lambda' = clamp(lambda - m (w z - speed), +-h torque)
 *   lower    C = angle - lower and its rate w z: see limit_solve
 *   upper    likewise with C = upper - angle and -w z
 *   bend     C = 2 (s_x, s_y), Cdot = (w x, w y), K = (x, y) S (x, y)
 *            lambda' = lambda - K^-1 mass_scale (Cdot + bias_rate C) - impulse_scale lambda
 *   point    see joint_lanes.h
 * All but the point constrain w alone, which an angular impulse L changes by S L: each inertia is applied once. Relaxing leaves
 * out the push (except of the spring, which is meant to be soft).
 * Source: Catto, "Soft Constraints", GDC 2011; "Solver2D", 2024. */
#include "d3/dynamics/joint_lanes.h"

struct record {
	struct lane_joint joint;
	/* At the current poses: */
	struct lane_vec axis, x; /* of a's frame */
	lanes bend_x, bend_y; /* C [rad] */
	struct lane_pair bend_mass; /* K^-1 */
	lanes bend_impulse_x, bend_impulse_y;
	struct lane_quat frames[2]; /* of the joint on both bodies when the step began */
	bool axial; /* some lane has a spring, limits or a motor */
	masks axial_lanes; /* lanes whose joint has one */
	lanes angle, response, axial_mass; /* [rad], z S z, m */
	struct lane_soft spring; /* mass_scale and impulse_scale 0: no spring */
	lanes target, lower, upper;
	masks limited;
	lanes motor_speed, motor_limit; /* maximum impulse of a sub-step */
	lanes spring_impulse, motor_impulse, lower_impulse, upper_impulse;
} RECORD_ALIGNED;

/* --- Relative rotation ---------------------------------------------------------------------------------------------------- */

/* The rotation q from a's frame to b's is a twist about z, then a swing. The swing is q T^-1, T the unit quaternion along (0,
 * 0, q.z, q.w). */
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
	if (record->axial) {
		record->angle = twist_of(q);
		record->response = lane_dot(record->axis, lane_symmetric_mul(&sum, record->axis));
		record->axial_mass = choose(record->axial_lanes, invert_lanes(record->response + give), (lanes){0});
	}
}

/* The joint's total angular impulse. */
INLINE struct lane_vec turn_impulse(const struct record *record)
{
	struct lane_vec y = lane_cross(record->axis, record->x);
	struct lane_vec bend = lane_mul_add(lane_scale(record->bend_impulse_x, record->x), record->bend_impulse_y, y);
	if (!record->axial)
		return bend;
	lanes axial = (record->spring_impulse + record->motor_impulse) + (record->lower_impulse - record->upper_impulse);
	return lane_choose(record->axial_lanes, lane_mul_add(bend, axial, record->axis), bend);
}

/* --- Prepare and store ---------------------------------------------------------------------------------------------------- */

static void axial_prepare(struct record *record, int lane, const struct revolute_settings *settings, const struct step *step)
{
	record->axial_lanes[lane] = -1;
	if (settings->spring) {
		struct soft soft = soft_make(settings->hertz, settings->damping_ratio, step->h);
		record->spring.bias_rate[lane] = soft.bias_rate;
		record->spring.mass_scale[lane] = soft.mass_scale;
		record->spring.impulse_scale[lane] = soft.impulse_scale;
		record->target[lane] = settings->target;
	}
	if (settings->limited) {
		record->lower[lane] = settings->lower;
		record->upper[lane] = settings->upper;
		record->limited[lane] = -1;
	}
	if (settings->motor) {
		record->motor_speed[lane] = settings->motor_speed;
		record->motor_limit[lane] = step->h * settings->max_motor_torque;
	}
}

/* The impulses, in the order of struct d3_revolute. */
struct lane_impulses {
	lanes spring, motor, lower, upper, bend_x, bend_y, none[2];
};

static void record_prepare(const struct world *world, struct record *record, const struct batch_link *edges, uint32_t count)
{
	static const struct d3_revolute no_joint;
#define JOINT(i) (i) < count ? d3_revolute(world, edges[i].id) : &no_joint
	const struct d3_revolute *const joints[LANES] = {EACH_LANE(JOINT)};
#undef JOINT
	struct lane_body a, b;
	struct lane_impulses impulses;
	joints_prefetch(world, edges, count, true);
	joint_prepare(world, &record->joint, edges, count, (const void *const *)joints, &a, &b);
	frames_prepare((const void *const *)joints, &a, &b, record->frames);
	columns_load_at((const void *const *)joints, offsetof(struct d3_revolute, spring_impulse), (lanes *)&impulses);
	record->bend_impulse_x = impulses.bend_x;
	record->bend_impulse_y = impulses.bend_y;
	record->axial = false;
	for (int i = 0; i < LANES; ++i)
		record->axial |= joints[i]->joint.acts != 0;
	if (record->axial) {
		memset(&record->axial_lanes, 0, sizeof *record - offsetof(struct record, axial_lanes));
		for (int i = 0; i < LANES; ++i)
			if (joints[i]->joint.acts != 0)
				axial_prepare(record, i, &joints[i]->settings, &world->step);
		record->spring_impulse = impulses.spring;
		record->motor_impulse = impulses.motor;
		record->lower_impulse = impulses.lower;
		record->upper_impulse = impulses.upper;
	}
	frames_set(record, record->frames[0], record->frames[1]);
}

static void row_prefetch(const struct world *world, uint32_t id)
{
	joint_prefetch(world, id);
}

static void NAME(store)(
	struct world *world, void *records, const struct batch_link *joints, uint32_t count, uint32_t begin, uint32_t end)
{
	for (uint32_t k = begin; k < end; ++k) {
		const struct record *record = (const struct record *)records + k;
		const struct batch_link *edges = joints + k * LANES;
		uint32_t left = count - k * LANES;
		const lanes bend[4] = {finite_lanes(record->bend_impulse_x), finite_lanes(record->bend_impulse_y), {0}, {0}};
		const lanes axial[4] = {finite_lanes(record->spring_impulse), finite_lanes(record->motor_impulse),
			finite_lanes(record->lower_impulse), finite_lanes(record->upper_impulse)};
#define JOINT(i) (i) < left ? d3_revolute(world, edges[i].id) : NULL
		void *const rows[LANES] = {EACH_LANE(JOINT)};
#undef JOINT
		joint_store(rows, &record->joint, turn_impulse(record));
		group_store(rows, offsetof(struct d3_revolute, bend_impulse), bend);
		if (record->axial)
			group_store(rows, offsetof(struct d3_revolute, spring_impulse), axial);
	}
}

/* --- Solve, all lanes at once --------------------------------------------------------------------------------------------- */

static void NAME(warm_start)(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		const struct record *record = (const struct record *)records + i;
		struct lane_velocity a = gather(world, record->joint.a), b = gather(world, record->joint.b);
		point_apply(&record->joint, &a, &b, record->joint.impulse);
		turn_apply(&record->joint, &a, &b, turn_impulse(record));
		scatter(world, record->joint.a, &a);
		scatter(world, record->joint.b, &b);
	}
}

/* Returns the change of the impulse about the axis; `speed`: of b relative to a about the axis. */
INLINE lanes axial_solve(const struct world *world, struct record *record, lanes speed, const struct lane_soft *soft)
{
	lanes zero = {0}, inv_h = splat(world->step.inv_h), mass = record->axial_mass;
	lanes limit_mass = choose(record->limited, mass, zero);
	lanes pull = mass * record->spring.mass_scale * (speed + record->spring.bias_rate * (record->angle - record->target));
	lanes change = -pull - record->spring.impulse_scale * record->spring_impulse, all = change;
	record->spring_impulse += change;
	speed += record->response * change;
	lanes before = record->motor_impulse, after = before - mass * (speed - record->motor_speed);
	record->motor_impulse = max_lanes(-record->motor_limit, min_lanes(after, record->motor_limit));
	change = record->motor_impulse - before;
	all += change;
	speed += record->response * change;
	change = limit_solve(limit_mass, record->angle - record->lower, speed, &record->lower_impulse, soft, inv_h);
	all += change;
	speed += record->response * change;
	return all - limit_solve(limit_mass, record->upper - record->angle, -speed, &record->upper_impulse, soft, inv_h);
}

INLINE void turn_solve(const struct world *world, struct record *record, struct lane_velocity *a, struct lane_velocity *b,
	const struct lane_soft *soft)
{
	struct lane_vec w = lane_sub(b->w, a->w), y = lane_cross(record->axis, record->x), impulse = {{0}, {0}, {0}};
	if (record->axial) {
		struct lane_symmetric sum = lane_symmetric_add(&record->joint.inv_inertia_a, &record->joint.inv_inertia_b);
		impulse = lane_scale(axial_solve(world, record, lane_dot(w, record->axis), soft), record->axis);
		impulse = lane_choose(record->axial_lanes, impulse, (struct lane_vec){{0}, {0}, {0}});
		w = lane_choose(record->axial_lanes, lane_add(w, lane_symmetric_mul(&sum, impulse)), w);
	}
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
	turn_apply(&record->joint, a, b, record->axial ? lane_choose(record->axial_lanes, lane_add(impulse, bend), bend) : bend);
}

INLINE void frames_move(struct world *world, struct record *record)
{
	struct lane_state a = gather_all(world, record->joint.a), b = gather_all(world, record->joint.b);
	point_move(&record->joint, &a, &b);
	frames_set(record, lane_mul_quat(a.dq, record->frames[0]), lane_mul_quat(b.dq, record->frames[1]));
}

INLINE void solve_all(struct world *world, void *records, uint32_t begin, uint32_t end, bool push)
{
	const struct lane_soft soft = joint_soft(world);
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		cache_prefetch(record + 1, JOINT_HOT);
		if (!push)
			frames_move(world, record);
		struct lane_velocity a = gather(world, record->joint.a), b = gather(world, record->joint.b);
		turn_solve(world, record, &a, &b, push ? &soft : NULL);
		point_solve(&record->joint, &a, &b, push ? &soft : NULL);
		scatter(world, record->joint.a, &a);
		scatter(world, record->joint.b, &b);
	}
}

#include "core/solver_entry.h"

const struct link_solver NAME(d3_revolute_solver) = {SOLVER_ENTRIES};
