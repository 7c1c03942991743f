/* speculative.h - the contacts of this step of what touches nothing yet.
 * Any thread. */
#pragma once
#include "core/contact.h"
#include "core/speculative.h"
#include "d3/manifold/manifold.h"

/* Whether they go far enough against each other. */
bool d3_goes_ahead(const struct world *world, const struct contact *contact);

/* Whether one of both bodies looks ahead, and they go as far against each other. */
static inline bool d3_looks_ahead(const struct world *world, const struct contact *contact)
{
	return bodies_ahead(world, contact->link.bodies) && d3_goes_ahead(world, contact);
}

/* Of b against a, in this step, in the frame of a. */
struct d3_vec d3_way_ahead(const struct world *world, const struct contact *contact);

/* A manifold of where b is at the end of that way becomes one of where it is now, with the gap that is left. Only what it goes
 * into from outside, by more than a slop, is one: else false. */
bool d3_manifold_take_back(const struct world *world, struct d3_local_manifold *manifold, struct d3_vec delta);
