/* path.c - see path.h. */
#include "core/path.h"

#include <math.h>

enum { WAY_PLANES = 8, WAY_ROUNDS = 64 };

bool way_keep(const struct way_plane *planes, int count, double slack, double way[3])
{
	double pushed[WAY_PLANES] = {0.0}, worst = 0.0;
	assert(count <= WAY_PLANES);
	for (int round = 0; round < WAY_ROUNDS; ++round) {
		worst = 0.0;
		for (int i = 0; i < count; ++i) {
			const double *n = planes[i].normal;
			double missing = planes[i].ahead - (n[0] * way[0] + n[1] * way[1] + n[2] * way[2]);
			double push = max_d(missing, -pushed[i]);
			pushed[i] += push;
			for (int k = 0; k < 3; ++k)
				way[k] += push * n[k];
			worst = max_d(worst, missing);
		}
		if (worst <= WAY_ROUNDING * slack)
			break;
	}
	return worst <= slack;
}

/* An arc is cut into so many parts at most. */
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
