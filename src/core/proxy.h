/* proxy.h - the boxes of colliders in the broad phase: leaves of the trees, boxes renewed, and the list of those that moved.
 * Serial, but for functions that say otherwise. */
#pragma once
#include "core/core.h"

#include <math.h>

/* Overlaps nothing: proxy->searched before the first search. */
static const struct box nowhere = {{INFINITY, INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY, -INFINITY}};

/* For body.c: proxies come and go with the body's being enabled, and change trees with its type. */
uint32_t collider_proxies_needed(const struct world *world, uint32_t collider);
bool proxies_reserve(struct world *world, uint32_t more);
void collider_remove_proxies(struct world *world, uint32_t collider);
void collider_rehome_proxies(struct world *world, uint32_t collider); /* its body has woken or fallen asleep */
/* A proxy of the collider's child; room is reserved. Returns its id. */
uint32_t proxy_create(struct world *world, uint32_t collider, uint32_t child);
/* Its body was moved from outside: a new box, a new place in the tree. */
void proxy_update(struct world *world, uint32_t proxy);

/* The proxy's box is new: its pairs are searched in the next step. */
void proxy_moved(struct world *world, uint32_t proxy);
/* Gives the proxies that left their boxes their new place in the tree. */
void proxies_refit(struct world *world);
/* Brings the tree of what drifts up to date, for queries. */
void proxies_settle(struct world *world);

/* For the wing's finish, any thread, each body by one. It is about to move: boxes that hold the way of the step before fit
 * again. */
void body_end_path(struct world *world, uint32_t body);
/* Its pose is new, no point of it has moved by more than `way` >= 0: boxes that its shapes have left become new ones, and are
 * marked. */
void body_update_boxes(struct world *world, uint32_t body, float delta);
/* At the beginning of a step: boxes of bodies that look ahead hold the way that goes with a velocity from outside. */
void bodies_look_ahead(struct world *world);
/* It went far: its boxes cover the whole way, so that what is swept finds it wherever it was. */
void body_cover_path(struct world *world, uint32_t body);
/* It has been swept, and stands where it stands: its boxes fit again. */
void body_fit_boxes(struct world *world, uint32_t body);
