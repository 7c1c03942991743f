/* simplify.h - surfaces of fewer triangles: the twin of outlines of fewer points in the plane.
 * Pure, any thread. */
#pragma once
#include "d3/process/surface_distance.h"

enum { D3_SIMPLIFY_TRIANGLES = 1 << 20 }; /* at most */

struct d3_simplified {
	struct memory *memory;
	uint32_t vertex_count, triangle_count;
	uint32_t *vertices; /* which of those given are left, ascending */
	uint32_t *indices; /* 3 for each triangle, into `vertices` */
	uint32_t where[3]; /* what is wrong, as in surface_distance.h */
};

/* The surface of fewer triangles, no point of which is farther than `error` >= 0 from the old one, and no point of the old one
 * farther than that from the new one; likewise the boundaries of a surface that is not closed. All to within 1e-9 of the size.
 * Vertices in the same place are one. Those left stand where they stood. What was closed stays closed, of the same genus,
 * oriented as it was; no triangle turns over or loses its area. Where more than two triangles, or two that disagree, share an
 * edge, vertices stay. Nothing keeps parts of the surface that come nearer to each other than twice the error from crossing.
 * Refuses nothing but triangles without an area (D3_SURFACE_FLAT). */
enum d3_surface_result d3_simplify(struct memory *memory, const struct d3_vec_d *vertices, uint32_t vertex_count,
	const uint32_t *indices, uint32_t triangle_count, double error, struct d3_simplified *out);
void d3_simplified_free(struct d3_simplified *simplified);
