/* integrate.wide.c - integration of the awake bodies over a sub-step, LANES at a time; see lanes.h.
 * Semi-implicit Euler: v' = (v + h M^-1 F) / (1 + h c), x' = x + h v', with c the damping [1/s]. The rotation of a sub-step is
 * exact: by the angle h w, not by its tangent.
 * Any thread, disjoint ranges. */
#include "d2/dynamics/lanes.h"

/* Record k of the group. Beyond its count: zeros to read, NULL to write. */
#define STATE_READ(k) (k) < group.count ? (const void *)&states[group.first + (k)] : zeros
#define STATE_WRITE(k) (k) < group.count ? (void *)&states[group.first + (k)] : NULL
#define STATE_WRITE_PLACE(k) (k) < group.count ? (void *)&states[group.first + (k)].dp : NULL
#define STEP_READ(k) (k) < group.count ? (const void *)&steps[group.first + (k)] : zeros
#define STEP_READ_BEFORE(k) (k) < group.count ? (const void *)&steps[group.first + (k)].v : zeros
#define STEP_WRITE_BEFORE(k) (k) < group.count ? (void *)&steps[group.first + (k)].v : NULL

static const float zeros[8];

static struct d2_state *awake_states(const struct world *world)
{
	return (struct d2_state *)world->states + 1;
}

INLINE struct lane_state states_load(const struct world *world, struct group group)
{
	const struct d2_state *states = awake_states(world);
	const void *const rows[LANES] = {EACH_LANE(STATE_READ)};
	struct lane_state state;
	columns_load(rows, (lanes *)&state);
	return state;
}

INLINE void velocities_store(struct world *world, struct group group, const struct lane_state *state)
{
	struct d2_state *states = awake_states(world);
	void *const rows[LANES] = {EACH_LANE(STATE_WRITE)};
	float4_columns_store(rows, (const lanes *)state);
}

INLINE void places_store(struct world *world, struct group group, const struct lane_state *state)
{
	struct d2_state *states = awake_states(world);
	void *const rows[LANES] = {EACH_LANE(STATE_WRITE_PLACE)};
	float4_columns_store(rows, (const lanes *)state + 4);
}

/* A velocity above the limit keeps its direction. */
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

/* Applies each body's own limits: some body of the group exceeds the world's, and may be kinematic, without limits. */
static void group_limit(const struct world *world, struct group group, struct lane_state *state)
{
	const struct d2_step_row *steps = d2_step_rows(world);
	const void *const step_rows[LANES] = {EACH_LANE(STEP_READ)};
	lanes step[8];
	columns_load(step_rows, step);
	state_limit(state, step[6], step[7]);
}

/* Applies forces and damping. With `again`, also repeats the velocity change by contacts and joints in the last sub-step. */
INLINE void velocities_change(struct world *world, struct group group, bool again)
{
	struct d2_step_row *steps = d2_step_rows(world);
	const void *const step_rows[LANES] = {EACH_LANE(STEP_READ)}, *const before_rows[LANES] = {EACH_LANE(STEP_READ_BEFORE)};
	void *const rows[LANES] = {EACH_LANE(STEP_WRITE_BEFORE)};
	lanes step[8], before[4], zero = {0};
	struct lane_state state = states_load(world, group);
	columns_load(step_rows, step);
	float4_columns_load(before_rows, before);
	lanes change_x = again ? state.vx - before[0] : zero, change_y = again ? state.vy - before[1] : zero;
	lanes change_w = again ? state.w - before[2] : zero;
	state.vx = (state.vx + step[0]) * step[2];
	state.vy = (state.vy + step[1]) * step[3];
	state.w = (state.w + step[4]) * step[5];
	state_limit(&state, step[6], step[7]);
	const lanes now[4] = {state.vx, state.vy, state.w, zero};
	float4_columns_store(rows, now);
	if (again) {
		state.vx += change_x;
		state.vy += change_y;
		state.w += change_w;
	}
	velocities_store(world, group, &state);
}

static void NAME(velocities_integrate)(struct world *world, uint32_t begin, uint32_t end)
{
	FOR_GROUPS(velocities_change(world, group, false))
}

static void NAME(velocities_continue)(struct world *world, uint32_t begin, uint32_t end)
{
	FOR_GROUPS(velocities_change(world, group, true))
}

/* Kinematic bodies may turn by more than a radian in a sub-step. */
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
	lanes h = splat(world->step.h);
	lanes one = splat(1.0f);
	lanes limit = splat(world->settings.maximum_speed);
	lanes limit_w = splat(world->step.turn_rate);
	struct lane_state state = states_load(world, group);
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
	velocities_store(world, group, &state);
	places_store(world, group, &state);
}

static void NAME(positions_integrate)(struct world *world, uint32_t begin, uint32_t end)
{
	FOR_GROUPS(positions_change(world, group))
}

const struct motion NAME(d2_motion) = {
	.velocities_integrate = NAME(velocities_integrate),
	.velocities_continue = NAME(velocities_continue),
	.positions_integrate = NAME(positions_integrate),
};
