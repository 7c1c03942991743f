/* grid.h - a spatial hash: boxes listed by the cells of a regular grid that they overlap. Cells are found by a hash of their
 * coordinates, so the grid has no bounds and empty space costs nothing.
 * Best for items of about one size. A box over more than GRID_CELLS cells goes to a separate list, which every query scans.
 * Boxes are exact: rounded to floats, an item of one cell would overlap hundreds of cells far from the origin. Boxes are known
 * by the caller's ids: small, dense, one box for each.
 * Invariant: every item has a link in the list of each of its cells, or is in `large`. Exact overlap tests are left to the
 * caller: the grid reports boxes that share a cell.
 * Deterministic: the same calls report in the same order.
 * Not thread-safe: queries mark the items seen. */
#pragma once
#include "base/array.h"
#include "spatial/box.h"

enum {
	GRID_CELLS = 64, /* maximum per item: balances the cost of moving it against every query scanning `large` */
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
	struct grid_cell low, high; /* the cells that it overlaps */
	uint32_t links; /* head of the list of its links; NONE: large, or not in the grid */
	uint32_t large; /* index in grid.large; NONE: not large */
	uint32_t seen; /* number of the last query that saw it */
};

struct grid {
	struct memory *memory;
	int dimensions;
	double size; /* of a cell [m] */
	ARRAY(struct grid_link) links;
	ARRAY(struct grid_item) items; /* by id; `count` is unused */
	ARRAY(uint32_t) large; /* ids */
	uint32_t *buckets; /* first links, or NONE */
	uint32_t bucket_count; /* a power of two, or 0 */
	uint32_t end; /* ids used so far are below */
	uint32_t item_count;
	uint32_t free_link, free_count;
	uint32_t question; /* number of the last query */
};

/* In 2D all boxes and points have 0 on the third axis. */
void grid_init(struct grid *grid, struct memory *memory, int dimensions, double size);
void grid_free(struct grid *grid);
/* Reserves capacity for ids below `end`, and to insert this box or to move one here. The only call that allocates. False: no
 * memory, and no visible change. */
bool grid_reserve(struct grid *grid, uint32_t end, const struct box_d *box);
void grid_insert(struct grid *grid, uint32_t id, const struct box_d *box); /* not in it; capacity reserved */
void grid_move(struct grid *grid, uint32_t id, const struct box_d *box); /* capacity reserved */
void grid_remove(struct grid *grid, uint32_t id);
void grid_clear(struct grid *grid);

/* The queries visit each id, or pair, at most once, until visit returns false. */
typedef bool grid_visit(void *context, uint32_t id);
/* All items that share a cell with the box, and the large ones. */
void grid_query(struct grid *grid, const struct box_d *box, grid_visit *visit, void *context);
/* All items in the cells along a segment, and the large ones. */
void grid_ray(struct grid *grid, const double from[3], const double to[3], grid_visit *visit, void *context);
/* All pairs that share a cell or of which one is large. */
void grid_pairs(struct grid *grid, bool (*visit)(void *context, uint32_t a, uint32_t b), void *context);
/* Items near a point, roughly nearest first: visit gets the square of the search distance [m^2], and returns it or less. */
void grid_nearest(struct grid *grid, const double point[3], double square,
	double (*visit)(void *context, uint32_t id, double square), void *context);

/* The first invariant that does not hold; NULL: all do. O(n). */
const char *grid_validate(const struct grid *grid);
