/* time_of_impact_parts.h - internals shared by time_of_impact.c and time_of_impact_heading.c and time_of_impact_shapes.c.
 * Pure, any thread. */
#pragma once
#include "d3/query/time_of_impact.h"
#include "d3/query/ray_cast.h"
#include "d3/query/gjk.h"
#include "d3/query/distance.h"
#include "d3/query/capsules.h"
#include "d3/query/shape_cast.h"

/* A step that leaves more than this fraction of the separation is slow: where the curvature matters, a step squares the
 * error. */
static const double slow_tolerance = 0.05;

/* The state at t, in A's frame. */
struct moment {
	double t;
	struct d3_transform_d place; /* of B */
	struct d3_vec_d delta; /* from A's rotation centre to B's */
	struct d3_vec_d v, w; /* B's velocity minus A's; B's rotation rate */
	struct d3_rot_d home; /* A's rotation since the start */
};

/* The extents of a core. */
struct reach {
	double origin; /* from the rotation centre */
	double center; /* reach from `middle` */
	/* the centre about which it rotates here, relative to the true one: 0 if the core rotates, else the middle of the core */
	struct d3_vec_d middle;
	double axis; /* greatest distance from the axis of rotation */
	double wobble; /* of a solid of revolution, see find_wobble; else INFINITY */
};

/* The method of the distance query. */
enum d3_impact_look { LOOK_CAPSULES, LOOK_CORNERS, LOOK_CLOSED, LOOK_PAIR };

/* The features of the closest points, which n follows: a face or an edge that turns with its shape, two edges, or corners and
 * smooth surfaces. */
enum owner { OWNER_A, OWNER_B, OWNER_EDGES, OWNER_NONE };

/* GJK that continues from the last query. */
struct pursuit {
	struct d3_difference pair;
	struct d3_simplex simplex; /* of the last query */
	struct d3_transform_d last; /* B's transform then */
};

struct course {
	const struct d3_motion *motion;
	const struct d3_proxy *a, *b;
	struct reach reach_a, reach_b;
	double bend_a, bend_b; /* K of an n that turns with A, with B; negative: unknown */
	double target; /* the separation to keep */
	double tolerance; /* excess over the target at a hit */
	double skin; /* both radii, the target and half of the tolerance */
	enum d3_impact_look d3_impact_look;
	struct d3_capsule_core capsule_a, capsule_b; /* LOOK_CAPSULES: in their own frames */
	struct d3_corner_simplex corners; /* LOOK_CORNERS: of the last query */
	enum owner owner; /* of the last query */
	bool rolls; /* between two corners, or a corner and an edge: n follows its owner only roughly */
	uint32_t edge_a[2], edge_b[2]; /* the ends of the edges, if any */
	struct pursuit *pursuit; /* LOOK_PAIR */
	struct d3_impact_step *steps;
	int step_count;
};

/* A point of each core, in A's frame, and their relative velocity, seen from a frame that does not rotate. */
struct points {
	/* from_a, from_b: from the rotation centres; between: from A's point to B's */
	struct d3_vec_d from_a, from_b, between, speed;
};

/* How n moves: it is fixed, turns with A or with B or at a rate w [rad/step] of its own, or is eA x eB, perpendicular to two
 * edges. The length of eA x eB is the sine of the edges' angle, and f is scaled by it. */
enum heading_type { HEADING_STANDS, HEADING_WITH_A, HEADING_WITH_B, HEADING_TURNS, HEADING_EDGES };

struct heading {
	enum heading_type type;
	/* WITH_A: in A's frame; WITH_B: in B's; EDGES: A's edge, a unit vector in A's frame; else in the frame of the start */
	struct d3_vec_d n;
	struct d3_vec_d other; /* EDGES: B's edge in B's frame, with the sign for which n points from A to B */
	struct d3_vec_d held; /* WITH_A: A's point farthest along n; WITH_B: B's farthest against n; in its own frame */
	struct d3_vec_d w, axis; /* TURNS: in the frame of the start; axis: a unit vector */
	double turn; /* TURNS: the length of w */
	double t; /* TURNS: the time at which the direction is n */
	double bend; /* K [length/step^2] */
};

/* f minus the skin, positive where the separation exceeds the target; rate, second: derivatives of the least g. */
struct separation {
	double f, rate, second;
	double length; /* of n */
};

struct sweep {
	const struct d3_pair *pair;
	struct d3_transform_d b_in_a;
	struct d3_vec_d delta;
	struct d3_vec_d whole; /* the whole displacement */
	bool overlaps;
	double limit;
};

void d3_impact_make_motion(const struct d3_shape *a, const struct d3_pose *from_a, const struct d3_pose *to_a,
	const struct d3_shape *b, const struct d3_pose *from_b, const struct d3_pose *to_b, struct d3_motion *out);

void d3_impact_set_moment(const struct d3_motion *motion, double t, struct moment *out);

void d3_impact_forget(struct course *course);

void d3_impact_choose_look(struct course *course);

void d3_impact_look(struct course *course, const struct moment *now, struct d3_separation *gap);

void d3_impact_head_with_a(struct course *course, const struct d3_separation *gap, struct heading *out);

void d3_impact_head_with_b(
	struct course *course, const struct moment *now, const struct d3_separation *gap, struct heading *out);

void d3_impact_head_as_it_stands(const struct course *course, const struct moment *now, struct d3_vec_d n, struct heading *out);

/* Between nearly parallel edges, or corners that pass each other closely, n turns faster than either shape, and the separation
 * along the last n is soon 0: a step gains 2 % of the distance. So n goes on turning at its mean rate since the step `before`,
 * in the frame of the start. */
void d3_impact_head_on_turning(const struct course *course, const struct moment *now, struct d3_vec_d n,
	const struct d3_impact_step *before, struct heading *out);

/* n = eA x eB, with the edges that the closest points are on. Unlike the unit normal, this n does not turn faster as the edges
 * become parallel. With y = b - a for any points and e' = w x e, (n.y)'' is at most
 *   K = |n''| |y| + 2 |n'| |y'| + |n| |y''|,  |n'| <= |eA'| + |eB'|,  |n''| <= |wA| |eA'| + |wB| |eB'| + 2 |eA'| |eB'|
 * and |n|, which scales the skin, has a second derivative of at least -|n''|. */
void d3_impact_head_across(const struct course *course, const struct moment *now, struct d3_vec_d n, struct heading *out);

/* Chooses n by the closest features. n turns with a half-space, as the separation along any other direction is -INFINITY. */
void d3_impact_head_by_owner(
	struct course *course, const struct moment *now, const struct d3_separation *gap, bool slow, struct heading *out);

/* f at the query, whose points are the farthest along its normal. For edges, and where GJK may have stopped early, f is
 * computed anew. */
void d3_impact_first_separation(const struct course *course, const struct heading *heading, const struct moment *now,
	const struct d3_separation *gap, struct separation *out);

/* The time up to which f surely stays positive, by a few steps; *reached: where the last step led. Ends with the first step
 * that is cut short, as a distance query tells more than another step along the same n, or when f is within the tolerance. If
 * course->rolls, n soon changes: then also when f is below slow_tolerance times the first f. */
double d3_impact_separation_advance(const struct course *course, const struct heading *heading, double t,
	const struct separation *first, double limit, double tolerance, struct moment *reached);

/* Searches from `from`, up to which there is no contact, to max_t. */
void d3_impact_advance(struct course *course, double from, double max_t, struct d3_impact_result *out);

void d3_impact_prepare(struct course *course);
