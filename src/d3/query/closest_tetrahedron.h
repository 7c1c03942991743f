/* closest_tetrahedron.h - closest point on a tetrahedron; for segments and triangles see spatial/axes.h.
 * Pure, any thread. */
#pragma once

/* Closest point of the solid tetrahedron to p (inside: p itself, up to rounding), and its weights: out = sum of weight times
 * corner, weights >= 0, sum 1. Corners may coincide, be collinear or coplanar. Returns the squared distance. */
double d3_closest_on_tetrahedron(const double *p, const double *const corners[4], double *out, double weights[4]);
