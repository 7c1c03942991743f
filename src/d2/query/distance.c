/* distance.c - see distance.h. Outlines are measured on the boundary of their Minkowski difference, which is exact and
 * terminates; ellipses by GJK and EPA; half-planes in closed form.
 * Pure, any thread. */
#include "d2/query/distance.h"

#include "d2/shape/chain.h"
#include "d2/query/penetration.h"
#include "d2/query/minkowski.h"

#include <assert.h>
#include <string.h>

static const double endless = 1e18;

/* --- Pairs ---------------------------------------------------------------------------------------------------------------- */

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

/* A round ellipse is measured, and ordered, as a circle. */
static inline enum d2_shape_type type_measured(const struct d2_shape *shape)
{
	return shape->type == D2_ELLIPSE && shape->axes.x == shape->axes.y ? D2_CIRCLE : shape->type;
}

/* Orders shapes of the same measured type. */
static int compare_alike(const struct d2_shape *a, const struct d2_shape *b)
{
	if (a == b)
		return 0;
	if (a->radius != b->radius)
		return compare_numbers(a->radius, b->radius);
	if (a->count != b->count)
		return a->count > b->count ? 1 : -1;
	if (a->loop != b->loop)
		return a->loop ? 1 : -1;
	int order = a->count > 0 ? memcmp(a->points, b->points, a->count * sizeof *a->points) : 0;
	if (order != 0)
		return order;
	if (type_measured(a) < D2_ELLIPSE)
		return (a->type > b->type) - (a->type < b->type);
	const float numbers_a[] = {a->axes.x, a->axes.y, a->rotation.c, a->rotation.s, a->normal.x, a->normal.y, a->offset};
	const float numbers_b[] = {b->axes.x, b->axes.y, b->rotation.c, b->rotation.s, b->normal.x, b->normal.y, b->offset};
	for (size_t i = 0; i < sizeof numbers_a / sizeof *numbers_a; ++i)
		if (numbers_a[i] != numbers_b[i])
			return compare_numbers(numbers_a[i], numbers_b[i]);
	return 0;
}

bool d2_shapes_equal(const struct d2_shape *a, const struct d2_shape *b)
{
	return a->type == b->type && compare_alike(a, b) == 0;
}

static int compare_poses(const struct d2_pose *a, const struct d2_pose *b)
{
	int order = compare_numbers(a->x, b->x);
	if (order == 0)
		order = compare_numbers(a->y, b->y);
	if (order == 0)
		order = compare_numbers(a->q.c, b->q.c);
	return order != 0 ? order : compare_numbers(a->q.s, b->q.s);
}

/* Whether B comes first. Half-planes do, then chains; single points come last. */
static inline bool comes_second(
	const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b, const struct d2_pose *pose_b)
{
	enum d2_shape_type type_a = type_measured(a), type_b = type_measured(b);
	if (type_a != type_b)
		return type_a < type_b;
	int order = compare_alike(a, b);
	return (order != 0 ? order : compare_poses(pose_a, pose_b)) > 0;
}

static inline void set_pair(struct d2_pair *pair, const struct d2_shape *a, const struct d2_pose *pose_a,
	const struct d2_shape *b, const struct d2_pose *pose_b)
{
	bool swapped = comes_second(a, pose_a, b, pose_b);
	pair->a = swapped ? b : a;
	pair->b = swapped ? a : b;
	pair->pose_a = swapped ? pose_b : pose_a;
	pair->pose_b = swapped ? pose_a : pose_b;
	pair->swapped = swapped;
}

struct d2_pair d2_pair_order(
	const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b, const struct d2_pose *pose_b)
{
	struct d2_pair pair;
	set_pair(&pair, a, pose_a, b, pose_b);
	return pair;
}

/* The vector from the middle of A to that of B. *reach: the radii of circles around both, plus an error far above that of float
 * rotations. */
static inline struct d2_vec_d between_middles(const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b,
	const struct d2_pose *pose_b, double *reach)
{
	struct d2_vec_d ca = d2_rotate_d(pose_a->q, d2_widen(a->centroid)), cb = d2_rotate_d(pose_b->q, d2_widen(b->centroid));
	*reach = ((double)a->outer + b->outer) * (1 + 1e-12) + 1e-5 * (abs_d(ca.x) + abs_d(ca.y) + abs_d(cb.x) + abs_d(cb.y));
	return (struct d2_vec_d){(pose_b->x - pose_a->x) + (cb.x - ca.x), (pose_b->y - pose_a->y) + (cb.y - ca.y)};
}

bool d2_surely_apart(
	const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b, const struct d2_pose *pose_b)
{
	double reach;
	struct d2_vec_d delta = between_middles(a, pose_a, b, pose_b, &reach);
	return d2_dot_d(delta, delta) > reach * reach;
}

/* Whether circles around both surely stay disjoint while A moves along u. */
static inline bool surely_missed(const struct d2_shape *a, const struct d2_pose *pose_a, struct d2_vec_d u, double length,
	const struct d2_shape *b, const struct d2_pose *pose_b)
{
	double reach;
	struct d2_vec_d delta = between_middles(a, pose_a, b, pose_b, &reach);
	double along = d2_dot_d(delta, u);
	double past = along < 0 ? along : max_d(along - length * (1 + 1e-12), 0);
	double across = d2_cross_d(delta, u);
	reach += 1e-12 * length;
	return past * past + across * across > reach * reach;
}

static inline struct d2_transform_d relative(struct d2_rot_d qa, const struct d2_pose *pose_a, const struct d2_pose *pose_b)
{
	struct d2_vec_d between = {pose_b->x - pose_a->x, pose_b->y - pose_a->y};
	return (struct d2_transform_d){d2_inv_turn_d(qa, between), d2_inv_mul_rot_d(qa, d2_exact_rot(pose_b->q))};
}

