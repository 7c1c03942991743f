/* array.c - see array.h. */
#include "base/array.h"

/* Arrays of LARGE bytes or more grow by an eighth, smaller ones by half: in large arrays unused capacity wastes more, and
 * allocators move large blocks without copying. */
enum { LARGE = 1 << 16 };

bool array_grow(struct memory *memory, void **data, uint32_t *capacity, size_t size, uint32_t wanted)
{
	if (wanted <= *capacity)
		return true;
	uint32_t grown = *capacity + *capacity / (*capacity * size < LARGE ? 2 : 8);
	if (grown < wanted)
		grown = wanted < 8 ? 8 : wanted;
	void *block = memory_resize(memory, *data, *capacity * size, grown * size);
	if (block == NULL)
		return false;
	*data = block;
	*capacity = grown;
	return true;
}

void array_shrink(struct memory *memory, void **data, uint32_t *capacity, size_t size, uint32_t needed)
{
	uint32_t half = *capacity / 2;
	if (needed >= half / 2 || half * size < MEMORY_ALIGNED_SIZE)
		return;
	void *block = memory_resize(memory, *data, *capacity * size, half * size);
	if (block == NULL)
		return;
	*data = block;
	*capacity = half;
}
