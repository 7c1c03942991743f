/* planes.c - see planes.h.
 * Half-spaces are added one by one. If the nearest point so far is outside the next one, the nearest point of all is on its
 * plane: a problem with one dimension less, and with the half-spaces before. So the result is exact, however acute the angles
 * between the planes are.
 * Source: Seidel, "Small-Dimensional Linear Programming and Convex Hulls Made Easy", 1991. */
#include "core/planes.h"

/* Planes whose normals differ by less than this sine are parallel [1]. */
static const double parallel_sine = 1e-9;

/* Writes the parts of the half-spaces on the plane of `on`, and their number. False: some half-space has no part there. */
static bool halves_cut(const struct half_space *halves, uint32_t count, const struct half_space *on, double tolerance,
	struct half_space *cut, uint32_t *left)
{
	*left = 0;
	for (uint32_t i = 0; i < count; ++i) {
		double along = vec3_dot(halves[i].normal, on->normal), offset = halves[i].offset - along * on->offset;
		struct vec3 normal = vec3_mul_add(halves[i].normal, -along, on->normal);
		double length = vec3_length(normal);
		if (length > parallel_sine)
			cut[(*left)++] = (struct half_space){vec3_scale(1.0 / length, normal), offset / length};
		else if (offset > tolerance)
			return false;
	}
	return true;
}

bool planes_nearest(
	const struct half_space *halves, uint32_t count, int dimensions, struct vec3 target, double tolerance, struct vec3 *out)
{
	*out = target;
	for (uint32_t i = 0; i < count; ++i) {
		double short_of = halves[i].offset - vec3_dot(halves[i].normal, *out);
		struct half_space cut[MOST_PLANES];
		uint32_t left;
		if (short_of <= tolerance)
			continue;
		if (dimensions == 0 || !halves_cut(halves, i, &halves[i], tolerance, cut, &left))
			return false;
		short_of = halves[i].offset - vec3_dot(halves[i].normal, target);
		if (!planes_nearest(cut, left, dimensions - 1, vec3_mul_add(target, short_of, halves[i].normal), tolerance, out))
			return false;
	}
	return true;
}
