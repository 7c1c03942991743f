/* joint.h - the joints of space: what each type holds, and how.
 * Each body carries a frame of the joint's; the joint holds the origins of both together, and its axis is the z axis of a
 * frame. How b stands against a is the rotation from a's frame to b's, first a twist about the axis and then a swing, about an
 * axis across it, that takes a's axis to b's. The twist is in [-pi, pi], counter-clockwise as seen against the axis, the swing
 * in [0, pi]. Impulses are kept from step to step to start from.
 * Serial. */
#pragma once
#include "base/cache.h"
#include "core/joint.h"
#include "d3/dynamics/d3.h"

enum d3_joint_type { D3_REVOLUTE = 1, D3_SPHERICAL = 2 }; /* as link.solver: see core.h */

/* Of a joint in a body's frame. */
struct d3_joint_frame {
	struct d3_vec point; /* [length] */
	struct d3_quat q;
};

/* The first part of all joints. Where nothing acts but what holds the point, the solver needs the first cache line alone. */
struct d3_joint {
	struct d3_vec point_a; /* in a's frame [length] */
	uint32_t acts; /* beside what all joints of the type do: a spring, limits or a motor */
	struct d3_vec point_b;
	float none_point; /* for lanes, which take four numbers at once */
	/* Of the last sub-step, on b, in the world: */
	struct d3_vec impulse; /* at the common point [mass length/s] */
	float none_impulse;
	struct d3_vec turn_impulse; /* beside it [mass length^2/s] */
	float none_turn;

	struct d3_quat qa, qb; /* of the joint's frames in a's and b's */
};

/* Lets its bodies turn about a common axis: its angle is the twist. */
struct d3_revolute {
	struct d3_joint joint;
	/* Of the last sub-step, on b, about the axis, and about the x and y axes of a's frame [mass length^2/s] */
	float spring_impulse, motor_impulse, lower_impulse, upper_impulse;
	float bend_impulse[2], none[2];

	struct revolute_settings settings;
};

/* What the user may set, of a joint that lets its bodies turn about a common point. */
struct d3_spherical_settings {
	bool spring, cone_limited, twist_limited, motor;
	float hertz, damping_ratio; /* of the spring towards the target [1/s], [1] */
	struct d3_quat target; /* of b's frame in a's */
	float cone; /* the greatest swing [rad] */
	float lower, upper; /* limits of the twist, lower <= upper [rad] */
	struct d3_vec motor_velocity; /* of b against a, in the frame of the body a [rad/s]; 0: friction */
	float max_motor_torque; /* [mass length^2/s^2] */
};

struct d3_spherical {
	struct d3_joint joint;
	/* Of the last sub-step, on b, in the world; about the axis of the twist; against the swing [mass length^2/s] */
	struct d3_vec spring_impulse;
	float lower_impulse;
	struct d3_vec motor_impulse;
	float upper_impulse;

	float cone_impulse;
	struct d3_spherical_settings settings;
};

union d3_joint_row {
	struct d3_joint joint;
	struct d3_revolute revolute;
	struct d3_spherical spherical;
	uint8_t lines[3 * CACHE_LINE];
};

static inline struct d3_joint *d3_joint(const struct world *world, uint32_t joint)
{
	return (struct d3_joint *)joint_row(world, joint);
}

static inline struct d3_revolute *d3_revolute(const struct world *world, uint32_t joint)
{
	return (struct d3_revolute *)joint_row(world, joint);
}

static inline struct d3_spherical *d3_spherical(const struct world *world, uint32_t joint)
{
	return (struct d3_spherical *)joint_row(world, joint);
}

/* A joint that holds the two bodies together at its frames. NONE: no memory. */
uint32_t d3_revolute_create(struct d3_world *world, uint32_t body_a, uint32_t body_b, const struct d3_joint_frame frames[2],
	bool collides, const struct revolute_settings *settings);
uint32_t d3_spherical_create(struct d3_world *world, uint32_t body_a, uint32_t body_b, const struct d3_joint_frame frames[2],
	bool collides, const struct d3_spherical_settings *settings);
/* Wakes both bodies. */
void d3_revolute_set(struct d3_world *world, uint32_t joint, const struct revolute_settings *settings);
void d3_spherical_set(struct d3_world *world, uint32_t joint, const struct d3_spherical_settings *settings);

struct d3_quat d3_joint_rotation(const struct d3_world *world, uint32_t joint); /* of b's frame in a's */
float d3_joint_angle(const struct d3_world *world, uint32_t joint); /* the twist [rad] */
float d3_joint_swing(const struct d3_world *world, uint32_t joint); /* [rad] */
float d3_joint_speed(const struct d3_world *world, uint32_t joint); /* of b against a about a's axis [rad/s] */
/* The points of both bodies in the world, and the axes. */
void d3_joint_anchors(const struct d3_world *world, uint32_t joint, double a[3], double b[3]);
void d3_joint_axes(const struct d3_world *world, uint32_t joint, struct d3_vec axes[2]);
/* What the joint did to b in the last sub-step [mass length/s^2], [mass length^2/s^2]. */
struct d3_vec d3_joint_force(const struct d3_world *world, uint32_t joint, struct d3_vec *torque);
