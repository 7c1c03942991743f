/* contact_solver.wide.c - the contact solver, LANES at a time; see lanes.h. Lanes without a contact have no mass and get no
 * impulse; likewise the second point of a contact with one point.
 * Any thread: the contacts of a colour share no body that they write to.
 *
 * Symbols: n normal from a to b, t = (n.y, -n.x) tangent, r_a, r_b anchors from the centres of mass, dp, dq = (cos, sin)
 * displacement and rotation since the step began, m = 1 / (J M^-1 J^T) effective mass, lambda >= 0 accumulated impulse, h
 * sub-step [s].
 *   separation  s = s_0 + n . ((dp_b + dq_b c_b) - (dp_a + dq_a c_a))             s_0: makes s exact at dp = 0, dq = 1
 *               c_a = r_a - radius_a n, c_b = r_b + radius_b n: a round surface rotates in itself, only its core moves. (With
 *               the anchors on the surface, a ball that rolls at 20 m/s would seem to lift off, and sink in by 1 cm.)
 *   normal      v_n = n . (v_b + w_b x r_b - v_a - w_a x r_a)
 *               s > 0:  lambda' = max(0, lambda - m (v_n + s/h))                       speculative: may close s, no more
 *               else:   lambda' = max(0, lambda - m mass_scale (v_n + max(bias_rate s, -push_speed)) - impulse_scale lambda)
 *   friction    lambda_t' = clamp(lambda_t - m_t (v_t - tangent_speed), +-friction lambda)
 *   rolling     lambda_r' = clamp(lambda_r - m_r (w_b - w_a), +-rolling_resistance (lambda_1 + lambda_2))
 * Relaxing omits the push: bias 0, mass_scale 1, impulse_scale 0. It removes the velocity that the push added.
 * All computations are in the frame (n, t) of the contact: both points share u = v_b - v_a there, and of an anchor r only its
 * arm r x n and its depth n . r are needed, since r x t = -n . r and n . (dq r) = cos n . r + sin r x n.
 * Source: Catto, "Solver2D" (Soft Step), 2024; "Soft Constraints", GDC 2011. */
#include "d2/dynamics/lanes.h"

enum { POINTS = 2 };

struct lane_point {
	lanes arm_a, arm_b; /* r x n [length] */
	lanes depth_a, depth_b; /* n . c [length] */
	lanes separation; /* s_0 [length] */
	lanes normal_mass, tangent_mass; /* [mass] */
	lanes normal_impulse, tangent_impulse, step_impulse; /* [mass length/s] */
};

/* Members that each contact needs in each sub-step come first: of a large pile they do not fit into the level 2 cache, so that
 * each pass takes the time to read them. The others are read in a pass only if flagged. */
struct record {
	uint32_t a[LANES], b[LANES]; /* state indices, with READ_ONLY */
	lanes mass_a, mass_b; /* inverse masses on the x axis [1/mass] */
	lanes turn_a, turn_b; /* inverse inertias [1/(mass length^2)] */
	lanes nx, ny;
	lanes radius_a, radius_b; /* of the shapes' rounding [length] */
	struct lane_point points[POINTS];
	lanes friction;
	/* Whether some lane does. locked: inverse masses differ between the axes; eased: its push speed is not the world's; slides:
	 * its surfaces have a speed. */
	bool bounces, rolls, locked, eased, slides;
	lanes mass_ay, mass_by; /* inverse masses on the y axis [1/mass] */
	lanes push_speed; /* greatest speed at which overlap is pushed out [length/s] */
	lanes tangent_speed, bend; /* relative speed of the surfaces; its change in half a sub-step, see bend_of [length/s] */
	lanes restitution;
	lanes speed[POINTS]; /* of the points, v_n before the solve [length/s] */
	lanes rolling_resistance, rolling_mass, rolling_impulse;
} RECORD_ALIGNED;

