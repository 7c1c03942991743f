/* random.c - see random.h. */
#include "base/random.h"

struct random random_make(uint64_t seed)
{
	struct random random;
	for (int i = 0; i < 4; ++i) {
		seed += UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / golden ratio */
		uint64_t z = (seed ^ seed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
		z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
		random.state[i] = z ^ z >> 31;
	}
	return random;
}

static uint64_t rotate_left(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

uint64_t random_next(struct random *random)
{
	uint64_t *s = random->state, result = rotate_left(s[1] * 5, 7) * 9, shifted = s[1] << 17;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = rotate_left(s[3], 45);
	return result;
}

double random_fraction(struct random *random)
{
	return (double)(random_next(random) >> 11) * 0x1p-53;
}

uint64_t random_below(struct random *random, uint64_t count)
{
	/* Without the first 2^64 mod count numbers, each remainder is equally frequent. */
	uint64_t excess = -count % count, bits;
	do
		bits = random_next(random);
	while (bits < excess);
	return bits % count;
}
