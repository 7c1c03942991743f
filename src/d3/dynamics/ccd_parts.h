/* ccd_parts.h - internals shared by ccd.c and ccd_query.c and ccd_surface.c.
 * Threads: see ccd.c. */
#pragma once
#include "core/ccd.h"
#include "core/impact.h"
#include "core/pairs.h"
#include "core/travel.h"
#include "d3/query/time_of_impact.h"
#include "d3/manifold/manifold.h"
#include "d3/dynamics/rebound.h"
#include "d3/shape/shape_parts.h"
#include "d3/dynamics/wing.h"

#include <string.h>

/* Size of a shape's core relative to the shape. If the shape overlaps an obstacle already, only its core is swept. Box3D's
 * B3_CORE_FRACTION. */
#define CORE 0.25f

/* Impacts of a body in a step. After IMPACTS it moves only with its carrier, and dynamic bodies stop it no longer. After
 * LAST_IMPACT see path_end. */
enum { IMPACTS = 7, LAST_IMPACT = 8 };

/* A surface that the body has hit in this step, and must stay in front of. */
struct met {
	uint32_t body; /* the obstacle */
	uint32_t proxies[2]; /* of the body, and of the obstacle */
	/* in the obstacle's frame: its normal towards the body; the position of the body's centre of mass */
	struct d3_vec_d normal, place;
	bool bounced; /* the body has bounced off the obstacle */
};

struct sweep_query {
	struct world *world;
	uint32_t body; /* the swept body */
	uint32_t proxy; /* the tested proxy of the body */
	uint32_t other; /* proxy of the tested obstacle */
	const struct d3_shape *shape; /* of `proxy` */
	const struct d3_proxy *whole; /* convex stand-in of all of `shape` */
	bool bullet;
	bool jointed; /* on joints: only its core is stopped, see d3_ccd_make_half */
	bool overtaken; /* a kinematic body may have passed through it: it is swept however slow it is */
	bool shared; /* see world->shared */
	bool later; /* the path has been examined before; bullets may have been moved since */
	bool again; /* only bullets moved since are tested */
	/* the body has had too many impacts, or is squeezed between a dynamic body and another: dynamic ones no longer stop it */
	bool crowded;
	struct d3_sweep sweep; /* the current part of the body's path */
	float from, until; /* times at which this part starts and ends: fractions of the step */
	struct d3_pose start, end; /* the body's poses at `from`, `until` */
	struct d3_rot_d turned[2]; /* their rotations */
	bool posed, stands; /* `start` and `end` are computed; they are equal */
	struct d3_vec turn_before; /* rotation in this step before this part [rad] */
	uint32_t carrier; /* the body that carries it along, or NONE */
	struct d3_sweep relative; /* the current part relative to the carrier, which is held at its pose at `from` */
	uint32_t ignored; /* an obstacle that no longer stops it, or NONE */
	bool bent; /* `relative` is wrong by more than a slop: the carrier is tested like any other obstacle */
	const struct d3_sweep *seen; /* `relative` against the carrier, else `sweep` */
	double arc; /* largest deviation of `seen` from its chord, in the obstacle's frame [length] */
	struct d3_motion motion; /* of the obstacle and `seen` */
	bool looked, slow; /* proxy_look has run for `proxy`; the proxy moves too little to pass through anything */
	struct box around, box; /* AABBs of the proxy's path: for any rotation; tight, see path_box */
	bool boxed; /* `box` is computed */
	float target, tolerance; /* separation to keep, and its tolerance [length] */
	/* largest distance of the body's points: from its centre of mass; from their straight paths, by rotation [length] */
	float extent, bulge;
	float t; /* time of the first impact as a fraction of the part; 1: none so far */
	struct met first; /* that impact */
	double lift; /* first.place is farther from the obstacle than the position where the body stops by this [length] */
	bool turns; /* the body's centre of mass hits, so that the body may turn on */
	bool deep; /* the core hits; the shape overlaps already */
	bool behind; /* the shape starts behind a one-sided triangle, which stops it only from the front */
	struct d3_vec_d front; /* normal of the triangle's front, in the obstacle's frame */
	struct met met[LAST_IMPACT];
	int impacts;
	struct impact bounces[LAST_IMPACT];
	int bounce_count;
	void (*against)(struct sweep_query *query, uint32_t other_id); /* called for each proxy near the path */
	/* results of d3_ccd_near_against: the least distance from the obstacle that was hit, and from any obstacle at rest
	 * [length] */
	float near_obstacle, near;
	struct d3_vec_d obstacle_normal, normal; /* the normals at those distances, in the world */
};

struct core {
	struct d3_vec points[14];
	struct d3_proxy proxy;
};

/* Triangles near a path that the first traversal keeps for the second; with more, the second searches the tree. */
enum { NEAR_TRIANGLES = 32 };

