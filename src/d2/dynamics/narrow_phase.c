/* narrow_phase.c - the narrow phase of a step: from poses to contact records. d2_contact_collide, d2_contact_renew,
 * d2_contacts_collide_alone, d2_contacts_collide_borders: any thread, disjoint ranges. */
#include "core/ccd.h"
#include "core/contact.h"
#include "core/impact.h"
#include "core/depenetration.h"
#include "core/speculative.h"
#include "core/touched.h"
#include "core/travel.h"
#include "d2/query/ray_cast.h"
#include "d2/query/gjk.h"
#include "d2/dynamics/wing.h"

static bool sensor_overlaps(
	const struct world *world, const struct contact *contact, const struct d2_pose *a, const struct d2_pose *b)
{
	return d2_shapes_overlap(d2_collider_shape(world, contact->colliders[0]), world->proxies.data[contact->proxies[0]].child, a,
		d2_collider_shape(world, contact->colliders[1]), world->proxies.data[contact->proxies[1]].child, b);
}

/* Point i takes over the impulses of the old point with its id, if any. */
static void point_start(struct d2_contact_row *row, int i, const struct d2_contact_row *before)
{
	for (int k = 0; k < before->count; ++k) {
		if (before->ids[k] == row->ids[i]) {
			row->normal_impulse[i] = before->normal_impulse[k];
			row->tangent_impulse[i] = before->tangent_impulse[k];
			return;
		}
	}
}

/* Where a point of a manifold is on the surfaces of both shapes. */
static struct d2_row_point point_split(const struct d2_local_manifold *manifold, int i, const struct d2_transform *b_in_a)
{
	struct d2_vec middle = manifold->points[i].point, n = manifold->normal;
	float half = 0.5f * manifold->points[i].separation;
	return (struct d2_row_point){d2_mul_add(middle, -half, n), d2_inv_transform_point(*b_in_a, d2_mul_add(middle, half, n))};
}

/* Stores a new manifold, given in the frame of a. */
static void row_renew(struct d2_contact_row *row, const struct d2_local_manifold *manifold, const struct d2_transform *b_in_a)
{
	/* Many pairs were and are separated: then only these change. */
	if (row->count == 0 && manifold->count == 0) {
		row->b_in_a = *b_in_a;
		row->clearance = max_f(0.0f, manifold->clearance);
		row->collided = true;
		return;
	}
	struct d2_contact_row before = *row;
	struct d2_vec n = manifold->count > 0 ? manifold->normal : (struct d2_vec){0.0f, 0.0f};
	*row = (struct d2_contact_row){
		.material = before.material,
		.local_normal = n,
		.b_in_a = *b_in_a,
		.collided = true,
		.face = manifold->face,
		.count = (uint8_t)manifold->count,
	};
	if (manifold->count == 0)
		row->clearance = max_f(0.0f, manifold->clearance);
	else if (before.count > 0)
		row->rolling_impulse = before.rolling_impulse;
	for (int i = 0; i < manifold->count; ++i) {
		row->points[i] = point_split(manifold, i, b_in_a);
		row->ids[i] = manifold->points[i].id;
		point_start(row, i, &before);
	}
}

/* Sets the radii of a contact with points. The lever arm of rolling resistance is the radius of the rounder shape. */
static void row_round(struct d2_contact_row *row, const struct d2_shape *a, const struct d2_shape *b)
{
	row->radius_a = a->radius;
	row->radius_b = b->radius;
	row->rolling_radius = max_f(a->type == D2_ELLIPSE ? a->inner : a->radius, b->type == D2_ELLIPSE ? b->inner : b->radius);
}

/* How far a point of b, whose greatest distance from its frame's origin is `extent`, may move relative to a before shapes that
 * touch by `count` points are collided again [length]: a quarter of a slop, 1.25 mm. At two points, which keep their distances
 * from the surfaces while the bodies turn and slide, it is a fiftieth of `extent`, at least a quarter of a slop and at most
 * three slops, 15 mm: less than the speculative margin, so that no other features can make contact meanwhile.
 * Source: the contact recycling of Box2D (Catto, 2025), whose distance is ten slops for all. */
static float tolerance(const struct world *world, int count, float extent)
{
	float slop = LINEAR_SLOP * world->settings.length_scale, least = 0.25f * slop;
	return count > 1 ? max_f(min_f(0.02f * extent, 3.0f * slop), least) : least;
}

