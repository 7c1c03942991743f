/* box_overlap.h - overlap of a shape with an axis-aligned box of the world. Pure, any thread. */
#pragma once
#include "d3/shape/shape.h"

/* Whether the shape overlaps the box. Contact counts as overlap. The error is about a float's rounding error of the shape's
 * size, wherever the box is and however large. */
bool d3_shape_overlaps_box(const struct d3_shape *shape, const struct d3_pose *pose, const struct box_d *box);

/* Returns a conservative AABB of the shape: any box for which d3_shape_overlaps_box is true overlaps it. A half-space's extends
 * to +-1e18. */
struct box_d d3_shape_reach(const struct d3_shape *shape, const struct d3_pose *pose);
