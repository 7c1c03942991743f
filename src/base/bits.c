/* bits.c - see bits.h. */
#include "base/bits.h"

static uint32_t summary_count(uint32_t word_count)
{
	return word_count / 64 + (word_count % 64 != 0);
}

/* The least shift with which 64 groups cover the summary. */
static uint32_t shift_of(uint32_t word_count)
{
	uint32_t shift = 0;
	while (summary_count(word_count) > UINT32_C(64) << shift)
		++shift;
	return shift;
}

static void groups_find(struct bits *bits)
{
	uint64_t groups = 0;
	for (uint32_t word = 0; word < bits->word_count; word += 64)
		groups |= bits_summary(bits, word / 64) != 0 ? bits_group(bits, word) : 0;
	atomic_store_explicit(&bits->groups, groups, memory_order_relaxed);
}

size_t bits_block_size(uint32_t word_count)
{
	return ((size_t)word_count + summary_count(word_count)) * sizeof(uint64_t);
}

struct bits bits_in_block(void *block, uint32_t word_count)
{
	memset(block, 0, bits_block_size(word_count));
	uint64_t *words = block;
	return (struct bits){.words = (void *)words,
		.summary = (void *)(words + word_count),
		.word_count = word_count,
		.shift = shift_of(word_count)};
}

/* Resizes the block of the words and the summary to that of `count` > 1 words, which begins with the old ones. NULL: no
 * memory. */
static uint64_t *block_resize(struct memory *memory, struct bits *bits, uint32_t count)
{
	size_t size = bits_block_size(bits->word_count);
	if (bits->word_count > 1)
		return memory_resize(memory, (void *)bits->words, size, bits_block_size(count));
	uint64_t *words = memory_resize(memory, NULL, 0, bits_block_size(count));
	if (words != NULL)
		memcpy(words, (const void *)bits->small, size);
	return words;
}

bool bits_grow(struct memory *memory, struct bits *bits, uint32_t words_wanted)
{
	uint32_t count = bits->word_count, grown = count + count / 2;
	if (grown < words_wanted)
		grown = words_wanted;
	uint64_t *words = grown == 1 ? (uint64_t *)bits->small : block_resize(memory, bits, grown);
	if (words == NULL)
		return false;
	uint64_t *summary = words + grown;
	size_t known = summary_count(count), all = summary_count(grown);
	memmove(summary, words + count, known * sizeof *summary);
	memset(summary + known, 0, (all - known) * sizeof *summary);
	memset(words + count, 0, (grown - count) * sizeof *words);
	bits->words = (void *)words;
	bits->summary = (void *)summary;
	bits->word_count = grown;
	bits->shift = shift_of(grown);
	groups_find(bits);
	return true;
}

void bits_free(struct memory *memory, struct bits *bits)
{
	if (bits->word_count > 1)
		memory_resize(memory, (void *)bits->words, bits_block_size(bits->word_count), 0);
	*bits = (struct bits){0};
}

void bits_clear_some(struct bits *bits)
{
	uint32_t end = bits->word_count, last = summary_count(end);
	for (uint32_t i = bits_next_summary(bits, 0, last); i < last; i = bits_next_summary(bits, i + 1, last)) {
		for (uint64_t rest = bits_summary(bits, i); rest != 0; rest &= rest - 1)
			atomic_store_explicit(&bits->words[i * 64 + (uint32_t)__builtin_ctzll(rest)], 0, memory_order_relaxed);
		atomic_store_explicit(&bits->summary[i], 0, memory_order_relaxed);
	}
	atomic_store_explicit(&bits->groups, 0, memory_order_relaxed);
}

void bits_word_emptied(struct bits *bits, uint32_t word)
{
	uint64_t rest = bits_summary(bits, word / 64) & ~(UINT64_C(1) << word % 64);
	atomic_store_explicit(&bits->summary[word / 64], rest, memory_order_relaxed);
	if (rest != 0)
		return;
	uint32_t first = word / 64 >> bits->shift << bits->shift, end = first + (UINT32_C(1) << bits->shift);
	for (uint32_t i = first; i < end && i < summary_count(bits->word_count); ++i)
		if (bits_summary(bits, i) != 0)
			return;
	atomic_store_explicit(&bits->groups, bits_groups(bits) & ~bits_group(bits, word), memory_order_relaxed);
}

void bits_add_all(struct bits *bits, const struct bits *others)
{
	uint32_t end = others->word_count;
	for (uint32_t i = bits_next_word(others, 0, end); i < end; i = bits_next_word(others, i + 1, end)) {
		uint64_t members = bits_word(others, i);
		if (members == 0)
			continue;
		bits_set(bits, i * 64 + (uint32_t)__builtin_ctzll(members));
		atomic_store_explicit(&bits->words[i], bits_word(bits, i) | members, memory_order_relaxed);
	}
}

uint32_t bits_count(const struct bits *bits)
{
	uint32_t count = 0, end = bits->word_count;
	for (uint32_t i = bits_next_word(bits, 0, end); i < end; i = bits_next_word(bits, i + 1, end))
		count += (uint32_t)__builtin_popcountll(bits_word(bits, i));
	return count;
}
