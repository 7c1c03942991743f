/* history.c - see history.h. */
#include "core/history.h"
#include "core/contact.h"
#include "core/filter.h"
#include "core/history_marks.h"
#include "core/history_pages.h"
#include "core/joint.h"
#include "core/pre_solve.h"
#include "core/sleep.h"

#include <stdio.h>
#include <string.h>

/* --- Histories ------------------------------------------------------------------------------------------------------------ */

/* A tick, and the records to get to it from the next one. The last tick has none. */
struct past {
	uint64_t tick;
	uint32_t serial, ended; /* the world's, as it was pushed */
	uint64_t begin; /* of its records in the log */
};

struct history {
	struct world *world;
	struct history *next; /* in world->histories */
	uint32_t most, first, count; /* of `past`, a ring */
	struct marks marks; /* records that may differ from the shadows */
	bool all; /* all records may */
	bool undone; /* some shadows have pages that a rewind has taken back */
	uint32_t burden_changes; /* the world's, then */
	uint32_t touching, overlaps; /* the most contacts and overlaps of any tick so far */
	struct shadow shadows[SHADOWS]; /* as the world was at the last tick */
	struct scalars scalars; /* scratch */
	struct record_log log;
	struct past past[];
};

static size_t history_size(uint32_t most)
{
	return sizeof(struct history) + most * sizeof(struct past);
}

static struct past *past_at(struct history *history, uint32_t index)
{
	return &history->past[(history->first + index) % history->most];
}

/* Sets the world's list of histories; its trees mark what they change while there are any. */
static void histories_set(struct world *world, struct history *first)
{
	world->histories = first;
	world->leaves.recorded = world->fields.room.recorded = first != NULL;
}

struct history *history_create(struct world *world, uint32_t ticks)
{
	struct history *history = memory_zeroed(world->memory, history_size(ticks));
	if (history == NULL || !kept_reserve(world, 0)) {
		memory_free(world->memory, history, history_size(ticks));
		return NULL;
	}
	history->world = world;
	history->most = ticks;
	history->next = world->histories;
	for (uint32_t i = 0; i < REGIONS; ++i)
		history->shadows[i].stepped = stepped_bytes(world, i);
	histories_set(world, history);
	return history;
}

static void prune(struct world *world);

void history_clear(struct history *history)
{
	log_free(history->world->memory, &history->log);
	history->first = history->count = 0;
	history->all = true;
	prune(history->world);
}

void history_destroy(struct history *history)
{
	if (history == NULL)
		return;
	struct memory *memory = history->world->memory;
	struct history **link = &history->world->histories;
	history_clear(history);
	while (*link != history)
		link = &(*link)->next;
	*link = history->next;
	histories_set(history->world, history->world->histories);
	prune(history->world);
	for (int i = 0; i < SHADOWS; ++i) {
		memory_free(memory, history->shadows[i].words, (size_t)history->shadows[i].pages * PAGE_BYTES);
		bits_free(memory, &history->shadows[i].doubtful);
	}
	marks_free(memory, &history->marks);
	memory_free(memory, history, history_size(history->most));
}

void histories_clear(struct world *world)
{
	for (struct history *history = world->histories; history != NULL; history = history->next)
		history_clear(history);
}

void histories_destroy(struct world *world)
{
	while (world->histories != NULL)
		history_destroy(world->histories);
	array_free(world->memory, &world->kept);
}

void histories_move(struct world *world, struct world *from)
{
	histories_clear(from);
	histories_set(world, from->histories);
	histories_set(from, NULL);
	for (struct history *history = world->histories; history != NULL; history = history->next)
		history->world = world;
}

struct history *history_next(const struct history *history)
{
	return history->next;
}

bool history_range(const struct history *history, uint64_t *first, uint64_t *last)
{
	if (history->count == 0)
		return false;
	*first = history->past[history->first].tick;
	*last = history->past[(history->first + history->count - 1) % history->most].tick;
	return true;
}

static const struct past *past_find(const struct history *history, uint64_t tick)
{
	for (uint32_t i = 0; i < history->count; ++i)
		if (history->past[(history->first + i) % history->most].tick == tick)
			return &history->past[(history->first + i) % history->most];
	return NULL;
}

