/* sat.h - separating axis test of two convex polygons with radii (also segments, capsules, circles). It starts with a cached
 * axis and stops at the first that separates. The axes are the edge normals of both and, if none of these separates, the
 * direction between the two closest corners. So the greatest separation is the exact signed distance of shapes that overlap or
 * touch, sharp or rounded, and a lower bound of that of others.
 * Pure, any thread. */
#pragma once
#include "d2/query/gjk.h"

enum d2_sat_owner { D2_SAT_EDGE_A, D2_SAT_EDGE_B, D2_SAT_CORNERS };

struct d2_sat_axis {
	enum d2_sat_owner owner;
	uint32_t index; /* the owner's edge from point `index` to the next; for corners: A's point */
	uint32_t other; /* for corners: B's point */
};

struct d2_sat_result {
	/* along the axis, radii subtracted; > 0: a lower bound of the distance; else the exact signed distance [length] */
	double separation;
	struct d2_vec_d normal; /* unit, from A to B, in A's frame */
	struct d2_sat_axis axis;
	int checks; /* axes tested */
};

/* Both proxies are D2_PROXY_POINTS. cached: the axis to start with, or NULL; the edges beside it come next. */
void d2_sat(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a,
	const struct d2_sat_axis *cached, struct d2_sat_result *out);
