/* joint.c - see joint.h. */
#include "d2/dynamics/joint.h"
#include "d2/dynamics/wing.h"

/* The angle of frame B in frame A, next to its last value. */
static double angle(const struct world *world, uint32_t id, int coordinate)
{
	const struct d2_joint *joint = d2_joint(world, id);
	const uint32_t *bodies = joint_bodies(world, id);
	const struct d2_body *a = d2_row(world, bodies[0]), *b = d2_row(world, bodies[1]);
	struct d2_rot q = d2_inv_mul_rot(joint->reference, d2_inv_mul_rot(a->q, b->q));
	float last = joint_coordinate(joint_model(world, id), joint_row(world, id), coordinate)->value;
	return angle_near((double)d2_rot_angle(q), (double)last);
}

static float angle_rate(const struct world *world, uint32_t id, int coordinate)
{
	const uint32_t *bodies = joint_bodies(world, id);
	float a, b;
	(void)coordinate;
	d2_body_velocity(world, bodies[0], &a);
	d2_body_velocity(world, bodies[1], &b);
	return b - a;
}

const struct joint_model d2_joint_models[JOINT_TYPES] = {
	[JOINT_REVOLUTE] =
		{
			.coordinates = {offsetof(struct d2_revolute, angle)},
			.impulses = {{offsetof(struct d2_joint, impulse), 2}},
			.value = angle,
			.rate = angle_rate,
		},
};

uint32_t d2_joint_create(struct world *world, enum joint_type type, uint32_t body_a, uint32_t body_b,
	const struct d2_joint_frame frames[2], bool collides, const struct joint_settings *settings)
{
	uint32_t id = joint_create(world, (uint8_t)type, body_a, body_b, collides);
	if (id == NONE)
		return NONE;
	*d2_joint(world, id) = (struct d2_joint){
		.local_a = frames[0].point,
		.local_b = frames[1].point,
		.reference = d2_mul_rot(frames[0].q, (struct d2_rot){frames[1].q.c, -frames[1].q.s}),
	};
	if (joint_model(world, id)->frame != 0)
		*(struct d2_rot *)((char *)joint_row(world, id) + joint_model(world, id)->frame) = frames[0].q;
	joint_start(world, id, settings);
	return id;
}

void d2_joint_anchors(const struct world *world, uint32_t id, double points[2][3])
{
	const struct d2_joint *joint = d2_joint(world, id);
	for (int side = 0; side < 2; ++side) {
		struct d2_pose pose = d2_body_pose(world, joint_bodies(world, id)[side]);
		struct d2_vec r = d2_rotate(pose.q, side == 0 ? joint->local_a : joint->local_b);
		points[side][0] = pose.x + (double)r.x;
		points[side][1] = pose.y + (double)r.y;
	}
}

void d2_joint_reactions(const struct world *world, uint32_t id, struct vec3 reactions[2])
{
	float inv_h = world->step.inv_h, torque = inv_h * coordinate_impulse(&d2_revolute(world, id)->angle);
	struct d2_vec force = d2_scale(inv_h, d2_joint(world, id)->impulse);
	reactions[0] = (struct vec3){force.x, force.y, 0};
	reactions[1] = (struct vec3){torque, 0, 0};
}
