/* sort_sweep.c - see sort_sweep.h.
 * Sources: Baraff, "Dynamic Simulation of Non-Penetrating Rigid Bodies", 1992 (sorted between steps by insertion); Ericson,
 * "Real-Time Collision Detection", 2005, 7.5.2 (one array of boxes, early break, the axis of greatest variance). */
#include "spatial/sort_sweep.h"

#include "base/check.h"
#include "base/ids.h"
#include "base/sort.h"

#include <math.h>
#include <string.h>

/* Insertion sort gives up after this many shifts per entry, on average. Measured on 10^4 and 10^5 boxes: a radix sort takes 9
 * ns per entry in any order; insertion takes 13 ns at 0.8 shifts per entry and 17 ns at 2.6, because of mispredicted branches.
 * So it pays only for fewer shifts. */
enum { SHIFTS = 1 };
/* The axis changes only if another has this many times the variance: boxes spread equally along two axes would change it again
 * and again. */
static const double variance_gain = 1.5;

void sweep_init(struct sweep *sweep, struct memory *memory)
{
	*sweep = (struct sweep){.memory = memory};
}

void sweep_free(struct sweep *sweep)
{
	array_free(sweep->memory, &sweep->entries);
	array_free(sweep->memory, &sweep->indices);
	array_free(sweep->memory, &sweep->reaches);
	array_free(sweep->memory, &sweep->spare);
	array_free(sweep->memory, &sweep->keys);
	sweep_init(sweep, sweep->memory);
}

/* --- Sorting -------------------------------------------------------------------------------------------------------------- */

/* Removes the dead entries and keeps the order of the rest. */
static void entries_compact(struct sweep *sweep)
{
	if (sweep->dead == 0)
		return;
	uint32_t count = 0;
	for (uint32_t i = 0; i < sweep->entries.count; ++i) {
		const struct sweep_entry *entry = &sweep->entries.data[i];
		if (entry->id == NONE)
			continue;
		sweep->indices.data[entry->id] = count;
		sweep->entries.data[count++] = *entry;
	}
	sweep->entries.count = count;
	sweep->dead = 0;
}

/* Sorts all entries from any order, in O(n). */
static void entries_sort(struct sweep *sweep)
{
	uint32_t count = sweep->entries.count;
	for (uint32_t i = 0; i < count; ++i)
		sweep->keys.data[i] = (uint64_t)sort_key_f(sweep->entries.data[i].box.lower[sweep->axis]) << 32 | i;
	const uint64_t *keys = sort_keys(sweep->keys.data, sweep->keys.data + count, count);
	for (uint32_t i = 0; i < count; ++i)
		sweep->spare.data[i] = sweep->entries.data[(uint32_t)keys[i]];
	memcpy(sweep->entries.data, sweep->spare.data, count * sizeof *sweep->spare.data);
	for (uint32_t i = 0; i < count; ++i)
		sweep->indices.data[sweep->entries.data[i].id] = i;
}

/* Sorts nearly sorted entries by insertion. False: the budget of shifts ran out, and the entries are complete but not
 * sorted. */
static bool entries_insert(struct sweep *sweep)
{
	struct sweep_entry *entries = sweep->entries.data;
	int axis = sweep->axis;
	uint64_t budget = (uint64_t)sweep->entries.count * SHIFTS;
	for (uint32_t i = 1; i < sweep->entries.count; ++i) {
		float lower = entries[i].box.lower[axis];
		if (entries[i - 1].box.lower[axis] <= lower)
			continue;
		struct sweep_entry entry = entries[i];
		uint32_t j = i;
		for (; j > 0 && entries[j - 1].box.lower[axis] > lower && budget > 0; --j, --budget) {
			entries[j] = entries[j - 1];
			sweep->indices.data[entries[j].id] = j;
		}
		entries[j] = entry;
		sweep->indices.data[entry.id] = j;
		if (budget == 0)
			return false;
	}
	return true;
}

/* Returns the axis on which the variance of the centres is greatest, or the present one if none exceeds its variance by the
 * factor variance_gain.
 *   variance = E[(c - m)^2] - E[c - m]^2,  m the centre of some box
 * Relative to m both terms are of the order of the spread; without m they cancel far from the origin. This takes 3.4 ns per
 * box. For 10^4 boxes in a space of 10 by 4000, the search for pairs takes 24 ns per box on the better axis and 1065 ns on the
 * other. */
