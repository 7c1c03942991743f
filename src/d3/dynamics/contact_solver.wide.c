/* contact_solver.wide.c - solving contacts, LANES at a time: compiled once for each number of lanes; see lanes.h. Lanes beyond
 * the last contact, and points that a contact lacks, have no mass and get no impulse.
 * Any thread: the contacts of a colour share no body that they write to.
 *
 * Symbols: n normal from a to b, x and y = n x x tangents, c the centre of the points, r_a, r_b from the centres of mass to c,
 * p_i x + q_i y from c to point i, dp, dq displacement and rotation since the step began, lambda_i >= 0 accumulated impulses, h
 * sub-step [s].
 *   U = v_b + w_b x r_b - v_a - w_a x r_a, W = w_b - w_a     velocity of b relative to a, at c
 *   normal     v_i = U_n + W_x q_i - W_y p_i
 *              s_i > 0:  lambda' = max(0, lambda - m_i (v_i + s_i/h))
 *                        speculative: may close the separation, no more
 *              else:     lambda' = max(0, lambda - m_i mass_scale (v_i + bias) - impulse_scale lambda)
 *                        bias = max(bias_rate s_i, -push_speed)
 *   twist      tau' = clamp(tau - m_n W_n, +-friction R N), N = sum lambda_i, R the mean distance from c of the contact area
 *   friction   f' = f - K^-1 (U_xy - tangent velocity), limited to length friction N: see slide
 *   rolling    l' = l - m W, limited to length rolling_resistance N
 * Relaxing leaves out the push: bias 0, mass_scale 1, impulse_scale 0, which takes back the velocity that the push brought in.
 * Where an impact has separated a point, by friction or rotation, relaxing reduces lambda_i no further than to v_i = 0: an
 * impulse is not undone because of a separation that it caused itself. A spinning plate was lifted that way, and gained up to
 * 16 % of energy.
 * U and W respond to the impulses along and about n, x, y by a symmetric 6 x 6 matrix A = J M^-1 J^T, computed once a step. The
 * four points need ten numbers of it, the responses of the v_i to each other; friction needs nine, the responses of U_x, U_y
 * and W_n to the sums of the normal impulses, and its own block. Each pass reads and writes bodies once, and applies each
 * inertia once.
 *   separation  s_i = s_i0 + n . (dp_b - dp_a) + d_b . (r_b + radius_b n) - d_a . (r_a - radius_a n)
 *                     + (d_b - d_a) . (p_i x + q_i y),  d = dq^-1 n - n
 * Rotating a round shape leaves its surface in place and moves only its core. Poses change only between a solve and the relax
 * that follows: separations computed in relax also serve the next solve.
 * A, n and r are those of the poses at the start of the step: one linearisation, whose impulses may be applied again in each
 * sub-step. A slender body counts as unrotated: its velocity is rotated back by the swing of its long axis since the step
 * began, and forward again after the impulse. If only its inertia were rotated, r x n would get a component along the axis,
 * about which a rod of 1 : 50 has 1/1700 of its inertia: an impulse of friction gave it 300 times its energy. The rotation
 * about the long axis is left out: the contact of a top or a rolling log does not follow it.
 * Friction acts at c, not at each point. With friction per point stacks, walls, cards and arches stand the same, but points
 * that share a load unevenly slip one after the other (three boxes on each other slide off at 0.9 of the angle of friction),
 * and solving takes 1.6 times as long. A sliding and spinning body would slide farther: a cube at 3 m/s and 10 rad/s 1.6 m, and
 * not 0.9. One limit for friction and twist, an ellipsoid, gives it 1.4 m, and keeps trees on rough ground awake.
 * Sources: Catto, "Solver2D" (Soft Step), 2024; "Soft Constraints", GDC 2011. */
#include "core/contact.h"
#include "d3/dynamics/friction_radius_lanes.h"

enum { POINTS = D3_MANIFOLD_POINTS };

/* Factor on changes of normal impulses in bearing contacts: see bears. With 1.3 three of 15 piles under a piston never rest. */
#define OVER_RELAXATION 1.2f
/* Least squared cosine of the angle between gravity and the normal of a bearing contact. */
#define BEARING 0.81f
/* Maximum approach speed in a bearing contact [restitution_threshold]. */
#define BEARING_SPEED 0.4f
/* Maximum ratio of the bodies' masses in a bearing contact. */
#define BEARING_RATIO 10.0f

struct lane_point {
	lanes p, q; /* from c, along x and y [length] */
	lanes separation; /* s_i0 [length] */
	lanes s; /* s_i [length] */
	lanes mass; /* [mass] */
	lanes impulse, step_impulse; /* [mass length/s] */
};

/* Data that each sub-step needs comes first. */
struct record {
	uint32_t a[LANES], b[LANES]; /* state indices, with READ_ONLY */
	struct lane_vec n, x;
	struct lane_vec ra, rb;
	struct lane_vec inv_mass_a, inv_mass_b;
	struct lane_symmetric inv_inertia_a, inv_inertia_b;
	struct lane_point points[POINTS];
	lanes coupling[6]; /* responses of v at one point to an impulse at another: 01, 02, 03, 12, 13, 23 [1/mass] */
	struct lane_vec to_x, to_y, to_twist; /* responses of U_x, U_y, W_n to impulses along n, about x and about y */
	lanes xx, xy, yy; /* K^-1 [mass] */
	lanes twist_x, twist_y, twist_mass; /* responses of U_x, U_y to an impulse about n; m_n */
	lanes push_speed; /* maximum speed at which overlap is pushed out [length/s] */
	lanes friction, twist_friction; /* coefficient [1]; times R [length] */
	lanes relaxation; /* factor on the changes of its normal impulses: see normals_solve */
	lanes relaxed; /* sum of the normal impulses of the last relaxing pass [mass length/s] */
	lanes friction_x, friction_y, twist; /* impulses [mass length/s], [mass length^2/s] */
	lanes radius_a, radius_b; /* depth of the cores that rolling leaves in place [length] */
	bool bounces, rolls, slides; /* in some lane; slides: a surface has a tangent speed, or is on a rotating kinematic body */
	bool hits; /* some point approaches fast enough to bounce */
	lanes tangent_x, tangent_y; /* relative velocity of the surfaces [length/s] */
	lanes bend_x, bend_y; /* change of tangent_x, y in half a sub-step: see bends_prepare [length/s] */
	lanes restitution, friction_radius;
	lanes speed[POINTS]; /* of the points, v_i before the solve [length/s] */
	lanes rolling_resistance, rolling_mass;
	struct lane_vec rolling;
	struct lane_quat swing_a, swing_b; /* of slender bodies, since the step began */
	bool swings; /* some lane has a slender body */
} RECORD_ALIGNED;

/* --- The frame of a contact ----------------------------------------------------------------------------------------------- */

/* Velocity of b relative to a, and the impulses to be applied. */
struct frame {
	struct lane_vec y;
	lanes un, ux, uy, wn, wx, wy; /* U [length/s] and W [rad/s] */
	lanes pn, px, py, ln, lx, ly; /* along n, x, y [mass length/s] and about them [mass length^2/s] */
};

