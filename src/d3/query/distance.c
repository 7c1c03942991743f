/* distance.c - see distance.h. The nearest pair of children is found in child_pairs.c. */
#include "d3/query/distance_parts.h"
#include "d3/query/ray_cast.h"

#include <assert.h>
#include <string.h>

static const struct d3_transform_d identity = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/* Writes B's transform in A's frame, with the identity as rotation if B is a sphere about its body's origin. */
static inline void find_relative(const struct d3_pair *pair, const struct d3_rot_d *qa, struct d3_transform_d *out)
{
	const struct d3_pose *pose_a = pair->pose_a, *pose_b = pair->pose_b;
	if (d3_shape_centered(pair->b)) {
		struct d3_vec_d between = {pose_b->x - pose_a->x, pose_b->y - pose_a->y, pose_b->z - pose_a->z};
		*out = identity;
		out->p = d3_inv_turn_d(qa, between);
	} else {
		*out = d3_relative_transform(pose_a, qa, pose_b);
	}
}

/* --- Features ------------------------------------------------------------------------------------------------------------- */

/* Relative to the core's greatest half extent: a point no farther than this from a corner or edge counts as on it. */
static const double on_tolerance = 1e-6;

static d3_feature point_feature(uint32_t i)
{
	return (d3_feature)i + 1;
}

static d3_feature edge_feature(uint32_t i, uint32_t k)
{
	uint32_t low = i < k ? i : k, high = i < k ? k : i;
	return (((d3_feature)high + 1) << 24) + low + 1;
}

static d3_feature face_feature(uint32_t face)
{
	return -((d3_feature)face + 1);
}

/* shape_point and shape_face convert the number of a child's point or face to that in the whole shape. */
static uint32_t shape_point(const struct d3_shape *shape, uint32_t child, uint32_t i)
{
	uint32_t corners[3];
	switch (shape->type) {
	case D3_MESH: d3_mesh_corners(shape->mesh, child, corners); return corners[i];
	case D3_HEIGHT_FIELD: d3_height_field_triangle(shape->height_field, child, corners); return corners[i];
	case D3_COMPOUND: return shape->compound->children[child].first_point + i;
	default: return i;
	}
}

static uint32_t shape_face(const struct d3_shape *shape, uint32_t child, uint32_t face)
{
	if (shape->type == D3_MESH)
		return shape->mesh->numbers[child];
	if (shape->type == D3_HEIGHT_FIELD)
		return child;
	return shape->type == D3_COMPOUND ? shape->compound->children[child].first_face + face : face;
}

static double squared(struct d3_vec_d a)
{
	return d3_dot_d(a, a);
}

/* Finds the corner closest to p of a polygon or single edge (count 2) or, if no corner is within `near` [length], the closest
 * edge. Returns 0: a corner; 1: an edge; -1: neither is within `near`. *first: index of the corner, or of the edge's first
 * corner. */
static int on_outline(
	const struct d3_vec *points, const uint32_t *corners, uint32_t count, struct d3_vec_d p, double near, uint32_t *first)
{
	assert(count > 1);
	double least = near * near;
	int kind = -1;
	for (uint32_t i = 0; i < count; ++i) {
		double square = squared(d3_sub_d(p, d3_widen(points[corners[i]])));
		if (square <= least) {
			least = square;
			kind = 0;
			*first = i;
		}
	}
	if (kind == 0)
		return kind;
	for (uint32_t i = 0; i < (count > 2 ? count : 1); ++i) {
		struct d3_vec_d start = d3_widen(points[corners[i]]);
		struct d3_vec_d delta = d3_sub_d(d3_widen(points[corners[(i + 1) % count]]), start);
		/* The edge's line is farther from p than `near`, by more than rounding. */
		if (squared(d3_cross_d(d3_sub_d(p, start), delta)) > 1.000001 * near * near * squared(delta))
			continue;
		double part = clamp_d(d3_dot_d(d3_sub_d(p, start), delta) / squared(delta), 0, 1);
		double square = squared(d3_sub_d(p, d3_mul_add_d(start, part, delta)));
		if (square <= least) {
			least = square;
			kind = 1;
			*first = i;
		}
	}
	return kind;
}

