/* sat.c - see sat.h.
 * The Gauss map of a polytope maps each face to its normal on the unit sphere, and each edge to the arc between the normals of
 * its two faces. An edge of A and one of B form a face of the Minkowski difference where A's arc crosses the mirrored arc of
 * B's: both edges are then farthest along +-(e_a x e_b). With n the normal of the face on the left of an edge e, n x e points
 * into that face, and (e_a x e_b) . (n x e_a) = -|e_a|^2 (n . e_b): four signs decide. Triangles and segments fit in: a
 * triangle has two opposite normals, and its edges half circles; a segment's one edge has the whole circle. Any direction is a
 * valid axis if the separation is measured over all corners, as is done for each axis that would be the best so far. Nearly
 * parallel edges and arcs missed by rounding thus do no harm. Rounding alone never separates (Gomez's test does, see obb.c).
 * Sources: Gregorius, "The Separating Axis Test between Convex Polyhedra", GDC 2013; Ericson, "Real-Time Collision Detection",
 * 2005, 5.2.1. */
#include "d3/query/sat.h"

#include <string.h>

enum { FACES_MAX = 2 * D3_HULL_MAX, EDGES_MAX = 3 * D3_HULL_MAX + 2 };

/* Below this sine the cross product of two edges is noise. The separation missed by skipping it is less than this fraction of
 * the size. */
static const double parallel_sine = 1e-8;
/* Relative to the size: cores that overlap by more have no corner axis, and corners closer than this define no direction. */
static const double contact_tolerance = 1e-12;

/* left and right: the adjacent faces; equal for a segment, which has none. number: for hulls, the even half edge. */
struct edge {
	struct d3_vec_d from, delta;
	uint32_t left, right, number;
};

/* A core in A's frame. */
struct solid {
	uint32_t point_count, face_count;
	const struct d3_hull *hull;
	struct d3_vec_d middle;
	double inner; /* the radius of a ball about `middle` inside the solid */
	struct d3_vec_d points[D3_HULL_MAX];
	struct d3_vec_d normals[FACES_MAX];
	double heights[FACES_MAX]; /* of the other core's middle above each face */
};

/* Edges that may still give a greater separation, as arrays of coordinates: the edge vectors, and the normals of both adjacent
 * faces. */
struct edges {
	uint32_t count;
	uint16_t numbers[EDGES_MAX];
	double delta[3][EDGES_MAX], left[3][EDGES_MAX], right[3][EDGES_MAX];
};

typedef double two __attribute__((vector_size(16)));
typedef int64_t two_masks __attribute__((vector_size(16)));

struct test {
	struct solid a, b;
	double radius;
	struct d3_sat_axis first; /* the cached axis; skipped later */
	bool has_first;
	struct d3_sat_result *out;
};

static void add_triangle(struct solid *solid)
{
	const struct d3_vec_d *p = solid->points;
	struct d3_vec_d n = d3_cross_d(d3_sub_d(p[1], p[0]), d3_sub_d(p[2], p[0]));
	double length = d3_length_d(n);
	if (!(length > 0))
		return;
	solid->normals[0] = d3_scale_d(1 / length, n);
	solid->normals[1] = d3_neg_d(solid->normals[0]);
	solid->face_count = 2;
}

static struct d3_vec_d face_point(const struct solid *solid, uint32_t face)
{
	return solid->points[solid->hull ? solid->hull->edges[solid->hull->face_edges[face]].origin : 0];
}

/* transform: the proxy's transform in A's frame; NULL for A's own. */
static void make_solid(const struct d3_proxy *proxy, const struct d3_transform_d *transform, struct solid *out)
{
	const struct d3_vec *points = d3_proxy_points(proxy);
	const struct d3_hull *hull = proxy->hull;
	struct d3_vec_d sum = {0, 0, 0};
	out->point_count = proxy->count;
	out->hull = hull;
	out->face_count = hull ? hull->face_count : 0;
	for (uint32_t i = 0; i < proxy->count; ++i) {
		struct d3_vec_d p = d3_widen(points[i]);
		out->points[i] = transform ? d3_transform_point_d(transform, p) : p;
		sum = d3_add_d(sum, out->points[i]);
	}
	out->middle = d3_scale_d(1.0 / proxy->count, sum);
	out->inner = hull ? INFINITY : 0;
	for (uint32_t i = 0; i < out->face_count; ++i) {
		out->normals[i] = transform ? d3_turn_d(&transform->q, hull->planes[i].normal) : hull->planes[i].normal;
		out->inner = min_d(out->inner, -d3_dot_d(d3_sub_d(out->middle, face_point(out, i)), out->normals[i]));
	}
	/* A margin for faces that are not quite flat, and for rounding. */
	out->inner = max_d(out->inner * (1 - 1e-4), 0);
	if (!hull && proxy->count == 3)
		add_triangle(out);
}

