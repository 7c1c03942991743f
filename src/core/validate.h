/* validate.h - checks the core's invariants: sets, lists, islands, colours, pairs, trees.
 * Serial, between steps. */
#pragma once
#include "core/core.h"

/* Returns NULL if all invariants hold, else the text of the first condition that does not. Takes time linear in the world;
 * allocates nothing. */
const char *world_validate(const struct world *world);
