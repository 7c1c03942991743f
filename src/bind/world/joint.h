/* joint.h - joints as tables: a struct joint_kind describes one type in 2D or 3D. Creation and methods are the same for all.
 * A part of a joint is a coordinate, a drive, a cone limit or a ratchet: it has limits, a spring, a motor or teeth, each with
 * its option keys. */
#pragma once
#include "bind/world/dimension.h"
#include "d2/dynamics/joint.h"
#include "d3/dynamics/joint.h"

/* --- Creation ------------------------------------------------------------------------------------------------------------- */

/* Stack slots of the functions that create joints, from the bottom. */
enum joint_slot {
	JOINT_AT_SELF = 1,
	JOINT_AT_OPTIONS,
	JOINT_AT_ENVIRONMENT,
	JOINT_AT_BODY_A,
	JOINT_AT_BODY_B,
	JOINT_AT_NAME,
	JOINT_AT_DATA,
	JOINT_AT_POINTS,
	JOINT_AT_JOINT
};

enum part_key {
	KEY_LOWER,
	KEY_UPPER,
	KEY_HERTZ,
	KEY_DAMPING_RATIO,
	KEY_TARGET,
	KEY_LEAST_SPRING,
	KEY_MOST_SPRING,
	KEY_SPEED,
	KEY_MAX_MOTOR,
	KEY_MOTOR_TARGET,
	KEY_TOOTH,
	KEY_PHASE,
	PART_KEYS
};

enum { JOINT_PARTS = 6, JOINT_MEASURES = 4 }; /* maxima of a type */

/* The options given to a function that creates a joint. Vectors have as many numbers as there are axes. */
struct joint_input {
	const struct reference *bodies[2]; /* anchored on the stack; NULL: none given */
	const struct reference *joints[2]; /* of a gear, likewise */
	const struct class *body_class, *joint_class; /* of the dimension */
	int axes_count; /* of the dimension */
	struct joint_settings settings;
	uint32_t given_keys[JOINT_PARTS]; /* bit i: key i of the part was given */
	uint32_t unlocked; /* six-DOF: bit i: axis i is not locked */
	double position[3], anchors[2][3], points[2][3];
	bool given_position[3], given_anchors[2], given_points[2], given_grounds[2];
	bool collides, enabled, breakable;
	float thresholds[2]; /* INFINITY: none */
	float softness[2]; /* frequency and damping ratio of locks and limits; NAN: the world's */
	bool given_axis, given_axes[2], given_rotations[2], given_reference;
	bool given_spin_axis; /* 3D: of a wheel, or the second axis of a universal joint */
	struct d3_vec_d axis, axes[2], spin_axis; /* unit vectors */
	struct d3_quat rotations[2]; /* 3D */
	float reference_angle; /* 2D */

	/* Of a path: points of `axes_count` numbers, in the world, and later in a's frame, where the first one is the origin. */
	double *path_points; /* anchored on the stack; NULL: not a path joint */
	uint32_t path_count;
	bool path_loop;

	/* The joint's frame in each body, set once the bodies are known. That of the world has its origin at the anchor. */
	struct d2_joint_frame d2_frames[2];
	struct d3_joint_frame d3_frames[2];
};

/* An option that is not one of a part's keys. */
struct joint_row {
	const char *name;
	void (*read)(lua_State *L, const struct joint_row *row, const struct path *path, struct joint_input *input);
	size_t place; /* of the value: its offset in struct joint_input, or the stack slot that keeps it */
	const struct range *range;
	size_t given; /* offset of a bool that becomes true; 0: there is none */
};

struct joint_rows {
	const struct joint_row *rows;
	uint32_t count;
};

/* Rows for the frames of joints: in 2D for types without an axis and with one, in 3D for all. */
extern const struct joint_rows d2_angle_rows, d2_axis_rows, d3_axis_rows;
/* Rows of some types: the wheel's axis in 3D; b's axis of a universal joint, kept as if it were a wheel's; the body that a
 * mouse joint pulls; those of gears and pulleys; the points of a path; the angles of an elliptic cone; the freedom of a six-DOF
 * joint, whose parts' keys are in that table. */
extern const struct joint_rows joint_spin_rows, joint_second_axis_rows, joint_mouse_rows, joint_gear_rows, joint_pulley_rows,
	joint_path_rows, joint_cone_rows, joint_freedom_rows;

/* Readers of rows: a float and a boolean. */
void joint_read_float(lua_State *L, const struct joint_row *row, const struct path *path, struct joint_input *input);
void joint_read_boolean(lua_State *L, const struct joint_row *row, const struct path *path, struct joint_input *input);

/* --- Types ---------------------------------------------------------------------------------------------------------------- */

/* Methods that not all types have, without get or set. */
enum joint_method {
	METHOD_LIMITS,
	METHOD_CONE_LIMIT,
	METHOD_TWIST_LIMITS,
	METHOD_SPRING,
	METHOD_MOTOR,
	METHOD_RATCHET,
	METHOD_MOTOR_FORCE,
	METHOD_MOTOR_TORQUE,
	METHOD_COORDINATE,
	METHOD_ANGLE,
	METHOD_SPEED,
	METHOD_TWIST_ANGLE,
	METHOD_SWING_ANGLE,
	METHOD_LENGTH,
	METHOD_TRANSLATION,
	METHOD_SPIN_ANGLE,
	METHOD_SPIN_SPEED,
	METHOD_STEERING_ANGLE,
	METHOD_FIRST_ANGLE,
	METHOD_SECOND_ANGLE,
	METHOD_TARGET,
	METHOD_RATIO,
	METHOD_JOINT_A,
	METHOD_JOINT_B,
	METHOD_LENGTH_A,
	METHOD_LENGTH_B,
	METHOD_JOINT_HERTZ,
	METHOD_JOINT_DAMPING_RATIO,
	METHOD_DISTANCE
};

