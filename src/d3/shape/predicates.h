/* predicates.h - an exact orientation predicate: the side of a plane on which a point lies. For lines see base/turn.h.
 * Coordinates must be at most 2 in size and multiples of 2^-300, so that no product of three differences underflows. Then the
 * sign is exact.
 * Source: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997.
 * Pure, any thread. */
#pragma once
#include "d3/math.h"

/* The sign of (b - a) x (c - a) . (d - a): 1 if d sees a, b, c counter-clockwise, 0 if coplanar, else -1. */
int d3_orient(struct d3_vec_d a, struct d3_vec_d b, struct d3_vec_d c, struct d3_vec_d d);
