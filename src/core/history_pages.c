/* history_pages.c - see history_pages.h. */
#include "core/history_pages.h"

#include <string.h>

bool shadow_grow(struct memory *memory, struct shadow *shadow, uint32_t pages)
{
	uint32_t grown = shadow->pages + shadow->pages / 4;
	grown = grown > pages ? grown : pages;
	uint64_t *words = memory_resize(memory, shadow->words, (size_t)shadow->pages * PAGE_BYTES, (size_t)grown * PAGE_BYTES);
	if (words == NULL)
		return false;
	memset(words + (size_t)shadow->pages * PAGE_WORDS, 0, (size_t)(grown - shadow->pages) * PAGE_BYTES);
	shadow->words = words;
	shadow->pages = grown;
	return bits_reserve(memory, &shadow->doubtful, grown);
}

/* --- The log -------------------------------------------------------------------------------------------------------------- */

enum { RECORD_MOST = PAGE_WORDS + RUN_WORDS + 2 };

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

bool page_record(const struct world *world, struct record_log *log, struct shadow *shadow, uint32_t index,
	const struct region *region, uint32_t page)
{
	uint64_t *old = shadow->words + (size_t)page * PAGE_WORDS, mask, last[PAGE_WORDS];
	size_t size;
	const unsigned char *data = page_data(region, page, &size);
	if (memcmp(data, old, size) == 0)
		return true;
	if (!log_reserve(world->memory, log))
		return false;
	if (size < PAGE_BYTES) { /* what is behind the region's end stays as it was when the region had more */
		memcpy(last, old, PAGE_BYTES);
		memcpy(last, data, size);
		data = (const unsigned char *)last;
	}
	struct chunk *chunk = last_chunk(log);
	uint64_t *to = chunk->words + chunk->count;
	mask = MOST_LANES(world->lanes, page_runs)(old, data, &to);
	to[0] = mask;
	to[1] = (uint64_t)index << 32 | page;
	chunk->count = (uint32_t)(to + 2 - chunk->words);
	return true;
}

void page_restore(const struct shadow *shadow, const struct region *region, uint32_t page)
{
	const uint64_t *words = shadow->words + (size_t)page * PAGE_WORDS;
	size_t size;
	unsigned char *data = page_data(region, page, &size);
	if (memcmp(data, words, size) != 0)
		memcpy(data, words, size);
}

void log_undo(struct record_log *log, struct shadow *shadows, uint64_t begin)
{
	while (log_end(log) > begin) {
		struct chunk *chunk = last_chunk(log);
		if (chunk->count == 0) {
			last_chunk_drop(log);
			continue;
		}
		const uint64_t *end = chunk->words + chunk->count - 2;
		uint64_t mask = end[0];
		struct shadow *shadow = &shadows[end[1] >> 32];
		uint64_t *to = shadow->words + (size_t)(uint32_t)end[1] * PAGE_WORDS;
		const uint64_t *run = end - RUN_WORDS * __builtin_popcountll(mask);
		bits_set(&shadow->doubtful, (uint32_t)end[1]);
		chunk->count = (uint32_t)(run - chunk->words);
		for (; mask != 0; mask &= mask - 1, run += RUN_WORDS)
			memcpy(to + __builtin_ctzll(mask) * RUN_WORDS, run, RUN_WORDS * sizeof *to);
	}
}
