/* obb.h - oriented boxes and planes in 2D: what spatial/axes.h, which serves both dimensions, leaves to the wings.
 * Pure, any thread. */
#pragma once
#include "spatial/axes.h"
#include "d2/math.h"

/* Sets the box's centre and axes to the pose. Normalizes the pose's rotation, which is rounded to floats, in double. */
void d2_obb_set_pose(struct obb *box, const struct d2_pose *pose);

/* The first separating axis of a box and a segment: 1, 2 the box's axes, 3 the segment's normal, 0: they overlap or touch. */
int d2_obb_segment_axis(const struct obb *box, const double *from, const double *to);

/* Computes the line through two points; its normal is to the right of the direction from a to b. False: the points coincide. */
bool d2_plane_from_points(const double *a, const double *b, double *normal, double *offset);
