/* depenetration.c - see depenetration.h. */
#include "core/depenetration_parts.h"
#include "core/touched.h"

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
	return world->bodies.data[body].type == BODY_DYNAMIC && !body_jointed(world, body);
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

/* Fills shifted_bodies with the movable bodies of solved deep contacts. */
static void bodies_mark(struct world *world)
{
	const struct bits *deep = &world->deep_contacts;
	bits_clear_all(&world->shifted_bodies);
	for (uint32_t id = bits_next(deep, 0); id != NONE; id = bits_next(deep, id + 1))
		for (uint32_t side = 0; side < 2 && is_solved(world, id); ++side)
			if (is_movable(world, world->contacts.data[id].link.bodies[side]))
				bits_set(&world->shifted_bodies, world->contacts.data[id].link.bodies[side]);
}

/* Lists the bodies of shifted_bodies, in id order. */
static bool bodies_list(struct world *world)
{
	struct depenetration *depenetration = &world->depenetration;
	uint32_t count = bits_count(&world->shifted_bodies);
	if (!array_reserve(world->memory, &depenetration->shifts, count) ||
		!array_reserve(world->memory, &depenetration->groups, count) ||
		!array_reserve(world->memory, &depenetration->shift_indices, world->bodies.count))
		return false;
	for (uint32_t body = bits_next(&world->shifted_bodies, 0); body != NONE;
		 body = bits_next(&world->shifted_bodies, body + 1)) {
		struct shift shift = {.body = body};
		body_inverse_mass(world, body, shift.inv_mass);
		depenetration->shift_indices.data[body] = depenetration->shifts.count;
		array_push(&depenetration->shifts, shift);
	}
	return true;
}

/* --- Contacts of moved bodies --------------------------------------------------------------------------------------------- */

/* Adds the contact to `overlaps`, not measured yet, if its bodies are two of `shifts`, or one of these and a wall. A movable
 * body that is not in `shifts` is left to springs; a body that is not movable counts as a wall. `from`: the body in whose list
 * the contact was found, which adds it only if it is the first of the two; NONE: it was found otherwise. The capacity must have
 * been reserved. */
static void overlap_add(struct world *world, uint32_t id, const uint32_t bodies[2], uint32_t from)
{
	uint32_t shifts[2] = {find_shift(world, bodies[0]), find_shift(world, bodies[1])};
	if (shifts[0] == NONE && shifts[1] == NONE)
		return;
	uint32_t side = shifts[0] == NONE || (shifts[1] != NONE && bodies[1] < bodies[0]), other = bodies[!side];
	if ((from != NONE && from != bodies[side]) || (shifts[!side] == NONE && is_movable(world, other)))
		return;
	array_push(&world->depenetration.overlaps,
		(struct overlap){.shifts = {shifts[side], shifts[!side]}, .other = other, .contact = id, .turned = side == 1});
}

/* Lists the solved contacts of all bodies that may be moved, in no order: from the lists of these bodies or, if these are long,
 * from those of all colours, which are dense in memory. */
static bool overlaps_gather(struct world *world)
{
	const struct depenetration *depenetration = &world->depenetration;
	uint32_t solved = 0, linked = 0;
	for (int colour = 0; colour <= COLOURS; ++colour)
		solved += world->colours[colour].links[0].count;
	for (uint32_t i = 0; i < depenetration->shifts.count; ++i)
		linked += world->bodies.data[depenetration->shifts.data[i].body].link_counts[LINK_CONTACT];
	bool few = linked < solved / 8;
	if (!array_reserve(world->memory, &world->depenetration.overlaps, 2 * (linked < solved ? linked : solved)))
		return false;
	for (uint32_t i = 0; i < depenetration->shifts.count && few; ++i) {
		uint32_t body = depenetration->shifts.data[i].body;
		for (uint32_t key = world->bodies.data[body].links[LINK_CONTACT]; key != NONE;
			 key = link_next(world, LINK_CONTACT, key))
			if (is_solved(world, key / 2))
				overlap_add(world, key / 2, world->contacts.data[key / 2].link.bodies, body);
	}
	for (int colour = 0; colour <= COLOURS && !few; ++colour)
		for (uint32_t i = 0; i < world->colours[colour].links[0].count; ++i) {
			const struct coloured_link *link = &world->colours[colour].links[0].data[i];
			overlap_add(world, link->id, link->bodies, NONE);
		}
	return true;
}

