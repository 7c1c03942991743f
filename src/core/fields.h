/* fields.h - the records of force fields: what struct world keeps of them. Functions: field.h, field_force.h. Included by
 * core.h. */
#pragma once
#include "base/array.h"
#include "base/ids.h"
#include "base/vec3.h"
#include "spatial/tree.h"

#include <stdbool.h>
#include <stdint.h>

enum field_effect {
	FIELD_GRAVITY = 1, /* the same acceleration everywhere */
	FIELD_ATTRACTION = 2, /* acceleration towards the field's origin */
	FIELD_VORTEX = 4, /* acceleration around an axis through the origin */
	FIELD_WIND = 8, /* force on the surfaces that face the wind */
	FIELD_FLUID = 16, /* buoyancy and drag */
	FIELD_PULLS = FIELD_GRAVITY | FIELD_ATTRACTION, /* together they may take the place of the world's gravity */
};

/* An acceleration strength / d^falloff at the distance d from the origin or axis; below the minimum distance it falls to 0 in
 * proportion to d. */
struct field_pull {
	double strength; /* [length^(1 + falloff)/s^2] */
	double minimum_distance; /* [length] */
	int half_powers; /* twice the falloff: with own square roots, powers have the same bits everywhere */
};

/* Vectors are in the field's frame. */
struct field_settings {
	uint32_t effects; /* enum field_effect */
	struct vec3 gravity; /* [length/s^2] */
	struct field_pull attraction, vortex;
	struct vec3 axis; /* of the vortex, a unit vector */
	struct vec3 wind; /* [length/s] */
	double wind_drag, wind_lift; /* [mass/length^dimensions] */
	struct vec3 current; /* velocity of the fluid [length/s] */
	double fluid_density; /* [mass/length^dimensions] */
	double linear_drag, angular_drag; /* [1/s] */
};

struct field {
	uint32_t generation; /* see world->serial */
	bool valid; /* the id is in use */
	bool enabled;
	bool replaces; /* keeps fields of lower priority, and the world's gravity, from acting where it acts: see field_force.c */
	int32_t priority;
	uint64_t layers; /* mask of the colliders' layers on which the field acts */
	const void *shape; /* the wing's, in the field's frame; NULL: everywhere. The field owns one reference to it */
	uint32_t body; /* the field moves with it, and does not act on it; NONE: it stays where it is */
	struct frame3 local; /* in the body's frame, or in the world */
	struct frame3 frame; /* in the world */
	struct vec3 velocity; /* of its origin [length/s] */
	uint32_t leaf; /* in fields.tree; NONE: its shape is unbounded, or it is disabled */
	struct field_settings settings;
};

/* The fields that may act on an awake body in this step: entries [first, first + count) of fields.found. */
struct field_reach {
	uint32_t first, count;
	bool afloat; /* a fluid acts on the body */
};

struct fields {
	struct ids ids;
	ARRAY(struct field) all; /* by id */
	ARRAY(uint32_t) order; /* ids of the enabled fields, by falling priority, then by id */
	ARRAY(uint64_t) keys; /* two for each field, to sort `order` */
	bool ordered; /* `order` is up to date */
	struct tree_room room;
	struct tree tree; /* of the AABBs of enabled fields */
	ARRAY(uint32_t) unbounded; /* ranks of enabled fields without an AABB; as `order` */
	ARRAY(uint32_t) ranks; /* by id: index in `order` */
	uint32_t attached; /* number of fields on a body */

	/* Of this step: `active` is false if no field reaches an awake body. */
	bool active;
	ARRAY(struct field_reach) reaches; /* by awake index */
	ARRAY(uint32_t) found; /* ranks, ascending for each body */
	unsigned char *base_rows; /* the wing's step records without fields, by awake index */
	uint32_t base_row_capacity;
};
