/* dimension.h - what differs between the plane and space, for functions of the binding that serve worlds of both: one table for
 * each. What only one dimension has (angles, quaternions) are methods of its own objects, in d2_*.c and d3_*.c. */
#pragma once
#include "bind/lua/args.h"

/* What newBody was given. Vectors have as many numbers as there are axes. */
struct body_input {
	enum body_type type;
	double position[3];
	bool given_x, given_position;
	double angle; /* in the plane [rad] */
	double rotation[4]; /* in space: a quaternion of any length but 0 */
	bool given_rotation; /* as a list */
	int given_quaternion; /* how many of its numbers, one by one */
	double velocity[3];
	double angular_velocity[3]; /* one number in the plane */
	float linear_damping, angular_damping, gravity_scale, sleep_threshold;
	bool sleeping_allowed, awake, enabled, bullet;
	uint8_t locks;
	bool given_mass, given_inertia, given_center;
	float mass;
	float inertia[6]; /* one number in the plane; in space xx, yy, zz, xy, xz, yz */
	double center[3];
	uint32_t shapes; /* entries of the list `shapes` */
	bool given_shapes;
};

/* A shape of the wing's, and where it stands. */
struct placed_shape {
	const void *shape;
	union {
		struct d2_pose plane;
		struct d3_pose space;
	} pose;
};

enum { CONTACT_ROW = 8 }; /* normal, point, separation, impulse */

struct drawing;
extern const struct drawing drawing_plane, drawing_space; /* see draw.h */

/* What differs between the plane and space, where a function serves both. */
struct dimension {
	int axes;
	const struct class *world, *body, *collider, *joint;
	enum option_set body_options, collider_options;
	const struct drawing *drawing; /* see draw.h */
	/* Where the wing's row of a body has these numbers. */
	size_t mass, linear_damping, angular_damping, gravity_scale;

	struct world *(*world_create)(struct memory *memory, const struct settings *settings, int workers, const double gravity[3]);

	/* Bodies: newBody in the order of its steps. The option is one that both dimensions have not, or of another kind. */
	void (*body_option)(lua_State *L, struct body_input *input, int option, const struct path *path);
	void (*body_check)(lua_State *L, struct body_input *input); /* once all options are read; NULL: nothing is left to check */
	uint32_t (*body_create)(struct world *world, const struct body_input *input);
	void (*body_apply)(struct world *world, uint32_t body, const struct body_input *input); /* mass, locks and velocity */
	void (*body_reset_mass)(struct world *world, uint32_t body);
	double (*body_kinetic_energy)(const struct world *world, uint32_t body);
	int (*push_transform)(lua_State *L, const struct world *world, uint32_t body);

	/* how a collider's surface runs */
	void (*tangent_option)(lua_State *L, struct material *material, const struct path *path);
	/* Raises unless there is a shape of this dimension. */
	const void *(*check_shape)(lua_State *L, int index, const struct path *path);
	/* the type of a shape that no dynamic body may have but as a sensor; NULL for others */
	const char *(*terrain_name)(const void *shape);
	/* the shape, and its pose behind it */
	void (*check_placed)(lua_State *L, int index, const char *function, struct placed_shape *out);

	/* Fills in a row of world:contacts(); false when the contact has not so many points. */
	bool (*contact_row)(const struct world *world, uint32_t contact, uint32_t point, double row[CONTACT_ROW]);

	void (*raycast)(struct world *world, const double from[3], const double to[3], const struct query_filter *filter,
		float (*visit)(void *context, const struct hit *hit), void *context);
	void (*overlap)(struct world *world, const struct placed_shape *shape, const struct query_filter *filter,
		bool (*visit)(void *context, uint32_t collider), void *context);
	/* A box between two corners, lower and upper. False: no memory. */
	bool (*overlap_box)(struct world_object *object, const double lower[3], const double upper[3],
		const struct query_filter *filter, bool (*visit)(void *context, uint32_t collider), void *context);
};

extern const struct dimension dimension_plane, dimension_space;

/* Raises when the shape is terrain and does not belong to a sensor: a dynamic body would fall through other terrain. */
void check_solid(lua_State *L, const struct world_object *object, const void *shape, bool sensor, const struct path *path);

void d2_tangent_option(lua_State *L, struct material *material, const struct path *path);
void d3_tangent_option(lua_State *L, struct material *material, const struct path *path);

/* Of bodies, in d2_body.c and d3_body.c. */
void d2_body_option(lua_State *L, struct body_input *input, int option, const struct path *path);
uint32_t d2_body_make(struct world *world, const struct body_input *input);
void d2_body_apply(struct world *world, uint32_t body, const struct body_input *input);
int d2_push_transform(lua_State *L, const struct world *world, uint32_t body);
void d3_body_option(lua_State *L, struct body_input *input, int option, const struct path *path);
void d3_body_check(lua_State *L, struct body_input *input);
uint32_t d3_body_make(struct world *world, const struct body_input *input);
void d3_body_apply(struct world *world, uint32_t body, const struct body_input *input);
int d3_push_transform(lua_State *L, const struct world *world, uint32_t body);

/* What forces and impulses may do to a body at once: so little mass that a push would leave the floats is refused. */
static inline void check_effect(lua_State *L, const char *function, double effect)
{
	if (!(effect <= 1e15))
		raise(L, "%s: too strong for so light a body: it would change its speed by %f", function, effect);
}
