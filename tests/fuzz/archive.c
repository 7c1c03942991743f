/* archive.c - shapes and curves in archives: archive [MUTATIONS a kind].
 * Random shapes of all kinds, scaled, moved and edited, are written, read and written again: the bytes are the same, and so
 * are, to the bit, the results of all that is asked of both. Then the bytes are bad: each bit flipped in turn, the archive cut
 * off, spliced and mixed, memory short. Whatever is read is refused, or is a shape that answers all questions and is written as
 * one that is read again. Memory is bounded by the size of the archive. A program of its own, linked with the module's objects:
 * what it asks has no Lua function. With sanitizers it finds what trusts the bytes. */
#include "base/archive.h"
#include "core/curve.h"
#include "d2/shape/archive.h"
#include "d2/shape/tiles.h"
#include "d3/shape/archive.h"
#include "archive.h" /* last: parameters have the names of its variables */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct memory memory;
static size_t held, most_held;
static long allocations_left = -1; /* < 0: any number */
static int failures;

static void *allocate(void *context, void *block, size_t old_size, size_t new_size)
{
	(void)context;
	if (new_size > old_size && allocations_left == 0)
		return NULL;
	allocations_left -= new_size > old_size && allocations_left > 0;
	held += new_size - old_size;
	most_held = held > most_held ? held : most_held;
	if (new_size > 0)
		return realloc(block, new_size);
	free(block);
	return NULL;
}

static void fail(const char *what, const char *name)
{
	if (failures++ < 20)
		printf("%s: %s\n", name, what);
}

/* --- Random numbers ------------------------------------------------------------------------------------------------------- */

uint64_t state = 1;

double number(double low, double high)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

uint32_t below(uint32_t end)
{
	return (uint32_t)number(0, end);
}

float real(double low, double high)
{
	return (float)number(low, high);
}

/* --- Results as a number -------------------------------------------------------------------------------------------------- */

void add(struct digest *digest, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; ++i)
		digest->hash = (digest->hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
}

void add_numbers(struct digest *digest, int count, ...)
{
	va_list list;
	va_start(list, count);
	for (int i = 0; i < count; ++i) {
		double x = va_arg(list, double);
		digest->sane &= is_finite_d(x);
		add(digest, &x, sizeof x);
	}
	va_end(list);
}

void add_material(struct digest *digest, const struct material *m)
{
	if (m == NULL)
		return;
	add_numbers(digest, 7, (double)m->friction, (double)m->restitution, (double)m->rolling_resistance, (double)m->tangent_speed,
		(double)m->tangent_velocity[0], (double)m->tangent_velocity[1], (double)m->tangent_velocity[2]);
	add_numbers(digest, 4, (double)m->name, (double)m->friction_mixing, (double)m->restitution_mixing, (double)m->has);
}

struct material random_material(void)
{
	return (struct material){.friction = real(0, 1),
		.restitution = real(0, 1),
		.tangent_speed = real(-1, 1),
		.tangent_velocity = {1, 2, real(0, 1)},
		.name = (uint16_t)below(4),
		.friction_mixing = (uint8_t)below(6),
		.has = (uint8_t)below(128)};
}

void random_materials(struct materials *materials, uint32_t parts, bool holes)
{
	static struct material list[3];
	static uint8_t of[4096];
	*materials = (struct materials){3, list, of};
	for (int i = 0; i < 3; ++i)
		list[i] = random_material();
	for (uint32_t i = 0; i < parts; ++i)
		of[i] = holes && i > 0 && below(8) == 0 ? MATERIALS_HOLE : (uint8_t)below(4);
}

/* --- Curves --------------------------------------------------------------------------------------------------------------- */

static const char *const curve_names[] = {"curve", "looped curve"};

static void *curve_make(int kind)
{
	double points[30];
	uint32_t count = 3 + below(8);
	for (uint32_t i = 0; i < 3 * count; ++i)
		points[i] = number(-5, 5);
	return curve_create(&memory, points, count, 3, kind == 1);
}

