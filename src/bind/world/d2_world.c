/* d2_world.c - the table d2_dimension, and methods of 2D worlds only. */
#define AXES 2
#include "bind/geometry/wing.h"
#include "d2/dynamics/joint.h"

static const struct d2_rot identity = {1, 0};

static struct d2_shape *make_box(struct memory *memory, struct d2_vec size)
{
	return d2_box_create(memory, size.x, size.y, (struct d2_vec){0, 0}, identity, 0);
}

#include "bind/world/world_wing.h"

const luaL_Reg d2_world_methods[] = {
	{"newRevoluteJoint", d2_new_revolute_joint},
	{NULL, NULL},
};
