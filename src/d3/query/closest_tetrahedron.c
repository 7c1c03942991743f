/* closest_tetrahedron.c - see closest_tetrahedron.h. */
#include "d3/query/closest_tetrahedron.h"

#include "spatial/axes.h"

#include <math.h>
#include <string.h>

/* Six times the signed volume of the tetrahedron p a b c. */
static double volume(const double *p, const double *a, const double *b, const double *c)
{
	double u[3] = {0}, v[3] = {0}, w[3] = {0};
	for (int i = 0; i < 3; ++i) {
		u[i] = a[i] - p[i];
		v[i] = b[i] - p[i];
		w[i] = c[i] - p[i];
	}
	return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
}

static void nearest_face(const double *p, const double *const corners[4], double *best, double *out, double weights[4])
{
	for (int i = 0; i < 4; ++i) {
		const int face[3] = {(i + 1) % 4, (i + 2) % 4, (i + 3) % 4};
		double at[3] = {0}, w[3] = {0};
		double d = axes_closest_on_triangle(3, p, corners[face[0]], corners[face[1]], corners[face[2]], at, w);
		if (d >= *best)
			continue;
		*best = d;
		memcpy(out, at, sizeof at);
		weights[i] = 0;
		for (int k = 0; k < 3; ++k)
			weights[face[k]] = w[k];
	}
}

/* For p inside, a corner's weight is the volume of p and the other three corners, divided by the tetrahedron's volume. In a
 * flat tetrahedron both volumes are noise, so these weights are used only if their point is nearer to p than the nearest
 * face. */
double d3_closest_on_tetrahedron(const double *p, const double *const corners[4], double *out, double weights[4])
{
	double best = INFINITY, part[4], sum = 0, at[3] = {0}, distance = 0;
	nearest_face(p, corners, &best, out, weights);
	for (int i = 0; i < 4; ++i) {
		const double *v[4] = {corners[0], corners[1], corners[2], corners[3]};
		v[i] = p;
		part[i] = volume(v[0], v[1], v[2], v[3]);
		sum += part[i];
	}
	for (int i = 0; i < 4; ++i) {
		part[i] /= sum;
		if (!(part[i] >= 0))
			return best;
		for (int k = 0; k < 3; ++k)
			at[k] += part[i] * (corners[i][k] - p[k]);
	}
	for (int k = 0; k < 3; ++k)
		distance += at[k] * at[k];
	if (!(distance < best))
		return best;
	memcpy(weights, part, sizeof part);
	for (int k = 0; k < 3; ++k)
		out[k] = p[k] + at[k];
	return distance;
}
