/* pairset.h - a hash set of unordered pairs of different ids, open addressing with linear probing.
 * Deletion shifts the run back instead of leaving tombstones, so that the probe length depends on what is in the set and not on
 * its history. Load is kept at or below 1/2.
 * Many threads may call pairset_has while nobody changes the set. */
#pragma once
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

struct pairset {
	uint64_t *keys; /* 0 is empty: no pair has it, since the two ids differ */
	uint32_t capacity; /* a power of two, or 0 */
	uint32_t count;
};

/* Makes room for `count` pairs. False: no memory, set unchanged. */
bool pairset_reserve(struct memory *memory, struct pairset *set, uint32_t count);
void pairset_free(struct memory *memory, struct pairset *set);
/* Soon pairset_has will be asked about the pair. */
void pairset_prefetch(const struct pairset *set, uint32_t a, uint32_t b);
bool pairset_has(const struct pairset *set, uint32_t a, uint32_t b);
void pairset_add(struct pairset *set, uint32_t a, uint32_t b); /* not yet in the set; room reserved */
void pairset_remove(struct pairset *set, uint32_t a, uint32_t b); /* in the set */
