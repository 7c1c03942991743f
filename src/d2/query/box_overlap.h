/* box_overlap.h - whether a shape overlaps an axis-aligned box of the world.
 * Pure, any thread. */
#pragma once
#include "d2/shape/shape.h"

/* Whether shape and box overlap or touch, up to float rounding at the size of the shape. A chain is two-sided. */
bool d2_shape_overlaps_box(const struct d2_shape *shape, const struct d2_pose *pose, const struct box_d *box);

/* The shape's AABB at the pose, rounded outwards: it overlaps each box for which d2_shape_overlaps_box is true. Of a
 * half-plane: +-1e18 on both axes. */
struct box_d d2_shape_reach(const struct d2_shape *shape, const struct d2_pose *pose);
