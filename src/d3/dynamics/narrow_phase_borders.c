/* narrow_phase_borders.c - contacts at the border of a face that another shape may continue. See narrow_phase.c. */
#include "d3/dynamics/narrow_phase_parts.h"

/* --- Borders of faces ----------------------------------------------------------------------------------------------------- */

/* A contact's result in this step: what tells on which face a body rests. */
struct result {
	struct d3_transform b_in_a;
	struct d3_vec normal; /* from a to b, in the frame of a */
	struct d3_vec middle; /* of the first point, in the frame of a */
	float separation;
	uint32_t triangle;
};

/* False: the contact has no points. Another thread may be writing the record of a border contact. */
static bool result_now(const struct world *world, uint32_t id, struct result *out)
{
	if (bits_has(&world->border_contacts, id)) {
		const struct d3_border *border = border_row(world, id);
		const struct d3_local_manifold *m = &border->manifold;
		if (m->count > 0)
			*out = (struct result){border->b_in_a, m->normal, m->points[0].point, m->points[0].separation, m->triangle};
		return m->count > 0;
	}
	const struct d3_contact_row *row = d3_contact_row(world, id);
	*out =
		(struct result){{row->p, row->q}, row->local_normal, row->points[0].middle, row->points[0].separation, row->triangle};
	uint8_t flags = world->contacts.data[id].link.flags;
	return (flags & (CONTACT_TOUCHES | CONTACT_SENSOR)) == CONTACT_TOUCHES && row->count > 0;
}

/* The transform from the frame of `other` to that of `body`. */
static struct d3_transform body_in(const struct world *world, uint32_t other, uint32_t body)
{
	if (other == body)
		return (struct d3_transform){.q = {.w = 1.0f}};
	struct d3_pose from = d3_row_pose(d3_row(world, other)), to = d3_row_pose(d3_row(world, body));
	return d3_pose_relative(&to, &from);
}

/* Whether the body at this end of a contact touches a face of the other shape, inside the face or at its border. *out: the
 * plane of that face, in the frame of body y, with the normal towards the body. */
static bool supporting_plane(const struct world *world, uint32_t key, uint32_t y, float step, struct d3_plane *out)
{
	const struct contact *contact = &world->contacts.data[key / 2];
	struct result now;
	if (!result_now(world, key / 2, &now))
		return false;
	int other = ~key & 1;
	struct d3_vec n = other == 0 ? now.normal : d3_neg(d3_inv_rotate(now.b_in_a.q, now.normal));
	const struct d3_shape *own = d3_proxy_part(world, contact->proxies[1 - other]);
	const struct d3_shape *face = d3_proxy_part(world, contact->proxies[other]);
	if (!d3_is_face(face, now.triangle, n)) {
		struct d3_transform b_in_a = d3_contact_b_in_a(world, contact);
		struct d3_transform own_in_other = other == 0 ? b_in_a : d3_inv_transform(b_in_a);
		if (!d3_face_touched(face, own, &own_in_other, n, step, speculative_margin(world), &n))
			return false;
	}
	struct d3_vec p = other == 0 ? now.middle : d3_inv_transform_point(now.b_in_a, now.middle);
	struct d3_transform other_in_y = body_in(world, contact->link.bodies[other], y);
	out->normal = d3_rotate(other_in_y.q, n);
	out->offset = d3_dot(out->normal, d3_transform_point(other_in_y, d3_mul_add(p, -0.5f * now.separation, n)));
	return true;
}

/* Whether the contact is a seam: the other shape continues a face on which the body at this end rests by another contact.
 * *manifold: the contact with the continued face alone. Contacts inside faces are tried as supports first: of two border
 * contacts either may be the seam. */
static bool seam_collide(
	const struct world *world, uint32_t key, const struct d3_transform *b_in_a, struct d3_local_manifold *manifold)
{
	const struct contact *contact = &world->contacts.data[key / 2];
	int own = key & 1, other = own ^ 1;
	uint32_t other_body = contact->link.bodies[other];
	if (!d3_narrow_may_be_seam(world, contact, other))
		return false;
	const struct d3_shape *x = d3_proxy_part(world, contact->proxies[own]), *y = d3_proxy_part(world, contact->proxies[other]);
	struct d3_transform a_in_b = d3_inv_transform(*b_in_a);
	const struct d3_transform *x_in_y = own == 0 ? &a_in_b : b_in_a, *y_in_x = own == 0 ? b_in_a : &a_in_b;
	float speculative = speculative_margin(world), step = d3_seam_step(world, x);
	bool any_border = true;
	for (int borders = 0; borders < 2 && any_border; ++borders) {
		any_border = false;
		for (uint32_t k = support_next(world, key, NONE); k != NONE; k = support_next(world, key, k)) {
			struct d3_plane plane = {.depth = body_fixed(world, other_body) ? max_f(2.0f * step, 0.5f * x->inner) : step};
			bool border = bits_has(&world->border_contacts, k / 2);
			any_border |= border;
			if (border != borders || !supporting_plane(world, k, other_body, step, &plane) ||
				!d3_collide_seam(y, x, x_in_y, &plane, step, speculative, manifold))
				continue;
			if (own == 0)
				d3_manifold_turn(manifold, y_in_x);
			return true;
		}
	}
	return false;
}

void d3_contacts_collide_alone(struct world *world, uint32_t begin, uint32_t end)
{
	const struct bits *borders = &world->border_contacts;
	for (uint32_t id = bits_next_before(borders, 64 * begin, end); id != NONE; id = bits_next_before(borders, id + 1, end)) {
		struct d3_border *border = border_row(world, id);
		contact_sides_prefetch(world, id + CONTACTS_AHEAD);
		border->b_in_a = d3_contact_b_in_a(world, &world->contacts.data[id]);
		border->border = d3_narrow_pair_collide(world, id, &border->b_in_a, &border->manifold);
	}
}

void d3_contacts_collide_borders(struct world *world, uint32_t begin, uint32_t end)
{
	const struct bits *borders = &world->border_contacts;
	for (uint32_t id = bits_next_before(borders, 64 * begin, end); id != NONE; id = bits_next_before(borders, id + 1, end)) {
		const struct d3_border *border = border_row(world, id);
		struct contact *contact = &world->contacts.data[id];
		struct d3_local_manifold seam;
		bool continues = border->border &&
			(seam_collide(world, 2 * id, &border->b_in_a, &seam) || seam_collide(world, 2 * id + 1, &border->b_in_a, &seam));
		if (continues && seam.count == 0)
			d3_overlap_keep(&border->manifold, 1.5f * LINEAR_SLOP * world->settings.length_scale, &seam);
		d3_narrow_row_store(world, id, continues ? &seam : &border->manifold, &border->b_in_a);
		if (border->manifold.count == 0)
			d3_narrow_separated_skip(world, id);
		contact_set_flags(world, id, (contact->link.flags & ~(uint32_t)CONTACT_BORDER) | (border->border ? CONTACT_BORDER : 0));
		bool touches = d3_narrow_row_touches(d3_contact_row(world, id));
		bool touching = (contact->link.flags & CONTACT_TOUCHING) != 0;
		contact_found(world, id, touching && !touches && !contact_boxes_overlap(world, contact), touches);
	}
}
