/* heights.h - height fields in 2D with even steps: one height y for each x, so no overhangs.
 * Pure, any thread. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct d2_height {
	double x; /* of the first height [length] */
	double cell_width; /* between heights [length] */
	uint32_t columns; /* number of heights, >= 2 */
	const double *heights;
};

/* The height at x and the upward unit normal there. At the border of two cells the right one counts. False: x is outside. */
bool d2_height_at(const struct d2_height *height, double x, double *y, double *normal);
