/* contact_prepare_lanes.h - fills the records of contact_solver.wide.c before the sub-steps and stores their impulses after,
 * LANES contacts at a time. Included there only. */

/* --- The frame of a contact ----------------------------------------------------------------------------------------------- */

/* A contact's tangent y; the velocities U and W of b relative to a, at c; and the impulses that frame_close applies. See
 * contact_solver.wide.c. */
struct frame {
	struct lane_vec y;
	lanes un, ux, uy, wn, wx, wy; /* U [length/s] and W [rad/s] */
	lanes pn, px, py, ln, lx, ly; /* impulses along n, x, y [mass length/s], and about them [mass length^2/s] */
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

/* Loads the velocities of both bodies. Angular velocities of slender bodies are rotated back by their swing. */
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

/* Stores the velocities of both bodies. Angular velocities of slender bodies are rotated forward again. */
INLINE void record_scatter(struct world *world, const struct record *record, struct lane_velocity *a, struct lane_velocity *b)
{
	if (record->swings) {
		a->w = lane_swung(record->swing_a, a->w);
		b->w = lane_swung(record->swing_b, b->w);
	}
	scatter(world, record->a, a);
	scatter(world, record->b, b);
}

/* As record_scatter, for the lanes in `some` only. The others must stay the same to the bit, and rotating back and forward is
 * not exact. */
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

/* Applies the impulses of the frame to both velocities. */
INLINE void frame_close(
	const struct frame *frame, const struct record *record, struct lane_velocity *a, struct lane_velocity *b)
{
	struct lane_vec impulse = along(record, frame, frame->pn, frame->px, frame->py);
	struct lane_vec about = along(record, frame, frame->ln, frame->lx, frame->ly);
	a->v = lane_sub(a->v, lane_mul(record->inv_mass_a, impulse));
	a->w = lane_sub(a->w, lane_symmetric_mul(&record->inv_inertia_a, lane_add(lane_cross(record->ra, impulse), about)));
	b->v = lane_add(b->v, lane_mul(record->inv_mass_b, impulse));
	b->w = lane_add(b->w, lane_symmetric_mul(&record->inv_inertia_b, lane_add(lane_cross(record->rb, impulse), about)));
}

/* v_i: relative velocity at a point along the normal. */
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
	static const uint8_t index[POINTS][POINTS] = {{0, 0, 1, 2}, {0, 0, 3, 4}, {1, 3, 0, 5}, {2, 4, 5, 0}};
	return record->coupling[index[i][k]];
}

INLINE lanes impulse_sum(const struct record *record)
{
	return (record->points[0].impulse + record->points[1].impulse) + (record->points[2].impulse + record->points[3].impulse);
}

/* --- The friction radius -------------------------------------------------------------------------------------------------- */

/* Twice a contact's area, and twice the integral over it of the distance from its centre: as in friction_radius.c, to the
 * bit. */
struct lane_friction_radius {
	lanes area, moment;
};

/* Adds the triangle of the centre (the origin) and two corners, projected along n. */
INLINE struct lane_friction_radius friction_radius_add(
	struct lane_friction_radius friction_radius, struct lane_vec n, struct lane_vec from, struct lane_vec to)
{
	struct lane_vec middle = lane_scale(splat(0.5f), lane_add(from, to));
	lanes area = abs_lanes(lane_dot(n, lane_cross(from, to)));
	lanes quarters = lane_length(lane_add(from, middle)) + lane_length(lane_add(middle, to));
	lanes sum = lane_length(from) + splat(2.0f) * (quarters + lane_length(middle)) + lane_length(to);
	return (struct lane_friction_radius){friction_radius.area + area, friction_radius.moment + area * sum / splat(18.0f)};
}

/* Twice the area of the quadrangle a, b, c, d, projected along n, from its diagonals. */
INLINE lanes quadrangle(struct lane_vec n, struct lane_vec a, struct lane_vec b, struct lane_vec c, struct lane_vec d)
{
	return abs_lanes(lane_dot(n, lane_cross(lane_sub(c, a), lane_sub(d, b))));
}

/* The mean distance from the centre of four points over the quadrangle that they span, in the order of the largest area; 0: no
 * area. */