/* Upper bound on the distance of the body's points from its frame's origin; INFINITY for half-planes. */
static float reach(const struct d2_body *body)
{
	return body->unbounded ? INFINITY : body->max_extent + d2_length(body->local_center);
}

/* How far the bodies may still move relative to each other before their shapes are collided again [length]; not > 0: they have
 * moved too far. Until then the same features are in contact and the points move with the bodies, or the shapes stay apart. A
 * turn moves points by a chord, which is its sine over the cosine of half of it: at most 1.42 - 0.42 c times the sine up to a
 * right angle, as that is linear in the cosine c and the quotient is convex. */
static float row_room(
	const struct world *world, const struct d2_contact_row *row, const struct d2_transform *b_in_a, const struct d2_body *b)
{
	struct d2_rot turn = d2_inv_mul_rot(row->b_in_a.q, b_in_a->q);
	struct d2_vec moved = d2_sub(b_in_a->p, row->b_in_a.p);
	float extent = reach(b), most = tolerance(world, row->count, extent);
	if (!row->collided || !(turn.c > 0.0f))
		return 0.0f;
	if (row->count == 0)
		most = max_f(row->clearance, most);
	return most - (abs_f(moved.x) + abs_f(moved.y) + abs_f(turn.s) * (1.42f - 0.42f * turn.c) * extent);
}

static void shapes_collide(
	const struct world *world, const struct contact *contact, const struct d2_transform *b_in_a, struct d2_local_manifold *out)
{
	const struct d2_shape *shapes[2];
	uint32_t children[2];
	for (int side = 0; side < 2; ++side) {
		shapes[side] = d2_collider_shape(world, contact->colliders[side]);
		/* others have a single child: this saves a cache line */
		children[side] = shapes[side]->type == D2_CHAIN ? world->proxies.data[contact->proxies[side]].child : 0;
	}
	d2_collide(shapes[0], children[0], shapes[1], children[1], b_in_a, speculative_margin(world), out);
}

/* Separation of the deepest point. */
static float row_separation(const struct d2_contact_row *row)
{
	float least = INFINITY;
	for (int i = 0; i < row->count; ++i)
		least = min_f(
			least, d2_dot(row->local_normal, d2_sub(d2_transform_point(row->b_in_a, row->points[i].b), row->points[i].a)));
	return least;
}

static void row_store(
	struct world *world, uint32_t id, const struct d2_local_manifold *manifold, const struct d2_transform *b_in_a)
{
	const struct contact *contact = &world->contacts.data[id];
	struct d2_contact_row *row = d2_contact_row(world, id);
	float separation = d2_manifold_separation(manifold);
	if (is_deep(world, separation))
		contact_sounded(world, id, separation, row_separation(row));
	const struct d2_shape *a = d2_collider_shape(world, contact->colliders[0]);
	const struct d2_shape *b = d2_collider_shape(world, contact->colliders[1]);
	float unseen = tolerance(world, manifold->count, reach(d2_row(world, contact->link.bodies[1])));
	contact_sinks(world, id, separation, unseen, (const float[2]){a->inner, b->inner});
	row_renew(row, manifold, b_in_a);
	if (row->count > 0)
		row_round(row, a, b);
}

static inline void contact_report(struct world *world, uint32_t id)
{
	const struct contact *contact = &world->contacts.data[id];
	bool touches = d2_contact_row(world, id)->count > 0, touching = (contact->link.flags & CONTACT_TOUCHING) != 0;
	contact_found(world, id, touching && !touches && !contact_boxes_overlap(world, contact), touches);
}

/* Whether the contact may be at a seam. Faces can form a seam if they are all on static or kinematic bodies (which are taken
 * not to move relative to each other), or on one body with several colliders. At a seam between moving bodies, a body resting
 * on them would lose a contact, sink in, find the contact again, and so on. */
static bool may_be_seam(const struct world *world, const struct contact *contact)
{
	const uint32_t *bodies = contact->link.bodies;
	return body_fixed(world, bodies[0]) || body_fixed(world, bodies[1]) || world->bodies.data[bodies[0]].collider_count > 1 ||
		world->bodies.data[bodies[1]].collider_count > 1;
}

