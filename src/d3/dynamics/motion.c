/* motion.c - prepares awake bodies before the sub-steps and finishes them after; for the sub-steps see integrate.wide.c.
 * Any thread, disjoint ranges. */
#include "core/misfit.h"
#include "core/travel.h"
#include "d3/dynamics/wing.h"

/* Displacement of the centre of mass in the last step. */
static inline struct d3_vec row_path(const struct d3_body *row, const struct d3_start *start)
{
	return (struct d3_vec){(float)(row->x - start->x), (float)(row->y - start->y), (float)(row->z - start->z)};
}

#include "core/motion_wing.h"

static const struct d3_step_row kinematic_row = {.scale = {1.0f, 1.0f, 1.0f},
	.scale_w = {1.0f, 1.0f, 1.0f},
	.max_speed = INFINITY,
	.max_w = INFINITY,
	.principal = {.w = 1.0f}};

static void step_row_prepare(const struct world *world, uint32_t id, const struct burden *burden, struct d3_step_row *row)
{
	const struct d3_body *body = d3_row(world, id);
	const struct d3_mover *mover = d3_mover(world, id);
	float h = world->step.h;
	struct d3_vec gravity =
		d3_scale(mover->gravity_scale, (struct d3_vec){world->gravity[0], world->gravity[1], world->gravity[2]});
	float keep = kept(h * mover->linear_damping), keep_w = kept(h * mover->angular_damping);
	struct d3_vec twist = d3_scale(h, mover->torque);
	row->add.x = fall(body->inv_mass.x, burden->left[0] * gravity.x, mover->force.x, h);
	row->add.y = fall(body->inv_mass.y, burden->left[1] * gravity.y, mover->force.y, h);
	row->add.z = fall(body->inv_mass.z, burden->left[2] * gravity.z, mover->force.z, h);
	row->max_speed = world->settings.maximum_speed;
	row->scale.x = body->locks & D3_LOCK_X ? 0.0f : keep;
	row->scale.y = body->locks & D3_LOCK_Y ? 0.0f : keep;
	row->scale.z = body->locks & D3_LOCK_Z ? 0.0f : keep;
	row->max_w = world->step.turn_rate;
	row->add_w = body->tumbles ? twist : d3_symmetric_mul(&body->inv_inertia, twist);
	row->scale_w.x = body->locks & D3_LOCK_ROTATION_X ? 0.0f : keep_w;
	row->scale_w.y = body->locks & D3_LOCK_ROTATION_Y ? 0.0f : keep_w;
	row->scale_w.z = body->locks & D3_LOCK_ROTATION_Z ? 0.0f : keep_w;
	row->none_add = row->none_scale = row->none_moments = 0.0f;
	row->principal = kinematic_row.principal;
	row->first = row->middle = row->third = 0.0f;
	if (body->tumbles) {
		row->principal = d3_mul_quat(body->q, mover->principal);
		row->first = mover->moments.x / mover->moments.y;
		row->middle = burden->times * mover->moments.y;
		row->third = mover->moments.z / mover->moments.y;
	}
}

void d3_still_prepare(struct world *world)
{
	*(struct d3_state *)world->states = (struct d3_state){.dq = {0.0f, 0.0f, 0.0f, 1.0f}};
}

static bool vec_finite(struct d3_vec a)
{
	return is_finite_f(a.x) && is_finite_f(a.y) && is_finite_f(a.z);
}

static bool state_finite(const struct d3_state *state)
{
	return vec_finite(state->v) && vec_finite(state->w) && vec_finite(state->dp) && is_finite_f(state->dq.x) &&
		is_finite_f(state->dq.y) && is_finite_f(state->dq.z) && is_finite_f(state->dq.w);
}

/* Limits a velocity that links changed after the last sub-step's motion. */
static struct d3_vec limited(struct d3_vec a, float most)
{
	float square = d3_dot(a, a);
	return square > most * most ? d3_scale(most / sqrtf(square), a) : a;
}

/* Vector along the rotation axis of q, as long as the chord over which a point at distance 1 from the axis moves: twice the
 * sine of half the angle. */
