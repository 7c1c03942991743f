/* hull.c - the convex hull of spatial/outline.h, with tolerances relative to the size of the input.
 * Pure, any thread. */
#include "d2/shape/hull.h"
#include "base/turn.h"
#include "spatial/outline.h"

#include <assert.h>
#include <stdbool.h>

/* Tolerances relative to the extent (see d2_hull_compute). A float resolves 6e-8: a weld of 1e-5 leaves two digits in the
 * normal of the shortest edge. */
static const double weld_tolerance = 1e-5;
static const double corner_tolerance = 1e-6;
static const double width_tolerance = 1e-5;

static double extent_of(const struct d2_vec *points, uint32_t count)
{
	double extent = 0;
	for (uint32_t i = 1; i < count; ++i) {
		struct d2_vec_d delta = d2_sub_d(d2_widen(points[i]), d2_widen(points[0]));
		extent = max_d(extent, max_d(abs_d(delta.x), abs_d(delta.y)));
	}
	return extent;
}

static bool comes_before(struct d2_vec_d p, struct d2_vec_d q)
{
	return p.x != q.x ? p.x < q.x : p.y < q.y;
}

/* Copies to `sorted`, in order of x, then y, each point farther than `weld` from all copied before. Returns their number. */
static uint32_t sort_and_weld(const struct d2_vec *points, uint32_t count, double weld, struct d2_vec_d *sorted)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < count; ++i) {
		struct d2_vec_d p = d2_widen(points[i]);
		bool known = false;
		for (uint32_t k = 0; k < kept && !known; ++k) {
			struct d2_vec_d between = d2_sub_d(p, sorted[k]);
			known = d2_dot_d(between, between) <= weld * weld;
		}
		if (known)
			continue;
		uint32_t at = kept++;
		for (; at > 0 && comes_before(p, sorted[at - 1]); --at)
			sorted[at] = sorted[at - 1];
		sorted[at] = p;
	}
	return kept;
}

/* Twice the signed area of the triangle: positive when c is to the left of the line from a to b. */
static double turn(struct d2_vec_d a, struct d2_vec_d b, struct d2_vec_d c)
{
	return d2_cross_d(d2_sub_d(b, a), d2_sub_d(c, a));
}

/* Drops points strictly within a box inside the hull, which are no corners. Of the points farthest along the four diagonals,
 * each is beyond one of the box's corners on both axes: two of them bound each of its sides. Returns how many are left. */
static uint32_t drop_inner(struct d2_vec_d *points, uint32_t count)
{
	struct d2_vec_d p00 = points[0], p10 = p00, p11 = p00, p01 = p00; /* lower left, lower right, upper right, upper left */
	for (uint32_t i = 1; i < count; ++i) {
		struct d2_vec_d p = points[i];
		p00 = p.x + p.y < p00.x + p00.y ? p : p00;
		p11 = p.x + p.y > p11.x + p11.y ? p : p11;
		p10 = p.x - p.y > p10.x - p10.y ? p : p10;
		p01 = p.x - p.y < p01.x - p01.y ? p : p01;
	}
	double left = max_d(p00.x, p01.x), right = min_d(p10.x, p11.x);
	double low = max_d(p00.y, p10.y), high = min_d(p01.y, p11.y);
	uint32_t kept = 0;
	for (uint32_t i = 0; i < count; ++i) {
		struct d2_vec_d p = points[i];
		points[kept] = p;
		kept += !((p.x > left) & (p.x < right) & (p.y > low) & (p.y < high));
	}
	return kept;
}

uint32_t d2_hull_corners(struct d2_vec_d *points, uint32_t count, struct d2_vec_d *out)
{
	assert(count > 0);
	count = drop_inner(points, count);
	return outline_hull((double(*)[2])points, count, (double(*)[2])out);
}

/* Drops, one by one, corners at most `height` [length] outside the line through their neighbours. Returns how many are left. */
static uint32_t drop_flat_corners(struct d2_vec_d *hull, uint32_t count, double height)
{
	for (uint32_t i = 0; i < count && count >= 3;) {
		struct d2_vec_d before = hull[i > 0 ? i - 1 : count - 1], after = hull[i + 1 < count ? i + 1 : 0];
		if (turn(before, hull[i], after) > height * d2_length_d(d2_sub_d(after, before))) {
			++i;
			continue;
		}
		--count;
		for (uint32_t k = i; k < count; ++k)
			hull[k] = hull[k + 1];
		i = i > 0 ? i - 1 : 0;
	}
	return count;
}

