/* integrate.wide.c - velocities and positions of awake bodies over a sub-step, LANES at a time; see lanes.h. Semi-implicit
 * Euler: v' = (v + h M^-1 F) / (1 + h c), x' = x + h v', with c the damping [1/s]. The rotation of a sub-step is exact, by h w,
 * not linearised.
 * A tumbling body, with different moments I_1 <= I_2 <= I_3 about its principal axes, changes its angular velocity without a
 * torque. In the frame of these axes, with P = I w its angular momentum there, its energy is a sum
 *   H = |P|^2/(2 I_2) + P_1^2/2 (1/I_1 - 1/I_2) + P_3^2/2 (1/I_3 - 1/I_2)
 * and the motion of each term is known: of the first, a rotation of the body by h L/I_2 about its momentum L in the world, with
 * constant P; of the others, rotations about the body's own axes 1 and 3. Half of the second, all of the third and half of the
 * second again, with the first, which commutes with both, make a step of second order that is symmetric in time. L is conserved
 * to rounding error, since P is rotated back by as much as the body rotates; the energy oscillates about its value by a
 * fraction of (h w)^2 and does not drift. A T-handle that spins at 10 rad/s and flips 21 times in a minute has by then lost or
 * gained 1e-5 of its energy and of its momentum. (With one implicit Euler step by Newton's method in each sub-step, as is
 * common, it loses 44 % and 25 %.) The motion of a symmetric top is exact.
 * Sources: Touma, Wisdom, "Lie-Poisson integrators for rigid body dynamics", 1994; Reich, "Momentum conserving symplectic
 * integrators", 1994; Hairer, Lubich, Wanner, "Geometric Numerical Integration", VII.5.
 * Any thread, disjoint ranges. */
#include "d3/dynamics/lanes.h"

/* Offsets of the groups in step records [floats]. */
enum { STEP_ADD = 0, STEP_ADD_W = 8, STEP_BEFORE = 16, STEP_AXES = 24 };

_Static_assert(sizeof(struct d3_step_row) == 128 && offsetof(struct d3_step_row, add_w) == 4 * STEP_ADD_W &&
		offsetof(struct d3_step_row, v) == 4 * STEP_BEFORE && offsetof(struct d3_step_row, principal) == 4 * STEP_AXES,
	"four groups of eight numbers");

/* The first three groups of eight numbers of a step record, transposed; the fourth is struct lane_axes of lanes.h. */
struct lane_step {
	struct lane_vec add;
	lanes max_speed;
	struct lane_vec scale;
	lanes max_w;
};

struct lane_step_w {
	struct lane_vec add;
	lanes none_add;
	struct lane_vec scale;
	lanes none_scale;
};

struct lane_before {
	struct lane_vec v, w;
	lanes none[2];
};

INLINE void before_store(struct world *world, struct group group, const struct lane_before *before)
{
	steps_store(world, group, STEP_BEFORE, (const lanes *)before);
	steps_store(world, group, STEP_BEFORE + 4, (const lanes *)before + 4);
}

/* Shortens the velocities of lanes in `over` to the limit. */
static void speed_limit(struct lane_vec *v, lanes squares, masks over, lanes limit)
{
	for (int i = 0; i < LANES; ++i)
		if (over[i]) {
			float scale = limit[i] / sqrtf(squares[i]);
			v->x[i] *= scale;
			v->y[i] *= scale;
			v->z[i] *= scale;
		}
}

INLINE struct lane_vec limited(struct lane_vec v, lanes limit)
{
	lanes squares = lane_dot(v, v);
	masks over = squares > limit * limit;
	if (any(over))
		speed_limit(&v, squares, over, limit);
	return v;
}

/* Limits a group in which contacts and joints made some body too fast. Kinematic bodies have no limit. */
static void group_limit(const struct world *world, struct group group, struct lane_state *state)
{
	struct lane_step step;
	steps_load(world, group, STEP_ADD, &step);
	state->v = limited(state->v, step.max_speed);
	state->w = limited(state->w, step.max_w);
}

/* Returns the velocity change of tumbling bodies by the angular impulse `add`, through the current inertia. Other lanes keep
 * `add`, down to the sign of zeros. */
INLINE struct lane_vec twisted(const struct world *world, struct group group, struct lane_vec add, masks some)
{
	struct lane_axes axes;
	struct lane_pose pose;
	states_load(world, group, STATE_POSE, &pose);
	steps_load(world, group, STEP_AXES, &axes);
	masks tumbles = some & (axes.middle > (lanes){0});
	lanes one = splat(1.0f);
	struct lane_quat frame = lane_mul_quat(pose.dq, axes.frame);
	struct lane_vec local = lane_inv_rotate(frame, add);
	local = lane_scale(one / choose(tumbles, axes.middle, one), local);
	local.x /= choose(tumbles, axes.first, one);
	local.z /= choose(tumbles, axes.third, one);
	return lane_choose(tumbles, lane_rotate(frame, local), add);
}

