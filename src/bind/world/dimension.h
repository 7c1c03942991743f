/* dimension.h - struct dimension, a table of the differences between 2D and 3D, for functions of the binding that serve both.
 * Methods that only one dimension has (angles, quaternions) are in d2_*.c and d3_*.c. */
#pragma once
#include "bind/lua/args.h"

/* The options given to newBody or newBodies. Vectors have as many numbers as there are axes. */
struct body_input {
	const char *function;
	bool many; /* of newBodies */
	uint32_t count, index; /* of the bodies to create; of the one that is created */
	enum body_type type;
	double position[3];
	bool given_x, given_position;
	double angle; /* 2D [rad] */
	struct rotation_input turn; /* 3D */
	struct d3_quat rotation; /* 3D, once all options are read */
	double velocity[3];
	double angular_velocity[3]; /* one number in 2D */
	float linear_damping, angular_damping, gravity_scale, sleep_threshold;
	bool sleeping_allowed, awake, enabled, bullet;
	uint8_t locks;
	bool given_mass, given_inertia, given_center;
	float mass;
	float inertia[6]; /* one number in 2D; xx, yy, zz, xy, xz, yz in 3D */
	double center[3];
	uint32_t shapes; /* number of entries of the list `shapes` */
	bool given_shapes;
};

/* A shape of the wing, and its pose. */
struct posed_shape {
	const void *shape;
	union {
		struct d2_pose plane;
		struct d3_pose space;
	} pose;
};

/* The rows of a flat list, one for each body, see bulk.c: x, y, angle; vx, vy, angular velocity; fx, fy. In 3D x, y, z, and a
 * quaternion or a vector. */
enum rows_kind { ROWS_TRANSFORMS, ROWS_VELOCITIES, ROWS_FORCES, ROWS_KINDS };

struct rows {
	int width;
	const struct range *range, *turn_range; /* of the first numbers, one for each axis, and of the others */
	/* fills the rows of the bodies; any thread, disjoint ranges; NULL: these rows can only be set */
	void (*read)(const struct world *world, const uint32_t *bodies, uint32_t count, double *rows);
	/* returns NULL, or why the body cannot take the row; may be NULL */
	const char *(*check)(const struct world *world, uint32_t body, const double *row);
	void (*write)(struct world *world, uint32_t body, const double *row);
};

struct drawing;
struct breaking;
struct joint_input;
struct joint_kind;
extern const struct drawing d2_drawing, d3_drawing; /* see draw.h */
extern const struct breaking d2_breaking, d3_breaking; /* see break.h */

struct dimension {
	int axes;
	const struct class *world, *body, *collider, *joint, *field, *mover;
	enum option_set body_options, bodies_options, collider_options;
	const struct drawing *drawing; /* see draw.h */
	const struct breaking *breaking; /* see break.h */
	/* Offsets of these floats in the wing's mover record of a body. */
	size_t linear_damping, angular_damping, gravity_scale;

	const struct wing *wing;

	/* For newBody, in the order of the calls. body_option reads options that only one dimension has, or that differ. */
	void (*body_option)(lua_State *L, struct body_input *input, int option, const struct path *path);
	void (*body_check)(lua_State *L, struct body_input *input); /* after all options are read */
	uint32_t (*body_create)(struct world *world, const struct body_input *input);
	/* applies mass, locks and velocity */
	void (*body_apply)(struct world *world, uint32_t body, const struct body_input *input);
	double (*body_kinetic_energy)(const struct world *world, uint32_t body);
	int (*push_transform)(lua_State *L, const struct world *world, uint32_t body);
	int (*push_render_transform)(lua_State *L, const struct world *world, uint32_t body);
	const struct rows *rows; /* by kind */
	void (*body_put)(struct world *world, uint32_t body, const double point[3]); /* sets the position of its origin */
	void (*body_center)(const struct world *world, uint32_t body, double point[3]);
	uint32_t (*mount_create)(struct world *world, const double point[3]); /* not rotated; NONE: no memory */
	const struct joint_kind *const *joint_kinds; /* by type, see joint.h */
	/* Sets the joint's frames in the input. bodies[0] is NONE for the world, whose mount will be at input->position. */
	void (*joint_frames)(lua_State *L, const struct joint_kind *kind, const struct world *world, struct joint_input *input,
		const uint32_t bodies[2]);
	/* Sets those of the input's options for frames that are not given to the joint's present ones; sets the joint's frames. */
	void (*joint_frames_keep)(const struct world *world, uint32_t joint, struct joint_input *input);
	void (*joint_set_frames)(struct world *world, uint32_t joint, const struct joint_input *input);
	void (*mount_move)(struct world *world, uint32_t body, const double point[3]); /* not rotated */
	uint32_t (*joint_create)(
		struct world *world, enum joint_type type, const struct joint_input *input, const uint32_t bodies[2]);
	void (*joint_anchors)(const struct world *world, uint32_t joint, double points[2][3]);
	/* For drawing: see d2/dynamics/joint.h. */
	void (*joint_basis)(const struct world *world, uint32_t joint, int side, double axes[3][3]);
	bool (*coordinate_axis)(const struct world *world, uint32_t joint, int coordinate, double axis[3]);

