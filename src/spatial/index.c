/* index.c - see index.h.
 * The rank of a hit is its sort key, an unsigned integer: the box's position in `line`, both positions for a pair, or the bits
 * of a non-negative double, which sort like the double. */
#include "spatial/index.h"

#include "base/check.h"
#include "base/turn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void index_init(
	struct index *index, struct memory *memory, enum index_kind kind, int dimensions, double cell_size, double margin)
{
	*index = (struct index){.memory = memory, .kind = kind, .dimensions = dimensions, .margin = margin};
	switch (kind) {
	case INDEX_TREE:
		tree_room_init(&index->room, memory);
		tree_init(&index->tree, &index->room);
		break;
	case INDEX_SWEEP: sweep_init(&index->sweep, memory); break;
	default: grid_init(&index->grid, memory, dimensions, cell_size); break;
	}
}

void index_free(struct index *index)
{
	switch (index->kind) {
	case INDEX_TREE: tree_room_free(&index->room); break;
	case INDEX_SWEEP: sweep_free(&index->sweep); break;
	default: grid_free(&index->grid); break;
	}
	ids_free(index->memory, &index->ids);
	array_free(index->memory, &index->items);
	array_free(index->memory, &index->line);
	array_free(index->memory, &index->hits);
}

/* --- Changes -------------------------------------------------------------------------------------------------------------- */

/* Closes the holes in `line`. */
static void line_compact(struct index *index)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < index->line.count; ++i) {
		uint32_t id = index->line.data[i];
		if (id == NONE)
			continue;
		index->items.data[id].position = count;
		index->line.data[count++] = id;
	}
	index->line.count = count;
}

bool index_reserve(struct index *index, const struct box_d *box)
{
	/* After an insertion all ids are below this. */
	uint32_t end = index->ids.end + 1;
	if (end >= TREE_LEAVES_MAX)
		return false;
	if (index->line.count == index->line.capacity && index_count(index) < index->line.count / 4 * 3)
		line_compact(index);
	if (!ids_reserve(index->memory, &index->ids, end) || !array_reserve(index->memory, &index->items, end) ||
		!array_reserve(index->memory, &index->line, index->line.count + 1))
		return false;
	switch (index->kind) {
	case INDEX_TREE: return tree_room_reserve(&index->room, index_count(index) + 1);
	case INDEX_SWEEP: return sweep_reserve(&index->sweep, end);
	default: return grid_reserve(&index->grid, end, box);
	}
}

uint32_t index_insert(struct index *index, const struct box_d *box)
{
	uint32_t id = ids_take(&index->ids);
	if (id >= index->items.count)
		index->items.count = id + 1;
	struct index_item *item = &index->items.data[id];
	*item = (struct index_item){*box, index->serial++, NONE, index->line.count};
	array_push(&index->line, id);
	struct box around = box_around_d(box, index->margin, index->dimensions);
	switch (index->kind) {
	case INDEX_TREE: item->leaf = tree_insert(&index->tree, &around, id); break;
	case INDEX_SWEEP: sweep_insert(&index->sweep, id, &around); break;
	default: grid_insert(&index->grid, id, box); break;
	}
	return id;
}

void index_move(struct index *index, uint32_t id, const struct box_d *box)
{
	struct index_item *item = &index->items.data[id];
	item->box = *box;
	if (index->kind == INDEX_GRID) {
		grid_move(&index->grid, id, box);
		return;
	}
	struct box around = box_around_d(box, 0, index->dimensions);
	if (index->kind == INDEX_SWEEP) {
		sweep_move(&index->sweep, id, &around);
		return;
	}
	/* The leaf keeps its fat AABB while that contains the box and extends no more than four margins beyond the box. */
	struct box fat = tree_box(&index->tree, item->leaf);
	struct box fatter = box_around_d(box, 4 * index->margin, index->dimensions);
	if (box_contains(&fat, &around) && box_contains(&fatter, &fat))
		return;
	around = box_around_d(box, index->margin, index->dimensions);
	tree_move(&index->tree, item->leaf, &around);
	++index->replaced;
}