/* The value of a key. */
struct part_value {
	const char *arguments[4]; /* names of a setter's arguments; [0] NULL: the key */
	size_t offset; /* in the part's settings, of `count` floats */
	const struct range *range;
	int count; /* 4: a rotation */
	const float *missing; /* the value without these arguments; NULL: they are required */
	size_t given; /* offset of a bool: whether the value is given; 0: there is none */
};

enum part_group { GROUP_LIMITS, GROUP_SPRING, GROUP_MOTOR, GROUP_RATCHET, PART_GROUPS };

/* The settings of parts with the same kind of values. */
struct part_class {
	size_t flags[PART_GROUPS]; /* offsets of the bools that switch each group on */
	enum joint_method motor_getter;
	struct part_value values[PART_KEYS];
};

enum { PLACE_LINEAR = COORDINATES, PLACE_ANGULAR, PLACE_CONE, PLACE_RATCHET };

struct joint_part {
	const char *name; /* for scripts, if the methods of the type name their part */
	const struct part_class *class;
	int place; /* the number of a coordinate, or PLACE_LINEAR to PLACE_RATCHET */
	enum joint_method limits; /* the method for its limits */
	bool target; /* it has a target, a point of the world */
	const char *keys[PART_KEYS]; /* names of options; NULL: it has no such value */
};

/* A method that returns one number. */
struct joint_measure {
	enum joint_method method;
	double (*of)(const struct world *world, uint32_t joint, int coordinate); /* NULL: the end */
	int coordinate;
};

struct joint_kind {
	enum joint_type type;
	const char *name, *function; /* the type's name for scripts, and the function that creates such joints */
	enum option_set options;
	bool unlocked; /* it has neither locks nor limits, and so no softness */
	bool named; /* the first argument of methods for parts is the part's name */
	const struct joint_rows *frame; /* options for its frames; NULL: it has none, nor any for a place */
	const struct joint_rows *own; /* more options; may be NULL */
	void (*adjust)(lua_State *L, const struct joint_kind *kind, struct joint_input *input); /* before the checks; may be NULL */
	struct joint_part parts[JOINT_PARTS]; /* the first without a class ends the list */
	struct joint_measure measures[JOINT_MEASURES];
};

/* By type; NULL for types that the dimension lacks. */
extern const struct joint_kind *const d2_joint_kinds[JOINT_TYPES], *const d3_joint_kinds[JOINT_TYPES];

/* Of a joint's angles, which count turns [rad]; of thresholds of forces and torques; of the angle of a circular cone, and of
 * those of an elliptic one [rad]. */
extern const struct range range_limit, range_threshold, range_cone, range_ellipse;

static inline const struct joint_kind *joint_kind(const struct world_object *object, uint32_t joint)
{
	return object->dimension->joint_kinds[object->world->joints.data[joint].link.solver];
}

/* The part's settings among those of its joint. */
void *part_settings(const struct joint_part *part, struct joint_settings *settings);

static inline bool *part_flag(const struct joint_part *part, void *settings, enum part_group group)
{
	return (bool *)((char *)settings + part->class->flags[group]);
}

static inline float *part_floats(void *settings, const struct part_value *value)
{
	return (float *)(void *)((char *)settings + value->offset);
}

/* --- Functions ------------------------------------------------------------------------------------------------------------ */

/* Reads and checks the options at JOINT_AT_OPTIONS. */
void joint_parse(lua_State *L, const struct joint_kind *kind, const struct world_object *object, struct joint_input *input);
/* Reads the options for the frames of a joint, all of which may be missing. kind: the type's, with the name of the function. */
void joint_parse_frames(
	lua_State *L, const struct joint_kind *kind, const struct world_object *object, struct joint_input *input);
/* "x and y" or "x, y and z" */
const char *joint_position_names(int axes);
/* Raises when a coordinate of an anchor, in a body's frame, is out of range_local. side: of the body. */
void joint_check_reach(
	lua_State *L, const struct joint_kind *kind, const struct joint_input *input, int side, int axes, const double *local);
/* Raises if the ratio is 0, or negative for a pulley. */
void joint_check_ratio(lua_State *L, const char *function, enum joint_type type, double ratio);
/* Raises if the lower limit exceeds the upper one, or a tooth has no angle. */
void joint_check_part(lua_State *L, const char *function, const struct joint_part *part, void *settings);

/* Whether the handle of a joint that is about to be destroyed must be kept: it has a name or data, or events may name it. */
static inline bool joint_keeps(const struct world_object *object, const struct reference *reference)
{
	return reference->noted || object->world->events.joints.count > 0;
}
/* For gears on a joint that is about to be destroyed, with the object of `reference`. gears_keep: calls dead_keep where they
 * have a name or data. Each call may run a finalizer; false: it has destroyed the object of `reference`. gears_retire: retires
 * their handles. */
bool gears_keep(lua_State *L, struct world_object *object, int environment, const struct reference *reference, uint32_t joint);
void gears_retire(lua_State *L, const struct world_object *object, int environment, uint32_t joint);

/* Pose of a mount at the point. */
static inline struct d2_pose d2_mount_pose(const double point[3])
{
	return (struct d2_pose){point[0], point[1], {1, 0}};
}

static inline struct d3_pose d3_mount_pose(const double point[3])
{
	return (struct d3_pose){point[0], point[1], point[2], {0, 0, 0, 1}};
}
