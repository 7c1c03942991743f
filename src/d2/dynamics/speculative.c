/* speculative.c - contacts made ahead, see core/speculative.h. A wheel at 7 m/s moves 23 cm in a step of 1/30 s, and is that
 * deep in the ground if its contact is made in the next step. A sweep that stops it would tear it off the moving car. So its
 * contact is made a step earlier, where the shapes would overlap if both moved straight on. The normal is the one at that
 * position, so that edges that the wheel passes do not stop it.
 * Any thread. */
#include "core/link.h"
#include "core/speculative.h"
#include "d2/query/ray_cast.h"
#include "d2/dynamics/wing.h"

/* Whether another shape is between a jointed body's centre and the point (x, y): the body's straight path continues behind the
 * surface that stops it, and hits hidden sides of tiles there. Tests the shapes that the body has contacts with: those near the
 * path are among them. */
static bool is_hidden(const struct world *world, const struct contact *contact, double x, double y)
{
	for (int side = 0; side < 2; ++side) {
		uint32_t body = contact->link.bodies[side];
		const struct d2_body *row = d2_row(world, body);
		uint32_t key = body_hangs(world, body) ? world->bodies.data[body].links[LINK_CONTACT] : NONE;
		for (; key != NONE; key = link_next(world, LINK_CONTACT, key)) {
			const struct contact *other = &world->contacts.data[key / 2];
			uint32_t proxy = other->proxies[~key & 1], collider = other->colliders[~key & 1];
			struct d2_pose pose = d2_row_pose(d2_row(world, other->link.bodies[~key & 1]));
			struct d2_ray_hit_d hit;
			if (proxy != contact->proxies[1 - side] && !world->colliders.data[collider].sensor &&
				d2_shape_ray_child(d2_collider_shape(world, collider), world->proxies.data[proxy].child, &pose, row->x, row->y,
					x - row->x, y - row->y, 1.0, &hit))
				return true;
		}
	}
	return false;
}

/* A segment is hit at an end if the cosine of the angle between its normal and the contact normal is below this. */
#define SIDEWAYS 0.5f

/* Whether the shape, rotated by q, is a segment that is hit at an end. */
static bool hits_end(const struct d2_shape *shape, struct d2_rot q, struct d2_vec normal)
{
	return shape->type == D2_SEGMENT && abs_f(d2_dot(d2_rotate(q, shape->normals[0]), normal)) < SIDEWAYS;
}

enum { HALVINGS = 4 };

/* Whether the shapes overlap by more than a slop after b has moved by `part`, in a's frame; *out is their manifold there. */
static bool overlaps_at(const struct world *world, const struct contact *contact, const struct d2_transform *b_in_a,
	struct d2_vec part, struct d2_local_manifold *out)
{
	const struct d2_shape *a = d2_collider_shape(world, contact->colliders[0]);
	const struct d2_shape *b = d2_collider_shape(world, contact->colliders[1]);
	struct d2_transform then = {d2_add(b_in_a->p, part), b_in_a->q};
	d2_collide(a, world->proxies.data[contact->proxies[0]].child, b, world->proxies.data[contact->proxies[1]].child, &then,
		speculative_margin(world), out);
	return d2_manifold_separation(out) < -LINEAR_SLOP * world->settings.length_scale;
}

/* Finds the first overlap among up to eight evenly spaced positions, and bisects the interval before it down to a sixteenth:
 * deeper in, the nearest side may not be the one that was hit, but that of a tile behind the first. For a wheel at 30 Hz and 20
 * m/s that was so one time in eight, and the car stopped. */
void d2_ahead_collide(
	const struct world *world, const struct contact *contact, const struct d2_transform *b_in_a, struct d2_local_manifold *out)
{
	float path[3];
	contact_path_ahead(world, contact, path);
	struct d2_vec delta = d2_inv_rotate(d2_row(world, contact->link.bodies[0])->q, (struct d2_vec){path[0], path[1]});
	const struct d2_shape *a = d2_collider_shape(world, contact->colliders[0]);
	const struct d2_shape *b = d2_collider_shape(world, contact->colliders[1]);
	int positions = positions_ahead(d2_length(delta), a->inner + b->inner), i = 1;
	while (i <= positions && !overlaps_at(world, contact, b_in_a, d2_scale((float)i / (float)positions, delta), out))
		++i;
	if (i > positions) {
		out->count = 0;
		return;
	}
	float apart = (float)(i - 1) / (float)positions, part = (float)i / (float)positions;
	for (int halving = 0; halving < HALVINGS; ++halving) {
		struct d2_local_manifold earlier;
		float middle = 0.5f * (apart + part);
		if (overlaps_at(world, contact, b_in_a, d2_scale(middle, delta), &earlier)) {
			*out = earlier;
			part = middle;
		} else {
			apart = middle;
		}
	}
	struct d2_vec middle =
		out->count > 1 ? d2_scale(0.5f, d2_add(out->points[0].point, out->points[1].point)) : out->points[0].point;
	struct d2_pose pose = d2_row_pose(d2_row(world, contact->link.bodies[0]));
	struct d2_vec goes = d2_scale(world->step.dt, d2_state(world, contact->link.bodies[0])->v);
	struct d2_vec at = d2_mul_add(d2_rotate(pose.q, middle), part, goes);
	/* At a border, and at the end of a segment, another shape may be hit first. */
	bool first = !out->border && !hits_end(a, (struct d2_rot){1.0f, 0.0f}, out->normal) &&
		!hits_end(b, b_in_a->q, out->normal) && !is_hidden(world, contact, pose.x + (double)at.x, pose.y + (double)at.y);
	d2_manifold_take_back(out, d2_scale(part, delta));
	/* If the shapes already overlap along this normal, b does not come from outside. */
	if (!first || !(d2_manifold_separation(out) > 0.0f))
		out->count = 0;
}
