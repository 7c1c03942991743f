/* joint.c - see joint.h. */
#include "d3/dynamics/joint.h"
#include "d3/dynamics/wing.h"

/* The joint's frame on the body at one side, in the world. */
static struct d3_quat frame(const struct world *world, uint32_t id, int side)
{
	const struct d3_joint *joint = d3_joint(world, id);
	return d3_mul_quat(d3_row(world, joint_bodies(world, id)[side])->q, side == 0 ? joint->qa : joint->qb);
}

struct d3_quat d3_joint_rotation(const struct world *world, uint32_t id)
{
	return d3_inv_mul_quat(frame(world, id, 0), frame(world, id, 1));
}

/* The twist of frame B in frame A, next to its last value. A quaternion and its negative are the same rotation: w >= 0 gives
 * the smaller angle. */
static double twist(const struct world *world, uint32_t id, int coordinate)
{
	struct d3_quat q = d3_joint_rotation(world, id);
	double angle = 2.0 * (double)(q.w < 0.0f ? scalar_atan2(-q.z, -q.w) : scalar_atan2(q.z, q.w));
	return angle_near(angle, (double)joint_coordinate(joint_model(world, id), joint_row(world, id), coordinate)->value);
}

float d3_joint_swing(const struct world *world, uint32_t id)
{
	struct d3_quat q = d3_joint_rotation(world, id);
	return 2.0f * scalar_atan2(sqrtf(q.x * q.x + q.y * q.y), sqrtf(q.z * q.z + q.w * q.w));
}

void d3_joint_axes(const struct world *world, uint32_t id, struct d3_vec axes[2])
{
	for (int side = 0; side < 2; ++side)
		axes[side] = d3_rotate(frame(world, id, side), (struct d3_vec){0.0f, 0.0f, 1.0f});
}

/* The angular velocity of b relative to a about a's axis. */
static float twist_rate(const struct world *world, uint32_t id, int coordinate)
{
	(void)coordinate;
	const uint32_t *bodies = joint_bodies(world, id);
	struct d3_vec a, b, axes[2];
	d3_body_velocity(world, bodies[0], &a);
	d3_body_velocity(world, bodies[1], &b);
	d3_joint_axes(world, id, axes);
	return d3_dot(d3_sub(b, a), axes[0]);
}

const struct joint_model d3_joint_models[JOINT_TYPES] = {
	[JOINT_REVOLUTE] =
		{
			.coordinates = {offsetof(struct d3_revolute, angle)},
			.impulses = {{offsetof(struct d3_joint, impulse), 3}, {offsetof(struct d3_joint, turn_impulse), 3},
				{offsetof(struct d3_revolute, bend_impulse), 2}},
			.value = twist,
			.rate = twist_rate,
		},
	[JOINT_SPHERICAL] =
		{
			.coordinates = {offsetof(struct d3_spherical, twist)},
			.angular = {offsetof(struct d3_spherical, drive), offsetof(struct d3_spherical, spring_impulse),
				offsetof(struct d3_spherical, motor_impulse), 3},
			.cone = offsetof(struct d3_spherical, cone),
			.cone_impulse = offsetof(struct d3_spherical, cone_impulse),
			.acts = offsetof(struct d3_joint, acts),
			.impulses = {{offsetof(struct d3_joint, impulse), 3}, {offsetof(struct d3_joint, turn_impulse), 3}},
			.value = twist,
			.rate = twist_rate,
		},
};

uint32_t d3_joint_create(struct world *world, enum joint_type type, uint32_t body_a, uint32_t body_b,
	const struct d3_joint_frame frames[2], bool collides, const struct joint_settings *settings)
{
	uint32_t id = joint_create(world, (uint8_t)type, body_a, body_b, collides);
	if (id == NONE)
		return NONE;
	struct d3_joint *joint = d3_joint(world, id);
	joint->point_a = frames[0].point;
	joint->point_b = frames[1].point;
	joint->qa = frames[0].q;
	joint->qb = frames[1].q;
	joint_start(world, id, settings);
	return id;
}

void d3_joint_anchors(const struct world *world, uint32_t id, double points[2][3])
{
	const struct d3_joint *joint = d3_joint(world, id);
	for (int side = 0; side < 2; ++side) {
		struct d3_pose pose = d3_body_pose(world, joint_bodies(world, id)[side]);
		struct d3_vec r = d3_rotate(pose.q, side == 0 ? joint->point_a : joint->point_b);
		points[side][0] = pose.x + (double)r.x;
		points[side][1] = pose.y + (double)r.y;
		points[side][2] = pose.z + (double)r.z;
	}
}

void d3_joint_reactions(const struct world *world, uint32_t id, struct vec3 reactions[2])
{
	const struct d3_joint *joint = d3_joint(world, id);
	float inv_h = world->step.inv_h;
	struct d3_vec force = d3_scale(inv_h, joint->impulse), torque = d3_scale(inv_h, joint->turn_impulse);
	reactions[0] = (struct vec3){force.x, force.y, force.z};
	reactions[1] = (struct vec3){torque.x, torque.y, torque.z};
}
