/* speculative.h - contacts made ahead: when a step begins, for shapes that will touch within it.
 * Any thread. */
#pragma once
#include "core/contact.h"
#include "core/speculative.h"
#include "d2/manifold/manifold.h"

/* Whether the bodies move by more than AHEAD relative to each other in this step, and the contact is not left to a sweep. */
bool d2_goes_ahead(const struct world *world, const struct contact *contact);

/* Whether one of the bodies looks ahead, and d2_goes_ahead. */
static inline bool d2_looks_ahead(const struct world *world, const struct contact *contact)
{
	return bodies_ahead(world, contact->link.bodies) && d2_goes_ahead(world, contact);
}

/* *out: the manifold where the shapes will touch if both move straight in this step, with their current separation. count 0:
 * they will not touch. */
void d2_ahead_collide(
	const struct world *world, const struct contact *contact, const struct d2_transform *b_in_a, struct d2_local_manifold *out);
