/* revolute_joint.wide.c - the revolute joint solver, LANES at a time; see lanes.h.
 * Lanes without a joint have no mass and get no impulse.
 * Any thread: the joints of a colour share no body that they write to.
 *
 * Symbols: r_a, r_b from the centres of mass to the anchors when the step began, rotated with the bodies since; d from centre a
 * to centre b when the step began; dp displacement since, angle = angle_0 + turn_b - turn_a, w = w_b - w_a its rate, h sub-step
 * [s].
 *   angle    its spring, motor and limits: see coordinate_lanes.h, m = 1 / (1/I_a + 1/I_b)
 *   point    C = d + dp_b + r_b - dp_a - r_a, lambda' = lambda - K^-1 mass_scale (Cdot + bias_rate C) - impulse_scale lambda,
 *            K = J M^-1 J^T, 2 x 2, at the current anchors
 * The point's impulse acts between the anchors, see anchors_now; its bias_rate C is shortened to JOINT_SPEED. A body that is
 * pulled hard gets a larger inertia: see inertia_left. Relaxing omits the push: bias 0, mass_scale 1, impulse_scale 0.
 * Source: Catto, "Soft Constraints", GDC 2011; "Solver2D", 2024. */
#include "d2/dynamics/joint.h"
#include "d2/dynamics/lanes.h"
#include "core/coordinate_lanes.h"
#include "core/lock_lanes.h"

/* Current arms from the centres of mass to the impulse's point, and the vector from anchor to anchor: see anchors_now. */
struct lane_anchors {
	lanes ax, ay, bx, by, error_x, error_y;
};

/* Members needed in each sub-step come first. */
struct record {
	uint32_t a[LANES], b[LANES]; /* state indices, with READ_ONLY */
	struct lane_mass mass_a, mass_b;
	struct lane_vec ra, rb; /* when the step began [length] */
	struct lane_vec between; /* d [length] */
	/* distance of the impulse's point from each anchor, as a fraction of the anchors' distance: see joint_shares */
	lanes share_a, share_b;
	struct lane_vec impulse;
	lanes start_angle, angle; /* angle_0 and now [rad] */
	bool acts; /* some lane has a spring, limits or a motor */
	struct lane_coordinate about; /* the angle; set only if `acts` */
	struct lane_soft soft; /* see softs_load */
	struct lane_anchors now; /* in trees */
} RECORD_ALIGNED;

/* --- Prepare and store ---------------------------------------------------------------------------------------------------- */

INLINE lanes length(lanes x, lanes y)
{
	return sqrt_lanes(x * x + y * y);
}

#define VALUE_AT offsetof(struct d2_revolute, angle.value)

/* Prepares the record of `count` joints. Lanes without a joint get zeros. */
static void record_prepare(const struct world *world, struct record *record, const struct batch_link *links, uint32_t count)
{
	static const struct d2_revolute no_joint;
	const struct lane_rows joints = link_rows(world->joint_rows, sizeof(union d2_joint_row), links, count, &no_joint);
	lanes columns[8];
	struct lane_body a, b;
	links_load(world, links, count, record->a, record->b, &a, &b, &record->between);
	columns_load_at(joints.at, offsetof(struct d2_joint, local_a), columns);
	record->mass_a = a.mass;
	record->mass_b = b.mass;
	record->ra = arm_of(&a, columns[0], columns[1]);
	record->rb = arm_of(&b, columns[2], columns[3]);
	record->impulse = (struct lane_vec){columns[6], columns[7]};
	lanes error_x = record->between.x + (record->rb.x - record->ra.x);
	lanes error_y = record->between.y + (record->rb.y - record->ra.y);
	joint_shares(a.mass.x + a.mass.y, b.mass.x + b.mass.y, splat(2.0f) * a.mass.turn, splat(2.0f) * b.mass.turn,
		error_x * error_x + error_y * error_y, &record->share_a, &record->share_b);
	lanes pull = splat(world->step.h) * length(record->impulse.x, record->impulse.y);
	record->mass_a.turn *= inertia_left(pull * length(record->ra.x, record->ra.y) * a.mass.turn);
	record->mass_b.turn *= inertia_left(pull * length(record->rb.x, record->rb.y) * b.mass.turn);
	record->start_angle = record->angle = angle_of(&a, &b, columns[4], columns[5], numbers_load(&joints, VALUE_AT));
	softs_load(world, links, count, &record->soft);
	record->acts = coordinate_prepare(world, &record->about, links, &joints, VALUE_AT);
	if (record->acts)
		coordinate_respond(&record->about, record->mass_a.turn + record->mass_b.turn, (lanes){0});
}

