/* sat.h - the separating axis test of two cores with corners, with the axis that was found before tried first.
 * The axes are the face normals of both, the crossed directions of those pairs of edges that make a face of the Minkowski
 * difference (their arcs cross on the Gauss map), and, where corners or an edge and a corner are nearest, the direction between
 * them: with it the greatest separation is the signed distance itself, sharp or rounded.
 * Sources: Gregorius, "The Separating Axis Test between Convex Polyhedra", GDC 2013.
 * Pure, any thread. */
#pragma once
#include "d3/query/gjk.h"

enum d3_sat_owner { D3_SAT_FACE_A, D3_SAT_FACE_B, D3_SAT_EDGES, D3_SAT_CORNERS };

struct d3_sat_axis {
	enum d3_sat_owner owner;
	uint32_t index; /* the face; of edges: that of A, as a half edge of its hull; of corners: nothing */
	uint32_t other; /* of edges: that of B */
	struct d3_vec_d direction; /* of corners: the axis itself, in A's frame */
};

struct d3_sat_result {
	double separation; /* along the axis; > 0: they are apart, by that at least; else exactly their overlap [length] */
	struct d3_vec_d normal; /* from A to B, in A's frame */
	struct d3_sat_axis axis;
	int checks; /* axes tested */
};

/* Both are points: hulls, or triangle (two faces, three edges), segment, point. Stops at the first axis that separates.
 * `cached`, when not NULL, is tried first. */
void d3_sat(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	const struct d3_sat_axis *cached, struct d3_sat_result *out);

/* The same of two boxes along the axes of their frames, sooner. False, and *out means nothing: the cores are all but touching,
 * or apart by no more than the radii. */
bool d3_sat_boxes(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_sat_result *out);
