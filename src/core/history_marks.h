/* history_marks.h - which records may differ from those of a history's last push: see touched.h. Internal to history.c. Serial.
 */
#pragma once
#include "core/history_regions.h"

struct marks {
	struct bits ids[SCAN_KINDS]; /* of records that have changed, as the world's marks say */
	struct bits solved; /* contacts of which each step changes the manifolds */
};

/* Reserves room for marks_add and marks_complete. False: no memory. */
bool marks_reserve(struct marks *marks, const struct world *world);
/* Adds the world's marks. */
void marks_add(struct marks *marks, const struct world *world);
/* Forgets the world's marks, after all histories have got them. */
void world_marks_clear(struct world *world);
/* Adds the records that change together with others, and those that a step changes without a mark. */
void marks_complete(struct marks *marks, const struct world *world);
/* The records of which each step may change something without a mark. NULL: none. */
const struct bits *marks_stepped(const struct marks *marks, const struct world *world, uint32_t scan);
void marks_clear(struct marks *marks);
void marks_free(struct memory *memory, struct marks *marks);