/* Sorts the overlaps, of which there are some, by first body, then by second body: those of a pair follow one another. */
static bool overlaps_sort(struct world *world)
{
	struct depenetration *depenetration = &world->depenetration;
	uint32_t count = depenetration->overlaps.count;
	struct overlap *overlaps = depenetration->overlaps.data, *sorted = overlaps + count;
	if (!array_reserve(world->memory, &depenetration->keys, 2 * count))
		return false;
	depenetration->keys.count = 2 * count;
	uint64_t *keys = depenetration->keys.data;
	for (uint32_t i = 0; i < count; ++i)
		keys[i] = (uint64_t)overlaps[i].other << 32 | i;
	uint64_t *by_other = sort_keys(keys, keys + count, count);
	for (uint32_t i = 0; i < count; ++i)
		by_other[i] = (uint64_t)overlaps[(uint32_t)by_other[i]].shifts[0] << 32 | (uint32_t)by_other[i];
	keys = sort_keys(by_other, by_other == keys ? keys + count : keys, count);
	for (uint32_t i = 0; i < count; ++i)
		sorted[i] = overlaps[(uint32_t)keys[i]];
	memcpy(overlaps, sorted, count * sizeof *overlaps);
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
		.role = OVERLAP_SEPARATED,
	};
	if (pair->delta.shifts[1] != NONE && depenetration_coincident(world, pair->bodies, pair->delta.normal))
		pair->delta.separation = -LEAST_ESCAPE * world->settings.length_scale;
	else if (opposes)
		depenetration_pair_search(pair);
	bool found = pair->delta.separation > -INFINITY;
	for (uint32_t i = 0; i < pair->count; ++i)
		if (found ? overlaps[i].separation < 0.0f : overlaps[i].deep)
			bits_set(&world->parted_contacts, overlaps[i].contact);
	for (uint32_t i = 0; i < pair->count; ++i)
		overlaps[i].role = found ? OVERLAP_REPLACED : OVERLAP_SEPARATED;
	if (found)
		overlaps[0] = pair->delta;
	return true;
}

/* Measures the overlap, and decides whether it is deep. If not, unmarks its contact. */
static void overlap_sound(struct world *world, struct overlap *overlap)
{
	uint32_t contact = overlap->contact;
	depenetration_measure(world, overlap);
	overlap->deep = is_deep(world, overlap->separation) && bits_has(&world->deep_contacts, contact) &&
		(bits_has(&world->plunged_contacts, contact) || !is_settled(world, contact));
	if (!overlap->deep) {
		bits_clear(&world->deep_contacts, contact);
		bits_clear(&world->plunged_contacts, contact);
	}
}

/* Whether the body has sunk into a wall by another contact than `begun`, which is plunged: then `begun`, with the wall's next
 * segment or tile, began deep although the body was not placed there. */
static bool sinks_on(struct world *world, const struct overlap *begun)
{
	uint32_t body = world->depenetration.shifts.data[begun->shifts[0]].body;
	for (uint32_t key = world->bodies.data[body].links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key)) {
		if (!is_solved(world, key / 2) || is_movable(world, link_other_body(world, LINK_CONTACT, key)) ||
			bits_has(&world->plunged_contacts, key / 2))
			continue;
		struct overlap last = {.shifts = {begun->shifts[0], NONE},
			.other = link_other_body(world, LINK_CONTACT, key),
			.contact = key / 2,
			.turned = (key & 1) != 0};
		overlap_sound(world, &last);
		if (last.separation < 0.5f * begun->separation && dot(last.normal, begun->normal) > ALIKE)
			return true;
	}
	return false;
}

static bool is_same_pair(const struct overlap *a, const struct overlap *b)
{
	return a->shifts[0] == b->shifts[0] && a->other == b->other;
}

/* Sorts the overlaps of a pair by contact, so that the first of equally short escapes is the same in each step: mostly the
 * newest contact, as in the lists of the bodies. */
