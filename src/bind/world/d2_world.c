/* d2_world.c - the table d2_dimension. */
#define AXES 2
#include "bind/geometry/wing.h"
#include "d2/dynamics/joint.h"
#include "d2/query/distance.h"
#include "d2/shape/tiles.h"

static uint64_t shape_part(const void *shape, uint32_t child, const char **kind)
{
	const struct d2_shape *chain = shape;
	*kind = chain->tiles ? "cell" : chain->type == D2_CHAIN ? "segment" : NULL;
	return (chain->tiles ? d2_tiles_cell_of(chain, child) : child) + 1;
}

static bool shape_is_own(const void *shape)
{
	return ((const struct d2_shape *)shape)->tiles != NULL;
}

#include "bind/world/world_wing.h"
