/* voxels.c - edits of voxels that are a collider's. Serial. */
#include "d3/dynamics/voxels.h"
#include "core/edit.h"
#include "core/speculative.h"
#include "d3/dynamics/wing.h"

static bool are_joined(const void *a, const void *b)
{
	return d3_voxels_joined(a, b);
}

/* The shape, which is the collider's alone. */
static struct d3_shape *own_shape(const struct world *world, uint32_t collider)
{
	return (struct d3_shape *)(uintptr_t)d3_collider_shape(world, collider);
}

/* The AABB, in the world, of the cells and those beside them, widened by the speculative margin. */
static struct box region_of(const struct world *world, uint32_t collider, const struct d3_voxel_box *cells)
{
	const struct d3_shape *shape = d3_collider_shape(world, collider);
	struct d3_pose pose = d3_collider_pose(world, collider);
	double size = (double)d3_voxels_cell_size(shape);
	struct d3_vec_d low = {size * (cells->low.i - 1), size * (cells->low.j - 1), size * (cells->low.k - 1)};
	struct d3_vec_d high = {size * (cells->high.i + 2), size * (cells->high.j + 2), size * (cells->high.k + 2)};
	return d3_region_box(&pose, low, high, speculative_margin(world));
}

static void collider_edit(struct world *world, uint32_t collider, const struct d3_voxels_edit *edit)
{
	struct d3_shape *shape = own_shape(world, collider);
	struct d3_vec lower, upper;
	bool before = d3_voxels_bounds(shape, &lower, &upper);
	d3_voxels_apply(shape, edit);
	bool after = d3_voxels_bounds(shape, &lower, &upper);
	bool enabled = world->bodies.data[world->colliders.data[collider].body].set != SET_DISABLED;
	if (enabled && before && !after)
		edit_remove(world, world->colliders.data[collider].proxies);
	if (enabled && !before && after)
		edit_add(world, collider, 0);
	if (enabled)
		edit_end(world, collider);
	struct box region = region_of(world, collider, &edit->cells);
	edit_region(world, collider, &region);
}

bool d3_collider_edit_voxels(struct world *world, uint32_t collider, const struct d3_voxels_edit *edit)
{
	uint32_t colliders[CELL_GROUPS];
	int count = edit_group(world, collider, are_joined, colliders), ready = 0;
	while (ready < count && d3_voxels_prepare(own_shape(world, colliders[ready]), edit))
		++ready;
	if (ready < count || !edit_reserve(world, (uint32_t)count)) {
		while (ready > 0)
			d3_voxels_abandon(own_shape(world, colliders[--ready]));
		return false;
	}
	for (int i = 0; i < count; ++i)
		collider_edit(world, colliders[i], edit);
	return true;
}
