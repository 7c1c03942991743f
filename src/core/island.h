/* island.h - islands of bodies that must sleep and wake together.
 * Each enabled dynamic body is in exactly one island. Two islands merge as soon as a contact between them begins to touch or a
 * joint is made. A link that ends only loosens its island. A loosened island is split when it could sleep, or when one of its
 * bodies has rested long enough to sleep. Serial. */
#pragma once
#include "core/core.h"

void island_create(struct world *world, uint32_t body); /* of this body alone; capacity was reserved with the body */
void island_remove_body(struct world *world, uint32_t body); /* the body must have no links any more */
/* Adds the link to its bodies' island; if they have two, the larger absorbs the smaller. Does nothing if a body has no
 * island. */
void island_link(struct world *world, enum link_kind kind, uint32_t id);
void island_unlink(struct world *world, enum link_kind kind, uint32_t id);
void island_split(struct world *world, uint32_t island); /* linear in its bodies and links */
