/* speculative.h - contacts made ahead, in this step, of shapes that are still separated.
 * Any thread. */
#pragma once
#include "core/contact.h"
#include "core/speculative.h"
#include "d3/manifold/manifold.h"

/* Whether the contact may be made ahead, and its bodies move far enough in this step. */
bool d3_goes_ahead(const struct world *world, const struct contact *contact);

/* The same, and one of the bodies looks ahead. */
static inline bool d3_looks_ahead(const struct world *world, const struct contact *contact)
{
	return bodies_ahead(world, contact->link.bodies) && d3_goes_ahead(world, contact);
}

/* Displacement of b relative to a in this step, in the frame of a. */
struct d3_vec d3_path_ahead(const struct world *world, const struct contact *contact);

/* `manifold`: of b, displaced by `delta`. Moves its points and separations back to b's current position. False unless b is
 * separated there, and penetrates by more than a slop when displaced. */
bool d3_manifold_take_back(const struct world *world, struct d3_local_manifold *manifold, struct d3_vec delta);
