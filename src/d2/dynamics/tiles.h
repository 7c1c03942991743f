/* tiles.h - edits of the tiles that are a collider's. Serial. */
#pragma once
#include "d2/dynamics/d2.h"
#include "d2/shape/tiles.h"

/* Edits the cells of the collider's tiles, and of those with which they are paired. Wakes what rests on cells that change or
 * may overlap new ones. False: no memory, and nothing has changed. */
bool d2_collider_edit_tiles(struct world *world, uint32_t collider, const struct d2_tiles_edit *edit);
