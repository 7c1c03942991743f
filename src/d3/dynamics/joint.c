/* joint.c - see joint.h. */
#include "d3/dynamics/joint.h"
#include "d3/dynamics/wing.h"

static uint32_t create(
	struct world *world, uint8_t type, uint32_t body_a, uint32_t body_b, const struct d3_joint_frame frames[2], bool collides)
{
	uint32_t id = joint_create(world, type, body_a, body_b, collides);
	if (id == NONE)
		return NONE;
	struct d3_joint *joint = d3_joint(world, id);
	joint->point_a = frames[0].point;
	joint->point_b = frames[1].point;
	joint->qa = frames[0].q;
	joint->qb = frames[1].q;
	return id;
}

static void spherical_settle(struct d3_spherical *joint)
{
	const struct d3_spherical_settings *settings = &joint->settings;
	joint->joint.acts =
		settings->spring || settings->cone_limited || settings->motor || coordinate_acts(&joint->twist.settings);
}

uint32_t d3_revolute_create(struct world *world, uint32_t body_a, uint32_t body_b, const struct d3_joint_frame frames[2],
	bool collides, const struct coordinate_settings *settings)
{
	uint32_t id = create(world, D3_REVOLUTE, body_a, body_b, frames, collides);
	if (id == NONE)
		return NONE;
	d3_revolute(world, id)->angle.settings = *settings;
	d3_revolute(world, id)->angle.value = (float)d3_joint_angle(world, id);
	return id;
}

uint32_t d3_spherical_create(struct world *world, uint32_t body_a, uint32_t body_b, const struct d3_joint_frame frames[2],
	bool collides, const struct d3_spherical_settings *settings, const struct coordinate_settings *twist)
{
	uint32_t id = create(world, D3_SPHERICAL, body_a, body_b, frames, collides);
	if (id == NONE)
		return NONE;
	struct d3_spherical *joint = d3_spherical(world, id);
	joint->settings = *settings;
	joint->twist.settings = *twist;
	joint->twist.value = (float)d3_joint_angle(world, id);
	spherical_settle(joint);
	return id;
}

void d3_revolute_set(struct world *world, uint32_t id, const struct coordinate_settings *settings)
{
	coordinate_set(&d3_revolute(world, id)->angle, settings);
	joint_wake(world, id);
}

void d3_spherical_set(
	struct world *world, uint32_t id, const struct d3_spherical_settings *settings, const struct coordinate_settings *twist)
{
	struct d3_spherical *joint = d3_spherical(world, id);
	joint->settings = *settings;
	coordinate_set(&joint->twist, twist);
	spherical_settle(joint);
	if (!settings->spring)
		joint->spring_impulse = (struct d3_vec){0.0f, 0.0f, 0.0f};
	if (!settings->motor)
		joint->motor_impulse = (struct d3_vec){0.0f, 0.0f, 0.0f};
	if (!settings->cone_limited)
		joint->cone_impulse = 0.0f;
	joint_wake(world, id);
}

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

/* A quaternion and its negative are the same rotation: w >= 0 gives the smaller angle. */
double d3_joint_angle(const struct world *world, uint32_t id)
{
	struct d3_quat q = d3_joint_rotation(world, id);
	double twist = 2.0 * (double)(q.w < 0.0f ? scalar_atan2(-q.z, -q.w) : scalar_atan2(q.z, q.w));
	bool revolute = world->joints.data[id].link.solver == D3_REVOLUTE;
	return angle_near(twist, (double)(revolute ? d3_revolute(world, id)->angle : d3_spherical(world, id)->twist).value);
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

float d3_joint_speed(const struct world *world, uint32_t id)
{
	const uint32_t *bodies = joint_bodies(world, id);
	struct d3_vec a, b, axes[2];
	d3_body_velocity(world, bodies[0], &a);
	d3_body_velocity(world, bodies[1], &b);
	d3_joint_axes(world, id, axes);
	return d3_dot(d3_sub(b, a), axes[0]);
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