	/* Raises unless there is a shape of this dimension at the index. */
	const void *(*check_shape)(lua_State *L, int index, const struct path *path);
	const void *(*shape_in)(lua_State *L, int index); /* the shape of an object that is one */
	/* pushes a new object for the collider's shape; returns whether others may have the shape, too */
	bool (*show_shape)(lua_State *L, const struct world_object *object, struct handle collider, const char *function);
	/* the type name of a shape that dynamic bodies may have only as a sensor, see shape_must_be_static; else NULL */
	const char *(*static_shape_name)(const void *shape);
	/* reads a shape at the index, and its pose after it */
	void (*check_posed_shape)(lua_State *L, int index, const char *function, struct posed_shape *out);

	/* The number, from 1, of a shape's child in the order in which the script gave them, and its kind. *kind NULL: the shape
	 * has no parts. */
	uint64_t (*part)(const void *shape, uint32_t child, const char **kind);

	/* Whether the shape is its collider's alone, as it may be edited: scripts do not get it. */
	bool (*shape_is_own)(const void *shape);

	double (*colliders_distance)(const struct world *world, uint32_t a, uint32_t b); /* <= 0: they overlap [length] */
	/* The part that touches on one side of a contact: a child, for `part`. */
	uint32_t (*contact_part)(const struct world *world, uint32_t contact, int side);
	/* Computes the rows of a contact's points, with the contact's collider `first` as a, and returns their number. */
	uint32_t (*contact_rows)(const struct world *world, uint32_t contact, int first, double rows[CONTACT_POINTS][CONTACT_ROW]);
};

extern const struct dimension d2_dimension, d3_dimension;

/* Raises for a chain, mesh, height field, half-plane or half-space that is not a sensor: two of them have no manifold, so a
 * dynamic body with one would fall through others. */
void check_solid(lua_State *L, const struct world_object *object, const void *shape, bool sensor, const struct path *path);

/* Makes the normal of a one-way collider a unit vector. Raises if it is 0. */
void one_way_normal(lua_State *L, const struct path *path, const double given[3], float normal[3]);

/* The id of the body at stack index `index`; raises unless it is a live one of this world. */
uint32_t value_body(lua_State *L, const struct world_object *object, int index, const struct path *path);

/* Members of d2_dimension and d3_dimension, defined in d2_body.c and d3_body.c. */
extern const struct rows d2_flat_rows[ROWS_KINDS], d3_flat_rows[ROWS_KINDS];
void d2_body_option(lua_State *L, struct body_input *input, int option, const struct path *path);
void d2_body_check(lua_State *L, struct body_input *input);
uint32_t d2_body_make(struct world *world, const struct body_input *input);
void d2_body_apply(struct world *world, uint32_t body, const struct body_input *input);
int d2_push_transform(lua_State *L, const struct world *world, uint32_t body);
int d2_push_render_transform(lua_State *L, const struct world *world, uint32_t body);
void d3_body_option(lua_State *L, struct body_input *input, int option, const struct path *path);
void d3_body_check(lua_State *L, struct body_input *input);
uint32_t d3_body_make(struct world *world, const struct body_input *input);
void d3_body_apply(struct world *world, uint32_t body, const struct body_input *input);
int d3_push_transform(lua_State *L, const struct world *world, uint32_t body);
int d3_push_render_transform(lua_State *L, const struct world *world, uint32_t body);

/* Members of d2_dimension and d3_dimension, defined in d2_joint.c and d3_joint.c. */
void d2_joint_frames(lua_State *L, const struct joint_kind *kind, const struct world *world, struct joint_input *input,
	const uint32_t bodies[2]);
void d2_joint_frames_keep(const struct world *world, uint32_t joint, struct joint_input *input);
void d3_joint_frames_keep(const struct world *world, uint32_t joint, struct joint_input *input);
void d3_joint_frames(lua_State *L, const struct joint_kind *kind, const struct world *world, struct joint_input *input,
	const uint32_t bodies[2]);

#define EFFECT_MOST 1e15

/* Raises if the effect is too strong: the body's velocity could leave the range of floats. effect: an upper bound on the
 * acceleration by a force or on the change of velocity by an impulse, linear or angular. */
static inline void check_effect(lua_State *L, const char *function, double effect)
{
	if (!(effect <= EFFECT_MOST))
		raise_error(L, "%s: too strong for so light a body: it would change its speed by %f", function, effect);
}
