/* contact_rows.wide.c - solving contacts, LANES at a time: compiled once for each number of lanes; see lanes.h.
** Lanes beyond the last contact have no mass and get no impulse.
** Floor: d2. Any thread: the contacts of a colour share no body that they write to.
**
** Symbols: n normal from a to b, t = (n.y, -n.x) tangent, r_a, r_b anchors from the centres of mass, dp, dq = (cos, sin) displacement
** and turn since the step began, m = 1 / (J M^-1 J^T) effective mass, lambda >= 0 accumulated impulse, h sub-step [s].
**   separation  s = s_0 + n . ((dp_b + dq_b c_b) - (dp_a + dq_a c_a))                  s_0 such that s is right at dp = 0, dq = 1
**               c_a = r_a - radius_a n, c_b = r_b + radius_b n: a round surface turns in itself, only its core moves. (With the
**               anchors on the surface, a ball that rolls at 20 m/s would seem to lift off, and sink in by 1 cm.)
**   normal      v_n = n . (v_b + w_b x r_b - v_a - w_a x r_a)
**               s > 0:  lambda' = max(0, lambda - m (v_n + s/h))                       speculative: may close the gap, no more
**               else:   lambda' = max(0, lambda - m mass_scale (v_n + max(bias_rate s, -contact_speed)) - impulse_scale lambda)
**   friction    lambda_t' = clamp(lambda_t - m_t (v_t - tangent_speed), +-friction lambda)
**   rolling     lambda_r' = clamp(lambda_r - m_r (w_b - w_a), +-rolling_resistance (lambda_1 + lambda_2))
** Relaxing leaves out the push: bias 0, mass_scale 1, impulse_scale 0, which takes back the velocity that the push brought in.
** All of it is done in the frame (n, t) of the contact: both points share u = v_b - v_a there, and of an anchor r only its arm r x n and its
** depth n . r remain, for r x t = -n . r and n . (dq r) = cos n . r + sin r x n.
** Source: Catto, "Solver2D" (Soft Step), 2024; "Soft Constraints", GDC 2011. */
#include "d2/lanes.h"

struct lane_point {
	lanes arm_a, arm_b; /* r x n [length] */
	lanes depth_a, depth_b; /* n . c [length] */
	lanes separation; /* s_0 [length] */
	lanes normal_mass, tangent_mass; /* [mass] */
	lanes normal_impulse, tangent_impulse, step_impulse; /* [mass length/s] */
};

/* What each sub-step needs comes first. */
struct record {
	uint32_t a[LANES], b[LANES]; /* state rows, with READ_ONLY */
	struct lane_mass mass_a, mass_b;
	lanes nx, ny;
	lanes radius_a, radius_b; /* of the rounding of the shapes [length] */
	lanes friction, tangent_speed;
	struct lane_point points[2];
	bool bounces, rolls; /* some lane does */
	lanes restitution;
	lanes speed[2]; /* of the points, v_n before the solve [length/s] */
	lanes rolling_resistance, rolling_mass, rolling_impulse;
} __attribute__((aligned(4 * LANES < 64 ? 64 : 4 * LANES)));

/* --- Prepare and store, lane by lane ----------------------------------------------------------------------------------- */

/* J M^-1 J^T of the direction d at the anchor r. */
static float response(const struct d2_body *row, struct d2_vec r, struct d2_vec d)
{
	float rd = d2_cross(r, d);
	return row->inv_mass.x * d.x * d.x + row->inv_mass.y * d.y * d.y + row->inv_inertia * rd * rd;
}

