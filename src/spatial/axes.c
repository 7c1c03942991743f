/* axes.c - see axes.h. */
#include "spatial/axes.h"
#include "base/scalar.h"

#include <math.h>
#include <string.h>

/* --- Small things --------------------------------------------------------------------------------------------------------- */

double axes_dot(int axes, const double *a, const double *b)
{
	double sum = a[0] * b[0] + a[1] * b[1];
	return axes == 3 ? sum + a[2] * b[2] : sum;
}

double axes_length(int axes, const double *a)
{
	return sqrt(axes_dot(axes, a, a));
}

static void subtract(int axes, const double *a, const double *b, double *out)
{
	for (int i = 0; i < axes; ++i)
		out[i] = a[i] - b[i];
}

static void copy(int axes, const double *from, double *to)
{
	memcpy(to, from, (size_t)axes * sizeof *to);
}

/* out = a + s b; out may be a or b. */
static void combine(int axes, const double *a, double s, const double *b, double *out)
{
	for (int i = 0; i < axes; ++i)
		out[i] = a[i] + s * b[i];
}

/* The components of a ^ b, which are the signed areas of its projections onto the coordinate planes. In 2D only the first is
 * not 0. */
static void wedge(int axes, const double *a, const double *b, double out[3])
{
	out[0] = a[0] * b[1] - a[1] * b[0];
	out[1] = axes == 3 ? a[1] * b[2] - a[2] * b[1] : 0;
	out[2] = axes == 3 ? a[2] * b[0] - a[0] * b[2] : 0;
}

bool axes_normalize(int axes, const double *a, double *out)
{
	double most = 0;
	for (int i = 0; i < axes; ++i)
		most = max_d(most, abs_d(a[i]));
	if (!(most > 1e-300))
		return false;
	double scaled[AXES_MAX] = {0};
	for (int i = 0; i < axes; ++i)
		scaled[i] = most < 1e-100 || most > 1e100 ? a[i] / most : a[i];
	double length = axes_length(axes, scaled);
	for (int i = 0; i < axes; ++i)
		out[i] = scaled[i] / length;
	return true;
}

/* b^2 - 4ac, accurate to two units in the last place: the products' rounding errors correct the cancellation. */
static double discriminant(double a, double b, double c)
{
	double p = b * b, q = 4 * a * c;
	if (3 * abs_d(p - q) >= p + q)
		return p - q;
	return (p - q) + (scalar_product_error(b, b, p) - scalar_product_error(4 * a, c, q));
}

static int exponent_of(double x)
{
	int exponent = 0;
	frexp(x, &exponent);
	return exponent;
}

int axes_quadratic(double a, double b, double c, double roots[2])
{
	if (a == 0) {
		if (b == 0)
			return 0;
		roots[0] = roots[1] = -c / b + 0.0;
		return 1;
	}
	/* x = 2^k y makes a and c similar in size; then all three are scaled to below 1. Scaling by powers of two does not
	 * round. */
	int k = c == 0 ? 0 : (exponent_of(c) - exponent_of(a)) / 2;
	int ea = exponent_of(a) + 2 * k, eb = b == 0 ? -5000 : exponent_of(b) + k, ec = c == 0 ? -5000 : exponent_of(c);
	int most = ea > eb ? ea : eb;
	most = ec > most ? ec : most;
	a = ldexp(a, 2 * k - most), b = ldexp(b, k - most), c = ldexp(c, -most);
	double d = discriminant(a, b, c);
	if (d < 0)
		return 0;
	/* q = -(b + sign(b) sqrt d) / 2 adds terms of the same sign; the roots are q / a and c / q. */
	double q = b < 0 ? (sqrt(d) - b) / 2 : -(b + sqrt(d)) / 2;
	double one = q / a, other = q == 0 ? 0 : c / q;
	double low = ldexp(min_d(one, other), k) + 0.0, high = ldexp(max_d(one, other), k) + 0.0;
	/* With a tiny a one root overflows. It is left out. */
	roots[0] = is_finite_d(low) ? low : high;
	roots[1] = is_finite_d(high) ? high : low;
	return is_finite_d(low) + is_finite_d(high);
}

/* --- Sweeps --------------------------------------------------------------------------------------------------------------- */

