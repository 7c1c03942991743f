/* rows_joint.wide.c - solving the 2D joints that are lists of rows, LANES at a time: all but the revolute. See
 * core/rows_lanes.h. A type is an entry of rows_types and a function that sets its rows, errors and values.
 * Lanes without a joint have no mass and get no impulse.
 * Any thread: the joints of a colour share no body that they write to.
 *
 * Symbols: r_a, r_b from the centres of mass to the anchors; gap from a's anchor to b's; x, y the axes of a's frame; angle of
 * b's frame in a's. An impulse along n acts at one point for both bodies, see arms_meet. A body that is pulled hard gets a
 * larger inertia: see inertia_left. */
#include "d2/dynamics/joint.h"
#include "d2/dynamics/lanes.h"

#define VELOCITY struct lane_state
#define ROW_TYPE struct d2_rows
#define LINEAR_AXES 2
#define ANGULAR_AXES 1

struct lane_joint {
	uint32_t a[LANES], b[LANES]; /* state indices, with READ_ONLY */
	struct lane_mass mass_a, mass_b;
	lanes give; /* GIVE if a body has locks, or neither can move along some axis; else 0 */
	struct lane_soft soft; /* see softs_load */
};

/* A row's rate is n (v_b - v_a) + b w_b - a w_a. */
struct lane_row {
	struct lane_vec n;
	lanes a, b;
};

INLINE lanes row_rate(const struct lane_row *row, const struct lane_state *a, const struct lane_state *b)
{
	return row->n.x * (b->vx - a->vx) + row->n.y * (b->vy - a->vy) + (row->b * b->w - row->a * a->w);
}

INLINE void row_apply(
	const struct lane_joint *masses, const struct lane_row *row, lanes impulse, struct lane_state *a, struct lane_state *b)
{
	lanes px = impulse * row->n.x, py = impulse * row->n.y;
	a->vx -= masses->mass_a.x * px;
	a->vy -= masses->mass_a.y * py;
	a->w -= masses->mass_a.turn * (impulse * row->a);
	b->vx += masses->mass_b.x * px;
	b->vy += masses->mass_b.y * py;
	b->w += masses->mass_b.turn * (impulse * row->b);
}

/* The rate of one row for an impulse of 1 along the other. */
INLINE lanes row_response(const struct lane_joint *masses, const struct lane_row *one, const struct lane_row *other)
{
	return (masses->mass_a.x + masses->mass_b.x) * (one->n.x * other->n.x) +
		(masses->mass_a.y + masses->mass_b.y) * (one->n.y * other->n.y) + masses->mass_a.turn * (one->a * other->a) +
		masses->mass_b.turn * (one->b * other->b);
}

/* At least the response of the row to itself, however its bodies are locked. */
INLINE lanes row_freedom(const struct lane_joint *masses, const struct lane_row *row)
{
	lanes mass = (masses->mass_a.x + masses->mass_a.y) + (masses->mass_b.x + masses->mass_b.y);
	return mass * (row->n.x * row->n.x + row->n.y * row->n.y) + masses->mass_a.turn * (row->a * row->a) +
		masses->mass_b.turn * (row->b * row->b);
}

INLINE void velocity_choose(masks some, struct lane_state *to, const struct lane_state *otherwise)
{
	to->vx = choose(some, to->vx, otherwise->vx);
	to->vy = choose(some, to->vy, otherwise->vy);
	to->w = choose(some, to->w, otherwise->w);
}

struct record;
enum { LOCKS_MOST = 3, COORDINATES_MOST = 2 };
#include "core/rows_lanes.h"

/* Where the bodies are now. */
struct lane_now {
	struct lane_vec ra, rb, gap, x, y;
	lanes angle; /* it counts turns [rad] */
	struct lane_vec arm_a, arm_b; /* from the centres of mass to the point where linear impulses act */
};

struct record {
	struct lane_joint joint;
	struct lane_now now;
	/* When the step began: */
	struct lane_vec ra, rb, between, x;
	lanes angle;
	PARTS
} RECORD_ALIGNED;

/* --- Rows ----------------------------------------------------------------------------------------------------------------- */

INLINE lanes lane_dot(struct lane_vec a, struct lane_vec b)
{
	return a.x * b.x + a.y * b.y;
}

INLINE lanes lane_cross(struct lane_vec a, struct lane_vec b)
{
	return a.x * b.y - a.y * b.x;
}

/* Sets the arms. along: the part of the gap that the joint does not close. The rest of it, its error, lies on both sides of the
 * point where impulses act: see joint_shares. */
