/* bits.h - sets of small integers. Parallel phases write them, and serial phases read them in ascending order: so the result
 * does not depend on the number of workers, and nothing is sorted. Visiting, counting and clearing take time proportional to
 * the number of words with members, plus, for each of up to 64 groups of words with members, capacity / 262144: so a set may
 * have room for each body of the world, and an empty one costs nothing. Invariants: integers at or above the capacity are no
 * members; a word is 0 if its bit in the summary is 0, and a word of the summary if its bit in `groups` is 0. Many threads at
 * once may call bits_set_shared and bits_clear_shared; other changes need exclusive access. */
#pragma once
#include "base/memory.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct bits {
	_Atomic uint64_t *words; /* a block of memory; a single word lies in `small`, so such a set must stay where it is */
	_Atomic uint64_t *summary; /* a bit for each word: 1 if it may have members. Lies behind the words */
	_Atomic uint64_t small[2];
	_Atomic uint64_t groups; /* a bit for each group of words of the summary: 1 if it may have members */
	uint32_t word_count;
	uint32_t shift; /* a group has 1 << shift words of the summary */
};

/* bits_reserve reserves capacity for the integers below `end`; bits_grow for `words_wanted` times 64 of them, more than there
 * is now. False: no memory, set unchanged. */
bool bits_grow(struct memory *memory, struct bits *bits, uint32_t words_wanted);
static inline bool bits_reserve(struct memory *memory, struct bits *bits, uint32_t end)
{
	uint32_t words = end / 64 + (end % 64 != 0);
	return words <= bits->word_count || bits_grow(memory, bits, words);
}
void bits_free(struct memory *memory, struct bits *bits);
/* Makes an empty set in the caller's block of bits_block_size bytes, aligned to 8. Its capacity is fixed. */
struct bits bits_in_block(void *block, uint32_t word_count);
size_t bits_block_size(uint32_t word_count);
uint32_t bits_count(const struct bits *bits);
/* Adds the members of another set, for which there is capacity. */
void bits_add_all(struct bits *bits, const struct bits *others);
/* Unmarks a word that has become 0. Called by bits_clear. */
void bits_word_emptied(struct bits *bits, uint32_t word);
/* As bits_clear_all, of a set that may have members. */
void bits_clear_some(struct bits *bits);

static inline uint64_t bits_word(const struct bits *bits, uint32_t word)
{
	return atomic_load_explicit(&bits->words[word], memory_order_relaxed);
}

static inline bool bits_has(const struct bits *bits, uint32_t i)
{
	return i / 64 < bits->word_count && (bits_word(bits, i / 64) >> i % 64 & 1) != 0;
}

static inline uint64_t bits_summary(const struct bits *bits, uint32_t i)
{
	return atomic_load_explicit(&bits->summary[i], memory_order_relaxed);
}

static inline uint64_t bits_groups(const struct bits *bits)
{
	return atomic_load_explicit(&bits->groups, memory_order_relaxed);
}

static inline void bits_clear_all(struct bits *bits)
{
	if (bits_groups(bits) != 0)
		bits_clear_some(bits);
}

/* The bit in `groups` of the group of a word. */
static inline uint64_t bits_group(const struct bits *bits, uint32_t word)
{
	return UINT64_C(1) << (word / 64 >> bits->shift);
}

static inline void bits_set(struct bits *bits, uint32_t i)
{
	assert(i / 64 < bits->word_count);
	uint32_t word = i / 64;
	uint64_t old = bits_word(bits, word);
	atomic_store_explicit(&bits->words[word], old | UINT64_C(1) << i % 64, memory_order_relaxed);
	if (old != 0)
		return;
	atomic_store_explicit(
		&bits->summary[word / 64], bits_summary(bits, word / 64) | UINT64_C(1) << word % 64, memory_order_relaxed);
	atomic_store_explicit(&bits->groups, bits_groups(bits) | bits_group(bits, word), memory_order_relaxed);
}

static inline void bits_set_shared(struct bits *bits, uint32_t i)
{
	assert(i / 64 < bits->word_count);
	uint32_t word = i / 64;
	if (bits_word(bits, word) >> i % 64 & 1)
		return; /* a word that is only read stays in every core's cache */
	atomic_fetch_or_explicit(&bits->words[word], UINT64_C(1) << i % 64, memory_order_relaxed);
	if ((bits_summary(bits, word / 64) >> word % 64 & 1) != 0)
		return;
	atomic_fetch_or_explicit(&bits->summary[word / 64], UINT64_C(1) << word % 64, memory_order_relaxed);
	if ((bits_groups(bits) & bits_group(bits, word)) == 0)
		atomic_fetch_or_explicit(&bits->groups, bits_group(bits, word), memory_order_relaxed);
}