bool history_has(const struct history *history, uint64_t tick)
{
	return past_find(history, tick) != NULL;
}

bool history_lives_differ(const struct history *history, uint64_t tick)
{
	const struct past *past = past_find(history, tick);
	return past->serial != history->world->serial || past->ended != history->world->ended;
}

size_t history_bytes(const struct history *history)
{
	size_t bytes = history_size(history->most) + log_bytes(&history->log);
	for (int i = 0; i < SHADOWS; ++i)
		bytes += (size_t)history->shadows[i].pages * PAGE_BYTES;
	return bytes;
}

/* --- Records -------------------------------------------------------------------------------------------------------------- */

/* All regions of the world: its arrays, its scalars in history->scalars, and its sets, but for those that were and are empty.
 */
static void all_regions(struct history *history, struct region_list *list)
{
	list->count = 0;
	regions_find(history->world, list);
	region_add(list, REGION_SCALARS, (struct region){(unsigned char *)&history->scalars, sizeof history->scalars});
	for (uint32_t i = 0; i < SETS; ++i) {
		const struct bits *set = world_set(history->world, i);
		if (bits_groups(set) != 0 || bits_groups(&history->shadows[REGION_SETS + i].doubtful) != 0)
			region_add(list, REGION_SETS + i, set_region(set));
	}
}

static bool shadows_reserve(struct history *history, const struct region_list *list)
{
	for (uint32_t i = 0; i < list->count; ++i) {
		struct shadow *shadow = &history->shadows[list->numbers[i]];
		uint32_t pages = pages_of(list->regions[list->numbers[i]].bytes);
		if (pages > shadow->pages && !shadow_grow(history->world->memory, shadow, pages))
			return false;
	}
	return true;
}

/* Records a page of which these runs differ from the shadow. False: no memory. */
static bool visit_compare(struct history *history, uint32_t index, const struct region *region, uint32_t page, uint32_t runs)
{
	return page_record(history->world, &history->log, &history->shadows[index], index, region, page, runs);
}

/* Never fails. */
static bool visit_restore(struct history *history, uint32_t index, const struct region *region, uint32_t page, uint32_t runs)
{
	page_restore(&history->shadows[index], region, page, runs);
	return true;
}

typedef bool page_visit(struct history *history, uint32_t index, const struct region *region, uint32_t page, uint32_t runs);

/* Visits the bytes [begin, end) of the region. */
static bool bytes_visit(
	struct history *history, uint32_t index, const struct region *region, size_t begin, size_t end, page_visit *visit)
{
	for (size_t at = begin, next; at < end; at = next) {
		size_t page = at / PAGE_BYTES, from = at % PAGE_BYTES;
		next = (page + 1) * PAGE_BYTES;
		if (!visit(history, index, region, (uint32_t)page, runs_with(from, end < next ? end - page * PAGE_BYTES : PAGE_BYTES)))
			return false;
	}
	return true;
}

/* Whether nothing of the region can differ from its shadow. */
static bool region_same(const struct history *history, uint32_t index)
{
	return index == REGION_BURDENS && history->burden_changes == history->world->burden_changes;
}

/* Visits the pages of the set that have members, now or in the shadow. */
static bool set_visit(struct history *history, uint32_t index, const struct region *region, page_visit *visit)
{
	const struct bits *set = world_set(history->world, index - REGION_SETS);
	const struct bits *doubtful = &history->shadows[index].doubtful;
	uint32_t end = pages_of(region->bytes);
	for (uint32_t page = bits_next_summary(set, 0, end); page < end; page = bits_next_summary(set, page + 1, end))
		if (!visit(history, index, region, page, ALL_RUNS))
			return false;
	for (uint32_t page = bits_next(doubtful, 0); page < end; page = bits_next(doubtful, page + 1))
		if (bits_summary(set, page) == 0 && !visit(history, index, region, page, ALL_RUNS))
			return false;
	return true;
}

