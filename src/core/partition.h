/* partition.h - the awake bodies and the links between them in independent blocks. Each block but the last fits into the cache,
 * and one worker solves it from the first sub-step to the last. All workers together solve the last one: islands too large for
 * that, kinematic bodies and the islands linked to these. Blocks hold whole islands, so results do not depend on the division.
 * Rebuilt when the graph or the awake bodies have changed. Serial. */
#pragma once
#include "core/core.h"

/* Rebuilds the partition, which changes awake indices, if the graph or the awake bodies have changed. False: no memory; the
 * simulation's state is unchanged. */
bool partition_update(struct world *world);

/* Records of at most this size, those of some 20 bodies in 3D, are not kept from step to step: stages_run has them on the
 * stack, in a part of the cache that worlds share which are stepped in turn [bytes]. */
enum { RECORDS_ROOM = 1 << 15 };
void partition_free(struct world *world);

/* The batch's number of records, of solver->lanes links each. */
static inline uint32_t batch_records(const struct batch *batch)
{
	return (batch->count + batch->solver->lanes - 1) / batch->solver->lanes;
}
