/* turn.c - see turn.h. */
#include "base/turn.h"

/* Adds x to an expansion (Shewchuk): a sum of `count` doubles that do not overlap, the largest last, none of them zero unless
 * it is the only one. Returns the new count. The sum has the sign of the last double. */
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

int turn_exact_slowly(const double a[2], const double b[2], const double c[2])
{
	/* a x b + b x c + c x a: six products, each with its rounding error. */
	const double factors[6][2] = {{a[0], b[1]}, {-a[1], b[0]}, {b[0], c[1]}, {-b[1], c[0]}, {c[0], a[1]}, {-c[1], a[0]}};
	double sum[12];
	int count = 0;
	for (int i = 0; i < 6; ++i) {
		double product = factors[i][0] * factors[i][1];
		count = sum_grow(sum, count, scalar_product_error(factors[i][0], factors[i][1], product));
		count = sum_grow(sum, count, product);
	}
	double largest = sum[count - 1];
	return (largest > 0) - (largest < 0);
}
