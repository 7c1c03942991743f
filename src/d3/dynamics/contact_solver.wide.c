/* contact_solver.wide.c - solving contacts, LANES at a time: compiled once for each number of lanes; see lanes.h. Lanes beyond
 * the last contact, and points that a contact lacks, have no mass and get no impulse.
 * Any thread: the contacts of a colour share no body that they write to.
 *
 * Symbols: n normal from a to b; x, y tangents, y the cross product of n and x; c the centre of the points; r_a, r_b from the
 * centres of mass to c; p_i x + q_i y from c to point i; dp, dq displacement and rotation since the step began; lambda_i >= 0
 * accumulated normal impulses; h sub-step [s]. A prime marks the new value.
 *   U = v_b + w_b x r_b - v_a - w_a x r_a, W = w_b - w_a     velocity of b relative to a, at c
 *   normal     v_i = U_n + W_x q_i - W_y p_i
 *              s_i > 0:  lambda' = max(0, lambda - m_i (v_i + s_i/h))
 *                        speculative: may close the separation, no more
 *              else:     lambda' = max(0, lambda - m_i mass_scale (v_i + bias) - impulse_scale lambda)
 *                        bias = max(bias_rate s_i, -push_speed)
 *   twist      tau' = clamp(tau - m_n W_n, +-friction R N), N = sum lambda_i, R the mean distance from c of the contact area
 *   friction   f' = f - K^-1 (U_xy - tangent velocity), limited to length friction N: see slide
 *   rolling    l' = l - m W, limited to length rolling_resistance N
 * Relaxing leaves out the push (bias 0, mass_scale 1, impulse_scale 0 where s_i <= 0), which removes the velocity that the push
 * added. Where an impact has separated a point, by friction or rotation, relaxing reduces lambda_i no further than to v_i = 0:
 * an impulse must not be undone because of a separation that it caused itself. Without this a spinning plate was lifted and
 * gained up to 16 % of energy.
 * U and W respond to the impulses along and about n, x, y by a symmetric 6 x 6 matrix A = J M^-1 J^T. The entries that the
 * solver needs are computed once a step: for the points ten numbers, the responses of the v_i to the lambda_i; for friction the
 * nine responses of U_x, U_y and W_n to the sums of the normal impulses (along n, about x and y), and its own block. Each pass
 * reads and writes bodies once, and applies each inertia once.
 *   separation  s_i = s_i0 + n . (dp_b - dp_a) + d_b . (r_b + radius_b n) - d_a . (r_a - radius_a n)
 *                     + (d_b - d_a) . (p_i x + q_i y),  d = dq^-1 n - n
 * The radius terms let a round shape roll in place: a rotation about its core, radius_a or radius_b below the surface, does not
 * change s_i. Poses change only between a solve and the relax that follows: separations computed in relax also serve the next
 * solve.
 * A, n and r are those of the poses at the start of the step: one linearisation, whose impulses may be applied again in each
 * sub-step. A slender body counts as unrotated: its angular velocity is rotated back by the swing of its long axis since the
 * step began, and forward again after the impulse. If only its inertia were rotated, r x n would get a component along the
 * axis, about which a rod of 1 : 50 has 1/1700 of its inertia: an impulse of friction gave it 300 times its energy. The
 * rotation about the long axis is left out: the contact of a top or a rolling log does not follow it.
 * Friction acts at c, not at each point. With friction per point stacks, walls, cards and arches stand the same, but points
 * that share a load unevenly slip one after the other (three boxes on each other slide off at 0.9 of the angle of friction),
 * and solving takes 1.6 times as long. A cube at 3 m/s and 10 rad/s slides 1.6 m with friction per point, 0.9 m here, and 1.4 m
 * with one ellipsoidal limit for friction and twist, which keeps trees on rough ground awake.
 * Sources: Catto, "Solver2D" (Soft Step), 2024; "Soft Constraints", GDC 2011. */
#include "core/contact.h"
#include "d3/dynamics/lanes.h"

enum { POINTS = D3_MANIFOLD_POINTS };

/* Factor on the changes of normal impulses in bearing contacts: see bears. With 1.3, three of 15 piles under a piston never
 * rest. */
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
	lanes mass; /* effective along n, m_i; 0: no such point [mass] */
	lanes impulse, step_impulse; /* [mass length/s] */
};

/* The fields that every contact needs in each sub-step come first, then those that only some need, by flags: restitution,
 * moving surfaces, rolling, slender bodies. The flag `swings`, at the end, is read in each pass, too. */
