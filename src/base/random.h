/* random.h - random numbers: xoshiro256** of Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021.
 * Period 2^256 - 1. Not for secrets. Invariant: equal seeds give equal numbers everywhere, as all of it is integer arithmetic.
 * Pure functions of their generator; any thread. */
#pragma once
#include <stdint.h>

struct random {
	uint64_t state[4]; /* not all 0 */
};

/* Sets the state to four numbers of SplitMix64, as the authors advise: similar seeds give unrelated sequences. Source: Steele,
 * Lea, Flood, "Fast splittable pseudorandom number generators", 2014. */
struct random random_make(uint64_t seed);

/* 64 random bits. */
uint64_t random_next(struct random *random);

/* A multiple of 2^-53 in [0, 1), each with the same probability. */
double random_fraction(struct random *random);

/* A whole number in [0, count), each with the same probability. count > 0. */
uint64_t random_below(struct random *random, uint64_t count);
