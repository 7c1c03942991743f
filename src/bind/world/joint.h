/* joint.h - creation of joints, in 2D and 3D. */
#pragma once
#include "bind/world/dimension.h"
#include "d2/dynamics/joint.h"
#include "d3/dynamics/joint.h"

/* The options given to a function that creates a joint. Vectors have as many numbers as there are axes. */
struct joint_input {
	const struct reference *bodies[2]; /* anchored on the stack; NULL: none given */
	struct coordinate_settings settings; /* also of a spherical joint: twist limits, spring rates, motor torque */
	double position[3], anchors[2][3];
	int given_position; /* how many of its numbers were given */
	bool given_anchor[2], given_lower, given_upper, given_target;
	bool collides;

	bool given_reference; /* 2D */
	float reference_angle;

	bool given_axis, given_axes[2], given_rotations[2], cone_limited; /* 3D; axes are unit vectors */
	struct d3_vec_d axis, axes[2];
	struct d3_quat rotations[2], target;
	struct d3_vec motor_velocity;
	float cone;

	/* The joint's frame in each body, set once the bodies are known. That of the world has its origin at the anchor. */
	struct d2_joint_frame plane_frames[2];
	struct d3_joint_frame frames[2];
};

/* Pose of a mount at the point. */
static inline struct d2_pose d2_mount_pose(const double point[3])
{
	return (struct d2_pose){point[0], point[1], {1, 0}};
}

static inline struct d3_pose d3_mount_pose(const double point[3])
{
	return (struct d3_pose){point[0], point[1], point[2], {0, 0, 0, 1}};
}

struct joint_kind {
	const char *function; /* the Lua function that creates the joint */
	const struct dimension *dimension;
	enum option_set options;
	const char *lower, *upper, *target, *motor; /* names of options, for messages */
	/* for options that not all kinds have, or that differ by kind */
	void (*option)(lua_State *L, struct joint_input *input, int option, const struct path *path);
	void (*check)(lua_State *L, struct joint_input *input); /* after all options are read; NULL: nothing to check */
	/* bodies[0] is NONE for the world, whose mount will be at input->position */
	void (*set_frames)(lua_State *L, const struct joint_kind *kind, const struct world *world, struct joint_input *input,
		const uint32_t bodies[2]);
	uint32_t (*create)(struct world *world, const struct joint_input *input, const uint32_t bodies[2]);
};

extern const struct range range_limit; /* of a joint's angles, which count turns [rad] */
extern const struct range range_cone;

int joint_make(lua_State *L, const struct joint_kind *kind);
/* Raises when a coordinate of the point, in a body's frame, is out of range_local. */
void joint_check_reach(lua_State *L, const struct joint_kind *kind, const double *local);
void joint_check_limits(lua_State *L, const char *function, const char *lower, const char *upper, double low, double high);

static inline bool joint_is_spherical(const struct world_object *object, uint32_t joint)
{
	return object->dimension->axes == 3 && object->world->joints.data[joint].link.solver == JOINT_SPHERICAL;
}

/* Raises the error that the method is for the other type of joint. spherical: whether the joint is a spherical one. */
_Noreturn void joint_raise_type(lua_State *L, const char *function, bool spherical);
