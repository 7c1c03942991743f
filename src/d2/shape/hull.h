/* hull.h - convex hulls: of up to D2_HULL_MAX points, with tolerances, for polygons; and of any number of points, without
 * tolerances.
 * Pure, any thread. */
#pragma once
#include "d2/math.h"

#include <stdbool.h>
#include <stdint.h>

/* Maximum number of points, of input and hull: feature ids have 8 bits for a vertex, and more corners look round anyway. */
enum { D2_HULL_MAX = 64 };

enum d2_hull_result {
	D2_HULL_OK,
	D2_HULL_OUT_OF_MEMORY,
	D2_HULL_TOO_FEW, /* fewer than three points after merging */
	D2_HULL_DEGENERATE /* on a line, or so nearly that the normals would be noise */
};

/* Computes the corners of the hull, counter-clockwise, of count <= D2_HULL_MAX finite points in any order. Tolerances are
 * relative to the extent, the greatest coordinate difference from points[0]: points at most 1e-5 apart are merged; corners that
 * stick out by at most 1e-6 are dropped; a hull thinner than 1e-5 is degenerate. out has room for `count` points. */
enum d2_hull_result d2_hull_compute(const struct d2_vec *points, uint32_t count, struct d2_vec *out, uint32_t *out_count);

/* Whether the points can be the result of d2_hull_compute for some points: counter-clockwise, once around, convex without
 * flat corners, and not degenerate. */
bool d2_hull_is(const struct d2_vec *points, uint32_t count);

/* Computes the corners of the hull of any number of finite points (count >= 1), without tolerances. Sorts `points` and drops
 * equal and inner ones. Writes the corners, counter-clockwise from the leftmost (of these the lowest) point, into out, which
 * has room for count + 1. Returns their number: two where all points lie on a line, one where they are the same. */
uint32_t d2_hull_corners(struct d2_vec_d *points, uint32_t count, struct d2_vec_d *out);
