/* ticks.h - fixed steps for frames of any length, and how far the time shown is between two of them.
 * Invariant: between calls 0 <= world->rest < settings.timestep, and world->alpha is in [0, 1]. Serial. */
#pragma once
#include "core/core.h"

/* Adds dt >= 0 to the time for which no step has been made. Returns the number of steps to make now, at most
 * settings.max_ticks: time for more is dropped, and only a rest below a step is kept. Sets world->alpha. */
int ticks_take(struct world *world, double dt);
/* Sets the length of the steps to come; world->alpha stays [s]. */
void ticks_set_timestep(struct world *world, double timestep);