/* --- The frame of a contact ----------------------------------------------------------------------------------------------- */

/* Velocities of two bodies in the frame (n, t) of their contact, while its impulses change them. */
struct frame {
	lanes un, ut; /* v_b - v_a [length/s] */
	lanes wa, wb; /* [rad/s] */
	lanes shift; /* n . (dp_b - dp_a) [length] */
	lanes nn, nt, tt; /* inverse masses in (n, t): change of u per impulse [1/mass] */
	lanes impulse_n, impulse_t; /* impulses applied so far */
};

INLINE struct frame frame_of(const struct record *record, const struct lane_state *a, const struct lane_state *b)
{
	lanes nx = record->nx, ny = record->ny, vx = b->vx - a->vx, vy = b->vy - a->vy;
	lanes x = record->mass_a + record->mass_b, y = record->locked ? record->mass_ay + record->mass_by : x;
	return (struct frame){
		.un = vx * nx + vy * ny,
		.ut = vx * ny - vy * nx,
		.wa = a->w,
		.wb = b->w,
		.shift = (b->dx - a->dx) * nx + (b->dy - a->dy) * ny,
		.nn = x * nx * nx + y * ny * ny,
		.nt = (x - y) * nx * ny,
		.tt = x * ny * ny + y * nx * nx,
	};
}

/* Applies the summed impulses to the bodies. */
INLINE void frame_close(const struct frame *frame, const struct record *record, struct lane_state *a, struct lane_state *b)
{
	lanes px = frame->impulse_n * record->nx + frame->impulse_t * record->ny;
	lanes py = frame->impulse_n * record->ny - frame->impulse_t * record->nx;
	a->vx -= record->mass_a * px;
	a->vy -= (record->locked ? record->mass_ay : record->mass_a) * py;
	a->w = frame->wa;
	b->vx += record->mass_b * px;
	b->vy += (record->locked ? record->mass_by : record->mass_b) * py;
	b->w = frame->wb;
}

INLINE void apply_normal(struct frame *frame, const struct record *record, const struct lane_point *point, lanes impulse)
{
	frame->impulse_n += impulse;
	frame->un += frame->nn * impulse;
	frame->ut += frame->nt * impulse;
	frame->wa -= record->turn_a * (point->arm_a * impulse);
	frame->wb += record->turn_b * (point->arm_b * impulse);
}

INLINE void apply_tangent(struct frame *frame, const struct record *record, lanes ra, lanes rb, lanes impulse)
{
	frame->impulse_t += impulse;
	frame->un += frame->nt * impulse;
	frame->ut += frame->tt * impulse;
	frame->wa += record->turn_a * (ra * impulse);
	frame->wb -= record->turn_b * (rb * impulse);
}

/* Relative normal speed at the anchors. */
INLINE lanes normal_speed(const struct frame *frame, const struct lane_point *point)
{
	return frame->un + (frame->wb * point->arm_b - frame->wa * point->arm_a);
}

/* --- Prepare and store ---------------------------------------------------------------------------------------------------- */

_Static_assert(sizeof(struct d2_contact_row) == 2 * CACHE_LINE && offsetof(struct d2_contact_row, points) == 32 &&
		offsetof(struct d2_contact_row, normal_impulse) == 64 && offsetof(struct d2_contact_row, b_in_a) == 96,
	"groups of eight numbers");