struct d2_transform_d d2_pair_relative(const struct d2_pose *pose_a, const struct d2_pose *pose_b)
{
	return relative(d2_exact_rot(pose_a->q), pose_a, pose_b);
}

/* q: the pose's rotation, exact. */
static inline struct d2_vec_d to_world(const struct d2_pose *pose, struct d2_rot_d q, struct d2_vec_d p)
{
	struct d2_vec_d turned = d2_turn_d(q, p);
	return (struct d2_vec_d){pose->x + turned.x, pose->y + turned.y};
}

/* --- Proxies -------------------------------------------------------------------------------------------------------------- */

/* The greatest half extent of the set; INFINITY for half-planes. */
static double d2_proxy_size(const struct d2_proxy *proxy)
{
	if (proxy->type == D2_PROXY_HALF_PLANE)
		return INFINITY;
	if (proxy->type == D2_PROXY_ELLIPSE)
		return max_d(proxy->axes.x, proxy->axes.y);
	double left = INFINITY, right = -INFINITY, low = INFINITY, high = -INFINITY;
	for (uint32_t i = 0; i < proxy->count; ++i) {
		left = min_d(left, proxy->points[i].x);
		right = max_d(right, proxy->points[i].x);
		low = min_d(low, proxy->points[i].y);
		high = max_d(high, proxy->points[i].y);
	}
	return 0.5 * max_d(right - left, high - low) + proxy->radius;
}

/* The core's point at the fraction `part` of the segment from point i to point k, in the proxy's frame. */
static struct d2_vec_d point_at(const struct d2_proxy *proxy, uint32_t i, uint32_t k, double part)
{
	struct d2_vec_d p = d2_widen(proxy->points[i]);
	return i == k ? p : d2_mul_add_d(p, part, d2_sub_d(d2_widen(proxy->points[k]), p));
}

/* The separation of the outlines, from that of their cores. */
static inline void widen_gap(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_core_separation *core,
	struct d2_separation *out, int32_t features[2])
{
	out->normal = core->normal;
	out->distance = core->distance - a->radius - b->radius;
	out->point_a = d2_mul_add_d(point_at(a, core->a[0], core->a[1], core->part), a->radius, core->normal);
	out->point_b = d2_mul_add_d(out->point_a, out->distance, core->normal);
	out->iterations = 0;
	features[0] = core->a[0] == core->a[1] ? (int32_t)core->a[0] : ~(int32_t)core->a[0];
	features[1] = core->b[0] == core->b[1] ? (int32_t)core->b[0] : ~(int32_t)core->b[0];
}

static void outlines_gap(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a,
	struct d2_separation *out, int32_t features[2])
{
	struct d2_core_separation core;
	d2_core_separation_find(a, b, b_in_a, &core);
	widen_gap(a, b, &core, out, features);
}

void d2_separation_find(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_separation *out)
{
	int32_t features[2];
	if (a->type == D2_PROXY_POINTS && b->type == D2_PROXY_POINTS)
		outlines_gap(a, b, b_in_a, out, features);
	else if (a->type != D2_PROXY_HALF_PLANE)
		d2_gjk(a, b, b_in_a, out, NULL, NULL);
	else if (b->type != D2_PROXY_HALF_PLANE)
		d2_half_plane_separation(a, b, b_in_a, out);
	else
		d2_half_planes_separation(a, b, b_in_a, out);
}

/* An edge of an outline, in A's frame. */
struct edge {
	struct d2_vec_d p, q;
	uint32_t ip, iq;
	double square; /* of its length */
	double along; /* component of its outward normal along the queried direction, times its length */
};

static uint32_t farthest_point(const struct d2_proxy *proxy, struct d2_vec_d d)
{
	uint32_t best = 0;
	double far = -INFINITY;
	for (uint32_t i = 0; i < proxy->count; ++i) {
		double along = d2_dot_d(d2_widen(proxy->points[i]), d);
		if (along > far) {
			far = along;
			best = i;
		}
	}
	return best;
}

static inline void finish_edge(struct edge *edge, struct d2_vec_d delta, struct d2_vec_d direction)
{
	edge->square = d2_dot_d(delta, delta);
	edge->along = delta.y * direction.x - delta.x * direction.y;
}

/* Whether its normal has at least that cosine with the queried direction. */
static inline bool faces(const struct edge *edge, double cosine)
{
	return edge->along > 0 && edge->along * edge->along >= cosine * cosine * edge->square;
}

/* Of the two edges at point i, the one that faces `direction` (in A's frame) better. */
static bool better_edge(
	const struct d2_proxy *proxy, const struct d2_transform_d *place, uint32_t i, struct d2_vec_d direction, struct edge *out)
{
	uint32_t h = i > 0 ? i - 1 : proxy->count - 1, k = i + 1 < proxy->count ? i + 1 : 0;
	struct d2_vec_d o = d2_transform_point_d(place, d2_widen(proxy->points[h]));
	struct d2_vec_d p = d2_transform_point_d(place, d2_widen(proxy->points[i]));
	struct d2_vec_d q = d2_transform_point_d(place, d2_widen(proxy->points[k]));
	struct d2_vec_d e = d2_sub_d(p, o), f = d2_sub_d(q, p);
	/* The cosines x/|e| and y/|f|, compared as x |x| |f|^2 and y |y| |e|^2. An edge without length loses. */
	double x = e.y * direction.x - e.x * direction.y;
	double y = f.y * direction.x - f.x * direction.y;
	double ee = d2_dot_d(e, e);
	double ff = d2_dot_d(f, f);
	if (!(ee > 0) && !(ff > 0))
		return false;
	bool is_before = ee > 0 && (!(ff > 0) || x * abs_d(x) * ff > y * abs_d(y) * ee);
	*out = is_before ? (struct edge){.p = o, .q = p, .ip = h, .iq = i} : (struct edge){.p = p, .q = q, .ip = i, .iq = k};
	finish_edge(out, is_before ? e : f, direction);
	return true;
}

