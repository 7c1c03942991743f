/* cache.h - prefetching, for addresses that the program knows early and the hardware cannot predict. */
#pragma once
#include <stddef.h>

#define CACHE_LINE 64

/* Prefetches the cache lines of `size` bytes. If `size` is a multiple of CACHE_LINE but `data` does not start on a cache line,
 * the last line is left out. */
static inline void cache_prefetch(const void *data, size_t size)
{
	for (size_t i = 0; i < size; i += CACHE_LINE)
		__builtin_prefetch((const char *)data + i);
	if (size % CACHE_LINE != 0)
		__builtin_prefetch((const char *)data + size - 1);
}