INLINE void arms_meet(struct record *record, struct lane_vec along)
{
	struct lane_now *now = &record->now;
	struct lane_vec error = {now->gap.x - along.x, now->gap.y - along.y};
	const struct lane_mass *a = &record->joint.mass_a, *b = &record->joint.mass_b;
	lanes share_a, share_b;
	joint_shares(
		a->x + a->y, b->x + b->y, splat(2.0f) * a->turn, splat(2.0f) * b->turn, lane_dot(error, error), &share_a, &share_b);
	now->arm_a = (struct lane_vec){now->ra.x + along.x + share_a * error.x, now->ra.y + along.y + share_a * error.y};
	now->arm_b = (struct lane_vec){now->rb.x - share_b * error.x, now->rb.y - share_b * error.y};
}

/* A row along n, a unit vector. */
INLINE struct lane_row row_along(const struct lane_now *now, struct lane_vec n)
{
	return (struct lane_row){n, lane_cross(now->arm_a, n), lane_cross(now->arm_b, n)};
}

/* The row of the angle. */
INLINE struct lane_row row_turn(void)
{
	return (struct lane_row){{{0}, {0}}, splat(1.0f), splat(1.0f)};
}

/* Sets lock 0 and coordinate 0 of a joint that slides along x. */
INLINE void rows_slide(struct record *record)
{
	struct lane_now *now = &record->now;
	lanes translation = lane_dot(now->gap, now->x);
	arms_meet(record, (struct lane_vec){translation * now->x.x, translation * now->x.y});
	record->locks[0] = row_along(now, now->y);
	record->errors[0] = lane_dot(now->gap, now->y);
	record->axes[0] = row_along(now, now->x);
	record->values[0] = translation;
}

INLINE void drive_rows_set(struct record *record)
{
	const struct lane_now *now = &record->now;
	record->drive_rows[0] = row_along(now, now->x);
	record->drive_rows[1] = row_along(now, now->y);
	record->drive_rows[2] = row_turn();
	record->drive_errors[0] = lane_dot(now->gap, now->x);
	record->drive_errors[1] = lane_dot(now->gap, now->y);
	record->drive_errors[2] = now->angle;
}

INLINE struct lane_vec turned(lanes c, lanes s, struct lane_vec v)
{
	return (struct lane_vec){c * v.x - s * v.y, s * v.x + c * v.y};
}

INLINE void rows_move(struct record *record, const struct lane_state *a, const struct lane_state *b)
{
	struct lane_now *now = &record->now;
	now->ra = turned(a->c, a->s, record->ra);
	now->rb = turned(b->c, b->s, record->rb);
	now->gap.x = record->between.x + (b->dx - a->dx) + (now->rb.x - now->ra.x);
	now->gap.y = record->between.y + (b->dy - a->dy) + (now->rb.y - now->ra.y);
	now->x = turned(a->c, a->s, record->x);
	now->y = (struct lane_vec){-now->x.y, now->x.x};
	now->angle = record->angle + (b->turn - a->turn);
}

struct lane_reaction {
	struct lane_vec force;
	lanes torque;
};

/* Adds an impulse along the row to the force and the torque on b, the torque without that of the force at the anchor. */
INLINE void reaction_add(const struct record *record, const struct lane_row *row, lanes impulse, struct lane_reaction *reaction)
{
	reaction->force.x += impulse * row->n.x;
	reaction->force.y += impulse * row->n.y;
	reaction->torque += impulse * (row->b - lane_cross(record->now.arm_b, row->n));
}

INLINE void tie_masses(const struct lane_joint *joint, struct lane_tie *tie)
{
	tie->masses[0] = (const lanes *)&joint->mass_a;
	tie->masses[1] = (const lanes *)&joint->mass_b;
}

INLINE void row_unroll(const struct lane_row *row, lanes rows[2][DOFS])
{
	const lanes a[DOFS] = {-row->n.x, -row->n.y, -row->a}, b[DOFS] = {row->n.x, row->n.y, row->b};
	memcpy(rows[0], a, sizeof a);
	memcpy(rows[1], b, sizeof b);
}

#include "core/joint_entry.h"

/* --- The types ------------------------------------------------------------------------------------------------------------ */

/* Distance. Anchors at one point are pushed apart along x.
 *   coordinate   the length of the gap
 *   lock         length = the spring's target, if there is neither a spring nor limits: a rod */
