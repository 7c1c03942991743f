/* inverse.h - the inverse of a permutation in two bytes per element: of the place of each element, the upper 16 bits are
 * stored, and the elements in that group of places are searched, which are one for up to 65,536 elements, and 256 for 2^24. Any
 * thread may query. */
#pragma once
#include "base/memory.h"

#include <stdbool.h>

struct inverse {
	uint32_t count; /* number of elements */
	uint32_t shift; /* a group has 1 << shift places */
	uint16_t *groups; /* by element: the group of its place */
};

/* of: a permutation of 0 .. count - 1, the element at each place. The caller keeps it, unchanged, and passes it to inverse_at.
 * False: no memory, and nothing to free. */
bool inverse_make(struct memory *memory, const uint32_t *of, uint32_t count, struct inverse *out);
void inverse_free(struct memory *memory, struct inverse *inverse);
size_t inverse_bytes(const struct inverse *inverse);

/* The place x for which of[x] is `element`. */
uint32_t inverse_at(const struct inverse *inverse, const uint32_t *of, uint32_t element);
