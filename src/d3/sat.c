/* sat.c - see sat.h.
** The Gauss map of a polytope takes each face to its normal on the unit sphere, each edge to the arc between the normals of its two faces.
** An edge of A and one of B make a face of the Minkowski difference where the arc of A's crosses the mirrored arc of B's: where
** +-(e_a x e_b) is a direction in which both edges are the farthest. With n the normal of the face on the left of an edge e, n x e points
** into that face, and (e_a x e_b) . (n x e_a) = -|e_a|^2 (n . e_b): so four signs decide it.
** Degenerate hulls fit in: a triangle has two opposite normals, and its edges half circles; a segment's one edge has the whole circle.
** Any direction is a valid axis, so what is nearly parallel or misses an arc by rounding does no harm as long as the separation is measured
** over all corners: that is done for each axis that would be the best so far. Rounding alone never separates (Gomez's test does, see obb.c).
** Sources: Gregorius, "The Separating Axis Test between Convex Polyhedra", GDC 2013; Ericson, "Real-Time Collision Detection", 2005, 5.2.1.
** Floor: d3. Pure, any thread. */
#include "d3/sat.h"

enum { FACES_MAX = 2 * D3_HULL_MAX };

/* Crossed edges whose sine is less have no direction but noise; what their faces, so thin, could tell is less than this part of the size. */
static const double parallel_sine = 1e-8;
/* Parts of the size: cores that overlap by more have no corner axis, and corners nearer than this no direction between them. */
static const double contact_part = 1e-12;

/* A core in A's frame. */
struct solid {
	uint32_t point_count, face_count, edge_count;
	const struct d3_hull *hull;
	struct d3_vec_d points[D3_HULL_MAX];
	struct d3_vec_d normals[FACES_MAX];
};

/* left and right: normals of the faces on both sides, NULL for a segment. */
struct edge {
	struct d3_vec_d from, way;
	const struct d3_vec_d *left, *right;
};

struct test {
	struct solid a, b;
	double radius;
	struct d3_sat_axis first; /* tested already, not to be tested again */
	bool has_first;
	struct d3_sat_result *out;
};

static void make_solid(const struct d3_proxy *proxy, const struct d3_transform_d *place, struct solid *out)
{
	const struct d3_vec *points = d3_proxy_points(proxy);
	out->point_count = proxy->count;
	out->hull = proxy->hull;
	out->face_count = 0;
	for (uint32_t i = 0; i < proxy->count; i++)
		out->points[i] = d3_transform_point_d(place, d3_widen(points[i]));
	if (proxy->hull) {
		out->face_count = proxy->hull->face_count;
		out->edge_count = proxy->hull->edge_count / 2;
		for (uint32_t i = 0; i < out->face_count; i++)
			out->normals[i] = d3_turn_d(&place->q, proxy->hull->planes[i].normal);
		return;
	}
	out->edge_count = proxy->count < 2 ? 0 : proxy->count == 2 ? 1 : 3;
	if (proxy->count != 3)
		return;
	struct d3_vec_d n = d3_cross_d(d3_sub_d(out->points[1], out->points[0]), d3_sub_d(out->points[2], out->points[0]));
	double length = d3_length_d(n);
	if (!(length > 0))
		return;
	out->normals[0] = d3_scale_d(1 / length, n);
	out->normals[1] = d3_neg_d(out->normals[0]);
	out->face_count = 2;
}

static struct edge edge_at(const struct solid *solid, uint32_t i)
{
	if (solid->hull) {
		const struct d3_hull_edge *half = &solid->hull->edges[2 * i];
		struct d3_vec_d from = solid->points[half[0].origin];
		return (struct edge){ from, d3_sub_d(solid->points[half[1].origin], from), &solid->normals[half[0].face],
			&solid->normals[half[1].face] };
	}
	struct d3_vec_d from = solid->points[i], way = d3_sub_d(solid->points[i + 1 < solid->point_count ? i + 1 : 0], from);
	bool flat = solid->face_count > 0;
	return (struct edge){ from, way, flat ? &solid->normals[0] : NULL, flat ? &solid->normals[1] : NULL };
}

static uint32_t a_point_on(const struct solid *solid, uint32_t face)
{
	return solid->hull ? solid->hull->edges[solid->hull->face_edges[face]].origin : 0;
}

/* A half edge of the hull stands for its edge. */
static uint32_t edge_number(const struct solid *solid, uint32_t edge)
{
	return solid->hull ? 2 * edge : edge;
}

static double least_along(const struct solid *solid, struct d3_vec_d n)
{
	double least = INFINITY;
	for (uint32_t i = 0; i < solid->point_count; i++)
		least = min_d(least, d3_dot_d(solid->points[i], n));
	return least;
}

static bool same_axis(const struct d3_sat_axis *a, const struct d3_sat_axis *b)
{
	return a->owner == b->owner && a->index == b->index && a->other == b->other && a->owner != D3_SAT_CORNERS;
}

