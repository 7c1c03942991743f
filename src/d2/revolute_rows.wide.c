/* revolute_rows.wide.c - solving revolute joints, LANES at a time; see lanes.h.
** Lanes beyond the last joint have no mass and get no impulse; a lane without spring, limits or motor has no mass for them, or no torque.
** Floor: d2. Any thread: the joints of a colour share no body that they write to.
**
** Symbols: r_a, r_b from the centres of mass to the common point when the step began, turned with the bodies since; d from centre a to centre b then;
** dp displacement, angle = angle_0 + turn_b - turn_a, w = w_b - w_a its rate, m = 1 / (1/I_a + 1/I_b), h sub-step [s].
**   spring   lambda' = lambda - m mass_scale (w + bias_rate (angle - target)) - impulse_scale lambda
**   motor    lambda' = clamp(lambda - m (w - speed), +-h torque)
**   lower    C = angle - lower;  C > 0: lambda' = max(0, lambda - m (w + C/h))        speculative
**            else lambda' = max(0, lambda - m mass_scale (w + bias_rate C) - impulse_scale lambda)
**   upper    likewise with C = upper - angle and -w
**   point    C = d + dp_b + r_b - dp_a - r_a, lambda' = lambda - K^-1 mass_scale (Cdot + bias_rate C) - impulse_scale lambda,
**            K = J M^-1 J^T, 2 x 2, at the anchors as they are now
** Relaxing leaves out the push: bias 0, mass_scale 1, impulse_scale 0 (but for the spring, which is meant to be soft).
** Source: Catto, "Soft Constraints", GDC 2011; "Solver2D", 2024. */
#include "d2/joint.h"
#include "d2/lanes.h"

/* Of the common point and the limits, not stiffer than the sub-step can follow: a quarter of its rate. Box2D's, which its scenes are tuned for. */
#define STIFFNESS_HERTZ 60.0f
#define STIFFNESS_DAMPING_RATIO 2.0f

struct lane_soft {
	lanes bias_rate, mass_scale, impulse_scale;
};

struct record {
	uint32_t a[LANES], b[LANES]; /* state rows, with READ_ONLY */
	struct lane_mass mass_a, mass_b;
	lanes ax, ay, bx, by; /* r_a, r_b when the step began [length] */
	lanes dx, dy; /* d [length] */
	lanes impulse_x, impulse_y;
	struct lane_soft stiffness;
	lanes angle, axial_mass; /* angle_0 [rad], m; 0 where nothing acts on the angle */
	struct lane_soft spring; /* mass_scale and impulse_scale 0: none */
	lanes target, lower, upper, limit_mass;
	lanes motor_speed, motor_limit; /* greatest impulse of a sub-step */
	lanes spring_impulse, motor_impulse, lower_impulse, upper_impulse;
	masks axial_lanes; /* that have a spring, limits or a motor */
	bool axial; /* some lane has */
} __attribute__((aligned(4 * LANES < 64 ? 64 : 4 * LANES)));

/* --- Prepare and store, lane by lane ----------------------------------------------------------------------------------- */

static void soft_prepare(struct lane_soft *to, int lane, float hertz, float damping_ratio, const struct step *step)
{
	struct soft soft = soft_make(hertz, damping_ratio, step->h);
	to->bias_rate[lane] = soft.bias_rate;
	to->mass_scale[lane] = soft.mass_scale;
	to->impulse_scale[lane] = soft.impulse_scale;
}

static void axial_prepare(struct record *record, int lane, const struct d2_revolute *joint, float mass, const struct d2_body *a,
	const struct d2_body *b, const struct step *step)
{
	const struct d2_revolute_settings *settings = &joint->settings;
	bool spring = settings->spring && settings->hertz > 0.0f;
	if (!spring && !settings->limited && !settings->motor)
		return;
	record->axial = true;
	record->axial_lanes[lane] = -1;
	record->angle[lane] = d2_rot_angle(d2_inv_mul_rot(joint->reference, d2_inv_mul_rot(a->q, b->q)));
	record->axial_mass[lane] = mass;
	if (spring) {
		soft_prepare(&record->spring, lane, settings->hertz, settings->damping_ratio, step);
		record->target[lane] = settings->target;
		record->spring_impulse[lane] = joint->spring_impulse;
	}
	if (settings->limited) {
		record->lower[lane] = settings->lower;
		record->upper[lane] = settings->upper;
		record->limit_mass[lane] = mass;
		record->lower_impulse[lane] = joint->lower_impulse;
		record->upper_impulse[lane] = joint->upper_impulse;
	}
	if (settings->motor) {
		record->motor_speed[lane] = settings->motor_speed;
		record->motor_limit[lane] = step->h * settings->max_motor_torque;
		record->motor_impulse[lane] = joint->motor_impulse;
	}
}