static void axis_normal(int axes, int axis, bool negative, double *out)
{
	for (int i = 0; i < axes; ++i)
		out[i] = i != axis ? 0 : negative ? -1 : 1;
}

/* p, v: B's centre and motion relative to A. |p + u v|^2 = r^2 is a u^2 + 2 h u + c = 0 with a = v.v, h = p.v, c = p.p - r^2.
 * Gomez's listing reports a hit for any real root, even before the start or after the end, and divides by a = 0. Here an
 * overlap at the start and a separating motion are decided first, a root after the end is refused, and neither root subtracts
 * two large numbers. */
bool axes_sphere_sweep(int axes, const double *a0, const double *a1, double radius_a, const double *b0, const double *b1,
	double radius_b, struct axes_sweep *out)
{
	double p[AXES_MAX] = {0}, v[AXES_MAX] = {0}, r = radius_a + radius_b;
	for (int i = 0; i < axes; ++i) {
		p[i] = b0[i] - a0[i];
		v[i] = (b1[i] - b0[i]) - (a1[i] - a0[i]);
	}
	double a = axes_dot(axes, v, v), h = axes_dot(axes, p, v), c = axes_dot(axes, p, p) - r * r;
	if (c <= 0) {
		double root = sqrt(h * h - a * c);
		out->first = 0;
		out->last = a == 0 ? INFINITY : h <= 0 ? (root - h) / a : -c / (h + root) + 0.0;
		if (!axes_normalize(axes, p, out->normal))
			axis_normal(axes, 0, false, out->normal);
		return true;
	}
	double area[3];
	wedge(axes, p, v, area);
	double d = a * (r * r) - axes_dot(3, area, area); /* = h^2 - ac, without the cancellation: |p ^ v|^2 = |p|^2 a - h^2 */
	if (h >= 0 || a == 0 || d < 0)
		return false;
	double root = sqrt(d), first = c / (root - h);
	if (!(first <= 1))
		return false;
	out->first = first;
	out->last = max_d(first, (root - h) / a);
	combine(axes, p, first, v, p);
	if (r == 0 || !axes_normalize(axes, p, out->normal)) {
		axes_normalize(axes, v, out->normal);
		for (int i = 0; i < axes; ++i)
			out->normal[i] = 0.0 - out->normal[i];
	}
	return true;
}

/* p, v: B's centre and motion relative to A, e: the sum of the half sizes, each on one axis. The times u at which p + u v lies
 * in [-e, e] form an interval on each axis. The boxes overlap at the times that are in all of them. On an axis without relative
 * motion they overlap always or never. Gomez's listing omits the second case and reports false hits in a quarter of random
 * cases. */
bool axes_box_sweep(int axes, const double *a0, const double *a1, const double *half_a, const double *b0, const double *b1,
	const double *half_b, struct axes_sweep *out)
{
	double first = -INFINITY, last = INFINITY, least = INFINITY;
	int entry = 0, shallow = 0;
	bool entry_negative = false, shallow_negative = false, overlaps = true;
	for (int i = 0; i < axes; ++i) {
		double p = b0[i] - a0[i], v = (b1[i] - b0[i]) - (a1[i] - a0[i]), e = half_a[i] + half_b[i];
		double from = -INFINITY, to = INFINITY;
		if (v != 0) {
			from = ((v > 0 ? -e : e) - p) / v;
			to = ((v > 0 ? e : -e) - p) / v;
		} else if (abs_d(p) > e) {
			return false;
		}
		if (from > first) {
			first = from;
			entry = i;
			entry_negative = v > 0; /* B comes from below */
		}
		last = min_d(last, to);
		overlaps = overlaps && abs_d(p) <= e;
		if (e - abs_d(p) < least) {
			least = e - abs_d(p);
			shallow = i;
			shallow_negative = p < 0;
		}
	}
	if (overlaps) {
		*out = (struct axes_sweep){.first = 0, .last = max_d(last, 0)};
		axis_normal(axes, shallow, shallow_negative, out->normal);
		return true;
	}
	if (first > last || first > 1 || last < 0 || first < 0)
		return false;
	*out = (struct axes_sweep){.first = first + 0.0, .last = last};
	axis_normal(axes, entry, entry_negative, out->normal);
	return true;
}

/* d0, d1: signed distances of the centre at the start and at the end. Gomez's listing handles only the positive side and misses
 * a contact at the end. */
