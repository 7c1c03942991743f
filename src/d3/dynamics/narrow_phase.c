/* narrow_phase.c - from poses to contact records: the narrow phase of a step. d3_contact_collide and d3_contact_renew: any
 * thread, disjoint contacts. */
#include "d3/dynamics/narrow_phase_parts.h"

static bool sensor_overlaps(
	const struct world *world, const struct contact *contact, const struct d3_pose *a, const struct d3_pose *b)
{
	return d3_overlaps(d3_proxy_part(world, contact->proxies[0]), a, d3_proxy_part(world, contact->proxies[1]), b);
}

/* --- Records -------------------------------------------------------------------------------------------------------------- */

/* Gives point i the impulse of the old point k. *left: a bit for each old point not matched yet. */
static void point_start(struct d3_contact_row *row, int i, const struct d3_contact_row *before, int k, unsigned *left)
{
	row->normal_impulse[i] = before->normal_impulse[k];
	*left &= ~(1u << k);
}

/* Returns the old point in `left` nearest to `middle`, within `reach`; -1: none. */
static int point_nearest(const struct d3_contact_row *before, unsigned left, struct d3_vec middle, float reach)
{
	float least = reach * reach;
	int best = -1;
	for (int k = 0; k < before->count; ++k) {
		struct d3_vec delta = d3_sub(before->points[k].middle, middle);
		float squares = d3_dot(delta, delta);
		if ((left >> k & 1) && squares < least) {
			least = squares;
			best = k;
		}
	}
	return best;
}

/* Gives new points the impulses of old ones. Points are matched by feature ids, or else by position: where faces are flush, as
 * in a wall, rounding decides whether a point is a corner of one face or the other, or a crossing of edges. By ids alone a
 * pyramid of 5,050 cubes loses an eighth of its impulses again and again while it settles, and falls apart. */
static void points_start(struct d3_contact_row *row, const struct d3_contact_row *before, float reach)
{
	unsigned left = (1u << before->count) - 1, lost = (1u << row->count) - 1;
	for (int i = 0; i < row->count; ++i)
		for (int k = 0; k < before->count; ++k)
			if ((left >> k & 1) && before->ids[k] == row->ids[i]) {
				point_start(row, i, before, k, &left);
				lost &= ~(1u << i);
				break;
			}
	for (int i = 0; i < row->count && left != 0; ++i) {
		int k = (lost >> i & 1) ? point_nearest(before, left, row->points[i].middle, reach) : -1;
		if (k >= 0)
			point_start(row, i, before, k, &left);
	}
}

/* Friction keeps its direction: the old impulse is projected onto the new tangents. */
static void friction_start(struct d3_contact_row *row, const struct d3_contact_row *before)
{
	struct d3_vec x = d3_tangent(before->local_normal), y = d3_cross(before->local_normal, x);
	struct d3_vec impulse = d3_add(d3_scale(before->friction_impulse[0], x), d3_scale(before->friction_impulse[1], y));
	struct d3_vec new_x = d3_tangent(row->local_normal), new_y = d3_cross(row->local_normal, new_x);
	row->friction_impulse[0] = d3_dot(new_x, impulse);
	row->friction_impulse[1] = d3_dot(new_y, impulse);
	row->friction_impulse[2] = before->friction_impulse[2];
	row->rolling_impulse = before->rolling_impulse;
}

/* Stores a new manifold in the record. A new point takes over the impulse of an old one with the same id, or else of the
 * nearest within `reach` [length]. */
