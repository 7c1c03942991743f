/* inverse.h - the inverse of a permutation, in less room than another permutation takes.
 * The values of a permutation p form cycles x, p(x), p(p(x)), ...: what comes before f is found by going around. On long cycles
 * every eighth element is marked and knows the mark before it, so that at most 16 steps are needed: some 6 bits for each
 * element.
 * Source: Munro, Raman, Raman, Rao, "Succinct representations of permutations and functions", 2012.
 * Making and freeing like all memory; questions from any thread. */
#pragma once
#include "base/memory.h"

#include <stdbool.h>

struct inverse {
	uint32_t count; /* of elements */
	uint32_t back_count; /* of marks */
	uint64_t *marks; /* a bit for each element */
	uint32_t *marked_before; /* of each word of marks: how many marks the words before it have */
	uint32_t *backs; /* of each mark, in ascending order: the mark before it on its cycle */
};

/* of: a permutation of 0 .. count - 1, which the caller keeps. False: no memory, and nothing is left to free. */
bool inverse_make(struct memory *memory, const uint32_t *of, uint32_t count, struct inverse *out);
void inverse_free(struct memory *memory, struct inverse *inverse);
size_t inverse_bytes(const struct inverse *inverse);

/* The element x for which of[x] is `value`. */
uint32_t inverse_at(const struct inverse *inverse, const uint32_t *of, uint32_t value);
