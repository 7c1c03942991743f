/* controller_hash.h - the controllers' part of world_hash. Serial. */
#pragma once
#include "core/core.h"

/* Adds all controllers of the world to the hash. */
uint64_t controller_hash(const struct world *world, uint64_t hash);