static struct digest curve_probe(void *given)
{
	const struct curve *curve = given;
	struct digest digest = {1, true};
	state = 7;
	for (int i = 0; i < 20; ++i) {
		struct curve_place place;
		float q[3] = {real(-9, 9), real(-9, 9), real(-9, 9)}, s = real(-0.2, 1.2) * curve->length;
		curve_at(curve, s, &place);
		add(&digest, &place, sizeof place);
		add_numbers(&digest, 2, (double)curve_project(curve, q, s), (double)curve_nearest(curve, q));
	}
	return digest;
}

static void curve_pass_any(struct archive *archive, void **given)
{
	struct curve *curve = *given;
	curve_pass(archive, &curve);
	*given = curve;
}

static void curve_release(void *given)
{
	curve_destroy(&memory, given);
}

void edit_none(void *given)
{
	(void)given;
}

/* --- The laws ------------------------------------------------------------------------------------------------------------- */

static const struct family curve_family = {
	curve_names, sizeof curve_names / sizeof *curve_names, curve_make, curve_probe, curve_pass_any, curve_release, edit_none};

static const struct family *const families[] = {&d2_family, &d3_family, &curve_family};

static void *make(const struct family *family, int kind)
{
	for (;;) {
		void *made = family->make(kind);
		if (made != NULL)
			return made;
	}
}

static struct archive write(const struct family *family, void *given)
{
	struct archive archive = archive_writer(&memory);
	family->pass(&archive, &given);
	return archive;
}

/* Reads from a block of exactly this size, so that sanitizers see the end. Memory is bounded: a face of a tiles' area takes 6
 * bytes and is 400 in memory, a box of a compound is 160 and 1700. */
static void *read(const struct family *family, const unsigned char *bytes, size_t size, struct archive *archive)
{
	void *shape = NULL;
	unsigned char *copy = malloc(size + !size);
	memcpy(copy, bytes, size);
	size_t before = held;
	*archive = archive_reader(&memory, copy, size);
	most_held = held;
	family->pass(archive, &shape);
	if (most_held - before > 4096 + 200 * size)
		fail("reading took more memory than 200 bytes for one of the archive", family->names[0]);
	if ((shape != NULL) != archive_good(archive))
		fail("a shape in spite of a fault, or none without", family->names[0]);
	free(copy);
	return shape;
}

static bool same(const struct archive *a, const struct archive *b)
{
	return a->at == b->at && memcmp(a->bytes, b->bytes, a->at) == 0;
}

static void check_equal(const struct family *family, int kind)
{
	void *shape = make(family, kind);
	struct archive first = write(family, shape), archive;
	void *again = read(family, first.bytes, first.at, &archive);
	if (again == NULL) {
		fail(archive.fault ? archive.fault : "no memory", family->names[kind]);
	} else {
		struct archive second = write(family, again);
		struct digest a = family->probe(shape), b = family->probe(again);
		if (archive.at != first.at || !same(&first, &second))
			fail("written again it has other bytes", family->names[kind]);
		if (a.hash != b.hash)
			fail("the results differ", family->names[kind]);
		if (!a.sane)
			fail("a result is not finite", family->names[kind]);
		state = 9;
		family->edit(shape);
		state = 9;
		family->edit(again);
		if (family->probe(shape).hash != family->probe(again).hash)
			fail("the results differ after an edit", family->names[kind]);
		archive_free(&second);
		family->release(again);
	}
	archive_free(&first);
	family->release(shape);
}

/* Whether the bytes are refused; if not, the shape works, and is written as one that equals it. */
static bool check_hostile(const struct family *family, int kind, const unsigned char *bytes, size_t size)
{
	struct archive archive;
	void *shape = read(family, bytes, size, &archive);
	if (shape == NULL)
		return true;
	struct archive first = write(family, shape);
	void *again = read(family, first.bytes, first.at, &archive);
	if (again == NULL) {
		fail(archive.fault ? archive.fault : "no memory", family->names[kind]);
	} else {
		struct archive second = write(family, again);
		if (!same(&first, &second))
			fail("written again it has other bytes", family->names[kind]);
		if (family->probe(shape).hash != family->probe(again).hash)
			fail("the results differ", family->names[kind]);
		family->edit(again);
		family->probe(again);
		archive_free(&second);
		family->release(again);
	}
	archive_free(&first);
	family->release(shape);
	return false;
}

