/* d3_collider.c - methods of 3D colliders: bounds, ray casts and surface velocity. */
#include "bind/world/dimension.h"
#include "core/collider.h"
#include "d3/query/ray_cast.h"

static const struct world_object *check_collider3(lua_State *L, const char *function, uint32_t *collider)
{
	return check_reference_of(L, function, &class_d3_collider, collider);
}

static const struct d3_shape *shape_of(const struct world_object *object, uint32_t collider, struct d3_pose *pose)
{
	const struct collider *row = &object->world->colliders.data[collider];
	*pose = d3_body_pose(object->world, row->body);
	return row->shape;
}

static struct d3_vec_d arg_point(lua_State *L, int index, const char *function, const char *const names[3])
{
	double numbers[3];
	arg_numbers(L, index, function, names, 3, &range_position, numbers);
	return (struct d3_vec_d){numbers[0], numbers[1], numbers[2]};
}

/* Rounds as the world's raycast does: the point in doubles, all else in floats. */
static struct d3_vec_d rounded(struct d3_vec_d v)
{
	return d3_widen(d3_narrow(v));
}

static int push_three(lua_State *L, struct d3_vec_d v)
{
	lua_pushnumber(L, v.x);
	lua_pushnumber(L, v.y);
	lua_pushnumber(L, v.z);
	return 3;
}

static int get_box(lua_State *L)
{
	uint32_t collider;
	struct d3_pose pose;
	const struct world_object *object = check_collider3(L, "getBox", &collider);
	const struct d3_shape *shape = shape_of(object, collider, &pose);
	return d3_push_shape_box(L, shape, &pose);
}

static int contains_point(lua_State *L)
{
	static const char *const names[] = {"x", "y", "z"};
	uint32_t collider;
	struct d3_pose pose;
	const struct world_object *object = check_collider3(L, "containsPoint", &collider);
	struct d3_vec_d point = arg_point(L, 2, "containsPoint", names);
	const struct d3_shape *shape = shape_of(object, collider, &pose);
	lua_pushboolean(L, d3_shape_contains(shape, &pose, point));
	return 1;
}

static int raycast(lua_State *L)
{
	static const char *const from_names[] = {"x1", "y1", "z1"}, *const to_names[] = {"x2", "y2", "z2"};
	uint32_t collider;
	struct d3_pose pose;
	struct d3_ray_hit_d hit;
	const struct world_object *object = check_collider3(L, "raycast", &collider);
	struct d3_vec_d from = arg_point(L, 2, "raycast", from_names), to = arg_point(L, 5, "raycast", to_names);
	const struct d3_shape *shape = shape_of(object, collider, &pose);
	if (!d3_shape_ray_d(shape, &pose, from, d3_sub_d(to, from), &hit)) {
		lua_pushnil(L);
		return 1;
	}
	push_three(L, hit.p);
	push_three(L, rounded(hit.normal));
	lua_pushnumber(L, (float)hit.fraction);
	return 7;
}

/* tangent_speed is 0 when the surface does not move. */
static void tangent_set(struct material *material, const double velocity[3])
{
	struct d3_vec v = {(float)velocity[0], (float)velocity[1], (float)velocity[2]};
	material->tangent_speed = d3_length(v);
	material->tangent_velocity[0] = v.x;
	material->tangent_velocity[1] = v.y;
	material->tangent_velocity[2] = v.z;
}

void d3_tangent_option(lua_State *L, struct material *material, const struct path *path)
{
	double velocity[3];
	value_vector(L, lua_gettop(L), *path, &range_velocity, 3, velocity);
	tangent_set(material, velocity);
}

static int get_tangent_velocity(lua_State *L)
{
	uint32_t collider;
	const struct world_object *object = check_collider3(L, "getTangentVelocity", &collider);
	const float *v = object->world->colliders.data[collider].material.tangent_velocity;
	return push_three(L, (struct d3_vec_d){(double)v[0], (double)v[1], (double)v[2]});
}

static int set_tangent_velocity(lua_State *L)
{
	static const char *const names[] = {"x", "y", "z"};
	uint32_t collider;
	double velocity[3];
	const struct world_object *object = check_collider3(L, "setTangentVelocity", &collider);
	check_unlocked(L, object, "setTangentVelocity");
	struct material material = object->world->colliders.data[collider].material;
	arg_numbers(L, 2, "setTangentVelocity", names, 3, &range_velocity, velocity);
	tangent_set(&material, velocity);
	collider_set_material(object->world, collider, &material);
	return 0;
}

const luaL_Reg d3_collider_methods[] = {
	{"getTangentVelocity", get_tangent_velocity},
	{"setTangentVelocity", set_tangent_velocity},
	{"getBox", get_box},
	{"containsPoint", contains_point},
	{"raycast", raycast},
	{NULL, NULL},
};