/* Prepares point k. Its anchors are midway between both surfaces. `there`: lanes whose contact has the point. */
INLINE void point_prepare(struct record *record, int k, const lanes stored[4], const struct lane_body *a,
	const struct lane_body *b, const struct lane_vec *between, const struct frame *frame, masks there)
{
	struct lane_point *to = &record->points[k];
	lanes nx = record->nx, ny = record->ny, half = splat(0.5f);
	struct lane_vec on_a = arm_of(a, stored[0], stored[1]), on_b = arm_of(b, stored[2], stored[3]);
	on_b.x += between->x;
	on_b.y += between->y;
	struct lane_vec ra = {half * (on_a.x + on_b.x), half * (on_a.y + on_b.y)}, rb = {ra.x - between->x, ra.y - between->y};
	lanes depth_a = ra.x * nx + ra.y * ny, depth_b = rb.x * nx + rb.y * ny;
	lanes separation = (on_b.x - on_a.x) * nx + (on_b.y - on_a.y) * ny;
	to->arm_a = ra.x * ny - ra.y * nx;
	to->arm_b = rb.x * ny - rb.y * nx;
	to->depth_a = depth_a - record->radius_a;
	to->depth_b = depth_b + record->radius_b;
	to->separation = separation - (to->depth_b - to->depth_a);
	lanes ia = record->turn_a, ib = record->turn_b;
	lanes normal = frame->nn + (ia * to->arm_a * to->arm_a + ib * to->arm_b * to->arm_b);
	lanes tangent = frame->tt + (ia * depth_a * depth_a + ib * depth_b * depth_b);
	to->normal_mass = choose(there, invert_lanes(normal), (lanes){0});
	to->tangent_mass = choose(there, invert_lanes(tangent), (lanes){0});
	record->speed[k] = choose(there, normal_speed(frame, to), (lanes){0});
}

/* Returns by how much one body's surface velocity along the tangent changes in half a sub-step, at contact points with these
 * arms (r . t = r x n) [length/s]; 0 for dynamic bodies. A kinematic body that rotates carries bodies along an arc. With its
 * surface velocity at the start of the step they would move along the tangent: 5 cm outwards in 10 s, at 10 m from an axis that
 * turns by 0.25 rad/s. So the surface velocity changes, by w^2 r per second towards the centre: solving, which moves positions,
 * uses its value at the middle of the sub-step, relaxing its value at the end. */
INLINE lanes bend_of(const struct world *world, const uint32_t states[LANES], lanes w, lanes arm_1, lanes arm_2, masks both)
{
	lanes arm = choose(both, splat(0.5f) * (arm_1 + arm_2), arm_1);
	return choose(read_only(states), splat(-0.5f * world->step.h) * w * w * arm, (lanes){0});
}

static void rolling_prepare(struct record *record, const struct lane_rows *rows, lanes resistance, lanes carry)
{
	masks rolls = resistance > (lanes){0};
	record->rolling_resistance = resistance * numbers_load(rows, offsetof(struct d2_contact_row, rolling_radius));
	record->rolling_impulse = choose(rolls, numbers_load(rows, offsetof(struct d2_contact_row, rolling_impulse)), (lanes){0});
	record->rolling_impulse *= carry;
	record->rolling_mass = choose(rolls, invert_lanes(record->turn_a + record->turn_b), (lanes){0});
}

/* The inverse mass of one of so many shares of a body. */
INLINE struct lane_mass mass_split(const struct lane_mass *mass, lanes shares)
{
	return (struct lane_mass){shares * mass->x, shares * mass->y, shares * mass->turn};
}

static inline void masses_set(struct record *record, struct lane_mass a, struct lane_mass b)
{
	record->mass_a = a.x;
	record->mass_b = b.x;
	record->mass_ay = a.y;
	record->mass_by = b.y;
	record->turn_a = a.turn;
	record->turn_b = b.turn;
	record->locked = any((a.x != a.y) | (b.x != b.y));
}

