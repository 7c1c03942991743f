/* history_pages.h - copies of a world's regions, and records of what has changed in them, for history.c. Serial. */
#pragma once
#include "base/bits.h"
#include "core/history_regions.h"

/* A copy of a region, in whole pages; the rest of the last one is 0. */
struct shadow {
	uint64_t *words;
	uint32_t pages;
	struct bits undone; /* pages that a rewind has taken back */
};

/* Records of changed pages: each the numbers of its region and page, the mask of its runs of RUN_WORDS that differ, and these
 * as they were. Single words would take half of the memory, and three times as long. */
struct records {
	uint64_t *words;
	size_t count, capacity; /* of words */
};

static inline uint32_t pages_of(size_t bytes)
{
	return (uint32_t)((bytes + PAGE_BYTES - 1) / PAGE_BYTES);
}

/* False: no memory, nothing has changed. */
bool shadow_grow(struct memory *memory, struct shadow *shadow, uint32_t pages); /* to more than it has */
bool records_reserve(struct memory *memory, struct records *records, size_t more);

/* Compares a page of the region with its shadow, and records it and updates the shadow if it differs. False: no memory, nothing
 * has changed. */
bool page_record(struct memory *memory, struct records *records, struct shadow *shadow, uint32_t index,
	const struct region *region, uint32_t page);
/* Copies a page from the shadow to the region. */
void page_restore(const struct shadow *shadow, const struct region *region, uint32_t page);
/* Puts the words of records back into the shadows, by the numbers of their regions. */
void records_undo(struct shadow *shadows, const uint64_t *words, size_t count);
