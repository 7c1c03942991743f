/* d3.h - bodies of the 3D wing and the points of its contacts, for the binding; includes the core's headers for worlds,
 * colliders and queries. Units: any consistent length, seconds, mass; angles in radians, rotations as unit quaternions.
 * Positions are double; differences and velocities are float. Functions that change something are serial; the others may run on
 * any thread. */
#pragma once
#include "core/body.h"
#include "core/collider.h"
#include "core/controller.h"
#include "core/core.h"
#include "core/field.h"
#include "core/query.h"
#include "core/validate.h"
#include "core/world.h"
#include "d3/math.h"
#include "d3/shape/shape.h"

/* The state of an awake body that the solver reads and writes in each sub-step. 64 bytes: four 4x4 transposes load four
 * bodies. */
struct d3_state {
	struct d3_vec v; /* of the centre of mass [length/s] */
	struct d3_vec w; /* [rad/s] */
	struct d3_vec turn; /* integral of w since the step began; between steps, over the last step [rad] */
	struct d3_vec dp; /* displacement of the centre of mass since the step began [length] */
	/* rotation since the step began; of a kinematic body also the part that rounding took from its last pose */
	struct d3_quat dq;
};

/* Lock bits: no translation along, or no rotation about, an axis of the world. */
enum d3_lock {
	D3_LOCK_X = 1,
	D3_LOCK_Y = 2,
	D3_LOCK_Z = 4,
	D3_LOCK_ROTATION_X = 8,
	D3_LOCK_ROTATION_Y = 16,
	D3_LOCK_ROTATION_Z = 32,
	D3_LOCK_ROTATION = 56
};

struct d3_symmetric {
	float xx, yy, zz, xy, xz, yz;
};

#define D3_GIRTH 65535

/* A body's record, by id: what contacts need, in two cache lines. The rest is in struct d3_mover. */
struct d3_body {
	double x, y, z; /* centre of mass, in the world [length] */
	struct d3_quat q;
	struct d3_vec local_center; /* centre of mass in the body's frame [length] */
	struct d3_vec inv_mass; /* per axis of the world; 0 where locked [1/mass] */
	struct d3_symmetric inv_inertia; /* in the world, at the current rotation [1/(mass length^2)] */
	/* Over the body's shapes. min_extent: least distance of a shape's centroid from its boundary. max_extent: greatest distance
	 * of a point from the centre of mass; half-spaces count as 0. A static body's max_extent also counts removed shapes
	 * [length]. */
	float min_extent, max_extent;
	uint8_t locks; /* enum d3_lock */
	bool unbounded : 1; /* has a half-space, now or, if static, once; narrow_phase.wide.c reads it in one number with `locks` */
	bool tumbles : 1; /* dynamic, without rotation locks, and its principal moments differ: it has a gyroscopic term */
	bool slender : 1; /* tumbles, and its least moment is below D3_SLENDER times the middle one */
	/* upper bound on the distance of the body's points from its axis of least moment [max_extent / D3_GIRTH] */
	uint16_t girth;
	/* velocity of a body that is not awake: zero unless it is disabled. Of an awake body it is in struct d3_state */
	struct d3_vec v;
	struct d3_vec w;
	float mass;
};

/* The centre of mass in the world and the rotation when the last step began. */
struct d3_start {
	double x, y, z; /* [length] */
	struct d3_quat q;
};

/* The part of a body's record that is the same for most static bodies, by body.mover: two cache lines. */
struct d3_mover {
	struct d3_start start; /* see d3_start() */
	struct d3_vec force; /* accumulated for the next step [mass length/s^2] */
	struct d3_vec torque; /* [mass length^2/s^2] */
	struct d3_symmetric inertia; /* about the centre of mass, in the body's frame [mass length^2] */
	struct d3_quat principal; /* rotation from the frame of the principal axes to the body's frame */
	struct d3_vec moments; /* principal moments of inertia, ascending [mass length^2] */
	float linear_damping, angular_damping; /* [1/s] */
	float gravity_scale;
};

/* --- World ---------------------------------------------------------------------------------------------------------------- */

extern const struct wing d3_wing; /* for world_create */

