/* depenetration_escape.c - the direction in which depenetration separates a pair of bodies. See depenetration.h. */
#include "core/depenetration_parts.h"

#include <string.h>

/* Cosine of the largest angle between an escape direction and the normal of a contact that it separates. */
#define BETWEEN 0.05f

/* Sine of the largest angle by which an escape direction may go against a normal. */
#define AGAINST 0.02f

/* Cosine of the angle within which normals count as equal. */
#define SAME 0.99f

/* --- Escape direction of a pair ------------------------------------------------------------------------------------------- */

/* A unit direction made from the body's id; those of successive ids are evenly distributed. Source: Roberts, "The Unreasonable
 * Effectiveness of Quasirandom Sequences", 2018. */
static void own_direction(const struct world *world, uint32_t body, float out[3])
{
	double around = 0.7548776662466927 * (double)body, along = 0.5698402909980532 * (double)body;
	struct cos_sin turn = scalar_cos_sin(2.0 * SCALAR_PI * (around - floor(around)));
	float z = world->wing->dimensions == 3 ? (float)(2.0 * (along - floor(along)) - 1.0) : 0.0f, r = sqrtf(1.0f - z * z);
	out[0] = r * turn.cosine;
	out[1] = r * turn.sine;
	out[2] = z;
}

bool depenetration_coincident(const struct world *world, const uint32_t bodies[2], float delta[3])
{
	float between[3], slop = LINEAR_SLOP * world->settings.length_scale, a[3], b[3];
	bodies_between(world, bodies[0], bodies[1], between);
	if (dot(between, between) > slop * slop)
		return false;
	own_direction(world, bodies[0], a);
	own_direction(world, bodies[1], b);
	for (int i = 0; i < 3; ++i)
		delta[i] = b[i] - a[i];
	return depenetration_normalize(delta);
}

/* Lists the solid proxies of both bodies. False: too many. */
static bool parts_find(const struct world *world, const uint32_t bodies[2], struct parts *parts)
{
	for (int side = 0; side < 2; ++side) {
		parts->counts[side] = 0;
		for (uint32_t c = world->bodies.data[bodies[side]].colliders; c != NONE; c = world->colliders.data[c].next)
			for (uint32_t p = world->colliders.data[c].sensor ? NONE : world->colliders.data[c].proxies; p != NONE;
				 p = world->proxies.data[p].next) {
				if (parts->counts[side] == PARTS)
					return false;
				parts->proxies[side][parts->counts[side]++] = p;
			}
	}
	return true;
}

static void parts_measure(const struct world *world, const uint32_t bodies[2], const float paths[3][3], struct parts *parts)
{
	float between[3];
	bodies_between(world, bodies[0], bodies[1], between);
	for (int k = 0; k < world->wing->dimensions; ++k) {
		float back[3] = {-paths[k][0], -paths[k][1], -paths[k][2]}, offset = dot(between, paths[k]);
		for (int side = 0; side < 2; ++side)
			for (uint32_t i = 0; i < parts->counts[side]; ++i) {
				parts->low[side][i][k] = (float)side * offset - world->wing->proxy_reach(world, parts->proxies[side][i], back);
				parts->high[side][i][k] =
					(float)side * offset + world->wing->proxy_reach(world, parts->proxies[side][i], paths[k]);
			}
	}
}

/* The least displacement of the second body along an axis, in the direction of `sign`, after which no parts of the two bodies
 * overlap [length]. Two parts, one of each, overlap on an interval of displacements, or never if another axis separates them:
 * the result is the first displacement outside of all intervals. */
static float path_length(int dimensions, const struct parts *parts, int axis, float sign)
{
	float delta = 0.0f, before;
	do {
		before = delta;
		for (uint32_t i = 0; i < parts->counts[0]; ++i)
			for (uint32_t k = 0; k < parts->counts[1]; ++k) {
				const float *low_a = parts->low[0][i];
				const float *high_a = parts->high[0][i];
				const float *low_b = parts->low[1][k];
				const float *high_b = parts->high[1][k];
				float end = sign > 0.0f ? high_a[axis] - low_b[axis] : high_b[axis] - low_a[axis];
				float begin = sign > 0.0f ? low_a[axis] - high_b[axis] : low_b[axis] - high_a[axis];
				bool overlaps = begin < delta && delta < end;
				for (int d = 0; d < dimensions && overlaps; ++d)
					overlaps = d == axis || (low_b[d] < high_a[d] && high_b[d] > low_a[d]);
				if (overlaps)
					delta = end;
			}
	} while (delta > before && delta < INFINITY);
	return delta;
}

