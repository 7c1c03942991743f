/* inverse.c - see inverse.h. */
#include "base/inverse.h"

enum { APART = 8 }; /* steps between marks; a cycle of at most this length has none */

#define FIRST 0x80000000u

/* At least as many as there can be marks, of which a cycle of nine elements has two, and one more. */
static size_t found_count(uint32_t count)
{
	return count / 4 + 1;
}

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

/* Adds the elements of x's cycle to `seen`. Writes every eighth of them, from x on, to `found`, and returns their number, or 0
 * if the cycle has at most 8. */
static uint32_t go_around(const uint32_t *of, uint32_t x, uint64_t *seen, uint32_t *found)
{
	uint32_t length = 0, marks = 0, at = x;
	do {
		set(seen, at);
		if (length % APART == 0)
			found[marks++] = at;
		++length;
		at = of[at];
	} while (at != x);
	return length > APART ? marks : 0;
}

/* Lists the marks, cycle by cycle, each in the order of its cycle. The first of each cycle has FIRST. */
static void mark_cycles(struct inverse *inverse, const uint32_t *of, uint64_t *seen, uint32_t *found)
{
	for (uint32_t x = 0; x < inverse->count; ++x) {
		if (has(seen, x))
			continue;
		uint32_t *cycle = found + inverse->back_count, marks = go_around(of, x, seen, cycle);
		for (uint32_t i = 0; i < marks; ++i)
			set(inverse->marks, cycle[i]);
		if (marks > 0)
			cycle[0] |= FIRST;
		inverse->back_count += marks;
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

/* Stores for each mark the previous mark on its cycle. found: as mark_cycles lists them. */
static void marks_link_back(struct inverse *inverse, const uint32_t *found)
{
	for (uint32_t i = 0, end; i < inverse->back_count; i = end) {
		for (end = i + 1; end < inverse->back_count && !(found[end] & FIRST); ++end)
			inverse->backs[rank(inverse, found[end])] = found[end - 1] & ~FIRST;
		inverse->backs[rank(inverse, found[i] & ~FIRST)] = found[end - 1];
	}
}

bool inverse_make(struct memory *memory, const uint32_t *of, uint32_t count, struct inverse *out)
{
	size_t words = word_count(count);
	*out = (struct inverse){.count = count};
	out->marks = memory_zeroed(memory, words * sizeof *out->marks);
	out->marked_before = memory_resize(memory, NULL, 0, words * sizeof *out->marked_before);
	uint64_t *seen = memory_zeroed(memory, words * sizeof *seen);
	uint32_t *found = memory_resize(memory, NULL, 0, found_count(count) * sizeof *found);
	bool done = out->marks != NULL && out->marked_before != NULL && seen != NULL && found != NULL;
	if (done) {
		mark_cycles(out, of, seen, found);
		count_marks(out);
		out->backs = out->back_count ? memory_resize(memory, NULL, 0, out->back_count * sizeof *out->backs) : NULL;
		done = out->back_count == 0 || out->backs != NULL;
	}
	if (done)
		marks_link_back(out, found);
	else
		inverse_free(memory, out);
	memory_free(memory, seen, words * sizeof *seen);
	memory_free(memory, found, found_count(count) * sizeof *found);
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
