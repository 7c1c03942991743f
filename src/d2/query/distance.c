/* distance.c - see distance.h. Two circles, and any shape against a half-plane: closed form. Other pairs of circles, capsules,
 * segments, boxes, polygons and chain segments: the boundary of the Minkowski difference of their cores, see penetration.h.
 * Other pairs with an ellipse: GJK and EPA.
 * Pure, any thread. */
#include "d2/query/distance_parts.h"

#include <assert.h>
#include <string.h>

/* --- Pairs ---------------------------------------------------------------------------------------------------------------- */

static int compare_numbers(const double *a, const double *b, int count)
{
	for (int i = 0; i < count; ++i)
		if (a[i] != b[i])
			return (a[i] > b[i]) - (a[i] < b[i]);
	return 0;
}

static int compare_alike(const struct d2_shape *a, const struct d2_shape *b)
{
	if (a == b)
		return 0;
	int order = compare_numbers(
		(double[]){a->radius, a->count, a->loop, a->one_sided}, (double[]){b->radius, b->count, b->loop, b->one_sided}, 4);
	if (order == 0 && a->count > 0)
		order = memcmp(a->points, b->points, a->count * sizeof *a->points);
	if (order != 0)
		return order;
	if (d2_type_measured(a) < D2_ELLIPSE)
		return (a->type > b->type) - (a->type < b->type);
	const double numbers_a[] = {a->axes.x, a->axes.y, a->rotation.c, a->rotation.s, a->normal.x, a->normal.y, a->offset};
	const double numbers_b[] = {b->axes.x, b->axes.y, b->rotation.c, b->rotation.s, b->normal.x, b->normal.y, b->offset};
	return compare_numbers(numbers_a, numbers_b, 7);
}

bool d2_shapes_equal(const struct d2_shape *a, const struct d2_shape *b)
{
	return a->type == b->type && compare_alike(a, b) == 0;
}

bool d2_pair_swapped(
	const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b, const struct d2_pose *pose_b)
{
	const double numbers_a[] = {pose_a->x, pose_a->y, pose_a->q.c, pose_a->q.s};
	const double numbers_b[] = {pose_b->x, pose_b->y, pose_b->q.c, pose_b->q.s};
	int order = compare_alike(a, b);
	return (order != 0 ? order : compare_numbers(numbers_a, numbers_b, 4)) > 0;
}

bool d2_surely_apart(
	const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b, const struct d2_pose *pose_b)
{
	double reach;
	struct d2_vec_d delta = between_middles(a, pose_a, b, pose_b, &reach);
	return d2_dot_d(delta, delta) > reach * reach;
}

/* --- Proxies -------------------------------------------------------------------------------------------------------------- */

/* The code (see D2_SMOOTH) of the feature with these ends: one point, given twice, or an edge. */
static int32_t core_feature(const uint32_t ends[2])
{
	return ends[0] == ends[1] ? (int32_t)ends[0] : ~(int32_t)ends[0];
}

/* Converts the separation of two cores to that of the rounded shapes. */
static inline void widen_separation(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_core_separation *core,
	struct d2_separation *out, int32_t features[2])
{
	out->normal = core->normal;
	out->distance = core->distance - a->radius - b->radius;
	out->point_a = d2_mul_add_d(d2_core_point(a, core->a, core->part), a->radius, core->normal);
	out->point_b = d2_mul_add_d(out->point_a, out->distance, core->normal);
	out->iterations = 0;
	features[0] = core_feature(core->a);
	features[1] = core_feature(core->b);
}

/* The code of the proxy's feature along a unit vector in A's frame: of the edge whose outward normal is within 1.4e-7 rad of
 * it, else of the support point; D2_SMOOTH for an ellipse or half-plane. frame: from the proxy's frame to A's. */
