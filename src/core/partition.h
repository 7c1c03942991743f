/* partition.h - the awake bodies and the links between them in independent blocks. Each block is solved by one worker from the
 * first sub-step to the last while it fits into the cache; only the last one, of islands too large for that, is solved by all
 * workers together. Blocks hold whole islands, so results do not depend on the division. Rebuilt when the graph or the awake
 * bodies have changed. Serial. */
#pragma once
#include "core/core.h"

/* Rebuilds the partition, if anything has changed: awake bodies get other indices. False: no memory; the world as it was. */
bool partition_update(struct world *world);
void partition_free(struct world *world);

/* Number of records, of solver->lanes links each. */
static inline uint32_t batch_records(const struct batch *batch)
{
	return (batch->count + batch->solver->lanes - 1) / batch->solver->lanes;
}
