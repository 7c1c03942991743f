/* immersion.h - parts of solids that fields act on, the same in 2D and 3D: what is below a plane, and facets of the surface. In
 * 2D volumes are areas, and areas lengths; third numbers of vectors are 0. */
#pragma once
#include "base/vec3.h"

#include <stdbool.h>

/* The part of a shape below a plane. */
struct immersion {
	double volume; /* [length^dimensions] */
	struct vec3 center; /* its centroid, in the shape's frame [length] */
};

/* How many facets cover a surface: along an edge, and across a quarter turn. An arc of 0: as few as represent the whole. */
struct fineness {
	int edge, arc;
};

/* A part of a shape's surface, taken as flat. */
struct facet {
	struct vec3 point, normal; /* its middle, and its unit normal, outward; in the shape's frame */
	double area; /* [length^(dimensions - 1)] */
	bool round; /* it stands for a whole circle or ball about `point`, of which `area` faces any direction */
};

typedef void facet_visit(void *context, const struct facet *facet);
