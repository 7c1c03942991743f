/* d3_world.c - the table d3_dimension. */
#define AXES 3
#include "bind/geometry/wing.h"
#include "d3/dynamics/joint.h"
#include "bind/world/world_wing.h"
