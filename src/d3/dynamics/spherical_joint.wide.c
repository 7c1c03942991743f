/* spherical_joint.wide.c - solving spherical joints, LANES at a time; see lanes.h.
 * Lanes beyond the last joint have no mass and get no impulse. A lane without spring, limits or motor has zero mass, or zero
 * torque, for them.
 * Any thread: see joint_lanes.h.
 *
 * Symbols: z_a, z_b the current axes of both frames; S = I_a^-1 + I_b^-1; w = w_b - w_a; e the rotation vector from the target
 * to the rotation from a's frame to b's, in the world; n the axis of the swing, h sub-step [s].
 *   spring   lambda' = lambda - S^-1 (drag w + pull e) - (1 - drag) lambda, before positions move only: see soft.h
 *   motor    lambda' = lambda - S^-1 (w - velocity), shortened to h torque if longer
 *   twist    its rate is w u, u = (z_a + z_b) / (1 + z_a z_b): a rotation of b about n does not change it; its limits: see
 *            coordinate_lanes.h, m = 1 / (u S u)
 *   cone     C = cone - swing and its rate -w n: see limit_solve with 1 / (n S n); of elliptic cones: see ellipse_set
 *   point    see joint_lanes.h
 * All constraints but the point constrain w alone, which an angular impulse L changes by S L: each inertia is applied once.
 * Relaxing leaves out the push.
 * Source: Catto, "Soft Constraints", GDC 2011; "Solver2D", 2024; Dobrowolski, "Swing-twist decomposition in Clifford algebra",
 * 2015; of elliptic cones: Baerlocher, Boulic, "Parametrization and range of motion of the ball-and-socket joint", 2001. */
#include "d3/dynamics/joint_lanes.h"
#include "core/coordinate_lanes.h"

struct record {
	struct lane_joint joint;
	bool turns; /* some lane has a spring, limits or a motor */
	bool elliptic; /* some lane has an elliptic cone */
	masks turn_lanes; /* lanes whose joint has a spring, limits or a motor */
	/* At the current poses: */
	struct lane_vec error; /* e [rad] */
	struct lane_vec twist_axis, cone_axis; /* u; n, or the axis of an elliptic cone's limit */
	lanes twist, room; /* room: C of the cone [rad] */
	struct lane_vec motor_now; /* the motor's velocity [rad/s] */
	struct lane_quat frames[2]; /* of the joint on both bodies when the step began */
	struct lane_symmetric mass; /* S^-1 */
	lanes drag, pull; /* of the spring; 0: none */
	struct lane_quat target;
	lanes cones[2]; /* maximum swing about the x and y axes of a's frame */
	masks cone_limited;
	struct lane_vec motor_velocity; /* when the step began */
	lanes motor_limit; /* maximum impulse of a sub-step */
	struct lane_vec spring_impulse, motor_impulse;
	lanes cone_impulse;
	struct lane_coordinate about; /* the twist; zeros where it has no limits */
} RECORD_ALIGNED;

/* --- Relative rotation ---------------------------------------------------------------------------------------------------- */

/* The point (a x, b y) of the ellipse with the semi-axes a and b that is nearest to (*x, *y), which become its x and y, with
 * x^2 + y^2 = 1. For points up to 1.5 times as far out as the ellipse, and axes up to 100 times as long as each other, it is
 * farther than the nearest one by at most 0.0002 times the longer axis.
 * Source: Chatfield, "Simple Method for Distance to Ellipse", 2017. */
