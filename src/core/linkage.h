/* linkage.h - continuous collision of linkages, dynamic bodies connected by joints. If only the body that hits an obstacle were
 * taken back, its joints would open by the rest of its displacement. So all bodies of the linkage are moved. */
#pragma once
#include "core/link.h"
#include "core/path.h"

/* Whether the body has an active joint: then it is swept as part of a linkage. */
static inline bool body_linked(const struct world *world, uint32_t body)
{
	return body_jointed(world, body);
}

/* Sweeps the linkages of world->caught_bodies, which would pass through obstacles, and clears that set. Each is shifted out of
 * its obstacles, or taken back to its first impact. Adds the linkages' bodies to world->taken_bodies. A dynamic obstacle at
 * which a linkage is taken back becomes a bullet for this step, unless it has joints: otherwise it would move on through the
 * stopped linkage. Serial. */
void linkages_sweep(struct world *world);
