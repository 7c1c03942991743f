/* d3_world.c - the table d3_dimension. */
#define AXES 3
#include "bind/geometry/wing.h"
#include "d3/dynamics/joint.h"
#include "d3/query/distance.h"
#include "d3/shape/voxels.h"

static uint64_t shape_part(const void *shape, uint32_t child, const char **kind)
{
	const struct d3_shape *of = shape;
	struct d3_voxel cell;
	if (of->voxels) {
		*kind = d3_voxels_cell_of(of, child, &cell) ? "cell" : NULL;
		return *kind ? d3_voxel_number(cell) + 1 : 0;
	}
	*kind = d3_shape_surface(of) ? "triangle" : of->type == D3_COMPOUND ? "child" : NULL;
	return *kind == NULL ? 0 : d3_shape_child_number(of, child) + 1;
}

static bool shape_is_own(const void *shape)
{
	const struct d3_shape *of = shape;
	return of->voxels != NULL || (of->height_field != NULL && of->height_field->own);
}

#include "bind/world/world_wing.h"
