/* impact.h - impacts that the sweep solves at once: what is round bounces off what does not move by impulses, and goes on for the rest of the step.
** Floor: core. */
#pragma once
#include "core/core.h"

/* Such an impact. */
struct impact {
	uint32_t proxies[2]; /* of the body, and of what it hit */
	double place[PLACE_NUMBERS]; /* where, and the normal, towards the body */
	float speed; /* of approach [length/s] */
};

/* Friction and the like of both colliders, by the world's mixing rules. */
struct contact_material impact_material(const struct world *world, const uint32_t proxies[2]);

/* Whether such a pair of one dynamic body and something else bounces: so fast that the body is swept, by its own way along the normal, which points from the first to
** the second. A contact that is made before they touch would stop the body for the rest of the step. */
bool impact_awaits(const struct world *world, const struct contact *contact, const struct contact_material *material, int mover, const float normal[3], float radius);

/* Whether the body hit the same thing faster at another one of its impacts of this step, or first: an impact is told once. */
bool impact_repeats(const struct world *world, const struct impact *impacts, int count, int which);

/* Tells of a hit; and that both began to touch and ended, if they are `apart` again and no contact of theirs touches. Serial. Where there is no memory it is not told,
** and world->untold is set. */
void impact_tell(struct world *world, const struct impact *impact, bool apart);
