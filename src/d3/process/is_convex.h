/* is_convex.h - whether a mesh is convex.
 * Pure, any thread. */
#pragma once
#include "d3/process/surface_distance.h"

/* Whether the mesh is the closed surface of a convex solid, in either winding, with faces that may be coplanar. Vertices at the
 * same position count as one. Exact; but a solid so thin that the mean of its vertices, rounded, is not inside counts as not
 * convex. where[0]: the triangle of D3_SURFACE_FLAT. The result may also be D3_SURFACE_OUT_OF_MEMORY, else it is
 * D3_SURFACE_OK. */
enum d3_surface_result d3_is_convex(struct memory *memory, const struct d3_vec_d *vertices, uint32_t vertex_count,
	const uint32_t *indices, uint32_t triangle_count, bool *convex, uint32_t where[3]);