/* --- Bodies --------------------------------------------------------------------------------------------------------------- */

static inline struct d3_body *d3_row(const struct world *world, uint32_t body)
{
	return (struct d3_body *)body_row(world, body);
}

static inline struct d3_mover *d3_mover(const struct world *world, uint32_t body)
{
	return (struct d3_mover *)mover_row(world, body);
}

/* Where any body was when the last step began. */
static inline struct d3_start d3_start(const struct world *world, uint32_t body)
{
	const struct d3_body *row = d3_row(world, body);
	return world->bodies.data[body].mover != 0 ? d3_mover(world, body)->start
											   : (struct d3_start){row->x, row->y, row->z, row->q};
}

/* Creates a body at rest at the pose, with gravity scale 1 and no damping. NONE: out of memory. */
uint32_t d3_body_create(struct world *world, enum body_type type, const struct d3_pose *pose);
/* Creates a mount: see core/joint.h. */
uint32_t d3_mount_create(struct world *world, const struct d3_pose *pose);

/* Position of the body's origin, not of its centre of mass, and rotation. */
struct d3_pose d3_body_pose(const struct world *world, uint32_t body);
/* The same at the time to be shown, world->alpha of the way from the pose before the last step to the present one. */
struct d3_pose d3_body_render_pose(const struct world *world, uint32_t body);
/* Teleports the body, which keeps its velocity. Wakes it and the bodies that it touched. */
void d3_body_set_pose(struct world *world, uint32_t body, const struct d3_pose *pose);

/* Returns the velocity of the centre of mass; *w: angular velocity. */
struct d3_vec d3_body_velocity(const struct world *world, uint32_t body, struct d3_vec *w);
/* Sets the velocity, except of static bodies. If not zero, wakes the body, and the bodies that a kinematic one touches. */
void d3_body_set_velocity(struct world *world, uint32_t body, struct d3_vec v, struct d3_vec w);
struct d3_vec d3_body_velocity_at(const struct world *world, uint32_t body, struct d3_vec_d point);
/* Sets the velocities by which the body reaches the pose in dt > 0 [s], by the shorter rotation. */
void d3_body_move_to(struct world *world, uint32_t body, const struct d3_pose *pose, float dt);

/* The vector from the centre of mass to a point, both in the world. */
struct d3_vec d3_body_arm(const struct world *world, uint32_t body, struct d3_vec_d point);

/* Apply a force at the centre of mass and a torque over the next step, or an impulse there and an angular impulse at once, in
 * the world. Both act on dynamic bodies only, and wake them. */
void d3_body_apply_force(struct world *world, uint32_t body, struct d3_vec force, struct d3_vec torque);
void d3_body_apply_impulse(struct world *world, uint32_t body, struct d3_vec impulse, struct d3_vec angular_impulse);

/* Overrides the mass and inertia from the shapes until body_reset_mass. The inertia must be positive definite or zero. With
 * mass and inertia 0 no force or impulse moves the body. */
void d3_body_set_mass(struct world *world, uint32_t body, const struct d3_mass *mass);
void d3_body_set_locks(struct world *world, uint32_t body, uint8_t locks);
/* Kinetic energy [mass length^2/s^2], and angular momentum about the centre of mass, in the world [mass length^2/s]. */
double d3_body_kinetic_energy(const struct world *world, uint32_t body);
struct d3_vec d3_body_angular_momentum(const struct world *world, uint32_t body);

/* --- Contacts ------------------------------------------------------------------------------------------------------------- */

struct d3_contact_point {
	double x, y, z;
	float separation; /* < 0: overlap [length] */
	/* of the last step: normal; of friction, without direction, by the last sub-step [mass length/s] */
	float impulse, tangent_impulse;
};

/* Writes the contact's points and its normal from a to b, in the world, at the start of the last step. Returns their number. */
int d3_contact_points(const struct world *world, uint32_t contact, struct d3_vec *normal, struct d3_contact_point points[4]);
/* The child that touches on one side of the contact: the triangle of a mesh or height field with the deepest point, or the
 * child of a compound shape; 0 for other shapes. */
uint32_t d3_contact_part(const struct world *world, uint32_t contact, int side);
