/* joint.h - 2D joints: their records and functions.
 * Angles are of b relative to a, counter-clockwise, minus the reference angle, and count turns. Impulses are kept from step to
 * step for warm starting.
 * Serial. */
#pragma once
#include "core/joint.h"
#include "d2/dynamics/d2.h"

enum d2_joint_type { D2_REVOLUTE = 1 }; /* values of link.solver: see core.h */

struct d2_revolute {
	struct d2_vec local_a, local_b; /* the anchor in each body's frame [length] */
	struct d2_rot reference; /* rotation of b in the frame of a at angle 0 */
	struct d2_vec impulse; /* on b in the last sub-step [mass length/s] */
	struct coordinate angle; /* begins right after `impulse`: one store writes numbers of both */
};

static inline struct d2_revolute *d2_revolute(const struct world *world, uint32_t joint)
{
	return (struct d2_revolute *)joint_row(world, joint);
}

/* Joins the two bodies at the anchors, given in their frames. NONE: no memory. */
uint32_t d2_revolute_create(struct world *world, uint32_t body_a, uint32_t body_b, struct d2_vec local_a, struct d2_vec local_b,
	float reference_angle, bool collides, const struct coordinate_settings *settings);
/* Changes the settings and wakes both bodies. */
void d2_revolute_set(struct world *world, uint32_t joint, const struct coordinate_settings *settings);

double d2_joint_angle(const struct world *world, uint32_t joint); /* [rad] */
float d2_joint_speed(const struct world *world, uint32_t joint); /* rate of that angle [rad/s] */
/* Writes x and y of both bodies' anchors in the world; the third numbers stay as they are. */
void d2_joint_anchors(const struct world *world, uint32_t joint, double points[2][3]);
/* Writes to reactions[0] the force on b in the last sub-step [mass length/s^2], and to the first number of reactions[1] the
 * torque on b [mass length^2/s^2]. */
void d2_joint_reactions(const struct world *world, uint32_t joint, struct vec3 reactions[2]);
