/* gear_joint.c - solving 3D gears and pulleys: see core/gear_entry.h. */
#define LANES 1
#include "d3/dynamics/joint.h"
#include "d3/dynamics/lanes.h"

/* A row's rate is the sum of n v + turn w over the bodies. */
struct part {
	uint32_t state; /* its index, with READ_ONLY unless the body is dynamic and awake */
	const struct d3_body *body;
	struct d3_quat dq; /* rotation since the step began */
	struct d3_vec n, turn, spin; /* spin: the part of `turn` that is no force's */
};

static struct part part_of(const struct world *world, uint32_t body, uint32_t state)
{
	return (struct part){.state = state, .body = d3_row(world, body)};
}

static struct d3_state *state_of(const struct world *world, const struct part *part)
{
	return (struct d3_state *)world->states + (part->state & ~READ_ONLY);
}

static void part_clear(struct part *part)
{
	part->n = part->turn = part->spin = (struct d3_vec){0.0f, 0.0f, 0.0f};
}

static float part_rate(const struct world *world, const struct part *part)
{
	const struct d3_state *state = state_of(world, part);
	return d3_dot(part->n, state->v) + d3_dot(part->turn, state->w);
}

/* The change of the angular velocity by an angular impulse of `turn`. That of a body that is not round turns with it. */
static struct d3_vec part_spun(const struct part *part)
{
	const struct d3_symmetric *m = &part->body->inv_inertia;
	struct d3_vec v = part->body->tumbles ? d3_inv_rotate(part->dq, part->turn) : part->turn;
	v = (struct d3_vec){m->xx * v.x + m->xy * v.y + m->xz * v.z, m->xy * v.x + m->yy * v.y + m->yz * v.z,
		m->xz * v.x + m->yz * v.y + m->zz * v.z};
	return part->body->tumbles ? d3_rotate(part->dq, v) : v;
}

static void part_apply(struct world *world, const struct part *part, float impulse)
{
	struct d3_state *state = state_of(world, part);
	state->v.x += part->body->inv_mass.x * (impulse * part->n.x);
	state->v.y += part->body->inv_mass.y * (impulse * part->n.y);
	state->v.z += part->body->inv_mass.z * (impulse * part->n.z);
	state->w = d3_mul_add(state->w, impulse, part_spun(part));
}

static float part_response(const struct part *part)
{
	const struct d3_vec m = part->body->inv_mass, n = part->n;
	return m.x * n.x * n.x + m.y * n.y * n.y + m.z * n.z * n.z + d3_dot(part->turn, part_spun(part));
}

static float part_freedom(const struct part *part)
{
	const struct d3_vec m = part->body->inv_mass;
	const struct d3_symmetric *i = &part->body->inv_inertia;
	return (m.x + m.y + m.z) * d3_dot(part->n, part->n) + (i->xx + i->yy + i->zz) * d3_dot(part->turn, part->turn);
}

struct record;
static void part_react(struct world *world, const struct record *record, float impulse);

#include "core/gear_entry.h"

static void part_react(struct world *world, const struct record *record, float impulse)
{
	struct d3_joint *joint = d3_joint(world, record->id);
	joint->impulse = joint->turn_impulse = (struct d3_vec){0.0f, 0.0f, 0.0f};
	for (int i = 0; i < record->count; ++i)
		if (record->parts[i].body == d3_row(world, joint_bodies(world, record->id)[1])) {
			joint->impulse = d3_scale(impulse, record->parts[i].n);
			joint->turn_impulse = d3_scale(impulse, record->parts[i].spin);
		}
}

/* A body's pose now. */
struct now {
	struct d3_quat q;
	struct d3_vec_d center;
};

static struct now now_of(const struct world *world, struct part *part)
{
	const struct d3_state *state = state_of(world, part);
	part->dq = state->dq;
	return (struct now){d3_mul_quat(state->dq, part->body->q),
		{part->body->x + (double)state->dp.x, part->body->y + (double)state->dp.y, part->body->z + (double)state->dp.z}};
}

/* The vector from the centre of mass to a point of the body. */
static struct d3_vec arm_of_point(const struct part *part, const struct now *now, struct d3_vec point)
{
	return d3_rotate(now->q, d3_sub(point, part->body->local_center));
}

static void part_push(struct part *part, struct d3_vec n, struct d3_vec arm)
{
	part->n = d3_add(part->n, n);
	part->turn = d3_add(part->turn, d3_cross(arm, n));
}

static void part_turn(struct part *part, struct d3_vec turn)
{
	part->turn = d3_add(part->turn, turn);
	part->spin = d3_add(part->spin, turn);
}

/* An anchor within a slop of the ground, or that would pass it in this sub-step, gets no row: its direction would turn over in
 * each sub-step, and the other body would fall. */
static double rope_set(const struct world *world, struct record *record, int side, float weight)
{
	const struct d3_joint *joint = d3_joint(world, record->id);
	struct part *part = &record->parts[record->at[side][0]];
	struct now now = now_of(world, part);
	struct d3_vec arm = arm_of_point(part, &now, side == 0 ? joint->point_a : joint->point_b);
	const double *ground = record->gear->settings.grounds[side];
	struct d3_vec_d rope = d3_sub_d(d3_add_d(now.center, d3_widen(arm)), (struct d3_vec_d){ground[0], ground[1], ground[2]});
	double length = d3_length_d(rope);
	if (length > 0.0) {
		const struct d3_state *state = state_of(world, part);
		struct d3_vec n = d3_narrow(d3_scale_d(1.0 / length, rope));
		float closing = -d3_dot(n, d3_add(state->v, d3_cross(state->w, arm)));
		if (length > (double)max_f(LINEAR_SLOP * world->settings.length_scale, world->step.h * closing))
			part_push(part, d3_scale(weight, n), arm);
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
	const struct d3_joint *joint = d3_joint(world, id);
	struct d3_vec arm_a = arm_of_point(a, &now_a, joint->point_a), arm_b = arm_of_point(b, &now_b, joint->point_b);
	struct d3_vec_d between = d3_add_d(d3_sub_d(now_b.center, now_a.center), d3_widen(arm_b));
	enum joint_type type = (enum joint_type)world->joints.data[id].link.solver;
	double value;
	struct d3_vec axis = d3_narrow(d3_joint_axis(type, gear_coordinate(type), d3_mul_quat(now_a.q, joint->qa),
		d3_mul_quat(now_b.q, joint->qb), d3_sub_d(between, d3_widen(arm_a)), &value));
	if (type == JOINT_PRISMATIC) {
		part_push(a, d3_scale(-weight, axis), d3_narrow(between));
		part_push(b, d3_scale(weight, axis), arm_b);
		return value;
	}
	part_turn(a, d3_scale(-weight, axis));
	part_turn(b, d3_scale(weight, axis));
	float rate = d3_dot(axis, d3_sub(state_of(world, b)->w, state_of(world, a)->w));
	return angle_near(value, record->values[side] + (double)(record->h * rate));
}