INLINE struct frame frame_of(const struct record *record, const struct lane_velocity *a, const struct lane_velocity *b)
{
	struct lane_vec u = lane_sub(lane_add(b->v, lane_cross(b->w, record->rb)), lane_add(a->v, lane_cross(a->w, record->ra)));
	struct lane_vec w = lane_sub(b->w, a->w), y = lane_cross(record->n, record->x);
	return (struct frame){
		.y = y,
		.un = lane_dot(u, record->n),
		.ux = lane_dot(u, record->x),
		.uy = lane_dot(u, y),
		.wn = lane_dot(w, record->n),
		.wx = lane_dot(w, record->x),
		.wy = lane_dot(w, y),
	};
}

INLINE struct lane_vec along(const struct record *record, const struct frame *frame, lanes n, lanes x, lanes y)
{
	return lane_mul_add(lane_mul_add(lane_scale(n, record->n), x, record->x), y, frame->y);
}

INLINE struct lane_vec times(struct lane_vec a, struct lane_vec b)
{
	return (struct lane_vec){a.x * b.x, a.y * b.y, a.z * b.z};
}

INLINE struct lane_axes gather_axes(const struct world *world, const uint32_t *index)
{
	static const struct d3_step_row none = {.principal = {.w = 1.0f}};
#define AXES(i) index[i] & READ_ONLY ? &none.principal : &d3_step_rows(world)[index[i] - 1].principal
	const void *const rows[LANES] = {EACH_LANE(AXES)};
#undef AXES
	struct lane_axes axes;
	columns_load(rows, (lanes *)&axes);
	return axes;
}

/* Loads the velocities; those of slender bodies are turned back by their swing. */
INLINE void record_gather(
	const struct world *world, const struct record *record, struct lane_velocity *a, struct lane_velocity *b)
{
	*a = gather(world, record->a);
	*b = gather(world, record->b);
	if (record->swings) {
		a->w = lane_swung(lane_conjugate(record->swing_a), a->w);
		b->w = lane_swung(lane_conjugate(record->swing_b), b->w);
	}
}

/* Stores the velocities; those of slender bodies are rotated forward again. */
INLINE void record_scatter(struct world *world, const struct record *record, struct lane_velocity *a, struct lane_velocity *b)
{
	if (record->swings) {
		a->w = lane_swung(record->swing_a, a->w);
		b->w = lane_swung(record->swing_b, b->w);
	}
	scatter(world, record->a, a);
	scatter(world, record->b, b);
}

/* The same for lanes where `some` is set. Rotating back and forward is not exact: the other lanes' states must not change. */
INLINE void record_scatter_where(
	struct world *world, const struct record *record, masks some, struct lane_velocity *a, struct lane_velocity *b)
{
	uint32_t to_a[LANES], to_b[LANES];
	states_where(some, record->a, to_a);
	states_where(some, record->b, to_b);
	if (record->swings) {
		a->w = lane_swung(record->swing_a, a->w);
		b->w = lane_swung(record->swing_b, b->w);
	}
	scatter(world, to_a, a);
	scatter(world, to_b, b);
}

/* Applies the accumulated impulses to the bodies. */
INLINE void frame_close(
	const struct frame *frame, const struct record *record, struct lane_velocity *a, struct lane_velocity *b)
{
	struct lane_vec impulse = along(record, frame, frame->pn, frame->px, frame->py);
	struct lane_vec about = along(record, frame, frame->ln, frame->lx, frame->ly);
	a->v = lane_sub(a->v, times(record->inv_mass_a, impulse));
	a->w = lane_sub(a->w, lane_symmetric_mul(&record->inv_inertia_a, lane_add(lane_cross(record->ra, impulse), about)));
	b->v = lane_add(b->v, times(record->inv_mass_b, impulse));
	b->w = lane_add(b->w, lane_symmetric_mul(&record->inv_inertia_b, lane_add(lane_cross(record->rb, impulse), about)));
}

/* Relative speed at a point along the normal. */
INLINE lanes normal_speed(const struct frame *frame, const struct lane_point *point)
{
	return frame->un + (frame->wx * point->q - frame->wy * point->p);
}

INLINE void normal_gather(struct frame *frame, const struct lane_point *point, lanes impulse)
{
	frame->pn += impulse;
	frame->lx += point->q * impulse;
	frame->ly -= point->p * impulse;
}

INLINE lanes coupling_of(const struct record *record, int i, int k)
{
	static const uint8_t places[POINTS][POINTS] = {{0, 0, 1, 2}, {0, 0, 3, 4}, {1, 3, 0, 5}, {2, 4, 5, 0}};
	return record->coupling[places[i][k]];
}

INLINE lanes impulse_sum(const struct record *record)
{
	return (record->points[0].impulse + record->points[1].impulse) + (record->points[2].impulse + record->points[3].impulse);
}

/* --- Prepare and store ---------------------------------------------------------------------------------------------------- */

_Static_assert(offsetof(struct d3_contact_row, p) == 32 && offsetof(struct d3_contact_row, places) == 64 &&
		offsetof(struct d3_contact_row, normal_impulse) == 128 && offsetof(struct d3_contact_row, ids) == 192,
	"groups of four numbers");

/* The first three cache lines of a contact record. */
struct lane_row {
	lanes friction, restitution, rolling_resistance, tangent_speed;
	struct lane_vec n; /* in the frame of a */
	lanes radius_a;
	struct lane_vec p;
	lanes radius_b;
	struct lane_quat q;
	struct {
		struct lane_vec middle;
		lanes separation;
	} places[POINTS];
	lanes normal_impulse[POINTS], step_impulse[POINTS];
	lanes friction_x, friction_y, twist, friction_radius;
	struct lane_quat frame;
};

/* The same as d3_tangent. */
INLINE struct lane_vec tangent(struct lane_vec n)
{
	lanes one = splat(1.0f), sign = choose(n.z < (lanes){0}, -one, one), a = -one / (sign + n.z);
	return (struct lane_vec){one + sign * n.x * n.x * a, sign * n.x * n.y * a, -sign * n.x};
}

/* From a's centre of mass to c, and to b's, in the frame of a. */
struct arms {
	struct lane_vec center, between;
};

/* Lanes with a rotating kinematic body: contacts do not affect its rotation. */
INLINE masks turns_alone(const uint32_t states[LANES], struct lane_vec w)
{
	masks rows;
	memcpy(&rows, states, sizeof rows);
	return (rows < 0 /* READ_ONLY */) & (lane_dot(w, w) > (lanes){0});
}

/* Computes the points and their current separations. A flat contact keeps the arms of its last narrow phase: see flat_frame.
 * Returns which contacts are flat and `steady`. */
