/* path.c - see path.h. */
#include "core/path.h"

#include <math.h>

enum { PATH_PLANES = 8, PATH_ROUNDS = 64 };

bool path_keep(const struct path_plane *planes, int count, double slack, double delta[3])
{
	double pushed[PATH_PLANES] = {0.0}, worst = 0.0;
	assert(count <= PATH_PLANES);
	for (int round = 0; round < PATH_ROUNDS; ++round) {
		worst = 0.0;
		for (int i = 0; i < count; ++i) {
			const double *n = planes[i].normal;
			double missing = planes[i].ahead - (n[0] * delta[0] + n[1] * delta[1] + n[2] * delta[2]);
			double push = max_d(missing, -pushed[i]);
			pushed[i] += push;
			for (int k = 0; k < 3; ++k)
				delta[k] += push * n[k];
			worst = max_d(worst, missing);
		}
		if (worst <= PATH_ROUNDING * slack)
			break;
	}
	return worst <= slack;
}

/* Greatest number of chords of an arc. */
enum { ARCS = 16 };

/* height of an arc  r angle^2 / 8 */
float arc_end(float from, double angle, double distance, double slop)
{
	double most = sqrt(8.0 * 0.5 * slop / max_d(distance, slop));
	return min_f(from + (float)max_d(most / max_d(most, abs_d(angle)), 1.0 / ARCS), 1.0f);
}

float part_end(float from, float until, double left)
{
	return min_f(from + max_f((until - from) * (float)sqrt(left), 1.0f / ARCS), until);
}