/* Whether the contact of a separated body is left to the sweep, so that the body bounces within the step. */
static bool left_to_sweep(const struct world *world, const struct contact *contact, const struct contact_material *material,
	const struct d2_local_manifold *manifold)
{
	if (!(material->restitution > 0.0f) || d2_manifold_separation(manifold) <= 0.0f)
		return false;
	int mover = world->bodies.data[contact->link.bodies[0]].type == BODY_DYNAMIC ? 0 : 1;
	const struct d2_body *row = d2_row(world, contact->link.bodies[mover]);
	struct d2_vec n = d2_rotate(d2_row(world, contact->link.bodies[0])->q, manifold->normal);
	return impact_awaits(world, contact, material, mover, (const float[3]){n.x, n.y, 0.0f}, row->max_extent);
}

/* Skips a separated pair until it could have used up its clearance. A pair that has just separated is not skipped: if this step
 * runs out of memory, the next one must find the end of the contact again. */
static void separated_skip(struct world *world, uint32_t id)
{
	if ((world->contacts.data[id].link.flags & CONTACT_TOUCHING) == 0)
		travel_allow(world, id, d2_contact_row(world, id)->clearance);
}

/* Collides the contact, without regard to others. out->border: whether it may be at a seam. */
static void pair_collide(
	const struct world *world, uint32_t id, const struct d2_transform *b_in_a, struct d2_local_manifold *out)
{
	const struct contact *contact = &world->contacts.data[id];
	shapes_collide(world, contact, b_in_a, out);
	if (out->count == 0 && contact_looks_ahead(world, contact)) {
		d2_ahead_collide(world, contact, b_in_a, out);
		out->clearance = 0.0f;
	}
	if (out->count > 0 && left_to_sweep(world, contact, &d2_contact_row(world, id)->material, out))
		out->count = 0;
	out->border =
		out->border && out->count > 0 && may_be_seam(world, contact) && !contact_sunk(world, id, d2_manifold_separation(out));
}

static void pair_renew(struct world *world, uint32_t id, const struct d2_transform *b_in_a)
{
	struct d2_local_manifold manifold = {.border = (world->contacts.data[id].link.flags & CONTACT_BORDER) != 0};
	travel_forbid(world, id);
	record_touch_shared(world, TOUCHED_MANIFOLDS, id);
	if (!manifold.border)
		pair_collide(world, id, b_in_a, &manifold);
	if (manifold.border) {
		bits_set_shared(&world->border_contacts, id);
		return;
	}
	row_store(world, id, &manifold, b_in_a);
	if (manifold.count == 0)
		separated_skip(world, id);
	contact_report(world, id);
}

bool d2_contact_looks_ahead(const struct world *world, uint32_t id)
{
	const struct contact *contact = &world->contacts.data[id];
	const struct d2_contact_row *row = d2_contact_row(world, id);
	if (!body_hangs(world, contact->link.bodies[0]) && !body_hangs(world, contact->link.bodies[1]))
		return false;
	return row->count > 0 ? row_separation(row) > speculative_margin(world) : contact_looks_ahead(world, contact);
}

void d2_contact_collide(struct world *world, uint32_t id)
{
	const struct contact *contact = &world->contacts.data[id];
	/* A touching contact need not test its AABBs: this saves two cache lines. */
	bool touching = (contact->link.flags & (CONTACT_TOUCHING | CONTACT_SENSOR)) == CONTACT_TOUCHING;
	if (!touching && !contact_boxes_overlap(world, contact)) {
		contact_found(world, id, true, false);
		return;
	}
	if (contact->link.flags & CONTACT_SENSOR) {
		struct d2_pose a = d2_row_pose(d2_row(world, contact->link.bodies[0]));
		struct d2_pose b = d2_row_pose(d2_row(world, contact->link.bodies[1]));
		contact_found(world, id, false, sensor_overlaps(world, contact, &a, &b));
		return;
	}
	struct d2_transform b_in_a = d2_contact_b_in_a(world, contact);
	const struct d2_contact_row *row = d2_contact_row(world, id);
	float room = row_room(world, row, &b_in_a, d2_row(world, contact->link.bodies[1]));
	if (!(room > 0.0f) || d2_contact_looks_ahead(world, id)) {
		pair_renew(world, id, &b_in_a);
		return;
	}
	if ((row->count > 0) == touching)
		travel_allow(world, id, room);
	contact_report(world, id);
}

