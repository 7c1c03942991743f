/* box_overlap.h - whether a shape overlaps an axis-aligned box of the world.
 * Pure, any thread. */
#pragma once
#include "d2/shape/shape.h"

/* Contact counts. Exact but for the float rounding over the extent of the shape, however large the box or far away both. A
 * chain is two-sided. */
bool d2_shape_overlaps_box(const struct d2_shape *shape, const struct d2_pose *pose, const struct box_d *box);

/* A box that overlaps every box that the shape overlaps. For a half-plane it is everything. */
struct box_d d2_shape_reach(const struct d2_shape *shape, const struct d2_pose *pose);