bool axes_plane_sweep(int axes, const double *c0, const double *c1, double radius, const double *normal, double offset,
	bool half_space, struct axes_plane_hit *out)
{
	double d0 = axes_dot(axes, normal, c0) - offset, d1 = axes_dot(axes, normal, c1) - offset;
	double side = !half_space && d0 < 0 ? -1 : 1;
	double separation = side * d0 - radius, fraction = 0;
	if (separation > 0) {
		if (side * d1 > radius)
			return false;
		fraction = min_d(separation / (side * (d0 - d1)), 1);
	}
	out->fraction = fraction;
	for (int i = 0; i < axes; ++i) {
		out->normal[i] = 0.0 - side * normal[i];
		out->center[i] = fraction == 1 ? c1[i] : c0[i] + fraction * (c1[i] - c0[i]);
	}
	return true;
}

/* --- Boxes ---------------------------------------------------------------------------------------------------------------- */

static void obb_local_direction(int axes, const struct obb *box, const double *direction, double *out)
{
	for (int i = 0; i < axes; ++i)
		out[i] = axes_dot(axes, direction, box->axis[i]);
}

void obb_local_point(int axes, const struct obb *box, const double *point, double *out)
{
	double between[AXES_MAX] = {0};
	subtract(axes, point, box->center, between);
	obb_local_direction(axes, box, between, out);
}

static void world_direction(int axes, const struct obb *box, const double *local, double *out)
{
	for (int i = 0; i < axes; ++i)
		out[i] = 0;
	for (int k = 0; k < axes; ++k)
		combine(axes, out, local[k], box->axis[k], out);
}

static void world_point(int axes, const struct obb *box, const double *local, double *out)
{
	double direction[AXES_MAX] = {0};
	world_direction(axes, box, local, direction);
	for (int i = 0; i < axes; ++i)
		out[i] = box->center[i] + direction[i];
}

/* The sum of half_i |axis_i . direction| (Gomez). */
double obb_radius(int axes, const struct obb *box, const double *direction)
{
	double sum = 0;
	for (int i = 0; i < axes; ++i)
		sum += box->half[i] * abs_d(axes_dot(axes, box->axis[i], direction));
	return sum;
}

void obb_bounds(int axes, const struct obb *box, double *half)
{
	for (int k = 0; k < axes; ++k) {
		half[k] = 0;
		for (int i = 0; i < axes; ++i)
			half[k] += box->half[i] * abs_d(box->axis[i][k]);
	}
}

/* Source: Arvo, "A simple method for box-sphere intersection testing", Graphics Gems, 1990. */
double obb_distance_squared(int axes, const struct obb *box, const double *point, double *closest)
{
	double local[AXES_MAX] = {0}, sum = 0;
	obb_local_point(axes, box, point, local);
	for (int i = 0; i < axes; ++i) {
		double out = abs_d(local[i]) - box->half[i];
		if (out > 0) {
			sum += out * out;
			local[i] = local[i] < 0 ? -box->half[i] : box->half[i];
		}
	}
	if (sum > 0)
		world_point(axes, box, local, closest);
	else
		copy(axes, point, closest);
	return sum;
}

/* For a point inside, the vector from the clamped point is 0 and gives neither a normal nor a depth; the nearest face gives
 * both. */
double obb_signed_distance(int axes, const struct obb *box, const double *point, double *closest, double *normal)
{
	double local[AXES_MAX] = {0}, away[AXES_MAX] = {0}, clamped[AXES_MAX] = {0}, most = -INFINITY;
	int face = 0;
	obb_local_point(axes, box, point, local);
	for (int i = 0; i < axes; ++i) {
		clamped[i] = clamp_d(local[i], -box->half[i], box->half[i]);
		away[i] = local[i] - clamped[i];
		if (abs_d(local[i]) - box->half[i] > most) {
			most = abs_d(local[i]) - box->half[i];
			face = i;
		}
	}
	double distance = axes_length(axes, away);
	if (distance > 0) {
		axes_normalize(axes, away, away);
	} else {
		distance = min_d(most, 0);
		axis_normal(axes, face, local[face] < 0, away);
		clamped[face] = local[face] < 0 ? -box->half[face] : box->half[face];
	}
	world_point(axes, box, clamped, closest);
	world_direction(axes, box, away, normal);
	return distance;
}

