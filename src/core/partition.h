/* partition.h - the awake bodies and the links between them, in blocks that have nothing to do with each other: each is what
 * one worker solves from the first sub-step to the last, while it fits into the cache; but the last block, of islands too large
 * for that, which all workers solve together. Blocks hold whole islands, so results do not depend on the cuts. Built when the
 * graph or the awake bodies have changed, and kept until they do. Serial. */
#pragma once
#include "core/core.h"

/* Cuts anew if anything has changed: awake bodies get other rows then. False: no memory; the world as it was. */
bool partition_update(struct world *world);
void partition_free(struct world *world);

/* How many records of its lanes the batch takes. */
static inline uint32_t batch_records(const struct batch *batch)
{
	return (batch->count + batch->solver->lanes - 1) / batch->solver->lanes;
}