INLINE void ellipse_nearest(lanes a, lanes b, lanes *x, lanes *y)
{
	lanes zero = {0}, one = splat(1.0f), start = splat(0.70710678f), u = start, v = start, px = abs_lanes(*x),
		  py = abs_lanes(*y);
	lanes difference = a * a - b * b;
	for (int i = 0; i < 3; ++i) {
		lanes ex = difference * u * u * u / a, ey = -difference * v * v * v / b; /* the centre of curvature at (a u, b v) */
		lanes rx = a * u - ex, ry = b * v - ey, qx = px - ex, qy = py - ey;
		lanes ratio = sqrt_lanes(rx * rx + ry * ry) * invert_lanes(sqrt_lanes(qx * qx + qy * qy));
		u = min_lanes(max_lanes((qx * ratio + ex) / a, zero), one);
		v = min_lanes(max_lanes((qy * ratio + ey) / b, zero), one);
		lanes length = sqrt_lanes(u * u + v * v), inv = invert_lanes(length);
		u = choose(length > zero, inv * u, start);
		v = choose(length > zero, inv * v, start);
	}
	*x = choose(*x < zero, -u, u);
	*y = choose(*y < zero, -v, v);
}

/* Sets the axis and the room of elliptic cones. In the plane of a's x and y axes, the swing's rotation vector s has the length
 * `swing` and the direction p, and lies in an ellipse whose semi-axes are the maximum angles. Its limit is the tangent, with
 * the outward normal d, at the point of the ellipse that is nearest to where s is going to be at the end of a sub-step: so also
 * near the tip of a flat ellipse. Along p, s changes at w n, across it at w (z_b x n) swing / sin(swing). So its distance from
 * the tangent changes at -w J, J = (d p) n + (d t) swing / sin(swing) z_b x n, t perpendicular to p. J and the distance are
 * divided by |J|: C is the angle about this axis up to the tangent, to first order. rotation: from a's frame to b's;
 * along_b: z_b; next: along b's axis at the end of the sub-step, in a's frame; cone_axis: n, and then the limit's axis. The
 * impulse keeps its part along it. Not inlined, where its registers would slow down circular cones. */
static __attribute__((noinline)) void ellipse_set(struct record *record, const struct lane_quat *rotation,
	const struct lane_vec *along_b, lanes swing, const struct lane_vec *next, struct lane_vec *cone_axis)
{
	lanes a = record->cones[0], b = record->cones[1], one = splat(1.0f), zero = {0};
	masks elliptic = a != b;
	struct lane_quat q = *rotation;
	struct lane_vec n = *cone_axis, side = lane_cross(*along_b, n);
	lanes px = q.x * q.w - q.y * q.z, py = q.y * q.w + q.x * q.z, half_sine = sqrt_lanes(px * px + py * py);
	masks swung = half_sine > zero;
	lanes inv = one / choose(swung, half_sine, one), stretch = choose(swung, splat(0.5f) * swing * inv, one);
	px = choose(swung, inv * px, one);
	py = choose(swung, inv * py, zero);
	lanes sine = sqrt_lanes(next->x * next->x + next->y * next->y);
	lanes angle = full_angle_lanes(sine, next->z) * invert_lanes(sine);
	lanes x = -angle * next->y, y = angle * next->x;
	ellipse_nearest(a, b, &x, &y);
	lanes dx = b * x, dy = a * y; /* d, of any length */
	lanes along = dx * px + dy * py, across = stretch * (dy * px - dx * py);
	lanes scale = invert_lanes(sqrt_lanes(along * along + across * across));
	struct lane_vec axis = lane_mul_add(lane_scale(scale * along, n), scale * across, side);
	const struct lane_vec before = record->cone_axis;
	masks same = (axis.x == before.x) & (axis.y == before.y) & (axis.z == before.z);
	lanes kept = choose(same, one, max_lanes(lane_dot(axis, before), zero));
	record->cone_impulse = choose(elliptic, kept * record->cone_impulse, record->cone_impulse);
	*cone_axis = lane_choose(elliptic, axis, n);
	record->room = choose(elliptic, scale * (a * b - swing * along), record->room);
}

