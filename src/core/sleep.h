/* sleep.h - falling asleep and waking, island by island. Serial, but for body_rested. */
#pragma once
#include "core/core.h"

/* Puts to sleep the kinematic bodies that rest, and the islands that are not in world->restless_islands, and splits the
 * sleepiest of the others. Goes by the move events of the step, which list the bodies that were awake in it. */
void islands_sleep(struct world *world);
/* Wakes the whole island of a sleeping body, and sets the rest time of an awake one to 0. Nothing on static or disabled
 * ones. */
void body_wake(struct world *world, uint32_t body);
/* Puts the whole island to sleep at once. */
void body_sleep(struct world *world, uint32_t body);
/* Wakes whatever touches the body. */
void body_wake_touching(struct world *world, uint32_t body);
/* The body moved with this speed [length/s]: counts its rest. A kinematic one rests where it does not move at all. */
void body_rested(struct world *world, uint32_t body, float speed);