/* The bytes of records with ids in a row, and of those that follow within a cache line. */
static size_t records_end(const struct bits *ids, uint32_t id, size_t size, uint32_t *next)
{
	uint32_t end = bits_run_end(ids, id);
	*next = bits_next(ids, end);
	while (*next != NONE && *next * size < end * size + CACHE_LINE) {
		end = bits_run_end(ids, *next);
		*next = bits_next(ids, end);
	}
	return end * size;
}

/* Visits the records. */
static bool records_visit(
	struct history *history, uint32_t index, const struct region *region, const struct bits *ids, page_visit *visit)
{
	size_t size = record_size(history->world, index);
	for (uint32_t id = bits_next(ids, 0), next; id != NONE; id = next) {
		size_t begin = id * size, end = records_end(ids, id, size, &next), at = next * size, from = at % PAGE_BYTES;
		if (next != NONE && at + size <= region->bytes)
			runs_prefetch(&history->shadows[index], region, (uint32_t)(at / PAGE_BYTES),
				runs_with(from, from + size < PAGE_BYTES ? from + size : PAGE_BYTES));
		end = end < region->bytes ? end : region->bytes;
		if (begin < end && !bytes_visit(history, index, region, begin, end, visit))
			return false;
	}
	return true;
}

/* Visits the pages of the region that may differ from its shadow, but for what a step changes without a mark. */
static bool region_visit(struct history *history, uint32_t index, const struct region *region, page_visit *visit)
{
	uint32_t scan = region_scan(index);
	if (!history->all && (index == REGION_STATES || region_same(history, index)))
		return true; /* of states, a step changes all */
	if (!history->all && index >= REGION_SETS)
		return set_visit(history, index, region, visit);
	if (history->all || scan == SCAN_ALL)
		return bytes_visit(history, index, region, 0, region->bytes, visit);
	return records_visit(history, index, region, &history->marks.ids[scan], visit);
}

/* Records the stepped bytes of the records. False: no memory. */
static bool stepped_visit(struct history *history, uint32_t index, const struct region *region, const struct bits *ids)
{
	struct shadow *shadow = &history->shadows[index];
	for (uint32_t word = bits_next_word(ids, 0, ids->word_count); word < ids->word_count;
		 word = bits_next_word(ids, word + 1, ids->word_count))
		if (!stepped_record(history->world, &history->log, shadow, index, region, word, bits_word(ids, word)))
			return false;
	return true;
}

/* Records the states of all awake bodies. False: no memory. */
static bool states_visit(struct history *history, const struct region *region)
{
	struct shadow *shadow = &history->shadows[REGION_STATES];
	uint32_t count = history->world->awake.count;
	for (uint32_t row = 0; row < count; row += 64)
		if (!stepped_record(history->world, &history->log, shadow, REGION_STATES, region, row / 64,
				~UINT64_C(0) >> (count - row < 64 ? 64 - (count - row) : 0)))
			return false;
	return true;
}

/* Records what a step changes of the region's records without a mark. False: no memory. */
static bool region_step(struct history *history, uint32_t index, const struct region *region)
{
	const struct bits *ids = marks_stepped(&history->marks, history->world, region_scan(index));
	if (history->all)
		return true;
	if (index == REGION_STATES)
		return states_visit(history, region);
	if (ids == NULL || region_same(history, index))
		return true;
	return history->shadows[index].stepped.size > 0 ? stepped_visit(history, index, region, ids)
													: records_visit(history, index, region, ids, visit_compare);
}

/* Takes the shadows back to the tick before the last one, which is forgotten. */
static void last_undo(struct history *history)
{
	if (history->count > 1) {
		history->undone = true;
		log_undo(&history->log, history->shadows, past_at(history, history->count - 2)->begin);
	}
	--history->count;
}

/* Finds the records that may differ from the shadows. False: no memory. */
static bool marks_find(struct history *history)
{
	struct world *world = history->world;
	for (struct history *each = world->histories; each != NULL; each = each->next)
		if (!marks_reserve(&each->marks, world))
			return false;
	for (struct history *each = world->histories; each != NULL; each = each->next)
		marks_add(&each->marks, world);
	world_marks_clear(world);
	marks_complete(&history->marks, world);
	return true;
}

