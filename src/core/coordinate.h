/* coordinate.h - the coordinates of joints: an angle, a translation or a length, each with a spring, a motor and limits.
 * Angles are continuous: they count turns. Pure, any thread. */
#pragma once
#include "base/scalar.h"

struct coordinate_settings {
	bool spring, limited, motor, aimed; /* aimed: the motor drives to motor_target */
	float hertz, damping_ratio, target; /* of the spring [1/s], [1], [rad or length] */
	float least_spring, most_spring; /* its least and greatest force or torque; both 0: any */
	float lower, upper; /* limits, lower <= upper [rad or length] */
	float motor_speed, max_motor; /* [rad/s or length/s]; torque or force. Speed 0: friction */
	float motor_target; /* [rad or length] */
};

/* A part of the wings' joint records. */
struct coordinate {
	float value; /* at the end of the last step [rad or length] */
	/* in the last sub-step, for warm starting; positive if it raises the coordinate. limit_impulse: of the lower limit, or
	 * negative, of the upper one [mass length^2/s or mass length/s] */
	float spring_impulse, motor_impulse, limit_impulse;
	struct coordinate_settings settings;
};

static inline bool coordinate_acts(const struct coordinate_settings *settings)
{
	return settings->spring || settings->limited || settings->motor;
}

/* Limits that are equal lock the coordinate of a six-DOF joint. */
static inline bool coordinate_locked(const struct coordinate_settings *settings)
{
	return settings->limited && !(settings->lower < settings->upper);
}

/* Sets the settings. A spring, motor or limit that is switched off loses its impulse. */
static inline void coordinate_set(struct coordinate *coordinate, const struct coordinate_settings *settings)
{
	coordinate->settings = *settings;
	if (!settings->spring)
		coordinate->spring_impulse = 0.0f;
	if (!settings->motor)
		coordinate->motor_impulse = 0.0f;
	if (!settings->limited)
		coordinate->limit_impulse = 0.0f;
}

/* Sets the value of a new coordinate. A target that is NAN becomes this value. */
static inline void coordinate_start(struct coordinate *coordinate, float value)
{
	coordinate->value = value;
	if (isnan(coordinate->settings.target))
		coordinate->settings.target = value;
}

/* A ratchet's teeth are at the angles phase + n tooth, for all whole numbers n. */
struct ratchet_settings {
	bool on;
	float tooth; /* not 0; negative: the angle may fall, and not grow [rad] */
	float phase; /* [rad] */
};

/* Limits a ratchet's angle at the last tooth that `value` has reached, unless the limit is at a later one. A tooth is reached
 * 0.0001 rad before it, so that rounding loses none. */
static inline void ratchet_advance(struct coordinate_settings *angle, const struct ratchet_settings *ratchet, double value)
{
	double tooth = (double)ratchet->tooth, phase = (double)ratchet->phase;
	float reached = (float)(phase + tooth * floor((value - phase) / tooth + 1e-4 / abs_d(tooth)));
	if (tooth > 0.0 && reached > angle->lower)
		angle->lower = reached;
	else if (tooth < 0.0 && reached < angle->upper)
		angle->upper = reached;
}

/* Limits it at the last tooth that `value` has reached. */
static inline void ratchet_start(struct coordinate_settings *angle, const struct ratchet_settings *ratchet, double value)
{
	angle->limited = ratchet->on;
	angle->lower = -1e15f;
	angle->upper = 1e15f;
	if (ratchet->on)
		ratchet_advance(angle, ratchet, value);
}

/* The sum of the impulses of the last sub-step. */
static inline float coordinate_impulse(const struct coordinate *coordinate)
{
	return coordinate->spring_impulse + coordinate->motor_impulse + coordinate->limit_impulse;
}

/* The angle [rad], with as many turns added as bring it next to `near`. */
static inline double angle_near(double angle, double near)
{
	return angle + 2.0 * SCALAR_PI * floor((near - angle) / (2.0 * SCALAR_PI) + 0.5);
}
