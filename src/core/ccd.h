/* ccd.h - continuous collision of the bodies that went far in a step: which of them need a look at their shapes, and their boxes.
** Floor: core. */
#pragma once
#include "core/core.h"

/* For the wing's finish, any thread, each body by one: its pose is new, and some point of it may have moved through something. */
void body_went_far(struct world *world, uint32_t body);

/* Takes those back that would have passed through something, and gives all of them boxes that fit. Serial. */
void bodies_sweep(struct world *world);

/* Whether the colliders of a swept proxy and of another one collide, by layers, joints and the filter. Any thread, but serial where there is a filter. */
bool sweep_allowed(const struct world *world, uint32_t proxy, uint32_t other);
