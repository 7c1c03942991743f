/* pairs.c - see pairs.h. Floor: core. */
#include "core/pairs.h"
#include "base/sort.h"
#include "core/contact.h"
#include "core/joint.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Proxies a block: far above the cost of handing out a block. */
enum { PAIR_GRAIN = 64, SWEEP_GRAIN = 256, SWEEP_LANES = 8 };

struct pair {
	uint32_t a, b;
};

/* What one block of moved proxies found: a stretch of its worker's list. */
struct pair_block {
	uint32_t worker, start, count;
};

/* Pairs whose boxes overlap wait for the memory that tells whether they have a contact already, as nearly all of them have. */
enum { CANDIDATES = 16 };

struct pair_worker {
	ARRAY(struct pair) found;
	struct pair candidates[CANDIDATES];
	uint32_t candidate_count;
	bool failed; /* out of memory */
};

/* What is swept: see sweep_block. */
struct crowd {
	uint32_t count;
	int axis; /* of greatest variance */
	ARRAY(float) lower[3], upper[3]; /* [0] on the axis */
	ARRAY(uint32_t) ids, gathered; /* proxies, sorted and before */
	ARRAY(uint32_t) moved; /* where those stand that moved, ascending */
	ARRAY(int32_t) kinds;
	ARRAY(uint64_t) keys; /* and room to sort them */
};

struct pair_search {
	int workers;
	ARRAY(struct pair_block) blocks;
	struct crowd crowd;
	uint32_t sweep_first; /* number of the sweep's first block */
	struct pair_worker worker[];
};

/* --- Moved proxies ----------------------------------------------------------------------------------------------------- */

void proxy_moved(struct world *world, uint32_t id)
{
	struct proxy *proxy = &world->proxies.data[id];
	if (proxy->moved_index != NONE)
		return;
	proxy->moved_index = world->moved_proxies.count;
	array_push(&world->moved_proxies, id); /* room for all: proxies_reserve */
}

void proxy_forget_move(struct world *world, uint32_t id)
{
	uint32_t index = world->proxies.data[id].moved_index;
	if (index == NONE)
		return;
	array_swap_remove(&world->moved_proxies, index);
	if (index < world->moved_proxies.count)
		world->proxies.data[world->moved_proxies.data[index]].moved_index = index;
	world->proxies.data[id].moved_index = NONE;
}

void pairs_refit(struct world *world)
{
	const struct bits *enlarged = &world->enlarged_proxies;
	for (uint32_t id = bits_next(enlarged, 0); id != NONE; id = bits_next(enlarged, id + 1)) {
		const struct proxy *proxy = &world->proxies.data[id];
		if (proxy->drifting)
			bits_set(&world->stale, id);
		else if (!proxy->unbounded)
			tree_move(&world->trees[0], proxy->leaf, &proxy->box);
		proxy_moved(world, id);
	}
	bits_clear_all(&world->enlarged_proxies);
}

void trees_settle(struct world *world)
{
	for (uint32_t id = bits_next(&world->stale, 0); id != NONE; id = bits_next(&world->stale, id + 1)) {
		struct proxy *proxy = &world->proxies.data[id];
		if (proxy->leaf == NONE)
			proxy->leaf = tree_insert(&world->trees[1], &proxy->box, id);
		else
			tree_move(&world->trees[1], proxy->leaf, &proxy->box);
	}
	bits_clear_all(&world->stale);
}

/* --- Search ------------------------------------------------------------------------------------------------------------ */

bool pair_allowed(const struct world *world, const struct collider *a, const struct collider *b)
{
	const struct body *body_a = &world->bodies.data[a->body], *body_b = &world->bodies.data[b->body];
	if (a->body == b->body || (a->sensor && b->sensor))
		return false;
	bool sensor = a->sensor || b->sensor;
	enum body_type least = sensor ? BODY_KINEMATIC : BODY_DYNAMIC;
	if (body_a->type < least && body_b->type < least)
		return false;
	if (a->group == b->group && a->group != 0) {
		if (a->group < 0)
			return false;
	} else if ((world->layer_masks[a->layer] >> b->layer & 1) == 0) {
		return false;
	}
	return world->wing->shapes_collide(a->shape, b->shape) && !joint_forbids(world, a->body, b->body);
}