static void row_renew(
	struct d3_contact_row *row, const struct d3_local_manifold *manifold, const struct d3_transform *b_in_a, float reach)
{
	/* Most pairs were and are separated: then the row's points need no change. A new row, all zero, has no D3_NO_POINT yet, and
	 * is written in full below. */
	if (row->count == 0 && manifold->count == 0 && row->points[0].separation == D3_NO_POINT) {
		row->p = b_in_a->p;
		row->q = b_in_a->q;
		row->clearance = manifold->clearance;
		return;
	}
	struct d3_contact_row before = *row;
	*row = (struct d3_contact_row){
		.material = before.material,
		.local_normal = manifold->count > 0 ? manifold->normal : (struct d3_vec){0.0f, 0.0f, 0.0f},
		.p = b_in_a->p,
		.q = b_in_a->q,
		.cache = before.cache,
		.triangle = manifold->triangle,
		.clearance = manifold->count > 0 ? 0.0f : manifold->clearance,
		.count = (uint8_t)manifold->count,
	};
	for (int i = 0; i < D3_MANIFOLD_POINTS; ++i)
		row->points[i] = (struct d3_row_point){{0.0f, 0.0f, 0.0f}, D3_NO_POINT};
	for (int i = 0; i < manifold->count; ++i) {
		row->points[i] = (struct d3_row_point){manifold->points[i].point, manifold->points[i].separation};
		row->ids[i] = manifold->points[i].id;
	}
	if (before.count > 0 && manifold->count > 0) {
		points_start(row, &before, reach);
		friction_start(row, &before);
		/* While the same faces touch, the frame is kept, however often their points are recomputed. */
		if (before.count >= D3_FLAT && manifold->count >= D3_FLAT && d3_dot(before.local_normal, row->local_normal) > 0.9999f)
			row->frame = before.frame;
	}
}

/* Radius of a ball that rolls like the shape; 0: not round. */
static float rolling_radius(const struct d3_shape *shape)
{
	switch (shape->type) {
	case D3_ELLIPSOID: return shape->inner;
	case D3_CYLINDER:
	case D3_CONE: return shape->half.x;
	default: return shape->radius;
	}
}

/* Depth, below the surface, of the core that rolling leaves in place: the axis of a cylinder on its side, or the core of a
 * rounded shape; 0: none. The normal is in the frame of the shape's body. */
static float core_depth(const struct d3_shape *shape, struct d3_vec normal)
{
	if (shape->type == D3_CYLINDER)
		return abs_d(d3_dot_d(shape->frame.q.y, d3_widen(normal))) < 0.01 ? shape->half.x : 0.0f;
	return shape->type == D3_ELLIPSOID ? 0.0f : shape->radius;
}

/* Lever arm of rolling resistance: the radius of the rounder shape; if neither is round, of the ball inside the smaller one.
 * Source: Box3D does so for hulls, too (Catto, 2025). */
static float rolling_arm(const struct d3_shape *a, const struct d3_shape *b)
{
	float arm = max_f(rolling_radius(a), rolling_radius(b));
	float inside_a = a->inner > 0.0f ? a->inner : INFINITY;
	float inside_b = b->inner > 0.0f ? b->inner : INFINITY;
	return arm > 0.0f ? arm : min_f(inside_a, inside_b) < INFINITY ? min_f(inside_a, inside_b) : 0.0f;
}

static void row_round(struct d3_contact_row *row, const struct d3_shape *a, const struct d3_shape *b)
{
	row->radius_a = core_depth(a, row->local_normal);
	row->radius_b = core_depth(b, d3_inv_rotate(row->q, row->local_normal));
	row->rolling_radius = rolling_arm(a, b);
}

/* Upper bound on the distance of the body's points from its frame's origin; INFINITY for half-spaces: then the other body's is
 * used. */
static float reach(const struct d3_body *body)
{
	return body->unbounded ? INFINITY : body->max_extent + d3_length(body->local_center);
}

bool d3_narrow_row_touches(const struct d3_contact_row *row)
{
	struct d3_vec n = row->local_normal;
	return n.x != 0.0f || n.y != 0.0f || n.z != 0.0f;
}

/* Whether the contact or a follower has points, by data in the record's first cache line. */
static bool pair_touches(const struct d3_contact_row *row)
{
	return d3_narrow_row_touches(row) || row->clearance < 0.0f;
}

