/* simplify.c - outlines of fewer points: see decompose.h.
** Sources: Ramer, "An iterative procedure for the polygonal approximation of plane curves", 1972; Douglas and Peucker, "Algorithms
** for the reduction of the number of points required to represent a digitized line", 1973.
** Floor: d2. Pure, any thread. */
#include "base/axes.h"
#include "d2/decompose.h"

/* From the segment, not from its line: beyond an end the line is near where the segment is not. */
static double distance_squared(const double *p, const double *a, const double *b)
{
	double at[2], weights[2];
	return axes_closest_on_segment(2, p, a, b, at, weights);
}

/* The point between `from` and `to`, cyclically, that is farthest from the segment of the two; its distance squared in *most. */
static uint32_t farthest(const double *points, uint32_t count, uint32_t from, uint32_t to, double *most)
{
	uint32_t best = from;
	*most = -1;
	for (uint32_t i = (from + 1) % count; i != to; i = (i + 1) % count) {
		double d = distance_squared(points + 2 * i, points + 2 * from, points + 2 * to);
		if (d > *most) {
			*most = d;
			best = i;
		}
	}
	return best;
}

/* Each part of the line either is near its own chord, or is cut in two where it is farthest from it. */
static uint32_t refine(const double *points, uint32_t count, double tolerance, uint32_t from, uint32_t to, uint32_t *stack, bool *keep)
{
	uint32_t depth = 0, kept = 0;
	stack[depth++] = from;
	stack[depth++] = to;
	while (depth > 0) {
		double most;
		to = stack[--depth];
		from = stack[--depth];
		uint32_t at = farthest(points, count, from, to, &most);
		if (most <= tolerance * tolerance)
			continue;
		keep[at] = true;
		++kept;
		stack[depth++] = from;
		stack[depth++] = at;
		stack[depth++] = at;
		stack[depth++] = to;
	}
	return kept;
}

/* Where a loop has shrunk to two points it gets back the one that is farthest from them; then the points around that one have new
** segments to be near to. */
static uint32_t widen(const double *points, uint32_t count, double tolerance, uint32_t a, uint32_t b, uint32_t *stack, bool *keep)
{
	double one, other;
	uint32_t at = farthest(points, count, a, b, &one), opposite = farthest(points, count, b, a, &other);
	if (!(max_d(one, other) > 0))
		return 0;
	if (other > one) {
		uint32_t swapped = a;
		a = b;
		b = swapped;
		at = opposite;
	}
	keep[at] = true;
	return 1 + refine(points, count, tolerance, a, at, stack, keep) + refine(points, count, tolerance, at, b, stack, keep);
}

uint32_t d2_simplify(const double *points, uint32_t count, double tolerance, bool loop, uint32_t *space, bool *keep)
{
	for (uint32_t i = 0; i < count; ++i)
		keep[i] = false;
	if (count < 3) {
		for (uint32_t i = 0; i < count; ++i)
			keep[i] = true;
		return count;
	}
	uint32_t a = 0, b = count - 1;
	if (loop) {
		/* Two points that any simplification of it would keep: the leftmost, and the one farthest from that. */
		for (uint32_t i = 1; i < count; ++i)
			if (points[2 * i] < points[2 * a] || (points[2 * i] == points[2 * a] && points[2 * i + 1] < points[2 * a + 1]))
				a = i;
		double most = -1;
		for (uint32_t i = 0; i < count; ++i) {
			double d = distance_squared(points + 2 * i, points + 2 * a, points + 2 * a);
			if (i != a && d > most) {
				most = d;
				b = i;
			}
		}
	}
	keep[a] = keep[b] = true;
	uint32_t kept = 2 + refine(points, count, tolerance, a, b, space, keep);
	if (loop)
		kept += refine(points, count, tolerance, b, a, space, keep);
	if (loop && kept == 2)
		kept += widen(points, count, tolerance, a, b, space, keep);
	return kept;
}