static void used_pages_mark(struct shadow *shadow, const struct bits *set)
{
	uint32_t end = pages_of(set_region(set).bytes);
	end = end < shadow->pages ? end : shadow->pages; /* of a set that has grown since, the rest is empty */
	for (uint32_t page = bits_next_summary(set, 0, end); page < end; page = bits_next_summary(set, page + 1, end))
		bits_set(&shadow->doubtful, page);
}

/* The shadows equal the world. */
static void shadows_done(struct history *history)
{
	marks_clear(&history->marks);
	for (int i = history->undone ? 0 : REGION_SETS; i < SHADOWS; ++i)
		bits_clear_all(&history->shadows[i].doubtful);
	history->undone = false;
	for (uint32_t i = 0; i < SETS; ++i)
		if (bits_groups(world_set(history->world, i)) != 0)
			used_pages_mark(&history->shadows[REGION_SETS + i], world_set(history->world, i));
	history->burden_changes = history->world->burden_changes;
	history->all = false;
}

#ifndef NDEBUG
/* Whether a mark is missing: see touched.h. */
static bool shadows_equal(const struct history *history, const struct region_list *list)
{
	for (uint32_t i = 0; i < list->count; ++i) {
		uint32_t number = list->numbers[i];
		const struct region *region = &list->regions[number];
		const unsigned char *shadow = (const void *)history->shadows[number].words;
		size_t at = 0;
		if (memcmp(region->data, shadow, region->bytes) == 0)
			continue;
		while (region->data[at] == shadow[at])
			++at;
		fprintf(stderr, "history: region %u differs at byte %zu, record %zu\n", number, at,
			region_scan(number) != SCAN_ALL ? at / record_size(history->world, number) : 0);
		return false;
	}
	return true;
}
#endif

/* Copies the world into the shadows, without records, and clears the rest of them: sets that grow later had no members there.
 */
static void shadows_copy(struct history *history, const struct region_list *list)
{
	for (int i = 0; i < SHADOWS; ++i)
		if (history->shadows[i].pages > 0)
			memset(history->shadows[i].words, 0, (size_t)history->shadows[i].pages * PAGE_BYTES);
	for (uint32_t i = 0; i < list->count; ++i) {
		const struct region *region = &list->regions[list->numbers[i]];
		memcpy(history->shadows[list->numbers[i]].words, region->data, region->bytes);
	}
}

static struct past past_now(const struct world *world)
{
	return (struct past){.tick = world->tick, .serial = world->serial, .ended = world->ended};
}

bool history_push(struct history *history)
{
	struct world *world = history->world;
	struct region_list regions;
	uint64_t tick = world->tick;
	world->last_tick = kept_until(world);
	while (history->count > 0 && past_at(history, history->count - 1)->tick > tick)
		last_undo(history);
	scalars_copy(&history->scalars, world);
	all_regions(history, &regions);
	if (!shadows_reserve(history, &regions) || !marks_find(history))
		return false;
	history->touching = world->touching_count > history->touching ? world->touching_count : history->touching;
	history->overlaps = world->overlap_count > history->overlaps ? world->overlap_count : history->overlaps;
	if (history->count == 0) {
		shadows_copy(history, &regions);
		history->past[history->first = 0] = past_now(world);
		history->count = 1;
		shadows_done(history);
		return true;
	}
	bool again = past_at(history, history->count - 1)->tick == tick, done = true;
	uint64_t begin = log_end(&history->log);
	for (uint32_t i = 0; i < regions.count && done; ++i) {
		uint32_t number = regions.numbers[i];
		done = region_visit(history, number, &regions.regions[number], visit_compare) &&
			region_step(history, number, &regions.regions[number]);
	}
	if (!done) {
		history->undone = true;
		log_undo(&history->log, history->shadows, begin);
		return false;
	}
	assert(shadows_equal(history, &regions));
	shadows_done(history);
	if (again) { /* its records are some more of the tick before */
		struct past *last = past_at(history, history->count - 1);
		if (history->count == 1)
			log_cut(&history->log, begin);
		last->serial = world->serial;
		last->ended = world->ended;
		return true;
	}
	past_at(history, history->count - 1)->begin = begin;
	if (history->count == history->most) {
		log_drop(&history->log, history->most > 1 ? past_at(history, 1)->begin : log_end(&history->log));
		history->first = (history->first + 1) % history->most;
		--history->count;
		prune(world);
	}
	*past_at(history, history->count++) = past_now(world);
	return true;
}

