/* ray_cast.h - ray casts against shapes, and tests whether shapes contain a point, or overlap each other or an AABB. Positions
 * in the world are double and are made relative to the shape first, so that precision does not depend on where the scene is.
 * Pure, any thread. */
#pragma once
#include "d2/shape/shape.h"

struct d2_ray_hit_d {
	double fraction; /* of the ray's translation (tx, ty) */
	struct d2_vec_d normal; /* unit, outward, in the world; zero for a ray of no length that starts inside */
	double x, y; /* in the world [length] */
	uint32_t child; /* a chain's segment; else 0 */
};

/* Finds the first point where the ray from (ox, oy) along (tx, ty) enters the shape at a fraction <= 1. A ray that starts
 * inside a solid hits at fraction 0 with the normal opposite to its direction. A one-sided chain is hit from its right side
 * only, a segment from both; neither has an inside. False, and *out untouched, when it misses. */
bool d2_shape_ray_d(const struct d2_shape *shape, const struct d2_pose *pose, double ox, double oy, double tx, double ty,
	struct d2_ray_hit_d *out);
/* d2_shape_ray_d for one child, or all of them with D2_ALL, and fractions <= max_fraction. */
bool d2_shape_ray_child(const struct d2_shape *shape, uint32_t child, const struct d2_pose *pose, double ox, double oy,
	double tx, double ty, double max_fraction, struct d2_ray_hit_d *out);

/* Whether the point of the world is in or on the shape. Always false for segment and chain. */
bool d2_shape_contains(const struct d2_shape *shape, const struct d2_pose *pose, double x, double y);

/* Whether two children touch or overlap, by GJK. Chain segments are two-sided here. */
bool d2_shapes_overlap(const struct d2_shape *a, uint32_t child_a, const struct d2_pose *pose_a, const struct d2_shape *b,
	uint32_t child_b, const struct d2_pose *pose_b);

/* Whether the shape and the box, in the world, overlap or touch, up to float rounding at the size of the shape. A chain is
 * two-sided. */
bool d2_shape_overlaps_box(const struct d2_shape *shape, const struct d2_pose *pose, const struct box_d *box);
/* The same for one child. */
bool d2_child_overlaps_box(const struct d2_shape *shape, uint32_t child, const struct d2_pose *pose, const struct box_d *box);

/* The shape's AABB in the world, rounded outwards: it overlaps each box for which d2_shape_overlaps_box is true. Of a
 * half-plane: +-1e18 on both axes. */
struct box_d d2_shape_reach(const struct d2_shape *shape, const struct d2_pose *pose);
