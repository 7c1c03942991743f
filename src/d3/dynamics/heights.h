/* heights.h - edits of the height field that is a collider's. Serial. */
#pragma once
#include "d3/dynamics/d3.h"

/* Gives the collider, whose shape is a height field, a copy of it that may be edited. */
void d3_collider_own_heights(struct world *world, uint32_t collider, const struct d3_shape *copy);
/* Sets heights of the collider's own field. Wakes what rests there, and bodies that the new surface may overlap. */
void d3_collider_edit_heights(struct world *world, uint32_t collider, const struct d3_heights_edit *edit);