/* --- What is kept --------------------------------------------------------------------------------------------------------- */

static void prune(struct world *world)
{
	uint64_t first = UINT64_MAX, last = 0;
	for (struct history *history = world->histories; history != NULL; history = history->next)
		if (history->count > 0) {
			first = past_at(history, 0)->tick < first ? past_at(history, 0)->tick : first;
			last = past_at(history, history->count - 1)->tick > last ? past_at(history, history->count - 1)->tick : last;
		}
	world->last_tick = last;
	kept_prune(world, first);
}

/* --- Going back ----------------------------------------------------------------------------------------------------------- */

/* Copies the pages that differ into the world. Records behind the end that the region had before have no marks if another
 * history has gone back to a tick with fewer records: all of these pages are copied. before: where that end was [bytes]. */
static void region_restore(struct history *history, uint32_t index, const struct region *region, size_t before)
{
	if (region->bytes > before)
		(void)bytes_visit(history, index, region, before / PAGE_BYTES * PAGE_BYTES, region->bytes, visit_restore);
	const struct bits *doubtful = &history->shadows[index].doubtful;
	const struct bits *stepped = marks_stepped(&history->marks, history->world, region_scan(index));
	(void)region_visit(history, index, region, visit_restore);
	if (index == REGION_STATES)
		(void)bytes_visit(history, index, region, 0, region->bytes, visit_restore);
	else if (!history->all && stepped != NULL)
		(void)records_visit(history, index, region, stepped, visit_restore);
	for (uint32_t page = bits_next(doubtful, 0); page != NONE && page < pages_of(region->bytes);
		 page = bits_next(doubtful, page + 1))
		page_restore(&history->shadows[index], region, page, ALL_RUNS);
}

/* Gives the words of a page of the set the members that they have in the shadow. */
static void set_restore(struct bits *set, const struct shadow *shadow, uint32_t page)
{
	uint32_t first = page * PAGE_WORDS, end = set->word_count < first + PAGE_WORDS ? set->word_count : first + PAGE_WORDS;
	const uint64_t *words = page < shadow->pages ? shadow->words : NULL; /* NULL: there were none */
	const unsigned char *data = set_region(set).data;
	if (words != NULL && memcmp(data + first * sizeof *words, words + first, (end - first) * sizeof *words) == 0)
		return;
	for (uint32_t word = first; word < end; ++word) {
		uint64_t then = words != NULL ? words[word] : 0;
		for (uint64_t rest = bits_word(set, word) ^ then; rest != 0; rest &= rest - 1) {
			uint32_t bit = (uint32_t)__builtin_ctzll(rest), member = word * 64 + bit;
			if (then >> bit & 1)
				bits_set(set, member);
			else
				bits_clear(set, member);
		}
	}
}

static void sets_restore(struct history *history)
{
	for (uint32_t i = 0; i < SETS; ++i) {
		struct bits *set = world_set(history->world, i);
		const struct shadow *shadow = &history->shadows[REGION_SETS + i];
		for (uint32_t page = 0; page * PAGE_WORDS < set->word_count; ++page)
			if (history->all || bits_summary(set, page) != 0 || bits_has(&shadow->doubtful, page))
				set_restore(set, shadow, page);
	}
}

/* Removes or adds the pairs of the contacts that may change, or have changed, of which there are `count`. */
static void pairs_change(struct history *history, uint32_t count, void (*change)(struct pairset *, uint32_t, uint32_t))
{
	struct world *world = history->world;
	const struct bits *ids = &history->marks.ids[TOUCHED_CONTACTS];
	for (uint32_t id = history->all ? 0 : bits_next(ids, 0); id < count; id = history->all ? id + 1 : bits_next(ids, id + 1)) {
		const struct contact *contact = &world->contacts.data[id];
		if (contact->link.valid && (contact->link.flags & CONTACT_FOLLOWS) == 0)
			change(&world->pairs, contact->proxies[0], contact->proxies[1]);
	}
}

