/* depenetration.c - see depenetration.h. */
#include "core/depenetration_parts.h"

#include <string.h>

/* Two contacts of a pair of bodies oppose each other if the cosine of the angle between their normals is below this. It is
 * about 96 degrees, so that the contacts with both walls of a right-angled corner do not. */
#define OPPOSED -0.1f

/* Cosine of the largest angle between the normals of contacts that belong to one wall. */
#define ALIKE 0.5f

/* Contacts with more overlap are separated before they sleep, unless a load may explain it: ten slops [m, times
 * length_scale]. */
#define RESTING_OVERLAP (10.0f * LINEAR_SLOP)

/* Cosine of the angle between a contact's normal and gravity within which one body stands on the other. */
#define UPRIGHT 0.9f

/* Overlap assumed for bodies at the same position [m, times length_scale]. */
#define LEAST_ESCAPE 1.0f

/* --- Vectors; unused dimensions stay 0 ------------------------------------------------------------------------------------ */

void depenetration_cross(const float a[3], const float b[3], float out[3])
{
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

bool depenetration_normalize(float a[3])
{
	float square = dot(a, a);
	if (!(square > 1e-12f))
		return false;
	for (int i = 0; i < 3; ++i)
		a[i] /= sqrtf(square);
	return true;
}

/* --- Moved bodies --------------------------------------------------------------------------------------------------------- */

static bool is_movable(const struct world *world, uint32_t body)
{
	return world->bodies.data[body].type == BODY_DYNAMIC && world->bodies.data[body].links[LINK_JOINT] == NONE;
}

static bool is_solved(const struct world *world, uint32_t contact)
{
	return world->contacts.data[contact].link.valid && world->contacts.data[contact].link.colour != NO_COLOUR;
}

static bool is_settled(const struct world *world, uint32_t contact)
{
	return (world->contacts.data[contact].link.flags & CONTACT_SETTLED) != 0;
}

bool depenetration_is_touching(const struct world *world, float separation)
{
	return separation < LINEAR_SLOP * world->settings.length_scale;
}

/* The body's index in depenetration.shifts; NONE: depenetration does not move it in this step. */
static uint32_t find_shift(const struct world *world, uint32_t body)
{
	bool moved = world->depenetration.shifts.count > 0 && bits_has(&world->shifted_bodies, body);
	return moved ? world->depenetration.shift_indices.data[body] : NONE;
}

/* Lists the solved deep contacts of movable bodies, as (body << 32 | key in the body's list) of the movable body with the
 * smaller id, and fills shifted_bodies with all of these bodies. */
static bool deep_list(struct world *world)
{
	struct depenetration *depenetration = &world->depenetration;
	const struct bits *deep = &world->deep_contacts;
	depenetration->deep.count = 0;
	bits_clear_all(&world->shifted_bodies);
	for (uint32_t id = bits_next(deep, 0); id != NONE; id = bits_next(deep, id + 1)) {
		const uint32_t *bodies = world->contacts.data[id].link.bodies;
		bool movable[2] = {is_movable(world, bodies[0]), is_movable(world, bodies[1])};
		if (!is_solved(world, id) || (!movable[0] && !movable[1]))
			continue;
		if (!array_reserve(world->memory, &depenetration->deep, depenetration->deep.count + 1))
			return false;
		for (uint32_t side = 0; side < 2; ++side)
			if (movable[side])
				bits_set(&world->shifted_bodies, bodies[side]);
		uint32_t side = !movable[0] || (movable[1] && bodies[1] < bodies[0]);
		array_push(&depenetration->deep, (uint64_t)bodies[side] << 32 | (id * 2 + side));
	}
	return true;
}

/* Lists the bodies of shifted_bodies, in id order. */
static bool bodies_list(struct world *world)
{
	struct depenetration *depenetration = &world->depenetration;
	if (!array_reserve(world->memory, &depenetration->shifts, bits_count(&world->shifted_bodies)) ||
		!array_reserve(world->memory, &depenetration->shift_indices, world->bodies.count))
		return false;
	for (uint32_t body = bits_next(&world->shifted_bodies, 0); body != NONE;
		 body = bits_next(&world->shifted_bodies, body + 1)) {
		struct shift shift = {.body = body};
		shift.group = depenetration->shifts.count;
		body_inverse_mass(world, body, shift.inv_mass);
		depenetration->shift_indices.data[body] = depenetration->shifts.count;
		array_push(&depenetration->shifts, shift);
	}
	return true;
}

/* --- Overlaps ------------------------------------------------------------------------------------------------------------- */

static bool pair_opposes(struct pair *pair)
{
	struct overlap *overlaps = pair->overlaps;
	bool opposes = false;
	for (uint32_t i = 1; i < pair->count; ++i)
		for (uint32_t k = 0; k < i && depenetration_is_touching(pair->world, overlaps[i].separation); ++k)
			if (depenetration_is_touching(pair->world, overlaps[k].separation) &&
				dot(overlaps[i].normal, overlaps[k].normal) < OPPOSED)
				opposes = overlaps[i].opposed = overlaps[k].opposed = true;
	return opposes;
}

/* Decides whether the pair is separated: it is if one of its deep contacts is plunged or opposes another contact. Contacts sunk
 * under a load are left to their springs. If contacts of the separated pair oppose each other, or its bodies are at the same
 * position, one escape direction, if found, replaces all overlaps of the pair. */
static bool pair_decide(struct world *world, struct pair *pair)
{
	struct overlap *overlaps = pair->overlaps;
	bool opposes = pair_opposes(pair), deep = false;
	for (uint32_t i = 0; i < pair->count; ++i) {
		overlaps[i].deep = overlaps[i].deep && (overlaps[i].opposed || bits_has(&world->plunged_contacts, overlaps[i].contact));
		deep |= overlaps[i].deep;
	}
	if (!deep)
		return false;
	for (int side = 0; side < 2; ++side)
		if (overlaps[0].shifts[side] != NONE)
			world->depenetration.shifts.data[overlaps[0].shifts[side]].moved = true;
	pair->delta = (struct overlap){
		.shifts = {overlaps[0].shifts[0], overlaps[0].shifts[1]},
		.other = pair->bodies[1],
		.contact = NONE,
		.separation = -INFINITY,
		.deep = true,
	};
	if (pair->delta.shifts[1] != NONE && depenetration_coincident(world, pair->bodies, pair->delta.normal))
		pair->delta.separation = -LEAST_ESCAPE * world->settings.length_scale;
	else if (opposes)
		depenetration_pair_search(pair);
	bool found = pair->delta.separation > -INFINITY;
	for (uint32_t i = 0; i < pair->count; ++i)
		if (found ? overlaps[i].separation < 0.0f : overlaps[i].deep)
			bits_set(&world->parted_contacts, overlaps[i].contact);
	if (found) {
		overlaps[0] = pair->delta;
		pair->count = 1;
	}
	return true;
}

/* The overlap of the contact `key` in the first body's list. Unmarks the contact if it is no longer deep. */
static struct overlap overlap_of(struct world *world, uint32_t key, uint32_t shift_a, uint32_t shift_b)
{
	struct overlap overlap = {
		.shifts = {shift_a, shift_b}, .other = link_other_body(world, LINK_CONTACT, key), .contact = key / 2};
	overlap.separation = world->wing->contact_overlap(world, overlap.contact, overlap.normal);
	for (int k = 0; k < 3 && (key & 1); ++k)
		overlap.normal[k] = -overlap.normal[k];
	overlap.deep = is_deep(world, overlap.separation) && bits_has(&world->deep_contacts, overlap.contact) &&
		(!is_settled(world, overlap.contact) || bits_has(&world->plunged_contacts, overlap.contact));
	if (!overlap.deep) {
		bits_clear(&world->deep_contacts, overlap.contact);
		bits_clear(&world->plunged_contacts, overlap.contact);
	}
	return overlap;
}

/* Reserves room to list and sort `most` runs. */
static bool ends_reserve(struct world *world, uint32_t most)
{
	world->depenetration.ends.count = 0;
	return array_reserve(world->memory, &world->depenetration.ends, 2 * most);
}

/* Sorts the listed runs of contacts by the other body. */
static const uint64_t *ends_sort(struct depenetration *depenetration)
{
	return sort_keys(
		depenetration->ends.data, depenetration->ends.data + depenetration->ends.capacity / 2, depenetration->ends.count);
}

/* Lists the overlaps of the solved contacts in the run that begins at `key` in the list of the first body. */
static struct pair pair_make(struct world *world, uint32_t key, uint32_t shift, struct overlap *overlaps)
{
	uint32_t other = link_other_body(world, LINK_CONTACT, key), shift_b = find_shift(world, other);
	struct pair pair = {.world = world, .bodies = {world->depenetration.shifts.data[shift].body, other}, .overlaps = overlaps};
	for (; key != NONE; key = link_run_next(world, LINK_CONTACT, key))
		if (is_solved(world, key / 2))
			overlaps[pair.count++] = overlap_of(world, key, shift, shift_b);
	return pair;
}

/* Whether the body has sunk into a wall by another contact than `begun`, which is plunged: then `begun`, with the wall's next
 * segment or tile, began deep although the body was not placed there. */
static bool sinks_on(struct world *world, uint32_t shift, const struct overlap *begun)
{
	uint32_t body = world->depenetration.shifts.data[shift].body;
	for (uint32_t key = world->bodies.data[body].links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key)) {
		if (!is_solved(world, key / 2) || is_movable(world, link_other_body(world, LINK_CONTACT, key)) ||
			bits_has(&world->plunged_contacts, key / 2))
			continue;
		struct overlap last = overlap_of(world, key, shift, NONE);
		if (last.separation < 0.5f * begun->separation && dot(last.normal, begun->normal) > ALIKE)
			return true;
	}
	return false;
}

