/* world.h - creating, stepping and querying a world. Wings and bind build on this and body.h, collider.h, query.h, validate.h.
 * Functions that return false when memory runs out have changed nothing then, except for world_step.
 * Serial: only the stepping thread calls any of it. */
#pragma once
#include "core/core.h"

/* The default settings, with lengths and speeds multiplied by length_scale > 0. */
struct settings settings_default(float length_scale);

/* Creates a world of 2D or 3D with `workers` >= 1 threads, the caller's included; NULL when out of memory. `memory` must
 * outlive it. */
struct world *world_create(
	struct memory *memory, const struct wing *wing, const struct settings *settings, const float gravity[3], int workers);
void world_destroy(struct world *world);
bool world_set_workers(struct world *world, int workers);
int world_get_workers(const struct world *world);
/* Gives the world the workers of another one, which is left with one. */
void world_take_workers(struct world *world, struct world *from);

/* Advances time by dt >= 0 [s]; the world is locked meanwhile. Its events follow those of the last steps if `keep`, else
 * replace them. False: no memory; the world is consistent, but the motion or some events of this step are lost. */
bool world_step(struct world *world, double dt, bool keep);

/* Sets whether two layers collide. If that changes, their colliders lose all contacts, and the next step searches their pairs
 * again. */
void world_set_layers_meet(struct world *world, uint32_t a, uint32_t b, bool meet);
bool world_layers_meet(const struct world *world, uint32_t a, uint32_t b);

void world_set_gravity(struct world *world, const float gravity[3]); /* wakes all bodies */
void world_wake_all(struct world *world);
