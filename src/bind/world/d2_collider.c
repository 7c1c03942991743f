/* d2_collider.c - methods of 2D colliders: bounds, ray casts and surface speed. */
#include "bind/world/dimension.h"
#include "d2/query/ray_cast.h"

static const struct world_object *check_collider2(lua_State *L, const char *function, uint32_t *collider)
{
	return check_reference_of(L, function, &class_collider, collider);
}

static const struct d2_shape *shape_of(const struct world_object *object, uint32_t collider, struct d2_pose *pose)
{
	const struct collider *row = &object->world->colliders.data[collider];
	*pose = d2_body_pose(object->world, row->body);
	return row->shape;
}

static int get_box(lua_State *L)
{
	uint32_t collider;
	struct d2_pose pose;
	const struct world_object *object = check_collider2(L, "getBox", &collider);
	const struct d2_shape *shape = shape_of(object, collider, &pose);
	return d2_push_shape_box(L, shape, &pose);
}

static int contains_point(lua_State *L)
{
	uint32_t collider;
	struct d2_pose pose;
	const struct world_object *object = check_collider2(L, "containsPoint", &collider);
	double x = arg_number(L, 2, "containsPoint", "x", &range_position);
	double y = arg_number(L, 3, "containsPoint", "y", &range_position);
	const struct d2_shape *shape = shape_of(object, collider, &pose);
	lua_pushboolean(L, d2_shape_contains(shape, &pose, x, y));
	return 1;
}

static int raycast(lua_State *L)
{
	uint32_t collider;
	struct d2_pose pose;
	struct d2_ray_hit_d hit;
	const struct world_object *object = check_collider2(L, "raycast", &collider);
	double x1 = arg_number(L, 2, "raycast", "x1", &range_position), y1 = arg_number(L, 3, "raycast", "y1", &range_position);
	double x2 = arg_number(L, 4, "raycast", "x2", &range_position), y2 = arg_number(L, 5, "raycast", "y2", &range_position);
	const struct d2_shape *shape = shape_of(object, collider, &pose);
	if (!d2_shape_ray_d(shape, &pose, x1, y1, x2 - x1, y2 - y1, &hit)) {
		lua_pushnil(L);
		return 1;
	}
	lua_pushnumber(L, hit.x);
	lua_pushnumber(L, hit.y);
	lua_pushnumber(L, (float)hit.normal.x);
	lua_pushnumber(L, (float)hit.normal.y);
	lua_pushnumber(L, (float)hit.fraction);
	return 5;
}

void d2_tangent_option(lua_State *L, struct material *material, const struct path *path)
{
	material->tangent_speed = (float)value_number(L, -1, path, &range_velocity);
}

const luaL_Reg d2_collider_methods[] = {
	{"getBox", get_box},
	{"containsPoint", contains_point},
	{"raycast", raycast},
	{NULL, NULL},
};
