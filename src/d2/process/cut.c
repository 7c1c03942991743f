/* cut.c - see cut.h. */
#include "d2/process/cut.h"

#include <assert.h>

enum { FACETS = 48 }; /* of a full turn: a circle's edges bulge by 0.2 % of its radius */

static void push(struct d2_cut *cut, struct d2_vec_d corner)
{
	assert(cut->count < D2_CUT_MAX);
	cut->corners[cut->count++] = corner;
}

/* Appends the corners of the polygon around the arc about `center` from the direction `from` through `angle` [rad]. Its edges
 * touch the arc, the first and the last one at its ends. */
static void push_arc(struct d2_cut *cut, struct d2_vec_d center, double radius, struct d2_vec_d from, double angle)
{
	int count = (int)(angle * FACETS / (2 * SCALAR_PI) + 1e-3);
	count = count > 0 ? count : 1;
	double half = angle / (2 * count), distance = radius / scalar_cos_sin_d(half).cosine;
	for (int i = 0; i < count; ++i) {
		struct cos_sin_d turn = scalar_cos_sin_d((2 * i + 1) * half);
		push(cut, d2_mul_add_d(center, distance, d2_turn_d((struct d2_rot_d){turn.cosine, turn.sine}, from)));
	}
}

static void push_ellipse(struct d2_cut *cut, const struct d2_shape *shape)
{
	struct d2_rot_d q = d2_exact_rot(shape->rotation);
	push_arc(cut, (struct d2_vec_d){0, 0}, 1, (struct d2_vec_d){1, 0}, 2 * SCALAR_PI);
	for (uint32_t i = 0; i < cut->count; ++i) {
		struct d2_vec_d p = {cut->corners[i].x * (double)shape->axes.x, cut->corners[i].y * (double)shape->axes.y};
		cut->corners[i] = d2_add_d(d2_widen(shape->points[0]), d2_turn_d(q, p));
	}
}

static void push_rounded(struct d2_cut *cut, const struct d2_shape *shape)
{
	for (uint32_t i = 0; i < shape->count; ++i) {
		struct d2_vec_d before = shape->edges[(i + shape->count - 1) % shape->count].normal, after = shape->edges[i].normal;
		double angle = scalar_atan2_d(d2_cross_d(before, after), d2_dot_d(before, after));
		push_arc(cut, d2_widen(shape->points[i]), shape->radius, before, angle > 0 ? angle : angle + 2 * SCALAR_PI);
	}
}

/* Scales the polygon about its centroid, and moves that to the shape's, so that both have the same ratio of inertia to mass. Of
 * a triangle from the origin with corners a and b: area a x b/2, centroid (a + b)/3, and the integral of p^2 is area/6 (a^2 +
 * a.b + b^2). */
static void fit(struct d2_cut *cut, const struct d2_shape *shape)
{
	struct d2_mass mass;
	double area = 0, square = 0;
	struct d2_vec_d base = d2_widen(shape->centroid), sum = {0, 0};
	d2_shape_mass(shape, 1, &mass);
	for (uint32_t i = 0; i < cut->count; ++i) {
		struct d2_vec_d a = d2_sub_d(cut->corners[i], base), b = d2_sub_d(cut->corners[(i + 1) % cut->count], base);
		double part = d2_cross_d(a, b) / 2;
		area += part;
		sum = d2_mul_add_d(sum, part / 3, d2_add_d(a, b));
		square += part / 6 * (d2_dot_d(a, a) + d2_dot_d(a, b) + d2_dot_d(b, b));
	}
	struct d2_vec_d center = d2_scale_d(1 / area, sum);
	double scale = sqrt((double)mass.inertia / (double)mass.mass / (square / area - d2_dot_d(center, center)));
	for (uint32_t i = 0; i < cut->count; ++i)
		cut->corners[i] = d2_mul_add_d(d2_widen(mass.center), scale, d2_sub_d(cut->corners[i], d2_add_d(base, center)));
}

void d2_cut_start(const struct d2_shape *shape, struct d2_cut *out)
{
	out->count = 0;
	out->tolerance = 1e-9 * (double)shape->outer;
	if (shape->type == D2_CIRCLE)
		push_arc(out, d2_widen(shape->points[0]), shape->radius, (struct d2_vec_d){1, 0}, 2 * SCALAR_PI);
	else if (shape->type == D2_ELLIPSE)
		push_ellipse(out, shape);
	else if (shape->radius > 0)
		push_rounded(out, shape);
	for (uint32_t i = 0; out->count < shape->count; ++i)
		push(out, d2_widen(shape->points[i]));
	if (shape->radius > 0)
		fit(out, shape);
}

enum d2_cut_result d2_cut_by(const struct d2_cut *from, struct d2_vec_d normal, double offset, struct d2_cut *out)
{
	double heights[D2_CUT_MAX], least = INFINITY, most = -INFINITY;
	for (uint32_t i = 0; i < from->count; ++i) {
		heights[i] = d2_dot_d(normal, from->corners[i]) - offset;
		least = min_d(least, heights[i]);
		most = max_d(most, heights[i]);
	}
	if (most <= from->tolerance)
		return D2_CUT_WHOLE;
	if (least >= -from->tolerance)
		return D2_CUT_NOTHING;
	if (from->count == D2_CUT_MAX)
		return D2_CUT_TOO_MANY;
	uint32_t count = 0;
	for (uint32_t i = 0; i < from->count; ++i) {
		uint32_t k = i + 1 < from->count ? i + 1 : 0;
		struct d2_vec_d a = from->corners[i], b = from->corners[k];
		double low = min_d(heights[i], heights[k]), high = max_d(heights[i], heights[k]);
		out->corners[count] = a;
		count += heights[i] <= from->tolerance;
		out->corners[count] = d2_mul_add_d(a, heights[i] / (heights[i] - heights[k]), d2_sub_d(b, a));
		count += (low < -from->tolerance) & (high > from->tolerance);
	}
	out->count = count;
	out->tolerance = from->tolerance;
	return D2_CUT_PART;
}
