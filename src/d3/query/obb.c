/* obb.c - see obb.h. */
#include "d3/query/obb.h"

#include "base/scalar.h"

#include <float.h>
#include <math.h>

static void cross(const double *a, const double *b, double *out)
{
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

bool d3_obb_set_pose(struct obb *box, const double *position, const double *quaternion)
{
	double most = 0;
	for (int i = 0; i < 4; ++i)
		most = max_d(most, abs_d(quaternion[i]));
	if (!(most > 1e-300))
		return false;
	double x = quaternion[0] / most, y = quaternion[1] / most, z = quaternion[2] / most, w = quaternion[3] / most;
	double s = 2 / (x * x + y * y + z * z + w * w);
	double rows[3][3] = {
		{1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
		{s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)},
		{s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)},
	};
	for (int i = 0; i < 3; ++i) {
		box->center[i] = position[i];
		for (int k = 0; k < 3; ++k)
			box->axis[i][k] = rows[i][k];
	}
	return true;
}

/* Tests the cross product axes. The length of such an axis is the sine s of the angle between the two edges. For parallel edges
 * it is 0 up to rounding, so a separation counts only if it exceeds the comparison's error, which is relative to the sizes.
 * (Gomez's listing, without this threshold and in floats, separates one in five pairs of overlapping parallel rod-like boxes.)
 * Separations below error / s are missed here, and those above s times the size are found by the face normals: none above
 * sqrt(error) = 1e-7 of the size is lost.
 * Sources: Gottschalk, Lin, Manocha, "OBBTree", 1996; Ericson, "Real-Time Collision Detection", 2005, 4.4.1. */
static int separating_edges(const struct obb *a, const struct obb *b)
{
	double between[3], size = 0;
	for (int i = 0; i < 3; ++i) {
		between[i] = b->center[i] - a->center[i];
		size += abs_d(between[i]) + a->half[i] + b->half[i];
	}
	for (int i = 0; i < 3; ++i)
		for (int k = 0; k < 3; ++k) {
			double axis[3];
			cross(a->axis[i], b->axis[k], axis);
			double separation = abs_d(axes_dot(3, between, axis)) - (obb_radius(3, a, axis) + obb_radius(3, b, axis));
			if (separation > 16 * DBL_EPSILON * size)
				return 7 + 3 * i + k;
		}
	return 0;
}

int d3_obb_separating_axis(const struct obb *a, const struct obb *b)
{
	int face = obb_separating_face(3, a, b);
	return face ? face : separating_edges(a, b);
}

/* The segment is given by its midpoint m and half its displacement h, so that no unit direction is needed (Gomez's listing
 * needs one). On the axis h x e_i, along which the segment has no extent, a box with half sizes `half` and the segment are
 * separated if
 *   |m . (h x e_i)| > half_j |h_k| + half_k |h_j|      i, j, k: the three axes
 * For a segment along an edge both sides are almost equal: their difference must exceed the rounding of the products. */
int d3_obb_segment_axis(const struct obb *box, const double *from, const double *to)
{
	double m[3], h[3], p[3], q[3];
	obb_local_point(3, box, from, p);
	obb_local_point(3, box, to, q);
	for (int i = 0; i < 3; ++i) {
		m[i] = (p[i] + q[i]) / 2;
		h[i] = (q[i] - p[i]) / 2;
		if (min_d(p[i], q[i]) > box->half[i] || max_d(p[i], q[i]) < -box->half[i])
			return i + 1;
	}
	for (int i = 0; i < 3; ++i) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		double reach = box->half[j] * abs_d(h[k]) + box->half[k] * abs_d(h[j]);
		double size = abs_d(m[j] * h[k]) + abs_d(m[k] * h[j]) + reach;
		if (abs_d(m[j] * h[k] - m[k] * h[j]) - reach > 8 * DBL_EPSILON * size)
			return 4 + i;
	}
	return 0;
}

bool d3_plane_from_points(const double *a, const double *b, const double *c, double *normal, double *offset)
{
	double ab[3], ac[3], bc[3], across[3];
	for (int i = 0; i < 3; ++i) {
		ab[i] = b[i] - a[i];
		ac[i] = c[i] - a[i];
		bc[i] = c[i] - b[i];
	}
	double longest = max_d(axes_dot(3, ab, ab), max_d(axes_dot(3, ac, ac), axes_dot(3, bc, bc)));
	cross(ab, ac, across);
	if (axes_length(3, across) <= 1e-12 * longest || !axes_normalize(3, across, normal))
		return false;
	*offset = axes_dot(3, normal, a);
	return true;
}
