/* distance.h - distances between any two shapes, exact, without a world.
 * Everything is double, in the frame of one of the two shapes, so that nothing depends on where both stand. The two are put
 * into an order of their own first: exchanging them exchanges the results, to the bit.
 * Of shapes with children what counts is the nearest couple of them, found through their trees. Triangles are solid from both
 * sides and without an inside.
 * Pure, any thread. */
#pragma once
#include "d3/query/gjk.h"

/* What is nearest on a shape. A point k: k + 1. The edge between points i < j: (j + 1) 2^24 + i + 1. A face k: -(k + 1). 0
 * where there is none of them, on what is smooth. Points and faces are counted as in shape.h. */
typedef int64_t d3_feature;

struct d3_distance {
	double distance; /* signed [length] */
	struct d3_vec_d normal; /* unit, from A to B, in the world */
	struct d3_vec_d a, b; /* nearest points of the surfaces, or deepest, in the world: b = a + distance * normal */
	d3_feature feature_a, feature_b;
};

void d3_distance(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b,
	struct d3_distance *out);

/* Whether they touch or overlap: as d3_distance's distance <= 0, without the rest. */
bool d3_overlaps(
	const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b);

/* From a point of the world: B is the point. feature_b is 1. */
void d3_distance_to_point(
	const struct d3_shape *a, const struct d3_pose *pose_a, struct d3_vec_d point, struct d3_distance *out);

enum { D3_SUPPORT_POINTS = 16 };

/* The farthest points of the shape along `way`, of any length but 0, in the world: one; two where an edge lies across, more, in
 * order around `way`, where a face does, to within 1e-6 rad; at most D3_SUPPORT_POINTS. Of the rim of a cylinder's or cone's
 * flat end that lies across: its four points along the axes of its frame. Not for half-spaces. Returns their number. */
int d3_support_points(
	const struct d3_shape *shape, const struct d3_pose *pose, struct d3_vec_d delta, struct d3_vec_d points[D3_SUPPORT_POINTS]);

/* --- For the other methods ------------------------------------------------------------------------------------------------ */

/* Two shapes in the order in which they are measured. */
struct d3_pair {
	const struct d3_shape *a, *b;
	const struct d3_pose *pose_a, *pose_b;
	bool swapped;
};

/* Whether the two are the same but for where they stand. */
bool d3_shapes_equal(const struct d3_shape *a, const struct d3_shape *b);
struct d3_pair d3_pair_order(
	const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b);
/* The same without a copy, which would wait for what it was made of. */
void d3_make_pair(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b,
	const struct d3_pose *pose_b, struct d3_pair *out);
/* B in the frame of A; qa is A's exact rotation. */
void d3_make_relative(
	const struct d3_pose *pose_a, const struct d3_rot_d *qa, const struct d3_pose *pose_b, struct d3_transform_d *out);
struct d3_transform_d d3_pair_relative(const struct d3_pose *pose_a, const struct d3_pose *pose_b);

/* The nearest couple of children, the gap between them in a's frame, and their features, counted over the shapes. The couple is
 * in order. */
struct d3_finding {
	uint32_t child_a, child_b;
	struct d3_proxy a, b;
	struct d3_transform_d b_in_a;
	struct d3_separation gap;
};

void d3_find_nearest(const struct d3_pair *pair, struct d3_finding *out);