/* Prepares the record of `count` contacts. Lanes without a contact get zeros. */
static void record_prepare(const struct world *world, struct record *record, const struct batch_link *links, uint32_t count)
{
	static const struct d2_contact_row no_row;
	const struct lane_rows rows = link_rows(world->manifolds, sizeof no_row, links, count, &no_row);
#define COUNT(i) ((const struct d2_contact_row *)rows.at[i])->count
	const masks counts = {EACH_LANE(COUNT)};
#undef COUNT
	struct lane_body a, b;
	struct lane_vec between;
	links_load(world, links, count, record->a, record->b, &a, &b, &between);
	lanes general[8], stored[8], impulses[8];
	columns_load(rows.at, general);
	columns_load_at(rows.at, offsetof(struct d2_contact_row, points), stored);
	columns_load_at(rows.at, offsetof(struct d2_contact_row, normal_impulse), impulses);
	struct lane_state state_a = gather(world, record->a), state_b = gather(world, record->b);
	masses_set(record, mass_split(&a.mass, shares_of(world, record->a)), mass_split(&b.mass, shares_of(world, record->b)));
	record->push_speed = push_speeds(world, links, count);
	lanes carry = carry_of(world, record->push_speed);
	record->friction = general[0];
	record->restitution = general[1];
	record->tangent_speed = general[3] + (lanes){0}; /* -0 becomes 0: see slides */
	record->nx = a.c * general[4] - a.s * general[5];
	record->ny = a.s * general[4] + a.c * general[5];
	record->radius_a = general[6];
	record->radius_b = general[7];
	record->bounces = any(general[1] > (lanes){0});
	record->rolls = any(general[2] > (lanes){0});
	if (record->rolls)
		rolling_prepare(record, &rows, general[2], carry);
	struct frame frame = frame_of(record, &state_a, &state_b);
	for (int k = 0; k < POINTS; ++k) {
		point_prepare(record, k, stored + 4 * k, &a, &b, &between, &frame, counts > k);
		record->points[k].normal_impulse = without_negligible(carry * impulses[k], NEGLIGIBLE_IMPULSE);
		record->points[k].tangent_impulse = without_negligible(carry * impulses[2 + k], NEGLIGIBLE_IMPULSE);
		record->points[k].step_impulse = (lanes){0};
	}
	const struct lane_point *points = record->points;
	if (world->step.burdened) {
		lanes first = points[0].separation + (points[0].depth_b - points[0].depth_a);
		lanes second = points[1].separation + (points[1].depth_b - points[1].depth_a);
		lanes deepest = choose(counts > 1, min_lanes(first, second), first);
		record->push_speed =
			push_beyond(world, links, count, record->push_speed, deepest, soft_of(world, record->a, record->b).bias_rate);
	}
	record->bend = bend_of(world, record->a, state_a.w, points[0].arm_a, points[1].arm_a, counts > 1) -
		bend_of(world, record->b, state_b.w, points[0].arm_b, points[1].arm_b, counts > 1);
	record->eased = any(record->push_speed != splat(world->settings.contact_speed));
	record->slides = any((record->tangent_speed != (lanes){0}) | (record->bend != (lanes){0}));
}

static void row_prefetch(const struct world *world, uint32_t id)
{
	cache_prefetch(d2_contact_row(world, id), sizeof(struct d2_contact_row));
}

static void impulses_prefetch(const struct world *world, uint32_t id)
{
	cache_prefetch(d2_contact_row(world, id)->normal_impulse, CACHE_LINE);
}

static void record_store(struct world *world, const struct record *record, const struct batch_link *contacts, uint32_t count)
{
	const struct lane_point *points = record->points;
	const lanes impulses[4] = {
		points[0].normal_impulse, points[1].normal_impulse, points[0].tangent_impulse, points[1].tangent_impulse};
	const lanes others[4] = {points[0].step_impulse, points[1].step_impulse,
		record->rolls ? record->rolling_impulse : (lanes){0}, min_lanes(record->speed[0], record->speed[1])};
	links_store(world->manifolds, sizeof(struct d2_contact_row), offsetof(struct d2_contact_row, normal_impulse), contacts,
		count, impulses);
	links_store(world->manifolds, sizeof(struct d2_contact_row), offsetof(struct d2_contact_row, step_impulse), contacts, count,
		others);
	lanes threshold = splat(-world->settings.hit_speed), zero = {0};
	masks hits = ((record->speed[0] < threshold) & (points[0].step_impulse > zero)) |
		((record->speed[1] < threshold) & (points[1].step_impulse > zero));
	if (any(hits))
		hits_mark(world, contacts, count, hits);
	lanes a = max_lanes(record->mass_a, record->mass_ay) / shares_of(world, record->a);
	lanes b = max_lanes(record->mass_b, record->mass_by) / shares_of(world, record->b);
	loads_mark(world, contacts, count, impulses[0] + impulses[1], a, b);
}