/* How far a point of the smaller body may move relative to the other body before their shapes are collided again [length]. For
 * a separated pair it is the clearance, at least a quarter of a slop; for others a quarter of a slop, 1.25 mm. For a flat
 * contact of convex shapes it is a fiftieth of the body's size, at least a quarter of a slop and at most three slops, 15 mm:
 * until then the solver also keeps its lever arms, with no larger relative error. Three slops are more than each contact of a
 * tall stack sinks while it settles (10 mm in a pyramid of 100 rows). If contacts were collided again during that, their new
 * manifolds would keep the lean reached by then. Three slops are less than the speculative margin, so that no other features
 * can make contact meanwhile.
 * Source: the contact recycling of Box3D (Catto, 2025), whose distance is ten slops for all. */
static float tolerance(const struct world *world, const struct d3_contact_row *row, float extent)
{
	float slop = LINEAR_SLOP * world->settings.length_scale;
	if (!d3_narrow_row_touches(row))
		return max_f(row->clearance, 0.25f * slop);
	return row->count >= D3_FLAT ? clamp_f(0.02f * extent, 0.25f * slop, 3.0f * slop) : 0.25f * slop;
}

/* `tolerance` for contacts with meshes and height fields: a fiftieth of the shape's reach, at most half of the speculative
 * margin, since a sliding shape reaches the next triangle, which must be found in time. */
static float surface_tolerance(const struct world *world, const struct d3_shape *a, const struct d3_shape *b)
{
	float slop = LINEAR_SLOP * world->settings.length_scale;
	return clamp_f(0.02f * (float)(d3_shape_surface(a) ? b : a)->reach, 0.25f * slop, 2.0f * slop);
}

/* Upper bound on how far the points of the smaller body, of reach *extent, have moved relative to the other since the last
 * narrow phase [length]; INFINITY: unknown. */
static float convex_moved(const struct d3_contact_row *row, const struct d3_transform *b_in_a, const struct d3_body *a,
	const struct d3_body *b, float *extent)
{
	struct d3_quat turn = d3_mul_quat(b_in_a->q, (struct d3_quat){-row->q.x, -row->q.y, -row->q.z, row->q.w});
	struct d3_vec moved = d3_sub(b_in_a->p, row->p);
	float extent_a = reach(a);
	*extent = reach(b);
	if (extent_a < *extent) {
		/* The motion of b at the origin of a, instead of at b's own origin. */
		moved = d3_sub(b_in_a->p, d3_rotate(turn, row->p));
		*extent = extent_a;
	}
	struct d3_vec axis = {turn.x, turn.y, turn.z};
	if (!(turn.w > 0.5f))
		return INFINITY;
	return abs_f(moved.x) + abs_f(moved.y) + abs_f(moved.z) + 2.0f * d3_length(axis) * *extent;
}

/* How far the bodies may still move relative to each other before their shapes are collided again; <= 0: they have moved too
 * far. Until then the same features are in contact, and their points move with the bodies.
 * Source: the contact recycling of Box2D (Catto, 2025). */
static float convex_room(const struct world *world, const struct d3_contact_row *row, const struct d3_transform *b_in_a,
	const struct d3_body *a, const struct d3_body *b)
{
	float extent, moved = convex_moved(row, b_in_a, a, b, &extent);
	return tolerance(world, row, extent) - moved;
}

/* Whether all points of the shape have moved by less than `room` relative to the other shape. The bound is the motion of its
 * middle plus its rotation times its reach. */
static bool shape_holds(
	const struct d3_shape *shape, const struct d3_transform *from, const struct d3_transform *to, float room)
{
	struct d3_quat turn = d3_mul_quat(to->q, (struct d3_quat){-from->q.x, -from->q.y, -from->q.z, from->q.w});
	struct d3_vec middle = d3_narrow(shape->middle), axis = {turn.x, turn.y, turn.z};
	struct d3_vec moved = d3_sub(d3_transform_point(*to, middle), d3_transform_point(*from, middle));
	return turn.w > 0.5f && d3_length(moved) + 2.0f * d3_length(axis) * (float)shape->reach < room;
}

