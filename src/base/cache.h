/* cache.h - prefetching, for addresses that the program knows early and the hardware cannot predict. */
#pragma once
#include <stddef.h>

#define CACHE_LINE 64

/* Prefetches one cache line. GCC removes calls of functions that only prefetch, as it takes them for functions without effect;
 * the empty asm statement prevents that. */
static inline void cache_prefetch_line(const void *at)
{
	__builtin_prefetch(at);
	__asm__ volatile("");
}

/* Prefetches the cache lines of `size` bytes. If `size` is a multiple of CACHE_LINE but `data` does not start on a cache line,
 * the last line is left out. */
static inline void cache_prefetch(const void *data, size_t size)
{
	for (size_t i = 0; i < size; i += CACHE_LINE)
		cache_prefetch_line((const char *)data + i);
	if (size % CACHE_LINE != 0)
		cache_prefetch_line((const char *)data + size - 1);
}
