/* broad_phase.c - see broad_phase.h. */
#include "core/broad_phase.h"
#include "base/float4.h"
#include "base/sort.h"
#include "core/proxy.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Width of a strip in mean box widths, and least mean number of entries in a strip. Chosen by measuring Box2D's benchmark
 * scenes. */
#define STRIP_BOXES 4.0
enum { STRIP_ENTRIES = 32 };

void broad_phase_free(struct memory *memory, struct broad_phase *broad_phase)
{
	array_free(memory, &broad_phase->entries);
	array_free(memory, &broad_phase->marks);
	array_free(memory, &broad_phase->keys);
	array_free(memory, &broad_phase->starts);
	array_free(memory, &broad_phase->indices);
}

/* --- Vicinity of moved proxies -------------------------------------------------------------------------------------------- */

/* If fewer than one in FEW_MOVED of the drifting proxies has moved, the search leaves out those away from all moved ones:
 * bodies at rest beside a few that move, and most parts of a large body. Boxes of more than VICINITY_SPAN rows or planes are
 * not left out. All chosen by measuring. */
enum { FEW_MOVED = 8, VICINITY_ROWS = 1024, VICINITY_PLANE = 37, VICINITY_SPAN = 16 };
#define VICINITY_BOXES 2.0f

/* A grid whose cells are VICINITY_BOXES mean widths of the moved proxies' boxes wide. Cells repeat, so that outliers do not
 * make them coarser: 64 columns on the first axis, and VICINITY_ROWS rows, which advance by 1 with a cell on the second axis
 * and by VICINITY_PLANE with one on the third. */
struct vicinity {
	float4 per_length; /* cells per length on each axis */
	uint64_t rows[VICINITY_ROWS]; /* for each cell a bit: whether it overlaps a moved proxy's box */
};

/* The cell of a position; monotonic on each axis. */
static int4 vicinity_cell(const struct vicinity *vicinity, const float at[4])
{
	float4 cell = float4_read(at) * vicinity->per_length, far = float4_of(0x1p30f), zero = {0};
	cell = float4_choose(vicinity->per_length > zero, cell, zero); /* 0 times infinity is NaN */
	return __builtin_convertvector(float4_least(float4_most(cell, -far), far), int4);
}

/* With `mark`, marks the cells of the box. Returns whether one of them was marked; true if there are too many to look. */
static inline bool vicinity_visit(struct vicinity *vicinity, const struct box *box, bool mark)
{
	int4 first = vicinity_cell(vicinity, box->lower), more = vicinity_cell(vicinity, box->upper) - first;
	if (more[1] >= VICINITY_SPAN || more[2] >= VICINITY_SPAN) {
		memset(vicinity->rows, mark ? 0xff : 0, mark ? sizeof vicinity->rows : 0);
		return true;
	}
	uint64_t columns = UINT64_MAX >> (63 - (more[0] < 63 ? more[0] : 63)), found = 0;
	columns = columns << (first[0] & 63) | columns >> (-first[0] & 63);
	for (int32_t k = 0; k <= more[2]; ++k)
		for (int32_t j = 0; j <= more[1]; ++j) {
			uint64_t *row = &vicinity->rows[(uint32_t)((first[1] + j) + VICINITY_PLANE * (first[2] + k)) % VICINITY_ROWS];
			found |= *row & columns;
			if (mark)
				*row |= columns;
		}
	return found != 0;
}

/* The box of a moved proxy, by its index in both lists together; a point for an unbounded one, which sort and sweep leaves
 * out. */
static const struct box *moved_box(const struct world *world, uint32_t i)
{
	static const struct box origin = {{0}, {0}};
	uint32_t moved = world->moved_proxies.count;
	uint32_t id = i < moved ? world->moved_proxies.data[i] : world->moved_statics.data[i - moved];
	return proxy_unbounded(&world->proxies.data[id]) ? &origin : &world->proxies.data[id].box;
}

