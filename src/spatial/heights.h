/* heights.h - lookups in height fields on regular grids: one height y for each x, in 3D for each (x, z), so there are no caves
 * or overhangs.
 * Pure, any thread. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* z, cell_depth and rows: in 3D only. */
struct heights {
	double x, z; /* position of the first height [length] */
	double cell_width, cell_depth; /* distance between neighbouring heights along x and z [length] */
	uint32_t columns, rows; /* number of heights along x and z, >= 2 */
	const double *heights; /* row by row */
};

/* The height at x and the upward unit normal there. At the border of two cells the normal is that of the right cell. False:
 * outside. */
bool heights_at_2d(const struct heights *field, double x, double *y, double *normal);

/* The height at (x, z) and the upward unit normal there, both of the same surface. `triangles`: two flat triangles per cell, on
 * either side of the diagonal from the cell's first corner to the opposite one; else bilinear interpolation, a saddle. The two
 * surfaces differ by up to a quarter of |h00 - h10 - h01 + h11|. False: outside. */
bool heights_at_3d(const struct heights *field, double x, double z, bool triangles, double *y, double *normal);
