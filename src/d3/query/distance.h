/* distance.h - exact distances between any two shapes, independent of a world.
 * All is double, in the frame of one of the shapes, so that precision does not depend on their positions. The two shapes are
 * put into a canonical order first: exchanging them exchanges the results, to the bit. For shapes with children the result is
 * that of the nearest pair of children, found through their trees. Triangles are two-sided and have no interior.
 * Pure, any thread. */
#pragma once
#include "d3/query/gjk.h"

/* Closest feature of a shape. Point k: k + 1. Edge between points i < j: (j + 1) 2^24 + i + 1. Face k: -(k + 1). Smooth
 * surfaces without features: 0. Points and faces are numbered as in shape.h. */
typedef int64_t d3_feature;

struct d3_distance {
	double distance; /* signed [length] */
	struct d3_vec_d normal; /* unit, from A to B, in the world */
	struct d3_vec_d a, b; /* closest points of the surfaces, or deepest ones, in the world: b = a + distance * normal */
	d3_feature feature_a, feature_b;
};

void d3_distance(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b,
	struct d3_distance *out);

/* Whether the shapes overlap or are in contact: as d3_distance's distance <= 0, but faster. */
bool d3_overlaps(
	const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b);

/* Distance to a point of the world: B is the point. feature_b is 1. */
void d3_distance_to_point(
	const struct d3_shape *a, const struct d3_pose *pose_a, struct d3_vec_d point, struct d3_distance *out);

enum { D3_SUPPORT_POINTS = 16 };

/* Writes the support points of the shape along delta (any length but 0) in the world and returns their number: one; two for an
 * edge perpendicular to delta; more, in order around delta, for a face perpendicular to delta, to within 1e-6 rad; at most
 * D3_SUPPORT_POINTS. A flat end of a cylinder or cone gives four points of its rim, along the axes of its frame. Not for
 * half-spaces. */
int d3_support_points(
	const struct d3_shape *shape, const struct d3_pose *pose, struct d3_vec_d delta, struct d3_vec_d points[D3_SUPPORT_POINTS]);

/* --- For other queries ---------------------------------------------------------------------------------------------------- */

/* Two shapes in canonical order. */
struct d3_pair {
	const struct d3_shape *a, *b;
	const struct d3_pose *pose_a, *pose_b;
	bool swapped;
};

/* Whether the shapes have the same geometry. */
bool d3_shapes_equal(const struct d3_shape *a, const struct d3_shape *b);
/* Whether B comes first of two shapes of one type. */
bool d3_pair_swapped(
	const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b);

static inline struct d3_pair d3_pair_order(
	const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b)
{
	bool swapped = a->type != b->type ? a->type < b->type : d3_pair_swapped(a, pose_a, b, pose_b);
	return (struct d3_pair){swapped ? b : a, swapped ? a : b, swapped ? pose_b : pose_a, swapped ? pose_a : pose_b, swapped};
}

/* B's transform in A's frame; qa: A's exact rotation. */
static inline struct d3_transform_d d3_relative_transform(
	const struct d3_pose *pose_a, const struct d3_rot_d *qa, const struct d3_pose *pose_b)
{
	struct d3_rot_d qb = d3_exact_rot(pose_b->q);
	struct d3_vec_d between = {pose_b->x - pose_a->x, pose_b->y - pose_a->y, pose_b->z - pose_a->z};
	return (struct d3_transform_d){d3_inv_turn_d(qa, between), d3_inv_mul_rot_d(qa, &qb)};
}

static inline struct d3_transform_d d3_pair_relative(const struct d3_pose *pose_a, const struct d3_pose *pose_b)
{
	struct d3_rot_d qa = d3_exact_rot(pose_a->q);
	return d3_relative_transform(pose_a, &qa, pose_b);
}

/* A point of the pose's frame in the world; q: the pose's exact rotation. */
static inline struct d3_vec_d d3_pose_point(const struct d3_pose *pose, const struct d3_rot_d *q, struct d3_vec_d p)
{
	return d3_add_d((struct d3_vec_d){pose->x, pose->y, pose->z}, d3_turn_d(q, p));
}

/* A ball about its own origin, whose rotation has no effect. */
static inline bool d3_shape_centered(const struct d3_shape *shape)
{
	return shape->type == D3_SPHERE && shape->points[0].x == 0 && shape->points[0].y == 0 && shape->points[0].z == 0;
}

/* The nearest pair of children and their separation in a's frame. The pair is in canonical order. */
struct d3_finding {
	uint32_t child_a, child_b;
	struct d3_proxy a, b;
	struct d3_transform_d b_in_a;
	struct d3_separation separation;
};

void d3_find_nearest(const struct d3_pair *pair, struct d3_finding *out);
