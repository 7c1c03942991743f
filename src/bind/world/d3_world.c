/* d3_world.c - 3D worlds: their own methods, and their table of struct dimension. */
#include "bind/world/dimension.h"
#include "d3/dynamics/joint.h"

#include <stddef.h>

static void body_center(const struct world *world, uint32_t body, double point[3])
{
	const struct d3_body *row = d3_row(world, body);
	point[0] = row->x;
	point[1] = row->y;
	point[2] = row->z;
}

static void joint_anchors(const struct world *world, uint32_t joint, double points[2][3])
{
	d3_joint_anchors(world, joint, points[0], points[1]);
}

static bool contact_row(const struct world *world, uint32_t contact, uint32_t point, double row[CONTACT_ROW])
{
	struct d3_contact_point points[4];
	struct d3_vec normal;
	if ((int)point >= d3_contact_points(world, contact, &normal, points))
		return false;
	row[0] = (double)normal.x;
	row[1] = (double)normal.y;
	row[2] = (double)normal.z;
	row[3] = points[point].x;
	row[4] = points[point].y;
	row[5] = points[point].z;
	row[6] = (double)points[point].separation;
	row[7] = (double)points[point].impulse;
	return true;
}

/* --- Queries -------------------------------------------------------------------------------------------------------------- */

static const void *check_shape_object(lua_State *L, int index, const struct path *path)
{
	return d3_value_shape(L, index, path);
}

static const char *terrain_name(const void *shape)
{
	return d3_shape_terrain(shape) ? d3_shape_type_name(shape) : NULL;
}

static void check_placed(lua_State *L, int index, const char *function, struct placed_shape *out)
{
	out->shape = d3_check_shape(L, index, function, "shape");
	out->pose.space = d3_check_pose(L, index + 1, function, "pose");
}

/* A box with zero extent, for a point, a line or a face, gets the least length. */
static float box_side(double from, double to)
{
	return (float)max_d(to - from, range_length.low);
}

static bool overlap_box(struct world_object *object, const double lower[3], const double upper[3],
	const struct query_filter *filter, bool (*visit)(void *context, uint32_t collider), void *context)
{
	static const struct d3_quat identity = {0, 0, 0, 1};
	struct d3_pose pose = {lower[0] + (upper[0] - lower[0]) / 2, lower[1] + (upper[1] - lower[1]) / 2,
		lower[2] + (upper[2] - lower[2]) / 2, identity};
	struct d3_vec size = {box_side(lower[0], upper[0]), box_side(lower[1], upper[1]), box_side(lower[2], upper[2])};
	struct d3_shape *shape = d3_box_create(&object->memory, size, (struct d3_vec){0, 0, 0}, identity, 0);
	if (shape == NULL)
		return false;
	query_overlap(object->world, shape, &pose, filter, visit, context);
	d3_shape_release(shape);
	return true;
}

const struct dimension dimension_space = {
	.axes = 3,
	.world = &class_d3_world,
	.body = &class_d3_body,
	.collider = &class_d3_collider,
	.joint = &class_d3_joint,
	.body_options = OPTIONS_D3_BODY,
	.collider_options = OPTIONS_D3_COLLIDER,
	.tangent_option = d3_tangent_option,
	.mass = offsetof(struct d3_body, mass),
	.linear_damping = offsetof(struct d3_body, linear_damping),
	.angular_damping = offsetof(struct d3_body, angular_damping),
	.gravity_scale = offsetof(struct d3_body, gravity_scale),
	.drawing = &drawing_space,
	.wing = &d3_wing,
	.body_option = d3_body_option,
	.body_check = d3_body_check,
	.body_create = d3_body_make,
	.body_apply = d3_body_apply,
	.body_kinetic_energy = d3_body_kinetic_energy,
	.push_transform = d3_push_transform,
	.check_shape = check_shape_object,
	.terrain_name = terrain_name,
	.check_placed = check_placed,
	.body_center = body_center,
	.joint_anchors = joint_anchors,
	.contact_row = contact_row,
	.overlap_box = overlap_box,
};

/* --- Methods -------------------------------------------------------------------------------------------------------------- */

static int new_world(lua_State *L)
{
	return world_new(L, &dimension_space);
}

const luaL_Reg d3_world_functions[] = {
	{"newWorld", new_world},
	{NULL, NULL},
};

const luaL_Reg d3_world_methods[] = {
	{"newRevoluteJoint", d3_new_revolute_joint},
	{"newSphericalJoint", d3_new_spherical_joint},
	{NULL, NULL},
};