static void point_prepare(struct record *record, int k, int lane, const struct d2_contact_row_point *from, const struct d2_contact_anchors *anchors,
	struct d2_vec n, const struct d2_body *a, const struct d2_body *b, const struct d2_state *state_a, const struct d2_state *state_b)
{
	struct lane_point *to = &record->points[k];
	struct d2_vec t = d2_right_perp(n), ra = anchors->anchor_a, rb = anchors->anchor_b;
	struct d2_vec va = d2_add(state_a->v, d2_cross_sv(state_a->w, ra)), vb = d2_add(state_b->v, d2_cross_sv(state_b->w, rb));
	to->arm_a[lane] = d2_cross(ra, n);
	to->arm_b[lane] = d2_cross(rb, n);
	to->depth_a[lane] = d2_dot(ra, n) - record->radius_a[lane];
	to->depth_b[lane] = d2_dot(rb, n) + record->radius_b[lane];
	to->separation[lane] = anchors->separation - (to->depth_b[lane] - to->depth_a[lane]);
	to->normal_mass[lane] = invert(response(a, ra, n) + response(b, rb, n));
	to->tangent_mass[lane] = invert(response(a, ra, t) + response(b, rb, t));
	to->normal_impulse[lane] = from->normal_impulse;
	to->tangent_impulse[lane] = from->tangent_impulse;
	record->speed[k][lane] = d2_dot(n, d2_sub(vb, va));
}

#define EDGE EDGE_CONTACT

static void lane_prefetch(const struct world *world, uint32_t id)
{
	d2_contact_prefetch(world, id);
}

static void lane_prepare(const struct world *world, struct record *record, int lane, uint32_t id)
{
	const struct contact *contact = &world->contacts.data[id];
	const struct d2_contact_row *from = d2_contact_row(world, id);
	const struct d2_body *a = d2_row(world, contact->edge.bodies[0]), *b = d2_row(world, contact->edge.bodies[1]);
	record->a[lane] = body_index(world, contact->edge.bodies[0]);
	record->b[lane] = body_index(world, contact->edge.bodies[1]);
	mass_prepare(&record->mass_a, lane, a);
	mass_prepare(&record->mass_b, lane, b);
	struct d2_vec normal = d2_rotate(a->q, from->local_normal);
	record->nx[lane] = normal.x;
	record->ny[lane] = normal.y;
	record->radius_a[lane] = from->radius_a;
	record->radius_b[lane] = from->radius_b;
	record->friction[lane] = contact->friction;
	record->restitution[lane] = contact->restitution;
	record->bounces |= contact->restitution > 0.0f;
	record->tangent_speed[lane] = contact->tangent_speed;
	if (contact->rolling_resistance > 0.0f) {
		record->rolls = true;
		record->rolling_resistance[lane] = contact->rolling_resistance * from->rolling_radius;
		record->rolling_mass[lane] = invert(a->inv_inertia + b->inv_inertia);
		record->rolling_impulse[lane] = from->rolling_impulse;
	}
	const struct d2_state *state_a = state_at(world, record->a[lane]), *state_b = state_at(world, record->b[lane]);
	const struct d2_couple couple = d2_couple_now(a, b);
	for (int i = 0; i < from->count; ++i) {
		struct d2_contact_anchors anchors = d2_contact_row_anchors(&from->points[i], normal, &couple);
		point_prepare(record, i, lane, &from->points[i], &anchors, normal, a, b, state_a, state_b);
	}
}

static void NAME(store)(struct world *world, void *records, const uint32_t *contacts, uint32_t count, uint32_t begin, uint32_t end)
{
	for (uint32_t k = begin * LANES; k < end * LANES && k < count; ++k) {
		const struct record *record = (const struct record *)records + k / LANES;
		uint32_t lane = k % LANES;
		if (k + EDGES_AHEAD < count)
			cache_prefetch(d2_contact_row(world, contacts[k + EDGES_AHEAD]), sizeof(struct d2_contact_row));
		struct d2_contact_row *to = d2_contact_row(world, contacts[k]);
		to->rolling_impulse = record->rolling_impulse[lane];
		for (int i = 0; i < to->count; ++i) {
			const struct lane_point *from = &record->points[i];
			struct d2_contact_row_point *point = &to->points[i];
			point->normal_impulse = from->normal_impulse[lane];
			point->tangent_impulse = from->tangent_impulse[lane];
			point->step_impulse = from->step_impulse[lane];
			point->speed = record->speed[i][lane];
			if (point->speed < -world->settings.hit_speed && point->step_impulse > 0.0f)
				bits_set_shared(&world->hit_contacts, contacts[k]);
		}
	}
}

/* --- Solve, all lanes at once ------------------------------------------------------------------------------------------ */