/* The least width of a convex polygon, which is the least of its widths perpendicular to its edges. */
static double least_width(const struct d2_vec_d *hull, uint32_t count)
{
	double least = INFINITY;
	struct d2_vec_d p = hull[count - 1];
	for (uint32_t i = 0; i < count; ++i) {
		struct d2_vec_d q = hull[i];
		double across = 0;
		for (uint32_t k = 0; k < count; ++k)
			across = max_d(across, turn(p, q, hull[k]));
		least = min_d(least, across / d2_length_d(d2_sub_d(q, p)));
		p = q;
	}
	return least;
}

/* Copies the points if they are the hull as it is: corners that go around once, to the left, none flat nor within `weld` of the
 * next; from the first one in order of x, then y, on. Returns their number, or 0. Corners that all turn left go around as often
 * as there are local minima in this order. */
static uint32_t copy_outline(const struct d2_vec *points, uint32_t count, double weld, double height, struct d2_vec_d *out)
{
	uint32_t minima = 0, first = 0;
	for (uint32_t i = 0; i < count; ++i) {
		struct d2_vec_d before = d2_widen(points[i > 0 ? i - 1 : count - 1]), here = d2_widen(points[i]);
		struct d2_vec_d after = d2_widen(points[i + 1 < count ? i + 1 : 0]);
		struct d2_vec_d edge = d2_sub_d(after, here), chord = d2_sub_d(after, before);
		double left = turn(before, here, after);
		if (d2_dot_d(edge, edge) <= weld * weld || !(left > 0) || left * left <= height * height * d2_dot_d(chord, chord))
			return 0;
		if (comes_before(here, before) && comes_before(here, after)) {
			++minima;
			first = i;
		}
	}
	for (uint32_t i = 0; i < count; ++i)
		out[i] = d2_widen(points[(first + i) % count]);
	return minima == 1 ? count : 0;
}

enum d2_hull_result d2_hull_compute(const struct d2_vec *points, uint32_t count, struct d2_vec *out, uint32_t *out_count)
{
	assert(count <= D2_HULL_MAX);
	struct d2_vec_d sorted[D2_HULL_MAX], hull[D2_HULL_MAX + 1];
	double extent = extent_of(points, count);
	uint32_t n = copy_outline(points, count, weld_tolerance * extent, corner_tolerance * extent, hull);
	if (n == 0) {
		n = sort_and_weld(points, count, weld_tolerance * extent, sorted);
		if (n < 3)
			return D2_HULL_TOO_FEW;
		n = outline_chain((const double(*)[2])sorted, n, (double(*)[2])hull);
		n = n < 3 ? n : drop_flat_corners(hull, n, corner_tolerance * extent);
	}
	if (n < 3 || least_width(hull, n) < width_tolerance * extent)
		return D2_HULL_DEGENERATE;
	for (uint32_t i = 0; i < n; ++i)
		out[i] = d2_narrow(hull[i]);
	*out_count = n;
	return D2_HULL_OK;
}

/* Corners that all turn left go around as often as there are local minima in the order of x, then y. The extent is at most
 * twice that of the points of which they are the hull. */
bool d2_hull_is(const struct d2_vec *points, uint32_t count)
{
	struct d2_vec_d hull[D2_HULL_MAX];
	uint32_t minima = 0;
	if (count < 3 || count > D2_HULL_MAX)
		return false;
	for (uint32_t i = 0; i < count; ++i)
		hull[i] = d2_widen(points[i]);
	for (uint32_t i = 0; i < count; ++i) {
		struct d2_vec_d before = hull[(i + count - 1) % count], here = hull[i], after = hull[(i + 1) % count];
		const double a[2] = {before.x, before.y}, b[2] = {here.x, here.y}, c[2] = {after.x, after.y};
		if (turn_exact(a, b, c) <= 0)
			return false;
		minima += comes_before(here, before) && comes_before(here, after);
	}
	return minima == 1 && least_width(hull, count) >= 0.25 * width_tolerance * extent_of(points, count);
}
