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
	return bits_reserve(memory, &shadow->undone, grown);
}

bool records_reserve(struct memory *memory, struct records *records, size_t more)
{
	size_t wanted = records->count + more, grown = records->capacity + records->capacity / 2;
	if (wanted <= records->capacity)
		return true;
	grown = grown > wanted ? grown : wanted;
	uint64_t *words = memory_resize(memory, records->words, records->capacity * sizeof *words, grown * sizeof *words);
	if (words == NULL)
		return false;
	records->words = words;
	records->capacity = grown;
	return true;
}

/* Appends the run to those at `to` if it differs, and updates it. Returns whether it does. No branches: guesses would fail. */
static inline bool run_record(uint64_t *to, uint64_t run[RUN_WORDS], const unsigned char *now)
{
	typedef uint64_t two_words __attribute__((vector_size(16)));
	two_words next[2], before[2];
	_Static_assert(sizeof next == RUN_WORDS * sizeof *run, "a run is two vectors");
	memcpy(next, now, sizeof next); /* some arrays are aligned to 4 bytes only */
	memcpy(before, run, sizeof before);
	memcpy(to, before, sizeof before);
	memcpy(run, next, sizeof next);
	two_words any = (next[0] ^ before[0]) | (next[1] ^ before[1]);
	return (any[0] | any[1]) != 0;
}

/* The page's bytes in the region, of which there are *size. */
static unsigned char *page_data(const struct region *region, uint32_t page, size_t *size)
{
	size_t at = (size_t)page * PAGE_BYTES, rest = region->bytes - at;
	*size = rest < PAGE_BYTES ? rest : PAGE_BYTES;
	return region->data + at;
}

bool page_record(struct memory *memory, struct records *records, struct shadow *shadow, uint32_t index,
	const struct region *region, uint32_t page)
{
	uint64_t *old = shadow->words + (size_t)page * PAGE_WORDS, mask = 0, last[PAGE_WORDS];
	size_t size;
	const unsigned char *data = page_data(region, page, &size);
	if (memcmp(data, old, size) == 0)
		return true;
	if (!records_reserve(memory, records, 2 + PAGE_WORDS + RUN_WORDS))
		return false;
	if (size < PAGE_BYTES) { /* what is behind the region's end stays as it was when the region had more */
		memcpy(last, old, PAGE_BYTES);
		memcpy(last, data, size);
		data = (const unsigned char *)last;
	}
	uint64_t *record = records->words + records->count, *to = record + 2;
	for (int run = 0; run < PAGE_WORDS / RUN_WORDS; ++run) {
		bool differs = run_record(to, old + run * RUN_WORDS, data + (size_t)run * RUN_WORDS * sizeof *old);
		to += differs ? RUN_WORDS : 0;
		mask |= (uint64_t)differs << run;
	}
	record[0] = (uint64_t)index << 32 | page;
	record[1] = mask;
	records->count += (size_t)(to - record);
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

void records_undo(struct shadow *shadows, const uint64_t *words, size_t count)
{
	for (const uint64_t *record = words, *end = count > 0 ? words + count : words; record < end;) {
		struct shadow *shadow = &shadows[record[0] >> 32];
		uint64_t *to = shadow->words + (size_t)(uint32_t)record[0] * PAGE_WORDS, mask = record[1];
		bits_set(&shadow->undone, (uint32_t)record[0]);
		for (record += 2; mask != 0; mask &= mask - 1, record += RUN_WORDS)
			memcpy(to + __builtin_ctzll(mask) * RUN_WORDS, record, RUN_WORDS * sizeof *to);
	}
}