static void distance_rows(struct record *record)
{
	struct lane_now *now = &record->now;
	lanes length = sqrt_lanes(lane_dot(now->gap, now->gap));
	masks some = length > splat(LEAST_LENGTH);
	lanes scale = splat(1.0f) / choose(some, length, splat(1.0f));
	struct lane_vec n = {choose(some, scale * now->gap.x, now->x.x), choose(some, scale * now->gap.y, now->x.y)};
	arms_meet(record, now->gap);
	record->locks[0] = record->axes[0] = row_along(now, n);
	record->values[0] = length;
	record->errors[0] = length - record->target;
}

/* Prismatic.
 *   locks        gap y = 0, angle = 0
 *   coordinate   the translation gap x */
static void prismatic_rows(struct record *record)
{
	rows_slide(record);
	record->locks[1] = row_turn();
	record->errors[1] = record->now.angle;
}

/* Weld.
 *   locks   gap x = 0, gap y = 0, angle = 0, unless softened: then a spring of the drives pulls there */
static void weld_locked(struct record *record, const struct lane_rows *joints)
{
	for (int i = 0; i < LANES; ++i) {
		const struct d2_rows *joint = joints->at[i];
		record->locked[0][i] = record->locked[1][i] = -(int32_t)!joint->drives[0].settings.spring;
		record->locked[2][i] = -(int32_t)!joint->drives[1].settings.spring;
	}
}

static void weld_rows(struct record *record)
{
	struct lane_now *now = &record->now;
	arms_meet(record, (struct lane_vec){{0}, {0}});
	record->locks[0] = row_along(now, now->x);
	record->locks[1] = row_along(now, now->y);
	record->locks[2] = row_turn();
	record->errors[0] = lane_dot(now->gap, now->x);
	record->errors[1] = lane_dot(now->gap, now->y);
	record->errors[2] = now->angle;
}

/* Wheel.
 *   lock          gap y = 0
 *   coordinates   the suspension gap x; the spin, which is the angle */
static void wheel_rows(struct record *record)
{
	rows_slide(record);
	record->axes[1] = row_turn();
	record->values[1] = record->now.angle;
}

/* Motor, mouse and friction: drives only. */
static void motor_rows(struct record *record)
{
	arms_meet(record, (struct lane_vec){{0}, {0}});
}

/* Ratchet.
 *   coordinate   the angle, limited at the last tooth that it has reached */
static void ratchet_rows(struct record *record)
{
	arms_meet(record, (struct lane_vec){{0}, {0}});
	record->axes[0] = row_turn();
	record->values[0] = record->now.angle;
}

INLINE struct lane_vec in_world(const struct lane_now *now, const lanes v[3])
{
	return (struct lane_vec){v[0] * now->x.x + v[1] * now->y.x, v[0] * now->x.y + v[1] * now->y.y};
}

/* Path.
 *   locks        the gap across the curve = 0; following it, angle = that of the tangent
 *   coordinate   the arc length */
static void path_rows(struct record *record)
{
	struct lane_now *now = &record->now;
	const lanes local[3] = {lane_dot(now->gap, now->x), lane_dot(now->gap, now->y), {0}};
	struct lane_place at;
	curves_place(record->curves, local, &record->values[0], &at);
	struct lane_vec along = in_world(now, at.p), t = in_world(now, at.t), n = {-t.y, t.x};
	lanes k = at.turn[2], one = splat(1.0f);
	arms_meet(record, along);
	record->locks[0] = row_along(now, n);
	record->errors[0] = lane_dot((struct lane_vec){now->gap.x - along.x, now->gap.y - along.y}, n);
	record->axes[0] = row_along(now, t);
	/* the rate of the angle less that of the tangent, k times that of the arc length */
	record->locks[1] = (struct lane_row){{-k * t.x, -k * t.y}, one - k * record->axes[0].a, one - k * record->axes[0].b};
	record->errors[1] = now->angle - angles_near(full_angle_lanes(at.t[1], at.t[0]), now->angle);
}

static const struct rows_type rows_types[JOINT_TYPES] = {
	[JOINT_DISTANCE] =
		{.locks = 1, .linear_locks = 1, .coordinates = 1, .rows_set = distance_rows, .locked_set = distance_locked},
	[JOINT_PRISMATIC] = {.locks = 2, .linear_locks = 1, .coordinates = 1, .rows_set = prismatic_rows},
	[JOINT_WELD] = {.locks = 3, .linear_locks = 2, .drives = true, .rows_set = weld_rows, .locked_set = weld_locked},
	[JOINT_WHEEL] = {.locks = 1, .linear_locks = 1, .coordinates = 2, .angle = 1 + 1, .rows_set = wheel_rows},
	[JOINT_MOTOR] = {.drives = true, .rows_set = motor_rows},
	[JOINT_MOUSE] = {.drives = true, .rows_set = motor_rows},
	[JOINT_FRICTION] = {.drives = true, .rows_set = motor_rows},
	[JOINT_PATH] = {.locks = 2, .linear_locks = 1, .coordinates = 1, .rows_set = path_rows, .locked_set = path_locked},
	[JOINT_RATCHET] = {.coordinates = 1, .angle = 1 + 0, .ratchet = true, .rows_set = ratchet_rows},
};

