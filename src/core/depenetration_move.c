/* depenetration_move.c - depenetration moves bodies apart, after the sub-steps. See depenetration.h. */
#include "base/cache.h"
#include "core/depenetration_parts.h"

/* --- Measuring ------------------------------------------------------------------------------------------------------------ */

void depenetration_measure(const struct world *world, struct overlap *overlap)
{
	uint32_t body = world->depenetration.shifts.data[overlap->shifts[0]].body;
	const uint32_t bodies[2] = {overlap->turned ? overlap->other : body, overlap->turned ? body : overlap->other};
	overlap->separation = world->wing->contact_overlap(world, overlap->contact, bodies, overlap->normal);
	for (int k = 0; k < 3 && overlap->turned; ++k)
		overlap->normal[k] = -overlap->normal[k];
}

void depenetration_prefetch(const struct world *world, const struct overlap *overlap, uint32_t left)
{
	const struct overlap *ahead = overlap + OVERLAPS_AHEAD;
	if (left > 2 * OVERLAPS_AHEAD)
		cache_prefetch_line(&world->bodies.data[overlap[2 * OVERLAPS_AHEAD].other]);
	if (left <= OVERLAPS_AHEAD || ahead->contact == NONE)
		return;
	uint32_t bodies[2] = {world->depenetration.shifts.data[ahead->shifts[0]].body, ahead->other};
	cache_prefetch(manifold_row(world, ahead->contact), world->wing->manifold_size);
	for (int side = 0; side < 2; ++side) {
		cache_prefetch(body_row(world, bodies[side]), CACHE_LINE);
		cache_prefetch(body_state(world, bodies[side]), world->wing->state_size);
	}
}

/* --- Moving --------------------------------------------------------------------------------------------------------------- */

/* The separating displacement wanted of an overlap in this step [length]. Deep ones separate as fast as their springs would
 * push. Of others, separated bodies may approach until they touch, and overlapping ones no further. */
static float wanted_of(const struct world *world, const struct overlap *overlap)
{
	if (!overlap->deep)
		return -max_f(overlap->separation, 0.0f);
	const struct soft *soft = overlap->shifts[1] == NONE ? &world->step.static_soft : &world->step.contact_soft;
	return world->step.dt * min_f(-soft->bias_rate * overlap->separation, world->settings.contact_speed);
}

/* Returns the push, lowered if necessary so that the body moves by at most `most` in total. delta: its displacement so far;
 * unit: its displacement by a push of 1. At the limit
 *   |delta + push unit| = most */
static float push_limit(const float delta[3], const float unit[3], float push, float most)
{
	float after[3] = {delta[0] + push * unit[0], delta[1] + push * unit[1], delta[2] + push * unit[2]};
	if (dot(after, after) <= most * most)
		return push;
	float square = dot(unit, unit), along = dot(delta, unit), left = max_f(most * most - dot(delta, delta), 0.0f);
	return min_f(push, (sqrtf(along * along + square * left) - along) / square);
}

/* Factor <= 1 on the inverse mass `own` that limits it to LOAD_RATIO times the other body's: without it, a light body between
 * two of a million times its mass would never push them apart. */
static float share_of(const float own[3], const float other[3])
{
	float a = max_f(max_f(own[0], own[1]), own[2]), b = max_f(max_f(other[0], other[1]), other[2]);
	return b > 0.0f && a > LOAD_RATIO * b ? LOAD_RATIO * b / a : 1.0f;
}

/* Computes how the overlap's bodies respond to a push of 1: each moves by its part, along each axis by
 *   part * inv_mass * normal
 * and they move apart by 1 / response. Bodies that no push moves want none. */
static void overlap_prepare(const struct world *world, struct overlap *overlap)
{
	float k = 0.0f;
	bool both = overlap->shifts[1] != NONE;
	const struct shift *shifts = world->depenetration.shifts.data;
	const struct shift *a = &shifts[overlap->shifts[0]], *b = &shifts[overlap->shifts[both]];
	overlap->parts[0] = both ? share_of(a->inv_mass, b->inv_mass) : 1.0f;
	overlap->parts[1] = both ? share_of(b->inv_mass, a->inv_mass) : 0.0f;
	for (int i = 0; i < 3; ++i) {
		float square = overlap->normal[i] * overlap->normal[i];
		k += square * (overlap->parts[0] * a->inv_mass[i] + (both ? overlap->parts[1] * b->inv_mass[i] : 0.0f));
	}
	overlap->wanted = k > 0.0f ? wanted_of(world, overlap) : -INFINITY;
	overlap->response = 1.0f / k;
}

/* Moves the bodies by the displacement that is still wanted for the overlap. Both get the same push, so a limit on one limits
 * the other. */
