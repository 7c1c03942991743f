/* hull_triangles.c - the surface of sharp and rounded boxes and hulls as triangles. See immersion.h. */
#include "d3/shape/immersion.h"

enum { PARTS = 4 /* of a rounded edge */ };

struct triangles {
	const struct d3_hull *hull;
	double r; /* rounding */
	d3_triangle_visit *visit;
	void *context;
};

static void emit(const struct triangles *out, struct d3_vec_d a, struct d3_vec_d b, struct d3_vec_d c, bool round)
{
	out->visit(out->context, (const struct d3_vec_d[]){a, b, c}, round);
}

static struct d3_vec_d unit(struct d3_vec_d a)
{
	double length = d3_length_d(a);
	return length > 0.0 ? d3_scale_d(1.0 / length, a) : a;
}

/* The unit vector at part k of the arc from a to b. */
static struct d3_vec_d arc_at(struct d3_vec_d a, struct d3_vec_d b, int k)
{
	double t = (double)k / PARTS;
	return unit(d3_mul_add_d(d3_scale_d(1.0 - t, a), t, b));
}

static struct d3_vec_d corner_of(const struct triangles *out, uint32_t edge)
{
	return d3_widen(out->hull->points[out->hull->edges[edge].origin]);
}

static struct d3_vec_d normal_of(const struct triangles *out, uint32_t edge)
{
	return out->hull->planes[out->hull->edges[edge].face].normal;
}

static void face_emit(const struct triangles *out, uint32_t face)
{
	uint32_t first = out->hull->face_edges[face];
	struct d3_vec_d lift = d3_scale_d(out->r, out->hull->planes[face].normal), a = d3_add_d(corner_of(out, first), lift);
	uint32_t edge = out->hull->edges[first].next;
	for (uint32_t next; (next = out->hull->edges[edge].next) != first; edge = next)
		emit(out, a, d3_add_d(corner_of(out, edge), lift), d3_add_d(corner_of(out, next), lift), false);
}

static void edge_emit(const struct triangles *out, uint32_t edge)
{
	uint32_t twin = out->hull->edges[edge].twin;
	struct d3_vec_d p = corner_of(out, edge), q = corner_of(out, twin), n = normal_of(out, edge), m = normal_of(out, twin);
	for (int k = 0; k < PARTS; ++k) {
		struct d3_vec_d low = d3_scale_d(out->r, arc_at(n, m, k)), high = d3_scale_d(out->r, arc_at(n, m, k + 1));
		emit(out, d3_add_d(p, low), d3_add_d(p, high), d3_add_d(q, high), true);
		emit(out, d3_add_d(p, low), d3_add_d(q, high), d3_add_d(q, low), true);
	}
}

/* The triangle of three unit vectors, on the ball about a corner. */
static void ball_emit(const struct triangles *out, struct d3_vec_d p, struct d3_vec_d a, struct d3_vec_d b, struct d3_vec_d c)
{
	emit(out, d3_mul_add_d(p, out->r, a), d3_mul_add_d(p, out->r, b), d3_mul_add_d(p, out->r, c), true);
}

static void corner_emit(const struct triangles *out, uint32_t corner)
{
	const struct d3_hull *hull = out->hull;
	struct d3_vec_d p = d3_widen(hull->points[corner]), middle = {0.0, 0.0, 0.0};
	uint32_t first = hull->point_edges[corner], edge = first;
	do {
		middle = d3_add_d(middle, normal_of(out, edge));
		edge = hull->edges[hull->edges[edge].twin].next; /* clockwise from outside */
	} while (edge != first);
	middle = unit(middle);
	do {
		uint32_t next = hull->edges[hull->edges[edge].twin].next;
		struct d3_vec_d a = normal_of(out, next), b = normal_of(out, edge);
		for (int k = 0; k < PARTS; ++k) {
			struct d3_vec_d outer = arc_at(a, b, k), last = arc_at(a, b, k + 1);
			struct d3_vec_d inner = unit(d3_add_d(middle, outer)), end = unit(d3_add_d(middle, last));
			ball_emit(out, p, middle, inner, end);
			ball_emit(out, p, inner, outer, last);
			ball_emit(out, p, inner, last, end);
		}
		edge = next;
	} while (edge != first);
}

void d3_hull_triangles(const struct d3_shape *shape, d3_triangle_visit *visit, void *context)
{
	const struct triangles out = {shape->hull, shape->radius, visit, context};
	for (uint32_t face = 0; face < out.hull->face_count; ++face)
		face_emit(&out, face);
	for (uint32_t edge = 0; out.r > 0.0 && edge < out.hull->edge_count; ++edge)
		if (edge < out.hull->edges[edge].twin)
			edge_emit(&out, edge);
	for (uint32_t corner = 0; out.r > 0.0 && corner < out.hull->point_count; ++corner)
		corner_emit(&out, corner);
}
