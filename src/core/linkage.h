/* linkage.h - continuous collision of linkages: dynamic bodies that joints tie to each other. Where one of them alone were
 * taken back to what it hits, its joints would open by what is left of its way; so all are moved. */
#pragma once
#include "core/path.h"

/* Whether the body is swept as a part of a linkage. */
static inline bool body_linked(const struct world *world, uint32_t body)
{
	return world->bodies.data[body].links[LINK_JOINT] != NONE;
}

/* Takes back the linkages of world->caught_bodies, which hit something, and clears these; moved bodies are in
 * world->taken_bodies. A dynamic body that is no bullet and that a linkage stops for becomes one for this step: else it would
 * go on through what has stopped. Serial. */
void linkages_sweep(struct world *world);