/* The axis n, a unit vector from A to B. Whether it separates. */
static bool take(struct test *test, struct d3_vec_d n, struct d3_sat_axis axis)
{
	double separation = least_along(&test->b, n) + least_along(&test->a, d3_neg_d(n)) - test->radius;
	test->out->checks++;
	if (!(separation > test->out->separation))
		return false;
	test->out->separation = separation;
	test->out->normal = n;
	test->out->axis = axis;
	return separation > 0;
}

/* At most `bound`: whether that can be the best so far. */
static bool worth(struct test *test, double bound)
{
	if (bound - test->radius > test->out->separation)
		return true;
	test->out->checks++;
	return false;
}

static bool test_face(struct test *test, enum d3_sat_owner owner, uint32_t i)
{
	bool of_a = owner == D3_SAT_FACE_A;
	const struct solid *own = of_a ? &test->a : &test->b, *other = of_a ? &test->b : &test->a;
	struct d3_vec_d n = own->normals[i];
	if (!worth(test, least_along(other, n) - d3_dot_d(own->points[a_point_on(own, i)], n)))
		return false;
	return take(test, of_a ? n : d3_neg_d(n), (struct d3_sat_axis){ .owner = owner, .index = i });
}

static bool test_faces(struct test *test, enum d3_sat_owner owner)
{
	uint32_t count = owner == D3_SAT_FACE_A ? test->a.face_count : test->b.face_count;
	for (uint32_t i = 0; i < count; i++) {
		struct d3_sat_axis axis = { .owner = owner, .index = i };
		if (!(test->has_first && same_axis(&axis, &test->first)) && test_face(test, owner, i))
			return true;
	}
	return false;
}

enum { ALONG = 1, AGAINST = 2 };

/* In which of the two directions along the crossed edges `edge` may be the farthest. way: of the other edge. */
static int supports(const struct edge *edge, struct d3_vec_d way)
{
	if (!edge->left)
		return ALONG | AGAINST;
	double left = d3_dot_d(way, *edge->left), right = d3_dot_d(way, *edge->right);
	return (left > 0 && right < 0 ? ALONG : 0) | (left < 0 && right > 0 ? AGAINST : 0);
}

static bool test_crossed(struct test *test, const struct edge *a, const struct edge *b, int ways, struct d3_sat_axis axis)
{
	struct d3_vec_d n = d3_cross_d(a->way, b->way);
	double square = d3_dot_d(n, n);
	if (!(square > parallel_sine * parallel_sine * d3_dot_d(a->way, a->way) * d3_dot_d(b->way, b->way)))
		return false;
	n = d3_scale_d(1 / sqrt(square), n);
	double between = d3_dot_d(n, d3_sub_d(b->from, a->from));
	if ((ways & ALONG) && worth(test, between) && take(test, n, axis))
		return true;
	return (ways & AGAINST) && worth(test, -between) && take(test, d3_neg_d(n), axis);
}

static bool test_edges(struct test *test)
{
	for (uint32_t i = 0; i < test->a.edge_count; i++) {
		struct edge a = edge_at(&test->a, i);
		for (uint32_t k = 0; k < test->b.edge_count; k++) {
			struct edge b = edge_at(&test->b, k);
			int ways = supports(&a, b.way);
			if (ways)
				ways &= supports(&b, a.way);
			struct d3_sat_axis axis = { .owner = D3_SAT_EDGES, .index = edge_number(&test->a, i), .other = edge_number(&test->b, k) };
			if (ways && !(test->has_first && same_axis(&axis, &test->first)) && test_crossed(test, &a, &b, ways, axis))
				return true;
		}
	}
	return false;
}

/* --- Corners ----------------------------------------------------------------------------------------------------------- */

static double extent(const struct solid *solid, struct d3_vec_d from)
{
	double far = 0;
	for (uint32_t i = 0; i < solid->point_count; i++)
		far = max_d(far, d3_length_d(d3_sub_d(solid->points[i], from)));
	return far;
}

/* The way from an edge to a point, the shortest. */
static struct d3_vec_d way_to(const struct edge *edge, struct d3_vec_d p)
{
	struct d3_vec_d way = d3_sub_d(p, edge->from);
	double square = d3_dot_d(edge->way, edge->way), part = d3_dot_d(way, edge->way);
	return d3_mul_add_d(way, square > 0 ? -clamp_d(part / square, 0, 1) : 0, edge->way);
}

