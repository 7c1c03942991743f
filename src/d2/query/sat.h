/* sat.h - the separating axis test of two outlines, starting with a cached axis.
 * The axes are the edge normals of both and, where corners are closest, the direction between the two closest corners. With it
 * the greatest separation is the signed distance itself, sharp or rounded.
 * Pure, any thread. */
#pragma once
#include "d2/query/gjk.h"

enum d2_sat_owner { D2_SAT_EDGE_A, D2_SAT_EDGE_B, D2_SAT_CORNERS };

struct d2_sat_axis {
	enum d2_sat_owner owner;
	uint32_t index; /* the edge from point `index` to the next; for corners: A's point */
	uint32_t other; /* for corners: B's point */
};

struct d2_sat_result {
	double separation; /* along the axis; > 0: a lower bound of the distance; else the exact signed distance [length] */
	struct d2_vec_d normal; /* from A to B, in A's frame */
	struct d2_sat_axis axis;
	int checks; /* axes tested */
};

/* Both proxies are D2_PROXY_POINTS. Stops at the first separating axis. First tests `cached`, or NULL, and its neighbours. */
void d2_sat(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a,
	const struct d2_sat_axis *cached, struct d2_sat_result *out);
