/* contact_rows.wide.c - solving contacts, LANES at a time: compiled once for each number of lanes; see lanes.h.
** Lanes beyond the last contact have no mass and get no impulse.
** Floor: d2. Any thread: the contacts of a colour share no body that they write to.
**
** Symbols: n normal from a to b, t = (n.y, -n.x) tangent, r_a, r_b anchors from the centres of mass, dp, dq displacement and turn
** since the step began, m = 1 / (J M^-1 J^T) effective mass, lambda >= 0 accumulated impulse, h sub-step [s].
**   separation  s = s_0 + n . ((dp_b + dq_b c_b) - (dp_a + dq_a c_a))                  s_0 such that s is right at dp = 0, dq = 1
**               c_a = r_a - radius_a n, c_b = r_b + radius_b n: a round surface turns in itself, only its core moves. (With the
**               anchors on the surface, a ball that rolls at 20 m/s would seem to lift off, and sink in by 1 cm.)
**   normal      v_n = n . (v_b + w_b x r_b - v_a - w_a x r_a)
**               s > 0:  lambda' = max(0, lambda - m (v_n + s/h))                       speculative: may close the gap, no more
**               else:   lambda' = max(0, lambda - m mass_scale (v_n + max(bias_rate s, -contact_speed)) - impulse_scale lambda)
**   friction    lambda_t' = clamp(lambda_t - m_t (v_t - tangent_speed), +-friction lambda)
**   rolling     lambda_r' = clamp(lambda_r - m_r (w_b - w_a), +-rolling_resistance (lambda_1 + lambda_2))
** Relaxing leaves out the push: bias 0, mass_scale 1, impulse_scale 0, which takes back the velocity that the push brought in.
** Source: Catto, "Solver2D" (Soft Step), 2024; "Soft Constraints", GDC 2011. */
#include "d2/lanes.h"

struct lane_point {
	lanes ax, ay, bx, by; /* anchors [length] */
	lanes separation; /* s_0 [length] */
	lanes normal_mass, tangent_mass; /* [mass] */
	lanes normal_impulse, tangent_impulse, step_impulse; /* [mass length/s] */
	lanes speed; /* v_n before the solve [length/s] */
};

struct record {
	uint32_t a[LANES], b[LANES]; /* state rows, with READ_ONLY */
	struct lane_mass mass_a, mass_b;
	lanes nx, ny;
	lanes radius_a, radius_b; /* of the rounding of the shapes [length] */
	lanes friction, restitution, tangent_speed;
	lanes rolling_resistance, rolling_mass, rolling_impulse;
	lanes bias_rate, mass_scale, impulse_scale;
	struct lane_point points[2];
	bool bounces; /* some lane has restitution */
} __attribute__((aligned(4 * LANES < 64 ? 64 : 4 * LANES)));

/* --- Prepare and store, lane by lane ----------------------------------------------------------------------------------- */

/* J M^-1 J^T of the direction d at the anchor r. */
static float response(const struct d2_body *row, struct d2_vec r, struct d2_vec d)
{
	float rd = d2_cross(r, d);
	return row->inv_mass.x * d.x * d.x + row->inv_mass.y * d.y * d.y + row->inv_inertia * rd * rd;
}

