/* history_pages.wide.c - compares the runs of a page with its shadow, by vectors: see history_pages.h. For one lane it is empty
 * if there are four, which every machine has. Serial. */
#include "core/history_pages.h"
#include "base/lanes.h"

#include <string.h>

#if LANES > 1 || !defined(WITH_4_LANES)

typedef uint64_t run_words __attribute__((vector_size(RUN_WORDS * 8)));
typedef uint64_t half_run __attribute__((vector_size(RUN_WORDS * 4)));

INLINE bool differ(const run_words *a, const run_words *b)
{
	run_words words = *a ^ *b;
#if LANES == 8
	typedef long long numbers __attribute__((vector_size(RUN_WORDS * 8)));
	return !__builtin_ia32_ptestz256((numbers)words, (numbers)words);
#else
	return (words[0] | words[1] | words[2] | words[3]) != 0;
#endif
}

/* No branches: guesses would fail. */
uint64_t NAME(page_runs)(uint64_t *shadow, const unsigned char *now, uint64_t **to)
{
	uint64_t mask = 0, *end = *to;
	for (int run = 0; run < PAGE_WORDS / RUN_WORDS; ++run) {
		run_words next, before;
		memcpy(&next, now + (size_t)run * sizeof next, sizeof next); /* some arrays are aligned to 4 bytes only */
		memcpy(&before, shadow + run * RUN_WORDS, sizeof before);
		memcpy(end, &before, sizeof before);
		memcpy(shadow + run * RUN_WORDS, &next, sizeof next);
		bool differs = differ(&next, &before);
		end += differs ? RUN_WORDS : 0;
		mask |= (uint64_t)differs << run;
	}
	*to = end;
	return mask;
}

/* Copies the old bytes to `to`, and the bytes now over them. */
#define TAKE(type)                                   \
	{                                                \
		type next, before;                           \
		memcpy(&next, now + at, sizeof next);        \
		memcpy(&before, shadow + at, sizeof before); \
		memcpy(to, &before, sizeof before);          \
		memcpy(shadow + at, &next, sizeof next);     \
		at += sizeof next;                           \
		to += sizeof next / sizeof *to;              \
	}

/* As stepped_take, of records with so many stepped bytes. */
INLINE void take(unsigned char *shadow, const unsigned char *now, size_t record, size_t size, uint64_t members, uint64_t *to)
{
	for (; members != 0; members &= members - 1) {
		size_t at = (size_t)__builtin_ctzll(members) * record, rest = size;
		for (; rest >= sizeof(run_words); rest -= sizeof(run_words))
			TAKE(run_words)
		for (; rest >= sizeof(half_run); rest -= sizeof(half_run))
			TAKE(half_run)
		for (; rest > 0; rest -= sizeof(uint64_t))
			TAKE(uint64_t)
	}
}

/* The sizes of both wings, whose loops have no branches then, and others. */
void NAME(stepped_take)(
	unsigned char *shadow, const unsigned char *now, const struct stepped *stepped, uint64_t members, uint64_t *to)
{
	shadow += stepped->at;
	now += stepped->at;
	switch (stepped->size) {
	case 24: take(shadow, now, stepped->record, 24, members, to); return;
	case 32: take(shadow, now, stepped->record, 32, members, to); return;
	case 40: take(shadow, now, stepped->record, 40, members, to); return;
	case 64: take(shadow, now, stepped->record, 64, members, to); return;
	case 88: take(shadow, now, stepped->record, 88, members, to); return;
	default: take(shadow, now, stepped->record, stepped->size, members, to);
	}
}

#endif