static uint32_t edge_count(const struct solid *solid)
{
	if (solid->hull)
		return solid->hull->edge_count / 2;
	return solid->point_count < 2 ? 0 : solid->point_count == 2 ? 1 : 3;
}

static void make_edge(const struct solid *solid, uint32_t i, struct edge *out)
{
	uint32_t from = i, to = i + 1 < solid->point_count ? i + 1 : 0;
	*out = (struct edge){.left = 0, .right = solid->face_count > 0 ? 1 : 0, .number = i};
	if (solid->hull) {
		const struct d3_hull_edge *half = &solid->hull->edges[2 * i];
		from = half[0].origin;
		to = half[1].origin;
		out->left = half[0].face;
		out->right = half[1].face;
		out->number = 2 * i;
	}
	out->from = solid->points[from];
	out->delta = d3_sub_d(solid->points[to], out->from);
}

static double least_along(const struct solid *solid, struct d3_vec_d n)
{
	double least = INFINITY, other = INFINITY;
	uint32_t count = solid->point_count;
	/* Two chains of comparisons run in parallel, as each comparison waits for the last one of its chain. */
	for (uint32_t i = 0; i < count; i += 2) {
		least = min_d(least, d3_dot_d(solid->points[i], n));
		other = min_d(other, d3_dot_d(solid->points[i + 1 < count ? i + 1 : i], n));
	}
	return min_d(least, other);
}

static bool is_first(const struct test *test, enum d3_sat_owner owner, uint32_t index, uint32_t other)
{
	return test->has_first && test->first.owner == owner && test->first.index == index && test->first.other == other;
}

/* Keeps the unit axis n, from A to B, if it is the best so far. Returns whether it then separates. */
static bool take(struct test *test, struct d3_vec_d n, struct d3_sat_axis axis)
{
	double separation = least_along(&test->b, n) + least_along(&test->a, d3_neg_d(n)) - test->radius;
	if (!(separation > test->out->separation))
		return false;
	test->out->separation = separation;
	test->out->normal = n;
	test->out->axis = axis;
	return separation > 0;
}

/* --- Faces ---------------------------------------------------------------------------------------------------------------- */

static double face_offset(const struct solid *solid, uint32_t face)
{
	return d3_dot_d(face_point(solid, face), solid->normals[face]);
}

static bool test_face(struct test *test, enum d3_sat_owner owner, uint32_t i)
{
	bool of_a = owner == D3_SAT_FACE_A;
	const struct solid *own = of_a ? &test->a : &test->b, *other = of_a ? &test->b : &test->a;
	struct d3_vec_d n = own->normals[i];
	++test->out->checks;
	double bound = least_along(other, n) - face_offset(own, i) - test->radius;
	return bound > test->out->separation &&
		take(test, of_a ? n : d3_neg_d(n), (struct d3_sat_axis){.owner = owner, .index = i});
}

/* Tests the face that the other core's middle is highest above, then faces that may be better. True: one separates. */
static bool test_faces(struct test *test, enum d3_sat_owner owner)
{
	struct solid *own = owner == D3_SAT_FACE_A ? &test->a : &test->b;
	const struct solid *other = owner == D3_SAT_FACE_A ? &test->b : &test->a;
	uint32_t highest = 0;
	for (uint32_t i = 0; i < own->face_count; ++i) {
		own->heights[i] = d3_dot_d(other->middle, own->normals[i]) - face_offset(own, i);
		if (own->heights[i] > own->heights[highest])
			highest = i;
	}
	if (own->face_count > 0 && !is_first(test, owner, highest, 0) && test_face(test, owner, highest))
		return true;
	for (uint32_t i = 0; i < own->face_count; ++i)
		if (i != highest && own->heights[i] - other->inner - test->radius > test->out->separation &&
			!is_first(test, owner, i, 0) && test_face(test, owner, i))
			return true;
	return false;
}

