/* snapshot.h - a world as bytes: all that decides its future. Shapes are written once each, however many colliders share them.
 * Events are left out, and scratch memory, and caches that change no result. What is read is checked to the last index, so that
 * no bytes, however made, leave a world that breaks an invariant. Serial. */
#pragma once
#include "base/archive.h"
#include "core/core.h"

/* Writes the world, which must not be locked, or reads into a new one of the same wing without any objects. When reading has
 * failed, see archive_good, the world can only be destroyed. */
void world_pass(struct archive *archive, struct world *world);

/* Gives all objects new generations, the numbers after `serial`: for a world that replaces another one, whose handles must not
 * find them. */
void world_renumber(struct world *world, uint32_t serial);
