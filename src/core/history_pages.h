/* history_pages.h - copies of a world's regions, and records of what has changed in them, for history.c. Serial. */
#pragma once
#include "base/array.h"
#include "base/bits.h"
#include "core/history_regions.h"

/* A copy of a region, in whole pages; the rest of the last one is 0. */
struct shadow {
	uint64_t *words;
	uint32_t pages;
	/* pages that may differ though their records do not: those that a rewind has taken back; of sets, those with members */
	struct bits doubtful;
	struct stepped stepped; /* of the region's records */
};

enum { CHUNK_WORDS = 4096 };

/* Records of changed pages, one behind the other: the runs of RUN_WORDS that differ, as they were, the mask of these runs, and
 * the numbers of region and page. Single words would take half of the memory, and three times as long. Other records hold the
 * stepped bytes of some of 64 records of a region in a row, the mask of these, and the numbers of region and word. Each lies in
 * one chunk. Chunks are used again: blocks that the system gives and takes back cost more than all else, as it clears each
 * page. */
struct record_log {
	ARRAY(struct chunk {
		uint64_t *words;
		uint32_t count; /* of words in use */
	})
	chunks;
	ARRAY(uint64_t *) spare; /* with room for all chunks */
	uint64_t first; /* number of the first chunk; the next one has the next number */
};

static inline uint32_t pages_of(size_t bytes)
{
	return (uint32_t)((bytes + PAGE_BYTES - 1) / PAGE_BYTES);
}

/* False: no memory, nothing has changed. */
bool shadow_grow(struct memory *memory, struct shadow *shadow, uint32_t pages); /* to more than it has */

/* Where the next record begins: a number that grows with the log. */
uint64_t log_end(const struct record_log *log);
/* Forget the records from a place on, or all before it. */
void log_cut(struct record_log *log, uint64_t begin);
void log_drop(struct record_log *log, uint64_t end);
void log_free(struct memory *memory, struct record_log *log);
size_t log_bytes(const struct record_log *log);

/* Compares runs of a page of the region, a mask of runs in a row, with its shadow, and records the page and updates the shadow
 * if they differ. False: no memory, nothing has changed. */
bool page_record(const struct world *world, struct record_log *log, struct shadow *shadow, uint32_t index,
	const struct region *region, uint32_t page, uint32_t runs);
/* Appends to *to the runs of a page's shadow that differ from the bytes now, moves *to behind them, and updates the shadow.
 * Returns their mask. Writes up to one run more. */
typedef uint64_t page_runs_function(uint64_t *shadow, const unsigned char *now, uint64_t **to);
page_runs_function page_runs_1, page_runs_4, page_runs_8;
/* Writes the stepped bytes of the shadow's records to `to`, and updates them. The records are members of 64 in a row, which
 * begin at `shadow` and `now`. */
typedef void stepped_take_function(
	unsigned char *shadow, const unsigned char *now, const struct stepped *stepped, uint64_t members, uint64_t *to);
stepped_take_function stepped_take_1, stepped_take_4, stepped_take_8;
/* Records the stepped bytes of records, as they were in the shadow, and updates it. Takes all of them to differ. The records
 * are members of the 64 of a region from 64 * word on. False: no memory; some are recorded. */
bool stepped_record(const struct world *world, struct record_log *log, struct shadow *shadow, uint32_t index,
	const struct region *region, uint32_t word, uint64_t members);
/* Copies runs of a page, in a row, from the shadow to the region. */
void page_restore(const struct shadow *shadow, const struct region *region, uint32_t page, uint32_t runs);
/* Prefetches the cache lines with these runs of a page and of its shadow. */
void runs_prefetch(const struct shadow *shadow, const struct region *region, uint32_t page, uint32_t runs);

/* The runs of a page with its bytes [begin, end). */
static inline uint32_t runs_with(size_t begin, size_t end)
{
	const size_t run = RUN_WORDS * sizeof(uint64_t);
	return (1u << (end + run - 1) / run) - (1u << begin / run);
}
/* Puts the words of records back into the shadows, by the numbers of their regions, from the last record on, and forgets those
 * from `begin` on. */
void log_undo(struct record_log *log, struct shadow *shadows, uint64_t begin);
