/* pairs.h - which proxies have come near each other.
 * Only what moved out of its box is looked for: in the tree of what stays where it is; among dynamic bodies that are awake by
 * sort and sweep, see broad_phase.h, which takes a small part of what a tree of them takes, and no upkeep; and against the
 * unbounded ones. The search is parallel and reads only; the new contacts are made serially, in an order that does not depend
 * on the number of workers.
 * Source: Ericson, "Real-Time Collision Detection", 2005, 7.5.2.
 * Serial, but for the search inside pairs_find. */
#pragma once
#include "core/core.h"

/* Makes contacts of all new pairs that may meet. False: no memory, nothing changed. */
bool pairs_update(struct world *world);

/* Finds all that drifts and that the ways of the fast bullets' proxies overlap. False: no memory; bullets ask the tree. */
bool bullets_pair(struct world *world);
/* It has been moved: notes that for those near whose ways it was. */
void bullet_moved(struct world *world, uint32_t bullet);
/* Around the whole way of a fast bullet's proxy. */
static inline const struct box *bullet_path(const struct world *world, uint32_t proxy)
{
	return world->looked ? &world->paths.data[proxy].box : &world->proxies.data[proxy].box;
}
/* Visits what drifts and may overlap the whole way of a fast bullet's proxy, if `shared` only what is for this one to look at;
 * or a box, some of it perhaps more than once, and beside it. Any thread after bullets_pair, else serial. */
void bullet_pairs(struct world *world, uint32_t proxy, bool shared, tree_visit *visit, void *context);
void bullet_query(struct world *world, const struct box *box, tree_visit *visit, void *context);

bool pair_search_create(struct world *world); /* for the world's number of workers */
void pair_search_destroy(struct world *world);