static int32_t feature_along(const struct d2_proxy *proxy, const struct d2_transform_d *frame, struct d2_vec_d direction)
{
	static const double flat_alignment = 1 - 1e-14;
	if (proxy->type != D2_PROXY_POINTS)
		return D2_SMOOTH;
	uint32_t i = d2_proxy_farthest(proxy, d2_inv_turn_d(frame->q, direction));
	uint32_t h = i > 0 ? i - 1 : proxy->count - 1, k = i + 1 < proxy->count ? i + 1 : 0;
	struct d2_vec_d p = d2_transform_point_d(frame, d2_widen(proxy->points[i]));
	struct d2_vec_d e = d2_sub_d(p, d2_transform_point_d(frame, d2_widen(proxy->points[h])));
	struct d2_vec_d f = d2_sub_d(d2_transform_point_d(frame, d2_widen(proxy->points[k])), p);
	/* The cosines x/|e| and y/|f|, compared as x |x| |f|^2 and y |y| |e|^2. An edge without length loses. */
	double x = e.y * direction.x - e.x * direction.y, y = f.y * direction.x - f.x * direction.y;
	double ee = d2_dot_d(e, e), ff = d2_dot_d(f, f);
	bool first = ee > 0 && (!(ff > 0) || x * abs_d(x) * ff > y * abs_d(y) * ee);
	double along = first ? x : y, square = first ? ee : ff;
	bool flat = along > 0 && along * along >= flat_alignment * flat_alignment * square;
	return flat ? ~(int32_t)(first ? h : i) : (int32_t)i;
}

static const struct d2_transform_d identity = {{0, 0}, {1, 0}};

static void find_features(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a,
	struct d2_separation *out, int32_t features[2])
{
	if (a->type == D2_PROXY_POINTS && b->type == D2_PROXY_POINTS) {
		struct d2_core_separation core;
		d2_core_separation_find(a, b, b_in_a, &core);
		widen_separation(a, b, &core, out, features);
		return;
	}
	struct d2_separation found;
	d2_separation_find(a, b, b_in_a, &found);
	*out = found;
	out->point_b = d2_mul_add_d(out->point_a, out->distance, out->normal);
	features[0] = feature_along(a, &identity, out->normal);
	features[1] = feature_along(b, b_in_a, d2_neg_d(out->normal));
}

/* --- Children ------------------------------------------------------------------------------------------------------------- */

/* Two children of a pair and their separation: during a search the closest so far. */
struct finding {
	uint32_t child_a, child_b;
	struct d2_proxy a, b;
	struct d2_rot_d q; /* A's rotation by d2_exact_rot */
	struct d2_transform_d b_in_a;
	struct d2_separation separation;
	int32_t features[2];
};

/* Sets the children and computes their separation. The caller has set out->q and out->b_in_a. */
static void find_children(const struct d2_pair *pair, uint32_t child_a, uint32_t child_b, struct finding *out)
{
	out->child_a = child_a;
	out->child_b = child_b;
	out->a = d2_make_proxy(pair->a, child_a);
	out->b = d2_make_proxy(pair->b, child_b);
	find_features(&out->a, &out->b, &out->b_in_a, &out->separation, out->features);
}

/* Lower bound of the signed distance of two convex sets, one in each box. If the boxes overlap, the least translation along an
 * axis that separates them separates the sets. */
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

/* A search for the closest pair of children; of equally close pairs the first by child_a, then by child_b. */
struct nearest {
	const struct d2_pair *pair;
	struct finding *found;
	struct d2_transform_d a_in_b;
	double slack; /* for rounding errors [length] */
	double limit; /* pairs that are farther apart do not count */
	bool any; /* the search may end with any pair within the limit */
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
	double distance = found.separation.distance;
	if (distance > nearest->limit || (distance == best->separation.distance && !comes_first(&found, best)))
		return;
	*best = found;
	nearest->limit = nearest->any ? -INFINITY : distance;
}

static struct d2_transform_d inverse(const struct d2_transform_d *t)
{
	struct d2_vec_d p = d2_inv_turn_d(t->q, t->p);
	return (struct d2_transform_d){d2_neg_d(p), {t->q.c, -t->q.s}};
}