static void check_flips(const struct family *family, int kind)
{
	void *shape = make(family, kind);
	struct archive archive = write(family, shape);
	for (size_t i = 0; i < archive.at; ++i)
		for (int bit = 0; bit < 8; ++bit) {
			archive.bytes[i] ^= (unsigned char)(1 << bit);
			check_hostile(family, kind, archive.bytes, archive.at);
			archive.bytes[i] ^= (unsigned char)(1 << bit);
		}
	for (size_t i = 0; i < archive.at; ++i)
		if (!check_hostile(family, kind, archive.bytes, i))
			fail("an archive that is cut off is read", family->names[kind]);
	archive_free(&archive);
	family->release(shape);
}

static uint32_t odd_number(void)
{
	static const uint32_t odd[] = {0, 1, 2, 255, 256, 65535, 65536, 0x7fffffff, 0x80000000, 0xffffffff, 0x7f800000, 0x7fc00000,
		0x00000001, 0x7f7fffff, 0x3f800000, 0x4c000000, 0x80800000};
	return odd[below(sizeof odd / sizeof *odd)];
}

/* Changes the bytes, which have room for twice as many. Returns their number. */
static size_t mutate(unsigned char *bytes, size_t size)
{
	uint32_t at = below((uint32_t)size), length = 1 + below(16), odd = odd_number();
	length = at + length > size ? (uint32_t)size - at : length;
	switch (below(6)) {
	case 0: bytes[at] ^= (unsigned char)(1u << below(8)); return size;
	case 1: bytes[at] = (unsigned char)below(256); return size;
	case 2: memcpy(bytes + at, &odd, length < 4 ? length : 4); return size;
	case 3: memmove(bytes + at, bytes + below((uint32_t)size - length + 1), length); return size;
	case 4:
		memmove(bytes + at + length, bytes + at, size - at);
		for (uint32_t i = 0; i < length; ++i)
			bytes[at + i] = (unsigned char)below(256);
		return size + length;
	default: memmove(bytes + at, bytes + at + length, size - at - length); return size - length;
	}
}

static int check_mutations(const struct family *family, int kind, int rounds)
{
	static uint64_t own = 1;
	unsigned char bytes[1 << 16];
	int read_well = 0;
	for (int round = 0; round < rounds;) {
		state = own++;
		number(0, 1);
		void *shape = make(family, kind);
		struct archive archive = write(family, shape);
		for (int k = 0; k < 50 && round < rounds; ++k, ++round) {
			size_t size = archive.at < sizeof bytes / 4 ? archive.at : sizeof bytes / 4;
			memcpy(bytes, archive.bytes, size);
			state = own++;
			for (uint32_t times = 1 + below(4); times > 0 && size > 0; --times)
				size = mutate(bytes, size);
			read_well += !check_hostile(family, kind, bytes, size);
		}
		archive_free(&archive);
		family->release(shape);
	}
	return read_well;
}

/* Fails each allocation in turn. */
static void check_memory(const struct family *family, int kind)
{
	void *shape = make(family, kind);
	struct archive archive = write(family, shape);
	size_t before = held;
	for (long i = 0;; ++i) {
		struct archive reader = archive_reader(&memory, archive.bytes, archive.at);
		void *read_shape = NULL;
		allocations_left = i;
		family->pass(&reader, &read_shape);
		allocations_left = -1;
		if (read_shape != NULL)
			family->release(read_shape);
		if (held != before)
			fail("memory is lost when there is none", family->names[kind]);
		if (read_shape != NULL)
			break;
		if (!reader.no_memory)
			fail("there was no memory, but that is not said", family->names[kind]);
	}
	archive_free(&archive);
	family->release(shape);
}

/* --- Archives that would be huge ------------------------------------------------------------------------------------------ */

static void check_bomb(const struct family *family, const char *name, const unsigned char *bytes, size_t size)
{
	struct archive archive;
	void *shape = read(family, bytes, size, &archive);
	if (shape == NULL)
		return;
	fail("was read", name);
	family->release(shape);
}