/* The edge at the support point along `direction` that faces it best. False: there is none. */
static bool facing_edge(
	const struct d2_proxy *proxy, const struct d2_transform_d *place, struct d2_vec_d direction, struct edge *out)
{
	if (proxy->type != D2_PROXY_POINTS || proxy->count < 2)
		return false;
	return better_edge(proxy, place, farthest_point(proxy, d2_inv_turn_d(place->q, direction)), direction, out);
}

static const double flat_alignment = 1 - 1e-14; /* within 1e-7 rad */

static int32_t feature_along(const struct d2_proxy *proxy, const struct d2_transform_d *place, struct d2_vec_d direction)
{
	struct edge edge;
	if (proxy->type != D2_PROXY_POINTS)
		return D2_SMOOTH;
	if (facing_edge(proxy, place, direction, &edge) && faces(&edge, flat_alignment))
		return ~(int32_t)edge.ip;
	return (int32_t)farthest_point(proxy, d2_inv_turn_d(place->q, direction));
}

static const struct d2_transform_d identity = {{0, 0}, {1, 0}};

static void find_features(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a,
	struct d2_separation *out, int32_t features[2])
{
	if (a->type == D2_PROXY_POINTS && b->type == D2_PROXY_POINTS) {
		outlines_gap(a, b, b_in_a, out, features);
		return;
	}
	d2_separation_find(a, b, b_in_a, out);
	out->point_b = d2_mul_add_d(out->point_a, out->distance, out->normal);
	features[0] = feature_along(a, &identity, out->normal);
	features[1] = feature_along(b, b_in_a, d2_neg_d(out->normal));
}

/* --- Children ------------------------------------------------------------------------------------------------------------- */

/* The closest children of a pair. */
struct finding {
	uint32_t child_a, child_b;
	struct d2_proxy a, b;
	struct d2_rot_d q; /* of A */
	struct d2_transform_d b_in_a;
	struct d2_separation gap;
	int32_t features[2];
};

/* Sets the other members; q and b_in_a are set. */
static void find_children(const struct d2_pair *pair, uint32_t child_a, uint32_t child_b, struct finding *out)
{
	struct d2_proxy a = d2_make_proxy(pair->a, child_a), b = d2_make_proxy(pair->b, child_b);
	struct d2_separation gap;
	find_features(&a, &b, &out->b_in_a, &gap, out->features);
	out->child_a = child_a;
	out->child_b = child_b;
	out->a = a;
	out->b = b;
	out->gap = gap;
}

/* Relative tolerance: bounds the rounding error of a distance between coordinates of that size. */
static const double bound_tolerance = 1e-13;

/* A lower bound of the signed distance of any two convex sets inside the boxes: a translation along the axis of least overlap
 * separates them. */
static double box_distance(const struct d2_bounds *a, const struct d2_bounds *b)
{
	double x = abs_d(b->middle.x - a->middle.x) - a->half.x - b->half.x;
	double y = abs_d(b->middle.y - a->middle.y) - a->half.y - b->half.y;
	if (x <= 0 || y <= 0)
		return max_d(x, y);
	return sqrt(x * x + y * y);
}

static double half_plane_distance(struct d2_vec_d normal, double offset, const struct d2_bounds *box)
{
	return d2_dot_d(normal, box->middle) - offset - abs_d(normal.x) * box->half.x - abs_d(normal.y) * box->half.y;
}

/* The closest pair of children, of equals the first one. */
struct nearest {
	const struct d2_pair *pair;
	struct finding *found;
	struct d2_transform_d a_in_b;
	double slack; /* for rounding errors [length] */
	double limit; /* pairs that are farther apart do not count */
	bool any; /* any pair within the limit will do */
};

static double nearest_bound(void *context, const struct d2_node *a, const struct d2_node *b)
{
	const struct nearest *nearest = context;
	struct d2_bounds box = d2_bounds_turned(&b->box, &nearest->found->b_in_a);
	const struct d2_shape *shape = nearest->pair->a;
	if (shape->type == D2_HALF_PLANE)
		return half_plane_distance(d2_widen(shape->normal), shape->offset, &box) - nearest->slack;
	double distance = box_distance(&a->box, &box) - nearest->slack;
	if (distance > nearest->limit)
		return distance;
	box = d2_bounds_turned(&a->box, &nearest->a_in_b);
	return max_d(distance, box_distance(&b->box, &box) - nearest->slack);
}

static bool comes_first(const struct finding *found, const struct finding *other)
{
	return found->child_a != other->child_a ? found->child_a < other->child_a : found->child_b < other->child_b;
}

static void keep_nearest(void *context, uint32_t child_a, uint32_t child_b)
{
	struct nearest *nearest = context;
	struct finding *best = nearest->found, found = {.q = best->q, .b_in_a = best->b_in_a};
	find_children(nearest->pair, child_a, child_b, &found);
	double distance = found.gap.distance;
	if (distance > nearest->limit || (distance == best->gap.distance && !comes_first(&found, best)))
		return;
	*best = found;
	nearest->limit = nearest->any ? -INFINITY : distance;
}

static struct d2_transform_d inverse(const struct d2_transform_d *t)
{
	struct d2_vec_d p = d2_inv_turn_d(t->q, t->p);
	return (struct d2_transform_d){d2_neg_d(p), {t->q.c, -t->q.s}};
}

/* find_nearest_within for chains. False: all pairs of children are farther apart than the limit. any: takes the first within
 * it. */
