/* ccd_parts.h - internals shared by ccd.c and ccd_query.c.
 * Threads: see ccd.c. */
#pragma once
#include "core/ccd.h"
#include "core/impact.h"
#include "core/pairs.h"
#include "d2/query/time_of_impact.h"
#include "d2/shape/hull.h"
#include "d2/manifold/manifold.h"
#include "d2/dynamics/rebound.h"
#include "d2/dynamics/wing.h"

#include <string.h>

/* Size of the core that must not pass through: as a fraction of the smallest extent (a slop at least) against chains; of the
 * shape against kinematic obstacles, and where the shapes overlap. Box2D's B2_CORE_FRACTION. */
#define CORE 0.25f

/* After IMPACTS impacts in a step the rest of the body's displacement is lost, and dynamic bodies do not stop it any more.
 * LAST_IMPACT is the last one: see path_end. */
enum { IMPACTS = 7, LAST_IMPACT = 8 };

/* A surface that the swept body has hit in this step, and stays in front of. */
struct met {
	uint32_t body; /* the obstacle */
	uint32_t proxies[2]; /* of the body, and of the obstacle */
	/* in the obstacle's frame, at the impact: its normal towards the body, and the body's centre of mass */
	struct d2_vec_d normal, place;
	bool bounced; /* the body bounced off it within the sweep */
};

struct sweep_query {
	struct world *world;
	uint32_t id; /* the swept body */
	const struct body *body;
	uint32_t proxy; /* the body's proxy under test */
	uint32_t other; /* the obstacle's proxy under test */
	bool bullet;
	bool jointed; /* the body is on joints: only its core is stopped, see make_core */
	bool shared; /* see world->shared */
	bool later; /* bullets may have been moved since body_look tested this path */
	bool again; /* only those bullets are tested */
	bool crowded; /* too many impacts, or jammed by a dynamic body: dynamic bodies do not stop the body any more */
	struct d2_sweep sweep; /* the part of the body's path under test */
	float from, until; /* start and end of this part, as fractions of the step */
	uint32_t carrier; /* the obstacle that carries the body along, or NONE */
	struct d2_sweep relative; /* the same part, with the carrier fixed at its pose at `from` */
	uint32_t ignored; /* an obstacle that does not stop the body, or NONE */
	bool bent; /* `sweep` deviates from `relative` by more than a slop: the carrier is tested like other obstacles */
	const struct d2_sweep *seen; /* &sweep or &relative: the motion tested against the current obstacle */
	float arc; /* deviation of `seen` from a straight path in the obstacle's frame [length] */
	struct d2_motions motions; /* of the obstacle, and `seen` */
	bool posed; /* start, end and bulge are known */
	struct d2_pose start, end; /* poses of the sweep */
	struct box box; /* AABB of the proxy's path */
	bool boxed; /* `box` is valid */
	float extent, bulge; /* max_extent; greatest distance of the body's points from straight paths [length] */
	float turn_before; /* rotation in the parts before [rad] */
	float core; /* threshold for chains: see chain_in_the_way [length] */
	float target, tolerance; /* separation to keep, and its tolerance [length] */
	float t; /* free fraction of the part under test */
	struct met first; /* the impact at t */
	double lift; /* added along the normal to the position that `first` records [length] */
	bool turns; /* the centre of mass hits, so that the body may rotate on */
	bool deep; /* the core or the middle hits; the surface overlaps already */
	bool behind; /* the body starts behind a one-sided obstacle, which stops it only from the front */
	struct d2_vec front; /* the obstacle's front direction, in its frame */
	struct met met[LAST_IMPACT];
	int impacts;
	struct impact bounces[LAST_IMPACT]; /* the impacts where it bounced */
	int bounce_count;
	void (*against)(struct sweep_query *query, uint32_t other_id); /* called for each obstacle's proxy near the path */
	float near; /* result of d2_ccd_near_against: least distance from the obstacle [length] */
	struct d2_vec_d near_normal; /* the obstacle's normal there, in the world */
};

struct core {
	struct d2_vec points[D2_HULL_MAX + 1];
	struct d2_edge edges[D2_HULL_MAX];
};

/* The rest of the path of a body carried along an arc. */
struct arc {
	const struct sweep_query *query;
	struct d2_vec_d here, there;
	double reach; /* a body farther from the straight path cannot be hit [length] */
	bool clear;
};

/* Whether a body rotated by more than a quarter turn in this step, so that its poses may not tell by how much. False for bodies
 * of a linkage that was taken back, whose state->turn is not valid. */
bool d2_ccd_turns_far(const struct world *world, uint32_t body);

struct d2_sweep d2_ccd_obstacle_path(const struct world *world, uint32_t body);

struct d2_vec_d d2_ccd_sweep_center(const struct d2_sweep *delta, float t);

struct d2_pose d2_ccd_pose_at(const struct world *world, uint32_t body, float time);

bool d2_ccd_path_leads_on(const struct d2_sweep *delta);

/* Upper bound on the angle by which the body rotated in this step. */
double d2_ccd_turn_bound(const struct world *world, uint32_t body);

void d2_ccd_sweep_against(struct sweep_query *query, uint32_t other_id);

/* Lowers query->near to the distance of the proxy, at its current pose, from the obstacle. */
void d2_ccd_near_against(struct sweep_query *query, uint32_t other_id);

/* Computes the poses at both ends. Most bullets do not need them, as nothing is near. */
void d2_ccd_query_pose(struct sweep_query *query);

void d2_ccd_colliders_sweep(struct sweep_query *query, const struct body *body);

/* Whether no other body is near the rest of the path of a body carried from `here` to `there`. `angle`: the carrier's rotation
 * in the whole step, `distance`: from its centre of mass. */
bool d2_ccd_arc_clear(
	const struct sweep_query *query, struct d2_vec_d here, struct d2_vec_d there, double angle, double distance);
