/* gear_joint.c - solving 2D gears and pulleys: see core/gear_entry.h. */
#define LANES 1
#include "d2/dynamics/joint.h"
#include "d2/dynamics/lanes.h"

/* A row's rate is the sum of n v + turn w over the bodies. */
struct part {
	uint32_t state; /* its index, with READ_ONLY unless the body is dynamic and awake */
	const struct d2_body *body;
	struct d2_vec n;
	float turn, spin; /* spin: the part of `turn` that is no force's */
};

static struct part part_of(const struct world *world, uint32_t body, uint32_t state)
{
	return (struct part){.state = state, .body = d2_row(world, body)};
}

static void part_clear(struct part *part)
{
	part->n = (struct d2_vec){0.0f, 0.0f};
	part->turn = part->spin = 0.0f;
}

static struct d2_state *state_of(const struct world *world, const struct part *part)
{
	return (struct d2_state *)world->states + (part->state & ~READ_ONLY);
}

static float part_rate(const struct world *world, const struct part *part)
{
	const struct d2_state *state = state_of(world, part);
	return d2_dot(part->n, state->v) + part->turn * state->w;
}

static void part_apply(struct world *world, const struct part *part, float impulse)
{
	struct d2_state *state = state_of(world, part);
	state->v.x += part->body->inv_mass.x * (impulse * part->n.x);
	state->v.y += part->body->inv_mass.y * (impulse * part->n.y);
	state->w += part->body->inv_inertia * (impulse * part->turn);
}

static float part_response(const struct part *part)
{
	const struct d2_vec m = part->body->inv_mass, n = part->n;
	return m.x * n.x * n.x + m.y * n.y * n.y + part->body->inv_inertia * part->turn * part->turn;
}

static float part_freedom(const struct part *part)
{
	const struct d2_vec m = part->body->inv_mass;
	return (m.x + m.y) * d2_dot(part->n, part->n) + part->body->inv_inertia * part->turn * part->turn;
}

struct record;
static void part_react(struct world *world, const struct record *record, float impulse);

#include "core/gear_entry.h"

static void part_react(struct world *world, const struct record *record, float impulse)
{
	struct d2_rows *row = d2_rows(world, record->id);
	row->joint.impulse = (struct d2_vec){0.0f, 0.0f};
	row->turn_impulse = 0.0f;
	for (int i = 0; i < record->count; ++i)
		if (record->parts[i].body == d2_row(world, joint_bodies(world, record->id)[1])) {
			row->joint.impulse = d2_scale(impulse, record->parts[i].n);
			row->turn_impulse = impulse * record->parts[i].spin;
		}
}

/* A body's pose now. */
struct now {
	struct d2_rot q;
	struct d2_vec_d center;
};

static struct now now_of(const struct world *world, const struct part *part)
{
	const struct d2_state *state = state_of(world, part);
	return (struct now){
		d2_mul_rot(state->dq, part->body->q), {part->body->x + (double)state->dp.x, part->body->y + (double)state->dp.y}};
}

/* The vector from the centre of mass to a point of the body. */
static struct d2_vec arm_of_point(const struct part *part, const struct now *now, struct d2_vec point)
{
	return d2_rotate(now->q, d2_sub(point, part->body->local_center));
}

static void part_push(struct part *part, struct d2_vec n, struct d2_vec arm)
{
	part->n = d2_add(part->n, n);
	part->turn += d2_cross(arm, n);
}

static void part_turn(struct part *part, float turn)
{
	part->turn += turn;
	part->spin += turn;
}

/* An anchor within a slop of the ground, or that would pass it in this sub-step, gets no row: its direction would turn over in
 * each sub-step, and the other body would fall. */
static double rope_set(const struct world *world, struct record *record, int side, float weight)
{
	const struct d2_joint *joint = d2_joint(world, record->id);
	struct part *part = &record->parts[record->at[side][0]];
	struct now now = now_of(world, part);
	struct d2_vec arm = arm_of_point(part, &now, side == 0 ? joint->local_a : joint->local_b);
	const double *ground = record->gear->settings.grounds[side];
	struct d2_vec_d rope = d2_sub_d(d2_add_d(now.center, d2_widen(arm)), (struct d2_vec_d){ground[0], ground[1]});
	double length = d2_length_d(rope);
	if (length > 0.0) {
		const struct d2_state *state = state_of(world, part);
		struct d2_vec n = d2_narrow(d2_scale_d(1.0 / length, rope));
		float closing = -d2_dot(n, d2_add(state->v, d2_cross_sv(state->w, arm)));
		if (length > (double)max_f(LINEAR_SLOP * world->settings.length_scale, world->step.h * closing))
			part_push(part, d2_scale(weight, n), arm);
	}
	return length;
}

static double side_set(const struct world *world, struct record *record, int side, float weight)
{
	uint32_t id = record->joints[side];
	if (record->pulley)
		return rope_set(world, record, side, weight);
	struct part *a = &record->parts[record->at[side][0]], *b = &record->parts[record->at[side][1]];
	struct now now_a = now_of(world, a), now_b = now_of(world, b);
	const struct d2_joint *joint = d2_joint(world, id);
	if (world->joints.data[id].link.solver == JOINT_PRISMATIC) {
		struct d2_vec axis = d2_rotate(now_a.q, (struct d2_vec){d2_rows(world, id)->frame.c, d2_rows(world, id)->frame.s});
		struct d2_vec arm_a = arm_of_point(a, &now_a, joint->local_a), arm_b = arm_of_point(b, &now_b, joint->local_b);
		struct d2_vec_d between = d2_add_d(d2_sub_d(now_b.center, now_a.center), d2_widen(arm_b));
		double value = d2_dot_d(d2_sub_d(between, d2_widen(arm_a)), d2_widen(axis));
		part_push(a, d2_scale(-weight, axis), d2_narrow(between));
		part_push(b, d2_scale(weight, axis), arm_b);
		return value;
	}
	double near = record->values[side] + (double)(record->h * (state_of(world, b)->w - state_of(world, a)->w));
	struct d2_rot angle = d2_inv_mul_rot(joint->reference, d2_inv_mul_rot(now_a.q, now_b.q));
	part_turn(a, -weight);
	part_turn(b, weight);
	return angle_near((double)d2_rot_angle(angle), near);
}