static bool search_children(const struct d2_pair *pair, double limit, bool any, struct finding *out)
{
	const struct d2_transform_d *place = &out->b_in_a;
	double size = d2_box_reach(pair->a) + d2_box_reach(pair->b) + abs_d(place->p.x) + abs_d(place->p.y);
	struct nearest nearest = {pair, out, inverse(place), bound_tolerance * size, limit, any};
	struct d2_pair_walk walk = {pair->a, pair->b, nearest_bound, keep_nearest, &nearest, &nearest.limit};
	find_children(pair, 0, 0, out);
	nearest.limit = min_d(limit, out->gap.distance);
	if (!any || out->gap.distance > limit)
		d2_pair_walk(&walk);
	return out->gap.distance <= limit;
}

/* Sets only the members that points need. False: the shape's proxy has another type. */
static inline bool set_points_proxy(struct d2_proxy *proxy, const struct d2_shape *shape)
{
	proxy->type = D2_PROXY_POINTS;
	proxy->count = shape->count;
	proxy->points = shape->points;
	proxy->normals = shape->normals;
	proxy->edges = shape->edges;
	proxy->radius = shape->radius;
	return type_measured(shape) < D2_ELLIPSE;
}

static bool has_children(const struct d2_shape *shape)
{
	return shape->type == D2_CHAIN;
}

/* Whether their cores seem to overlap: their middles are closer than the sum of the cores' mean radii. */
static inline bool seem_to_overlap(const struct d2_pair *pair, const struct d2_transform_d *b_in_a)
{
	const struct d2_shape *a = pair->a, *b = pair->b;
	struct d2_vec_d delta = d2_sub_d(d2_transform_point_d(b_in_a, d2_widen(b->centroid)), d2_widen(a->centroid));
	double reach = 0.5 * ((double)a->inner + a->outer + b->inner + b->outer) - a->radius - b->radius;
	return d2_dot_d(delta, delta) < reach * abs_d(reach);
}

static inline void set_places(const struct d2_pair *pair, struct finding *out)
{
	out->q = d2_exact_rot(pair->pose_a->q);
	out->b_in_a = relative(out->q, pair->pose_a, pair->pose_b);
}

/* Finds the closest children. False: all are surely farther apart than `limit` >= 0. any: any pair within the limit will do. */
static bool find_nearest_within(const struct d2_pair *pair, double limit, bool any, struct finding *out)
{
	set_places(pair, out);
	if (has_children(pair->a) || has_children(pair->b))
		return search_children(pair, limit, any, out);
	if (!set_points_proxy(&out->a, pair->a) || !set_points_proxy(&out->b, pair->b)) {
		find_children(pair, 0, 0, out);
		return true;
	}
	out->child_a = out->child_b = 0;
	struct d2_core_separation core;
	if (!d2_core_separation_within(
			&out->a, &out->b, &out->b_in_a, limit + out->a.radius + out->b.radius, seem_to_overlap(pair, &out->b_in_a), &core))
		return false;
	widen_gap(&out->a, &out->b, &core, &out->gap, out->features);
	return true;
}

/* The separation of an outline and a circle, in the world. */
struct round_gap {
	double distance;
	struct d2_vec_d normal;
	struct d2_vec_d center; /* of the circle, from B's origin */
	struct d2_core_separation core;
};

static inline bool ends_in_circle(const struct d2_pair *pair)
{
	return type_measured(pair->b) == D2_CIRCLE && type_measured(pair->a) < D2_ELLIPSE;
}

/* The circle's centre from the origin of its frame, in world orientation. */
static inline struct d2_vec_d center_of(const struct d2_shape *shape, const struct d2_pose *pose)
{
	struct d2_vec_d p = d2_widen(shape->points[0]);
	return p.x == 0 && p.y == 0 ? p : d2_turn_d(d2_exact_rot(pose->q), p);
}

static inline enum d2_core_separation_answer find_round(const struct d2_pair *pair, double limit, struct round_gap *out)
{
	const struct d2_shape *a = pair->a, *b = pair->b;
	struct d2_vec_d between = {pair->pose_b->x - pair->pose_a->x, pair->pose_b->y - pair->pose_a->y};
	double radius = (double)a->radius + b->radius;
	out->center = center_of(b, pair->pose_b);
	if (type_measured(a) == D2_CIRCLE) {
		struct d2_vec_d from = center_of(a, pair->pose_a), delta = d2_add_d(between, d2_sub_d(out->center, from));
		double length = d2_length_d(delta);
		/* Concentric but for rounding: any direction is a normal. */
		if (!(length > 1e-12 * (abs_d(between.x) + abs_d(between.y) + abs_d(from.x) + abs_d(from.y))) || !(length > 1e-150))
			return D2_CORE_SEPARATION_UNSURE;
		out->distance = length - radius;
		out->normal = d2_scale_d(1 / length, delta);
		out->core.a[0] = out->core.a[1] = 0;
		return out->distance > limit ? D2_CORE_SEPARATION_BEYOND : D2_CORE_SEPARATION_FOUND;
	}
	struct d2_rot_d q = d2_exact_rot(pair->pose_a->q);
	struct d2_proxy proxy;
	set_points_proxy(&proxy, a);
	enum d2_core_separation_answer answer =
		d2_core_separation_of_point(&proxy, d2_inv_turn_d(q, d2_add_d(between, out->center)), limit + radius, &out->core);
	if (answer == D2_CORE_SEPARATION_FOUND) {
		out->distance = out->core.distance - radius;
		out->normal = d2_turn_d(q, out->core.normal);
	}
	return answer;
}

/* The point at the distance `far` from the circle's centre against the normal, in the world. */
static inline struct d2_vec_d round_point(const struct d2_pair *pair, const struct round_gap *gap, double far)
{
	struct d2_vec_d p = d2_mul_add_d(gap->center, -far, gap->normal);
	return (struct d2_vec_d){pair->pose_b->x + p.x, pair->pose_b->y + p.y};
}

static void find_nearest(const struct d2_pair *pair, struct finding *out)
{
	bool within = find_nearest_within(pair, INFINITY, false, out);
	assert(within);
	(void)within;
}