static void lane_prepare(const struct world *world, struct record *record, int lane, const struct batch_edge *edge)
{
	const struct d2_revolute *joint = d2_revolute(world, edge->id);
	const struct d2_body *a = d2_row(world, edge->bodies[0]), *b = d2_row(world, edge->bodies[1]);
	record->a[lane] = edge->states[0];
	record->b[lane] = edge->states[1];
	mass_prepare(&record->mass_a, lane, a);
	mass_prepare(&record->mass_b, lane, b);
	struct d2_vec ra = d2_rotate(a->q, d2_sub(joint->local_a, a->local_center));
	struct d2_vec rb = d2_rotate(b->q, d2_sub(joint->local_b, b->local_center));
	record->ax[lane] = ra.x;
	record->ay[lane] = ra.y;
	record->bx[lane] = rb.x;
	record->by[lane] = rb.y;
	record->dx[lane] = (float)(b->x - a->x);
	record->dy[lane] = (float)(b->y - a->y);
	record->impulse_x[lane] = joint->impulse.x;
	record->impulse_y[lane] = joint->impulse.y;
	soft_prepare(&record->stiffness, lane, min_f(STIFFNESS_HERTZ, 0.25f * world->step.inv_h), STIFFNESS_DAMPING_RATIO, &world->step);
	axial_prepare(record, lane, joint, invert(a->inv_inertia + b->inv_inertia), a, b, &world->step);
}

static void NAME(prepare)(struct world *world, void *records, const struct batch_edge *joints, uint32_t count, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		memset(record, 0, sizeof *record);
		for (int lane = 0; lane < LANES; ++lane) {
			uint32_t k = i * LANES + (uint32_t)lane;
			if (k + EDGES_AHEAD < count)
				cache_prefetch(d2_revolute(world, joints[k + EDGES_AHEAD].id), sizeof(struct d2_revolute));
			if (k < count)
				lane_prepare(world, record, lane, &joints[k]);
			else
				record->a[lane] = record->b[lane] = READ_ONLY;
			if (k + BODIES_AHEAD < count)
				edge_bodies_prefetch(world, &joints[k + BODIES_AHEAD]);
		}
	}
}

static void NAME(store)(struct world *world, void *records, const struct batch_edge *joints, uint32_t count, uint32_t begin, uint32_t end)
{
	for (uint32_t k = begin * LANES; k < end * LANES && k < count; ++k) {
		const struct record *record = (const struct record *)records + k / LANES;
		uint32_t lane = k % LANES;
		struct d2_revolute *joint = d2_revolute(world, joints[k].id);
		joint->impulse = (struct d2_vec){record->impulse_x[lane], record->impulse_y[lane]};
		joint->spring_impulse = record->spring_impulse[lane];
		joint->motor_impulse = record->motor_impulse[lane];
		joint->lower_impulse = record->lower_impulse[lane];
		joint->upper_impulse = record->upper_impulse[lane];
	}
}

/* --- Solve, all lanes at once ------------------------------------------------------------------------------------------ */

/* The anchors now. */
struct lane_anchors {
	lanes ax, ay, bx, by;
};

INLINE struct lane_anchors anchors_now(const struct record *record, const struct lane_state *a, const struct lane_state *b)
{
	return (struct lane_anchors){
		a->c * record->ax - a->s * record->ay,
		a->s * record->ax + a->c * record->ay,
		b->c * record->bx - b->s * record->by,
		b->s * record->bx + b->c * record->by,
	};
}

INLINE void apply(struct lane_state *a, struct lane_state *b, const struct record *record, const struct lane_anchors *r, lanes px, lanes py)
{
	a->vx -= record->mass_a.x * px;
	a->vy -= record->mass_a.y * py;
	a->w -= record->mass_a.turn * (r->ax * py - r->ay * px);
	b->vx += record->mass_b.x * px;
	b->vy += record->mass_b.y * py;
	b->w += record->mass_b.turn * (r->bx * py - r->by * px);
}

INLINE void apply_turn(struct lane_state *a, struct lane_state *b, const struct record *record, lanes impulse)
{
	a->w -= record->mass_a.turn * impulse;
	b->w += record->mass_b.turn * impulse;
}

static void NAME(warm_start)(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		const struct record *record = (const struct record *)records + i;
		struct lane_state a = gather(world, record->a), b = gather(world, record->b);
		struct lane_anchors r = anchors_now(record, &a, &b);
		apply(&a, &b, record, &r, record->impulse_x, record->impulse_y);
		apply_turn(&a, &b, record, (record->spring_impulse + record->motor_impulse) + (record->lower_impulse - record->upper_impulse));
		scatter(world, record->a, &a);
		scatter(world, record->b, &b);
	}
}

