/* burden.h - light bodies under heavy ones. The stiffness of a contact spring is proportional to the lighter body's mass, and a
 * light body passes on only 1 / ratio of an impulse per solver pass. So contacts of a body that carries a hundred times its
 * weight give way by centimetres, and a thousand times its weight sinks through it. A body that a load, many times its own
 * weight, presses against the ground is solved in this step with a larger mass and moment of inertia, such that its contacts
 * give way by one slop. Gravity and other forces on it are unchanged, so its supports bear no more than before. Serial. */
#pragma once
#include "core/core.h"

/* Set the burdens before the sub-steps of a step, and restore the masses after them. */
void burdens_take(struct world *world);
void burdens_leave(struct world *world);
