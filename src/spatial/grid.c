/* grid.c - see grid.h.
 * An item over several cells is found several times but must be reported once. So queries mark the items found. Pairs need no
 * marks: two overlapping ranges of cells have one lowest common cell, and the pair is reported only there.
 * Sources: Teschner et al., "Optimized Spatial Hashing for Collision Detection of Deformable Objects", 2003 (the hash);
 * Ericson, "Real-Time Collision Detection", 2005, 7.1 (large objects apart). */
#include "spatial/grid.h"

#include "base/check.h"
#include "base/ids.h"
#include "base/scalar.h"

#include <math.h>

#define GRID_FIRST 0x80000000u

/* Cell coordinates are clamped to this. Positions of 1e15 m reach it only with cells smaller than 0.4 mm. */
static const double cell_end = 0x1p61;

void grid_init(struct grid *grid, struct memory *memory, int dimensions, double size)
{
	*grid = (struct grid){.memory = memory, .dimensions = dimensions, .size = size, .free_link = NONE};
}

void grid_free(struct grid *grid)
{
	array_free(grid->memory, &grid->links);
	array_free(grid->memory, &grid->items);
	array_free(grid->memory, &grid->large);
	memory_resize(grid->memory, grid->buckets, grid->bucket_count * sizeof *grid->buckets, 0);
	grid_init(grid, grid->memory, grid->dimensions, grid->size);
}

/* --- Cells ---------------------------------------------------------------------------------------------------------------- */

/* The coordinate of the cell that contains x. Rounding and clamping are monotonic, so boxes that overlap have overlapping
 * ranges of cells at any distance from the origin. */
static int64_t cell_of(const struct grid *grid, double x)
{
	return (int64_t)clamp_d(floor(x / grid->size), -cell_end, cell_end);
}

static struct grid_cell cell_at(const struct grid *grid, const double point[3])
{
	return (struct grid_cell){{cell_of(grid, point[0]), cell_of(grid, point[1]), cell_of(grid, point[2])}};
}

static bool cell_equal(const struct grid_cell *a, const struct grid_cell *b)
{
	return a->at[0] == b->at[0] && a->at[1] == b->at[1] && a->at[2] == b->at[2];
}

/* The number of cells in a range, as a double: it may exceed 2^64. */
static double cells_count(const struct grid_cell *low, const struct grid_cell *high)
{
	double count = 1;
	for (int i = 0; i < 3; ++i)
		count *= (double)(high->at[i] - low->at[i]) + 1;
	return count;
}

/* Steps to the next cell of the range; false after the last one. */
static bool cell_next(struct grid_cell *cell, const struct grid_cell *low, const struct grid_cell *high)
{
	for (int i = 0; i < 3; ++i) {
		if (cell->at[i] < high->at[i]) {
			++cell->at[i];
			return true;
		}
		cell->at[i] = low->at[i];
	}
	return false;
}

/* Whether the cell is the lowest common cell of two ranges. */
static bool cell_lowest(const struct grid_cell *cell, const struct grid_cell *a, const struct grid_cell *b)
{
	for (int i = 0; i < 3; ++i)
		if (cell->at[i] != (a->at[i] > b->at[i] ? a->at[i] : b->at[i]))
			return false;
	return true;
}

/* The bucket of a cell. The key uses Teschner's three primes. Its bits are scrambled, since the number of buckets is a power of
 * two and not a prime. */
static uint32_t cell_bucket(const struct grid_cell *cell, uint32_t bucket_count)
{
	uint64_t key = (uint64_t)cell->at[0] * 73856093u ^ (uint64_t)cell->at[1] * 19349663u ^ (uint64_t)cell->at[2] * 83492791u;
	return scramble(key) & (bucket_count - 1);
}

/* --- Links ---------------------------------------------------------------------------------------------------------------- */

