/* box_overlap.h - whether a shape touches an axis-aligned box of the world.
 * Pure, any thread. */
#pragma once
#include "d3/shape/shape.h"

/* Touching counts. Exact but for rounding over the extent of the shape, however large the box or far away both. */
bool d3_shape_overlaps_box(const struct d3_shape *shape, const struct d3_pose *pose, const struct box_d *box);

/* A box that all boxes overlap which the shape touches; everything, for a half-space. */
struct box_d d3_shape_reach(const struct d3_shape *shape, const struct d3_pose *pose);
