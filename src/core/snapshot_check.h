/* snapshot_check.h - completes a world that has been read. Serial. */
#pragma once
#include "base/archive.h"
#include "core/core.h"

/* Sets all that follows from what has been read: counts, pairs, capacities; and checks all that later code relies on. */
void world_complete(struct archive *archive, struct world *world);
