/* touch.h - the contact of two overlapping shapes: up to four points, by clipping the faces that lie on each other.
 * Pure, any thread. */
#pragma once
#include "d3/query/distance.h"

enum { D3_TOUCH_POINTS = 4 };

struct d3_touch_point {
	struct d3_vec_d p; /* midway between the surfaces, in the world */
	double separation; /* <= 0 [length] */
	uint64_t id; /* the same for the same couple of features, below 2^53 */
};

struct d3_touch {
	struct d3_vec_d normal; /* from A to B, in the world */
	int count; /* 0: they are apart, and the normal says nothing */
	/* those that hold the most: the deepest, and those that span the largest area */
	struct d3_touch_point points[D3_TOUCH_POINTS];
};

/* Of shapes with children: of the couple that overlaps most. */
void d3_touch(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b,
	struct d3_touch *out);
