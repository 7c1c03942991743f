/* bits.c - see bits.h. */
#include "base/bits.h"

bool bits_reserve(struct memory *memory, struct bits *bits, uint32_t end)
{
	uint32_t wanted = end / 64 + (end % 64 != 0);
	if (wanted <= bits->word_count)
		return true;
	uint32_t grown = bits->word_count + bits->word_count / 2;
	if (grown < wanted)
		grown = wanted;
	size_t size = sizeof *bits->words;
	void *block = memory_resize(memory, (void *)bits->words, bits->word_count * size, grown * size);
	if (block == NULL)
		return false;
	bits->words = block;
	for (uint32_t i = bits->word_count; i < grown; ++i)
		atomic_init(&bits->words[i], 0);
	bits->word_count = grown;
	return true;
}

void bits_free(struct memory *memory, struct bits *bits)
{
	memory_resize(memory, (void *)bits->words, bits->word_count * sizeof *bits->words, 0);
	bits->words = NULL;
	bits->word_count = 0;
}

void bits_clear_all(struct bits *bits)
{
	for (uint32_t i = 0; i < bits->word_count; ++i)
		atomic_store_explicit(&bits->words[i], 0, memory_order_relaxed);
}

uint32_t bits_count(const struct bits *bits)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < bits->word_count; ++i)
		count += (uint32_t)__builtin_popcountll(bits_word(bits, i));
	return count;
}