/* Estimate of the displacement of the shape's points in a step at the current velocities [length]: the speed of its middle plus
 * |w| times its reach, times dt. To first order in the rotation: the middle's velocity counts as constant. */
static float path_ahead(const struct world *world, uint32_t body, const struct d3_shape *shape)
{
	struct d3_vec w, v = d3_body_velocity(world, body, &w);
	const struct d3_body *row = d3_row(world, body);
	struct d3_vec middle = d3_rotate(row->q, d3_sub(d3_narrow(shape->middle), row->local_center));
	return world->step.dt * (d3_length(d3_add(v, d3_cross(w, middle))) + d3_length(w) * (float)shape->reach);
}

/* How far the shape of a separated pair may move beyond its clearance before the pair is tested again [length]: the speculative
 * margin, less the shape's motion in two steps and a slop for acceleration. 0 if the surface's body is not static. */
static float path_unasked(
	const struct world *world, const struct contact *contact, const struct d3_shape *a, const struct d3_shape *b)
{
	float scale = world->settings.length_scale;
	int side = d3_shape_surface(a);
	if (world->bodies.data[contact->link.bodies[1 - side]].type != BODY_STATIC)
		return 0.0f;
	float delta = path_ahead(world, contact->link.bodies[side], side ? b : a);
	return max_f(0.0f, (SPECULATIVE - LINEAR_SLOP) * scale - 2.0f * delta);
}

/* Whether the last result for a surface and a shape still holds, by the motion of the shape, not of its whole body. A separated
 * pair holds until the shape has moved by its clearance plus path_unasked. */
static bool surface_holds(const struct world *world, const struct contact *contact, const struct d3_contact_row *row,
	const struct d3_transform *b_in_a)
{
	const struct d3_shape *a = d3_proxy_part(world, contact->proxies[0]), *b = d3_proxy_part(world, contact->proxies[1]);
	struct d3_transform from = {row->p, row->q};
	float room = row->clearance;
	if (pair_touches(row))
		room = surface_tolerance(world, a, b);
	else
		room += path_unasked(world, contact, a, b);
	if (d3_shape_surface(a))
		return shape_holds(b, &from, b_in_a, room);
	struct d3_transform back = d3_inv_transform(from), a_in_b = d3_inv_transform(*b_in_a);
	return shape_holds(a, &back, &a_in_b, room);
}

static bool is_of_convex(const struct contact *contact)
{
	return contact->follower == NONE && (contact->link.flags & CONTACT_FOLLOWS) == 0;
}

bool d3_narrow_row_holds(const struct world *world, const struct contact *contact, const struct d3_contact_row *row,
	const struct d3_transform *b_in_a, const struct d3_body *a, const struct d3_body *b)
{
	return is_of_convex(contact) ? convex_room(world, row, b_in_a, a, b) > 0.0f : surface_holds(world, contact, row, b_in_a);
}

/* --- Collide -------------------------------------------------------------------------------------------------------------- */

/* Returns the manifold that continues the contact's last one: of those in the bits `left`, the one with the most similar
 * normal; the first if the contact had none. */
static int manifold_choose(
	const struct d3_contact_row *row, const struct d3_local_manifold *manifolds, int count, unsigned left)
{
	int best = -1;
	float most = -2.0f;
	for (int i = 0; i < count; ++i) {
		float like = row->count > 0 ? d3_dot(row->local_normal, manifolds[i].normal) : 0.0f;
		if ((left >> i & 1u) != 0 && like > most) {
			most = like;
			best = i;
		}
	}
	return best;
}

/* Distributes the manifolds over the contact and its followers. shares[k]: index of the k-th contact's manifold, or -1.
 * Contacts that had points choose first, among similar normals; then all contacts without a share take the rest. */
