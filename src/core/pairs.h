/* pairs.h - finds pairs of proxies whose fat AABBs overlap.
 * Only the pairs of moved proxies are searched: in the trees of static, sleeping and kinematic bodies; among awake dynamic
 * bodies by sort and sweep (see broad_phase.h), which costs a small fraction of a tree and needs no upkeep; against unbounded
 * proxies one by one. The search is parallel and only reads; new contacts are created serially, in an order that does not
 * depend on the number of workers.
 * Source: Ericson, "Real-Time Collision Detection", 2005, 7.5.2.
 * Serial, but for the search inside pairs_update. */
#pragma once
#include "core/core.h"

/* Creates contacts for all new pairs that may collide. False: no memory, nothing changed. */
bool pairs_update(struct world *world);

/* Finds all drifting proxies whose AABBs overlap the paths of fast bullets' proxies. False: no memory; bullets then query the
 * tree. */
bool bullets_pair(struct world *world);
/* After a bullet has been moved: marks the bullets that were near its path. */
void bullet_moved(struct world *world, uint32_t bullet);
/* The AABB of the whole path of a fast bullet's proxy. */
static inline const struct box *bullet_path(const struct world *world, uint32_t proxy)
{
	return world->bullets_paired ? &world->paths.data[proxy].box : &world->proxies.data[proxy].box;
}
/* bullet_pairs visits drifting proxies that may overlap the whole path of a fast bullet's proxy; with `shared` only those that
 * this bullet is to test. bullet_query visits drifting proxies that may overlap a box, some more than once. Any thread after
 * bullets_pair, else serial. */
void bullet_pairs(struct world *world, uint32_t proxy, bool shared, tree_visit *visit, void *context);
void bullet_query(struct world *world, const struct box *box, tree_visit *visit, void *context);

bool pair_search_create(struct world *world); /* for the world's number of workers */
void pair_search_destroy(struct world *world);
