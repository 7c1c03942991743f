/* inverse.c - see inverse.h. */
#include "base/inverse.h"

bool inverse_make(struct memory *memory, const uint32_t *of, uint32_t count, struct inverse *out)
{
	*out = (struct inverse){.count = count};
	while (count >> out->shift > UINT16_MAX)
		++out->shift;
	out->groups = memory_resize(memory, NULL, 0, inverse_bytes(out));
	for (uint32_t place = 0; out->groups != NULL && place < count; ++place)
		out->groups[of[place]] = (uint16_t)(place >> out->shift);
	return out->groups != NULL;
}

void inverse_free(struct memory *memory, struct inverse *inverse)
{
	memory_free(memory, inverse->groups, inverse_bytes(inverse));
	*inverse = (struct inverse){0};
}

size_t inverse_bytes(const struct inverse *inverse)
{
	return inverse->count * sizeof *inverse->groups;
}

uint32_t inverse_at(const struct inverse *inverse, const uint32_t *of, uint32_t element)
{
	uint32_t place = (uint32_t)inverse->groups[element] << inverse->shift;
	while (of[place] != element)
		++place;
	return place;
}
