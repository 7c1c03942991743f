/* partition.c - see partition.h. */
#include "core/partition.h"
#include "base/cache.h"
#include "core/hub.h"
#include "core/joint_tree.h"
#include "core/link.h"
#include "core/touched.h"

#include <assert.h>
#include <string.h>

enum {
	/* maximum of bodies plus links of a block: some 400 kB with their records, a fraction of a level 2 cache; lanes are fuller
	 * than in smaller blocks */
	BLOCK_WEIGHT = 2048,
	RECORD_GRAIN = 16, /* see batch.grain */
};

/* --- Islands -------------------------------------------------------------------------------------------------------------- */

static uint32_t island_weight(const struct island *island)
{
	return island->bodies.count + island->links[LINK_CONTACT].count + island->links[LINK_JOINT].count;
}

/* Assigns the islands linked to kinematic bodies to the last block, for which NONE stands. Constraints read a kinematic body's
 * state in every sub-step, so they are solved in the block that integrates it. */
static void islands_of_kinematic_bodies(struct world *world)
{
	for (uint32_t row = 0; row < world->awake.count; ++row) {
		const struct body *body = &world->bodies.data[world->awake.data[row]];
		for (enum link_kind kind = 0; kind < LINK_KINDS && body->type == BODY_KINEMATIC; ++kind)
			for (uint32_t key = body->links[kind]; key != NONE; key = link_next(world, kind, key)) {
				uint32_t island = world->bodies.data[link_other_body(world, kind, key)].island.id;
				if (link_at(world, kind, key / 2)->colour != NO_COLOUR && island != NONE)
					world->partition.island_blocks.data[island] = NONE;
			}
	}
}

/* Lists the islands of the awake bodies in partition.order, so that the bodies are visited only once. Returns whether some body
 * is kinematic. */
static bool islands_list(struct world *world)
{
	bool kinematic = false;
	for (uint32_t row = 0; row < world->awake.count; ++row) {
		const struct body *body = &world->bodies.data[world->awake.data[row]];
		world->partition.order.data[row] = body->island.id;
		kinematic |= body->type == BODY_KINEMATIC;
	}
	return kinematic;
}

/* Assigns a block to each awake island; partition.order then lists the blocks of the awake bodies. Each block takes as many
 * islands as fit, in the order of their first bodies in the awake set. Returns the number of blocks, including the last one. */
static uint32_t islands_pack(struct world *world, bool kinematic)
{
	enum { NO_BLOCK_YET = NONE - 1 };
	uint32_t block = 0, weight = 0, *blocks = world->partition.island_blocks.data, *order = world->partition.order.data;
	for (uint32_t row = 0; row < world->awake.count; ++row)
		if (order[row] != NONE) {
			blocks[order[row]] = NO_BLOCK_YET;
			cache_prefetch(&world->islands.data[order[row]], offsetof(struct island, headway));
		}
	if (kinematic)
		islands_of_kinematic_bodies(world);
	for (uint32_t row = 0; row < world->awake.count; ++row) {
		if (order[row] == NONE || blocks[order[row]] != NO_BLOCK_YET)
			continue;
		uint32_t more = island_weight(&world->islands.data[order[row]]);
		if (more > BLOCK_WEIGHT) {
			blocks[order[row]] = NONE;
			continue;
		}
		if (weight + more > BLOCK_WEIGHT) {
			++block;
			weight = 0;
		}
		weight += more;
		blocks[order[row]] = block;
	}
	uint32_t last = weight > 0 ? block + 1 : block;
	for (uint32_t row = 0; row < world->awake.count; ++row) {
		if (order[row] != NONE && blocks[order[row]] == NONE)
			blocks[order[row]] = last;
		order[row] = order[row] != NONE ? blocks[order[row]] : last;
	}
	return last + 1;
}

static uint32_t body_block(const struct world *world, uint32_t id)
{
	uint32_t island = world->bodies.data[id].island.id;
	return island != NONE ? world->partition.island_blocks.data[island] : world->partition.blocks.count - 1;
}

/* --- Bodies --------------------------------------------------------------------------------------------------------------- */

static void row_put(struct world *world, uint32_t to, uint32_t id, const unsigned char *state)
{
	size_t size = world->wing->state_size;
	world->awake.data[to] = id;
	record_touch(world, TOUCHED_BODIES, id);
	world->bodies.data[id].row = to;
	memcpy(world->states + (to + 1) * size, state, size);
}

