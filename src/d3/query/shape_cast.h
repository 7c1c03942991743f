/* shape_cast.h - straight casts of a shape against a shape.
 * Pure, any thread. */
#pragma once
#include "d3/query/distance.h"

struct d3_cast_result {
	bool hit;
	bool left; /* leave says something */
	double t; /* of first contact, in [0, 1]; 1 when not hit */
	double leave; /* of last contact, not cut off at 1 */
	struct d3_vec_d normal; /* from A to B */
	struct d3_vec_d p; /* where they touch, in the world */
	int iterations;
};

/* EXACT: what is best for the two. GJK: Newton's steps on GJK's distance alone, for those who want to see it work. ENTRY: as
 * EXACT, without leave, which is half of the work. */
enum d3_cast_method { D3_CAST_EXACT, D3_CAST_GJK, D3_CAST_ENTRY };

/* A moves by `way`, without turning. What overlaps at the start is hit at t = 0, with the normal and point of d3_distance.
 * leave is not told of shapes with children, nor by GJK and ENTRY. */
void d3_cast(const struct d3_shape *a, const struct d3_pose *pose_a, struct d3_vec_d delta, const struct d3_shape *b,
	const struct d3_pose *pose_b, enum d3_cast_method method, struct d3_cast_result *out);

/* --- For the other methods ------------------------------------------------------------------------------------------------ */

/* Visits the couples of children that may meet while A goes by `way`, in A's frame, where b_in_a places B at the start: those
 * whose boxes meet at some t in [0, *limit], 0 <= *limit <= 1, when they are widened by growth * t, and by most at most, for
 * what turns. Couples whose boxes meet early come early. visit may make *limit smaller, down to -1, to end the walk. */
void d3_pair_sweep(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform_d *b_in_a,
	struct d3_vec_d delta, double growth, double most, double *limit,
	void (*visit)(void *context, uint32_t child_a, uint32_t child_b), void *context);

/* Whether d3_separation_find has a closed form for them, and no iterations. */
bool d3_separation_closed(const struct d3_proxy *a, const struct d3_proxy *b);
