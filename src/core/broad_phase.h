/* broad_phase.h - sort and sweep over the boxes of drifting proxies and of other moved proxies.
 * The entries are the fat AABBs of the proxies. The first axis is that of greatest variance. Strips run along it, and are a few
 * boxes wide on the second axis. The entries of a strip are sorted by their lower ends on the first axis: each is compared, in
 * SIMD lanes, only with those after it that begin before it ends. An entry that overlaps several strips is in all of them. A
 * pair is reported only in the strip where the entry with the greater lower end on the second axis begins, and only if the
 * boxes `searched` of the two proxies do not overlap. Strips repeat: positions map to them modulo their count, so that distant
 * outliers do not make them wider. If few proxies have moved, a coarse grid first drops those that none of them can overlap.
 * Deterministic: the same pairs are reported, and in the same order within a strip, with any number of lanes and workers.
 * Sources: Ericson, "Real-Time Collision Detection", 2005, 7.5.2; Tracy, Buss, Woods, "Efficient Large-Scale Sweep and Prune
 * Methods with AABB Insertion and Removal", 2009 (segments against false pairs). broad_phase_gather is serial; strips may be
 * swept by many threads at once, each with its own buffers. */
#pragma once
#include "core/core.h"

/* Kinds of entries. Moved proxies: see world.moved_proxies; anchored ones are resting or static. The pairs of an ANCHORED_MOVED
 * and a DRIFTING_MOVED proxy are not reported: the tree query of the latter finds them. */
enum { DRIFTING_MOVED = 1, DRIFTING = 2, ANCHORED_MOVED = 4, KIND_BITS = 3 };
enum { STRIP_BITS = 12, STRIPS_MAX = 1 << STRIP_BITS };

struct broad_phase_entry {
	float lower[3], upper[3];
	uint32_t id; /* the proxy */
	struct box searched; /* see struct proxy */
};

struct broad_phase {
	ARRAY(struct broad_phase_entry) entries;
	/* for each entry: its kind in the lowest bits, then its first strip, then the number of its further strips */
	ARRAY(uint32_t) marks;
	ARRAY(uint64_t) keys; /* sort keys of the entries, with as much space again to sort them */
	ARRAY(uint32_t) starts; /* start of each strip in `indices`; one more than there are strips */
	ARRAY(uint32_t) indices; /* indices of entries, strip by strip, sorted by their lower ends on the first axis */
	uint32_t strip_count; /* a power of two; 0 without entries */
	uint32_t longest; /* entries in the longest strip */
	double per_length; /* strips per unit of length on the second axis */
	float reach; /* length of the longest entry on the first axis [length] */
	int axes[3]; /* the axis of greatest variance comes first */
	bool flat; /* all entries have the same bounds on the third axis */
};

struct pair {
	uint32_t a, b;
};

enum { BROAD_PHASE_LANES = 8, BROAD_PHASE_HITS = 128 };

/* The strip that a worker sweeps, as columns, with the progress of the sweep and the pairs found. */
struct strip {
	ARRAY(float) lower[3], upper[3]; /* [0] on the first axis */
	ARRAY(uint32_t) ids, marks;
	ARRAY(struct box) searched;
	uint32_t number, count;
	bool flat;
	uint32_t i, j; /* the next pair to compare */
	uint32_t hit_count;
	struct pair hits[BROAD_PHASE_HITS + BROAD_PHASE_LANES];
};

/* Sweeps the strip until the buffer of hits is full (true) or the strip ends (false). */
typedef bool strip_sweep_function(struct strip *strip);
strip_sweep_function strip_sweep_1, strip_sweep_4, strip_sweep_8;

/* Makes the strips of the drifting proxies and of other moved ones. With `bullets`, for continuous collision: of the drifting
 * proxies only. Those of fast bullets count as moved and have the AABBs of their paths, and known pairs are reported, too.
 * False: no memory. */
bool broad_phase_gather(struct world *world, struct broad_phase *broad_phase, bool bullets);
void broad_phase_free(struct memory *memory, struct broad_phase *broad_phase);
/* Visits the proxies of entries that overlap the box, some more than once, until visit returns false. Any thread. */
void broad_phase_query(const struct broad_phase *broad_phase, const struct box *box, tree_visit *visit, void *context);

bool strip_reserve(struct memory *memory, struct strip *strip, uint32_t count);
void strip_free(struct memory *memory, struct strip *strip);
/* Copies the entries of strip `number` into columns. Capacity for the longest strip must be reserved. */
void strip_fill(struct strip *strip, const struct broad_phase *broad_phase, uint32_t number);
