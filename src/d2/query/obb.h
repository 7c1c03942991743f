/* obb.h - rotated boxes of the plane: what spatial/axes.h leaves to a dimension, because it crosses vectors.
 * Pure, any thread. */
#pragma once
#include "spatial/axes.h"
#include "d2/math.h"

/* Places the box. The rotation of a pose is rounded to floats; here it is made unit again, in double. */
void d2_obb_place(struct obb *box, const struct d2_pose *pose);

/* The first axis on which the boxes have a gap: 1, 2 those of a; 3, 4 those of b; 0: they overlap or touch. */
int d2_obb_separating_axis(const struct obb *a, const struct obb *b);

/* The same for a box and a segment: 1, 2 the box's axes, 3 the segment's normal. */
int d2_obb_segment_axis(const struct obb *box, const double *from, const double *to);

/* The line through two points, with its normal on the right of the way from a to b: outward along counter-clockwise outlines.
 * False where the points are the same. */
bool d2_plane_from_points(const double *a, const double *b, double *normal, double *offset);
