/* penetration_tapered.c - the signed distance of two tapered capsules, or of a tapered capsule and a capsule, in closed form.
 * Each is the union of the balls along its axis, whose radii change linearly. The signed distance is the least of
 *   f(s, t) = |d| - r - q,  d = d0 + t v - s u,  r = r0 + s r', q = q0 + t q',  0 <= s, t <= 1
 *   u, v    the axes, from the first end to the second [length];  d0  from A's first end to B's [length]
 *   r', q'  growth of the radii along the whole axes [length]
 * f is convex. Where its derivatives are 0 the unit vector n = d / |d| has n . u = -r' and n . v = q', a constant angle to
 * either axis. This gives n without s and t, except for the sign of n . (u x v). s and t follow from d0 . (u x v) = |d| n . (u
 * x v). If s or t is outside 0..1, the minimum is at an end of an axis on that side, since f is convex, and f is minimized over
 * the other variable. While |d| > 0, the least f is the penetration, too: by duality it is the greatest, over all n of length
 * <= 1, of the least n . d - r - q over s and t, and that n has length 1.
 * Source: Ericson, "Real-Time Collision Detection", 2005, 5.1.9, for capsules. */
#include "d3/query/capsules.h"

/* Axes whose angle's squared sine is below this count as parallel: the least f is searched at the ends only. This is exact for
 * parallel axes; for nearly parallel ones f is too great by at most 1e-14 length^2 / |d|. */
static const double parallel_square = 1e-14;
/* Below this squared sine GJK is used: n would have a relative error above 1e-16 / 1e-4. */
static const double doubt_square = 1e-4;
/* Below this distance of the balls' centres, relative to the coordinates, rounding gives their direction a relative error above
 * 1e-16 / 1e-3. */
static const double near_tolerance = 1e-3;

struct taper {
	struct d3_vec_d p, delta; /* the first end, and the vector from it to the second */
	double square, radius, growth; /* square of delta; radius at the first end, and its growth to the second */
};

struct tapers {
	struct taper a, b;
	struct d3_vec_d between; /* d0 */
	double near; /* near_tolerance times the coordinates [length] */
	double uv, ud, vd; /* dot products of u, v and d0 */
};

/* The least f found. */
struct least {
	double f, distance, s, t;
	struct d3_vec_d normal;
};

static bool is_taper(const struct d3_proxy *proxy, struct taper *out)
{
	if (proxy->type == D3_PROXY_TAPERED) {
		struct d3_vec_d axis = proxy->frame.q.y;
		struct d3_vec_d p = d3_mul_add_d(proxy->frame.p, -proxy->half.y, axis), delta = d3_scale_d(2 * proxy->half.y, axis);
		*out = (struct taper){p, delta, d3_dot_d(delta, delta), proxy->radius + proxy->half.x, -proxy->half.x};
	} else if (proxy->type == D3_PROXY_POINTS && proxy->count == 2) {
		struct d3_capsule_core core = d3_capsule_core_make(d3_proxy_points(proxy), 2, proxy->radius);
		*out = (struct taper){core.p, core.delta, core.square, core.radius, 0};
	} else {
		return false;
	}
	return out->square > out->growth * out->growth;
}

enum { START_OF_A = 1, END_OF_A = 2, START_OF_B = 4, END_OF_B = 8, ALL_ENDS = 15 };

static void consider(const struct tapers *tapers, double s, double t, struct least *best)
{
	const struct taper *a = &tapers->a, *b = &tapers->b;
	struct d3_vec_d d = d3_sub_d(d3_mul_add_d(tapers->between, t, b->delta), d3_scale_d(s, a->delta));
	double distance = d3_length_d(d), f = distance - (a->radius + s * a->growth) - (b->radius + t * b->growth);
	if (f < best->f)
		*best = (struct least){f, distance, s, t, d3_scale_d(1 / distance, d)};
}