/* --- Prepare and store ---------------------------------------------------------------------------------------------------- */

static void record_prepare(const struct world *world, struct record *record, const struct batch_link *links, uint32_t count)
{
	static const struct d2_rows no_joint;
	const struct lane_rows joints = link_rows(world->joint_rows, sizeof(union d2_joint_row), links, count, &no_joint);
	int angle = type_of(world, links)->angle;
	lanes columns[8], frame[4], locks[4], near = {0};
	struct lane_body a, b;
	links_load(world, links, count, record->joint.a, record->joint.b, &a, &b, &record->between);
	columns_load_at(joints.at, offsetof(struct d2_joint, local_a), columns);
	group_load(joints.at, offsetof(struct d2_rows, frame), frame);
	group_load(joints.at, offsetof(struct d2_rows, lock_impulses), locks);
	softs_load(world, links, count, &record->joint.soft);
	record->joint.mass_a = a.mass;
	record->joint.mass_b = b.mass;
	lanes least = min_lanes(a.mass.x + b.mass.x, a.mass.y + b.mass.y), zero = {0};
	record->joint.give = choose(least > zero, zero, splat(GIVE));
	record->ra = record->now.ra = arm_of(&a, columns[0], columns[1]);
	record->rb = record->now.rb = arm_of(&b, columns[2], columns[3]);
	record->x = record->now.x = turned(a.c, a.s, (struct lane_vec){frame[0], frame[1]});
	record->now.y = (struct lane_vec){-record->x.y, record->x.x};
	if (angle != 0)
		near = numbers_load(&joints, COORDINATE_AT(ROW_TYPE, angle - 1));
	record->angle = record->now.angle = angle_of(&a, &b, columns[4], columns[5], near);
	record->now.gap.x = record->between.x + (record->rb.x - record->ra.x);
	record->now.gap.y = record->between.y + (record->rb.y - record->ra.y);
	parts_prepare(world, record, links, &joints, locks);
	record->type->rows_set(record);
	lanes pull = splat(world->step.h) * sqrt_lanes(columns[6] * columns[6] + columns[7] * columns[7]);
	const struct lane_now *now = &record->now;
	record->joint.mass_a.turn *= inertia_left(pull * sqrt_lanes(lane_dot(now->arm_a, now->arm_a)) * a.mass.turn);
	record->joint.mass_b.turn *= inertia_left(pull * sqrt_lanes(lane_dot(now->arm_b, now->arm_b)) * b.mass.turn);
	rows_update(record, true);
}

static void row_prefetch(const struct world *world, uint32_t id)
{
	cache_prefetch(joint_row(world, id), sizeof(struct d2_rows));
}

static void impulses_prefetch(const struct world *world, uint32_t id)
{
	row_prefetch(world, id);
}

/* Stores the force's impulse, which follows the reference in the records. */
static void reactions_store(struct world *world, const struct batch_link *links, uint32_t count, lanes x, lanes y)
{
	const lanes finite[2] = {finite_lanes(x), finite_lanes(y)};
	for (uint32_t i = 0; i < LANES && i < count; ++i)
		((struct d2_joint *)joint_row(world, links[i].id))->impulse = (struct d2_vec){finite[0][i], finite[1][i]};
}

static void record_store(struct world *world, const struct record *record, const struct batch_link *joints, uint32_t count)
{
	struct lane_reaction reaction = parts_store(world, record, joints, count);
	lanes locks[3] = {{0}, {0}, {0}};
	for (int i = 0; i < record->type->locks; ++i)
		locks[i] = record->impulses[i];
	impulses_store(
		world, offsetof(struct d2_rows, lock_impulses), joints, count, locks[0], locks[1], locks[2], reaction.torque);
	reactions_store(world, joints, count, reaction.force.x, reaction.force.y);
}

#include "core/solver_entry.h"

const struct link_solver NAME(d2_rows_solver) = {SOLVER_ENTRIES, .parts = &parts};
