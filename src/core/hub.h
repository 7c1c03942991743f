/* hub.h - contacts of a hub, a body of so many contacts that they fit into no colours, as a ship's that carries thousands of
 * crates. One by one they would be solved in the overflow. Instead the hub is split into equal shares: copies of its state, of
 * a fraction of its mass. The contacts of a hub's batch are divided into chunks, which workers take at the same time. Eight
 * shares take turns in each chunk: eight contacts that follow each other write to no common state, so they are solved in
 * lanes. After each pass over the batch the hub's velocity changes by the mean of its shares' changes, which is the sum of all
 * impulses divided by its mass. Results do not depend on the number of lanes and workers.
 * Source: Tonge, Benevolenski, Voroshilov, "Mass Splitting for Jitter-Free Parallel Rigid Body Simulation", 2012. */
#pragma once
#include "core/core.h"

/* Reserves memory for hubs among the contacts in the overflow, before the partition is rebuilt. False: no memory. */
bool hubs_reserve(struct world *world);
/* Upper bound on the number of batches that hubs_divide adds, over all blocks. */
uint32_t hub_batches_most(const struct world *world);
/* Makes batches of hubs' contacts among the links [first, end) of the partition, contacts of the overflow, and moves these to
 * the front. Returns the index of the first link that is in none of them. Serial. */
uint32_t hubs_divide(struct world *world, uint32_t first, uint32_t end);

/* Before a pass over a hub's batch: copies the hub's state to its shares. */
void hub_spread(struct world *world, const struct batch *batch);
/* After a pass that changes velocities: adds the mean of the shares' changes to the hub's velocity. */
void hub_collect(struct world *world, const struct batch *batch);