static void link_enter(struct grid *grid, uint32_t index)
{
	struct grid_link *link = &grid->links.data[index];
	uint32_t bucket = cell_bucket(&link->cell, grid->bucket_count);
	link->next = grid->buckets[bucket];
	link->before = GRID_FIRST | bucket;
	if (link->next != NONE)
		grid->links.data[link->next].before = index;
	grid->buckets[bucket] = index;
}

static void link_leave(struct grid *grid, const struct grid_link *link)
{
	if (link->before & GRID_FIRST)
		grid->buckets[link->before & ~GRID_FIRST] = link->next;
	else
		grid->links.data[link->before].next = link->next;
	if (link->next != NONE)
		grid->links.data[link->next].before = link->before;
}

static void item_link(struct grid *grid, uint32_t id)
{
	struct grid_item *item = &grid->items.data[id];
	item->links = item->large = NONE;
	if (cells_count(&item->low, &item->high) > GRID_CELLS) {
		item->large = grid->large.count;
		array_push(&grid->large, id);
		return;
	}
	struct grid_cell cell = item->low;
	do {
		uint32_t index = grid->free_link;
		if (index != NONE) {
			grid->free_link = grid->links.data[index].sibling;
			--grid->free_count;
		} else {
			index = grid->links.count;
			array_push(&grid->links, (struct grid_link){.id = NONE});
		}
		struct grid_link *link = &grid->links.data[index];
		link->cell = cell;
		link->id = id;
		link->sibling = item->links;
		item->links = index;
		link_enter(grid, index);
	} while (cell_next(&cell, &item->low, &item->high));
}

static void item_unlink(struct grid *grid, uint32_t id)
{
	struct grid_item *item = &grid->items.data[id];
	if (item->large != NONE) {
		uint32_t last = grid->large.data[--grid->large.count];
		grid->large.data[item->large] = last;
		grid->items.data[last].large = item->large;
		item->large = NONE;
	}
	while (item->links != NONE) {
		uint32_t index = item->links;
		struct grid_link *link = &grid->links.data[index];
		link_leave(grid, link);
		item->links = link->sibling;
		link->id = NONE;
		link->sibling = grid->free_link;
		grid->free_link = index;
		++grid->free_count;
	}
}

/* Grows the table to at least one bucket per link. False: no memory. */
static bool buckets_reserve(struct grid *grid, uint32_t links)
{
	uint32_t count = grid->bucket_count ? grid->bucket_count : 64;
	while (count < links && count < GRID_FIRST / 2)
		count *= 2;
	if (count == grid->bucket_count)
		return true;
	uint32_t *buckets = memory_resize(grid->memory, NULL, 0, count * sizeof *buckets);
	if (buckets == NULL)
		return false;
	memory_resize(grid->memory, grid->buckets, grid->bucket_count * sizeof *buckets, 0);
	grid->buckets = buckets;
	grid->bucket_count = count;
	for (uint32_t i = 0; i < count; ++i)
		buckets[i] = NONE;
	for (uint32_t i = 0; i < grid->links.count; ++i)
		if (grid->links.data[i].id != NONE)
			link_enter(grid, i);
	return true;
}

bool grid_reserve(struct grid *grid, uint32_t end, const struct box_d *box)
{
	struct grid_cell low = cell_at(grid, box->lower), high = cell_at(grid, box->upper);
	double cells = cells_count(&low, &high);
	if (!array_reserve(grid->memory, &grid->items, end) || !array_reserve(grid->memory, &grid->large, grid->large.count + 1))
		return false;
	if (cells > GRID_CELLS)
		return true;
	uint32_t used = grid->links.count - grid->free_count + (uint32_t)cells;
	if (used >= GRID_FIRST / 2)
		return false;
	return array_reserve(grid->memory, &grid->links, grid->links.count + (uint32_t)cells) && buckets_reserve(grid, used);
}

void grid_insert(struct grid *grid, uint32_t id, const struct box_d *box)
{
	assert(id < grid->items.capacity);
	struct grid_item *item = &grid->items.data[id];
	*item = (struct grid_item){cell_at(grid, box->lower), cell_at(grid, box->upper), NONE, NONE, 0};
	grid->end = id < grid->end ? grid->end : id + 1;
	++grid->item_count;
	item_link(grid, id);
}

