/* collider_wing.h - bounds and point tests of one collider. d2_collider.c and d3_collider.c include it. */
#pragma once

static const struct WING(shape) * check_shape_at(lua_State *L, const char *function, struct WING(pose) * pose)
{
	uint32_t id;
	const struct world_object *object = check_reference_of(L, function, &CLASS(collider), &id);
	const struct collider *collider = &object->world->colliders.data[id];
	*pose = WING(body_pose)(object->world, collider->body);
	return collider->shape;
}

static int get_box(lua_State *L)
{
	struct WING(pose) pose;
	const struct WING(shape) *shape = check_shape_at(L, "getBox", &pose);
	return WING(push_shape_box)(L, shape, &pose);
}

static int contains_point(lua_State *L)
{
	struct WING(pose) pose;
	const struct WING(shape) *shape = check_shape_at(L, "containsPoint", &pose);
	struct WING(vec_d) point = check_vector(L, 2, "containsPoint", point_names);
	lua_pushboolean(L, WING(shape_contains)(shape, &pose, POINT(point)));
	return 1;
}

const luaL_Reg WING(collider_methods)[] = {
	{"getBox", get_box},
	{"containsPoint", contains_point},
	{NULL, NULL},
};
