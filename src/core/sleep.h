/* sleep.h - putting islands to sleep and waking them. Serial, but for body_rested. */
#pragma once
#include "core/core.h"

/* Puts to sleep the kinematic bodies that have rested long enough, and the awake islands that are not in
 * world->restless_islands, unless they overlap deeply; loosened ones are split first. Makes islands of the components of the
 * others that have rested long enough: they may sleep in the next step. Needs the step's move events, which list the bodies
 * that were awake in it. */
void islands_sleep(struct world *world);
/* Wakes a sleeping kinematic body, or the whole island of a sleeping dynamic one. Sets the body's rest time to 0, and marks it
 * in world->stirred_bodies. Static and disabled bodies stay as they are otherwise. */
void body_wake(struct world *world, uint32_t body);
/* Puts the island of an awake dynamic body to sleep at once; if loosened, splits it first. */
void body_sleep(struct world *world, uint32_t body);
/* Wake all bodies that are jointed to the body; body_wake_touching also those that touch it, except by sensors. */
void body_wake_joined(struct world *world, uint32_t body);
void body_wake_touching(struct world *world, uint32_t body);
/* Updates the rest time of a body that moved at `speed` [length/s], and marks its island as restless if that is too short to
 * sleep; marks the body as settled once it is long enough. A kinematic body rests only while its velocity is 0. Any thread,
 * each body by one. */
void body_rested(struct world *world, uint32_t body, float speed);

/* Reserves memory for solver states. They take less than 4 GB: solvers compute offsets in 32 bits. False: no memory. */
bool states_reserve(struct world *world, uint32_t count);
/* Adds the body to the awake set. Awake bodies and their solver states are dense arrays: body.row is the index in world->awake,
 * row + 1 that in world->states. Capacity is reserved when bodies that may ever be awake are created. */
void awake_set_add(struct world *world, uint32_t body);
/* Finds world->awake_bodies and awake_movers by world->awake. */
void awake_sets_find(struct world *world);
/* Moves an awake body to the set `to`; the last body of the awake set takes over its index. */
void awake_set_remove(struct world *world, uint32_t body, enum body_set to);
