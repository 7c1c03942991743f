/* event.h - the events of a step: begins, ends and hits of contacts, begins and ends of sensor overlaps. Serial. */
#pragma once
#include "core/core.h"

/* Report that the contact begins or ends to touch, unless the same two colliders touch elsewhere. Capacity is reserved. */
void event_begin(struct world *world, uint32_t contact);
void event_end(struct world *world, uint32_t contact);
/* Reports the contacts of world->hit_contacts; of two colliders only the fastest. False: no memory, none reported. */
bool events_report_hits(struct world *world);
/* Starts the events of a step; ends since the last step are included. */
void events_begin(struct world *world);
/* The collider's handle, as used in events. */
static inline struct handle collider_handle(const struct world *world, uint32_t collider)
{
	return (struct handle){collider, world->colliders.data[collider].generation};
}