static void manifolds_share(
	struct world *world, uint32_t first, const struct d3_local_manifold *manifolds, int count, int shares[D3_MANIFOLDS])
{
	unsigned left = (1u << count) - 1;
	for (int round = 0; round < 2; ++round) {
		uint32_t id = first;
		for (int k = 0; k < D3_MANIFOLDS && id != NONE; ++k, id = world->contacts.data[id].follower) {
			const struct d3_contact_row *row = d3_contact_row(world, id);
			if (round == 0)
				shares[k] = -1;
			if (shares[k] >= 0 || (round == 0 && row->count == 0))
				continue;
			int chosen = manifold_choose(row, manifolds, count, left);
			if (chosen < 0 || (round == 0 && d3_dot(row->local_normal, manifolds[chosen].normal) < 0.9f))
				continue;
			shares[k] = chosen;
			left &= ~(1u << chosen);
		}
	}
}

/* Separation of the deepest point; INFINITY: none. */
static float row_separation(const struct d3_contact_row *row)
{
	float least = INFINITY;
	for (int i = 0; i < row->count; ++i)
		least = min_f(least, row->points[i].separation);
	return least;
}

/* Upper bound on the separation of b from a surface, where the manifold may lack the deepest points. A convex shape extends at
 * least `inner` from its centroid against the normal. So if the centroid's height above the plane of a point is less than
 * `inner`, b overlaps by at least the difference. */
static float sunk_separation(
	const struct d3_local_manifold *manifold, const struct d3_shape *b, const struct d3_transform *b_in_a, float separation)
{
	struct d3_vec middle = d3_transform_point(*b_in_a, b->centroid);
	for (int i = 0; i < manifold->count; ++i) {
		const struct d3_manifold_point *point = &manifold->points[i];
		float height = d3_dot(manifold->normal, d3_sub(middle, point->point)) + 0.5f * point->separation;
		separation = min_f(separation, height - b->inner);
	}
	return separation;
}

void d3_narrow_row_store(
	struct world *world, uint32_t id, const struct d3_local_manifold *manifold, const struct d3_transform *b_in_a)
{
	const struct contact *contact = &world->contacts.data[id];
	const struct d3_shape *a = d3_proxy_part(world, contact->proxies[0]), *b = d3_proxy_part(world, contact->proxies[1]);
	struct d3_contact_row *row = d3_contact_row(world, id);
	float separation = d3_manifold_separation(manifold);
	if (is_deep(world, separation))
		contact_sounded(world, id, separation, row_separation(row));
	float sunk = d3_shape_surface(a) ? sunk_separation(manifold, b, b_in_a, separation) : separation;
	/* Passes 0 for contact_sinks's `unseen`, although the bodies may move before they are collided again: with the true value,
	 * resting plates and needles, whose `inner` is tiny, would count as sunk and be swept in every step. */
	contact_sinks(world, id, sunk, 0.0f, (const float[2]){a->inner, b->inner});
	row_renew(row, manifold, b_in_a, speculative_margin(world));
	if (row->count > 0) {
		row_round(row, a, b);
		row->friction_radius = d3_friction_radius(manifold, a, b, b_in_a);
	}
}

/* Reports the results of the contact and its followers. `apart`: the AABBs are separated. */
static void all_found(struct world *world, uint32_t first, bool apart)
{
	for (uint32_t id = first; id != NONE; id = world->contacts.data[id].follower)
		contact_found(world, id, apart, !apart && d3_narrow_row_touches(d3_contact_row(world, id)));
}

static bool any_touches(const struct world *world, uint32_t first)
{
	for (uint32_t id = first; id != NONE; id = world->contacts.data[id].follower)
		if (d3_narrow_row_touches(d3_contact_row(world, id)))
			return true;
	return false;
}

/* Collides two convex shapes. */
static void shapes_collide(const struct world *world, const struct contact *contact, const struct d3_transform *b_in_a,
	struct d3_manifold_cache *cache, struct d3_local_manifold *out)
{
	d3_collide(d3_proxy_part(world, contact->proxies[0]), 0, d3_proxy_part(world, contact->proxies[1]), 0, b_in_a,
		speculative_margin(world), cache, out);
}

