/* history_regions.h - what a world consists of, for its histories: arrays, sets, and single members. Internal to history.c and
 * history_regions.c. Serial. */
#pragma once
#include "core/core.h"

/* An array of the world, of which `bytes` are in use. */
struct region {
	unsigned char *data;
	size_t bytes;
};

/* The words of a page are compared, and put back, together; those that changed are the bits of a mask. */
enum { PAGE_WORDS = 64, RUN_WORDS = 4, PAGE_BYTES = PAGE_WORDS * 8, PAGE_RUNS = PAGE_WORDS / RUN_WORDS };
enum { RECORDS_AHEAD = 4 }; /* prefetch distance, of pages or records that are not in a row */
enum { ALL_RUNS = (1 << PAGE_RUNS) - 1, ARRAYS = 48, REGIONS = ARRAYS + (COLOURS + 1) * SOLVERS };

/* The sets that tell something between two steps: those of snapshot.c, and those that it derives. */
enum { SETS = 27 };

/* One more region for the scalars, and one for each set. */
enum { REGION_SCALARS = REGIONS, REGION_SETS, SHADOWS = REGION_SETS + SETS };

enum {
	REGION_BODY_ROWS = 1,
	REGION_COLLIDERS,
	REGION_CONTACTS = 4,
	REGION_MANIFOLDS,
	REGION_BURDENS = 8,
	REGION_MOVER_ROWS,
	REGION_STATES,
	REGION_JOINTS = 12,
	REGION_JOINT_ROWS,
	REGION_FIELDS = 23,
	REGION_NODES = 35, /* of the first room: its nodes, values and ups; then the same of the other room */
	ROOM_REGIONS = 3
};

/* Which records of the first regions a push compares, in their order: those of a set of ids; of other regions all. Every change
 * of a SCAN_MARKED_BODIES record has a mark; for the TOUCHED ones see touched.h. */
enum { SCAN_MARKED_BODIES = TOUCHED_KINDS, SCAN_TREES, SCAN_FIELD_TREE, SCAN_KINDS, SCAN_ALL = SCAN_KINDS };

/* The members, one after the other, then the counts of the colours' lists. Bytes of no member are 0. */
struct scalars {
	unsigned char members[2048];
	uint32_t colours[COLOURS + 1][SOLVERS];
	uint32_t used_colours[SOLVERS]; /* as in struct world: other counts are 0 */
};

/* The regions that are not empty: their numbers, and by number the regions. */
struct region_list {
	uint32_t count, numbers[SHADOWS];
	struct region regions[SHADOWS];
};

static inline void region_add(struct region_list *list, uint32_t number, struct region region)
{
	if (region.bytes == 0)
		return;
	list->numbers[list->count++] = number;
	list->regions[number] = region;
}

struct bits *world_set(struct world *world, uint32_t number);
/* The words of a set. A page of them has one word of the set's summary. */
struct region set_region(const struct bits *set);
/* Adds the world's arrays, with the counts that it has at the moment. */
void regions_find(struct world *world, struct region_list *list);
/* Which records of a region a push compares. The size of a record of a region that it does not compare whole [bytes]. */
uint32_t region_scan(uint32_t region);
size_t record_size(const struct world *world, uint32_t region);
/* The bytes of a region's record that a step changes without a mark: see struct wing. Size 0: it may change all of them. */
struct stepped stepped_bytes(const struct world *world, uint32_t region);
/* Copy the single members of the world, over those that were copied before, and back. */
void scalars_copy(struct scalars *to, const struct world *world);
void scalars_restore(struct world *world, const struct scalars *from);
