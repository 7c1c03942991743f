/* d3_collider.c - methods of 3D colliders, and their surface velocity. */
#define AXES 3
#include "bind/geometry/materials.h"
#include "bind/geometry/wing.h"
#include "bind/world/dimension.h"
#include "core/collider.h"
#include "d3/query/ray_cast.h"

#define POINT(v) (v)

#include "bind/world/collider_wing.h"

static int get_tangent_velocity(lua_State *L)
{
	uint32_t collider;
	const struct world_object *object = check_own(L, "getTangentVelocity", &collider);
	const float *v = object->world->colliders.data[collider].material.tangent_velocity;
	return push_numbers(L, 3, (const double[]){(double)v[0], (double)v[1], (double)v[2]});
}

static int set_tangent_velocity(lua_State *L)
{
	uint32_t collider;
	double velocity[3];
	const struct world_object *object = check_own(L, "setTangentVelocity", &collider);
	check_unlocked(L, object, "setTangentVelocity");
	struct material material = object->world->colliders.data[collider].material;
	arg_numbers(L, 2, "setTangentVelocity", point_names, 3, &range_velocity, velocity);
	materials_set_velocity(&material, velocity);
	collider_set_material(object->world, collider, &material);
	return 0;
}

const luaL_Reg d3_surface_methods[] = {
	{"getTangentVelocity", get_tangent_velocity},
	{"setTangentVelocity", set_tangent_velocity},
	{NULL, NULL},
};