static void row_prefetch(const struct world *world, uint32_t id)
{
	cache_prefetch(d2_revolute(world, id), sizeof(struct d2_revolute));
}

static void impulses_prefetch(const struct world *world, uint32_t id)
{
	row_prefetch(world, id);
}

static void record_store(struct world *world, const struct record *record, const struct batch_link *joints, uint32_t count)
{
	static const struct lane_coordinate none;
	const struct lane_coordinate *about = record->acts ? &record->about : &none;
	impulses_store(world, offsetof(struct d2_joint, impulse), joints, count, record->impulse.x, record->impulse.y,
		record->angle, about->impulse.spring);
	impulses_store(world, VALUE_AT, joints, count, record->angle, about->impulse.spring, about->impulse.motor,
		about->impulse.lower - about->impulse.upper);
}

/* --- Solve, all lanes at once --------------------------------------------------------------------------------------------- */

/* Both arms end at one point between the anchors: if each ended at its body's anchor, the links of a chain that spins freely at
 * 10 rad/s would lose two fifths of their angular momentum in 5 s at 30 Hz. */
INLINE struct lane_anchors anchors_now(const struct record *record, const struct lane_state *a, const struct lane_state *b)
{
	struct lane_anchors r;
	r.ax = a->c * record->ra.x - a->s * record->ra.y;
	r.ay = a->s * record->ra.x + a->c * record->ra.y;
	r.bx = b->c * record->rb.x - b->s * record->rb.y;
	r.by = b->s * record->rb.x + b->c * record->rb.y;
	r.error_x = record->between.x + (b->dx - a->dx) + (r.bx - r.ax);
	r.error_y = record->between.y + (b->dy - a->dy) + (r.by - r.ay);
	r.ax += record->share_a * r.error_x;
	r.ay += record->share_a * r.error_y;
	r.bx -= record->share_b * r.error_x;
	r.by -= record->share_b * r.error_y;
	return r;
}

INLINE void apply(
	struct lane_state *a, struct lane_state *b, const struct record *record, const struct lane_anchors *r, lanes px, lanes py)
{
	a->vx -= record->mass_a.x * px;
	a->vy -= record->mass_a.y * py;
	a->w -= record->mass_a.turn * (r->ax * py - r->ay * px);
	b->vx += record->mass_b.x * px;
	b->vy += record->mass_b.y * py;
	b->w += record->mass_b.turn * (r->bx * py - r->by * px);
}

/* Applies an angular impulse to b, and its opposite to a. Lanes without spring, limits and motor do not change, not even the
 * sign of a zero. */
INLINE void apply_turn(struct lane_state *a, struct lane_state *b, const struct record *record, lanes impulse)
{
	a->w = choose(record->about.lanes, a->w - record->mass_a.turn * impulse, a->w);
	b->w = choose(record->about.lanes, b->w + record->mass_b.turn * impulse, b->w);
}

static void NAME(warm_start)(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		struct lane_state a = gather(world, record->a), b = gather(world, record->b);
		struct lane_anchors r = anchors_now(record, &a, &b);
		record->impulse.x = without_negligible(record->impulse.x, NEGLIGIBLE_IMPULSE);
		record->impulse.y = without_negligible(record->impulse.y, NEGLIGIBLE_IMPULSE);
		apply(&a, &b, record, &r, record->impulse.x, record->impulse.y);
		if (record->acts)
			apply_turn(&a, &b, record, coordinate_sum(&record->about));
		scatter(world, record->a, &a);
		scatter(world, record->b, &b);
	}
}

