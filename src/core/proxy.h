/* proxy.h - AABBs of colliders in the broad phase: tree leaves, refitting, and the list of moved proxies.
 * Serial, but for functions that say otherwise. */
#pragma once
#include "core/core.h"

#include <math.h>

/* Overlaps nothing: proxy->searched before the first search. */
static const struct box nowhere = {{INFINITY, INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY, -INFINITY}};

/* For body.c: proxies exist while the body is enabled, and change trees with its type and when it sleeps. */
uint32_t collider_proxies_needed(const struct world *world, uint32_t collider);
bool proxies_reserve(struct world *world, uint32_t more); /* false: no memory */
void collider_remove_proxies(struct world *world, uint32_t collider);
void collider_rehome_proxies(struct world *world, uint32_t collider); /* its body has woken or gone to sleep */
/* Creates a proxy of the collider's child; room is reserved. Returns its id. */
uint32_t proxy_create(struct world *world, uint32_t collider, uint32_t child);
/* Its body was moved from outside: refits the AABB and moves its leaf. */
void proxy_update(struct world *world, uint32_t proxy);

/* The proxy's AABB is new: its pairs are searched in the next step. */
void proxy_moved(struct world *world, uint32_t proxy);
/* Moves the leaves of the proxies that left their fat AABBs, and lists those as moved. */
void proxies_refit(struct world *world);
/* Brings the tree of drifting proxies up to date, for queries. */
void proxies_settle(struct world *world);

/* For bodies_finish; any thread, one thread per body. Before the body moves: refits AABBs that cover the path of the last
 * step. */
void body_end_path(struct world *world, uint32_t body);
/* After it moved, no point by more than `delta` >= 0: fat AABBs that no longer contain their shape are refitted and marked. */
void body_update_boxes(struct world *world, uint32_t body, float delta);
/* At the beginning of a step: AABBs of bodies that look ahead cover the path by a velocity set from outside. */
void bodies_look_ahead(struct world *world);
/* It moved far: its AABBs cover the whole path, so that sweeps find it anywhere on it. */
void body_cover_path(struct world *world, uint32_t body);
/* After its sweep: refits its AABBs to its final pose. */
void body_fit_boxes(struct world *world, uint32_t body);