/* Moves the awake bodies of one cycle of the permutation partition.order, which contains index `start`. State 0 is unused until
 * a step is solved, and holds the first state meanwhile. */
static void cycle_move(struct world *world, uint32_t start)
{
	uint32_t *order = world->partition.order.data, first = world->awake.data[start], hole = start;
	size_t size = world->wing->state_size;
	memcpy(world->states, world->states + (start + 1) * size, size);
	for (uint32_t from = order[hole]; from != start; from = order[hole]) {
		row_put(world, hole, world->awake.data[from], world->states + (from + 1) * size);
		order[hole] = hole;
		hole = from;
	}
	row_put(world, hole, first, world->states);
	order[hole] = hole;
}

/* Sorts the awake bodies by block, stably. */
static void bodies_sort(struct world *world)
{
	struct partition *partition = &world->partition;
	struct block *blocks = partition->blocks.data;
	bool sorted = true;
	for (uint32_t row = 0, first, before = 0; row < world->awake.count; blocks[before].body_end += row - first) {
		sorted = sorted && partition->order.data[row] >= before;
		before = partition->order.data[row];
		first = row;
		while (row < world->awake.count && partition->order.data[row] == before)
			++row;
	}
	for (uint32_t i = 0, end = 0; i < partition->blocks.count; ++i) {
		blocks[i].body_begin = end;
		end += blocks[i].body_end;
		blocks[i].body_end = sorted ? end : blocks[i].body_begin;
	}
	if (sorted)
		return;
	for (uint32_t row = 0; row < world->awake.count; ++row)
		partition->order.data[blocks[body_block(world, world->awake.data[row])].body_end++] = row;
	for (uint32_t row = 0; row < world->awake.count; ++row)
		if (partition->order.data[row] != row)
			cycle_move(world, row);
}

/* --- Links ---------------------------------------------------------------------------------------------------------------- */

/* A list of the graph: the links of one colour and solver. */
struct list {
	uint8_t colour, solver;
};

/* The lists of the graph that are not empty, in the order of solving: the overflow and the colours for all links, then the
 * colours for links to non-dynamic bodies, which thus yield least. In both groups joints come before contacts, so that contacts
 * correct the errors that joints cause. (All joints before all contacts left the hinge of the spinner's bar open by a sixth
 * more.) */
struct lists {
	uint32_t count;
	uint32_t links, joints; /* links in all of them; joints among these */
	uint32_t moving_joints; /* number of the lists before the first contacts */
	struct list at[(COLOURS + 1) * SOLVERS];
};

/* Adds the lists of the solvers [solver, end) in these colours, the overflow first. */
static void lists_add(const struct world *world, struct lists *lists, uint32_t colours, int solver, int end)
{
	while (colours != 0) {
		int colour = colours >> OVERFLOW != 0 ? OVERFLOW : __builtin_ctz(colours);
		colours &= ~(UINT32_C(1) << colour);
		for (int i = solver; i < end; ++i) {
			uint32_t count = world->colours[colour].links[i].count;
			lists->links += count;
			lists->joints += i != 0 ? count : 0;
			if (count > 0)
				lists->at[lists->count++] = (struct list){(uint8_t)colour, (uint8_t)i};
		}
	}
}

static void lists_find(const struct world *world, struct lists *lists)
{
	const uint32_t moving = ((UINT32_C(1) << MOVING_COLOURS) - 1) | UINT32_C(1) << OVERFLOW;
	uint32_t contacts = world->used_colours[0], joints = 0;
	for (int i = 1; i < SOLVERS; ++i)
		joints |= world->used_colours[i];
	lists->count = lists->links = lists->joints = 0;
	lists_add(world, lists, joints & moving, 1, SOLVERS);
	lists->moving_joints = lists->count;
	lists_add(world, lists, contacts & moving, 0, 1);
	lists_add(world, lists, joints & ~moving, 1, SOLVERS);
	lists_add(world, lists, contacts & ~moving, 0, 1);
}

static uint32_t link_block(const struct world *world, const struct coloured_link *link)
{
	return body_block(world, link->bodies[world->bodies.data[link->bodies[0]].type != BODY_DYNAMIC]);
}

static void body_states_fill(struct world *world, bool kinematic)
{
	uint32_t *states = world->partition.body_states.data;
	for (uint32_t row = 0; row < world->awake.count; ++row) {
		uint32_t id = world->awake.data[row];
		states[id] = (row + 1) | (kinematic && world->bodies.data[id].type != BODY_DYNAMIC ? READ_ONLY : 0);
	}
}