INLINE masks points_prepare(struct record *record, const struct lane_row *row, const struct lane_body *a,
	const struct lane_body *b, const struct lane_vec *between, struct lane_vec x, masks steady, masks there[POINTS],
	struct arms *arms)
{
	struct lane_quat b_in_a = lane_mul_quat(lane_conjugate(a->q), b->q), turn = lane_mul_quat(b_in_a, lane_conjugate(row->q));
	struct lane_rot q = lane_quat_rot(turn);
	struct lane_vec apart = lane_inv_rotate(a->q, *between), b_center = lane_rotate(b_in_a, b->center);
	struct lane_vec shift = lane_sub(lane_add(lane_sub(apart, b_center), a->center), lane_turn(&q, row->p));
	struct lane_vec y = lane_cross(row->n, x);
	struct lane_vec middles[POINTS], center = {0};
	lanes count = {0}, zero = {0}, one = splat(1.0f), half = splat(0.5f);
	for (int i = 0; i < POINTS; ++i)
		there[i] = row->places[i].separation < splat(0.5f * D3_NO_PLACE);
	masks flat = there[D3_FLAT - 1] & steady;
	for (int i = 0; i < POINTS; ++i) {
		lanes depth = half * choose(there[i], row->places[i].separation, zero);
		struct lane_vec on_a = lane_mul_add(row->places[i].middle, -depth, row->n);
		struct lane_vec on_b = lane_add(lane_turn(&q, lane_mul_add(row->places[i].middle, depth, row->n)), shift);
		middles[i] = lane_sub(lane_choose(flat, row->places[i].middle, lane_scale(half, lane_add(on_a, on_b))), a->center);
		record->points[i].separation = record->points[i].s = choose(there[i], lane_dot(lane_sub(on_b, on_a), row->n), zero);
		lanes share = choose(there[i], one, zero);
		center = lane_mul_add(center, share, middles[i]);
		count += share;
	}
	center = lane_scale(one / max_lanes(count, one), center);
	for (int i = 0; i < POINTS; ++i) {
		struct lane_vec from = lane_sub(middles[i], center);
		record->points[i].p = choose(there[i], lane_dot(from, x), zero);
		record->points[i].q = choose(there[i], lane_dot(from, y), zero);
	}
	struct lane_vec apart_then = lane_sub(lane_add(row->p, lane_rotate(row->q, b->center)), a->center);
	*arms = (struct arms){center, lane_choose(flat, apart_then, apart)};
	return flat;
}

/* A flat contact keeps its directions while a leans by less than this [rad]: resting bodies lean by less (a pyramid of 100 rows
 * by 1/180), and so small an error of the force is small against friction. FLAT_TWIST: the same about the normal, no more than
 * noise: a body that turns carries along the body on it, and moves it by its arm. */
#define FLAT_TURN 0.02f
#define FLAT_TWIST 1e-4f
/* A body that turns faster is not at rest: its contacts' directions follow at once [rad/s]. */
#define FLAT_SPEED 0.1f

/* The rotation of a from which a contact takes its normal, tangents and arms. Contacts are springs: a leaning stack is pushed
 * back by the pressure at its lower edges, and pulled over by its weight, which acts off centre. Above some 20 boxes the pull
 * is stronger (Euler, 1744: a column buckles under its own weight when it is high enough), and the stack falls from a lean of
 * rounding errors alone. So flat contacts ignore a small lean: with the directions and arms of an upright a no weight acts off
 * centre. Real leans, of one body relative to another, are in the separations. The lean is the rotation of a without its part
 * about the normal, which the contact follows. Contacts of a rotating kinematic body follow the lean, too.
 * Source: Box3D's recycled contacts (Catto, 2025), which keep their normals in the world and their arms until one of the bodies
 * has turned by 10 degrees. */
INLINE struct lane_quat flat_frame(const struct lane_row *row, struct lane_quat qa, masks flat)
{
	struct lane_quat turn = lane_mul_quat(qa, lane_conjugate(row->frame));
	struct lane_vec n = lane_rotate(row->frame, row->n), u = {turn.x, turn.y, turn.z};
	lanes along = lane_dot(u, n), whole = along * along + turn.w * turn.w, lean = lane_dot(u, u) - along * along;
	masks near = flat & (lean < splat(0.25f * FLAT_TURN * FLAT_TURN)) & (whole > splat(0.25f));
	masks twisted = near & (along * along > splat(0.25f * FLAT_TWIST * FLAT_TWIST));
	struct lane_quat frame = row->frame;
	if (any(twisted)) {
		lanes scale = splat(1.0f) / sqrt_lanes(choose(twisted, whole, splat(1.0f)));
		struct lane_vec t = lane_scale(scale * along, n);
		struct lane_quat twist = {t.x, t.y, t.z, scale * turn.w};
		frame = lane_choose_quat(twisted, lane_normalize_quat(lane_mul_quat(twist, frame)), frame);
	}
	return lane_choose_quat(near, frame, qa);
}

/* Stores the frames of flat contacts, where one has changed. */
static void frames_keep(const struct world *world, const struct batch_link *edges, uint32_t count, masks flat,
	const struct lane_quat *before, const struct lane_quat *now)
{
	masks changed = flat & ((before->x != now->x) | (before->y != now->y) | (before->z != now->z) | (before->w != now->w));
	if (!any(changed))
		return;
	for (uint32_t i = 0; i < LANES && i < count; ++i)
		if (changed[i])
			d3_contact_row(world, edges[i].id)->frame = (struct d3_quat){now->x[i], now->y[i], now->z[i], now->w[i]};
}

/* A direction of impulses at c, or an axis of angular impulses, given by the axes about which such an impulse turns the bodies:
 * r x u for a direction u. */
struct direction {
	struct lane_vec a, b; /* these axes */
	struct lane_vec turned_a, turned_b; /* angular velocities by a unit impulse along the direction */
};

INLINE struct direction direction_of(const struct record *record, struct lane_vec a, struct lane_vec b)
{
	return (struct direction){
		a, b, lane_symmetric_mul(&record->inv_inertia_a, a), lane_symmetric_mul(&record->inv_inertia_b, b)};
}

/* Response of the velocity along `to` to an impulse along `of`, by rotation of the bodies. */
INLINE lanes response(const struct direction *to, const struct direction *of)
{
	return lane_dot(to->a, of->turned_a) + lane_dot(to->b, of->turned_b);
}

