/* d3_joint.c - the frames of 3D joints from their options, and methods of all 3D joints. */
#include "bind/world/joint.h"

/* --- Frames --------------------------------------------------------------------------------------------------------------- */

static struct d3_quat_d normalized(struct d3_quat_d q)
{
	double scale = 1 / sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
	return (struct d3_quat_d){scale * q.x, scale * q.y, scale * q.z, scale * q.w};
}

/* The shortest rotation from one unit vector to another; if they are opposite, half a turn about `across`, a unit vector
 * perpendicular to both. */
static struct d3_quat_d turn_between(struct d3_vec_d from, struct d3_vec_d to, struct d3_vec_d across)
{
	struct d3_vec_d axis = d3_cross_d(from, to);
	double w = 1 + d3_dot_d(from, to);
	if (!(w > 1e-12))
		return (struct d3_quat_d){across.x, across.y, across.z, 0};
	return normalized((struct d3_quat_d){axis.x, axis.y, axis.z, w});
}

static struct d3_quat in_body(struct d3_quat body, struct d3_quat_d frame)
{
	struct d3_quat_d q = d3_exact_quat(body);
	q = d3_mul_quat_d((struct d3_quat_d){-q.x, -q.y, -q.z, q.w}, frame);
	return (struct d3_quat){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
}

/* Sets the rotations of the joint's frames: their z axes are the joint's axes, and the twist between them is 0 at the bodies'
 * current poses. */
static void set_axes(struct joint_input *input, const struct d3_pose poses[2])
{
	static const struct d3_vec_d x = {1, 0, 0}, z = {0, 0, 1};
	struct d3_vec_d axes[2];
	for (int side = 0; side < 2; ++side) {
		struct d3_rot_d q = d3_exact_rot(poses[side].q);
		axes[side] = input->given_axes[0] ? d3_turn_d(&q, input->axes[side]) : input->given_axis ? input->axis : z;
	}
	struct d3_quat_d a = turn_between(z, axes[0], x);
	struct d3_rot_d rotation = d3_quat_rot_d(a);
	struct d3_quat_d b = d3_mul_quat_d(turn_between(axes[0], axes[1], rotation.x), a);
	input->d3_frames[0].q = in_body(poses[0].q, a);
	input->d3_frames[1].q = in_body(poses[1].q, b);
}

/* Turns both frames about their z axes, so that a's x axis is the wheel's, or the second one of a universal joint, as far as
 * that is perpendicular to z. */
static void set_spin(lua_State *L, const struct joint_kind *kind, struct joint_input *input, const struct d3_pose poses[2])
{
	struct d3_quat_d a = d3_mul_quat_d(d3_exact_quat(poses[0].q), d3_exact_quat(input->d3_frames[0].q));
	struct d3_rot_d axes = d3_quat_rot_d(a);
	double x = d3_dot_d(input->spin_axis, axes.x), y = d3_dot_d(input->spin_axis, axes.y), length = sqrt(x * x + y * y);
	if (!(length > 0.999))
		raise_error(L, "%s: %s must be perpendicular to axis", kind->function, kind->own->rows[0].name);
	double c = x / length, half = sqrt(max_d(0, 0.5 + 0.5 * c)), sine = sqrt(max_d(0, 0.5 - 0.5 * c));
	struct d3_quat_d turn = {0, 0, y < 0 ? -sine : sine, half};
	for (int side = 0; side < 2; ++side) {
		struct d3_quat_d q = d3_mul_quat_d(d3_exact_quat(input->d3_frames[side].q), turn);
		input->d3_frames[side].q = (struct d3_quat){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
	}
}

/* The point of the world in the frame of the pose. */
static struct d3_vec_d in_frame(const struct d3_pose *pose, const double *point)
{
	struct d3_rot_d q = d3_exact_rot(pose->q);
	return d3_inv_turn_d(&q, (struct d3_vec_d){point[0] - pose->x, point[1] - pose->y, point[2] - pose->z});
}

static struct d3_vec local_anchor(
	lua_State *L, const struct joint_kind *kind, const struct joint_input *input, int side, const struct d3_pose *pose)
{
	struct d3_vec_d local = in_frame(pose, input->given_points[0] ? input->points[side] : input->position);
	joint_check_reach(L, kind, input, side, 3, (const double[]){local.x, local.y, local.z});
	return d3_narrow(local);
}

/* Turns the points of a path into a's frame, in which the first one is the anchor. */
static void set_path(lua_State *L, const struct joint_kind *kind, struct joint_input *input, const struct d3_pose *pose)
{
	struct d3_vec_d first = {0, 0, 0};
	for (uint32_t i = 0; i < input->path_count; ++i) {
		double *point = input->path_points + 3 * i;
		struct d3_vec_d local = in_frame(pose, point);
		joint_check_reach(L, kind, input, 0, 3, (const double[]){local.x, local.y, local.z});
		first = i == 0 ? local : first;
		point[0] = local.x - first.x;
		point[1] = local.y - first.y;
		point[2] = local.z - first.z;
	}
	if (input->path_points != NULL)
		input->d3_frames[0].point = d3_narrow(first);
}

void d3_joint_frames_keep(const struct world *world, uint32_t joint, struct joint_input *input)
{
	struct d3_joint_frame frames[2];
	d3_joint_get_frames(world, joint, frames);
	bool place = input->given_position[0] || input->given_points[0] || input->given_anchors[0];
	bool rotation = input->given_axis || input->given_axes[0] || input->given_rotations[0];
	for (int side = 0; side < 2; ++side) {
		const struct d3_vec *point = &frames[side].point;
		if (!place) {
			input->given_anchors[side] = true;
			memcpy(input->anchors[side], (const double[]){(double)point->x, (double)point->y, (double)point->z},
				sizeof input->anchors[side]);
		}
		if (!rotation) {
			input->given_rotations[side] = true;
			input->rotations[side] = frames[side].q;
		}
	}
}

void d3_joint_frames(
	lua_State *L, const struct joint_kind *kind, const struct world *world, struct joint_input *input, const uint32_t bodies[2])
{
	struct d3_pose poses[2];
	for (int side = 0; side < 2; ++side) {
		const double *anchor = input->anchors[side];
		poses[side] = bodies[side] == NONE ? d3_mount_pose(input->position) : d3_body_pose(world, bodies[side]);
		input->d3_frames[side].point = input->given_anchors[0]
			? (struct d3_vec){(float)anchor[0], (float)anchor[1], (float)anchor[2]}
			: local_anchor(L, kind, input, side, &poses[side]);
		input->d3_frames[side].q = input->rotations[side];
	}
	if (!input->given_rotations[0])
		set_axes(input, poses);
	if (input->given_spin_axis)
		set_spin(L, kind, input, poses);
	set_path(L, kind, input, &poses[0]);
}

/* --- Methods -------------------------------------------------------------------------------------------------------------- */

static int push_vector(lua_State *L, struct d3_vec v)
{
	lua_pushnumber(L, v.x);
	lua_pushnumber(L, v.y);
	lua_pushnumber(L, v.z);
	return 3;
}

static int get_rotation(lua_State *L)
{
	uint32_t joint;
	const struct world *world = check_own(L, "getRotation", &joint)->world;
	struct d3_quat q = d3_joint_rotation(world, joint);
	push_vector(L, (struct d3_vec){q.x, q.y, q.z});
	lua_pushnumber(L, q.w);
	return 4;
}

const luaL_Reg d3_joint_methods[] = {
	{"getRotation", get_rotation},
	{NULL, NULL},
};