INLINE void frames_set(
	const struct world *world, struct record *record, struct lane_quat a, struct lane_quat b, struct lane_vec w)
{
	struct lane_quat q = lane_mul_quat(lane_conjugate(a), b);
	struct lane_vec za = frame_axis(a), zb = frame_axis(b), n = lane_cross(za, zb);
	lanes across = sqrt_lanes(q.x * q.x + q.y * q.y);
	record->error = lane_rotate(a, rotation_vector(lane_mul_quat(q, lane_conjugate(record->target))));
	record->twist = angles_near(twist_of(q), record->twist);
	record->twist_axis = twist_axis(za, zb);
	lanes swing = splat(2.0f) * angle_lanes(across, sqrt_lanes(q.z * q.z + q.w * q.w));
	struct lane_vec axis = lane_scale(invert_lanes(sqrt_lanes(lane_dot(n, n))), n);
	record->room = record->cones[0] - swing;
	if (record->elliptic) {
		struct lane_vec along_b = zb, next = lane_mul_add(zb, splat(world->step.h), lane_cross(w, zb)), cone_axis = axis;
		struct lane_quat rotation = q;
		next = lane_rotate(lane_conjugate(a), next);
		ellipse_set(record, &rotation, &along_b, swing, &next, &cone_axis);
		axis = cone_axis;
	}
	record->cone_axis = axis;
}

INLINE void turn_mass(struct record *record)
{
	lanes give;
	struct lane_symmetric sum = turn_response(&record->joint, &give);
	sum = lane_symmetric_raise(&sum, give);
	record->mass = lane_symmetric_invert(&sum);
}

/* The joint's total angular impulse. */
INLINE struct lane_vec turn_impulse(const struct record *record)
{
	struct lane_vec impulse = lane_add(record->spring_impulse, record->motor_impulse), none = {{0}, {0}, {0}};
	impulse = lane_mul_add(impulse, coordinate_sum(&record->about), record->twist_axis);
	return lane_choose(record->turn_lanes, lane_mul_add(impulse, -record->cone_impulse, record->cone_axis), none);
}

/* --- Prepare and store ---------------------------------------------------------------------------------------------------- */

static void turn_prepare(
	const struct world *world, struct record *record, int lane, const struct batch_link *link, const struct d3_spherical *joint)
{
	const struct drive_settings *drive = &joint->drive;
	record->turn_lanes[lane] = -1;
	if (drive->spring) {
		struct spring spring = spring_between(world, link, drive->hertz, drive->damping_ratio);
		record->drag[lane] = spring.drag;
		record->pull[lane] = spring.pull;
		record->target.x[lane] = drive->target[0];
		record->target.y[lane] = drive->target[1];
		record->target.z[lane] = drive->target[2];
		record->target.w[lane] = drive->target[3];
	}
	if (joint->cone.limited) {
		record->cones[0][lane] = joint->cone.angles[0];
		record->cones[1][lane] = joint->cone.angles[1];
		record->cone_limited[lane] = -1;
		record->elliptic |= joint->cone.angles[0] != joint->cone.angles[1];
	}
	if (drive->motor) {
		record->motor_velocity.x[lane] = drive->velocity[0];
		record->motor_velocity.y[lane] = drive->velocity[1];
		record->motor_velocity.z[lane] = drive->velocity[2];
		record->motor_limit[lane] = world->step.h * drive->max_motor;
	}
}

#define TWIST_AT offsetof(struct d3_spherical, twist.value)

