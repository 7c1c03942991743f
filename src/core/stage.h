/* stage.h - the solver's sequence: integrates the awake bodies and solves joints and touching contacts, sub-step by sub-step.
 * Source: Catto, "Solver2D", 2024 (Soft Step); Macklin et al., "Small Steps in Physics Simulation", 2019.
 * Called serially; its phases run on all workers. */
#pragma once
#include "core/core.h"

/* Solves and integrates the step world->step. Leaves new velocities and displacements in the states. False: no memory, no body
 * has moved. */
bool stages_run(struct world *world);

/* Works on items [begin, end). */
typedef void range_function(struct world *world, uint32_t begin, uint32_t end);
/* Parallel for: calls `run` on [begin, end), in blocks of `grain` items, on all workers; returns when all are done. One worker
 * takes all at once: the result must not depend on the blocks. */
void world_for(struct world *world, uint32_t begin, uint32_t end, uint32_t grain, range_function *run);