static void point_prepare(struct lane_point *to, int lane, const struct d2_contact_row_point *from, const struct d2_contact_anchors *anchors,
	struct d2_vec n, float radii, const struct d2_body *a, const struct d2_body *b, const struct d2_state *state_a, const struct d2_state *state_b)
{
	struct d2_vec t = d2_right_perp(n), ra = anchors->anchor_a, rb = anchors->anchor_b;
	struct d2_vec va = d2_add(state_a->v, d2_cross_sv(state_a->w, ra)), vb = d2_add(state_b->v, d2_cross_sv(state_b->w, rb));
	to->ax[lane] = ra.x;
	to->ay[lane] = ra.y;
	to->bx[lane] = rb.x;
	to->by[lane] = rb.y;
	to->separation[lane] = anchors->separation - (d2_dot(d2_sub(rb, ra), n) + radii);
	to->normal_mass[lane] = invert(response(a, ra, n) + response(b, rb, n));
	to->tangent_mass[lane] = invert(response(a, ra, t) + response(b, rb, t));
	to->normal_impulse[lane] = from->normal_impulse;
	to->tangent_impulse[lane] = from->tangent_impulse;
	to->speed[lane] = d2_dot(n, d2_sub(vb, va));
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
		record->rolling_resistance[lane] = contact->rolling_resistance * from->rolling_radius;
		record->rolling_mass[lane] = invert(a->inv_inertia + b->inv_inertia);
		record->rolling_impulse[lane] = from->rolling_impulse;
	}
	bool fixed = ((record->a[lane] | record->b[lane]) & READ_ONLY) != 0;
	const struct soft *soft = fixed ? &world->step.static_soft : &world->step.contact_soft;
	record->bias_rate[lane] = soft->bias_rate;
	record->mass_scale[lane] = soft->mass_scale;
	record->impulse_scale[lane] = soft->impulse_scale;
	const struct d2_state *state_a = state_at(world, record->a[lane]), *state_b = state_at(world, record->b[lane]);
	const struct d2_couple couple = d2_couple_now(a, b);
	for (int i = 0; i < from->count; ++i) {
		struct d2_contact_anchors anchors = d2_contact_row_anchors(&from->points[i], normal, &couple);
		point_prepare(&record->points[i], lane, &from->points[i], &anchors, normal, from->radius_a + from->radius_b, a, b, state_a, state_b);
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
			point->speed = from->speed[lane];
			if (point->speed < -world->settings.hit_speed && point->step_impulse > 0.0f)
				bits_set_shared(&world->hit_contacts, contacts[k]);
		}
	}
}

/* --- Solve, all lanes at once ------------------------------------------------------------------------------------------ */

/* Applies the impulse (px, py) at the anchors: to b, and its opposite to a. */
INLINE void apply(struct lane_state *a, struct lane_state *b, const struct record *record, const struct lane_point *point,
	lanes px, lanes py)
{
	a->vx -= record->mass_a.x * px;
	a->vy -= record->mass_a.y * py;
	a->w -= record->mass_a.turn * (point->ax * py - point->ay * px);
	b->vx += record->mass_b.x * px;
	b->vy += record->mass_b.y * py;
	b->w += record->mass_b.turn * (point->bx * py - point->by * px);
}

/* Velocity of b relative to a at the anchors. */
INLINE lanes relative_x(const struct lane_state *a, const struct lane_state *b, const struct lane_point *point)
{
	return (b->vx - b->w * point->by) - (a->vx - a->w * point->ay);
}

INLINE lanes relative_y(const struct lane_state *a, const struct lane_state *b, const struct lane_point *point)
{
	return (b->vy + b->w * point->bx) - (a->vy + a->w * point->ax);
}

static void NAME(warm_start)(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		const struct record *record = (const struct record *)records + i;
		struct lane_state a = gather(world, record->a), b = gather(world, record->b);
		for (int k = 0; k < 2; ++k) {
			const struct lane_point *point = &record->points[k];
			lanes px = point->normal_impulse * record->nx + point->tangent_impulse * record->ny;
			lanes py = point->normal_impulse * record->ny - point->tangent_impulse * record->nx;
			apply(&a, &b, record, point, px, py);
		}
		a.w -= record->mass_a.turn * record->rolling_impulse;
		b.w += record->mass_b.turn * record->rolling_impulse;
		scatter(world, record->a, &a);
		scatter(world, record->b, &b);
	}
}

INLINE void rolling_solve(struct record *record, struct lane_state *a, struct lane_state *b)
{
	lanes limit = record->rolling_resistance * (record->points[0].normal_impulse + record->points[1].normal_impulse);
	lanes before = record->rolling_impulse;
	lanes after = max_lanes(-limit, min_lanes(before - record->rolling_mass * (b->w - a->w), limit));
	record->rolling_impulse = after;
	a->w -= record->mass_a.turn * (after - before);
	b->w += record->mass_b.turn * (after - before);
}

