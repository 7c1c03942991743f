/* predicates.h - on which side of a plane or line a point lies, exactly.
 * Coordinates are at most 2 in size and multiples of 2^-300, so that no product of three differences underflows: then the sign
 * is that of the real number, whatever the rounding.
 * Source: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997.
 * Pure, any thread. */
#pragma once
#include "d3/math.h"

/* The sign of (b - a) x (c - a) . (d - a): 1 where d sees a, b, c counter-clockwise, 0 in their plane, else -1. */
int d3_orient(struct d3_vec_d a, struct d3_vec_d b, struct d3_vec_d c, struct d3_vec_d d);

struct d3_flat {
	double u, v;
};

/* The sign of (b - a) x (c - a) in the plane: 1 where a, b, c run counter-clockwise, 0 on a line, else -1. */
int d3_orient_flat(struct d3_flat a, struct d3_flat b, struct d3_flat c);
