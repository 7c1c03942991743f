/* scalar.h - scalar functions: minimum, maximum, outward rounding, and our own trigonometry.
 * Invariant: every function returns the same bits with every compiler, at every -O level and on every processor, because each
 * is a fixed sequence of IEEE operations. The transcendental functions of libc give no such guarantee and are not used in the
 * engine.
 * Pure functions; any thread. */
#pragma once
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SCALAR_PI 3.14159265358979323846
#define SCALAR_PI_F 3.14159265f

struct cos_sin {
	float cosine, sine;
};

/* Cosine and sine of an angle [rad], each the nearest float or, rarely, its neighbour, so that cosine^2 + sine^2 is 1 within 2
 * ulp. That accuracy holds up to |angle| = 1e6; larger angles are first reduced by the double nearest to 2 pi, which loses
 * angle * 4e-17 rad. Not finite: {1, 0}. */
struct cos_sin scalar_cos_sin(double angle);

struct cos_sin_d {
	double cosine, sine;
};

/* As scalar_cos_sin, but not rounded to floats: each within 1e-13. */
struct cos_sin_d scalar_cos_sin_d(double angle);

/* The angle [rad] of the point (x, y), in [-pi, pi], within 1 ulp. A zero y keeps its sign when x < 0 (-0 gives -pi); (0, 0) of
 * any signs gives 0. Both finite. */
float scalar_atan2(float y, float x);
/* The same for doubles, within 1e-13. */
double scalar_atan2_d(double y, double x);

static inline float min_f(float a, float b)
{
	return a < b ? a : b;
}
static inline float max_f(float a, float b)
{
	return a > b ? a : b;
}
static inline double min_d(double a, double b)
{
	return a < b ? a : b;
}
static inline double max_d(double a, double b)
{
	return a > b ? a : b;
}

/* Clamps x to [low, high], without a branch. NaN gives low, because the first comparison fails. */
static inline float clamp_f(float x, float low, float high)
{
	return min_f(max_f(x, low), high);
}

static inline double clamp_d(double x, double low, double high)
{
	return min_d(max_d(x, low), high);
}

/* The error a b - product of the rounded product, `product`. Exact, unless it lies below the smallest double. The fma of mingw
 * rounds twice, so there is a function in its place. */
#ifdef __MINGW32__
double scalar_product_error(double a, double b, double product);
#else
static inline double scalar_product_error(double a, double b, double product)
{
	return fma(a, b, -product);
}
#endif

/* A hash: each bit of the key flips each bit of the result with probability near 1/2. Source: the finaliser of MurmurHash3
 * (Appleby, 2011). */
static inline uint32_t scramble(uint64_t key)
{
	key = (key ^ key >> 33) * UINT64_C(0xff51afd7ed558ccd);
	key = (key ^ key >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return (uint32_t)(key ^ key >> 33);
}

static inline uint32_t scalar_bits_f(float x)
{
	uint32_t bits;
	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static inline uint64_t scalar_bits_d(double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static inline float scalar_from_bits_f(uint32_t bits)
{
	float x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

static inline float abs_f(float x)
{
	return fabsf(x);
}
/* No branch: signs cannot be predicted. */
static inline double abs_d(double x)
{
	return fabs(x);
}

/* factor x^(half_powers / 2), by products and a square root: the same bits everywhere. */
static inline double half_powers_times(double factor, double x, int half_powers)
{
	for (int i = 0; i < half_powers / 2; ++i)
		factor *= x;
	return half_powers % 2 != 0 ? factor * sqrt(x) : factor;
}

/* Tests the exponent bits, so that no compiler flag can remove the test. */
static inline bool is_finite_f(float x)
{
	return (scalar_bits_f(x) & 0x7f800000u) != 0x7f800000u;
}

static inline bool is_finite_d(double x)
{
	return (scalar_bits_d(x) & 0x7ff0000000000000u) != 0x7ff0000000000000u;
}

/* round_up_f is the smallest float that is not below x, round_down_f the largest that is not above x: for the sides of boxes.
 * This includes x beyond the range of floats: 1e300 is rounded up to infinity, and down to the largest finite float. */
static inline float round_up_f(double x)
{
	float nearest = (float)x;
	/* without a branch: half of all numbers need the adjustment */
	uint32_t bits = scalar_bits_f(nearest), step = (double)nearest < x;
	return scalar_from_bits_f(bits + step - 2 * (step & bits >> 31));
}

static inline float round_down_f(double x)
{
	return -round_up_f(-x);
}

/* Cosine and sine of r, |r| <= pi/4 [rad], without a branch, with z = r^2:
 *   sin r = r + r z S(z), error 5e-15;  cos r = 1 + z C(z), error 6e-14. */
static inline struct cos_sin_d scalar_near_cos_sin_d(double r)
{
	double z = r * r;
	double s = -0.16666666666631451 +
		z * (0.0083333333252451598 + z * (-0.00019841263807935176 + z * (2.7555354468709311e-6 + z * -2.4761408193592597e-8)));
	double c = -0.4999999999954286 +
		z * (0.041666666561666257 + z * (-0.0013888881055668517 + z * (2.4799036029664938e-5 + z * -2.7179730241427157e-7)));
	return (struct cos_sin_d){1 + z * c, r + r * (z * s)};
}

/* Cosine and sine of a small angle, |angle| <= 1 rad, without a branch: the rotation of one sub-step. Error below 1e-7 each.
 *   cos a = 1 + z C(z),  sin a = a + a z S(z),  z = a^2
 * C and S are the minimax polynomials on 0 <= z <= 1 (Remez exchange), with errors of 6e-10 and 1.6e-8; the rest is rounding.
 * For floats and for vectors of them. */
#define SMALL_COSINE(z) \
	(1.0f + (z) * (-0.4999999812f + (z) * (0.04166648336f + (z) * (-0.001388333973f + (z)*2.413824492e-5f))))
#define SMALL_SINE(a, z) ((a) + (a) * ((z) * (-0.1666659905f + (z) * (0.008329797555f + (z) * -0.0001928379189f))))
