/* friction_radius_lanes.h - mean distance of a contact area from its centre, of LANES contacts of four points at a time: equal
 * to the result of friction_radius.c, to the bit.
 * Pure, any thread. */
#pragma once
#include "d3/dynamics/lanes.h"

/* Doubled: the area, and the integral of the distance over it. */
struct lane_friction_radius {
	lanes area, moment;
};

/* Adds the triangle of the centre, which is the origin, and two corners, in the plane perpendicular to n. */
INLINE struct lane_friction_radius friction_radius_add(
	struct lane_friction_radius friction_radius, struct lane_vec n, struct lane_vec from, struct lane_vec to)
{
	struct lane_vec middle = lane_scale(splat(0.5f), lane_add(from, to));
	lanes area = abs_lanes(lane_dot(n, lane_cross(from, to)));
	lanes quarters = lane_length(lane_add(from, middle)) + lane_length(lane_add(middle, to));
	lanes sum = lane_length(from) + splat(2.0f) * (quarters + lane_length(middle)) + lane_length(to);
	return (struct lane_friction_radius){friction_radius.area + area, friction_radius.moment + area * sum / splat(18.0f)};
}

/* Twice the area of a quadrangle, from its diagonals. */
INLINE lanes quadrangle(struct lane_vec n, struct lane_vec a, struct lane_vec b, struct lane_vec c, struct lane_vec d)
{
	return abs_lanes(lane_dot(n, lane_cross(lane_sub(c, a), lane_sub(d, b))));
}

/* Takes the points in the order around the centre that spans the largest area. Without area 0. */
INLINE lanes float4_friction_radius(struct lane_vec n, const struct lane_vec points[4])
{
	struct lane_vec p[4], middle = {0};
	for (int i = 0; i < 4; ++i)
		middle = lane_add(middle, points[i]);
	for (int i = 0; i < 4; ++i)
		p[i] = lane_mul_add(points[i], splat(-0.25f), middle);
	lanes first = quadrangle(n, p[0], p[1], p[2], p[3]);
	lanes second = quadrangle(n, p[0], p[2], p[1], p[3]);
	lanes third = quadrangle(n, p[0], p[1], p[3], p[2]);
	masks swaps = second > first, swaps_last = third > choose(swaps, second, first);
	swaps &= ~swaps_last;
	struct lane_vec one = lane_choose(swaps, p[2], p[1]);
	struct lane_vec two = lane_choose(swaps, p[1], lane_choose(swaps_last, p[3], p[2]));
	struct lane_vec three = lane_choose(swaps_last, p[2], p[3]);
	struct lane_friction_radius friction_radius = {{0}, {0}};
	friction_radius = friction_radius_add(friction_radius, n, p[0], one);
	friction_radius = friction_radius_add(friction_radius, n, one, two);
	friction_radius = friction_radius_add(friction_radius, n, two, three);
	friction_radius = friction_radius_add(friction_radius, n, three, p[0]);
	masks some = friction_radius.area > (lanes){0};
	return choose(some, friction_radius.moment / choose(some, friction_radius.area, splat(1.0f)), (lanes){0});
}