static void body_states_clear(struct world *world)
{
	for (uint32_t row = 0; row < world->awake.count; ++row)
		world->partition.body_states.data[world->awake.data[row]] = READ_ONLY;
}

/* Whether the links' blocks are looked up: one block alone has all links but those of trees. */
static bool links_sorted(const struct partition *partition)
{
	return partition->blocks.count > 1 || partition->trees.count > 0;
}

/* Counts the links of each list in each block, and sets their blocks, NONE for joints of trees. */
static void links_count(struct world *world, const struct lists *lists)
{
	struct partition *partition = &world->partition;
	uint32_t *next = partition->link_blocks.data;
	memset(partition->counts.data, 0, partition->blocks.count * lists->count * sizeof *partition->counts.data);
	for (uint32_t index = 0; index < lists->count; ++index) {
		struct list at = lists->at[index];
		uint32_t count = world->colours[at.colour].links[at.solver].count;
		const struct coloured_link *links = world->colours[at.colour].links[at.solver].data;
		if (!links_sorted(partition)) {
			partition->counts.data[index] = count;
			continue;
		}
		for (uint32_t i = 0; i < count; ++i, ++next) {
			bool in_tree = at.solver != 0 && partition->trees.count > 0 && world->joints.data[links[i].id].in_tree;
			*next = in_tree ? NONE : link_block(world, &links[i]);
			if (*next != NONE)
				++partition->counts.data[*next * lists->count + index];
		}
	}
}

/* Fills partition.links, list by list. Each list's count in `counts` becomes the index of its end. */
static void links_fill(struct world *world, const struct lists *lists)
{
	struct partition *partition = &world->partition;
	const uint32_t *block = partition->link_blocks.data, *states = partition->body_states.data;
	bool sorted = links_sorted(partition);
	for (uint32_t i = 0, first = 0; i < partition->blocks.count * lists->count; ++i) {
		uint32_t count = partition->counts.data[i];
		partition->counts.data[i] = first;
		first += count;
	}
	for (uint32_t index = 0; index < lists->count; ++index) {
		struct list at = lists->at[index];
		uint32_t count = world->colours[at.colour].links[at.solver].count, *ends = &partition->counts.data[index];
		const struct coloured_link *links = world->colours[at.colour].links[at.solver].data;
		for (uint32_t i = 0; i < count; ++i) {
			uint32_t at_block = sorted ? *block++ : 0, a = links[i].bodies[0], b = links[i].bodies[1];
			if (at_block == NONE)
				continue;
			uint32_t to = ends[at_block * lists->count]++;
			partition->links.data[to] = (struct batch_link){links[i].id, {a, b}, {states[a], states[b]}};
		}
	}
}

static void batch_make(struct world *world, struct list at, uint32_t first, uint32_t end)
{
	bool overflow = at.colour == OVERFLOW;
	const struct link_solver *solver = world->wing->solvers[at.solver][overflow ? LANES_1 : world->lanes];
	array_push(&world->partition.batches,
		(struct batch){
			.solver = solver,
			.record_size = solver->record_size,
			.first = first,
			.count = end - first,
			.grain = overflow ? end - first : RECORD_GRAIN,
		});
}

/* Makes a batch of each non-empty list of each block, and of each hub's contacts in the overflow. The trees come after the
 * first joints and before the contacts. */
static void batches_make(struct world *world, const struct lists *lists)
{
	struct partition *partition = &world->partition;
	uint32_t first = 0, tree = 0, size = partition->blocks.count * lists->count;
	uint32_t tree_links = size > 0 ? partition->counts.data[size - 1] : 0;
	partition->batches.count = 0;
	for (uint32_t block = 0; block < partition->blocks.count; ++block) {
		partition->blocks.data[block].batch_begin = partition->batches.count;
		for (uint32_t index = 0;; ++index) {
			if (index == lists->moving_joints) {
				uint32_t next = joint_trees_batch(world, block, tree, &tree_links);
				partition->blocks.data[block].has_joints |= next > tree;
				tree = next;
			}
			if (index == lists->count)
				break;
			uint32_t end = partition->counts.data[block * lists->count + index];
			struct list at = lists->at[index];
			partition->blocks.data[block].has_joints |= end > first && at.solver != 0;
			if (at.colour == OVERFLOW && at.solver == 0)
				first = hubs_divide(world, first, end);
			if (end > first)
				batch_make(world, at, first, end);
			first = end;
		}
		partition->blocks.data[block].batch_end = partition->batches.count;
	}
}

