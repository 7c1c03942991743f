/* ids.c - see ids.h. */
#include "base/ids.h"

bool ids_reserve(struct memory *memory, struct ids *ids, uint32_t end)
{
	return array_reserve(memory, &ids->free, end);
}

uint32_t ids_take(struct ids *ids)
{
	if (ids->free.count > 0)
		return ids->free.data[--ids->free.count];
	assert(ids->end < ids->free.capacity);
	return ids->end++;
}

void ids_give(struct ids *ids, uint32_t id)
{
	assert(id < ids->end);
	array_push(&ids->free, id);
}

void ids_free(struct memory *memory, struct ids *ids)
{
	array_free(memory, &ids->free);
	ids->end = 0;
}
