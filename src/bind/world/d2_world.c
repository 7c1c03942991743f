/* d2_world.c - the table d2_dimension. */
#define AXES 2
#include "bind/geometry/wing.h"
#include "d2/dynamics/joint.h"
#include "d2/query/distance.h"

static uint32_t shape_part(const void *shape, uint32_t child, const char **kind)
{
	*kind = ((const struct d2_shape *)shape)->type == D2_CHAIN ? "segment" : NULL;
	return child + 1;
}

#include "bind/world/world_wing.h"
