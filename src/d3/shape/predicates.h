/* predicates.h - exact orientation predicates: the side of a plane or line on which a point lies.
 * Coordinates are at most 2 in size and multiples of 2^-300, so that no product of three differences underflows: then the sign
 * is exact, whatever the rounding.
 * Source: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997.
 * Pure, any thread. */
#pragma once
#include "d3/math.h"

/* The sign of (b - a) x (c - a) . (d - a): 1 if d sees a, b, c counter-clockwise, 0 if coplanar, else -1. */
int d3_orient(struct d3_vec_d a, struct d3_vec_d b, struct d3_vec_d c, struct d3_vec_d d);

struct d3_flat {
	double u, v;
};

/* The sign of (b - a) x (c - a) in 2D: 1 if a, b, c run counter-clockwise, 0 if collinear, else -1. */
int d3_orient_flat(struct d3_flat a, struct d3_flat b, struct d3_flat c);
