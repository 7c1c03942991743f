/* burden.h - light bodies under heavy ones. The stiffness of a contact spring is proportional to the effective mass, which is
 * at most the lighter body's. And a light body passes on only the fraction 1 / (mass ratio) of an impulse per solver pass. So a
 * load of a hundred times a body's weight sinks into it by centimetres, and one of a thousand times its weight sinks through
 * it. A body that such a load presses against the ground is solved in this step with a larger mass and moment of inertia, so
 * that its contacts give way by about one slop. Gravity and other forces on it are unchanged, so its supports bear no more than
 * before. Serial. */
#pragma once
#include "core/core.h"

/* burdens_take sets the burdens before the sub-steps, burdens_leave restores the masses after them. */
void burdens_take(struct world *world);
void burdens_leave(struct world *world);
