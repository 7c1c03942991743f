/* dispatch.c - selects the routine for two shapes, and has the routines for circles and half-planes. Each pair of types, except
 * chains and half-planes among themselves, has a routine for one order; d2_manifold_turn serves the other.
 * Pure, any thread. */
#include "d2/manifold/manifold.h"

#include "d2/manifold/manifold_parts.h"

#include "base/float4.h"

#include <assert.h>

/* Two circles, or a corner and a circle: their contact. */
struct round_contact {
	struct d2_vec normal, point;
	float separation;
};

/* The contact of a circle of A, about core_a, with one of B. `fallback` is the normal where the centres coincide. */
static inline struct round_contact touch_rounds(
	struct d2_vec core_a, float radius_a, struct d2_vec core_b, float radius_b, struct d2_vec fallback)
{
	struct d2_vec delta = d2_sub(core_b, core_a);
	float distance = d2_length(delta);
	/* If the points coincide to within rounding error, the direction between them is noise. */
	bool clear = distance > 1e-6f * (radius_a + radius_b) && distance > 1e-18f;
	struct d2_vec n = clear ? d2_scale(1 / distance, delta) : fallback;
	return (struct round_contact){
		n, d2_mul_add(core_a, 0.5f * (distance + radius_a - radius_b), n), distance - radius_a - radius_b};
}

static void add_round_point(struct d2_vec core_a, float radius_a, struct d2_vec core_b, float radius_b, struct d2_vec fallback,
	float speculative, struct d2_local_manifold *out)
{
	struct round_contact round = touch_rounds(core_a, radius_a, core_b, radius_b, fallback);
	out->clearance = round.separation - speculative;
	if (round.separation <= speculative)
		d2_manifold_set_point(out, round.normal, round.point, round.separation, 0);
}

static void collide_circles(const struct d2_shape *a, const struct d2_shape *b, const struct d2_transform *b_in_a,
	float speculative, struct d2_local_manifold *out)
{
	struct d2_vec up = {0, 1};
	add_round_point(a->points[0], a->radius, d2_transform_point(*b_in_a, b->points[0]), b->radius, up, speculative, out);
}

/* Capsule or segment against a circle. The circle is beside the edge as often as beyond an end: both contacts are computed, so
 * that nothing branches on it. */
static void collide_edge_circle(const struct d2_shape *a, const struct d2_shape *b, const struct d2_transform *b_in_a,
	float speculative, struct d2_local_manifold *out)
{
	struct d2_vec p = a->points[0], delta = d2_sub(a->points[1], p), center = d2_transform_point(*b_in_a, b->points[0]);
	struct d2_vec from = d2_sub(center, p);
	float along = d2_dot(from, delta), height = d2_dot(a->normals[1], from);
	struct round_contact round = touch_rounds(a->points[along > 0], a->radius, center, b->radius, a->normals[1]);
	/* Between the ends the edge's normal is exact, even for a centre on the edge. */
	struct d2_vec n = a->normals[height >= 0];
	float beside = abs_f(height) - a->radius - b->radius;
	struct d2_vec point = d2_mul_add(center, -b->radius - 0.5f * beside, n);
	bool beyond = (along <= 0) | (along >= d2_dot(delta, delta));
	int32_t bits = -(int32_t)beyond;
	int4 ends = {bits, bits, bits, bits};
	float4 at_end = {round.normal.x, round.normal.y, round.point.x, round.point.y};
	float4 chosen = float4_choose(ends, at_end, (float4){n.x, n.y, point.x, point.y});
	float separation = float4_choose(ends, float4_of(round.separation), float4_of(beside))[0];
	out->border = beyond;
	out->clearance = separation - speculative;
	if (separation > speculative)
		return;
	out->face = !beyond;
	d2_manifold_set_point(out, (struct d2_vec){chosen[0], chosen[1]}, (struct d2_vec){chosen[2], chosen[3]}, separation, 0);
}