bool d2_nearest_children(const struct d2_pair *pair, double limit, uint32_t *child_a, uint32_t *child_b)
{
	struct finding found;
	if (!find_nearest_within(pair, limit, false, &found))
		return false;
	*child_a = found.child_a;
	*child_b = found.child_b;
	return true;
}

/* The shape's index of a child's point. */
static uint32_t shape_point(const struct d2_shape *shape, uint32_t child, uint32_t i)
{
	return (child + i) % (shape->count > 0 ? shape->count : 1);
}

static int32_t shape_feature(const struct d2_shape *shape, uint32_t child, int32_t feature)
{
	if (feature == D2_SMOOTH || shape->type != D2_CHAIN)
		return feature;
	return feature < 0 ? ~(int32_t)child : (int32_t)shape_point(shape, child, (uint32_t)feature);
}

static void finding_measure(const struct d2_pair *pair, const struct finding *found, struct d2_distance *out)
{
	struct d2_vec_d a = to_world(pair->pose_a, found->q, found->gap.point_a);
	struct d2_vec_d b = to_world(pair->pose_a, found->q, found->gap.point_b);
	struct d2_vec_d normal = d2_turn_d(found->q, found->gap.normal);
	int32_t fa = shape_feature(pair->a, found->child_a, found->features[0]);
	int32_t fb = shape_feature(pair->b, found->child_b, found->features[1]);
	if (pair->swapped)
		*out = (struct d2_distance){found->gap.distance, d2_neg_d(normal), b, a, fb, fa};
	else
		*out = (struct d2_distance){found->gap.distance, normal, a, b, fa, fb};
}

/* False: undecided. */
static bool measure_round(const struct d2_pair *pair, struct d2_distance *out)
{
	struct round_gap gap;
	if (find_round(pair, INFINITY, &gap) != D2_CORE_SEPARATION_FOUND)
		return false;
	double radius = pair->b->radius;
	struct d2_vec_d on_a = round_point(pair, &gap, radius + gap.distance), on_b = round_point(pair, &gap, radius);
	int32_t feature = gap.core.a[0] == gap.core.a[1] ? (int32_t)gap.core.a[0] : ~(int32_t)gap.core.a[0];
	out->distance = gap.distance;
	out->normal = pair->swapped ? d2_neg_d(gap.normal) : gap.normal;
	out->a = pair->swapped ? on_b : on_a;
	out->b = pair->swapped ? on_a : on_b;
	out->feature_a = pair->swapped ? 0 : feature;
	out->feature_b = pair->swapped ? feature : 0;
	return true;
}

void d2_distance(const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b, const struct d2_pose *pose_b,
	struct d2_distance *out)
{
	struct d2_pair pair;
	struct finding found;
	set_pair(&pair, a, pose_a, b, pose_b);
	if (ends_in_circle(&pair) && measure_round(&pair, out))
		return;
	find_nearest(&pair, &found);
	finding_measure(&pair, &found, out);
}

bool d2_overlaps(const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b, const struct d2_pose *pose_b)
{
	struct d2_pair pair;
	struct finding found;
	if (d2_surely_apart(a, pose_a, b, pose_b))
		return false;
	set_pair(&pair, a, pose_a, b, pose_b);
	if (ends_in_circle(&pair)) {
		struct round_gap gap;
		enum d2_core_separation_answer answer = find_round(&pair, 0, &gap);
		if (answer != D2_CORE_SEPARATION_UNSURE)
			return answer == D2_CORE_SEPARATION_FOUND && gap.distance <= 0;
	}
	if (set_points_proxy(&found.a, pair.a) && set_points_proxy(&found.b, pair.b)) {
		found.b_in_a = d2_pair_relative(pair.pose_a, pair.pose_b);
		bool deep = found.a.radius + found.b.radius == 0 || seem_to_overlap(&pair, &found.b_in_a);
		return d2_core_separation_overlaps(&found.a, &found.b, &found.b_in_a, deep);
	}
	return find_nearest_within(&pair, 0, true, &found) && found.gap.distance <= 0;
}

void d2_distance_to_point(const struct d2_shape *a, const struct d2_pose *pose_a, double x, double y, struct d2_distance *out)
{
	const struct d2_vec origin = {0, 0};
	const struct d2_shape point = {.type = D2_CIRCLE, .count = 1, .points = &origin};
	const struct d2_pose pose_b = {x, y, {1, 0}};
	const struct d2_pair pair = {a, &point, pose_a, &pose_b, false};
	struct finding best;
	find_nearest(&pair, &best);
	struct d2_vec_d p = to_world(pose_a, best.q, best.gap.point_a);
	out->distance = best.gap.distance;
	out->normal = d2_turn_d(best.q, best.gap.normal);
	out->a = p;
	out->b = (struct d2_vec_d){x, y};
	out->feature_a = shape_feature(a, best.child_a, best.features[0]);
	out->feature_b = 0;
}

/* --- Shape casts ---------------------------------------------------------------------------------------------------------- */

enum { CAST_ITERATIONS = 128 }; /* grazing halves the error in each, all else squares it */

/* A cast in the frame that A had at the start. A moves along u, a unit vector. */
struct flight {
	struct d2_proxy a, b;
	const struct d2_pair *round; /* the pair, if it is an outline and a circle; else NULL */
	struct d2_transform_d b_in_a;
	struct d2_vec_d u;
	double length;
	enum d2_cast_method method;
	bool deep; /* as in d2_distance: contacts then agree to the last digit */
};

struct landing {
	bool hit, left;
	double enter, leave; /* [length] */
	double depth; /* penetration at the start; 0 when apart */
	struct d2_vec_d normal;
	struct d2_vec_d on_a, on_b; /* point of contact: in A's frame, which has moved, and in the frame that A had at the start */
	int iterations;
};

