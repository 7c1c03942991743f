/* creases.c - least support values on the creases of solids of revolution, found without a descent.
 * A crease is a circle of normals n about the axis of a cylinder, cone, tapered capsule or segment, n . axis = along, for which
 * the core's support set is a line. There the support value h(n) of the Minkowski difference M has a convex kink. A descent
 * (epa.c) converges slowly along a crease; if the cores are nearly concentric, h is almost constant around it, and a descent
 * uses all of its steps. On a crease h depends on one variable, the angle phi about the axis. At its minima the derivative
 * changes from negative to positive:
 *   dh/dphi = w . dn/dphi      w: the vertex of M farthest along n
 * Between creases, where each core's support point is a vertex or on a ball, h(n) = r + k . n, with r the sum of the balls'
 * radii and k from A's ball centre or vertex to B's. The only minimum is at n = -k / |k|. A descent that reaches a crease or
 * such a region would find no minimum that d3_creases_lowest has not tested. */
#include "d3/query/gjk.h"

/* Tolerance of n . axis within which a direction is on a crease. */
static const double crease_width = 1e-9;

enum { QUARTER = 4, AROUND = 4 * QUARTER, NARROWINGS = 60 };

/* A direction on a crease: cosine and sine of its angle from u. */
struct turned {
	double x, y;
};

/* A crease: n = middle + x u + y v. */
struct circle {
	struct d3_vec_d middle, u, v; /* middle = along * axis; |u| = |v| = sqrt(1 - along^2) */
};

/* Sets the core's crease: its axis in A's frame, and n . axis. False: the core has no crease. */
static bool core_crease(const struct d3_core *core, struct d3_crease *out)
{
	const struct d3_proxy *proxy = core->proxy;
	double r = proxy->half.x, h = 2 * proxy->half.y;
	out->axis = core->transform.q.y;
	out->along = 0;
	if (proxy->type == D3_PROXY_POINTS && proxy->count == 2) {
		const struct d3_vec *points = d3_proxy_points(proxy);
		struct d3_vec_d delta = d3_turn_d(&core->transform.q, d3_sub_d(d3_widen(points[1]), d3_widen(points[0])));
		double length = d3_length_d(delta);
		out->axis = d3_scale_d(length > 0 ? 1 / length : 0, delta);
		return length > 0;
	}
	if (proxy->type == D3_PROXY_CONE)
		out->along = r / sqrt(r * r + h * h);
	else if (proxy->type == D3_PROXY_TAPERED)
		out->along = r / h;
	return proxy->type == D3_PROXY_CYLINDER || proxy->type == D3_PROXY_CONE || proxy->type == D3_PROXY_TAPERED;
}

void d3_find_creases(const struct d3_difference *difference, struct d3_creases *out)
{
	out->count = 0;
	if (core_crease(&difference->a, &out->of[0])) {
		out->of[0].along = -out->of[0].along; /* M contains -A */
		out->count = 1;
	}
	if (core_crease(&difference->b, &out->of[out->count]))
		++out->count;
}

/* Writes the apex, the end points or the ball centres of the core, in A's frame, and returns their number; 0 for cylinders,
 * ellipsoids and cores of more than two points. */
static int round_ends(const struct d3_core *core, struct d3_vec_d out[2])
{
	const struct d3_proxy *proxy = core->proxy;
	struct d3_vec_d top = {0, proxy->half.y, 0};
	int count = proxy->type == D3_PROXY_TAPERED ? 2 : proxy->type == D3_PROXY_CONE ? 1 : 0;
	out[0] = top;
	out[1] = d3_neg_d(top);
	if (proxy->type == D3_PROXY_POINTS && proxy->count <= 2) {
		count = (int)proxy->count;
		for (int i = 0; i < count; ++i)
			out[i] = d3_widen(d3_proxy_points(proxy)[i]);
	}
	for (int i = 0; i < count; ++i)
		out[i] = d3_transform_point_d(&core->transform, out[i]);
	return count;
}

/* Whether the core's support point along n, off its creases, is on a ball or a vertex. */
static bool is_round(const struct d3_core *core, struct d3_vec_d n)
{
	const struct d3_proxy *proxy = core->proxy;
	struct d3_crease crease;
	return proxy->type == D3_PROXY_TAPERED || (proxy->type == D3_PROXY_POINTS && proxy->count <= 2) ||
		(proxy->type == D3_PROXY_CONE && core_crease(core, &crease) && d3_dot_d(n, crease.axis) > crease.along);
}

