/* array.h - growable arrays of any type. Elements are added in two steps: reserve (may fail), then push (cannot fail). So every
 * change of the world is all-or-nothing: it reserves the capacity for all of its arrays first. Invariant: count <= capacity;
 * data is NULL exactly when capacity is 0.
 * Not thread-safe. */
#pragma once
#include "base/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define ARRAY(type)               \
	struct {                      \
		type *data;               \
		uint32_t count, capacity; \
	}

/* Ensures capacity for `wanted` elements of `size` bytes. The capacity grows by at least an eighth, so that reserving one more
 * element at a time costs linear time in total. False: no memory, nothing changed. */
bool array_grow(struct memory *memory, void **data, uint32_t *capacity, size_t size, uint32_t wanted);

/* Halves the capacity if `needed` is below a quarter of it and the halved block has at least MEMORY_ALIGNED_SIZE bytes: an
 * array that is refilled in each step must not keep the memory of a peak for ever. If there is no memory for the halved block,
 * nothing changes. */
void array_shrink(struct memory *memory, void **data, uint32_t *capacity, size_t size, uint32_t needed);

/* Ensures capacity for `wanted` elements in total. False: no memory, array unchanged. */
#define array_reserve(memory, array, wanted) \
	((wanted) <= (array)->capacity ||        \
		array_grow(memory, (void **)&(array)->data, &(array)->capacity, sizeof *(array)->data, wanted))

/* Appends; capacity must have been reserved. */
#define array_push(array, ...) (assert((array)->count < (array)->capacity), (array)->data[(array)->count++] = (__VA_ARGS__))

/* Empties the array, and halves its capacity if it used less than a quarter: see array_shrink. */
#define array_empty(memory, array)                                                                             \
	(array_shrink(memory, (void **)&(array)->data, &(array)->capacity, sizeof *(array)->data, (array)->count), \
		(array)->count = 0)

/* Removes element i by moving the last one into its position. */
#define array_swap_remove(array, i) ((array)->data[i] = (array)->data[--(array)->count])

#define array_free(memory, array)                                                                                     \
	((array)->data != NULL ? (void)memory_resize(memory, (array)->data, (array)->capacity * sizeof *(array)->data, 0) \
						   : (void)0,                                                                                 \
		(array)->data = NULL, (array)->count = (array)->capacity = 0)
