/* touched.h - which records may have changed since the last push of each history, besides those of awake bodies and contacts,
 * so that a push need not compare those that rest. By chunks of 64 ids. The marks cost nothing without a history. Missing marks
 * would make a rewind wrong: builds with assertions compare all records after each push. Serial. */
#pragma once
#include "core/core.h"

static inline void record_touch(struct world *world, enum touched_kind kind, uint32_t id)
{
	if (world->histories != NULL)
		bits_set(&world->touched[kind], id / 64);
}

static inline void link_touch(struct world *world, enum link_kind kind, uint32_t id)
{
	record_touch(world, kind == LINK_CONTACT ? TOUCHED_CONTACTS : TOUCHED_JOINTS, id);
}