/* --- Records -------------------------------------------------------------------------------------------------------------- */

/* Sets the offset of each of the block's batches in the block's records. Returns the size of these records [bytes]. */
static size_t block_records(struct partition *partition, const struct block *block)
{
	size_t size = 0;
	for (uint32_t i = block->batch_begin; i < block->batch_end; ++i) {
		struct batch *batch = &partition->batches.data[i];
		batch->records = size;
		size += batch_records(batch) * batch->record_size;
	}
	return size;
}

/* Reserves memory for the records, unless they fit into RECORDS_ROOM. Each worker solves one block after the other in the same
 * memory, which stays in its cache. */
static bool records_reserve(struct world *world)
{
	struct partition *partition = &world->partition;
	size_t largest = 0;
	for (uint32_t i = 0; i + 1 < partition->blocks.count; ++i) {
		size_t size = block_records(partition, &partition->blocks.data[i]);
		largest = size > largest ? size : largest;
	}
	size_t last = block_records(partition, &partition->blocks.data[partition->blocks.count - 1]);
	size_t size = last + (size_t)jobs_worker_count(world->jobs) * largest;
	if (size > RECORDS_ROOM && size > partition->records_size) {
		size_t grown = size + size / 8; /* growing copies no contents, so that little spare suffices */
		unsigned char *records = memory_resize(world->memory, NULL, 0, grown);
		if (records == NULL)
			return false;
		memory_resize(world->memory, partition->records, partition->records_size, 0);
		partition->records = records;
		partition->records_size = grown;
	}
	partition->records_needed = size;
	partition->last_records_size = last;
	partition->block_records_size = largest;
	return true;
}

/* --- All of it ------------------------------------------------------------------------------------------------------------ */

bool partition_update(struct world *world)
{
	struct partition *partition = &world->partition;
	struct memory *memory = world->memory;
	if (partition->valid)
		return true;
	struct lists lists;
	lists_find(world, &lists);
	if (!array_reserve(memory, &partition->island_blocks, world->islands.count + 1) ||
		!array_reserve(memory, &partition->order, world->awake.count) ||
		!array_reserve(memory, &partition->links, lists.links) ||
		!array_reserve(memory, &partition->link_blocks, lists.links) || !hubs_reserve(world) ||
		!joint_trees_reserve(world, lists.joints))
		return false;
	assert(partition->island_blocks.data != NULL); /* there is room for one at least */
	bool kinematic = islands_list(world);
	uint32_t blocks = islands_pack(world, kinematic), counts = blocks * lists.count;
	joint_trees_find(world);
	uint32_t batches = (lists.links < counts ? lists.links : counts) + hub_batches_most(world) + partition->trees.count;
	if (!array_reserve(memory, &partition->blocks, blocks) || !array_reserve(memory, &partition->counts, counts) ||
		!array_reserve(memory, &partition->batches, batches))
		return false;
	partition->blocks.count = blocks;
	memset(partition->blocks.data, 0, blocks * sizeof *partition->blocks.data);
	for (uint32_t i = 0; i < partition->trees.count; ++i)
		partition->trees.data[i].block = body_block(world, partition->trees.data[i].root);
	joint_trees_sort(world);
	bodies_sort(world);
	body_states_fill(world, kinematic);
	if (lists.links > 0) {
		links_count(world, &lists);
		links_fill(world, &lists);
	}
	batches_make(world, &lists);
	body_states_clear(world);
	partition->valid = records_reserve(world);
	return partition->valid;
}

void partition_free(struct world *world)
{
	struct partition *partition = &world->partition;
	struct memory *memory = world->memory;
	array_free(memory, &partition->blocks);
	array_free(memory, &partition->batches);
	array_free(memory, &partition->links);
	array_free(memory, &partition->island_blocks);
	array_free(memory, &partition->link_blocks);
	array_free(memory, &partition->body_states);
	array_free(memory, &partition->counts);
	array_free(memory, &partition->order);
	array_free(memory, &partition->hub_tallies);
	array_free(memory, &partition->shares);
	array_free(memory, &partition->trees);
	array_free(memory, &partition->tree_joints);
	array_free(memory, &partition->tree_ids);
	array_free(memory, &partition->tree_order);
	array_free(memory, &partition->tree_keys);
	array_free(memory, &partition->reached);
	array_free(memory, &partition->pulls);
	memory_resize(memory, partition->records, partition->records_size, 0);
}