/* --- Edges ---------------------------------------------------------------------------------------------------------------- */

enum { ALONG = 1, AGAINST = 2 };

/* Whether between / sqrt(square) > best, without the root. */
static bool is_worth(double between, double best, double square)
{
	if (between < 0)
		return best < 0 && between * between < best * best * square;
	return best < 0 || between * between > best * best * square;
}

/* Tests the axis perpendicular to both edges. directions: ALONG e_a x e_b, AGAINST it, or both. Of both, the direction from A's
 * edge to B's comes first. True: one separates. */
static bool test_crossed(struct test *test, const struct edge *a, const struct edge *b, int directions)
{
	struct d3_vec_d n = d3_cross_d(a->delta, b->delta);
	double square = d3_dot_d(n, n), between = d3_dot_d(n, d3_sub_d(b->from, a->from));
	if (!(square > parallel_sine * parallel_sine * d3_dot_d(a->delta, a->delta) * d3_dot_d(b->delta, b->delta)))
		return false;
	for (int round = 0; round < 2; ++round) {
		int direction = (between >= 0) == (round == 0) ? ALONG : AGAINST;
		double sign = direction == ALONG ? 1 : -1;
		if (!(directions & direction))
			continue;
		++test->out->checks;
		if (is_worth(sign * between, test->out->separation + test->radius, square) &&
			take(test, d3_scale_d(sign / sqrt(square), n),
				(struct d3_sat_axis){.owner = D3_SAT_EDGES, .index = a->number, .other = b->number}))
			return true;
	}
	return false;
}

/* Whether an edge can still give a greater separation of the cores than `best`. The other solid contains a ball of radius r_i
 * about its middle. For n on the arc between the edge's normals l and r, the separation is at most n . h - r_i, with h from the
 * edge to that middle. On the arc n = s l + t r with s, t >= 0 and s + t >= 1. If l . h and r . h are not above 0, n . h is at
 * most the greater of them; else it is at most the distance of the middle from the edge's line. */
static inline bool can_be_better(
	const struct solid *solid, const struct d3_hull_edge *half, const struct solid *other, double best)
{
	double enough = best + other->inner, high = max_d(solid->heights[half[0].face], solid->heights[half[1].face]);
	if (high > enough)
		return true;
	if (!(high > 0))
		return false;
	struct d3_vec_d from = solid->points[half[0].origin], delta = d3_sub_d(solid->points[half[1].origin], from);
	struct d3_vec_d across = d3_cross_d(d3_sub_d(other->middle, from), delta);
	return d3_dot_d(across, across) > enough * enough * d3_dot_d(delta, delta);
}

static inline void put(double to[3][EDGES_MAX], uint32_t i, struct d3_vec_d v)
{
	to[0][i] = v.x;
	to[1][i] = v.y;
	to[2][i] = v.z;
}

static void choose_edges(const struct test *test, const struct solid *solid, const struct solid *other, struct edges *out)
{
	double best = test->out->separation + test->radius;
	const struct d3_vec_d none = {0, 0, 0};
	uint32_t count = edge_count(solid), made = 0;
	for (uint32_t i = 0; i < count; ++i) {
		struct edge edge;
		if (solid->hull && !can_be_better(solid, &solid->hull->edges[2 * i], other, best))
			continue;
		make_edge(solid, i, &edge);
		out->numbers[made] = (uint16_t)i;
		put(out->delta, made, edge.delta);
		put(out->left, made, solid->face_count > 0 ? solid->normals[edge.left] : none);
		put(out->right, made++, solid->face_count > 0 ? solid->normals[edge.right] : none);
	}
	out->count = made;
	/* Pads the last pair of lanes. */
	out->numbers[made] = 0;
	put(out->delta, made, none);
	put(out->left, made, none);
	put(out->right, made, none);
}

