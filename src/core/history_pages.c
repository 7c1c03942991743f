/* history_pages.c - see history_pages.h. */
#include "core/history_pages.h"

#include <string.h>

bool shadow_grow(struct memory *memory, struct shadow *shadow, uint32_t pages)
{
	uint32_t grown = shadow->pages + shadow->pages / 4;
	grown = grown > pages ? grown : pages;
	if (!bits_reserve(memory, &shadow->doubtful, grown))
		return false;
	uint64_t *words = memory_resize(memory, shadow->words, (size_t)shadow->pages * PAGE_BYTES, (size_t)grown * PAGE_BYTES);
	if (words == NULL)
		return false;
	memset(words + (size_t)shadow->pages * PAGE_WORDS, 0, (size_t)(grown - shadow->pages) * PAGE_BYTES);
	shadow->words = words;
	shadow->pages = grown;
	return true;
}

/* --- The log -------------------------------------------------------------------------------------------------------------- */

enum { TRAILER = 2, RECORD_MOST = PAGE_WORDS + RUN_WORDS + TRAILER };
#define OF_STEPPED (1u << 31) /* beside the number of the region: the record holds stepped bytes */

static struct chunk *last_chunk(const struct record_log *log)
{
	return &log->chunks.data[log->chunks.count - 1];
}

uint64_t log_end(const struct record_log *log)
{
	if (log->chunks.count == 0)
		return log->first * CHUNK_WORDS;
	return (log->first + log->chunks.count - 1) * CHUNK_WORDS + last_chunk(log)->count;
}

/* Makes room for a record. False: no memory. */
static bool log_reserve(struct memory *memory, struct record_log *log)
{
	if (log->chunks.count > 0 && last_chunk(log)->count + RECORD_MOST < CHUNK_WORDS)
		return true;
	if (!array_reserve(memory, &log->chunks, log->chunks.count + 1) ||
		!array_reserve(memory, &log->spare, log->chunks.count + log->spare.count + 1))
		return false;
	uint64_t *words = log->spare.count > 0 ? log->spare.data[--log->spare.count]
										   : memory_resize(memory, NULL, 0, CHUNK_WORDS * sizeof *words);
	if (words == NULL)
		return false;
	array_push(&log->chunks, (struct chunk){words, 0});
	return true;
}

/* Ends a record whose runs end at `to`. */
static void log_commit(struct record_log *log, uint64_t *to, uint64_t mask, uint32_t index, uint32_t page)
{
	struct chunk *chunk = last_chunk(log);
	to[0] = mask;
	to[1] = (uint64_t)index << 32 | page;
	chunk->count = (uint32_t)(to + TRAILER - chunk->words);
}

static void last_chunk_drop(struct record_log *log)
{
	array_push(&log->spare, last_chunk(log)->words);
	--log->chunks.count;
}

void log_cut(struct record_log *log, uint64_t begin)
{
	while (log->first + log->chunks.count > begin / CHUNK_WORDS + 1)
		last_chunk_drop(log);
	if (log->chunks.count > 0)
		last_chunk(log)->count = (uint32_t)(begin % CHUNK_WORDS);
}

void log_drop(struct record_log *log, uint64_t end)
{
	uint32_t count = (uint32_t)(end / CHUNK_WORDS - log->first), left = log->chunks.count - count;
	for (uint32_t i = 0; i < count; ++i)
		array_push(&log->spare, log->chunks.data[i].words);
	if (count > 0 && left > 0)
		memmove(log->chunks.data, log->chunks.data + count, left * sizeof *log->chunks.data);
	log->chunks.count = left;
	log->first += count;
}

void log_free(struct memory *memory, struct record_log *log)
{
	while (log->chunks.count > 0)
		last_chunk_drop(log);
	for (uint32_t i = 0; i < log->spare.count; ++i)
		memory_free(memory, log->spare.data[i], CHUNK_WORDS * sizeof(uint64_t));
	array_free(memory, &log->chunks);
	array_free(memory, &log->spare);
	*log = (struct record_log){.first = log->first};
}

size_t log_bytes(const struct record_log *log)
{
	return ((size_t)log->chunks.count + log->spare.count) * CHUNK_WORDS * sizeof(uint64_t);
}

/* --- Pages ---------------------------------------------------------------------------------------------------------------- */

/* The page's bytes in the region, of which there are *size. */
static unsigned char *page_data(const struct region *region, uint32_t page, size_t *size)
{
	size_t at = (size_t)page * PAGE_BYTES, rest = region->bytes - at;
	*size = rest < PAGE_BYTES ? rest : PAGE_BYTES;
	return region->data + at;
}

/* The bytes of a page with runs in a row, of which the region has `size`. */
static struct span {
	size_t at, size;
} runs_span(uint32_t runs, size_t size)
{
	const size_t run = RUN_WORDS * sizeof(uint64_t);
	size_t begin = (size_t)__builtin_ctz(runs) * run, end = (32 - (size_t)__builtin_clz(runs)) * run;
	return (struct span){begin, (end < size ? end : size) - begin};
}

/* As page_runs, but compares these runs only. */
static uint64_t some_runs(uint64_t *shadow, const unsigned char *now, uint32_t runs, uint64_t **to)
{
	uint64_t mask = 0;
	for (; runs != 0; runs &= runs - 1) {
		size_t run = (size_t)__builtin_ctz(runs), bytes = RUN_WORDS * sizeof **to;
		if (memcmp(shadow + run * RUN_WORDS, now + run * bytes, bytes) == 0)
			continue;
		memcpy(*to, shadow + run * RUN_WORDS, bytes);
		memcpy(shadow + run * RUN_WORDS, now + run * bytes, bytes);
		*to += RUN_WORDS;
		mask |= UINT64_C(1) << run;
	}
	return mask;
}

