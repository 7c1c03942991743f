/* index.h - boxes to be found again, outside of any world: a tree, a sweep or a grid, with the exact boxes beside it. The three
 * find candidates; what is reported is decided here, by the doubles that were given, and put in order here. So they give the
 * same answers in the same order and differ in speed alone.
 * Invariant: `line` has the ids in order of insertion, with holes; items.data[id].position is the place there.
 * Not thread-safe. */
#pragma once
#include "base/ids.h"
#include "spatial/grid.h"
#include "spatial/sort_sweep.h"
#include "spatial/tree.h"

enum index_kind { INDEX_TREE, INDEX_SWEEP, INDEX_GRID, INDEX_KINDS };

struct index_item {
	struct box_d box;
	uint64_t serial; /* insertions before its own */
	uint32_t leaf; /* of the tree */
	uint32_t position; /* in line; NONE: the id is free */
};

/* What was found. Sorted by rank, then by tie. */
struct index_hit {
	uint64_t rank; /* see index.c */
	uint32_t id, other; /* other: of a pair */
	uint32_t tie;
};

struct index {
	struct memory *memory;
	enum index_kind kind;
	int dimensions;
	double margin; /* by which boxes in the tree are larger, so that small moves stay inside [m] */
	struct ids ids;
	ARRAY(struct index_item) items; /* by id */
	ARRAY(uint32_t) line;
	ARRAY(struct index_hit) hits; /* of questions under way, one after the other */
	uint64_t serial; /* insertions so far */
	uint64_t replaced; /* moves so far that gave a leaf of the tree another place */
	union {
		struct {
			struct tree tree;
			struct tree_room room; /* the tree's */
		};
		struct sweep sweep;
		struct grid grid;
	};
};

/* cell_size: of a grid; margin: of a tree. */
void index_init(
	struct index *index, struct memory *memory, enum index_kind kind, int dimensions, double cell_size, double margin);
void index_free(struct index *index);

static inline uint32_t index_count(const struct index *index)
{
	return ids_count(&index->ids);
}

/* Room to insert this box, or to move one there. The only changing call that allocates. False: no memory, and no change that
 * could be told. Boxes have 0 on axes that the dimension does not use, and lower <= upper. */
bool index_reserve(struct index *index, const struct box_d *box);
uint32_t index_insert(struct index *index, const struct box_d *box); /* room reserved. Returns its id, until it is removed */
void index_move(struct index *index, uint32_t id, const struct box_d *box); /* room reserved */
void index_remove(struct index *index, uint32_t id);
void index_clear(struct index *index); /* keeps the room */

/* Questions add their hits, sorted, to index->hits; the asker takes them off again, back to the count before. False: no memory,
 * nothing added. Touching counts as overlap. Hits come in order of insertion unless it says otherwise. */

/* All that overlap the box, and of which accept, unless NULL, says true. */
bool index_query_box(
	struct index *index, const struct box_d *box, bool (*accept)(void *context, const struct box_d *box), void *context);
/* All that the segment meets, by the fraction of the way at which it enters, then in order of insertion. */
bool index_query_ray(struct index *index, const double from[3], const double to[3]);
/* The `count` nearest by the distance of the box from the point, then in order of insertion. */
bool index_nearest(struct index *index, const double point[3], uint32_t count);
/* All pairs that overlap, once, by the order of insertion of the first one, then the other; the first one is the older one. */
bool index_pairs(struct index *index);

/* The fraction of a ray's hit; the square of the distance of a nearest one [m^2]. */
double index_hit_value(const struct index_hit *hit);

/* Whether everything the structure promises holds; otherwise *why says what does not. O(n). */
bool index_validate(struct index *index, const char **why);