static struct d3_vec turn_chord(struct d3_quat q)
{
	return (struct d3_vec){2.0f * q.x, 2.0f * q.y, 2.0f * q.z};
}

/* Rotates a kinematic body. The state keeps, for the next step, the part of the rotation that the pose loses by rounding: a
 * body that turns by less than the rounding error in a step still arrives. */
static void kinematic_turn(struct d3_body *row, struct d3_state *state)
{
	struct d3_quat_d q = d3_mul_quat_d(d3_exact_quat(state->dq), d3_exact_quat(row->q));
	row->q = (struct d3_quat){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
	struct d3_quat_d stands = d3_exact_quat(row->q);
	struct d3_quat_d rest = d3_mul_quat_d(q, (struct d3_quat_d){-stands.x, -stands.y, -stands.z, stands.w});
	state->dq = (struct d3_quat){(float)rest.x, (float)rest.y, (float)rest.z, 1.0f};
}

/* Upper bound on the motion of the body's points, with all rounding errors; INFINITY for a half-space that rotates. */
static float travelled(const struct d3_body *row, struct d3_quat dq, float delta)
{
	bool turned = dq.x != 0.0f || dq.y != 0.0f || dq.z != 0.0f;
	return !row->unbounded || !turned ? 1.0001f * delta : INFINITY;
}

void d3_bodies_finish(struct world *world, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		uint32_t id = world->awake.data[i];
		const struct body *body = &world->bodies.data[id];
		struct d3_state *state = &awake_states(world)[i];
		struct d3_body *row = d3_row(world, id);
		struct d3_mover *mover = d3_mover(world, id);
		finish_prefetch(world, i, end);
		body_end_path(world, id);
		/* Impulses between extreme masses may overflow. A body whose state is not finite stops where it was, and the world
		 * stays valid. */
		if (!state_finite(state))
			*state = (struct d3_state){.dq = {0.0f, 0.0f, 0.0f, 1.0f}};
		if (body->type == BODY_DYNAMIC) {
			float most = world->settings.maximum_speed;
			if (d3_dot(state->v, state->v) >= CAPPED_SQUARE * most * most) {
				speed_doubt(world);
				state->v = limited(state->v, most);
			}
			state->w = limited(state->w, world->step.turn_rate);
		}
		mover->start = (struct d3_start){row->x, row->y, row->z, row->q};
		row->x += (double)state->dp.x;
		row->y += (double)state->dp.y;
		row->z += (double)state->dp.z;
		struct d3_vec dp = state->dp;
		struct d3_quat dq = state->dq;
		state->dp = (struct d3_vec){0.0f, 0.0f, 0.0f};
		if (body->type == BODY_KINEMATIC) {
			kinematic_turn(row, state);
		} else {
			row->q = d3_normalize_quat(d3_mul_quat(dq, row->q));
			state->dq = (struct d3_quat){0.0f, 0.0f, 0.0f, 1.0f};
		}
		if (mover->moments.x != mover->moments.z && body->type == BODY_DYNAMIC)
			d3_row_turned(row, mover);
		float speed = d3_row_speed(row, mover, state->v, state->w, body->sleep_threshold);
		body_rested(world, id, max_f(speed, depenetration_speed(world, id)));
		float straight = d3_length(dp), delta = straight + d3_length(turn_chord(dq)) * row->max_extent;
		travel_add(world, id, travelled(row, dq, delta));
		if (body_fast(world, body, row->min_extent, row->max_extent, straight, delta))
			delta = straight + d3_row_turning(row, mover, turn_chord(dq));
		if (!body_fast(world, body, row->min_extent, row->max_extent, straight, delta)) {
			body_update_boxes(world, id, 1.0001f * delta); /* 1.0001: all rounding errors */
			continue;
		}
		body_went_far(world, id);
	}
}

static float chord_of(const struct d3_body *row, const struct d3_start *start)
{
	struct d3_quat back = {-start->q.x, -start->q.y, -start->q.z, start->q.w};
	return d3_length(turn_chord(d3_mul_quat(row->q, back))) * row->max_extent;
}