struct record {
	uint32_t a[LANES], b[LANES]; /* state indices, with READ_ONLY */
	struct lane_vec n, x;
	struct lane_vec ra, rb;
	struct lane_vec inv_mass_a, inv_mass_b;
	struct lane_symmetric inv_inertia_a, inv_inertia_b;
	struct lane_point points[POINTS];
	lanes coupling[6]; /* response of v at one point to a unit impulse at another: 01, 02, 03, 12, 13, 23 [1/mass] */
	struct lane_vec to_x, to_y, to_twist; /* responses of U_x, U_y, W_n to unit impulses along n, about x and about y */
	lanes xx, xy, yy; /* K^-1 [mass] */
	lanes twist_x, twist_y, twist_mass; /* responses of U_x, U_y to a unit impulse about n; m_n */
	lanes push_speed; /* maximum speed at which overlap is pushed out [length/s] */
	lanes friction, twist_friction; /* coefficient of friction [1]; the same times R [length] */
	lanes relaxation; /* factor on the changes of normal impulses: see normals_solve */
	lanes relaxed; /* sum of the normal impulses of the last relaxing pass, at first of the warm start [mass length/s] */
	lanes friction_x, friction_y, twist; /* f [mass length/s], tau [mass length^2/s] */
	lanes radius_a, radius_b; /* depth of the shapes' cores below the surface: see core_depth [length] */
	/* flags: in some lane a contact bounces; has rolling resistance; has a surface that moves by its tangent speed or with a
	 * rotating kinematic body */
	bool bounces, rolls, slides;
	bool hits; /* in some lane a point approached fast enough to bounce when the step began */
	bool single; /* no lane has more than one point */
	lanes tangent_x, tangent_y; /* surface velocity of a minus that of b: see sliding_prepare [length/s] */
	lanes bend_x, bend_y; /* change of tangent_x and tangent_y in half a sub-step: see bends_prepare [length/s] */
	lanes restitution, friction_radius; /* coefficient of restitution [1]; R [length] */
	lanes speed[POINTS]; /* v_i of the points when the step began [length/s] */
	lanes rolling_resistance, rolling_mass; /* coefficient times lever arm [length]; m [mass length^2] */
	struct lane_vec rolling; /* l [mass length^2/s] */
	struct lane_quat swing_a, swing_b; /* of slender bodies, since the step began */
	bool swings; /* some lane has a slender body */
} RECORD_ALIGNED;

#include "d3/dynamics/contact_prepare_lanes.h"

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

/* If K differs between directions by less than this fraction, friction counts it as isotropic. The direction of friction is
 * then off by less than 0.6 degrees. */
#define ALIKE 0.01f

/* Computes sliding friction. f* = f - K^-1 U would stop the sliding, but is longer than the limit F. Friction opposes the
 * sliding: of all f' of length F it is the one that leaves U' = K (f' - f*) = -l f', l >= 0, and dissipates the most energy
 * (Moreau, 1970):
 *   f' = (1 + l K^-1)^-1 f*, with l such that |f'| = F: by two Newton steps on 1/|f'|, which is nearly linear in l
 * Shortening f* to F is enough only if K is the same in both directions: a box of 2.5 by 1 that is pushed at 45 degrees would
 * move at 53. `e`: f* / |f*|; `part`: F / |f*|; `limit`: F. */
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

/* Returns f* (`friction`) if it is within the limit, else sliding friction: f* shortened if K is nearly isotropic, as in most
 * contacts, else that of slide. */
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
	struct record *record, const struct frame *frame, const struct lane_pose *a, const struct lane_pose *b)
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
	/* of a point that an impact may have separated: the impulse that stops it minus the one that closes the separation */
	lanes slack[POINTS];
	lanes per_speed[POINTS]; /* change of `wanted` per v_i [mass] */
};

/* Solves one point, and updates `wanted` of the others. Couplings are scaled before they are multiplied by the change, for a
 * shorter dependency chain from point to point. */
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

/* Solves the points in turn, forwards and backwards: on the way there the first ones take more than their share, on the way
 * back they return it. In one direction only, a crate that landed flat was turned and thrown aside: three on a lift that
 * stopped at 2 m/s slid by 25 mm instead of 2; forty stacked cubes fell at 30 Hz.
 * Bearing contacts are over-relaxed: their impulses change by more than computed, in advance of the load that the bodies above
 * have yet to pass on. Then thirty layers of crossed beams oscillate 0.6 times as much. Source: Young, "Iterative Methods for
 * Solving Partial Difference Equations of Elliptic Type", 1954. One point alone is solved once: the other steps would change no
 * impulse. `soft` NULL: relaxing. */
