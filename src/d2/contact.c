/* contact.c - from poses to contact rows: the narrow phase of a step.
** Floor: d2. d2_contacts_collide: any thread, disjoint ranges. */
#include "core/contact.h"
#include "d2/cast.h"
#include "d2/manifold.h"
#include "d2/wing.h"

static bool sensor_overlaps(const struct world *world, const struct contact *contact, const struct d2_pose *a, const struct d2_pose *b)
{
	return d2_shapes_overlap(d2_collider_shape(world, contact->colliders[0]), world->proxies.data[contact->proxies[0]].child, a,
		d2_collider_shape(world, contact->colliders[1]), world->proxies.data[contact->proxies[1]].child, b);
}

/* A point that was there before keeps its impulses. */
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

/* A new manifold, in the frame of a. */
static void row_renew(struct d2_contact_row *row, const struct d2_local_manifold *manifold, const struct d2_transform *b_in_a)
{
	struct d2_contact_row before = *row;
	struct d2_vec n = manifold->count > 0 ? manifold->normal : (struct d2_vec){0.0f, 0.0f};
	*row = (struct d2_contact_row){
		.material = before.material,
		.local_normal = n,
		.b_in_a = *b_in_a,
		.collided = true,
		.count = (uint8_t)manifold->count,
	};
	if (before.count > 0 && manifold->count > 0)
		row->rolling_impulse = before.rolling_impulse;
	for (int i = 0; i < manifold->count; ++i) {
		struct d2_vec middle = manifold->points[i].point;
		float half = 0.5f * manifold->points[i].separation;
		row->places[i].a = d2_mul_add(middle, -half, n);
		row->places[i].b = d2_inv_transform_point(*b_in_a, d2_mul_add(middle, half, n));
		row->ids[i] = manifold->points[i].id;
		point_start(row, i, &before);
	}
}

/* What resists rolling has the lever arm of the rounder of both shapes. */
static void row_round(struct d2_contact_row *row, const struct d2_shape *a, const struct d2_shape *b)
{
	row->radius_a = a->radius;
	row->radius_b = b->radius;
	row->rolling_radius = max_f(a->type == D2_ELLIPSE ? a->inner : a->radius, b->type == D2_ELLIPSE ? b->inner : b->radius);
}

/* Whether the bodies have moved so little against each other, since their shapes were last collided, that the same features still
** meet, and their points can be carried along: no point of b by more than a quarter of a slop, 1.25 mm.
** Source: the contact recycling of Box2D (Catto, 2025). */
static bool row_holds(const struct world *world, const struct d2_contact_row *row, const struct d2_transform *b_in_a,
	const struct d2_body *b)
{
	float tolerance = 0.25f * LINEAR_SLOP * world->settings.length_scale;
	struct d2_rot turn = d2_inv_mul_rot(row->b_in_a.q, b_in_a->q);
	float extent = b->max_extent + d2_length(b->local_center);
	struct d2_vec moved = d2_sub(b_in_a->p, row->b_in_a.p);
	return row->collided && turn.c > 0.0f && abs_f(moved.x) + abs_f(moved.y) + abs_f(turn.s) * extent < tolerance;
}

static void contact_collide(struct world *world, uint32_t id)
{
	const struct contact *contact = &world->contacts.data[id];
	/* What touches need not be asked whether its boxes still meet: two cache lines less. */
	bool touching = (contact->edge.flags & (CONTACT_TOUCHING | CONTACT_SENSOR)) == CONTACT_TOUCHING;
	if (!touching && !contact_boxes_meet(world, contact)) {
		contact_found(world, id, true, false);
		return;
	}
	const struct d2_body *a = d2_row(world, contact->edge.bodies[0]), *b = d2_row(world, contact->edge.bodies[1]);
	struct d2_pose pose_a = d2_row_pose(a), pose_b = d2_row_pose(b);
	if (contact->edge.flags & CONTACT_SENSOR) {
		contact_found(world, id, false, sensor_overlaps(world, contact, &pose_a, &pose_b));
		return;
	}
	struct d2_transform b_in_a = d2_pose_relative(&pose_a, &pose_b);
	struct d2_contact_row *row = d2_contact_row(world, id);
	if (!row_holds(world, row, &b_in_a, b)) {
		const struct d2_shape *shape_a = d2_collider_shape(world, contact->colliders[0]);
		const struct d2_shape *shape_b = d2_collider_shape(world, contact->colliders[1]);
		struct d2_local_manifold manifold;
		d2_collide(shape_a, world->proxies.data[contact->proxies[0]].child, shape_b, world->proxies.data[contact->proxies[1]].child,
			&b_in_a, D2_SPECULATIVE * world->settings.length_scale, &manifold);
		row_renew(row, &manifold, &b_in_a);
		row_round(row, shape_a, shape_b);
	}
	bool touches = row->count > 0;
	contact_found(world, id, touching && !touches && !contact_boxes_meet(world, contact), touches);
}

