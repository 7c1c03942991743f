/* joint.h - the joints of the plane: what each type holds, and how.
 * Angles are those of b against a, minus the angle that the joint was made at, counter-clockwise, in [-pi, pi]. Impulses are
 * kept from step to step to start from.
 * Serial. */
#pragma once
#include "core/joint.h"
#include "d2/dynamics/d2.h"

enum d2_joint_type { D2_REVOLUTE = 1 }; /* as link.solver: see core.h */

struct d2_revolute {
	struct revolute_settings settings;
	struct d2_vec local_a, local_b; /* the common point in the bodies' frames [length] */
	struct d2_rot reference; /* rotation of b in the frame of a at angle 0 */
	/* Of the last sub-step: */
	struct d2_vec impulse; /* on b [mass length/s] */
	float spring_impulse, motor_impulse, lower_impulse, upper_impulse; /* on b [mass length^2/s] */
};

static inline struct d2_revolute *d2_revolute(const struct world *world, uint32_t joint)
{
	return (struct d2_revolute *)joint_row(world, joint);
}

/* A joint that holds the two bodies together at the points, in their frames. NONE: no memory. */
uint32_t d2_revolute_create(struct d2_world *world, uint32_t body_a, uint32_t body_b, struct d2_vec local_a,
	struct d2_vec local_b, float reference_angle, bool collides, const struct revolute_settings *settings);
/* Wakes both bodies. */
void d2_revolute_set(struct d2_world *world, uint32_t joint, const struct revolute_settings *settings);

float d2_joint_angle(const struct d2_world *world, uint32_t joint); /* [rad] */
float d2_joint_speed(const struct d2_world *world, uint32_t joint); /* its rate [rad/s] */
/* The points of both bodies in the world. */
void d2_joint_anchors(const struct d2_world *world, uint32_t joint, double a[2], double b[2]);
/* What the joint did to b in the last sub-step [mass length/s^2], [mass length^2/s^2]. */
struct d2_vec d2_joint_force(const struct d2_world *world, uint32_t joint, float *torque);