static void pair_sort(struct pair *pair)
{
	for (uint32_t i = 1; i < pair->count; ++i) {
		struct overlap overlap = pair->overlaps[i];
		uint32_t to = i;
		for (; to > 0 && pair->overlaps[to - 1].contact < overlap.contact; --to)
			pair->overlaps[to] = pair->overlaps[to - 1];
		pair->overlaps[to] = overlap;
	}
}

/* Measures the overlaps of a pair with deep contacts. */
static void pair_sound(struct world *world, struct pair *pair)
{
	struct overlap *overlaps = pair->overlaps;
	for (uint32_t i = 0; i < pair->count; ++i)
		overlap_sound(world, &overlaps[i]);
	for (uint32_t i = 0; i < pair->count && overlaps[0].shifts[1] == NONE; ++i)
		if (bits_has(&world->plunged_contacts, overlaps[i].contact) && sinks_on(world, &overlaps[i]))
			bits_clear(&world->plunged_contacts, overlaps[i].contact);
}

/* Decides which pairs with deep contacts are separated. Returns whether any is. */
static bool pairs_decide(struct world *world)
{
	const struct depenetration *depenetration = &world->depenetration;
	struct overlap *next = depenetration->overlaps.data, *end = next + depenetration->overlaps.count;
	bool any = false;
	while (next < end) {
		struct pair pair = {
			.world = world,
			.bodies = {depenetration->shifts.data[next->shifts[0]].body, next->other},
			.overlaps = next,
		};
		bool deep = false;
		for (; next < end && is_same_pair(next, pair.overlaps); ++next, ++pair.count) {
			deep |= bits_has(&world->deep_contacts, next->contact);
			depenetration_prefetch(world, next, (uint32_t)(end - next));
		}
		if (!deep)
			continue;
		pair_sort(&pair);
		pair_sound(world, &pair);
		any |= pair_decide(world, &pair);
	}
	return any;
}

/* Whether the overlap, of a pair that is not separated, limits the motion of bodies that are moved apart from others. */
static bool is_limit(const struct depenetration *depenetration, const struct overlap *overlap)
{
	const struct shift *shifts = depenetration->shifts.data;
	return overlap->role == OVERLAP_LIMIT && shifts[overlap->shifts[0]].moved &&
		(overlap->shifts[1] == NONE || shifts[overlap->shifts[1]].moved);
}

/* Keeps the overlaps of separated pairs, and limits. */
static void overlaps_keep(struct depenetration *depenetration)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < depenetration->overlaps.count; ++i) {
		const struct overlap *overlap = &depenetration->overlaps.data[i];
		if (overlap->role == OVERLAP_SEPARATED || is_limit(depenetration, overlap))
			depenetration->overlaps.data[kept++] = *overlap;
	}
	depenetration->overlaps.count = kept;
}

/* --- Lack of room --------------------------------------------------------------------------------------------------------- */

static struct headway *headway_of(struct world *world, const struct shift *shift)
{
	record_touch(world, TOUCHED_ISLANDS, world->bodies.data[shift->body].island.id);
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
		contact_set_flags(world, id, link->flags | CONTACT_SETTLED);
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
	depenetration->overlaps.count = depenetration->keys.count; /* the room that the last step needed */
	array_empty(world->memory, &depenetration->overlaps);
	array_empty(world->memory, &depenetration->keys);
	bits_clear_all(&world->parted_contacts);
	if (bits_next(&world->deep_contacts, 0) == NONE)
		return true;
	bodies_mark(world);
	if (bits_next(&world->shifted_bodies, 0) == NONE)
		return true;
	bool done = bodies_list(world) && overlaps_gather(world) && overlaps_sort(world);
	if (done && pairs_decide(world))
		overlaps_keep(depenetration);
	else
		depenetration->shifts.count = depenetration->overlaps.count = 0;
	headways_update(world);
	return done;
}

/* --- Sleep ---------------------------------------------------------------------------------------------------------------- */

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
		if (world->wing->contact_overlap(world, key / 2, link->bodies, normal) < -limit && !stands(world, normal)) {
			contact_set_flags(world, key / 2, link->flags | CONTACT_SETTLED);
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
		world->travels.data[body].rest_time = 0.0f;
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
