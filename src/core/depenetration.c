/* depenetration.c - see depenetration.h. Floor: core. */
#include "core/depenetration.h"
#include "base/scalar.h"
#include "core/edge.h"

#include <stdlib.h>
#include <string.h>

enum {
	SWEEPS = 8, /* over the overlaps, there and back by turns */
	SOURCES = 16, /* contacts of a pair whose normals are tried as ways out */
	PARTS = 64, /* of a body; of more no way out is sought */
};

/* Bodies at the same place go at least so far [m, times length_scale]. */
#define LEAST_WAY 1.0f

/* --- Vectors of as many dimensions as there are: the others stay 0 ------------------------------------------------------ */

static float dot(const float a[3], const float b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const float a[3], const float b[3], float out[3])
{
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

/* False: it is too short to have a direction. */
static bool normalize(float a[3])
{
	float square = dot(a, a);
	if (!(square > 1e-12f))
		return false;
	for (int i = 0; i < 3; ++i)
		a[i] /= sqrtf(square);
	return true;
}

/* --- Who is moved ------------------------------------------------------------------------------------------------------- */

static bool is_movable(const struct world *world, uint32_t body)
{
	return world->bodies.data[body].type == BODY_DYNAMIC && world->bodies.data[body].edges[EDGE_JOINT] == NONE;
}

static bool is_solved(const struct world *world, uint32_t contact)
{
	return world->contacts.data[contact].edge.valid && world->contacts.data[contact].edge.colour != NO_COLOUR;
}

static bool is_touching(const struct world *world, float separation)
{
	return separation < LINEAR_SLOP * world->settings.length_scale;
}

/* The place of a body in the list, which is in the order of ids; NONE: it is not moved. */
static uint32_t find_shift(const struct world *world, uint32_t body)
{
	uint32_t low = 0, high = world->depenetration.shifts.count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (world->depenetration.shifts.data[middle].body < body)
			low = middle + 1;
		else
			high = middle;
	}
	return low < world->depenetration.shifts.count && world->depenetration.shifts.data[low].body == body ? low : NONE;
}

static int compare_bodies(const void *a, const void *b)
{
	uint32_t x = ((const struct shift *)a)->body, y = ((const struct shift *)b)->body;
	return (x > y) - (x < y);
}

/* Whether another contact of the same bodies pushes the other way. */
static bool is_opposed(const struct world *world, uint32_t id, const float normal[3])
{
	const uint32_t *bodies = world->contacts.data[id].edge.bodies;
	int side = world->bodies.data[bodies[0]].edge_counts[EDGE_CONTACT] > world->bodies.data[bodies[1]].edge_counts[EDGE_CONTACT];
	for (uint32_t key = world->bodies.data[bodies[side]].edges[EDGE_CONTACT]; key != NONE; key = edge_next(world, EDGE_CONTACT, key)) {
		float other[3];
		if (key / 2 == id || edge_other_body(world, EDGE_CONTACT, key) != bodies[!side] || !is_solved(world, key / 2) ||
			!is_touching(world, world->wing->contact_overlap(world, key / 2, other)))
			continue;
		float along = dot(normal, other);
		if (((key & 1) == (uint32_t)side ? along : -along) < 0.0f)
			return true;
	}
	return false;
}

/* What has sunk in under a load is held by its springs. */
static bool is_parted(struct world *world, uint32_t id)
{
	float normal[3], overlap = -world->wing->contact_overlap(world, id, normal);
	if (overlap < DEEP_OVERLAP * world->settings.length_scale) {
		bits_clear(&world->deep_contacts, id);
		bits_clear(&world->plunged_contacts, id);
		return false;
	}
	const uint32_t *bodies = world->contacts.data[id].edge.bodies;
	return (is_movable(world, bodies[0]) || is_movable(world, bodies[1])) && (bits_has(&world->plunged_contacts, id) || is_opposed(world, id, normal));
}

/* The bodies that are moved apart, by the order of their ids. */
static bool bodies_list(struct world *world)
{
	struct depenetration *depenetration = &world->depenetration;
	uint32_t count = bits_count(&world->deep_contacts), kept = 0;
	if (!array_reserve(world->memory, &depenetration->shifts, 2 * count))
		return false;
	for (uint32_t id = bits_next(&world->deep_contacts, 0); id != NONE; id = bits_next(&world->deep_contacts, id + 1)) {
		if (!is_solved(world, id) || !is_parted(world, id))
			continue;
		bits_set(&world->parted_contacts, id);
		for (int side = 0; side < 2; ++side) {
			uint32_t body = world->contacts.data[id].edge.bodies[side];
			if (is_movable(world, body))
				array_push(&depenetration->shifts, (struct shift){.body = body});
		}
	}
	if (depenetration->shifts.count == 0)
		return true;
	qsort(depenetration->shifts.data, depenetration->shifts.count, sizeof(struct shift), compare_bodies);
	for (uint32_t i = 0; i < depenetration->shifts.count; ++i)
		if (i == 0 || depenetration->shifts.data[i].body != depenetration->shifts.data[kept - 1].body)
			depenetration->shifts.data[kept++] = depenetration->shifts.data[i];
	depenetration->shifts.count = kept;
	for (uint32_t i = 0; i < kept; ++i)
		world->wing->body_inverse_mass(world, depenetration->shifts.data[i].body, depenetration->shifts.data[i].inv_mass);
	return true;
}

