/* collider.h - shapes attached to bodies, and their proxies in the broad phase.
 * Serial. Functions that return bool (or an id) return false (NONE) when memory ran out, and nothing has changed. */
#pragma once
#include "core/core.h"

struct collider_options {
	struct material material;
	uint8_t layer;
	int32_t group;
	bool sensor;
};

/* Attaches the shape (takes one reference on success); the body's mass is computed anew and it wakes up. Returns the id. */
uint32_t collider_create(struct world *world, uint32_t body, const void *shape, const struct collider_options *options);
/* The same for one of several: the wing's body_mass must follow the last. The body is awake, or static. */
uint32_t collider_attach(struct world *world, uint32_t body, const void *shape, const struct collider_options *options);
void collider_destroy(struct world *world, uint32_t collider);
/* The same when its body, which is awake, is about to go, too: its mass does not matter any more. */
void collider_drop(struct world *world, uint32_t collider);

/* Replaces the shape (takes one reference on success, releases the old one's). */
bool collider_set_shape(struct world *world, uint32_t collider, const void *shape);
/* Friction and the like act on existing contacts at once; a new density changes the body's mass. */
void collider_set_material(struct world *world, uint32_t collider, const struct material *material);
void collider_set_layer(struct world *world, uint32_t collider, uint8_t layer);
void collider_set_group(struct world *world, uint32_t collider, int32_t group);

/* Ends its contacts and looks for them again in the next step: whom it may meet has changed. */
void collider_refilter(struct world *world, uint32_t collider);

void collider_add_proxies(struct world *world, uint32_t collider); /* room reserved */
void collider_update_proxies(struct world *world, uint32_t collider); /* the body was moved from outside */
