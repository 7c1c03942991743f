/* hull_parts.h - internals shared by hull.c and hull_simplify.c. Pure, any thread. */
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

/* State of the simplification. `tolerance` and `weld` are scaled by hull.factor. */
struct round {
	struct memory *memory;
	const struct d3_vec *points; /* the points given */
	uint32_t *index; /* the remaining corners as indices into `points`, sorted by coordinates */
	uint32_t count, capacity;
	struct d3_quickhull hull; /* surface of the remaining corners */
	double tolerance, weld;
	bool broken; /* a face's boundary is not convex, at a corner that need not be dropped */
};

int d3_hull_compare_candidates(const void *a, const void *b);

/* Runs one round. All corners are corners of the exact hull, and remain so when others are dropped. *changed: the round dropped
 * corners, and another one is needed; else the faces are marked. */
enum d3_hull_result d3_hull_clean(struct round *round, double extent, double tolerance, bool *changed);
