/* distance.h - signed distance of any two shapes, independent of a world.
 * All is computed in doubles in the frame of one of the shapes, so that the precision of distance and normal does not depend on
 * where in the world the shapes are. The two shapes are put into a canonical order first: exchanging them exchanges the
 * results, to the bit. For shapes with children the result is that of the nearest pair of children. Triangles, those of meshes
 * too, are two-sided and have no interior.
 * Pure, any thread. */
#pragma once
#include "d3/query/gjk.h"

/* Number of a shape's closest feature. Point k: k + 1. Edge between points i < j: (j + 1) 2^24 + i + 1. Face k: -(k + 1).
 * Smooth surfaces without features: 0. Points and faces are numbered as in shape.h. */
typedef int64_t d3_feature;

struct d3_distance {
	double distance; /* signed [length] */
	struct d3_vec_d normal; /* unit, from A to B, in the world */
	struct d3_vec_d a, b; /* closest points of the surfaces, or deepest ones, in the world: b = a + distance * normal */
	d3_feature feature_a, feature_b;
};

void d3_distance(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b,
	struct d3_distance *out);

/* Whether the shapes overlap or touch: d3_distance's distance <= 0, found faster. */
bool d3_overlaps(
	const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b);

/* d3_distance from A to a point of the world, which takes the place of B; feature_b is 1. Returns A's nearest child. */
uint32_t d3_distance_to_point(
	const struct d3_shape *a, const struct d3_pose *pose_a, struct d3_vec_d point, struct d3_distance *out);

enum { D3_SUPPORT_POINTS = 16 };

/* Writes the points of the shape farthest along delta (in the world, any length but 0) and returns their number: 2 for an edge
 * or generator perpendicular to delta; 3 or more, counter-clockwise about delta, for a face perpendicular to it; else
 * 1. Perpendicular is to within 1e-6 rad. Of a face with more corners than D3_SUPPORT_POINTS, evenly chosen ones are written. A
 * flat end of a cylinder or cone gives the four points of its rim on the x and z axes of its frame. A shape with children gives
 * those of its farthest child. Takes no half-spaces. */
int d3_support_points(
	const struct d3_shape *shape, const struct d3_pose *pose, struct d3_vec_d delta, struct d3_vec_d points[D3_SUPPORT_POINTS]);

/* --- For other queries ---------------------------------------------------------------------------------------------------- */

/* Two shapes in canonical order; swapped: `a` is the caller's B. */
struct d3_pair {
	const struct d3_shape *a, *b;
	const struct d3_pose *pose_a, *pose_b;
	bool swapped;
};

/* Whether the shapes have the same geometry. */
bool d3_shapes_equal(const struct d3_shape *a, const struct d3_shape *b);
/* Whether B comes first in the canonical order of two shapes of one type. */
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

/* Transforms p from the pose's frame to the world; q: the pose's exact rotation. */
static inline struct d3_vec_d d3_pose_point(const struct d3_pose *pose, const struct d3_rot_d *q, struct d3_vec_d p)
{
	return d3_add_d((struct d3_vec_d){pose->x, pose->y, pose->z}, d3_turn_d(q, p));
}

/* Whether the shape is a sphere about its body's origin: its rotation has no effect. */
static inline bool d3_shape_centered(const struct d3_shape *shape)
{
	return shape->type == D3_SPHERE && shape->points[0].x == 0 && shape->points[0].y == 0 && shape->points[0].z == 0;
}

/* The nearest pair of children of a d3_pair, and their separation, in A's frame. */
struct d3_finding {
	uint32_t child_a, child_b;
	struct d3_proxy a, b;
	struct d3_transform_d b_in_a;
	struct d3_separation separation;
};

void d3_find_nearest(const struct d3_pair *pair, struct d3_finding *out);
