/* heights.c - edits of height fields that are a collider's. Serial. */
#include "d3/dynamics/heights.h"
#include "core/edit.h"
#include "core/history.h"
#include "core/speculative.h"
#include "d3/dynamics/wing.h"
#include "d3/shape/shape_parts.h"

void d3_collider_own_heights(struct world *world, uint32_t collider, const struct d3_shape *copy)
{
	const void *before = world->colliders.data[collider].shape;
	histories_clear(world); /* which may have the shape, and cannot undo its edits */
	world->wing->shape_retain(copy);
	world->colliders.data[collider].shape = copy;
	world->wing->shape_release(before);
}

/* Extends the AABB in the body's frame by the cells around the edited points, as they are. */
static void region_extend(
	const struct d3_height_field *field, const struct d3_heights_edit *edit, struct d3_vec *low, struct d3_vec *high)
{
	uint32_t column = edit->column > 0 ? edit->column - 1 : 0, row = edit->row > 0 ? edit->row - 1 : 0;
	for (uint32_t k = row; k <= edit->row + edit->rows && k < field->rows; ++k)
		for (uint32_t i = column; i <= edit->column + edit->columns && i < field->columns; ++i) {
			struct d3_vec p = d3_height_field_at(field, i, k);
			*low = d3_min(*low, p);
			*high = d3_max(*high, p);
		}
}

void d3_collider_edit_heights(struct world *world, uint32_t collider, const struct d3_heights_edit *edit)
{
	struct d3_shape *shape = (struct d3_shape *)(uintptr_t)d3_collider_shape(world, collider);
	struct d3_vec low = {INFINITY, INFINITY, INFINITY}, high = d3_neg(low);
	histories_clear(world);
	region_extend(shape->height_field, edit, &low, &high);
	d3_height_field_edit(shape, edit);
	region_extend(shape->height_field, edit, &low, &high);
	struct d3_pose pose = d3_collider_pose(world, collider);
	struct box region = d3_region_box(&pose, d3_widen(low), d3_widen(high), speculative_margin(world));
	edit_region(world, collider, &region);
}