/* Adds the contacts whose pages a rewind has taken back to those that may change. */
static void undone_contacts_mark(struct history *history)
{
	const struct bits *undone = &history->shadows[REGION_CONTACTS].doubtful;
	struct bits *ids = &history->marks.ids[TOUCHED_CONTACTS];
	for (uint32_t page = bits_next(undone, 0); page != NONE; page = bits_next(undone, page + 1)) {
		size_t at = (size_t)page * PAGE_BYTES, size = sizeof(struct contact);
		for (size_t id = at / size; id <= (at + PAGE_BYTES - 1) / size; ++id)
			if (id < ids->word_count * 64)
				bits_set(ids, (uint32_t)id);
	}
}

static void caches_clear(struct world *world)
{
	struct events *events = &world->events;
	world->partition.valid = false;
	world->fields.ordered = false;
	verdicts_clear(world);
	bits_clear_all(&world->enclosed_words);
	bits_clear_all(&world->known_loads);
	events->begins.count = events->hits.count = events->overlap_begins.count = 0;
	events->ends.all.count = events->ends.delivered = 0;
	events->overlap_ends.all.count = events->overlap_ends.delivered = 0;
	events->moves.count = events->moves_begin = 0;
	bits_clear_all(&events->woke);
	bits_clear_all(&events->slept);
	for (uint32_t i = 0; i < world->depenetration.shifts.count; ++i)
		world->depenetration.shift_indices.data[world->depenetration.shifts.data[i].body] = i;
}

/* At least the number of shapes and curves that have owners at any tick of the history. */
static uint32_t owners_most(const struct history *history)
{
	static const uint32_t owners[] = {REGION_COLLIDERS, REGION_FIELDS, REGION_JOINTS};
	static const size_t sizes[] = {sizeof(struct collider), sizeof(struct field), sizeof(struct joint)};
	size_t most = 0;
	for (size_t i = 0; i < sizeof owners / sizeof *owners; ++i)
		most += (size_t)history->shadows[owners[i]].pages * PAGE_BYTES / sizes[i];
	return (uint32_t)most;
}

bool history_rewind(struct history *history, uint64_t tick)
{
	struct world *world = history->world;
	struct memory *memory = world->memory;
	struct region_list regions, before = {0};
	const struct owner_counts counts = {world->colliders.count, world->fields.all.count, world->joints.count};
	regions_find(world, &before);
	if (!marks_find(history) || !kept_reserve(world, owners_most(history)) ||
		!array_reserve(memory, &world->events.ends.all, history->touching) ||
		!array_reserve(memory, &world->events.overlap_ends.all, 2 * history->overlaps))
		return false;
	bool lives = history_lives_differ(history, tick);
	uint32_t contacts = world->contacts.count;
	while (past_at(history, history->count - 1)->tick != tick)
		last_undo(history);
	undone_contacts_mark(history);
	pairs_change(history, contacts, pairset_remove);
	scalars_restore(world, (const struct scalars *)(const void *)history->shadows[REGION_SCALARS].words);
	if (lives) {
		owners_exchange(world, &counts,
			&(struct owners){(void *)history->shadows[REGION_COLLIDERS].words, (void *)history->shadows[REGION_FIELDS].words,
				(void *)history->shadows[REGION_JOINTS].words, (void *)history->shadows[REGION_JOINT_ROWS].words});
		++world->ended; /* other ticks with these numbers, in other histories, have other objects now */
	}
	*past_at(history, history->count - 1) = past_now(world);
	all_regions(history, &regions);
	for (uint32_t i = 0; i < regions.count && regions.numbers[i] < REGIONS; ++i)
		region_restore(
			history, regions.numbers[i], &regions.regions[regions.numbers[i]], before.regions[regions.numbers[i]].bytes);
	sets_restore(history);
	awake_sets_find(world);
	for (uint32_t id = contacts; id < world->contacts.count; ++id)
		bits_set(&history->marks.ids[TOUCHED_CONTACTS], id);
	pairs_change(history, world->contacts.count, pairset_add);
	caches_clear(world);
	for (struct history *other = world->histories; other != NULL; other = other->next)
		other->all = true;
	shadows_done(history);
	prune(world);
	return true;
}
