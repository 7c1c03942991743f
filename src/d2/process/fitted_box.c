/* fitted_box.c - see fitted_box.h. */
#include "d2/process/fitted_box.h"
#include "d2/shape/hull.h"
#include "spatial/outline.h"

struct d2_fitted_box d2_fit_box(struct d2_vec_d *points, uint32_t count, struct d2_vec_d *corners)
{
	double side[2];
	uint32_t n = d2_hull_corners(points, count, corners);
	outline_rectangle((const double(*)[2])corners, n, side);
	struct d2_rot q = {(float)side[0], (float)side[1]};
	struct d2_rot_d exact = d2_exact_rot(q);
	struct d2_vec_d low = {0, 0}, high = {0, 0}; /* in the box's frame, relative to the first corner */
	for (uint32_t i = 1; i < n; ++i) {
		struct d2_vec_d p = d2_inv_turn_d(exact, d2_sub_d(corners[i], corners[0]));
		low = (struct d2_vec_d){min_d(low.x, p.x), min_d(low.y, p.y)};
		high = (struct d2_vec_d){max_d(high.x, p.x), max_d(high.y, p.y)};
	}
	struct d2_vec_d middle = d2_turn_d(exact, d2_scale_d(0.5, d2_add_d(low, high)));
	return (struct d2_fitted_box){d2_sub_d(high, low), {corners[0].x + middle.x, corners[0].y + middle.y, q}};
}