static uint32_t face_at(const struct d3_hull *hull, struct d3_vec_d p)
{
	uint32_t best = 0;
	double most = -INFINITY;
	for (uint32_t i = 0; i < hull->face_count; ++i) {
		const struct d3_hull_plane *plane = &hull->planes[i];
		double out = plane->normal.x * p.x + plane->normal.y * p.y + plane->normal.z * p.z - plane->offset;
		best = out > most ? i : best;
		most = max_d(out, most);
	}
	return best;
}

/* The feature of the child that a point of its surface is on, numbered in the whole shape. `point` and `outward`, the unit
 * normal there, are in A's frame; in_a: the child's transform in A's frame. */
static d3_feature d3_feature_at(const struct d3_shape *shape, uint32_t child, const struct d3_proxy *proxy,
	const struct d3_transform_d *in_a, struct d3_vec_d point, struct d3_vec_d outward)
{
	if (proxy->type != D3_PROXY_POINTS)
		return 0;
	const struct d3_vec *points = d3_proxy_points(proxy);
	struct d3_vec_d p = d3_inv_transform_point_d(in_a, d3_mul_add_d(point, -proxy->radius, outward));
	uint32_t corners[D3_HULL_MAX], count = proxy->count, face = 0, first = 0;
	for (uint32_t i = 0; i < 3; ++i)
		corners[i] = i;
	assert(proxy->hull || count <= 3);
	if (proxy->hull) {
		face = face_at(proxy->hull, p);
		count = d3_hull_face(proxy->hull, face, corners);
	}
	/* proxy->reach is at least the core's greatest half extent: a point on no corner or edge by this larger tolerance is on the
	 * face. */
	if (proxy->hull && on_outline(points, corners, count, p, on_tolerance * proxy->reach, &first) < 0)
		return face_feature(shape_face(shape, child, face));
	double near = on_tolerance * (d3_proxy_size(proxy) - proxy->radius);
	int kind = count == 1 ? 0 : on_outline(points, corners, count, p, near, &first);
	if (kind == 0)
		return point_feature(shape_point(shape, child, corners[first]));
	if (kind == 1 || count == 2)
		return edge_feature(shape_point(shape, child, corners[first]), shape_point(shape, child, corners[(first + 1) % count]));
	return face_feature(shape_face(shape, child, face));
}

/* --- In the world --------------------------------------------------------------------------------------------------------- */

/* Transforms a separation from A's frame and canonical order to the world and the caller's order. q: A's exact rotation. */
static inline void put_measure(const struct d3_pair *pair, const struct d3_rot_d *q, const struct d3_separation *separation,
	d3_feature feature_a, d3_feature feature_b, struct d3_distance *out)
{
	struct d3_vec_d origin = {pair->pose_a->x, pair->pose_a->y, pair->pose_a->z}, n = d3_turn_d(q, separation->normal);
	struct d3_vec_d on_a = d3_turn_d(q, separation->point_a);
	struct d3_vec_d on_b = d3_mul_add_d(on_a, separation->distance, n);
	struct d3_vec_d *a = pair->swapped ? &out->b : &out->a, *b = pair->swapped ? &out->a : &out->b;
	double sign = pair->swapped ? -1 : 1;
	out->distance = separation->distance;
	out->normal = d3_scale_d(sign, n);
	*a = d3_add_d(origin, on_a);
	*b = d3_add_d(origin, on_b);
	out->feature_a = pair->swapped ? feature_b : feature_a;
	out->feature_b = pair->swapped ? feature_a : feature_b;
}

/* --- Spheres, capsules and segments --------------------------------------------------------------------------------------- */

static inline bool is_capsule(const struct d3_shape *shape)
{
	return shape->type <= D3_SEGMENT;
}

/* As d3_feature_at, for the point at the fraction `part` of the capsule's axis. */
static inline d3_feature capsule_feature(const struct d3_shape *shape, const struct d3_capsule_core *capsule, double part)
{
	if (shape->count == 1 || part <= 0)
		return point_feature(0);
	if (part >= 1)
		return point_feature(1);
	struct d3_vec_d delta = d3_sub_d(d3_widen(shape->points[1]), d3_widen(shape->points[0]));
	double near = on_tolerance * 0.5 * max_d(fabs(delta.x), max_d(fabs(delta.y), fabs(delta.z))), end = min_d(part, 1 - part);
	if (end * end * capsule->square <= near * near)
		return point_feature(part > 0.5 ? 1 : 0);
	return edge_feature(0, 1);
}