static int axis_find(const struct sweep *sweep)
{
	double sums[3] = {0}, squares[3] = {0}, middle[3], variances[3];
	uint32_t count = sweep->entries.count;
	const struct sweep_entry *entries = sweep->entries.data;
	if (count == 0)
		return sweep->axis;
	for (int k = 0; k < 3; ++k)
		middle[k] = (double)entries[count / 2].box.lower[k] + (double)entries[count / 2].box.upper[k];
	for (uint32_t i = 0; i < count; ++i)
		for (int k = 0; k < 3; ++k) {
			double center = ((double)entries[i].box.lower[k] + (double)entries[i].box.upper[k]) - middle[k];
			sums[k] += center;
			squares[k] += center * center;
		}
	int axis = sweep->axis;
	for (int k = 0; k < 3; ++k)
		variances[k] = squares[k] - sums[k] * sums[k] / count;
	double best = variances[axis] * variance_gain;
	for (int k = 0; k < 3; ++k)
		if (k != sweep->axis && variances[k] > best) {
			axis = k;
			best = variances[k];
		}
	return axis;
}

/* Computes the reach of each block and the largest extent, by which queries skip entries: see sweep_query. */
static void reaches_find(struct sweep *sweep)
{
	double extent = 0;
	int axis = sweep->axis;
	uint32_t count = sweep->entries.count;
	sweep->reaches.count = (count + SWEEP_BLOCK - 1) / SWEEP_BLOCK;
	for (uint32_t block = 0; block < sweep->reaches.count; ++block) {
		float reach = -INFINITY;
		uint32_t end = (block + 1) * SWEEP_BLOCK < count ? (block + 1) * SWEEP_BLOCK : count;
		for (uint32_t i = block * SWEEP_BLOCK; i < end; ++i) {
			const struct box *box = &sweep->entries.data[i].box;
			reach = max_f(reach, box->upper[axis]);
			extent = max_d(extent, (double)box->upper[axis] - (double)box->lower[axis]);
		}
		sweep->reaches.data[block] = reach;
	}
	sweep->extent = round_up_f(extent);
}

/* Sorts the entries if any have changed. The axis of the greatest variance (Ericson) becomes that of this sort, if all entries
 * must be sorted anew, else that of the next. */
static void sweep_refresh(struct sweep *sweep)
{
	if (!sweep->dirty)
		return;
	sweep->dirty = false;
	entries_compact(sweep);
	bool all = sweep->fresh > sweep->entries.count / 16 || sweep->next_axis != sweep->axis;
	if (all || !entries_insert(sweep)) {
		sweep->axis = axis_find(sweep);
		entries_sort(sweep);
		sweep->next_axis = sweep->axis;
	} else {
		sweep->next_axis = axis_find(sweep);
	}
	sweep->fresh = 0;
	reaches_find(sweep);
}

/* --- Changes -------------------------------------------------------------------------------------------------------------- */

bool sweep_reserve(struct sweep *sweep, uint32_t end)
{
	struct memory *memory = sweep->memory;
	if (!array_reserve(memory, &sweep->indices, end))
		return false;
	/* Compacting costs O(n), so it is done only to free a quarter of the entries. */
	if (sweep->entries.count == sweep->entries.capacity && sweep->dead > sweep->entries.count / 4)
		entries_compact(sweep);
	if (!array_reserve(memory, &sweep->entries, sweep->entries.count + 1))
		return false;
	uint32_t capacity = sweep->entries.capacity;
	return array_reserve(memory, &sweep->reaches, capacity / SWEEP_BLOCK + 1) &&
		array_reserve(memory, &sweep->spare, capacity) && array_reserve(memory, &sweep->keys, capacity * 2);
}

void sweep_insert(struct sweep *sweep, uint32_t id, const struct box *box)
{
	assert(id < sweep->indices.capacity && sweep->entries.count < sweep->spare.capacity);
	sweep->indices.data[id] = sweep->entries.count;
	array_push(&sweep->entries, (struct sweep_entry){*box, id});
	++sweep->fresh;
	sweep->dirty = true;
}

void sweep_move(struct sweep *sweep, uint32_t id, const struct box *box)
{
	assert(sweep->entries.data[sweep->indices.data[id]].id == id);
	sweep->entries.data[sweep->indices.data[id]].box = *box;
	sweep->dirty = true;
}

void sweep_remove(struct sweep *sweep, uint32_t id)
{
	assert(sweep->entries.data[sweep->indices.data[id]].id == id);
	sweep->entries.data[sweep->indices.data[id]].id = NONE;
	++sweep->dead;
	sweep->dirty = true;
}

void sweep_clear(struct sweep *sweep)
{
	sweep->entries.count = sweep->dead = sweep->fresh = 0;
	sweep->dirty = true;
}

/* --- Queries -------------------------------------------------------------------------------------------------------------- */