/* --- Solve ---------------------------------------------------------------------------------------------------------------- */

INLINE void rolling_apply(struct frame *frame, const struct record *record, lanes impulse)
{
	masks rolls = record->rolling_mass > (lanes){0};
	frame->wa = choose(rolls, frame->wa - record->turn_a * impulse, frame->wa);
	frame->wb = choose(rolls, frame->wb + record->turn_b * impulse, frame->wb);
}

static void NAME(warm_start)(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		const struct record *record = (const struct record *)records + i;
		struct lane_state a = gather(world, record->a), b = gather(world, record->b);
		struct frame frame = {.wa = a.w, .wb = b.w};
		for (int k = 0; k < POINTS; ++k) {
			const struct lane_point *point = &record->points[k];
			apply_normal(&frame, record, point, point->normal_impulse);
			apply_tangent(
				&frame, record, point->depth_a + record->radius_a, point->depth_b - record->radius_b, point->tangent_impulse);
		}
		if (record->rolls)
			rolling_apply(&frame, record, record->rolling_impulse);
		frame_close(&frame, record, &a, &b);
		scatter(world, record->a, &a);
		scatter(world, record->b, &b);
	}
}

INLINE void rolling_solve(struct record *record, struct frame *frame)
{
	lanes limit = record->rolling_resistance * (record->points[0].normal_impulse + record->points[1].normal_impulse);
	lanes before = record->rolling_impulse;
	lanes after = max_lanes(-limit, min_lanes(before - record->rolling_mass * (frame->wb - frame->wa), limit));
	record->rolling_impulse = after;
	rolling_apply(frame, record, after - before);
}

/* normal: bounds the friction impulse, see solve_all */
INLINE void friction_solve(struct record *record, struct lane_point *point, struct frame *frame, lanes normal)
{
	lanes ra = point->depth_a + record->radius_a, rb = point->depth_b - record->radius_b;
	lanes vt = frame->ut - (frame->wb * rb - frame->wa * ra);
	lanes limit = record->friction * normal, before = point->tangent_impulse;
	lanes after = before - point->tangent_mass * (record->slides ? vt - record->tangent_speed : vt);
	after = max_lanes(-limit, min_lanes(after, limit));
	point->tangent_impulse = after;
	apply_tangent(frame, record, ra, rb, after - before);
}

INLINE lanes separation_of(
	const struct lane_point *point, const struct frame *frame, const struct lane_state *a, const struct lane_state *b)
{
	lanes turned_a = a->c * point->depth_a + a->s * point->arm_a, turned_b = b->c * point->depth_b + b->s * point->arm_b;
	return point->separation + frame->shift + (turned_b - turned_a);
}

/* The solution of a point's normal constraint without the other point's. */
struct normal_row {
	lanes mass; /* [mass] */
	lanes change; /* of its impulse [mass length/s] */
};

/* Computes the row of a point; its impulse may become negative. `soft` NULL: without push, as in relaxing. */
INLINE struct normal_row normal_row(const struct world *world, const struct record *record, const struct lane_point *point,
	const struct frame *frame, const struct lane_state *a, const struct lane_state *b, const struct lane_soft *soft)
{
	lanes s = separation_of(point, frame, a, b);
	lanes zero = {0}, bias = zero, scale = splat(1.0f);
	masks apart = s > zero;
	if (soft != NULL) {
		bias = max_lanes(soft->bias_rate * s, -(record->eased ? record->push_speed : splat(world->settings.contact_speed)));
		scale = choose(apart, scale, soft->mass_scale);
	}
	bias = choose(apart, s * splat(world->step.inv_h), bias);
	/* mass_scale is 1 - impulse_scale */
	lanes rigid = point->normal_impulse - point->normal_mass * (normal_speed(frame, point) + bias);
	return (struct normal_row){scale * point->normal_mass, scale * rigid - point->normal_impulse};
}

