/* field_hash.h - the part of world_hash that fields make. Serial. */
#pragma once
#include "core/core.h"

/* Adds all that decides what the fields do, but their shapes. Without fields, returns the hash as it is. */
uint64_t field_hash(const struct world *world, uint64_t hash);
