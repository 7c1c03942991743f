/* linkage.h - continuous collision of linkages: dynamic bodies that joints tie to each other. Taking back only the body that
 * hits something would open its joints by the rest of its displacement, so all bodies are moved. */
#pragma once
#include "core/path.h"

/* Whether the body is swept as a part of a linkage. */
static inline bool body_linked(const struct world *world, uint32_t body)
{
	return world->bodies.data[body].links[LINK_JOINT] != NONE;
}

/* Takes back the linkages of world->caught_bodies, which hit something, and clears that set; moved bodies are in
 * world->taken_bodies. A dynamic body that stops a linkage becomes a bullet for this step: else it would move on through the
 * stopped linkage. Serial. */
void linkages_sweep(struct world *world);
