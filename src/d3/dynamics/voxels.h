/* voxels.h - edits of the voxels that are a collider's. Serial. */
#pragma once
#include "d3/dynamics/d3.h"
#include "d3/shape/voxels.h"

/* Edits the cells of the collider's voxels, and of those that are edited together with them. Wakes what rests on cells that
 * change or may overlap new ones. False: no memory, and nothing has changed. */
bool d3_collider_edit_voxels(struct world *world, uint32_t collider, const struct d3_voxels_edit *edit);
