/* sort.h - radix sort of numbers with their payloads.
 * Pure, any thread. */
#pragma once
#include <stdint.h>

/* An unsigned number that orders as the float does: the sign bit of a positive float is set, all bits of a negative one are
 * inverted. */
uint32_t sort_key_f(float x);

/* Sorts keys by their upper 32 bits, stably, in three digits of 11 bits from the lowest. Returns the sorted array: `keys` or
 * `other`. */
uint64_t *sort_keys(uint64_t *keys, uint64_t *other, uint32_t count);