INLINE void normals_solve(const struct world *world, struct record *record, struct frame *frame, const struct lane_soft *soft)
{
	struct lane_normals normals;
	lanes zero = {0}, before[POINTS];
	bool hits = soft == NULL && record->hits;
	for (int i = 0; i < POINTS; ++i) {
		const struct lane_point *point = &record->points[i];
		masks apart = point->s > zero;
		lanes bias = zero, closing = point->s * splat(world->step.inv_h), scale = splat(1.0f);
		if (soft != NULL) {
			bias = max_lanes(soft->bias_rate * point->s, -record->push_speed);
			scale = choose(apart, scale, soft->mass_scale); /* 1 - impulse_scale */
		}
		bias = choose(apart, closing, bias);
		normals.per_speed[i] = -(scale * point->mass);
		normals.wanted[i] = scale * point->impulse + normals.per_speed[i] * (normal_speed(frame, point) + bias);
		if (hits)
			normals.slack[i] =
				choose(record->speed[i] < splat(-world->settings.restitution_threshold), point->mass * bias, zero);
		before[i] = point->impulse;
	}
	normal_solve(record, &normals, 0, hits);
	if (!record->single) {
		normal_solve(record, &normals, 1, hits);
		normal_solve(record, &normals, 2, hits);
		normal_solve(record, &normals, 3, hits);
		normal_solve(record, &normals, 2, hits);
		normal_solve(record, &normals, 1, hits);
		normal_solve(record, &normals, 0, hits);
	}
	for (int i = 0; i < POINTS; ++i) {
		lanes change = record->points[i].impulse - before[i];
		record->points[i].impulse = max_lanes(before[i] + record->relaxation * change, zero);
		normal_gather(frame, &record->points[i], record->points[i].impulse - before[i]);
	}
}

/* Loads the second halves of the states, with the displacements and rotations since the step began. */
INLINE struct lane_pose gather_pose(const struct world *world, const uint32_t *index)
{
	struct lane_pose pose;
	columns_load(state_rows(world, index, STATE_POSE).at, (lanes *)&pose);
	return pose;
}

/* Sets swing_a and swing_b from dq, the bodies' rotations since the step began: of slender bodies the rotation of the long
 * axis, without the twist about it; of others the identity. See lane_swing. */
static void swings_update(const struct world *world, struct record *record, struct lane_quat dq_a, struct lane_quat dq_b)
{
	record->swing_a = lane_swing(gather_axes(world, record->a), dq_a);
	record->swing_b = lane_swing(gather_axes(world, record->b), dq_b);
}

/* Solves each contact once: with push, or else relaxing. Friction is solved after the normal impulse, which bounds it: in the
 * other order a sliding disc brakes 25 % too hard. While overlap is pushed out, normal impulses exceed the load: so the normal
 * impulse of the last relaxing pass bounds friction, too. Otherwise a crate that lands flat at 3 m/s rises again at 0.24 m/s.
 * Without friction in the pushing pass a body that slides to a stop moves back, and a body that rolls aside over flat triangles
 * bumps. */
INLINE void solve_all(struct world *world, void *records, uint32_t begin, uint32_t end, bool push)
{
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		struct lane_pose pose_a, pose_b;
		if (!push) {
			pose_a = gather_pose(world, record->a);
			pose_b = gather_pose(world, record->b);
			if (record->swings)
				swings_update(world, record, pose_a.dq, pose_b.dq);
		}
		struct lane_velocity a, b;
		record_gather(world, record, &a, &b);
		struct frame frame = frame_of(record, &a, &b);
		if (push) {
			struct lane_soft soft = soft_of(world, record->a, record->b);
			normals_solve(world, record, &frame, &soft);
		} else {
			separations_update(record, &frame, &pose_a, &pose_b);
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
#include "core/restitution_lanes.h"

static bool record_bounce(struct world *world, struct record *record, const masks bounces[POINTS])
{
	struct lane_velocity a, b;
	record_gather(world, record, &a, &b);
	struct frame frame = frame_of(record, &a, &b);
	lanes speeds[POINTS], per_impulse[POINTS], leaves[POINTS], fall = falls(world, record->a, record->b, &record->n.x, 3);
	lanes zero = {0};
	masks going = (masks)zero;
	for (int k = 0; k < POINTS; ++k) {
		struct lane_point *point = &record->points[k];
		point->impulse = choose(bounces[k], zero, point->impulse);
		speeds[k] = normal_speed(&frame, point);
		per_impulse[k] = invert_lanes(point->mass);
		leaves[k] = bounce_speed(world, record->restitution, record->speed[k], point->separation, point->s, fall);
		lanes off = speeds[k] - leaves[k], back = point->step_impulse * per_impulse[k];
		going |= bounces[k] & (abs_lanes(min_lanes(off, back)) > splat(-BOUNCED) * record->speed[k]);
	}
	masks bounced = going;
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
	if (!any(bounced))
		return false;
	frame_close(&frame, record, &a, &b);
	record_scatter_where(world, record, bounced, &a, &b);
	return true;
}

const struct link_solver NAME(d3_contact_solver) = {
	SOLVER_ENTRIES,
	.restitution = NAME(restitution),
};
