/* sort.h - radix sort of numbers with what they belong to.
 * Pure, any thread. */
#pragma once
#include <stdint.h>

/* An unsigned number that orders as the float does: a positive one gets its sign bit set, a negative one all bits turned. */
uint32_t sort_key_f(float x);

/* Sorts keys by their upper 32 bits, three digits of 11 bits from the lowest, and returns where they end up: in `keys` or in
 * `other`. Equal ones keep their order. */
uint64_t *sort_keys(uint64_t *keys, uint64_t *other, uint32_t count);
