/* awake_set.h - the awake bodies and their solver states, as dense arrays: body.row is a body's index, row + 1 its state's.
 * Capacity for all bodies that may ever be awake is reserved when they are created. Serial. */
#pragma once
#include "core/core.h"

void awake_set_add(struct world *world, uint32_t body);
/* The body goes to the set `to`; the last awake body takes its index. */
void awake_set_remove(struct world *world, uint32_t body, enum body_set to);
