/* sort.c - see sort.h. */
#include "base/sort.h"
#include "base/scalar.h"

#include <stdbool.h>
#include <string.h>

enum {
	RUN = 16, /* keys that an insertion sort sorts faster than merging would */
	FEW = 512, /* up to this number of keys, merge sort */
};

uint32_t sort_key_f(float x)
{
	uint32_t bits = scalar_bits_f(x + 0.0f); /* -0 becomes 0 */
	return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

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

/* Merges two sorted runs, one after the other in `keys`. */
static void merge(const uint64_t *keys, uint32_t middle, uint32_t end, uint64_t *out)
{
	uint32_t a = 0, b = middle;
	while (a < middle && b < end) {
		bool second = keys[b] >> 32 < keys[a] >> 32;
		*out++ = keys[second ? b : a];
		b += second;
		a += !second;
	}
	memcpy(out, keys + a, (middle - a) * sizeof *keys);
	memcpy(out + (middle - a), keys + b, (end - b) * sizeof *keys);
}

/* Sorts few keys faster than radix sort would: counting the digits for a radix sort alone takes about 5 us. */
static uint64_t *merge_sort(uint64_t *keys, uint64_t *other, uint32_t count)
{
	for (uint32_t i = 0; i < count; i += RUN)
		insertion_sort(keys + i, count - i < RUN ? count - i : RUN);
	for (uint32_t run = RUN; run < count; run *= 2) {
		for (uint32_t i = 0; i < count; i += 2 * run) {
			uint32_t left = count - i;
			merge(keys + i, left < run ? left : run, left < 2 * run ? left : 2 * run, other + i);
		}
		uint64_t *merged = other;
		other = keys;
		keys = merged;
	}
	return keys;
}

uint64_t *sort_keys(uint64_t *keys, uint64_t *other, uint32_t count)
{
	if (count <= FEW)
		return merge_sort(keys, other, count);
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
