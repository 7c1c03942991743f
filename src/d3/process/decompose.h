/* decompose.h - approximate convex decomposition of a solid: pieces that contain it, and stick out of it by at most an error.
 * Pure, any thread. */
#pragma once
#include "d3/shape/hull.h"
#include "d3/process/surface_distance.h"

enum {
	D3_DECOMPOSE_TRIANGLES = 65536, /* maximum number of triangles of the solid */
	D3_DECOMPOSE_PIECES = 1024 /* maximum number of pieces */
};

/* The pieces in sequence. The corners of piece i are points[start[i]] ... points[start[i + 1] - 1], 4 to D3_HULL_MAX. Each
 * piece is their hull. */
struct d3_pieces {
	struct memory *memory;
	uint32_t count, point_count;
	uint32_t *start; /* count + 1 entries */
	struct d3_vec_d *points;
	double error; /* upper bound of how far the pieces' surfaces stick out of the solid [length] */
	uint32_t where[3]; /* the defect: see enum d3_surface_result */
};

/* Decomposes the solid inside the closed triangle surface. Cuts it by planes until the hull of each part sticks out by at most
 * `error` > 0, or there are `most` parts. Then joins parts whose common hull sticks out by at most `error`.
 *
 * Guarantees, to within 1e-7 of the solid's size, which is the rounding error of corners as floats:
 * - Each point of the solid is in a piece: the cuts leave nothing out, each part lies in its hull, and each hull in its piece.
 * - No point on the surface of a piece is farther than out->error from the solid. That is an upper bound over all points, not
 *   over samples: see d3_surface_deviation.
 * - No point inside a piece is farther from the solid than 2 out->error: a piece whose surface is near enough, but which
 *   encloses a hollow, is cut, too.
 * - out->error <= error, unless `most` parts were too few, or a part became too thin to be cut. (An error below 1e-8 of the
 *   size counts as 1e-8 of it.)
 *
 * Pieces may overlap where they stick out, and inside the solid: a cross is two bars. A hull of more than D3_HULL_MAX corners
 * is widened to a polytope of fewer faces that contains it. If that would stick out too far, the part is cut instead. Only
 * D3_SURFACE_OK sets the pieces. d3_pieces_free frees them. */
enum d3_surface_result d3_decompose(struct memory *memory, const struct d3_vec_d *vertices, uint32_t vertex_count,
	const uint32_t *indices, uint32_t triangle_count, double error, uint32_t most, struct d3_pieces *out);
void d3_pieces_free(struct d3_pieces *pieces);