/* Decides about the pairs of the body's listed runs, and lists the overlaps of those that are separated. */
static void pairs_decide(struct world *world, uint32_t shift)
{
	struct depenetration *depenetration = &world->depenetration;
	const uint64_t *ends = ends_sort(depenetration);
	for (uint32_t i = 0; i < depenetration->ends.count; ++i) {
		struct overlap *overlaps = depenetration->separated.data + depenetration->separated.count;
		struct pair pair = pair_make(world, (uint32_t)ends[i], shift, overlaps);
		for (uint32_t k = 0; overlaps[0].shifts[1] == NONE && k < pair.count; ++k)
			if (bits_has(&world->plunged_contacts, overlaps[k].contact) && sinks_on(world, shift, &overlaps[k]))
				bits_clear(&world->plunged_contacts, overlaps[k].contact);
		if (pair_decide(world, &pair))
			depenetration->separated.count += pair.count;
	}
}

/* Whether the contact is the first in its run that depenetration may separate. */
static bool run_leads(const struct world *world, uint32_t key)
{
	uint32_t first = link_run_first(world, LINK_CONTACT, key);
	while (first != key && !(is_solved(world, first / 2) && bits_has(&world->deep_contacts, first / 2)))
		first = link_run_next(world, LINK_CONTACT, first);
	return first == key;
}