int obb_separating_face(int axes, const struct obb *a, const struct obb *b)
{
	double between[AXES_MAX] = {0};
	subtract(axes, b->center, a->center, between);
	for (int i = 0; i < axes; ++i)
		if (abs_d(axes_dot(axes, between, a->axis[i])) > a->half[i] + obb_radius(axes, b, a->axis[i]))
			return i + 1;
	for (int i = 0; i < axes; ++i)
		if (abs_d(axes_dot(axes, between, b->axis[i])) > b->half[i] + obb_radius(axes, a, b->axis[i]))
			return axes + i + 1;
	return 0;
}

/* --- Bounds --------------------------------------------------------------------------------------------------------------- */

void obb_swept_bounds(
	int axes, const struct obb *box, const double *motion, double angle, double radius, double *lower, double *upper)
{
	double half[AXES_MAX] = {0};
	obb_bounds(axes, box, half);
	radius = min_d(radius, axes_length(axes, box->half));
	for (int i = 0; i < axes; ++i) {
		double reach = min_d(half[i] + abs_d(angle) * radius, radius);
		double end = box->center[i] + motion[i];
		lower[i] = min_d(box->center[i], end) - reach;
		upper[i] = max_d(box->center[i], end) + reach;
	}
}

/* --- Closest points ------------------------------------------------------------------------------------------------------- */

static double distance_squared(int axes, const double *a, const double *b)
{
	double between[AXES_MAX] = {0};
	subtract(axes, a, b, between);
	return axes_dot(axes, between, between);
}

double axes_closest_on_segment(int axes, const double *p, const double *a, const double *b, double *out, double weights[2])
{
	double delta[AXES_MAX] = {0}, from[AXES_MAX] = {0};
	subtract(axes, b, a, delta);
	subtract(axes, p, a, from);
	double along = axes_dot(axes, from, delta), all = axes_dot(axes, delta, delta);
	double t = all > 0 ? clamp_d(along / all, 0, 1) : 0;
	weights[0] = 1 - t;
	weights[1] = t;
	if (t == 1)
		copy(axes, b, out);
	else
		combine(axes, a, t, delta, out);
	return distance_squared(axes, p, out);
}

/* The result is the closest point of the three sides, unless p's projection onto the triangle's plane is inside and nearer.
 * This needs no tolerance, because rounding errors in a sliver's weights only matter if the result is indeed nearer. The
 * projection's weights are ratios of areas: w_b = (r ^ e2) . (e1 ^ e2) / |e1 ^ e2|^2. */
double axes_closest_on_triangle(
	int axes, const double *p, const double *a, const double *b, const double *c, double *out, double weights[3])
{
	const double *corners[3] = {a, b, c};
	double best = INFINITY;
	for (int i = 0; i < 3; ++i) {
		int j = (i + 1) % 3;
		double at[AXES_MAX] = {0}, w[2], d = axes_closest_on_segment(axes, p, corners[i], corners[j], at, w);
		if (d < best) {
			best = d;
			copy(axes, at, out);
			weights[i] = w[0];
			weights[j] = w[1];
			weights[(i + 2) % 3] = 0;
		}
	}
	double e1[AXES_MAX] = {0}, e2[AXES_MAX] = {0}, r[AXES_MAX] = {0}, area[3] = {0}, part_b[3] = {0}, part_c[3] = {0};
	subtract(axes, b, a, e1);
	subtract(axes, c, a, e2);
	subtract(axes, p, a, r);
	wedge(axes, e1, e2, area);
	wedge(axes, r, e2, part_b);
	wedge(axes, e1, r, part_c);
	double all = axes_dot(3, area, area), wb = axes_dot(3, part_b, area), wc = axes_dot(3, part_c, area);
	if (!(all > 0) || wb < 0 || wc < 0 || wb + wc > all)
		return best;
	double at[AXES_MAX] = {0};
	combine(axes, a, wb / all, e1, at);
	combine(axes, at, wc / all, e2, at);
	double d = distance_squared(axes, p, at);
	if (d >= best)
		return best;
	weights[1] = wb / all;
	weights[2] = wc / all;
	weights[0] = max_d(0, 1 - weights[1] - weights[2]);
	copy(axes, at, out);
	return d;
}

/* --- Sliding -------------------------------------------------------------------------------------------------------------- */