static void vicinity_make(struct vicinity *vicinity, const struct world *world, bool statics)
{
	uint32_t count = world->moved_proxies.count + (statics ? world->moved_statics.count : 0);
	float4 widths = {0}, zero = {0};
	for (uint32_t i = 0; i < count; ++i)
		widths += float4_read(moved_box(world, i)->upper) - float4_read(moved_box(world, i)->lower);
	widths *= float4_of(VICINITY_BOXES / (float)count);
	vicinity->per_length = float4_choose(widths > zero, float4_of(1.0f) / widths, zero);
	memset(vicinity->rows, 0, sizeof vicinity->rows);
	for (uint32_t i = 0; i < count; ++i)
		vicinity_visit(vicinity, moved_box(world, i), true);
}

/* --- Entries -------------------------------------------------------------------------------------------------------------- */

typedef double float4_d __attribute__((vector_size(32)));

/* Sums over all entries, by axis. */
struct spread {
	float4 first; /* twice the centre of the first entry; sums are relative to it, which keeps their rounding errors small */
	float4_d sum, squares; /* of twice the centres */
	float4_d size;
};

static void entry_add(struct broad_phase *broad_phase, struct spread *spread, const struct box *box, const struct box *searched,
	uint32_t id, uint32_t kind)
{
	float4 lower, upper;
	memcpy(&lower, box->lower, sizeof lower);
	memcpy(&upper, box->upper, sizeof upper);
	if (broad_phase->entries.count == 0)
		spread->first = lower + upper;
	float4_d centre = __builtin_convertvector(lower + upper - spread->first, float4_d);
	spread->sum += centre;
	spread->squares += centre * centre;
	spread->size += __builtin_convertvector(upper - lower, float4_d);
	struct broad_phase_entry *entry = &broad_phase->entries.data[broad_phase->entries.count++];
	memcpy(entry->lower, &lower, sizeof entry->lower);
	memcpy(entry->upper, &upper, sizeof entry->upper);
	entry->id = id;
	broad_phase->marks.data[broad_phase->entries.count - 1] = kind;
	entry->searched = *searched;
}

/* Removes the entries of the last search. */
static void entries_empty(struct memory *memory, struct broad_phase *broad_phase)
{
	broad_phase->marks.count = broad_phase->entries.count;
	broad_phase->keys.count = 2 * broad_phase->entries.count;
	array_empty(memory, &broad_phase->entries);
	array_empty(memory, &broad_phase->marks);
	array_empty(memory, &broad_phase->keys);
	array_empty(memory, &broad_phase->indices);
}

static bool entries_reserve(struct memory *memory, struct broad_phase *broad_phase, uint32_t count)
{
	return array_reserve(memory, &broad_phase->entries, count) && array_reserve(memory, &broad_phase->marks, count) &&
		array_reserve(memory, &broad_phase->keys, 2 * count);
}

/* Adds all drifting proxies; those of fast bullets count as moved. False: no memory. */
static bool bullets_gather(struct world *world, struct broad_phase *broad_phase, struct spread *spread)
{
	entries_empty(world->memory, broad_phase);
	if (!entries_reserve(world->memory, broad_phase, bits_count(&world->drifting)))
		return false;
	for (uint32_t id = bits_next(&world->drifting, 0); id != NONE; id = bits_next(&world->drifting, id + 1)) {
		const struct proxy *proxy = &world->proxies.data[id];
		struct bullet_path *delta = &world->paths.data[id];
		uint32_t body = world->colliders.data[proxy->collider].body;
		bool bullet = bits_has(&world->fast_bullets, body);
		delta->body = bullet ? body : NONE;
		entry_add(broad_phase, spread, bullet ? &delta->box : &proxy->box, &nowhere, id, bullet ? DRIFTING_MOVED : DRIFTING);
	}
	return true;
}

/* Adds the drifting proxies of a word of world->drifting, but not those away from moved ones, unless `vicinity` is NULL.
 * Returns how many have moved. */
