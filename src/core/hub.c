/* hub.c - see hub.h. */
#include "core/hub.h"
#include "core/sleep.h"

#include <string.h>

enum {
	/* least number of contacts in a hub's batch: few contacts are solved as fast one by one, which converges faster */
	HUB_LEAST = 64,
	HUB_CHUNK = 512, /* most contacts of a chunk: more make the shares heavier, fewer occupy more workers */
	SHARES = 8, /* of each chunk: the most lanes */
	/* Least mass of a share, as a multiple of the other bodies' mean mass. With 8, and chunks of 256 contacts, a thousand
	 * towers that landed at once on a light ship threw crates up by 1.5 m; with 32 they land as if they were solved one by
	 * one. */
	SHARE_MASS = 32,
};

static uint32_t chunks_of(uint32_t count)
{
	return (count + HUB_CHUNK - 1) / HUB_CHUNK;
}

static uint32_t overflow_count(const struct world *world)
{
	return world->colours[OVERFLOW].links[0].count;
}

uint32_t hub_batches_most(const struct world *world)
{
	return overflow_count(world) / HUB_LEAST;
}

bool hubs_reserve(struct world *world)
{
	struct memory *memory = world->memory;
	uint32_t shares = SHARES * (chunks_of(overflow_count(world)) + hub_batches_most(world));
	world->partition.shares.count = 0;
	if (hub_batches_most(world) == 0)
		return true;
	return array_reserve(memory, &world->partition.shares, shares) &&
		array_reserve(memory, &world->partition.hub_tallies, world->bodies.count) &&
		states_reserve(world, world->awake.count + shares + 1) &&
		array_grow(
			memory, (void **)&world->step_rows, &world->step_row_capacity, world->wing->step_size, world->awake.count + shares);
}

/* Counts the contacts of each dynamic body. */
static void tallies_count(struct world *world, uint32_t first, uint32_t end)
{
	struct hub_tally *tallies = world->partition.hub_tallies.data;
	memset(tallies, 0, world->bodies.count * sizeof *tallies);
	for (uint32_t i = first; i < end; ++i) {
		const struct batch_link *link = &world->partition.links.data[i];
		for (int side = 0; side < 2; ++side) {
			tallies[link->bodies[side]].contacts += (link->states[side] & READ_ONLY) == 0;
			tallies[link->bodies[side]].load += body_weight(world, link->bodies[1 - side]);
		}
	}
}

/* Whether the hub's shares are heavy enough. */
static bool hub_heavy(const struct world *world, uint32_t hub)
{
	const struct hub_tally *tally = &world->partition.hub_tallies.data[hub];
	float shares = (float)(SHARES * chunks_of(tally->contacts));
	return body_weight(world, hub) * (float)tally->contacts >= (float)SHARE_MASS * shares * tally->load;
}

/* The side of the contact's only hub; 2: it has none, or two. */
static int hub_side(const struct world *world, const struct batch_link *link)
{
	const struct hub_tally *tallies = world->partition.hub_tallies.data;
	bool a = tallies[link->bodies[0]].contacts >= HUB_LEAST, b = tallies[link->bodies[1]].contacts >= HUB_LEAST;
	return a == b ? 2 : b;
}

/* Moves to `first` contacts of the hub in [first, end): one for each other dynamic body, and all with others, which only read
 * their states. Returns their number. */
static uint32_t contacts_select(struct world *world, uint32_t hub, uint32_t first, uint32_t end, uint32_t pass)
{
	struct batch_link *links = world->partition.links.data;
	uint32_t count = 0;
	for (uint32_t i = first; i < end; ++i) {
		int side = hub_side(world, &links[i]);
		if (side == 2 || links[i].bodies[side] != hub)
			continue;
		uint32_t *taken = &world->partition.hub_tallies.data[links[i].bodies[1 - side]].pass;
		if (*taken == pass && (links[i].states[1 - side] & READ_ONLY) == 0)
			continue;
		*taken = pass;
		struct batch_link link = links[i];
		links[i] = links[first + count];
		links[first + count++] = link;
	}
	return count;
}

/* Makes a batch of the hub's contacts [first, first + count). */
static void hub_batch(struct world *world, uint32_t hub, uint32_t first, uint32_t count)
{
	struct partition *partition = &world->partition;
	const struct link_solver *solver = world->wing->solvers[0][world->lanes];
	uint32_t chunks = chunks_of(count), shares = SHARES * chunks, base = world->awake.count + 1 + partition->shares.count;
	uint32_t chunk = (count + shares - 1) / shares * SHARES;
	for (uint32_t i = 0; i < shares; ++i)
		array_push(&partition->shares, (float)shares);
	array_push(&partition->batches,
		(struct batch){
			.solver = solver,
			.record_size = solver->record_size,
			.first = first,
			.count = count,
			.grain = chunk / solver->lanes,
			.hub = world->bodies.data[hub].row + 1,
			.shares = shares,
			.share = base,
		});
	for (uint32_t i = 0; i < count; ++i) {
		struct batch_link *link = &partition->links.data[first + i];
		link->states[link->bodies[1] == hub] = base + i / chunk * SHARES + i % SHARES;
	}
}

uint32_t hubs_divide(struct world *world, uint32_t first, uint32_t end)
{
	if (end - first < HUB_LEAST)
		return first;
	tallies_count(world, first, end);
	struct hub_tally *tallies = world->partition.hub_tallies.data;
	uint32_t pass = 0;
	for (uint32_t i = first; i < end; i = i < first ? first : i + 1) {
		int side = hub_side(world, &world->partition.links.data[i]);
		if (side == 2)
			continue;
		uint32_t hub = world->partition.links.data[i].bodies[side];
		uint32_t count = hub_heavy(world, hub) ? contacts_select(world, hub, first, end, ++pass) : 0;
		uint32_t left = count >= HUB_LEAST ? tallies[hub].contacts - count : 0; /* 0: it is no hub */
		tallies[hub].load *= (float)left / (float)tallies[hub].contacts;
		tallies[hub].contacts = left;
		if (count >= HUB_LEAST) {
			hub_batch(world, hub, first, count);
			first += count;
		}
	}
	return first;
}

/* --- Passes --------------------------------------------------------------------------------------------------------------- */

void hub_spread(struct world *world, const struct batch *batch)
{
	size_t state = world->wing->state_size, step = world->wing->step_size;
	for (uint32_t i = batch->share; i < batch->share + batch->shares; ++i) {
		memcpy(world->states + i * state, world->states + batch->hub * state, state);
		memcpy(world->step_rows + (i - 1) * step, world->step_rows + (batch->hub - 1) * step, step);
	}
}

void hub_collect(struct world *world, const struct batch *batch)
{
	enum { MOST = 6 };
	int axes = world->wing->dimensions, numbers = axes * (axes + 1) / 2; /* linear and angular velocity */
	size_t size = world->wing->state_size;
	float *hub = (float *)(world->states + batch->hub * size), changes[MOST] = {0};
	for (uint32_t i = batch->share; i < batch->share + batch->shares; ++i)
		for (int k = 0; k < numbers; ++k)
			changes[k] += ((const float *)(world->states + i * size))[k] - hub[k];
	for (int k = 0; k < numbers; ++k)
		hub[k] += changes[k] / (float)batch->shares;
}
