/* dispatch.c - selects the routine for two shapes. Each routine takes the shape of the higher `enum kind` as A; in the other
 * order the shapes are exchanged, and the contact is flipped.
 * Pure, any thread. */
#include "d3/manifold/manifold.h"

#include "d3/manifold/manifold_parts.h"

#include <assert.h>

enum kind { ROUND, ROD, SOLID, FLAT, SMOOTH, PLANE, SURFACE };

static const unsigned char kinds[D3_SHAPE_TYPES] = {
	[D3_SPHERE] = ROUND,
	[D3_CAPSULE] = ROD,
	[D3_SEGMENT] = ROD,
	[D3_TRIANGLE] = FLAT,
	[D3_BOX] = SOLID,
	[D3_HULL] = SOLID,
	[D3_CYLINDER] = SMOOTH,
	[D3_CONE] = SMOOTH,
	[D3_ELLIPSOID] = SMOOTH,
	[D3_TAPERED_CAPSULE] = SMOOTH,
	[D3_HALF_SPACE] = PLANE,
	[D3_MESH] = SURFACE,
	[D3_HEIGHT_FIELD] = SURFACE,
	[D3_VOXELS] = SURFACE,
};

/* Collides two convex shapes, where kinds[a->type] >= kinds[b->type]. */
static void collide_ordered(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform *b_in_a,
	float speculative, struct d3_manifold_cache *cache, struct d3_local_manifold *out)
{
	if (d3_collide_round(a, b, b_in_a, speculative, cache, out))
		return;
	if (a->type == D3_BOX && b->type == D3_BOX) {
		if (d3_collide_boxes(a, b, b_in_a, speculative, cache, out))
			return;
	} else if (kinds[a->type] == SOLID && kinds[b->type] == SOLID && d3_collide_hulls(a, b, b_in_a, speculative, cache, out)) {
		return;
	}
	struct d3_proxy proxy_a, proxy_b;
	d3_make_proxy(a, 0, &proxy_a);
	d3_make_proxy(b, 0, &proxy_b);
	d3_collide_convex(&proxy_a, &proxy_b, b_in_a, speculative, cache, out);
}

void d3_manifold_turn(struct d3_local_manifold *out, const struct d3_transform *b_in_a)
{
	out->normal = d3_neg(d3_rotate(b_in_a->q, out->normal));
	for (int i = 0; i < out->count; ++i)
		out->points[i].point = d3_transform_point(*b_in_a, out->points[i].point);
}

void d3_collide(const struct d3_shape *a, uint32_t child_a, const struct d3_shape *b, uint32_t child_b,
	const struct d3_transform *b_in_a, float speculative, struct d3_manifold_cache *cache, struct d3_local_manifold *out)
{
	assert(child_a < d3_shape_child_count(a) && child_b < d3_shape_child_count(b));
	a = d3_shape_part(a, child_a);
	b = d3_shape_part(b, child_b);
	out->count = 0;
	out->triangle = 0;
	out->clearance = 0;
	if (kinds[a->type] == SURFACE || kinds[b->type] == SURFACE || (kinds[a->type] == PLANE && kinds[b->type] == PLANE))
		return;
	if (kinds[a->type] >= kinds[b->type]) {
		collide_ordered(a, b, b_in_a, speculative, cache, out);
		return;
	}
	struct d3_transform a_in_b = d3_inv_transform(*b_in_a);
	collide_ordered(b, a, &a_in_b, speculative, cache, out);
	if (out->count > 0)
		d3_manifold_turn(out, b_in_a);
}

int d3_collide_surface(const struct d3_shape *a, uint32_t child_a, const struct d3_shape *b, uint32_t child_b,
	const struct d3_transform *b_in_a, float speculative, struct d3_manifold_cache *cache, float *clearance,
	struct d3_local_manifold out[D3_MANIFOLDS])
{
	if (d3_shape_surface(a))
		return d3_collide_mesh(a, b, child_b, b_in_a, speculative, cache, clearance, out);
	struct d3_transform a_in_b = d3_inv_transform(*b_in_a);
	int count = d3_collide_mesh(b, a, child_a, &a_in_b, speculative, cache, clearance, out);
	for (int i = 0; i < count; ++i)
		d3_manifold_turn(&out[i], b_in_a);
	return count;
}
