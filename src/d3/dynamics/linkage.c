/* linkage.c - poses of linkage members within a step: see core/linkage.h.
 * Any thread. */
#include "d3/dynamics/joint.h"
#include "d3/query/sweep.h"
#include "d3/dynamics/wing.h"

void d3_body_center_pose(const struct world *world, uint32_t id, struct center_pose *pose)
{
	const struct d3_body *row = d3_row(world, id);
	*pose = (struct center_pose){{row->x, row->y, row->z}, {row->q.x, row->q.y, row->q.z, row->q.w}};
}

static struct d3_quat turn_of(const struct center_pose *pose)
{
	return (struct d3_quat){pose->turn[0], pose->turn[1], pose->turn[2], pose->turn[3]};
}

static struct d3_vec_d center_of(const struct center_pose *pose)
{
	return (struct d3_vec_d){pose->center[0], pose->center[1], pose->center[2]};
}

static struct center_pose pose_make(struct d3_vec_d center, struct d3_quat q)
{
	return (struct center_pose){{center.x, center.y, center.z}, {q.x, q.y, q.z, q.w}};
}

/* The body's pose when the step began. */
static struct center_pose pose_begun(const struct world *world, uint32_t id)
{
	const struct d3_body *row = d3_row(world, id);
	if (world->bodies.data[id].set != SET_AWAKE)
		return pose_make((struct d3_vec_d){row->x, row->y, row->z}, row->q);
	const struct d3_start start = d3_mover(world, id)->start;
	return pose_make((struct d3_vec_d){start.x, start.y, start.z}, start.q);
}

static struct d3_quat turn_between(struct d3_quat from, struct d3_quat to, float t)
{
	return d3_normalize_quat(d3_mul_quat(d3_make_quat(d3_scale(t, d3_turn_between(from, to))), from));
}

/* The pose at fraction t between two poses. */
static struct center_pose pose_between(const struct center_pose *from, const struct center_pose *to, float t)
{
	struct d3_vec_d center = d3_mul_add_d(center_of(from), (double)t, d3_sub_d(center_of(to), center_of(from)));
	return pose_make(center, turn_between(turn_of(from), turn_of(to), t));
}

/* Vector from the joint's anchor on one body to its anchor on the other, in the frame of the first. Each anchor is relative to
 * its body's centre of mass, in the body's frame. */
static struct d3_vec_d offset_between(
	const struct center_pose *a, struct d3_vec_d point_a, const struct center_pose *b, struct d3_vec_d point_b)
{
	struct d3_rot_d qa = d3_exact_rot(turn_of(a)), qb = d3_exact_rot(turn_of(b));
	struct d3_vec_d off = d3_sub_d(d3_add_d(center_of(b), d3_turn_d(&qb, point_b)), center_of(a));
	return d3_sub_d(d3_inv_turn_d(&qa, off), point_a);
}

/* Interpolates between two vectors at fraction t, and also between their lengths, unless they are more than 60 degrees apart:
 * the end of an arm moves on an arc. */
static struct d3_vec_d offset_blend(struct d3_vec_d from, struct d3_vec_d to, double t)
{
	struct d3_vec_d offset = d3_mul_add_d(from, t, d3_sub_d(to, from));
	double start = d3_length_d(from), end = d3_length_d(to), length = d3_length_d(offset);
	return d3_dot_d(from, to) > 0.5 * start * end ? d3_scale_d((start + t * (end - start)) / length, offset) : offset;
}

/* Interpolates the member's rotation relative to its parent, which for a hinge is about its axis, and the offset between the
 * joint's anchors. */
struct center_pose d3_member_pose(
	const struct world *world, const struct linkage_member *member, const struct linkage_member *parent, float t)
{
	struct center_pose from = pose_begun(world, member->body);
	if (member->joint == NONE)
		return pose_between(&from, &member->end, t);
	const struct d3_joint *joint = d3_joint(world, member->joint);
	const uint32_t *bodies = world->joints.data[member->joint].link.bodies;
	int side = bodies[0] == member->body ? 0 : 1;
	uint32_t holder = bodies[!side];
	struct d3_vec points[2] = {joint->point_a, joint->point_b};
	struct d3_vec_d point = d3_widen(d3_sub(points[side], d3_row(world, member->body)->local_center));
	struct d3_vec_d held = d3_widen(d3_sub(points[!side], d3_row(world, holder)->local_center));
	struct center_pose start = pose_begun(world, holder), end, now;
	d3_body_center_pose(world, holder, &end);
	end = parent != NULL ? parent->end : end;
	now = parent != NULL ? parent->pose : pose_between(&start, &end, t);
	struct d3_quat turn = turn_between(
		d3_inv_mul_quat(turn_of(&start), turn_of(&from)), d3_inv_mul_quat(turn_of(&end), turn_of(&member->end)), t);
	struct d3_quat q = d3_normalize_quat(d3_mul_quat(turn_of(&now), turn));
	struct d3_rot_d frame = d3_exact_rot(turn_of(&now)), rot = d3_exact_rot(q);
	struct d3_vec_d offset =
		offset_blend(offset_between(&start, held, &from, point), offset_between(&end, held, &member->end, point), (double)t);
	struct d3_vec_d at = d3_add_d(center_of(&now), d3_turn_d(&frame, d3_add_d(held, offset)));
	return pose_make(d3_sub_d(at, d3_turn_d(&rot, point)), q);
}
