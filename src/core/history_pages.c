/* history_pages.c - see history_pages.h. */
#include "core/history_pages.h"

#include <string.h>

bool shadow_reserve(struct memory *memory, struct shadow *shadow, uint32_t pages)
{
	uint32_t grown = shadow->pages + shadow->pages / 4;
	if (pages <= shadow->pages)
		return true;
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
	grown = grown > wanted ? grown : wanted + 1024;
	uint64_t *words = memory_resize(memory, records->words, records->capacity * sizeof *words, grown * sizeof *words);
	if (words == NULL)
		return false;
	records->words = words;
	records->capacity = grown;
	return true;
}

/* Appends the words of a line that differ to those at `to`, and updates the line. Returns the end. */
static inline uint64_t *line_record(uint64_t *to, uint64_t line[LINE_WORDS], const unsigned char *now, int at, uint64_t *mask)
{
	uint64_t next[LINE_WORDS], any = 0;
	memcpy(next, now, sizeof next); /* some arrays are aligned to 4 bytes only */
	for (int i = 0; i < LINE_WORDS; ++i)
		any |= line[i] ^ next[i];
	if (any == 0)
		return to;
	for (int i = 0; i < LINE_WORDS; ++i) {
		bool differs = line[i] != next[i];
		*to = line[i];
		to += differs;
		*mask |= (uint64_t)differs << (at + i);
	}
	memcpy(line, next, sizeof next);
	return to;
}

bool page_record(struct memory *memory, struct records *records, struct shadow *shadow, uint32_t index,
	const struct region *region, uint32_t page)
{
	uint64_t *old = shadow->words + (size_t)page * PAGE_WORDS, mask = 0, last[PAGE_WORDS];
	const unsigned char *data = region->data + (size_t)page * PAGE_BYTES;
	size_t rest = region->bytes - (size_t)page * PAGE_BYTES, size = rest < PAGE_BYTES ? rest : PAGE_BYTES;
	if (memcmp(data, old, size) == 0)
		return true;
	if (!records_reserve(memory, records, 2 + PAGE_WORDS + LINE_WORDS))
		return false;
	if (size < PAGE_BYTES) { /* what is behind the region's end stays as it was when the region had more */
		memcpy(last, old, PAGE_BYTES);
		memcpy(last, data, size);
		data = (const unsigned char *)last;
	}
	uint64_t *record = records->words + records->count, *to = record + 2;
	for (int line = 0; line < PAGE_WORDS; line += LINE_WORDS)
		to = line_record(to, old + line, data + line * sizeof *old, line, &mask);
	record[0] = (uint64_t)index << 32 | page;
	record[1] = mask;
	records->count += (size_t)(to - record);
	return true;
}

void page_restore(const struct shadow *shadow, const struct region *region, uint32_t page)
{
	const uint64_t *words = shadow->words + (size_t)page * PAGE_WORDS;
	unsigned char *data = region->data + (size_t)page * PAGE_BYTES;
	size_t rest = region->bytes - (size_t)page * PAGE_BYTES, size = rest < PAGE_BYTES ? rest : PAGE_BYTES;
	if (memcmp(data, words, size) != 0)
		memcpy(data, words, size);
}

void records_undo(struct shadow *shadows, const uint64_t *words, size_t count)
{
	for (const uint64_t *record = words, *end = count > 0 ? words + count : words; record < end;) {
		struct shadow *shadow = &shadows[record[0] >> 32];
		uint64_t *to = shadow->words + (size_t)(uint32_t)record[0] * PAGE_WORDS, mask = record[1];
		bits_set(&shadow->undone, (uint32_t)record[0]);
		record += 2;
		while (mask != 0) {
			/* a run of words */
			int i = __builtin_ctzll(mask), run = ~(mask >> i) != 0 ? __builtin_ctzll(~(mask >> i)) : PAGE_WORDS;
			mask = i + run < PAGE_WORDS ? mask & ~UINT64_C(0) << (i + run) : 0;
			for (int k = 0; k < run; ++k)
				to[i + k] = *record++;
		}
	}
}
