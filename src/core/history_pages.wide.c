/* history_pages.wide.c - compares the runs of a page with its shadow, by vectors: see history_pages.h. For one lane it is empty
 * if there are four, which every machine has. Serial. */
#include "core/history_pages.h"
#include "base/lanes.h"

#include <string.h>

#if LANES > 1 || !defined(WITH_4_LANES)

typedef uint64_t run_words __attribute__((vector_size(RUN_WORDS * 8)));

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

uint64_t *NAME(runs_take)(uint64_t *shadow, const unsigned char *now, uint32_t runs, uint64_t *to)
{
	for (; runs != 0; runs &= runs - 1, to += RUN_WORDS) {
		size_t run = (size_t)__builtin_ctz(runs);
		run_words next, before;
		memcpy(&next, now + run * sizeof next, sizeof next);
		memcpy(&before, shadow + run * RUN_WORDS, sizeof before);
		memcpy(to, &before, sizeof before);
		memcpy(shadow + run * RUN_WORDS, &next, sizeof next);
	}
	return to;
}

#endif
