/* joint.h - the life of joints: each exists until it, or one of its bodies, is destroyed.
 * Between enabled bodies an active joint is solved if one of them is dynamic and awake, and links their islands if both are
 * dynamic. A disabled body keeps its joints, but they are not solved. Serial. */
#pragma once
#include "core/core.h"
#include "core/joint_settings.h"

/* Reserves room for `more` joints, but not in the overflow of the graph. False: no memory. */
bool joints_reserve(struct world *world, uint32_t more);
/* Creates a joint of the type (enum joint_type) between two different bodies, with a zeroed record of the wing. Wakes both
 * bodies. Unless `collides`, destroys the contacts between them. NONE: no memory, nothing changed. */
uint32_t joint_create(struct world *world, uint8_t type, uint32_t body_a, uint32_t body_b, bool collides);
/* Wakes both bodies, and destroys a mount, and the gears on the joint, which it reports. */
void joint_destroy(struct world *world, uint32_t joint);
void joints_destroy_of_body(struct world *world, uint32_t body);

/* A mount is the body A of one joint that holds body B to the world: static, without colliders, at the joint's anchor, so that
 * the joint is as exact far from the origin. It is not valid, so that users never meet it: it is not counted, listed or hashed.
 * mount_make makes a new static body a mount. */
void mount_make(struct world *world, uint32_t body);
void mount_destroy(struct world *world, uint32_t body); /* of a mount without a joint */
/* Before a pair search: has it test the proxies that destroyed joints let collide again. */
void joints_release(struct world *world);
void joint_set_collides(struct world *world, uint32_t joint, bool collides);
/* A disabled joint is not solved, links no islands, and has no impulses. It still decides whether its bodies may collide. While
 * it is disabled its angles count no turns. Wakes both bodies if the joint changes. */
void joint_set_enabled(struct world *world, uint32_t joint, bool enabled);
/* joints_detach removes the joints of a body from islands and the graph, before the body leaves its set and island;
 * joints_attach adds them when it is back. Both wake the bodies at the other ends. */
void joints_detach(struct world *world, uint32_t body);
void joints_attach(struct world *world, uint32_t body);
void joint_wake(struct world *world, uint32_t joint); /* wakes both bodies */
/* Gives the joint another body on one side, in which it keeps its frame, and the gears on it theirs. The body must not be that
 * of the other side. Wakes the bodies. */
void joint_set_body(struct world *world, uint32_t joint, int side, uint32_t body);
/* After the type of a body has changed: gives the gears on its joints their bodies anew. */
void gears_follow(struct world *world, uint32_t body);
/* Changes the ratio of a gear or pulley, which then holds the sum that it finds. Wakes both bodies. */
void gear_set_ratio(struct world *world, uint32_t joint, double ratio);

/* The least moment of inertia of a body with a joint: this fraction of its mass times the squared distance of the anchor from
 * its centre of mass. Solvers turn a lighter body too far: a force F at the distance r causes the torque F r sin(angle), which
 * semi-implicit Euler follows only while h^2 F r / I < 4, and impulses along and across the arm differ by more than floats
 * resolve. Balls of a radius of 0.05 on arms of 20 m then gained energy without end. A pendulum on such an arm swings slower by
 * half of this fraction. */
#define LEVER 0.001f

/* Whether the joint may act at its anchors. */
static inline bool joint_has_levers(const struct world *world, uint32_t id)
{
	const struct joint *joint = &world->joints.data[id];
	const uint32_t none = 1u << JOINT_FILTER | 1u << JOINT_GEAR | 1u << JOINT_RATCHET | 1u << JOINT_PARALLEL;
	return joint->enabled && (none >> joint->link.solver & 1) == 0;
}

/* Sets the softness of the joint's locks and limits, NAN for the world's. Wakes both bodies. */
void joint_set_soft(struct world *world, uint32_t joint, float hertz, float damping_ratio);

/* Reserves the events of all joints and of one more. False: no memory. */
bool joint_events_reserve(struct world *world);
/* Destroys the curves of all path joints, before the world is. */
void joints_release_curves(struct world *world);
/* Sets the thresholds, INFINITY for none, and whether the joint breaks. Wakes both bodies. Room for its event is reserved. */
void joint_watch(struct world *world, uint32_t joint, const float thresholds[2], bool breakable);
/* After a solve: reports the joints solved whose reaction exceeds a threshold, in id order, and destroys the breakable ones. */
void joints_report(struct world *world);
/* Gives back the ids of destroyed joints that the last step's events name; removes the events unless `keep`. */
void joint_events_begin(struct world *world, bool keep);

/* Stores the settings of a new joint, whose frames are set, and its coordinates' values. A spring's target that is NAN becomes
 * the present value. */
void joint_start(struct world *world, uint32_t joint, const struct joint_settings *settings);
/* Puts a new path joint at the place of its curve nearest to q. An open curve without limits gets those of its ends. */
void joint_path_start(struct world *world, uint32_t joint, const float q[3]);
void joint_get(const struct world *world, uint32_t joint, struct joint_settings *settings);
/* Changes the settings and wakes both bodies. Springs, motors and limits that are switched off lose their impulses. A
 * ratchet holds at the last tooth that its angle has reached, as when it is enabled. */
void joint_set(struct world *world, uint32_t joint, const struct joint_settings *settings);
/* A coordinate at the bodies' current poses [rad or length], which counts turns, and its rate [rad/s or length/s]. */
double joint_value(const struct world *world, uint32_t joint, int coordinate);
float joint_rate(const struct world *world, uint32_t joint, int coordinate);
/* Force or torque of a motor in the last sub-step: of a coordinate, or of the angular or the linear drive
 * [mass length/s^2] or [mass length^2/s^2]. */
float joint_motor(const struct world *world, uint32_t joint, int coordinate);
void joint_drive_motor(const struct world *world, uint32_t joint, bool angular, float motor[3]);

/* After the wing has changed the joint's frames: coordinates, which count no turns, ratchets and gears start anew. Wakes both
 * bodies. */
void joint_refit(struct world *world, uint32_t joint);

/* The softness in this step of locks and limits of this frequency and damping ratio. The frequency is limited to a quarter of
 * the sub-step rate, which joints can follow at any damping ratio: with half of it, chains gain energy. */
static inline struct soft lock_soft(const struct world *world, float hertz, float damping_ratio)
{
	return soft_make(min_f(hertz, 0.25f * world->step.inv_h), damping_ratio, world->step.h);
}

static inline struct soft joint_soft(const struct world *world, uint32_t id)
{
	const struct joint *joint = &world->joints.data[id];
	const struct settings *settings = &world->settings;
	return lock_soft(world, isnan(joint->hertz) ? settings->joint_hertz : joint->hertz,
		isnan(joint->damping_ratio) ? settings->joint_damping_ratio : joint->damping_ratio);
}
