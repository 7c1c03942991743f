/* box_overlap.h - overlap of a shape with an axis-aligned box of the world.
 * Pure, any thread. */
#pragma once
#include "d3/shape/shape.h"

/* Contact counts as overlap. Exact up to rounding relative to the shape's extent, for any size of box and any distance. */
bool d3_shape_overlaps_box(const struct d3_shape *shape, const struct d3_pose *pose, const struct box_d *box);

/* Conservative AABB: every box that the shape overlaps also overlaps it. For a half-space it covers everything. */
struct box_d d3_shape_reach(const struct d3_shape *shape, const struct d3_pose *pose);
