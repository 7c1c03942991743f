/* burden.h - light bodies under heavy ones. A contact spring is as strong as its lighter body is heavy, so a body that carries
 * a hundred times its weight gives way by centimetres, and at a thousand times the load sinks through it: a light body passes
 * on only 1 / ratio of an impulse per pass of the solver. A body pressed against the ground by a greater load gets a larger
 * mass and inertia in this step, such that its contacts give way by one slop. Only its inertia grows; its weight and the forces
 * on it are unchanged, so its supports bear the same as before. Serial. */
#pragma once
#include "core/core.h"

/* Set the burdens before the sub-steps of a step, and restore the masses after them. */
void burdens_take(struct world *world);
void burdens_leave(struct world *world);
