/* sat.h - the separating axis test of two cores with corners, with an optional cached axis tested first.
 * The axes are the face normals of both cores, and the cross products of pairs of edges that form a face of the Minkowski
 * difference (their arcs cross on the Gauss map). Where the closest features are corners, or an edge and a corner, the
 * direction between them is an axis, too: with it the greatest separation is the signed distance, whether or not the cores are
 * rounded.
 * Source: Gregorius, "The Separating Axis Test between Convex Polyhedra", GDC 2013.
 * Pure, any thread. */
#pragma once
#include "d3/query/gjk.h"

enum d3_sat_owner { D3_SAT_FACE_A, D3_SAT_FACE_B, D3_SAT_EDGES, D3_SAT_CORNERS };

struct d3_sat_axis {
	enum d3_sat_owner owner;
	uint32_t index; /* FACE: the face; EDGES: A's edge, of a hull its even half edge; CORNERS: unused */
	uint32_t other; /* EDGES: B's edge, likewise */
	struct d3_vec_d direction; /* CORNERS: the axis itself, in A's frame */
};

struct d3_sat_result {
	double separation; /* along the axis; > 0: a lower bound of the distance; else the signed distance [length] */
	struct d3_vec_d normal; /* from A to B, in A's frame */
	struct d3_sat_axis axis;
	int checks; /* axes tested */
};

/* Finds the axis of the greatest separation, or the first axis that separates; `cached`, when not NULL, is tested first. The
 * proxies must be of type POINTS: hull, triangle (two faces, three edges), segment or point. */
void d3_sat(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	const struct d3_sat_axis *cached, struct d3_sat_result *out);

/* As d3_sat, but faster, for two boxes aligned with their frames' axes. False, with *out undefined: the cores are nearly
 * touching, or separated by no more than the radii. */
bool d3_sat_boxes(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_sat_result *out);
