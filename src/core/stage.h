/* stage.h - the solver's sequence: what happens to the awake bodies and touching contacts within one step, sub-step by
 * sub-step.
 * Source: Catto, "Solver2D", 2024 (Soft Step); Macklin et al., "Small Steps in Physics Simulation", 2019.
 * Serial from outside; its phases run on all workers. */
#pragma once
#include "core/core.h"

/* Solves and integrates world->step. Leaves new velocities and displacements in the states. False: no memory, nothing
 * changed. */
bool stages_run(struct world *world);