INLINE void point_solve(
	const struct world *world, struct record *record, struct lane_state *a, struct lane_state *b, const struct lane_soft *soft)
{
	struct lane_anchors r = anchors_now(record, a, b);
	lanes zero = {0};
	lanes x = (b->vx - b->w * r.by) - (a->vx - a->w * r.ay), y = (b->vy + b->w * r.bx) - (a->vy + a->w * r.ax);
	if (soft != NULL) {
		lanes push_x = soft->bias_rate * r.error_x, push_y = soft->bias_rate * r.error_y;
		lanes scale = shortening(push_x * push_x + push_y * push_y, splat(JOINT_SPEED * world->settings.length_scale));
		x = soft->mass_scale * (x + scale * push_x);
		y = soft->mass_scale * (y + scale * push_y);
	}
	lanes ia = record->mass_a.turn, ib = record->mass_b.turn;
	lanes mx = record->mass_a.x + record->mass_b.x, my = record->mass_a.y + record->mass_b.y;
	lanes kxx = mx + ia * r.ay * r.ay + ib * r.by * r.by;
	lanes kyy = my + ia * r.ax * r.ax + ib * r.bx * r.bx;
	lanes kxy = -(ia * r.ax * r.ay) - ib * r.bx * r.by;
	lanes give = choose(min_lanes(mx, my) > zero, zero, splat(GIVE) * (kxx + kyy));
	struct lane_pair mass =
		lane_pair_invert((struct lane_pair){kxx + choose(kxx > zero, give, zero), kxy, kyy + choose(kyy > zero, give, zero)});
	lanes px = -(mass.xx * x + mass.xy * y), py = -(mass.xy * x + mass.yy * y);
	if (soft != NULL) {
		px -= soft->impulse_scale * record->impulse.x;
		py -= soft->impulse_scale * record->impulse.y;
	}
	record->impulse.x += px;
	record->impulse.y += py;
	apply(a, b, record, &r, px, py);
}

INLINE void solve_all(struct world *world, void *records, uint32_t begin, uint32_t end, bool push)
{
	struct lane_soft soft = common_soft(world);
	const struct lane_soft *used = push ? &soft : NULL;
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		struct lane_state a = gather(world, record->a), b = gather(world, record->b);
		if (push && world->soft_joints > 0)
			soft = record->soft;
		if (!push)
			record->angle = record->start_angle + (b.turn - a.turn);
		if (record->acts)
			apply_turn(
				&a, &b, record, coordinate_solve(&record->about, record->angle, b.w - a.w, used, splat(world->step.inv_h)));
		point_solve(world, record, &a, &b, used);
		scatter(world, record->a, &a);
		scatter(world, record->b, &b);
	}
}

/* --- Parts of trees ------------------------------------------------------------------------------------------------------- */

static struct part_size parts_size(uint8_t joint)
{
	(void)joint;
	return (struct part_size){sizeof(struct record), 2, true};
}

static void parts_move(struct world *world, struct lane_tie *tie, const struct lane_state *a, const struct lane_state *b)
{
	struct record *record = tie->record;
	(void)world;
	record->angle = record->start_angle + (b->turn - a->turn);
	record->now = anchors_now(record, a, b);
	tie->locks[0].error = record->now.error_x;
	tie->locks[1].error = record->now.error_y;
}

static void parts_solve(struct world *world, void *joint, void *a, void *b, bool push)
{
	struct record *record = joint;
	struct lane_soft soft = common_soft(world);
	lanes rate = ((struct lane_state *)b)->w - ((struct lane_state *)a)->w, inv_h = splat(world->step.inv_h);
	if (record->acts)
		apply_turn(a, b, record, coordinate_solve(&record->about, record->angle, rate, push ? &soft : NULL, inv_h));
}

static void parts_locks(struct world *world, struct lane_tie *tie)
{
	struct record *record = tie->record;
	const struct lane_anchors r = record->now;
	const lanes zero = {0}, one = splat(1.0f), x_a[DOFS] = {-one, zero, r.ay}, x_b[DOFS] = {one, zero, -r.by};
	const lanes y_a[DOFS] = {zero, -one, -r.ax}, y_b[DOFS] = {zero, one, r.bx};
	tie->masses[0] = (const lanes *)&record->mass_a;
	tie->masses[1] = (const lanes *)&record->mass_b;
	for (int i = 0; i < 2; ++i) {
		struct lane_lock *lock = &tie->locks[i];
		memcpy(lock->rows[0], i == 0 ? x_a : y_a, sizeof x_a);
		memcpy(lock->rows[1], i == 0 ? x_b : y_b, sizeof x_b);
		lock->speed = splat(JOINT_SPEED * world->settings.length_scale);
		lock->used = every_lane();
		lock->impulse = i == 0 ? &record->impulse.x : &record->impulse.y;
	}
}

static const struct joint_parts parts = {parts_size, parts_move, parts_locks, parts_solve};

#include "core/solver_entry.h"

const struct link_solver NAME(d2_revolute_solver) = {SOLVER_ENTRIES, .parts = &parts};