static void overlap_solve(struct shift *shifts, const struct overlap *overlap, float most)
{
	struct shift *a = &shifts[overlap->shifts[0]], *b = overlap->shifts[1] == NONE ? NULL : &shifts[overlap->shifts[1]];
	const float *n = overlap->normal;
	float moved = (b == NULL ? 0.0f : dot(n, b->delta)) - dot(n, a->delta);
	if (moved >= overlap->wanted)
		return;
	float units[2][3], push = (overlap->wanted - moved) * overlap->response;
	for (int i = 0; i < 3; ++i)
		units[0][i] = -overlap->parts[0] * a->inv_mass[i] * n[i];
	push = push_limit(a->delta, units[0], push, most);
	for (int i = 0; i < 3 && b != NULL; ++i)
		units[1][i] = overlap->parts[1] * b->inv_mass[i] * n[i];
	if (b != NULL)
		push = push_limit(b->delta, units[1], push, most);
	for (int i = 0; i < 3; ++i)
		a->delta[i] += push * units[0][i];
	for (int i = 0; i < 3 && b != NULL; ++i)
		b->delta[i] += push * units[1][i];
}

static uint32_t group_first(struct shift_group *groups, uint32_t i)
{
	while (groups[i].parent != i)
		i = groups[i].parent = groups[groups[i].parent].parent;
	return i;
}

static void groups_find(struct depenetration *depenetration)
{
	struct shift_group *groups = depenetration->groups.data;
	for (uint32_t i = 0; i < depenetration->shifts.count; ++i)
		groups[i] = (struct shift_group){.parent = i};
	for (uint32_t i = 0; i < depenetration->overlaps.count; ++i) {
		const struct overlap *overlap = &depenetration->overlaps.data[i];
		uint32_t a = group_first(groups, overlap->shifts[0]);
		uint32_t b = overlap->shifts[1] == NONE ? a : group_first(groups, overlap->shifts[1]);
		groups[a > b ? a : b].parent = a < b ? a : b;
	}
	for (uint32_t i = 0; i < depenetration->overlaps.count; ++i)
		for (int k = 0; k < 3 && depenetration->overlaps.data[i].shifts[1] == NONE; ++k)
			groups[group_first(groups, depenetration->overlaps.data[i].shifts[0])].mass[k] = INFINITY;
}

/* Shifts each group of overlapping bodies so that its centre of mass stays in place, which share_of's limit on inverse masses
 * does not ensure. A group is not shifted along an axis on which a member is locked, and not at all if a member overlaps a body
 * that is not moved. */
static void groups_center(struct depenetration *depenetration)
{
	struct shift *shifts = depenetration->shifts.data;
	struct shift_group *groups = depenetration->groups.data;
	groups_find(depenetration);
	for (uint32_t i = 0; i < depenetration->shifts.count; ++i) {
		struct shift_group *first = &groups[group_first(groups, i)];
		for (int k = 0; k < 3; ++k) {
			double mass = shifts[i].inv_mass[k] > 0.0f ? 1.0 / (double)shifts[i].inv_mass[k] : (double)INFINITY;
			first->mass[k] += mass;
			first->shifted[k] += shifts[i].inv_mass[k] > 0.0f ? mass * (double)shifts[i].delta[k] : 0.0;
		}
	}
	for (uint32_t i = 0; i < depenetration->shifts.count; ++i) {
		const struct shift_group *first = &groups[group_first(groups, i)];
		for (int k = 0; k < 3; ++k)
			shifts[i].delta[k] -= (float)(first->shifted[k] / first->mass[k]);
	}
}

void depenetration_run(struct world *world)
{
	struct depenetration *depenetration = &world->depenetration;
	uint32_t count = depenetration->overlaps.count;
	struct shift *shifts = depenetration->shifts.data;
	float most = world->settings.contact_speed * world->step.dt;
	for (uint32_t i = 0; i < count; ++i) {
		struct overlap *overlap = &depenetration->overlaps.data[i];
		depenetration_prefetch(world, overlap, count - i);
		if (overlap->contact != NONE)
			depenetration_measure(world, overlap);
		overlap_prepare(world, overlap);
	}
	for (int sweep = 0; sweep < SWEEPS; ++sweep)
		for (uint32_t i = 0; i < count; ++i)
			overlap_solve(shifts, &depenetration->overlaps.data[sweep % 2 == 0 ? i : count - 1 - i], most);
	/* Walls are solved last, or bodies pushed into them by many others would leave on the other side. */
	for (uint32_t i = 0; i < count; ++i)
		if (depenetration->overlaps.data[i].shifts[1] == NONE)
			overlap_solve(shifts, &depenetration->overlaps.data[i], most);
	groups_center(depenetration);
	for (uint32_t i = 0; i < depenetration->shifts.count; ++i)
		body_shift(world, depenetration->shifts.data[i].body, depenetration->shifts.data[i].delta);
}