static uint32_t word_gather(
	struct world *world, struct broad_phase *broad_phase, struct spread *spread, struct vicinity *vicinity, uint32_t word)
{
	struct box around = nowhere;
	uint32_t moved = 0;
	if (vicinity != NULL && bits_has(&world->enclosed_words, word) &&
		!vicinity_visit(vicinity, &world->enclosures.data[word], false))
		return 0;
	for (uint64_t rest = bits_word(&world->drifting, word); rest != 0; rest &= rest - 1) {
		uint32_t id = 64 * word + (uint32_t)__builtin_ctzll(rest);
		const struct proxy *proxy = &world->proxies.data[id];
		bool moves = proxy->moved_index != NONE;
		moved += moves;
		around = vicinity == NULL ? around : box_union(&around, &proxy->box);
		if (moves || vicinity == NULL || vicinity_visit(vicinity, &proxy->box, false))
			entry_add(broad_phase, spread, &proxy->box, &proxy->searched, id, moves ? DRIFTING_MOVED : DRIFTING);
	}
	if (vicinity != NULL && moved == 0) {
		world->enclosures.data[word] = around;
		bits_set(&world->enclosed_words, word);
	}
	return moved;
}

/* Adds all drifting proxies, in id order; then, if there are any, moved resting ones and, if statics_search, moved static ones.
 * If few have moved, it leaves out drifting proxies away from these. False: no memory. */
static bool entries_gather(struct world *world, struct broad_phase *broad_phase, struct spread *spread)
{
	const struct proxy *proxies = world->proxies.data;
	bool statics = statics_search(world);
	uint32_t drifting = bits_count(&world->drifting);
	uint32_t others = world->moved_proxies.count + (statics ? world->moved_statics.count : 0); /* upper bound */
	struct vicinity vicinity;
	bool few = others < drifting / FEW_MOVED;
	if (few)
		vicinity_make(&vicinity, world, statics);
	entries_empty(world->memory, broad_phase);
	if (!entries_reserve(world->memory, broad_phase, drifting + drifting / 8)) /* the others are usually few */
		return false;
	uint32_t end = world->drifting.word_count;
	for (uint32_t word = bits_next_word(&world->drifting, 0, end); word < end;
		 word = bits_next_word(&world->drifting, word + 1, end))
		others -= word_gather(world, broad_phase, spread, few ? &vicinity : NULL, word);
	if (broad_phase->entries.count == 0 || others == 0)
		return true;
	if (!entries_reserve(world->memory, broad_phase, broad_phase->entries.count + others))
		return false;
	for (uint32_t i = 0; i < world->moved_proxies.count; ++i) {
		uint32_t id = world->moved_proxies.data[i];
		if (proxies[id].home == HOME_RESTING)
			entry_add(broad_phase, spread, &proxies[id].box, &proxies[id].searched, id, ANCHORED_MOVED);
	}
	for (uint32_t i = 0; statics && i < world->moved_statics.count; ++i) {
		uint32_t id = world->moved_statics.data[i];
		entry_add(broad_phase, spread, &proxies[id].box, &proxies[id].searched, id, ANCHORED_MOVED);
	}
	return true;
}

/* Sorts the axes by variance, greatest first. */
static void axes_choose(struct broad_phase *broad_phase, const struct spread *spread)
{
	double variance[3];
	for (int k = 0; k < 3; ++k) {
		variance[k] = spread->squares[k] - spread->sum[k] * spread->sum[k] / broad_phase->entries.count;
		int at = k;
		for (; at > 0 && variance[broad_phase->axes[at - 1]] < variance[k]; --at)
			broad_phase->axes[at] = broad_phase->axes[at - 1];
		broad_phase->axes[at] = k;
	}
	int last = broad_phase->axes[2];
	broad_phase->flat = spread->size[last] == 0.0 && spread->squares[last] == 0.0;
}

/* --- Strips --------------------------------------------------------------------------------------------------------------- */

/* The number of the strip at position x of the second axis, before it is taken modulo the count; not negative, and monotonic in
 * x. */
static uint64_t strip_of(float x, double per_length)
{
	const double far = 0x1p48;
	return (uint64_t)(int64_t)(clamp_d((double)x * per_length, -far, far) + far);
}

/* Chooses the number of strips, and returns strips per unit of length. All strips together hold at most (2 + 1 / STRIP_BOXES)
 * times the entries. */
