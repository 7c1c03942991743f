/* speculative.h - the contacts of this step of what touches nothing yet.
 * Any thread. */
#pragma once
#include "core/contact.h"
#include "core/speculative.h"
#include "d2/manifold/manifold.h"

/* Whether they go far enough against each other. */
bool d2_goes_ahead(const struct world *world, const struct contact *contact);

/* Whether one of both bodies looks ahead, and they go as far against each other. */
static inline bool d2_looks_ahead(const struct world *world, const struct contact *contact)
{
	return bodies_ahead(world, contact->link.bodies) && d2_goes_ahead(world, contact);
}

/* Where both will touch in this step, as it looks now: with the gap that is left. No points where they will not. */
void d2_ahead_collide(
	const struct world *world, const struct contact *contact, const struct d2_transform *b_in_a, struct d2_local_manifold *out);
