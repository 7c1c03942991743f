/* d2_world.c - 2D worlds: their own methods, and their table of struct dimension. */
#include "bind/world/dimension.h"
#include "d2/dynamics/joint.h"

#include <stddef.h>

static void body_center(const struct world *world, uint32_t body, double point[3])
{
	const struct d2_body *row = d2_row(world, body);
	point[0] = row->x;
	point[1] = row->y;
}

static void joint_anchors(const struct world *world, uint32_t joint, double points[2][3])
{
	d2_joint_anchors(world, joint, points[0], points[1]);
}

static bool contact_row(const struct world *world, uint32_t contact, uint32_t point, double row[CONTACT_ROW])
{
	struct d2_contact_point points[2];
	struct d2_vec normal;
	if ((int)point >= d2_contact_points(world, contact, &normal, points))
		return false;
	row[0] = (double)normal.x;
	row[1] = (double)normal.y;
	row[2] = points[point].x;
	row[3] = points[point].y;
	row[4] = (double)points[point].separation;
	row[5] = (double)points[point].impulse;
	return true;
}

/* --- Queries -------------------------------------------------------------------------------------------------------------- */

static const void *check_shape_object(lua_State *L, int index, const struct path *path)
{
	return d2_value_shape(L, index, path);
}

static const char *terrain_name(const void *shape)
{
	return d2_shape_terrain(shape) ? d2_shape_type_name(shape) : NULL;
}

static void check_placed(lua_State *L, int index, const char *function, struct placed_shape *out)
{
	out->shape = d2_check_shape(L, index, function, "shape");
	out->pose.plane = d2_check_pose(L, index + 1, function, "pose");
}

/* A box with zero extent, for a point or a line, gets the least length. */
static float box_side(double from, double to)
{
	return (float)max_d(to - from, range_length.low);
}

static bool overlap_box(struct world_object *object, const double lower[3], const double upper[3],
	const struct query_filter *filter, bool (*visit)(void *context, uint32_t collider), void *context)
{
	struct d2_pose pose = {lower[0] + (upper[0] - lower[0]) / 2, lower[1] + (upper[1] - lower[1]) / 2, {1, 0}};
	struct d2_shape *shape = d2_box_create(&object->memory, box_side(lower[0], upper[0]), box_side(lower[1], upper[1]),
		(struct d2_vec){0, 0}, (struct d2_rot){1, 0}, 0);
	if (shape == NULL)
		return false;
	query_overlap(object->world, shape, &pose, filter, visit, context);
	d2_shape_release(shape);
	return true;
}

const struct dimension dimension_plane = {
	.axes = 2,
	.world = &class_world,
	.body = &class_body,
	.collider = &class_collider,
	.joint = &class_joint,
	.body_options = OPTIONS_BODY,
	.collider_options = OPTIONS_COLLIDER,
	.tangent_option = d2_tangent_option,
	.mass = offsetof(struct d2_body, mass),
	.linear_damping = offsetof(struct d2_body, linear_damping),
	.angular_damping = offsetof(struct d2_body, angular_damping),
	.gravity_scale = offsetof(struct d2_body, gravity_scale),
	.drawing = &drawing_plane,
	.wing = &d2_wing,
	.body_option = d2_body_option,
	.body_create = d2_body_make,
	.body_apply = d2_body_apply,
	.body_kinetic_energy = d2_body_kinetic_energy,
	.push_transform = d2_push_transform,
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
	return world_new(L, &dimension_plane);
}

const luaL_Reg d2_world_functions[] = {
	{"newWorld", new_world},
	{NULL, NULL},
};

const luaL_Reg d2_world_methods[] = {
	{"newRevoluteJoint", d2_new_revolute_joint},
	{NULL, NULL},
};
