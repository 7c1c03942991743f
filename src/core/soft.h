/* soft.h - soft constraints and springs: a stiffness in hertz and a damping ratio become the coefficients that solvers use.
 * Any thread. */
#pragma once
#include "base/scalar.h"

/* A constraint with effective mass m, error C, its rate Cdot and accumulated impulse lambda is solved by adding to lambda
 *   -mass_scale * m * (Cdot + bias_rate * C) - impulse_scale * lambda
 * bias_rate      [1/s]
 * mass_scale     [1]
 * impulse_scale  [1]; mass_scale + impulse_scale = 1
 * Source: Catto, "Soft Constraints", GDC 2011; "Solver2D", 2024. */
struct soft {
	float bias_rate, mass_scale, impulse_scale;
};

/* hertz >= 0 [1/s] (0: rigid, without bias), damping_ratio zeta >= 0 [1], h > 0: the time step [s]. With omega = 2 pi hertz:
 *   bias_rate = omega / (2 zeta + h omega), mass_scale = h omega (2 zeta + h omega) / (1 + h omega (2 zeta + h omega)) */
static inline struct soft soft_make(float hertz, float damping_ratio, float h)
{
	if (hertz == 0.0f)
		return (struct soft){0.0f, 1.0f, 0.0f};
	float omega = 6.28318530718f * hertz;
	float a1 = 2.0f * damping_ratio + h * omega;
	float a2 = h * omega * a1;
	float a3 = 1.0f / (1.0f + a2);
	return (struct soft){omega / a1, a2 * a3, a3};
}

/* A spring with effective mass m on a coordinate with error C, its rate Cdot and accumulated impulse lambda is solved by adding
 * to lambda
 *   -m (drag Cdot + pull C) - (1 - drag) lambda
 * drag [1], pull [1/s] */
struct spring {
	float drag, pull;
};

/* The greatest angle by which an undamped spring oscillates in a sub-step [rad]: that of 15 Hz in 1/60 s. Faster ones are
 * damped. */
#define SPRING_REACH 1.6

/* hertz > 0 [1/s], damping_ratio zeta >= 0 [1], h: the time step [s]; 0 gives no spring. count: of joints on one of the bodies,
 * at most, the spring's included. Positions move by the new velocity: v' = D (v + h F/m) - pull C, C' = C + h v', with D = 1 -
 * drag, theta = 2 pi hertz h. The eigenvalues of this map have the product D and the sum 1 + D - h pull. D = 1 / (1 + x + x^2 /
 * (2 + 2 x^2)), x = 2 zeta theta: for small x, exp(-x), the analytic decay of the energy h pull = 1 / (1 / (D theta^2) + count
 * / (1 + 3 D)) The spring yields to a force F by F / (m (2 pi hertz)^2), and by h^2 F/m D / (1 + 3 D) count. Its map is stable
 * at any frequency, as the sum is at least -2 D; so is that of `count` equal springs on a body. Alone and without damping this
 * is Newmark's method with beta = 1/4, which keeps the amplitude; its frequency is that of 2 atan(theta / 2). Source: Newmark,
 * "A Method of Computation for Structural Dynamics", 1959. */
static inline struct spring spring_make(double hertz, double damping_ratio, double h, uint32_t count)
{
	double theta = 2.0 * SCALAR_PI * hertz * h, x = 2.0 * damping_ratio * theta, reach = min_d(1.0, SPRING_REACH / theta);
	if (!(h > 0.0))
		return (struct spring){0.0f, 0.0f};
	double left = min_d(1.0 / (1.0 + x + x * x / (2.0 + 2.0 * x * x)), reach * reach), push = left * theta * theta;
	double most = (1.0 + 3.0 * left) / (double)count;
	return (struct spring){(float)(1.0 - left), (float)(push * most / (push + most) / h)};
}
