/* mass.h - when bodies are weighed. Serial. */
#pragma once
#include "core/core.h"

/* A dynamic body has got a collider: its mass and extents are made when bodies are weighed, so that many colliders cost one
 * look at all of them. */
void body_weigh_later(struct world *world, uint32_t id);
/* Before a step, and before anything that depends on masses, centres of mass or velocities is read or set: see handle.c. */
void bodies_weigh(struct world *world);