void d2_contact_renew(struct world *world, uint32_t id)
{
	struct d2_transform b_in_a = d2_contact_b_in_a(world, &world->contacts.data[id]);
	pair_renew(world, id, &b_in_a);
}

/* --- Borders of faces ----------------------------------------------------------------------------------------------------- */

/* The transform from the frame of `other` to that of `body`. */
static struct d2_transform body_in(const struct world *world, uint32_t other, uint32_t body)
{
	if (other == body)
		return (struct d2_transform){.q = {1.0f, 0.0f}};
	struct d2_pose from = d2_row_pose(d2_row(world, other)), to = d2_row_pose(d2_row(world, body));
	return d2_pose_relative(&to, &from);
}

/* Finds the face in contact with the body x at the end `key` of a contact. *out: its plane, in the frame of body y, with the
 * normal towards x. False: the contact is with no face. Another thread may be writing the record and the flags of a border
 * contact. */
static bool supporting_plane(
	const struct world *world, uint32_t key, uint32_t y, const struct d2_transform *x_in_y, struct d2_plane *out)
{
	const struct contact *contact = &world->contacts.data[key / 2];
	int other = ~key & 1;
	struct d2_vec n, p; /* the normal in the frame of a, and a point of the face in the frame of the other body */
	if (bits_has(&world->border_contacts, key / 2)) {
		const struct d2_border *border = border_row(world, key / 2);
		if (border->manifold.count == 0 || !border->manifold.face)
			return false;
		struct d2_row_point first = point_split(&border->manifold, 0, &border->b_in_a);
		n = border->manifold.normal;
		p = other == 0 ? first.a : first.b;
	} else {
		const struct d2_contact_row *row = d2_contact_row(world, key / 2);
		if ((contact->link.flags & (CONTACT_TOUCHES | CONTACT_SENSOR)) != CONTACT_TOUCHES || row->count == 0 || !row->face)
			return false;
		n = row->local_normal;
		p = other == 0 ? row->points[0].a : row->points[0].b;
	}
	struct d2_transform other_in_y = body_in(world, contact->link.bodies[other], y);
	out->normal = other == 0 ? d2_rotate(other_in_y.q, n) : d2_neg(d2_rotate(x_in_y->q, n));
	out->offset = d2_dot(out->normal, d2_transform_point(other_in_y, p));
	return true;
}

/* Collides the body at the end `key` of a border contact with a face of the other shape that continues another face in contact
 * with the body. False: there is no such face. */
static bool seam_collide(
	const struct world *world, uint32_t key, const struct d2_transform *b_in_a, struct d2_local_manifold *manifold)
{
	const struct contact *contact = &world->contacts.data[key / 2];
	int own = key & 1, other = own ^ 1;
	uint32_t other_body = contact->link.bodies[other], k = support_next(world, key, NONE);
	if (body_fixed(world, contact->link.bodies[own]) || k == NONE)
		return false;
	const struct d2_shape *x = d2_collider_shape(world, contact->colliders[own]);
	const struct d2_shape *y = d2_collider_shape(world, contact->colliders[other]);
	struct d2_transform a_in_b = d2_inv_transform(*b_in_a);
	const struct d2_transform *x_in_y = own == 0 ? &a_in_b : b_in_a, *y_in_x = own == 0 ? b_in_a : &a_in_b;
	float speculative = speculative_margin(world), step = d2_seam_step(world, x);
	for (; k != NONE; k = support_next(world, key, k)) {
		struct d2_plane plane = {.depth = body_fixed(world, other_body) ? max_f(2.0f * step, 0.5f * x->inner) : step};
		if (!supporting_plane(world, k, other_body, x_in_y, &plane) ||
			!d2_collide_seam(y, world->proxies.data[contact->proxies[other]].child, x, x_in_y, &plane, step, own == 0,
				speculative, manifold))
			continue;
		if (own == 0)
			d2_manifold_turn(manifold, y_in_x);
		return true;
	}
	return false;
}