static void flight_gap(const struct flight *f, double s, struct d2_separation *gap)
{
	struct d2_transform_d b_in_a = {d2_mul_add_d(f->b_in_a.p, -s, f->u), f->b_in_a.q};
	if (f->method == D2_CAST_GJK && f->a.type != D2_PROXY_HALF_PLANE)
		d2_gjk(&f->a, &f->b, &b_in_a, gap, NULL, NULL);
	else
		d2_separation_find(&f->a, &f->b, &b_in_a, gap);
}

/* The distance d(s) is convex along a straight path, and d' = -n.u: Newton's steps from before the root stay before it. Each
 * ends where the path crosses the line through the closest point, perpendicular to the normal. *gap: the separation at the
 * start.
 * Source: van den Bergen, "Ray casting against general convex objects with application to continuous collision detection",
 * 2004. */
static bool advance(
	const struct flight *f, double from, double sign, double limit, double *s, struct d2_separation *gap, int *iterations)
{
	double smaller = min_d(d2_proxy_size(&f->a), d2_proxy_size(&f->b)), size = smaller < INFINITY ? smaller : 0;
	double tolerance = 1e-12 * size + 4e-16 * (abs_d(f->b_in_a.p.x) + abs_d(f->b_in_a.p.y));
	*s = 0;
	for (int i = 0; i < CAST_ITERATIONS; ++i) {
		if (gap->distance <= tolerance)
			return true;
		double closing = sign * d2_dot_d(gap->normal, f->u), next = *s + gap->distance / closing;
		if (!(closing > 0) || !(next <= limit))
			return false;
		if (next == *s)
			return true;
		*s = next;
		flight_gap(f, from + sign * next, gap);
		++*iterations;
	}
	return gap->distance <= 1e-6 * size;
}

/* Beyond this distance along u the two are surely apart. */
static double flight_end(const struct flight *f)
{
	struct d2_vec_d n = d2_inv_turn_d(f->b_in_a.q, f->u), back = d2_neg_d(f->u);
	double b = d2_dot_d(f->b_in_a.p, f->u) + d2_dot_d(d2_core_support(&f->b, n), n) + f->b.radius;
	return b + d2_dot_d(d2_core_support(&f->a, back), back) + f->a.radius;
}

static void land_by_steps(const struct flight *f, struct landing *out)
{
	struct d2_separation gap;
	double s;
	flight_gap(f, 0, &gap);
	out->iterations = 1;
	out->depth = -gap.distance;
	out->hit = gap.distance <= 0;
	out->enter = 0;
	if (!out->hit) {
		out->depth = 0;
		out->hit = advance(f, 0, 1, f->length * (1 + 1e-15), &s, &gap, &out->iterations);
		out->enter = min_d(s, f->length);
	}
	out->normal = gap.normal;
	out->on_a = gap.point_a;
	out->on_b = d2_mul_add_d(gap.point_b, out->enter, f->u);
	double speed = d2_dot_d(gap.normal, f->u);
	if (!out->hit)
		return;
	if (f->a.type == D2_PROXY_HALF_PLANE) {
		out->left = out->depth >= 0 && out->depth < endless && speed < 0;
		out->leave = out->depth / -speed;
		return;
	}
	double end = flight_end(f);
	struct d2_separation last;
	int iterations = 0;
	flight_gap(f, end, &last);
	out->left = advance(f, end, -1, INFINITY, &s, &last, &iterations);
	out->leave = max_d(end - s, out->enter);
}

/* The contact points, from the core points that the point of the difference comes from. */
static void land_at(const struct flight *f, const uint32_t ia[2], const uint32_t ib[2], double part, struct landing *out)
{
	struct d2_vec_d a = point_at(&f->a, ia[0], ia[1], part), b = point_at(&f->b, ib[0], ib[1], part);
	out->on_a = d2_mul_add_d(a, f->a.radius, out->normal);
	out->on_b = d2_mul_add_d(d2_transform_point_d(&f->b_in_a, b), -(double)f->b.radius, out->normal);
}

/* The distance at the start, as by d2_distance; INFINITY if it is surely above 0. */
static double starting_distance(const struct flight *f, double radius, struct d2_core_separation *core)
{
	struct round_gap gap;
	enum d2_core_separation_answer answer = f->round ? find_round(f->round, 0, &gap) : D2_CORE_SEPARATION_UNSURE;
	if (answer == D2_CORE_SEPARATION_FOUND) {
		*core = gap.core;
		return gap.distance;
	}
	if (answer == D2_CORE_SEPARATION_BEYOND || !d2_core_separation_within(&f->a, &f->b, &f->b_in_a, radius, f->deep, core))
		return INFINITY;
	return core->distance - f->a.radius - f->b.radius;
}

/* For shapes that are surely apart at the start. False: undecided. */
static bool land_from_afar(const struct flight *f, double radius, struct landing *out)
{
	struct d2_core_way delta;
	enum d2_core_separation_answer answer = d2_core_way_find(&f->a, &f->b, &f->b_in_a, f->u, f->length, radius, &delta);
	out->hit = answer == D2_CORE_SEPARATION_FOUND;
	if (!out->hit)
		return answer == D2_CORE_SEPARATION_BEYOND;
	out->left = true;
	out->enter = min_d(delta.enter, f->length);
	out->leave = max_d(delta.leave, out->enter);
	out->normal = delta.normal;
	land_at(f, delta.a, delta.b, delta.part, out);
	return true;
}

/* Relative tolerance: a separation above it proves that the two are apart, without measuring the distance. */
static const double clear_tolerance = 1e-12;

