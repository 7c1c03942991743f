/* island.h - islands of bodies that must sleep and wake together.
 * Each enabled dynamic body is in exactly one island. Two islands merge as soon as a contact between them begins to touch or a
 * joint is made. A link that ends only marks its island as loosened: it may have come apart. A loosened island is split before
 * it is put to sleep, and after a quarter as many links have ended as it has left. Before that, components that could sleep are
 * taken out of it. Serial. */
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
/* Takes the connected components whose bodies have all rested long enough to sleep out of loosened islands. A component becomes
 * one when its last restless body has rested long enough, or when its last link to a restless body ends. So the search starts
 * at the bodies of world->settled_bodies; it ends at restless bodies, and visits no body twice. Then splits islands that have
 * lost many links. */
void islands_part(struct world *world);