struct search {
	struct world *world;
	struct pair_worker *worker;
	uint32_t proxy; /* that moved */
	bool both; /* what else moved finds this one, too: the one with the smaller id speaks */
};

static void candidate_check(struct world *world, struct pair_worker *worker, uint32_t a_id, uint32_t b_id)
{
	const struct proxy *a = &world->proxies.data[a_id], *b = &world->proxies.data[b_id];
	if (pairset_has(&world->pairs, a_id, b_id) ||
		!pair_allowed(world, &world->colliders.data[a->collider], &world->colliders.data[b->collider]))
		return;
	if (!array_reserve(world->memory, &worker->found, worker->found.count + 1)) {
		worker->failed = true;
		return;
	}
	/* In the order of the colliders, so that all parts of two colliders agree on who is a and who is b. */
	if (a->collider < b->collider)
		array_push(&worker->found, (struct pair){a_id, b_id});
	else
		array_push(&worker->found, (struct pair){b_id, a_id});
}

static void candidates_check(struct world *world, struct pair_worker *worker)
{
	for (uint32_t i = 0; i < worker->candidate_count; ++i)
		candidate_check(world, worker, worker->candidates[i].a, worker->candidates[i].b);
	worker->candidate_count = 0;
}

static void boxes_overlap(struct world *world, struct pair_worker *worker, uint32_t a, uint32_t b)
{
	pairset_prefetch(&world->pairs, a, b);
	worker->candidates[worker->candidate_count++] = (struct pair){a, b};
	if (worker->candidate_count == CANDIDATES)
		candidates_check(world, worker);
}

static void search_candidate(struct search *search, uint32_t other)
{
	if (!search->both || search->world->proxies.data[other].moved_index == NONE || other > search->proxy)
		boxes_overlap(search->world, search->worker, search->proxy, other);
}

static bool visit_bounded(void *context, uint32_t leaf, uint32_t value)
{
	(void)leaf;
	search_candidate(context, value);
	return true;
}

static bool visit_against_unbounded(void *context, uint32_t leaf, uint32_t value)
{
	(void)leaf;
	struct search *search = context;
	if (search->world->wing->proxy_meets_box(search->world, search->proxy, &search->world->proxies.data[value].box))
		search_candidate(search, value);
	return true;
}

static void search_unbounded(struct search *search)
{
	struct world *world = search->world;
	const struct box everywhere = {{-FLT_MAX, -FLT_MAX, -FLT_MAX, 0}, {FLT_MAX, FLT_MAX, FLT_MAX, 0}};
	search->both = true;
	tree_query(&world->trees[0], &everywhere, visit_against_unbounded, search);
	for (uint32_t id = bits_next(&world->drifting, 0); id != NONE; id = bits_next(&world->drifting, id + 1))
		visit_against_unbounded(search, NONE, id);
}

/* Against what stands still or goes its own way, and the unbounded; those of dynamic bodies that are awake are swept. */
static void search_proxy(struct search *search)
{
	struct world *world = search->world;
	const struct proxy *proxy = &world->proxies.data[search->proxy];
	if (proxy->unbounded) {
		search_unbounded(search);
		return;
	}
	search->both = !proxy->drifting;
	tree_query(&world->trees[0], &proxy->box, visit_bounded, search);
	search->both = true;
	for (uint32_t i = 0; i < world->unbounded.count; ++i)
		if (world->wing->proxy_meets_box(world, world->unbounded.data[i], &proxy->box))
			search_candidate(search, world->unbounded.data[i]);
}

/* Blocks are numbered: first those of moved proxies, then those of the sweep. */
static struct pair_block *block_begin(struct world *world, uint32_t number, int worker)
{
	struct pair_block *block = &world->pair_search->blocks.data[number];
	*block = (struct pair_block){.worker = (uint32_t)worker, .start = world->pair_search->worker[worker].found.count};
	return block;
}

static void block_end(struct world *world, struct pair_block *block)
{
	struct pair_worker *worker = &world->pair_search->worker[block->worker];
	candidates_check(world, worker);
	block->count = worker->found.count - block->start;
}

static void search_block(void *context, uint32_t begin, uint32_t end, int worker_index)
{
	struct world *world = context;
	struct pair_worker *worker = &world->pair_search->worker[worker_index];
	struct pair_block *block = block_begin(world, begin / PAIR_GRAIN, worker_index);
	for (uint32_t i = begin; i < end; ++i)
		search_proxy(&(struct search){world, worker, world->moved_proxies.data[i], false});
	block_end(world, block);
}