/* `ahead` is half of the velocity change by tumbling in the sub-step, to first order: h/2 I^-1 (I w x w). Contacts and joints
 * solve for the mean velocity of the sub-step, w + ahead; group_tumble removes `ahead` again. Without it the joint of a
 * gyroscope of 60 rad/s opens by 1 mm in each sub-step of 1/120 s. The effect is invisible at rotations below sqrt(AHEAD_LEAST)
 * = 1e-3 rad a sub-step. */
#define AHEAD_LEAST 1e-6f

INLINE masks runs_ahead(const struct lane_axes *axes, struct lane_vec w, lanes h)
{
	return (axes->middle > (lanes){0}) & (h * h * lane_dot(w, w) > splat(AHEAD_LEAST));
}

INLINE struct lane_vec ahead(const struct lane_axes *axes, masks some, struct lane_quat dq, struct lane_vec w, lanes h)
{
	lanes one = splat(1.0f), m1 = choose(some, axes->first, one), m3 = choose(some, axes->third, one);
	struct lane_quat frame = lane_mul_quat(dq, axes->frame);
	struct lane_vec u = lane_inv_rotate(frame, w);
	struct lane_vec p = {m1 * u.x, u.y, m3 * u.z};
	struct lane_vec rate = lane_scale(splat(0.5f) * h, lane_cross(p, u));
	rate.x /= m1;
	rate.z /= m3;
	return lane_rotate(frame, rate);
}

/* Adds `ahead` to the velocities of tumbling bodies, which makes them the means of the sub-step. */
INLINE void group_run_ahead(const struct world *world, struct group group, struct lane_vec *state_w, struct lane_vec w, lanes h)
{
	struct lane_axes axes;
	struct lane_pose pose;
	steps_load(world, group, STEP_AXES, &axes);
	masks some = runs_ahead(&axes, w, h);
	if (!any(some))
		return;
	states_load(world, group, STATE_POSE, &pose);
	*state_w = lane_choose(some, lane_add(*state_w, ahead(&axes, some, pose.dq, w, h)), *state_w);
}

/* Sets negligible speeds to 0, before their squares could be subnormal. */
INLINE void speeds_end(struct lane_vec *v, struct lane_vec *w)
{
	*v = lane_without_negligible(*v, NEGLIGIBLE_SPEED);
	*w = lane_without_negligible(*w, NEGLIGIBLE_SPEED);
}

/* Changes the velocities by forces and damping; with `again`, also repeats the change that contacts and joints made in the
 * sub-step before. */
INLINE void velocities_change(struct world *world, struct group group, bool again)
{
	lanes h = splat(world->step.h);
	struct lane_step step;
	struct lane_step_w step_w;
	struct lane_before before, now = {.none = {{0}, {0}}};
	struct lane_vec change_v = {0}, change_w = {0};
	struct lane_velocity state;
	states_load(world, group, 0, &state);
	speeds_end(&state.v, &state.w);
	steps_load(world, group, STEP_ADD, &step);
	steps_load(world, group, STEP_ADD_W, &step_w);
	if (again) {
		steps_load(world, group, STEP_BEFORE, &before);
		change_v = lane_sub(state.v, before.v);
		change_w = lane_sub(state.w, before.w);
	}
	masks twists = (step_w.add.x != (lanes){0}) | (step_w.add.y != (lanes){0}) | (step_w.add.z != (lanes){0});
	if (any(twists))
		step_w.add = twisted(world, group, step_w.add, twists);
	state.v = now.v = limited(lane_mul(lane_add(state.v, step.add), step.scale), step.max_speed);
	state.w = now.w = limited(lane_mul(lane_add(state.w, step_w.add), step_w.scale), step.max_w);
	before_store(world, group, &now);
	if (again) {
		state.v = lane_add(state.v, change_v);
		state.w = lane_add(state.w, change_w);
	}
	if (any(h * h * lane_dot(now.w, now.w) > splat(AHEAD_LEAST)))
		group_run_ahead(world, group, &state.w, now.w, h);
	states_store(world, group, 0, (const lanes *)&state);
	states_store(world, group, 4, (const lanes *)&state + 4);
}

/* --- Turning -------------------------------------------------------------------------------------------------------------- */

/* Sets *c to the cosine of half the rotation, and *s to its sine divided by that angle, in the lanes `far`, which rotate by
 * more than two radians in a sub-step: kinematic bodies, and slender ones that roll. `squares`: of half the rotation. */
