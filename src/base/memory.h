/* memory.h - the source of all memory of the engine.
 * A `struct memory` is an allocator with a count of the bytes handed out. A request that cannot be met returns NULL and leaves
 * the old block unchanged: running out of memory is a result, never an abort. Large blocks start on a cache line.
 * Any thread may call: requests are serialised, so the underlying allocator (a Lua state's, say) need not be thread-safe, as
 * long as nothing else calls it while the engine's threads run. */
#pragma once
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/* Blocks of this size or more are aligned to CACHE_LINE [bytes]. */
#define MEMORY_ALIGNED_SIZE 1024

/* Has the contract of lua_Alloc: new_size 0 frees and returns NULL; otherwise resizes, or returns NULL and keeps the block. */
typedef void *memory_function(void *context, void *block, size_t old_size, size_t new_size);

struct memory {
	memory_function *allocate;
	void *context;
	size_t bytes; /* handed out and not yet returned [bytes] */
	pthread_mutex_t lock;
};

void memory_init(struct memory *memory, memory_function *allocate, void *context);

/* Resizes `block` (NULL when old_size is 0) to new_size bytes. Returns the new block, NULL when new_size is 0 or when there is
 * no memory; in the latter case the old block is untouched. New bytes are not initialised. */
void *memory_resize(struct memory *memory, void *block, size_t old_size, size_t new_size);

/* Frees a block of `size` bytes. NULL: does nothing. */
void memory_free(struct memory *memory, void *block, size_t size);

/* A new block of `size` > 0 bytes, all zero, or NULL. */
void *memory_zeroed(struct memory *memory, size_t size);