void grid_move(struct grid *grid, uint32_t id, const struct box_d *box)
{
	struct grid_item *item = &grid->items.data[id];
	struct grid_cell low = cell_at(grid, box->lower), high = cell_at(grid, box->upper);
	if (cell_equal(&low, &item->low) && cell_equal(&high, &item->high))
		return;
	item_unlink(grid, id);
	item->low = low;
	item->high = high;
	item_link(grid, id);
}

void grid_remove(struct grid *grid, uint32_t id)
{
	item_unlink(grid, id);
	--grid->item_count;
}

void grid_clear(struct grid *grid)
{
	for (uint32_t i = 0; i < grid->bucket_count; ++i)
		grid->buckets[i] = NONE;
	grid->links.count = grid->large.count = grid->end = grid->item_count = grid->free_count = 0;
	grid->free_link = NONE;
}

/* --- Queries -------------------------------------------------------------------------------------------------------------- */

/* Returns a new query number, with which the query marks the items found. After 2^32 queries all marks are cleared. */
static uint32_t question_begin(struct grid *grid)
{
	if (++grid->question == 0) {
		for (uint32_t id = 0; id < grid->end; ++id)
			grid->items.data[id].seen = 0;
		grid->question = 1;
	}
	return grid->question;
}

static bool cell_visit(struct grid *grid, const struct grid_cell *cell, uint32_t question, grid_visit *visit, void *context)
{
	for (uint32_t i = grid->buckets[cell_bucket(cell, grid->bucket_count)]; i != NONE; i = grid->links.data[i].next) {
		const struct grid_link *link = &grid->links.data[i];
		struct grid_item *item = &grid->items.data[link->id];
		if (!cell_equal(&link->cell, cell) || item->seen == question)
			continue;
		item->seen = question;
		if (!visit(context, link->id))
			return false;
	}
	return true;
}

static bool cells_visit(struct grid *grid, const struct grid_cell *low, const struct grid_cell *high, uint32_t question,
	grid_visit *visit, void *context)
{
	struct grid_cell cell = *low;
	do {
		if (!cell_visit(grid, &cell, question, visit, context))
			return false;
	} while (cell_next(&cell, low, high));
	return true;
}

static bool large_visit(const struct grid *grid, grid_visit *visit, void *context)
{
	for (uint32_t i = 0; i < grid->large.count; ++i)
		if (!visit(context, grid->large.data[i]))
			return false;
	return true;
}

static bool item_alive(const struct grid_item *item)
{
	return item->links != NONE || item->large != NONE;
}

/* Visits the items in a range of cells, by testing each item: for ranges of more cells than items. */
static void items_visit(
	const struct grid *grid, const struct grid_cell *low, const struct grid_cell *high, grid_visit *visit, void *context)
{
	for (uint32_t id = 0; id < grid->end; ++id) {
		const struct grid_item *item = &grid->items.data[id];
		bool apart = !item_alive(item);
		for (int i = 0; i < 3; ++i)
			apart |= item->low.at[i] > high->at[i] || item->high.at[i] < low->at[i];
		if (!apart && !visit(context, id))
			return;
	}
}

void grid_query(struct grid *grid, const struct box_d *box, grid_visit *visit, void *context)
{
	struct grid_cell low = cell_at(grid, box->lower), high = cell_at(grid, box->upper);
	if (cells_count(&low, &high) > grid->item_count)
		items_visit(grid, &low, &high, visit, context);
	else if (large_visit(grid, visit, context) && grid->bucket_count > 0)
		cells_visit(grid, &low, &high, question_begin(grid), visit, context);
}

static bool large_pairs(const struct grid *grid, bool (*visit)(void *context, uint32_t a, uint32_t b), void *context)
{
	for (uint32_t i = 0; i < grid->large.count; ++i) {
		uint32_t large = grid->large.data[i];
		for (uint32_t id = 0; id < grid->end; ++id) {
			const struct grid_item *item = &grid->items.data[id];
			if (item_alive(item) && item->large > i && !visit(context, large, id))
				return false;
		}
	}
	return true;
}

