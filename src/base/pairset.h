/* pairset.h - a hash set of unordered pairs of different ids, open addressing with linear probing.
 * Deletion shifts the run back instead of leaving tombstones, so that the probe length depends on the contents of the set and
 * not on its history. The load is at most 1/2.
 * Many threads may call pairset_has while nobody changes the set. */
#pragma once
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

struct pairset {
	uint64_t *keys; /* 0 is empty: never a key, since the two ids differ */
	uint32_t capacity; /* a power of two, or 0 */
	uint32_t count;
};

/* Makes capacity for `count` pairs. False: no memory, set unchanged. */
bool pairset_reserve(struct memory *memory, struct pairset *set, uint32_t count);
void pairset_free(struct memory *memory, struct pairset *set);
/* Prefetches for a later pairset_has of the pair. */
void pairset_prefetch(const struct pairset *set, uint32_t a, uint32_t b);
bool pairset_has(const struct pairset *set, uint32_t a, uint32_t b);
void pairset_add(struct pairset *set, uint32_t a, uint32_t b); /* not yet in the set; capacity reserved */
void pairset_remove(struct pairset *set, uint32_t a, uint32_t b); /* in the set */
