/* sort.c - see sort.h. */
#include "base/sort.h"
#include "base/scalar.h"

/* Up to FEW keys, insertion sort; up to SOME, radix sort by bytes; else by digits of DIGIT_MOST bits. */
enum { FEW = 128, SOME = 1024, DIGIT_MOST = 11 };

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

uint64_t *sort_keys(uint64_t *keys, uint64_t *other, uint32_t count)
{
	if (count <= FEW) {
		insertion_sort(keys, count);
		return keys;
	}
	const int bits = count <= SOME ? 8 : DIGIT_MOST;
	const uint32_t digits = 1u << bits;
	for (int shift = 32; shift < 64; shift += bits) {
		uint32_t starts[1 << DIGIT_MOST], start = 0;
		memset(starts, 0, digits * sizeof *starts);
		for (uint32_t i = 0; i < count; ++i)
			++starts[keys[i] >> shift & (digits - 1)];
		if (starts[keys[0] >> shift & (digits - 1)] == count)
			continue;
		for (uint32_t digit = 0; digit < digits; ++digit) {
			uint32_t size = starts[digit];
			starts[digit] = start;
			start += size;
		}
		for (uint32_t i = 0; i < count; ++i)
			other[starts[keys[i] >> shift & (digits - 1)]++] = keys[i];
		uint64_t *sorted = other;
		other = keys;
		keys = sorted;
	}
	return keys;
}
