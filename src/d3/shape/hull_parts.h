/* hull_parts.h - internals shared by hull.c, hull_faces.c and hull_simplify.c. Pure, any thread. */
#pragma once
#include "d3/shape/hull.h"
#include "base/array.h"
#include "base/float4.h"
#include "base/turn.h"
#include "d3/shape/predicates.h"
#include "d3/shape/quickhull.h"

#include <assert.h>
#include <stdlib.h>

static const double weld = 1e-5, flatness = 1e-6, thinnest = 1e-5; /* relative to the extent, see hull.h */

/* A corner of the hull under construction. */
struct candidate {
	struct d3_vec p;
	uint32_t index; /* index in the points given */
};

/* State of the simplification of hull.c. `tolerance` and `weld` are multiplied by hull.factor, as the points of `hull` are. */
struct round {
	struct memory *memory;
	const struct d3_vec *points; /* the points given */
	uint32_t *index; /* the remaining corners as indices into `points`, sorted by coordinates */
	uint32_t count, capacity;
	struct d3_quickhull hull; /* surface of the remaining corners */
	double tolerance, weld;
	/* a face's boundary is reflex at a corner that check_outline keeps: if no round follows, each triangle becomes a face */
	bool broken;
};

/* Allocates a hull with its arrays, all zero. NULL: no memory. */
struct d3_hull *d3_hull_new(struct memory *memory, uint32_t points, uint32_t faces, uint32_t edges);
/* Computes the faces' planes. False: the hull is thinner than `thickness` along one of the normals, or a face has no area. */
bool d3_hull_lay_planes(struct d3_hull *hull, double thickness);
/* Sets the extent and the tolerance of the points' hull, see hull.h [length]. */
void d3_hull_measure(const struct d3_points *points, double *extent, double *tolerance);

int d3_hull_compare_candidates(const void *a, const void *b);

/* Runs one round at this tolerance [length]. The remaining corners are corners of the exact hull, and stay so when others are
 * dropped. *changed: the round has dropped corners, so another round is needed; if false, the regions of round->hull are the
 * faces. */
enum d3_hull_result d3_hull_clean(struct round *round, double extent, double tolerance, bool *changed);
