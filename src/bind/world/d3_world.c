/* d3_world.c - the table d3_dimension, and methods of 3D worlds only. */
#define AXES 3
#include "bind/geometry/wing.h"
#include "d3/dynamics/joint.h"

static const struct d3_quat identity = {0, 0, 0, 1};

static struct d3_shape *make_box(struct memory *memory, struct d3_vec size)
{
	return d3_box_create(memory, size, (struct d3_vec){0, 0, 0}, identity, 0);
}

#include "bind/world/world_wing.h"

const luaL_Reg d3_world_methods[] = {
	{"newRevoluteJoint", d3_new_revolute_joint},
	{"newSphericalJoint", d3_new_spherical_joint},
	{NULL, NULL},
};
