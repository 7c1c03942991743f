/* pairs.c - see pairs.h. */
#include "core/pairs.h"
#include "base/sort.h"
#include "core/contact.h"
#include "core/broad_phase.h"
#include "core/filter.h"
#include "core/joint.h"
#include "core/path.h"
#include "core/proxy.h"
#include "core/touched.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Items per block of a parallel loop: their work is far above the cost of handing out a block. */
enum { PAIR_GRAIN = 64, SWEEP_GRAIN = 4 /* strips */ };

/* Number of overlapping pairs that are looked up together in the pair set, with prefetching. Nearly all have a contact
 * already. */
enum { CANDIDATES = 16 };

struct pair_worker {
	ARRAY(struct pair) found;
	struct pair candidates[CANDIDATES];
	uint32_t candidate_count;
	bool failed; /* out of memory */
	struct strip strip;
};

struct pair_search {
	int workers;
	struct broad_phase broad_phase;
	bool statics; /* moved static proxies search for others, see statics_search */
	strip_sweep_function *strip_sweep; /* with as many lanes as the machine has */
	ARRAY(uint64_t) keys; /* pairs that all workers found, with as much space again to sort them */
	/* pairs of a bullet's proxy (lower half) and another (upper half), sorted by the lower, then by the upper half; with as
	 * much space again to sort them */
	ARRAY(uint64_t) bullets;
	ARRAY(uint32_t) starts; /* where each proxy's pairs begin in `bullets` */
	struct pair_worker worker[];
};

/* --- Search --------------------------------------------------------------------------------------------------------------- */

struct search {
	struct world *world;
	struct pair_worker *worker;
	uint32_t proxy; /* the proxy that moved */
	bool statics; /* moved static proxies search their pairs, too: see statics_search */
	bool both; /* other moved proxies find this one, too: only the one with the smaller id reports the pair */
};

static void candidate_check(struct world *world, struct pair_worker *worker, uint32_t a_id, uint32_t b_id)
{
	const struct proxy *a = &world->proxies.data[a_id], *b = &world->proxies.data[b_id];
	if (pairset_has(&world->pairs, a_id, b_id) ||
		!filter_allows(world, &world->colliders.data[a->collider], &world->colliders.data[b->collider]))
		return;
	if (!array_reserve(world->memory, &worker->found, worker->found.count + 1)) {
		worker->failed = true;
		return;
	}
	/* Ordered by collider, so that all children of two colliders agree on which one is a. */
	if (a->collider < b->collider)
		array_push(&worker->found, (struct pair){a_id, b_id});
	else
		array_push(&worker->found, (struct pair){b_id, a_id});
}

static void candidates_check(struct world *world, struct pair_worker *worker, const struct pair *pairs, uint32_t count)
{
	for (uint32_t i = 0; i < count; ++i) {
		pairset_prefetch(&world->pairs, pairs[i].a, pairs[i].b);
		cache_prefetch_line(&world->proxies.data[pairs[i].a].collider);
		cache_prefetch_line(&world->proxies.data[pairs[i].b].collider);
	}
	for (uint32_t i = 0; i < count; ++i)
		candidate_check(world, worker, pairs[i].a, pairs[i].b);
}

static void candidates_flush(struct world *world, struct pair_worker *worker)
{
	candidates_check(world, worker, worker->candidates, worker->candidate_count);
	worker->candidate_count = 0;
}

static void boxes_overlap(struct world *world, struct pair_worker *worker, uint32_t a, uint32_t b)
{
	worker->candidates[worker->candidate_count++] = (struct pair){a, b};
	if (worker->candidate_count == CANDIDATES)
		candidates_flush(world, worker);
}

static void search_candidate(struct search *search, uint32_t other)
{
	if (!search->both || !proxy_has_moved(search->world, other) || other > search->proxy)
		boxes_overlap(search->world, search->worker, search->proxy, other);
}

static bool visit_bounded(void *context, uint32_t value)
{
	search_candidate(context, value);
	return true;
}

