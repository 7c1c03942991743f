/* revolute_lanes.h - the spring, limits and motor about the axis of revolute joints in 2D and 3D, LANES at a time. Symbols,
 * equations: see d2/dynamics/revolute_joint.wide.c. Any thread. */
#pragma once
#include "core/joint.h"
#include "core/lanes.h"

struct lane_axis {
	masks lanes; /* lanes whose joint has a spring, limits or a motor */
	/* angle in 2D when the step began, in 3D now [rad]; effective mass m, 0 where nothing acts on the angle */
	lanes angle, mass;
	struct lane_soft spring; /* mass_scale and impulse_scale 0: none */
	lanes target, lower, upper;
	masks limited;
	lanes motor_speed, motor_limit; /* [rad/s]; greatest impulse of a sub-step [mass length^2/s] */
	struct {
		lanes spring, motor, lower, upper;
	} impulse; /* in the order of struct revolute_axis */
};

static void axis_set(struct lane_axis *axis, int lane, const struct revolute_settings *settings, const struct step *step)
{
	axis->lanes[lane] = -1;
	if (settings->spring) {
		struct soft soft = soft_make(settings->hertz, settings->damping_ratio, step->h);
		axis->spring.bias_rate[lane] = soft.bias_rate;
		axis->spring.mass_scale[lane] = soft.mass_scale;
		axis->spring.impulse_scale[lane] = soft.impulse_scale;
		axis->target[lane] = settings->target;
	}
	if (settings->limited) {
		axis->lower[lane] = settings->lower;
		axis->upper[lane] = settings->upper;
		axis->limited[lane] = -1;
	}
	if (settings->motor) {
		axis->motor_speed[lane] = settings->motor_speed;
		axis->motor_limit[lane] = step->h * settings->max_motor_torque;
	}
}

/* Fills all of *axis but the angle and the mass, from the struct revolute_axis at byte `offset` of the joints' records. False,
 * with nothing filled: no joint has a spring, limits or a motor. */
INLINE bool axis_prepare(struct lane_axis *axis, const struct lane_rows *joints, size_t offset, const struct step *step)
{
#define AXIS(i) (const struct revolute_axis *)((const char *)joints->at[i] + offset)
	const struct revolute_axis *const rows[LANES] = {EACH_LANE(AXIS)};
#undef AXIS
	bool acts = false;
	for (int i = 0; i < LANES; ++i)
		acts |= revolute_acts(&rows[i]->settings);
	if (!acts)
		return false;
	memset(axis, 0, sizeof *axis);
	for (int i = 0; i < LANES; ++i)
		if (revolute_acts(&rows[i]->settings))
			axis_set(axis, i, &rows[i]->settings, step);
	group_load(joints->at, offset, (lanes *)&axis->impulse);
	return true;
}

/* The sum of the impulses about the axis on b. */
INLINE lanes axis_impulse(const struct lane_axis *axis)
{
	return (axis->impulse.spring + axis->impulse.motor) + (axis->impulse.lower - axis->impulse.upper);
}

/* Solve the spring, the motor or one limit, and return the change of the impulse on b. `angle`, `speed`: now [rad], [rad/s]. */
INLINE lanes spring_solve(struct lane_axis *axis, lanes angle, lanes speed)
{
	lanes pull = axis->mass * axis->spring.mass_scale * (speed + axis->spring.bias_rate * (angle - axis->target));
	lanes change = -pull - axis->spring.impulse_scale * axis->impulse.spring;
	axis->impulse.spring += change;
	return change;
}

INLINE lanes motor_solve(struct lane_axis *axis, lanes speed)
{
	lanes before = axis->impulse.motor, after = before - axis->mass * (speed - axis->motor_speed);
	axis->impulse.motor = max_lanes(-axis->motor_limit, min_lanes(after, axis->motor_limit));
	return axis->impulse.motor - before;
}

INLINE lanes lower_solve(struct lane_axis *axis, lanes angle, lanes speed, const struct lane_soft *soft, lanes inv_h)
{
	lanes mass = choose(axis->limited, axis->mass, (lanes){0});
	return limit_solve(mass, angle - axis->lower, speed, &axis->impulse.lower, soft, inv_h);
}

INLINE lanes upper_solve(struct lane_axis *axis, lanes angle, lanes speed, const struct lane_soft *soft, lanes inv_h)
{
	lanes mass = choose(axis->limited, axis->mass, (lanes){0});
	return -limit_solve(mass, axis->upper - angle, -speed, &axis->impulse.upper, soft, inv_h);
}
