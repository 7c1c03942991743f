/* bits.c - see bits.h. */
#include "base/bits.h"

static uint32_t summary_count(uint32_t word_count)
{
	return word_count / 64 + (word_count % 64 != 0);
}

size_t bits_block_size(uint32_t word_count)
{
	return ((size_t)word_count + summary_count(word_count)) * sizeof(uint64_t);
}

struct bits bits_in_block(void *block, uint32_t word_count)
{
	memset(block, 0, bits_block_size(word_count));
	uint64_t *words = block;
	return (struct bits){(void *)words, (void *)(words + word_count), word_count};
}

bool bits_reserve(struct memory *memory, struct bits *bits, uint32_t end)
{
	uint32_t count = bits->word_count, wanted = end / 64 + (end % 64 != 0);
	if (wanted <= count)
		return true;
	uint32_t grown = count + count / 2;
	if (grown < wanted)
		grown = wanted;
	uint64_t *words = memory_resize(memory, (void *)bits->words, bits_block_size(count), bits_block_size(grown));
	if (words == NULL)
		return false;
	uint64_t *summary = words + grown;
	size_t known = summary_count(count), all = summary_count(grown);
	memmove(summary, words + count, known * sizeof *summary);
	memset(summary + known, 0, (all - known) * sizeof *summary);
	memset(words + count, 0, (grown - count) * sizeof *words);
	*bits = (struct bits){(void *)words, (void *)summary, grown};
	return true;
}

void bits_free(struct memory *memory, struct bits *bits)
{
	memory_resize(memory, (void *)bits->words, bits_block_size(bits->word_count), 0);
	*bits = (struct bits){0};
}

void bits_clear_all(struct bits *bits)
{
	uint32_t end = bits->word_count;
	for (uint32_t i = bits_next_word(bits, 0, end); i < end; i = bits_next_word(bits, i + 1, end))
		atomic_store_explicit(&bits->words[i], 0, memory_order_relaxed);
	for (uint32_t i = 0; i < summary_count(end); ++i)
		atomic_store_explicit(&bits->summary[i], 0, memory_order_relaxed);
}

uint32_t bits_count(const struct bits *bits)
{
	uint32_t count = 0, end = bits->word_count;
	for (uint32_t i = bits_next_word(bits, 0, end); i < end; i = bits_next_word(bits, i + 1, end))
		count += (uint32_t)__builtin_popcountll(bits_word(bits, i));
	return count;
}
