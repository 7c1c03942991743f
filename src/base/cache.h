/* cache.h - prefetching, where the order of accesses is known and the hardware cannot predict it. */
#pragma once
#include <stddef.h>

#define CACHE_LINE 64

/* Data whose size is a multiple of the line is assumed to be aligned to one. */
static inline void cache_prefetch(const void *data, size_t size)
{
	for (size_t i = 0; i < size; i += CACHE_LINE)
		__builtin_prefetch((const char *)data + i);
	if (size % CACHE_LINE != 0)
		__builtin_prefetch((const char *)data + size - 1);
}
