/* mass.h - deferred computation of masses. Serial. */
#pragma once
#include "core/core.h"

/* A dynamic body has got a collider: its mass and extents are computed by bodies_weigh, so that many colliders cost one
 * pass. */
void body_weigh_later(struct world *world, uint32_t id);
/* Call before a step, and before anything that depends on masses, centres of mass or velocities is read or set: see bind.h. */
void bodies_weigh(struct world *world);
