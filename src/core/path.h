/* path.h - the motions of bodies over a step, for continuous collision: the wing's functions for them, bounds on their
 * curvature, and the planes that limit a body's displacement. Any thread. */
#pragma once
#include "base/scalar.h"
#include "core/core.h"

struct impact_manifold;

/* A body whose points all move by at most this fraction of a slop in a step is not swept, however thin it is. */
#define STIRS 0.01f

/* A body's motion over the step or a part of it, t from 0 to 1: the centre of mass moves straight, at constant speed, and the
 * body rotates about it at a constant rate. */
struct sweep {
	float local_center[3]; /* centre of mass in the body's frame [length] */
	struct vec3 from, to; /* position of the centre of mass at t = 0 and t = 1 [length] */
	float q0[4]; /* rotation at the start, as the wing stores it */
	float turn[3]; /* rotation until the end, as a rotation vector; in 2D [2] is the angle [rad] */
};

/* An awake body's velocities at the end of the step, and its rotation in the step. */
struct body_motion {
	float v[3], w[3]; /* [length/s], [rad/s] */
	float turn[3]; /* rotation in this step [rad] */
	float gain[3]; /* velocity gained in each sub-step, by gravity and forces; not set by motion_set [length/s] */
};

/* The wing's functions for sweeps. */
struct sweep_wing {
	/* Whether a body slides along the nearest surface instead of the first one hit: in 3D it may first hit an edge beside the
	 * surface, with another normal. */
	bool slides_by_nearest;

	/* begin: the body's motion over the step, but with `turn` 0, since computing that costs an arc tangent. path: the motion
	 * with `turn`; of a body that is not awake, `still`. still: no motion, at the current pose, with the body's origin in place
	 * of the centre of mass. */
	struct sweep (*begin)(const struct world *, uint32_t body);
	struct sweep (*path)(const struct world *, uint32_t body);
	struct sweep (*still)(const struct world *, uint32_t body);
	/* frame: the body's frame at time t of the sweep. center_pose: its centre of mass and rotation then. */
	struct frame3 (*frame)(const struct sweep *, float t);
	struct center_pose (*center_pose)(const struct sweep *, float t);
	/* Rotates q as the carrier rotates from time `from` of its sweep to the end. turn: that rotation as a vector [rad]. */
	void (*carry)(const struct sweep *carrier, float from, float q[4], float turn[3]);
	struct body_line (*line)(const struct world *, uint32_t body);
	/* upper bound on the angle by which the body rotated in this step [rad] */
	double (*turn_bound)(const struct world *, uint32_t body);

	void (*motion)(const struct world *, uint32_t body, struct body_motion *);
	void (*motion_set)(struct world *, uint32_t body, const struct body_motion *);
	struct mat3 (*inverse_inertia)(const struct world *, uint32_t body); /* in the world's frame */
	/* Collides proxies[0], at its body's current pose, with proxies[1], at `time` of its body's path. The manifold has the
	 * points with separations up to `margin`. Of several contacts, as with a mesh, it is the one whose normal is closest to
	 * `normal` (in the world). No points: none so near, or a pair of shapes for which bounces within a step are not
	 * supported. */
	void (*touch)(const struct world *, const uint32_t proxies[2], float time, float margin, struct vec3 normal,
		struct impact_manifold *);

	/* Calls colliders_sweep(query) with query->probe set to the wing's geometry of the body. */
	void (*probe)(struct sweep_query *);
	bool (*proxy_swept)(const struct world *, uint32_t proxy); /* false for a mesh or height field, which is not swept */
	void (*prepare)(struct sweep_query *); /* prepares query->proxy; may set query->slow */
	/* near: whether the path of query->proxy may come near another proxy, by their AABBs. around, box: a cheap and a tight AABB
	 * of that path. Call `prepare` before these, and none of them if query->slow. */
	bool (*near)(struct sweep_query *, uint32_t other);
	const struct box *(*around)(struct sweep_query *);
	const struct box *(*box)(struct sweep_query *);
	/* Tests the path against query->other: sets both motions by sweep_see, and records the first impact by sweep_hit. */
	void (*against)(struct sweep_query *);
	/* Returns the distance of query->proxy, at its body's current pose, from query->other, which is at rest [length]; <= 0:
	 * they overlap. normal: from the latter to the former, in the world. */
	float (*distance)(struct sweep_query *, struct vec3 *normal);
};

/* Position of the body's centre of mass at time t of the sweep. */
static inline struct vec3 sweep_center(const struct sweep *sweep, float t)
{
	return vec3_mul_add(sweep->from, (double)t, vec3_sub(sweep->to, sweep->from));
}

/* The angle by which the sweep rotates its body [rad]; in 2D exact. */
static inline float sweep_angle(const struct sweep *sweep)
{
	const float *turn = sweep->turn;
	return turn[0] == 0.0f && turn[1] == 0.0f ? abs_f(turn[2]) : sqrtf(dot(turn, turn));
}

