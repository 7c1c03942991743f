/* d2.h - the 2D wing's interface for the binding: the wing's table, bodies, contact points. Worlds and queries are core's.
 * Units: seconds, any consistent units of length and mass; angles in radians, counter-clockwise from x to y. Positions are
 * double; differences and velocities are float.
 * Serial: only the stepping thread calls these functions. Out of memory they return false, NONE or NULL, and change nothing. */
#pragma once
#include "core/body.h"
#include "core/collider.h"
#include "core/controller.h"
#include "core/core.h"
#include "core/field.h"
#include "core/query.h"
#include "core/validate.h"
#include "core/world.h"
#include "d2/math.h"
#include "d2/shape/shape.h"

/* The solver state of an awake body: all that changes within a step. 32 bytes, so that four bodies are two 4x4 transposes. */
struct d2_state {
	struct d2_vec v; /* of the centre of mass [length/s] */
	float w; /* [rad/s] */
	float turn; /* rotation since the step began, between steps that of the last step [rad]; counts whole turns, unlike dq */
	struct d2_vec dp; /* displacement since the step began [length] */
	struct d2_rot dq; /* rotation since the step began; that of a kinematic body includes the rounding error of earlier steps */
};

enum d2_lock { D2_LOCK_X = 1, D2_LOCK_Y = 2, D2_LOCK_ROTATION = 4 };

/* A body's pose and mass, by id: what contacts need, in one cache line. The rest is in struct d2_mover. */
struct d2_body {
	double x, y; /* centre of mass, in the world [length] */
	struct d2_rot q;
	struct d2_vec local_center; /* centre of mass in the body's frame */
	struct d2_vec inv_mass; /* per axis: 0 where locked */
	float inv_inertia;
	/* min: least distance from any shape's centroid to its boundary, see body_fast; max: greatest distance of a point from the
	 * centre of mass. Shapes removed from a static body still count [length] */
	float min_extent, max_extent;
	uint8_t locks; /* enum d2_lock */
	bool unbounded; /* has a half-plane, now or, if static, once; narrow_phase.wide.c reads it in one number with `locks` */
	float mass;
	float none; /* to the end of the cache line */
};

/* The centre of mass in the world and the rotation when the last step began. */
struct d2_start {
	double x, y; /* [length] */
	struct d2_rot q;
};

/* The part of a body's record that is the same for most static bodies, by body.mover: a cache line. */
struct d2_mover {
	struct d2_start start; /* see d2_start() */
	/* velocity of a body that is not awake: zero unless it is disabled. Of an awake body it is in struct d2_state */
	struct d2_vec v;
	float w;
	float torque; /* accumulated for the next step [mass length^2/s^2] */
	struct d2_vec force; /* accumulated for the next step [mass length/s^2] */
	float inertia; /* about the centre of mass [mass length^2] */
	float linear_damping, angular_damping; /* [1/s] */
	float gravity_scale;
};

/* --- World ---------------------------------------------------------------------------------------------------------------- */

extern const struct wing d2_wing; /* for world_create */

/* --- Bodies --------------------------------------------------------------------------------------------------------------- */

static inline struct d2_body *d2_row(const struct world *world, uint32_t body)
{
	return (struct d2_body *)body_row(world, body);
}

static inline struct d2_mover *d2_mover(const struct world *world, uint32_t body)
{
	return (struct d2_mover *)mover_row(world, body);
}

/* Where any body was when the last step began. */
static inline struct d2_start d2_start(const struct world *world, uint32_t body)
{
	const struct d2_body *row = d2_row(world, body);
	return world->bodies.data[body].mover != 0 ? d2_mover(world, body)->start : (struct d2_start){row->x, row->y, row->q};
}

/* Creates a body at rest at the pose, with gravity scale 1 and no damping. */
uint32_t d2_body_create(struct world *world, enum body_type type, const struct d2_pose *pose);
/* Creates a mount: see core/joint.h. */
uint32_t d2_mount_create(struct world *world, const struct d2_pose *pose);

/* The body's origin (not its centre of mass) and rotation. */
struct d2_pose d2_body_pose(const struct world *world, uint32_t body);
/* The same at the time to be shown, world->alpha of the way from the pose before the last step to the present one. */
struct d2_pose d2_body_render_pose(const struct world *world, uint32_t body);
/* Teleports the body: it keeps its velocity. Wakes it and the bodies in contact with it. */
void d2_body_set_pose(struct world *world, uint32_t body, const struct d2_pose *pose);

/* Velocity of the centre of mass and angular velocity. */
struct d2_vec d2_body_velocity(const struct world *world, uint32_t body, float *w);
/* Sets the velocities. If either is not 0, wakes the body and, if it is kinematic, those in contact with it. No effect on
 * static bodies. */
void d2_body_set_velocity(struct world *world, uint32_t body, struct d2_vec v, float w);
struct d2_vec d2_body_velocity_at(const struct world *world, uint32_t body, struct d2_vec_d point);
/* Sets the velocities that move the body to the pose in dt > 0 [s], rotating it by the smaller angle. */
void d2_body_move_to(struct world *world, uint32_t body, const struct d2_pose *pose, float dt);

/* The vector from the centre of mass to a point, both in the world. */
struct d2_vec d2_body_arm(const struct world *world, uint32_t body, struct d2_vec_d point);

/* Both act on dynamic bodies only, and wake them. apply_force: adds a force on the centre of mass and a torque that act over
 * the next step. apply_impulse: changes the velocities at once. */
void d2_body_apply_force(struct world *world, uint32_t body, struct d2_vec force, float torque);
void d2_body_apply_impulse(struct world *world, uint32_t body, struct d2_vec impulse, float angular_impulse);

/* Sets mass, inertia and centre of mass until body_reset_mass. 0 stands for an infinite mass or inertia. */
void d2_body_set_mass(struct world *world, uint32_t body, const struct d2_mass *mass);
void d2_body_set_locks(struct world *world, uint32_t body, uint8_t locks);
/* [mass length^2/s^2] */
double d2_body_kinetic_energy(const struct world *world, uint32_t body);

/* --- Contacts ------------------------------------------------------------------------------------------------------------- */

struct d2_contact_point {
	double x, y;
	float separation; /* < 0: overlap [length] */
	/* of the last step: normal; of friction, without direction, by the last sub-step [mass length/s] */
	float impulse, tangent_impulse;
};

/* Writes the points of a contact, midway between the surfaces, and its normal from a to b: in the world, at the poses with
 * which the last step began. Returns the number of points, 0 to 2. */
int d2_contact_points(const struct world *world, uint32_t contact, struct d2_vec *normal, struct d2_contact_point points[2]);
/* Index of the segment of a chain that touches, on one side of the contact; 0 for other shapes. */
uint32_t d2_contact_part(const struct world *world, uint32_t contact, int side);