INLINE void normal_set(struct record *record, struct lane_point *point, struct frame *frame, lanes impulse)
{
	lanes change = impulse - point->normal_impulse;
	point->normal_impulse = impulse;
	apply_normal(frame, record, point, change);
}

/* Two points whose independence 1 - k^2 m_p m_q (see normals_solve) is lower are solved one after the other: solved at once,
 * the rounding error in their depths would rotate a narrow face. On fixed ground, a square box's side has 0.96, a thin box's
 * long side 3/4. */
#define INDEPENDENT 0.25f

/* Solves both points of a face at once. Solved one after the other, the first would take more than its share: a box that lands
 * flat rotates and is thrown aside, and a column of 20 falls at 30 Hz. With x the points' impulses, k the speed that a unit
 * impulse at one gives to the other, m their masses and c their changes when solved alone,
 *   x_p' = x_p + (c_p - k m_p c_q) / (1 - k^2 m_p m_q)       and likewise for q
 * If one impulse would become negative, it becomes 0, and the other point responds to that change of -x. For p:
 *   x_p' = max(0, x_p + c_p + k m_p x_q)
 * It is the impulse of q that becomes 0 if that of p alone separates the bodies at q, else that of p.
 * Source: Baraff, "Fast Contact Force Computation for Nonpenetrating Rigid Bodies", 1994, for two contacts; Box2D solved hard
 * contacts so until 2.4 (Catto). */
INLINE void normals_solve(const struct world *world, struct record *record, struct frame *frame, const struct lane_state *a,
	const struct lane_state *b, const struct lane_soft *soft)
{
	struct lane_point *p = &record->points[0], *q = &record->points[1];
	struct normal_row row_p = normal_row(world, record, p, frame, a, b, soft);
	struct normal_row row_q = normal_row(world, record, q, frame, a, b, soft);
	lanes zero = {0}, one = splat(1.0f), before_p = p->normal_impulse, before_q = q->normal_impulse;
	lanes k = frame->nn + (record->turn_a * p->arm_a * q->arm_a + record->turn_b * p->arm_b * q->arm_b);
	lanes to_p = k * row_p.mass, to_q = k * row_q.mass, left = one - to_p * to_q;
	masks pair = (left > splat(INDEPENDENT)) & (row_q.mass > zero);
	lanes inverse = one / choose(pair, left, one);
	lanes both_p = before_p + inverse * (row_p.change - to_p * row_q.change);
	lanes both_q = before_q + inverse * (row_q.change - to_q * row_p.change);
	lanes only_p = max_lanes(before_p + row_p.change + to_p * before_q, zero);
	lanes only_q = max_lanes(before_q + row_q.change + to_q * before_p, zero);
	lanes first = max_lanes(before_p + row_p.change, zero);
	lanes second = max_lanes(before_q + row_q.change - to_q * (first - before_p), zero);
	masks press = (both_p >= zero) & (both_q >= zero), parts = before_q + row_q.change - to_q * (only_p - before_p) <= zero;
	lanes impulse_p = choose(press, both_p, choose(parts, only_p, zero));
	lanes impulse_q = choose(press, both_q, choose(parts, zero, only_q));
	normal_set(record, p, frame, choose(pair, impulse_p, first));
	normal_set(record, q, frame, choose(pair, impulse_q, second));
}