static double strips_choose(struct broad_phase *broad_phase, const struct spread *spread)
{
	uint32_t count = broad_phase->entries.count;
	int axis = broad_phase->axes[1];
	double height = STRIP_BOXES * spread->size[axis] / count;
	double variance = spread->squares[axis] / count - spread->sum[axis] / count * (spread->sum[axis] / count);
	broad_phase->strip_count = 1;
	if (!(height > 0.0 && height < FLT_MAX && variance > 0.0))
		return 0.0;
	/* An even distribution spans sqrt(12) standard deviations; `variance` is that of twice the centres. */
	double wanted = sqrt(3.0 * variance) / height;
	while (broad_phase->strip_count < STRIPS_MAX && broad_phase->strip_count < wanted &&
		broad_phase->strip_count < count / STRIP_ENTRIES)
		broad_phase->strip_count *= 2;
	return 1.0 / height;
}

/* Adds each entry's first strip and number of further strips to its mark; sets `starts` and `longest`. Returns the number of
 * indices needed: an entry counts once for each of its strips. */
static uint32_t strips_count(struct broad_phase *broad_phase, double per_length)
{
	uint32_t *starts = broad_phase->starts.data, mask = broad_phase->strip_count - 1, total = 0;
	int axis = broad_phase->axes[1];
	memset(starts, 0, (broad_phase->strip_count + 1) * sizeof *starts);
	for (uint32_t i = 0; i < broad_phase->entries.count; ++i) {
		const struct broad_phase_entry *entry = &broad_phase->entries.data[i];
		uint64_t first = strip_of(entry->lower[axis], per_length), more = strip_of(entry->upper[axis], per_length) - first;
		more = more < mask ? more : mask;
		broad_phase->marks.data[i] |= (uint32_t)(first & mask) << KIND_BITS | (uint32_t)more << (KIND_BITS + STRIP_BITS);
		for (uint64_t k = 0; k <= more; ++k)
			++starts[(first + k) & mask];
	}
	broad_phase->longest = 0;
	for (uint32_t strip = 0; strip <= broad_phase->strip_count; ++strip) {
		uint32_t size = starts[strip];
		broad_phase->longest = size > broad_phase->longest ? size : broad_phase->longest;
		starts[strip] = total;
		total += size;
	}
	return total;
}

/* Fills `indices`: each strip's entries, by their lower ends on the first axis. Until all are filled, `starts` holds the index
 * of each strip's next entry. */
static void indices_fill(struct broad_phase *broad_phase)
{
	uint32_t count = broad_phase->entries.count, mask = broad_phase->strip_count - 1, *starts = broad_phase->starts.data;
	uint64_t *keys = broad_phase->keys.data;
	broad_phase->reach = 0.0f;
	for (uint32_t i = 0; i < count; ++i) {
		const struct broad_phase_entry *entry = &broad_phase->entries.data[i];
		keys[i] = (uint64_t)sort_key_f(entry->lower[broad_phase->axes[0]]) << 32 | i;
		broad_phase->reach = max_f(broad_phase->reach, entry->upper[broad_phase->axes[0]] - entry->lower[broad_phase->axes[0]]);
	}
	keys = sort_keys(keys, keys + count, count);
	for (uint32_t i = 0; i < count; ++i) {
		uint32_t first = broad_phase->marks.data[(uint32_t)keys[i]] >> KIND_BITS, more = first >> STRIP_BITS;
		for (uint32_t k = 0; k <= more; ++k)
			broad_phase->indices.data[starts[(first + k) & mask]++] = (uint32_t)keys[i];
	}
	memmove(starts + 1, starts, broad_phase->strip_count * sizeof *starts);
	starts[0] = 0;
}

bool broad_phase_gather(struct world *world, struct broad_phase *broad_phase, bool bullets)
{
	struct memory *memory = world->memory;
	struct spread spread = {0};
	broad_phase->strip_count = 0;
	if (!(bullets ? bullets_gather(world, broad_phase, &spread) : entries_gather(world, broad_phase, &spread)))
		return false;
	if (broad_phase->entries.count == 0)
		return true;
	axes_choose(broad_phase, &spread);
	broad_phase->per_length = strips_choose(broad_phase, &spread);
	if (!array_reserve(memory, &broad_phase->starts, broad_phase->strip_count + 1))
		return false;
	uint32_t count = strips_count(broad_phase, broad_phase->per_length);
	if (!array_reserve(memory, &broad_phase->indices, count))
		return false;
	broad_phase->indices.count = count;
	indices_fill(broad_phase);
	return true;
}

/* --- Queries -------------------------------------------------------------------------------------------------------------- */

