/* validate.h - checks the core's invariants: sets, lists, islands, colours, pairs, trees.
 * Serial, between steps. */
#pragma once
#include "core/core.h"

/* NULL when all hold; otherwise the name of the first that does not. Takes time linear in the world; allocates nothing. */
const char *world_validate(const struct world *world);
