/* cache.h - calls for memory before it is needed, where the order of reading is known and the processor cannot foresee it. */
#pragma once
#include <stddef.h>

#define CACHE_LINE 64

/* What is whole lines long is taken to begin with one. */
static inline void cache_prefetch(const void *data, size_t size)
{
	for (size_t i = 0; i < size; i += CACHE_LINE)
		__builtin_prefetch((const char *)data + i);
	if (size % CACHE_LINE != 0)
		__builtin_prefetch((const char *)data + size - 1);
}
