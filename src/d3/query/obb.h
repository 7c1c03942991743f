/* obb.h - oriented boxes in 3D: the part of spatial/axes.h that needs cross products.
 * Pure, any thread. */
#pragma once
#include "spatial/axes.h"

/* Sets the box's centre and axes. quaternion: x, y, z, w of any length but 0. False, and nothing is written: it is 0. */
bool d3_obb_set_pose(struct obb *box, const double *position, const double *quaternion);

/* Returns the number of the first separating axis of the boxes: 1 to 3 are a's axes; 4 to 6 b's; 3 i + k + 3 is a's axis i x
 * b's axis k (from 1); 0: the boxes overlap or touch. A separation that only a cross product axis shows may be missed if it is
 * below 1e-7 of the sizes: edges parallel up to rounding have no such axis. */
int d3_obb_separating_axis(const struct obb *a, const struct obb *b);

/* Returns the number of the first separating axis of a box and a segment: 1 to 3 are the box's axes; 4 to 6 the segment's
 * direction x the box's axes; 0: none. */
int d3_obb_segment_axis(const struct obb *box, const double *from, const double *to);

/* The plane through three points, counter-clockwise seen from the side of its normal. False: collinear, i.e. the triangle is
 * lower than 1e-12 of its longest side. */
bool d3_plane_from_points(const double *a, const double *b, const double *c, double *normal, double *offset);