/* --- What overlaps ------------------------------------------------------------------------------------------------------ */

static int compare_overlaps(const void *a, const void *b)
{
	const struct overlap *x = a, *y = b;
	for (int side = 0; side < 2; ++side)
		if (x->bodies[side] != y->bodies[side])
			return x->bodies[side] < y->bodies[side] ? -1 : 1;
	return (x->contact > y->contact) - (x->contact < y->contact);
}

/* The contacts of the bodies in the list, by pairs of bodies. */
static bool overlaps_list(struct world *world)
{
	struct depenetration *depenetration = &world->depenetration;
	uint32_t most = 0;
	for (uint32_t i = 0; i < depenetration->shifts.count; ++i)
		most += world->bodies.data[depenetration->shifts.data[i].body].edge_counts[EDGE_CONTACT];
	if (!array_reserve(world->memory, &depenetration->overlaps, most))
		return false;
	for (uint32_t i = 0; i < depenetration->shifts.count; ++i) {
		uint32_t body = depenetration->shifts.data[i].body;
		for (uint32_t key = world->bodies.data[body].edges[EDGE_CONTACT]; key != NONE; key = edge_next(world, EDGE_CONTACT, key)) {
			uint32_t id = key / 2, other = edge_other_body(world, EDGE_CONTACT, key), place = find_shift(world, other);
			/* Bodies that touch what is moved, and are not moved themselves, get out of its way by their springs; walls do not. */
			if (!is_solved(world, id) || (place == NONE ? is_movable(world, other) : other < body))
				continue;
			struct overlap overlap = {.bodies = {body, other}, .shifts = {i, place}, .contact = id, .deep = bits_has(&world->parted_contacts, id)};
			overlap.separation = world->wing->contact_overlap(world, id, overlap.normal);
			for (int k = 0; k < 3 && (key & 1); ++k)
				overlap.normal[k] = -overlap.normal[k];
			array_push(&depenetration->overlaps, overlap);
		}
	}
	qsort(depenetration->overlaps.data, depenetration->overlaps.count, sizeof(struct overlap), compare_overlaps);
	return true;
}

/* --- The way out of a pair ---------------------------------------------------------------------------------------------- */

/* A direction of the body's own, spread evenly over ids. Source: Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences", 2018. */
static void own_direction(const struct world *world, uint32_t body, float out[3])
{
	double around = 0.7548776662466927 * (double)body, along = 0.5698402909980532 * (double)body;
	struct cos_sin turn = scalar_cos_sin(2.0 * SCALAR_PI * (around - floor(around)));
	float z = world->wing->dimensions == 3 ? (float)(2.0 * (along - floor(along)) - 1.0) : 0.0f, r = sqrtf(1.0f - z * z);
	out[0] = r * turn.cosine;
	out[1] = r * turn.sine;
	out[2] = z;
}

/* Bodies at the same place have no direction between them but that of their ids. */
static bool same_place(const struct world *world, const uint32_t bodies[2], float way[3])
{
	float between[3], slop = LINEAR_SLOP * world->settings.length_scale, a[3], b[3];
	world->wing->bodies_between(world, bodies[0], bodies[1], between);
	if (dot(between, between) > slop * slop)
		return false;
	own_direction(world, bodies[0], a);
	own_direction(world, bodies[1], b);
	for (int i = 0; i < 3; ++i)
		way[i] = b[i] - a[i];
	return normalize(way);
}

/* The parts of two bodies: where each begins and ends along three directions, from the centre of mass of the first one [length]. */
struct parts {
	uint32_t proxies[2][PARTS], counts[2];
	float low[2][PARTS][3], high[2][PARTS][3];
};

/* False: they are too many. */
static bool parts_find(const struct world *world, const uint32_t bodies[2], struct parts *parts)
{
	for (int side = 0; side < 2; ++side) {
		parts->counts[side] = 0;
		for (uint32_t c = world->bodies.data[bodies[side]].colliders; c != NONE; c = world->colliders.data[c].next)
			for (uint32_t p = world->colliders.data[c].sensor ? NONE : world->colliders.data[c].proxies; p != NONE; p = world->proxies.data[p].next) {
				if (parts->counts[side] == PARTS)
					return false;
				parts->proxies[side][parts->counts[side]++] = p;
			}
	}
	return true;
}

