/* obb.h - rotated boxes of space: what spatial/axes.h leaves to a dimension, because it crosses vectors.
 * Pure, any thread. */
#pragma once
#include "spatial/axes.h"

/* Places the box. quaternion: x, y, z, w of any length but 0; false, and nothing written, where it has none. */
bool d3_obb_place(struct obb *box, const double *position, const double *quaternion);

/* The first axis on which the boxes have a gap: 1 to 3 those of a; 4 to 6 those of b; then a's axis i x b's axis k as 3 i + k +
 * 3, from 7 to 15; 0: they overlap or touch. A gap that only crossed axes show counts from 1e-7 of the sizes on: edges that are
 * parallel but for rounding have no crossed axis. */
int d3_obb_separating_axis(const struct obb *a, const struct obb *b);

/* The same for a box and a segment: 1 to 3 the box's axes, 4 to 6 the segment's way x the box's axes. */
int d3_obb_segment_axis(const struct obb *box, const double *from, const double *to);

/* The plane through three points, counter-clockwise as seen from where its normal points to. False where they lie on a line:
 * where the triangle is lower than 1e-12 of its longest side. */
bool d3_plane_from_points(const double *a, const double *b, const double *c, double *normal, double *offset);