static bool visit_against_unbounded(void *context, uint32_t value)
{
	struct search *search = context;
	if (search->world->wing->proxy_overlaps_box(search->world, search->proxy, &search->world->proxies.data[value].box))
		search_candidate(search, value);
	return true;
}

static bool of_static_body(const struct world *world, uint32_t proxy)
{
	return world->bodies.data[proxy_body(world, proxy)].type == BODY_STATIC;
}

static const struct box everywhere = {{-FLT_MAX, -FLT_MAX, -FLT_MAX, 0}, {FLT_MAX, FLT_MAX, FLT_MAX, 0}};

static void search_unbounded(struct search *search)
{
	struct world *world = search->world;
	search->both = search->statics;
	if (!of_static_body(world, search->proxy))
		tree_query(&world->trees[HOME_STATIC], &everywhere, visit_against_unbounded, search);
	search->both = true;
	tree_query(&world->trees[HOME_RESTING], &everywhere, visit_against_unbounded, search);
	for (uint32_t id = bits_next(&world->drifting, 0); id != NONE; id = bits_next(&world->drifting, id + 1))
		visit_against_unbounded(search, id);
}

static void search_among_unbounded(struct search *search)
{
	struct world *world = search->world;
	search->both = true;
	for (uint32_t i = 0; i < world->unbounded.count; ++i)
		if (world->wing->proxy_overlaps_box(world, world->unbounded.data[i], &world->proxies.data[search->proxy].box))
			search_candidate(search, world->unbounded.data[i]);
}

/* Searches the pairs of a moved proxy with static and resting proxies, in their trees, and with unbounded ones. Sort and sweep
 * finds those with drifting ones. */
static void search_proxy(struct search *search)
{
	struct world *world = search->world;
	const struct proxy *proxy = &world->proxies.data[search->proxy];
	if (proxy_unbounded(proxy)) {
		search_unbounded(search);
		return;
	}
	for (int home = HOME_STATIC; home <= HOME_RESTING; ++home) {
		if (world->trees[home].root == TREE_NONE)
			continue;
		search->both = proxy->home == HOME_RESTING && (home == HOME_RESTING || search->statics);
		tree_query(&world->trees[home], &proxy->box, visit_bounded, search);
	}
	search_among_unbounded(search);
}

static void search_block(void *context, uint32_t begin, uint32_t end, int worker_index)
{
	struct world *world = context;
	struct pair_worker *worker = &world->pair_search->worker[worker_index];
	for (uint32_t i = begin; i < end; ++i)
		search_proxy(&(struct search){world, worker, world->moved_proxies.data[i], world->pair_search->statics, false});
	candidates_flush(world, worker);
}

static void statics_block(void *context, uint32_t begin, uint32_t end, int worker_index)
{
	struct world *world = context;
	struct pair_worker *worker = &world->pair_search->worker[worker_index];
	for (uint32_t i = begin; i < end; ++i) {
		struct search search = {world, worker, world->moved_statics.data[i], true, true};
		tree_query(&world->trees[HOME_RESTING], &world->proxies.data[search.proxy].box, visit_bounded, &search);
		search_among_unbounded(&search);
	}
	candidates_flush(world, worker);
}

static bool visit_moved_static(void *context, uint32_t value)
{
	struct search *search = context;
	if (proxy_has_moved(search->world, value))
		boxes_overlap(search->world, search->worker, search->proxy, value);
	return true;
}

/* Finds the moved static proxies that overlap a proxy that has not moved. Moved proxies search all static ones anyway. */
static bool search_moved_statics(void *context, uint32_t proxy)
{
	struct search *search = context;
	const struct world *world = search->world;
	search->proxy = proxy;
	if (!proxy_has_moved(world, proxy))
		tree_query(&world->trees[HOME_STATIC], &world->proxies.data[proxy].box, visit_moved_static, search);
	return true;
}

