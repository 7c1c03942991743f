/* speculative.h - contacts made ahead of shapes that will touch within the step.
 * Any thread. */
#pragma once
#include "core/contact.h"
#include "core/speculative.h"
#include "d2/manifold/manifold.h"

/* Whether the bodies move far enough relative to each other, and the contact is not left to a sweep. */
bool d2_goes_ahead(const struct world *world, const struct contact *contact);

/* Whether one of the bodies looks ahead, and d2_goes_ahead. */
static inline bool d2_looks_ahead(const struct world *world, const struct contact *contact)
{
	return bodies_ahead(world, contact->link.bodies) && d2_goes_ahead(world, contact);
}

/* The manifold where the shapes will touch in this step if both move straight on, with their current separation, if any. */
void d2_ahead_collide(
	const struct world *world, const struct contact *contact, const struct d2_transform *b_in_a, struct d2_local_manifold *out);