void index_remove(struct index *index, uint32_t id)
{
	struct index_item *item = &index->items.data[id];
	switch (index->kind) {
	case INDEX_TREE: tree_remove(&index->tree, item->leaf); break;
	case INDEX_SWEEP: sweep_remove(&index->sweep, id); break;
	default: grid_remove(&index->grid, id); break;
	}
	index->line.data[item->position] = NONE;
	item->position = NONE;
	ids_give(&index->ids, id);
}

void index_clear(struct index *index)
{
	switch (index->kind) {
	case INDEX_TREE:
		for (uint32_t id = 0; id < index->items.count; ++id)
			if (index->items.data[id].position != NONE)
				tree_remove(&index->tree, index->items.data[id].leaf);
		break;
	case INDEX_SWEEP: sweep_clear(&index->sweep); break;
	default: grid_clear(&index->grid); break;
	}
	index->ids.free.count = index->ids.end = 0;
	index->items.count = index->line.count = 0;
}

/* --- Hits ----------------------------------------------------------------------------------------------------------------- */

static int hit_compare(const void *first, const void *second)
{
	const struct index_hit *a = first, *b = second;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return (a->tie > b->tie) - (a->tie < b->tie);
}

/* Radix sort by rank alone, from the lowest byte to the highest, with the space behind the hits as buffer. Bytes in which all
 * ranks agree are skipped. */
static void hits_sort_wide(struct index_hit *hits, uint32_t count)
{
	struct index_hit *from = hits, *to = hits + count;
	for (int shift = 0; shift < 64; shift += 8) {
		uint32_t starts[256] = {0}, start = 0;
		for (uint32_t i = 0; i < count; ++i)
			++starts[from[i].rank >> shift & 255];
		if (starts[from[0].rank >> shift & 255] == count)
			continue;
		for (int digit = 0; digit < 256; ++digit) {
			uint32_t size = starts[digit];
			starts[digit] = start;
			start += size;
		}
		for (uint32_t i = 0; i < count; ++i)
			to[starts[from[i].rank >> shift & 255]++] = from[i];
		struct index_hit *sorted = to;
		to = from;
		from = sorted;
	}
	if (from != hits)
		memcpy(hits, from, count * sizeof *hits);
}

/* Sorts the hits from `start` on. ties: ranks may be equal. Uses qsort for ties, for few hits and when out of memory. */
static void hits_sort(struct index *index, uint32_t start, bool ties)
{
	enum { WIDE = 256 };
	uint32_t count = index->hits.count - start;
	if (count < 2)
		return;
	if (!ties && count >= WIDE && array_reserve(index->memory, &index->hits, index->hits.count + count))
		hits_sort_wide(index->hits.data + start, count);
	else
		qsort(index->hits.data + start, count, sizeof *index->hits.data, hit_compare);
}

double index_hit_value(const struct index_hit *hit)
{
	double value;
	memcpy(&value, &hit->rank, sizeof value);
	return value;
}

/* --- Queries -------------------------------------------------------------------------------------------------------------- */

struct question {
	struct index *index;
	const struct box_d *box;
	bool (*accept)(void *context, const struct box_d *box);
	void *context;
	const double *from, *to; /* ends of the ray; from: also the point of index_nearest */
	uint32_t start, most; /* first hit of this query; maximum number of nearest hits */
	uint32_t own; /* the item whose pairs tree_pairs searches */
	bool out_of_memory;
};

static bool question_end(const struct question *question, bool ties)
{
	struct index *index = question->index;
	if (question->out_of_memory)
		index->hits.count = question->start;
	else
		hits_sort(index, question->start, ties);
	return !question->out_of_memory;
}

static bool found(struct question *question, struct index_hit hit)
{
	struct index *index = question->index;
	question->out_of_memory = !array_reserve(index->memory, &index->hits, index->hits.count + 1);
	if (!question->out_of_memory)
		array_push(&index->hits, hit);
	return !question->out_of_memory;
}

static bool box_visit(void *context, uint32_t id)
{
	struct question *question = context;
	const struct index_item *item = &question->index->items.data[id];
	if (!box_d_overlaps(&item->box, question->box) || (question->accept && !question->accept(question->context, &item->box)))
		return true;
	return found(question, (struct index_hit){item->position, id, NONE, 0});
}

