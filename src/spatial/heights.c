/* heights.c - see heights.h. */
#include "spatial/heights.h"

#include <math.h>

/* Finds the cell that contains the coordinate, and the position within the cell, 0 .. 1. False: outside. */
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

bool heights_at_2d(const struct heights *field, double x, double *y, double *normal)
{
	uint32_t i;
	double u;
	if (!find(x, field->x, field->cell_width, field->columns, &i, &u))
		return false;
	double left = field->heights[i], right = field->heights[i + 1];
	double slope = (right - left) / field->cell_width, length = sqrt(1 + slope * slope);
	*y = (1 - u) * left + u * right;
	normal[0] = -slope / length;
	normal[1] = 1 / length;
	return true;
}

/* A sum of weights times corner heights is exact at the corners. */
bool heights_at_3d(const struct heights *field, double x, double z, bool triangles, double *y, double *normal)
{
	uint32_t i, k;
	double u, v, dx, dz;
	if (!find(x, field->x, field->cell_width, field->columns, &i, &u) ||
		!find(z, field->z, field->cell_depth, field->rows, &k, &v))
		return false;
	const double *row = field->heights + (uint64_t)k * field->columns + i, *next = row + field->columns;
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
	dx /= field->cell_width;
	dz /= field->cell_depth;
	double length = sqrt(1 + dx * dx + dz * dz);
	normal[0] = -dx / length;
	normal[1] = 1 / length;
	normal[2] = -dz / length;
	return true;
}