INLINE lanes float4_friction_radius(struct lane_vec n, const struct lane_vec points[4])
{
	struct lane_vec p[4], middle = {0};
	for (int i = 0; i < 4; ++i)
		middle = lane_add(middle, points[i]);
	for (int i = 0; i < 4; ++i)
		p[i] = lane_mul_add(points[i], splat(-0.25f), middle);
	lanes first = quadrangle(n, p[0], p[1], p[2], p[3]);
	lanes second = quadrangle(n, p[0], p[2], p[1], p[3]);
	lanes third = quadrangle(n, p[0], p[1], p[3], p[2]);
	masks swaps = second > first, swaps_last = third > choose(swaps, second, first);
	swaps &= ~swaps_last;
	struct lane_vec one = lane_choose(swaps, p[2], p[1]);
	struct lane_vec two = lane_choose(swaps, p[1], lane_choose(swaps_last, p[3], p[2]));
	struct lane_vec three = lane_choose(swaps_last, p[2], p[3]);
	struct lane_friction_radius friction_radius = {{0}, {0}};
	friction_radius = friction_radius_add(friction_radius, n, p[0], one);
	friction_radius = friction_radius_add(friction_radius, n, one, two);
	friction_radius = friction_radius_add(friction_radius, n, two, three);
	friction_radius = friction_radius_add(friction_radius, n, three, p[0]);
	masks some = friction_radius.area > (lanes){0};
	return choose(some, friction_radius.moment / choose(some, friction_radius.area, splat(1.0f)), (lanes){0});
}

/* --- Prepare and store ---------------------------------------------------------------------------------------------------- */

_Static_assert(offsetof(struct d3_contact_row, p) == 32 && offsetof(struct d3_contact_row, points) == 64 &&
		offsetof(struct d3_contact_row, normal_impulse) == 128 && offsetof(struct d3_contact_row, ids) == 192,
	"groups of four numbers");

/* The first three cache lines of LANES contact records, transposed. */
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
	} points[POINTS];
	lanes normal_impulse[POINTS], step_impulse[POINTS];
	lanes friction_x, friction_y, twist, friction_radius;
	struct lane_quat frame;
};

/* d3_tangent, in lanes. */
INLINE struct lane_vec tangent(struct lane_vec n)
{
	lanes one = splat(1.0f), sign = choose(n.z < (lanes){0}, -one, one), a = -one / (sign + n.z);
	return (struct lane_vec){one + sign * n.x * n.x * a, sign * n.x * n.y * a, -sign * n.x};
}

/* Vectors from a's centre of mass to c and to b's centre of mass, in the frame of a. */
struct arms {
	struct lane_vec center, between;
};

/* The lanes in which the body is kinematic and rotates: its rotation does not respond to contacts. */
INLINE masks turns_alone(const uint32_t states[LANES], struct lane_vec w)
{
	return read_only(states) & (lane_dot(w, w) > (lanes){0});
}