bool index_query_box(
	struct index *index, const struct box_d *box, bool (*accept)(void *context, const struct box_d *box), void *context)
{
	struct question question = {.index = index, .box = box, .accept = accept, .context = context, .start = index->hits.count};
	struct box around = box_around_d(box, 0, index->dimensions);
	switch (index->kind) {
	case INDEX_TREE: tree_query(&index->tree, &around, box_visit, &question); break;
	case INDEX_SWEEP: sweep_query(&index->sweep, &around, box_visit, &question); break;
	default: grid_query(&index->grid, box, box_visit, &question); break;
	}
	return question_end(&question, false);
}

/* Whether the line, projected along the third axis, intersects the box's rectangle on axes u and v: the rectangle's corners
 * farthest to the line's left and right are not strictly on one side of the line. */
static bool line_crosses_rectangle(const double from[3], const double to[3], const struct box_d *box, int u, int v)
{
	if (from[u] == to[u] || from[v] == to[v])
		return true; /* parallel to a side: the interval tests have decided already */
	const double a[2] = {from[u], from[v]}, b[2] = {to[u], to[v]};
	bool right = b[0] > a[0], up = b[1] > a[1];
	const double left_most[2] = {up ? box->lower[u] : box->upper[u], right ? box->upper[v] : box->lower[v]};
	const double right_most[2] = {up ? box->upper[u] : box->lower[u], right ? box->lower[v] : box->upper[v]};
	return turn_exact(a, b, left_most) >= 0 && turn_exact(a, b, right_most) <= 0;
}

/* Whether the segment shares a point with the box; exact. Separating axes: those of the box, and their cross products with the
 * segment, each of which is a 2D test. Source: Gottschalk, Lin, Manocha, "OBBTree", 1996, with a segment for one of the two
 * boxes. */
static bool segment_overlaps_box(const double from[3], const double to[3], const struct box_d *box)
{
	for (int i = 0; i < 3; ++i)
		if (max_d(from[i], to[i]) < box->lower[i] || min_d(from[i], to[i]) > box->upper[i])
			return false;
	return line_crosses_rectangle(from, to, box, 0, 1) && line_crosses_rectangle(from, to, box, 0, 2) &&
		line_crosses_rectangle(from, to, box, 1, 2);
}

/* The fraction, 0 to 1, at which a segment that overlaps the box enters it: when it has entered the intervals of all axes; 0 if
 * it starts inside. Source: Kay, Kajiya, "Ray Tracing Complex Scenes", 1986. */
static double segment_entry(const double from[3], const double to[3], const struct box_d *box)
{
	double entry = 0;
	for (int i = 0; i < 3; ++i) {
		double side = from[i] < box->lower[i] ? box->lower[i] : from[i] > box->upper[i] ? box->upper[i] : from[i];
		if (side != from[i])
			entry = max_d(entry, (side - from[i]) / (to[i] - from[i]));
	}
	return min_d(entry, 1);
}

static bool ray_visit(void *context, uint32_t id)
{
	struct question *question = context;
	const struct index_item *item = &question->index->items.data[id];
	if (!segment_overlaps_box(question->from, question->to, &item->box))
		return true;
	double entry = segment_entry(question->from, question->to, &item->box);
	return found(question, (struct index_hit){scalar_bits_d(entry), id, NONE, item->position});
}

static float ray_leaf(void *context, uint32_t id, float max_fraction)
{
	return ray_visit(context, id) ? max_fraction : 0;
}

bool index_query_ray(struct index *index, const double from[3], const double to[3])
{
	struct question question = {.index = index, .from = from, .to = to, .start = index->hits.count};
	double delta[3];
	struct box_d around;
	for (int i = 0; i < 3; ++i) {
		delta[i] = to[i] - from[i];
		around.lower[i] = min_d(from[i], to[i]);
		around.upper[i] = max_d(from[i], to[i]);
	}
	struct box box = box_around_d(&around, 0, index->dimensions);
	switch (index->kind) {
	case INDEX_TREE: tree_ray(&index->tree, from, delta, 1, ray_leaf, &question); break;
	case INDEX_SWEEP: sweep_query(&index->sweep, &box, ray_visit, &question); break;
	default: grid_ray(&index->grid, from, to, ray_visit, &question); break;
	}
	return question_end(&question, true);
}