void grid_pairs(struct grid *grid, bool (*visit)(void *context, uint32_t a, uint32_t b), void *context)
{
	if (!large_pairs(grid, visit, context))
		return;
	const struct grid_link *links = grid->links.data;
	for (uint32_t bucket = 0; bucket < grid->bucket_count; ++bucket)
		for (uint32_t i = grid->buckets[bucket]; i != NONE; i = links[i].next)
			for (uint32_t j = links[i].next; j != NONE; j = links[j].next)
				if (cell_equal(&links[i].cell, &links[j].cell) &&
					cell_lowest(&links[i].cell, &grid->items.data[links[i].id].low, &grid->items.data[links[j].id].low) &&
					!visit(context, links[i].id, links[j].id))
					return;
}

/* --- Rays ----------------------------------------------------------------------------------------------------------------- */

/* The range of cells on axis i that the segment passes through within layer `at` of the major axis, widened by more than the
 * rounding errors.
 *   x(t) = from + t (to - from) at both ends of the layer */
static void layer_range(const struct grid *grid, const double from[3], const double to[3], int major, int64_t at, int i,
	struct grid_cell *low, struct grid_cell *high)
{
	double delta = to[major] - from[major], least = min_d(from[i], to[i]), most = max_d(from[i], to[i]);
	double ends[2];
	for (int end = 0; end < 2; ++end) {
		double t = clamp_d(((double)(at + end) * grid->size - from[major]) / delta, 0, 1);
		ends[end] = from[i] + t * (to[i] - from[i]);
	}
	/* The error of t is a few roundings of a position along the major axis, over the segment's extent there. */
	double slope = abs_d(to[i] - from[i]) / abs_d(delta);
	double error = 0x1p-49 * (abs_d(from[i]) + abs_d(to[i]) + slope * (abs_d(from[major]) + abs_d(to[major])));
	low->at[i] = cell_of(grid, max_d(min_d(ends[0], ends[1]) - error, least));
	high->at[i] = cell_of(grid, min_d(max_d(ends[0], ends[1]) + error, most));
}

/* Visits cells layer by layer along the axis of the greatest extent, mostly one to four in each layer. Stepping from cell to
 * cell (Amanatides, Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing", 1987) visits fewer, but can miss a cell whose
 * corner the ray passes closely. */
void grid_ray(struct grid *grid, const double from[3], const double to[3], grid_visit *visit, void *context)
{
	struct box_d around;
	int major = 0;
	for (int i = 0; i < 3; ++i) {
		around.lower[i] = min_d(from[i], to[i]);
		around.upper[i] = max_d(from[i], to[i]);
		if (around.upper[i] - around.lower[i] > around.upper[major] - around.lower[major])
			major = i;
	}
	struct grid_cell low = cell_at(grid, around.lower), high = cell_at(grid, around.upper);
	if (low.at[major] == high.at[major] || (double)(high.at[major] - low.at[major]) > grid->item_count) {
		grid_query(grid, &around, visit, context);
		return;
	}
	if (!large_visit(grid, visit, context))
		return;
	uint32_t question = question_begin(grid);
	for (int64_t at = low.at[major]; grid->bucket_count > 0 && at <= high.at[major]; ++at) {
		struct grid_cell first, last;
		for (int i = 0; i < 3; ++i)
			if (i != major)
				layer_range(grid, from, to, major, at, i, &first, &last);
		first.at[major] = last.at[major] = at;
		if (!cells_visit(grid, &first, &last, question, visit, context))
			return;
	}
}

/* --- Nearest -------------------------------------------------------------------------------------------------------------- */

struct near_visit {
	double (*visit)(void *context, uint32_t id, double square);
	void *context;
	double square;
};

