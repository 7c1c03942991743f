/* collider.h - shapes attached to bodies, and their proxies in the broad phase.
 * Serial. Functions that return bool (or an id) return false (NONE) when out of memory, with nothing changed. */
#pragma once
#include "core/core.h"

struct collider_options {
	struct material material;
	float density;
	uint8_t layer;
	int32_t group;
	uint64_t own_layers;
	bool has_own_layers;
	bool sensor;
	bool pre_solve; /* see pre_solve.h */
	bool one_way; /* see one_way.h */
	float normal[3]; /* of the solid side, if one_way: a unit vector in the body's frame */
};

/* Reserves room for one more normal of a one-way collider; adds one, and returns its index. */
bool one_way_reserve(struct world *world);
uint32_t one_way_make(struct world *world, const float normal[3]);

/* Reserves capacity for `more` colliders, and for `proxies` children of their shapes, 0 for those of disabled bodies. */
bool colliders_reserve(struct world *world, uint32_t more, uint32_t proxies);

/* Attaches the shape (takes one reference) and wakes the body; bodies_weigh updates a dynamic body's mass. Returns the id. */
uint32_t collider_create(struct world *world, uint32_t body, const void *shape, const struct collider_options *options);
/* As collider_create, but does not wake the body, which must not be asleep, and leaves its mass to the caller, who must call
 * the wing's body_mass after the last of several shapes. */
uint32_t collider_attach(struct world *world, uint32_t body, const void *shape, const struct collider_options *options);
void collider_destroy(struct world *world, uint32_t collider);
/* As collider_destroy, for an awake body that is about to be destroyed: does not recompute its mass. */
void collider_drop(struct world *world, uint32_t collider);

/* Replaces the shape (takes one reference on success, releases the old shape's). */
bool collider_set_shape(struct world *world, uint32_t collider, const void *shape);
/* Replaces the material, which existing contacts use at once, or the density, which changes the body's mass. Wake the body and
 * the bodies that touch it or are jointed to it. */
void collider_set_material(struct world *world, uint32_t collider, const struct material *material);
void collider_set_density(struct world *world, uint32_t collider, float density);
void collider_set_layer(struct world *world, uint32_t collider, uint8_t layer);
/* A collider that becomes a sensor ends its contacts, one that becomes solid its overlaps; the next step finds the others. */
void collider_set_sensor(struct world *world, uint32_t collider, bool sensor);
/* has: whether the collider has own layers. */
void collider_set_own_layers(struct world *world, uint32_t collider, bool has, uint64_t layers);
void collider_set_group(struct world *world, uint32_t collider, int32_t group);

/* Called after the collider's filter has changed: ends its contacts, wakes its body, and has its pairs searched again in the
 * next step. */
void collider_refilter(struct world *world, uint32_t collider);

void collider_add_proxy(struct world *world, uint32_t collider, uint32_t child); /* capacity must be reserved */
void collider_add_proxies(struct world *world, uint32_t collider); /* likewise */
/* Refits the proxies and their leaves after the body's pose was set, or was changed by rounding (body_nudged). A solid collider
 * of a body that is not dynamic wakes the sleeping bodies that it may overlap. */
void collider_update_proxies(struct world *world, uint32_t collider);

/* Computes the masses of dynamic bodies that got colliders. Call before a step, and before anything that depends on masses,
 * centres of mass or velocities is read or set: see object_weighed in bind/lua/bind.h. */
void bodies_weigh(struct world *world);
