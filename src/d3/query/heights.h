/* heights.h - height fields on a regular grid: one height y for each (x, z), so no caves or overhangs.
 * Pure, any thread. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct d3_height {
	double x, z; /* position of the first height [length] */
	double cell_width, cell_depth; /* from height to height, along x and z [length] */
	uint32_t columns, rows; /* number of heights along x and z, >= 2 */
	const double *heights; /* row by row */
};

/* The height at (x, z) and the upward unit normal there, both of the same surface. `triangles`: two flat triangles per cell, on
 * either side of the diagonal from the cell's first corner to the opposite one; else bilinear interpolation, a saddle. The two
 * surfaces differ by up to a quarter of h00 - h10 - h01 + h11. False: outside. */
bool d3_height_at(const struct d3_height *height, double x, double z, bool triangles, double *y, double *normal);