/* d3_distance of two spheres, capsules or segments in closed form. False, and *out is not set: the pair is ill-conditioned, see
 * capsules.h. */
static bool measure_capsules(const struct d3_pair *pair, struct d3_distance *out)
{
	struct d3_capsule_core a = d3_capsule_core_make(pair->a->points, pair->a->count, pair->a->radius);
	struct d3_capsule_core b = d3_capsule_core_make(pair->b->points, pair->b->count, pair->b->radius);
	struct d3_separation separation;
	double s, t;
	struct d3_rot_d q = d3_exact_rot(pair->pose_a->q);
	struct d3_transform_d b_in_a;
	find_relative(pair, &q, &b_in_a);
	b.p = d3_transform_point_d(&b_in_a, b.p);
	b.delta = d3_turn_d(&b_in_a.q, b.delta);
	if (!d3_capsules_apart(&a, &b, &s, &t, &separation))
		return false;
	put_measure(pair, &q, &separation, capsule_feature(pair->a, &a, s), capsule_feature(pair->b, &b, t), out);
	return true;
}

/* d3_distance in closed form. False, and *out is not set: the pair has none, or is ill-conditioned. */
static inline bool measure_directly(const struct d3_pair *pair, struct d3_distance *out)
{
	return is_capsule(pair->a) && is_capsule(pair->b) && measure_capsules(pair, out);
}

/* The distinct corners of one core whose weighted sum is its closest point. */
struct carried {
	int count;
	uint32_t corners[3];
	double weights[3];
};

static inline void collect_carried(const uint32_t *corners, const struct d3_corner_simplex *simplex, struct carried *out)
{
	const double *w = simplex->weights;
	uint32_t i = corners[0], j = simplex->count > 1 ? corners[1] : i, k = simplex->count > 2 ? corners[2] : j;
	double of_j = simplex->count > 1 ? w[1] : 0, of_k = simplex->count > 2 ? w[2] : 0;
	*out = (struct carried){3, {i, j, k}, {w[0], of_j, of_k}};
	if (i == j) {
		*out = (struct carried){i == k ? 1 : 2, {i, k, k}, {w[0] + of_j, of_k, 0}};
	} else if (k == i || k == j) {
		*out = (struct carried){2, {i, j, j}, {k == i ? w[0] + of_k : w[0], k == i ? of_j : of_j + of_k, 0}};
	}
}

static bool is_edge(const struct d3_hull *hull, uint32_t i, uint32_t k)
{
	uint32_t start = hull->point_edges[i], edge = start;
	do {
		uint32_t twin = hull->edges[edge].twin;
		if (hull->edges[twin].origin == k)
			return true;
		edge = hull->edges[twin].next;
	} while (edge != start);
	return false;
}

enum { NO_FACE = UINT32_MAX };

/* The face that all three corners are on; NO_FACE: none. */
static uint32_t face_of_corners(const struct d3_hull *hull, const uint32_t corners[3])
{
	uint32_t start = hull->point_edges[corners[0]], edge = start;
	do {
		int found = 0;
		for (uint32_t e = hull->edges[edge].next; e != edge; e = hull->edges[e].next)
			found += hull->edges[e].origin == corners[1] || hull->edges[e].origin == corners[2];
		if (found == 2)
			return hull->edges[edge].face;
		edge = hull->edges[hull->edges[edge].twin].next;
	} while (edge != start);
	return NO_FACE;
}

/* The face of an axis-aligned box that all three corners are on: their numbers agree in exactly one bit. NO_FACE: none. */
static uint32_t face_of_box(const uint32_t corners[3])
{
	uint32_t across = (corners[0] ^ corners[1]) | (corners[0] ^ corners[2]), i = corners[0];
	return across == 6 ? (i & 1) : across == 5 ? 2 + (i >> 1 & 1) : across == 3 ? 4 + (i >> 2 & 1) : NO_FACE;
}

