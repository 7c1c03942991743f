/* joint.h - the life of joints: what holds two bodies together until it, or one of them, is destroyed.
 * A joint is solved, and ties an island, exactly while both bodies are enabled and one of them is dynamic and awake (to be
 * solved) or both are dynamic (to tie). A disabled body keeps its joints, which hold nothing meanwhile.
 * Serial. */
#pragma once
#include "core/core.h"

/* What the user may set, of a joint that lets its bodies turn about a common point of the plane, or a common axis of space. */
struct revolute_settings {
	bool spring, limited, motor;
	float hertz, damping_ratio, target; /* of the spring towards the target angle [1/s], [1], [rad] */
	float lower, upper; /* limits, lower <= upper [rad] */
	float motor_speed, max_motor_torque; /* [rad/s], [mass length^2/s^2]; speed 0: friction */
};

/* A joint of the type (1 .. SOLVERS - 1) between two different bodies; its wing's row is zeroed. Wakes both. Unless it
 * collides, the contacts between them end. NONE: no memory, nothing changed. */
uint32_t joint_create(struct world *world, uint8_t type, uint32_t body_a, uint32_t body_b, bool collides);
void joint_destroy(struct world *world, uint32_t joint); /* wakes both bodies */
void joint_set_collides(struct world *world, uint32_t joint, bool collides);
/* The body is about to leave its set, and its island: its joints let go; and hold again when it is back. */
void joints_detach(struct world *world, uint32_t body);
void joints_attach(struct world *world, uint32_t body);
void joint_wake(struct world *world, uint32_t joint); /* both bodies */