/* find_nearest_within for chains. */
static bool search_children(const struct d2_pair *pair, double limit, bool any, struct finding *out)
{
	const struct d2_transform_d *b_in_a = &out->b_in_a;
	double size = d2_box_reach(pair->a) + d2_box_reach(pair->b) + abs_d(b_in_a->p.x) + abs_d(b_in_a->p.y);
	struct nearest nearest = {pair, out, inverse(b_in_a), bound_tolerance * size, limit, any};
	struct d2_pair_walk walk = {pair->a, pair->b, nearest_bound, keep_nearest, &nearest, &nearest.limit};
	find_children(pair, 0, 0, out);
	nearest.limit = min_d(limit, out->separation.distance);
	if (!any || out->separation.distance > limit)
		d2_pair_walk(&walk);
	return out->separation.distance <= limit;
}

/* Finds the closest children and their separation. False: all are farther apart than `limit` >= 0. True does not prove that any
 * are within it. any: the result may be any pair within the limit. */
static bool find_nearest_within(const struct d2_pair *pair, double limit, bool any, struct finding *out)
{
	out->q = d2_exact_rot(pair->pose_a->q);
	out->b_in_a = d2_relative_transform(pair->pose_a, out->q, pair->pose_b);
	if (d2_pair_has_chain(pair))
		return search_children(pair, limit, any, out);
	if (!d2_proxy_set_points(&out->a, pair->a) || !d2_proxy_set_points(&out->b, pair->b)) {
		find_children(pair, 0, 0, out);
		return true;
	}
	out->child_a = out->child_b = 0;
	struct d2_core_separation core;
	if (!d2_core_separation_within(
			&out->a, &out->b, &out->b_in_a, limit + out->a.radius + out->b.radius, seem_to_overlap(pair, &out->b_in_a), &core))
		return false;
	widen_separation(&out->a, &out->b, &core, &out->separation, out->features);
	return true;
}

