/* memory.c - see memory.h. Floor: base. */
#include "base/memory.h"

#include <assert.h>
#include <string.h>

void memory_init(struct memory *memory, memory_function *allocate, void *context)
{
	memory->allocate = allocate;
	memory->context = context;
	memory->bytes = 0;
	pthread_mutex_init(&memory->lock, NULL);
}

void *memory_resize(struct memory *memory, void *block, size_t old_size, size_t new_size)
{
	assert((block == NULL) == (old_size == 0));
	if (old_size == new_size)
		return block;
	pthread_mutex_lock(&memory->lock);
	void *result = memory->allocate(memory->context, block, old_size, new_size);
	if (result || new_size == 0)
		memory->bytes += new_size - old_size;
	pthread_mutex_unlock(&memory->lock);
	return result;
}

void *memory_zeroed(struct memory *memory, size_t size)
{
	void *block = memory_resize(memory, NULL, 0, size);
	if (block)
		memset(block, 0, size);
	return block;
}
