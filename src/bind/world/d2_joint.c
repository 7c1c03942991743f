/* d2_joint.c - the frames of 2D joints from their options. */
#include "bind/world/joint.h"

/* The point of the world in the frame of the pose. */
static struct d2_vec_d in_frame(const struct d2_pose *pose, const double *point)
{
	return d2_inv_turn_d(d2_exact_rot(pose->q), (struct d2_vec_d){point[0] - pose->x, point[1] - pose->y});
}

static struct d2_vec local_anchor(
	lua_State *L, const struct joint_kind *kind, const struct joint_input *input, int side, const struct d2_pose *pose)
{
	struct d2_vec_d local = in_frame(pose, input->given_points[0] ? input->points[side] : input->position);
	joint_check_reach(L, kind, input, side, 2, (const double[]){local.x, local.y});
	return d2_narrow(local);
}

static struct d2_rot rot_of(struct d3_vec_d axis)
{
	return (struct d2_rot){(float)axis.x, (float)axis.y};
}

/* Sets the rotations of the joint's frames: their x axes are the joint's axes, and the angle between them is 0 when b has the
 * reference angle in a. */
static void set_rotations(struct joint_input *input, const struct d2_pose poses[2])
{
	struct d2_joint_frame *frames = input->d2_frames;
	if (input->given_axes[0]) {
		frames[0].q = rot_of(input->axes[0]);
		frames[1].q = rot_of(input->axes[1]);
		return;
	}
	frames[0].q = input->given_axis ? d2_inv_mul_rot(poses[0].q, rot_of(input->axis)) : (struct d2_rot){1, 0};
	frames[1].q = d2_inv_mul_rot(d2_make_rot((double)input->reference_angle), frames[0].q);
}

/* Turns the points of a path into a's frame, in which the first one is the anchor. */
static void set_path(lua_State *L, const struct joint_kind *kind, struct joint_input *input, const struct d2_pose *pose)
{
	struct d2_vec_d first = {0, 0};
	for (uint32_t i = 0; i < input->path_count; ++i) {
		double *point = input->path_points + 2 * i;
		struct d2_vec_d local = in_frame(pose, point);
		joint_check_reach(L, kind, input, 0, 2, (const double[]){local.x, local.y});
		first = i == 0 ? local : first;
		point[0] = local.x - first.x;
		point[1] = local.y - first.y;
	}
	if (input->path_points != NULL)
		input->d2_frames[0].point = d2_narrow(first);
}

void d2_joint_frames_keep(const struct world *world, uint32_t joint, struct joint_input *input)
{
	struct d2_joint_frame frames[2];
	d2_joint_get_frames(world, joint, frames);
	if (!input->given_position[0] && !input->given_points[0] && !input->given_anchors[0])
		for (int side = 0; side < 2; ++side) {
			input->given_anchors[side] = true;
			input->anchors[side][0] = (double)frames[side].point.x;
			input->anchors[side][1] = (double)frames[side].point.y;
		}
	if (input->given_axes[0])
		return;
	if (!input->given_reference)
		input->reference_angle = d2_rot_angle(d2_mul_rot(frames[0].q, (struct d2_rot){frames[1].q.c, -frames[1].q.s}));
	input->given_reference = true;
	if (input->given_axis)
		return;
	struct d2_rot axis = d2_mul_rot(d2_body_pose(world, joint_bodies(world, joint)[0]).q, frames[0].q);
	input->axis = (struct d3_vec_d){(double)axis.c, (double)axis.s, 0};
	input->given_axis = true;
}

void d2_joint_frames(
	lua_State *L, const struct joint_kind *kind, const struct world *world, struct joint_input *input, const uint32_t bodies[2])
{
	struct d2_pose poses[2];
	for (int side = 0; side < 2; ++side) {
		const double *anchor = input->anchors[side];
		poses[side] = bodies[side] == NONE ? d2_mount_pose(input->position) : d2_body_pose(world, bodies[side]);
		input->d2_frames[side].point = input->given_anchors[0] ? (struct d2_vec){(float)anchor[0], (float)anchor[1]}
															   : local_anchor(L, kind, input, side, &poses[side]);
	}
	if (!input->given_reference)
		input->reference_angle = d2_rot_angle(d2_inv_mul_rot(poses[0].q, poses[1].q));
	set_rotations(input, poses);
	set_path(L, kind, input, &poses[0]);
}
