/* index.h - spatial indices of boxes outside any world: a tree, a sort and sweep or a grid, and the exact boxes. The three
 * kinds find candidates; the index tests these by the exact boxes and sorts the results. So all kinds give the same answers in
 * the same order and differ only in speed.
 * Invariant: `line` has the ids in order of insertion, with holes; items.data[id].position is the id's index there. Not
 * thread-safe. */
#pragma once
#include "base/ids.h"
#include "spatial/grid.h"
#include "spatial/sort_sweep.h"
#include "spatial/tree.h"

enum index_kind { INDEX_TREE, INDEX_SWEEP, INDEX_GRID, INDEX_KINDS };

struct index_item {
	struct box_d box;
	uint64_t serial; /* number of insertions before the item's */
	uint32_t leaf; /* the item's leaf in the tree */
	uint32_t position; /* index in `line`; NONE: the id is free */
};

/* A result of a query. Sorted by rank, then by tie. */
struct index_hit {
	uint64_t rank; /* sort key, see index.c */
	uint32_t id, other; /* other: the second of a pair, else NONE */
	uint32_t tie; /* position in `line`, where ranks may be equal */
};

struct index {
	struct memory *memory;
	enum index_kind kind;
	int dimensions;
	double margin; /* by which boxes in the tree are widened, so that small moves stay inside [length] */
	struct ids ids;
	ARRAY(struct index_item) items; /* by id */
	ARRAY(uint32_t) line;
	ARRAY(struct index_hit) hits; /* hits of the queries in progress; those of nested queries come last */
	uint64_t serial; /* number of insertions so far */
	uint64_t replaced; /* number of moves so far that reinserted a leaf of the tree */
	union {
		struct {
			struct tree tree;
			struct tree_room room; /* storage of the tree */
		};
		struct sweep sweep;
		struct grid grid;
	};
};

/* cell_size is for a grid, margin for a tree [length]. */
void index_init(
	struct index *index, struct memory *memory, enum index_kind kind, int dimensions, double cell_size, double margin);
void index_free(struct index *index);

static inline uint32_t index_count(const struct index *index)
{
	return ids_count(&index->ids);
}

/* Reserves capacity to insert this box, or to move one there. The other changes do not allocate. False: no memory or
 * TREE_LEAVES_MAX ids, and no visible change. Boxes have 0 on axes that the dimension does not use, and lower <= upper. */
bool index_reserve(struct index *index, const struct box_d *box);
/* Adds a box, for which capacity is reserved. Returns its id, valid until it is removed. */
uint32_t index_insert(struct index *index, const struct box_d *box);
void index_move(struct index *index, uint32_t id, const struct box_d *box); /* capacity is reserved */
void index_remove(struct index *index, uint32_t id);
void index_clear(struct index *index); /* keeps the capacity */

/* Queries append their hits, sorted, to index->hits; the caller then resets hits.count to what it was. False: no memory, and
 * nothing is added. Touching counts as overlap. Hits come in order of insertion unless stated otherwise. */

/* Finds all boxes that overlap the given one and that `accept` returns true for; NULL: all that overlap it. */
bool index_query_box(
	struct index *index, const struct box_d *box, bool (*accept)(void *context, const struct box_d *box), void *context);
/* Finds all boxes that the segment hits, by the fraction at which it enters, then in order of insertion. */
bool index_query_ray(struct index *index, const double from[3], const double to[3]);
/* Finds the `count` > 0 boxes nearest to the point, by distance, then in order of insertion. */
bool index_nearest(struct index *index, const double point[3], uint32_t count);
/* Finds all overlapping pairs, each once, the older box first; sorted by the insertion of the first, then of the second. */
bool index_pairs(struct index *index);

/* The entry fraction of a ray hit; the squared distance of a nearest hit [length^2]. */
double index_hit_value(const struct index_hit *hit);

/* The first invariant that does not hold; NULL: all do. O(n). */
const char *index_validate(struct index *index);