/* --- Sweep ------------------------------------------------------------------------------------------------------------- */

/* Who is in the sweep. What moved and is of the first tree has met what moved and drifts from its side already, in search_proxy. */
enum { DRIFTING_MOVED = 1, DRIFTING = 2, ANCHORED_MOVED = 4 };

static int32_t entry_kind(const struct proxy *proxy)
{
	return !proxy->drifting ? ANCHORED_MOVED : proxy->moved_index != NONE ? DRIFTING_MOVED : DRIFTING;
}

static const int32_t partners[] = {
	[DRIFTING_MOVED] = DRIFTING_MOVED | DRIFTING,
	[ANCHORED_MOVED] = DRIFTING,
};

typedef float sweep_lanes __attribute__((vector_size(4 * SWEEP_LANES)));
typedef int32_t sweep_masks __attribute__((vector_size(4 * SWEEP_LANES)));

/* Room for so many entries, and lanes beyond the last. */
static bool crowd_reserve(struct world *world, struct crowd *crowd, uint32_t count)
{
	uint32_t room = (count + 2 * SWEEP_LANES) / SWEEP_LANES * SWEEP_LANES;
	for (int i = 0; i < 3; ++i)
		if (!array_reserve(world->memory, &crowd->lower[i], room) || !array_reserve(world->memory, &crowd->upper[i], room))
			return false;
	return array_reserve(world->memory, &crowd->moved, room) && array_reserve(world->memory, &crowd->ids, room) && array_reserve(world->memory, &crowd->kinds, room) &&
		   array_reserve(world->memory, &crowd->keys, 2 * room) && array_reserve(world->memory, &crowd->gathered, room);
}

static void crowd_free(struct world *world, struct crowd *crowd)
{
	for (int i = 0; i < 3; ++i) {
		array_free(world->memory, &crowd->lower[i]);
		array_free(world->memory, &crowd->upper[i]);
	}
	array_free(world->memory, &crowd->ids);
	array_free(world->memory, &crowd->gathered);
	array_free(world->memory, &crowd->moved);
	array_free(world->memory, &crowd->kinds);
	array_free(world->memory, &crowd->keys);
}

/* All that drift, and what else moved, in the order of their ids; on which axis their centres vary most. */
static void crowd_gather(struct world *world, struct crowd *crowd)
{
	double sum[3] = {0, 0, 0}, squares[3] = {0, 0, 0};
	crowd->gathered.count = 0;
	for (uint32_t id = bits_next(&world->drifting, 0); id != NONE; id = bits_next(&world->drifting, id + 1))
		array_push(&crowd->gathered, id);
	uint32_t drifting = crowd->gathered.count;
	for (uint32_t i = 0; i < world->moved_proxies.count; ++i) {
		const struct proxy *proxy = &world->proxies.data[world->moved_proxies.data[i]];
		if (!proxy->drifting && !proxy->unbounded)
			array_push(&crowd->gathered, world->moved_proxies.data[i]);
	}
	if (drifting == 0)
		return;
	const struct box *first = &world->proxies.data[crowd->gathered.data[0]].box;
	for (uint32_t i = 0; i < drifting; ++i) {
		const struct box *box = &world->proxies.data[crowd->gathered.data[i]].box;
		for (int k = 0; k < 3; ++k) {
			double center = (double)(box->lower[k] - first->lower[k]) + (double)(box->upper[k] - first->lower[k]);
			sum[k] += center;
			squares[k] += center * center;
		}
	}
	crowd->axis = 0;
	for (int k = 1; k < 3; ++k)
		if (squares[k] - sum[k] * sum[k] / drifting > squares[crowd->axis] - sum[crowd->axis] * sum[crowd->axis] / drifting)
			crowd->axis = k;
}