bool page_record(const struct world *world, struct record_log *log, struct shadow *shadow, uint32_t index,
	const struct region *region, uint32_t page, uint32_t runs)
{
	uint64_t *old = shadow->words + (size_t)page * PAGE_WORDS, last[PAGE_WORDS];
	size_t size;
	const unsigned char *data = page_data(region, page, &size);
	struct span span = runs_span(runs, size);
	if (memcmp(data + span.at, (const unsigned char *)old + span.at, span.size) == 0)
		return true;
	if (!log_reserve(world->memory, log))
		return false;
	if (size < PAGE_BYTES) { /* what is behind the region's end stays as it was when the region had more */
		memcpy(last, old, PAGE_BYTES);
		memcpy(last, data, size);
		data = (const unsigned char *)last;
	}
	uint64_t *to = last_chunk(log)->words + last_chunk(log)->count;
	uint64_t mask = runs == ALL_RUNS ? MOST_LANES(world->lanes, page_runs)(old, data, &to) : some_runs(old, data, runs, &to);
	log_commit(log, to, mask, index, page);
	return true;
}

void runs_prefetch(const struct shadow *shadow, const struct region *region, uint32_t page, uint32_t runs)
{
	enum { LINE_RUNS = CACHE_LINE / (RUN_WORDS * 8) };
	size_t at = (size_t)page * PAGE_BYTES;
	for (; runs != 0; runs >>= LINE_RUNS, at += CACHE_LINE)
		if ((runs & ((1u << LINE_RUNS) - 1)) != 0) {
			cache_prefetch_line(region->data + at);
			cache_prefetch_line((const unsigned char *)shadow->words + at);
		}
}

bool stepped_record(const struct world *world, struct record_log *log, struct shadow *shadow, uint32_t index,
	const struct region *region, uint32_t word, uint64_t members)
{
	size_t at = word * 64 * shadow->stepped.record, record_words = shadow->stepped.size / sizeof(uint64_t);
	while (members != 0) {
		if (!log_reserve(world->memory, log))
			return false;
		struct chunk *chunk = last_chunk(log);
		uint64_t taken = members, *to = chunk->words + chunk->count;
		size_t count = (size_t)__builtin_popcountll(taken), room = (CHUNK_WORDS - TRAILER - chunk->count) / record_words;
		for (; count > room; --count)
			taken &= ~(UINT64_C(1) << (63 - __builtin_clzll(taken)));
		MOST_LANES(world->lanes, stepped_take)
		((unsigned char *)shadow->words + at, region->data + at, &shadow->stepped, taken, to);
		log_commit(log, to + count * record_words, taken, index | OF_STEPPED, word);
		members &= ~taken;
	}
	return true;
}

void page_restore(const struct shadow *shadow, const struct region *region, uint32_t page, uint32_t runs)
{
	const unsigned char *from = (const unsigned char *)(shadow->words + (size_t)page * PAGE_WORDS);
	size_t size;
	unsigned char *data = page_data(region, page, &size);
	struct span span = runs_span(runs, size);
	if (memcmp(data + span.at, from + span.at, span.size) != 0)
		memcpy(data + span.at, from + span.at, span.size);
}

/* Puts back the stepped bytes of members of the 64 records from 64 * word on. They end at `end`; returns their begin. */
static const uint64_t *stepped_undo(struct shadow *shadow, uint32_t word, uint64_t members, const uint64_t *end)
{
	const struct stepped *stepped = &shadow->stepped;
	const size_t record_words = stepped->size / sizeof *end;
	const uint64_t *begin = end - (size_t)__builtin_popcountll(members) * record_words, *from = begin;
	for (; members != 0; members &= members - 1, from += record_words) {
		size_t at = (word * 64 + (size_t)__builtin_ctzll(members)) * stepped->record + stepped->at;
		memcpy((unsigned char *)shadow->words + at, from, stepped->size);
		bits_set(&shadow->doubtful, (uint32_t)(at / PAGE_BYTES));
	}
	return begin;
}

/* Puts back runs of a page. They end at `end`; returns their begin. */
static const uint64_t *page_undo(struct shadow *shadow, uint32_t page, uint64_t runs, const uint64_t *end)
{
	uint64_t *to = shadow->words + (size_t)page * PAGE_WORDS;
	const uint64_t *begin = end - RUN_WORDS * __builtin_popcountll(runs), *from = begin;
	for (; runs != 0; runs &= runs - 1, from += RUN_WORDS)
		memcpy(to + __builtin_ctzll(runs) * RUN_WORDS, from, RUN_WORDS * sizeof *to);
	bits_set(&shadow->doubtful, page);
	return begin;
}

void log_undo(struct record_log *log, struct shadow *shadows, uint64_t begin)
{
	while (log_end(log) > begin) {
		struct chunk *chunk = last_chunk(log);
		if (chunk->count == 0) {
			last_chunk_drop(log);
			continue;
		}
		const uint64_t *end = chunk->words + chunk->count - TRAILER;
		uint32_t index = (uint32_t)(end[1] >> 32), number = (uint32_t)end[1];
		struct shadow *shadow = &shadows[index & ~OF_STEPPED];
		end = index & OF_STEPPED ? stepped_undo(shadow, number, end[0], end) : page_undo(shadow, number, end[0], end);
		chunk->count = (uint32_t)(end - chunk->words);
	}
}
