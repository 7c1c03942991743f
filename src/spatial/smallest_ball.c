/* smallest_ball.c - the smallest enclosing ball, as a linear program: the ball of a few supporting points takes in the point
 * farthest outside of it, until none is outside. Each ball is larger than the one before, so it ends; a pass takes linear time,
 * and there are seldom more than 20.
 * Sources: Sharir and Welzl, "A Combinatorial Bound for Linear Programming and Related Problems", 1992; Gaertner, "Fast and
 * Robust Smallest Enclosing Balls", 1999, for the choice of the farthest point. */
#include "spatial/smallest_ball.h"
#include "base/scalar.h"
#include "spatial/axes.h"

#include <string.h>

enum { MOST = AXES_MAX + 2 }; /* support points, and the one to take in */

struct ball {
	double centre[AXES_MAX], square; /* square of the radius */
	const double *support[MOST];
	uint32_t count;
};

static double distance_square(int axes, const double *a, const double *b)
{
	double between[AXES_MAX];
	for (int i = 0; i < axes; ++i)
		between[i] = b[i] - a[i];
	return axes_dot(axes, between, between);
}

/* The point at equal distances from all of these, in the flat that they span. From point to point the centre moves
 * perpendicularly to the flat so far. False: the points do not span one dimension each. */
static bool circumcentre(int axes, const double *const *points, uint32_t count, double *centre)
{
	double basis[AXES_MAX][AXES_MAX], at[AXES_MAX] = {0}; /* at: relative to the first point, as `to` */
	for (uint32_t k = 1; k < count; ++k) {
		double to[AXES_MAX], *across = basis[k - 1];
		for (int i = 0; i < axes; ++i)
			across[i] = to[i] = points[k][i] - points[0][i];
		for (uint32_t pass = 0; pass < 2; ++pass)
			for (uint32_t b = 0; b + 1 < k; ++b) {
				double part = axes_dot(axes, across, basis[b]);
				for (int i = 0; i < axes; ++i)
					across[i] -= part * basis[b][i];
			}
		double height = axes_length(axes, across), length = axes_length(axes, to);
		if (!(height > 1e-12 * length))
			return false;
		for (int i = 0; i < axes; ++i)
			across[i] /= height;
		double step = (0.5 * length * length - axes_dot(axes, to, at)) / axes_dot(axes, to, across);
		for (int i = 0; i < axes; ++i)
			at[i] += step * across[i];
	}
	for (int i = 0; i < axes; ++i)
		centre[i] = points[0][i] + at[i];
	return true;
}

/* Enlarges the ball to the smallest one around its support and the point. The point supports the new ball: of the circumspheres
 * of the sets that contain it, the new ball is the one that is smallest when widened to all these points. False: it would not
 * be larger, as far as rounding tells. */
static bool take_in(int axes, struct ball *ball, const double *point)
{
	struct ball best = {.square = INFINITY};
	for (uint32_t set = 0; set < 1u << ball->count; ++set) {
		struct ball next = {.support = {point}, .count = 1};
		for (uint32_t i = 0; i < ball->count; ++i)
			if (set >> i & 1)
				next.support[next.count++] = ball->support[i];
		if (next.count > (uint32_t)axes + 1 || !circumcentre(axes, next.support, next.count, next.centre))
			continue;
		next.square = distance_square(axes, next.centre, point);
		for (uint32_t i = 0; i < ball->count; ++i)
			next.square = max_d(next.square, distance_square(axes, next.centre, ball->support[i]));
		if (next.square < best.square)
			best = next;
	}
	if (!(best.square > ball->square))
		return false;
	*ball = best;
	return true;
}

double smallest_ball(int axes, const double *points, uint32_t count, double *centre)
{
	struct ball ball = {.support = {points}, .count = 1};
	double square;
	memcpy(ball.centre, points, (size_t)axes * sizeof *points);
	for (;;) {
		uint32_t farthest = 0;
		square = 0;
		for (uint32_t i = 0; i < count; ++i) {
			double d = distance_square(axes, ball.centre, points + (size_t)axes * i);
			if (d > square) {
				square = d;
				farthest = i;
			}
		}
		if (!(square > ball.square * (1 + 1e-12)) || !take_in(axes, &ball, points + (size_t)axes * farthest))
			break;
	}
	memcpy(centre, ball.centre, (size_t)axes * sizeof *centre);
	return sqrt(square);
}