void d2_contacts_collide_alone(struct world *world, uint32_t begin, uint32_t end)
{
	const struct bits *borders = &world->border_contacts;
	for (uint32_t id = bits_next_before(borders, 64 * begin, end); id != NONE; id = bits_next_before(borders, id + 1, end)) {
		struct d2_border *border = border_row(world, id);
		contact_sides_prefetch(world, id + CONTACTS_AHEAD);
		border->b_in_a = d2_contact_b_in_a(world, &world->contacts.data[id]);
		pair_collide(world, id, &border->b_in_a, &border->manifold);
	}
}

/* Collides the contacts at borders of faces: each against the seam that it is at, else as any contact. */
void d2_contacts_collide_borders(struct world *world, uint32_t begin, uint32_t end)
{
	const struct bits *borders = &world->border_contacts;
	for (uint32_t id = bits_next_before(borders, 64 * begin, end); id != NONE; id = bits_next_before(borders, id + 1, end)) {
		const struct d2_border *border = border_row(world, id);
		struct link *link = &world->contacts.data[id].link;
		const struct d2_local_manifold *alone = &border->manifold;
		struct d2_local_manifold seam;
		bool continues = alone->border &&
			(seam_collide(world, 2 * id, &border->b_in_a, &seam) || seam_collide(world, 2 * id + 1, &border->b_in_a, &seam));
		if (continues && seam.count == 0)
			d2_overlap_keep(alone, 1.5f * LINEAR_SLOP * world->settings.length_scale, &seam);
		row_store(world, id, continues ? &seam : alone, &border->b_in_a);
		d2_contact_row(world, id)->collided = !alone->border;
		if (alone->count == 0)
			separated_skip(world, id);
		contact_set_flags(world, id, (link->flags & ~(uint32_t)CONTACT_BORDER) | (alone->border ? CONTACT_BORDER : 0));
		contact_report(world, id);
	}
}

/* --- Queries -------------------------------------------------------------------------------------------------------------- */

/* The bodies' relative pose when the step began; or that in the record, if they differ too much, as after a teleport. */
static struct d2_body_pair pair_then(
	const struct world *world, const struct d2_contact_row *row, const struct link *link, const struct d2_start *at_a)
{
	const struct d2_body *a = d2_row(world, link->bodies[0]), *b = d2_row(world, link->bodies[1]);
	const struct d2_start at_b = d2_start(world, link->bodies[1]);
	struct d2_vec between = {(float)(at_b.x - at_a->x), (float)(at_b.y - at_a->y)};
	struct d2_body_pair then = {at_a->q, at_b.q, a->local_center, b->local_center, between};
	struct d2_vec ra = d2_rotate(at_a->q, a->local_center), rb = d2_rotate(at_b.q, b->local_center);
	struct d2_pose pose_a = {at_a->x - (double)ra.x, at_a->y - (double)ra.y, at_a->q};
	struct d2_pose pose_b = {at_b.x - (double)rb.x, at_b.y - (double)rb.y, at_b.q};
	struct d2_transform b_in_a = d2_pose_relative(&pose_a, &pose_b);
	if (!(row_room(world, row, &b_in_a, b) > 0.0f)) {
		then.qb = d2_mul_rot(at_a->q, row->b_in_a.q);
		then.between = d2_rotate(at_a->q, d2_sub(d2_transform_point(row->b_in_a, b->local_center), a->local_center));
	}
	return then;
}

/* The contact's points and normal with the bodies at the poses of `pair`. at_a: the first body's pose. */
static int points_at(const struct world *world, const struct d2_contact_row *row, const struct d2_start *at_a,
	const struct d2_body_pair *pair, struct d2_vec *normal, struct d2_contact_point points[2])
{
	*normal = d2_rotate(at_a->q, row->local_normal);
	for (int i = 0; i < row->count; ++i) {
		struct d2_contact_anchors anchors = d2_contact_anchors(&row->points[i], *normal, pair);
		points[i] = (struct d2_contact_point){
			.x = at_a->x + (double)anchors.anchor_a.x,
			.y = at_a->y + (double)anchors.anchor_a.y,
			.separation = anchors.separation,
			.impulse = row->step_impulse[i],
			.tangent_impulse = abs_f(row->tangent_impulse[i]) * last_substeps(world),
		};
	}
	return row->count;
}

const struct material *d2_proxy_material(const struct world *world, uint32_t proxy, uint32_t contact)
{
	(void)contact;
	return d2_shape_material(d2_collider_shape(world, world->proxies.data[proxy].collider), world->proxies.data[proxy].child);
}

