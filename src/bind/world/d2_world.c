/* d2_world.c - the table d2_dimension, and methods of 2D worlds only. */
#define AXES 2
#include "bind/geometry/wing.h"
#include "d2/dynamics/joint.h"
#include "bind/world/world_wing.h"

const luaL_Reg d2_world_methods[] = {
	{"newRevoluteJoint", d2_new_revolute_joint},
	{NULL, NULL},
};
