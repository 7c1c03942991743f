/* path.c - see path.h. */
#include "core/path.h"

#include <math.h>

bool sweep_moves(const struct sweep *sweep)
{
	return sweep->from.x != sweep->to.x || sweep->from.y != sweep->to.y || sweep->from.z != sweep->to.z ||
		sweep->turn[0] != 0.0f || sweep->turn[1] != 0.0f || sweep->turn[2] != 0.0f;
}

bool body_moves(const struct world *world, uint32_t body)
{
	if (world->bodies.data[body].set != SET_AWAKE)
		return false;
	struct sweep path = world->wing->sweep->path(world, body);
	return sweep_moves(&path);
}

enum { PATH_PLANES = 8, PATH_ROUNDS = 64 };

bool path_keep(const struct path_plane *planes, int count, double slack, struct vec3 *delta)
{
	double pushed[PATH_PLANES] = {0.0}, worst = 0.0;
	assert(count <= PATH_PLANES);
	for (int round = 0; round < PATH_ROUNDS; ++round) {
		worst = 0.0;
		for (int i = 0; i < count; ++i) {
			double missing = planes[i].ahead - vec3_dot(planes[i].normal, *delta);
			double push = max_d(missing, -pushed[i]);
			pushed[i] += push;
			*delta = vec3_mul_add(*delta, push, planes[i].normal);
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
