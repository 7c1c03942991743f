/* controller_push.h - forces and impulses between a controlled body and dynamic ones. Serial, and between steps. */
#pragma once
#include "core/core.h"

/* Sets *push to the velocity that the bodies that hit it in the last step add to the wanted one, once for each step; lists the
 * impulses that give these bodies the common velocity. False: no memory. */
bool controller_shove(struct world *world, struct controller *controller, struct vec3 wanted, struct vec3 *push);
/* Applies these impulses, of which the controlled body has yielded to a part. */
void controller_shove_back(struct world *world, double part);
/* Pushes a dynamic body that was in the way, over the next step of `dt`: up to the wanted speed, with at most the controller's
 * force. */
void controller_push(
	struct world *world, const struct controller *controller, const struct controller_contact *contact, double dt);
/* Loads a dynamic body on which the controlled one stands over the next step: with its weight, if the body does not give way;
 * else, from the second step on, with the force by which both accelerate alike. */
void controller_load(struct world *world, struct controller *controller);
