/* controller_push.h - impulses between a controlled body and dynamic ones. Serial, and between steps. */
#pragma once
#include "core/core.h"

/* Returns how far the bodies that hit it in the last step push the controlled body, once for each step.
 * apply: gives the bodies their common velocity, too. */
struct vec3 controller_shove(struct world *world, const struct controller *controller, double dt, bool apply);
/* Pushes a dynamic body that was in the way: up to the wanted speed, with at most the controller's force. */
void controller_push(
	struct world *world, const struct controller *controller, const struct controller_contact *contact, double dt);
/* Loads a dynamic body on which the controlled one stands with its weight. */
void controller_load(struct world *world, const struct controller *controller, double dt);
