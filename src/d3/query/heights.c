/* heights.c - see heights.h. */
#include "d3/query/heights.h"

#include <math.h>

/* The cell that contains the coordinate, and the position in it, 0 .. 1. False: outside. */
static bool find(double at, double first, double size, uint32_t count, uint32_t *cell, double *part)
{
	double steps = (at - first) / size;
	if (!(steps >= 0 && steps <= count - 1))
		return false;
	*cell = (uint32_t)steps;
	if (*cell > count - 2)
		*cell = count - 2;
	*part = steps - *cell;
	return true;
}

/* Sums of weight times corner height reproduce corner heights exactly. */
bool d3_height_at(const struct d3_height *height, double x, double z, bool triangles, double *y, double *normal)
{
	uint32_t i, k;
	double u, v, dx, dz;
	if (!find(x, height->x, height->cell_width, height->columns, &i, &u) ||
		!find(z, height->z, height->cell_depth, height->rows, &k, &v))
		return false;
	const double *row = height->heights + (uint64_t)k * height->columns + i, *next = row + height->columns;
	double h00 = row[0], h10 = row[1], h01 = next[0], h11 = next[1];
	if (!triangles) {
		*y = (1 - v) * ((1 - u) * h00 + u * h10) + v * ((1 - u) * h01 + u * h11);
		dx = (1 - v) * (h10 - h00) + v * (h11 - h01);
		dz = (1 - u) * (h01 - h00) + u * (h11 - h10);
	} else if (u >= v) {
		*y = (1 - u) * h00 + (u - v) * h10 + v * h11;
		dx = h10 - h00;
		dz = h11 - h10;
	} else {
		*y = (1 - v) * h00 + (v - u) * h01 + u * h11;
		dx = h11 - h01;
		dz = h01 - h00;
	}
	dx /= height->cell_width;
	dz /= height->cell_depth;
	double length = sqrt(1 + dx * dx + dz * dz);
	normal[0] = -dx / length;
	normal[1] = 1 / length;
	normal[2] = -dz / length;
	return true;
}
