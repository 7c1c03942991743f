/* closest_tetrahedron.h - closest point on a tetrahedron; for segments and triangles see spatial/axes.h.
 * Pure, any thread. */
#pragma once

/* Writes the point of the solid tetrahedron closest to p (p itself, up to rounding, if p is inside) and its barycentric
 * weights, all >= 0. Corners may coincide, be collinear or coplanar. Returns the point's squared distance from p. */
double d3_closest_on_tetrahedron(const double *p, const double *const corners[4], double *out, double weights[4]);
