/* manifold_mesh.c */
#include "d3/manifold_parts.h"
int d3_collide_mesh(const struct d3_shape *mesh, const struct d3_shape *b, uint32_t child_b, const struct d3_transform *b_in_mesh,
	float speculative, struct d3_manifold_cache *cache, struct d3_local_manifold out[D3_MANIFOLDS])
{
	(void)mesh;(void)b;(void)child_b;(void)b_in_mesh;(void)speculative;(void)cache;(void)out;
	return 0;
}