static bool goes_against(const struct pair *pair, const float delta[3])
{
	for (uint32_t i = 0; i < pair->count; ++i)
		if (depenetration_is_touching(pair->world, pair->overlaps[i].separation) &&
			dot(delta, pair->overlaps[i].normal) < -AGAINST)
			return true;
	return false;
}

/* Tries the direction n, those orthogonal to it, and the opposites of all of them. Keeps the shortest escape in pair->delta. */
static void paths_try(struct pair *pair, struct parts *parts, const float n[3])
{
	static const float z[3] = {0.0f, 0.0f, 1.0f}, x[3] = {1.0f, 0.0f, 0.0f};
	int dimensions = pair->world->wing->dimensions;
	float paths[3][3];
	memcpy(paths[0], n, sizeof paths[0]);
	depenetration_cross(n, dimensions == 2 || fabsf(n[2]) < 0.7f ? z : x, paths[1]);
	depenetration_cross(n, paths[1], paths[2]);
	for (int i = 0; i < dimensions; ++i)
		if (!depenetration_normalize(paths[i]))
			return;
	parts_measure(pair->world, pair->bodies, paths, parts);
	for (int i = 0; i < 2 * dimensions; ++i) {
		float sign = i % 2 == 0 ? 1.0f : -1.0f;
		float *axis = paths[i / 2];
		float delta[3] = {sign * axis[0], sign * axis[1], sign * axis[2]};
		if (!pair->against && goes_against(pair, delta))
			continue;
		float length = path_length(dimensions, parts, i / 2, sign);
		if (length < -pair->delta.separation) {
			pair->delta.separation = -length;
			memcpy(pair->delta.normal, delta, sizeof delta);
		}
	}
}

/* Whether a touching contact before contact i has about the same or the opposite normal. */
static bool is_tried(const struct pair *pair, uint32_t i)
{
	for (uint32_t k = 0; k < i; ++k)
		if (depenetration_is_touching(pair->world, pair->overlaps[k].separation) &&
			fabsf(dot(pair->overlaps[i].normal, pair->overlaps[k].normal)) > SAME)
			return true;
	return false;
}

/* Takes the mean of the touching contacts' normals, which leads out of a wedge, as escape direction. False: not all contacts
 * separate along it. */
static bool path_between(struct pair *pair)
{
	float sum[3] = {0.0f, 0.0f, 0.0f}, longest = 0.0f;
	for (uint32_t i = 0; i < pair->count; ++i)
		for (int k = 0; k < 3 && depenetration_is_touching(pair->world, pair->overlaps[i].separation); ++k)
			sum[k] += pair->overlaps[i].normal[k];
	if (!depenetration_normalize(sum))
		return false;
	for (uint32_t i = 0; i < pair->count; ++i) {
		float along = dot(sum, pair->overlaps[i].normal);
		if (!depenetration_is_touching(pair->world, pair->overlaps[i].separation))
			continue;
		if (along < BETWEEN)
			return false;
		longest = max_f(longest, -pair->overlaps[i].separation / along);
	}
	pair->delta.separation = -longest;
	memcpy(pair->delta.normal, sum, sizeof sum);
	return true;
}

void depenetration_pair_search(struct pair *pair)
{
	struct parts parts;
	pair->against = pair->delta.shifts[1] != NONE;
	for (uint32_t i = 0; i < pair->count; ++i)
		pair->against |= bits_has(&pair->world->plunged_contacts, pair->overlaps[i].contact);
	if ((!pair->against && path_between(pair)) || !parts_find(pair->world, pair->bodies, &parts))
		return;
	for (uint32_t i = 0, tried = 0; i < pair->count && tried < SOURCES; ++i)
		if (depenetration_is_touching(pair->world, pair->overlaps[i].separation) && !is_tried(pair, i)) {
			paths_try(pair, &parts, pair->overlaps[i].normal);
			++tried;
		}
}
