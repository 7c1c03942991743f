/* hull.h - the convex hull of points in space, with its faces.
 * Source: Barber, Dobkin, Huhdanpaa, "The Quickhull Algorithm for Convex Hulls", 1996.
 * Pure, any thread. */
#pragma once
#include "base/memory.h"
#include "d3/math.h"

#include <stdint.h>

enum { D3_HULL_MAX = 256 }; /* corners of a shape */

enum d3_hull_result {
	D3_HULL_OK,
	D3_HULL_OUT_OF_MEMORY,
	D3_HULL_TOO_FEW, /* fewer than four different points */
	D3_HULL_DEGENERATE, /* in a plane, or so nearly that the normals would be noise */
	D3_HULL_TOO_MANY /* corners, for a shape */
};

/* Half an edge: the part of it that belongs to one face, counter-clockwise as seen from outside. */
struct d3_hull_edge {
	uint16_t next; /* along the face */
	uint16_t twin; /* of the face on the other side */
	uint16_t origin; /* the corner that it starts from */
	uint16_t face;
};

struct d3_hull_plane {
	struct d3_vec_d normal; /* unit, outward */
	double offset; /* the greatest normal . p of all points of the hull */
};

/* Four corners, coordinate by coordinate. */
struct d3_hull_lanes {
	float x[4], y[4], z[4];
};

/* Four planes. */
struct d3_hull_plane_lanes {
	float x[4], y[4], z[4], offset[4];
};

/* A closed convex surface: faces are merged where they lie in one plane, so that a box has six. */
struct d3_hull {
	uint32_t point_count, face_count, edge_count; /* edges: halves, two for each edge */
	const struct d3_vec *points;
	const struct d3_hull_lanes *lanes; /* the points again, the last one as often as fills them */
	const struct d3_hull_plane *planes; /* of the faces */
	const struct d3_hull_plane_lanes *plane_lanes; /* the planes again, as floats, the last one as often as fills them */
	const uint16_t *face_edges; /* one half edge of each face */
	const uint16_t *point_edges; /* one half edge that starts from each point */
	const struct d3_hull_edge *edges; /* 2 k and 2 k + 1 are twins */
};

/* The box around the corners, turned about the origin; to within a few roundings of the farthest one's distance. */
void d3_hull_box(const struct d3_hull *hull, const struct d3_rot *q, struct d3_vec *lower, struct d3_vec *upper);

/* The hull of count >= 1 finite points in any order, duplicates and points on faces and edges allowed; one block of memory, to
 * be given back by d3_hull_free. Points closer than 1e-5 of the extent (the longest side of the box around them) are one;
 * corners that stand out less than 1e-6 of it (or 1e-7 of the largest coordinate, as far as floats go) are dropped, and faces
 * that lie within that of one plane are one; a hull thinner than 1e-5 of its extent is degenerate. Corners are some of the
 * points given, in the order given, and which ones does not depend on that order. The hull of a hull's points is the same hull,
 * to the bit. Only OK sets *out. */
enum d3_hull_result d3_hull_compute(struct memory *memory, const struct d3_vec *points, uint32_t count, struct d3_hull **out);
void d3_hull_free(struct memory *memory, struct d3_hull *hull);
size_t d3_hull_bytes(const struct d3_hull *hull);

/* The hull of any number of finite points (count >= 1, at most 2^24), for those who want its corners and triangles: without the
 * tolerances above, but for what rounding of doubles makes unsure. *corners: indices into `points` of *corner_count of them;
 * *triangles: 3 indices into `points` for each of *triangle_count, counter-clockwise from outside, none where all points lie in
 * a plane (corners are then those of the outline, counter-clockwise about some normal), on a line (two corners) or are the same
 * (one). Both blocks are given back by memory_resize with the sizes count * sizeof(uint32_t). False: no memory. */
bool d3_hull_corners(struct memory *memory, const struct d3_vec_d *points, uint32_t count, uint32_t **corners,
	uint32_t *corner_count, uint32_t **triangles, uint32_t *triangle_count);

/* The hull of a box: point i stands at the upper end of axis k of the frame where bit k of i is set. Faces: lower and upper
 * along x, y, z. NULL: no memory. */
struct d3_hull *d3_hull_of_box(struct memory *memory, const struct d3_transform_d *frame, struct d3_vec half);