/* From the edges of `lines`, or its one point, to the nearest corner of `corners`, when that is nearer than *way. A corner that lies `height` above
** the plane across n under which all lines are is that far from them at least. */
static void nearest_way(const struct solid *lines, const struct solid *corners, struct d3_vec_d n, struct d3_vec_d *way, double *square)
{
	double top = -least_along(lines, d3_neg_d(n));
	uint32_t count = lines->edge_count > 0 ? lines->edge_count : 1;
	for (uint32_t i = 0; i < corners->point_count; i++) {
		struct d3_vec_d p = corners->points[i];
		double height = d3_dot_d(p, n) - top;
		if (height > 0 && height * height >= *square)
			continue;
		for (uint32_t k = 0; k < count; k++) {
			struct edge edge = { lines->points[0], { 0, 0, 0 }, NULL, NULL };
			if (lines->edge_count > 0)
				edge = edge_at(lines, k);
			struct d3_vec_d found = way_to(&edge, p);
			double s = d3_dot_d(found, found);
			if (s < *square) {
				*square = s;
				*way = found;
			}
		}
	}
}

static struct d3_vec_d across(struct d3_vec_d way)
{
	struct d3_vec_d least = { 1, 0, 0 };
	if (abs_d(way.y) < abs_d(way.x) || !(d3_dot_d(way, way) > 0))
		least = (struct d3_vec_d){ 0, 1, 0 };
	if (abs_d(way.z) < min_d(abs_d(way.x), abs_d(way.y)))
		least = (struct d3_vec_d){ 0, 0, 1 };
	struct d3_vec_d n = d3_cross_d(d3_cross_d(way, least), way);
	double length = d3_length_d(n);
	return length > 0 ? d3_scale_d(1 / length, n) : least;
}

/* Faces and edges alone decide where cores overlap and there is such an axis at all. Where cores that are lines or points are in one place, a
** direction across the line is as good as any. */
static void test_corners(struct test *test, bool alone)
{
	const struct solid *a = &test->a, *b = &test->b;
	double core = test->out->separation + test->radius, size = extent(a, a->points[0]) + extent(b, a->points[0]);
	if (!alone && core < -contact_part * size)
		return;
	struct d3_vec_d n = test->out->checks > 0 ? test->out->normal : (struct d3_vec_d){ 0, 0, 0 }, way = { 0, 0, 0 }, back = way;
	double square = INFINITY;
	nearest_way(a, b, n, &way, &square);
	double before = square;
	nearest_way(b, a, d3_neg_d(n), &back, &square);
	if (square < before)
		way = d3_neg_d(back);
	if (square > contact_part * contact_part * size * size)
		n = d3_scale_d(1 / sqrt(square), way);
	else
		n = across(a->edge_count > 0 ? edge_at(a, 0).way : b->edge_count > 0 ? edge_at(b, 0).way : way);
	take(test, n, (struct d3_sat_axis){ .owner = D3_SAT_CORNERS, .direction = n });
}

/* --- The cached axis ----------------------------------------------------------------------------------------------------- */

/* What is cached may come from anywhere: numbers that mean nothing are left alone. Crossed edges are tried both ways, on the Gauss map or not. */
static bool test_first(struct test *test)
{
	const struct d3_sat_axis *axis = &test->first;
	uint32_t step_a = test->a.hull ? 2 : 1, step_b = test->b.hull ? 2 : 1;
	if (axis->owner == D3_SAT_CORNERS) {
		double length = d3_length_d(axis->direction);
		struct d3_vec_d n = d3_scale_d(1 / length, axis->direction);
		return length > 1e-150 && length < 1e150 && take(test, n, (struct d3_sat_axis){ .owner = D3_SAT_CORNERS, .direction = n });
	}
	if (axis->owner == D3_SAT_FACE_A || axis->owner == D3_SAT_FACE_B)
		return axis->index < (axis->owner == D3_SAT_FACE_A ? test->a.face_count : test->b.face_count) &&
			test_face(test, axis->owner, axis->index);
	if (axis->owner != D3_SAT_EDGES || axis->index >= step_a * test->a.edge_count || axis->other >= step_b * test->b.edge_count)
		return false;
	struct edge a = edge_at(&test->a, axis->index / step_a), b = edge_at(&test->b, axis->other / step_b);
	return test_crossed(test, &a, &b, ALONG | AGAINST, *axis);
}

void d3_sat(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	const struct d3_sat_axis *cached, struct d3_sat_result *out)
{
	static const struct d3_transform_d identity = { { 0, 0, 0 }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
	struct test test;
	make_solid(a, &identity, &test.a);
	make_solid(b, b_in_a, &test.b);
	test.radius = a->radius + b->radius;
	test.out = out;
	test.has_first = cached != NULL;
	*out = (struct d3_sat_result){ .separation = -INFINITY };
	if (cached) {
		test.first = (struct d3_sat_axis){ cached->owner, cached->index, cached->owner == D3_SAT_EDGES ? cached->other : 0, cached->direction };
		if (test_first(&test))
			return;
	}
	int checks = out->checks;
	if (!test_faces(&test, D3_SAT_FACE_A) && !test_faces(&test, D3_SAT_FACE_B) && !test_edges(&test))
		test_corners(&test, out->checks == checks);
}
