/* kept.h - shapes and curves that their owners no longer have, but that a history may bring back with them. Serial. */
#pragma once
#include "core/core.h"

/* Histories that have this tick or an earlier one may bring back the shapes, curves and handles that are let go now. */
static inline uint64_t kept_until(const struct world *world)
{
	return world->tick > world->last_tick ? world->tick : world->last_tick;
}

/* Called instead of releasing a shape, or destroying a curve, that its owner no longer has. Room is reserved by kept_room. */
void shape_let_go(struct world *world, const void *shape);
void curve_let_go(struct world *world, struct curve *curve);
/* Makes room for all shapes and curves that the world may let go, and `more`, as objects that will be created. False: no
 * memory. */
bool kept_reserve(struct world *world, uint32_t more);
/* The same, unless there is no history. */
static inline bool kept_room(struct world *world, uint32_t more)
{
	return world->histories == NULL || kept_reserve(world, more);
}

/* Records that own shapes and curves, and how many of them there are. */
struct owner_counts {
	uint32_t colliders, fields, joints;
};
struct owners {
	const struct collider *colliders;
	const struct field *fields;
	const struct joint *joints;
	unsigned char *joint_rows;
};

/* Exchanges the shapes and curves of the world's records, of which there are `had`, for those of other records, which will take
 * their place, and whose counts the world has already. */
void owners_exchange(struct world *world, const struct owner_counts *had, const struct owners *get);
/* Releases what was let go before the tick `first`: no history can bring its owner back. */
void kept_prune(struct world *world, uint64_t first);