/* Decides about all pairs with deep contacts: by first body, then by second body. */
static bool deep_decide(struct world *world)
{
	struct depenetration *depenetration = &world->depenetration;
	uint32_t count = depenetration->deep.count;
	if (count == 0)
		return true;
	if (!array_reserve(world->memory, &depenetration->deep, 2 * count))
		return false;
	const uint64_t *deep = sort_keys(depenetration->deep.data, depenetration->deep.data + count, count);
	for (uint32_t i = 0; i < count;) {
		uint32_t body = (uint32_t)(deep[i] >> 32);
		uint32_t most = world->bodies.data[body].link_counts[LINK_CONTACT];
		if (!ends_reserve(world, most) ||
			!array_reserve(world->memory, &depenetration->separated, depenetration->separated.count + most))
			return false;
		for (; i < count && deep[i] >> 32 == body; ++i) {
			uint32_t key = (uint32_t)deep[i], other = link_other_body(world, LINK_CONTACT, key);
			if (run_leads(world, key))
				array_push(&depenetration->ends, (uint64_t)other << 32 | link_run_first(world, LINK_CONTACT, key));
		}
		pairs_decide(world, find_shift(world, body));
	}
	return true;
}

/* Lists the runs of contacts with bodies that are not movable, or that depenetration moves and have a greater id. */
static void runs_list(struct world *world, uint32_t body)
{
	struct depenetration *depenetration = &world->depenetration;
	for (uint32_t key = world->bodies.data[body].links[LINK_CONTACT], last = NONE; key != NONE;
		 key = link_next(world, LINK_CONTACT, key)) {
		uint32_t other = link_other_body(world, LINK_CONTACT, key), shift = find_shift(world, other);
		/* A movable body that is not moved is left to springs; a body that is not movable counts as a wall. */
		if (other != last &&
			(shift == NONE ? !is_movable(world, other) : other > body && depenetration->shifts.data[shift].moved))
			array_push(&depenetration->ends, (uint64_t)other << 32 | key);
		last = other;
	}
}

