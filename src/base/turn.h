/* turn.h - an exact orientation predicate in 2D.
 * Source: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997.
 * Pure, any thread. */
#pragma once
#include "base/scalar.h"

/* As turn_exact, without its fast path. */
int turn_exact_slowly(const double a[2], const double b[2], const double c[2]);

/* The sign of the area of the triangle a b c: 1 counter-clockwise, -1 clockwise, 0 on a line. Exact if no product of two
 * coordinates overflows, or is below 1e-290 without being 0. */
static inline int turn_exact(const double a[2], const double b[2], const double c[2])
{
	double left = (a[0] - c[0]) * (b[1] - c[1]), right = (a[1] - c[1]) * (b[0] - c[0]);
	/* the bound's factor is above Shewchuk's, (3 + 16 eps) eps with eps = 2^-53 */
	double area = left - right, bound = 4e-16 * (abs_d(left) + abs_d(right));
	return abs_d(area) > bound ? (area > 0 ? 1 : -1) : turn_exact_slowly(a, b, c);
}