/* Sorted by the lower end on the axis; by columns, so that lanes of them can be compared at once. The axis' columns come first. */
static void crowd_sort(struct world *world, struct crowd *crowd)
{
	uint32_t count = crowd->gathered.count, room = crowd->keys.capacity / 2;
	for (uint32_t i = 0; i < count; ++i)
		crowd->keys.data[i] = (uint64_t)sort_key_f(world->proxies.data[crowd->gathered.data[i]].box.lower[crowd->axis]) << 32 | i;
	const uint64_t *keys = sort_keys(crowd->keys.data, crowd->keys.data + room, count);
	crowd->moved.count = 0;
	for (uint32_t i = 0; i < count; ++i) {
		uint32_t id = crowd->gathered.data[(uint32_t)keys[i]];
		const struct proxy *proxy = &world->proxies.data[id];
		crowd->ids.data[i] = id;
		crowd->kinds.data[i] = entry_kind(proxy);
		if (crowd->kinds.data[i] != DRIFTING)
			array_push(&crowd->moved, i);
		for (int k = 0; k < 3; ++k) {
			crowd->lower[k].data[i] = proxy->box.lower[(crowd->axis + k) % 3];
			crowd->upper[k].data[i] = proxy->box.upper[(crowd->axis + k) % 3];
		}
	}
	for (uint32_t i = count; i < count + SWEEP_LANES; ++i) {
		crowd->lower[0].data[i] = INFINITY;
		crowd->kinds.data[i] = 0;
		for (int k = 0; k < 3; ++k)
			crowd->upper[k].data[i] = -INFINITY;
		for (int k = 1; k < 3; ++k)
			crowd->lower[k].data[i] = INFINITY;
	}
	crowd->count = count;
}

#define LOAD(type, column, at) (*(const type *)memcpy(&(type){0}, (column) + (at), sizeof(type)))

/* Entry i, which did not move, against those behind it that did, from the place `next` in their list on. In a world that is all but calm these are
** few. */
static void sweep_calm_entry(struct world *world, struct pair_worker *worker, const struct crowd *crowd, uint32_t i, uint32_t next)
{
	float end = crowd->upper[0].data[i], lower1 = crowd->lower[1].data[i], upper1 = crowd->upper[1].data[i];
	float lower2 = crowd->lower[2].data[i], upper2 = crowd->upper[2].data[i];
	for (; next < crowd->moved.count; ++next) {
		uint32_t j = crowd->moved.data[next];
		if (crowd->lower[0].data[j] > end)
			return;
		if (crowd->lower[1].data[j] <= upper1 && crowd->upper[1].data[j] >= lower1 && crowd->lower[2].data[j] <= upper2 &&
			crowd->upper[2].data[j] >= lower2)
			boxes_overlap(world, worker, crowd->ids.data[i], crowd->ids.data[j]);
	}
}

/* Entry i, which moved, against those behind it that begin before it ends. */
static void sweep_entry_pairs(struct world *world, struct pair_worker *worker, const struct crowd *crowd, uint32_t i)
{
	float end = crowd->upper[0].data[i];
	sweep_masks wanted = partners[crowd->kinds.data[i]] - (sweep_masks){0};
	sweep_lanes lower1 = crowd->lower[1].data[i] - (sweep_lanes){0}, upper1 = crowd->upper[1].data[i] - (sweep_lanes){0};
	sweep_lanes lower2 = crowd->lower[2].data[i] - (sweep_lanes){0}, upper2 = crowd->upper[2].data[i] - (sweep_lanes){0};
	for (uint32_t j = i + 1; crowd->lower[0].data[j] <= end; j += SWEEP_LANES) {
		sweep_masks meets = LOAD(sweep_lanes, crowd->lower[0].data, j) <= end - (sweep_lanes){0};
		meets &= (LOAD(sweep_lanes, crowd->lower[1].data, j) <= upper1) & (LOAD(sweep_lanes, crowd->upper[1].data, j) >= lower1);
		meets &= (LOAD(sweep_lanes, crowd->lower[2].data, j) <= upper2) & (LOAD(sweep_lanes, crowd->upper[2].data, j) >= lower2);
		meets &= (LOAD(sweep_masks, crowd->kinds.data, j) & wanted) != 0;
		uint64_t any[SWEEP_LANES / 2];
		memcpy(any, &meets, sizeof any);
		for (uint32_t pair = 0; pair < SWEEP_LANES / 2; ++pair) {
			if (any[pair] == 0)
				continue;
			for (uint32_t lane = 2 * pair; lane < 2 * pair + 2; ++lane)
				if (meets[lane])
					boxes_overlap(world, worker, crowd->ids.data[i], crowd->ids.data[j + lane]);
		}
	}
}

