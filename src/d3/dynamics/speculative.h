/* speculative.h - contacts made ahead, in this step, of shapes that are still separated.
 * Any thread. */
#pragma once
#include "core/contact.h"
#include "core/speculative.h"
#include "d3/manifold/manifold.h"

/* Whether the bodies move far enough relative to each other. */
bool d3_goes_ahead(const struct world *world, const struct contact *contact);

/* Whether one of the bodies looks ahead, and they move far enough relative to each other. */
static inline bool d3_looks_ahead(const struct world *world, const struct contact *contact)
{
	return bodies_ahead(world, contact->link.bodies) && d3_goes_ahead(world, contact);
}

/* Displacement of b relative to a in this step, in the frame of a. */
struct d3_vec d3_way_ahead(const struct world *world, const struct contact *contact);

/* Moves a manifold of b at the end of that displacement back to b's current position, with the current separations. False
 * unless b is separated and would penetrate by more than a slop. */
bool d3_manifold_take_back(const struct world *world, struct d3_local_manifold *manifold, struct d3_vec delta);
