/* coordinate_lanes.h - the spring, motor and limits of a joint's coordinate in 2D and 3D, LANES at a time.
 * C is the coordinate, `rate` its rate, m = 1 / response its effective mass, h the sub-step [s].
 *   spring   lambda' = lambda - m (drag rate + pull (C - target)) - (1 - drag) lambda, before positions move only: see soft.h
 *   motor    lambda' = clamp(lambda - m (rate - speed), +-h force); an aimed one slows down on its way to its target
 *   lower    C - lower and its rate: see limit_solve
 *   upper    likewise with upper - C and -rate
 * Any thread. */
#pragma once
#include "core/coordinate.h"
#include "core/lanes.h"
#include "core/link.h"

struct lane_coordinate {
	masks lanes; /* lanes whose coordinate has a spring, limits or a motor */
	lanes mass, response; /* m, 0 in other lanes, and 1/m */
	lanes drag, pull, target; /* of the spring; 0: none */
	lanes least_spring, most_spring; /* impulses of a sub-step */
	lanes lower, upper;
	masks limited;
	lanes motor_speed, motor_limit; /* [1/s]; greatest impulse of a sub-step */
	lanes motor_target;
	masks aimed;
	struct {
		lanes spring, motor, lower, upper;
	} impulse;
};

/* The spring between the link's bodies. */
static inline struct spring spring_between(
	const struct world *world, const struct batch_link *link, float hertz, float damping_ratio)
{
	uint32_t count = 1;
	for (int side = 0; side < 2; ++side) {
		bool dynamic = world->bodies.data[link->bodies[side]].type == BODY_DYNAMIC;
		uint32_t joints = dynamic ? body_joint_count(world, link->bodies[side]) : 0;
		count = joints > count ? joints : count;
	}
	return spring_make((double)hertz, (double)damping_ratio, (double)world->step.h, count);
}

static void coordinate_lane_set(const struct world *world, struct lane_coordinate *c, int lane, const struct batch_link *link,
	const struct coordinate_settings *settings)
{
	c->lanes[lane] = -1;
	if (settings->spring) {
		struct spring spring = spring_between(world, link, settings->hertz, settings->damping_ratio);
		c->drag[lane] = spring.drag;
		c->pull[lane] = spring.pull;
		c->target[lane] = settings->target;
		bool any = settings->least_spring == 0.0f && settings->most_spring == 0.0f;
		c->least_spring[lane] = any ? -FLT_MAX : world->step.h * settings->least_spring;
		c->most_spring[lane] = any ? FLT_MAX : world->step.h * settings->most_spring;
	}
	if (settings->limited) {
		c->lower[lane] = settings->lower;
		c->upper[lane] = settings->upper;
		c->limited[lane] = -1;
	}
	if (settings->motor) {
		c->motor_speed[lane] = settings->motor_speed;
		c->motor_limit[lane] = world->step.h * settings->max_motor;
		c->motor_target[lane] = settings->motor_target;
		c->aimed[lane] = -(int32_t)settings->aimed;
	}
}

/* Fills all of *c but the mass and the response, from the struct coordinate at byte `offset` of the joints' records. False,
 * with nothing filled: no coordinate has a spring, limits or a motor. */
INLINE bool coordinate_prepare(const struct world *world, struct lane_coordinate *c, const struct batch_link *links,
	const struct lane_rows *joints, size_t offset)
{
#define COORDINATE(i) (const struct coordinate *)((const char *)joints->at[i] + offset)
	const struct coordinate *const rows[LANES] = {EACH_LANE(COORDINATE)};
#undef COORDINATE
	lanes columns[4], zero = {0};
	bool acts = false;
	for (int i = 0; i < LANES; ++i)
		acts |= coordinate_acts(&rows[i]->settings);
	if (!acts)
		return false;
	memset(c, 0, sizeof *c);
	for (int i = 0; i < LANES; ++i)
		if (coordinate_acts(&rows[i]->settings))
			coordinate_lane_set(world, c, i, &links[i], &rows[i]->settings);
	group_load(joints->at, offset, columns);
	c->impulse.spring = columns[1];
	c->impulse.motor = columns[2];
	c->impulse.lower = max_lanes(columns[3], zero);
	c->impulse.upper = max_lanes(-columns[3], zero);
	return true;
}

/* Sets the effective mass for the coordinate's response to impulses at the current poses. give: see GIVE. */
INLINE void coordinate_respond(struct lane_coordinate *c, lanes response, lanes give)
{
	c->response = response;
	c->mass = choose(c->lanes, invert_lanes(response + give), (lanes){0});
}

/* The sum of the impulses on the coordinate. */
INLINE lanes coordinate_sum(const struct lane_coordinate *c)
{
	return (c->impulse.spring + c->impulse.motor) + (c->impulse.lower - c->impulse.upper);
}

INLINE lanes spring_solve(struct lane_coordinate *c, lanes value, lanes rate)
{
	lanes before = c->impulse.spring;
	lanes after = c->drag * before - c->mass * (c->drag * rate + c->pull * (value - c->target));
	c->impulse.spring = max_lanes(c->least_spring, min_lanes(after, c->most_spring));
	return c->impulse.spring - before;
}

/* An aimed motor closes a quarter of its distance in a sub-step, and goes no faster than half of its force can stop it on the
 * way. */
INLINE lanes motor_solve(struct lane_coordinate *c, lanes value, lanes rate, lanes inv_h)
{
	lanes before = c->impulse.motor, speed = c->motor_speed, zero = {0};
	if (any(c->aimed)) {
		lanes away = c->motor_target - value, distance = abs_lanes(away);
		lanes most = sqrt_lanes(c->motor_limit * inv_h * c->response * distance);
		most = min_lanes(min_lanes(most, splat(0.25f) * inv_h * distance), abs_lanes(speed));
		speed = choose(c->aimed, choose(away < zero, -most, most), speed);
	}
	lanes after = before - c->mass * (rate - speed);
	c->impulse.motor = max_lanes(-c->motor_limit, min_lanes(after, c->motor_limit));
	return c->impulse.motor - before;
}

/* Solves all of them at this value and rate, and returns the change of the impulse. soft: of limits; NULL when relaxing. */
INLINE lanes coordinate_solve(struct lane_coordinate *c, lanes value, lanes rate, const struct lane_soft *soft, lanes inv_h)
{
	lanes all = {0}, change, limit_mass = choose(c->limited, c->mass, (lanes){0});
	if (soft != NULL) {
		all = spring_solve(c, value, rate);
		rate += c->response * all;
	}
	change = motor_solve(c, value, rate, inv_h);
	all += change;
	rate += c->response * change;
	change = limit_solve(limit_mass, value - c->lower, rate, &c->impulse.lower, soft, inv_h);
	all += change;
	rate += c->response * change;
	return all - limit_solve(limit_mass, c->upper - value, -rate, &c->impulse.upper, soft, inv_h);
}
