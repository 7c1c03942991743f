/* world_manifold.c - see world_manifold.h. */
#include "d3/manifold/world_manifold.h"
#include "d3/query/distance.h"

#include <string.h>

/* The speculative margin, relative to the smaller shape's size; the manifolds' tolerances are fractions of it. */
static const double relative_margin = 4e-5;

/* An overlap of at most this fraction of the coordinates may be rounding error of floats. Unless the deepest overlap is
 * greater, the exact distance decides whether there is a contact. */
static const double rounding_tolerance = 1e-6;

/* Returns the pair in the order in which it is collided. Equal shapes are ordered along a direction to which few normals are
 * perpendicular, so that ids last while the shapes move a little. */
static struct d3_pair order_pair(
	const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b)
{
	struct d3_pair pair = d3_pair_order(a, pose_a, b, pose_b);
	struct d3_vec_d delta = {pose_b->x - pose_a->x, pose_b->y - pose_a->y, pose_b->z - pose_a->z};
	double along = 0.36 * delta.x + 0.79 * delta.y + 0.5 * delta.z;
	if (along != 0 && pair.swapped != (along < 0) && d3_shapes_equal(a, b))
		pair = (struct d3_pair){pair.b, pair.a, pair.pose_b, pair.pose_a, !pair.swapped};
	return pair;
}

/* A child of a mesh or height field as a triangle shape, with its corners written to `corners`; other shapes unchanged. */
static const struct d3_shape *child_shape(
	const struct d3_shape *shape, uint32_t child, struct d3_shape *triangle, struct d3_vec corners[3])
{
	if (!d3_shape_surface(shape))
		return shape;
	d3_shape_triangle(shape, child, corners);
	memset(triangle, 0, sizeof *triangle);
	triangle->type = D3_TRIANGLE;
	triangle->count = 3;
	triangle->points = corners;
	triangle->extent = shape->extent;
	return triangle;
}

/* Collides the pair as a world does. A world makes no contacts between two meshes or height fields, between one and a
 * half-space, or with the back of a one-sided one: if there is no contact for such a reason, collides their triangles as
 * two-sided convex shapes. */
static int collide_pair(
	const struct d3_pair *pair, uint32_t child_a, uint32_t child_b, float margin, struct d3_local_manifold out[D3_MANIFOLDS])
{
	struct d3_transform b_in_a = d3_pose_relative(pair->pose_a, pair->pose_b);
	struct d3_manifold_cache cache = {0};
	const struct d3_shape *a = pair->a, *b = pair->b;
	bool surface_a = d3_shape_surface(a), surface_b = d3_shape_surface(b);
	if (surface_a != surface_b && a->type != D3_HALF_SPACE && b->type != D3_HALF_SPACE) {
		float clearance;
		int count = d3_collide_surface(a, child_a, b, child_b, &b_in_a, margin, &cache, &clearance, out);
		if (count > 0)
			return count;
		cache = (struct d3_manifold_cache){0};
	}
	struct d3_shape triangles[2];
	struct d3_vec corners[2][3];
	a = child_shape(a, child_a, &triangles[0], corners[0]);
	b = child_shape(b, child_b, &triangles[1], corners[1]);
	d3_collide(a, surface_a ? 0 : child_a, b, surface_b ? 0 : child_b, &b_in_a, margin, &cache, out);
	return out->count > 0;
}

/* Orders four points around the normal: of the three possible orders, takes the one with the largest area. */
static void order_points(struct d3_world_manifold *manifold)
{
	struct d3_world_point *p = manifold->points;
	int best = 1;
	double most = -1;
	for (int opposite = 1; opposite < 4; ++opposite) {
		int i = opposite % 3 + 1, k = i % 3 + 1;
		struct d3_vec_d across = d3_sub_d(p[opposite].p, p[0].p), along = d3_sub_d(p[k].p, p[i].p);
		double area = abs_d(d3_dot_d(manifold->normal, d3_cross_d(across, along)));
		best = area > most ? opposite : best;
		most = max_d(area, most);
	}
	struct d3_world_point third = p[best];
	p[best] = p[2];
	p[2] = third;
}

/* Whether the manifold has a point with this id: two triangles of a mesh may give it the same point. */
static bool has_id(const struct d3_world_manifold *manifold, uint32_t id)
{
	for (int i = 0; i < manifold->count; ++i)
		if (manifold->points[i].id == id)
			return true;
	return false;
}