/* Index of the first entry whose lower end is >= x, or, with `above`, > x. */
static uint32_t entry_find(const struct sweep *sweep, float x, bool above)
{
	uint32_t low = 0, high = sweep->entries.count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		float lower = sweep->entries.data[middle].box.lower[sweep->axis];
		if (above ? lower <= x : lower < x)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* An entry whose lower end is below the query's by more than the largest extent cannot overlap it. One huge box makes this
 * bound useless; then blocks of 32 are skipped whose upper ends are all below the query's lower end. */
void sweep_query(struct sweep *sweep, const struct box *box, bool (*visit)(void *context, uint32_t id), void *context)
{
	sweep_refresh(sweep);
	float from = box->lower[sweep->axis];
	uint32_t i = entry_find(sweep, round_down_f((double)from - (double)sweep->extent), false);
	uint32_t end = entry_find(sweep, box->upper[sweep->axis], true);
	while (i < end) {
		uint32_t block = i / SWEEP_BLOCK, stop = (block + 1) * SWEEP_BLOCK;
		stop = stop < end ? stop : end;
		if (sweep->reaches.data[block] < from) {
			i = stop;
			continue;
		}
		for (; i < stop; ++i) {
			const struct sweep_entry *entry = &sweep->entries.data[i];
			if (box_overlaps(&entry->box, box) && !visit(context, entry->id))
				return;
		}
	}
}

/* Tests each box against the later entries whose lower ends are not above its upper end. */
void sweep_pairs(struct sweep *sweep, bool (*visit)(void *context, uint32_t a, uint32_t b), void *context)
{
	sweep_refresh(sweep);
	const struct sweep_entry *entries = sweep->entries.data;
	int axis = sweep->axis;
	for (uint32_t i = 0; i < sweep->entries.count; ++i) {
		struct box box = entries[i].box;
		float upper = box.upper[axis];
		for (uint32_t j = i + 1; j < sweep->entries.count && entries[j].box.lower[axis] <= upper; ++j)
			if (box_overlaps(&box, &entries[j].box) && !visit(context, entries[i].id, entries[j].id))
				return;
	}
}

int sweep_measure(struct sweep *sweep, uint64_t *comparisons)
{
	sweep_refresh(sweep);
	*comparisons = 0;
	for (uint32_t i = 0; i < sweep->entries.count; ++i)
		*comparisons += entry_find(sweep, sweep->entries.data[i].box.upper[sweep->axis], true) - i - 1;
	return sweep->axis;
}

static double out_square(double out)
{
	return out > 0 ? out * out : 0;
}

static double entry_square(const struct sweep_entry *entry, const double point[3])
{
	double square = 0;
	for (int k = 0; k < 3; ++k)
		square += out_square(max_d((double)entry->box.lower[k] - point[k], point[k] - (double)entry->box.upper[k]));
	return square;
}

/* Visits entries from the point outwards, on both sides in turn, until on both sides the distance along the axis alone is too
 * great. */
void sweep_nearest(struct sweep *sweep, const double point[3], double square,
	double (*visit)(void *context, uint32_t id, double square), void *context)
{
	sweep_refresh(sweep);
	double x = point[sweep->axis];
	uint32_t count = sweep->entries.count, right = entry_find(sweep, (float)x, false), left = right;
	bool more = true;
	while (more) {
		more = false;
		if (right < count) {
			const struct sweep_entry *entry = &sweep->entries.data[right++];
			if (out_square((double)entry->box.lower[sweep->axis] - x) > square)
				right = count;
			else if (entry_square(entry, point) <= square)
				square = visit(context, entry->id, square);
			more = true;
		}
		while (
			left > 0 && left % SWEEP_BLOCK == 0 && out_square(x - (double)sweep->reaches.data[left / SWEEP_BLOCK - 1]) > square)
			left -= SWEEP_BLOCK;
		if (left > 0) {
			const struct sweep_entry *entry = &sweep->entries.data[--left];
			if (out_square(x - ((double)entry->box.lower[sweep->axis] + (double)sweep->extent)) > square)
				left = 0;
			else if (entry_square(entry, point) <= square)
				square = visit(context, entry->id, square);
			more = true;
		}
	}
}

/* --- Checks --------------------------------------------------------------------------------------------------------------- */

const char *sweep_validate(struct sweep *sweep)
{
	sweep_refresh(sweep);
	for (uint32_t i = 0; i < sweep->entries.count; ++i) {
		const struct sweep_entry *entry = &sweep->entries.data[i];
		CHECK(entry->id < sweep->indices.capacity && sweep->indices.data[entry->id] == i);
		CHECK(i == 0 || entry[-1].box.lower[sweep->axis] <= entry->box.lower[sweep->axis]);
		CHECK(entry->box.upper[sweep->axis] <= sweep->reaches.data[i / SWEEP_BLOCK]);
	}
	return NULL;
}
