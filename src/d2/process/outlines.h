/* outlines.h - the outlines of the solid part of a bitmap, or of a grid of numbers: marching squares.
 * A sample is solid if its value is at least the threshold; all around the grid is empty. The outlines are the borders between
 * solid and empty samples, at the places where the threshold lies if values change evenly between neighbours, or midway at the
 * edge of the grid. They are loops that neither cross nor touch, with the solid part on the left of their direction: outer ones
 * are counter-clockwise, those of holes clockwise. Where two solid samples meet at a corner they are connected if the mean of
 * the four samples there is solid.
 * Source: Maple, "Geometric design and space planning using the marching squares and marching cube algorithms", 2003.
 * Pure, any thread. */
#pragma once
#include "d2/math.h"

#include <stdint.h>

struct d2_samples {
	const double *values; /* row by row, from the lowest row up */
	uint32_t columns, rows;
	double threshold;
	double x, y, size; /* lower corner of the first sample's cell, and its side [length] */
};

/* The number of points of all outlines: one for each border between two samples. */
uint32_t d2_outline_points(const struct d2_samples *samples);

struct d2_outlines {
	struct d2_samples samples;
	uint8_t *marks; /* work space of (columns + 1) (rows + 1) bytes, zeroed */
	uint64_t next; /* where the search for another outline goes on: 0 at first */
};

/* Writes the points of another outline and returns their number, at least 4; 0: there is none. `out` has room for all points of
 * all outlines that are left. */
uint32_t d2_outline_next(struct d2_outlines *outlines, struct d2_vec_d *out);
