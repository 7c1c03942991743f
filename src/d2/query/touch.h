/* touch.h - contacts without a world, the quick way: d2_touch asks here first.
 * Pure, any thread. */
#pragma once
#include "d2/query/distance.h"

/* Of circles, capsules, segments, boxes and polygons that touch along one edge or at one point, plainly. False, and *out says
 * nothing: edges are all but parallel, another edge is as good, the distance is all but nothing, or the shapes are others; then
 * it takes d2_touch to tell. What is told is the same there, but for rounding. */
bool d2_touch_plain(const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b,
	const struct d2_pose *pose_b, struct d2_touch *out);
