/* proxy.h - AABBs of colliders in the broad phase: tree leaves, refitting, and the list of moved proxies.
 * Serial, but for functions that say otherwise. */
#pragma once
#include "base/cache.h"
#include "core/core.h"

#include <math.h>

/* A box that overlaps no other: proxy->searched until the first search, and when a full search is due. */
static const struct box nowhere = {{INFINITY, INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY, -INFINITY}};

/* Proxies exist while their body is enabled. collider_proxies_needed: how many the collider then has. */
uint32_t collider_proxies_needed(const struct world *world, uint32_t collider);
bool proxies_reserve(struct world *world, uint32_t more); /* false: no memory */
void collider_remove_proxies(struct world *world, uint32_t collider);
/* Moves some of the lulled bodies' proxies from the drifting to the resting tree; with `all`, all of them. */
void proxies_rest(struct world *world, bool all);
/* If the body is roused, lets its resting proxies drift. */
void body_drift(struct world *world, uint32_t body);
/* Creates a proxy of the collider's child; capacity is reserved. Returns its id. */
uint32_t proxy_create(struct world *world, uint32_t collider, uint32_t child);
/* Removes the proxy, which has no contacts. */
void proxy_destroy(struct world *world, uint32_t proxy);
/* After the body's pose has been set: refits the AABB, moves the leaf, and lists the proxy for a full pair search. */
void proxy_update(struct world *world, uint32_t proxy);

/* Takes the box, widened, as the fat AABB of a bounded proxy, moves the leaf, and lists the proxy. */
void proxy_cover(struct world *world, uint32_t proxy, const struct box *box);

/* Whether the proxy is listed as moved, at moved_index. The list of static ones is emptied without a visit to each proxy, so
 * their moved_index counts only if the list agrees. */
static inline bool proxy_has_moved(const struct world *world, uint32_t id)
{
	const struct proxy *proxy = &world->proxies.data[id];
	if (proxy->home != HOME_STATIC)
		return proxy->moved_index != NONE;
	return proxy->moved_index < world->moved_statics.count && world->moved_statics.data[proxy->moved_index] == id;
}

/* Whether moved static proxies search their pairs. False: the resting and drifting proxies, which are fewer, search for
 * them. */
static inline bool statics_search(const struct world *world)
{
	return world->moved_statics.count <= world->trees[HOME_RESTING].leaf_count + bits_count(&world->drifting);
}

/* Visits the static and resting proxies whose AABBs overlap the box, until visit returns false. Those of some sleeping bodies
 * drift, and some of awake dynamic bodies rest. */
static inline void anchored_query(const struct world *world, const struct box *box, tree_visit *visit, void *context)
{
	bool more = true;
	for (int home = HOME_STATIC; home <= HOME_RESTING && more; ++home)
		more = world->trees[home].root == TREE_NONE || tree_query(&world->trees[home], box, visit, context);
}

/* Lists the proxy for a full pair search in the next step. */
void proxy_moved(struct world *world, uint32_t proxy);
/* Moves the leaves of refitted proxies (world->enlarged_proxies), or marks those of drifting ones as stale, and lists these
 * proxies as moved. Empties the set. */
void proxies_refit(struct world *world);
/* Brings the tree of drifting proxies up to date, for queries. */
void proxies_settle(struct world *world);

/* The following may run on any thread, each body by one. Before the body moves: refits its AABBs if they cover the path of the
 * last step. */
void body_end_path(struct world *world, uint32_t body);
/* Prefetches the first of the body's colliders or, if `near`, that collider's first proxy and shape, for body_update_boxes with
 * `delta`. */
static inline void body_boxes_prefetch(const struct world *world, uint32_t body, float delta, bool near)
{
	uint32_t first = world->bodies.data[body].colliders;
	if (world->travels.data[body].slack > delta || first == NONE)
		return;
	const struct collider *collider = &world->colliders.data[first];
	if (!near) {
		cache_prefetch(collider, sizeof *collider);
	} else if (collider->proxies != NONE) {
		cache_prefetch(&world->proxies.data[collider->proxies], sizeof(struct proxy));
		cache_prefetch(collider->shape, CACHE_LINE);
	}
}
/* After its points moved by up to `delta` >= 0 [length]: refits and marks fat AABBs that no longer contain their shape. Leaves
 * a body that may look ahead to bodies_look_ahead. */
void body_update_boxes(struct world *world, uint32_t body, float delta);
/* While no body moves: refits the AABBs of the bodies in the words [begin, end) of world->stirred_bodies. Those of bodies that
 * look ahead will cover their paths, which change with the velocity: they are always tested. */
void bodies_look_ahead(struct world *world, uint32_t begin, uint32_t end);
/* After the body has moved far: enlarges its AABBs to its whole path, so that sweeps of other bodies find it there. */
void body_cover_path(struct world *world, uint32_t body);
/* After the body's sweep: refits its AABBs to its final pose. */
void body_fit_boxes(struct world *world, uint32_t body);