/* By the explicit Minkowski difference: a hit is where the ray from the origin enters it, widened by both radii. */
static void land_exactly(const struct flight *f, struct landing *out)
{
	struct d2_core_separation core;
	double radius = (double)f->a.radius + f->b.radius;
	out->iterations = 0;
	out->depth = 0;
	out->enter = 0;
	if (land_from_afar(f, radius, out))
		return;
	struct d2_minkowski m;
	struct d2_minkowski_place place;
	struct d2_vec_d normal;
	double interval[2];
	d2_minkowski_difference(&f->a, &f->b, &f->b_in_a, &m);
	out->left = d2_minkowski_interval(&m, radius, f->u, interval, &normal, &place);
	out->leave = out->left ? max_d(interval[1], 0) : 0;
	/* The whole difference is beyond the line at the entry. A grazed circle's normal is off by the square root of the rounding
	 * error. */
	double slant = out->left ? -d2_dot_d(normal, f->u) : 0, clear = clear_tolerance * (m.size + radius);
	bool apart = interval[0] * slant > clear && (!(radius > 0) || radius * slant * slant > clear);
	if (!apart)
		out->depth = -starting_distance(f, radius, &core);
	out->hit = !apart && out->depth >= 0;
	if (!out->hit)
		out->depth = 0;
	if (out->hit) {
		out->normal = core.normal;
		land_at(f, core.a, core.b, core.part, out);
	} else if (f->length > 0 && out->left && interval[1] >= 0 && interval[0] <= f->length * (1 + 1e-15)) {
		out->hit = true;
		out->enter = clamp_d(interval[0], 0, f->length);
		out->normal = d2_neg_d(normal);
		const struct d2_minkowski_vertex *first = &m.v[place.first], *second = &m.v[place.second];
		land_at(f, (uint32_t[]){first->a, second->a}, (uint32_t[]){first->b, second->b}, place.part, out);
	}
}

static bool lands_before(const struct landing *a, const struct landing *b)
{
	return a->enter != b->enter ? a->enter < b->enter : a->depth > b->depth;
}

/* The length, without overflow; 0 where no component is above 1e-150. */
static double way_length(struct d2_vec_d delta)
{
	double most = max_d(abs_d(delta.x), abs_d(delta.y));
	if (!(most > 1e-150))
		return 0;
	return most * d2_length_d((struct d2_vec_d){delta.x / most, delta.y / most});
}

/* With m the vector between the centres and r the sum of the radii, contacts along u are at s = m.u -+ sqrt(r^2 - (m x u)^2).
 * False: undecided. */
static bool cast_circles(const struct d2_pair *pair, struct d2_vec_d u, double length, struct d2_cast_result *out)
{
	struct round_gap gap;
	if (find_round(pair, INFINITY, &gap) != D2_CORE_SEPARATION_FOUND)
		return false;
	double radius = (double)pair->a->radius + pair->b->radius;
	struct d2_vec_d to = pair->swapped ? d2_neg_d(u) : u, m = d2_scale_d(gap.distance + radius, gap.normal);
	double across = d2_cross_d(m, to), under = (radius - across) * (radius + across), along = d2_dot_d(m, to);
	double half = under >= 0 ? sqrt(under) : 0, enter = 0;
	bool overlaps = gap.distance <= 0, meets = under >= 0 && along + half >= 0 && along - half <= length * (1 + 1e-15);
	*out = (struct d2_cast_result){.t = 1, .iterations = 0};
	if (!overlaps && !meets)
		return true;
	if (!overlaps) {
		enter = clamp_d(along - half, 0, length);
		gap.normal = d2_scale_d(1 / radius, d2_mul_add_d(m, -enter, to));
		gap.distance = 0;
	}
	/* The point is on the caller's B. When swapped, it is computed on the caller's A, which has moved. */
	struct d2_vec_d p = round_point(pair, &gap, pair->b->radius + (pair->swapped ? gap.distance : 0));
	p = pair->swapped ? d2_mul_add_d(p, -enter, to) : p;
	out->hit = true;
	out->t = length > 0 ? min_d(enter / length, 1) : 0;
	out->left = under >= 0 && length > 0;
	out->leave = out->left ? min_d(max_d(along + half, 0) / length, 1e300) : 0;
	out->normal = pair->swapped ? d2_neg_d(gap.normal) : gap.normal;
	out->x = p.x;
	out->y = p.y;
	return true;
}

/* The pair of children that is hit first; of equals the one that starts deepest, then the first. */
struct casting {
	const struct d2_pair *pair;
	struct flight *flight;
	struct landing best;
	uint32_t child_a, child_b; /* of `best` */
	double slack, limit; /* slack: for rounding errors; limit: later hits do not count [length] */
	int iterations;
};

static void cast_pair(struct casting *casting, uint32_t child_a, uint32_t child_b)
{
	struct flight *f = casting->flight;
	struct landing landing;
	f->a = d2_make_proxy(casting->pair->a, child_a);
	f->b = d2_make_proxy(casting->pair->b, child_b);
	bool exact = f->method == D2_CAST_EXACT && f->a.type == D2_PROXY_POINTS && f->b.type == D2_PROXY_POINTS;
	(exact ? land_exactly : land_by_steps)(f, &landing);
	casting->iterations += landing.iterations;
	if (!landing.hit)
		return;
	const struct landing *best = &casting->best;
	bool first = child_a != casting->child_a ? child_a < casting->child_a : child_b < casting->child_b;
	if (best->hit && !lands_before(&landing, best) && (lands_before(best, &landing) || !first))
		return;
	casting->best = landing;
	casting->child_a = child_a;
	casting->child_b = child_b;
	casting->limit = landing.enter;
}

static void visit_landing(void *context, uint32_t child_a, uint32_t child_b)
{
	cast_pair(context, child_a, child_b);
}

static double landing_bound(void *context, const struct d2_node *a, const struct d2_node *b)
{
	const struct casting *casting = context;
	if (casting->pair->a->type == D2_HALF_PLANE)
		return 0;
	struct d2_bounds box = d2_bounds_turned(&b->box, &casting->flight->b_in_a);
	return d2_bounds_overlap(&a->box, &box, casting->flight->u, casting->slack) - casting->slack;
}

