/* simplify.h - simplification of triangle surfaces within an error.
 * Pure, any thread. */
#pragma once
#include "d3/process/surface_distance.h"

enum { D3_SIMPLIFY_TRIANGLES = 1 << 20 }; /* maximum number of triangles */

struct d3_simplified {
	struct memory *memory;
	uint32_t vertex_count, triangle_count;
	uint32_t *vertices; /* indices of the given vertices that remain, ascending */
	uint32_t *indices; /* 3 for each triangle, into `vertices` */
	uint32_t where[3]; /* the defect: see enum d3_surface_result */
};

/* Simplifies the surface: removes vertices, and so triangles. No point of the new surface is farther than `error` >= 0 from the
 * old one, nor the reverse. The same holds for the boundaries of an open surface. These bounds hold to within 1e-9 of the size.
 * Vertices at the same position are merged. The remaining vertices do not move. A closed surface stays closed, of the same
 * genus and orientation; no triangle flips or loses its area. Vertices of an edge of more than two triangles, or of two with
 * opposite orientations, stay. Parts of the surface that are closer to each other than twice the error may cross. Refuses only
 * triangles without an area (D3_SURFACE_FLAT). */
enum d3_surface_result d3_simplify(struct memory *memory, const struct d3_vec_d *vertices, uint32_t vertex_count,
	const uint32_t *indices, uint32_t triangle_count, double error, struct d3_simplified *out);
void d3_simplified_free(struct d3_simplified *simplified);
