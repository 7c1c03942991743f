/* event.h - the events of a step: begins, ends and hits of contacts, and of overlaps of sensors. Serial. */
#pragma once
#include "core/core.h"

/* The contact begins to touch, or ends: reported unless the same two colliders touch elsewhere. Room is reserved. */
void event_begin(struct world *world, uint32_t contact);
void event_end(struct world *world, uint32_t contact);
/* Reports the contacts of world->hit_contacts, of two colliders the fastest. False: no memory, none reported. */
bool events_report_hits(struct world *world);
/* Starts the events of a step: what ended since the last one is in. */
void events_begin(struct world *world);
/* The collider, as events name it. */
static inline struct handle collider_handle(const struct world *world, uint32_t collider)
{
	return (struct handle){collider, world->colliders.data[collider].generation};
}
