/* joint.c - see joint.h. */
#include "d2/dynamics/joint.h"
#include "d2/dynamics/wing.h"

uint32_t d2_revolute_create(struct world *world, uint32_t body_a, uint32_t body_b, struct d2_vec local_a, struct d2_vec local_b,
	float reference_angle, bool collides, const struct coordinate_settings *settings)
{
	uint32_t id = joint_create(world, D2_REVOLUTE, body_a, body_b, collides);
	if (id == NONE)
		return NONE;
	struct d2_revolute *joint = d2_revolute(world, id);
	*joint = (struct d2_revolute){
		.angle.settings = *settings,
		.local_a = local_a,
		.local_b = local_b,
		.reference = d2_make_rot((double)reference_angle),
	};
	joint->angle.value = (float)d2_joint_angle(world, id);
	return id;
}

void d2_revolute_set(struct world *world, uint32_t id, const struct coordinate_settings *settings)
{
	coordinate_set(&d2_revolute(world, id)->angle, settings);
	joint_wake(world, id);
}

double d2_joint_angle(const struct world *world, uint32_t id)
{
	const struct d2_revolute *joint = d2_revolute(world, id);
	const uint32_t *bodies = joint_bodies(world, id);
	const struct d2_body *a = d2_row(world, bodies[0]), *b = d2_row(world, bodies[1]);
	struct d2_rot q = d2_inv_mul_rot(joint->reference, d2_inv_mul_rot(a->q, b->q));
	return angle_near((double)d2_rot_angle(q), (double)joint->angle.value);
}

float d2_joint_speed(const struct world *world, uint32_t id)
{
	const uint32_t *bodies = joint_bodies(world, id);
	float a, b;
	d2_body_velocity(world, bodies[0], &a);
	d2_body_velocity(world, bodies[1], &b);
	return b - a;
}

void d2_joint_anchors(const struct world *world, uint32_t id, double points[2][3])
{
	const struct d2_revolute *joint = d2_revolute(world, id);
	for (int side = 0; side < 2; ++side) {
		struct d2_pose pose = d2_body_pose(world, joint_bodies(world, id)[side]);
		struct d2_vec r = d2_rotate(pose.q, side == 0 ? joint->local_a : joint->local_b);
		points[side][0] = pose.x + (double)r.x;
		points[side][1] = pose.y + (double)r.y;
	}
}

void d2_joint_reactions(const struct world *world, uint32_t id, struct vec3 reactions[2])
{
	const struct d2_revolute *joint = d2_revolute(world, id);
	float inv_h = world->step.inv_h, torque = inv_h * coordinate_impulse(&joint->angle);
	struct d2_vec force = d2_scale(inv_h, joint->impulse);
	reactions[0] = (struct vec3){force.x, force.y, 0};
	reactions[1] = (struct vec3){torque, 0, 0};
}
