/* penetration_parts.h - internals shared by penetration.c and penetration_hulls.c. */
#pragma once
#include "d3/query/gjk.h"

/* A face is flat if its corners are within this tolerance, relative to the coordinates, of its plane. */
static const double flat_tolerance = 1e-14;

/* Separation of a ball and a hull, in either order. The hull is an axis-aligned box, or `inside` is set and the ball's centre
 * is inside the hull, clearly nearest to one flat face. False: neither. */
bool d3_penetration_by_closest_point(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	bool inside, struct d3_separation *out);

/* Whether each face's corners are in its plane, within the tolerance [length]. A merged face may have corners below its plane;
 * then the direction of least penetration is not exactly the face's normal. */
bool d3_penetration_has_flat_faces(const struct d3_proxy *proxy, double tolerance);

/* Separation of two overlapping boxes, aligned with their frames' axes, by SAT, which is as fast for them as an overlap test.
 * False: another method is needed. */
bool d3_penetration_boxes_overlap(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out);

/* Separation of overlapping polytope cores in closed form. False: EPA is needed. */
bool d3_penetration_overlap_of_hulls(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out);

/* d3_penetration_overlap_of_hulls for cores that overlapped in the last query. False: they may no longer overlap, or EPA is
 * needed. */
bool d3_penetration_still_overlap(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out);
