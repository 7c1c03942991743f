/* obb.c - see obb.h. Pure, any thread. */
#include "d2/query/obb.h"

#include <float.h>

void d2_obb_set_pose(struct obb *box, const struct d2_pose *pose)
{
	double c = pose->q.c, s = pose->q.s, length = sqrt(c * c + s * s);
	c /= length;
	s /= length;
	box->center[0] = pose->x;
	box->center[1] = pose->y;
	box->axis[0][0] = box->axis[1][1] = c;
	box->axis[0][1] = s;
	box->axis[1][0] = -s;
}

/* The segment is given by its middle m and half of its vector, h, so no unit direction is needed (Gomez's listing, see axes.h,
 * silently needs one). The segment's normal is a separating axis if
 *   |m x h| > half_x |h_y| + half_y |h_x|
 * For a segment along an edge both sides are nearly equal: they must differ by more than the rounding error of the products. */
int d2_obb_segment_axis(const struct obb *box, const double *from, const double *to)
{
	double m[2], h[2], p[2], q[2];
	obb_local_point(2, box, from, p);
	obb_local_point(2, box, to, q);
	for (int i = 0; i < 2; ++i) {
		m[i] = (p[i] + q[i]) / 2;
		h[i] = (q[i] - p[i]) / 2;
		if (min_d(p[i], q[i]) > box->half[i] || max_d(p[i], q[i]) < -box->half[i])
			return i + 1;
	}
	double reach = box->half[0] * abs_d(h[1]) + box->half[1] * abs_d(h[0]);
	double size = abs_d(m[0] * h[1]) + abs_d(m[1] * h[0]) + reach;
	return abs_d(m[0] * h[1] - m[1] * h[0]) - reach > 8 * DBL_EPSILON * size ? 3 : 0;
}

bool d2_plane_from_points(const double *a, const double *b, double *normal, double *offset)
{
	double right[2] = {b[1] - a[1], a[0] - b[0]};
	if (!axes_normalize(2, right, normal))
		return false;
	*offset = axes_dot(2, normal, a);
	return true;
}