static bool near_visit(void *context, uint32_t id)
{
	struct near_visit *near = context;
	near->square = near->visit(near->context, id, near->square);
	return true;
}

/* Visits the cells at Chebyshev distance `ring` from the middle cell. */
static void ring_visit(
	struct grid *grid, const struct grid_cell *middle, int64_t ring, uint32_t question, struct near_visit *near)
{
	struct grid_cell low = *middle, high = *middle;
	for (int i = 0; i < grid->dimensions; ++i) {
		low.at[i] -= ring;
		high.at[i] += ring;
	}
	struct grid_cell cell = low;
	do {
		bool edge = ring == 0;
		for (int i = 0; i < grid->dimensions; ++i)
			edge |= cell.at[i] == low.at[i] || cell.at[i] == high.at[i];
		if (!edge)
			cell.at[0] = high.at[0]; /* skips the cells inside the ring */
		cell_visit(grid, &cell, question, near_visit, near);
	} while (cell_next(&cell, &low, &high));
}

/* Visits the large items, then the cells in growing rings, until no other item can be within the search distance. When the
 * rings get more cells than there are items, it visits the rest of the items one by one. */
void grid_nearest(struct grid *grid, const double point[3], double square,
	double (*visit)(void *context, uint32_t id, double square), void *context)
{
	struct near_visit near = {visit, context, square};
	uint32_t question = question_begin(grid);
	for (uint32_t i = 0; i < grid->large.count; ++i) {
		grid->items.data[grid->large.data[i]].seen = question;
		near_visit(&near, grid->large.data[i]);
	}
	struct grid_cell middle = cell_at(grid, point);
	double farthest = max_d(max_d(abs_d(point[0]), abs_d(point[1])), abs_d(point[2])), visited = 0;
	for (int64_t ring = 0; grid->bucket_count > 0; ++ring) {
		/* Lower bound on the distance of items outside the visited rings, less the rounding of positions to cells. */
		double out = (double)(ring - 1) * grid->size * (1 - 0x1p-50) - 0x1p-50 * farthest;
		if (out > 0 && out * out > near.square)
			return;
		double side = 2 * (double)ring + 1;
		visited += grid->dimensions == 2 ? side * side : side * side * side;
		if (visited > grid->item_count)
			break;
		ring_visit(grid, &middle, ring, question, &near);
	}
	for (uint32_t id = 0; id < grid->end; ++id)
		if (item_alive(&grid->items.data[id]) && grid->items.data[id].seen != question)
			near_visit(&near, id);
}

/* --- Checks --------------------------------------------------------------------------------------------------------------- */

static const char *validate_item(const struct grid *grid, uint32_t id)
{
	const struct grid_item *item = &grid->items.data[id];
	double cells = cells_count(&item->low, &item->high), found = 0;
	if (item->large != NONE) {
		CHECK(item->large < grid->large.count && grid->large.data[item->large] == id && cells > GRID_CELLS);
		return NULL;
	}
	for (uint32_t i = item->links; i != NONE; i = grid->links.data[i].sibling) {
		const struct grid_link *link = &grid->links.data[i];
		uint32_t bucket = cell_bucket(&link->cell, grid->bucket_count);
		CHECK(++found <= cells && link->id == id);
		CHECK(link->before & GRID_FIRST ? link->before == (GRID_FIRST | bucket) && grid->buckets[bucket] == i
										: grid->links.data[link->before].next == i);
	}
	CHECK(found == cells);
	return NULL;
}

const char *grid_validate(const struct grid *grid)
{
	const char *why = NULL;
	uint32_t alive = 0, free = 0;
	for (uint32_t id = 0; id < grid->end; ++id) {
		alive += item_alive(&grid->items.data[id]);
		if (item_alive(&grid->items.data[id]) && (why = validate_item(grid, id)) != NULL)
			return why;
	}
	for (uint32_t i = grid->free_link; i != NONE && free <= grid->links.count; i = grid->links.data[i].sibling)
		++free;
	CHECK(alive == grid->item_count && free == grid->free_count);
	return NULL;
}
