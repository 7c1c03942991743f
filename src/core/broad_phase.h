/* broad_phase.h - boxes whose pairs are found by sort and sweep: those of what drifts, and of what else moved.
 * They are laid down in strips along the axis on which they spread most, each as wide on the second axis as a few boxes, and
 * sorted within them: an entry is compared only with what begins while it lasts, in lanes. What reaches over several strips is
 * in all of them; a pair is reported in the strip where the upper one of the two begins, and not at all when it met already as
 * both were searched for last. Strips are numbered modulo their count, so that what has gone far makes none wider.
 * Deterministic: the same boxes report in the same order, whatever the number of lanes and of workers.
 * Sources: Ericson, "Real-Time Collision Detection", 2005, 7.5.2; Tracy, Buss, Woods, "Efficient Large-Scale Sweep and Prune
 * Methods with AABB Insertion and Removal", 2009 (segments against false pairs). broad_phase_gather is serial; strips may be
 * swept by many threads at once, each with buffers of its own. */
#pragma once
#include "core/core.h"

/* Who is in the crowd. What moved and is of the first tree has met what moved and drifts from its side already, in the tree. */
enum { DRIFTING_MOVED = 1, DRIFTING = 2, ANCHORED_MOVED = 4, KIND_BITS = 3 };
enum { STRIP_BITS = 12, STRIPS_MAX = 1 << STRIP_BITS };

struct broad_phase_entry {
	float lower[3], upper[3];
	uint32_t id; /* the proxy */
	struct box searched; /* see struct proxy */
};

struct broad_phase {
	ARRAY(struct broad_phase_entry) entries;
	ARRAY(uint32_t) marks; /* of the entries: the kind, above that the first strip, above that how many more it reaches over */
	ARRAY(uint64_t) keys; /* and room to sort them */
	ARRAY(uint32_t) starts; /* of the strips, in `places`; one more than there are */
	ARRAY(uint32_t) places; /* of entries, strip by strip, sorted by their lower ends on the first axis */
	uint32_t strip_count; /* a power of two, or 0 */
	uint32_t longest; /* entries in a strip */
	double per_length; /* strips a unit of length */
	float reach; /* the longest entry on the first axis [length] */
	int axes[3]; /* the axis of greatest variance comes first */
	bool flat; /* on the third axis all are alike */
};

struct pair {
	uint32_t a, b;
};

enum { BROAD_PHASE_LANES = 8, BROAD_PHASE_HITS = 128 };

/* A worker's: a strip by columns, and how far the sweep has come. */
struct strip {
	ARRAY(float) lower[3], upper[3]; /* [0] on the first axis */
	ARRAY(uint32_t) ids, marks;
	ARRAY(struct box) searched;
	uint32_t number, count;
	bool flat;
	uint32_t i, j; /* the next two to compare */
	uint32_t hit_count;
	struct pair hits[BROAD_PHASE_HITS + BROAD_PHASE_LANES];
};

/* Goes on until there is no more room for hits (true) or until the strip's end. */
typedef bool strip_sweep_function(struct strip *strip);
strip_sweep_function strip_sweep_4, strip_sweep_8;

/* Lays down the crowd of the world; some of it moved. `bullets`: in place of what moved, the proxies of fast bullets are
 * compared with all that drift, however often they have been before. False: no memory. */
bool broad_phase_gather(struct world *world, struct broad_phase *broad_phase, bool bullets);
void broad_phase_free(struct memory *memory, struct broad_phase *broad_phase);
/* Visits the entries that overlap the box, some of them more than once, until a visit says no. Any thread. */
void broad_phase_query(const struct broad_phase *broad_phase, const struct box *box, tree_visit *visit, void *context);

bool strip_reserve(struct memory *memory, struct strip *strip, uint32_t count);
void strip_free(struct memory *memory, struct strip *strip);
/* Room for the longest strip is reserved. */
void strip_fill(struct strip *strip, const struct broad_phase *broad_phase, uint32_t number);
