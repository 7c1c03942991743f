/* decompose_parts.h - internals shared by decompose.c and decompose_hulls.c. Pure, any thread. */
#pragma once
#include "d3/process/decompose.h"
#include "base/array.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A plane. A cut at it keeps normal . p >= offset. */
struct plane {
	struct d3_vec_d normal; /* unit */
	double offset;
};

struct convex {
	ARRAY(struct d3_vec_d) points;
	ARRAY(uint32_t) triangles; /* 3 points each, counter-clockwise from outside; none: flat */
	struct d3_vec_d centre; /* the centroid, if the volume is not 0 */
	double volume, area;
	/* bounds of how far the hull's surface sticks out of the solid; upper: infinite if not measured or more than allowed */
	double lower, upper;
	struct d3_vec_d at; /* a point that sticks out by `lower` */
};

struct part {
	ARRAY(struct d3_vec_d) points; /* corners of the polygons */
	/* the polygons, clipped triangles of the solid: the indices of their points in sequence; where each polygon starts in
	 * `loops`; the triangle that each is a part of */
	ARRAY(uint32_t) loops, starts, sources;
	ARRAY(struct plane) planes;
	/* corners of the cell (the intersection of the planes' half-spaces) that are inside the solid */
	ARRAY(struct d3_vec_d) corners;
	struct convex hull;
	bool settled; /* the part is not to be cut: its hull can be a piece, or no cut was found */
};

struct candidate {
	struct plane plane;
	double handicap; /* fraction by which the sum of volumes is raised in the score */
};

struct reflex {
	double weight;
	uint32_t half; /* the concave edge, by one of its half edges */
};

struct work {
	struct memory *memory;
	const struct d3_surface *surface;
	double error;
	double snap; /* points closer to a plane than this count as on it; covers only rounding errors [length] */
	ARRAY(struct d3_vec_d) cloud;
	struct d3_hull_lists lists;
	ARRAY(uint32_t) map;
	ARRAY(struct reflex) reflexes;
	ARRAY(struct candidate) candidates;
};

double d3_decompose_height(const struct plane *plane, struct d3_vec_d p);

void d3_decompose_convex_free(struct work *w, struct convex *c);

/* Computes the hull of w->cloud. False: no memory. */
bool d3_decompose_hull_of_cloud(struct work *w, struct convex *out);

/* Computes the hull of the points of both lists. False: no memory. */
bool d3_decompose_join(
	struct work *w, const struct d3_vec_d *a, uint32_t count_a, const struct d3_vec_d *b, uint32_t count_b, struct convex *out);

bool d3_decompose_hull_of_part(struct work *w, struct part *p);

/* Writes the AABB and returns its longest side. */
double d3_decompose_bounds(const struct convex *c, struct d3_vec_d *lower, struct d3_vec_d *upper);

/* Whether the hull has no volume, or 3 volume / area is at most 1e-4 of the extent. The largest ball in a convex body has a
 * radius of volume / area to 3 volume / area. */
bool d3_decompose_is_thin(const struct convex *c);

/* Replaces the hull by a polytope around it of at most D3_HULL_MAX corners. Starts with a box, then repeatedly adds the planes
 * of the hull's faces that cut most off the polytope's corners. False: no memory. */
bool d3_decompose_widen(struct work *w, struct convex *hull);

/* Sets the hull's lower, at and upper; upper is infinite if it could not be shown to be at most `goal`. */
void d3_decompose_measure(const struct work *w, struct convex *hull, double goal);

/* Sets `lower` and `at` by the sampled point of the faces that sticks out most, and `upper` to infinity: enough to reject a
 * hull. Faces of hulls with few faces are large, so they get more samples. */
void d3_decompose_sample(const struct work *w, struct convex *hull);

/* Sets *filled to whether all points deeper than `error` in the hull are shown to be inside the solid, or at most 2 `error`
 * outside it. False: no memory. */
bool d3_decompose_find_filled(struct work *w, const struct convex *hull, double error, bool *filled);

/* Measures the hull, and widens it if it has too many corners. Sets *fits to whether the hull can be a piece: it is filled, and
 * its surface sticks out by at most the error. False: no memory. */
bool d3_decompose_judge(struct work *w, struct convex *hull, bool *fits);

/* Writes the part of p above the plane to *out, which is empty or reused; without points if there is none. False: no memory. A
 * cut adds at most one corner to a convex polygon, and two new points. */
bool d3_decompose_cut(struct work *w, const struct part *p, const struct plane *plane, struct part *out);

struct plane d3_decompose_opposite(const struct plane *plane);
