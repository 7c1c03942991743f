/* facets.c - the surfaces of solids as flat parts, for forces on them. See immersion.h. */
#include "d3/shape/immersion.h"

struct facets {
	int fineness; /* facets along an edge, or of round shapes across a quarter turn */
	facet_visit *visit;
	void *context;
};

static struct vec3 core_vec(struct d3_vec_d a)
{
	return (struct vec3){a.x, a.y, a.z};
}

static void emit(const struct facets *out, struct d3_vec_d point, struct d3_vec_d normal, double area)
{
	out->visit(out->context, &(struct facet){core_vec(point), core_vec(normal), area, false});
}

/* --- Triangles ------------------------------------------------------------------------------------------------------------ */

/* Divides a triangle into fineness^2 equal ones. In row i, each starts at barycentric (i, k) and points up or down. */
static void triangle_emit(void *context, const struct d3_vec_d corners[3], bool round)
{
	(void)round;
	const struct facets *out = context;
	struct d3_vec_d a = d3_sub_d(corners[1], corners[0]), b = d3_sub_d(corners[2], corners[0]), n = d3_cross_d(a, b);
	double twice = d3_length_d(n), step = 1.0 / out->fineness;
	if (!(twice > 0.0))
		return;
	n = d3_scale_d(1.0 / twice, n);
	for (int i = 0; i < out->fineness; ++i)
		for (int k = 0; k < 2 * (out->fineness - i) - 1; ++k) {
			int row = k / 2;
			double shift = k % 2 == 0 ? 1.0 / 3.0 : 2.0 / 3.0;
			struct d3_vec_d along = d3_mul_add_d(corners[0], step * (i + shift), a);
			emit(out, d3_mul_add_d(along, step * (row + shift), b), n, 0.5 * twice * step * step);
		}
}

/* --- Solids of revolution ------------------------------------------------------------------------------------------------- */

/* A frame whose y axis is that of the solid, and the half axes that stretch it: for ellipsoids. */
struct lathe {
	const struct facets *out;
	struct d3_vec_d origin;
	struct d3_rot_d q;
	struct d3_vec_d half;
};

/* A ring of facets at height y and radius r, with the normal (n_r, n_y) and the area. An ellipsoid stretches p by `half`, and
 * area vectors by the cofactors. */
static void ring_emit(const struct lathe *lathe, double y, double r, double n_r, double n_y, double area)
{
	int count = 4 * lathe->out->fineness;
	struct d3_vec_d half = lathe->half;
	struct cos_sin_d at = scalar_cos_sin_d(SCALAR_PI / count), step = scalar_cos_sin_d(2.0 * SCALAR_PI / count);
	for (int i = 0; i < count; ++i) {
		struct d3_vec_d p = {half.x * r * at.cosine, half.y * y, half.z * r * at.sine};
		struct d3_vec_d n = {half.y * half.z * n_r * at.cosine, half.x * half.z * n_y, half.x * half.y * n_r * at.sine};
		double length = d3_length_d(n);
		emit(lathe->out, d3_add_d(lathe->origin, d3_turn_d(&lathe->q, p)), d3_turn_d(&lathe->q, d3_scale_d(1.0 / length, n)),
			area * length / count);
		at = (struct cos_sin_d){at.cosine * step.cosine - at.sine * step.sine, at.sine * step.cosine + at.cosine * step.sine};
	}
}

/* The band between two circles, with the normal to the right of the way from the first to the second, seen with y up. */
static void band_emit(const struct lathe *lathe, double y0, double r0, double y1, double r1)
{
	double dy = y1 - y0, dr = r1 - r0, length = sqrt(dy * dy + dr * dr), n = lathe->out->fineness;
	for (int i = 0; i < lathe->out->fineness; ++i) {
		double t = (i + 0.5) / n, r = r0 + t * dr;
		ring_emit(lathe, y0 + t * dy, r, dy / length, -dr / length, 2.0 * SCALAR_PI * r * length / n);
	}
}

/* The part of a sphere about y = c between two angles from the y axis. */
static void zone_emit(const struct lathe *lathe, double c, double r, double from, double to)
{
	int rings = 1 + (int)((to - from) * lathe->out->fineness / (0.5 * SCALAR_PI));
	double before = scalar_cos_sin_d(from).cosine;
	for (int i = 0; i < rings; ++i) {
		struct cos_sin_d at = scalar_cos_sin_d(from + (to - from) * (i + 0.5) / rings);
		double after = scalar_cos_sin_d(from + (to - from) * (i + 1) / rings).cosine;
		ring_emit(lathe, c + r * at.cosine, r * at.sine, at.sine, at.cosine, 2.0 * SCALAR_PI * r * r * (before - after));
		before = after;
	}
}

