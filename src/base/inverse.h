/* inverse.h - the inverse of a permutation, in less memory than an array of its values would take.
 * The values of a permutation p form cycles x, p(x), p(p(x)), ...: the predecessor of an element is found by following its
 * cycle. On cycles longer than 8, every eighth element is marked and stores the previous mark, so that at most 16 steps are
 * needed. This takes about 6 bits per element.
 * Source: Munro, Raman, Raman, Rao, "Succinct representations of permutations and functions", 2012.
 * Any thread may query. */
#pragma once
#include "base/memory.h"

#include <stdbool.h>

struct inverse {
	uint32_t count; /* number of elements */
	uint32_t back_count; /* number of marks */
	uint64_t *marks; /* one bit per element */
	uint32_t *marked_before; /* for each word of marks: the number of marks in the words before it */
	uint32_t *backs; /* for each mark, in ascending order: the previous mark on its cycle */
};

/* of: a permutation of 0 .. count - 1, of fewer than 2^31. The caller keeps it, unchanged, and passes it to inverse_at. False:
 * no memory, and nothing to free. */
bool inverse_make(struct memory *memory, const uint32_t *of, uint32_t count, struct inverse *out);
void inverse_free(struct memory *memory, struct inverse *inverse);
size_t inverse_bytes(const struct inverse *inverse);

/* The element x for which of[x] is `value`. */
uint32_t inverse_at(const struct inverse *inverse, const uint32_t *of, uint32_t value);
