/* decompose.h - exact convex decomposition of simple polygons, and simplification of lines and loops of points.
 * Pure, any thread. */
#pragma once
#include "d2/shape/hull.h"

#include <stddef.h>

struct memory;

/* Maximum number of points. Long edges take quadratic time: each is compared with all others. */
enum { D2_DECOMPOSE_MAX = 16384 };

/* The least size of coordinates other than 0. Products of smaller ones underflow, and turn_exact would not be exact. */
#define D2_DECOMPOSE_LEAST 1e-140

enum d2_decompose_result {
	D2_DECOMPOSE_OK,
	D2_DECOMPOSE_TINY, /* a coordinate of point where[0] is too near to 0: see D2_DECOMPOSE_LEAST */
	D2_DECOMPOSE_TOO_FEW, /* fewer than three points are left after equal neighbours are merged */
	D2_DECOMPOSE_FLAT, /* all on a line */
	D2_DECOMPOSE_SPIKE, /* the polygon turns back on itself at point where[0] */
	D2_DECOMPOSE_CROSSING /* two edges cross or touch: those that begin at points where[0] and where[1] */
};

/* The pieces in sequence. The corners of piece i are the input's points index[start[i]] ... index[start[i + 1] - 1],
 * counter-clockwise. Each piece is strictly convex and has at most D2_HULL_MAX corners. Their union is the polygon and their
 * interiors are disjoint: exactly, since there are no new points and validity depends on exact predicates alone. */
struct d2_pieces {
	uint32_t count;
	const uint32_t *start, *index;
	uint32_t where[2]; /* the faulty points */
};

/* Bytes of work space for `count` points. */
size_t d2_decompose_space(uint32_t count);

/* Decomposes a simple polygon into convex pieces: at most four times the minimum (Hertel and Mehlhorn), apart from the limit of
 * D2_HULL_MAX corners. points: 3 <= count <= D2_DECOMPOSE_MAX finite x, y, in either winding. Equal neighbours, and points on
 * the segment between their neighbours, are dropped. space: d2_decompose_space(count) bytes; the lists of *out lie in it and
 * are valid as long as it is. */
enum d2_decompose_result d2_decompose(const double *points, uint32_t count, void *space, struct d2_pieces *out);

/* Marks the points of a line or loop to keep, and returns how many. Each other point is within `tolerance` of the segment that
 * replaces it, so the old and the new line are within `tolerance` of each other. The ends of a line are kept; of a loop at
 * least three points that span an area, if there are any. space: 2 count words.
 * Takes O(n log n) if most runs (the points between two kept ones) are cut near their middles, as is usual; at most O(n log^2
 * n), with some 4 n log2(n / 64) bytes of memory, or O(n^2) without that memory. On contrived lines, where the farthest points
 * of many segments lie beyond the segments' ends and nearly equally far, later cuts are not at the farthest points, and more
 * points may stay. */
uint32_t d2_simplify(
	struct memory *memory, const double *points, uint32_t count, double tolerance, bool loop, uint32_t *space, bool *keep);
