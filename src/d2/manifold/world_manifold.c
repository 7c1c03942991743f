/* world_manifold.c - see world_manifold.h. */
#include "d2/manifold/world_manifold.h"
#include "d2/query/distance.h"

/* Speculative margin as a fraction of the smaller bounding circle's radius. Manifolds' tolerances are fractions of it. */
static const double relative_margin = 4e-5;

/* Separations below this fraction of the coordinates are rounding error of floats, and the exact distance decides. */
static const double rounding_tolerance = 1e-6;

/* The pair in the order in which it is collided: by type; equal shapes along a fixed direction that is seldom perpendicular to
 * a normal, so that ids last while the shapes move a little; other shapes of one type in canonical order. */
static struct d2_pair order_pair(
	const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b, const struct d2_pose *pose_b)
{
	if (a->type != b->type)
		return d2_make_pair(a, pose_a, b, pose_b, a->type < b->type);
	double along = 0.36 * (pose_b->x - pose_a->x) + 0.79 * (pose_b->y - pose_a->y);
	if (along == 0 || !d2_shapes_equal(a, b))
		return d2_pair_order(a, pose_a, b, pose_b);
	return d2_make_pair(a, pose_a, b, pose_b, along < 0);
}

/* A segment of a chain as a two-sided shape of its own. */
struct segment {
	struct d2_vec points[3], normals[2];
	struct d2_shape shape;
};

static const struct d2_shape *child_segment(const struct d2_shape *shape, uint32_t child, struct segment *out)
{
	if (shape->type != D2_CHAIN)
		return shape;
	struct d2_vec p = d2_segment(shape, child)[0], q = d2_segment(shape, child)[1], n = shape->normals[child];
	*out = (struct segment){.points = {p, q, p},
		.normals = {n, d2_neg(n)},
		.shape = {.type = D2_SEGMENT, .count = 2, .points = out->points, .normals = out->normals}};
	return &out->shape;
}

/* Collides two children as a world does. If that gives no contact, as for two chains or from behind a chain, collides chains'
 * segments as two-sided ones. */
static void collide_pair(
	const struct d2_pair *pair, uint32_t child_a, uint32_t child_b, float margin, struct d2_local_manifold *out)
{
	struct d2_transform b_in_a = d2_pose_relative(pair->pose_a, pair->pose_b);
	d2_collide(pair->a, child_a, pair->b, child_b, &b_in_a, margin, out);
	if (out->count > 0 || !d2_pair_has_chain(pair))
		return;
	struct segment segments[2];
	const struct d2_shape *a = child_segment(pair->a, child_a, &segments[0]);
	const struct d2_shape *b = child_segment(pair->b, child_b, &segments[1]);
	d2_collide(a, 0, b, 0, &b_in_a, margin, out);
}

/* Transforms a manifold to the world: the normal, normalised in double, and the points that overlap. */
static void manifold_to_world(
	const struct d2_pair *pair, const struct d2_local_manifold *manifold, struct d2_world_manifold *out)
{
	struct d2_vec_d normal = d2_widen(d2_rotate(pair->pose_a->q, manifold->normal));
	normal = d2_scale_d(1.5 - 0.5 * d2_dot_d(normal, normal), normal);
	normal = d2_scale_d(1.5 - 0.5 * d2_dot_d(normal, normal), normal);
	out->normal = pair->swapped ? d2_neg_d(normal) : normal;
	out->count = 0;
	for (int i = 0; i < manifold->count; ++i) {
		const struct d2_manifold_point *point = &manifold->points[i];
		struct d2_vec_d p = d2_widen(d2_rotate(pair->pose_a->q, point->point));
		if (point->separation <= 0)
			out->points[out->count++] =
				(struct d2_world_point){{pair->pose_a->x + p.x, pair->pose_a->y + p.y}, (double)point->separation, point->id};
	}
}

/* Makes one point from the exact distance and returns 1; 0 if the shapes are apart. For shapes whose float separation is within
 * rounding error of 0, for chains, and for two half-planes. */
static int contact_by_distance(const struct d2_pair *pair, struct d2_world_manifold *out)
{
	struct d2_distance measure;
	d2_distance(pair->a, pair->pose_a, pair->b, pair->pose_b, &measure);
	if (measure.distance > 0)
		return 0;
	out->normal = pair->swapped ? d2_neg_d(measure.normal) : measure.normal;
	out->count = 1;
	out->points[0] =
		(struct d2_world_point){d2_mul_add_d(measure.a, 0.5 * measure.distance, measure.normal), measure.distance, 0};
	return 1;
}

static double coordinates(const struct d2_pair *pair)
{
	const struct d2_shape *a = pair->a, *b = pair->b;
	double between = abs_d(pair->pose_b->x - pair->pose_a->x) + abs_d(pair->pose_b->y - pair->pose_a->y);
	return between + (a->reach < INFINITY ? a->reach : 0) + (b->reach < INFINITY ? b->reach : 0);
}

int d2_world_manifolds(const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b,
	const struct d2_pose *pose_b, struct d2_world_manifold out[D2_WORLD_MANIFOLDS])
{
	if (d2_surely_apart(a, pose_a, b, pose_b))
		return 0;
	struct d2_pair pair = order_pair(a, pose_a, b, pose_b);
	double margin = relative_margin * min_d(a->outer, b->outer);
	uint32_t child_a = 0, child_b = 0;
	bool chain = d2_pair_has_chain(&pair);
	if (chain && !d2_nearest_children(&pair, margin, &child_a, &child_b))
		return 0;
	struct d2_local_manifold manifold = {.count = 0};
	if (margin < INFINITY)
		collide_pair(&pair, child_a, child_b, (float)margin, &manifold);
	double doubt = rounding_tolerance * coordinates(&pair);
	if (manifold.count == 0 && !chain && margin < INFINITY && margin > 4 * doubt)
		return 0;
	manifold_to_world(&pair, &manifold, out);
	/* d2_collide treats two segments as capsules whose radii add up to half a margin. It also makes contacts of shapes that are
	 * a little behind a chain, so for chains the exact distance decides whether they overlap. */
	double lines = a->type == D2_SEGMENT && b->type == D2_SEGMENT ? 0.5 * margin : 0;
	if (!chain && d2_manifold_separation(&manifold) < -(doubt + lines))
		return 1;
	struct d2_world_manifold single;
	if (contact_by_distance(&pair, &single) == 0)
		return 0;
	if (out->count == 0)
		*out = single;
	return 1;
}