/* Returns the feature of the weighted sum of the corners, as d3_feature_at would. 0: unknown, as the corners span no feature,
 * or the point may be within d3_feature_at's tolerance of the feature's boundary. `far` is an upper bound of that tolerance. */
static d3_feature carried_feature(const struct d3_proxy *proxy, const struct carried *carried)
{
	const struct d3_vec *points = d3_proxy_points(proxy);
	const uint32_t *c = carried->corners;
	const double *w = carried->weights;
	double far = on_tolerance * proxy->reach;
	if (carried->count == 1)
		return point_feature(c[0]);
	struct d3_vec_d e = d3_sub_d(d3_widen(points[c[1]]), d3_widen(points[c[0]]));
	if (carried->count == 2) {
		double least = min_d(w[0], w[1]);
		uint32_t across = c[0] ^ c[1];
		bool edge = proxy->straight ? (across & (across - 1)) == 0 : !proxy->hull || is_edge(proxy->hull, c[0], c[1]);
		return edge && least * least * squared(e) > far * far ? edge_feature(c[0], c[1]) : 0;
	}
	struct d3_vec_d f = d3_sub_d(d3_widen(points[c[2]]), d3_widen(points[c[0]])), g = d3_sub_d(f, e);
	/* The point's distance from the edge opposite a corner is the corner's weight times the height of the triangle over that
	 * edge. The height is twice the triangle's area, the root of `area`, over the edge's length. */
	double area = squared(d3_cross_d(e, f));
	double least = min_d(w[0] * w[0] * squared(f) * squared(e), w[1] * w[1] * squared(g) * squared(e));
	least = min_d(least, w[2] * w[2] * squared(f) * squared(g));
	double most = squared(e) * squared(f) * squared(g);
	if (!(least * area > far * far * most))
		return 0;
	uint32_t face = proxy->straight ? face_of_box(c) : proxy->hull ? face_of_corners(proxy->hull, c) : 0;
	return face != NO_FACE ? face_feature(face) : 0;
}

/* Which end of the range p is on, within `near`: 0 none, 1 low, 2 high; -1: too close to the tolerance to tell. */
static inline int end_of_range(double p, double low, double high, double near)
{
	double from = fabs(p - low), to = fabs(high - p), least = min_d(from, to);
	if (least > 2 * near)
		return 0;
	return least < 0.5 * near ? (from < to ? 1 : 2) : -1;
}

/* The feature of an axis-aligned box that p, in the box's frame, is on. 0: unknown, as p is inside the box or too close to the
 * tolerance. */
static d3_feature box_feature(const struct d3_proxy *box, struct d3_vec_d p)
{
	const struct d3_vec *points = d3_proxy_points(box), low = points[0], high = points[7];
	double near = 0.5 * on_tolerance * max_d((double)high.x - low.x, max_d((double)high.y - low.y, (double)high.z - low.z));
	int x = end_of_range(p.x, low.x, high.x, near);
	int y = end_of_range(p.y, low.y, high.y, near);
	int z = end_of_range(p.z, low.z, high.z, near);
	if (x < 0 || y < 0 || z < 0)
		return 0;
	uint32_t corner = (uint32_t)(x >> 1 | (y >> 1) << 1 | (z >> 1) << 2), across = (x == 0) | (y == 0) << 1 | (z == 0) << 2;
	switch (across) {
	case 0: return point_feature(corner);
	case 1:
	case 2:
	case 4: return edge_feature(corner, corner | across);
	case 6: return face_feature(x == 2 ? 1 : 0);
	case 5: return face_feature(y == 2 ? 3 : 2);
	case 3: return face_feature(z == 2 ? 5 : 4);
	default: return 0;
	}
}

/* The feature of a convex shape that its closest point is on: by the simplex's corners or a box's faces if these decide, else
 * by d3_feature_at. in_a: the shape's transform in A's frame. side: 1 for A, -1 for B. */
