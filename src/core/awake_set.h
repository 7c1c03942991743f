/* awake_set.h - the awake bodies and their solver states, as dense arrays: body.row is the index in world->awake, row + 1 that
 * in world->states. Capacity for all bodies that may ever be awake is reserved when they are created. Serial. */
#pragma once
#include "core/core.h"

void awake_set_add(struct world *world, uint32_t body);
/* Moves the body to the set `to`; the last awake body takes over its index. */
void awake_set_remove(struct world *world, uint32_t body, enum body_set to);