static void parts_measure(const struct world *world, const uint32_t bodies[2], const float ways[3][3], struct parts *parts)
{
	float between[3];
	world->wing->bodies_between(world, bodies[0], bodies[1], between);
	for (int k = 0; k < world->wing->dimensions; ++k) {
		float back[3] = {-ways[k][0], -ways[k][1], -ways[k][2]}, offset = dot(between, ways[k]);
		for (int side = 0; side < 2; ++side)
			for (uint32_t i = 0; i < parts->counts[side]; ++i) {
				parts->low[side][i][k] = (float)side * offset - world->wing->proxy_reach(world, parts->proxies[side][i], back);
				parts->high[side][i][k] = (float)side * offset + world->wing->proxy_reach(world, parts->proxies[side][i], ways[k]);
			}
	}
}

/* How far the second body has to go along the first direction until no part of it meets one of the first: the first gap between the stretches in
** which two parts do. Parts that pass each other by along another direction never meet. */
static float way_length(const struct parts *parts, int dimensions)
{
	float way = 0.0f, before;
	do {
		before = way;
		for (uint32_t i = 0; i < parts->counts[0]; ++i)
			for (uint32_t k = 0; k < parts->counts[1]; ++k) {
				const float *low_a = parts->low[0][i], *high_a = parts->high[0][i], *low_b = parts->low[1][k], *high_b = parts->high[1][k];
				bool meet = low_b[0] + way < high_a[0] && high_b[0] + way > low_a[0];
				for (int d = 1; d < dimensions; ++d)
					meet = meet && low_b[d] < high_a[d] && high_b[d] > low_a[d];
				if (meet)
					way = high_a[0] - low_b[0];
			}
	} while (way > before && way < INFINITY);
	return way;
}

/* Both ways along the first direction. */
static void way_try(const struct world *world, struct parts *parts, float ways[3][3], struct overlap *best)
{
	for (int turn = 0; turn < 2; ++turn) {
		parts_measure(world, best->bodies, ways, parts);
		float length = way_length(parts, world->wing->dimensions);
		if (length < -best->separation) {
			best->separation = -length;
			memcpy(best->normal, ways[0], sizeof ways[0]);
		}
		for (int i = 0; i < 3; ++i)
			ways[0][i] = -ways[0][i];
	}
}

/* A direction and two across it, each of them as the first one in turn. */
static void ways_try(const struct world *world, struct parts *parts, const float n[3], struct overlap *best)
{
	static const float z[3] = {0.0f, 0.0f, 1.0f}, x[3] = {1.0f, 0.0f, 0.0f};
	int dimensions = world->wing->dimensions;
	float ways[3][3], first[3];
	memcpy(ways[0], n, sizeof ways[0]);
	cross(n, dimensions == 2 || fabsf(n[2]) < 0.7f ? z : x, ways[1]);
	cross(n, ways[1], ways[2]);
	for (int i = 0; i < dimensions; ++i)
		if (!normalize(ways[i]))
			return;
	for (int i = 0; i < dimensions; ++i) {
		way_try(world, parts, ways, best);
		memcpy(first, ways[0], sizeof first);
		memmove(ways[0], ways[1], (size_t)(dimensions - 1) * sizeof ways[0]);
		memcpy(ways[dimensions - 1], first, sizeof first);
	}
}

/* Where contacts of the pair oppose each other one of them takes the place of all, along the shortest way out. Returns how many are left. */
static uint32_t pair_decide(struct world *world, struct overlap *pair, uint32_t count)
{
	bool deep = false, opposed = false;
	for (uint32_t i = 0; i < count; ++i) {
		deep = deep || pair[i].deep;
		for (uint32_t k = 0; k < i && !opposed; ++k)
			opposed = is_touching(world, pair[i].separation) && is_touching(world, pair[k].separation) && dot(pair[i].normal, pair[k].normal) < 0.0f;
	}
	struct parts parts;
	struct overlap best = pair[0];
	best.separation = -INFINITY;
	best.contact = NONE;
	best.deep = true;
	if (!deep)
		return count;
	if (best.shifts[1] != NONE && same_place(world, best.bodies, best.normal))
		best.separation = -LEAST_WAY * world->settings.length_scale;
	else if (opposed && parts_find(world, best.bodies, &parts))
		for (uint32_t i = 0, tried = 0; i < count && tried < SOURCES; ++i)
			if (pair[i].separation < 0.0f) {
				ways_try(world, &parts, pair[i].normal, &best);
				++tried;
			}
	if (best.separation == -INFINITY)
		return count;
	for (uint32_t i = 0; i < count; ++i)
		if (pair[i].separation < 0.0f)
			bits_set(&world->parted_contacts, pair[i].contact);
	pair[0] = best;
	return 1;
}