/* Two bodies in the frame (n, t) of their contact, while impulses along it change them. */
struct frame {
	lanes un, ut; /* v_b - v_a [length/s] */
	lanes wa, wb; /* [rad/s] */
	lanes shift; /* n . (dp_b - dp_a) [length] */
	lanes nn, nt, tt; /* what an impulse of 1 along n adds to u along n, and along t; and one along t along t [1/mass] */
	lanes impulse_n, impulse_t; /* given so far */
};

INLINE struct frame frame_of(const struct record *record, const struct lane_state *a, const struct lane_state *b)
{
	lanes nx = record->nx, ny = record->ny, vx = b->vx - a->vx, vy = b->vy - a->vy;
	lanes x = record->mass_a.x + record->mass_b.x, y = record->mass_a.y + record->mass_b.y;
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

/* Gives the bodies the impulses that were gathered. */
INLINE void frame_close(const struct frame *frame, const struct record *record, struct lane_state *a, struct lane_state *b)
{
	lanes px = frame->impulse_n * record->nx + frame->impulse_t * record->ny;
	lanes py = frame->impulse_n * record->ny - frame->impulse_t * record->nx;
	a->vx -= record->mass_a.x * px;
	a->vy -= record->mass_a.y * py;
	a->w = frame->wa;
	b->vx += record->mass_b.x * px;
	b->vy += record->mass_b.y * py;
	b->w = frame->wb;
}

INLINE void apply_normal(struct frame *frame, const struct record *record, const struct lane_point *point, lanes impulse)
{
	frame->impulse_n += impulse;
	frame->un += frame->nn * impulse;
	frame->ut += frame->nt * impulse;
	frame->wa -= record->mass_a.turn * (point->arm_a * impulse);
	frame->wb += record->mass_b.turn * (point->arm_b * impulse);
}

INLINE void apply_tangent(struct frame *frame, const struct record *record, lanes ra, lanes rb, lanes impulse)
{
	frame->impulse_t += impulse;
	frame->un += frame->nt * impulse;
	frame->ut += frame->tt * impulse;
	frame->wa += record->mass_a.turn * (ra * impulse);
	frame->wb -= record->mass_b.turn * (rb * impulse);
}

/* Along the normal, at the anchors. */
INLINE lanes normal_speed(const struct frame *frame, const struct lane_point *point)
{
	return frame->un + (frame->wb * point->arm_b - frame->wa * point->arm_a);
}

static void NAME(warm_start)(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		const struct record *record = (const struct record *)records + i;
		struct lane_state a = gather(world, record->a), b = gather(world, record->b);
		struct frame frame = {.wa = a.w, .wb = b.w};
		for (int k = 0; k < 2; ++k) {
			const struct lane_point *point = &record->points[k];
			apply_normal(&frame, record, point, point->normal_impulse);
			apply_tangent(&frame, record, point->depth_a + record->radius_a, point->depth_b - record->radius_b, point->tangent_impulse);
		}
		if (record->rolls) {
			frame.wa -= record->mass_a.turn * record->rolling_impulse;
			frame.wb += record->mass_b.turn * record->rolling_impulse;
		}
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
	frame->wa -= record->mass_a.turn * (after - before);
	frame->wb += record->mass_b.turn * (after - before);
}

INLINE void friction_solve(struct record *record, struct lane_point *point, struct frame *frame)
{
	lanes ra = point->depth_a + record->radius_a, rb = point->depth_b - record->radius_b;
	lanes vt = frame->ut - (frame->wb * rb - frame->wa * ra);
	lanes limit = record->friction * point->normal_impulse, before = point->tangent_impulse;
	lanes after = before - point->tangent_mass * (vt - record->tangent_speed);
	after = max_lanes(-limit, min_lanes(after, limit));
	point->tangent_impulse = after;
	apply_tangent(frame, record, ra, rb, after - before);
}

struct lane_soft {
	lanes bias_rate, mass_scale, impulse_scale;
};

INLINE struct lane_soft soft_of(const struct world *world, const struct record *record)
{
	masks a, b;
	memcpy(&a, record->a, sizeof a);
	memcpy(&b, record->b, sizeof b);
	masks fixed = (a | b) < 0; /* READ_ONLY */
	const struct soft *moving = &world->step.contact_soft, *still = &world->step.static_soft;
	return (struct lane_soft){
		choose(fixed, splat(still->bias_rate), splat(moving->bias_rate)),
		choose(fixed, splat(still->mass_scale), splat(moving->mass_scale)),
		choose(fixed, splat(still->impulse_scale), splat(moving->impulse_scale)),
	};
}

/* `soft` NULL: relaxing. */
INLINE void normal_solve(struct world *world, struct lane_point *point, struct record *record, struct frame *frame, const struct lane_state *a,
	const struct lane_state *b, const struct lane_soft *soft)
{
	lanes turned_a = a->c * point->depth_a + a->s * point->arm_a, turned_b = b->c * point->depth_b + b->s * point->arm_b;
	lanes s = point->separation + frame->shift + (turned_b - turned_a);
	lanes zero = {0}, bias = zero, mass = point->normal_mass, before = point->normal_impulse, kept = before;
	masks gap = s > zero;
	if (soft != NULL) {
		bias = max_lanes(soft->bias_rate * s, splat(-world->settings.contact_speed));
		mass = choose(gap, mass, mass * soft->mass_scale);
		kept = choose(gap, before, before - soft->impulse_scale * before);
	}
	bias = choose(gap, s * splat(world->step.inv_h), bias);
	lanes after = max_lanes(kept - mass * (normal_speed(frame, point) + bias), zero);
	point->normal_impulse = after;
	apply_normal(frame, record, point, after - before);
}

/* Friction goes after the normal, whose impulse bounds it: the other way round a sliding disc brakes 25 % too hard. */
INLINE void solve_all(struct world *world, void *records, uint32_t begin, uint32_t end, bool push)
{
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		struct lane_state a = gather(world, record->a), b = gather(world, record->b);
		struct frame frame = frame_of(record, &a, &b);
		struct lane_soft soft = soft_of(world, record);
		normal_solve(world, &record->points[0], record, &frame, &a, &b, push ? &soft : NULL);
		normal_solve(world, &record->points[1], record, &frame, &a, &b, push ? &soft : NULL);
		if (record->rolls)
			rolling_solve(record, &frame);
		friction_solve(record, &record->points[0], &frame);
		friction_solve(record, &record->points[1], &frame);
		if (!push)
			for (int k = 0; k < 2; ++k)
				record->points[k].step_impulse += record->points[k].normal_impulse;
		frame_close(&frame, record, &a, &b);
		scatter(world, record->a, &a);
		scatter(world, record->b, &b);
	}
}

