/* sort_sweep.h - sort and sweep: boxes sorted by their lower ends on one axis.
 * What it is best at is all pairs of a crowd that moves a little at a time: the order of the last time is nearly that of now.
 * Changes are taken down and sorted in when the next question comes, so that a question after a change costs O(n). Boxes are
 * known by the caller's ids: small, dense, one box for each.
 * Invariant: after a question entries are sorted by box.lower[axis]; places[id] is where the id's entry stands. Deterministic:
 * the same calls report in the same order.
 * Not thread-safe: questions sort. */
#pragma once
#include "base/array.h"
#include "spatial/box.h"

struct sweep_entry {
	struct box box;
	uint32_t id; /* NONE: removed, and yet to be swept out */
};

struct sweep {
	struct memory *memory;
	ARRAY(struct sweep_entry) entries;
	struct sweep_entry *spare; /* as many as entries has room for, and so `keys` twice */
	uint64_t *keys;
	uint32_t spare_count; /* room in both */
	ARRAY(uint32_t) places; /* by id; count is its capacity */
	ARRAY(float) reaches; /* by block of SWEEP_BLOCK entries: the greatest upper end on the axis */
	uint32_t dead; /* entries removed */
	uint32_t fresh; /* entries added since the last sort */
	int axis, next_axis;
	float extent; /* of the largest box along the axis, rounded up */
	bool dirty;
};

enum { SWEEP_BLOCK = 32 };

void sweep_init(struct sweep *sweep, struct memory *memory);
void sweep_free(struct sweep *sweep);
/* Room for ids below `end`, and one more box than there are. The only call that allocates. False: no memory, nothing
 * changed. */
bool sweep_reserve(struct sweep *sweep, uint32_t end);
void sweep_insert(struct sweep *sweep, uint32_t id, const struct box *box); /* not in it; room reserved */
void sweep_move(struct sweep *sweep, uint32_t id, const struct box *box);
void sweep_remove(struct sweep *sweep, uint32_t id);
void sweep_clear(struct sweep *sweep);

/* Visits each id whose box overlaps `box`, until visit returns false. */
void sweep_query(struct sweep *sweep, const struct box *box, bool (*visit)(void *context, uint32_t id), void *context);
/* Visits each pair of overlapping boxes once, until visit returns false. */
void sweep_pairs(struct sweep *sweep, bool (*visit)(void *context, uint32_t a, uint32_t b), void *context);
/* Visits ids near a point, roughly the nearest first, as tree_nearest does. */
void sweep_nearest(struct sweep *sweep, const double point[3], double square,
	double (*visit)(void *context, uint32_t id, double square), void *context);

/* How good the order is: the axis that it is by now, and how many pairs overlap along it, which sweep_pairs has to compare. O(n
 * log n). */
int sweep_measure(struct sweep *sweep, uint64_t *comparisons);

/* Whether everything the structure promises holds, once sorted; otherwise *why says what does not. O(n). */
bool sweep_validate(struct sweep *sweep, const char **why);