static void record_prepare(const struct world *world, struct record *record, const struct batch_link *links, uint32_t count)
{
	static const struct d3_spherical no_joint;
	const struct lane_rows joints = link_rows(world->joint_rows, sizeof(union d3_joint_row), links, count, &no_joint);
	struct lane_body a, b;
	lanes impulses[8];
	bool acts[LANES];
	joints_prefetch(world, links, count, false);
	joint_prepare(world, &record->joint, links, count, &joints, &a, &b);
	point_prepare(&record->joint);
	record->turns = record->elliptic = false;
	for (int i = 0; i < LANES; ++i)
		record->turns |= acts[i] = ((const struct d3_joint *)joints.at[i])->acts != 0;
	if (!record->turns)
		return;
	memset(&record->turn_lanes, 0, sizeof *record - offsetof(struct record, turn_lanes));
	for (int i = 0; i < LANES; ++i)
		if (acts[i])
			turn_prepare(world, record, i, &links[i], joints.at[i]);
	columns_load_at(joints.at, offsetof(struct d3_spherical, spring_impulse), impulses);
	record->spring_impulse = (struct lane_vec){impulses[0], impulses[1], impulses[2]};
	record->motor_impulse = (struct lane_vec){impulses[4], impulses[5], impulses[6]};
	record->twist = numbers_load(&joints, TWIST_AT);
	coordinate_prepare(world, &record->about, links, &joints, TWIST_AT);
	record->motor_velocity = record->motor_now = lane_rotate(a.q, record->motor_velocity);
	turn_mass(record);
	frames_prepare(&joints, &a, &b, record->frames);
	frames_set(world, record, record->frames[0], record->frames[1],
		lane_sub(gather(world, record->joint.b).w, gather(world, record->joint.a).w));
	record->cone_impulse = impulses[3];
}

static void record_store(struct world *world, const struct record *record, const struct batch_link *joints, uint32_t count)
{
	const struct lane_vec *spring = &record->spring_impulse, *motor = &record->motor_impulse;
	joint_store(world, &record->joint, record->turns ? turn_impulse(record) : (struct lane_vec){0}, joints, count);
	if (!record->turns)
		return;
	lanes none = {0};
	impulses_store(world, offsetof(struct d3_spherical, spring_impulse), joints, count, spring->x, spring->y, spring->z,
		record->cone_impulse);
	impulses_store(world, offsetof(struct d3_spherical, motor_impulse), joints, count, motor->x, motor->y, motor->z, none);
	impulses_store(
		world, TWIST_AT, joints, count, record->twist, none, none, record->about.impulse.lower - record->about.impulse.upper);
}

/* --- Solve, all lanes at once --------------------------------------------------------------------------------------------- */

static void NAME(warm_start)(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		struct lane_velocity a = gather(world, record->joint.a), b = gather(world, record->joint.b);
		struct lane_vec wa, wb;
		record->joint.impulse = lane_without_negligible(record->joint.impulse, NEGLIGIBLE_IMPULSE);
		point_apply(&record->joint, &a, &b, record->joint.impulse);
		if (record->turns) {
			wa = a.w;
			wb = b.w;
			turn_apply(&record->joint, &a, &b, turn_impulse(record));
			a.w = lane_choose(record->turn_lanes, a.w, wa);
			b.w = lane_choose(record->turn_lanes, b.w, wb);
		}
		scatter(world, record->joint.a, &a);
		scatter(world, record->joint.b, &b);
	}
}

INLINE struct lane_vec turn_spring_solve(struct record *record, struct lane_vec w)
{
	struct lane_vec before = record->spring_impulse;
	struct lane_vec pull =
		lane_symmetric_mul(&record->mass, lane_mul_add(lane_scale(record->drag, w), record->pull, record->error));
	record->spring_impulse = lane_sub(lane_scale(record->drag, before), pull);
	return lane_sub(record->spring_impulse, before);
}

INLINE struct lane_vec turn_motor_solve(struct record *record, struct lane_vec w)
{
	struct lane_vec before = record->motor_impulse;
	struct lane_vec after = lane_sub(before, lane_symmetric_mul(&record->mass, lane_sub(w, record->motor_now)));
	lanes zero = {0}, limit = record->motor_limit, scale = shortening(lane_dot(after, after), limit);
	record->motor_impulse = lane_choose(limit > zero, lane_scale(scale, after), (struct lane_vec){zero, zero, zero});
	return lane_sub(record->motor_impulse, before);
}

