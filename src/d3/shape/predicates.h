/* predicates.h - an exact orientation predicate: the side of a plane on which a point lies. For lines see base/turn.h. The sign
 * is exact if coordinates are at most 2 in size and multiples of 2^-300: then no product of three differences underflows.
 * Source: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997.
 * Pure, any thread. */
#pragma once
#include "d3/math.h"

/* The sign of (b - a) x (c - a) . (d - a): 1 if a, b, c are counter-clockwise as seen from d, -1 if clockwise, 0 if all are
 * coplanar. */
int d3_orient(struct d3_vec_d a, struct d3_vec_d b, struct d3_vec_d c, struct d3_vec_d d);
