/* awake_set.h - the awake bodies and their solver states, dense: body.row is the index, its state stands at row + 1. Room for
 * all bodies that may ever be awake is reserved when they are made.
 * Serial. */
#pragma once
#include "core/core.h"

void awake_set_add(struct world *world, uint32_t body);
void awake_set_remove(struct world *world, uint32_t body, enum body_set to);