/* Relative tolerance: a motion leads into a plane only if its component along the normal exceeds this fraction of its length.
 * Less is rounding error, also of the cast's normals, and the skin absorbs it. */
static const double into_tolerance = 1e-7;
/* Fraction of the skin: a mover nearer than this to its stopping point is not moved at all. */
static const double rest_tolerance = 1e-3;
/* Length by which a cast reaches beyond the motion, in skins. So the mover stops a whole skin away from walls whose normals are
 * at up to acos(1/8) = 83 degrees to the motion. */
static const double look_ahead = 8;

struct mover {
	int axes;
	double position[AXES_MAX];
	double planes[AXES_SLIDE_PLANES][AXES_MAX]; /* unit normals, from the obstacles to the mover */
	uint32_t count;
	double skin;
	axes_slide_cast *cast;
	void *context;
};

static bool allowed(const struct mover *mover, const double *motion)
{
	double slack = into_tolerance * axes_length(mover->axes, motion);
	for (uint32_t i = 0; i < mover->count; ++i)
		if (axes_dot(mover->axes, motion, mover->planes[i]) < -slack)
			return false;
	return true;
}

/* Takes `candidate` as the best if it leads into no plane and is longer than the best so far: the longer a projection of the
 * motion, the nearer it is to the motion. */
static void consider(const struct mover *mover, const double *candidate, double *best)
{
	if (axes_dot(mover->axes, candidate, candidate) > axes_dot(mover->axes, best, best) && allowed(mover, candidate))
		copy(mover->axes, candidate, best);
}

/* Removes from the motion its component along the normal and, if another normal is given, its component in the span of both:
 * the rest is along the intersection line of the two planes. With two normals nothing remains in 2D, nor if they are parallel
 * to within 1e-6 rad. */
static void project(int axes, const double *motion, const double *normal, const double *other, double *out)
{
	combine(axes, motion, -axes_dot(axes, motion, normal), normal, out);
	if (other == NULL)
		return;
	double across[AXES_MAX] = {0};
	combine(axes, other, -axes_dot(axes, other, normal), normal, across);
	if (axes == 2 || axes_length(axes, across) < 1e-6 || !axes_normalize(axes, across, across))
		memset(out, 0, (size_t)axes * sizeof *out);
	else
		combine(axes, out, -axes_dot(axes, out, across), across, out);
}

/* Replaces the motion by the nearest one that leads into no plane: its projection onto the cone that the planes leave free. The
 * result lies in one plane, on the intersection line of two, or is zero. So it does not depend on the order of the planes, and
 * never leads backwards. Each candidate projects the whole motion: projecting the rest that earlier planes left would zigzag
 * between two planes. A reflected motion would make the mover bounce. */
static void clip(const struct mover *mover, double *motion)
{
	double best[AXES_MAX] = {0}, candidate[AXES_MAX] = {0};
	if (allowed(mover, motion))
		return;
	for (uint32_t i = 0; i < mover->count; ++i) {
		project(mover->axes, motion, mover->planes[i], NULL, candidate);
		consider(mover, candidate, best);
	}
	for (uint32_t i = 0; i < mover->count; ++i)
		for (uint32_t k = i + 1; k < mover->count; ++k) {
			project(mover->axes, motion, mover->planes[i], mover->planes[k], candidate);
			consider(mover, candidate, best);
		}
	if (axes_length(mover->axes, best) < 1e-9 * axes_length(mover->axes, motion))
		memset(best, 0, sizeof best);
	copy(mover->axes, best, motion);
}

/* Moves a mover away from an obstacle that it touches: by one skin along the normal `out`. False: the mover stays, as there is
 * no room or the cast ended the slide. */
static bool lift(struct mover *mover, const double *out)
{
	double motion[AXES_MAX] = {0}, normal[AXES_MAX] = {0}, to[AXES_MAX] = {0}, fraction;
	for (int i = 0; i < mover->axes; ++i)
		motion[i] = 2 * mover->skin * out[i];
	int hit = mover->cast(mover->context, mover->position, motion, &fraction, normal);
	if (hit < 0 || (hit > 0 && axes_dot(mover->axes, normal, out) > into_tolerance))
		return false;
	combine(mover->axes, mover->position, mover->skin, out, to);
	for (int i = 0; i < mover->axes; ++i)
		motion[i] = -mover->skin * out[i];
	hit = mover->cast(mover->context, to, motion, &fraction, normal);
	if (hit < 0 || (hit > 0 && fraction <= 0))
		return false; /* still inside an obstacle */
	copy(mover->axes, to, mover->position);
	return true;
}

