/* memory.c - see memory.h. */
#include "base/memory.h"
#include "base/cache.h"

#include <assert.h>
#include <string.h>

void memory_init(struct memory *memory, memory_function *allocate, void *context)
{
	memory->allocate = allocate;
	memory->context = context;
	memory->bytes = 0;
	pthread_mutex_init(&memory->lock, NULL);
}

/* A large block lies within an allocated one that is a cache line longer. The byte before the large block holds its offset from
 * the allocation's start, 1 to CACHE_LINE. */

static size_t outer_size(size_t size)
{
	return size >= MEMORY_ALIGNED_SIZE ? size + CACHE_LINE : size;
}

static size_t block_shift(const unsigned char *block, size_t size)
{
	return size >= MEMORY_ALIGNED_SIZE ? block[-1] : 0;
}

/* Returns the block of `size` bytes within `outer`. Moves the data to it from the offset old_shift, at which reallocation left
 * them. */
static void *block_align(unsigned char *outer, size_t size, size_t old_size, size_t old_shift)
{
	size_t shift = size >= MEMORY_ALIGNED_SIZE ? CACHE_LINE - (uintptr_t)outer % CACHE_LINE : 0;
	if (shift != old_shift)
		memmove(outer + shift, outer + old_shift, size < old_size ? size : old_size);
	if (shift > 0)
		outer[shift - 1] = (unsigned char)shift;
	return outer + shift;
}

/* Copies a large block that becomes small. Resizing in place would cut off the data's last bytes, as many as the offset at
 * which the data start. */
static void *block_replace(struct memory *memory, void *block, size_t old_size, size_t new_size)
{
	void *replacement = memory_resize(memory, NULL, 0, new_size);
	if (replacement != NULL) {
		memcpy(replacement, block, new_size);
		memory_resize(memory, block, old_size, 0);
	}
	return replacement;
}

void *memory_resize(struct memory *memory, void *block, size_t old_size, size_t new_size)
{
	assert((block == NULL) == (old_size == 0));
	if (old_size == new_size)
		return block;
	if (old_size >= MEMORY_ALIGNED_SIZE && new_size < MEMORY_ALIGNED_SIZE && new_size > 0)
		return block_replace(memory, block, old_size, new_size);
	size_t shift = block_shift(block, old_size);
	unsigned char *outer = block != NULL ? (unsigned char *)block - shift : NULL;
	pthread_mutex_lock(&memory->lock);
	outer = memory->allocate(memory->context, outer, outer_size(old_size), outer_size(new_size));
	if (outer != NULL || new_size == 0)
		memory->bytes += new_size - old_size;
	pthread_mutex_unlock(&memory->lock);
	return outer != NULL ? block_align(outer, new_size, old_size, shift) : NULL;
}

void memory_free(struct memory *memory, void *block, size_t size)
{
	memory_resize(memory, block, block ? size : 0, 0);
}

void *memory_zeroed(struct memory *memory, size_t size)
{
	void *block = memory_resize(memory, NULL, 0, size);
	if (block)
		memset(block, 0, size);
	return block;
}
