/* manifold.c - which routine collides which two shapes.
** Floor: d3. Pure, any thread. */
#include "d3/manifold.h"

#include "d3/touch.h"

static const struct d3_shape *convex_child(const struct d3_shape *shape, uint32_t child)
{
	return shape->type == D3_COMPOUND ? shape->compound->children[child] : shape;
}

static bool is_surface(const struct d3_shape *shape)
{
	return shape->type == D3_MESH || shape->type == D3_HEIGHT_FIELD || shape->type == D3_HALF_SPACE;
}

bool d3_shapes_collide(const struct d3_shape *a, const struct d3_shape *b)
{
	return !(is_surface(a) && is_surface(b));
}

/* The gap of the two, moved together until they overlap a little, is that of d3_touch. */
static void collide_convex(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform *b_in_a, float speculative,
	struct d3_local_manifold *out)
{
	const struct d3_pose origin = { 0, 0, 0, { 0, 0, 0, 1 } };
	struct d3_pose place = { b_in_a->p.x, b_in_a->p.y, b_in_a->p.z, b_in_a->q };
	struct d3_measure measure;
	struct d3_touch touch;
	d3_measure(a, &origin, b, &place, &measure);
	out->count = 0;
	out->triangle = 0;
	if (!(measure.distance <= speculative))
		return;
	double shift = max_d(measure.distance + 0.25 * speculative, 0);
	place.x -= shift * measure.normal.x;
	place.y -= shift * measure.normal.y;
	place.z -= shift * measure.normal.z;
	d3_touch(a, &origin, b, &place, &touch);
	out->normal = d3_narrow(touch.normal);
	for (int i = 0; i < touch.count; i++) {
		struct d3_touch_point *from = &touch.points[i];
		struct d3_manifold_point *point = &out->points[out->count];
		point->point = d3_narrow(d3_mul_add_d(from->p, 0.5 * shift, measure.normal));
		point->separation = (float)(from->separation + shift * d3_dot_d(touch.normal, measure.normal));
		point->id = (uint32_t)(from->id ^ from->id >> 32);
		if (point->separation <= speculative)
			out->count++;
	}
}

void d3_collide(const struct d3_shape *a, uint32_t child_a, const struct d3_shape *b, uint32_t child_b,
	const struct d3_transform *b_in_a, float speculative, struct d3_manifold_cache *cache, struct d3_local_manifold *out)
{
	(void)cache;
	out->count = 0;
	if (d3_shapes_collide(a, b))
		collide_convex(convex_child(a, child_a), convex_child(b, child_b), b_in_a, speculative, out);
}

int d3_collide_mesh(const struct d3_shape *mesh, const struct d3_shape *b, uint32_t child_b, const struct d3_transform *b_in_mesh,
	float speculative, struct d3_manifold_cache *cache, struct d3_local_manifold out[D3_MANIFOLDS])
{
	(void)cache;
	collide_convex(mesh, convex_child(b, child_b), b_in_mesh, speculative, out);
	return out->count > 0;
}