static void far_turn(lanes squares, masks far, lanes *c, lanes *s)
{
	for (int i = 0; i < LANES; ++i)
		if (far[i]) {
			float angle = sqrtf(squares[i]);
			struct cos_sin q = scalar_cos_sin((double)angle);
			(*c)[i] = q.cosine;
			(*s)[i] = q.sine / angle;
		}
}

/* Rotation about `half`, by twice its length [rad]. */
INLINE struct lane_quat turn_about(struct lane_vec half)
{
	lanes z = lane_dot(half, half), one = splat(1.0f);
	lanes c = SMALL_COSINE(z), s = SMALL_SINE(one, z);
	masks far = z > one;
	if (any(far))
		far_turn(z, far, &c, &s);
	return (struct lane_quat){s * half.x, s * half.y, s * half.z, c};
}

/* Cosine and sine of an angle and of twice that. */
struct lane_angle {
	lanes c, s, c2, s2;
};

INLINE struct lane_angle angle_of(lanes a)
{
	lanes z = a * a, c = SMALL_COSINE(z), s = SMALL_SINE(a, z);
	masks far = z > splat(1.0f);
	if (any(far)) {
		far_turn(z, far, &c, &s);
		s = choose(far, a * s, s);
	}
	return (struct lane_angle){c, s, c * c - s * s, splat(2.0f) * c * s};
}

/* Gives a rotated vector the length of a, which is not zero. Rotations change lengths by some 1e-8, to one side more often than
 * to the other, which would add up to one in a thousand in a minute. */
INLINE struct lane_vec as_long(struct lane_vec turned, struct lane_vec a)
{
	lanes square = lane_dot(a, a);
	return lane_mul_add(turned, splat(0.5f) * (square - lane_dot(turned, turned)) / square, turned);
}

/* Rotates the momentum p, in the body's frame, about axis 1, axis 3 and axis 1 again. Returns the rotation of the body. */
INLINE struct lane_quat swirl(struct lane_vec *p, lanes rate1, lanes rate3, lanes h)
{
	lanes half = splat(0.5f) * h, quarter = splat(0.25f) * h;
	struct lane_angle first = angle_of(quarter * rate1 * p->x);
	lanes y = first.c2 * p->y + first.s2 * p->z, z = first.c2 * p->z - first.s2 * p->y;
	struct lane_angle third = angle_of(half * rate3 * z);
	lanes x = third.c2 * p->x + third.s2 * y;
	y = third.c2 * y - third.s2 * p->x;
	struct lane_angle last = angle_of(quarter * rate1 * x);
	*p = (struct lane_vec){x, last.c2 * y + last.s2 * z, last.c2 * z - last.s2 * y};
	/* the product of the quaternions (s_1, 0, 0, c_1), (0, 0, s_3, c_3) and (s, 0, 0, c) */
	lanes tx = first.s * third.c, ty = -(first.s * third.s), tz = first.c * third.s, tw = first.c * third.c;
	return (struct lane_quat){
		tw * last.s + tx * last.c, ty * last.c + tz * last.s, tz * last.c - ty * last.s, tw * last.c - tx * last.s};
}

/* A sub-step with a larger squared rotation is divided into TUMBLE_PARTS [rad^2]. Without that, at a rotation of a radian, the
 * energy of a body with three different moments oscillates by 1 %. */
#define TUMBLE_FAST 0.04f
enum { TUMBLE_PARTS = 4 };

/* Moves tumbling bodies through a sub-step: updates the rotation, the angular velocity, and `given`, the change that contacts
 * and joints made, which follows the swing of a slender body: see contact_solver.wide.c. Momenta are divided by the middle
 * moment; `turn` is the squared angle of the sub-step [rad^2]. */
