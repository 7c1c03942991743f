/* archive.h - writing records to a block of bytes, and reading them back. One function per record passes its members to an
 * archive, in either direction, so that writer and reader cannot differ. Numbers are little-endian, without padding.
 * Reading trusts nothing: the first number out of its range is a fault, after which all members are read as 0; a count is at
 * most the number of bytes left over the size of one element, so that memory taken is proportional to the size of the block.
 * Not thread-safe. */
#pragma once
#include "base/array.h"
#include "base/bits.h"
#include "base/ids.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct archive {
	struct memory *memory; /* of the bytes written, and of what is read */
	struct memory *shape_memory; /* of shapes that are read */
	bool reading;
	bool shapes_shared; /* shapes are passed by address, to a reader that shares them with the world that is written */
	bool no_memory; /* a request has failed: all that follows is void */
	const char *fault; /* the first fault of the bytes read; NULL: none so far */
	unsigned char *bytes; /* when writing, the archive's own block; when reading, the caller's */
	size_t at, size; /* of the next byte; of the bytes to read [bytes] */
	size_t capacity; /* of the block when writing [bytes] */
	/* The archive's names have the numbers 1 .. name_count. Writing: these, by number in this process, 0 for names that have
	 * not been met yet; reading: numbers in this process, by number in the archive less 1. NULL: they are the same */
	uint16_t *names;
	uint32_t name_count;
};

/* Limits of shapes that are read: those of arguments, with room for rounding errors and scaling. */
#define ARCHIVE_REACH 4e7f /* of coordinates in a body's frame [length] */
#define ARCHIVE_LEAST 1e-18f /* of sizes > 0 [length] */
#define ARCHIVE_APART 5e-7 /* of points that must differ [length] */

struct archive archive_writer(struct memory *memory);
struct archive archive_reader(struct memory *memory, const void *bytes, size_t size);
/* Frees the bytes written. */
void archive_free(struct archive *archive);

/* Whether nothing has failed so far. */
static inline bool archive_good(const struct archive *archive)
{
	return archive->fault == NULL && !archive->no_memory;
}

/* Reading: a fault unless `condition` holds. Returns archive_good. */
bool archive_check(struct archive *archive, bool condition, const char *fault);
/* Reading: a fault unless `count` elements of `least` > 0 bytes are left. Returns archive_good. */
bool archive_left(struct archive *archive, uint64_t count, size_t least);
/* A block of size > 0 bytes, all zero, of the archive's memory, which the caller frees. NULL: none, and archive->no_memory. */
void *archive_zeroed(struct archive *archive, size_t size);

/* Passes `size` bytes as they are; what is read after a fault is 0. */
void pass_bytes(struct archive *archive, void *bytes, size_t size);

void pass_u8(struct archive *archive, uint8_t *value);
void pass_u16(struct archive *archive, uint16_t *value);
void pass_u32(struct archive *archive, uint32_t *value);
void pass_u64(struct archive *archive, uint64_t *value);
void pass_i32(struct archive *archive, int32_t *value);
void pass_bool(struct archive *archive, bool *value); /* 0 or 1 */
/* pass_f32 and pass_f64: any number, infinite ones and NAN included. */
void pass_f32(struct archive *archive, float *value);
void pass_f64(struct archive *archive, double *value);
/* Numbers from `low` to `high`. */
void pass_range_f32(struct archive *archive, float *values, uint32_t count, float low, float high);
void pass_range_f64(struct archive *archive, double *values, uint32_t count, double low, double high);
/* Pass a number, an array of numbers, or a struct of nothing but numbers; from -1e30 to 1e30. */
#define PASS_FLOATS(archive, member) \
	pass_range_f32(archive, (float *)(void *)(member), sizeof *(member) / (sizeof(float)), -1e30f, 1e30f)
/* The same for any finite number, as the inverses of the least masses are. */
#define PASS_INVERSES(archive, member) \
	pass_range_f32(archive, (float *)(void *)(member), sizeof *(member) / (sizeof(float)), -FLT_MAX, FLT_MAX)
/* The same for any number but NAN, as the inertia of the largest bodies is infinite. */
#define PASS_INERTIA(archive, member) \
	pass_range_f32(archive, (float *)(void *)(member), sizeof *(member) / (sizeof(float)), -INFINITY, INFINITY)
#define PASS_DOUBLES(archive, member) \
	pass_range_f64(archive, (double *)(void *)(member), sizeof *(member) / (sizeof(double)), -1e30, 1e30)
/* A number below `end`. */
void pass_below(struct archive *archive, uint32_t *value, uint32_t end);
/* A number below `end`, or NONE. */
void pass_index(struct archive *archive, uint32_t *value, uint32_t end);
/* A value of an enum or bit-field, 0 <= value < end: passed as a number, returned. */
uint32_t pass_kind(struct archive *archive, uint32_t value, uint32_t end);

/* The number of a material's name: see archive->names. 0: none. */
void pass_name(struct archive *archive, uint16_t *name);

/* Passes a number of elements, each of which takes at least `least` > 0 further bytes. */
uint32_t pass_count(struct archive *archive, uint32_t count, size_t least);

/* Passes the count of an array of elements that take at least `least` bytes each, and when reading reserves them. Elements read
 * are zeroed: the caller passes each. */
#define pass_array(archive, array, least) \
	((array)->count =                     \
			pass_array_of(archive, (void **)&(array)->data, &(array)->capacity, sizeof *(array)->data, (array)->count, least))
uint32_t pass_array_of(struct archive *archive, void **data, uint32_t *capacity, size_t size, uint32_t count, size_t least);

/* Passes a set with members below `end`, and when reading reserves room for `end`. */
void pass_bits(struct archive *archive, struct bits *bits, uint32_t end);
/* Passes ids, of which each in use will take at least `least` > 0 further bytes. Reading, reserves room for these. That the
 * free ones differ from each other is for the caller to check. */
void pass_ids(struct archive *archive, struct ids *ids, size_t least);
