/* cut.h - convex polyhedra cut by planes, with corners in double.
 * Pure, any thread. */
#pragma once
#include "d3/shape/shape.h"

/* Maximum numbers of corners, of faces, and of corners counted once for each of their faces, while a polyhedron is cut. */
enum { D3_CUT_POINTS = 2 * D3_HULL_MAX, D3_CUT_FACES = 3 * D3_HULL_MAX, D3_CUT_CORNERS = 12 * D3_HULL_MAX };

enum d3_cut_result {
	D3_CUT_WHOLE, /* nothing was cut off */
	D3_CUT_PART, /* a part is left */
	D3_CUT_NOTHING, /* nothing is left */
	D3_CUT_TOO_MANY /* what would be left exceeds the numbers above */
};

struct d3_cut {
	uint32_t point_count, face_count;
	double tolerance; /* distance up to which a corner lies in a plane [length] */
	struct d3_vec_d points[D3_CUT_POINTS];
	uint16_t ends[D3_CUT_FACES]; /* one past the last corner of each face in `corners` */
	uint16_t corners[D3_CUT_CORNERS]; /* indices of points, face by face, counter-clockwise from outside */
};

/* Sets *out to the polyhedron of a convex shape with a volume that is no half-space. Corners of sharp boxes and hulls are
 * exact. Others get the hull of some of their points, with about 114 corners on a ball and 32 around a cylinder, about the
 * shape's centroid and with its ratio of inertia to mass. Only D3_HULL_OK sets *out. */
enum d3_hull_result d3_cut_start(struct memory *memory, const struct d3_shape *shape, struct d3_cut *out);
/* Sets *out to the part where normal . p <= offset, if that is D3_CUT_PART. normal: a unit vector. */
enum d3_cut_result d3_cut_by(const struct d3_cut *from, struct d3_vec_d normal, double offset, struct d3_cut *out);