/* Lists the overlaps of all bodies that are moved apart: those of separated pairs, and the others as limits. */
static bool overlaps_list(struct world *world)
{
	struct depenetration *depenetration = &world->depenetration;
	if (depenetration->separated.count == 0)
		return true;
	const struct overlap *next = depenetration->separated.data, *end = next + depenetration->separated.count;
	for (uint32_t shift = 0; shift < depenetration->shifts.count; ++shift) {
		uint32_t body = depenetration->shifts.data[shift].body;
		if (!depenetration->shifts.data[shift].moved)
			continue;
		uint32_t most = world->bodies.data[body].link_counts[LINK_CONTACT];
		if (!ends_reserve(world, most) ||
			!array_reserve(world->memory, &depenetration->overlaps, depenetration->overlaps.count + most))
			return false;
		runs_list(world, body);
		const uint64_t *ends = ends_sort(depenetration);
		for (uint32_t i = 0; i < depenetration->ends.count; ++i) {
			struct overlap *overlaps = depenetration->overlaps.data + depenetration->overlaps.count;
			uint32_t count = 0, other = (uint32_t)(ends[i] >> 32);
			while (next < end && next->shifts[0] == shift && next->other == other)
				overlaps[count++] = *next++;
			if (count == 0) {
				count = pair_make(world, (uint32_t)ends[i], shift, overlaps).count;
				for (uint32_t k = 0; k < count; ++k)
					overlaps[k].deep = false;
			}
			depenetration->overlaps.count += count;
		}
	}
	return true;
}

/* --- Lack of room --------------------------------------------------------------------------------------------------------- */

static struct headway *headway_of(struct world *world, const struct shift *shift)
{
	return &world->islands.data[world->bodies.data[shift->body].island.id].headway;
}

/* Adds `overlap`, summed over a body's contacts, to its island's sum [length]. The first call of a step begins a new sum; after
 * REST_TIME without overlaps the least sum is forgotten. */
static void headway_add(const struct world *world, struct headway *headway, float overlap)
{
	uint64_t step = world->tick + 1;
	if (headway->parted != step) {
		if ((float)(step - headway->parted) * world->step.dt > REST_TIME)
			headway->least = INFINITY;
		headway->parted = step;
		headway->overlap = 0.0f;
	}
	headway->overlap += overlap;
}

/* Whether an island's separation has stalled, by its complete sum of the step. Marks the sum as compared, by -INFINITY. */
static bool headway_stalls(const struct world *world, struct headway *headway)
{
	if (headway->overlap < headway->least - LINEAR_SLOP * world->settings.length_scale) {
		headway->least = headway->overlap;
		headway->stalled = 0.0f;
	} else {
		headway->stalled += world->step.dt;
	}
	headway->overlap = -INFINITY;
	return headway->stalled >= REST_TIME;
}

/* Gives the deep contacts of stalled islands their springs back: in too small a space their bodies would be moved to and fro
 * for ever. */
static void stalled_settle(struct world *world)
{
	for (uint32_t id = bits_next(&world->deep_contacts, 0); id != NONE; id = bits_next(&world->deep_contacts, id + 1)) {
		struct link *link = &world->contacts.data[id].link;
		uint32_t island = world->bodies.data[link->bodies[world->bodies.data[link->bodies[0]].island.id == NONE]].island.id;
		const struct headway *headway = island == NONE ? NULL : &world->islands.data[island].headway;
		if (headway == NULL || headway->parted != world->tick + 1 || headway->stalled < REST_TIME)
			continue;
		link->flags |= CONTACT_SETTLED;
		bits_clear(&world->deep_contacts, id);
		bits_clear(&world->plunged_contacts, id);
	}
}

static void headways_update(struct world *world)
{
	const struct depenetration *depenetration = &world->depenetration;
	bool stalled = false;
	for (uint32_t i = 0, shift = 0; i < depenetration->overlaps.count; ++shift) {
		float sum = 0.0f;
		for (; i < depenetration->overlaps.count && depenetration->overlaps.data[i].shifts[0] == shift; ++i)
			sum -= depenetration->overlaps.data[i].deep ? depenetration->overlaps.data[i].separation : 0.0f;
		if (sum > 0.0f)
			headway_add(world, headway_of(world, &depenetration->shifts.data[shift]), sum);
	}
	for (uint32_t i = 0; i < depenetration->shifts.count; ++i) {
		struct headway *headway = headway_of(world, &depenetration->shifts.data[i]);
		if (headway->parted == world->tick + 1 && headway->overlap >= 0.0f)
			stalled |= headway_stalls(world, headway);
	}
	if (stalled)
		stalled_settle(world);
}

