/* linkage.c - poses of jointed bodies within a step: see core/linkage.h.
 * Any thread. */
#include "core/travel.h"
#include "d2/dynamics/joint.h"
#include "d2/query/sweep.h"
#include "d2/dynamics/wing.h"

void d2_body_center_pose(const struct world *world, uint32_t id, struct center_pose *pose)
{
	const struct d2_body *row = d2_row(world, id);
	*pose = (struct center_pose){{row->x, row->y, 0.0}, {row->q.c, row->q.s, 0.0f, 0.0f}};
}

void d2_body_set_center_pose(struct world *world, uint32_t id, const struct center_pose *pose)
{
	struct d2_body *row = d2_row(world, id);
	travel_leap(world, id);
	row->x = pose->center[0];
	row->y = pose->center[1];
	row->q = (struct d2_rot){pose->turn[0], pose->turn[1]};
}

static struct d2_rot turn_of(const struct center_pose *pose)
{
	return (struct d2_rot){pose->turn[0], pose->turn[1]};
}

static struct d2_vec_d center_of(const struct center_pose *pose)
{
	return (struct d2_vec_d){pose->center[0], pose->center[1]};
}

static struct center_pose pose_begun(const struct world *world, uint32_t id)
{
	const struct d2_body *row = d2_row(world, id);
	if (world->bodies.data[id].set != SET_AWAKE)
		return (struct center_pose){{row->x, row->y, 0.0}, {row->q.c, row->q.s, 0.0f, 0.0f}};
	const struct d2_start start = d2_mover(world, id)->start;
	return (struct center_pose){{start.x, start.y, 0.0}, {start.q.c, start.q.s, 0.0f, 0.0f}};
}

/* Interpolates between two poses: straight, and at a constant rate of rotation. */
static struct center_pose pose_between(const struct center_pose *from, const struct center_pose *to, float t)
{
	struct d2_rot start = turn_of(from);
	struct d2_rot q =
		d2_normalize_rot(d2_mul_rot(start, d2_make_rot((double)(t * d2_rot_angle(d2_inv_mul_rot(start, turn_of(to)))))));
	struct center_pose pose = {{0.0}, {q.c, q.s, 0.0f, 0.0f}};
	for (int k = 0; k < 2; ++k)
		pose.center[k] = from->center[k] + (double)t * (to->center[k] - from->center[k]);
	return pose;
}

/* The vector from a's anchor to b's, in a's frame. point_a, point_b: anchors in the bodies' frames, from the centres of
 * mass. */
static struct d2_vec_d offset_between(
	const struct center_pose *a, struct d2_vec_d point_a, const struct center_pose *b, struct d2_vec_d point_b)
{
	struct d2_vec_d off = d2_sub_d(d2_add_d(center_of(b), d2_rotate_d(turn_of(b), point_b)), center_of(a));
	return d2_sub_d(d2_inv_rotate_d(turn_of(a), off), point_a);
}

/* Interpolates between two vectors at fraction t, and also between their lengths, unless they are more than 60 degrees apart:
 * the end of an arm moves on an arc. */
static struct d2_vec_d offset_blend(struct d2_vec_d from, struct d2_vec_d to, double t)
{
	struct d2_vec_d offset = d2_mul_add_d(from, t, d2_sub_d(to, from));
	double start = d2_length_d(from), end = d2_length_d(to), length = d2_length_d(offset);
	return d2_dot_d(from, to) > 0.5 * start * end ? d2_scale_d((start + t * (end - start)) / length, offset) : offset;
}

/* Interpolates the body's rotation, and the offset of its anchor from the parent's; the parent's pose then gives the position,
 * so that the joint opens no more than at the ends of the step. */
struct center_pose d2_member_pose(
	const struct world *world, const struct linkage_member *member, const struct linkage_member *parent, float t)
{
	struct center_pose from = pose_begun(world, member->body), pose = pose_between(&from, &member->end, t);
	if (member->joint == NONE)
		return pose;
	const struct d2_joint *joint = d2_joint(world, member->joint);
	const uint32_t *bodies = world->joints.data[member->joint].link.bodies;
	int side = bodies[0] == member->body ? 0 : 1;
	uint32_t holder = bodies[!side];
	struct d2_vec points[2] = {joint->local_a, joint->local_b};
	struct d2_vec_d point = d2_widen(d2_sub(points[side], d2_row(world, member->body)->local_center));
	struct d2_vec_d held = d2_widen(d2_sub(points[!side], d2_row(world, holder)->local_center));
	struct center_pose start = pose_begun(world, holder), end, now;
	d2_body_center_pose(world, holder, &end);
	end = parent != NULL ? parent->end : end;
	now = parent != NULL ? parent->pose : pose_between(&start, &end, t);
	struct d2_vec_d offset =
		offset_blend(offset_between(&start, held, &from, point), offset_between(&end, held, &member->end, point), (double)t);
	struct d2_vec_d at = d2_add_d(center_of(&now), d2_rotate_d(turn_of(&now), d2_add_d(held, offset)));
	at = d2_sub_d(at, d2_rotate_d(turn_of(&pose), point));
	pose.center[0] = at.x;
	pose.center[1] = at.y;
	return pose;
}