/* Computes the parts of A that the solver needs. */
INLINE void masses_prepare(struct record *record, struct lane_vec y, const masks there[POINTS])
{
	struct lane_vec n = record->n, x = record->x, m = lane_add(record->inv_mass_a, record->inv_mass_b);
	struct direction along_n = direction_of(record, lane_cross(record->ra, n), lane_cross(record->rb, n));
	struct direction along_x = direction_of(record, lane_cross(record->ra, x), lane_cross(record->rb, x));
	struct direction along_y = direction_of(record, lane_cross(record->ra, y), lane_cross(record->rb, y));
	struct direction about_n = direction_of(record, n, n);
	struct direction about_x = direction_of(record, x, x);
	struct direction about_y = direction_of(record, y, y);
	struct lane_vec mn = times(m, n), mx = times(m, x), my = times(m, y);
	/* Block of the normal impulse and those about x and y. */
	lanes nn = lane_dot(n, mn) + response(&along_n, &along_n);
	lanes nx = response(&along_n, &about_x);
	lanes ny = response(&along_n, &about_y);
	lanes xx = response(&about_x, &about_x), xy = response(&about_x, &about_y), yy = response(&about_y, &about_y);
	struct lane_vec given[POINTS];
	for (int i = 0; i < POINTS; ++i) {
		lanes p = record->points[i].p, q = record->points[i].q;
		given[i] = (struct lane_vec){nn + nx * q - ny * p, nx + xx * q - xy * p, ny + xy * q - yy * p};
		lanes own = given[i].x + given[i].y * q - given[i].z * p;
		record->points[i].mass = choose(there[i], invert_lanes(own), (lanes){0});
	}
	for (int i = 0, place = 0; i < POINTS; ++i)
		for (int k = i + 1; k < POINTS; ++k, ++place)
			record->coupling[place] = given[i].x + given[i].y * record->points[k].q - given[i].z * record->points[k].p;
	record->to_x = (struct lane_vec){
		lane_dot(x, mn) + response(&along_x, &along_n), response(&along_x, &about_x), response(&along_x, &about_y)};
	record->to_y = (struct lane_vec){
		lane_dot(y, mn) + response(&along_y, &along_n), response(&along_y, &about_x), response(&along_y, &about_y)};
	record->to_twist =
		(struct lane_vec){response(&about_n, &along_n), response(&about_n, &about_x), response(&about_n, &about_y)};
	record->twist_x = response(&along_x, &about_n);
	record->twist_y = response(&along_y, &about_n);
	record->twist_mass = invert_lanes(response(&about_n, &about_n));
	lanes kxx = lane_dot(x, mx) + response(&along_x, &along_x), kyy = lane_dot(y, my) + response(&along_y, &along_y);
	lanes kxy = lane_dot(x, my) + response(&along_x, &along_y), determinant = kxx * kyy - kxy * kxy;
	/* Where the bodies cannot move along both tangents, each tangent is solved by itself. */
	masks both = determinant > splat(1e-6f) * kxx * kyy;
	lanes inverse = choose(both, splat(1.0f) / choose(both, determinant, splat(1.0f)), (lanes){0});
	record->xx = choose(both, inverse * kyy, splat(0.5f) * invert_lanes(kxx));
	record->yy = choose(both, inverse * kxx, splat(0.5f) * invert_lanes(kyy));
	record->xy = -(inverse * kxy);
}

/* Computes R for contacts that are new or have new points. */
static void friction_radius_find(struct record *record, const struct lane_row *row)
{
	const struct lane_vec points[POINTS] = {
		row->places[0].middle, row->places[1].middle, row->places[2].middle, row->places[3].middle};
	record->friction_radius =
		choose(row->friction_radius < (lanes){0}, float4_friction_radius(row->n, points), row->friction_radius);
}

/* rolling_mass: at most the true one about any axis, by the largest row sum (Gershgorin); exact for balls. */
static void rolling_prepare(
	struct record *record, const struct d3_contact_row *const rows[LANES], const struct lane_row *row, lanes carry)
{
	const struct lane_symmetric *a = &record->inv_inertia_a, *b = &record->inv_inertia_b;
	lanes xy = abs_lanes(a->xy + b->xy), xz = abs_lanes(a->xz + b->xz), yz = abs_lanes(a->yz + b->yz);
	lanes most = max_lanes((a->xx + b->xx) + (xy + xz), max_lanes((a->yy + b->yy) + (xy + yz), (a->zz + b->zz) + (xz + yz)));
	masks rolls = row->rolling_resistance > (lanes){0};
	for (int lane = 0; lane < LANES; ++lane)
		record->rolling_resistance[lane] = row->rolling_resistance[lane] * rows[lane]->rolling_radius;
	record->rolling_mass = choose(rolls, invert_lanes(most), (lanes){0});
	for (int lane = 0; lane < LANES; ++lane) {
		struct d3_vec rolling = rows[lane]->rolling_impulse;
		record->rolling.x[lane] = rolls[lane] ? rolling.x : 0.0f;
		record->rolling.y[lane] = rolls[lane] ? rolling.y : 0.0f;
		record->rolling.z[lane] = rolls[lane] ? rolling.z : 0.0f;
	}
	record->rolling = lane_scale(carry, record->rolling);
}

/* Surface velocity of the body at one side, in the world. */
static struct d3_vec surface_velocity(const struct world *world, const struct batch_link *link, int side)
{
	const struct material material = contact_material(world, link->id, side);
	const float *v = material.tangent_velocity;
	return d3_rotate(d3_row(world, link->bodies[side])->q, (struct d3_vec){v[0], v[1], v[2]});
}

/* Each surface carries along the other body: friction vanishes when the bodies move by the difference of both velocities. */
static void sliding_prepare(
	const struct world *world, struct record *record, struct lane_vec y, masks slides, const struct batch_link *edges)
{
	record->tangent_x = record->tangent_y = (lanes){0};
	for (uint32_t i = 0; i < LANES; ++i) {
		if (!slides[i])
			continue;
		struct d3_vec v = d3_sub(surface_velocity(world, &edges[i], 0), surface_velocity(world, &edges[i], 1));
		record->tangent_x[i] = v.x * record->x.x[i] + v.y * record->x.y[i] + v.z * record->x.z[i];
		record->tangent_y[i] = v.x * y.x[i] + v.y * y.y[i] + v.z * y.z[i];
	}
}

/* Velocity of c along the surface of a body that rotates with w, by itself: the slower of this surface's and the other body's
 * velocity there. A carried body moves like both, a rolling or sliding one at most like one of them. r, others: from both
 * centres of mass to c; u: velocity of the other body relative to this one. */
INLINE struct lane_vec contact_way(const struct record *record, struct lane_vec y, struct lane_vec r, struct lane_vec w,
	struct lane_vec others, struct lane_vec u, struct lane_vec other_w)
{
	lanes spin = lane_dot(other_w, record->n);
	struct lane_vec own = lane_cross(w, r), other = lane_mul_add(u, spin, lane_cross(record->n, others));
	lanes own_x = lane_dot(own, record->x), own_y = lane_dot(own, y), x = lane_dot(other, record->x), dy = lane_dot(other, y);
	masks slower = own_x * own_x + own_y * own_y < x * x + dy * dy;
	struct lane_vec delta = lane_scale(lane_dot(own, record->n), record->n);
	return lane_mul_add(lane_mul_add(delta, choose(slower, own_x, x), record->x), choose(slower, own_y, dy), y);
}

/* A rotating kinematic body carries others along an arc. With its surface velocity at the start of the step they would move
 * along the tangent, 5 cm outwards in 10 s at 10 m from an axis that turns by 0.25 rad/s. So the surface's velocity changes by
 * w x u per second where the contact moves with u. The first half of a sub-step's change gives the velocity at its middle, for
 * the positions, the second half that at its end. */