static struct d3_vec_d direction(const struct circle *circle, struct turned at)
{
	return d3_mul_add_d(d3_mul_add_d(circle->middle, at.x, circle->u), at.y, circle->v);
}

static double slope(const struct d3_difference *difference, const struct circle *circle, struct turned at)
{
	struct d3_vertex vertex;
	d3_difference_support(difference, direction(circle, at), &vertex);
	return at.x * d3_dot_d(vertex.w, circle->v) - at.y * d3_dot_d(vertex.w, circle->u);
}

static struct turned between(struct turned low, double part_low, struct turned high, double part_high)
{
	double x = part_low * low.x + part_high * high.x, y = part_low * low.y + part_high * high.y, length = sqrt(x * x + y * y);
	return (struct turned){x / length, y / length};
}

/* Finds a minimum of h on the crease: the zero of its slope between `low`, where the slope is < 0, and `high`. Uses the
 * Illinois method: secants, with the slope at an end halved each time that end stays. */
static struct turned find_least(const struct d3_difference *difference, const struct circle *circle, struct turned low,
	double at_low, struct turned high, double at_high)
{
	for (int i = 0; i < NARROWINGS; ++i) {
		struct turned middle = between(low, at_high, high, -at_low);
		double at_middle = slope(difference, circle, middle);
		if (fabs(at_middle) <= 1e-16 * difference->scale || fabs(high.x - low.x) + fabs(high.y - low.y) <= 1e-15)
			return middle;
		if (at_middle < 0) {
			low = middle;
			at_low = at_middle;
			at_high *= 0.5;
		} else {
			high = middle;
			at_high = at_middle;
			at_low *= 0.5;
		}
	}
	return between(low, 1, high, 1);
}

static void keep_lower(const struct d3_difference *difference, struct d3_vec_d n, struct d3_depth *best)
{
	d3_depth_keep(best, d3_difference_width(difference, n), n);
}

static void lowest_of_crease(const struct d3_difference *difference, const struct d3_crease *crease, struct d3_depth *best)
{
	static const struct turned first[QUARTER] = {{1, 0}, {0.9238795325112867, 0.3826834323650898},
		{0.7071067811865476, 0.7071067811865476}, {0.3826834323650898, 0.9238795325112867}};
	double s = sqrt(max_d(0, (1 - crease->along) * (1 + crease->along))), slopes[AROUND];
	struct d3_vec_d across = d3_across_d(crease->axis);
	struct circle circle = {
		d3_scale_d(crease->along, crease->axis), d3_scale_d(s, across), d3_scale_d(s, d3_cross_d(crease->axis, across))};
	struct turned at[AROUND];
	for (int i = 0; i < AROUND; ++i) {
		struct turned quarter = i < QUARTER ? first[i] : at[i - QUARTER];
		at[i] = i < QUARTER ? quarter : (struct turned){-quarter.y, quarter.x};
		slopes[i] = slope(difference, &circle, at[i]);
	}
	for (int i = 0; i < AROUND; ++i) {
		int next = (i + 1) % AROUND;
		if (slopes[i] < 0 && slopes[next] >= 0)
			keep_lower(difference,
				direction(&circle, find_least(difference, &circle, at[i], slopes[i], at[next], slopes[next])), best);
	}
}

void d3_creases_lowest(const struct d3_difference *difference, const struct d3_creases *creases, struct d3_depth *best)
{
	struct d3_vec_d ends_a[2], ends_b[2];
	int count_a = round_ends(&difference->a, ends_a), count_b = round_ends(&difference->b, ends_b);
	for (int i = 0; i < creases->count; ++i) {
		keep_lower(difference, creases->of[i].axis, best);
		keep_lower(difference, d3_neg_d(creases->of[i].axis), best);
		lowest_of_crease(difference, &creases->of[i], best);
	}
	for (int i = 0; i < count_a; ++i) {
		for (int k = 0; k < count_b; ++k) {
			struct d3_vec_d delta = d3_sub_d(ends_a[i], ends_b[k]);
			double length = d3_length_d(delta);
			if (length > 0)
				keep_lower(difference, d3_scale_d(1 / length, delta), best);
		}
	}
}

bool d3_creases_cover(const struct d3_difference *difference, const struct d3_creases *creases, struct d3_vec_d n)
{
	for (int i = 0; i < creases->count; ++i)
		if (fabs(d3_dot_d(n, creases->of[i].axis) - creases->of[i].along) < crease_width)
			return true;
	return creases->count > 0 && is_round(&difference->a, d3_neg_d(n)) && is_round(&difference->b, n);
}