/* One side of the limits: c the gap, rate its rate. Returns the impulse's change. */
INLINE lanes limit_solve(const struct record *record, lanes c, lanes rate, lanes *impulse, bool push, lanes inv_h)
{
	lanes zero = {0}, one = splat(1.0f), bias = zero, mass_scale = one, impulse_scale = zero;
	masks gap = c > zero;
	if (push) {
		bias = record->stiffness.bias_rate * c;
		mass_scale = choose(gap, one, record->stiffness.mass_scale);
		impulse_scale = choose(gap, zero, record->stiffness.impulse_scale);
	}
	bias = choose(gap, c * inv_h, bias);
	lanes before = *impulse;
	*impulse = max_lanes(before - record->limit_mass * mass_scale * (rate + bias) - impulse_scale * before, zero);
	return *impulse - before;
}

/* Lanes without keep their bits, down to the sign of 0. */
INLINE void axial_solve(const struct world *world, struct record *record, struct lane_state *a, struct lane_state *b, bool push)
{
	lanes wa = a->w, wb = b->w;
	lanes angle = record->angle + (b->turn - a->turn), inv_h = splat(world->step.inv_h);
	lanes pull = record->axial_mass * record->spring.mass_scale * ((b->w - a->w) + record->spring.bias_rate * (angle - record->target));
	lanes change = -pull - record->spring.impulse_scale * record->spring_impulse;
	record->spring_impulse += change;
	apply_turn(a, b, record, change);
	lanes before = record->motor_impulse, after = before - record->axial_mass * ((b->w - a->w) - record->motor_speed);
	record->motor_impulse = max_lanes(-record->motor_limit, min_lanes(after, record->motor_limit));
	apply_turn(a, b, record, record->motor_impulse - before);
	apply_turn(a, b, record, limit_solve(record, angle - record->lower, b->w - a->w, &record->lower_impulse, push, inv_h));
	apply_turn(a, b, record, -limit_solve(record, record->upper - angle, a->w - b->w, &record->upper_impulse, push, inv_h));
	a->w = choose(record->axial_lanes, a->w, wa);
	b->w = choose(record->axial_lanes, b->w, wb);
}

INLINE void point_solve(struct record *record, struct lane_state *a, struct lane_state *b, bool push)
{
	struct lane_anchors r = anchors_now(record, a, b);
	lanes zero = {0};
	lanes x = (b->vx - b->w * r.by) - (a->vx - a->w * r.ay), y = (b->vy + b->w * r.bx) - (a->vy + a->w * r.ax);
	if (push) {
		x += record->stiffness.bias_rate * (record->dx + (b->dx - a->dx) + (r.bx - r.ax));
		y += record->stiffness.bias_rate * (record->dy + (b->dy - a->dy) + (r.by - r.ay));
		x *= record->stiffness.mass_scale;
		y *= record->stiffness.mass_scale;
	}
	lanes ia = record->mass_a.turn, ib = record->mass_b.turn;
	lanes kxx = record->mass_a.x + record->mass_b.x + ia * r.ay * r.ay + ib * r.by * r.by;
	lanes kyy = record->mass_a.y + record->mass_b.y + ia * r.ax * r.ax + ib * r.bx * r.bx;
	lanes kxy = -(ia * r.ax * r.ay) - ib * r.bx * r.by;
	lanes determinant = kxx * kyy - kxy * kxy;
	/* Where a body is locked on an axis, what cannot move gets no impulse along it. */
	masks both = determinant > zero;
	lanes inverse = choose(both, splat(1.0f) / choose(both, determinant, splat(1.0f)), zero);
	lanes px = -(inverse * (kyy * x - kxy * y)), py = -(inverse * (kxx * y - kxy * x));
	masks only_x = ~both & (kxx > zero), only_y = ~both & (kyy > zero);
	px = choose(only_x, -x / choose(only_x, kxx, splat(1.0f)), px);
	py = choose(only_y & ~only_x, -y / choose(only_y, kyy, splat(1.0f)), py);
	if (push) {
		px -= record->stiffness.impulse_scale * record->impulse_x;
		py -= record->stiffness.impulse_scale * record->impulse_y;
	}
	record->impulse_x += px;
	record->impulse_y += py;
	apply(a, b, record, &r, px, py);
}

INLINE void solve_all(struct world *world, void *records, uint32_t begin, uint32_t end, bool push)
{
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		struct lane_state a = gather(world, record->a), b = gather(world, record->b);
		if (record->axial)
			axial_solve(world, record, &a, &b, push);
		point_solve(record, &a, &b, push);
		scatter(world, record->a, &a);
		scatter(world, record->b, &b);
	}
}

#include "d2/rows.h"

const struct edge_rows NAME(d2_revolute_rows) = {
	.lanes = LANES,
	.record_size = sizeof(struct record),
	.prepare = NAME(prepare),
	.warm_start = NAME(warm_start),
	.solve = NAME(solve),
	.relax = NAME(relax),
	.store = NAME(store),
};