int d2_contact_points(const struct world *world, uint32_t id, struct d2_vec *normal, struct d2_contact_point points[2])
{
	const struct d2_contact_row *row = d2_contact_row(world, id);
	const struct link *link = &world->contacts.data[id].link;
	const struct d2_start at_a = d2_start(world, link->bodies[0]);
	const struct d2_body_pair then = pair_then(world, row, link, &at_a);
	return points_at(world, row, &at_a, &then, normal, points);
}

/* As d2_contact_points, at the bodies' present poses. */
static int points_now(const struct world *world, uint32_t id, struct d2_vec *normal, struct d2_contact_point points[2])
{
	const uint32_t *bodies = world->contacts.data[id].link.bodies;
	const struct d2_body *a = d2_row(world, bodies[0]), *b = d2_row(world, bodies[1]);
	const struct d2_body_pair now = d2_body_pair_now(a, b);
	return points_at(world, d2_contact_row(world, id), &(struct d2_start){a->x, a->y, a->q}, &now, normal, points);
}

/* Computes the mean of the contact points and the normal, in the world; *speed: the greatest approach speed of the points. A
 * point does not count in the mean if its separation exceeds the least by more than the speculative margin, as on a tilted
 * face. */
void d2_contact_point_normal(const struct world *world, uint32_t id, double point_normal[POINT_NORMAL_SIZE], float *speed)
{
	const struct d2_contact_row *row = d2_contact_row(world, id);
	const struct link *link = &world->contacts.data[id].link;
	const struct d2_body *a = d2_row(world, link->bodies[0]), *b = d2_row(world, link->bodies[1]);
	const struct d2_body_pair now = d2_body_pair_now(a, b);
	struct d2_contact_anchors anchors[2] = {{.separation = INFINITY}, {.separation = INFINITY}};
	struct d2_vec sum = {0.0f, 0.0f}, normal = d2_rotate(a->q, row->local_normal);
	*speed = max_f(0.0f, -row->speed);
	for (int i = 0; i < row->count; ++i)
		anchors[i] = d2_contact_anchors(&row->points[i], normal, &now);
	float near = min_f(anchors[0].separation, anchors[1].separation) + speculative_margin(world);
	float count = 0.0f;
	for (int i = 0; i < row->count; ++i)
		if (anchors[i].separation <= near) {
			sum = d2_add(sum, anchors[i].anchor_a);
			count += 1.0f;
		}
	float share = 1.0f / max_f(count, 1.0f);
	point_normal[0] = a->x + (double)(share * sum.x);
	point_normal[1] = a->y + (double)(share * sum.y);
	point_normal[2] = (double)normal.x;
	point_normal[3] = (double)normal.y;
	point_normal[4] = point_normal[5] = 0.0;
}

uint32_t d2_contact_part(const struct world *world, uint32_t id, int side)
{
	return world->proxies.data[world->contacts.data[id].proxies[side]].child;
}

/* Radius of a ball that rolls like the shape; 0: not round. */
static float round_radius(const struct d2_shape *shape)
{
	bool round = shape->type == D2_CIRCLE || shape->type == D2_CAPSULE;
	return round ? shape->radius : shape->type == D2_ELLIPSE ? shape->inner : 0.0f;
}

void d2_contact_view(const struct world *world, uint32_t id, bool now, struct contact_view *view)
{
	const struct contact *contact = &world->contacts.data[id];
	const struct d2_contact_row *row = d2_contact_row(world, id);
	struct d2_contact_point points[2];
	struct d2_vec n;
	*view = (struct contact_view){.count = now ? points_now(world, id, &n, points) : d2_contact_points(world, id, &n, points)};
	view->normal = (struct vec3){(double)n.x, (double)n.y, 0.0};
	view->surface = vec3_scale((double)row->material.tangent_speed, (struct vec3){(double)n.y, (double)-n.x, 0.0});
	for (int i = 0; i < view->count; ++i) {
		view->points[i] = (struct vec3){points[i].x, points[i].y, 0.0};
		view->separations[i] = points[i].separation;
		view->impulses[i] = points[i].impulse;
		view->friction += abs_f(row->tangent_impulse[i]);
	}
	for (int side = 0; side < 2; ++side) {
		const struct d2_body *body = d2_row(world, contact->link.bodies[side]);
		struct d2_start start = d2_start(world, contact->link.bodies[side]);
		view->centers[side] = (struct vec3){now ? body->x : start.x, now ? body->y : start.y, 0.0};
		view->round[side] = round_radius(d2_collider_shape(world, contact->colliders[side]));
	}
}

