/* box_overlap.h - whether a shape touches an axis-aligned box of the world.
 * Pure, any thread. */
#pragma once
#include "d2/shape/shape.h"

/* Touching counts. Exact but for the rounding of floats over the extent of the shape, however large the box or far away both. A
 * chain counts from both sides. */
bool d2_shape_overlaps_box(const struct d2_shape *shape, const struct d2_pose *pose, const struct box_d *box);

/* A box that all boxes overlap which the shape touches; everything, for a half-plane. */
struct box_d d2_shape_reach(const struct d2_shape *shape, const struct d2_pose *pose);