static void bends_prepare(const struct world *world, struct record *record, struct lane_vec y, masks alone_a, masks alone_b,
	const struct lane_velocity *a, const struct lane_velocity *b)
{
	struct lane_vec u = lane_sub(b->v, a->v), none = {0};
	struct lane_vec bend_a = lane_cross(a->w, contact_way(record, y, record->ra, a->w, record->rb, u, b->w));
	struct lane_vec bend_b =
		lane_cross(b->w, contact_way(record, y, record->rb, b->w, record->ra, lane_scale(splat(-1.0f), u), a->w));
	struct lane_vec bend = lane_scale(
		splat(0.5f * world->step.h), lane_sub(lane_choose(alone_a, bend_a, none), lane_choose(alone_b, bend_b, none)));
	record->bend_x = lane_dot(bend, record->x);
	record->bend_y = lane_dot(bend, y);
}

/* Finds slender bodies; when the step begins they have not swung. */
INLINE void swings_prepare(const struct world *world, struct record *record, const struct batch_link *edges, uint32_t count)
{
	unsigned slender = 0;
	for (uint32_t i = 0; i < LANES && i < count; ++i)
		slender |= (unsigned)d3_row(world, edges[i].bodies[0])->slender | (unsigned)d3_row(world, edges[i].bodies[1])->slender;
	record->swings = slender != 0;
	record->swing_a = record->swing_b = (struct lane_quat){{0}, {0}, {0}, splat(1.0f)};
}

INLINE void row_load(const struct d3_contact_row *const rows[LANES], struct lane_row *row)
{
	for (size_t at = 0; at < sizeof(struct lane_row) / sizeof(lanes); at += 8)
		columns_load_at((const void *const *)rows, at * sizeof(float), (lanes *)row + at);
}

/* Lanes whose contact carries a body of similar mass without a burden, and did when the step began. `fastest`: speed of the
 * fastest approaching point, < 0. Over-relaxing others does harm: landing bodies bounce, loads of 1000:1 are thrown, a crowd
 * with much friction gains energy. In 2D piles creep for ever. */
INLINE masks bears(
	const struct world *world, const struct record *record, const struct batch_link *edges, uint32_t count, lanes fastest)
{
	const float *g = world->gravity;
	lanes along = splat(g[0]) * record->n.x + splat(g[1]) * record->n.y + splat(g[2]) * record->n.z;
	lanes ratio = splat(BEARING_RATIO), zero = {0};
	lanes a = max_lanes(record->inv_mass_a.x, max_lanes(record->inv_mass_a.y, record->inv_mass_a.z));
	lanes b = max_lanes(record->inv_mass_b.x, max_lanes(record->inv_mass_b.y, record->inv_mass_b.z));
	masks alike = ((a <= zero) | (b <= ratio * a)) & ((b <= zero) | (a <= ratio * b));
	masks slow = fastest > splat(-BEARING_SPEED * world->settings.restitution_threshold);
	masks bears = alike & slow & (record->relaxed > zero) & (along * along > splat(BEARING * dot(g, g)));
	for (uint32_t i = 0; i < LANES && i < count && world->step.burdened; ++i)
		if (world->burdens.data[edges[i].bodies[0]].times > 1.0f || world->burdens.data[edges[i].bodies[1]].times > 1.0f)
			bears[i] = 0;
	return bears;
}

/* Lanes without a contact get zeros for everything. */
static void record_prepare(const struct world *world, struct record *record, const struct batch_link *edges, uint32_t count)
{
	static const struct d3_contact_row no_row;
#define ROW(i) (i) < count ? d3_contact_row(world, edges[i].id) : &no_row
	const struct d3_contact_row *const rows[LANES] = {EACH_LANE(ROW)};
#undef ROW
	struct lane_body a, b;
	struct lane_vec between;
	struct lane_row row;
	masks there[POINTS];
	lanes push_speed = push_speeds(world, edges, count), carry = carry_of(world, push_speed);
	links_load(world, edges, count, record->a, record->b, &a, &b, &between);
	row_load(rows, &row);
	record->inv_mass_a = a.inv_mass;
	record->inv_mass_b = b.inv_mass;
	record->inv_inertia_a = a.inv_inertia;
	record->inv_inertia_b = b.inv_inertia;
	struct lane_vec x = tangent(row.n);
	struct lane_velocity velocity_a = gather(world, record->a), velocity_b = gather(world, record->b);
	masks alone_a = turns_alone(record->a, velocity_a.w), alone_b = turns_alone(record->b, velocity_b.w);
	struct arms arms;
	masks steady = ~(alone_a | alone_b) & (lane_dot(velocity_a.w, velocity_a.w) < splat(FLAT_SPEED * FLAT_SPEED));
	masks flat = points_prepare(record, &row, &a, &b, &between, x, steady, there, &arms);
	struct lane_quat stand = flat_frame(&row, a.q, flat);
	frames_keep(world, edges, count, there[D3_FLAT - 1], &row.frame, &stand);
	struct lane_rot q = lane_quat_rot(stand);
	record->n = lane_turn(&q, row.n);
	record->x = lane_turn(&q, x);
	record->ra = lane_turn(&q, arms.center);
	record->rb = lane_turn(&q, lane_sub(arms.center, arms.between));
	struct lane_vec y = lane_cross(record->n, record->x);
	masses_prepare(record, y, there);
	record->friction = row.friction;
	record->friction_radius = row.friction_radius;
	if (any(row.friction_radius < (lanes){0}))
		friction_radius_find(record, &row);
	record->twist_friction = row.friction * record->friction_radius;
	record->restitution = row.restitution;
	record->radius_a = row.radius_a;
	record->radius_b = row.radius_b;
	record->bounces = any(row.restitution > (lanes){0});
	record->rolls = any(row.rolling_resistance > (lanes){0});
	record->slides = any((row.tangent_speed > (lanes){0}) | alone_a | alone_b);
	if (record->rolls)
		rolling_prepare(record, rows, &row, carry);
	if (record->slides) {
		sliding_prepare(world, record, y, row.tangent_speed > (lanes){0}, edges);
		bends_prepare(world, record, y, alone_a, alone_b, &velocity_a, &velocity_b);
	}
	swings_prepare(world, record, edges, count);
	struct frame frame = frame_of(record, &velocity_a, &velocity_b);
	lanes deepest = splat(INFINITY), fastest = {0};
	for (int i = 0; i < POINTS; ++i) {
		record->speed[i] = choose(there[i], normal_speed(&frame, &record->points[i]), (lanes){0});
		fastest = min_lanes(fastest, record->speed[i]);
		deepest = choose(there[i], min_lanes(deepest, record->points[i].s), deepest);
		record->points[i].impulse = carry * row.normal_impulse[i];
		record->points[i].step_impulse = (lanes){0};
	}
	record->hits = any(fastest < splat(-world->settings.restitution_threshold));
	record->push_speed = push_speed;
	if (world->step.burdened)
		record->push_speed =
			push_beyond(world, edges, count, push_speed, deepest, soft_of(world, record->a, record->b).bias_rate);
	record->relaxed = impulse_sum(record);
	record->relaxation = choose(bears(world, record, edges, count, fastest), splat(OVER_RELAXATION), splat(1.0f));
	record->friction_x = carry * row.friction_x;
	record->friction_y = carry * row.friction_y;
	record->twist = carry * row.twist;
}

