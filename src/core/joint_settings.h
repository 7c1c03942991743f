/* joint_settings.h - the types of joints, the settings of a joint of any type, and their places in a wing's records.
 * A joint's coordinates are measured one by one. A drive acts on all linear or all angular coordinates at once, as on the
 * rotation of a spherical joint. Pure, any thread. */
#pragma once
#include "core/coordinate.h"
#include "core/curve.h"

#include <stddef.h>
#include <stdint.h>

struct world;

/* Values of link.solver. A wing has no solver for the types that it lacks. */
enum joint_type {
	JOINT_REVOLUTE = 1,
	JOINT_SPHERICAL,
	JOINT_DISTANCE,
	JOINT_PRISMATIC,
	JOINT_WELD,
	JOINT_WHEEL,
	JOINT_MOTOR,
	JOINT_MOUSE,
	JOINT_FRICTION,
	JOINT_FILTER,
	JOINT_CYLINDRICAL,
	JOINT_UNIVERSAL,
	JOINT_RATCHET,
	JOINT_PARALLEL,
	JOINT_GEAR,
	JOINT_PULLEY,
	JOINT_SIX_DOF,
	JOINT_PATH,
	JOINT_TYPES
};

enum { COORDINATES = 6 }; /* maximum number of coordinates of a joint */

/* A spring towards a target and a motor, along several axes. Members that a type does not use are 0. */
struct drive_settings {
	bool spring, motor;
	float hertz, damping_ratio; /* of the spring [1/s], [1] */
	float max_spring; /* greatest force or torque of the spring [mass length/s^2] or [mass length^2/s^2]; 0: no maximum */
	float target[4]; /* of the spring: an offset [length], an angle [rad], or a quaternion of b's frame in a's */
	float velocity[3]; /* of the motor: of b relative to a, in the frame of body a [length/s] or [rad/s]; 0: friction */
	float max_motor; /* force or torque; 0: the motor does nothing */
};

struct cone_settings {
	bool limited;
	float angles[2]; /* maximum swing about the x and the y axis of a's frame [rad]; unequal: the cone is elliptic */
};

/* A gear or pulley: see core/gear.h. */
struct gear_settings {
	double ratio;
	uint32_t joints[2]; /* of a gear: the joints whose coordinates it couples */
	double grounds[2][3]; /* of a pulley: points of the world over which the rope hangs [length] */
};

struct path_settings {
	struct curve *curve; /* in a's frame; the joint destroys it. NULL: not a path joint */
	bool follows; /* b turns with the curve's frame */
};

struct joint_settings {
	/* revolute: the angle; spherical: the twist, which has limits only */
	struct coordinate_settings coordinates[COORDINATES];
	struct drive_settings linear, angular; /* spherical: `angular` */
	struct cone_settings cone; /* spherical */
	struct path_settings path;
	struct ratchet_settings ratchet; /* of coordinate 0, whose limits follow from it */
	struct gear_settings gear; /* gear, pulley */
};

/* Offsets of a drive in a record [bytes]; settings 0: none. */
struct drive_place {
	size_t settings, spring_impulse, motor_impulse; /* of a struct drive_settings, and of its impulses */
	int axes; /* number of floats of each impulse */
};

/* A type of joints in a wing: the places of its data in its records, and the measures of its coordinates. An offset [bytes] of
 * 0 means that the records have no such data. */
struct joint_model {
	size_t coordinates[COORDINATES]; /* of each struct coordinate */
	struct drive_place linear, angular;
	size_t gear; /* of a struct gear_settings */
	size_t cone, cone_impulse; /* of a struct cone_settings, and of its impulse */
	size_t ratchet; /* of a struct ratchet_settings */
	size_t path; /* of a struct path_settings */
	size_t acts; /* of a uint32_t: 1 if any spring, limit or motor is on, else 0 */
	struct {
		size_t at;
		int count;
	} impulses[3]; /* floats: all other impulses, for warm starting */
	size_t frame; /* 2D, of a struct d2_rot: the rotation of frame A in body a */
	/* the coordinate at the bodies' current poses [rad or length], and its rate [rad/s or length/s] */
	double (*value)(const struct world *world, uint32_t joint, int coordinate);
	float (*rate)(const struct world *world, uint32_t joint, int coordinate);
};

/* Read and write the settings in a record of the model. Springs, motors and limits that are switched off lose their impulses.
 */
void joint_settings_load(const struct joint_model *model, const void *row, struct joint_settings *settings);
void joint_settings_store(const struct joint_model *model, void *row, const struct joint_settings *settings);
/* Sets all impulses in a record of the model to 0. */
void joint_settings_rest(const struct joint_model *model, void *row);

/* The path in a record of the model, or NULL. */
static inline struct path_settings *joint_path(const struct joint_model *model, void *row)
{
	return model->path != 0 ? (struct path_settings *)((char *)row + model->path) : NULL;
}

/* The coordinate in a record of the model. */
static inline struct coordinate *joint_coordinate(const struct joint_model *model, void *row, int coordinate)
{
	return (struct coordinate *)((char *)row + model->coordinates[coordinate]);
}
