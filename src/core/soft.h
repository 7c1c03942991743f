/* soft.h - soft constraints: a stiffness in hertz and a damping ratio become the three coefficients that solvers use.
 * Any thread. */
#pragma once

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