/* Finds the pairs of moved static proxies by searches from all proxies that are not static, which are fewer. */
static void statics_found(struct world *world)
{
	struct search search = {world, &world->pair_search->worker[0], NONE, false, false};
	tree_query(&world->trees[HOME_RESTING], &everywhere, search_moved_statics, &search);
	for (uint32_t id = bits_next(&world->drifting, 0); id != NONE; id = bits_next(&world->drifting, id + 1))
		search_moved_statics(&search, id);
	for (uint32_t i = 0; i < world->unbounded.count; ++i) {
		search.proxy = world->unbounded.data[i];
		if (proxy_has_moved(world, search.proxy) || of_static_body(world, search.proxy))
			continue;
		for (uint32_t k = 0; k < world->moved_statics.count; ++k)
			visit_against_unbounded(&search, world->moved_statics.data[k]);
	}
	candidates_flush(world, search.worker);
}

/* Searches the pairs of all moved proxies, except those that sort and sweep finds: of two drifting proxies, and of a moved
 * anchored one with a drifting one that has not moved. Anchored are resting proxies and, if `statics` is set, static ones. */
static void moved_search(struct world *world)
{
	jobs_for(world->jobs, world->moved_proxies.count, PAIR_GRAIN, search_block, world);
	if (world->pair_search->statics)
		jobs_for(world->jobs, world->moved_statics.count, PAIR_GRAIN, statics_block, world);
	else if (world->moved_statics.count > 0)
		statics_found(world);
}

/* --- Few proxies ---------------------------------------------------------------------------------------------------------- */

/* Up to so many pairs of a drifting and a moved proxy are tested one by one, which is faster than sort and sweep. */
enum { FEW_PAIRS = 640 };

/* Tests a drifting proxy against a list of moved ones, as sort and sweep does. */
static void drifting_test(struct world *world, uint32_t id, const uint32_t *moved, uint32_t count)
{
	const struct proxy *proxy = &world->proxies.data[id];
	bool both = proxy_has_moved(world, id); /* tree queries find its pairs with anchored ones, and the list has it, too */
	for (uint32_t i = 0; i < count; ++i) {
		const struct proxy *other = &world->proxies.data[moved[i]];
		if ((!both || moved[i] < id) && box_overlaps(&proxy->box, &other->box) && (!both || other->home == HOME_DRIFTING) &&
			!proxy_unbounded(other) && !box_overlaps(&proxy->searched, &other->searched))
			boxes_overlap(world, &world->pair_search->worker[0], id, moved[i]);
	}
}

static void few_test(struct world *world)
{
	for (uint32_t id = bits_next(&world->drifting, 0); id != NONE; id = bits_next(&world->drifting, id + 1)) {
		drifting_test(world, id, world->moved_proxies.data, world->moved_proxies.count);
		if (world->pair_search->statics)
			drifting_test(world, id, world->moved_statics.data, world->moved_statics.count);
	}
	candidates_flush(world, &world->pair_search->worker[0]);
}

/* --- Sweep ---------------------------------------------------------------------------------------------------------------- */

/* Sweeps the strips [begin, end), and calls `report` with the pairs found, once or several times for each strip. */
static inline void strips_sweep(struct world *world, uint32_t begin, uint32_t end, int worker_index,
	void (*report)(struct world *world, struct pair_worker *worker, const struct pair *pairs, uint32_t count))
{
	struct pair_search *search = world->pair_search;
	struct pair_worker *worker = &search->worker[worker_index];
	for (uint32_t number = begin; number < end; ++number) {
		strip_fill(&worker->strip, &search->broad_phase, number);
		bool more;
		do {
			more = search->strip_sweep(&worker->strip);
			report(world, worker, worker->strip.hits, worker->strip.hit_count);
		} while (more);
	}
}

static void sweep_block(void *context, uint32_t begin, uint32_t end, int worker)
{
	strips_sweep(context, begin, end, worker, candidates_check);
}

/* --- Commit --------------------------------------------------------------------------------------------------------------- */

static void commit_pair(struct world *world, struct pair pair)
{
	uint32_t a = world->proxies.data[pair.a].collider, b = world->proxies.data[pair.b].collider;
	if (world->filter == NULL || world->filter(world->filter_context, a, b)) {
		contact_create(world, pair.a, pair.b);
		return;
	}
	/* the filter is called again when one of the two is refitted */
	record_touch(world, TOUCHED_PROXIES, pair.a);
	record_touch(world, TOUCHED_PROXIES, pair.b);
	world->proxies.data[pair.a].searched = world->proxies.data[pair.b].searched = nowhere;
}

