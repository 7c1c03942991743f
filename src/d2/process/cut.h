/* cut.h - convex polygons cut by lines, with corners in double.
 * Pure, any thread. */
#pragma once
#include "d2/shape/shape.h"

enum { D2_CUT_MAX = 2 * D2_HULL_MAX }; /* maximum number of corners while a polygon is cut */

enum d2_cut_result {
	D2_CUT_WHOLE, /* nothing was cut off */
	D2_CUT_PART, /* a part is left */
	D2_CUT_NOTHING, /* nothing is left */
	D2_CUT_TOO_MANY /* more than D2_CUT_MAX corners would be left */
};

struct d2_cut {
	uint32_t count;
	double tolerance; /* distance up to which a corner lies on a line [length] */
	struct d2_vec_d corners[D2_CUT_MAX + 1]; /* counter-clockwise; the last place is for a corner that is cut off */
};

/* Sets *out to the polygon of a circle, capsule, box, polygon or ellipse. Corners of sharp shapes are exact. A round shape
 * becomes a polygon with straight sides where it has them and an edge for each 7.5 degrees of its arcs, about the shape's
 * centroid and with its ratio of inertia to mass. */
void d2_cut_start(const struct d2_shape *shape, struct d2_cut *out);
/* Sets *out to the part where normal . p <= offset, if that is D2_CUT_PART. normal: a unit vector. */
enum d2_cut_result d2_cut_by(const struct d2_cut *from, struct d2_vec_d normal, double offset, struct d2_cut *out);
