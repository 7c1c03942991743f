/* heights.h - terrain by heights at even steps: one height y for each x, so no overhangs.
 * Pure, any thread. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct d2_height {
	double x; /* of the first height [length] */
	double cell_width; /* from height to height [length] */
	uint32_t columns; /* number of heights, >= 2 */
	const double *heights;
};

/* The height at x and the unit normal there, upwards; of the right one of two cells where they meet. False outside. */
bool d2_height_at(const struct d2_height *height, double x, double *y, double *normal);