/* Box or polygon against a circle: the contact is with the edge of greatest separation, or with that edge's corner if the
 * centre is outside and beyond its end. */
static void collide_polygon_circle(const struct d2_shape *a, const struct d2_shape *b, const struct d2_transform *b_in_a,
	float speculative, struct d2_local_manifold *out)
{
	struct d2_vec center = d2_transform_point(*b_in_a, b->points[0]);
	float outside = -INFINITY;
	uint32_t edge = 0;
	for (uint32_t i = 0; i < a->count; ++i) {
		float distance = d2_dot(a->normals[i], d2_sub(center, a->points[i]));
		if (distance > outside) {
			outside = distance;
			edge = i;
		}
	}
	float separation = outside - a->radius - b->radius;
	out->clearance = separation - speculative;
	if (separation > speculative)
		return;
	struct d2_vec n = a->normals[edge], v1 = a->points[edge], v2 = a->points[edge + 1], t = d2_left_perp(n);
	bool over1 = d2_dot(t, d2_sub(center, v1))<0, over2 = d2_dot(t, d2_sub(center, v2))> 0;
	if (outside > 0 && (over1 || over2)) {
		add_round_point(over1 ? v1 : v2, a->radius, center, b->radius, n, speculative, out);
		out->border = true;
		return;
	}
	out->face = true;
	d2_manifold_set_point(out, n, d2_mul_add(center, -0.5f * (outside - a->radius + b->radius), n), separation, 0);
}

/* Adds the contact of the half-plane with the point `core` of B's core. */
static void add_plane_point(
	const struct d2_shape *plane, struct d2_vec core, float radius, uint32_t id, struct d2_local_manifold *out)
{
	float height = d2_dot(plane->normal, core) - plane->offset;
	out->normal = plane->normal;
	out->face = true;
	out->points[out->count++] =
		(struct d2_manifold_point){d2_mul_add(core, -0.5f * (height + radius), plane->normal), height - radius, id};
}

/* Adds the contacts of the half-plane with both ends of an edge, if either is within the margin. Equal ids mean a round shape,
 * which gets one contact. */
static void add_plane_edge(const struct d2_shape *plane, struct d2_vec core1, uint32_t id1, struct d2_vec core2, uint32_t id2,
	float radius, float speculative, struct d2_local_manifold *out)
{
	float height = min_f(d2_dot(plane->normal, core1), d2_dot(plane->normal, core2)) - plane->offset;
	out->clearance = height - radius - speculative;
	if (height - radius > speculative)
		return;
	add_plane_point(plane, core1, radius, id1, out);
	if (id1 != id2)
		add_plane_point(plane, core2, radius, id2, out);
}

static void collide_plane(const struct d2_shape *plane, const struct d2_shape *b, const struct d2_transform *b_in_a,
	float speculative, struct d2_local_manifold *out)
{
	if (b->type == D2_ELLIPSE) {
		struct d2_transform own_in_a = d2_mul_transform(*b_in_a, d2_ellipse_frame(b));
		struct d2_vec lowest = d2_ellipse_lowest(b, d2_inv_rotate(own_in_a.q, plane->normal));
		struct d2_vec core = d2_transform_point(own_in_a, lowest);
		add_plane_edge(plane, core, 0, core, 0, 0, speculative, out);
		return;
	}
	if (b->type == D2_CIRCLE) {
		struct d2_vec core = d2_transform_point(*b_in_a, b->points[0]);
		add_plane_edge(plane, core, 0, core, 0, b->radius, speculative, out);
		return;
	}
	struct d2_outline outline = d2_outline_of(b);
	struct d2_vec n = d2_inv_rotate(b_in_a->q, plane->normal);
	uint32_t edge = d2_facing_edge(&outline, d2_deepest_vertex(&outline, n), n), next = edge + 1 < b->count ? edge + 1 : 0;
	add_plane_edge(plane, d2_transform_point(*b_in_a, b->points[edge]), edge, d2_transform_point(*b_in_a, b->points[next]),
		next, b->radius, speculative, out);
}

