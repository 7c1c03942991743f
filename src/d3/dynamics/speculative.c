/* speculative.c - see speculative.h, and the 2D wing's speculative.c.
 * Any thread. */
#include "d3/dynamics/speculative.h"
#include "d3/dynamics/wing.h"

static struct d3_vec body_goes(const struct world *world, uint32_t body)
{
	struct d3_vec w;
	return d3_scale(world->step.dt, d3_body_velocity((const struct d3_world *)world, body, &w));
}

static struct d3_vec path_of(const struct world *world, const struct contact *contact)
{
	return d3_sub(body_goes(world, contact->link.bodies[1]), body_goes(world, contact->link.bodies[0]));
}

/* Not for contacts that bounce, as in 2D; nor one-sided surfaces: a body behind one would get a contact on its front. */
bool d3_goes_ahead(const struct world *world, const struct contact *contact)
{
	const uint32_t *bodies = contact->link.bodies;
	struct d3_vec delta = path_of(world, contact);
	float least = AHEAD * world->settings.length_scale;
	if (!(d3_dot(delta, delta) > least * least))
		return false;
	const struct d3_shape *a = d3_collider_shape(world, contact->colliders[0]);
	const struct d3_shape *b = d3_collider_shape(world, contact->colliders[1]);
	bool bounces = d3_contact_row(world, (uint32_t)(contact - world->contacts.data))->material.restitution > 0.0f;
	return !a->one_sided && !b->one_sided && !(bounces && (body_pulls(world, bodies[0]) || body_pulls(world, bodies[1])));
}

struct d3_vec d3_path_ahead(const struct world *world, const struct contact *contact)
{
	return d3_inv_rotate(d3_row(world, contact->link.bodies[0])->q, path_of(world, contact));
}

bool d3_manifold_take_back(const struct world *world, struct d3_local_manifold *manifold, struct d3_vec delta)
{
	float gap = -d3_dot(delta, manifold->normal), least = INFINITY;
	for (int i = 0; i < manifold->count; ++i) {
		struct d3_manifold_point *point = &manifold->points[i];
		least = min_f(least, point->separation);
		struct d3_vec on_b = d3_sub(d3_mul_add(point->point, 0.5f * point->separation, manifold->normal), delta);
		point->separation += gap;
		point->point = d3_mul_add(on_b, -0.5f * point->separation, manifold->normal);
	}
	return least < -LINEAR_SLOP * world->settings.length_scale && least + gap > 0.0f;
}