/* Friction is solved after the normals, whose impulses bound it: in the other order a sliding disc brakes 25 % too hard. While
 * overlap is pushed out, normal impulses exceed the load. So the impulse before, of the last relaxing pass, is a second bound:
 * without it, a landing body is rotated by more friction than Coulomb's law gives. Passes with push need friction, too: without
 * it, a body that slides to a stop turns back, and one carried along an arc creeps. */
INLINE void solve_all(struct world *world, void *records, uint32_t begin, uint32_t end, bool push)
{
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		struct lane_state a = gather(world, record->a), b = gather(world, record->b);
		struct frame frame = frame_of(record, &a, &b);
		struct lane_soft soft = soft_of(world, record->a, record->b);
		const lanes relaxed[POINTS] = {record->points[0].normal_impulse, record->points[1].normal_impulse};
		normals_solve(world, record, &frame, &a, &b, push ? &soft : NULL);
		if (record->rolls)
			rolling_solve(record, &frame);
		if (record->slides)
			record->tangent_speed += record->bend;
		for (int k = 0; k < POINTS; ++k) {
			struct lane_point *point = &record->points[k];
			if (!push)
				point->step_impulse += point->normal_impulse;
			friction_solve(record, point, &frame, push ? min_lanes(point->normal_impulse, relaxed[k]) : point->normal_impulse);
		}
		frame_close(&frame, record, &a, &b);
		scatter(world, record->a, &a);
		scatter(world, record->b, &b);
	}
}

#include "core/solver_entry.h"
#include "core/restitution_lanes.h"

static bool record_bounce(struct world *world, struct record *record, const masks bounces[POINTS])
{
	struct lane_state a = gather(world, record->a), b = gather(world, record->b);
	struct frame frame = frame_of(record, &a, &b);
	lanes zero = {0}, fall = falls(world, record->a, record->b, &record->nx, 2), leaves[POINTS];
	masks going = (masks)zero;
	for (int k = 0; k < POINTS; ++k) {
		struct lane_point *point = &record->points[k];
		lanes before = point->separation + (point->depth_b - point->depth_a), now = separation_of(point, &frame, &a, &b);
		point->normal_impulse = choose(bounces[k], zero, point->normal_impulse);
		leaves[k] = bounce_speed(world, record->restitution, record->speed[k], before, now, fall);
		lanes off = normal_speed(&frame, point) - leaves[k];
		going |= bounces[k] &
			(abs_lanes(min_lanes(point->normal_mass * off, point->step_impulse)) >
				splat(-BOUNCED) * record->speed[k] * point->normal_mass);
	}
	masks bounced = going;
	for (int sweep = 0; sweep < RESTITUTION_SWEEPS && any(going); ++sweep) {
		masks moved = (masks)zero;
		lanes wa = frame.wa, wb = frame.wb;
		for (int k = 0; k < POINTS; ++k) {
			struct lane_point *point = &record->points[k];
			lanes off = normal_speed(&frame, point) - leaves[k];
			lanes change = choose(going & bounces[k], max_lanes(-(point->normal_mass * off), -point->step_impulse), zero);
			point->step_impulse += change;
			apply_normal(&frame, record, point, change);
			moved |= bounces[k] & (abs_lanes(change) > splat(-BOUNCED) * record->speed[k] * point->normal_mass);
		}
		/* A lane that is done must not change, not even the sign of a zero. */
		frame.wa = choose(going, frame.wa, wa);
		frame.wb = choose(going, frame.wb, wb);
		going &= moved;
	}
	if (!any(bounced))
		return false;
	frame_close(&frame, record, &a, &b);
	uint32_t to_a[LANES], to_b[LANES];
	states_where(bounced, record->a, to_a);
	states_where(bounced, record->b, to_b);
	scatter(world, to_a, &a);
	scatter(world, to_b, &b);
	return true;
}

const struct link_solver NAME(d2_contact_solver) = {
	SOLVER_ENTRIES,
	.restitution = NAME(restitution),
};
