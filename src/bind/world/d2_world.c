/* d2_world.c - the table d2_dimension. */
#define AXES 2
#include "bind/geometry/wing.h"
#include "d2/dynamics/joint.h"
#include "bind/world/world_wing.h"
