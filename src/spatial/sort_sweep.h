/* sort_sweep.h - sort and sweep: boxes sorted by their lower ends on one axis.
 * Best for finding all pairs of many boxes that move little between queries: the entries are then nearly sorted. Changes are
 * recorded, and the next query sorts them in, at a cost of O(n). The caller names boxes by ids, small and dense. Invariant:
 * after a query entries are sorted by box.lower[axis]; indices[id] is the index of the id's entry. Deterministic: the same
 * calls report in the same order.
 * Not thread-safe: queries sort. */
#pragma once
#include "base/array.h"
#include "spatial/box.h"

struct sweep_entry {
	struct box box;
	uint32_t id; /* NONE: removed */
};

struct sweep {
	struct memory *memory;
	ARRAY(struct sweep_entry) entries;
	ARRAY(struct sweep_entry) spare; /* buffer for sorting, as is `keys`; `count` is unused in both */
	ARRAY(uint64_t) keys;
	ARRAY(uint32_t) indices; /* by id; `count` is unused */
	ARRAY(float) reaches; /* by block of SWEEP_BLOCK entries: the greatest upper end on the axis */
	uint32_t dead; /* removed entries */
	uint32_t fresh; /* entries added since the last sort */
	int axis, next_axis; /* of the last sort, and of the next one */
	float extent; /* of the largest box along the axis, rounded up */
	bool dirty;
};

enum { SWEEP_BLOCK = 32 };

void sweep_init(struct sweep *sweep, struct memory *memory);
void sweep_free(struct sweep *sweep);
/* Reserves capacity for ids below `end`, and one more box than there are. The only call that allocates. False: no memory, and
 * no visible change. */
bool sweep_reserve(struct sweep *sweep, uint32_t end);
void sweep_insert(struct sweep *sweep, uint32_t id, const struct box *box); /* the id is not in use; capacity is reserved */
void sweep_move(struct sweep *sweep, uint32_t id, const struct box *box);
void sweep_remove(struct sweep *sweep, uint32_t id);
void sweep_clear(struct sweep *sweep);

/* Visits each id whose box overlaps `box`, until visit returns false. */
void sweep_query(struct sweep *sweep, const struct box *box, bool (*visit)(void *context, uint32_t id), void *context);
/* Visits once each pair of ids whose boxes overlap, until visit returns false. */
void sweep_pairs(struct sweep *sweep, bool (*visit)(void *context, uint32_t a, uint32_t b), void *context);
/* Visits ids whose boxes are within the search distance of a point, roughly nearest first. square, visit: see tree_near. */
void sweep_nearest(struct sweep *sweep, const double point[3], double square,
	double (*visit)(void *context, uint32_t id, double square), void *context);

/* Returns the current axis; *comparisons: the number of pairs whose intervals on it overlap, which sweep_pairs has to compare.
 * O(n log n). */
int sweep_measure(struct sweep *sweep, uint64_t *comparisons);

/* The first invariant that does not hold, once sorted; NULL: all do. O(n). */
const char *sweep_validate(struct sweep *sweep);