bool d3_narrow_may_be_seam(const struct world *world, const struct contact *contact, int other)
{
	const struct body *x = &world->bodies.data[contact->link.bodies[1 - other]];
	const struct body *y = &world->bodies.data[contact->link.bodies[other]];
	return x->type == BODY_DYNAMIC &&
		(y->type != BODY_DYNAMIC || x->collider_count > 1 || y->collider_count > 1 ||
			d3_collider_shape(world, contact->colliders[other])->type == D3_COMPOUND);
}

/* Whether the contact may be a seam. If so, other contacts of the bodies decide whether it is. */
static bool at_border(const struct world *world, const struct contact *contact, const struct d3_transform *b_in_a,
	const struct d3_local_manifold *manifold)
{
	const struct d3_shape *a = d3_proxy_part(world, contact->proxies[0]), *b = d3_proxy_part(world, contact->proxies[1]);
	float speculative = speculative_margin(world);
	bool flat = manifold->count >= D3_FLAT;
	if (d3_narrow_may_be_seam(world, contact, 0) && d3_at_border(a, b, b_in_a, manifold->normal, flat, speculative))
		return true;
	if (!d3_narrow_may_be_seam(world, contact, 1))
		return false;
	struct d3_transform a_in_b = d3_inv_transform(*b_in_a);
	return d3_at_border(b, a, &a_in_b, d3_neg(d3_inv_rotate(b_in_a->q, manifold->normal)), flat, speculative);
}

/* Whether a contact for the whole motion of this step may be made: see core/speculative.h. Not on one-sided surfaces: a body
 * behind one would get a contact on its front. */
static bool looks_ahead(const struct world *world, const struct contact *contact)
{
	return contact_looks_ahead(world, contact) && !d3_collider_shape(world, contact->colliders[0])->one_sided &&
		!d3_collider_shape(world, contact->colliders[1])->one_sided;
}

/* Moves the points and separations of `manifold`, computed for b displaced by `delta`, back to b's current position. False
 * unless b is separated there, and penetrates by more than a slop when displaced. */
static bool take_back(const struct world *world, struct d3_local_manifold *manifold, struct d3_vec delta)
{
	float least = d3_manifold_separation(manifold);
	d3_manifold_take_back(manifold, delta);
	return least < -LINEAR_SLOP * world->settings.length_scale && d3_manifold_separation(manifold) > 0.0f;
}

/* Finds the contacts that the shapes will make in this step at the current velocities, and moves them back to the current
 * poses. Returns their number. */
static int collide_ahead(const struct world *world, const struct contact *contact, const struct d3_transform *b_in_a,
	struct d3_local_manifold manifolds[D3_MANIFOLDS])
{
	const struct d3_shape *a = d3_proxy_part(world, contact->proxies[0]), *b = d3_proxy_part(world, contact->proxies[1]);
	bool surface = d3_shape_surface(a) || d3_shape_surface(b);
	float path[3];
	contact_path_ahead(world, contact, path);
	struct d3_vec delta = d3_inv_rotate(d3_row(world, contact->link.bodies[0])->q, (struct d3_vec){path[0], path[1], path[2]});
	int positions = positions_ahead(d3_length(delta), a->inner + b->inner), kept = 0;
	for (int i = 1; i <= positions && kept == 0; ++i) {
		struct d3_vec part = d3_scale((float)i / (float)positions, delta);
		struct d3_transform then = {d3_add(b_in_a->p, part), b_in_a->q};
		struct d3_manifold_cache cache = {0};
		float clearance;
		int count = 1;
		if (surface)
			count = d3_collide_surface(a, 0, b, 0, &then, speculative_margin(world), &cache, &clearance, manifolds);
		else
			shapes_collide(world, contact, &then, &cache, &manifolds[0]);
		/* At a border another shape may be hit first. */
		for (int k = 0; k < count; ++k)
			if (manifolds[k].count > 0 && (surface || !at_border(world, contact, &then, &manifolds[k])) &&
				take_back(world, &manifolds[k], part))
				manifolds[kept++] = manifolds[k];
	}
	return kept;
}

