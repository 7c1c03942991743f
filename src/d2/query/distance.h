/* distance.h - signed distances, overlaps and shape casts of any two shapes, without a world.
 * Arithmetic is double, in the frame of one of the two shapes, so that nothing depends on their absolute positions. The pair is
 * first put into a canonical order: exchanging the shapes exchanges the results, to the bit.
 * A chain counts as a set of two-sided segments without an inside: its distance is that of the closest (or deepest) segment.
 * Pure, any thread. */
#pragma once
#include "d2/query/gjk.h"

/* The code of a feature: k >= 0 is the shape's point k, ~k the edge from point k to the next, D2_SMOOTH an ellipse or
 * half-plane. */
enum { D2_SMOOTH = INT32_MAX };

struct d2_distance {
	double distance; /* signed [length] */
	struct d2_vec_d normal; /* unit, from A to B, in the world */
	struct d2_vec_d a, b; /* closest or deepest points of the surfaces, in the world: b = a + distance * normal */
	int32_t feature_a, feature_b; /* codes of the features that carry a and b, see D2_SMOOTH */
};

/* Finds the signed distance and the closest points of two shapes. */
void d2_distance(const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b, const struct d2_pose *pose_b,
	struct d2_distance *out);

/* The same for a child of B, and A, which has one child. */
void d2_child_distance(const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b, uint32_t child_b,
	const struct d2_pose *pose_b, struct d2_distance *out);

/* Whether d2_distance's distance is <= 0, without computing the rest. */
bool d2_overlaps(
	const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b, const struct d2_pose *pose_b);

/* Finds the distance from A to the point (x, y) of the world, which is B in the result. feature_b is 0. */
void d2_distance_to_point(const struct d2_shape *a, const struct d2_pose *pose_a, double x, double y, struct d2_distance *out);
/* The same from a child of A, or with D2_ALL from all of A. Returns the closest child. */
uint32_t d2_child_distance_to_point(
	const struct d2_shape *a, uint32_t child, const struct d2_pose *pose_a, double x, double y, struct d2_distance *out);

struct d2_cast_result {
	bool hit;
	bool left; /* `leave` is valid */
	double t; /* fraction of delta at first contact, in [0, 1]; 1 when not hit */
	double leave; /* fraction at last contact; may exceed 1 */
	struct d2_vec_d normal; /* unit, from A to B, in the world */
	double x, y; /* point of contact on B, in the world [length] */
	int iterations;
	uint32_t child; /* of B */
};

enum d2_cast_method { D2_CAST_EXACT, D2_CAST_GJK };

/* Casts A by `delta` [length], without rotation, against B at rest. Shapes that overlap or touch at the start are hit at t = 0,
 * with the normal of d2_distance and its point on B. */
void d2_cast(const struct d2_shape *a, const struct d2_pose *pose_a, struct d2_vec_d delta, const struct d2_shape *b,
	const struct d2_pose *pose_b, enum d2_cast_method method, struct d2_cast_result *out);

/* d2_cast for the world, in which a one-sided chain B is hit only by motion against its front. child_a, child_b: one child
 * each, or D2_ALL for both. late: children that overlap or touch at the start are ignored. */
void d2_cast_children(const struct d2_shape *a, uint32_t child_a, const struct d2_pose *pose_a, struct d2_vec_d delta,
	const struct d2_shape *b, uint32_t child_b, const struct d2_pose *pose_b, bool late, struct d2_cast_result *out);

/* Writes the support points of the shape along the direction `delta` != 0, in the world, and returns their number: two,
 * counter-clockwise, if an edge is perpendicular to delta within 1e-6 rad, else one. Not for half-planes. */
int d2_support_points(
	const struct d2_shape *shape, const struct d2_pose *pose, struct d2_vec_d delta, struct d2_vec_d points[2]);

/* The shape's AABB in the world: lower x, lower y, upper x, upper y. Of a half-plane: +-1e18. */
void d2_bounds(const struct d2_shape *shape, const struct d2_pose *pose, double bounds[4]);

/* --- Ordered pairs, for the other queries --------------------------------------------------------------------------------- */

/* Two shapes in canonical order. swapped: the caller's A is b. */
struct d2_pair {
	const struct d2_shape *a, *b;
	const struct d2_pose *pose_a, *pose_b;
	bool swapped;
};

bool d2_shapes_equal(const struct d2_shape *a, const struct d2_shape *b);
/* Whether B comes first in the canonical order, for shapes of the same d2_type_measured. */
bool d2_pair_swapped(
	const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b, const struct d2_pose *pose_b);

static inline struct d2_pair d2_make_pair(const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b,
	const struct d2_pose *pose_b, bool swapped)
{
	const struct d2_shape *const shapes[2] = {a, b};
	const struct d2_pose *const poses[2] = {pose_a, pose_b};
	return (struct d2_pair){shapes[swapped], shapes[!swapped], poses[swapped], poses[!swapped], swapped};
}

/* Puts the shapes into canonical order, by descending d2_type_measured: half-planes first, circles last. */
static inline struct d2_pair d2_pair_order(
	const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b, const struct d2_pose *pose_b)
{
	enum d2_shape_type type_a = d2_type_measured(a), type_b = d2_type_measured(b);
	bool swapped = type_a != type_b ? type_a < type_b : d2_pair_swapped(a, pose_a, b, pose_b);
	return d2_make_pair(a, pose_a, b, pose_b, swapped);
}

static inline bool d2_pair_has_chain(const struct d2_pair *pair)
{
	return pair->a->type == D2_CHAIN || pair->b->type == D2_CHAIN;
}

/* The transform from B's frame to A's; qa: A's rotation by d2_exact_rot. */
static inline struct d2_transform_d d2_relative_transform(
	const struct d2_pose *pose_a, struct d2_rot_d qa, const struct d2_pose *pose_b)
{
	struct d2_vec_d between = {pose_b->x - pose_a->x, pose_b->y - pose_a->y};
	return (struct d2_transform_d){d2_inv_turn_d(qa, between), d2_inv_mul_rot_d(qa, d2_exact_rot(pose_b->q))};
}

static inline struct d2_transform_d d2_pair_relative(const struct d2_pose *pose_a, const struct d2_pose *pose_b)
{
	return d2_relative_transform(pose_a, d2_exact_rot(pose_a->q), pose_b);
}

/* Transforms p from the pose's frame to the world; q: the pose's rotation by d2_exact_rot. */
static inline struct d2_vec_d d2_pose_point(const struct d2_pose *pose, struct d2_rot_d q, struct d2_vec_d p)
{
	return d2_add_d((struct d2_vec_d){pose->x, pose->y}, d2_turn_d(q, p));
}

/* Whether the bounding circles of A and B are disjoint by more than rounding errors. */
bool d2_surely_apart(
	const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b, const struct d2_pose *pose_b);
/* Finds the closest children of an ordered pair. False: all are farther apart than `limit` >= 0. True does not prove that any
 * are within it. */
bool d2_nearest_children(const struct d2_pair *pair, double limit, uint32_t *child_a, uint32_t *child_b);
