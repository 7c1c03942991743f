/* sort.c - see sort.h. */
#include "base/sort.h"
#include "base/scalar.h"

enum { FEW = 128 }; /* up to this number of keys, insertion sort */

uint32_t sort_key_f(float x)
{
	uint32_t bits = scalar_bits_f(x + 0.0f); /* -0 becomes 0 */
	return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

/* Sorts few keys faster than radix sort would: counting the digits for a radix sort alone takes about 5 us. */
static void insertion_sort(uint64_t *keys, uint32_t count)
{
	for (uint32_t i = 1; i < count; ++i) {
		uint64_t key = keys[i];
		uint32_t to = i;
		for (; to > 0 && keys[to - 1] >> 32 > key >> 32; --to)
			keys[to] = keys[to - 1];
		keys[to] = key;
	}
}

uint64_t *sort_keys(uint64_t *keys, uint64_t *other, uint32_t count)
{
	if (count <= FEW) {
		insertion_sort(keys, count);
		return keys;
	}
	for (int shift = 32; shift < 64; shift += 11) {
		uint32_t starts[2048] = {0}, start = 0;
		for (uint32_t i = 0; i < count; ++i)
			++starts[keys[i] >> shift & 2047];
		for (uint32_t digit = 0; digit < 2048; ++digit) {
			uint32_t size = starts[digit];
			starts[digit] = start;
			start += size;
		}
		for (uint32_t i = 0; i < count; ++i)
			other[starts[keys[i] >> shift & 2047]++] = keys[i];
		uint64_t *sorted = other;
		other = keys;
		keys = sorted;
	}
	return keys;
}
