/* integrate.wide.c - integration of the awake bodies over a sub-step, LANES at a time; see lanes.h.
 * Semi-implicit Euler: v' = (v + h M^-1 F) / (1 + h c), x' = x + h v', with c the damping [1/s]. A sub-step rotates by the
 * angle h w itself, not by atan(h w), as q + h q' normalised would.
 * Any thread, disjoint ranges. */
#include "d2/dynamics/lanes.h"

/* Offset of `v` in struct d2_step_row [floats]. */
enum { STEP_BEFORE = 8 };

_Static_assert(offsetof(struct d2_step_row, v) == 4 * STEP_BEFORE, "groups of four numbers");

/* Shortens the velocities above the limit; they keep their directions. */
static void speed_limit(struct lane_state *state, lanes squares, masks over, lanes limit)
{
	for (int i = 0; i < LANES; ++i)
		if (over[i]) {
			float scale = limit[i] / sqrtf(squares[i]);
			state->vx[i] *= scale;
			state->vy[i] *= scale;
		}
}

INLINE void state_limit(struct lane_state *state, lanes limit, lanes limit_w)
{
	lanes squares = state->vx * state->vx + state->vy * state->vy;
	masks over = squares > limit * limit;
	if (any(over))
		speed_limit(state, squares, over, limit);
	state->w = max_lanes(-limit_w, min_lanes(state->w, limit_w));
}

/* Applies each body's own limits. Called if some body of the group exceeds the world's; kinematic bodies have no limits. */
static void group_limit(const struct world *world, struct group group, struct lane_state *state)
{
	lanes step[8];
	steps_load(world, group, 0, step);
	state_limit(state, step[6], step[7]);
}

/* Sets negligible speeds to 0, before their squares could be subnormal. */
INLINE void speeds_end(struct lane_state *state)
{
	state->vx = without_negligible(state->vx, NEGLIGIBLE_SPEED);
	state->vy = without_negligible(state->vy, NEGLIGIBLE_SPEED);
	state->w = without_negligible(state->w, NEGLIGIBLE_SPEED);
}

/* Applies forces and damping. With `again`, then adds the change of the velocities by contacts and joints in the last sub-step
 * once more. */
INLINE void velocities_change(struct world *world, struct group group, bool again)
{
	lanes step[8], before[4], zero = {0};
	struct lane_state state;
	states_load(world, group, 0, &state);
	speeds_end(&state);
	steps_load(world, group, 0, step);
	steps_load_four(world, group, STEP_BEFORE, before);
	lanes change_x = again ? state.vx - before[0] : zero, change_y = again ? state.vy - before[1] : zero;
	lanes change_w = again ? state.w - before[2] : zero;
	state.vx = (state.vx + step[0]) * step[2];
	state.vy = (state.vy + step[1]) * step[3];
	state.w = (state.w + step[4]) * step[5];
	state_limit(&state, step[6], step[7]);
	const lanes now[4] = {state.vx, state.vy, state.w, zero};
	steps_store(world, group, STEP_BEFORE, now);
	if (again) {
		state.vx += change_x;
		state.vy += change_y;
		state.w += change_w;
	}
	states_store(world, group, 0, (const lanes *)&state);
}

/* Computes cosine and sine of angles above one radian: kinematic bodies may turn so far in a sub-step. */
static void far_turn(lanes angles, masks far, lanes *c, lanes *s)
{
	for (int i = 0; i < LANES; ++i)
		if (far[i]) {
			struct cos_sin q = scalar_cos_sin((double)angles[i]);
			(*c)[i] = q.cosine;
			(*s)[i] = q.sine;
		}
}

INLINE void positions_change(struct world *world, struct group group)
{
	lanes h = splat(world->step.h), one = splat(1.0f);
	lanes limit = splat(world->settings.maximum_speed), limit_w = splat(world->step.turn_rate);
	struct lane_state state;
	states_load(world, group, 0, &state);
	speeds_end(&state);
	if (any((state.vx * state.vx + state.vy * state.vy > limit * limit) | (abs_lanes(state.w) > limit_w)))
		group_limit(world, group, &state);
	lanes angle = h * state.w, z = angle * angle;
	lanes c = SMALL_COSINE(z), s = SMALL_SINE(angle, z);
	masks far = z > one;
	if (any(far))
		far_turn(angle, far, &c, &s);
	lanes turned_c = c * state.c - s * state.s, turned_s = s * state.c + c * state.s;
	/* 1/|q|, where |q| is 1 but for rounding error. */
	lanes scale = splat(1.5f) - splat(0.5f) * (turned_c * turned_c + turned_s * turned_s);
	state.c = scale * turned_c;
	state.s = scale * turned_s;
	state.dx += h * state.vx;
	state.dy += h * state.vy;
	state.turn += angle;
	states_store(world, group, 0, (const lanes *)&state);
	states_store(world, group, 4, (const lanes *)&state + 4);
}

#include "core/motion_entry.h"
