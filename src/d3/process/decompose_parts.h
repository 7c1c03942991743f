/* decompose_parts.h - internals shared by decompose.c and decompose_hulls.c.
 * Pure, any thread. */
#pragma once
#include "d3/process/decompose.h"
#include "base/array.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* normal . p >= offset is kept. */
struct plane {
	struct d3_vec_d normal; /* unit */
	double offset;
};

struct convex {
	ARRAY(struct d3_vec_d) points;
	ARRAY(uint32_t) triangles; /* 3 points each, counter-clockwise from outside; none: flat */
	struct d3_vec_d centre; /* inside */
	double volume, area;
	double lower, upper; /* bounds of how far it sticks out; upper is infinite where that is more than allowed */
	struct d3_vec_d at; /* a point that sticks out by `lower` */
};

struct part {
	ARRAY(struct d3_vec_d) points; /* of the polygons */
	/* polygons: points, the start of each in `loops`, and the triangle that it is a part of */
	ARRAY(uint32_t) loops, starts, sources;
	ARRAY(struct plane) planes;
	ARRAY(struct d3_vec_d) corners; /* of the planes' cell, inside the solid */
	struct convex hull;
	bool settled; /* near enough, or cannot be d3_decompose_cut */
};

struct candidate {
	struct plane plane;
	double handicap; /* of its score */
};

struct reflex {
	double weight;
	uint32_t half; /* edge */
};

struct work {
	struct memory *memory;
	const struct d3_surface *surface;
	double error;
	double snap; /* points closer to a plane lie on it; covers only rounding errors [length] */
	ARRAY(struct d3_vec_d) cloud;
	ARRAY(uint32_t) map;
	ARRAY(struct reflex) reflexes;
	ARRAY(struct candidate) candidates;
};

double d3_decompose_coordinate(const struct d3_vec_d *p, int axis);

double d3_decompose_height(const struct plane *plane, struct d3_vec_d p);

void d3_decompose_convex_free(struct work *w, struct convex *c);

/* The hull of w->cloud. */
bool d3_decompose_hull_of_cloud(struct work *w, struct convex *out);

bool d3_decompose_hull_of_part(struct work *w, struct part *p);

double d3_decompose_extent_of(const struct convex *c);

/* The largest ball in a convex body has a radius of at most 3 volume / area, and at least a third of that. */
bool d3_decompose_is_thin(const struct convex *c);

/* A polytope around the hull, of D3_HULL_MAX corners at most. Starts with the six planes along the axes, then repeatedly adds
 * those of the hull's faces that d3_decompose_cut off most of its corners. */
bool d3_decompose_widen(struct work *w, struct convex *hull);

/* Sets lower and upper, upper only where it is at most `goal`. */
void d3_decompose_measure(const struct work *w, struct convex *hull, double goal);

/* Finds the sampled point of the faces that sticks out most: enough to reject a hull, and to tell where. Small hulls have large
 * faces, so these get more samples. */
void d3_decompose_glance(const struct work *w, struct convex *hull);

/* is_filled. False: out of memory. */
bool d3_decompose_look_inside(struct work *w, const struct convex *hull, double error, bool *filled);

/* Makes a piece of the hull. *fits: it sticks out by at most the error and has few enough corners. False: out of memory. */
bool d3_decompose_judge(struct work *w, struct convex *hull, bool *fits);

/* The part above the plane; *out is empty or reused. A convex polygon gains at most one corner, and two new points. */
bool d3_decompose_cut(struct work *w, const struct part *p, const struct plane *plane, struct part *out);

struct plane d3_decompose_opposite(const struct plane *plane);