static void collide_outlines(const struct d2_shape *a, const struct d2_shape *b, const struct d2_transform *b_in_a,
	float speculative, struct d2_local_manifold *out)
{
	struct d2_outline outline_a = d2_outline_of(a), outline_b = d2_outline_of(b);
	d2_collide_outlines(&outline_a, &outline_b, b_in_a, speculative, out);
}

/* For overlapping segments it is unknown from which side each came. Collided as capsules of one slop's radius, their cores stay
 * apart. */
static void collide_segments(const struct d2_shape *a, const struct d2_shape *b, const struct d2_transform *b_in_a,
	float speculative, struct d2_local_manifold *out)
{
	struct d2_outline outline_a = d2_outline_of(a), outline_b = d2_outline_of(b);
	outline_a.radius = outline_b.radius = 0.25f * speculative;
	d2_collide_outlines(&outline_a, &outline_b, b_in_a, speculative, out);
}

typedef void routine(const struct d2_shape *a, const struct d2_shape *b, const struct d2_transform *b_in_a, float speculative,
	struct d2_local_manifold *out);

/* By the types of a and b. NULL: one is a chain, or they are collided in the other order. */
static routine *const routines[D2_SHAPE_TYPES][D2_SHAPE_TYPES] = {
	[D2_CIRCLE] = {collide_circles},
	[D2_CAPSULE] = {collide_edge_circle, collide_outlines, collide_outlines},
	[D2_SEGMENT] = {collide_edge_circle, collide_outlines, collide_segments},
	[D2_BOX] = {collide_polygon_circle, collide_outlines, collide_outlines, d2_collide_boxes, collide_outlines},
	[D2_POLYGON] = {collide_polygon_circle, collide_outlines, collide_outlines, collide_outlines, collide_outlines},
	[D2_ELLIPSE] = {d2_collide_ellipse, d2_collide_ellipse, d2_collide_ellipse, d2_collide_ellipse, d2_collide_ellipse,
		d2_collide_ellipse},
	[D2_HALF_PLANE] = {collide_plane, collide_plane, collide_plane, collide_plane, collide_plane, collide_plane},
};

void d2_manifold_turn(struct d2_local_manifold *out, const struct d2_transform *b_in_a)
{
	out->normal = d2_neg(d2_rotate(b_in_a->q, out->normal));
	for (int i = 0; i < out->count; ++i)
		out->points[i].point = d2_transform_point(*b_in_a, out->points[i].point);
}

/* Collides a chain with a shape, or two shapes of which B's type comes first in the routines. */
static void collide_turned(const struct d2_shape *a, uint32_t child_a, const struct d2_shape *b, uint32_t child_b,
	const struct d2_transform *b_in_a, float speculative, struct d2_local_manifold *out)
{
	if (d2_shape_must_be_static(a) && d2_shape_must_be_static(b))
		return;
	if (a->type == D2_CHAIN) {
		d2_collide_chain(a, child_a, b, b_in_a, speculative, out);
		return;
	}
	struct d2_transform a_in_b = d2_inv_transform(*b_in_a);
	if (b->type == D2_CHAIN)
		d2_collide_chain(b, child_b, a, &a_in_b, speculative, out);
	else
		routines[b->type][a->type](b, a, &a_in_b, speculative, out);
	if (out->count > 0)
		d2_manifold_turn(out, b_in_a);
}

void d2_collide(const struct d2_shape *a, uint32_t child_a, const struct d2_shape *b, uint32_t child_b,
	const struct d2_transform *b_in_a, float speculative, struct d2_local_manifold *out)
{
	assert(child_a < d2_shape_child_count(a) && child_b < d2_shape_child_count(b));
	routine *collide = routines[a->type][b->type];
	out->count = 0;
	out->face = out->border = false;
	out->clearance = 0;
	if (collide != NULL)
		collide(a, b, b_in_a, speculative, out);
	else
		collide_turned(a, child_a, b, child_b, b_in_a, speculative, out);
}