struct surface_query {
	struct sweep_query *query;
	const struct d3_shape *surface;
	const struct d3_sweep *obstacle;
	uint32_t body;
	const struct d3_proxy *moving;
	float lower[3], upper[3]; /* AABB of the path, in the surface's frame */
	struct d3_rot_d stands[2]; /* rotations and positions of the body at the start and the end, in the surface's frame */
	struct d3_vec_d places[2];
	bool straight; /* the path is straight in the surface's frame */
	struct d3_vec_d from, to; /* the middle of the shape at the start and the end, in the surface's frame */
	double arc; /* largest deviation of the middle's path from its chord [length] */
	double core; /* triangles are tested if the middle approaches them by this, or to within this [length] */
	double turned; /* largest displacement of a point of the core by rotation [length] */
	bool any; /* all triangles count, not only those that can stop the body */
	bool known; /* `triangles` has all of them: the second traversal needs no tree */
	uint32_t triangles[NEAR_TRIANGLES], triangle_count;
	float near; /* least distance of a tested triangle */
	float enough; /* at this distance the search for a nearer triangle ends */
	double far; /* triangles farther than this are ignored [length] */
	struct d3_vec_d normal; /* of the triangle at `near`, towards the body */
};

typedef void triangle_visit(struct surface_query *query, const struct d3_proxy *triangle);

/* The rest of the path of a body that is carried along an arc. */
struct arc {
	const struct sweep_query *query;
	struct d3_vec_d here, there;
	double reach; /* obstacles farther than this from the chord are not in the way [length] */
	bool clear;
};

struct d3_vec_d d3_ccd_sweep_center(const struct d3_sweep *delta, float t);

/* Whether a body may have rotated by more than half a turn in this step. False for a moved linkage member, whose state does not
 * have the rotation. */
bool d3_ccd_turns_far(const struct world *world, uint32_t body);

struct d3_sweep d3_ccd_obstacle_path(const struct world *world, uint32_t body);

bool d3_ccd_path_leads_on(const struct d3_sweep *delta);

struct d3_pose d3_ccd_pose_at(const struct world *world, uint32_t body, float time);

struct d3_vec_d d3_ccd_place_of(const struct d3_pose *pose);

struct d3_vec_d d3_ccd_turned_home(struct d3_quat q, struct d3_vec_d v);

struct d3_vec_d d3_ccd_turned_out(struct d3_quat q, struct d3_vec_d v);

/* The body's pose at time t of `seen`. */
struct d3_pose d3_ccd_seen_pose(const struct sweep_query *query, float t);

/* Largest deviation of the path of the shape's middle from its chord: by rotation of the obstacle, and by rotation of the body
 * about its centre of mass [length]. */
double d3_ccd_middle_arc(const struct sweep_query *query);

/* Makes a core of half the shape's size, smaller if the shape is thin, so that the core is not near a surface on which the body
 * lies. Of a jointed body only this core is stopped, since the others are moved with it: the contact of the next step finds a
 * wheel deeper in the ground, and the solver stops the wheel together with its car. */
void d3_ccd_make_half(const struct sweep_query *query, struct core *core);

/* Sweeps the shape if it is separated at the start; else its core, if that is; else its middle. */
void d3_ccd_sweep_convex(struct sweep_query *query, const struct d3_proxy *a, const struct d3_sweep *obstacle, uint32_t body,
	const struct d3_proxy *b);

void d3_ccd_for_near_triangles(struct surface_query *query, triangle_visit *visit);

void d3_ccd_triangle_near(struct surface_query *query, const struct d3_proxy *triangle);

/* Computes the body's poses at both ends, and the path's AABB, in the surface's frame. */
void d3_ccd_path_bounds(struct surface_query *query);

/* Sweeps against a mesh or height field. A shape in contact with some triangles slides over the others: only its core is
 * stopped. */
void d3_ccd_sweep_surface(
	struct sweep_query *query, const struct d3_shape *surface, const struct d3_sweep *obstacle, uint32_t body);

/* Upper bound on the rotation of the body in this step [rad]. */
double d3_ccd_turn_bound(const struct world *world, uint32_t body);

void d3_ccd_sweep_against(struct sweep_query *query, uint32_t other_id);

/* Updates the least distances of the shape at its current pose from obstacles at rest, and from the one hit. */
void d3_ccd_near_against(struct sweep_query *query, uint32_t other_id);

/* Computes the poses at both ends of the part. Most bullets do not need them: nothing is near them. */
void d3_ccd_query_pose(struct sweep_query *query);

void d3_ccd_colliders_sweep(struct sweep_query *query, const struct body *body);

/* Whether nothing else is near the rest of the path of a body that its carrier takes from here to there. `angle`: of the
 * carrier's whole rotation, `distance`: of the body from its centre. */
bool d3_ccd_arc_clear(
	const struct sweep_query *query, struct d3_vec_d here, struct d3_vec_d there, double angle, double distance);