static void row_prefetch(const struct world *world, uint32_t id)
{
	cache_prefetch(d3_contact_row(world, id), 3 * CACHE_LINE);
}

static void record_store(struct world *world, const struct record *record, const struct batch_link *contacts, uint32_t count)
{
	const struct lane_point *points = record->points;
	const lanes zero = {0};
	const lanes least = min_lanes(min_lanes(record->speed[0], record->speed[1]), min_lanes(record->speed[2], record->speed[3]));
	const lanes impulses[4] = {points[0].impulse, points[1].impulse, points[2].impulse, points[3].impulse};
	const lanes step_impulses[4] = {
		points[0].step_impulse, points[1].step_impulse, points[2].step_impulse, points[3].step_impulse};
	const lanes others[4] = {
		finite_lanes(record->friction_x), finite_lanes(record->friction_y), record->twist, record->friction_radius};
#define ROW(i) (i) < count ? d3_contact_row(world, contacts[i].id) : NULL
	void *const rows[LANES] = {EACH_LANE(ROW)};
#undef ROW
	group_store(rows, offsetof(struct d3_contact_row, normal_impulse), impulses);
	group_store(rows, offsetof(struct d3_contact_row, step_impulse), step_impulses);
	group_store(rows, offsetof(struct d3_contact_row, friction_impulse), others);
	for (uint32_t i = 0; record->rolls && i < LANES && i < count; ++i)
		if (record->rolling_mass[i] > 0.0f)
			d3_contact_row(world, contacts[i].id)->rolling_impulse =
				(struct d3_vec){record->rolling.x[i], record->rolling.y[i], record->rolling.z[i]};
	lanes a = max_lanes(max_lanes(record->inv_mass_a.x, record->inv_mass_a.y), record->inv_mass_a.z);
	lanes b = max_lanes(max_lanes(record->inv_mass_b.x, record->inv_mass_b.y), record->inv_mass_b.z);
	masks loads = loads_find(world, impulse_sum(record), a, b);
	if (any(loads))
		loads_mark(world, contacts, count, loads, a > b);
	masks hits = (masks)zero;
	for (int i = 0; i < POINTS; ++i)
		hits |= (record->speed[i] < splat(-world->settings.hit_speed)) & (points[i].step_impulse > zero);
	if (!any(hits))
		return;
	hits_mark(world, contacts, count, hits);
	for (uint32_t i = 0; i < LANES && i < count; ++i)
		if (hits[i])
			d3_contact_row(world, contacts[i].id)->speed = least[i];
}

static void NAME(store)(
	struct world *world, void *records, const struct batch_link *contacts, uint32_t count, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		for (uint32_t k = i * LANES; k < (i + 1) * LANES && k + LINKS_AHEAD < count; ++k)
			cache_prefetch(d3_contact_row(world, contacts[k + LINKS_AHEAD].id)->normal_impulse, CACHE_LINE);
		record_store(world, (const struct record *)records + i, contacts + i * LANES, count - i * LANES);
	}
}

/* --- Solve ---------------------------------------------------------------------------------------------------------------- */

INLINE void rolling_apply(
	const struct record *record, struct lane_velocity *a, struct lane_velocity *b, struct lane_vec impulse)
{
	masks rolls = record->rolling_mass > (lanes){0};
	a->w = lane_choose(rolls, lane_sub(a->w, lane_symmetric_mul(&record->inv_inertia_a, impulse)), a->w);
	b->w = lane_choose(rolls, lane_add(b->w, lane_symmetric_mul(&record->inv_inertia_b, impulse)), b->w);
}

static void NAME(warm_start)(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		const struct record *record = (const struct record *)records + i;
		struct lane_velocity a, b;
		record_gather(world, record, &a, &b);
		struct frame frame = {
			.y = lane_cross(record->n, record->x), .px = record->friction_x, .py = record->friction_y, .ln = record->twist};
		for (int k = 0; k < POINTS; ++k)
			normal_gather(&frame, &record->points[k], record->points[k].impulse);
		frame_close(&frame, record, &a, &b);
		if (record->rolls)
			rolling_apply(record, &a, &b, record->rolling);
		record_scatter(world, record, &a, &b);
	}
}

struct lane_friction {
	lanes x, y;
};

/* If K differs between directions by less than this fraction it counts as equal: friction is then off by a third of a
 * degree. */
#define ALIKE 0.01f

/* Sliding friction: f* = f - K^-1 U would stop the sliding, but is longer than the limit R. Friction opposes the sliding: of
 * all f of length R it is the one that leaves U' = K (f' - f*) = -l f', l >= 0, and dissipates the most energy (Moreau, 1970):
 *   f' = (1 + l K^-1)^-1 f*, with l such that it is as long as R: by Newton's method on 1/|f'|, which is nearly linear in l
 * Shortening f* to R would do where K is the same in both directions; but a box of 2.5 by 1 that is pushed at 45 degrees would
 * move at 53. `e` is f* of length 1, `part` R over the length of f*. */
static void slide(const struct record *record, const struct lane_friction *e, const lanes *part, const lanes *limit,
	struct lane_friction *out)
{
	lanes one = splat(1.0f), ex = e->x, ey = e->y, most = max_lanes(*part, splat(1e-4f));
	/* Newton's step from l = 0 */
	lanes l =
		(one / most - one) * invert_lanes(record->xx * ex * ex + record->yy * ey * ey + splat(2.0f) * record->xy * ex * ey);
	for (int last = 0;; last = 1) {
		lanes xx = one + l * record->xx, xy = l * record->xy, yy = one + l * record->yy, inverse = one / (xx * yy - xy * xy);
		lanes x = inverse * (yy * ex - xy * ey), y = inverse * (xx * ey - xy * ex);
		lanes square = x * x + y * y, length = sqrt_lanes(choose(square > (lanes){0}, square, one));
		if (last) {
			lanes scale = *limit / length;
			*out = (struct lane_friction){scale * x, scale * y};
			return;
		}
		lanes kx = record->xx * x + record->xy * y, ky = record->xy * x + record->yy * y;
		lanes slope = inverse * (x * (yy * kx - xy * ky) + y * (xx * ky - xy * kx));
		l += (length / most - one) * length * length * invert_lanes(slope);
	}
}

/* f* if within the limit, else the sliding friction. Most contacts have nearly the same K in all directions: f* is
 * shortened. */