static inline d3_feature feature_of(const struct d3_shape *shape, const struct d3_proxy *proxy,
	const struct d3_transform_d *in_a, const uint32_t *corners, const struct d3_corner_simplex *simplex,
	const struct d3_vec_d *point, double side, const struct d3_vec_d *normal)
{
	d3_feature feature = 0;
	if (d3_proxy_is_ball(proxy))
		return point_feature(0);
	if (simplex->count > 0) {
		struct carried carried;
		collect_carried(corners, simplex, &carried);
		feature = carried_feature(proxy, &carried);
	} else if (proxy->straight) {
		feature = box_feature(proxy, d3_inv_transform_point_d(in_a, d3_mul_add_d(*point, -side * proxy->radius, *normal)));
	}
	return feature != 0 ? feature : d3_feature_at(shape, 0, proxy, in_a, *point, d3_scale_d(side, *normal));
}

static void measure_convex(const struct d3_pair *pair, struct d3_distance *out)
{
	struct d3_corner_simplex simplex;
	struct d3_rot_d q = d3_exact_rot(pair->pose_a->q);
	struct d3_transform_d b_in_a;
	struct d3_proxy a, b;
	struct d3_separation separation;
	find_relative(pair, &q, &b_in_a);
	d3_make_proxy(pair->a, 0, &a);
	d3_make_proxy(pair->b, 0, &b);
	simplex.count = 0;
	d3_separation_and_corners(&a, &b, &b_in_a, INFINITY, &simplex, &separation);
	d3_feature feature_a = feature_of(pair->a, &a, &identity, simplex.a, &simplex, &separation.point_a, 1, &separation.normal);
	d3_feature feature_b = feature_of(pair->b, &b, &b_in_a, simplex.b, &simplex, &separation.point_b, -1, &separation.normal);
	put_measure(pair, &q, &separation, feature_a, feature_b, out);
}

/* --- Any two shapes ------------------------------------------------------------------------------------------------------- */

/* Returns the nearest child of the pair's A. */
static uint32_t measure_children(const struct d3_pair *pair, struct d3_distance *out)
{
	struct d3_finding found;
	d3_find_nearest(pair, &found);
	const struct d3_separation *separation = &found.separation;
	struct d3_rot_d q = d3_exact_rot(pair->pose_a->q);
	d3_feature feature_a = d3_feature_at(pair->a, found.child_a, &found.a, &identity, separation->point_a, separation->normal);
	d3_feature feature_b =
		d3_feature_at(pair->b, found.child_b, &found.b, &found.b_in_a, separation->point_b, d3_neg_d(separation->normal));
	put_measure(pair, &q, separation, feature_a, feature_b, out);
	return found.child_a;
}

void d3_distance(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b,
	struct d3_distance *out)
{
	struct d3_pair pair = d3_pair_order(a, pose_a, b, pose_b);
	if (measure_directly(&pair, out))
		return;
	if (d3_shape_convex(a) && d3_shape_convex(b))
		measure_convex(&pair, out);
	else
		measure_children(&pair, out);
}

struct overlap_search {
	const struct d3_transform_d *b_in_a;
	double limit; /* -INFINITY once a pair surely overlaps */
	double slack; /* pairs whose |distance| is at most this are left to d3_find_nearest */
	bool unsure;
};

/* The verdict of SAT on two hulls of at most 8 corners; UNSURE for other pairs. For two boxes with parallel axes the origin can
 * be on the boundary of GJK's simplex at any depth of overlap: there SAT decides in less time than EPA. */
static enum d3_verdict judge_by_axes(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, double slack)
{
	if (!a->hull || !b->hull || a->count > 8 || b->count > 8)
		return D3_UNSURE;
	struct d3_sat_result result;
	d3_sat(a, b, b_in_a, NULL, &result);
	return result.separation < -slack ? D3_NEAR : result.separation > slack ? D3_APART : D3_UNSURE;
}

/* The signed distance, or +-INFINITY if a faster test found its sign. */
static double overlap_distance(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a)
{
	if (a->type == D3_PROXY_POINTS && b->type == D3_PROXY_POINTS && a->count + b->count > 4) {
		enum d3_verdict verdict = d3_corners_verdict(a, b, b_in_a);
		if (verdict == D3_UNSURE) {
			struct d3_difference pair;
			d3_make_difference(a, b, b_in_a, &pair);
			verdict = judge_by_axes(a, b, b_in_a, 1e-12 * pair.scale);
		}
		if (verdict != D3_UNSURE)
			return verdict == D3_NEAR ? -INFINITY : INFINITY;
	}
	struct d3_separation separation;
	d3_separation_find(a, b, b_in_a, &separation);
	return separation.distance;
}