/* Searches the part [low, high) of `indices`, within one strip. Returns the position of the first entry that begins at x or
 * above on the first axis; high: none. */
static uint32_t index_from(const struct broad_phase *broad_phase, uint32_t low, uint32_t high, float x)
{
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (broad_phase->entries.data[broad_phase->indices.data[middle]].lower[broad_phase->axes[0]] < x)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void broad_phase_query(const struct broad_phase *broad_phase, const struct box *box, tree_visit *visit, void *context)
{
	int axis = broad_phase->axes[0], across = broad_phase->axes[1];
	uint32_t mask = broad_phase->strip_count - 1;
	if (broad_phase->strip_count == 0)
		return;
	uint64_t first = strip_of(box->lower[across], broad_phase->per_length);
	uint64_t more = strip_of(box->upper[across], broad_phase->per_length) - first;
	float begin = box->lower[axis] - broad_phase->reach;
	begin -= 1e-6f * (abs_f(box->lower[axis]) + broad_phase->reach); /* rounding errors of `reach` and of the difference */
	for (uint64_t k = 0; k <= (more < mask ? more : mask); ++k) {
		const uint32_t *starts = &broad_phase->starts.data[(first + k) & mask];
		for (uint32_t index = index_from(broad_phase, starts[0], starts[1], begin); index < starts[1]; ++index) {
			const struct broad_phase_entry *entry = &broad_phase->entries.data[broad_phase->indices.data[index]];
			if (entry->lower[axis] > box->upper[axis])
				break;
			bool overlaps = true;
			for (int i = 0; i < 3; ++i)
				overlaps = overlaps && entry->lower[i] <= box->upper[i] && box->lower[i] <= entry->upper[i];
			if (overlaps && !visit(context, entry->id))
				return;
		}
	}
}

/* --- A strip by columns --------------------------------------------------------------------------------------------------- */

bool strip_reserve(struct memory *memory, struct strip *strip, uint32_t count)
{
	count += BROAD_PHASE_LANES; /* lanes beyond the last are read */
	for (int k = 0; k < 3; ++k)
		if (!array_reserve(memory, &strip->lower[k], count) || !array_reserve(memory, &strip->upper[k], count))
			return false;
	return array_reserve(memory, &strip->ids, count) && array_reserve(memory, &strip->marks, count) &&
		array_reserve(memory, &strip->searched, count);
}

void strip_free(struct memory *memory, struct strip *strip)
{
	for (int k = 0; k < 3; ++k) {
		array_free(memory, &strip->lower[k]);
		array_free(memory, &strip->upper[k]);
	}
	array_free(memory, &strip->ids);
	array_free(memory, &strip->marks);
	array_free(memory, &strip->searched);
}

static void strip_set(struct strip *strip, uint32_t i, const struct broad_phase_entry *entry, uint32_t mark, const int *axes)
{
	for (int k = 0; k < 3; ++k) {
		strip->lower[k].data[i] = entry->lower[axes[k]];
		strip->upper[k].data[i] = entry->upper[axes[k]];
	}
	strip->ids.data[i] = entry->id;
	strip->marks.data[i] = mark;
	strip->searched.data[i] = entry->searched;
}

void strip_fill(struct strip *strip, const struct broad_phase *broad_phase, uint32_t number)
{
	static const struct broad_phase_entry beyond = {
		{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, NONE, {{0}, {0}}};
	uint32_t begin = broad_phase->starts.data[number], count = broad_phase->starts.data[number + 1] - begin, kinds = 0;
	for (uint32_t i = 0; i < count; ++i) {
		uint32_t index = broad_phase->indices.data[begin + i], mark = broad_phase->marks.data[index];
		strip_set(strip, i, &broad_phase->entries.data[index], mark, broad_phase->axes);
		kinds |= mark;
	}
	/* A strip without moved entries has no new pairs. */
	strip->count = kinds & (DRIFTING_MOVED | ANCHORED_MOVED) ? count : 0;
	for (uint32_t i = 0; i < BROAD_PHASE_LANES; ++i)
		strip_set(strip, strip->count + i, &beyond, 0, broad_phase->axes);
	strip->number = number;
	strip->flat = broad_phase->flat;
	strip->i = strip->hit_count = 0;
	strip->j = 1;
}
