/* touched.h - which records may have changed since the last push of each history, so that a push need not compare the others.
 * Each step changes the same bytes of the rows of awake bodies and of the manifolds that are solved (see struct stepped), the
 * bodies' states and travels, and the joints that are solved. A push records those bytes and states, and compares these travels
 * and joints. Any other change has a mark, by the ids of records. The marks cost nothing without a history. A missing mark
 * would make a rewind wrong: builds with assertions compare all records after each push. Serial, unless said. */
#pragma once
#include "core/core.h"

static inline void record_touch(struct world *world, enum touched_kind kind, uint32_t id)
{
	if (world->histories != NULL)
		bits_set(&world->touched[kind], id);
}

/* Any thread. */
static inline void record_touch_shared(struct world *world, enum touched_kind kind, uint32_t id)
{
	if (world->histories != NULL)
		bits_set_shared(&world->touched[kind], id);
}

/* Any thread, each contact by one. Serial code that has marked the contact may store the flags itself. */
static inline void contact_set_flags(struct world *world, uint32_t id, uint32_t flags)
{
	struct link *link = &world->contacts.data[id].link;
	if (link->flags == flags)
		return;
	link->flags = (uint8_t)flags;
	record_touch_shared(world, TOUCHED_CONTACTS, id);
}

static inline void link_touch(struct world *world, enum link_kind kind, uint32_t id)
{
	record_touch(world, kind == LINK_CONTACT ? TOUCHED_CONTACTS : TOUCHED_JOINTS, id);
}