struct two_vectors {
	two x, y, z;
};

static inline struct two_vectors both_of(const double from[3][EDGES_MAX], uint32_t i)
{
	return (struct two_vectors){{from[0][i], from[0][i]}, {from[1][i], from[1][i]}, {from[2][i], from[2][i]}};
}

static inline two along_both(const struct two_vectors *v, const double with[3][EDGES_MAX], uint32_t k)
{
	two x, y, z;
	memcpy(&x, &with[0][k], sizeof x);
	memcpy(&y, &with[1][k], sizeof y);
	memcpy(&z, &with[2][k], sizeof z);
	return v->x * x + v->y * y + v->z * z;
}

/* The directions, along or against the cross product of two edges, along which one edge can be farthest: the normals of its
 * faces must have dot products of different sign with the other edge. An edge without faces can be farthest in both. Only the
 * sign bits of results count: comparisons of doubles are slow in the lanes of the weakest processors. */
struct directions {
	two_masks along, against;
};

static inline struct directions directions_of(two left, two right, two_masks faceless)
{
	two_masks down_left = (two_masks)left, down_right = (two_masks)right;
	return (struct directions){(~down_left & down_right) | faceless, (down_left & ~down_right) | faceless};
}

static bool test_pair(struct test *test, uint32_t i, uint32_t k, int directions)
{
	struct edge a, b;
	make_edge(&test->a, i, &a);
	make_edge(&test->b, k, &b);
	return !is_first(test, D3_SAT_EDGES, a.number, b.number) && test_crossed(test, &a, &b, directions);
}

static bool test_edges(struct test *test)
{
	struct edges a, b;
	choose_edges(test, &test->a, &test->b, &a);
	choose_edges(test, &test->b, &test->a, &b);
	int64_t bare_a = test->a.face_count > 0 ? 0 : -1, bare_b = test->b.face_count > 0 ? 0 : -1;
	for (uint32_t i = 0; i < a.count; ++i) {
		struct two_vectors delta = both_of(a.delta, i), left = both_of(a.left, i), right = both_of(a.right, i);
		for (uint32_t k = 0; k < b.count; k += 2) {
			struct directions of_a =
				directions_of(along_both(&left, b.delta, k), along_both(&right, b.delta, k), (two_masks){bare_a, bare_a});
			struct directions of_b =
				directions_of(along_both(&delta, b.left, k), along_both(&delta, b.right, k), (two_masks){bare_b, bare_b});
			two_masks along = of_a.along & of_b.along, against = of_a.against & of_b.against, any = along | against;
			if ((any[0] | any[1]) >= 0)
				continue;
			for (uint32_t lane = 0; lane < 2 && k + lane < b.count; ++lane) {
				int directions = (along[lane] < 0 ? ALONG : 0) | (against[lane] < 0 ? AGAINST : 0);
				if (directions && test_pair(test, a.numbers[i], b.numbers[k + lane], directions))
					return true;
			}
		}
	}
	return false;
}

/* --- Corners -------------------------------------------------------------------------------------------------------------- */

static double extent(const struct solid *solid, struct d3_vec_d from)
{
	double square = 0;
	for (uint32_t i = 0; i < solid->point_count; ++i) {
		struct d3_vec_d delta = d3_sub_d(solid->points[i], from);
		square = max_d(square, d3_dot_d(delta, delta));
	}
	return sqrt(square);
}

/* The shortest vector from an edge to a point. */
static struct d3_vec_d vector_from(const struct edge *edge, struct d3_vec_d p)
{
	struct d3_vec_d delta = d3_sub_d(p, edge->from);
	double square = d3_dot_d(edge->delta, edge->delta), part = d3_dot_d(delta, edge->delta);
	return d3_mul_add_d(delta, square > 0 ? -clamp_d(part / square, 0, 1) : 0, edge->delta);
}

/* Replaces *delta by the shortest vector from an edge of `lines`, or its one point, to a corner of `corners`, if shorter. All
 * lines are on or below a plane perpendicular to n, so a corner's height above the plane is a lower bound of its distance. */
