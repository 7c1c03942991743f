/* box_overlap.h - whether a shape overlaps an axis-aligned box of the world.
 * Pure, any thread. */
#pragma once
#include "d2/shape/shape.h"

/* Whether they overlap or touch: exact but for float rounding over the extent of the shape. A chain is two-sided. */
bool d2_shape_overlaps_box(const struct d2_shape *shape, const struct d2_pose *pose, const struct box_d *box);

/* A box that overlaps every box that the shape overlaps. For a half-plane it reaches to 1e18. */
struct box_d d2_shape_reach(const struct d2_shape *shape, const struct d2_pose *pose);