INLINE void tumble(struct lane_quat *dq, struct lane_vec *w, struct lane_vec *given, const struct lane_axes *axes,
	masks tumbles, lanes turn, lanes h)
{
	lanes one = splat(1.0f), part = splat(1.0f / (float)TUMBLE_PARTS) * h;
	lanes m1 = choose(tumbles, axes->first, one);
	lanes m3 = choose(tumbles, axes->third, one);
	lanes rate1 = one / m1 - one;
	lanes rate3 = one / m3 - one;
	struct lane_quat frame = lane_mul_quat(*dq, axes->frame);
	struct lane_vec p = as_long(lane_inv_rotate(frame, *w), *w);
	p.x *= m1;
	p.z *= m3;
	struct lane_vec start = p, momentum = as_long(lane_rotate(frame, p), p);
	struct lane_quat before = *dq;
	struct lane_quat own = swirl(&p, rate1, rate3, h);
	masks fast = tumbles & (turn > splat(TUMBLE_FAST));
	if (any(fast)) {
		struct lane_quat fine = swirl(&start, rate1, rate3, part);
		for (int i = 1; i < TUMBLE_PARTS; ++i)
			fine = lane_mul_quat(fine, swirl(&start, rate1, rate3, part));
		own = lane_choose_quat(fast, fine, own);
	}
	frame = lane_normalize_quat(lane_mul_quat(turn_about(lane_scale(splat(0.5f) * h, momentum)), lane_mul_quat(frame, own)));
	*dq = lane_mul_quat(frame, lane_conjugate(axes->frame));
	/* The angular velocity follows from the angular momentum in the world, which free rotation conserves, not from p, the
	 * momentum in the principal frame after `swirl`. It is divided by the moments: multiplying by their rounded inverses would
	 * err to the same side in each sub-step. */
	p = as_long(lane_inv_rotate(frame, momentum), momentum);
	p.x /= m1;
	p.z /= m3;
	*w = as_long(lane_rotate(frame, p), p);
	if (any(tumbles & (axes->first < splat(D3_SLENDER))))
		*given = lane_swung(lane_swing(*axes, *dq), lane_swung(lane_conjugate(lane_swing(*axes, before)), *given));
}

/* Squared rotation below which tumbling is invisible: 1e-5 rad in a sub-step. */
#define TUMBLE_LEAST 1e-10f

/* Removes `ahead` from the velocities. Returns those at the start of the sub-step plus the change by contacts and joints;
 * without such a change `before`, to the bit. */
INLINE struct lane_vec run_back(
	const struct lane_axes *axes, struct lane_quat dq, struct lane_vec w, struct lane_vec before, lanes h)
{
	masks some = runs_ahead(axes, before, h);
	if (!any(some))
		return w;
	struct lane_vec foreseen = lane_add(before, ahead(axes, some, dq, before, h));
	return lane_choose(some, lane_add(before, lane_sub(w, foreseen)), w);
}

/* Rotates a group with tumbling bodies. The change by tumbling is also added to the velocity stored before contacts and joints,
 * since it must not count as theirs. Returns the velocity at the start of the sub-step. */
INLINE struct lane_vec group_tumble(struct world *world, struct group group, struct lane_state *state, lanes h)
{
	struct lane_axes axes;
	struct lane_before before;
	steps_load(world, group, STEP_AXES, &axes);
	steps_load(world, group, STEP_BEFORE, &before);
	struct lane_vec start = run_back(&axes, state->dq, state->w, before.w, h), w = start;
	lanes turn = h * h * lane_dot(w, w);
	masks tumbles = (axes.middle > (lanes){0}) & (turn > splat(TUMBLE_LEAST));
	struct lane_quat dq = state->dq;
	state->w = w;
	state->dq = lane_mul_quat(turn_about(lane_scale(splat(0.5f) * h, w)), dq);
	if (any(tumbles)) {
		struct lane_vec given = lane_sub(w, before.w);
		tumble(&dq, &w, &given, &axes, tumbles, turn, h);
		state->w = lane_choose(tumbles, w, state->w);
		state->dq = lane_choose_quat(tumbles, dq, state->dq);
		before.w = lane_choose(tumbles, lane_sub(w, given), before.w);
		before_store(world, group, &before);
	}
	return start;
}

INLINE void group_turn(struct world *world, struct group group, struct lane_state *state, lanes h)
{
	struct lane_vec start = state->w;
	lanes moments[4];
	steps_load_four(world, group, STEP_AXES + 4, moments);
	if (any(moments[1] > (lanes){0}))
		start = group_tumble(world, group, state, h);
	else
		state->dq = lane_mul_quat(turn_about(lane_scale(splat(0.5f) * h, state->w)), state->dq);
	state->turn = lane_mul_add(state->turn, splat(0.5f) * h, lane_add(start, state->w));
}

INLINE void positions_change(struct world *world, struct group group)
{
	lanes h = splat(world->step.h), limit = splat(world->settings.maximum_speed), limit_w = splat(world->step.turn_rate);
	struct lane_state state;
	states_load(world, group, 0, &state);
	states_load(world, group, STATE_POSE, (lanes *)&state + STATE_POSE);
	speeds_end(&state.v, &state.w);
	if (any((lane_dot(state.v, state.v) > limit * limit) | (lane_dot(state.w, state.w) > limit_w * limit_w)))
		group_limit(world, group, &state);
	group_turn(world, group, &state, h);
	state.dp = lane_mul_add(state.dp, h, state.v);
	state.dq = lane_normalize_quat(state.dq);
	for (int at = 0; at < 16; at += 4)
		states_store(world, group, at, (const lanes *)&state + at);
}

#include "core/motion_entry.h"
