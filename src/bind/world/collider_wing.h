/* collider_wing.h - bounds, point tests and ray casts of one collider. d2_collider.c and d3_collider.c include it. */
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

/* Returns the point in doubles and all other numbers rounded to floats, as the world's raycast does. */
static int raycast(lua_State *L)
{
	struct WING(pose) pose;
	struct WING(ray_hit_d) hit;
	const struct WING(shape) *shape = check_shape_at(L, "raycast", &pose);
	struct WING(vec_d) from = check_vector(L, 2, "raycast", from_names), to = check_vector(L, 2 + AXES, "raycast", to_names);
	struct WING(vec_d) delta = WING(sub_d)(to, from);
	if (!WING(shape_ray_d)(shape, &pose, POINT(from), POINT(delta), &hit)) {
		lua_pushnil(L);
		return 1;
	}
	struct WING(vec_d) point = POINT_OF(&hit);
	push_numbers(L, AXES, &point.x);
	for (int i = 0; i < AXES; ++i)
		lua_pushnumber(L, (float)(&hit.normal.x)[i]);
	lua_pushnumber(L, hit.fraction);
	return 2 * AXES + 1;
}

const luaL_Reg WING(collider_methods)[] = {
	{"getBox", get_box},
	{"containsPoint", contains_point},
	{"raycast", raycast},
	{NULL, NULL},
};
