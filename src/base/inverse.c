/* inverse.c - see inverse.h. */
#include "base/inverse.h"

enum { APART = 8 }; /* steps between marks; a cycle of at most this length has none */

static size_t word_count(uint32_t count)
{
	return ((size_t)count + 63) / 64;
}

static bool has(const uint64_t *bits, uint32_t x)
{
	return bits[x / 64] >> x % 64 & 1;
}

static void set(uint64_t *bits, uint32_t x)
{
	bits[x / 64] |= (uint64_t)1 << x % 64;
}

static uint32_t rank(const struct inverse *inverse, uint32_t x)
{
	uint64_t before = inverse->marks[x / 64] & (((uint64_t)1 << x % 64) - 1);
	return inverse->marked_before[x / 64] + (uint32_t)__builtin_popcountll(before);
}

/* Adds the elements of x's cycle to `seen`. Returns their number. */
static uint32_t go_around(const uint32_t *of, uint32_t x, uint64_t *seen)
{
	uint32_t length = 0, at = x;
	do {
		set(seen, at);
		++length;
		at = of[at];
	} while (at != x);
	return length;
}

static void mark_cycles(struct inverse *inverse, const uint32_t *of, uint64_t *seen)
{
	for (uint32_t x = 0; x < inverse->count; ++x) {
		if (has(seen, x))
			continue;
		uint32_t length = go_around(of, x, seen), at = x;
		for (uint32_t i = 0; i < length && length > APART; ++i, at = of[at]) {
			if (i % APART != 0)
				continue;
			set(inverse->marks, at);
			++inverse->back_count;
		}
	}
}

static void count_marks(struct inverse *inverse)
{
	uint32_t sum = 0;
	for (size_t word = 0; word < word_count(inverse->count); ++word) {
		inverse->marked_before[word] = sum;
		sum += (uint32_t)__builtin_popcountll(inverse->marks[word]);
	}
}

/* Stores for each mark the previous mark on its cycle. */
static void marks_link_back(struct inverse *inverse, const uint32_t *of)
{
	for (uint32_t x = 0; x < inverse->count; ++x) {
		if (!has(inverse->marks, x))
			continue;
		uint32_t at = of[x];
		while (!has(inverse->marks, at))
			at = of[at];
		inverse->backs[rank(inverse, at)] = x;
	}
}

bool inverse_make(struct memory *memory, const uint32_t *of, uint32_t count, struct inverse *out)
{
	size_t words = word_count(count);
	*out = (struct inverse){.count = count};
	out->marks = memory_zeroed(memory, words * sizeof *out->marks);
	out->marked_before = memory_resize(memory, NULL, 0, words * sizeof *out->marked_before);
	uint64_t *seen = memory_zeroed(memory, words * sizeof *seen);
	bool done = out->marks != NULL && out->marked_before != NULL && seen != NULL;
	if (done) {
		mark_cycles(out, of, seen);
		count_marks(out);
		out->backs = out->back_count ? memory_resize(memory, NULL, 0, out->back_count * sizeof *out->backs) : NULL;
		done = out->back_count == 0 || out->backs != NULL;
	}
	if (done)
		marks_link_back(out, of);
	else
		inverse_free(memory, out);
	memory_free(memory, seen, words * sizeof *seen);
	return done;
}

void inverse_free(struct memory *memory, struct inverse *inverse)
{
	size_t words = word_count(inverse->count);
	memory_free(memory, inverse->marks, words * sizeof *inverse->marks);
	memory_free(memory, inverse->marked_before, words * sizeof *inverse->marked_before);
	memory_free(memory, inverse->backs, inverse->back_count * sizeof *inverse->backs);
	*inverse = (struct inverse){0};
}

size_t inverse_bytes(const struct inverse *inverse)
{
	return word_count(inverse->count) * (sizeof *inverse->marks + sizeof *inverse->marked_before) +
		inverse->back_count * sizeof *inverse->backs;
}

/* Follows the cycle from `value`. At the first mark, which may be `value` itself, jumps back to the previous mark, once. */
uint32_t inverse_at(const struct inverse *inverse, const uint32_t *of, uint32_t value)
{
	bool jumped = false;
	uint32_t x = value;
	while (of[x] != value) {
		bool jumps = !jumped && has(inverse->marks, x);
		x = jumps ? inverse->backs[rank(inverse, x)] : of[x];
		jumped |= jumps;
	}
	return x;
}
