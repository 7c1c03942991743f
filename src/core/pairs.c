/* pairs.c - see pairs.h. Floor: core. */
#include "core/pairs.h"
#include "core/contact.h"
#include "core/joint.h"

#include <float.h>

enum { PAIR_GRAIN = 64 }; /* proxies a block: some 64 * 300 ns of queries, far above the cost of handing out a block */

struct pair {
	uint32_t a, b;
};

/* What one block of moved proxies found: a stretch of its worker's list. */
struct pair_block {
	uint32_t worker, start, count;
};

struct pair_worker {
	ARRAY(struct pair) found;
	bool failed; /* out of memory */
};

struct pair_search {
	int workers;
	ARRAY(struct pair_block) blocks;
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
		if (!proxy->unbounded)
			tree_move(&world->trees[1], proxy->leaf, &proxy->box);
		proxy_moved(world, id);
	}
	bits_clear_all(&world->enlarged_proxies);
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
};

static void search_candidate(struct search *search, uint32_t other_id)
{
	struct world *world = search->world;
	const struct proxy *proxy = &world->proxies.data[search->proxy], *other = &world->proxies.data[other_id];
	if (other->moved_index != NONE && other_id <= search->proxy)
		return; /* each finds the other; the one with the smaller id speaks */
	if (!pair_allowed(world, &world->colliders.data[proxy->collider], &world->colliders.data[other->collider]) ||
		pairset_has(&world->pairs, search->proxy, other_id))
		return;
	struct pair_worker *worker = search->worker;
	if (!array_reserve(world->memory, &worker->found, worker->found.count + 1)) {
		worker->failed = true;
		return;
	}
	/* In the order of the colliders, so that all parts of two colliders agree on who is a and who is b. */
	if (proxy->collider < other->collider)
		array_push(&worker->found, (struct pair){search->proxy, other_id});
	else
		array_push(&worker->found, (struct pair){other_id, search->proxy});
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

static void search_proxy(struct search *search)
{
	struct world *world = search->world;
	const struct proxy *proxy = &world->proxies.data[search->proxy];
	if (proxy->unbounded) {
		const struct box everywhere = {{-FLT_MAX, -FLT_MAX, -FLT_MAX, 0}, {FLT_MAX, FLT_MAX, FLT_MAX, 0}};
		tree_query(&world->trees[0], &everywhere, visit_against_unbounded, search);
		tree_query(&world->trees[1], &everywhere, visit_against_unbounded, search);
		return;
	}
	bool movable = world->bodies.data[world->colliders.data[proxy->collider].body].type != BODY_STATIC;
	if (movable)
		tree_query(&world->trees[0], &proxy->box, visit_bounded, search);
	tree_query(&world->trees[1], &proxy->box, visit_bounded, search);
	for (uint32_t i = 0; i < world->unbounded.count; ++i)
		if (world->wing->proxy_meets_box(world, world->unbounded.data[i], &proxy->box))
			search_candidate(search, world->unbounded.data[i]);
}

static void search_block(void *context, uint32_t begin, uint32_t end, int worker_index)
{
	struct world *world = context;
	struct pair_worker *worker = &world->pair_search->worker[worker_index];
	struct pair_block *block = &world->pair_search->blocks.data[begin / PAIR_GRAIN];
	*block = (struct pair_block){.worker = (uint32_t)worker_index, .start = worker->found.count};
	for (uint32_t i = begin; i < end; ++i)
		search_proxy(&(struct search){world, worker, world->moved_proxies.data[i]});
	block->count = worker->found.count - block->start;
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
	uint32_t moved = world->moved_proxies.count, blocks = (moved + PAIR_GRAIN - 1) / PAIR_GRAIN, total = 0;
	if (!array_reserve(world->memory, &search->blocks, blocks))
		return false;
	for (int i = 0; i < search->workers; ++i) {
		search->worker[i].found.count = 0;
		search->worker[i].failed = false;
	}
	jobs_for(world->jobs, moved, PAIR_GRAIN, search_block, world);
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
	memory_resize(world->memory, search, search_size(search->workers), 0);
	world->pair_search = NULL;
}