/* Finds the closest children and their separation, however far apart they are. */
static void find_nearest(const struct d2_pair *pair, struct finding *out)
{
	bool found = find_nearest_within(pair, INFINITY, false, out);
	assert(found);
	(void)found;
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

/* The index in the shape of point i of a child. */
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

/* Fills *out from a result of the ordered pair, in the caller's order of the shapes. Member by member: a copy of the whole
 * would wait for the members. */
static inline void report(const struct d2_pair *pair, double distance, struct d2_vec_d normal, struct d2_vec_d a,
	struct d2_vec_d b, int32_t feature_a, int32_t feature_b, struct d2_distance *out)
{
	static const double signs[2] = {1, -1};
	bool swapped = pair->swapped; /* as often as not: tables, not branches */
	const double x[2] = {a.x, b.x}, y[2] = {a.y, b.y};
	const int32_t features[2] = {feature_a, feature_b};
	out->distance = distance;
	out->normal.x = signs[swapped] * normal.x;
	out->normal.y = signs[swapped] * normal.y;
	out->a.x = x[swapped];
	out->a.y = y[swapped];
	out->b.x = x[!swapped];
	out->b.y = y[!swapped];
	out->feature_a = features[swapped];
	out->feature_b = features[!swapped];
}

/* The same from a separation in A's frame. */
static inline void report_local(const struct d2_pair *pair, struct d2_rot_d q, double distance, struct d2_vec_d normal,
	struct d2_vec_d point_a, struct d2_vec_d point_b, int32_t feature_a, int32_t feature_b, struct d2_distance *out)
{
	report(pair, distance, d2_turn_d(q, normal), d2_pose_point(pair->pose_a, q, point_a),
		d2_pose_point(pair->pose_a, q, point_b), feature_a, feature_b, out);
}

static void report_finding(const struct d2_pair *pair, const struct finding *found, struct d2_distance *out)
{
	const struct d2_separation *separation = &found->separation;
	report_local(pair, found->q, separation->distance, separation->normal, separation->point_a, separation->point_b,
		shape_feature(pair->a, found->child_a, found->features[0]), shape_feature(pair->b, found->child_b, found->features[1]),
		out);
}

/* d2_distance in any case. */
static void measure_nearest(const struct d2_pair *pair, struct d2_distance *out)
{
	struct finding found;
	found.separation.distance = INFINITY;
	find_nearest(pair, &found);
	report_finding(pair, &found, out);
}

/* d2_distance for two hulls of points. False: they are others. */
static bool measure_points(const struct d2_pair *pair, struct d2_distance *out)
{
	struct d2_proxy a, b;
	if (d2_pair_has_chain(pair) || !d2_proxy_set_points(&a, pair->a) || !d2_proxy_set_points(&b, pair->b))
		return false;
	struct d2_core_separation core;
	struct d2_rot_d q = d2_exact_rot(pair->pose_a->q);
	struct d2_transform_d b_in_a = d2_relative_transform(pair->pose_a, q, pair->pose_b);
	d2_core_separation_within(&a, &b, &b_in_a, INFINITY, seem_to_overlap(pair, &b_in_a), &core);
	double distance = core.distance - a.radius - b.radius;
	struct d2_vec_d point_a = d2_mul_add_d(d2_core_point(&a, core.a, core.part), a.radius, core.normal);
	report_local(pair, q, distance, core.normal, point_a, d2_mul_add_d(point_a, distance, core.normal), core_feature(core.a),
		core_feature(core.b), out);
	return true;
}

/* d2_distance for a pair of which ends_in_circle is true. False: undecided. */
static bool measure_round(const struct d2_pair *pair, struct d2_distance *out)
{
	struct round_separation separation;
	if (find_round(pair, INFINITY, &separation) != D2_CORE_FOUND)
		return false;
	double radius = pair->b->radius;
	report(pair, separation.distance, separation.normal, round_point(pair, &separation, radius + separation.distance),
		round_point(pair, &separation, radius), core_feature(separation.core.a), 0, out);
	return true;
}

/* d2_distance for the ordered pair. */
static void measure_pair(const struct d2_pair *pair, struct d2_distance *out)
{
	if (!(ends_in_circle(pair) && measure_round(pair, out)) && !measure_points(pair, out))
		measure_nearest(pair, out);
}

void d2_distance(const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b, const struct d2_pose *pose_b,
	struct d2_distance *out)
{
	struct d2_pair pair = d2_pair_order(a, pose_a, b, pose_b);
	measure_pair(&pair, out);
}

bool d2_overlaps(const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b, const struct d2_pose *pose_b)
{
	struct finding found;
	if (d2_surely_apart(a, pose_a, b, pose_b))
		return false;
	struct d2_pair pair = d2_pair_order(a, pose_a, b, pose_b);
	if (ends_in_circle(&pair)) {
		struct round_separation separation;
		enum d2_core_answer answer = find_round(&pair, 0, &separation);
		if (answer != D2_CORE_UNSURE)
			return answer == D2_CORE_FOUND && separation.distance <= 0;
	}
	if (d2_proxy_set_points(&found.a, pair.a) && d2_proxy_set_points(&found.b, pair.b)) {
		found.b_in_a = d2_pair_relative(pair.pose_a, pair.pose_b);
		bool deep = found.a.radius + found.b.radius == 0 || seem_to_overlap(&pair, &found.b_in_a);
		return d2_core_separation_overlaps(&found.a, &found.b, &found.b_in_a, deep);
	}
	return find_nearest_within(&pair, 0, true, &found) && found.separation.distance <= 0;
}

void d2_child_distance(const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b, uint32_t child_b,
	const struct d2_pose *pose_b, struct d2_distance *out)
{
	struct d2_pair pair = d2_pair_order(a, pose_a, b, pose_b);
	if (!d2_pair_has_chain(&pair)) {
		measure_pair(&pair, out);
		return;
	}
	struct finding found;
	found.q = d2_exact_rot(pair.pose_a->q);
	found.b_in_a = d2_relative_transform(pair.pose_a, found.q, pair.pose_b);
	find_children(&pair, pair.swapped ? child_b : 0, pair.swapped ? 0 : child_b, &found);
	report_finding(&pair, &found, out);
}

uint32_t d2_child_distance_to_point(
	const struct d2_shape *a, uint32_t child, const struct d2_pose *pose_a, double x, double y, struct d2_distance *out)
{
	const struct d2_vec origin = {0, 0};
	const struct d2_shape point = {.type = D2_CIRCLE, .count = 1, .points = &origin};
	const struct d2_pose pose_b = {x, y, {1, 0}};
	const struct d2_pair pair = {a, &point, pose_a, &pose_b, false};
	struct finding found;
	if (child == D2_ALL || a->type != D2_CHAIN) {
		find_nearest(&pair, &found);
	} else {
		found.q = d2_exact_rot(pose_a->q);
		found.b_in_a = d2_relative_transform(pose_a, found.q, &pose_b);
		find_children(&pair, child, 0, &found);
	}
	report_finding(&pair, &found, out);
	out->b = (struct d2_vec_d){x, y};
	return found.child_a;
}

void d2_distance_to_point(const struct d2_shape *a, const struct d2_pose *pose_a, double x, double y, struct d2_distance *out)
{
	d2_child_distance_to_point(a, D2_ALL, pose_a, x, y, out);
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
	double length = d2_distance_path_length(delta);
	struct d2_vec_d u = {delta.x / length, delta.y / length};
	struct d2_rot_d q = d2_exact_rot(pose->q);
	struct d2_vec_d n = d2_inv_turn_d(q, u);
	if (shape->type == D2_ELLIPSE) {
		struct d2_proxy proxy = d2_make_proxy(shape, 0);
		points[0] = d2_pose_point(pose, q, d2_mul_add_d(d2_core_support(&proxy, n), proxy.radius, n));
		return 1;
	}
	struct d2_proxy all = {.count = shape->count, .points = shape->points};
	uint32_t i = d2_proxy_farthest(&all, n);
	uint32_t last = shape->count - 1;
	uint32_t before = i > 0 ? i - 1 : last;
	uint32_t after = i < last ? i + 1 : 0;
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
		points[k] = d2_pose_point(pose, q, d2_mul_add_d(found[turned ? 1 - k : k], shape->radius, n));
	return count;
}

void d2_bounds(const struct d2_shape *shape, const struct d2_pose *pose, double bounds[4])
{
	if (shape->type == D2_HALF_PLANE) {
		bounds[0] = bounds[1] = -endless;
		bounds[2] = bounds[3] = endless;
		return;
	}
	if (shape->type == D2_ELLIPSE) {
		static const struct d2_vec_d paths[4] = {{-1, 0}, {0, -1}, {1, 0}, {0, 1}};
		for (int i = 0; i < 4; ++i) {
			struct d2_vec_d points[2];
			d2_support_points(shape, pose, paths[i], points);
			bounds[i] = i % 2 == 0 ? points[0].x : points[0].y;
		}
		return;
	}
	struct d2_rot_d q = d2_exact_rot(pose->q);
	struct d2_vec_d low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
	for (uint32_t i = 0; i < shape->count; ++i) {
		struct d2_vec_d p = d2_turn_d(q, d2_widen(shape->points[i]));
		low = (struct d2_vec_d){min_d(low.x, p.x), min_d(low.y, p.y)};
		high = (struct d2_vec_d){max_d(high.x, p.x), max_d(high.y, p.y)};
	}
	bounds[0] = pose->x + (low.x - shape->radius);
	bounds[1] = pose->y + (low.y - shape->radius);
	bounds[2] = pose->x + (high.x + shape->radius);
	bounds[3] = pose->y + (high.y + shape->radius);
}
