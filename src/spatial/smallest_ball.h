/* smallest_ball.h - the smallest ball around points with 2 or 3 coordinates, `axes`.
 * Pure, any thread. */
#pragma once
#include <stdint.h>

/* Writes the centre of the smallest ball around one or more points, and returns its radius, the greatest distance of a point
 * from the centre: at most 1e-12 of it above the least possible. */
double smallest_ball(int axes, const double *points, uint32_t count, double *centre);
