/* shape_cast.h - casts of a shape along a straight path against another shape.
 * Pure, any thread. */
#pragma once
#include "d3/query/distance.h"

struct d3_cast_result {
	bool hit;
	bool left; /* leave is valid */
	double t; /* time of first contact, in [0, 1]; 1 when not hit */
	double leave; /* time of last contact, not clamped to 1 */
	struct d3_vec_d normal; /* from A to B, in the world */
	struct d3_vec_d p; /* the contact point on B, in the world */
	int iterations;
	uint32_t child; /* of B */
};

/* EXACT: the pair's best method. GJK: Newton's steps on GJK's distance only, for demonstration. ENTRY: as EXACT, but without
 * `leave`, in about half of the time. LATE: as ENTRY, but children that overlap or touch at the start are ignored. */
enum d3_cast_method { D3_CAST_EXACT, D3_CAST_GJK, D3_CAST_ENTRY, D3_CAST_LATE };

/* Casts A, which moves by delta in the world without rotation, against B. An overlap at the start is a hit at t = 0, with the
 * normal of d3_distance and its point on B. `leave` is not computed for shapes with children, nor by GJK, ENTRY
 * and LATE. */
void d3_cast(const struct d3_shape *a, const struct d3_pose *pose_a, struct d3_vec_d delta, const struct d3_shape *b,
	const struct d3_pose *pose_b, enum d3_cast_method method, struct d3_cast_result *out);

/* --- For the other queries ------------------------------------------------------------------------------------------------ */

/* Visits the pairs of children that may come into contact while A moves by delta, in A's frame; b_in_a is B's transform at the
 * start. Pairs whose boxes do not come within margin [length] at any t in [0, *limit], 0 <= *limit <= 1, are skipped, except
 * for the only pair of convex shapes. Pairs of boxes that overlap early come early. visit may lower *limit, down to -1, which
 * ends the traversal. */
void d3_pair_sweep(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform_d *b_in_a,
	struct d3_vec_d delta, double margin, double *limit, void (*visit)(void *context, uint32_t child_a, uint32_t child_b),
	void *context);

/* Whether d3_separation_find always has a closed form for the pair: one is a half-space, both are spheres, capsules or
 * segments, or one is a sphere and the other a round solid. */
bool d3_separation_closed(const struct d3_proxy *a, const struct d3_proxy *b);
