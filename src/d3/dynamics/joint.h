/* joint.h - the 3D joints: data and functions of each type.
 * Each body carries a frame of the joint. The joint holds the origins of both frames together; the joint axis is the z axis of
 * each frame. The rotation from a's frame to b's is first a twist about the axis and then a swing, about an axis perpendicular
 * to it, that takes a's axis to b's. The twist is counter-clockwise if the axis points to the viewer, and counts turns; the
 * swing is in [0, pi]. Impulses are kept from step to step for warm starting. Serial. */
#pragma once
#include "base/cache.h"
#include "core/drive.h"
#include "core/gear.h"
#include "core/joint.h"
#include "d3/dynamics/d3.h"

/* The joint's frame in a body's frame. */
struct d3_joint_frame {
	struct d3_vec point; /* [length] */
	struct d3_quat q;
};

/* The first member of all joint records. If a joint only holds the point, the solver needs only the first cache line. */
struct d3_joint {
	struct d3_vec point_a; /* in a's frame [length] */
	uint32_t acts; /* of a spherical joint; not 0: it has a spring, limits or a motor, too */
	struct d3_vec point_b;
	float none_point; /* padding: lanes load four numbers at once */
	/* Impulses on b in the last sub-step, in the world: */
	struct d3_vec impulse; /* at the common point [mass length/s] */
	float none_impulse;
	struct d3_vec turn_impulse; /* angular, of all other constraints [mass length^2/s] */
	float none_turn;

	struct d3_quat qa, qb; /* the joint's frames in a's and b's */
};

/* A joint whose bodies rotate about a common axis. Its angle is the twist. */
struct d3_revolute {
	struct d3_joint joint;
	float bend_impulse[2]; /* angular, on b in the last sub-step, about the x and y axes of a's frame [mass length^2/s] */
	float none[2];
	struct coordinate angle;
};

/* A joint whose bodies rotate about a common point. */
struct d3_spherical {
	struct d3_joint joint;
	/* Angular impulses on b in the last sub-step; spring, motor: in the world; cone: against the swing [mass length^2/s] */
	struct d3_vec spring_impulse;
	float cone_impulse;
	struct d3_vec motor_impulse;
	float none_motor;
	struct coordinate twist; /* has limits only */
	struct drive_settings drive; /* target: a quaternion */
	struct cone_settings cone;
};

/* A joint that is a list of rows: see rows_joint.wide.c; or a gear or pulley, with one lock or the limits: see gear_joint.c.
 * `impulse` and `turn_impulse` are the sums of all. */
struct d3_rows {
	struct d3_joint joint;
	float lock_impulses[8]; /* of the locks in the last sub-step [mass length/s, mass length^2/s] */
	union {
		struct coordinate coordinates[COORDINATES];
		struct drive drives[2]; /* linear, angular */
		struct {
			struct coordinate angle;
			struct ratchet_settings settings;
		} ratchet;
		struct {
			struct coordinate total; /* of a pulley, whose lengths have limits */
			struct gear gear;
		};
		struct {
			struct coordinate distance;
			struct path_settings settings;
		} path;
	};
};

/* An odd number of cache lines: so the first lines of many joints use all sets of a cache. */
union d3_joint_row {
	struct d3_joint joint;
	struct d3_revolute revolute;
	struct d3_spherical spherical;
	struct d3_rows rows;
	uint8_t lines[9 * CACHE_LINE];
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

static inline struct d3_rows *d3_rows(const struct world *world, uint32_t joint)
{
	return (struct d3_rows *)joint_row(world, joint);
}

/* The types of joints, by enum joint_type. */
extern const struct joint_model d3_joint_models[JOINT_TYPES];

/* Creates a joint of the type. NONE: out of memory. */
uint32_t d3_joint_create(struct world *world, enum joint_type type, uint32_t body_a, uint32_t body_b,
	const struct d3_joint_frame frames[2], bool collides, const struct joint_settings *settings);
/* The joint's frames. To move a joint, store other ones, then call joint_refit. */
void d3_joint_get_frames(const struct world *world, uint32_t joint, struct d3_joint_frame frames[2]);
void d3_joint_store_frames(struct world *world, uint32_t joint, const struct d3_joint_frame frames[2]);

/* The axis of a coordinate in the world, and its value without whole turns. a, b: the joint's frames in the world; gap: from
 * a's anchor to b's. Pure. */
struct d3_vec_d d3_joint_axis(
	enum joint_type type, int coordinate, struct d3_quat a, struct d3_quat b, struct d3_vec_d gap, double *value);
struct d3_quat d3_joint_rotation(const struct world *world, uint32_t joint); /* of b's frame in a's */
float d3_joint_swing(const struct world *world, uint32_t joint); /* [rad] */
/* The anchors on both bodies, and the z axes of both joint frames, in the world. */
void d3_joint_anchors(const struct world *world, uint32_t joint, double points[2][3]);
void d3_joint_axes(const struct world *world, uint32_t joint, struct d3_vec axes[2]);
/* Writes the axes of the joint's frame on the body at one side, in the world. */
void d3_joint_basis(const struct world *world, uint32_t joint, int side, double axes[3][3]);
/* Writes the axis in the world, a unit vector, along or about which b moves when the coordinate grows. True: about it. Not of
 * pulleys and paths. */
bool d3_coordinate_axis(const struct world *world, uint32_t joint, int coordinate, double axis[3]);
/* Writes force and torque on b in the last sub-step [mass length/s^2], [mass length^2/s^2]. */
void d3_joint_reactions(const struct world *world, uint32_t joint, struct vec3 reactions[2]);
/* For both bodies, h |r| |F| / I of the force in the last sub-step, see inertia_left, per h [1/s]. */
void d3_joint_pulls(const struct world *world, uint32_t joint, bool exact, float pulls[2]);
