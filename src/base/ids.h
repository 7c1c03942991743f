/* ids.h - small dense ids, reused last-in first-out, so that the same calls give the same ids.
 * Ids index arrays. Holders of an id that may be stale compare a generation kept with the data.
 * Not thread-safe. */
#pragma once
#include "base/array.h"

#define NONE UINT32_MAX

struct ids {
	ARRAY(uint32_t) free; /* ids given back; has capacity for all ids ever taken, so that giving back cannot fail */
	uint32_t end; /* the least id never taken so far */
};

/* Ensures that ids_take succeeds until `end` ids are in use. False: no memory. */
static inline bool ids_reserve(struct memory *memory, struct ids *ids, uint32_t end)
{
	return array_reserve(memory, &ids->free, end);
}

static inline uint32_t ids_take(struct ids *ids)
{
	assert(ids->free.count > 0 || ids->end < ids->free.capacity);
	return ids->free.count > 0 ? ids->free.data[--ids->free.count] : ids->end++;
}

/* The id that ids_take will return after `ahead` further calls. */
static inline uint32_t ids_ahead(const struct ids *ids, uint32_t ahead)
{
	return ahead < ids->free.count ? ids->free.data[ids->free.count - 1 - ahead] : ids->end + (ahead - ids->free.count);
}

static inline void ids_give(struct ids *ids, uint32_t id)
{
	assert(id < ids->end);
	array_push(&ids->free, id);
}

static inline void ids_free(struct memory *memory, struct ids *ids)
{
	array_free(memory, &ids->free);
	ids->end = 0;
}

static inline uint32_t ids_count(const struct ids *ids)
{
	return ids->end - ids->free.count;
}
