/* time_of_impact_parts.h - internals shared by time_of_impact.c, time_of_impact_heading.c and time_of_impact_shapes.c. */
#pragma once
#include "d3/query/time_of_impact.h"
#include "d3/query/ray_cast.h"
#include "d3/query/gjk.h"
#include "d3/query/distance.h"
#include "d3/query/capsules.h"
#include "d3/query/shape_cast.h"

/* A step is slow if more than this fraction of the distance beyond the target remains after it. Near a hit, steps that are not
 * slow converge quadratically. */
static const double slow_tolerance = 0.05;

/* State of the relative motion at t, in A's frame at t. */
struct moment {
	double t;
	struct d3_transform_d b_in_a; /* of B */
	struct d3_vec_d delta; /* from A's rotation centre to B's */
	struct d3_vec_d v, w; /* B's velocity minus A's; B's rotation rate */
	struct d3_rot_d home; /* A's rotation since the start */
};

/* The extents of a core. */
struct reach {
	double origin; /* upper bound of its points' distance from the rotation centre */
	double center; /* upper bound of their distance from `middle` */
	/* reference point, relative to the rotation centre: 0 if the body rotates, else the middle of the core */
	struct d3_vec_d middle;
	double axis; /* upper bound of their distance from the axis of rotation */
	double wobble; /* bound K / |w|^2 of a solid of revolution, see find_wobble; else INFINITY */
};

/* The method of the distance query. */
enum query_method { QUERY_CAPSULES, QUERY_CORNERS, QUERY_CLOSED, QUERY_GJK };

/* The features with which n turns, by the closest points: a face or an edge of A or of B, one edge of each, or none (corners
 * and smooth surfaces). */
enum owner { OWNER_A, OWNER_B, OWNER_EDGES, OWNER_NONE };

/* State of a GJK search that continues from the last query. */
struct pursuit {
	struct d3_difference pair;
	struct d3_simplex simplex; /* of the last query */
	struct d3_transform_d last; /* B's transform in that query */
};

/* The search for the impact of one pair. */
struct course {
	const struct d3_motion *motion;
	const struct d3_proxy *a, *b;
	struct pursuit *pursuit; /* QUERY_GJK */
	struct reach reach_a, reach_b;
	double bend_a, bend_b; /* the bound K of an n that turns with A, with B, see time_of_impact.c; negative: unknown */
	double target; /* the separation to keep */
	double tolerance; /* greatest excess over the target at a hit */
	double skin; /* sum of both radii, the target and half of the tolerance */
	enum query_method method;
	struct d3_capsule_core capsule_a, capsule_b; /* QUERY_CAPSULES: in their own frames */
	struct d3_corner_simplex corners; /* QUERY_CORNERS: of the last query */
	enum owner owner; /* of the last query */
	bool rolls; /* between two corners, or a corner and an edge: n follows its owner only roughly */
	uint32_t edge_a[2], edge_b[2]; /* the ends of the edges, if any */
	struct d3_impact_step *steps;
	int step_count;
};

static inline bool has_half_space(const struct course *course)
{
	return course->a->type == D3_PROXY_HALF_SPACE || course->b->type == D3_PROXY_HALF_SPACE;
}

void d3_impact_make_motion(const struct d3_shape *a, const struct d3_pose *from_a, const struct d3_pose *to_a,
	const struct d3_shape *b, const struct d3_pose *from_b, const struct d3_pose *to_b, struct d3_motion *out);

void d3_impact_set_moment(const struct d3_motion *motion, double t, struct moment *out);

void d3_impact_forget(struct course *course);

void d3_impact_choose_method(struct course *course);

void d3_impact_query(struct course *course, const struct moment *now, struct d3_separation *near);

/* Returns a time up to which the separation surely exceeds the target. n is chosen by the closest features; after repeated slow
 * steps an n that goes on turning is tried, too, and finally all choices. slow: number of slow steps; before->normal is in the
 * frame of the start. *reached: the last moment computed. */
double d3_impact_free_until(struct course *course, const struct moment *now, const struct d3_separation *near, double limit,
	const struct d3_impact_step *before, double tolerance, int slow, struct moment *reached);

/* Searches for the impact from `from`, up to which there is none, to max_t. */
void d3_impact_advance(struct course *course, double from, double max_t, struct d3_impact_result *out);

void d3_impact_prepare(struct course *course);