static void pairs_decide(struct world *world)
{
	struct depenetration *depenetration = &world->depenetration;
	struct overlap *overlaps = depenetration->overlaps.data;
	uint32_t kept = 0;
	for (uint32_t i = 0, end; i < depenetration->overlaps.count; i = end) {
		for (end = i + 1; end < depenetration->overlaps.count && memcmp(overlaps[i].bodies, overlaps[end].bodies, sizeof overlaps[i].bodies) == 0;)
			++end;
		uint32_t left = pair_decide(world, overlaps + i, end - i);
		memmove(overlaps + kept, overlaps + i, left * sizeof *overlaps);
		kept += left;
	}
	depenetration->overlaps.count = kept;
}

bool depenetration_prepare(struct world *world)
{
	world->depenetration.shifts.count = world->depenetration.overlaps.count = 0;
	bits_clear_all(&world->parted_contacts);
	if (bits_next(&world->deep_contacts, 0) == NONE)
		return true;
	if (!bodies_list(world) || !overlaps_list(world)) {
		world->depenetration.shifts.count = world->depenetration.overlaps.count = 0;
		return false;
	}
	pairs_decide(world);
	return true;
}

/* --- Moving ------------------------------------------------------------------------------------------------------------- */

/* What is deep goes apart as fast as its spring would push it; what is not may touch, and gets no deeper. */
static float wanted_of(const struct world *world, const struct overlap *overlap)
{
	if (!overlap->deep)
		return -max_f(overlap->separation, 0.0f);
	const struct soft *soft = overlap->shifts[1] == NONE ? &world->step.static_soft : &world->step.contact_soft;
	return world->step.dt * min_f(-soft->bias_rate * overlap->separation, world->settings.contact_speed);
}

static void overlap_solve(struct world *world, const struct overlap *overlap)
{
	struct shift *shifts = world->depenetration.shifts.data, *of[2] = {&shifts[overlap->shifts[0]], NULL};
	if (overlap->shifts[1] != NONE)
		of[1] = &shifts[overlap->shifts[1]];
	float moved = 0.0f, k = 0.0f;
	for (int side = 0; side < 2; ++side)
		for (int i = 0; i < 3 && of[side] != NULL; ++i) {
			moved += (side == 0 ? -1.0f : 1.0f) * overlap->normal[i] * of[side]->way[i];
			k += overlap->normal[i] * overlap->normal[i] * of[side]->inv_mass[i];
		}
	if (moved >= overlap->wanted || !(k > 0.0f))
		return;
	float push = (overlap->wanted - moved) / k;
	for (int side = 0; side < 2; ++side)
		for (int i = 0; i < 3 && of[side] != NULL; ++i)
			of[side]->way[i] += (side == 0 ? -push : push) * overlap->normal[i] * of[side]->inv_mass[i];
}

void depenetration_run(struct world *world)
{
	struct depenetration *depenetration = &world->depenetration;
	uint32_t count = depenetration->overlaps.count;
	if (depenetration->shifts.count == 0)
		return;
	for (uint32_t i = 0; i < count; ++i) {
		struct overlap *overlap = &depenetration->overlaps.data[i];
		float normal[3];
		if (overlap->contact != NONE)
			overlap->separation = world->wing->contact_overlap(world, overlap->contact, normal);
		overlap->wanted = wanted_of(world, overlap);
	}
	for (int sweep = 0; sweep < SWEEPS; ++sweep)
		for (uint32_t i = 0; i < count; ++i)
			overlap_solve(world, &depenetration->overlaps.data[sweep % 2 == 0 ? i : count - 1 - i]);
	float most = world->settings.contact_speed * world->step.dt;
	for (uint32_t i = 0; i < depenetration->shifts.count; ++i) {
		struct shift *shift = &depenetration->shifts.data[i];
		float square = dot(shift->way, shift->way), scale = square > most * most ? most / sqrtf(square) : 1.0f;
		for (int k = 0; k < 3; ++k)
			shift->way[k] *= scale;
		world->wing->body_shift(world, shift->body, shift->way);
	}
}

float depenetration_speed(const struct world *world, uint32_t body)
{
	uint32_t place = find_shift(world, body);
	return place == NONE ? 0.0f : sqrtf(dot(world->depenetration.shifts.data[place].way, world->depenetration.shifts.data[place].way)) * world->step.inv_dt;
}
