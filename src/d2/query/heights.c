/* heights.c - see heights.h. Pure, any thread. */
#include "d2/query/heights.h"

#include <math.h>

bool d2_height_at(const struct d2_height *height, double x, double *y, double *normal)
{
	double column = (x - height->x) / height->cell_width;
	if (!(column >= 0 && column <= height->columns - 1))
		return false;
	uint32_t i = (uint32_t)column;
	if (i > height->columns - 2)
		i = height->columns - 2;
	double u = column - i, left = height->heights[i], right = height->heights[i + 1];
	double slope = (right - left) / height->cell_width, length = sqrt(1 + slope * slope);
	*y = (1 - u) * left + u * right;
	normal[0] = -slope / length;
	normal[1] = 1 / length;
	return true;
}