/* Adds the plane with the normal `out`. False: the list is full. *again: the list has the plane already. */
static bool add_plane(struct mover *mover, const double *out, bool *again)
{
	*again = false;
	for (uint32_t i = 0; i < mover->count; ++i)
		if (axes_dot(mover->axes, mover->planes[i], out) > 1 - 1e-12) {
			*again = true;
			return true;
		}
	if (mover->count == AXES_SLIDE_PLANES)
		return false;
	copy(mover->axes, out, mover->planes[mover->count++]);
	return true;
}

/* Moves along one straight segment of the path: by velocity * time, or up to an obstacle, along which the new velocity leads.
 * *time: the remaining time, from 1 to 0. Returns whether to continue. */
static bool advance(struct mover *mover, const double *motion, double *velocity, double *time)
{
	int axes = mover->axes;
	double length = axes_length(axes, velocity) * *time, fraction = 0;
	double direction[AXES_MAX] = {0}, look[AXES_MAX] = {0}, normal[AXES_MAX] = {0}, out[AXES_MAX] = {0};
	if (!(length > 0) || !axes_normalize(axes, velocity, direction))
		return false;
	double reach = length + look_ahead * mover->skin;
	for (int i = 0; i < axes; ++i)
		look[i] = reach * direction[i];
	int hit = mover->cast(mover->context, mover->position, look, &fraction, normal);
	if (hit < 0)
		return false;
	double slope = hit ? axes_dot(axes, normal, direction) : 0;
	for (int i = 0; i < axes; ++i)
		out[i] = hit ? -normal[i] : 0;
	/* The mover moves away from the obstacle or along it, so the two touch or nearly touch. A hit beyond the motion is
	 * ignored. */
	if (hit && slope <= into_tolerance) {
		if (fraction * reach < length)
			return lift(mover, out);
		hit = 0;
	}
	/* The distance along the motion at which the wall is one skin away, measured along the wall's normal. */
	double delta = hit ? fraction * reach - mover->skin / slope : length;
	if (delta >= length) {
		combine(axes, mover->position, *time, velocity, mover->position);
		return false;
	}
	if (delta > rest_tolerance * mover->skin) {
		combine(axes, mover->position, delta, direction, mover->position);
		*time *= 1 - delta / length;
	}
	bool again;
	if (!add_plane(mover, out, &again))
		return false;
	copy(axes, motion, velocity);
	clip(mover, velocity);
	if (again) /* by rounding, the motion along this plane leads into it again: a slope of 1 % away from the plane ends that */
		combine(axes, velocity, 0.01 * axes_length(axes, velocity), out, velocity);
	return true;
}

void axes_slide_free(int axes, double *position, double skin, axes_slide_distance *distance_of, void *context)
{
	enum { ROUNDS = 64 }; /* between walls at 30 degrees every second round removes a quarter of the overlap */
	double at[AXES_MAX] = {0}, best = -INFINITY;
	copy(axes, position, at);
	for (int round = 0; round < ROUNDS; ++round) {
		double normal[AXES_MAX] = {0}, distance = distance_of(context, at, normal);
		if (distance > best) {
			best = distance;
			copy(axes, at, position);
		}
		if (distance >= 0.5 * skin)
			return;
		combine(axes, at, distance - skin, normal, at);
	}
}

void axes_slide_move(int axes, struct axes_slide *slide, const double *motion, double skin, uint32_t iterations,
	axes_slide_cast *cast, void *context)
{
	struct mover mover = {.axes = axes, .skin = skin, .cast = cast, .context = context};
	double velocity[AXES_MAX] = {0}, time = 1;
	copy(axes, slide->position, mover.position);
	copy(axes, motion, velocity);
	uint32_t done = 0;
	while (done < iterations && axes_dot(axes, velocity, motion) > 0) {
		++done;
		if (!advance(&mover, motion, velocity, &time))
			break;
	}
	copy(axes, mover.position, slide->position);
	slide->iterations = done;
	slide->planes = mover.count;
}