/* Prefetch distances of the loop over found pairs: of their colliders, then of what these lead to. */
enum { COLLIDERS_AHEAD = 16, BODIES_SOON = 8, LISTS_AHEAD = 4 };

/* A proxy of the found pair i; i may be too large: then the last pair's. */
static const struct proxy *proxy_found(const struct world *world, const uint64_t *found, uint32_t i, uint32_t total, int side)
{
	return &world->proxies.data[(uint32_t)(found[i < total ? i : total - 1] >> (32 * side))];
}

/* Prefetches what contact_create will read and write for the pairs that follow the i-th. */
static void found_prefetch(const struct world *world, const uint64_t *found, uint32_t i, uint32_t total)
{
	for (int side = 0; side < 2; ++side) {
		const struct collider *colliders = world->colliders.data;
		cache_prefetch(&colliders[proxy_found(world, found, i + COLLIDERS_AHEAD, total, side)->collider], sizeof *colliders);
		uint32_t soon = colliders[proxy_found(world, found, i + BODIES_SOON, total, side)->collider].body;
		cache_prefetch_line(&world->bodies.data[soon]);
		uint32_t next = colliders[proxy_found(world, found, i + LISTS_AHEAD, total, side)->collider].body;
		if (world->bodies.data[next].links[LINK_CONTACT] != NONE)
			cache_prefetch_line(&world->contacts.data[world->bodies.data[next].links[LINK_CONTACT] / 2].link.previous);
	}
	uint32_t id = ids_ahead(&world->contact_ids, BODIES_SOON);
	uint64_t pair = found[i + BODIES_SOON < total ? i + BODIES_SOON : total - 1];
	cache_prefetch_line(&world->contacts.data[id]);
	cache_prefetch_line(&world->travel_limits.data[id]);
	cache_prefetch(manifold_row(world, id), world->wing->manifold_size);
	pairset_prefetch(&world->pairs, (uint32_t)(pair >> 32), (uint32_t)pair);
}

/* After the search: empties the list of moved proxies. */
static void moved_clear(struct world *world)
{
	for (uint32_t i = 0; i < world->moved_proxies.count; ++i) {
		struct proxy *proxy = &world->proxies.data[world->moved_proxies.data[i]];
		record_touch(world, TOUCHED_PROXIES, world->moved_proxies.data[i]);
		proxy->moved_index = NONE;
		proxy->searched = proxy->box;
	}
	world->moved_proxies.count = world->moved_statics.count = 0;
}

/* Prepares the buffers of all workers, after broad_phase_gather. False: no memory. */
static bool workers_prepare(struct world *world, struct pair_search *search)
{
	for (int i = 0; i < search->workers; ++i) {
		array_empty(world->memory, &search->worker[i].found);
		search->worker[i].failed = false;
		if (search->broad_phase.strip_count > 0 &&
			!strip_reserve(world->memory, &search->worker[i].strip, search->broad_phase.longest))
			return false;
	}
	return true;
}

/* Counts the pairs that the workers have found. False: one had no memory. */
static bool found_count(const struct pair_search *search, uint32_t *total)
{
	*total = 0;
	for (int i = 0; i < search->workers; ++i) {
		if (search->worker[i].failed)
			return false;
		*total += search->worker[i].found.count;
	}
	return true;
}

/* Writes all found pairs as keys, with the second proxy in the upper half. */
static void found_list(const struct pair_search *search, uint64_t *to)
{
	for (int i = 0; i < search->workers; ++i)
		for (uint32_t k = 0; k < search->worker[i].found.count; ++k)
			*to++ = (uint64_t)search->worker[i].found.data[k].b << 32 | search->worker[i].found.data[k].a;
}

/* Sorts the found pairs by a, then by b, in two passes, since sort_keys compares upper halves only. So the result does not
 * depend on the workers, and contacts of neighbouring bodies are near each other in memory. NULL: no memory. */