/* Returns the change of the impulse about the axis of the cone's limit. */
INLINE lanes cone_solve(struct record *record, struct lane_vec w, const struct lane_symmetric *sum, lanes give,
	const struct lane_soft *soft, lanes inv_h)
{
	lanes zero = {0}, response = lane_dot(record->cone_axis, lane_symmetric_mul(sum, record->cone_axis));
	lanes mass = choose(record->cone_limited, invert_lanes(response + give), zero), rate = -lane_dot(w, record->cone_axis);
	return -limit_solve(mass, record->room, rate, &record->cone_impulse, soft, inv_h);
}

/* Lanes without spring, limits or motor keep their velocities, down to the sign of 0. */
INLINE void turn_solve(const struct world *world, struct record *record, struct lane_velocity *a, struct lane_velocity *b,
	const struct lane_soft *soft)
{
	lanes give, inv_h = splat(world->step.inv_h);
	struct lane_symmetric sum = turn_response(&record->joint, &give);
	struct lane_vec w = lane_sub(b->w, a->w), wa = a->w, wb = b->w;
	struct lane_vec change, impulse = {{0}, {0}, {0}};
	if (soft != NULL) {
		impulse = turn_spring_solve(record, w);
		w = lane_add(w, lane_symmetric_mul(&sum, impulse));
	}
	change = turn_motor_solve(record, w);
	impulse = lane_add(impulse, change);
	w = lane_add(w, lane_symmetric_mul(&sum, change));
	struct lane_vec turned = lane_symmetric_mul(&sum, record->twist_axis);
	coordinate_respond(&record->about, lane_dot(record->twist_axis, turned), give);
	lanes twist = coordinate_solve(&record->about, record->twist, lane_dot(w, record->twist_axis), soft, inv_h);
	impulse = lane_mul_add(impulse, twist, record->twist_axis);
	w = lane_mul_add(w, twist, turned);
	impulse = lane_mul_add(impulse, cone_solve(record, w, &sum, give, soft, inv_h), record->cone_axis);
	turn_apply(&record->joint, a, b, impulse);
	a->w = lane_choose(record->turn_lanes, a->w, wa);
	b->w = lane_choose(record->turn_lanes, b->w, wb);
}

/* mass: see point_move. */
INLINE void frames_move(
	struct world *world, struct record *record, const struct lane_state *a, const struct lane_state *b, bool mass)
{
	point_move(&record->joint, a, b, mass);
	if (record->turns) {
		record->motor_now = lane_rotate(a->dq, record->motor_velocity);
		if (record->joint.tumbles)
			turn_mass(record);
		frames_set(world, record, lane_mul_quat(a->dq, record->frames[0]), lane_mul_quat(b->dq, record->frames[1]),
			lane_sub(b->w, a->w));
	}
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
			frames_move(world, record, &moved_a, &moved_b, true);
		}
		struct lane_velocity a = gather(world, record->joint.a), b = gather(world, record->joint.b);
		if (record->turns)
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
	return (struct part_size){sizeof(struct record), 3, true};
}

static void parts_move(struct world *world, struct lane_tie *tie, const struct lane_state *a, const struct lane_state *b)
{
	struct record *record = tie->record;
	frames_move(world, record, a, b, false);
	point_errors(&record->joint, tie);
}

static void parts_locks(struct world *world, struct lane_tie *tie)
{
	(void)world;
	point_locks(&((struct record *)tie->record)->joint, tie);
}

static void parts_solve(struct world *world, void *joint, void *a, void *b, bool push)
{
	struct record *record = joint;
	struct lane_soft soft = common_soft(world);
	if (record->turns)
		turn_solve(world, record, a, b, push ? &soft : NULL);
}

static const struct joint_parts parts = {parts_size, parts_move, parts_locks, parts_solve};

#include "core/solver_entry.h"

const struct link_solver NAME(d3_spherical_solver) = {SOLVER_ENTRIES, .parts = &parts};
