/* pairs.h - finds pairs of proxies whose fat AABBs overlap.
 * Only pairs with a moved proxy (new, refitted or refiltered) are searched: with static and resting proxies in their trees;
 * among drifting ones by sort and sweep (see broad_phase.h), which costs a small fraction of a tree and needs no upkeep, or one
 * by one if they are few; with unbounded ones one by one. The search is parallel and only reads. New contacts are created
 * serially, in an order that does not depend on the number of workers.
 * Source: Ericson, "Real-Time Collision Detection", 2005, 7.5.2.
 * Serial, but for the search inside pairs_update, and bullet_pairs and bullet_query. */
#pragma once
#include "core/core.h"

/* Creates contacts for all new pairs that may collide. False: no memory, nothing changed. */
bool pairs_update(struct world *world);

/* Finds, for each proxy of a fast bullet, the drifting proxies whose AABBs overlap the AABB of its path. False: no memory;
 * bullets then query the tree. */
bool bullets_pair(struct world *world);
/* Call after a bullet has been moved: marks it as moved and the bullets near its path as touched; see struct path_hit. */
void bullet_moved(struct world *world, uint32_t bullet);
/* The AABB of the whole path of a fast bullet's proxy. */
static inline const struct box *bullet_path(const struct world *world, uint32_t proxy)
{
	return world->bullets_paired ? &world->paths.data[proxy].box : &world->proxies.data[proxy].box;
}
/* bullet_pairs visits the drifting proxies that may overlap the whole path of a fast bullet's proxy; with `shared` only those
 * that this bullet must test. bullet_query visits the drifting proxies that may overlap a box, some more than once. Both end
 * when visit returns false. Any thread after bullets_pair, else serial. */
void bullet_pairs(struct world *world, uint32_t proxy, bool shared, tree_visit *visit, void *context);
void bullet_query(struct world *world, const struct box *box, tree_visit *visit, void *context);

bool pair_search_create(struct world *world); /* for the world's number of workers */
void pair_search_destroy(struct world *world);