static const uint64_t *found_sort(struct world *world, uint32_t total)
{
	struct pair_search *search = world->pair_search;
	if (!array_reserve(world->memory, &search->keys, 2 * total))
		return NULL;
	uint64_t *keys = search->keys.data, *other = keys + total;
	found_list(search, keys);
	uint64_t *sorted = sort_keys(keys, other, total);
	for (uint32_t i = 0; i < total; ++i)
		sorted[i] = sorted[i] << 32 | sorted[i] >> 32;
	return sort_keys(sorted, sorted == keys ? other : keys, total);
}

/* Upper bound on the number of contacts of the pairs: the filter may still refuse some. */
static uint32_t contacts_found(const struct world *world, const uint64_t *found, uint32_t total)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < total && world->wing->pair_contacts != NULL; ++i)
		count += pair_contacts(world, (uint32_t)(found[i] >> 32), (uint32_t)found[i]);
	return world->wing->pair_contacts != NULL ? count : total;
}

bool pairs_update(struct world *world)
{
	struct pair_search *search = world->pair_search;
	joints_release(world);
	search->statics = statics_search(world);
	uint32_t moved = world->moved_proxies.count + (search->statics ? world->moved_statics.count : 0), total;
	bool few = moved == 0 || (uint64_t)moved * bits_count(&world->drifting) <= FEW_PAIRS;
	search->broad_phase.strip_count = 0;
	if ((!few && !broad_phase_gather(world, &search->broad_phase, false)) || !workers_prepare(world, search))
		return false;
	if (world->moved_proxies.count == 0 && world->moved_statics.count == 0)
		return true;
	moved_search(world);
	if (few)
		few_test(world);
	jobs_for(world->jobs, search->broad_phase.strip_count, SWEEP_GRAIN, sweep_block, world);
	if (!found_count(search, &total))
		return false;
	const uint64_t *found = total > 0 ? found_sort(world, total) : NULL;
	if (total > 0 && (found == NULL || !contacts_reserve(world, contacts_found(world, found, total))))
		return false;
	moved_clear(world);
	for (uint32_t i = 0; i < total; ++i) {
		found_prefetch(world, found, i, total);
		commit_pair(world, (struct pair){(uint32_t)(found[i] >> 32), (uint32_t)found[i]});
	}
	return true;
}

/* --- Bullets -------------------------------------------------------------------------------------------------------------- */

/* Flag in the id of a pair's other proxy: this bullet tests the pair. No proxy id has this bit. */
#define OWN 0x80000000u

/* Adds the pair once for each bullet in it, unless both shapes are on one body. Capacity is reserved. */
static void bullets_found(const struct world *world, struct pair_worker *worker, struct pair pair)
{
	const struct bullet_path *a = &world->paths.data[pair.a], *b = &world->paths.data[pair.b];
	bool both = a->body != NONE && b->body != NONE;
	if (a->body == b->body)
		return;
	bool apart = both && lines_separated(world, &a->line, &b->line);
	if (a->body != NONE)
		array_push(&worker->found, (struct pair){pair.a, pair.b | (!both || (!apart && a->body < b->body) ? OWN : 0)});
	if (b->body != NONE)
		array_push(&worker->found, (struct pair){pair.b, pair.a | (!both || (!apart && b->body < a->body) ? OWN : 0)});
}

static void bullets_report(struct world *world, struct pair_worker *worker, const struct pair *pairs, uint32_t count)
{
	worker->failed = worker->failed || !array_reserve(world->memory, &worker->found, worker->found.count + 2 * count);
	for (uint32_t i = 0; i < count && !worker->failed; ++i)
		bullets_found(world, worker, pairs[i]);
}

static void bullets_block(void *context, uint32_t begin, uint32_t end, int worker)
{
	strips_sweep(context, begin, end, worker, bullets_report);
}

/* Stable counting sort of pairs into `to` by the proxy in the 32 bits from `shift` on. Afterwards search->starts holds the
 * index of each proxy's first pair. */