/* Poses, and boxes where they will be asked for. */
static void places_prefetch(const struct world *world, const struct contact *contact)
{
	for (int side = 0; side < 2; ++side)
		d2_body_prefetch(world, contact->edge.bodies[side]);
	for (int side = 0; side < 2 && (contact->edge.flags & CONTACT_TOUCHING) == 0; ++side)
		cache_prefetch(&world->proxies.data[contact->proxies[side]].box, sizeof(struct box));
}

void d2_contacts_collide(struct world *world, uint32_t begin, uint32_t end)
{
	const struct bits *awake = &world->awake_contacts;
	uint32_t last = 64 * end < world->contacts.count ? 64 * end : world->contacts.count; /* those behind may be another thread's */
	for (uint32_t id = bits_next_before(awake, 64 * begin, end); id != NONE; id = bits_next_before(awake, id + 1, end)) {
		if (id + EDGES_AHEAD < world->contacts.count) {
			cache_prefetch(&world->contacts.data[id + EDGES_AHEAD], sizeof(struct contact));
			cache_prefetch(d2_contact_row(world, id + EDGES_AHEAD), sizeof(struct d2_contact_row));
		}
		if (id + BODIES_AHEAD < last)
			places_prefetch(world, &world->contacts.data[id + BODIES_AHEAD]);
		contact_collide(world, id);
	}
}

/* As the bodies were when the step began. Whoever has been put elsewhere since is taken for where it was against the other. */
static struct d2_couple couple_then(const struct world *world, const struct d2_contact_row *row, const struct d2_body *a, const struct d2_body *b)
{
	struct d2_couple then = {a->q0, b->q0, a->local_center, b->local_center, {(float)(b->x0 - a->x0), (float)(b->y0 - a->y0)}};
	struct d2_vec ra = d2_rotate(a->q0, a->local_center), rb = d2_rotate(b->q0, b->local_center);
	struct d2_pose pose_a = {a->x0 - (double)ra.x, a->y0 - (double)ra.y, a->q0}, pose_b = {b->x0 - (double)rb.x, b->y0 - (double)rb.y, b->q0};
	struct d2_transform b_in_a = d2_pose_relative(&pose_a, &pose_b);
	if (!row_holds(world, row, &b_in_a, b)) {
		then.qb = d2_mul_rot(a->q0, row->b_in_a.q);
		then.between = d2_rotate(a->q0, d2_sub(d2_transform_point(row->b_in_a, b->local_center), a->local_center));
	}
	return then;
}

int d2_contact_points(const struct d2_world *world, uint32_t id, struct d2_vec *normal, struct d2_contact_point points[2])
{
	const struct d2_contact_row *row = d2_contact_row(&world->core, id);
	const struct edge *edge = &world->core.contacts.data[id].edge;
	const struct d2_body *a = d2_row(&world->core, edge->bodies[0]), *b = d2_row(&world->core, edge->bodies[1]);
	const struct d2_couple then = couple_then(&world->core, row, a, b);
	*normal = d2_rotate(a->q0, row->local_normal);
	for (int i = 0; i < row->count; ++i) {
		struct d2_contact_anchors anchors = d2_contact_anchors(&row->places[i], *normal, &then);
		points[i] = (struct d2_contact_point){
			.x = a->x0 + (double)anchors.anchor_a.x,
			.y = a->y0 + (double)anchors.anchor_a.y,
			.separation = anchors.separation,
			.impulse = row->step_impulse[i],
		};
	}
	return row->count;
}

/* The middle of the points, the normal, and the greatest speed of approach. Of a tilted face only the lower point counts. */
void d2_contact_place(const struct world *world, uint32_t id, double place[PLACE_NUMBERS], float *speed)
{
	const struct d2_contact_row *row = d2_contact_row(world, id);
	const struct edge *edge = &world->contacts.data[id].edge;
	const struct d2_body *a = d2_row(world, edge->bodies[0]), *b = d2_row(world, edge->bodies[1]);
	const struct d2_couple now = d2_couple_now(a, b);
	struct d2_contact_anchors anchors[2] = {{.separation = INFINITY}, {.separation = INFINITY}};
	struct d2_vec sum = {0.0f, 0.0f}, normal = d2_rotate(a->q, row->local_normal);
	*speed = max_f(0.0f, -row->speed);
	for (int i = 0; i < row->count; ++i)
		anchors[i] = d2_contact_anchors(&row->places[i], normal, &now);
	float near = min_f(anchors[0].separation, anchors[1].separation) + D2_SPECULATIVE * world->settings.length_scale;
	float count = 0.0f;
	for (int i = 0; i < row->count; ++i)
		if (anchors[i].separation <= near) {
			sum = d2_add(sum, anchors[i].anchor_a);
			count += 1.0f;
		}
	float share = 1.0f / max_f(count, 1.0f);
	place[0] = a->x + (double)(share * sum.x);
	place[1] = a->y + (double)(share * sum.y);
	place[2] = (double)normal.x;
	place[3] = (double)normal.y;
	place[4] = place[5] = 0.0;
}
