/* closest_tetrahedron.h - the closest point of a tetrahedron; those of segment and triangle are the same in any dimension:
 * spatial/axes.h.
 * Pure, any thread. */
#pragma once

/* The point of the solid tetrahedron next to p, which is p (but for rounding) inside, and its weights: out = sum of weight
 * times corner, weights >= 0, their sum 1. Corners may coincide, lie on a line or in a plane. Returns the squared distance. */
double d3_closest_on_tetrahedron(const double *p, const double *const corners[4], double *out, double weights[4]);