/* The first of the moved entries that stands at `place` or behind it. */
static uint32_t moved_after(const struct crowd *crowd, uint32_t place)
{
	uint32_t low = 0, high = crowd->moved.count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (crowd->moved.data[middle] < place)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void sweep_block(void *context, uint32_t begin, uint32_t end, int worker_index)
{
	struct world *world = context;
	struct pair_search *search = world->pair_search;
	struct pair_worker *worker = &search->worker[worker_index];
	struct pair_block *block = block_begin(world, search->sweep_first + begin / SWEEP_GRAIN, worker_index);
	const struct crowd *crowd = &search->crowd;
	uint32_t next = moved_after(crowd, begin);
	for (uint32_t i = begin; i < end; ++i) {
		while (next < crowd->moved.count && crowd->moved.data[next] <= i)
			++next;
		if (crowd->kinds.data[i] == DRIFTING)
			sweep_calm_entry(world, worker, crowd, i, next);
		else
			sweep_entry_pairs(world, worker, crowd, i);
	}
	block_end(world, block);
}

/* --- Commit ------------------------------------------------------------------------------------------------------------ */

static void commit_pair(struct world *world, struct pair pair)
{
	uint32_t a = world->proxies.data[pair.a].collider, b = world->proxies.data[pair.b].collider;
	if (world->filter == NULL || world->filter(world->filter_context, a, b))
		contact_create(world, pair.a, pair.b);
}

bool pairs_update(struct world *world)
{
	struct pair_search *search = world->pair_search;
	uint32_t moved = world->moved_proxies.count, crowd = moved > 0 ? bits_count(&world->drifting) + moved : 0, total = 0;
	uint32_t first = (moved + PAIR_GRAIN - 1) / PAIR_GRAIN, blocks = first + (crowd + SWEEP_GRAIN - 1) / SWEEP_GRAIN;
	if (!array_reserve(world->memory, &search->blocks, blocks) || !crowd_reserve(world, &search->crowd, crowd))
		return false;
	search->sweep_first = first;
	for (int i = 0; i < search->workers; ++i) {
		search->worker[i].found.count = 0;
		search->worker[i].failed = false;
	}
	search->crowd.count = 0;
	if (moved > 0) {
		crowd_gather(world, &search->crowd);
		crowd_sort(world, &search->crowd);
	}
	blocks = first + (search->crowd.count + SWEEP_GRAIN - 1) / SWEEP_GRAIN;
	jobs_for(world->jobs, moved, PAIR_GRAIN, search_block, world);
	jobs_for(world->jobs, search->crowd.count, SWEEP_GRAIN, sweep_block, world);
	for (int i = 0; i < search->workers; ++i) {
		total += search->worker[i].found.count;
		if (search->worker[i].failed)
			return false;
	}
	if (!contacts_reserve(world, total))
		return false;
	for (uint32_t i = 0; i < blocks; ++i) {
		const struct pair_block *block = &search->blocks.data[i];
		for (uint32_t k = 0; k < block->count; ++k)
			commit_pair(world, search->worker[block->worker].found.data[block->start + k]);
	}
	for (uint32_t i = 0; i < moved; ++i)
		world->proxies.data[world->moved_proxies.data[i]].moved_index = NONE;
	world->moved_proxies.count = 0;
	return true;
}

/* --- Buffers ----------------------------------------------------------------------------------------------------------- */

static size_t search_size(int workers)
{
	return sizeof(struct pair_search) + (size_t)workers * sizeof(struct pair_worker);
}

bool pair_search_create(struct world *world)
{
	int workers = jobs_worker_count(world->jobs);
	struct pair_search *search = memory_zeroed(world->memory, search_size(workers));
	if (search == NULL)
		return false;
	search->workers = workers;
	world->pair_search = search;
	return true;
}

void pair_search_destroy(struct world *world)
{
	struct pair_search *search = world->pair_search;
	if (search == NULL)
		return;
	for (int i = 0; i < search->workers; ++i)
		array_free(world->memory, &search->worker[i].found);
	array_free(world->memory, &search->blocks);
	crowd_free(world, &search->crowd);
	memory_resize(world->memory, search, search_size(search->workers), 0);
	world->pair_search = NULL;
}
