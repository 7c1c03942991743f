/* penetration_parts.h - internals shared by penetration.c and penetration_hulls.c. */
#pragma once
#include "d3/query/gjk.h"

/* Faces are flat if their corners are within this tolerance, relative to the coordinates, of their planes. */
static const double flat_tolerance = 1e-14;

/* A ball and a hull, in either order: any axis-aligned box, other hulls only if `inside` is set and the hull contains the
 * ball's centre. False: no result. */
bool d3_penetration_by_closest_point(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	bool inside, struct d3_separation *out);

/* Whether the faces' planes contain all corners. A merged face's need not, and the deepest point is then not exactly along its
 * normal. */
bool d3_penetration_has_flat_faces(const struct d3_proxy *proxy, double tolerance);

/* The same for two axis-aligned boxes, where SAT takes no longer than an overlap test. */
bool d3_penetration_boxes_overlap(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out);

/* Overlapping polytope cores. False: EPA is needed. */
bool d3_penetration_overlap_of_hulls(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out);

/* Without a search, for cores that overlapped in the last query. False: they may not overlap, or EPA is needed. */
bool d3_penetration_still_overlap(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out);
