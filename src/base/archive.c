/* archive.c - see archive.h. */
#include "base/archive.h"
#include "base/scalar.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are copied as they lie in memory");

struct archive archive_writer(struct memory *memory)
{
	return (struct archive){.memory = memory};
}

struct archive archive_reader(struct memory *memory, const void *bytes, size_t size)
{
	return (struct archive){.memory = memory, .reading = true, .bytes = (unsigned char *)(uintptr_t)bytes, .size = size};
}

void archive_free(struct archive *archive)
{
	if (!archive->reading)
		memory_free(archive->memory, archive->bytes, archive->capacity);
	*archive = (struct archive){.memory = archive->memory};
}

bool archive_check(struct archive *archive, bool condition, const char *fault)
{
	if (archive->reading && !condition && archive_good(archive))
		archive->fault = fault;
	return archive_good(archive);
}

bool archive_left(struct archive *archive, uint64_t count, size_t least)
{
	return archive_check(archive, count <= (archive->size - archive->at) / least, "it is truncated");
}

void *archive_zeroed(struct archive *archive, size_t size)
{
	void *block = archive->no_memory ? NULL : memory_zeroed(archive->memory, size);
	archive->no_memory |= block == NULL;
	return block;
}

/* Makes room for `size` more bytes to write. */
static bool room_make(struct archive *archive, size_t size)
{
	if (archive->no_memory)
		return false;
	if (size <= archive->capacity - archive->at)
		return true;
	size_t wanted = archive->at + size, grown = archive->capacity + archive->capacity / 2;
	grown = grown > wanted ? grown : wanted + 4096;
	unsigned char *bytes = memory_resize(archive->memory, archive->bytes, archive->capacity, grown);
	if (bytes == NULL) {
		archive->no_memory = true;
		return false;
	}
	archive->bytes = bytes;
	archive->capacity = grown;
	return true;
}

void pass_bytes(struct archive *archive, void *bytes, size_t size)
{
	if (size == 0)
		return;
	if (!archive->reading) {
		if (room_make(archive, size)) {
			memcpy(archive->bytes + archive->at, bytes, size);
			archive->at += size;
		}
	} else if (archive_check(archive, size <= archive->size - archive->at, "it is truncated")) {
		memcpy(bytes, archive->bytes + archive->at, size);
		archive->at += size;
	} else {
		memset(bytes, 0, size);
	}
}

void pass_u8(struct archive *archive, uint8_t *value)
{
	pass_bytes(archive, value, sizeof *value);
}

void pass_u16(struct archive *archive, uint16_t *value)
{
	pass_bytes(archive, value, sizeof *value);
}

void pass_u32(struct archive *archive, uint32_t *value)
{
	pass_bytes(archive, value, sizeof *value);
}

void pass_u64(struct archive *archive, uint64_t *value)
{
	pass_bytes(archive, value, sizeof *value);
}

void pass_i32(struct archive *archive, int32_t *value)
{
	pass_bytes(archive, value, sizeof *value);
}

void pass_f32(struct archive *archive, float *value)
{
	pass_bytes(archive, value, sizeof *value);
}

void pass_f64(struct archive *archive, double *value)
{
	pass_bytes(archive, value, sizeof *value);
}

void pass_bool(struct archive *archive, bool *value)
{
	*value = pass_kind(archive, *value, 2) != 0;
}

void pass_range_f32(struct archive *archive, float *values, uint32_t count, float low, float high)
{
	pass_bytes(archive, values, count * sizeof *values);
	for (uint32_t i = 0; archive->reading && i < count; ++i)
		if (!archive_check(archive, values[i] >= low && values[i] <= high, "a number is out of range"))
			values[i] = 0.0f;
}

void pass_range_f64(struct archive *archive, double *values, uint32_t count, double low, double high)
{
	pass_bytes(archive, values, count * sizeof *values);
	for (uint32_t i = 0; archive->reading && i < count; ++i)
		if (!archive_check(archive, values[i] >= low && values[i] <= high, "a number is out of range"))
			values[i] = 0.0;
}

void pass_below(struct archive *archive, uint32_t *value, uint32_t end)
{
	pass_u32(archive, value);
	if (!archive_check(archive, *value < end, "an index is out of range"))
		*value = archive->reading ? 0 : *value;
}

void pass_index(struct archive *archive, uint32_t *value, uint32_t end)
{
	pass_u32(archive, value);
	if (!archive_check(archive, *value < end || *value == NONE, "an index is out of range"))
		*value = archive->reading ? NONE : *value;
}

uint32_t pass_kind(struct archive *archive, uint32_t value, uint32_t end)
{
	uint8_t byte = (uint8_t)value;
	pass_u8(archive, &byte);
	return archive_check(archive, byte < end, "a kind is out of range") || !archive->reading ? byte : 0;
}

void pass_name(struct archive *archive, uint16_t *name)
{
	uint16_t number = *name;
	if (!archive->reading && archive->names != NULL && number != 0) {
		if (archive->names[number] == 0)
			archive->names[number] = (uint16_t)++archive->name_count;
		number = archive->names[number];
	}
	pass_u16(archive, &number);
	if (archive->reading && archive->names != NULL && number != 0)
		number =
			archive_check(archive, number <= archive->name_count, "a name is out of range") ? archive->names[number - 1] : 0;
	if (archive->reading)
		*name = number;
}

uint32_t pass_count(struct archive *archive, uint32_t count, size_t least)
{
	pass_u32(archive, &count);
	return archive->reading && !archive_left(archive, count, least) ? 0 : count;
}

uint32_t pass_array_of(struct archive *archive, void **data, uint32_t *capacity, size_t size, uint32_t count, size_t least)
{
	count = pass_count(archive, count, least);
	if (!archive->reading || count == 0)
		return count;
	if (count > *capacity && !array_grow(archive->memory, data, capacity, size, count)) {
		archive->no_memory = true;
		return 0;
	}
	memset(*data, 0, count * size);
	return count;
}

void pass_bits(struct archive *archive, struct bits *bits, uint32_t end)
{
	uint32_t count = pass_count(archive, archive->reading ? 0 : bits_count(bits), sizeof(uint32_t)), i = 0;
	if (!archive->reading) {
		for (i = bits_next(bits, 0); i != UINT32_MAX; i = bits_next(bits, i + 1))
			pass_u32(archive, &i);
		return;
	}
	if (!archive_good(archive) || !bits_reserve(archive->memory, bits, end)) {
		archive->no_memory |= archive_good(archive);
		return;
	}
	for (uint32_t k = 0; k < count; ++k) {
		pass_below(archive, &i, end);
		if (archive_good(archive))
			bits_set(bits, i);
	}
}

void pass_ids(struct archive *archive, struct ids *ids, size_t least)
{
	uint32_t used = ids_count(ids), count = pass_count(archive, ids->free.count, sizeof(uint32_t));
	used = pass_count(archive, used, least);
	if (archive->reading) {
		archive_check(archive, used <= UINT32_MAX / 4 && count <= UINT32_MAX / 4, "there are too many objects");
		archive->no_memory |= archive_good(archive) && !ids_reserve(archive->memory, ids, used + count);
		ids->free.count = archive_good(archive) ? count : 0;
		ids->end = archive_good(archive) ? used + count : 0;
	}
	for (uint32_t i = 0; i < ids->free.count; ++i)
		pass_below(archive, &ids->free.data[i], ids->end);
}
