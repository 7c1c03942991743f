/* trigonometry.c - see trigonometry.h.
 * The polynomials are minimax (Remez exchange, computed for this file) on the reduced range, with errors below 4e-18, so that
 * only rounding is left. Range reduction in three parts after Cody and Waite, "Software Manual for the Elementary Functions",
 * 1980; the reduced angle has a second double for what the first one rounds off, as in FDLIBM (Sun Microsystems, 1993). */
#include "base/trigonometry.h"
#include "base/scalar.h"

/* Pi / 2 in three parts: twice 33 bits, so that products with |n| < 2^20 are exact, and the rest. */
#define QUARTER_1 1.5707963267341256
#define QUARTER_2 6.077100506303966e-11
#define QUARTER_3 2.0222662487959506e-21
/* Up to this angle [rad], the number of quarter turns, n, is below 2^20. */
#define REDUCED_MAX 1e6
#define EXACT_MAX 1e15

/* The errors of these constants as doubles: what they lack of the exact number. */
#define TURN_ERROR 2.4492935982947064e-16
#define HALF_TURN_ERROR 1.2246467991473532e-16
#define QUARTER_ERROR 6.123233995736766e-17
#define EIGHTH_ERROR 3.061616997868383e-17

/* angle = quarters pi / 2 + high + low, |high| <= pi / 4, |low| <= half a unit in the last place of high */
struct reduced {
	double high, low;
	uint32_t quarters; /* modulo 2^32 */
};

/* Returns the rounded sum, and its exact error. Source: Knuth, "The Art of Computer Programming" 2, 1969, section 4.2.2. */
static double sum_exact(double a, double b, double *error)
{
	double sum = a + b, part = sum - a;
	*error = (a - (sum - part)) + (b - part);
	return sum;
}

static struct reduced reduce(double angle)
{
	double low = 0.0, error;
	if (abs_d(angle) > REDUCED_MAX) {
		double rest = fmod(angle, 2.0 * SCALAR_PI); /* exact by IEC 60559, thus the same everywhere */
		if (abs_d(angle) <= EXACT_MAX)
			low = (rest - angle) / (2.0 * SCALAR_PI) * TURN_ERROR;
		angle = rest;
	}
	double quarters = (angle + low) * (2.0 / SCALAR_PI);
	int32_t n = (int32_t)(quarters + copysign(0.5, quarters));
	double high = sum_exact(angle - n * QUARTER_1, -(n * QUARTER_2), &error);
	struct reduced reduced = {.quarters = (uint32_t)n};
	reduced.high = sum_exact(high, (error + low) - n * QUARTER_3, &reduced.low);
	return reduced;
}

/* sin(r + low) = r + r z S(z) + low cos r, z = r^2 */
static double near_sin(double r, double low)
{
	double z = r * r;
	double s = -0.16666666666666632 +
		z *
			(0.008333333333322425 +
				z *
					(-0.00019841269829816907 +
						z * (2.7557313695210806e-06 + z * (-2.505075865076357e-08 + z * 1.5896827780272657e-10))));
	return r + (r * (z * s) + low * (1.0 - 0.5 * z));
}

/* cos(r + low) = 1 - z / 2 + z^2 C(z) - low sin r; the rounding error of 1 - z / 2 is added. */
static double near_cos(double r, double low)
{
	double z = r * r, half = 0.5 * z, first = 1.0 - half;
	double c = 0.0416666666666666 +
		z *
			(-0.0013888888888874138 +
				z *
					(2.4801587289491793e-05 +
						z * (-2.755731435523175e-07 + z * (2.087572368298961e-09 + z * -1.1359669789482725e-11))));
	return first + (((1.0 - first) - half) + (z * z * c - r * low));
}

/* The sine of an angle and so many quarter turns more. */
static double sine_of(struct reduced angle, uint32_t more)
{
	uint32_t quarters = angle.quarters + more;
	double value = quarters & 1 ? near_cos(angle.high, angle.low) : near_sin(angle.high, angle.low);
	return quarters & 2 ? -value : value;
}

double trigonometry_sin(double angle)
{
	return angle == 0.0 ? angle : sine_of(reduce(angle), 0);
}

double trigonometry_cos(double angle)
{
	return sine_of(reduce(angle), 1);
}

/* atan t = t + t z A(z), z = t^2, |t| <= tan(pi/8) */
static double near_atan(double t)
{
	double z = t * t;
	double a = -0.333333333333332 +
		z *
			(0.19999999999954082 +
				z *
					(-0.14285714280248502 +
						z *
							(0.11111110786136934 +
								z *
									(-0.09090897836413836 +
										z *
											(0.07692061636365853 +
												z *
													(-0.06663120374227817 +
														z *
															(0.05848008839220235 +
																z *
																	(-0.05039845140114743 +
																		z *
																			(0.03807831103293445 +
																				z * -0.017922267990190352)))))))));
	return t + t * (z * a);
}

double trigonometry_atan2(double y, double x)
{
	double ax = abs_d(x), ay = abs_d(y);
	double least = min_d(ax, ay), most = max_d(ax, ay);
	if (most == 0.0)
		return 0.0;
	/* atan(a/b) = pi/4 + atan((a - b) / (a + b)) maps a/b in (tan(pi/8), 1] to the range of the polynomial. */
	bool wide = least > 0.41421356237309503 * most;
	double angle =
		wide ? SCALAR_PI / 4.0 + (near_atan((least - most) / (least + most)) + EIGHTH_ERROR) : near_atan(least / most);
	if (ay > ax)
		angle = SCALAR_PI / 2.0 - (angle - QUARTER_ERROR);
	if (x < 0.0)
		angle = SCALAR_PI - (angle - HALF_TURN_ERROR);
	return copysign(angle, y);
}
