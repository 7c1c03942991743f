/* controller_hash.h - the controllers' part of world_hash. Serial. */
#pragma once
#include "core/core.h"

/* Adds a controller, if there is one with the id. */
uint64_t controller_hash(const struct world *world, uint32_t id, uint64_t hash);
