/* world_wing.h - the table d2_dimension or d3_dimension. For d2_world.c and d3_world.c. */
#pragma once
#include "bind/world/joint.h"

#include <stddef.h>

static void body_center(const struct world *world, uint32_t body, double point[3])
{
	const struct WING(body) *row = WING(row)(world, body);
	for (int i = 0; i < AXES; ++i)
		point[i] = (&row->x)[i];
}

static void body_put(struct world *world, uint32_t body, const double point[3])
{
	struct WING(pose) pose = WING(body_pose)(world, body);
	for (int i = 0; i < AXES; ++i)
		(&pose.x)[i] = point[i];
	WING(body_set_pose)(world, body, &pose);
}

static uint32_t mount_create(struct world *world, const double point[3])
{
	struct WING(pose) pose = WING(mount_pose)(point);
	return WING(mount_create)(world, &pose);
}

static void mount_move(struct world *world, uint32_t body, const double point[3])
{
	struct WING(pose) pose = WING(mount_pose)(point);
	WING(body_set_pose)(world, body, &pose);
}

static void joint_set_frames_of(struct world *world, uint32_t joint, const struct joint_input *input)
{
	WING(joint_store_frames)(world, joint, input->WING(frames));
	joint_refit(world, joint);
}

static uint32_t joint_create_of(
	struct world *world, enum joint_type type, const struct joint_input *input, const uint32_t bodies[2])
{
	return WING(joint_create)(world, type, bodies[0], bodies[1], input->WING(frames), input->collides, &input->settings);
}

static uint32_t contact_rows(const struct world *world, uint32_t contact, int first, double rows[CONTACT_POINTS][CONTACT_ROW])
{
	struct WING(contact_point) points[CONTACT_POINTS];
	struct WING(vec) normal;
	uint32_t count = (uint32_t)WING(contact_points)(world, contact, &normal, points);
	for (uint32_t point = 0; point < count; ++point) {
		double *row = rows[point];
		for (int i = 0; i < AXES; ++i) {
			row[i] = first == 0 ? (double)(&normal.x)[i] : 0.0 - (double)(&normal.x)[i];
			row[AXES + i] = (&points[point].x)[i];
		}
		row[2 * AXES] = (double)points[point].separation;
		row[2 * AXES + 1] = (double)points[point].impulse;
		row[2 * AXES + 2] = (double)points[point].tangent_impulse;
	}
	return count;
}

static double colliders_distance(const struct world *world, uint32_t a, uint32_t b)
{
	const struct collider *one = &world->colliders.data[a], *two = &world->colliders.data[b];
	struct WING(pose) pose = WING(body_pose)(world, one->body), other = WING(body_pose)(world, two->body);
	struct WING(distance) found;
	if (world->wing->shape_children(one->shape) == 0 || world->wing->shape_children(two->shape) == 0)
		return INFINITY;
	WING(distance)(one->shape, &pose, two->shape, &other, &found);
	return found.distance;
}

static const void *shape_in(lua_State *L, int index)
{
	return WING(value_shape)(L, index, PATH("rewind", "shape"));
}

static bool show_shape(lua_State *L, const struct world_object *object, struct handle collider, const char *function)
{
	(void)WING(push_shape)(L);
	if (object->world == NULL || !handle_valid_collider(object->world, collider))
		raise_error(L, "%s: a finalizer has destroyed the collider", function);
	struct WING(shape) *shape = (struct WING(shape) *)(uintptr_t)object->world->colliders.data[collider.index].shape;
	WING(shape_retain)(shape);
	WING(give_shape)(L, shape, function);
	return shape->references > 2;
}

static const void *check_shape(lua_State *L, int index, const struct path *path)
{
	return WING(value_shape)(L, index, path);
}

static const char *static_shape_name(const void *shape)
{
	return WING(shape_must_be_static)(shape) ? WING(shape_type_name)(shape) : NULL;
}

static void check_posed_shape(lua_State *L, int index, const char *function, struct posed_shape *out)
{
	struct WING(pose) *pose = (void *)&out->pose;
	out->shape = WING(check_shape)(L, index, function, "shape");
	*pose = WING(check_pose)(L, index + 1, function, "pose");
}

const struct dimension WING(dimension) = {
	.axes = AXES,
	.world = &CLASS(world),
	.body = &CLASS(body),
	.collider = &CLASS(collider),
	.joint = &CLASS(joint),
	.field = &CLASS(field),
	.mover = &CLASS(mover),
	.body_options = AXES == 2 ? OPTIONS_BODY : OPTIONS_D3_BODY,
	.bodies_options = AXES == 2 ? OPTIONS_BODIES : OPTIONS_D3_BODIES,
	.collider_options = AXES == 2 ? OPTIONS_COLLIDER : OPTIONS_D3_COLLIDER,
	.linear_damping = offsetof(struct WING(mover), linear_damping),
	.angular_damping = offsetof(struct WING(mover), angular_damping),
	.gravity_scale = offsetof(struct WING(mover), gravity_scale),
	.drawing = &WING(drawing),
	.breaking = &WING(breaking),
	.wing = &WING(wing),
	.body_option = WING(body_option),
	.body_check = WING(body_check),
	.body_create = WING(body_make),
	.body_apply = WING(body_apply),
	.body_kinetic_energy = WING(body_kinetic_energy),
	.rows = WING(flat_rows),
	.push_transform = WING(push_transform),
	.push_render_transform = WING(push_render_transform),
	.check_shape = check_shape,
	.shape_in = shape_in,
	.show_shape = show_shape,
	.static_shape_name = static_shape_name,
	.check_posed_shape = check_posed_shape,
	.body_center = body_center,
	.body_put = body_put,
	.mount_create = mount_create,
	.joint_kinds = WING(joint_kinds),
	.joint_frames = WING(joint_frames),
	.joint_frames_keep = WING(joint_frames_keep),
	.joint_set_frames = joint_set_frames_of,
	.mount_move = mount_move,
	.joint_create = joint_create_of,
	.joint_anchors = WING(joint_anchors),
	.joint_basis = WING(joint_basis),
	.coordinate_axis = WING(coordinate_axis),
	.contact_part = WING(contact_part),
	.colliders_distance = colliders_distance,
	.contact_rows = contact_rows,
	.part = shape_part,
	.shape_is_own = shape_is_own,
};

static int new_world(lua_State *L)
{
	return world_new(L, &WING(dimension));
}

const luaL_Reg WING(world_functions)[] = {
	{"newWorld", new_world},
	{NULL, NULL},
};
