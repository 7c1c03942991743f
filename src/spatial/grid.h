/* grid.h - a spatial hash: boxes listed by the cells of a regular grid that they touch, the cells found by a hash of their
 * coordinates, so that the grid has no bounds and empty space costs nothing.
 * Best for things of about one size. A box over more than GRID_CELLS cells goes to a list of its own, which every question
 * reads through. Boxes are exact: rounded to float, a thing of one cell would touch hundreds of them far from the origin. Boxes
 * are known by the caller's ids: small, dense, one box for each.
 * Invariant: every item has a link in the list of each of its cells, or stands in `large`. Whether two boxes overlap is left to
 * the caller: the grid reports those that share a cell.
 * Deterministic: the same calls report in the same order.
 * Not thread-safe: questions mark what they have seen. */
#pragma once
#include "base/array.h"
#include "spatial/box.h"

enum {
	GRID_CELLS = 64, /* of one item at most: what it takes to move it, against the reading of a list by all */
};

struct grid_cell {
	int64_t at[3];
};

struct grid_link {
	struct grid_cell cell;
	uint32_t id;
	uint32_t next, before; /* in the bucket; before: GRID_FIRST | bucket for the first one */
	uint32_t sibling; /* the item's next link; or the next free one */
};

struct grid_item {
	struct grid_cell low, high; /* the cells that it touches */
	uint32_t links; /* the first; NONE: large, or not there */
	uint32_t large; /* place in the list; NONE: not large */
	uint32_t seen; /* by the question of this number */
};

struct grid {
	struct memory *memory;
	int dimensions;
	double size; /* of a cell [m] */
	ARRAY(struct grid_link) links;
	ARRAY(struct grid_item) items; /* by id; count is its capacity */
	ARRAY(uint32_t) large; /* ids */
	uint32_t *buckets; /* first links, or NONE */
	uint32_t bucket_count; /* a power of two, or 0 */
	uint32_t end; /* ids used so far are below */
	uint32_t item_count;
	uint32_t free_link, free_count;
	uint32_t question; /* the last number given */
};

/* In two dimensions all boxes and points have 0 on the third axis. */
void grid_init(struct grid *grid, struct memory *memory, int dimensions, double size);
void grid_free(struct grid *grid);
/* Room for ids below `end`, and to insert this box or to move one here. The only call that allocates. False: no memory, and no
 * change that could be told. */
bool grid_reserve(struct grid *grid, uint32_t end, const struct box_d *box);
void grid_insert(struct grid *grid, uint32_t id, const struct box_d *box); /* not in it; room reserved */
void grid_move(struct grid *grid, uint32_t id, const struct box_d *box); /* room reserved */
void grid_remove(struct grid *grid, uint32_t id);
void grid_clear(struct grid *grid);

/* Each of these visits an id at most once, or a pair, until visit returns false. */
typedef bool grid_visit(void *context, uint32_t id);
/* All that share a cell with the box, and the large ones. */
void grid_query(struct grid *grid, const struct box_d *box, grid_visit *visit, void *context);
/* All in the cells along a segment, and the large ones. */
void grid_ray(struct grid *grid, const double from[3], const double to[3], grid_visit *visit, void *context);
/* All pairs that share a cell or of which one is large. */
void grid_pairs(struct grid *grid, bool (*visit)(void *context, uint32_t a, uint32_t b), void *context);
/* Near a point, roughly the nearest first: visit gets the square of the distance that is of interest [m^2], and returns it or
 * less. */
void grid_nearest(struct grid *grid, const double point[3], double square,
	double (*visit)(void *context, uint32_t id, double square), void *context);

/* In how many cells the items stand, summed up over those that are not large. */
static inline uint32_t grid_entry_count(const struct grid *grid)
{
	return grid->links.count - grid->free_count;
}

/* Whether everything the structure promises holds; otherwise *why says what does not. O(n). */
bool grid_validate(const struct grid *grid, const char **why);