/* --- Deep overlaps -------------------------------------------------------------------------------------------------------- */

/* The body's rotation, including that in the current step. */
static struct d2_rot turn_moved(const struct world *world, uint32_t body)
{
	return d2_mul_rot(d2_state(world, body)->dq, d2_row(world, body)->q);
}

float d2_contact_overlap(const struct world *world, uint32_t id, const uint32_t bodies[2], float normal[3])
{
	const struct d2_contact_row *row = d2_contact_row(world, id);
	const struct d2_body *a = d2_row(world, bodies[0]), *b = d2_row(world, bodies[1]);
	float between[3], least = INFINITY;
	bodies_between(world, bodies[0], bodies[1], between);
	const struct d2_body_pair now = {
		turn_moved(world, bodies[0]), turn_moved(world, bodies[1]), a->local_center, b->local_center, {between[0], between[1]}};
	struct d2_vec n = d2_rotate(now.qa, row->local_normal);
	for (int i = 0; i < row->count; ++i)
		least = min_f(least, d2_contact_anchors(&row->points[i], n, &now).separation);
	normal[0] = n.x;
	normal[1] = n.y;
	normal[2] = 0.0f;
	return least;
}

float d2_collider_reach(const struct world *world, uint32_t id, const float delta[3])
{
	const struct proxy *at = &world->proxies.data[id];
	const struct d2_shape *shape = d2_collider_shape(world, at->collider);
	uint32_t body = world->colliders.data[at->collider].body;
	if (shape->type == D2_HALF_PLANE || shape->type == D2_CHAIN)
		return INFINITY;
	struct d2_proxy proxy = d2_make_proxy(shape, at->child);
	struct d2_vec_d local = d2_widen(d2_inv_rotate(turn_moved(world, body), (struct d2_vec){delta[0], delta[1]}));
	struct d2_vec_d farthest = d2_core_support(&proxy, local);
	return (float)d2_dot_d(local, d2_sub_d(farthest, d2_widen(d2_row(world, body)->local_center))) + proxy.radius;
}

/* --- Loads ---------------------------------------------------------------------------------------------------------------- */

struct contact_load d2_contact_load(const struct world *world, uint32_t id)
{
	const struct d2_contact_row *row = d2_contact_row(world, id);
	const struct link *link = &world->contacts.data[id].link;
	const struct d2_body *a = d2_row(world, link->bodies[0]), *b = d2_row(world, link->bodies[1]);
	const struct d2_body_pair now = d2_body_pair_now(a, b);
	struct d2_vec normal = d2_rotate(a->q, row->local_normal);
	float wa, wb;
	struct d2_vec va = d2_body_velocity(world, link->bodies[0], &wa);
	struct d2_vec vb = d2_body_velocity(world, link->bodies[1], &wb);
	struct contact_load load = {.direction = {normal.x, normal.y}};
	for (int i = 0; i < row->count; ++i) {
		struct d2_contact_anchors at = d2_contact_anchors(&row->points[i], normal, &now);
		load.overlap = max_f(load.overlap, -at.separation);
		load.push += row->normal_impulse[i];
		load.speeds[0] += row->normal_impulse[i] * d2_dot(d2_add(va, d2_cross_sv(wa, at.anchor_a)), normal);
		load.speeds[1] += row->normal_impulse[i] * d2_dot(d2_add(vb, d2_cross_sv(wb, at.anchor_b)), normal);
	}
	for (int side = 0; side < 2 && load.push > 0.0f; ++side)
		load.speeds[side] /= load.push;
	return load;
}

void d2_contact_forget(struct world *world, uint32_t id)
{
	d2_contact_row(world, id)->collided = false;
}

void d2_contact_ease(struct world *world, uint32_t id, float part)
{
	struct d2_contact_row *row = d2_contact_row(world, id);
	for (int i = 0; i < 2; ++i) {
		row->normal_impulse[i] *= part;
		row->tangent_impulse[i] *= part;
	}
	row->rolling_impulse *= part;
}
