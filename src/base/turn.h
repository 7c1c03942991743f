/* turn.h - an exact orientation predicate in 2D.
 * Pure, any thread. */
#pragma once

/* The sign of the area of the triangle a b c: 1 counter-clockwise, -1 clockwise, 0 on a line. Exact, if no product of two
 * coordinates overflows, and but for products below 1e-290, which count as 0.
 * Source: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997. */
int turn_exact(const double a[2], const double b[2], const double c[2]);
