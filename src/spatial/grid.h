/* grid.h - a spatial hash: lists of the boxes in each cell of a regular grid. A hash of the coordinates finds a cell, so the
 * grid has no bounds and empty space costs nothing.
 * Best for items of about one size. A box over more than GRID_CELLS cells goes to a separate list, which every query scans.
 * Boxes are in doubles: far from the origin, a box rounded to floats would overlap hundreds of cells instead of one. The caller
 * names boxes by ids, small and dense.
 * Invariant: every item has a link in the list of each of its cells, or is in `large`. Exact overlap tests are left to the
 * caller: the grid reports boxes that share a cell.
 * Deterministic: the same calls report in the same order.
 * Not thread-safe: queries mark the items seen. */
#pragma once
#include "base/array.h"
#include "spatial/box.h"

enum {
	/* maximum number of cells of an item not in `large`: balances the cost of moves against that of scanning `large` */
	GRID_CELLS = 64,
};

struct grid_cell {
	int64_t at[3];
};

struct grid_link {
	struct grid_cell cell;
	uint32_t id;
	uint32_t next, before; /* links in the bucket's list; before: GRID_FIRST | bucket for the first one */
	uint32_t sibling; /* the item's next link; or the next free one */
};

struct grid_item {
	struct grid_cell low, high; /* lowest and highest cell of the range that the item overlaps */
	uint32_t links; /* head of the list of its links; NONE: large, or not in the grid */
	uint32_t large; /* index in grid.large; NONE: not large */
	uint32_t seen; /* number of the last query that found the item; 0: none */
};

struct grid {
	struct memory *memory;
	int dimensions;
	double size; /* side of a cell [length] */
	ARRAY(struct grid_link) links;
	ARRAY(struct grid_item) items; /* by id; `count` is unused */
	ARRAY(uint32_t) large; /* ids of the large items */
	uint32_t *buckets; /* first link of each bucket, or NONE */
	uint32_t bucket_count; /* a power of two, or 0 */
	uint32_t end; /* all ids used so far are less */
	uint32_t item_count;
	uint32_t free_link, free_count;
	uint32_t question; /* number of the last query, 0 before the first */
};

/* In 2D all boxes and points have 0 on the third axis. */
void grid_init(struct grid *grid, struct memory *memory, int dimensions, double size);
void grid_free(struct grid *grid);
/* Reserves capacity for ids below `end`, and to insert this box or to move one here. The only call that allocates. False: no
 * memory, or 2^30 links would be in use; no visible change. */
bool grid_reserve(struct grid *grid, uint32_t end, const struct box_d *box);
void grid_insert(struct grid *grid, uint32_t id, const struct box_d *box); /* the id is not in the grid; capacity is reserved */
void grid_move(struct grid *grid, uint32_t id, const struct box_d *box); /* capacity is reserved */
void grid_remove(struct grid *grid, uint32_t id);
void grid_clear(struct grid *grid);

/* The queries visit each id, or pair, at most once, until visit returns false. */
typedef bool grid_visit(void *context, uint32_t id);
/* Visits all items that share a cell with the box. It may visit large items elsewhere, too. */
void grid_query(struct grid *grid, const struct box_d *box, grid_visit *visit, void *context);
/* Visits all items in the cells along a segment. It may visit other items in the segment's AABB and large items, too. */
void grid_ray(struct grid *grid, const double from[3], const double to[3], grid_visit *visit, void *context);
/* Visits all pairs of items that share a cell, and all pairs with a large item. */
void grid_pairs(struct grid *grid, bool (*visit)(void *context, uint32_t a, uint32_t b), void *context);
/* Visits the large items, then the items near a point, roughly nearest first; also some beyond the search distance. visit gets
 * the square of that distance [length^2] and returns it or less. It cannot stop the query. */
void grid_nearest(struct grid *grid, const double point[3], double square,
	double (*visit)(void *context, uint32_t id, double square), void *context);

/* The first invariant that does not hold; NULL: all do. O(n). */
const char *grid_validate(const struct grid *grid);
