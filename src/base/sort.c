/* sort.c - see sort.h. Floor: base. */
#include "base/sort.h"
#include "base/scalar.h"

uint32_t sort_key_f(float x)
{
	uint32_t bits = scalar_bits_f(x + 0.0f); /* -0 becomes 0 */
	return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

uint64_t *sort_keys(uint64_t *keys, uint64_t *other, uint32_t count)
{
	for (int shift = 32; shift < 64; shift += 11) {
		uint32_t starts[2048] = { 0 }, start = 0;
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
