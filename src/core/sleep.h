/* sleep.h - putting islands to sleep and waking them. Serial, but for body_rested. */
#pragma once
#include "core/core.h"

/* Puts kinematic bodies at rest to sleep, and the islands that are not in world->restless_islands, unless they overlap deeply.
 * Of the loosened restless islands, splits the one with the body that has rested longest. Needs the step's move events, which
 * list the bodies that were awake in it. */
void islands_sleep(struct world *world);
/* Wakes the whole island of a sleeping body, and sets the rest time of an awake one to 0. Static and disabled bodies stay as
 * they are. */
void body_wake(struct world *world, uint32_t body);
/* Puts the island of an awake dynamic body to sleep at once, after splitting a loosened one. */
void body_sleep(struct world *world, uint32_t body);
/* Wakes all bodies that touch the body or are jointed to it. */
void body_wake_touching(struct world *world, uint32_t body);
/* Updates the rest time of a body that moved at `speed` [length/s]. A kinematic body rests only while its velocity is 0. */
void body_rested(struct world *world, uint32_t body, float speed);

/* Adds the body to the awake set. Awake bodies and their solver states are dense arrays: body.row is the index in world->awake,
 * row + 1 that in world->states. Capacity is reserved when bodies that may ever be awake are created. */
void awake_set_add(struct world *world, uint32_t body);
/* Moves the body to the set `to`; the last awake body takes over its index. */
void awake_set_remove(struct world *world, uint32_t body, enum body_set to);