/* Restores the order of the heap from element i down. The heap has the nearest hits so far, the farthest on top. */
static void heap_sift(struct index_hit *heap, uint32_t count, uint32_t i)
{
	for (;;) {
		uint32_t child = 2 * i + 1;
		if (child >= count)
			return;
		if (child + 1 < count && hit_compare(&heap[child], &heap[child + 1]) < 0)
			++child;
		if (hit_compare(&heap[i], &heap[child]) >= 0)
			return;
		struct index_hit hit = heap[i];
		heap[i] = heap[child];
		heap[child] = hit;
		i = child;
	}
}

static double near_visit(void *context, uint32_t id, double square)
{
	struct question *question = context;
	struct index *index = question->index;
	const struct index_item *item = &index->items.data[id];
	if (question->out_of_memory)
		return -1;
	double own = box_d_square(&item->box, question->from);
	if (own > square)
		return square;
	struct index_hit hit = {scalar_bits_d(own), id, NONE, item->position};
	uint32_t count = index->hits.count - question->start;
	if (count < question->most) {
		if (!found(question, hit))
			return -1;
		if (++count < question->most)
			return square;
		for (uint32_t i = count / 2; i-- > 0;)
			heap_sift(index->hits.data + question->start, count, i);
	} else {
		struct index_hit *top = &index->hits.data[question->start];
		if (hit_compare(&hit, top) >= 0)
			return square;
		*top = hit;
		heap_sift(top, count, 0);
	}
	return index_hit_value(&index->hits.data[question->start]);
}

bool index_nearest(struct index *index, const double point[3], uint32_t count)
{
	struct question question = {.index = index, .from = point, .start = index->hits.count, .most = count};
	switch (index->kind) {
	case INDEX_TREE: tree_nearest(&index->tree, point, INFINITY, near_visit, &question); break;
	case INDEX_SWEEP: sweep_nearest(&index->sweep, point, INFINITY, near_visit, &question); break;
	default: grid_nearest(&index->grid, point, INFINITY, near_visit, &question); break;
	}
	return question_end(&question, true);
}

static bool pair_visit(void *context, uint32_t a, uint32_t b)
{
	struct question *question = context;
	const struct index_item *items = question->index->items.data;
	if (!box_d_overlaps(&items[a].box, &items[b].box))
		return true;
	uint32_t older = items[a].position < items[b].position ? a : b, other = a ^ b ^ older;
	return found(question, (struct index_hit){(uint64_t)items[older].position << 32 | items[other].position, older, other, 0});
}

static bool pair_leaf(void *context, uint32_t id)
{
	struct question *question = context;
	return id <= question->own || pair_visit(question, question->own, id);
}

/* Queries the tree with each item's box, and keeps pairs with items of higher ids. */
static void tree_pairs(struct question *question)
{
	struct index *index = question->index;
	for (uint32_t id = 0; id < index->items.count && !question->out_of_memory; ++id) {
		if (index->items.data[id].position == NONE)
			continue;
		question->own = id;
		struct box around = box_around_d(&index->items.data[id].box, 0, index->dimensions);
		tree_query(&index->tree, &around, pair_leaf, question);
	}
}

bool index_pairs(struct index *index)
{
	struct question question = {.index = index, .start = index->hits.count};
	switch (index->kind) {
	case INDEX_TREE: tree_pairs(&question); break;
	case INDEX_SWEEP: sweep_pairs(&index->sweep, pair_visit, &question); break;
	default: grid_pairs(&index->grid, pair_visit, &question); break;
	}
	return question_end(&question, false);
}

/* --- Checks --------------------------------------------------------------------------------------------------------------- */

const char *index_validate(struct index *index)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < index->line.count; ++i)
		count += index->line.data[i] != NONE && index->items.data[index->line.data[i]].position == i;
	CHECK(count == index_count(index));
	switch (index->kind) {
	case INDEX_TREE: return tree_validate(&index->tree);
	case INDEX_SWEEP: return sweep_validate(&index->sweep);
	default: return grid_validate(&index->grid);
	}
}
