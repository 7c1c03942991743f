/* outline.h - convex outlines of points in a plane, with an exact orientation test.
 * Sources: Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979; Toussaint, "Solving Geometric
 * Problems with the Rotating Calipers", 1983.
 * Pure, any thread. */
#pragma once
#include <stdint.h>

/* Computes the corners of the hull of points that are all different and sorted by x, then y: the lower chain from left to
 * right, then the upper chain back, counter-clockwise. Two if all points are on a line. `out` has room for count + 1, count >=
 * 2. */
uint32_t outline_chain(const double (*sorted)[2], uint32_t count, double (*out)[2]);

/* The same for points in any order, of which some may coincide. Sorts them and drops equal ones. One corner if all coincide. */
uint32_t outline_hull(double (*points)[2], uint32_t count, double (*out)[2]);

/* Returns the area of the least rectangle around a convex outline, of 1 or more corners counter-clockwise. Writes the direction
 * of one of its sides, a unit vector at no more than 45 degrees to x. */
double outline_rectangle(const double (*corners)[2], uint32_t count, double direction[2]);
