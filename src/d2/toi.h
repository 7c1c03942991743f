/* toi.h - when two moving shapes first come within a given distance of each other.
** Floor: d2. Pure, any thread. */
#pragma once
#include "d2/gjk.h"

/* A motion over a step, t from 0 to 1: the centre of mass goes straight at constant speed, the body turns at constant rate. */
struct d2_sweep {
	struct d2_vec local_center; /* centre of mass in the body's frame */
	double x0, y0, x1, y1; /* centre of mass in the world at t = 0 and t = 1 [length] */
	struct d2_rot q0; /* rotation at t = 0 */
	float angle; /* turned by t = 1 [rad] */
};

/* Where the body's frame is at time t. */
struct d2_pose d2_sweep_pose(const struct d2_sweep *sweep, float t);
/* The sweep of something that stays at `pose`. */
struct d2_sweep d2_sweep_fixed(const struct d2_pose *pose);

enum d2_toi_state {
	D2_TOI_SEPARATED, /* never comes within the target before max_t; t = max_t */
	D2_TOI_HIT, /* at t the distance is within tolerance of the target, and was above it before */
	D2_TOI_OVERLAPPED, /* is at or below the target at the start; t = 0 */
	D2_TOI_FAILED /* the iterations ran out; the way up to t is free */
};

struct d2_toi {
	enum d2_toi_state state;
	float t;
	struct d2_vec normal; /* HIT and FAILED: of the nearest points at t, from A to B, in A's frame */
};

/* target: distance of the surfaces to stop at (0 or more); tolerance > 0: how far above it may be taken as reached; 0 < max_t
** <= 1. Conservative: up to the t returned the distance stays above target. */
struct d2_toi d2_time_of_impact(const struct d2_proxy *a, const struct d2_sweep *sweep_a, const struct d2_proxy *b,
	const struct d2_sweep *sweep_b, float target, float tolerance, float max_t);