INLINE struct lane_friction friction_within(const struct record *record, struct lane_friction friction, lanes limit)
{
	lanes squares = friction.x * friction.x + friction.y * friction.y, one = splat(1.0f);
	masks over = squares > limit * limit;
	if (!any(over))
		return friction;
	lanes inverse_length = one / sqrt_lanes(choose(over, squares, one));
	struct lane_friction e = {friction.x * inverse_length, friction.y * inverse_length}, slides = {limit * e.x, limit * e.y};
	friction = (struct lane_friction){choose(over, slides.x, friction.x), choose(over, slides.y, friction.y)};
	masks alike =
		abs_lanes(record->xx - record->yy) + splat(2.0f) * abs_lanes(record->xy) < splat(ALIKE) * (record->xx + record->yy);
	over &= ~alike & (limit > (lanes){0});
	if (!any(over))
		return friction;
	lanes part = choose(over, limit * inverse_length, one);
	slide(record, &e, &part, &limit, &slides);
	return (struct lane_friction){choose(over, slides.x, friction.x), choose(over, slides.y, friction.y)};
}

INLINE void rolling_solve(struct record *record, struct lane_velocity *a, struct lane_velocity *b)
{
	lanes limit = record->rolling_resistance * impulse_sum(record);
	struct lane_vec before = record->rolling, after = lane_mul_add(before, -record->rolling_mass, lane_sub(b->w, a->w));
	record->rolling = lane_scale(shortening(lane_dot(after, after), limit), after);
	rolling_apply(record, a, b, lane_sub(record->rolling, before));
}

INLINE void friction_solve(struct record *record, struct frame *frame)
{
	lanes sum = min_lanes(impulse_sum(record), record->relaxed), limit = record->twist_friction * sum;
	lanes ux = frame->ux + (record->to_x.x * frame->pn + record->to_x.y * frame->lx + record->to_x.z * frame->ly);
	lanes uy = frame->uy + (record->to_y.x * frame->pn + record->to_y.y * frame->lx + record->to_y.z * frame->ly);
	lanes wn = frame->wn + (record->to_twist.x * frame->pn + record->to_twist.y * frame->lx + record->to_twist.z * frame->ly);
	lanes twist = max_lanes(-limit, min_lanes(record->twist - record->twist_mass * wn, limit));
	frame->ln = twist - record->twist;
	record->twist = twist;
	ux += record->twist_x * frame->ln;
	uy += record->twist_y * frame->ln;
	if (record->slides) {
		record->tangent_x += record->bend_x;
		record->tangent_y += record->bend_y;
		ux -= record->tangent_x;
		uy -= record->tangent_y;
	}
	lanes x = record->friction_x - (record->xx * ux + record->xy * uy);
	lanes y = record->friction_y - (record->xy * ux + record->yy * uy);
	struct lane_friction friction = friction_within(record, (struct lane_friction){x, y}, record->friction * sum);
	frame->px = friction.x - record->friction_x;
	frame->py = friction.y - record->friction_y;
	record->friction_x = friction.x;
	record->friction_y = friction.y;
}

/* dq^-1 n - n */
INLINE struct lane_vec turned_back(struct lane_quat dq, struct lane_vec n)
{
	struct lane_vec u = {-dq.x, -dq.y, -dq.z}, t = lane_mul_add(lane_cross(u, n), dq.w, n);
	return lane_scale(splat(2.0f), lane_cross(u, t));
}

INLINE void separations_update(
	struct record *record, const struct frame *frame, const struct lane_place *a, const struct lane_place *b)
{
	struct lane_vec turned_a = turned_back(a->dq, record->n);
	struct lane_vec turned_b = turned_back(b->dq, record->n);
	struct lane_vec turned = lane_sub(turned_b, turned_a);
	struct lane_vec core_a = lane_mul_add(record->ra, -record->radius_a, record->n);
	struct lane_vec core_b = lane_mul_add(record->rb, record->radius_b, record->n);
	lanes shift = lane_dot(record->n, lane_sub(b->dp, a->dp)) + (lane_dot(turned_b, core_b) - lane_dot(turned_a, core_a));
	lanes slope_x = lane_dot(turned, record->x), slope_y = lane_dot(turned, frame->y);
	for (int i = 0; i < POINTS; ++i) {
		struct lane_point *point = &record->points[i];
		point->s = point->separation + shift + (slope_x * point->p + slope_y * point->q);
	}
}

/* Intermediate values while the points are solved in turn. */
struct lane_normals {
	lanes wanted[POINTS]; /* lambda' before the clamp to >= 0 [mass length/s] */
	/* after an impact that opened a separation: the impulse that stops the point minus the one that closes the separation */
	lanes slack[POINTS];
	lanes per_speed[POINTS]; /* change of `wanted` per v_i [mass] */
};

/* Couplings are scaled before they are multiplied by the change: a shorter dependency chain from point to point. */
INLINE void normal_solve(struct record *record, struct lane_normals *normals, int i, bool hits)
{
	struct lane_point *point = &record->points[i];
	lanes after = normals->wanted[i];
	if (hits)
		after = max_lanes(after, min_lanes(after + normals->slack[i], point->impulse));
	after = max_lanes(after, (lanes){0});
	lanes change = after - point->impulse;
	point->impulse = after;
	for (int k = 0; k < POINTS; ++k)
		if (k != i)
			normals->wanted[k] += normals->per_speed[k] * coupling_of(record, i, k) * change;
}

/* Solves the points forwards and backwards: the first ones take more than their share, and give it back. In one direction only,
 * a crate that landed flat was turned and thrown aside: three on a lift that stopped at 2 m/s slid by 25 mm instead of 2; forty
 * stacked cubes fell at 30 Hz.
 * Bearing contacts are over-relaxed: their impulses change by more than computed, since the bodies above will demand the same.
 * Thirty layers of crossed beams oscillate 0.6 times as much. Source: Young, "Iterative Methods for Solving Partial Difference
 * Equations of Elliptic Type", 1954. `soft` NULL: relaxing. */
INLINE void normals_solve(const struct world *world, struct record *record, struct frame *frame, const struct lane_soft *soft)
{
	struct lane_normals normals;
	lanes zero = {0}, before[POINTS];
	bool hits = soft == NULL && record->hits;
	for (int i = 0; i < POINTS; ++i) {
		const struct lane_point *point = &record->points[i];
		masks gap = point->s > zero;
		lanes bias = zero, closing = point->s * splat(world->step.inv_h), scale = splat(1.0f);
		if (soft != NULL) {
			bias = max_lanes(soft->bias_rate * point->s, -record->push_speed);
			scale = choose(gap, scale, soft->mass_scale); /* 1 - impulse_scale */
		}
		bias = choose(gap, closing, bias);
		normals.per_speed[i] = -(scale * point->mass);
		normals.wanted[i] = scale * point->impulse + normals.per_speed[i] * (normal_speed(frame, point) + bias);
		if (hits)
			normals.slack[i] =
				choose(record->speed[i] < splat(-world->settings.restitution_threshold), point->mass * bias, zero);
		before[i] = point->impulse;
	}
	normal_solve(record, &normals, 0, hits);
	normal_solve(record, &normals, 1, hits);
	normal_solve(record, &normals, 2, hits);
	normal_solve(record, &normals, 3, hits);
	normal_solve(record, &normals, 2, hits);
	normal_solve(record, &normals, 1, hits);
	normal_solve(record, &normals, 0, hits);
	for (int i = 0; i < POINTS; ++i) {
		lanes change = record->points[i].impulse - before[i];
		record->points[i].impulse = max_lanes(before[i] + record->relaxation * change, zero);
		normal_gather(frame, &record->points[i], record->points[i].impulse - before[i]);
	}
}

