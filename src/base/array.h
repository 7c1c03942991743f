/* array.h - growable arrays of any type, in two steps: reserve (may fail), then push (cannot).
 * The split is what makes every change of the world all-or-nothing: room for the whole change is reserved first. Invariant:
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

/* Grows *data (elements of `size` bytes) to hold at least `wanted`; at least by a quarter, so that a run of single requests
 * stays linear. Returns false, and changes nothing, when there is no memory. */
bool array_grow(struct memory *memory, void **data, uint32_t *capacity, size_t size, uint32_t wanted);

/* Gives back half of what a list that is about to be filled anew has room for, when it needed less than a quarter: what a peak
 * took is not kept for ever. It may hold on to all of it. */
void array_shrink(struct memory *memory, void **data, uint32_t *capacity, size_t size, uint32_t needed);

/* Makes room for `wanted` elements in all. False: no memory, array unchanged. */
#define array_reserve(memory, array, wanted) \
	((wanted) <= (array)->capacity ||        \
		array_grow(memory, (void **)&(array)->data, &(array)->capacity, sizeof *(array)->data, wanted))

/* Appends; room must have been reserved. */
#define array_push(array, ...) (assert((array)->count < (array)->capacity), (array)->data[(array)->count++] = (__VA_ARGS__))

/* Empties it; room for about as many stays. */
#define array_empty(memory, array)                                                                             \
	(array_shrink(memory, (void **)&(array)->data, &(array)->capacity, sizeof *(array)->data, (array)->count), \
		(array)->count = 0)

/* Removes element i by moving the last one into its place. */
#define array_swap_remove(array, i) ((array)->data[i] = (array)->data[--(array)->count])

#define array_free(memory, array)                                                                              \
	(memory_resize(memory, (array)->data, (array)->capacity * sizeof *(array)->data, 0), (array)->data = NULL, \
		(array)->count = (array)->capacity = 0)