/* Sets the points of the record with their current separations, there[i] (the lanes that have point i) and the arms. A flat
 * contact keeps the arms of its last narrow phase: see flat_frame. Returns the lanes of flat contacts that are in `steady`. */
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
		there[i] = row->points[i].separation < splat(0.5f * D3_NO_POINT);
	masks flat = there[D3_FLAT - 1] & steady;
	for (int i = 0; i < POINTS; ++i) {
		lanes depth = half * choose(there[i], row->points[i].separation, zero);
		struct lane_vec on_a = lane_mul_add(row->points[i].middle, -depth, row->n);
		struct lane_vec on_b = lane_add(lane_turn(&q, lane_mul_add(row->points[i].middle, depth, row->n)), shift);
		middles[i] = lane_sub(lane_choose(flat, row->points[i].middle, lane_scale(half, lane_add(on_a, on_b))), a->center);
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

/* A flat contact keeps its normal and tangents while body a leans by less than FLAT_TURN [rad]. Resting bodies lean by less
 * (1/180 in a pyramid of 100 rows), and the error of the contact force is small against friction. FLAT_TWIST is the limit for
 * rotation about the normal [rad]. It is just above noise, since a body that turns carries along the body on it. */
#define FLAT_TURN 0.02f
#define FLAT_TWIST 1e-4f
/* If body a rotates faster than this [rad/s], it is not at rest: its contacts take their directions from its current
 * rotation. */
#define FLAT_SPEED 0.1f

/* Returns the rotation of body a from which a contact takes its normal, tangents and arms. For a flat contact this is the
 * rotation kept in row->frame while a has leant from it by less than FLAT_TURN; else a's current rotation qa.
 * The reason is that contacts are springs. A leaning stack is pushed upright by the uneven pressure in its contacts, and pulled
 * over by its weight, which acts off centre. Above some 20 boxes the pull is stronger (Euler, 1744: a column buckles under its
 * own weight when it is high enough), and the stack falls from a lean by rounding errors alone. With the directions and arms of
 * an upright body no weight acts off centre.
 * The separations still contain the lean of one body relative to another. The lean is the rotation since row->frame without its
 * part about the normal, which the contact follows. Contacts of a rotating kinematic body are never flat here: they follow its
 * lean.
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

/* Stores the frames `now` in the records of flat contacts where they differ from `before`. */
static void frames_keep(const struct world *world, const struct batch_link *links, uint32_t count, masks flat,
	const struct lane_quat *before, const struct lane_quat *now)
{
	masks changed = flat & ((before->x != now->x) | (before->y != now->y) | (before->z != now->z) | (before->w != now->w));
	if (!any(changed))
		return;
	for (uint32_t i = 0; i < LANES && i < count; ++i)
		if (changed[i])
			d3_contact_row(world, links[i].id)->frame = (struct d3_quat){now->x[i], now->y[i], now->z[i], now->w[i]};
}

/* The effect on the rotations of both bodies of a unit impulse at c along a direction u, or of a unit angular impulse about an
 * axis u. */
struct direction {
	struct lane_vec a, b; /* r x u, or u */
	struct lane_vec turned_a, turned_b; /* angular velocities that the impulse gives */
};

INLINE struct direction direction_of(const struct record *record, struct lane_vec a, struct lane_vec b)
{
	return (struct direction){
		a, b, lane_symmetric_mul(&record->inv_inertia_a, a), lane_symmetric_mul(&record->inv_inertia_b, b)};
}

/* Response of the velocity along (or about) `to` to a unit impulse along (or about) `of`, by rotation of the bodies. */
INLINE lanes response(const struct direction *to, const struct direction *of)
{
	return lane_dot(to->a, of->turned_a) + lane_dot(to->b, of->turned_b);
}

/* Computes the entries that the solver needs of A: effective masses and couplings of the points, responses of the tangents and
 * the twist, and the inverse of the friction block. */
INLINE void masses_prepare(struct record *record, struct lane_vec y, const masks there[POINTS])
{
	struct lane_vec n = record->n, x = record->x, m = lane_add(record->inv_mass_a, record->inv_mass_b);
	struct direction along_n = direction_of(record, lane_cross(record->ra, n), lane_cross(record->rb, n));
	struct direction along_x = direction_of(record, lane_cross(record->ra, x), lane_cross(record->rb, x));
	struct direction along_y = direction_of(record, lane_cross(record->ra, y), lane_cross(record->rb, y));
	struct direction about_n = direction_of(record, n, n);
	struct direction about_x = direction_of(record, x, x);
	struct direction about_y = direction_of(record, y, y);
	struct lane_vec mn = lane_mul(m, n), mx = lane_mul(m, x), my = lane_mul(m, y);
	/* Responses of U_n, W_x and W_y to impulses along n, about x and about y. */
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
	for (int i = 0, index = 0; i < POINTS; ++i)
		for (int k = i + 1; k < POINTS; ++k, ++index)
			record->coupling[index] = given[i].x + given[i].y * record->points[k].q - given[i].z * record->points[k].p;
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
	/* If the bodies cannot move along both tangents, each tangent is solved alone, with half of its mass. */
	masks both = determinant > splat(1e-6f) * kxx * kyy;
	lanes inverse = choose(both, splat(1.0f) / choose(both, determinant, splat(1.0f)), (lanes){0});
	record->xx = choose(both, inverse * kyy, splat(0.5f) * invert_lanes(kxx));
	record->yy = choose(both, inverse * kxx, splat(0.5f) * invert_lanes(kyy));
	record->xy = -(inverse * kxy);
}

/* Computes R where it is unknown: for contacts that are new or have new points. */
static void friction_radius_find(struct record *record, const struct lane_row *row)
{
	const struct lane_vec points[POINTS] = {
		row->points[0].middle, row->points[1].middle, row->points[2].middle, row->points[3].middle};
	record->friction_radius =
		choose(row->friction_radius < (lanes){0}, float4_friction_radius(row->n, points), row->friction_radius);
}

/* Sets what rolling needs. rolling_mass is a lower bound on the effective mass about any axis, from the largest row sum of the
 * inverse inertia (Gershgorin); exact for balls. */
static void rolling_prepare(struct record *record, const struct lane_rows *rows, const struct lane_row *row, lanes carry)
{
	const struct lane_symmetric *a = &record->inv_inertia_a, *b = &record->inv_inertia_b;
	lanes xy = abs_lanes(a->xy + b->xy), xz = abs_lanes(a->xz + b->xz), yz = abs_lanes(a->yz + b->yz);
	lanes most = max_lanes((a->xx + b->xx) + (xy + xz), max_lanes((a->yy + b->yy) + (xy + yz), (a->zz + b->zz) + (xz + yz)));
	masks rolls = row->rolling_resistance > (lanes){0};
	lanes rolling[4];
	group_load(rows->at, offsetof(struct d3_contact_row, rolling_impulse), rolling);
	record->rolling_resistance = row->rolling_resistance * numbers_load(rows, offsetof(struct d3_contact_row, rolling_radius));
	record->rolling_mass = choose(rolls, invert_lanes(most), (lanes){0});
	record->rolling = lane_choose(rolls, (struct lane_vec){rolling[0], rolling[1], rolling[2]}, (struct lane_vec){0});
	record->rolling = lane_scale(carry, record->rolling);
}

/* Sets tangent_x and tangent_y, the value of U_xy at which friction vanishes: the surface velocity of a minus that of b, since
 * each surface carries the other body along. */
static void sliding_prepare(
	const struct world *world, struct record *record, struct lane_vec y, masks slides, const struct batch_link *links)
{
	record->tangent_x = record->tangent_y = (lanes){0};
	for (uint32_t i = 0; i < LANES; ++i) {
		if (!slides[i])
			continue;
		struct d3_vec v = d3_contact_surface_velocity(world, links[i].id);
		record->tangent_x[i] = v.x * record->x.x[i] + v.y * record->x.y[i] + v.z * record->x.z[i];
		record->tangent_y[i] = v.x * y.x[i] + v.y * y.y[i] + v.z * y.z[i];
	}
}

/* Estimates the velocity of c on a body that rotates with w and may carry the other body: along the normal that of w x r; along
 * the tangents the slower of w x r and the other body's velocity at c. A carried body moves like both, a rolling or sliding one
 * at most like one of them. r, others: from this and the other centre of mass to c. u: velocity of the other centre of mass
 * relative to this one. Of other_w only the rotation about the normal counts. */
INLINE struct lane_vec contact_path(const struct record *record, struct lane_vec y, struct lane_vec r, struct lane_vec w,
	struct lane_vec others, struct lane_vec u, struct lane_vec other_w)
{
	lanes spin = lane_dot(other_w, record->n);
	struct lane_vec own = lane_cross(w, r), other = lane_mul_add(u, spin, lane_cross(record->n, others));
	lanes own_x = lane_dot(own, record->x), own_y = lane_dot(own, y), x = lane_dot(other, record->x), dy = lane_dot(other, y);
	masks slower = own_x * own_x + own_y * own_y < x * x + dy * dy;
	struct lane_vec delta = lane_scale(lane_dot(own, record->n), record->n);
	return lane_mul_add(lane_mul_add(delta, choose(slower, own_x, x), record->x), choose(slower, own_y, dy), y);
}

/* Sets bend_x and bend_y: the change of the surface velocity of a rotating kinematic body, which carries others along an arc.
 * With the surface velocity at the start of the step they would move along the tangent: 5 cm outwards in 10 s at 10 m from the
 * axis of a body that turns at 0.25 rad/s. So the surface velocity changes by w x u per second for a contact that moves with u,
 * its contact_path. The solve adds the first half of a sub-step's change, which gives the velocity at its middle, for the
 * positions; the relax adds the rest. */
static void bends_prepare(const struct world *world, struct record *record, struct lane_vec y, masks alone_a, masks alone_b,
	const struct lane_velocity *a, const struct lane_velocity *b)
{
	struct lane_vec u = lane_sub(b->v, a->v), none = {0};
	struct lane_vec bend_a = lane_cross(a->w, contact_path(record, y, record->ra, a->w, record->rb, u, b->w));
	struct lane_vec bend_b =
		lane_cross(b->w, contact_path(record, y, record->rb, b->w, record->ra, lane_scale(splat(-1.0f), u), a->w));
	struct lane_vec bend = lane_scale(
		splat(0.5f * world->step.h), lane_sub(lane_choose(alone_a, bend_a, none), lane_choose(alone_b, bend_b, none)));
	record->bend_x = lane_dot(bend, record->x);
	record->bend_y = lane_dot(bend, y);
}

/* Sets `swings` if a lane has a slender body. The swings begin as the identity. */
INLINE void swings_prepare(const struct world *world, struct record *record, const struct batch_link *links, uint32_t count)
{
	unsigned slender = 0;
	for (uint32_t i = 0; i < LANES && i < count; ++i)
		slender |= (unsigned)d3_row(world, links[i].bodies[0])->slender | (unsigned)d3_row(world, links[i].bodies[1])->slender;
	record->swings = slender != 0;
	record->swing_a = record->swing_b = (struct lane_quat){{0}, {0}, {0}, splat(1.0f)};
}

INLINE void row_load(const struct lane_rows *rows, struct lane_row *row)
{
	for (size_t at = 0; at < sizeof(struct lane_row) / sizeof(lanes); at += 8)
		columns_load_at(rows->at, at * sizeof(float), (lanes *)row + at);
}

/* The inverse mass and inertia of one of so many shares of a body. */
INLINE void mass_split(
	const struct lane_body *body, lanes shares, struct lane_vec *inv_mass, struct lane_symmetric *inv_inertia)
{
	const struct lane_symmetric *whole = &body->inv_inertia;
	*inv_mass = lane_scale(shares, body->inv_mass);
	*inv_inertia = (struct lane_symmetric){
		shares * whole->xx, shares * whole->yy, shares * whole->zz, shares * whole->xy, shares * whole->xz, shares * whole->yz};
}

/* The greatest inverse mass, of all axes, of the whole bodies, not of their shares. */
INLINE lanes inv_mass_whole(const struct world *world, const struct lane_vec *inv_mass, const uint32_t states[LANES])
{
	return max_lanes(inv_mass->x, max_lanes(inv_mass->y, inv_mass->z)) / shares_of(world, states);
}

/* The lanes whose contact bears weight: its normal is nearly along gravity, it had an impulse in the last step, no point
 * approaches fast, its bodies have no burden, and their masses are within a factor of BEARING_RATIO (or one is not dynamic).
 * `fastest`: normal speed of the fastest approaching point, <= 0. Over-relaxing other contacts does harm: landing bodies
 * bounce, loads of 1000:1 are thrown, a crowd with much friction gains energy. 2D does not over-relax: there piles would creep
 * for ever. */
INLINE masks bears(
	const struct world *world, const struct record *record, const struct batch_link *links, uint32_t count, lanes fastest)
{
	const float *g = world->gravity;
	lanes along = splat(g[0]) * record->n.x + splat(g[1]) * record->n.y + splat(g[2]) * record->n.z;
	lanes ratio = splat(BEARING_RATIO), zero = {0};
	lanes a = inv_mass_whole(world, &record->inv_mass_a, record->a), b = inv_mass_whole(world, &record->inv_mass_b, record->b);
	masks alike = ((a <= zero) | (b <= ratio * a)) & ((b <= zero) | (a <= ratio * b));
	masks slow = fastest > splat(-BEARING_SPEED * world->settings.restitution_threshold);
	masks bears = alike & slow & (record->relaxed > zero) & (along * along > splat(BEARING * dot(g, g)));
	for (uint32_t i = 0; i < LANES && i < count && world->step.burdened; ++i)
		if (burden_of(world, links[i].bodies[0])->times > 1.0f || burden_of(world, links[i].bodies[1])->times > 1.0f)
			bears[i] = 0;
	return bears;
}

/* Fills a record from `count` links, or LANES if there are more. Lanes without a contact load zeros. */
static void record_prepare(const struct world *world, struct record *record, const struct batch_link *links, uint32_t count)
{
	static const struct d3_contact_row no_row;
	const struct lane_rows rows = link_rows(world->manifolds, sizeof no_row, links, count, &no_row);
	struct lane_body a, b;
	struct lane_vec between;
	struct lane_row row;
	masks there[POINTS];
	lanes push_speed = push_speeds(world, links, count), carry = carry_of(world, push_speed);
	links_load(world, links, count, record->a, record->b, &a, &b, &between);
	row_load(&rows, &row);
	mass_split(&a, shares_of(world, record->a), &record->inv_mass_a, &record->inv_inertia_a);
	mass_split(&b, shares_of(world, record->b), &record->inv_mass_b, &record->inv_inertia_b);
	struct lane_vec x = tangent(row.n);
	struct lane_velocity velocity_a = gather(world, record->a), velocity_b = gather(world, record->b);
	masks alone_a = turns_alone(record->a, velocity_a.w), alone_b = turns_alone(record->b, velocity_b.w);
	struct arms arms;
	masks steady = ~(alone_a | alone_b) & (lane_dot(velocity_a.w, velocity_a.w) < splat(FLAT_SPEED * FLAT_SPEED));
	masks flat = points_prepare(record, &row, &a, &b, &between, x, steady, there, &arms);
	struct lane_quat stand = flat_frame(&row, a.q, flat);
	frames_keep(world, links, count, there[D3_FLAT - 1], &row.frame, &stand);
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
	record->rolls = any(row.rolling_resistance > (lanes){0});
	record->slides = any((row.tangent_speed > (lanes){0}) | alone_a | alone_b);
	if (record->rolls)
		rolling_prepare(record, &rows, &row, carry);
	if (record->slides) {
		sliding_prepare(world, record, y, row.tangent_speed > (lanes){0}, links);
		bends_prepare(world, record, y, alone_a, alone_b, &velocity_a, &velocity_b);
	}
	swings_prepare(world, record, links, count);
	struct frame frame = frame_of(record, &velocity_a, &velocity_b);
	lanes deepest = splat(INFINITY), fastest = {0};
	for (int i = 0; i < POINTS; ++i) {
		record->speed[i] = choose(there[i], normal_speed(&frame, &record->points[i]), (lanes){0});
		fastest = min_lanes(fastest, record->speed[i]);
		deepest = choose(there[i], min_lanes(deepest, record->points[i].s), deepest);
		record->points[i].impulse = without_negligible(carry * row.normal_impulse[i], NEGLIGIBLE_IMPULSE);
		record->points[i].step_impulse = (lanes){0};
	}
	record->single = !any(there[1] | there[2] | there[3]);
	record->hits = any(fastest < splat(-world->settings.restitution_threshold));
	record->bounces = record->hits && any(row.restitution > (lanes){0});
	record->push_speed = push_speed;
	if (world->step.burdened)
		record->push_speed =
			push_beyond(world, links, count, push_speed, deepest, soft_of(world, record->a, record->b).bias_rate);
	record->relaxed = impulse_sum(record);
	record->relaxation = choose(bears(world, record, links, count, fastest), splat(OVER_RELAXATION), splat(1.0f));
	record->friction_x = without_negligible(carry * row.friction_x, NEGLIGIBLE_IMPULSE);
	record->friction_y = without_negligible(carry * row.friction_y, NEGLIGIBLE_IMPULSE);
	record->twist = without_negligible(carry * row.twist, NEGLIGIBLE_IMPULSE);
}

static void row_prefetch(const struct world *world, uint32_t id)
{
	cache_prefetch(d3_contact_row(world, id), 3 * CACHE_LINE);
}

static void impulses_prefetch(const struct world *world, uint32_t id)
{
	cache_prefetch(d3_contact_row(world, id)->normal_impulse, CACHE_LINE);
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
	const size_t size = sizeof(struct d3_contact_row);
	links_store(world->manifolds, size, offsetof(struct d3_contact_row, normal_impulse), contacts, count, impulses);
	links_store(world->manifolds, size, offsetof(struct d3_contact_row, step_impulse), contacts, count, step_impulses);
	links_store(world->manifolds, size, offsetof(struct d3_contact_row, friction_impulse), contacts, count, others);
	for (uint32_t i = 0; record->rolls && i < LANES && i < count; ++i)
		if (record->rolling_mass[i] > 0.0f) {
			record_touch_shared(world, TOUCHED_MANIFOLDS, contacts[i].id);
			d3_contact_row(world, contacts[i].id)->rolling_impulse =
				(struct d3_vec){record->rolling.x[i], record->rolling.y[i], record->rolling.z[i]};
		}
	lanes a = inv_mass_whole(world, &record->inv_mass_a, record->a), b = inv_mass_whole(world, &record->inv_mass_b, record->b);
	loads_mark(world, contacts, count, impulse_sum(record), a, b);
	masks hits = (masks)zero;
	for (int i = 0; i < POINTS; ++i)
		hits |= (record->speed[i] < splat(-world->settings.hit_speed)) & (points[i].step_impulse > zero);
	if (!any(hits))
		return;
	hits_mark(world, contacts, count, hits);
	for (uint32_t i = 0; i < LANES && i < count; ++i)
		if (hits[i]) {
			record_touch_shared(world, TOUCHED_MANIFOLDS, contacts[i].id);
			d3_contact_row(world, contacts[i].id)->speed = least[i];
		}
}