/* Finds the stationary point of f. Returns the axis ends that may hold the minimum; 0: it is inside both axes, and in *best. */
static unsigned find_middle(const struct tapers *tapers, double sine, struct least *best)
{
	const struct taper *a = &tapers->a, *b = &tapers->b;
	double uu = a->square, vv = b->square, uv = tapers->uv;
	/* n = x u + y v + z (u x v) */
	double x = -(a->growth * vv + b->growth * uv) / sine, y = (b->growth * uu + a->growth * uv) / sine;
	double left = 1 - (b->growth * y - a->growth * x);
	if (!(left > 0))
		return ALL_ENDS;
	struct d3_vec_d cross = d3_cross_d(a->delta, b->delta);
	double along = d3_dot_d(cross, tapers->between);
	double z = (along < 0 ? -1 : 1) * sqrt(left / sine);
	double distance = along / (z * sine);
	double of_u = tapers->ud + distance * a->growth, of_v = tapers->vd - distance * b->growth;
	double s = (of_u * vv - of_v * uv) / sine, t = (of_u * uv - of_v * uu) / sine;
	unsigned ends = (s < 0 ? START_OF_A : s > 1 ? END_OF_A : 0) | (t < 0 ? START_OF_B : t > 1 ? END_OF_B : 0);
	if (ends == 0 && distance > tapers->near) {
		consider(tapers, s, t, best);
	} else if (ends == 0) {
		struct d3_vec_d n = d3_add_d(d3_add_d(d3_scale_d(x, a->delta), d3_scale_d(y, b->delta)), d3_scale_d(z, cross));
		*best = (struct least){distance - (a->radius + s * a->growth) - (b->radius + t * b->growth), distance, s, t, n};
	}
	return ends;
}

/* The fraction along the axis of the ball nearest to a point; `from` leads from the point to the first end. */
static double nearest_part(const struct taper *taper, struct d3_vec_d from)
{
	struct d3_vec_d aside = d3_cross_d(taper->delta, from);
	double steep = taper->square - taper->growth * taper->growth;
	return clamp_d((taper->growth * sqrt(d3_dot_d(aside, aside) / steep) - d3_dot_d(taper->delta, from)) / taper->square, 0, 1);
}

static void find_at_ends(const struct tapers *tapers, unsigned ends, struct least *best)
{
	struct d3_vec_d back = d3_neg_d(tapers->between);
	for (int end = 0; end < 2; ++end) {
		if (ends & (end ? END_OF_A : START_OF_A))
			consider(tapers, end, nearest_part(&tapers->b, d3_mul_add_d(tapers->between, -end, tapers->a.delta)), best);
		if (ends & (end ? END_OF_B : START_OF_B))
			consider(tapers, nearest_part(&tapers->a, d3_mul_add_d(back, -end, tapers->b.delta)), end, best);
	}
}

bool d3_tapered_separation(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out)
{
	struct tapers tapers;
	struct least least = {.f = INFINITY};
	if ((a->type != D3_PROXY_TAPERED && b->type != D3_PROXY_TAPERED) || !is_taper(a, &tapers.a) || !is_taper(b, &tapers.b))
		return false;
	tapers.b.p = d3_transform_point_d(b_in_a, tapers.b.p);
	tapers.b.delta = d3_turn_d(&b_in_a->q, tapers.b.delta);
	tapers.between = d3_sub_d(tapers.b.p, tapers.a.p);
	tapers.uv = d3_dot_d(tapers.a.delta, tapers.b.delta);
	tapers.ud = d3_dot_d(tapers.a.delta, tapers.between);
	tapers.vd = d3_dot_d(tapers.b.delta, tapers.between);
	tapers.near = near_tolerance *
		(sqrt(d3_dot_d(tapers.between, tapers.between) + tapers.a.square + tapers.b.square) + tapers.a.radius +
			tapers.b.radius);
	/* sine: the square of u x v, with a relative rounding error of at most 1e-16 / doubt_square where it is used. */
	double both = tapers.a.square * tapers.b.square, sine = both - tapers.uv * tapers.uv;
	if (!(sine > doubt_square * both) && sine > parallel_square * both)
		return false;
	unsigned ends = sine > doubt_square * both ? find_middle(&tapers, sine, &least) : ALL_ENDS;
	if (ends != 0)
		find_at_ends(&tapers, ends, &least);
	if (ends != 0 && !(least.distance > tapers.near))
		return false;
	struct d3_vec_d n = least.normal, ball = d3_mul_add_d(tapers.a.p, least.s, tapers.a.delta);
	struct d3_vec_d point_a = d3_mul_add_d(ball, tapers.a.radius + least.s * tapers.a.growth, n);
	*out = (struct d3_separation){least.f, n, point_a, d3_mul_add_d(point_a, least.f, n), 0};
	return true;
}