static void shortest_vector(
	const struct solid *lines, const struct solid *corners, struct d3_vec_d n, struct d3_vec_d *delta, double *square)
{
	double top = -least_along(lines, d3_neg_d(n));
	uint32_t count = edge_count(lines) > 0 ? edge_count(lines) : 1;
	for (uint32_t k = 0; k < count; ++k) {
		struct edge edge;
		make_edge(lines, k, &edge);
		for (uint32_t i = 0; i < corners->point_count; ++i) {
			double height = d3_dot_d(corners->points[i], n) - top;
			if (height > 0 && height * height >= *square)
				continue;
			struct d3_vec_d found = vector_from(&edge, corners->points[i]);
			double s = d3_dot_d(found, found);
			if (s < *square) {
				*square = s;
				*delta = found;
			}
		}
	}
}

/* A unit vector perpendicular to the first edge; any, if there is none. */
static struct d3_vec_d across_line(const struct solid *solid)
{
	struct edge edge;
	make_edge(solid, 0, &edge);
	struct d3_vec_d delta = edge.delta, least = {1, 0, 0};
	if (abs_d(delta.y) < abs_d(delta.x) || !(d3_dot_d(delta, delta) > 0))
		least = (struct d3_vec_d){0, 1, 0};
	if (abs_d(delta.z) < min_d(abs_d(delta.x), abs_d(delta.y)))
		least = (struct d3_vec_d){0, 0, 1};
	struct d3_vec_d n = d3_cross_d(d3_cross_d(delta, least), delta);
	double length = d3_length_d(n);
	return length > 0 ? d3_scale_d(1 / length, n) : least;
}

/* Tests the direction between the closest corners, or between an edge and a corner. Skips cores that overlap, unless no face or
 * edge axis was tested (`alone`). If segments or points coincide, any direction perpendicular to the segment is valid. */
static void test_corners(struct test *test, bool alone)
{
	const struct solid *a = &test->a, *b = &test->b;
	double core = test->out->separation + test->radius, size = extent(a, a->points[0]) + extent(b, a->points[0]);
	if (!alone && core < -contact_tolerance * size)
		return;
	struct d3_vec_d n = test->out->normal, delta = {0, 0, 0}, back = delta;
	++test->out->checks;
	double square = INFINITY;
	shortest_vector(a, b, n, &delta, &square);
	double before = square;
	shortest_vector(b, a, d3_neg_d(n), &back, &square);
	if (square < before)
		delta = d3_neg_d(back);
	bool apart = square > contact_tolerance * contact_tolerance * size * size;
	n = apart ? d3_scale_d(1 / sqrt(square), delta) : across_line(a->point_count > 1 ? a : b);
	take(test, n, (struct d3_sat_axis){.owner = D3_SAT_CORNERS, .direction = n});
}

/* --- The cached axis ------------------------------------------------------------------------------------------------------ */

/* Tests the cached axis, which may be stale or arbitrary: invalid indices are ignored. For a pair of edges, both directions of
 * their cross product are tested, even if the edges form no face of the Minkowski difference. True: the axis separates. */
static bool test_first(struct test *test)
{
	const struct d3_sat_axis *axis = &test->first;
	uint32_t step_a = test->a.hull ? 2 : 1, step_b = test->b.hull ? 2 : 1;
	if (axis->owner == D3_SAT_CORNERS) {
		double length = d3_length_d(axis->direction);
		struct d3_vec_d n = d3_scale_d(1 / length, axis->direction);
		++test->out->checks;
		return length > 1e-150 && length < 1e150 &&
			take(test, n, (struct d3_sat_axis){.owner = D3_SAT_CORNERS, .direction = n});
	}
	if (axis->owner == D3_SAT_FACE_A || axis->owner == D3_SAT_FACE_B)
		return axis->index < (axis->owner == D3_SAT_FACE_A ? test->a.face_count : test->b.face_count) &&
			test_face(test, axis->owner, axis->index);
	if (axis->owner != D3_SAT_EDGES || axis->index >= step_a * edge_count(&test->a) ||
		axis->other >= step_b * edge_count(&test->b))
		return false;
	struct edge a, b;
	make_edge(&test->a, axis->index / step_a, &a);
	make_edge(&test->b, axis->other / step_b, &b);
	return test_crossed(test, &a, &b, ALONG | AGAINST);
}

