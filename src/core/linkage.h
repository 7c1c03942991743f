/* linkage.h - continuous collision of linkages, dynamic bodies connected by joints. If only the body that hits an obstacle were
 * taken back, its joints would open by the rest of its displacement. So all bodies of the linkage are moved. */
#pragma once
#include "core/path.h"

/* Whether the body is on a joint: then it is swept as part of a linkage. */
static inline bool body_linked(const struct world *world, uint32_t body)
{
	return world->bodies.data[body].links[LINK_JOINT] != NONE;
}

/* Takes back the linkages of world->caught_bodies, which hit obstacles, and clears that set; adds their bodies to
 * world->taken_bodies. A dynamic body that stops a linkage becomes a bullet for this step: otherwise it would move on through
 * the stopped linkage. Serial. */
void linkages_sweep(struct world *world);
