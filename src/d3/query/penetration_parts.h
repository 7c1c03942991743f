/* penetration_parts.h - internals shared by penetration.c and penetration_hulls.c.
 * Pure, any thread. */
#pragma once
#include "d3/query/gjk.h"
#include "base/float4.h"
#include "d3/query/capsules.h"
#include "d3/query/ray_cast.h"
#include "d3/query/sat.h"

#include <assert.h>
#include <string.h>

/* Relative to the coordinates. Features within face_tolerance of the best may be the best: merging faces moves planes by less.
 * Corners within deep_tolerance of the deepest are as deep. Faces flat to within flat_tolerance are flat. */
static const double face_tolerance = 1e-5, deep_tolerance = 1e-9, flat_tolerance = 1e-14;

struct deepest {
	const struct d3_proxy *a, *b;
	const struct d3_transform_d *place; /* B's, in A's frame */
	const struct d3_sat_axis *axis;
	double distance, tolerance; /* distance: of the cores */
	struct d3_vec_d normal, on_a; /* on_a: A's deepest point */
};

/* A ball and a hull, in either order: any axis-aligned box, other hulls only if `inside` is set and the hull contains the
 * ball's centre. False: no result. */
bool d3_penetration_by_closest_point(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	bool inside, struct d3_separation *out);

/* Whether the faces' planes contain all corners. A merged face's need not, and the deepest point is then not exactly along its
 * normal. */
bool d3_penetration_has_flat_faces(const struct d3_proxy *proxy, double tolerance);

/* The same for two axis-aligned boxes, where SAT takes no longer than an overlap test. */
bool d3_penetration_boxes_overlap(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out);

/* Overlapping polytope cores. False: EPA is needed. */
bool d3_penetration_overlap_of_hulls(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out);

/* Without a search, for cores that overlapped in the last query. False: they may not overlap, or EPA is needed. */
bool d3_penetration_still_overlap(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out);
