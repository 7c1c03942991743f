/* curve.c - see curve.h. */
#include "core/curve.h"
#include "base/archive.h"
#include "base/scalar.h"

enum {
	SPAN_KNOTS = 16, /* from one point to the next */
	SWEEPS = 40,
	PROJECTIONS = 4, /* Newton steps */
};

/* --- Vectors -------------------------------------------------------------------------------------------------------------- */

static double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static float dot_f(const float a[3], const float b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static float distance_squared(const float a[3], const float b[3])
{
	float d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
	return dot_f(d, d);
}

/* Scales v to length 1, or leaves it as it is if it has none. */
static void normalize(double v[3])
{
	double length = sqrt(dot(v, v));
	for (int i = 0; i < 3 && length > 0.0; ++i)
		v[i] /= length;
}

static void normalize_f(float v[3])
{
	float length = sqrtf(dot_f(v, v));
	for (int i = 0; i < 3 && length > 0.0f; ++i)
		v[i] /= length;
}

/* --- The spline ----------------------------------------------------------------------------------------------------------- */

/* The cubic from one point to the next, with its derivatives at both, over u in [0, 1]. */
struct span {
	double p[2][3], m[2][3];
};

static double distance(const double *points, int axes, uint32_t a, uint32_t b)
{
	double sum = 0.0;
	for (int i = 0; i < axes; ++i) {
		double d = points[b * (uint32_t)axes + (uint32_t)i] - points[a * (uint32_t)axes + (uint32_t)i];
		sum += d * d;
	}
	return sqrt(sum);
}

/* Sets one number of the derivative at point i so that the second derivative is continuous there, or 0 at an end. */
static double derivative_solve(
	const double *points, const double *derivatives, uint32_t count, int axes, bool loop, uint32_t i, int axis)
{
	uint32_t n = (uint32_t)axes, k = (uint32_t)axis, last = count - 1, before = i > 0 ? i - 1 : last,
			 after = i < last ? i + 1 : 0;
	double here = points[i * n + k], back = here - points[before * n + k], on = points[after * n + k] - here;
	double h0 = distance(points, axes, before, i), h1 = distance(points, axes, i, after);
	if (!loop && i == 0)
		return 0.5 * (3.0 * on / h1 - derivatives[after * n + k]);
	if (!loop && i == last)
		return 0.5 * (3.0 * back / h0 - derivatives[before * n + k]);
	double sum = 3.0 * (h1 * (back / h0) + h0 * (on / h1)) - h1 * derivatives[before * n + k] - h0 * derivatives[after * n + k];
	return sum / (2.0 * (h0 + h1));
}

/* Finds the derivatives by arc length at the points by Gauss-Seidel: each sweep leaves at most half of the error. */
static void derivatives_solve(const double *points, double *derivatives, uint32_t count, int axes, bool loop)
{
	for (int sweep = 0; sweep < SWEEPS; ++sweep)
		for (uint32_t i = 0; i < count; ++i)
			for (int axis = 0; axis < axes; ++axis)
				derivatives[i * (uint32_t)axes + (uint32_t)axis] =
					derivative_solve(points, derivatives, count, axes, loop, i, axis);
}

static struct span span_make(const double *points, const double *derivatives, uint32_t count, int axes, uint32_t index)
{
	uint32_t ends[2] = {index, (index + 1) % count};
	double h = distance(points, axes, ends[0], ends[1]);
	struct span span = {{{0.0}}, {{0.0}}};
	for (int end = 0; end < 2; ++end)
		for (int i = 0; i < axes; ++i) {
			uint32_t at = ends[end] * (uint32_t)axes + (uint32_t)i;
			span.p[end][i] = points[at];
			span.m[end][i] = h * derivatives[at];
		}
	return span;
}

static void span_at(const struct span *span, double u, double p[3], double derivative[3])
{
	double v = 1.0 - u;
	for (int i = 0; i < 3; ++i) {
		double d = span->p[1][i] - span->p[0][i];
		p[i] = v * v * (1.0 + 2.0 * u) * span->p[0][i] + u * u * (1.0 + 2.0 * v) * span->p[1][i] + u * v * v * span->m[0][i] -
			u * u * v * span->m[1][i];
		derivative[i] = 6.0 * u * v * d + v * (v - 2.0 * u) * span->m[0][i] + u * (u - 2.0 * v) * span->m[1][i];
	}
}

/* The arc length from u to u + du, by Gauss' rule of three points. */
static double span_length(const struct span *span, double u, double du)
{
	static const double at[3] = {0.11270166537925831, 0.5, 0.88729833462074169},
						weights[3] = {5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0};
	double sum = 0.0;
	for (int i = 0; i < 3; ++i) {
		double p[3], derivative[3];
		span_at(span, u + at[i] * du, p, derivative);
		sum += weights[i] * sqrt(dot(derivative, derivative));
	}
	return du * sum;
}

/* --- Frames --------------------------------------------------------------------------------------------------------------- */

/* Reflects v by the plane perpendicular to `across`. */
static void reflect(double v[3], const double across[3])
{
	double square = dot(across, across), part = square > 0.0 ? 2.0 * dot(v, across) / square : 0.0;
	for (int i = 0; i < 3; ++i)
		v[i] -= part * across[i];
}

/* Carries the normal n from one knot to the next by two reflections. */
static void normal_carry(double n[3], const double p[2][3], const double t[2][3])
{
	double step[3] = {p[1][0] - p[0][0], p[1][1] - p[0][1], p[1][2] - p[0][2]}, turned[3] = {t[0][0], t[0][1], t[0][2]};
	reflect(n, step);
	reflect(turned, step);
	double rest[3] = {t[1][0] - turned[0], t[1][1] - turned[1], t[1][2] - turned[2]};
	reflect(n, rest);
	double along = dot(n, t[1]);
	for (int i = 0; i < 3; ++i)
		n[i] -= along * t[1][i];
	normalize(n);
}

/* The first normal: the y axis, or the x axis, as far as it is perpendicular to t; in 2D t turned by 90 degrees. */
static void normal_begin(const double t[3], int axes, double n[3])
{
	bool steep = axes == 3 && t[1] * t[1] > 0.99;
	double axis[3] = {steep ? 1.0 : 0.0, steep ? 0.0 : 1.0, 0.0}, along = dot(axis, t);
	for (int i = 0; i < 3; ++i)
		n[i] = axis[i] - along * t[i];
	if (axes == 2) {
		n[0] = -t[1];
		n[1] = t[0];
	}
	normalize(n);
}

/* Turns the frames of a loop evenly, so that the last one is the first. */
static void frames_close(struct curve *curve)
{
	const struct curve_knot *first = &curve->knots[0];
	struct curve_knot *last = &curve->knots[curve->count - 1];
	const float *t = last->t, *n = last->n;
	float across[3] = {t[1] * n[2] - t[2] * n[1], t[2] * n[0] - t[0] * n[2], t[0] * n[1] - t[1] * n[0]};
	double angle = (double)scalar_atan2(dot_f(first->n, across), dot_f(first->n, n));
	curve->twist = (float)(angle / (double)curve->length);
	for (uint32_t k = 1; k < curve->count; ++k) {
		struct curve_knot *knot = &curve->knots[k];
		struct cos_sin by = scalar_cos_sin(angle * (double)knot->s / (double)curve->length);
		const float *u = knot->t, *v = knot->n;
		float side[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
		for (int i = 0; i < 3; ++i)
			knot->n[i] = by.cosine * knot->n[i] + by.sine * side[i];
	}
	*last = (struct curve_knot){last->s, {first->p[0], first->p[1], first->p[2]}, {first->t[0], first->t[1], first->t[2]},
		{first->n[0], first->n[1], first->n[2]}};
}

/* --- Creation ------------------------------------------------------------------------------------------------------------- */

static size_t curve_size(uint32_t count)
{
	return sizeof(struct curve) + count * sizeof(struct curve_knot);
}

static void knot_set(struct curve_knot *knot, double s, const double p[3], const double t[3], const double n[3])
{
	knot->s = (float)s;
	for (int i = 0; i < 3; ++i) {
		knot->p[i] = (float)p[i];
		knot->t[i] = (float)t[i];
		knot->n[i] = (float)n[i];
	}
}

/* Sets all knots. Returns the length. */
static double knots_set(struct curve *curve, const double *points, const double *derivatives, uint32_t count, int axes)
{
	double p[2][3] = {{0.0}}, t[2][3] = {{0.0}}, n[3] = {0.0}, s = 0.0;
	for (uint32_t k = 0; k < curve->count; ++k) {
		uint32_t index = k > 0 ? (k - 1) / SPAN_KNOTS : 0, part = k - index * SPAN_KNOTS;
		struct span span = span_make(points, derivatives, count, axes, index);
		span_at(&span, (double)part / SPAN_KNOTS, p[1], t[1]);
		normalize(t[1]);
		if (!(dot(t[1], t[1]) > 0.5)) /* the path turns back at a point */
			for (int i = 0; i < 3; ++i)
				t[1][i] = k > 0 ? t[0][i] : i == 0;
		if (k == 0) {
			normal_begin(t[1], axes, n);
		} else {
			s += span_length(&span, (double)(part - 1) / SPAN_KNOTS, 1.0 / SPAN_KNOTS);
			normal_carry(n, (const double(*)[3])p, (const double(*)[3])t);
		}
		knot_set(&curve->knots[k], s, p[1], t[1], n);
		for (int i = 0; i < 3; ++i) {
			p[0][i] = p[1][i];
			t[0][i] = t[1][i];
		}
	}
	return s;
}

struct curve *curve_create(struct memory *memory, const double *points, uint32_t count, int axes, bool loop)
{
	uint32_t knots = (loop ? count : count - 1) * SPAN_KNOTS + 1;
	size_t size = count * (size_t)axes * sizeof(double);
	double *derivatives = memory_zeroed(memory, size);
	struct curve *curve = derivatives != NULL ? memory_zeroed(memory, curve_size(knots)) : NULL;
	if (curve != NULL) {
		derivatives_solve(points, derivatives, count, axes, loop);
		curve->loop = loop;
		curve->count = knots;
		curve->length = (float)knots_set(curve, points, derivatives, count, axes);
		if (loop)
			frames_close(curve);
	}
	memory_free(memory, derivatives, size);
	return curve;
}

void curve_destroy(struct memory *memory, struct curve *curve)
{
	if (curve != NULL)
		memory_free(memory, curve, curve_size(curve->count));
}

/* --- Archives ------------------------------------------------------------------------------------------------------------- */

static void knot_pass(struct archive *archive, struct curve_knot *knot)
{
	const float reach = 4e15f; /* a path may be as far from its body as the body may be from the origin */
	pass_range_f32(archive, &knot->s, 1, 0.0f, 1e30f);
	pass_range_f32(archive, knot->p, 3, -reach, reach);
	pass_range_f32(archive, knot->t, 3, -2.0f, 2.0f);
	pass_range_f32(archive, knot->n, 3, -2.0f, 2.0f);
	archive_check(archive, abs_f(dot_f(knot->t, knot->t) - 1.0f) < 1e-3f, "a direction has not the length 1");
}

static bool is_closed(const struct curve_knot *first, const struct curve_knot *last)
{
	bool equal = true;
	for (int i = 0; i < 3; ++i)
		equal = equal && first->p[i] == last->p[i] && first->t[i] == last->t[i] && first->n[i] == last->n[i];
	return equal;
}

static void curve_check(struct archive *archive, const struct curve *curve)
{
	const struct curve_knot *knots = curve->knots, *last = &knots[curve->count - 1];
	archive_check(
		archive, knots[0].s == 0.0f && last->s == curve->length, "the length of a curve is not that of its last knot");
	archive_check(archive, !curve->loop || is_closed(&knots[0], last), "the ends of a loop differ");
	for (uint32_t i = 1; i < curve->count; ++i)
		archive_check(archive, knots[i].s >= knots[i - 1].s, "the knots of a curve are not in order");
}

void curve_pass(struct archive *archive, struct curve **curve)
{
	struct curve header = {0}, *passed = NULL;
	if (archive->reading) {
		*curve = NULL;
	} else {
		header = **curve;
		passed = *curve;
	}
	pass_range_f32(archive, &header.length, 1, 1e-12f, 1e30f);
	pass_range_f32(archive, &header.twist, 1, -1e15f, 1e15f);
	pass_bool(archive, &header.loop);
	header.count = pass_count(archive, header.count, sizeof(struct curve_knot));
	if (!archive_check(archive, header.count >= 2, "a curve has too few knots"))
		return;
	if (archive->reading) {
		passed = archive_zeroed(archive, curve_size(header.count));
		if (passed != NULL)
			*passed = header;
	}
	if (passed == NULL)
		return;
	for (uint32_t i = 0; i < header.count; ++i)
		knot_pass(archive, &passed->knots[i]);
	if (!archive->reading)
		return;
	curve_check(archive, passed);
	if (archive_good(archive))
		*curve = passed;
	else
		curve_destroy(archive->memory, passed);
}

/* --- Places --------------------------------------------------------------------------------------------------------------- */

/* The arc length of the laps that end before s. */
static float laps_before(const struct curve *curve, float s)
{
	return curve->loop ? floorf(s / curve->length) * curve->length : 0.0f;
}

/* The last knot, but not the end, at or before s. */
static uint32_t knot_before(const struct curve *curve, float s)
{
	uint32_t low = 0, high = curve->count - 1;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (curve->knots[middle].s <= s)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Beyond the ends of an open curve. */
static void straight_at(const struct curve_knot *end, float beyond, struct curve_place *place)
{
	for (int i = 0; i < 3; ++i) {
		place->p[i] = end->p[i] + beyond * end->t[i];
		place->t[i] = end->t[i];
		place->n[i] = end->n[i];
		place->turn[i] = 0.0f;
	}
}

void curve_at(const struct curve *curve, float s, struct curve_place *place)
{
	s -= laps_before(curve, s);
	if (!curve->loop && !(s >= 0.0f && s <= curve->length)) {
		bool before = !(s >= 0.0f);
		straight_at(&curve->knots[before ? 0 : curve->count - 1], before ? s : s - curve->length, place);
		return;
	}
	const struct curve_knot *a = &curve->knots[knot_before(curve, s)], *b = a + 1;
	if (!(b->s > a->s)) { /* closer than floats tell apart */
		straight_at(a, 0.0f, place);
		return;
	}
	float h = b->s - a->s, u = (s - a->s) / h, v = 1.0f - u, bend[3];
	for (int i = 0; i < 3; ++i) {
		float d = b->p[i] - a->p[i];
		place->p[i] = a->p[i] + u * u * (1.0f + 2.0f * v) * d + h * (u * v * v * a->t[i] - u * u * v * b->t[i]);
		place->t[i] = 6.0f * u * v * d / h + v * (v - 2.0f * u) * a->t[i] + u * (u - 2.0f * v) * b->t[i];
		bend[i] = (6.0f * (v - u) * d / h - (4.0f * v - 2.0f * u) * a->t[i] + (4.0f * u - 2.0f * v) * b->t[i]) / h;
		place->n[i] = v * a->n[i] + u * b->n[i];
	}
	normalize_f(place->t);
	const float *t = place->t;
	float along = dot_f(place->n, t);
	for (int i = 0; i < 3; ++i)
		place->n[i] -= along * t[i];
	normalize_f(place->n);
	for (int i = 0; i < 3; ++i)
		place->turn[i] = t[(i + 1) % 3] * bend[(i + 2) % 3] - t[(i + 2) % 3] * bend[(i + 1) % 3] + curve->twist * t[i];
}

/* Goes from knot k to the neighbours that are nearer to q, as long as there are. *wraps: passes of the start of a loop. */
static uint32_t knot_downhill(const struct curve *curve, const float q[3], uint32_t k, float *wraps)
{
	uint32_t last = curve->count - 1;
	float here = distance_squared(curve->knots[k].p, q);
	for (int way = -1; way <= 1; way += 2)
		for (uint32_t left = last; left > 0; --left) {
			uint32_t end = way > 0 ? last : 0, next = k != end ? k + (uint32_t)way : way > 0 ? 1 : last - 1;
			float there = distance_squared(curve->knots[next].p, q);
			if ((k == end && !curve->loop) || !(there < here))
				break;
			*wraps += k == end ? (float)way : 0.0f;
			k = next;
			here = there;
		}
	return k;
}

float curve_project(const struct curve *curve, const float q[3], float near)
{
	float laps = laps_before(curve, near), wraps = 0.0f;
	uint32_t k = knot_downhill(curve, q, knot_before(curve, near - laps), &wraps), last = curve->count - 1;
	float low = curve->knots[k > 0 ? k - 1 : 0].s, high = curve->knots[k < last ? k + 1 : last].s, s = curve->knots[k].s;
	if (k == 0)
		low = curve->loop ? curve->knots[last - 1].s - curve->length : -INFINITY;
	if (k == last)
		high = curve->loop ? curve->length + curve->knots[1].s : INFINITY;
	for (int i = 0; i < PROJECTIONS; ++i) {
		struct curve_place place;
		curve_at(curve, s, &place);
		float d[3] = {q[0] - place.p[0], q[1] - place.p[1], q[2] - place.p[2]};
		/* the tangent's derivative: turn x t */
		const float *w = place.turn, *t = place.t;
		float bend[3] = {w[1] * t[2] - w[2] * t[1], w[2] * t[0] - w[0] * t[2], w[0] * t[1] - w[1] * t[0]};
		s = clamp_f(s + dot_f(d, t) / max_f(0.25f, 1.0f - dot_f(d, bend)), low, high);
	}
	return s + laps + wraps * curve->length;
}

float curve_nearest(const struct curve *curve, const float q[3])
{
	uint32_t best = 0;
	for (uint32_t k = 1; k < curve->count; ++k)
		if (distance_squared(curve->knots[k].p, q) < distance_squared(curve->knots[best].p, q))
			best = k;
	return curve_project(curve, q, curve->knots[best].s);
}