/* Converts the manifold to the world, with only the points that overlap. The normal has unit length to double precision. */
static void manifold_to_world(
	const struct d3_pair *pair, const struct d3_local_manifold *manifold, struct d3_world_manifold *out)
{
	struct d3_rot q = d3_quat_rot(pair->pose_a->q);
	struct d3_vec_d normal = d3_widen(d3_turn(&q, manifold->normal));
	normal = d3_scale_d(1.5 - 0.5 * d3_dot_d(normal, normal), normal);
	normal = d3_scale_d(1.5 - 0.5 * d3_dot_d(normal, normal), normal);
	out->normal = pair->swapped ? d3_neg_d(normal) : normal;
	out->count = 0;
	for (int i = 0; i < manifold->count; ++i) {
		const struct d3_manifold_point *point = &manifold->points[i];
		struct d3_vec_d p = d3_widen(d3_turn(&q, point->point));
		if (point->separation <= 0 && !has_id(out, point->id))
			out->points[out->count++] = (struct d3_world_point){
				{pair->pose_a->x + p.x, pair->pose_a->y + p.y, pair->pose_a->z + p.z}, (double)point->separation, point->id};
	}
	if (out->count == 4)
		order_points(out);
}

/* Sets *out to a contact of one point from the exact distance, which serves contacts that a world does not have, and those that
 * float rounding leaves open. Returns their number. */
static int contact_by_distance(const struct d3_pair *pair, struct d3_world_manifold *out)
{
	struct d3_distance measure;
	d3_distance(pair->a, pair->pose_a, pair->b, pair->pose_b, &measure);
	if (measure.distance > 0)
		return 0;
	out->normal = pair->swapped ? d3_neg_d(measure.normal) : measure.normal;
	out->count = 1;
	out->points[0] =
		(struct d3_world_point){d3_mul_add_d(measure.a, 0.5 * measure.distance, measure.normal), measure.distance, 0};
	return 1;
}

static double coordinates(const struct d3_pair *pair)
{
	const struct d3_pose *a = pair->pose_a, *b = pair->pose_b;
	double between = abs_d(b->x - a->x) + abs_d(b->y - a->y) + abs_d(b->z - a->z);
	return between + (pair->a->extent < INFINITY ? pair->a->extent : 0) + (pair->b->extent < INFINITY ? pair->b->extent : 0);
}

int d3_world_manifolds(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b,
	const struct d3_pose *pose_b, struct d3_world_manifold out[D3_MANIFOLDS])
{
	struct d3_vec_d delta = {pose_b->x - pose_a->x, pose_b->y - pose_a->y, pose_b->z - pose_a->z};
	double radius = a->extent + b->extent;
	if (d3_dot_d(delta, delta) > radius * radius * (1 + 1e-6))
		return 0;
	struct d3_pair pair = order_pair(a, pose_a, b, pose_b);
	double margin = relative_margin * min_d(a->extent, b->extent);
	uint32_t child_a = 0, child_b = 0;
	bool convex = d3_shape_convex(a) && d3_shape_convex(b);
	if (!convex) {
		struct d3_finding nearest;
		d3_find_nearest(&pair, &nearest);
		if (nearest.separation.distance > 0 && !d3_overlaps(a, pose_a, b, pose_b))
			return 0;
		child_a = nearest.child_a;
		child_b = nearest.child_b;
	}
	struct d3_local_manifold manifolds[D3_MANIFOLDS];
	int found = margin < INFINITY ? collide_pair(&pair, child_a, child_b, (float)margin, manifolds) : 0, count = 0;
	double least = INFINITY;
	for (int i = 0; i < found; ++i) {
		manifold_to_world(&pair, &manifolds[i], &out[count]);
		count += out[count].count > 0;
		least = min_d(least, (double)d3_manifold_separation(&manifolds[i]));
	}
	double doubt = rounding_tolerance * coordinates(&pair);
	if (least < -doubt)
		return count;
	if (convex && found == 0 && margin < INFINITY && margin > 4 * doubt)
		return 0;
	struct d3_world_manifold single;
	if (contact_by_distance(&pair, &single) == 0)
		return 0;
	if (count == 0)
		out[count++] = single;
	return count;
}