/* --- Two boxes ------------------------------------------------------------------------------------------------------------ */

/* Box A, along the axes of its frame, and box B in that frame. B's axis k is q[k]; t leads from A's middle to B's, and u has
 * the components of t along B's axes. */
struct boxes {
	double half_a[3], half_b[3], t[3], u[3], q[3][3], size[3][3]; /* size: |q|, by element */
	double best; /* of the cores, so far */
};

static void put_coordinates(double to[3], struct d3_vec_d v)
{
	to[0] = v.x;
	to[1] = v.y;
	to[2] = v.z;
}

static double dot3(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Returns the box's middle and writes its half sizes. */
static inline struct d3_vec_d box_middle(const struct d3_proxy *box, double half[3])
{
	struct d3_vec_d low = d3_widen(d3_proxy_points(box)[0]), high = d3_widen(d3_proxy_points(box)[7]);
	put_coordinates(half, d3_scale_d(0.5, d3_sub_d(high, low)));
	return d3_scale_d(0.5, d3_add_d(low, high));
}

static void make_boxes(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct boxes *out)
{
	struct d3_vec_d middle_a = box_middle(a, out->half_a), middle_b = box_middle(b, out->half_b);
	put_coordinates(out->t, d3_sub_d(d3_transform_point_d(b_in_a, middle_b), middle_a));
	put_coordinates(out->q[0], b_in_a->q.x);
	put_coordinates(out->q[1], b_in_a->q.y);
	put_coordinates(out->q[2], b_in_a->q.z);
	for (int k = 0; k < 3; ++k) {
		out->u[k] = dot3(out->t, out->q[k]);
		for (int i = 0; i < 3; ++i)
			out->size[k][i] = abs_d(out->q[k][i]);
	}
}

/* Faces are numbered 2 axis + side, with side 1 the high one. */
static void test_box_faces(struct boxes *boxes, struct d3_sat_result *out)
{
	const double *ha = boxes->half_a, *hb = boxes->half_b, *s0 = boxes->size[0], *s1 = boxes->size[1], *s2 = boxes->size[2];
	double best = -INFINITY;
	uint32_t axis = 0;
	for (uint32_t i = 0; i < 3; ++i) {
		double of_a = abs_d(boxes->t[i]) - ha[i] - (hb[0] * s0[i] + hb[1] * s1[i] + hb[2] * s2[i]);
		axis = of_a > best ? i : axis;
		best = max_d(of_a, best);
	}
	for (uint32_t i = 0; i < 3; ++i) {
		double of_b = abs_d(boxes->u[i]) - hb[i] - dot3(ha, boxes->size[i]);
		axis = of_b > best ? 3 + i : axis;
		best = max_d(of_b, best);
	}
	boxes->best = best;
	bool of_a = axis < 3, high = of_a ? boxes->t[axis] > 0 : boxes->u[axis - 3] < 0;
	double n[3] = {axis == 0, axis == 1, axis == 2}, sign = high == of_a ? 1 : -1;
	const double *delta = of_a ? n : boxes->q[axis - 3];
	out->normal = (struct d3_vec_d){sign * delta[0], sign * delta[1], sign * delta[2]};
	out->axis =
		(struct d3_sat_axis){.owner = of_a ? D3_SAT_FACE_A : D3_SAT_FACE_B, .index = 2 * (of_a ? axis : axis - 3) + high};
}

/* The edge parallel to this axis that is farthest along n (in the box's frame): its even half edge. */
static uint32_t farthest_edge(const struct d3_hull *hull, uint32_t axis, const double n[3])
{
	uint32_t corner = (n[0] > 0 ? 1u : 0) | (n[1] > 0 ? 2u : 0) | (n[2] > 0 ? 4u : 0), across = corner ^ 1u << axis;
	uint32_t edge = hull->point_edges[corner];
	for (int i = 0; i < 3 && hull->edges[hull->edges[edge].twin].origin != across; ++i)
		edge = hull->edges[hull->edges[edge].twin].next;
	return edge & ~1u;
}

/* Tests the axis n = A's axis i x B's axis k, with n . n = square. */
static void take_crossed(struct boxes *boxes, const struct d3_proxy *a, const struct d3_proxy *b, uint32_t i, uint32_t k,
	const double n[3], double square, struct d3_sat_result *out)
{
	double scale = (dot3(n, boxes->t) < 0 ? -1 : 1) / sqrt(square), reach = 0, along_a[3], along_b[3];
	for (int m = 0; m < 3; ++m) {
		along_a[m] = scale * n[m];
		along_b[m] = -scale * dot3(n, boxes->q[m]);
		reach += boxes->half_a[m] * abs_d(along_a[m]) + boxes->half_b[m] * abs_d(along_b[m]);
	}
	double separation = dot3(along_a, boxes->t) - reach;
	if (!(separation > boxes->best))
		return;
	boxes->best = separation;
	out->normal = (struct d3_vec_d){along_a[0], along_a[1], along_a[2]};
	out->axis = (struct d3_sat_axis){
		.owner = D3_SAT_EDGES, .index = farthest_edge(a->hull, i, along_a), .other = farthest_edge(b->hull, k, along_b)};
}

/* Tests the cross products of all pairs of axes: pairs whose arcs do not cross on the Gauss map are no better. */
static void test_box_edges(struct boxes *boxes, const struct d3_proxy *a, const struct d3_proxy *b, struct d3_sat_result *out)
{
	const double *t = boxes->t, *ha = boxes->half_a, *hb = boxes->half_b, (*sizes)[3] = boxes->size;
	for (uint32_t i = 0; i < 3; ++i) {
		uint32_t j = (i + 1) % 3, l = (i + 2) % 3;
		for (uint32_t k = 0; k < 3; ++k) {
			const double *q = boxes->q[k], *size = sizes[k], *next = sizes[(k + 1) % 3], *last = sizes[(k + 2) % 3];
			double square = q[j] * q[j] + q[l] * q[l], between = abs_d(t[l] * q[j] - t[j] * q[l]);
			between -= ha[j] * size[l] + ha[l] * size[j] + hb[(k + 1) % 3] * last[i] + hb[(k + 2) % 3] * next[i];
			if (!(square > parallel_sine * parallel_sine) || !is_worth(between, boxes->best, square))
				continue;
			double n[3] = {0, 0, 0};
			n[j] = -q[l];
			n[l] = q[j];
			take_crossed(boxes, a, b, i, k, n, square, out);
		}
	}
}

/* Source: Gottschalk, Lin, Manocha, "OBBTree", 1996. */
bool d3_sat_boxes(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_sat_result *out)
{
	struct boxes boxes;
	double radius = (double)a->radius + b->radius, size = 0;
	make_boxes(a, b, b_in_a, &boxes);
	for (int i = 0; i < 3; ++i)
		size += abs_d(boxes.t[i]) + boxes.half_a[i] + boxes.half_b[i];
	test_box_faces(&boxes, out);
	if (boxes.best < 0)
		test_box_edges(&boxes, a, b, out);
	out->separation = boxes.best - radius;
	out->checks = 15;
	return boxes.best < -2 * contact_tolerance * size || boxes.best > radius + 2 * contact_tolerance * size;
}

void d3_sat(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	const struct d3_sat_axis *cached, struct d3_sat_result *out)
{
	struct test test;
	if (a->straight && b->straight && !cached && d3_sat_boxes(a, b, b_in_a, out))
		return;
	make_solid(a, NULL, &test.a);
	make_solid(b, b_in_a, &test.b);
	test.radius = a->radius + b->radius;
	test.out = out;
	test.has_first = cached != NULL;
	*out = (struct d3_sat_result){.separation = -INFINITY};
	if (cached) {
		test.first = (struct d3_sat_axis){
			cached->owner, cached->index, cached->owner == D3_SAT_EDGES ? cached->other : 0, cached->direction};
		if (test_first(&test))
			return;
	}
	int checks = out->checks;
	if (!test_faces(&test, D3_SAT_FACE_A) && !test_faces(&test, D3_SAT_FACE_B) && !test_edges(&test))
		test_corners(&test, out->checks == checks);
}
