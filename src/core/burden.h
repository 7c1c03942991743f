/* burden.h - light bodies under heavy ones. A contact's spring is as strong as its lighter body is heavy, so what carries a
 * hundred times its weight gives way by centimetres, and at a thousand times the load sinks through it: impulses find the way
 * through a light body by 1 / ratio a pass. A body that others press against the ground beyond that is taken for heavier in
 * this step, mass and inertia alike, until its contacts give way by a slop. Only its inertia counts more; its weight and the
 * forces on it stay what they are, so that what it rests on bears what it did. Serial. */
#pragma once
#include "core/core.h"

/* Before the sub-steps of a step, and after them. */
void burdens_take(struct world *world);
void burdens_leave(struct world *world);