/* Leaves the word's bit in the summary set: another thread may be adding a member to the same word. */
static inline void bits_clear_shared(struct bits *bits, uint32_t i)
{
	if (bits_has(bits, i))
		atomic_fetch_and_explicit(&bits->words[i / 64], ~(UINT64_C(1) << i % 64), memory_order_relaxed);
}

static inline void bits_clear(struct bits *bits, uint32_t i)
{
	if (!bits_has(bits, i))
		return;
	uint64_t rest = bits_word(bits, i / 64) & ~(UINT64_C(1) << i % 64);
	atomic_store_explicit(&bits->words[i / 64], rest, memory_order_relaxed);
	if (rest == 0)
		bits_word_emptied(bits, i / 64);
}

/* The index of the first word of the summary in [i, end) that is not 0, or `end`. */
static inline uint32_t bits_next_summary(const struct bits *bits, uint32_t i, uint32_t end)
{
	while (i < end) {
		uint64_t groups = bits_groups(bits) >> (i >> bits->shift);
		if (groups == 0)
			return end;
		uint32_t skipped = (uint32_t)__builtin_ctzll(groups);
		if (skipped > 0)
			i = ((i >> bits->shift) + skipped) << bits->shift;
		if (i < end && bits_summary(bits, i) != 0)
			return i;
		++i;
	}
	return end;
}

/* The index of the first word in [word, end) that may have members, or `end`. */
static inline uint32_t bits_next_word(const struct bits *bits, uint32_t word, uint32_t end)
{
	if (word >= end)
		return end;
	uint32_t i = word / 64, last = end / 64 + (end % 64 != 0);
	uint64_t rest = bits_summary(bits, i) & ~UINT64_C(0) << word % 64;
	if (rest == 0) {
		i = bits_next_summary(bits, i + 1, last);
		if (i == last)
			return end;
		rest = bits_summary(bits, i);
	}
	word = i * 64 + (uint32_t)__builtin_ctzll(rest);
	return word < end ? word : end;
}

/* The smallest member >= i, in the words before `word_end` (at most word_count); UINT32_MAX: none. */
static inline uint32_t bits_next_before(const struct bits *bits, uint32_t i, uint32_t word_end)
{
	uint32_t word = i / 64;
	if (word >= word_end)
		return UINT32_MAX;
	uint64_t rest = bits_word(bits, word) & ~UINT64_C(0) << i % 64;
	while (rest == 0) {
		word = bits_next_word(bits, word + 1, word_end);
		if (word == word_end)
			return UINT32_MAX;
		rest = bits_word(bits, word);
	}
	return word * 64 + (uint32_t)__builtin_ctzll(rest);
}

/* The smallest member >= i, or UINT32_MAX: for (i = bits_next(s, 0); i != UINT32_MAX; i = bits_next(s, i + 1)). */
static inline uint32_t bits_next(const struct bits *bits, uint32_t i)
{
	if (i == 0 && bits_groups(bits) == 0)
		return UINT32_MAX;
	return bits_next_before(bits, i, bits->word_count);
}

/* The end of the run of members that begins with member i, or of its part in i's word. */
static inline uint32_t bits_run_end(const struct bits *bits, uint32_t i)
{
	uint64_t others = ~bits_word(bits, i / 64) >> i % 64;
	return others == 0 ? (i / 64 + 1) * 64 : i + (uint32_t)__builtin_ctzll(others);
}

/* The index of the last word before `end` that may have members, or UINT32_MAX. */
static inline uint32_t bits_previous_word(const struct bits *bits, uint32_t end)
{
	uint32_t i = end / 64;
	uint64_t rest = end % 64 != 0 ? bits_summary(bits, i) & ~(~UINT64_C(0) << end % 64) : 0;
	while (rest == 0) {
		if (i == 0)
			return UINT32_MAX;
		rest = bits_summary(bits, --i);
	}
	return i * 64 + 63 - (uint32_t)__builtin_clzll(rest);
}

/* The largest member < end, or UINT32_MAX: for (i = bits_previous(s, end); i != UINT32_MAX; i = bits_previous(s, i)). */
static inline uint32_t bits_previous(const struct bits *bits, uint32_t end)
{
	uint32_t word = end / 64 < bits->word_count ? end / 64 : bits->word_count;
	uint64_t rest = word < bits->word_count ? bits_word(bits, word) & ~(~UINT64_C(0) << end % 64) : 0;
	while (rest == 0) {
		word = bits_previous_word(bits, word);
		if (word == UINT32_MAX)
			return UINT32_MAX;
		rest = bits_word(bits, word);
	}
	return word * 64 + 63 - (uint32_t)__builtin_clzll(rest);
}