static void cast_children(struct casting *casting)
{
	const struct d2_pair *pair = casting->pair;
	const struct flight *f = casting->flight;
	casting->slack = bound_tolerance *
		(d2_box_reach(pair->a) + d2_box_reach(pair->b) + abs_d(f->b_in_a.p.x) + abs_d(f->b_in_a.p.y) + f->length);
	struct d2_pair_walk walk = {pair->a, pair->b, landing_bound, visit_landing, casting, &casting->limit};
	d2_pair_walk(&walk);
}

void d2_cast(const struct d2_shape *a, const struct d2_pose *pose_a, struct d2_vec_d delta, const struct d2_shape *b,
	const struct d2_pose *pose_b, enum d2_cast_method method, struct d2_cast_result *out)
{
	struct d2_pair pair;
	set_pair(&pair, a, pose_a, b, pose_b);
	double length = way_length(delta);
	struct d2_vec_d u = length > 0 ? (struct d2_vec_d){delta.x / length, delta.y / length} : (struct d2_vec_d){1, 0};
	*out = (struct d2_cast_result){.t = 1};
	if (method == D2_CAST_EXACT && surely_missed(a, pose_a, u, length, b, pose_b))
		return;
	bool round = ends_in_circle(&pair);
	if (round && method == D2_CAST_EXACT && type_measured(pair.a) == D2_CIRCLE && cast_circles(&pair, u, length, out))
		return;
	struct d2_rot_d q = d2_exact_rot(pair.pose_a->q);
	struct flight f = {
		.round = round ? &pair : NULL, .b_in_a = relative(q, pair.pose_a, pair.pose_b), .length = length, .method = method};
	f.u = d2_inv_turn_d(q, pair.swapped ? d2_neg_d(u) : u);
	struct casting casting = {.pair = &pair, .flight = &f, .limit = length * (1 + 1e-12)};
	if (has_children(pair.a) || has_children(pair.b)) {
		cast_children(&casting);
	} else {
		f.deep = seem_to_overlap(&pair, &f.b_in_a);
		cast_pair(&casting, 0, 0);
	}
	struct landing best = casting.best;
	*out = (struct d2_cast_result){.t = 1, .iterations = casting.iterations};
	if (!best.hit)
		return;
	struct d2_vec_d normal = d2_turn_d(q, best.normal), p = to_world(pair.pose_a, q, pair.swapped ? best.on_a : best.on_b);
	out->hit = true;
	out->t = length > 0 ? min_d(best.enter / length, 1) : 0;
	out->left = best.left && length > 0 && d2_shape_child_count(a) == 1 && d2_shape_child_count(b) == 1;
	out->leave = out->left ? min_d(best.leave / length, 1e300) : 0;
	out->normal = pair.swapped ? d2_neg_d(normal) : normal;
	out->x = p.x;
	out->y = p.y;
}

/* --- One shape ------------------------------------------------------------------------------------------------------------ */

static bool lies_across(struct d2_vec_d n, struct d2_vec_d p, struct d2_vec_d q)
{
	struct d2_vec_d delta = d2_sub_d(q, p);
	return abs_d(d2_dot_d(n, delta)) <= 1e-6 * d2_length_d(delta) && d2_length_d(delta) > 0;
}

int d2_support_points(
	const struct d2_shape *shape, const struct d2_pose *pose, struct d2_vec_d delta, struct d2_vec_d points[2])
{
	double length = way_length(delta);
	struct d2_vec_d u = {delta.x / length, delta.y / length};
	struct d2_rot_d q = d2_exact_rot(pose->q);
	struct d2_vec_d n = d2_inv_turn_d(q, u);
	if (shape->type == D2_ELLIPSE) {
		struct d2_proxy proxy = d2_make_proxy(shape, 0);
		points[0] = to_world(pose, q, d2_mul_add_d(d2_core_support(&proxy, n), proxy.radius, n));
		return 1;
	}
	struct d2_proxy all = {.count = shape->count, .points = shape->points};
	uint32_t i = farthest_point(&all, n), last = shape->count - 1, before = i > 0 ? i - 1 : last, after = i < last ? i + 1 : 0;
	bool open = shape->type == D2_CHAIN && !shape->loop;
	struct d2_vec_d p = d2_widen(shape->points[i]), r = d2_widen(shape->points[after]), o = d2_widen(shape->points[before]);
	int count = 1;
	struct d2_vec_d found[2] = {p, p};
	if (!(open && i == last) && lies_across(n, p, r)) {
		found[1] = r;
		count = 2;
	} else if (!(open && i == 0) && lies_across(n, o, p)) {
		found[0] = o;
		count = 2;
	}
	/* The edge of a capsule or chain may run either way; counter-clockwise goes to the left of n. */
	bool turned = count == 2 && d2_cross_d(n, d2_sub_d(found[1], found[0])) < 0;
	for (int k = 0; k < count; ++k)
		points[k] = to_world(pose, q, d2_mul_add_d(found[turned ? 1 - k : k], shape->radius, n));
	return count;
}

void d2_bounds(const struct d2_shape *shape, const struct d2_pose *pose, double bounds[4])
{
	if (shape->type == D2_HALF_PLANE) {
		bounds[0] = bounds[1] = -endless;
		bounds[2] = bounds[3] = endless;
		return;
	}
	static const struct d2_vec_d paths[4] = {{-1, 0}, {0, -1}, {1, 0}, {0, 1}};
	for (int i = 0; i < 4; ++i) {
		struct d2_vec_d points[2];
		d2_support_points(shape, pose, paths[i], points);
		bounds[i] = i % 2 == 0 ? points[0].x : points[0].y;
	}
}