/* sweep_moves: whether the sweep moves or rotates its body. body_moves: whether the body does so in this step. */
bool sweep_moves(const struct sweep *sweep);
bool body_moves(const struct world *world, uint32_t body);

static inline void center_pose_move(struct center_pose *pose, struct vec3 center)
{
	pose->center[0] = center.x;
	pose->center[1] = center.y;
	pose->center[2] = center.z;
}

/* Velocity of the body's centre of mass [length/s], and *w, its angular velocity [rad/s]; zero unless it is awake. */
static inline struct vec3 body_velocity(const struct world *world, uint32_t body, struct vec3 *w)
{
	struct body_motion motion = {.v = {0.0f}};
	if (world->bodies.data[body].set == SET_AWAKE)
		world->wing->sweep->motion(world, body, &motion);
	*w = vec3_widen(motion.w);
	return vec3_widen(motion.v);
}

static inline struct vec3 body_center(const struct world *world, uint32_t body)
{
	struct center_pose pose;
	world->wing->body_center_pose(world, body, &pose);
	return vec3_of(pose.center);
}

/* Upper bound on the height over a plane along a curved path from height `from` to height `to` [length]: the peak of the
 * parabola between them that deviates from the straight line by up to `arc`. */
static inline double bent_peak(double from, double to, double arc)
{
	double rise = to - from;
	return abs_d(rise) < 4.0 * arc ? 0.5 * (from + to) + arc + rise * rise / (16.0 * arc) : max_d(from, to);
}

/* Whether a curved path from height `from` to height `to` over a one-sided surface may pass through it from its front; `arc`:
 * see bent_peak. A path that starts at least `arc` behind the surface and ends above the height `core` only comes out. */
static inline bool comes_through(double from, double to, double arc, double core)
{
	return from > -arc || (to <= core && bent_peak(from, to, arc) > max_d(0.0, to));
}

/* Whether the bounding balls of both bodies stay more than two slops apart while their centres of mass move straight. */
static inline bool lines_separated(const struct world *world, const struct body_line *a, const struct body_line *b)
{
	double slop = (double)(LINEAR_SLOP * world->settings.length_scale);
	double reach = (double)a->outer + (double)b->outer + 2.0 * slop;
	struct vec3 nearest = vec3_nearest(vec3_sub(b->from, a->from), vec3_sub(b->delta, a->delta));
	return vec3_dot(nearest, nearest) > reach * reach;
}

/* A surface that a swept body has hit, as a constraint: the body's displacement along the normal must be at least `ahead`. */
struct path_plane {
	struct vec3 normal;
	double ahead; /* [length] */
};

/* The first impact on a body's path, as a plane. */
struct path_impact {
	float t; /* fraction of the step */
	uint32_t body; /* the obstacle */
	bool deep; /* the swept body's core or centroid hits: it had sunk in before */
	struct path_plane plane; /* the surface; `ahead` counts from the pose at the end of the step */
};

/* Tolerance for rounding errors of displacements along planes: this fraction of a slop, or of `slack` in path_keep. */
#define PATH_ROUNDING 1e-6

/* Changes the displacement as little as possible so that it satisfies all planes (at most 8), each to `slack` [length]. False:
 * they leave no room, and the displacement is a compromise. Source: Hildreth, "A quadratic programming procedure", 1957. */
bool path_keep(const struct path_plane *planes, int count, double slack, struct vec3 *delta);

/* A carrier takes a body along an arc, which is swept by chords. Returns the time, at most 1, at which the chord that starts at
 * `from` ends: where the arc is half a slop high over it, but at least 1/16 of the step after `from`. `angle`: the carrier's
 * rotation in the step; `distance`: of the body from the carrier's centre. */
float arc_end(float from, double angle, double distance, double slop);

/* Returns an earlier end for the part [from, until] of the step, whose path curves too much: the height of the curve, which
 * grows with the square of the time, falls to the fraction `left`. No part becomes shorter than 1/16 of the step. */
float part_end(float from, float until, double left);

/* Height of an arc over its chord [length]: r (1 - cos(angle/2)), from a full turn on 2 r. */
static inline float arc_bulge(float radius, float angle)
{
	bool whole = abs_f(angle) >= 2.0f * SCALAR_PI_F;
	return whole ? 2.0f * radius : radius * max_f(0.0f, 1.0f - scalar_cos_sin(0.5 * (double)angle).cosine);
}

/* Adds a fraction of the step, for which impacts keep a body from moving, to world->lost. Any thread. */
static inline void path_lose(struct world *world, float part)
{
	atomic_fetch_add_explicit(&world->lost, (uint64_t)(LOST_UNIT * (double)part), memory_order_relaxed);
}