/* The second halves of the states. */
INLINE struct lane_place gather_place(const struct world *world, const uint32_t *index)
{
#define STATE(i) (const float *)state_at(world, index[i]) + 8
	const void *const rows[LANES] = {EACH_LANE(STATE)};
#undef STATE
	struct lane_place place;
	columns_load(rows, (lanes *)&place);
	return place;
}

/* Updates the swings of slender bodies. */
static void swings_update(const struct world *world, struct record *record, struct lane_quat dq_a, struct lane_quat dq_b)
{
	record->swing_a = lane_swing(gather_axes(world, record->a), dq_a);
	record->swing_b = lane_swing(gather_axes(world, record->b), dq_b);
}

/* Friction is solved after the normal impulse, which bounds it: in the other order a sliding disc brakes 25 % too hard. While
 * overlap is pushed out, normal impulses exceed the load: then the impulse of the last relaxing pass is a bound, too. Otherwise
 * a crate that lands flat at 3 m/s rises again at 0.24 m/s. Without friction in the pushing pass a body that slides to a stop
 * moves back, and a body that rolls aside over flat triangles bumps. */
INLINE void solve_all(struct world *world, void *records, uint32_t begin, uint32_t end, bool push)
{
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		struct lane_place place_a, place_b;
		if (!push) {
			place_a = gather_place(world, record->a);
			place_b = gather_place(world, record->b);
			if (record->swings)
				swings_update(world, record, place_a.dq, place_b.dq);
		}
		struct lane_velocity a, b;
		record_gather(world, record, &a, &b);
		struct frame frame = frame_of(record, &a, &b);
		if (push) {
			struct lane_soft soft = soft_of(world, record->a, record->b);
			normals_solve(world, record, &frame, &soft);
		} else {
			separations_update(record, &frame, &place_a, &place_b);
			normals_solve(world, record, &frame, NULL);
			for (int k = 0; k < POINTS; ++k)
				record->points[k].step_impulse += record->points[k].impulse;
			record->relaxed = impulse_sum(record);
		}
		friction_solve(record, &frame);
		frame_close(&frame, record, &a, &b);
		if (record->rolls)
			rolling_solve(record, &a, &b);
		record_scatter(world, record, &a, &b);
	}
}

#include "core/solver_entry.h"

/* Speed of approach that forces give the bodies of each contact in a sub-step [length/s]. */
static lanes falls(const struct world *world, const struct record *record)
{
	const struct d3_step_row *rows = d3_step_rows(world);
	lanes falls = {0};
	for (int lane = 0; lane < LANES; ++lane) {
		struct d3_vec a = {0}, b = {0}, n = {record->n.x[lane], record->n.y[lane], record->n.z[lane]};
		if (!(record->a[lane] & READ_ONLY))
			a = rows[record->a[lane] - 1].add;
		if (!(record->b[lane] & READ_ONLY))
			b = rows[record->b[lane] - 1].add;
		falls[lane] = d3_dot(d3_sub(a, b), n);
	}
	return falls;
}

/* Sweeps over a contact's points: two on a cylinder's rim may be so close that each leaves 0.8 of the error. A contact is done
 * when a sweep changes no speed by more than BOUNCED times its impact speed; if no sweep would, it stays as it is. */
enum { RESTITUTION_SWEEPS = 64 };
#define BOUNCED 1e-3f

/* Newton's law of impact for points that approached faster than the threshold and were pressed: see bounce_speed. A point's
 * impulse of the whole step stays >= 0: a point that stopped first and is lifted by another one gives back what stopped it.
 * Bounded by the last sub-step's impulse it kept that, and an impact with e = 1 gained up to 17 % of the energy. The next step
 * starts without an impulse here: see the 2D contact solver. */
static bool NAME(restitution)(struct world *world, void *records, uint32_t begin, uint32_t end, float least)
{
	lanes threshold = splat(-world->settings.restitution_threshold), zero = {0};
	bool again = false;
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		if (!record->bounces || !record->hits)
			continue;
		masks bounces[POINTS], some = (masks)zero;
		for (int k = 0; k < POINTS; ++k) {
			bounces[k] =
				(record->speed[k] < threshold) & (record->points[k].step_impulse > zero) & (record->restitution > splat(least));
			some |= bounces[k];
			record->points[k].impulse = choose(bounces[k], zero, record->points[k].impulse);
		}
		if (!any(some))
			continue;
		struct lane_velocity a, b;
		record_gather(world, record, &a, &b);
		struct frame frame = frame_of(record, &a, &b);
		lanes speeds[POINTS], per_impulse[POINTS], leaves[POINTS], fall = falls(world, record);
		masks going = (masks)zero;
		for (int k = 0; k < POINTS; ++k) {
			lanes mass = record->points[k].mass;
			speeds[k] = normal_speed(&frame, &record->points[k]);
			per_impulse[k] = choose(mass > zero, splat(1.0f) / choose(mass > zero, mass, splat(1.0f)), zero);
			leaves[k] = bounce_speed(
				world, record->restitution, record->speed[k], record->points[k].separation, record->points[k].s, fall);
			lanes off = speeds[k] - leaves[k], back = record->points[k].step_impulse * per_impulse[k];
			going |= bounces[k] & (abs_lanes(min_lanes(off, back)) > splat(-BOUNCED) * record->speed[k]);
		}
		masks bounced = going;
		if (!any(bounced))
			continue;
		again = true;
		for (int sweep = 0; sweep < RESTITUTION_SWEEPS && any(going); ++sweep) {
			masks moved = (masks)zero;
			for (int k = 0; k < POINTS; ++k) {
				struct lane_point *point = &record->points[k];
				lanes wanted = -(point->mass * (speeds[k] - leaves[k]));
				lanes change = choose(going & bounces[k], max_lanes(wanted, -point->step_impulse), zero);
				lanes own = per_impulse[k] * change;
				point->step_impulse += change;
				normal_gather(&frame, point, change);
				for (int other = 0; other < POINTS; ++other)
					speeds[other] += other == k ? own : coupling_of(record, k, other) * change;
				moved |= bounces[k] & (abs_lanes(own) > splat(-BOUNCED) * record->speed[k]);
			}
			going &= moved;
		}
		frame_close(&frame, record, &a, &b);
		record_scatter_where(world, record, bounced, &a, &b);
	}
	return again;
}

const struct link_solver NAME(d3_contact_solver) = {
	.lanes = LANES,
	.record_size = sizeof(struct record),
	.prepare = NAME(prepare),
	.warm_start = NAME(warm_start),
	.solve = NAME(solve),
	.relax = NAME(relax),
	.restitution = NAME(restitution),
	.store = NAME(store),
};