bool depenetration_prepare(struct world *world)
{
	struct depenetration *depenetration = &world->depenetration;
	depenetration->shifts.count = 0;
	array_empty(world->memory, &depenetration->overlaps);
	array_empty(world->memory, &depenetration->separated);
	bits_clear_all(&world->parted_contacts);
	if (bits_next(&world->deep_contacts, 0) == NONE)
		return true;
	bool done = deep_list(world) && bodies_list(world) && deep_decide(world) && overlaps_list(world);
	if (!done || depenetration->overlaps.count == 0)
		depenetration->shifts.count = depenetration->overlaps.count = 0;
	headways_update(world);
	return done;
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

/* Moves the bodies by the displacement that is still wanted for the overlap. Both get the same push, so a limit on one limits
 * the other. */
static void overlap_solve(struct world *world, const struct overlap *overlap, float most)
{
	struct shift *shifts = world->depenetration.shifts.data, *of[2] = {&shifts[overlap->shifts[0]], NULL};
	if (overlap->shifts[1] != NONE)
		of[1] = &shifts[overlap->shifts[1]];
	float moved = 0.0f, k = 0.0f, units[2][3] = {{0.0f}}, share[2] = {1.0f, 1.0f};
	for (int side = 0; side < 2 && of[1] != NULL; ++side)
		share[side] = share_of(of[side]->inv_mass, of[!side]->inv_mass);
	for (int side = 0; side < 2; ++side)
		for (int i = 0; i < 3 && of[side] != NULL; ++i) {
			float along = side == 0 ? -overlap->normal[i] : overlap->normal[i];
			units[side][i] = share[side] * of[side]->inv_mass[i] * along;
			moved += along * of[side]->delta[i];
			k += along * units[side][i];
		}
	if (moved >= overlap->wanted || !(k > 0.0f))
		return;
	float push = (overlap->wanted - moved) / k;
	for (int side = 0; side < 2 && of[side] != NULL; ++side)
		push = push_limit(of[side]->delta, units[side], push, most);
	for (int side = 0; side < 2; ++side)
		for (int i = 0; i < 3 && of[side] != NULL; ++i)
			of[side]->delta[i] += push * units[side][i];
}

static uint32_t group_first(struct shift *shifts, uint32_t i)
{
	while (shifts[i].group != i)
		i = shifts[i].group = shifts[shifts[i].group].group;
	return i;
}

static void groups_find(struct depenetration *depenetration)
{
	struct shift *shifts = depenetration->shifts.data;
	for (uint32_t i = 0; i < depenetration->overlaps.count; ++i) {
		const struct overlap *overlap = &depenetration->overlaps.data[i];
		uint32_t a = group_first(shifts, overlap->shifts[0]);
		uint32_t b = overlap->shifts[1] == NONE ? a : group_first(shifts, overlap->shifts[1]);
		shifts[a > b ? a : b].group = a < b ? a : b;
	}
	for (uint32_t i = 0; i < depenetration->overlaps.count; ++i)
		for (int k = 0; k < 3 && depenetration->overlaps.data[i].shifts[1] == NONE; ++k)
			shifts[group_first(shifts, depenetration->overlaps.data[i].shifts[0])].mass[k] = INFINITY;
}

/* Shifts each group of overlapping bodies so that its centre of mass stays in place, which share_of's limit on inverse masses
 * does not ensure. A group is not shifted along an axis on which a member is locked, and not at all if a member overlaps a body
 * that is not moved. */
static void groups_center(struct depenetration *depenetration)
{
	struct shift *shifts = depenetration->shifts.data;
	groups_find(depenetration);
	for (uint32_t i = 0; i < depenetration->shifts.count; ++i) {
		struct shift *first = &shifts[group_first(shifts, i)];
		for (int k = 0; k < 3; ++k) {
			double mass = shifts[i].inv_mass[k] > 0.0f ? 1.0 / (double)shifts[i].inv_mass[k] : (double)INFINITY;
			first->mass[k] += mass;
			first->shifted[k] += shifts[i].inv_mass[k] > 0.0f ? mass * (double)shifts[i].delta[k] : 0.0;
		}
	}
	for (uint32_t i = 0; i < depenetration->shifts.count; ++i) {
		const struct shift *first = &shifts[group_first(shifts, i)];
		for (int k = 0; k < 3; ++k)
			shifts[i].delta[k] -= (float)(first->shifted[k] / first->mass[k]);
	}
}

void depenetration_run(struct world *world)
{
	struct depenetration *depenetration = &world->depenetration;
	uint32_t count = depenetration->overlaps.count;
	float most = world->settings.contact_speed * world->step.dt;
	for (uint32_t i = 0; i < count; ++i) {
		struct overlap *overlap = &depenetration->overlaps.data[i];
		float normal[3];
		if (overlap->contact != NONE)
			overlap->separation = world->wing->contact_overlap(world, overlap->contact, normal);
		overlap->wanted = wanted_of(world, overlap);
	}
	for (int sweep = 0; sweep < SWEEPS; ++sweep)
		for (uint32_t i = 0; i < count; ++i)
			overlap_solve(world, &depenetration->overlaps.data[sweep % 2 == 0 ? i : count - 1 - i], most);
	/* Walls are solved last, or bodies pushed into them by many others would leave on the other side. */
	for (uint32_t i = 0; i < count; ++i)
		if (depenetration->overlaps.data[i].shifts[1] == NONE)
			overlap_solve(world, &depenetration->overlaps.data[i], most);
	groups_center(depenetration);
	for (uint32_t i = 0; i < depenetration->shifts.count; ++i)
		body_shift(world, depenetration->shifts.data[i].body, depenetration->shifts.data[i].delta);
}

/* The overlap above which a contact may not sleep: ten slops, or, if that is more, the overlap that a load may cause [length].
 * A spring of frequency omega [rad/s] gives way by g / omega^2 under the weight of its own body, and by LOAD_RATIO times as
 * much under the greatest load without a burden. With a lower limit bodies would sink in again after separation: 30 of them
 * under six times the earth's gravity slept 2 s later. */
static float resting_limit(const struct world *world)
{
	float slop = LINEAR_SLOP * world->settings.length_scale;
	float square = world->step.h > 0.0f ? world->step.load_speed / (world->step.h * slop) : INFINITY;
	return max_f(
		RESTING_OVERLAP * world->settings.length_scale, LOAD_RATIO * sqrtf(dot(world->gravity, world->gravity)) / square);
}

/* Whether one body stands on the other, by the contact's normal: then all bodies above may load the contact, as in a column of
 * forty. */
static bool stands(const struct world *world, const float normal[3])
{
	float along = dot(world->gravity, normal);
	return along * along > UPRIGHT * UPRIGHT * dot(world->gravity, world->gravity);
}

/* Starts to separate a body's resting contacts that are too deep, each once. Returns whether there are any. */
static bool body_rests_deep(struct world *world, uint32_t body, float limit)
{
	bool found = false;
	for (uint32_t key = world->bodies.data[body].links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key)) {
		struct link *link = &world->contacts.data[key / 2].link;
		float normal[3];
		if (!is_solved(world, key / 2) || is_settled(world, key / 2) ||
			(!is_movable(world, link->bodies[0]) && !is_movable(world, link->bodies[1])))
			continue;
		if (world->wing->contact_overlap(world, key / 2, normal) < -limit && !stands(world, normal)) {
			link->flags |= CONTACT_SETTLED;
			bits_set(&world->deep_contacts, key / 2);
			bits_set(&world->plunged_contacts, key / 2);
			found = true;
		}
	}
	return found;
}

bool depenetration_wants(struct world *world, uint32_t island)
{
	bool found = false;
	float limit = resting_limit(world);
	for (uint32_t body = world->islands.data[island].bodies.first; body != NONE; body = world->bodies.data[body].island.next)
		found |= body_rests_deep(world, body, limit);
	for (uint32_t body = world->islands.data[island].bodies.first; body != NONE && found;
		 body = world->bodies.data[body].island.next)
		world->bodies.data[body].rest_time = 0.0f;
	if (found)
		bits_set(&world->restless_islands, island);
	return found;
}

float depenetration_speed(const struct world *world, uint32_t body)
{
	uint32_t shift = find_shift(world, body);
	if (shift == NONE)
		return 0.0f;
	const float *delta = world->depenetration.shifts.data[shift].delta;
	return sqrtf(dot(delta, delta)) * world->step.inv_dt;
}