/* Whether to drop the contact of two shapes that are still separated, because the sweep will let the body bounce there within
 * the step. Not on obstacles whose triangles have materials. */
static bool left_to_sweep(const struct world *world, const struct contact *contact, const struct contact_material *material,
	const struct d3_local_manifold *manifold)
{
	if (!(material->restitution > 0.0f) || d3_manifold_separation(manifold) <= 0.0f)
		return false;
	int mover = world->bodies.data[contact->link.bodies[0]].type == BODY_DYNAMIC ? 0 : 1;
	const struct d3_body *row = d3_row(world, contact->link.bodies[mover]);
	if (d3_shape_has_materials(d3_proxy_part(world, contact->proxies[!mover])))
		return false;
	struct d3_vec n = d3_rotate(d3_row(world, contact->link.bodies[0])->q, manifold->normal);
	return impact_awaits(world, contact, material, mover, (const float[3]){n.x, n.y, n.z}, row->max_extent);
}

void d3_narrow_separated_skip(struct world *world, uint32_t id)
{
	if ((world->contacts.data[id].link.flags & CONTACT_TOUCHING) == 0)
		travel_allow(world, id, d3_contact_row(world, id)->clearance);
}

static void surface_rows_renew(
	struct world *world, uint32_t first, const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform *b_in_a)
{
	static const struct d3_local_manifold nothing;
	float speculative = speculative_margin(world);
	struct d3_manifold_cache *cache = &d3_contact_row(world, first)->cache;
	struct d3_local_manifold manifolds[D3_MANIFOLDS];
	float clearance = 0.0f;
	int shares[D3_MANIFOLDS], count = d3_collide_surface(a, 0, b, 0, b_in_a, speculative, cache, &clearance, manifolds);
	if (count == 0 && looks_ahead(world, &world->contacts.data[first]))
		count = collide_ahead(world, &world->contacts.data[first], b_in_a, manifolds);
	if (count > 0)
		clearance = 0.0f;
	for (int k = count; k-- > 0;)
		if (left_to_sweep(world, &world->contacts.data[first], &d3_contact_row(world, first)->material, &manifolds[k]))
			manifolds[k] = manifolds[--count];
	if (count == 0 && !pair_touches(d3_contact_row(world, first))) {
		row_renew(d3_contact_row(world, first), &nothing, b_in_a, speculative);
		d3_contact_row(world, first)->clearance = clearance;
		d3_narrow_separated_skip(world, first);
		return;
	}
	manifolds_share(world, first, manifolds, count, shares);
	uint32_t id = first;
	for (int k = 0; k < D3_MANIFOLDS && id != NONE; ++k, id = world->contacts.data[id].follower) {
		/* A follower that stays empty is unchanged. */
		if (k > 0 && shares[k] < 0 && !d3_narrow_row_touches(d3_contact_row(world, id)))
			continue;
		record_touch_shared(world, TOUCHED_MANIFOLDS, id);
		d3_narrow_row_store(world, id, shares[k] >= 0 ? &manifolds[shares[k]] : &nothing, b_in_a);
		contact_mix(world, id);
	}
	if (!d3_narrow_row_touches(d3_contact_row(world, first)))
		d3_contact_row(world, first)->clearance = count > 0 ? -1.0f : clearance;
}

bool d3_narrow_pair_collide(struct world *world, uint32_t id, const struct d3_transform *b_in_a, struct d3_local_manifold *out)
{
	const struct contact *contact = &world->contacts.data[id];
	struct d3_contact_row *row = d3_contact_row(world, id);
	float extent;
	if (row->cache.most != 0.0f)
		row->cache.most +=
			convex_moved(row, b_in_a, d3_row(world, contact->link.bodies[0]), d3_row(world, contact->link.bodies[1]), &extent);
	shapes_collide(world, contact, b_in_a, &row->cache, out);
	if (out->count == 0 && looks_ahead(world, contact)) {
		struct d3_local_manifold ahead[D3_MANIFOLDS];
		if (collide_ahead(world, contact, b_in_a, ahead) > 0)
			*out = ahead[0];
	}
	if (out->count > 0 && left_to_sweep(world, contact, &row->material, out))
		out->count = 0;
	return out->count > 0 && !contact_sunk(world, id, d3_manifold_separation(out)) && at_border(world, contact, b_in_a, out);
}

