/* pairset.c - see pairset.h. */
#include "base/pairset.h"
#include "base/cache.h"
#include "base/scalar.h"

#include <assert.h>
#include <stddef.h>

static uint64_t pair_key(uint32_t a, uint32_t b)
{
	return a < b ? (uint64_t)b << 32 | a : (uint64_t)a << 32 | b;
}

static uint32_t key_slot(const struct pairset *set, uint64_t key)
{
	return scramble(key) & (set->capacity - 1);
}

/* The slot of the key, or the empty one at which the search for it ends. */
static uint32_t slot_find(const struct pairset *set, uint64_t key)
{
	uint32_t slot = key_slot(set, key);
	while (set->keys[slot] != 0 && set->keys[slot] != key)
		slot = (slot + 1) & (set->capacity - 1);
	return slot;
}

bool pairset_reserve(struct memory *memory, struct pairset *set, uint32_t count)
{
	uint32_t capacity = set->capacity ? set->capacity : 16;
	while (capacity / 2 < count)
		capacity *= 2;
	if (capacity == set->capacity)
		return true;
	struct pairset grown = {memory_zeroed(memory, capacity * sizeof *set->keys), capacity, set->count};
	if (grown.keys == NULL)
		return false;
	for (uint32_t i = 0; i < set->capacity; ++i)
		if (set->keys[i] != 0)
			grown.keys[slot_find(&grown, set->keys[i])] = set->keys[i];
	pairset_free(memory, set);
	*set = grown;
	return true;
}

void pairset_free(struct memory *memory, struct pairset *set)
{
	memory_resize(memory, set->keys, set->capacity * sizeof *set->keys, 0);
	*set = (struct pairset){0};
}

void pairset_prefetch(const struct pairset *set, uint32_t a, uint32_t b)
{
	if (set->capacity > 0)
		cache_prefetch(&set->keys[key_slot(set, pair_key(a, b))], sizeof *set->keys);
}

bool pairset_has(const struct pairset *set, uint32_t a, uint32_t b)
{
	return set->capacity > 0 && set->keys[slot_find(set, pair_key(a, b))] != 0;
}

void pairset_add(struct pairset *set, uint32_t a, uint32_t b)
{
	assert(a != b && set->count < set->capacity / 2);
	uint32_t slot = slot_find(set, pair_key(a, b));
	assert(set->keys[slot] == 0);
	set->keys[slot] = pair_key(a, b);
	++set->count;
}

void pairset_remove(struct pairset *set, uint32_t a, uint32_t b)
{
	uint32_t mask = set->capacity - 1, hole = slot_find(set, pair_key(a, b));
	assert(set->keys[hole] != 0);
	/* Close the hole: a later key of the run moves into it unless its home lies cyclically in (hole, slot]. */
	for (uint32_t slot = (hole + 1) & mask; set->keys[slot] != 0; slot = (slot + 1) & mask) {
		uint32_t home = key_slot(set, set->keys[slot]);
		if (((slot - home) & mask) >= ((slot - hole) & mask)) {
			set->keys[hole] = set->keys[slot];
			hole = slot;
		}
	}
	set->keys[hole] = 0;
	--set->count;
}
