/* island.h - islands of bodies that must sleep and wake together.
 * Each enabled dynamic body is in exactly one island. Two islands merge as soon as a contact between them begins to touch or a
 * joint is made. A link that ends only marks its island as loosened: it may have come apart. A loosened island is split before
 * it is put to sleep. In each step one loosened island that may not sleep is split, too, if one of its bodies has rested long
 * enough to sleep. Serial. */
#pragma once
#include "core/core.h"

/* Creates an island of this body alone; its capacity was reserved with the body. */
void island_create(struct world *world, uint32_t body);
void island_remove_body(struct world *world, uint32_t body); /* none of the body's links may be in the island any more */
/* Adds the link to its bodies' island. If they have two, the larger absorbs the smaller. Does nothing if one body has no
 * island. */
void island_link(struct world *world, enum link_kind kind, uint32_t id);
void island_unlink(struct world *world, enum link_kind kind, uint32_t id);
void island_split(struct world *world, uint32_t island); /* into connected components; in time linear in its bodies and links */
