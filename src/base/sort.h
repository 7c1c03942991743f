/* sort.h - radix sort of 32-bit keys with 32-bit payloads.
 * Pure, any thread. */
#pragma once
#include <stdint.h>

/* An unsigned number that orders as the float does: sets the sign bit of positive floats, inverts all bits of negative ones. */
uint32_t sort_key_f(float x);

/* Sorts by the upper 32 bits, stably; the lower 32 bits are payload. Radix sort in three digits of 11 bits, lowest first.
 * `other` is scratch for `count` keys. Returns the array that holds the result: `keys` or `other`. */
uint64_t *sort_keys(uint64_t *keys, uint64_t *other, uint32_t count);
