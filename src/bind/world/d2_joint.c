/* d2_joint.c - creation of 2D revolute joints. */
#include "bind/world/joint.h"

static void revolute_option(lua_State *L, struct joint_input *input, int option, const struct path *path)
{
	switch (option) {
	case JOINT_TARGET: input->settings.target = (float)value_number(L, -1, path, &range_limit); break;
	case JOINT_MOTOR_SPEED: input->settings.motor_speed = (float)value_number(L, -1, path, &range_velocity); break;
	case JOINT_REFERENCE_ANGLE:
		input->reference_angle = (float)value_number(L, -1, path, &range_angle);
		input->given_reference = true;
		break;
	}
}

static struct d2_vec local_anchor(
	lua_State *L, const struct joint_kind *kind, const struct joint_input *input, const struct d2_pose *pose)
{
	struct d2_vec_d delta = {input->position[0] - pose->x, input->position[1] - pose->y};
	struct d2_vec_d local = d2_inv_turn_d(d2_exact_rot(pose->q), delta);
	joint_check_reach(L, kind, (const double[]){local.x, local.y});
	return d2_narrow(local);
}

static void set_frames(
	lua_State *L, const struct joint_kind *kind, const struct world *world, struct joint_input *input, const uint32_t bodies[2])
{
	struct d2_pose poses[2];
	for (int side = 0; side < 2; ++side) {
		const double *anchor = input->anchors[side];
		poses[side] = bodies[side] == NONE ? d2_mount_pose(input->position) : d2_body_pose(world, bodies[side]);
		input->plane_frames[side].point = input->given_position ? local_anchor(L, kind, input, &poses[side])
																: (struct d2_vec){(float)anchor[0], (float)anchor[1]};
	}
	if (!input->given_reference)
		input->reference_angle = d2_rot_angle(d2_inv_mul_rot(poses[0].q, poses[1].q));
	input->plane_frames[0].q = d2_make_rot((double)input->reference_angle);
	input->plane_frames[1].q = (struct d2_rot){1, 0};
}

static uint32_t revolute_create(struct world *world, const struct joint_input *input, const uint32_t bodies[2])
{
	const struct joint_settings settings = {.coordinates = {input->settings}};
	return d2_joint_create(world, JOINT_REVOLUTE, bodies[0], bodies[1], input->plane_frames, input->collides, &settings);
}

static const struct joint_kind revolute = {
	.function = "newRevoluteJoint",
	.dimension = &d2_dimension,
	.options = OPTIONS_REVOLUTE,
	.lower = "lowerAngle",
	.upper = "upperAngle",
	.target = "targetAngle",
	.motor = "motorSpeed",
	.option = revolute_option,
	.set_frames = set_frames,
	.create = revolute_create,
};

int d2_new_revolute_joint(lua_State *L)
{
	return joint_make(L, &revolute);
}