/* See tapered_moments in mass.c. */
static void capsule_emit(const struct lathe *lathe, double big, double r, double h)
{
	double s = (big - r) / (2.0 * h), c = sqrt((1.0 - s) * (1.0 + s)), angle = scalar_atan2_d(c, s);
	zone_emit(lathe, h, r, 0.0, angle);
	band_emit(lathe, -h + big * s, big * c, h + r * s, r * c);
	zone_emit(lathe, -h, big, angle, SCALAR_PI);
}

static void capsule_facets(const struct facets *out, const struct d3_shape *shape)
{
	struct d3_vec_d a = d3_widen(shape->points[0]), delta = d3_sub_d(d3_widen(shape->points[1]), a);
	double length = d3_length_d(delta);
	struct lathe lathe = {out, d3_mul_add_d(a, 0.5, delta), {.y = d3_scale_d(1.0 / length, delta)}, {1.0, 1.0, 1.0}};
	lathe.q.x = d3_across_d(lathe.q.y);
	lathe.q.z = d3_cross_d(lathe.q.x, lathe.q.y);
	capsule_emit(&lathe, (double)shape->radius, (double)shape->radius, 0.5 * length);
}

static void revolved_facets(const struct facets *out, const struct d3_shape *shape)
{
	struct lathe lathe = {out, shape->frame.p, shape->frame.q, {1.0, 1.0, 1.0}};
	double r = shape->half.x, h = shape->half.y;
	switch (shape->type) {
	case D3_CYLINDER:
		band_emit(&lathe, -h, 0.0, -h, r);
		band_emit(&lathe, -h, r, h, r);
		band_emit(&lathe, h, r, h, 0.0);
		break;
	case D3_CONE:
		band_emit(&lathe, -h, 0.0, -h, r);
		band_emit(&lathe, -h, r, h, 0.0);
		break;
	case D3_ELLIPSOID:
		lathe.half = d3_widen(shape->half);
		zone_emit(&lathe, 0.0, 1.0, 0.0, SCALAR_PI);
		break;
	default: capsule_emit(&lathe, (double)shape->radius + r, (double)shape->radius, h); break;
	}
}

/* --- All ------------------------------------------------------------------------------------------------------------------ */

static void sphere_facets(const struct facets *out, const struct d3_shape *shape, bool coarse)
{
	double r = shape->radius;
	struct d3_vec_d center = d3_widen(shape->points[0]);
	struct lathe lathe = {out, center, {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, {1.0, 1.0, 1.0}};
	if (coarse)
		out->visit(out->context, &(struct facet){core_vec(center), {0.0, 0.0, 0.0}, SCALAR_PI * r * r, true});
	else
		zone_emit(&lathe, 0.0, r, 0.0, SCALAR_PI);
}

static void convex_facets(const struct d3_shape *shape, struct fineness fineness, facet_visit *visit, void *context)
{
	enum { COARSE = 4 };
	const struct facets flat = {fineness.edge, visit, context};
	const struct facets round = {fineness.arc > 0 ? fineness.arc : COARSE, visit, context};
	struct d3_vec_d corners[3];
	switch (shape->type) {
	case D3_SPHERE: sphere_facets(&round, shape, fineness.arc == 0); break;
	case D3_BOX:
	case D3_HULL: d3_hull_triangles(shape, triangle_emit, (void *)(uintptr_t)&flat); break;
	case D3_CAPSULE: capsule_facets(&round, shape); break;
	case D3_CYLINDER:
	case D3_CONE:
	case D3_ELLIPSOID:
	case D3_TAPERED_CAPSULE: revolved_facets(&round, shape); break;
	case D3_TRIANGLE:
		for (int side = 0; side < 2; ++side) {
			for (int i = 0; i < 3; ++i)
				corners[i] = d3_widen(shape->points[side == 0 ? i : 2 - i]);
			triangle_emit((void *)(uintptr_t)&flat, corners, false);
		}
		break;
	default: break;
	}
}

void d3_shape_facets(const struct d3_shape *shape, struct fineness fineness, facet_visit *visit, void *context)
{
	for (uint32_t i = 0; !d3_shape_surface(shape) && i < d3_shape_part_count(shape); ++i)
		convex_facets(d3_shape_part(shape, i), fineness, visit, context);
}
