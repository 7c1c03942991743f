/* box.h - AABBs of floats, the same in 2D and 3D.
 * Invariant: lower <= upper on every axis; axes that a dimension does not use are 0 in both, so that tests and unions process
 * all four without branches.
 * Boxes are rounded outwards when they are made from doubles (round_down_f, round_up_f), so a box test has false positives but
 * no false negatives.
 * A box_d is an exact box, in doubles. A tree or sort and sweep tests the float box around it first.
 * Pure functions; any thread. */
#pragma once
#include "base/scalar.h"

#include <assert.h>
#include <stdbool.h>

struct box {
	float lower[4], upper[4]; /* [length] */
};

/* Whether two boxes share a point; touching boxes do. Written without a branch so that the compiler can compare four axes at
 * once. */
static inline bool box_overlaps(const struct box *a, const struct box *b)
{
	int apart = 0;
	for (int i = 0; i < 4; ++i)
		apart |= (a->lower[i] > b->upper[i]) | (b->lower[i] > a->upper[i]);
	return !apart;
}

/* The distance that `inner` can move along any one axis and stay within `outer` [length]; < 0: it is not within. */
static inline float box_slack(const struct box *outer, const struct box *inner, int dimensions)
{
	float slack = INFINITY;
	for (int i = 0; i < dimensions; ++i)
		slack = min_f(slack, min_f(inner->lower[i] - outer->lower[i], outer->upper[i] - inner->upper[i]));
	return slack;
}

/* Whether inner lies within outer; equal boxes do. */
static inline bool box_contains(const struct box *outer, const struct box *inner)
{
	int out = 0;
	for (int i = 0; i < 4; ++i)
		out |= (inner->lower[i] < outer->lower[i]) | (inner->upper[i] > outer->upper[i]);
	return !out;
}

static inline bool box_equal(const struct box *a, const struct box *b)
{
	return box_contains(a, b) && box_contains(b, a);
}

/* The smallest box that contains both. */
static inline struct box box_union(const struct box *a, const struct box *b)
{
	struct box u;
	for (int i = 0; i < 4; ++i) {
		u.lower[i] = a->lower[i] < b->lower[i] ? a->lower[i] : b->lower[i];
		u.upper[i] = a->upper[i] > b->upper[i] ? a->upper[i] : b->upper[i];
	}
	return u;
}

/* The AABB of `a` swept along delta. Its sides are rounded to nearest, not outwards. */
static inline struct box box_along(const struct box *a, const float delta[3], int dimensions)
{
	struct box then = *a;
	for (int i = 0; i < dimensions; ++i) {
		then.lower[i] += delta[i];
		then.upper[i] += delta[i];
	}
	return box_union(a, &then);
}

/* The box widened by margin >= 0 on the first `dimensions` axes. Rounding never makes it smaller. */
static inline struct box box_widened(const struct box *a, float margin, int dimensions)
{
	struct box wide = *a;
	for (int i = 0; i < dimensions; ++i) {
		wide.lower[i] -= margin;
		wide.upper[i] += margin;
	}
	return wide;
}

/* The cost of a box: the sum of its sides [length]. In 2D this is half the perimeter, which is proportional to the probability
 * that a random line hits the box (Cauchy-Crofton). In 3D the surface area is proportional to that probability. The sum of the
 * sides ranks boxes nearly as the area does, is not small for flat boxes, and serves both dimensions. */
static inline float box_cost(const struct box *a)
{
	return ((a->upper[0] - a->lower[0]) + (a->upper[1] - a->lower[1])) + (a->upper[2] - a->lower[2]);
}

/* An exact box. Axes that a dimension does not use are 0. */
struct box_d {
	double lower[3], upper[3]; /* [length] */
};

static inline bool box_d_overlaps(const struct box_d *a, const struct box_d *b)
{
	int apart = 0;
	for (int i = 0; i < 3; ++i)
		apart |= (a->lower[i] > b->upper[i]) | (b->lower[i] > a->upper[i]);
	return !apart;
}

/* The smallest float box around `exact`, widened by margin >= 0 on the first `dimensions` axes; 0 on the others. Rounding is
 * monotonic, so the float boxes overlap wherever the exact ones do. */
static inline struct box box_around_d(const struct box_d *exact, double margin, int dimensions)
{
	assert(dimensions == 2 || dimensions == 3);
	struct box box = {{0}, {0}};
	for (int i = 0; i < dimensions; ++i) {
		box.lower[i] = round_down_f(exact->lower[i] - margin);
		box.upper[i] = round_up_f(exact->upper[i] + margin);
	}
	return box;
}

/* The square of the distance from a point to the box [length^2]; 0 inside. */
static inline double box_d_square(const struct box_d *box, const double point[3])
{
	double square = 0;
	for (int i = 0; i < 3; ++i) {
		double out = max_d(max_d(box->lower[i] - point[i], point[i] - box->upper[i]), 0);
		square += out * out;
	}
	return square;
}