#include "d2/rows.h"

/* The two points of a flat contact depend on each other; four sweeps leave 1/50 of the spin that one would give two boxes that
** meet face to face. */
enum { RESTITUTION_SWEEPS = 4 };

/* Newton's law of impact, v_n' = -e v_n, for points that met faster than the threshold and were really pressed. */
static void NAME(restitution)(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	lanes threshold = splat(-world->settings.restitution_threshold), zero = {0};
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		if (!record->bounces)
			continue;
		struct lane_state a = gather(world, record->a), b = gather(world, record->b);
		struct frame frame = frame_of(record, &a, &b);
		for (int k = 0; k < 2 * RESTITUTION_SWEEPS; ++k) {
			struct lane_point *point = &record->points[k % 2];
			lanes speed = record->speed[k % 2], before = point->normal_impulse;
			masks bounces = (speed < threshold) & (point->step_impulse > zero) & (record->restitution > zero);
			lanes after = max_lanes(before - point->normal_mass * (normal_speed(&frame, point) + record->restitution * speed), zero);
			lanes change = choose(bounces, after - before, zero);
			point->normal_impulse = before + change;
			point->step_impulse += change;
			apply_normal(&frame, record, point, change);
		}
		frame_close(&frame, record, &a, &b);
		scatter(world, record->a, &a);
		scatter(world, record->b, &b);
	}
}

const struct edge_rows NAME(d2_contact_rows) = {
	.lanes = LANES,
	.record_size = sizeof(struct record),
	.prepare = NAME(prepare),
	.warm_start = NAME(warm_start),
	.solve = NAME(solve),
	.relax = NAME(relax),
	.restitution = NAME(restitution),
	.store = NAME(store),
};
