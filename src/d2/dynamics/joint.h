/* joint.h - 2D joints: their records and functions.
 * Each body carries a frame of the joint, whose origin is the anchor. Angles are those of b's frame in a's, counter-clockwise,
 * and count turns. Impulses are kept from step to step for warm starting.
 * Serial. */
#pragma once
#include "base/cache.h"
#include "core/drive.h"
#include "core/gear.h"
#include "core/joint.h"
#include "d2/dynamics/d2.h"

/* The joint's frame in a body's frame. */
struct d2_joint_frame {
	struct d2_vec point; /* [length] */
	struct d2_rot q;
};

/* The first member of all joint records. */
struct d2_joint {
	struct d2_vec local_a, local_b; /* the anchor in each body's frame [length] */
	struct d2_rot reference; /* rotation of b in the frame of a at angle 0 */
	struct d2_vec impulse; /* on b in the last sub-step [mass length/s] */
};

struct d2_revolute {
	struct d2_joint joint;
	struct coordinate angle; /* begins right after `impulse`: one store writes numbers of both */
};

/* A joint that is a list of rows: see rows_joint.wide.c; or a gear or pulley, with one lock or the limits: see gear_joint.c.
 * `impulse` is the sum of all linear ones. */
struct d2_rows {
	struct d2_joint joint;
	struct d2_rot frame; /* a's frame of the joint in a: its x axis is that of a prismatic or wheel joint */
	float none[2]; /* padding: lanes load and store four numbers at once */
	float lock_impulses[3]; /* of the locks in the last sub-step [mass length/s, mass length^2/s] */
	float turn_impulse; /* sum of all angular ones [mass length^2/s] */
	union {
		struct coordinate coordinates[2];
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
union d2_joint_row {
	struct d2_joint joint;
	struct d2_revolute revolute;
	struct d2_rows rows;
	uint8_t lines[5 * CACHE_LINE];
};

/* The types of joints, by enum joint_type. */
extern const struct joint_model d2_joint_models[JOINT_TYPES];

static inline struct d2_joint *d2_joint(const struct world *world, uint32_t joint)
{
	return (struct d2_joint *)joint_row(world, joint);
}

static inline struct d2_revolute *d2_revolute(const struct world *world, uint32_t joint)
{
	return (struct d2_revolute *)joint_row(world, joint);
}

static inline struct d2_rows *d2_rows(const struct world *world, uint32_t joint)
{
	return (struct d2_rows *)joint_row(world, joint);
}

/* Creates a joint of the type. The joint angle is that of frame B in frame A. NONE: no memory. */
uint32_t d2_joint_create(struct world *world, enum joint_type type, uint32_t body_a, uint32_t body_b,
	const struct d2_joint_frame frames[2], bool collides, const struct joint_settings *settings);
/* The joint's frames. To move a joint, store other ones, then call joint_refit. */
void d2_joint_get_frames(const struct world *world, uint32_t joint, struct d2_joint_frame frames[2]);
void d2_joint_store_frames(struct world *world, uint32_t joint, const struct d2_joint_frame frames[2]);

/* Writes x and y of both bodies' anchors in the world; the third numbers stay as they are. */
void d2_joint_anchors(const struct world *world, uint32_t joint, double points[2][3]);
/* Writes the x, y and z axes of the joint's frame on the body at one side, in the world; z points to the viewer. */
void d2_joint_basis(const struct world *world, uint32_t joint, int side, double axes[3][3]);
/* Writes the axis in the world, a unit vector, along or about which b moves when the coordinate grows. True: about it. Not of
 * pulleys and paths. */
bool d2_coordinate_axis(const struct world *world, uint32_t joint, int coordinate, double axis[3]);
/* Writes to reactions[0] the force on b in the last sub-step [mass length/s^2], and to the first number of reactions[1] the
 * torque on b [mass length^2/s^2]. */
void d2_joint_reactions(const struct world *world, uint32_t joint, struct vec3 reactions[2]);
/* For both bodies, h |r| |F| / I of the force in the last sub-step, see inertia_left, per h [1/s]. */
void d2_joint_pulls(const struct world *world, uint32_t joint, bool exact, float pulls[2]);
