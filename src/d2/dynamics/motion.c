/* motion.c - awake bodies before and after the sub-steps of a step; the sub-steps are in integrate.wide.c.
 * Any thread, disjoint ranges. */
#include "core/misfit.h"
#include "core/travel.h"
#include "d2/dynamics/wing.h"

/* Displacement of the centre of mass in the last step. */
static inline struct d2_vec row_path(const struct d2_body *row, const struct d2_start *start)
{
	return (struct d2_vec){(float)(row->x - start->x), (float)(row->y - start->y)};
}

#include "core/motion_wing.h"

static const struct d2_step_row kinematic_row = {
	.scale = {1.0f, 1.0f}, .scale_w = 1.0f, .max_speed = INFINITY, .max_w = INFINITY};

static void step_row_prepare(const struct world *world, uint32_t id, const struct burden *burden, struct d2_step_row *row)
{
	const struct d2_body *body = d2_row(world, id);
	const struct d2_mover *mover = d2_mover(world, id);
	float h = world->step.h;
	struct d2_vec gravity = d2_scale(mover->gravity_scale, (struct d2_vec){world->gravity[0], world->gravity[1]});
	float keep = kept(h * mover->linear_damping), keep_w = kept(h * mover->angular_damping);
	row->add.x = fall(body->inv_mass.x, burden->left[0] * gravity.x, mover->force.x, h);
	row->add.y = fall(body->inv_mass.y, burden->left[1] * gravity.y, mover->force.y, h);
	row->scale.x = body->locks & D2_LOCK_X ? 0.0f : keep;
	row->scale.y = body->locks & D2_LOCK_Y ? 0.0f : keep;
	row->add_w = h * body->inv_inertia * mover->torque;
	row->scale_w = body->locks & D2_LOCK_ROTATION ? 0.0f : keep_w;
	row->max_speed = world->settings.maximum_speed;
	row->max_w = world->step.turn_rate;
}

void d2_still_prepare(struct world *world)
{
	*(struct d2_state *)world->states = (struct d2_state){.dq = {1.0f, 0.0f}};
}

static bool state_finite(const struct d2_state *state)
{
	return is_finite_f(state->v.x) && is_finite_f(state->v.y) && is_finite_f(state->w) && is_finite_f(state->dp.x) &&
		is_finite_f(state->dp.y);
}

/* Limits the velocities once more, because impulses have changed them after the last integration. */
static void state_limit(struct world *world, struct d2_state *state)
{
	float most = world->settings.maximum_speed, most_w = world->step.turn_rate, square = d2_dot(state->v, state->v);
	if (square >= CAPPED_SQUARE * most * most) {
		speed_doubt(world);
		state->v = square > most * most ? d2_scale(most / sqrtf(square), state->v) : state->v;
	}
	state->w = max_f(-most_w, min_f(state->w, most_w));
}

/* Rotates a kinematic body and keeps the rounding error in state->dq for the next step: so rotations smaller than that error
 * add up over the steps. Dynamic bodies do not need this: their supports hold them. */
static void kinematic_turn(struct d2_body *row, struct d2_state *state)
{
	struct d2_rot_d q = d2_mul_rot_d(d2_exact_rot(state->dq), d2_exact_rot(row->q));
	row->q = (struct d2_rot){(float)q.c, (float)q.s};
	state->dq = (struct d2_rot){1.0f, (float)d2_inv_mul_rot_d(d2_exact_rot(row->q), q).s};
}

/* Upper bound on the motion of the body's points, `delta` being the displacement plus the sine of the rotation times their
 * extent; INFINITY for large rotations and for a half-plane that rotates. The chord of a rotation by up to 25 degrees is at
 * most 1.03 times its sine. The rounding error of a rotation, which also moves bodies that do not turn, is 2 units of 2^-24;
 * that of the AABB is as large. */
static float travelled(const struct d2_body *row, struct d2_rot dq, float delta)
{
	if (dq.c <= 0.9f || (row->unbounded && dq.s != 0.0f))
		return INFINITY;
	return 1.05f * delta + 0x1p-22f * row->max_extent;
}

void d2_bodies_finish(struct world *world, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		uint32_t id = world->awake.data[i];
		const struct body *body = &world->bodies.data[id];
		struct d2_state *state = &awake_states(world)[i];
		struct d2_body *row = d2_row(world, id);
		finish_prefetch(world, i, end);
		body_end_path(world, id);
		/* Extreme masses may make impulses overflow. Such a body stays where it was, so that the world remains finite. */
		if (!state_finite(state))
			*state = (struct d2_state){.dq = {1.0f, 0.0f}};
		if (body->type == BODY_DYNAMIC)
			state_limit(world, state);
		d2_mover(world, id)->start = (struct d2_start){row->x, row->y, row->q};
		row->x += (double)state->dp.x;
		row->y += (double)state->dp.y;
		struct d2_vec dp = state->dp;
		struct d2_rot dq = state->dq;
		state->dp = (struct d2_vec){0.0f, 0.0f};
		if (body->type == BODY_KINEMATIC) {
			kinematic_turn(row, state);
		} else {
			row->q = d2_normalize_rot(d2_mul_rot(dq, row->q));
			state->dq = (struct d2_rot){1.0f, 0.0f};
		}
		float speed = max_f(d2_length(state->v), abs_f(state->w) * row->max_extent);
		body_rested(world, id, max_f(speed, depenetration_speed(world, id)));
		float straight = d2_length(dp), delta = straight + (dq.c > 0.0f ? abs_f(dq.s) : 2.0f) * row->max_extent;
		float moved = travelled(row, dq, delta);
		travel_add(world, id, moved);
		if (!body_fast(world, body, row->min_extent, row->max_extent, straight, delta)) {
			body_update_boxes(world, id, moved);
			continue;
		}
		body_went_far(world, id);
	}
}

static float chord_of(const struct d2_body *row, const struct d2_start *start)
{
	float c = row->q.c - start->q.c, s = row->q.s - start->q.s;
	return sqrtf(c * c + s * s) * row->max_extent;
}
