/* lock_lanes.h - blocks of locks of joints, LANES at a time: their factors L D L^T, and what the direct solution of a tree
 * takes of them. The wing defines DOFS, the numbers of a velocity, and MASSES, those of a body's inverse mass and inertia. Any
 * thread. */
#pragma once
#include "core/lanes.h"

/* RESPONSE: numbers of the lower triangle of a symmetric matrix with DOFS rows. AXES: of a velocity, the linear ones. */
enum { RESPONSE = DOFS * (DOFS + 1) / 2, AXES = DOFS == 3 ? 2 : 3 };

/* Numbers of a factored block: the inverses of D, then L below its diagonal, row by row. */
#define FACTOR_SIZE(count) ((count) * ((count) + 1) / 2)
#define BELOW(factor, count, i, k) ((factor)[(count) + (i) * ((i)-1) / 2 + (k)])

/* function(..., count), whose loops are unrolled for each count: one function for all counts made a step with many joints a
 * tenth longer. LOCKS_MOST: the greatest count. */
#define BY_LOCKS(count, function, ...)                             \
	switch (count) {                                               \
	case 1: function(__VA_ARGS__, 1); break;                       \
	case 2: function(__VA_ARGS__, 2); break;                       \
	case 3: function(__VA_ARGS__, 3); break;                       \
	case 4: function(__VA_ARGS__, LOCKS_MOST >= 4 ? 4 : 0); break; \
	case 5: function(__VA_ARGS__, LOCKS_MOST >= 5 ? 5 : 0); break; \
	case 6: function(__VA_ARGS__, LOCKS_MOST >= 6 ? 6 : 0); break; \
	default: break;                                                \
	}

/* As BY_LOCKS, function(..., point, count) for the tie, see struct part_size: those of a point alone, or of a hinge. */
#define BY_TIE(tie, function, ...)                           \
	if (!(tie)->point) {                                     \
		BY_LOCKS((tie)->count, function, __VA_ARGS__, false) \
	} else if ((tie)->count == AXES) {                       \
		function(__VA_ARGS__, true, AXES);                   \
	} else {                                                 \
		function(__VA_ARGS__, true, AXES == 3 ? 5 : AXES);   \
	}

/* Not by memcpy: gcc makes it an instruction that takes longer than as many moves. */
INLINE void lanes_copy(lanes *to, const lanes *from, int count)
{
	UNROLL
	for (int i = 0; i < count; ++i)
		to[i] = from[i];
}

/* Factors row i of a block. column: K_i0 to K_ii, which is overwritten; whole: see pivot_invert. */
INLINE void factor_row(lanes *factor, int count, int i, lanes *column, lanes whole)
{
	UNROLL
	for (int j = 0; j < i; ++j)
		UNROLL
	for (int k = 0; k < j; ++k)
		column[j] -= column[k] * BELOW(factor, count, j, k);
	UNROLL
	for (int k = 0; k < i; ++k) {
		lanes below = column[k] * factor[k];
		BELOW(factor, count, i, k) = below;
		column[i] -= below * column[k];
	}
	factor[i] = pivot_invert(column[i], whole);
}

/* x = L^-1 x; factor_solve_upper: x = L^-T x */
INLINE void factor_solve_lower(const lanes *factor, int count, lanes *x)
{
	UNROLL
	for (int i = 1; i < count; ++i)
		UNROLL
	for (int k = 0; k < i; ++k)
		x[i] -= BELOW(factor, count, i, k) * x[k];
}

INLINE void factor_solve_upper(const lanes *factor, int count, lanes *x)
{
	UNROLL
	for (int i = count - 2; i >= 0; --i)
		UNROLL
	for (int k = i + 1; k < count; ++k)
		x[i] -= BELOW(factor, count, k, i) * x[k];
}

/* A lock of a joint in a tree. */
struct lane_lock {
	lanes error, speed; /* speed: the greatest at which the error is closed */
	masks used; /* lanes whose joint has the lock */
	lanes *impulse; /* in the joint's record */
	lanes rows[2][DOFS]; /* its rate is the sum of their products with the velocities of a and b */
};

/* A joint in a tree. */
struct lane_tie {
	void *record; /* of the joint's solver */
	const struct link_solver *solver;
	const lanes *masses[2]; /* of a and b */
	int count;
	bool point; /* see struct part_size */
	struct lane_lock *locks;
	/* see joint_tree_entry.h */
	lanes *factor, *rest, *alone;
	lanes (*pull)[DOFS];
};