static void search_pair(void *context, const struct d3_proxy *a, uint32_t child_a, const struct d3_proxy *b, uint32_t child_b)
{
	struct overlap_search *search = context;
	(void)child_a;
	(void)child_b;
	if (!(search->limit > 0))
		return;
	double distance = overlap_distance(a, b, search->b_in_a);
	if (distance < -search->slack)
		search->limit = -INFINITY;
	search->unsure |= distance <= search->slack;
}

/* Upper bound of the distance of the shape's points from its origin; for a half-space, the distance of its plane. */
static double tree_reach(const struct d3_shape *shape)
{
	struct d3_node root;
	if (shape->type == D3_HALF_SPACE)
		return fabs(shape->offset);
	d3_shape_node(shape, 0, &root);
	struct bounds box = d3_bounds_between(d3_widen(root.lower), d3_widen(root.upper));
	return d3_length_d(box.middle) + d3_bounds_extent(&box);
}

/* Whether the first shape, voxels that are sensors, contains a part of the other one: it may meet no face. */
static bool voxels_hold(
	const struct d3_shape *voxels, const struct d3_pose *pose, const struct d3_shape *other, const struct d3_pose *other_pose)
{
	struct d3_rot_d q = d3_exact_rot(other_pose->q);
	for (uint32_t i = 0; voxels->voxels && !d3_shape_surface(other) && i < d3_shape_part_count(other); ++i) {
		struct d3_vec_d centroid = d3_turn_d(&q, d3_widen(d3_shape_part(other, i)->centroid));
		struct d3_vec_d p = {other_pose->x + centroid.x, other_pose->y + centroid.y, other_pose->z + centroid.z};
		if (d3_shape_contains(voxels, pose, p))
			return true;
	}
	return false;
}

bool d3_overlaps(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b)
{
	struct d3_pair pair = d3_pair_order(a, pose_a, b, pose_b);
	struct d3_distance direct;
	if (measure_directly(&pair, &direct))
		return direct.distance <= 0;
	struct d3_rot_d q = d3_exact_rot(pair.pose_a->q);
	struct d3_transform_d b_in_a;
	find_relative(&pair, &q, &b_in_a);
	if (d3_shape_convex(a) && d3_shape_convex(b)) {
		struct d3_proxy first, second;
		d3_make_proxy(pair.a, 0, &first);
		d3_make_proxy(pair.b, 0, &second);
		return overlap_distance(&first, &second, &b_in_a) <= 0;
	}
	if (voxels_hold(a, pose_a, b, pose_b) || voxels_hold(b, pose_b, a, pose_a))
		return true;
	double slack = 1e-12 * (tree_reach(pair.a) + tree_reach(pair.b) + d3_length_d(b_in_a.p));
	struct overlap_search search = {&b_in_a, 2 * slack, slack, false};
	d3_distance_walk_shapes(pair.a, pair.b, &b_in_a, &search.limit, search_pair, &search);
	if (search.limit < 0 || !search.unsure)
		return search.limit < 0;
	struct d3_finding found;
	d3_find_nearest(&pair, &found);
	return found.separation.distance <= 0;
}

uint32_t d3_distance_to_point(
	const struct d3_shape *a, const struct d3_pose *pose_a, struct d3_vec_d point, struct d3_distance *out)
{
	struct d3_vec origin = {0, 0, 0};
	struct d3_shape dot = {.references = 1, .type = D3_SPHERE, .count = 1, .points = &origin};
	struct d3_pose pose = {point.x, point.y, point.z, {0, 0, 0, 1}};
	if (d3_shape_convex(a)) {
		d3_distance(a, pose_a, &dot, &pose, out);
		return 0;
	}
	struct d3_pair pair = d3_pair_order(a, pose_a, &dot, &pose);
	return measure_children(&pair, out);
}
