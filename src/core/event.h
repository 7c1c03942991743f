/* event.h - the events of the last step or steps: begins, ends and hits of contacts; begins and ends of sensor overlaps.
 * Serial. */
#pragma once
#include "core/core.h"

/* Report that the contact begins or ceases to touch, unless its colliders touch by another contact. Capacity is reserved. */
void event_begin(struct world *world, uint32_t contact);
void event_end(struct world *world, uint32_t contact);
/* Reports world->hit_contacts as hits, of those between two colliders only the fastest. False: no memory, none reported. */
bool events_report_hits(struct world *world);
/* Called when a step begins. Removes the events unless `keep`. End events raised since the last step belong to the new one. */
void events_begin(struct world *world, bool keep);
/* The collider's handle, as used in events. */
static inline struct handle collider_handle(const struct world *world, uint32_t collider)
{
	return (struct handle){collider, world->colliders.data[collider].generation};
}
