/* array.h - growable arrays of any type, in two steps: reserve (may fail), then push (cannot fail).
 * Because of the split every change of the world is all-or-nothing: capacity for the whole change is reserved first. Invariant:
 * count <= capacity; data is NULL exactly when capacity is 0.
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

/* Grows *data (elements of `size` bytes) to hold at least `wanted`; by at least a quarter, so that a series of single requests
 * costs linear time. Returns false, with nothing changed, when out of memory. */
bool array_grow(struct memory *memory, void **data, uint32_t *capacity, size_t size, uint32_t wanted);

/* Before a list is refilled: halves its capacity when it needed less than a quarter of it, so that the memory of a peak is not
 * kept for ever. May keep all of it. */
void array_shrink(struct memory *memory, void **data, uint32_t *capacity, size_t size, uint32_t needed);

/* Makes capacity for `wanted` elements in total. False: no memory, array unchanged. */
#define array_reserve(memory, array, wanted) \
	((wanted) <= (array)->capacity ||        \
		array_grow(memory, (void **)&(array)->data, &(array)->capacity, sizeof *(array)->data, wanted))

/* Appends; capacity must have been reserved. */
#define array_push(array, ...) (assert((array)->count < (array)->capacity), (array)->data[(array)->count++] = (__VA_ARGS__))

/* Empties the array and keeps about the capacity it needed. */
#define array_empty(memory, array)                                                                             \
	(array_shrink(memory, (void **)&(array)->data, &(array)->capacity, sizeof *(array)->data, (array)->count), \
		(array)->count = 0)

/* Removes element i by moving the last one into its position. */
#define array_swap_remove(array, i) ((array)->data[i] = (array)->data[--(array)->count])

#define array_free(memory, array)                                                                              \
	(memory_resize(memory, (array)->data, (array)->capacity * sizeof *(array)->data, 0), (array)->data = NULL, \
		(array)->count = (array)->capacity = 0)
