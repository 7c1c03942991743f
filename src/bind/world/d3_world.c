/* d3_world.c - the table d3_dimension, and methods of 3D worlds only. */
#define AXES 3
#include "bind/geometry/wing.h"
#include "d3/dynamics/joint.h"
#include "bind/world/world_wing.h"

const luaL_Reg d3_world_methods[] = {
	{"newRevoluteJoint", d3_new_revolute_joint},
	{"newSphericalJoint", d3_new_spherical_joint},
	{NULL, NULL},
};