static void pairs_sort(
	struct pair_search *search, const uint64_t *from, uint32_t count, uint32_t proxies, int shift, uint64_t *to)
{
	uint32_t *starts = search->starts.data, total = 0;
	memset(starts, 0, (proxies + 1) * sizeof *starts);
	for (uint32_t i = 0; i < count; ++i)
		++starts[(uint32_t)(from[i] >> shift) & ~OWN];
	for (uint32_t p = 0; p <= proxies; ++p) {
		uint32_t size = starts[p];
		starts[p] = total;
		total += size;
	}
	for (uint32_t i = 0; i < count; ++i)
		to[starts[(uint32_t)(from[i] >> shift) & ~OWN]++] = from[i];
	memmove(starts + 1, starts, proxies * sizeof *starts);
	starts[0] = 0;
}

bool bullets_pair(struct world *world)
{
	struct pair_search *search = world->pair_search;
	uint32_t total, proxies = world->proxies.count;
	if (!broad_phase_gather(world, &search->broad_phase, true) || !workers_prepare(world, search))
		return false;
	jobs_for(world->jobs, search->broad_phase.strip_count, SWEEP_GRAIN, bullets_block, world);
	array_empty(world->memory, &search->bullets);
	if (!found_count(search, &total) || !array_reserve(world->memory, &search->bullets, 2 * total + 1) ||
		!array_reserve(world->memory, &search->starts, proxies + 1))
		return false;
	uint64_t *pairs = search->bullets.data;
	search->bullets.count = total;
	found_list(search, pairs);
	pairs_sort(search, pairs, total, proxies, 32, pairs + total);
	pairs_sort(search, pairs + total, total, proxies, 0, pairs);
	return true;
}

void bullet_moved(struct world *world, uint32_t bullet)
{
	const struct pair_search *search = world->pair_search;
	world->hits.data[world->bodies.data[bullet].row].moved = true;
	for (uint32_t c = world->bodies.data[bullet].colliders; c != NONE; c = world->colliders.data[c].next)
		for (uint32_t p = world->colliders.data[c].proxies; p != NONE; p = world->proxies.data[p].next)
			for (uint32_t i = search->starts.data[p]; i < search->starts.data[p + 1]; ++i) {
				uint32_t other = world->paths.data[(uint32_t)(search->bullets.data[i] >> 32) & ~OWN].body;
				if (other == NONE)
					continue;
				struct path_hit *hit = &world->hits.data[world->bodies.data[other].row];
				hit->touched = true;
				hit->stale = hit->stale || (hit->t < 1.0f && hit->surface.body == bullet);
			}
}

void bullet_pairs(struct world *world, uint32_t proxy, bool shared, tree_visit *visit, void *context)
{
	const struct pair_search *search = world->pair_search;
	if (!world->bullets_paired) {
		bullet_query(world, &world->proxies.data[proxy].box, visit, context);
		return;
	}
	for (uint32_t i = search->starts.data[proxy]; i < search->starts.data[proxy + 1]; ++i)
		if ((!shared || search->bullets.data[i] >> 63 != 0) &&
			!visit(context, (uint32_t)(search->bullets.data[i] >> 32) & ~OWN))
			return;
}

void bullet_query(struct world *world, const struct box *box, tree_visit *visit, void *context)
{
	if (world->bullets_paired) {
		broad_phase_query(&world->pair_search->broad_phase, box, visit, context);
		return;
	}
	proxies_settle(world);
	tree_query(&world->trees[HOME_DRIFTING], box, visit, context);
}

/* --- Buffers -------------------------------------------------------------------------------------------------------------- */

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
	search->strip_sweep = MOST_LANES(world->lanes, strip_sweep);
	world->pair_search = search;
	return true;
}

void pair_search_destroy(struct world *world)
{
	struct pair_search *search = world->pair_search;
	if (search == NULL)
		return;
	for (int i = 0; i < search->workers; ++i) {
		array_free(world->memory, &search->worker[i].found);
		strip_free(world->memory, &search->worker[i].strip);
	}
	array_free(world->memory, &search->keys);
	array_free(world->memory, &search->bullets);
	array_free(world->memory, &search->starts);
	broad_phase_free(world->memory, &search->broad_phase);
	memory_resize(world->memory, search, search_size(search->workers), 0);
	world->pair_search = NULL;
}
