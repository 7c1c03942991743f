/* scalar.c - trigonometry, computed in doubles, in a fixed order, and rounded at the end for floats: the polynomials' errors,
 * below 1e-13, vanish in that rounding.
 * The polynomials are minimax (Remez exchange, computed for this file) on the reduced range. Range reduction in two parts after
 * Cody and Waite, "Software Manual for the Elementary Functions", 1980.
 * Pure functions; any thread. */
#include "base/scalar.h"

#include <math.h>

#ifdef __MINGW32__
/* The sum of the halves of a double, of 26 bits each with their signs (Veltkamp). |x| < 2^995. */
static void halve(double x, double *high, double *low)
{
	double large = 134217729.0 * x; /* (2^27 + 1) x */
	*high = large - (large - x);
	*low = x - *high;
}

/* Source: Dekker, "A floating-point technique for extending the available precision", 1971. Factors that are too large, or
 * whose products are too small for it, are scaled by powers of two. */
double scalar_product_error(double a, double b, double product)
{
	if (a == 0 || b == 0)
		return 0;
	if (!(abs_d(product) > 0x1p-900 && abs_d(a) < 0x1p900 && abs_d(b) < 0x1p900)) {
		int a_exponent, b_exponent;
		a = frexp(a, &a_exponent);
		b = frexp(b, &b_exponent);
		return ldexp(scalar_product_error(a, b, a * b), a_exponent + b_exponent);
	}
	double a_high, a_low, b_high, b_low;
	halve(a, &a_high, &a_low);
	halve(b, &b_high, &b_low);
	return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}
#endif

/* Pi / 2 in two parts: 33 bits, so that a product with |n| < 2^20 is exact, and the rest. */
#define QUARTER_TURN_HIGH 1.5707963267341256
#define QUARTER_TURN_LOW 6.077100506506192e-11
/* Up to this angle [rad], the number of quarter turns, n, is below 2^20. Larger ones are reduced by fmod first. */
#define REDUCED_MAX 1e6

/* atan t = t + t z A(z), z = t^2, |t| <= tan(pi/8), with an error of 3e-14. Evaluated in pairs of terms, which depend only on
 * powers of z, instead of one chain. Source: Estrin, "Organization of computer systems: the fixed plus variable structure
 * computer", 1960. */
static double arc_tangent_near_zero(double t)
{
	double z = t * t, z2 = z * z, z4 = z2 * z2;
	double low = (-0.33333333331695917 + z * 0.19999999685418853) + z2 * (-0.142856935850926 + z * 0.11110449707274379);
	double high = (-0.090791339146998911 + z * 0.075685130178414059) + z2 * (-0.058909564134214451 + z * 0.030893146122432228);
	return t + t * (z * (low + z4 * high));
}

struct cos_sin_d scalar_cos_sin_d(double angle)
{
	if (!is_finite_d(angle))
		return (struct cos_sin_d){1, 0};
	if (angle == 0)
		return (struct cos_sin_d){1, angle}; /* as below, but faster */
	if (abs_d(angle) > REDUCED_MAX)
		angle = fmod(angle, 2 * SCALAR_PI); /* exact by IEC 60559, thus the same everywhere */
	double quarters = angle * (2 / SCALAR_PI);
	int32_t n = (int32_t)(quarters + copysign(0.5, quarters)); /* no branch: signs cannot be predicted */
	double r = (angle - n * QUARTER_TURN_HIGH) - n * QUARTER_TURN_LOW;
	struct cos_sin_d near = scalar_near_cos_sin_d(r);
	double c = near.cosine, s = near.sine;
	switch ((uint32_t)n & 3) {
	case 0: return (struct cos_sin_d){c, s};
	case 1: return (struct cos_sin_d){-s, c};
	case 2: return (struct cos_sin_d){-c, -s};
	default: return (struct cos_sin_d){s, -c};
	}
}

struct cos_sin scalar_cos_sin(double angle)
{
	struct cos_sin_d turn = scalar_cos_sin_d(angle);
	return (struct cos_sin){(float)turn.cosine, (float)turn.sine};
}

double scalar_atan2_d(double y, double x)
{
	double ax = abs_d(x), ay = abs_d(y);
	double least = min_d(ax, ay), most = max_d(ax, ay);
	if (most == 0)
		return 0;
	/* atan(a/b) = pi/4 + atan((a - b) / (a + b)) maps a/b in (tan(pi/8), 1] to the range of the polynomial. */
	bool wide = least > 0.41421356237309503 * most;
	const double above[2] = {least, least - most}, below[2] = {most, least + most}, from[2] = {0, SCALAR_PI / 4};
	double angle = from[wide] + arc_tangent_near_zero(above[wide] / below[wide]);
	if (ay > ax)
		angle = SCALAR_PI / 2 - angle;
	if (x < 0)
		angle = SCALAR_PI - angle;
	return copysign(angle, y);
}

float scalar_atan2(float y, float x)
{
	return (float)scalar_atan2_d(y, x);
}
