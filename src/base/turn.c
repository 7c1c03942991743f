/* turn.c - see turn.h. */
#include "base/turn.h"
#include "base/scalar.h"

#include <math.h>

/* Adds x to a sum kept as `count` doubles that do not overlap, the largest last, none of them zero unless it is the only one.
 * Returns the new count. The sum has the sign of the last double. */
static int sum_grow(double *sum, int count, double x)
{
	int n = 0;
	for (int i = 0; i < count; ++i) {
		double total = x + sum[i], part = total - x;
		double rest = (x - (total - part)) + (sum[i] - part);
		x = total;
		if (rest != 0)
			sum[n++] = rest;
	}
	if (x != 0 || n == 0)
		sum[n++] = x;
	return n;
}

static int turn_slow(const double *a, const double *b, const double *c)
{
	/* a x b + b x c + c x a: six products, each with its rounding error, which fma gives. */
	const double factors[6][2] = {{a[0], b[1]}, {-a[1], b[0]}, {b[0], c[1]}, {-b[1], c[0]}, {c[0], a[1]}, {-c[1], a[0]}};
	double sum[12];
	int count = 0;
	for (int i = 0; i < 6; ++i) {
		double product = factors[i][0] * factors[i][1];
		count = sum_grow(sum, count, fma(factors[i][0], factors[i][1], -product));
		count = sum_grow(sum, count, product);
	}
	double largest = sum[count - 1];
	return (largest > 0) - (largest < 0);
}

int turn_exact(const double a[2], const double b[2], const double c[2])
{
	double left = (a[0] - c[0]) * (b[1] - c[1]), right = (a[1] - c[1]) * (b[0] - c[0]);
	double area = left - right, bound = 4e-16 * (abs_d(left) + abs_d(right)); /* Shewchuk's: (3 + 16 eps) eps, eps = 2^-53 */
	if (area > bound)
		return 1;
	if (area < -bound)
		return -1;
	return turn_slow(a, b, c);
}