/* Collides the pair anew. False: the contact is or was at a border, and d3_contacts_collide_borders will store its result. */
static bool pair_renew(struct world *world, uint32_t id, const struct d3_transform *b_in_a)
{
	const struct contact *contact = &world->contacts.data[id];
	const struct d3_shape *a = d3_proxy_part(world, contact->proxies[0]), *b = d3_proxy_part(world, contact->proxies[1]);
	travel_forbid(world, id);
	record_touch_shared(world, TOUCHED_MANIFOLDS, id);
	if (d3_shape_surface(a) || d3_shape_surface(b)) {
		surface_rows_renew(world, id, a, b, b_in_a);
		return true;
	}
	struct d3_local_manifold manifold;
	if ((contact->link.flags & CONTACT_BORDER) != 0 || d3_narrow_pair_collide(world, id, b_in_a, &manifold)) {
		bits_set_shared(&world->border_contacts, id);
		return false;
	}
	d3_narrow_row_store(world, id, &manifold, b_in_a);
	if (manifold.count == 0)
		d3_narrow_separated_skip(world, id);
	return true;
}

bool d3_contact_looks_ahead(const struct world *world, uint32_t id)
{
	const struct contact *contact = &world->contacts.data[id];
	const struct d3_contact_row *row = d3_contact_row(world, id);
	if (!pair_touches(row))
		return looks_ahead(world, contact);
	return (body_hangs(world, contact->link.bodies[0]) || body_hangs(world, contact->link.bodies[1])) && row->count > 0 &&
		row_separation(row) > speculative_margin(world);
}

void d3_contact_collide(struct world *world, uint32_t id)
{
	struct contact *contact = &world->contacts.data[id];
	/* The AABBs of a touching contact need not be tested: two cache lines less. */
	bool touching = (contact->link.flags & (CONTACT_TOUCHING | CONTACT_SENSOR)) == CONTACT_TOUCHING;
	if (!touching && !contact_boxes_overlap(world, contact)) {
		all_found(world, id, true);
		return;
	}
	const struct d3_body *a = d3_row(world, contact->link.bodies[0]), *b = d3_row(world, contact->link.bodies[1]);
	struct d3_pose pose_a = d3_row_pose(a), pose_b = d3_row_pose(b);
	if (contact->link.flags & CONTACT_SENSOR) {
		contact_found(world, id, false, sensor_overlaps(world, contact, &pose_a, &pose_b));
		return;
	}
	struct d3_transform b_in_a = d3_pose_relative(&pose_a, &pose_b);
	const struct d3_contact_row *row = d3_contact_row(world, id);
	bool before = pair_touches(row);
	if ((contact->link.flags & CONTACT_BORDER) || d3_contact_looks_ahead(world, id) ||
		!d3_narrow_row_holds(world, contact, row, &b_in_a, a, b)) {
		if (!pair_renew(world, id, &b_in_a))
			return;
	} else if (is_of_convex(contact) && before == touching) {
		travel_allow(world, id, convex_room(world, row, &b_in_a, a, b));
	}
	/* A pair that was and is separated, as most are, has nothing to report. */
	if (touching || before || pair_touches(row))
		all_found(world, id, touching && !any_touches(world, id) && !contact_boxes_overlap(world, contact));
}

void d3_contact_renew(struct world *world, uint32_t id)
{
	const struct contact *contact = &world->contacts.data[id];
	bool touching = (contact->link.flags & CONTACT_TOUCHING) != 0;
	struct d3_transform b_in_a = d3_contact_b_in_a(world, contact);
	if (pair_renew(world, id, &b_in_a))
		all_found(world, id, touching && !any_touches(world, id) && !contact_boxes_overlap(world, contact));
}