static void check_bombs(void)
{
	static const unsigned char field[] = {D3_HEIGHT_FIELD, 0, 255, 255, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
	static const unsigned char tiles[] = {
		D2_SHAPE_TYPES, 0, 0, 1, 0, 0, 16, 0, 0, 0, 0, 128, 63, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
	static unsigned char nested[50000];
	for (size_t i = 0; i + 5 <= sizeof nested; i += 5)
		memcpy(nested + i, (unsigned char[]){D3_COMPOUND, 1, 0, 0, 0}, 5);
	check_bomb(&d3_family, "a huge height field", field, sizeof field);
	check_bomb(&d2_family, "huge tiles", tiles, sizeof tiles);
	check_bomb(&d3_family, "10,000 compounds in each other", nested, sizeof nested);
}

/* --- Tiles that are edited together --------------------------------------------------------------------------------------- */

static void check_joined(void)
{
	struct d2_shape *shapes[4], *again[4];
	struct d2_tile_kind kind = {.common = {.name = 0}};
	d2_tile_kind_set(&kind, NULL, 0);
	for (int i = 0; i < 4; ++i) {
		struct d2_tiles_input input = {3, i == 3 ? 2 : 3, 1, {0, 0}, 1, &kind, (enum cell_group)(i % 3)};
		shapes[i] = d2_tiles_create(&memory, &input);
	}
	d2_tiles_join((struct d2_shape *[CELL_GROUPS]){shapes[0], shapes[1], shapes[2]});
	struct archive archive = archive_writer(&memory);
	for (int i = 0; i < 4; ++i)
		d2_shape_pass(&archive, &shapes[i]);
	size_t start = archive.at;
	d2_shapes_join(&archive, (const void *[]){shapes[0], shapes[1], shapes[2], shapes[3]}, 4);
	for (size_t i = 0; i <= 8 * (archive.at - start); ++i) {
		if (i > 0)
			archive.bytes[start + (i - 1) / 8] ^= (unsigned char)(1 << (i - 1) % 8);
		struct archive reader = archive_reader(&memory, archive.bytes, archive.at);
		for (int k = 0; k < 4; ++k)
			d2_shape_pass(&reader, &again[k]);
		d2_shapes_join(&reader, (const void *[]){again[0], again[1], again[2], again[3]}, 4);
		if (i == 0 && (!d2_tiles_joined(again[0], again[2]) || !d2_tiles_joined(again[1], again[2])))
			fail("are not edited together", "joined tiles");
		if (d2_tiles_joined(again[0], again[3]) || d2_tiles_joined(again[3], again[1]))
			fail("are edited together", "other tiles");
		for (int k = 0; k < 4; ++k)
			d2_shape_release(again[k]);
		if (i > 0)
			archive.bytes[start + (i - 1) / 8] ^= (unsigned char)(1 << (i - 1) % 8);
	}
	archive_free(&archive);
	for (int i = 0; i < 4; ++i)
		d2_shape_release(shapes[i]);
}

/* --- Names ---------------------------------------------------------------------------------------------------------------- */

static void check_names(void)
{
	static uint16_t names[3] = {7, 8, 9};
	struct archive archive = archive_writer(&memory);
	struct material saved = {.name = 3, .has = MATERIAL_NAME}, read_one = {.name = 0};
	material_pass(&archive, &saved);
	for (uint32_t count = 2; count <= 3; ++count) {
		struct archive reader = archive_reader(&memory, archive.bytes, archive.at);
		reader.names = names;
		reader.name_count = count;
		material_pass(&reader, &read_one);
		if (archive_good(&reader) != (count == 3) || read_one.name != (count == 3 ? 9 : 0))
			fail("is not the one that stands for it here", "a name");
	}
	archive_free(&archive);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 200, kinds = 0;
	memory_init(&memory, allocate, NULL);
	for (size_t f = 0; f < sizeof families / sizeof *families; ++f)
		for (int kind = 0; kind < families[f]->count; ++kind, ++kinds) {
			for (int round = 0; round < 10 + rounds / 10; ++round) {
				state = (uint64_t)(1000 * kinds + round);
				check_equal(families[f], kind);
			}
			state = 3;
			check_memory(families[f], kind);
			int well = check_mutations(families[f], kind, rounds);
			state = 5;
			if (rounds >= 1000)
				check_flips(families[f], kind);
			if (argc > 2)
				printf("%s: %d of %d mutations were read\n", families[f]->names[kind], well, rounds);
		}
	check_bombs();
	check_joined();
	check_names();
	if (held > 0)
		fail("is lost", "memory");
	printf("archives: %d kinds, %d failures\n", kinds, failures);
	return failures > 0;
}
