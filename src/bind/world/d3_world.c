/* d3_world.c - the table d3_dimension. */
#define AXES 3
#include "bind/geometry/wing.h"
#include "d3/dynamics/joint.h"
#include "d3/query/distance.h"

static uint32_t shape_part(const void *shape, uint32_t child, const char **kind)
{
	const struct d3_shape *of = shape;
	*kind = d3_shape_surface(of) ? "triangle" : of->type == D3_COMPOUND ? "child" : NULL;
	return *kind == NULL ? 0 : d3_shape_child_number(of, child) + 1;
}

static bool shape_is_own(const void *shape)
{
	(void)shape;
	return false;
}

#include "bind/world/world_wing.h"