INLINE void friction_solve(struct record *record, struct lane_point *point, struct lane_state *a, struct lane_state *b)
{
	lanes vt = relative_x(a, b, point) * record->ny - relative_y(a, b, point) * record->nx;
	lanes limit = record->friction * point->normal_impulse, before = point->tangent_impulse;
	lanes after = before - point->tangent_mass * (vt - record->tangent_speed);
	after = max_lanes(-limit, min_lanes(after, limit));
	point->tangent_impulse = after;
	lanes change = after - before;
	apply(a, b, record, point, change * record->ny, -change * record->nx);
}

/* The separation now. */
INLINE lanes separation(const struct record *record, const struct lane_point *point, const struct lane_state *a,
	const struct lane_state *b)
{
	lanes ax = point->ax - record->radius_a * record->nx, ay = point->ay - record->radius_a * record->ny;
	lanes bx = point->bx + record->radius_b * record->nx, by = point->by + record->radius_b * record->ny;
	lanes x = (b->dx - a->dx) + ((b->c * bx - b->s * by) - (a->c * ax - a->s * ay));
	lanes y = (b->dy - a->dy) + ((b->s * bx + b->c * by) - (a->s * ax + a->c * ay));
	return point->separation + (x * record->nx + y * record->ny);
}

INLINE void normal_solve(struct world *world, struct record *record, struct lane_point *point, struct lane_state *a,
	struct lane_state *b, bool push)
{
	lanes s = separation(record, point, a, b), zero = {0}, bias = zero, mass_scale = splat(1.0f), impulse_scale = zero;
	masks gap = s > zero;
	if (push) {
		bias = max_lanes(record->bias_rate * s, splat(-world->settings.contact_speed));
		mass_scale = choose(gap, mass_scale, record->mass_scale);
		impulse_scale = choose(gap, zero, record->impulse_scale);
	}
	bias = choose(gap, s * splat(world->step.inv_h), bias);
	lanes vn = relative_x(a, b, point) * record->nx + relative_y(a, b, point) * record->ny, before = point->normal_impulse;
	lanes after = max_lanes(before - point->normal_mass * mass_scale * (vn + bias) - impulse_scale * before, zero);
	point->normal_impulse = after;
	lanes change = after - before;
	apply(a, b, record, point, change * record->nx, change * record->ny);
}

/* Friction goes after the normal, whose impulse bounds it: the other way round a sliding disc brakes 25 % too hard. */
INLINE void solve_all(struct world *world, void *records, uint32_t begin, uint32_t end, bool push)
{
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		struct lane_state a = gather(world, record->a), b = gather(world, record->b);
		normal_solve(world, record, &record->points[0], &a, &b, push);
		normal_solve(world, record, &record->points[1], &a, &b, push);
		rolling_solve(record, &a, &b);
		friction_solve(record, &record->points[0], &a, &b);
		friction_solve(record, &record->points[1], &a, &b);
		if (!push)
			for (int k = 0; k < 2; ++k)
				record->points[k].step_impulse += record->points[k].normal_impulse;
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
		for (int k = 0; k < 2 * RESTITUTION_SWEEPS; ++k) {
			struct lane_point *point = &record->points[k % 2];
			masks bounces = (point->speed < threshold) & (point->step_impulse > zero) & (record->restitution > zero);
			lanes vn = relative_x(&a, &b, point) * record->nx + relative_y(&a, &b, point) * record->ny;
			lanes before = point->normal_impulse;
			lanes after = max_lanes(before - point->normal_mass * (vn + record->restitution * point->speed), zero);
			lanes change = choose(bounces, after - before, zero);
			point->normal_impulse = before + change;
			point->step_impulse += change;
			apply(&a, &b, record, point, change * record->nx, change * record->ny);
		}
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
